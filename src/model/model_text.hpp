// SPDX-License-Identifier: MIT
// What writing and reading a model agree on.
#pragma once

#include <string_view>

namespace shapeboost::detail {

inline constexpr std::string_view kModelFormat = "shapeboost model";
/// Written; older ones are read. 2: no heads.
inline constexpr int kModelVersion = 3;
inline constexpr int kOldestModelVersion = 2;
/// A bag that is a pattern in several views is written once; at most so many others may name it, so that a small file
/// cannot stand for much memory.
inline constexpr int kMostNamed = 15;

}  // namespace shapeboost::detail
