// SPDX-License-Identifier: MIT
// What writing and reading a model agree on.
#pragma once

#include <string_view>

namespace shapeboost::detail {

inline constexpr std::string_view kModelFormat = "shapeboost model";
/// Written; older ones are read. 2: no heads. 3: every pattern with its instances, none stored for all.
inline constexpr int kModelVersion = 4;
inline constexpr int kOldestModelVersion = 2;
inline constexpr int kFirstVersionWithHeads = 3;
/// In version 3 a bag that is a pattern in several views was written once; at most so many others may name it, so that a
/// small file cannot stand for much memory.
inline constexpr int kMostNamed = 15;

}  // namespace shapeboost::detail
