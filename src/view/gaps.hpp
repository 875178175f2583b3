// SPDX-License-Identifier: MIT
// Missing values of a series, which are NaN.
#pragma once

#include <span>

namespace shapeboost::detail {

/// A straight line between the values around each gap; those at either end stay.
void fill_gaps(std::span<double> x);

/// The nearest value before the first and beyond the last.
void fill_ends(std::span<double> x);

}  // namespace shapeboost::detail
