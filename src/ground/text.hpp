// SPDX-License-Identifier: MIT
// Numbers and words as text, the same in every locale.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace shapeboost {

/// Words, signs and whole numbers one after the other: concat("line ", 3, ':'). Other numbers have no one spelling.
template <typename... Parts>
[[nodiscard]] std::string concat(const Parts&... parts) {
  std::string text;
  const auto add = [&text]<typename Part>(const Part& part) {
    if constexpr (std::is_convertible_v<const Part&, std::string_view> || std::same_as<Part, char>) {
      text += part;
    } else {
      static_assert(std::integral<Part>);
      text += std::to_string(part);
    }
  };
  (add(parts), ...);
  return text;
}

}  // namespace shapeboost

namespace shapeboost::detail {

/// Without blanks, tabs and carriage returns at either end.
[[nodiscard]] std::string_view trim(std::string_view text);

/// Trimmed and without the double quotes that spreadsheets put around words.
[[nodiscard]] std::string_view unquote(std::string_view text);

[[nodiscard]] std::string lower(std::string_view text);

/// For messages: in single quotes, control characters masked, long text cut.
[[nodiscard]] std::string quote(std::string_view text);

/// The shortest text that reads back as the same double.
void append_number(std::string& out, double value);
[[nodiscard]] std::string number(double value);

/// N of "sample:N", a whole number above 0, where the prefix is "sample:"; none where the text is no such thing.
template <typename Whole>
[[nodiscard]] std::optional<Whole> count_after(std::string_view prefix, std::string_view text) {
  if (!text.starts_with(prefix)) return std::nullopt;
  Whole count = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, count);
  if (error != std::errc() || stop != end || count < 1) return std::nullopt;
  return count;
}

/// "memory: this data needs at least 12M, found 5M".
[[nodiscard]] std::string too_little_memory(std::int64_t needed, std::int64_t found);

/// Quoted where RFC 4180 asks for it.
[[nodiscard]] std::string csv_field(const std::string& text);

enum class NumberFault { none, not_a_number, not_finite, too_large };

/// What std::from_chars gave up on: a plus sign, or a value beyond the range of doubles.
[[nodiscard]] NumberFault parse_odd_number(std::string_view text, double& value);

/// The whole of `text` (already trimmed) as a finite number.
[[nodiscard]] inline NumberFault parse_number(std::string_view text, double& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return parse_odd_number(text, value);
  return std::isfinite(value) ? NumberFault::none : NumberFault::not_finite;
}

}  // namespace shapeboost::detail
