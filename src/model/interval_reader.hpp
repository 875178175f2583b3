// SPDX-License-Identifier: MIT
// Level, spread and slope of the intervals of a series: a pure function of the series.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "shapeboost/array.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost::detail {

/// Parts of all depths up to this one, of one transform and channel.
[[nodiscard]] std::size_t interval_parts(int depth);

/// The first of n values that an interval covers, wholly or in part, and the one behind its last.
[[nodiscard]] std::array<std::int64_t, 2> interval_steps(const Interval& interval, std::int64_t n);

/// One number for each of the intervals. Gaps of the series are filled as views fill them; NaN where a channel has no value
/// that is known, or too few for the transform.
void read_intervals(const Intervals& intervals, const ArrayView& values, std::span<double> moments);

/// (moment - centre) / scale, kept within bounds; 0 where it is NaN.
[[nodiscard]] double standardised(const Standard& standard, double moment);

}  // namespace shapeboost::detail
