// SPDX-License-Identifier: MIT
// Small data with planted patterns, and settings for one model of it.
#pragma once

#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"

namespace shapeboost::examples {

inline Dataset small_series(std::uint64_t seed, std::int64_t examples = 20, double noise = 0.3,
                            std::int64_t length = 60) {
  SyntheticSettings settings;
  settings.examples = examples;
  settings.length = length;
  settings.noise = noise;
  settings.seed = seed;
  return planted_series(settings).data;
}

inline Dataset small_bags(std::uint64_t seed, std::int64_t examples = 30) {
  SyntheticSettings settings;
  settings.examples = examples;
  settings.length = 8;
  settings.features = 5;
  settings.seed = seed;
  return planted_bags(settings).data;
}

inline TrainSettings one_thread() {
  TrainSettings settings = single();
  settings.lengths = {0.2, 0.3};
  settings.boosting.stall_rounds = 0;  // to the gap
  return settings;
}

}  // namespace shapeboost::examples
