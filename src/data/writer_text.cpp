// SPDX-License-Identifier: MIT
#include "data/writer_text.hpp"

#include <cmath>
#include <unordered_set>

#include "ground/matrix.hpp"
#include "ground/text.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost::detail {

void refuse(const std::string& path, const std::string& reason) {
  throw InvalidInput("cannot write " + path + ": " + reason);
}

std::string called(const Dataset& data, std::int64_t i) {
  const char* const noun = data.kind() == DataKind::bags     ? "bag "
                           : data.kind() == DataKind::series ? "series "
                                                             : "sequence ";
  return noun + quote(data.name(i));
}

void demand_kind(const Dataset& data, DataKind kind, std::string_view format, const std::string& path) {
  if (data.kind() == kind) return;
  refuse(path, "the " + std::string(format) + " format is for " + std::string(to_string(kind)) +
                   ", the data are " + std::string(to_string(data.kind())));
}

bool reads_back(std::string_view word, std::string_view signs) {
  return word == trim(word) && word.find_first_of(signs) == std::string_view::npos &&
         word.find_first_of("\n\r\"") == std::string_view::npos &&
         word.find('\0') == std::string_view::npos && word != "?" && word.find_first_of("@#%") != 0;
}

std::string label_of(const Dataset& data, std::int64_t i, std::string_view signs, const std::string& unknown,
                     const std::string& path) {
  if (data.label(i) == kUnlabelled) return unknown;
  const std::string& label = data.classes()[static_cast<std::size_t>(data.label(i))];
  if (!reads_back(label, signs))
    refuse(path, "the label " + quote(label) + " cannot be told from the format's own signs");
  return label;
}

std::string bag_name(const Dataset& data, std::int64_t i, std::string_view signs, const std::string& path) {
  const std::string& name = data.name(i);
  if (name.empty() || !reads_back(name, signs)) {
    refuse(path, "the bag name " + quote(name) + " is empty or cannot be told from the format's own signs");
  }
  return name;
}

void demand_distinct_names(const Dataset& data, const std::string& path) {
  std::unordered_set<std::string> names;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (!names.insert(data.name(i)).second) refuse(path, "two bags are called " + quote(data.name(i)));
  }
}

void append_value(std::string& out, const Dataset& data, std::int64_t i, std::int64_t row,
                  std::int64_t column, std::string_view missing, const std::string& path) {
  const double value = data.values(i)(row, column);
  if (std::isnan(value) && !missing.empty()) {
    out += missing;
    return;
  }
  if (!std::isfinite(value)) {
    refuse(path, called(data, i) + " has a value that is " + (std::isnan(value) ? "missing" : "not finite") +
                     ", row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1));
  }
  append_number(out, value);
}

void demand_no_open_end(const Dataset& data, std::string_view format, const std::string& path) {
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const MatrixView values = mapped(data.values(i));
    if (!values.rightCols(1).array().isNaN().all()) continue;
    refuse(path, called(data, i) + " ends with a missing value, which the " + std::string(format) +
                     " format takes for the end of the series; the ts format holds it");
  }
}

}  // namespace shapeboost::detail
