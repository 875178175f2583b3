// SPDX-License-Identifier: MIT
// Scores of new examples. Knows the model and the data, nothing of how the model was trained.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/matrix.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost {

/// What the model's parts say of examples.
struct Scores {
  Eigen::MatrixXd parts;      ///< g(B_i) of each part; one row an example, one column a part
  std::vector<char> covered;  ///< 0 where no view that the model uses has an instance of the example
};

/// g(B_i) = b + sum_j w_j h_j(B_i) for every example and part; an example's score does not depend on the
/// others. h_j(B) = 0 where the bag is empty in the hypothesis' view, as a series shorter than its windows
/// is. `threads` 0: one for each hardware thread. Throws InvalidInput where the data does not fit the model.
[[nodiscard]] Scores scores(const Model& model, const Dataset& data, int threads = 0);

/// The same for every instance x by itself, as the bag {x}: one row an instance, bag after bag. For bags
/// only; throws InvalidInput where the data does not fit the model or are series.
[[nodiscard]] Scores instance_scores(const Model& model, const Dataset& data, int threads = 0);

/// h_j(B_i), the sign included: one row an example, one column a hypothesis, in the model's order; 0 where
/// the bag is empty in the hypothesis' view. What a linear model on top may weigh anew. Throws as scores()
/// does.
[[nodiscard]] Matrix transformed(const Model& model, const Dataset& data, int threads = 0);

/// The rows that are not covered.
[[nodiscard]] std::vector<std::int64_t> uncovered(const Scores& scores);

/// Index into model.classes for each row. Two classes: 1 where g > 0, else 0. One against the rest: the class
/// with the largest g, the first among equals. One against one, the decision DAG of Platt, Cristianini and
/// Shawe-Taylor (2000): of all classes in order the first and the last are compared and the loser leaves,
/// until one is left.
[[nodiscard]] std::vector<int> predictions(const Model& model, const Scores& scores);

/// One row an example, one column a class; larger speaks for the class. Two classes: -g, g. One against the
/// rest: the class' own g. One against one: the mean over the class' pairs of the vote tanh(4 g) (of -g where
/// it is the negative class), g in units of its mean size over the pair's training bags, where the model
/// knows them: between -1 and 1.
/// All pairs of a class count here, the DAG asks a few: the largest need not be its answer.
[[nodiscard]] Eigen::MatrixXd class_scores(const Model& model, const Scores& scores);

/// What calibration sees: class_scores(), with every part's g in units of its mean size over the part's
/// training bags, so that models of more or fewer examples speak alike.
[[nodiscard]] Eigen::MatrixXd unit_scores(const Model& model, const Scores& scores);

/// One row an example, one column a class; rows sum to 1. Throws InvalidInput where the model has no
/// calibration.
[[nodiscard]] Eigen::MatrixXd probabilities(const Model& model, const Scores& scores);

/// softmax over each row of slope s_c + offset_c.
[[nodiscard]] Eigen::MatrixXd probabilities(const Calibration& calibration, const Eigen::MatrixXd& scores);

/// For each example the index of its label in model.classes, or kUnlabelled. Throws InvalidInput naming the
/// example whose label the model does not know.
[[nodiscard]] std::vector<int> labels_for(const Model& model, const Dataset& data);

}  // namespace shapeboost
