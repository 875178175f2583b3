// SPDX-License-Identifier: MIT
// What the settings leave open, settled for the data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shapeboost/trainer.hpp"

namespace shapeboost {

/// A view not yet fitted to the data: sigma is to be sigma_scale / median distance, and only this part of the candidates
/// are its own where several views of a member share them.
struct PlannedView {
  View view;
  double sigma_scale = 1.0;
  double candidates = 1.0;
};

/// What `settings` leave open, settled for this data; and the views of every member.
struct Plan {
  TrainSettings settings;
  std::vector<std::vector<PlannedView>> members;
};
[[nodiscard]] Plan plan(const Dataset& data, const TrainSettings& settings);

/// Whether ridge regression is to weigh patterns: where it is asked for or, where nothing is said, for series and bags
/// under the Gaussian kernel, if nothing is asked for that a head cannot do.
[[nodiscard]] bool wants_head(DataKind kind, const TrainSettings& settings);

/// Bytes that TrainSettings::memory must allow at the least for this data; where `parts`, for any part too.
[[nodiscard]] std::int64_t smallest_memory(const Dataset& data, const TrainSettings& settings,
                                           bool parts = false);

}  // namespace shapeboost
