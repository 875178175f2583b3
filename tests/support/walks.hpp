// SPDX-License-Identifier: MIT
// Random walks and views of their windows, for the tests of kernels that align time steps.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "ground/rng.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/trainer.hpp"
#include "shapeboost/view.hpp"
#include "support/matrices.hpp"

namespace shapeboost::examples {

/// Random walks of different lengths, the second with a gap, the third too short for most windows.
inline Dataset walks(std::int64_t channels, std::uint64_t seed, bool gaps = true) {
  Rng rng(seed);
  Dataset data(DataKind::series);
  for (std::int64_t i = 0; i < 5; ++i) {
    Matrix series(channels, i == 2 && gaps ? 6 : 24 + rng.below(8));
    for (Eigen::Index c = 0; c < channels; ++c) {
      double level = 0.0;
      for (Eigen::Index t = 0; t < series.cols(); ++t) {
        level = 0.8 * level + 0.5 * rng.normal();
        series(c, t) = 3.0 + level;
      }
    }
    if (i == 1 && gaps) series(channels - 1, 13) = std::numeric_limits<double>::quiet_NaN();
    add(data, series, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  return data;
}

/// Of a kernel that aligns time steps; others have none.
inline void set_band(Kernel& kernel, double band) {
  if (auto* dtw = kernel.as<kernels::Dtw>()) dtw->band = band;
  if (auto* gak = kernel.as<kernels::Gak>()) gak->band = band;
}

inline View window_view(const Dataset& data, KernelKind kind, Normalisation normalisation) {
  View view;
  view.width = data.width();
  view.length = 8;
  view.normalisation = normalisation;
  view.kernel = KernelSettings{.kind = kind, .sigma = 0.3, .band = 0.25}.kernel();
  view.centre.assign(static_cast<std::size_t>(view.rows()), 0.5);
  view.scale.assign(static_cast<std::size_t>(view.rows()), 1.5);
  return view;
}

}  // namespace shapeboost::examples
