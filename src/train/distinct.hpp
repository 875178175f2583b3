// SPDX-License-Identifier: MIT
// Training data in which every example stands once. An example of weight k is k copies of it, no more and no less: copies are
// therefore taken together, and what weighs nothing is left out, before anything is drawn, compared or left out of a regression.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ground/parallel.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/trainer.hpp"

namespace shapeboost::detail {

/// What tells an example from others, and how much it weighs.
struct Identity {
  int label = kUnlabelled;
  std::int64_t rows = 0;
  std::int64_t numbers = 0;
  std::array<std::uint64_t, 2> digest{};  ///< of its numbers, bit for bit
  double weight = 1.0;

  /// Whether two are copies: by chance different ones seem so once in 2^128.
  [[nodiscard]] bool same(const Identity& other) const {
    return label == other.label && rows == other.rows && numbers == other.numbers && digest == other.digest;
  }
};
[[nodiscard]] Identity identity(const Dataset& data, std::int64_t i);

/// Examples that stand once.
struct Grouping {
  std::vector<std::int64_t> first;  ///< of each: where it stands first in what was given
  std::vector<double> weights;      ///< of each; all 1 where they are the same
  std::vector<std::int64_t>
      place;  ///< of each example that was given: which it is; -1 where it weighs nothing
};

/// Two examples are one if they have the same label and the same numbers, bit for bit. Where weights differ the order follows
/// from the examples themselves, so that neither the order in which they were given nor copies in place of weights change
/// the model. nullopt where nothing changes: no copies, and all weigh the same or are in that order already. Costs
/// O(m log m) comparisons.
[[nodiscard]] std::optional<Grouping> grouped(const std::vector<Identity>& examples);

struct Distinct {
  Dataset data;                     ///< weights summed up
  std::vector<std::int64_t> first;  ///< of each of its examples: where it stands first in what was given
  std::vector<std::int64_t>
      place;  ///< of each example that was given: where it is in `data`; -1 where it weighs nothing
};

/// The examples that grouped() leaves; nullopt where it does.
[[nodiscard]] std::optional<Distinct> distinct(const Dataset& data, ThreadPool& threads);
[[nodiscard]] std::optional<Distinct> distinct(const Dataset& data);

/// `data`, or distinct()'s.
[[nodiscard]] Dataset distinct_data(Dataset data);

/// What was learned from `examples.data`, in terms of what was given: examples have their numbers there, and left-out scores are
/// those of all of it; without them where an example weighs nothing. Margins stay those of the distinct examples.
void tell_of_given(const Distinct& examples, TrainingResult& result);

}  // namespace shapeboost::detail
