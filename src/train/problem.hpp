// SPDX-License-Identifier: MIT
// The binary problems that tell classes apart, and the part of their bags that a member trains on.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/booster.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"
#include "train/class_weights.hpp"

namespace shapeboost::detail {

/// Time steps of every series; 0 where they differ, and of other data.
[[nodiscard]] inline std::int64_t common_length(const Dataset& data) {
  const bool common = data.kind() == DataKind::series && data.min_length() == data.max_length();
  return common ? data.max_length() : 0;
}

/// One binary problem: which bags take part, and on which side.
struct Problem {
  std::vector<std::int64_t> bags;  ///< empty: all
  Sides sides;
};

/// Throws InvalidInput where an example has no label, where there are fewer than two classes, and where numbers are too
/// large or all too small to compute with.
void check_training_data(const Dataset& data);

[[nodiscard]] Problem problem_of(const Dataset& data, const Part& part, const ClassWeights& weights);

/// At most `limit` of the bags (0: all), drawn at random: the same share of each side, but at least one bag.
[[nodiscard]] Problem drawn(const Problem& problem, std::int64_t limit, std::uint64_t seed);

}  // namespace shapeboost::detail
