// SPDX-License-Identifier: MIT
// How well scores and predictions agree with labels.
#pragma once

#include <vector>

#include "shapeboost/array.hpp"

namespace shapeboost {

/// counts(a, b): examples of class a predicted as class b. Labels and predictions lie in 0 ... classes-1;
/// others, and lists of different sizes, throw InvalidInput.
[[nodiscard]] Array<int> confusion_matrix(const std::vector<int>& labels, const std::vector<int>& predictions,
                                          int classes);
/// Share of the diagonal; NaN where there are no examples.
[[nodiscard]] double accuracy(const Array<int>& confusion);
/// Mean recall over the classes that occur; NaN where none does.
[[nodiscard]] double balanced_accuracy(const Array<int>& confusion);

/// Of each class the share of its examples that were predicted as it; NaN where it does not occur.
[[nodiscard]] std::vector<double> recall(const Array<int>& confusion);
/// Of each class the share of its predictions that are right; NaN where it was never predicted.
[[nodiscard]] std::vector<double> precision(const Array<int>& confusion);
/// Of each class the harmonic mean of the two: 2 right / (examples + predictions); NaN where there are
/// neither.
[[nodiscard]] std::vector<double> f1(const Array<int>& confusion);
/// Mean F1 over the classes that have one; NaN where none has.
[[nodiscard]] double macro_f1(const Array<int>& confusion);

/// Probability that a positive example (label 1) outscores a negative one (label 0), ties counting half;
/// NaN where either is absent or a score is NaN. Other labels throw InvalidInput. O(n log n).
[[nodiscard]] double auc(const std::vector<int>& labels, const std::vector<double>& scores);
/// The AUC of each class against the rest by its column of `scores` (one row an example); NaN where the class
/// or the rest is absent. Labels that are no column, and lists of different sizes, throw InvalidInput.
[[nodiscard]] std::vector<double> auc_per_class(const std::vector<int>& labels, const ArrayView& scores);

/// Mean of those that are not NaN; NaN where there are none.
[[nodiscard]] double mean_of_known(const std::vector<double>& values);

}  // namespace shapeboost
