// SPDX-License-Identifier: MIT
#include "ground/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace shapeboost::detail {
namespace {

bool is_flat(const Json& value) {
  if (value.is_object())
    return std::ranges::none_of(value, [](const Json& part) { return part.is_structured(); });
  const auto& list = value.get_ref<const Json::array_t&>();
  return std::ranges::none_of(list, [](const Json& part) { return part.is_structured(); });
}

// dump() is slow to begin, and asks localeconv(), which writes to one place in memory whoever asks: threads that write JSON side by
// side wait for each other. So it writes what is rare.

void append_quoted(std::string& out, const std::string& text) {
  const auto plain = [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; };
  if (std::ranges::all_of(text, plain)) {
    out += '"';
    out += text;
    out += '"';
  } else {
    out += compact(text);
  }
}

void append_leaf(std::string& out, const Json& value) {
  std::array<char, 64> digits{};
  char* const first = digits.data();
  char* const last = first + digits.size();
  const auto append = [&](const char* end) { out.append(first, static_cast<std::size_t>(end - first)); };
  switch (value.type()) {
    case Json::value_t::number_float:
      if (std::isfinite(value.get<double>())) {
        append(nlohmann::detail::to_chars(first, last, value.get<double>()));
      } else {
        out += "null";
      }
      break;
    case Json::value_t::number_integer:
      append(std::to_chars(first, last, value.get<std::int64_t>()).ptr);
      break;
    case Json::value_t::number_unsigned:
      append(std::to_chars(first, last, value.get<std::uint64_t>()).ptr);
      break;
    case Json::value_t::string: append_quoted(out, value.get_ref<const std::string&>()); break;
    case Json::value_t::boolean: out += value.get<bool>() ? "true" : "false"; break;
    case Json::value_t::null: out += "null"; break;
    default:  // an empty list or object
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
  bool first = true;
  const auto begin_part = [&] {
    if (!first) out += spaced ? ", " : ",";
    first = false;
    if (!flat) new_line(indent + 2);
  };
  out += value.is_array() ? '[' : '{';
  if (value.is_array()) {
    for (const Json& part : value.get_ref<const Json::array_t&>()) {
      begin_part();
      append_pretty(out, part, indent + 2);
    }
  } else {
    for (const auto& [key, part] : value.get_ref<const Json::object_t&>()) {
      begin_part();
      append_quoted(out, key);
      out += ": ";
      append_pretty(out, part, indent + 2);
    }
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
