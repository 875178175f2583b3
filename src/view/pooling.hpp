// SPDX-License-Identifier: MIT
// How a bag pools the scores of its instances into one number: the paper's maximum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace shapeboost {

/// The largest score and the instance that attains it. A bag without instances says nothing: 0, and -1.
struct Pooled {
  double value = 0.0;
  std::int64_t argmax = -1;
};

/// Of the scores of instances number `first`, `first` + 1, ...; the lowest number among equals.
[[nodiscard]] inline Pooled pooled(std::span<const double> scores, std::int64_t first) {
  if (scores.empty()) return {};
  const auto largest = std::ranges::max_element(scores);
  return {*largest, first + (largest - scores.begin())};
}

}  // namespace shapeboost
