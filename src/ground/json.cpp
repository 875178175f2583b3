// SPDX-License-Identifier: MIT
#include "ground/json.hpp"

#include <algorithm>
#include <cstdint>

namespace shapeboost::detail {
namespace {

bool is_flat(const Json& value) {
  return std::ranges::none_of(value, [](const Json& part) { return part.is_structured(); });
}

void append(std::string& out, const Json& value, std::size_t indent) {
  if (!value.is_structured() || value.empty()) {
    out += compact(value);
    return;
  }
  constexpr std::size_t kLong = 16;  // a list that nobody reads number by number: no spaces
  const bool flat = is_flat(value);
  const bool spaced = flat && (value.is_object() || value.size() < kLong);
  const auto new_line = [&](std::size_t columns) {
    out += '\n';
    out.append(columns, ' ');
  };
  out += value.is_array() ? '[' : '{';
  bool first = true;
  for (auto part = value.begin(); part != value.end(); ++part) {
    if (!first) out += spaced ? ", " : ",";
    first = false;
    if (!flat) new_line(indent + 2);
    if (value.is_object()) out += compact(part.key()) + ": ";
    append(out, *part, indent + 2);
  }
  if (!flat) new_line(indent);
  out += value.is_array() ? ']' : '}';
}

}  // namespace

std::string compact(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string pretty(const Json& value) {
  std::string out;
  append(out, value, 0);
  return out += '\n';
}

std::string fnv1a(std::string_view text, std::string_view end) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::string_view part : {text, end}) {
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  std::string digits(16, '0');
  for (std::size_t k = digits.size(); k > 0; --k, hash >>= 4U) digits[k - 1] = "0123456789abcdef"[hash & 15U];
  return digits;
}

}  // namespace shapeboost::detail
