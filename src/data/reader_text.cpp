// SPDX-License-Identifier: MIT
#include "data/reader_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "ground/text.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost::detail {
namespace {

// The endings that belong to one format alone.
constexpr std::array<std::pair<std::string_view, Format>, 10> kEndings = {{
    {".ts", Format::ts},
    {".arff", Format::arff},
    {".data", Format::c45},
    {".names", Format::c45},
    {".svm", Format::svmlight},
    {".svmlight", Format::svmlight},
    {".libsvm", Format::svmlight},
    {".tab", Format::tab},
    {".fasta", Format::fasta},
    {".fa", Format::fasta},
}};

}  // namespace

void fail(const Position& position, const std::string& message) {
  std::string where = position.source;
  if (position.line > 0) where += ", line " + std::to_string(position.line);
  if (position.column > 0) where += ", column " + std::to_string(position.column);
  throw InvalidInput(where + ": " + message);
}

void fail_number(const Position& position, std::string_view field) {
  double value = 0.0;
  if (field.empty()) fail(position, "expected a finite number, found an empty field");
  if (parse_number(field, value) == NumberFault::too_large) {
    fail(position, "the number " + quote(field) + " is out of range (at most 1.8e308)");
  }
  std::string message = "expected a finite number, found " + quote(field);
  std::string pointed(field);
  std::replace(pointed.begin(), pointed.end(), ',', '.');
  if (pointed != field && parse_number(pointed, value) == NumberFault::none) {
    message += "; write decimals with a point";
  }
  fail(position, message);
}

LineReader::LineReader(std::string_view text)
    : rest_(text), end_(text.find('\n') == std::string_view::npos ? '\r' : '\n') {}

bool LineReader::next(Line& line) {
  while (!rest_.empty()) {
    const std::size_t length = std::min(rest_.find(end_), rest_.size());
    line.text = rest_.substr(0, length);
    line.number = ++number_;
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    if (line.text.ends_with('\r')) line.text.remove_suffix(1);
    if (line.text.find_first_not_of(" \t\r") != std::string_view::npos) return true;
  }
  return false;
}

char find_separator(std::string_view line) {
  for (const char candidate : {'\t', ';', ','}) {
    if (line.find(candidate) != std::string_view::npos) return candidate;
  }
  return ' ';
}

FieldReader::FieldReader(std::string_view line, char separator)
    : rest_(separator == ' ' ? trim(line) : line), separator_(separator) {}

