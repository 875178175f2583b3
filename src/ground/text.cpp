// SPDX-License-Identifier: MIT
#include "ground/text.hpp"

#include <algorithm>
#include <array>

#include "ground/numbers.hpp"

namespace shapeboost::detail {
namespace {
constexpr std::string_view kBlanks = " \t\r\n\v\f";

// A number std::from_chars found out of range is either huge or so small that it is zero.
bool is_tiny(std::string_view text) {
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) return text.substr(exponent + 1).starts_with('-');
  return text.starts_with("0.") || text.starts_with("-0.") || text.starts_with('.') || text.starts_with("-.");
}
}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view unquote(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = trim(text.substr(1, text.size() - 2));
  return text;
}

std::string lower(std::string_view text) {
  std::string result(text);
  // ASCII only, on purpose: std::tolower asks the locale.
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string quote(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string result = "'";
  std::size_t shown = std::min(text.size(), kLongest);
  // Never cut a UTF-8 character in two.
  while (shown < text.size() && shown > 0 && (static_cast<unsigned char>(text[shown]) & 0xC0U) == 0x80U)
    --shown;
  for (const char c : text.substr(0, shown)) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte < 0x20U || byte == 0x7FU ? '.' : c;
  }
  return result + (shown < text.size() ? "...'" : "'");
}

void append_number(std::string& out, double value) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  out.append(buffer.data(), error == std::errc{} ? end : buffer.data());
}

std::string number(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

std::string too_little_memory(std::int64_t needed, std::int64_t found) {
  constexpr std::int64_t kMega = 1 << 20;
  return concat("memory: this data needs at least ", needed / kMega + 1, "M, found ",
                (found < kMega ? std::to_string(found) + " bytes" : number(real(found) / real(kMega)) + 'M'));
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

NumberFault parse_odd_number(std::string_view text, double& value) {
  if (text.starts_with('+') && !text.starts_with("+-") && !text.starts_with("++")) {
    return parse_number(text.substr(1), value);
  }
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return NumberFault::not_a_number;
  if (error == std::errc::result_out_of_range && !is_tiny(text)) return NumberFault::too_large;
  value = 0.0;
  return NumberFault::none;
}

}  // namespace shapeboost::detail
