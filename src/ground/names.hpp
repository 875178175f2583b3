// SPDX-License-Identifier: MIT
// The names of an enum's values, from which to_string() and parse() come.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "ground/text.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost {

/// One pair for each value, in the order in which messages list them.
template <typename Choice, std::size_t N>
using Names = std::array<std::pair<Choice, std::string_view>, N>;

template <typename Choice, std::size_t N>
[[nodiscard]] std::string_view name_of(const Names<Choice, N>& names, Choice choice) {
  for (const auto& [value, name] : names) {
    if (value == choice) return name;
  }
  return "unknown";
}

/// "a, b or c".
template <typename Choice, std::size_t N>
[[nodiscard]] std::string list_of(const Names<Choice, N>& names) {
  std::string text;
  for (std::size_t k = 0; k < N; ++k) {
    text.append(k == 0 ? "" : k + 1 == N ? " or " : ", ").append(names[k].second);
  }
  return text;
}

/// Throws InvalidInput: "WHAT: expected a, b or c, found 'd'".
template <typename Choice, std::size_t N>
[[nodiscard]] Choice choice_of(const Names<Choice, N>& names, const std::string& what,
                               std::string_view text) {
  for (const auto& [value, name] : names) {
    if (name == text) return value;
  }
  throw InvalidInput(what + ": expected " + list_of(names) + ", found " + detail::quote(text));
}

}  // namespace shapeboost
