// SPDX-License-Identifier: MIT
// The views that settings ask for in which everything else is chosen.
#pragma once

#include <vector>

#include "ground/rng.hpp"
#include "train/plan.hpp"

namespace shapeboost::detail {

/// Every combination of the settings' lists.
[[nodiscard]] std::vector<PlannedView> grid_views(const Dataset& data, const TrainSettings& settings);

/// One drawn at random.
[[nodiscard]] PlannedView random_view(const Dataset& data, const TrainSettings& settings, Rng& rng);

}  // namespace shapeboost::detail
