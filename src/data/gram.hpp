// SPDX-License-Identifier: MIT
// A matrix of similarities that somebody else computed: entry (i, j) is K of the objects i and j.
#pragma once

#include <string>
#include <string_view>

#include "shapeboost/array.hpp"

namespace shapeboost {

/// Reads a square matrix, one row a line, separated by commas, semicolons, tabs or blanks, compressed by gzip
/// or not. Throws InvalidInput with file, line and column: a row of another size, a number that is none or not
/// finite, two entries (i, j) and (j, i) that differ by more than 1e-9 of the larger. What is returned is
/// symmetric to the last bit.
[[nodiscard]] Array<double> read_gram(const std::string& path);

/// The same for text already in memory; `source` is what errors call it.
[[nodiscard]] Array<double> parse_gram(std::string_view text, const std::string& source);

/// What keeps a matrix from being one of similarities, as a sentence: not square, a number that is not finite,
/// two entries (i, j) and (j, i) that differ by more than 1e-9 of the larger; empty where nothing does.
[[nodiscard]] std::string gram_fault(const ArrayView& matrix);

/// A matrix from the caller's memory, made symmetric to the last bit. Throws InvalidInput with gram_fault();
/// `source` is what errors call it.
[[nodiscard]] Array<double> symmetric_gram(Array<double> matrix, const std::string& source);

/// A symmetric matrix has no eigenvalue below -1e-8 of its trace: found from the eigenvalues, or, beyond 2000
/// rows, by whether the matrix with that much added to its diagonal has a Cholesky factor.
[[nodiscard]] bool is_positive_semidefinite(const ArrayView& symmetric);

}  // namespace shapeboost
