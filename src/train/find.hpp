// SPDX-License-Identifier: MIT
// Finding patterns for a head to weigh. A member looks at a part of the examples through its own random views and
// boosts a few two-class problems among them; of each the heaviest patterns are kept, without their weights. Its cost
// does not depend on the number of examples, and grows little with the number of classes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ground/parallel.hpp"
#include "ground/rng.hpp"
#include "shapeboost/trainer.hpp"
#include "train/evidence.hpp"
#include "train/plan.hpp"

namespace shapeboost::detail {

/// Of a ridge head, where nothing else is asked for; and the fewest that each member is asked for.
inline constexpr std::int64_t kPatterns = 10000;
inline constexpr std::int64_t kPatternsEach = 50;

/// So many of each of these members: few patterns are chosen from as many as are found by default.
[[nodiscard]] inline std::int64_t wanted_each(std::int64_t patterns, std::int64_t members) {
  return std::max(kPatternsEach, (patterns + members - 1) / members);
}

/// What one member has found.
struct FoundPatterns {
  std::vector<View> views;
  std::vector<ViewFacts> facts;        ///< of each view
  std::vector<Hypothesis> hypotheses;  ///< sign +1; examples are those of the whole data set
  std::vector<RoundRecord> rounds;
  std::vector<Stop> stops;
  double gap = 0.0;
  double duality_gap = 0.0;
  MemberEvidence evidence;  ///< of series, where it was read on the spot
};

/// At most `limit` examples (0: all), ascending: the same share of every class but at least two of each, where it has so
/// many.
[[nodiscard]] std::vector<std::int64_t> drawn_examples(const Dataset& data, std::int64_t limit, Rng& rng);

/// Two-class problems that a member solves.
[[nodiscard]] std::int64_t problems_each(const Dataset& data);

/// At most `wanted`, shared out over the member's problems: of each the heaviest.
[[nodiscard]] FoundPatterns find_patterns(const Dataset& data, const std::vector<PlannedView>& planned,
                                          const TrainSettings& settings, std::int64_t wanted,
                                          std::uint64_t seed, const Observer& observer, ThreadPool& threads);

/// Of a member that was stopped: no pattern, and a view that nobody asks.
[[nodiscard]] FoundPatterns found_nothing(const View& view);
/// The view as if it had been fitted: for a model that has no other.
[[nodiscard]] View unasked(View view);

/// Patterns that are drawn in each view of bags: fewer where bags are very many.
[[nodiscard]] std::int64_t bag_patterns(const Dataset& data);

/// Instances drawn at random, `wanted` in each of these fitted views, whatever the labels: a bag, then one of its
/// instances.
[[nodiscard]] FoundPatterns draw_patterns(const Dataset& data, const std::vector<View>& views,
                                          std::int64_t wanted, std::uint64_t seed);

}  // namespace shapeboost::detail
