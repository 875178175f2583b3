// SPDX-License-Identifier: MIT
// Data and choices that the tests of selection share.
#pragma once

#include <string>
#include <vector>

#include "ground/rng.hpp"
#include "shapeboost/selection.hpp"
#include "support/matrices.hpp"
#include "support/planted.hpp"

namespace shapeboost::examples {

inline Dataset noisy_series() { return small_series(5, 20, 0.8, 40); }

/// Labels a, b and c, unevenly; c has the fewest.
inline Dataset three_classes() {
  Rng rng(3);
  Dataset data(DataKind::series);
  for (int i = 0; i < 23; ++i) {
    const int label = i % 5 == 4 ? 2 : i % 2;
    Matrix series(1, 30);
    for (double& value : series.reshaped()) value = 0.5 * rng.normal();
    series.row(0).segment(3 * label, 8).array() += 1.0 + label;
    add(data, series, std::string(1, static_cast<char>('a' + label)), std::to_string(i));
  }
  return data;
}

inline TrainSettings committee() {
  TrainSettings settings;
  settings.members = 3;
  settings.head = HeadKind::average;
  settings.candidates = Candidates::parse("sample:60");
  return settings;
}

/// Settings that share tables, extremes, medians, or nothing with each other.
inline std::vector<Choice> choices_from(const TrainSettings& base) {
  std::vector<Choice> choices;
  const auto add = [&](const std::string& name, const auto& change) {
    choices.push_back({name, base});
    change(choices.back().settings);
  };
  for (const double scale : {0.7, 3.0}) {
    for (const double nu : {0.1, 0.3}) {
      add("scale " + std::to_string(scale) + " nu " + std::to_string(nu), [&](TrainSettings& s) {
        s.sigma_scales = {scale};
        s.boosting.nu = nu;
      });
    }
  }
  add("ball", [](TrainSettings& s) { s.boosting.weak = Weak::ball; });
  add("unstandardised", [](TrainSettings& s) { s.standardise = false; });
  add("sigma", [](TrainSettings& s) { s.kernel.sigma = 0.05; });
  return choices;
}

inline SelectionSettings quick(int threads = 1) {
  SelectionSettings settings;
  settings.folds = 3;
  settings.repeats = 2;
  settings.threads = threads;
  return settings;
}

}  // namespace shapeboost::examples
