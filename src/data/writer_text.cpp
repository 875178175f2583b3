// SPDX-License-Identifier: MIT
#include "data/writer_text.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost::detail {

std::string called(const Dataset& data, std::int64_t i) {
  const char* const noun = data.kind() == DataKind::bags     ? "bag "
                           : data.kind() == DataKind::series ? "series "
                                                             : "sequence ";
  return noun + quote(data.name(i));
}

void demand_kind(const Dataset& data, DataKind kind, std::string_view format, const std::string& path) {
  if (data.kind() == kind) return;
  refuse(path, "the ", format, " format is for ", to_string(kind), ", the data are ", to_string(data.kind()));
}

bool reads_back(std::string_view word, std::string_view signs) {
  return word == trim(word) && word.find_first_of(signs) == std::string_view::npos &&
         word.find_first_of("\n\r\"") == std::string_view::npos &&
         word.find('\0') == std::string_view::npos && word != "?" && word.find_first_of("@#%") != 0;
}

std::string label_of(const Dataset& data, std::int64_t i, std::string_view signs, const std::string& unknown,
                     const std::string& path) {
  if (data.label(i) == kUnlabelled) return unknown;
  const std::string& label = data.classes()[at(data.label(i))];
  demand_reads_back(label, signs, path);
  return label;
}

void demand_reads_back(const std::string& label, std::string_view signs, const std::string& path) {
  if (reads_back(label, signs)) return;
  refuse(path, "the label ", quote(label), " cannot be told from the format's own signs");
}

std::string bag_name(const Dataset& data, std::int64_t i, std::string_view signs, const std::string& path) {
  const std::string& name = data.name(i);
  if (name.empty() || !reads_back(name, signs)) {
    refuse(path, "the bag name ", quote(name), " is empty or cannot be told from the format's own signs");
  }
  return name;
}

void demand_distinct_names(const Dataset& data, const std::string& path) {
  std::unordered_set<std::string> names;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (!names.insert(data.name(i)).second) refuse(path, "two bags are called ", quote(data.name(i)));
  }
}

void append_value(std::string& out, const Dataset& data, std::int64_t i, Eigen::Index row,
                  Eigen::Index column, std::string_view missing, const std::string& path) {
  const double value = data.values(i)(row, column);
  if (std::isnan(value) && !missing.empty()) {
    out += missing;
    return;
  }
  if (!std::isfinite(value)) {
    refuse(path, called(data, i), " has a value that is ", (std::isnan(value) ? "missing" : "not finite"),
           ", row ", row + 1, ", column ", column + 1);
  }
  append_number(out, value);
}

void append_row(std::string& out, const Dataset& data, std::int64_t i, std::int64_t row, char separator,
                std::string_view missing, const std::string& path, std::int64_t length) {
  const std::int64_t known = data.values(i).cols();
  for (std::int64_t t = 0; t < std::max(known, length); ++t) {
    if (t > 0) out += separator;
    if (t < known) {
      append_value(out, data, i, row, t, missing, path);
    } else {
      out += missing;
    }
  }
}

void demand_no_open_end(const Dataset& data, std::string_view format, const std::string& path) {
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const MatrixView values = data.values(i);
    if (!values.rightCols(1).array().isNaN().all()) continue;
    refuse(path, called(data, i), " ends with a missing value, which the ", format,
           " format takes for the end of the series; the ts format holds it");
  }
}

}  // namespace shapeboost::detail
