// SPDX-License-Identifier: MIT
// From a model to what its margins promise: which class of hypotheses it stands for, how large it is in
// that class, and the bound of bound.hpp for each of its binary problems.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shapeboost/bound.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost {

/// What can be said of one part.
struct Guarantee {
  int part = 0;
  std::optional<Bound> bound;
  std::string reason;  ///< a sentence, where there is no bound
};

/// A = sum_j w_j ||u_j|| of a part, ||u||^2 = alpha' K alpha. The kernel must be positive semi-definite, and
/// a Gram matrix or function that it needs attached.
[[nodiscard]] double norm_of(const Model& model, const Part& part);

/// What generalisation_bound() needs to know of one part. Spoken of all parts at once, so delta is shared
/// among them. Patterns are counted for linear and polynomial kernels, and for Gaussian ones where every
/// shapelet of the model is a single instance; a position term forbids it. Throws InvalidInput where the
/// bound does not apply: the kernel is not positive semi-definite, or the model does not remember its margins
/// and views.
[[nodiscard]] BoundInput bound_input(const Model& model, const Part& part, double delta = 0.05);

/// One for each part. Throws InvalidInput where a model contradicts itself: a margin larger than its own
/// norm, radius and offset allow, or delta out of its range.
[[nodiscard]] std::vector<Guarantee> guarantees(const Model& model, double delta = 0.05);

}  // namespace shapeboost
