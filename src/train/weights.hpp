// SPDX-License-Identifier: MIT
// The weights of a head, as a model holds them.
#pragma once

#include <vector>

#include "ground/matrix.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost::detail {

/// Gives the model's parts these weights of its hypotheses' standardised evidence (row j |kinds| + k is hypothesis j's k-th
/// kind, a column a part) and offsets. Hypotheses come to be in the order of what they weigh, the heaviest first.
void set_weights(Model& model, const std::vector<Evidence>& kinds, const Eigen::MatrixXd& W, const Vector& b);

/// The share of the examples whose label is what such scores predict: a row an example, a column a part.
[[nodiscard]] double accuracy_of(const Eigen::MatrixXd& scores, const std::vector<int>& labels);

}  // namespace shapeboost::detail
