// SPDX-License-Identifier: MIT
// Scores of new examples. Knows the model and the data, nothing of how the model was trained.
#pragma once

#include <vector>

#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost {

/// g(B_i) = b + sum_j w_j h_j(B_i) for every example; an example's score does not depend on the others.
/// `threads` 0: one for each hardware thread. Throws InvalidInput where the data does not fit the model.
[[nodiscard]] std::vector<double> scores(const Model& model, const Dataset& data, int threads = 0);

/// Index into model.classes: 1 where the score is above 0, else 0.
[[nodiscard]] std::vector<int> predictions(const std::vector<double>& scores);

/// For each example the index of its label in model.classes, or kUnlabelled. Throws InvalidInput naming the
/// example whose label the model does not know.
[[nodiscard]] std::vector<int> labels_for(const Model& model, const Dataset& data);

}  // namespace shapeboost
