// SPDX-License-Identifier: MIT
#pragma once

#include "shapeboost/evaluation.hpp"

namespace shapeboost {

inline double accuracy_of(const Model& model, const Dataset& data) {
  return evaluate(model, data, 1).accuracy;
}

/// Scores of a committee and of its members added up here.
inline constexpr double kScores = 1e-6;

}  // namespace shapeboost
