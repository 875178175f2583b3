// SPDX-License-Identifier: MIT
// JSON as we write it: fields in our order, indented for people, lists of numbers on one line.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace shapeboost::detail {

using Json = nlohmann::ordered_json;

/// Without a blank; bytes that are not UTF-8 become U+FFFD, numbers that are not finite null.
[[nodiscard]] std::string compact(const Json& value);

/// Indented by two; a list or an object that holds neither lists nor objects stands on one line. Ends with
/// a line feed. Numbers are the shortest that read back the same.
[[nodiscard]] std::string pretty(const Json& value);

/// The same behind `out`, for a part of a text whose lines begin with so many blanks; without a line feed at the end.
void append_pretty(std::string& out, const Json& value, std::size_t indent);

/// What pretty() wrote, or a part that does not begin or end inside a string, as compact() writes it.
[[nodiscard]] std::string without_blanks(std::string_view pretty);

/// The value of a text in JSON as Json::parse() gives it, in a third of the time: that copies every number and asks strtod() for it.
/// None where the text is no JSON, or such as this does not take; Json::parse() tells which and where.
[[nodiscard]] std::optional<Json> parse_json(std::string_view text);

/// FNV-1a, 64 bits, of texts that follow each other.
class Fnv1a {
 public:
  void add(std::string_view text);
  /// Sixteen hexadecimal ones.
  [[nodiscard]] std::string digits() const;

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

/// Of a text and what follows it.
[[nodiscard]] std::string fnv1a(std::string_view text, std::string_view end = {});

}  // namespace shapeboost::detail
