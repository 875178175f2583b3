// SPDX-License-Identifier: MIT
// How much each class counts: a weight v_i > 0 for every training bag. Only ratios matter. The master caps
//
//     d_i <= cap_i = v_i / (nu sum_k v_k),   so that   sum_i cap_i = 1 / nu,
//
// and a bag that falls short of the margin costs cap_i for each unit. With equal weights cap_i = 1/(nu m).
#pragma once

#include <string>
#include <vector>

#include "ground/matrix.hpp"
#include "shapeboost/trainer.hpp"

namespace shapeboost {

/// The first fault as a sentence, or empty.
[[nodiscard]] std::string validate(const ClassWeights& weights);

/// v, one for each bag; labels_i is the class of bag i and y_i = -1 or +1 its side, which balanced weights go by.
/// Throws InvalidInput where a weight's label is none of the classes.
[[nodiscard]] Vector bag_weights(const ClassWeights& weights, const std::vector<std::string>& classes,
                                 const std::vector<int>& labels, const Vector& y);

/// The same without sides: balanced weights make all classes weigh the same. Their mean is 1; empty where all are the
/// same.
[[nodiscard]] Vector example_weights(const ClassWeights& weights, const std::vector<std::string>& classes,
                                     const std::vector<int>& labels);

}  // namespace shapeboost
