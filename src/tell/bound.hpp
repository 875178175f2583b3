// SPDX-License-Identifier: MIT
// The steps of the bound: see guarantee.hpp and docs/bound.md.
#pragma once

#include <cstdint>
#include <optional>

#include "shapeboost/guarantee.hpp"

namespace shapeboost {

/// Throws InvalidInput where an argument is out of its range, or a margin larger than norm, radius and offset
/// allow.
[[nodiscard]] Bound generalisation_bound(const BoundInput& input);

/// An upper bound on ln|Theta| of one view over m bags; none where its patterns are unknown.
[[nodiscard]] std::optional<double> log_patterns(const BoundView& view, std::int64_t m);

/// C / R from L = ln|Theta|: sqrt(psi(L) / m).
[[nodiscard]] double pattern_complexity(double log_patterns, std::int64_t m);

/// C / R for the union of `classes` classes (views, and one for an offset) of at most N instances each.
[[nodiscard]] double covering_complexity(std::int64_t instances, std::int64_t classes, std::int64_t m);

/// Monomials that tell instances in R^length apart by (x.z + c)^p: the dimension of Patterns::linear. None
/// where they are too many to count.
[[nodiscard]] std::optional<std::int64_t> polynomial_dimension(std::int64_t length, int p, double c);

/// A = sum_j w_j ||u_j|| of a part, ||u||^2 = alpha' K alpha. The kernel must be positive semi-definite, and
/// a Gram matrix or function that it needs attached.
[[nodiscard]] double norm_of(const Model& model, const Part& part);

/// What generalisation_bound() needs to know of one part. Spoken of all parts at once, so delta is shared
/// among them. Patterns are counted for linear and polynomial kernels, and for Gaussian ones where every
/// shapelet of the model is a single instance; a position term forbids it. Throws InvalidInput where the
/// bound does not apply: the kernel is not positive semi-definite, or the model does not remember its margins
/// and views.
[[nodiscard]] BoundInput bound_input(const Model& model, const Part& part, double delta = 0.05);

}  // namespace shapeboost
