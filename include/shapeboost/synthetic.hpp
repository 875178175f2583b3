// SPDX-License-Identifier: MIT
// Data with known answers: patterns planted in noise. Used by the demo, the tests and the benchmarks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shapeboost/dataset.hpp"

namespace shapeboost {

/// A pattern planted in some of the examples.
struct Planted {
  std::string name;                     ///< "bump", "sine burst", ...
  std::string label;                    ///< the class whose examples carry it
  std::vector<double> values;           ///< the shape (series) or the concept's centre (bags)
  std::vector<std::int64_t> positions;  ///< where it begins in each example, -1 where absent (series);
                                        ///< the instance that carries it, -1 where none does (bags)
};

struct SyntheticData {
  Dataset data;
  std::vector<Planted> planted;
};

struct SyntheticSettings {
  std::int64_t examples = 60;
  std::int64_t length = 150;  ///< of a series; mean number of instances of a bag
  std::int64_t features = 8;  ///< of a bag's instances
  double noise = 0.2;         ///< standard deviation beside patterns of height about 1
  std::uint64_t seed = 1;
};

/// Series of smooth noise with one slow wave each. Class "gesture" carries a bump (two-humped) at a random
/// place, class "rest" a short sine burst at a random place: each class has a pattern of its own, a fifth of
/// the series long, and nothing else tells them apart. Half of the examples each, in random order. Throws
/// InvalidInput where a setting makes no sense (length below 20, fewer than 2 examples, ...).
[[nodiscard]] SyntheticData planted_series(const SyntheticSettings& settings = {});

/// Bags of standard normal vectors, half as many to half as many again as `length`. Each bag of class
/// "active" holds one instance near a fixed concept, which is the same for every seed; class "inactive" has
/// none. Half of the bags each, in random order.
[[nodiscard]] SyntheticData planted_bags(const SyntheticSettings& settings = {});

}  // namespace shapeboost
