// SPDX-License-Identifier: MIT
// The views that settings ask for in which everything else is chosen.
#pragma once

#include <vector>

#include "ground/rng.hpp"
#include "train/plan.hpp"

namespace shapeboost::detail {

/// Every combination of the settings' lists.
[[nodiscard]] std::vector<PlannedView> grid_views(const Dataset& data, const TrainSettings& settings);

/// What random views of bags are drawn from follows from these.
struct BagTraits {
  bool sparse = false;  ///< more than half of the numbers are 0
  bool heavy = false;   ///< at least half of the features that vary have more outliers than a normal variable
  /// Of bags that are stored sparsely, and nothing else of them: whether a feature occurs.
  std::vector<char> occurs{};
};
/// Of other data nothing.
[[nodiscard]] BagTraits traits_of(const Dataset& data);

/// One drawn at random; where a head will weigh what is found, the same of a few channels or sets of channels, among
/// which the member chooses.
[[nodiscard]] std::vector<PlannedView> random_views(const Dataset& data, const BagTraits& traits,
                                                    const TrainSettings& settings, Rng& rng);

}  // namespace shapeboost::detail
