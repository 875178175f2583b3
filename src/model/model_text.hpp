// SPDX-License-Identifier: MIT
// What writing and reading a model agree on.
#pragma once

#include <string_view>

namespace shapeboost::detail {

inline constexpr std::string_view kModelFormat = "shapeboost model";
inline constexpr int kModelVersion = 2;

}  // namespace shapeboost::detail
