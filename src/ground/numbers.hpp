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

/// A count as a number to compute with.
[[nodiscard]] constexpr double real(std::integral auto n) { return static_cast<double>(n); }

}  // namespace shapeboost
