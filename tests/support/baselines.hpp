// SPDX-License-Identifier: MIT
// Settings and bags that the tests of the baselines share.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/matrices.hpp"

namespace shapeboost::examples {

inline TrainSettings settings_for(Method method, double C = 1.0, KernelKind kernel = KernelKind::gaussian) {
  TrainSettings settings;
  settings.method = method;
  settings.baseline.C = C;
  settings.kernel.kind = kernel;
  settings.threads = 1;
  return settings;
}

inline Dataset noisy_bags(std::uint64_t seed, std::int64_t examples = 24) {
  SyntheticSettings settings;
  settings.examples = examples;
  settings.length = 5;
  settings.features = 3;
  settings.noise = 0.5;
  settings.seed = seed;
  return planted_bags(settings).data;
}

inline Dataset bags_of_numbers(const std::vector<std::pair<std::string, std::vector<double>>>& bags) {
  Dataset data(DataKind::bags);
  for (const auto& [label, values] : bags) {
    add(data, Eigen::Map<const Matrix>(values.data(), static_cast<Eigen::Index>(values.size()), 1), label,
        std::to_string(data.size()));
  }
  return data;
}

}  // namespace shapeboost::examples
