// SPDX-License-Identifier: MIT
// Lloyd's algorithm with k-means++ seeding. Points are asked for by index, so that windows of a series
// need not be copied out of it.
#pragma once

#include <cstdint>
#include <functional>

#include "ground/matrix.hpp"
#include "ground/rng.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost {

struct KMeansSettings {
  int k = 100;
  int max_iterations = 100;
  double tolerance = 1e-6;  ///< stop when the inertia falls by less than this fraction
};

struct KMeansSolution {
  Matrix centres;        ///< min(k, points) x dimension
  double inertia = 0.0;  ///< sum of squared distances to the nearest centre
  int iterations = 0;
};

/// `point(i)` writes point i's `dimension` numbers to `out`. Seeds and ties are settled by `rng` and by
/// the lower index. A centre that loses all its points moves to the point farthest from its centre.
[[nodiscard]] KMeansSolution kmeans(std::int64_t points, std::int64_t dimension,
                                    const std::function<void(std::int64_t i, double* out)>& point,
                                    const KMeansSettings& settings, Rng& rng);

}  // namespace shapeboost
