// SPDX-License-Identifier: MIT
#include "ground/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace shapeboost::detail {
namespace {

bool is_flat(const Json& value) {
  return std::ranges::none_of(value, [](const Json& part) { return part.is_structured(); });
}

/// Numbers are most of a model, and dump() is slow to begin.
void append_leaf(std::string& out, const Json& value) {
  std::array<char, 64> digits{};
  if (value.is_number_float() && std::isfinite(value.get<double>())) {
    const char* const end =
        nlohmann::detail::to_chars(digits.data(), digits.data() + digits.size(), value.get<double>());
    out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
  } else if (value.is_number_integer() && !value.is_number_unsigned()) {
    const auto written =
        std::to_chars(digits.data(), digits.data() + digits.size(), value.get<std::int64_t>());
    out.append(digits.data(), static_cast<std::size_t>(written.ptr - digits.data()));
  } else {
    out += compact(value);
  }
}

}  // namespace

void append_pretty(std::string& out, const Json& value, std::size_t indent) {
  if (!value.is_structured() || value.empty()) {
    append_leaf(out, value);
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
    append_pretty(out, *part, indent + 2);
  }
  if (!flat) new_line(indent);
  out += value.is_array() ? ']' : '}';
}

std::string compact(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string pretty(const Json& value) {
  std::string out;
  append_pretty(out, value, 0);
  return out += '\n';
}

std::string without_blanks(std::string_view pretty) {
  std::string out;
  out.reserve(pretty.size());
  bool quoted = false;
  for (std::size_t k = 0; k < pretty.size(); ++k) {
    const char c = pretty[k];
    if (!quoted && (c == ' ' || c == '\n')) continue;
    out += c;
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\') out += pretty[++k];
  }
  return out;
}

std::string fnv1a(std::string_view text, std::string_view end) {
  Fnv1a hash;
  hash.add(text);
  hash.add(end);
  return hash.digits();
}

void Fnv1a::add(std::string_view text) {
  std::uint64_t hash = hash_;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  hash_ = hash;
}

std::string Fnv1a::digits() const {
  std::uint64_t hash = hash_;
  std::string digits(16, '0');
  for (std::size_t k = digits.size(); k > 0; --k, hash >>= 4U) digits[k - 1] = "0123456789abcdef"[hash & 15U];
  return digits;
}

}  // namespace shapeboost::detail
