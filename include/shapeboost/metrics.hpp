// SPDX-License-Identifier: MIT
// How well scores and predictions agree with labels.
#pragma once

#include <vector>

#include "shapeboost/matrix.hpp"

namespace shapeboost {

/// counts(a, b): examples of class a predicted as class b. Labels and predictions lie in 0 ... classes-1;
/// others, and lists of different sizes, throw InvalidInput.
[[nodiscard]] Eigen::MatrixXi confusion_matrix(const std::vector<int>& labels,
                                               const std::vector<int>& predictions, int classes);
/// Share of the diagonal; NaN where there are no examples.
[[nodiscard]] double accuracy(const Eigen::MatrixXi& confusion);
/// Mean recall over the classes that occur; NaN where none does.
[[nodiscard]] double balanced_accuracy(const Eigen::MatrixXi& confusion);
/// Probability that a positive example (label 1) outscores a negative one (label 0), ties counting half;
/// NaN where either is absent or a score is NaN. Other labels throw InvalidInput. O(n log n).
[[nodiscard]] double auc(const std::vector<int>& labels, const std::vector<double>& scores);

}  // namespace shapeboost
