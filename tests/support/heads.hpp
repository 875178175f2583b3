// SPDX-License-Identifier: MIT
// Small models with a head, and their data.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "ground/rng.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"

namespace shapeboost::heads {

struct Headed {
  std::string name;
  Dataset data;
  Model model;
};

inline Model trained(const Dataset& data, std::int64_t patterns = 40, int members = 3) {
  TrainSettings settings;
  settings.members = members;
  settings.threads = 2;
  settings.head = HeadKind::ridge;
  settings.patterns = patterns;
  return train(data, settings).model;
}

/// Two classes, each with a pattern of its own.
inline Headed two_classes() {
  SyntheticSettings small;
  small.examples = 24;
  small.length = 60;
  Dataset data = planted_series(small).data;
  Model model = trained(data);
  return {"two classes", std::move(data), std::move(model)};
}

/// A hump that lies early, in the middle or late, on one of two channels; a gap here and there, and one series too
/// short for any window.
inline Headed three_classes() {
  Rng rng(5);
  Dataset data(DataKind::series, "places.ts");
  for (int i = 0; i < 30; ++i) {
    Matrix values(2, 50 + rng.below(5));
    const double middle = 10.0 + 15.0 * (i % 3);
    for (Eigen::Index t = 0; t < values.cols(); ++t) {
      const double away = (static_cast<double>(t) - middle) / 3.0;
      values(0, t) = 2.0 * std::exp(-away * away) + 0.2 * rng.normal();
      values(1, t) = rng.normal();
    }
    if (i % 5 == 0) values(1, rng.below(30)) = std::nan("");
    add(data, values, "class " + std::to_string(i % 3), "e" + std::to_string(i));
  }
  add(data, Matrix::Zero(2, 2), "class 0", "short");
  Model model = trained(data);
  return {"three classes", std::move(data), std::move(model)};
}

/// Smooth curves, each another, as of spectrographs; in one band of the first channel's values a class is a little higher than the
/// one before it. The second channel knows nothing.
inline Dataset bands(std::int64_t count, std::uint64_t seed, int classes = 2) {
  Rng rng(seed);
  Dataset data(DataKind::series, "bands");
  for (std::int64_t i = 0; i < count; ++i) {
    const auto c = static_cast<int>(i) % classes;
    Matrix values(2, 128);
    for (double& value : values.reshaped()) value = 0.1 * rng.normal();
    for (int wave = 1; wave <= 6; ++wave) {
      const double height = 0.3 * rng.normal();
      for (Eigen::Index t = 0; t < 128; ++t) {
        values(0, t) +=
            height * std::sin(wave * (2.0 * std::numbers::pi * static_cast<double>(t) / 128.0 + 1.0));
      }
    }
    for (Eigen::Index t = 64; t < 80; ++t) values(0, t) += 0.5 * c;
    add(data, values, std::string(1, static_cast<char>('a' + c)), std::to_string(i));
  }
  return data;
}

inline Headed sequences() {
  SyntheticSettings small;
  small.examples = 20;
  small.length = 40;
  Dataset data = planted_sequences(small).data;
  Model model = trained(data);
  return {"sequences", std::move(data), std::move(model)};
}

inline std::vector<Headed> all() { return {two_classes(), three_classes(), sequences()}; }

}  // namespace shapeboost::heads
