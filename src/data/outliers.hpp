// SPDX-License-Identifier: MIT
// Numbers that cannot be meant: a sensor's 3.4e38 for "no value".
#pragma once

#include <string>

#include "ground/parallel.hpp"
#include "shapeboost/dataset.hpp"

namespace shapeboost::detail {

/// A sentence about the first example that holds a number more than a million times as far from the median of its channel or
/// feature as half of the numbers are, and how many others do; empty where none does, or where data are sparse.
[[nodiscard]] std::string outlier_note(const Dataset& data, ThreadPool& threads);

}  // namespace shapeboost::detail
