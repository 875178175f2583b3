// SPDX-License-Identifier: MIT
// Scores to probabilities. The scores of training examples flatter their model, so they are taken from models
// that did not see them: the data are cut into stratified folds, and each is scored by a model of the others. (A
// ridge head's left-out scores are no substitute: its patterns were found with all labels in sight, and on noisy
// data such probabilities are worse than the classes' shares.) What is fitted to them is one slope a and an offset
// b_c for each class,
//
//     p_c(B) = exp(a s_c(B) + b_c) / sum_k exp(a s_k(B) + b_k),
//
// by maximum likelihood, which is convex. Of two classes, s = (-g, g), this is Platt's sigmoid (2000). As
// there, targets are not 0 and 1 but what as many examples can bear out: (n_c + 1) / (n_c + 2) for the
// example's own class, the rest shared among the others; so a separable set has no infinite slope.
#pragma once

#include <optional>

#include "shapeboost/model.hpp"
#include "shapeboost/trainer.hpp"

namespace shapeboost {

/// Folds where none are asked for.
inline constexpr int kCalibrationFolds = 5;

/// The calibration of the model that train() gives for this data and these settings; trains `folds` models,
/// fewer where there are too few examples. Committees have their share of the members each, at least 20, so that all
/// folds cost about what the model did. An interrupted run ends with the folds that were finished, and with
/// nothing where none was. Throws InvalidInput where no two folds can be made.
[[nodiscard]] std::optional<Calibration> calibrate(const Dataset& data, const TrainSettings& settings,
                                                   int folds = kCalibrationFolds,
                                                   const Observer& observer = {});

/// Gives a model the calibration of the data and settings it was trained with, and notes where the run was
/// interrupted before all folds were finished.
void add_calibration(TrainingResult& training, const Dataset& data, const TrainSettings& settings,
                     const Observer& observer = {});

}  // namespace shapeboost
