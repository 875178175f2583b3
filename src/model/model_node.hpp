// SPDX-License-Identifier: MIT
// A value in a model file and the way that leads to it: what is read is checked, and a fault is told by its place.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "ground/json.hpp"
#include "ground/text.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/dataset.hpp"

namespace shapeboost::detail {

inline constexpr std::int64_t kAnySize = std::numeric_limits<std::int64_t>::max();

/// Numbers of a model are at most this large, so that sums and differences of them are numbers too.
inline constexpr double kLargestNumber = 1e250;

inline std::string count(std::int64_t n, const std::string& what) {
  return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

inline std::string found(const Json& value) {
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  if (value.is_object()) return "an object";
  return value.is_string() ? quote(value.get<std::string>()) : compact(value);
}

/// A value in the file and the way that leads to it: "M.json: hypotheses[3].w: expected ..., found ...".
class Node {
 public:
  Node(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  [[nodiscard]] bool is_null() const { return value_->is_null(); }

  [[noreturn]] void fail(const std::string& sentence) const { throw InvalidInput(path_ + ": " + sentence); }
  [[noreturn]] void fail_expected(const std::string& expected) const {
    fail("expected " + expected + ", found " + found(*value_));
  }

  [[nodiscard]] Node operator[](const char* name) const {
    if (!value_->is_object()) fail_expected("an object");
    const auto member = value_->find(name);
    // The file's own fields follow a colon and a blank, deeper ones a dot.
    const std::string path = path_ + (top_ ? ": " : ".") + name;
    if (member == value_->end()) throw InvalidInput(path + ": the field is missing");
    return {*member, path, false};
  }
  [[nodiscard]] std::vector<Node> list(const char* what, std::int64_t least = 0) const {
    if (!value_->is_array()) fail_expected(std::string("a list of ") + what);
    if (static_cast<std::int64_t>(value_->size()) < least)
      fail("expected at least one of the " + std::string(what));
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < value_->size(); ++i) {
      nodes.push_back({(*value_)[i], path_ + '[' + std::to_string(i) + ']', false});
    }
    return nodes;
  }
  [[nodiscard]] std::vector<Node> pair(const char* what) const {
    if (!value_->is_array() || value_->size() != 2) fail_expected(what);
    return list(what);
  }
  [[nodiscard]] bool has(const char* name) const { return value_->is_object() && value_->contains(name); }
  [[nodiscard]] bool is_number() const { return value_->is_number(); }
  [[nodiscard]] bool is_list() const { return value_->is_array(); }
  [[nodiscard]] bool is_text() const { return value_->is_string(); }
  [[nodiscard]] bool boolean() const {
    if (!value_->is_boolean()) fail_expected("true or false");
    return value_->get<bool>();
  }
  [[nodiscard]] std::string text() const {
    if (!value_->is_string()) fail_expected("text");
    return value_->get<std::string>();
  }
  /// Codes of symbols, as text or as numbers.
  [[nodiscard]] std::vector<double> symbols(std::int64_t size) const {
    if (!value_->is_string()) {
      const std::vector<double> codes = numbers(size);
      for (const double code : codes) {
        if (!(code >= 0.0 && code <= 255.0 && code == std::floor(code))) {
          fail("expected codes of symbols, 0 to 255, found " + detail::number(code));
        }
      }
      return codes;
    }
    const std::string written = text();
    if (static_cast<std::int64_t>(written.size()) != size) {
      fail("expected " + count(size, "symbol") + ", found " + std::to_string(written.size()));
    }
    return sequence_values(written);
  }
  [[nodiscard]] double number() const {
    if (!value_->is_number()) fail_expected("a number");
    const double value = value_->get<double>();
    if (!(std::abs(value) <= kLargestNumber)) {
      fail_expected("a number up to " + detail::number(kLargestNumber) + " in size");
    }
    return value;
  }
  [[nodiscard]] double number_above_0() const {
    if (!value_->is_number() || !(number() > 0.0)) fail_expected("a number above 0");
    return number();
  }
  [[nodiscard]] std::int64_t whole(std::int64_t low, std::int64_t high = kAnySize) const {
    const bool fits = value_->is_number_integer() &&
                      !(value_->is_number_unsigned() &&
                        value_->get<std::uint64_t>() > static_cast<std::uint64_t>(kAnySize)) &&
                      value_->get<std::int64_t>() >= low && value_->get<std::int64_t>() <= high;
    if (!fits) {
      fail_expected("a whole number " + (high == kAnySize
                                             ? "of at least " + std::to_string(low)
                                             : std::to_string(low) + " to " + std::to_string(high)));
    }
    return value_->get<std::int64_t>();
  }
  [[nodiscard]] std::uint64_t unsigned_whole() const {
    if (!value_->is_number_unsigned()) fail_expected("a whole number of at least 0");
    return value_->get<std::uint64_t>();
  }
  [[nodiscard]] std::vector<double> numbers(std::int64_t size) const {
    if (!value_->is_array()) fail_expected("a list of " + count(size, "number"));
    if (static_cast<std::int64_t>(value_->size()) != size) {
      fail("expected " + count(size, "number") + ", found " + std::to_string(value_->size()));
    }
    std::vector<double> values;
    values.reserve(value_->size());
    for (std::size_t i = 0; i < value_->size(); ++i) {
      const Json& entry = (*value_)[i];
      if (!entry.is_number()) {
        fail("expected " + count(size, "number") + ", found " + found(entry) + " at " + std::to_string(i));
      }
      values.push_back(entry.get<double>());
      if (!(std::abs(values.back()) <= kLargestNumber)) {
        fail("expected numbers up to " + detail::number(kLargestNumber) + " in size, found " + found(entry) +
             " at " + std::to_string(i));
      }
    }
    return values;
  }
  /// The value that one of to_string's words stands for.
  template <typename Choice>
  [[nodiscard]] Choice word() const {
    try {
      return shapeboost::parse<Choice>(text());
    } catch (const InvalidInput& fault) {
      // "kernel: expected ..., found ...": the path says better where.
      const std::string sentence = fault.what();
      const std::size_t expected = sentence.find("expected");
      if (expected == std::string::npos || sentence.starts_with(path_)) throw;
      fail(sentence.substr(expected));
    }
  }

 private:
  Node(const Json& value, std::string path, bool top) : value_(&value), path_(std::move(path)), top_(top) {}

  const Json* value_;
  std::string path_;
  bool top_ = true;
};

}  // namespace shapeboost::detail
