// SPDX-License-Identifier: MIT
// JSON as we write it: fields in our order, indented for people, lists of numbers on one line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace shapeboost::detail {

using Json = nlohmann::ordered_json;

/// Without a blank; bytes that are not UTF-8 become U+FFFD, numbers that are not finite null.
[[nodiscard]] std::string compact(const Json& value);

/// Indented by two; a list or an object that holds neither lists nor objects stands on one line. Ends with
/// a line feed. Numbers are the shortest that read back the same.
[[nodiscard]] std::string pretty(const Json& value);

/// FNV-1a, 64 bits, as sixteen hexadecimal digits.
[[nodiscard]] std::string fnv1a(std::string_view text);

}  // namespace shapeboost::detail
