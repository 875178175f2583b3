// SPDX-License-Identifier: MIT
// Random numbers that are the same on every machine.
#pragma once

#include <compare>
#include <cstdint>
#include <utility>

namespace shapeboost {

/// xoshiro256** seeded by splitmix64. The standard library's distributions differ between
/// implementations; ours do not: a seed means the same numbers everywhere.
class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  [[nodiscard]] std::uint64_t next();
  /// Uniform in [0, 1).
  [[nodiscard]] double uniform();
  /// Uniform in {0, ..., n-1}; n > 0.
  [[nodiscard]] std::int64_t below(std::int64_t n);
  /// Standard normal (Box-Muller).
  [[nodiscard]] double normal();
  /// Any order of a list's elements is as likely as another (Fisher-Yates).
  void shuffle(auto& list) {
    for (auto n = static_cast<std::int64_t>(list.size()); n > 1; --n) {
      std::swap(list[static_cast<std::size_t>(n - 1)], list[static_cast<std::size_t>(below(n))]);
    }
  }

  /// Equal ones give the same numbers from here on.
  auto operator<=>(const Rng&) const = default;  // NOLINT(modernize-use-nullptr): of what it expands to

 private:
  std::uint64_t state_[4];
};

/// The seed of the k-th of several generators that are given one seed between them: the first has that itself, the others
/// hashes of both, so that runs with different seeds have no generator in common.
[[nodiscard]] inline std::uint64_t stream_seed(std::uint64_t seed, std::uint64_t k) {
  return k == 0 ? seed : Rng(Rng(seed).next() + k).next();
}

}  // namespace shapeboost