bool FieldReader::next(std::string_view& field) {
  if (!more_) return false;
  const std::size_t length = rest_.find(separator_);
  if (length == std::string_view::npos) {
    field = trim(rest_);
    more_ = false;
    return true;
  }
  field = trim(rest_.substr(0, length));
  rest_.remove_prefix(length + 1);
  if (separator_ == ' ') {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  return true;
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  FieldReader reader(line, separator);
  for (std::string_view field; reader.next(field);) fields.push_back(field);
  return fields;
}

bool looks_numeric(std::string_view field) {
  double value = 0.0;
  return field == "?" || parse_number(field, value) != NumberFault::not_a_number;
}

bool is_label_name(std::string_view field) {
  const std::string name = lower(unquote(field));
  return name == "label" || name == "class" || name == "target";
}

bool is_ucr_header(const std::vector<std::string_view>& fields) {
  if (fields.size() < 2 || looks_numeric(fields[0])) return false;
  const auto is_word = [](std::string_view field) {
    return !unquote(field).empty() && !looks_numeric(unquote(field));
  };
  if (std::all_of(fields.begin() + 1, fields.end(), is_word)) return true;
  if (!is_label_name(fields[0])) return false;
  // A count from 0 or 1: what data frames write where columns have no names.
  double first = 0.0;
  if (parse_number(unquote(fields[1]), first) != NumberFault::none || (first != 0.0 && first != 1.0))
    return false;
  for (std::size_t k = 2; k < fields.size(); ++k) {
    double value = 0.0;
    if (parse_number(unquote(fields[k]), value) != NumberFault::none) return false;
    if (value != first + static_cast<double>(k - 1)) return false;
  }
  return true;
}

bool is_mil_header(const std::vector<std::string_view>& fields) {
  if (fields.size() < 2) return false;
  const std::string first = lower(unquote(fields[0]));
  const std::string_view second = unquote(fields[1]);
  if (first.empty() || is_label_name(first) || looks_numeric(first) || second.empty() ||
      looks_numeric(second)) {
    return false;
  }
  if (fields.size() > 2 && first.starts_with("bag") && !is_label_name(second)) {
    // A bag called bag7 with a label in words is data, not a header.
    double value = 0.0;
    return parse_number(unquote(fields[2]), value) != NumberFault::none;
  }
  return first.starts_with("bag") || is_label_name(second);
}

double read_number(const Position& position, std::string_view field) {
  double value = 0.0;
  if (parse_number(field, value) != NumberFault::none) fail_number(position, field);
  return value;
}

bool is_missing(std::string_view field) {
  return field.empty() || field == "?" || (field.size() == 3 && lower(field) == "nan");
}

double read_value(const Position& position, std::string_view field) {
  double value = 0.0;
  if (parse_number(field, value) == NumberFault::none) return value;
  if (!is_missing(field)) fail_number(position, field);
  return std::numeric_limits<double>::quiet_NaN();
}

std::size_t unpadded_length(const std::vector<double>& values, std::size_t rows) {
  const std::size_t columns = values.size() / rows;
  std::size_t length = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t t = columns; t > length; --t) {
      if (!std::isnan(values[r * columns + t - 1])) length = t;
    }
  }
  return length;
}

std::string read_label(std::string_view field) {
  const std::string_view text = unquote(field);
  return text == "?" ? std::string() : canonical_label(text);
}

void check_label(const std::string& label, const std::vector<std::string>& classes,
                 const std::string& listed_at, const Position& position) {
  if (label.empty() || std::find(classes.begin(), classes.end(), label) != classes.end()) return;
  std::string known;
  for (const std::string& name : classes) {
    const std::string shown = quote(name);  // without control characters; its quotes would be too many
    known += (known.empty() ? "" : ", ") + shown.substr(1, shown.size() - 2);
  }
  fail(position, "the label " + quote(label) + " is not one of " + listed_at + ": " + known);
}

BagTable::Bag& BagTable::at(std::string_view id, const std::string& label, const Position& position) {
  const auto [entry, is_new] = index_.try_emplace(std::string(id), bags_.size());
  if (is_new) bags_.push_back({entry->first, label, position.line, {}});
  Bag& bag = bags_[entry->second];
  if (bag.label != label) {
    const auto show = [](const std::string& of) { return of.empty() ? "no label" : "label " + quote(of); };
    fail({position.source}, "bag " + quote(id) + " has " + show(bag.label) + " in line " +
                                std::to_string(bag.line) + " and " + show(label) + " in line " +
                                std::to_string(position.line));
  }
  return bag;
}

Dataset BagTable::to_dataset(std::size_t features, const std::string& source) const {
  Dataset data(DataKind::bags, source);
  const auto cols = static_cast<std::int64_t>(features);
  for (const Bag& bag : bags_) {
    const auto rows = static_cast<std::int64_t>(bag.values.size()) / cols;
    data.add(ArrayView(bag.values.data(), rows, cols), bag.label, bag.id);
  }
  return data;
}

std::string plain_name(const std::string& path) {
  std::string name = lower(path);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name;
}

Format format_by_ending(const std::string& path) {
  const std::string name = plain_name(path);
  for (const auto& [ending, format] : kEndings) {
    if (name.ends_with(ending)) return format;
  }
  return Format::automatic;
}

std::string known_endings() {
  std::string result;
  for (const auto& [ending, format] : kEndings) result += (result.empty() ? "" : ", ") + std::string(ending);
  return result;
}

}  // namespace shapeboost::detail
