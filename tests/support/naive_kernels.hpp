// SPDX-License-Identifier: MIT
// Dull slow twins of the kernels that are not functions of inner products: windows copied out, every table of
// an alignment filled from corner to corner, nothing skipped.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/matrix.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/view.hpp"

namespace shapeboost::naive {

/// A window or an instance of a bag, mapped and normalised: one row for each channel (a single one for bags).
struct Copied {
  Matrix values;
  double place = 0.0;
};

/// The instances of every example, in the order of their numbers.
[[nodiscard]] std::vector<std::vector<Copied>> copied_bags(const Dataset& data, const View& view);

/// |x - z|_1.
[[nodiscard]] double absolute_distance(const Matrix& x, const Matrix& z);
/// DTW^2 inside a band of half-width `reach`.
[[nodiscard]] double warped_distance(const Matrix& x, const Matrix& z, std::int64_t reach);
/// log of the sum over all alignments, without normalisation; band as in Kernel.
[[nodiscard]] double log_alignments(const Matrix& x, const Matrix& z, double sigma, double band);

/// The affinity by the formulas of kernel.hpp, with the position term of view.tau.
[[nodiscard]] double affinity(const View& view, const Copied& x, const Copied& z);

}  // namespace shapeboost::naive
