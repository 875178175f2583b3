// SPDX-License-Identifier: MIT
// What a view takes from the training data.
#pragma once

#include <cstdint>
#include <memory>

#include "ground/rng.hpp"
#include "view/instances.hpp"

namespace shapeboost {

/// Median of distance(x, x') over pairs of instances: all pairs where there are few, else `pairs` random
/// ones. Where more than half of them coincide, their mean; where all do, 1.
[[nodiscard]] double median_distance(const Instances& instances, std::int64_t pairs, Rng& rng);

/// Settles what a view takes from the training data:
///   bags           centre and scale standardise each feature, where asked; ranks, logarithms and sizes;
///   joint windows  they standardise each channel, where asked;
///   series         centre is the mean where the similarity does not depend on it: inner products stay small;
///   inner products of numbers that are neither standardised nor z-normalised: scale is a power of two, so that
///                  the largest in size is 1 or above, below 2;
///   sigma          where it is 0, sigma_scale / median distance;
///   string kernels k, where it is 0, and the size of the alphabet.
/// The median is that of so many pairs.
inline constexpr std::int64_t kMedianPairs = 8192;
[[nodiscard]] View fit_view(View view, const Dataset& data, bool standardise, double sigma_scale, Rng& rng,
                            std::int64_t pairs = kMedianPairs);

/// The instances of the view as fit_view() leaves it, and `rng` too.
[[nodiscard]] std::unique_ptr<Instances> fit_instances(View view, const Dataset& data, bool standardise,
                                                       double sigma_scale, Rng& rng,
                                                       std::int64_t pairs = kMedianPairs);

/// fit_view in two steps, of which neither depends on sigma_scale: all but sigma, and the median distance
/// that sigma is measured against where wants_sigma(). sigma = sigma_scale / distance_unit().
[[nodiscard]] View fit_all_but_sigma(View view, const Dataset& data, bool standardise);
[[nodiscard]] bool wants_sigma(const View& view);
[[nodiscard]] double distance_unit(View view, const Dataset& data, Rng& rng,
                                   std::int64_t pairs = kMedianPairs);

}  // namespace shapeboost
