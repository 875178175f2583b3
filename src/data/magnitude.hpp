// SPDX-License-Identifier: MIT
// How large and how small the numbers of data may be: so that squares, their sums and what is divided by them
// are numbers too, whatever the kernel.
#pragma once

#include <cstdint>
#include <string>

#include "shapeboost/dataset.hpp"

namespace shapeboost::detail {

inline constexpr double kLargestValue = 1e100;
inline constexpr double kSmallestScale =
    1e-100;  // of the largest number in the training data, unless it is 0

/// Features or channels that data and models have at most: a view that sees a few of them looks each up.
inline constexpr std::int64_t kWidest = std::int64_t{1} << 24;

/// "example 3: expected numbers up to 1e+100 in size, found 1e+154"; empty where no number is larger.
[[nodiscard]] std::string too_large(const Dataset& data);

/// "expected numbers of at least 1e-100 in size, found none above 1e-160"; empty where some are, or all are 0.
[[nodiscard]] std::string too_small(const Dataset& data);

}  // namespace shapeboost::detail
