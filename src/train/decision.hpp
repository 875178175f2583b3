// SPDX-License-Identifier: MIT
// Where classes part. Training settles scores; which score is enough for a class depends on what the user counts.
// Every class gets an offset o_c, and a part's b grows by
//
//     shift = unit (o_positive - o_negative),
//
// unit the mean size of its scores, o of "the rest" 0. The offsets are those that serve `--optimise` best on scores of
// examples that their models had not seen: scores of training examples flatter rare classes most.
#pragma once

#include <vector>

#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/trainer.hpp"

namespace shapeboost::detail {

/// Moves the parts' b where the settings ask for it, and notes classes of which hardly an example is recognised.
void settle_decision(const Dataset& data, const TrainSettings& settings, const Observer& observer,
                     TrainingResult& result);

/// What is maximised, of predictions: the accuracy, the mean recall of the classes or their mean F1.
[[nodiscard]] double worth(Optimise aim, const std::vector<int>& labels, const std::vector<int>& predictions,
                           std::size_t classes);

/// The classes' offsets, of scores in units: a row an example, of which labels_i is the class, a column a part of the
/// model. All 0 where nothing is better. Coordinate ascent, class after class; the best offset of the
/// neighbourhood with the highest mean is taken, since the highest of many peaks is mostly chance.
[[nodiscard]] std::vector<double> best_offsets(const Model& model, const Array<double>& scores,
                                               const std::vector<int>& labels, Optimise aim);

/// The fold of each example, or kAlwaysTrained: see stratified_folds() in selection.hpp.
[[nodiscard]] std::vector<int> dealt_folds(const Dataset& data, int folds, int repeat, std::uint64_t seed);

/// `folds`, or as many as there are examples not alone in their class.
[[nodiscard]] int possible_folds(const Dataset& data, int folds);

/// The settings of models that stand in for one of these settings in `folds` folds: committees have their share of the
/// members, if that is not too few for scores of the same size.
[[nodiscard]] TrainSettings fold_settings(const Dataset& data, const TrainSettings& settings, int folds);

}  // namespace shapeboost::detail
