// SPDX-License-Identifier: MIT
// Random numbers that are the same on every machine.
#pragma once

#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include "ground/numbers.hpp"

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

  /// Equal ones give the same numbers from here on.
  auto operator<=>(const Rng&) const = default;  // NOLINT(modernize-use-nullptr): of what it expands to

 private:
  std::uint64_t state_[4];
};

/// Any order is as likely as any other (Fisher and Yates).
template <typename Value>
void shuffle(std::vector<Value>& list, Rng& rng) {
  for (auto i = static_cast<std::int64_t>(list.size()) - 1; i > 0; --i) {
    std::swap(list[at(i)], list[at(rng.below(i + 1))]);
  }
}

}  // namespace shapeboost
