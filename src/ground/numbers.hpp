// SPDX-License-Identifier: MIT
// Indices, limits, order. Our indices are signed, those of the standard library are not.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace shapeboost {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A signed index as the standard containers want it.
[[nodiscard]] constexpr std::size_t at(std::integral auto i) { return static_cast<std::size_t>(i); }

/// Places of the numbers, the largest in size first, equals in their order.
[[nodiscard]] inline std::vector<std::int64_t> by_size(std::span<const double> values) {
  std::vector<std::int64_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](std::int64_t k) { return std::abs(values[at(k)]); });
  return order;
}

}  // namespace shapeboost
