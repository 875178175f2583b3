// SPDX-License-Identifier: MIT
// Small random data and views that several tests share.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ground/rng.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/trainer.hpp"
#include "shapeboost/view.hpp"
#include "support/matrices.hpp"
#include "view/fit_view.hpp"

namespace shapeboost::examples {

/// What `act` complained of.
inline std::string sentence(const std::function<void()>& act) {
  try {
    act();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// Random walks of different lengths around `offset`; labels "a" and "b" in turn.
inline Dataset random_series(std::int64_t examples, std::int64_t shortest, std::uint64_t seed,
                             double offset = 0.0, double step = 0.5) {
  Rng rng(seed);
  Dataset data(DataKind::series);
  for (std::int64_t i = 0; i < examples; ++i) {
    Matrix series(1, shortest + rng.below(6));
    double level = 0.0;
    for (double& value : series.reshaped()) {
      level = 0.8 * level + step * rng.normal();
      value = offset + level;
    }
    add(data, series, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  return data;
}

/// Bags of 1 to `largest` normal vectors; labels "a" and "b" in turn.
inline Dataset random_bags(std::int64_t examples, std::int64_t largest, std::int64_t features,
                           std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::bags);
  for (std::int64_t i = 0; i < examples; ++i) {
    Matrix bag(1 + rng.below(largest), features);
    for (double& value : bag.reshaped()) value = rng.normal();
    add(data, bag, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  return data;
}

/// One boosted model on a grid of views, on one thread.
inline TrainSettings single() {
  TrainSettings settings;
  settings.members = 1;
  settings.threads = 1;
  return settings;
}

inline std::vector<int> labels_of(const Dataset& data) {
  std::vector<int> labels;
  for (std::int64_t i = 0; i < data.size(); ++i) labels.push_back(data.label(i));
  return labels;
}

inline View plain_view(const Dataset& data, std::int64_t length,
                       Normalisation normalisation = Normalisation::raw,
                       KernelKind kernel = KernelKind::gaussian) {
  View view;
  view.kind = data.kind();
  view.width = data.width();
  view.length = length;
  view.normalisation = normalisation;
  view.kernel = KernelSettings{.kind = kernel, .sigma = 0.15, .c = 0.5, .p = 2}.kernel();
  view.centre.assign(static_cast<std::size_t>(view.rows()), 0.0);
  view.scale.assign(static_cast<std::size_t>(view.rows()), 1.0);
  return view;
}

/// Windows of a series of one channel, as a model has them.
inline View window_view(std::int64_t length, Normalisation normalisation, const Kernel& kernel,
                        double centre = 0.0, double scale = 1.0) {
  View view;
  view.length = length;
  view.normalisation = normalisation;
  view.kernel = kernel;
  view.centre = {centre};
  view.scale = {scale};
  return view;
}

/// All features of a bag's instances.
inline View bag_view(const Kernel& kernel, const std::vector<double>& centre,
                     const std::vector<double>& scale) {
  View view;
  view.kind = DataKind::bags;
  view.width = view.length = static_cast<std::int64_t>(centre.size());
  view.kernel = kernel;
  view.centre = centre;
  view.scale = scale;
  return view;
}

/// Every kernel with every normalisation on series, and every kernel on bags.
struct Case {
  std::string name;
  Dataset data;
  View view;
};

inline std::vector<Case> cases(std::uint64_t seed) {
  std::vector<Case> result;
  for (const KernelKind kernel : {KernelKind::gaussian, KernelKind::linear, KernelKind::polynomial}) {
    for (const Normalisation n : {Normalisation::raw, Normalisation::centred, Normalisation::z}) {
      Dataset data = random_series(7, 17, seed);
      const View view = plain_view(data, 6, n, kernel);
      result.push_back(
          {std::string(to_string(kernel)) + ", " + std::string(to_string(n)), std::move(data), view});
    }
    Dataset data = random_bags(7, 9, 4, seed);
    View view = plain_view(data, 4, Normalisation::raw, kernel);
    view.centre = {0.1, -0.2, 0.3, 0.0};
    view.scale = {1.0, 2.0, 0.5, 1.5};
    result.push_back({std::string(to_string(kernel)) + ", bags", std::move(data), view});
  }
  return result;
}

/// Weights that sum to 0 over the labels' signs: a zero, and both signs.
inline Vector random_dy(std::int64_t bags, std::uint64_t seed) {
  Rng rng(seed);
  Vector dy(bags);
  for (Eigen::Index i = 0; i < dy.size(); ++i) {
    const double d = rng.uniform() < 0.2 ? 0.0 : rng.uniform();
    dy[i] = i % 2 == 0 ? d : -d;
  }
  return dy / dy.cwiseAbs().sum();
}

inline std::string random_text(std::int64_t length, std::string_view letters, Rng& rng) {
  std::string text;
  for (std::int64_t t = 0; t < length; ++t) {
    text += letters[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(letters.size())))];
  }
  return text;
}

/// Random letters, of different lengths; labels "a" and "b" in turn.
inline Dataset random_sequences(std::int64_t examples, std::int64_t shortest, std::uint64_t seed,
                                std::string_view letters = "ABC") {
  Rng rng(seed);
  Dataset data(DataKind::sequences);
  for (std::int64_t i = 0; i < examples; ++i) {
    data.add(sequence_values(random_text(shortest + rng.below(7), letters, rng)), i % 2 == 0 ? "a" : "b",
             std::to_string(i));
  }
  return data;
}

/// Fitted to the data.
inline View string_view_of(const Dataset& data, KernelKind kind, int k, std::int64_t length) {
  View view;
  view.kind = DataKind::sequences;
  view.length = length;
  view.kernel = KernelSettings{.kind = kind, .k = k}.kernel();
  Rng rng(1);
  return fit_view(view, data, true, 1.0, rng);
}

}  // namespace shapeboost::examples
