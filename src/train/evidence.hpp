// SPDX-License-Identifier: MIT
// The evidence of patterns about all examples, as columns of a regression.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/matrix.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost::detail {

using Columns = Eigen::MatrixXf;  // examples x evidence

/// The hypotheses of each view, from number `first` on.
[[nodiscard]] std::vector<std::vector<std::int64_t>> by_view(const Model& model, std::int64_t first = 0);

/// What these hypotheses of view v say: column p kinds + k is the k-th kind of evidence of the p-th of them. NaN where an
/// example has no instance in the view.
[[nodiscard]] Columns read_evidence(const Dataset& data, const Model& model, std::int64_t v,
                                    const std::vector<std::int64_t>& hypotheses,
                                    const std::vector<Evidence>& kinds);

/// To mean 0 and deviation 1 over the examples that have an instance in the view and that the pattern was not cut from; 0
/// for the others, and for all where it hardly varies.
Standard standardise(Eigen::Ref<Eigen::VectorXf> x, const Shapelet& pattern);

}  // namespace shapeboost::detail
