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
  std::string name;            ///< "bump", "sine burst", ...
  std::string label;           ///< the class whose examples carry it
  std::vector<double> values;  ///< the shape (series), the concept's centre (bags), the motif's codes
  std::vector<std::int64_t> positions;  ///< where it begins in each example, -1 where absent;
                                        ///< the instance that carries it, -1 where none does (bags)
};

struct SyntheticData {
  Dataset data;
  std::vector<Planted> planted;
};

struct SyntheticSettings {
  std::int64_t examples = 60;
  std::int64_t length = 150;   ///< of a series; mean number of instances of a bag
  std::int64_t features = 8;   ///< of a bag's instances
  double noise = 0.2;          ///< standard deviation beside patterns of height about 1
  std::int64_t mutations = 0;  ///< of a planted motif: symbols changed at random, up to half of them
  std::uint64_t seed = 1;
};

/// Series of smooth noise with one slow wave each. Class "gesture" carries a bump (two-humped) at a random
/// place, class "rest" a short sine burst at a random place: each class has a pattern of its own, a fifth of
/// the series long, and nothing else tells them apart. Half of the examples each, in random order. Throws
/// InvalidInput where a setting makes no sense (length below 20, fewer than 2 examples, ...).
[[nodiscard]] SyntheticData planted_series(const SyntheticSettings& settings = {});

/// Series of smooth noise with one pattern each at a random place, two fifths of the series long and warped:
/// some stretches of it are run through faster, some slower, anew in each series. Class "early" has three
/// narrow peaks up, down, up; class "late" down, up, down. Compared time step by time step, two series of one class are
/// hardly closer than two of different classes; their order of events tells them apart. Half of the examples
/// each, in random order. Planted::values is the pattern before it is warped. Throws InvalidInput as
/// planted_series does.
[[nodiscard]] SyntheticData warped_series(const SyntheticSettings& settings = {});

/// Bags of standard normal vectors, half as many to half as many again as `length`. Each bag of class
/// "active" holds one instance near a fixed concept, which is the same for every seed; class "inactive" has
/// none. Half of the bags each, in random order.
[[nodiscard]] SyntheticData planted_bags(const SyntheticSettings& settings = {});

/// Sequences of `length` random letters A, C, G, T. Class "site" carries a motif of ten letters, the same for
/// every seed, at a random place; class "none" carries the motif's letters in a random order, so that no
/// letter is more frequent in either. Half of the sequences each, in random order.
[[nodiscard]] SyntheticData planted_sequences(const SyntheticSettings& settings = {});

}  // namespace shapeboost
