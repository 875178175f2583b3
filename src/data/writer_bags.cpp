// SPDX-License-Identifier: MIT
// Bags as text: mil, c45 and svmlight.
#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>

#include "data/reader_text.hpp"
#include "data/writer_text.hpp"
#include "ground/text.hpp"

namespace shapeboost::detail {
namespace {

constexpr std::string_view kC45Signs = ",:|\t";

// A dot at the end of a word ends a statement of C4.5.
void demand_no_dot(const std::string& word, const std::string& path) {
  if (word.ends_with('.')) refuse(path, quote(word) + " ends with a dot, which the c45 format would drop");
}

// Whether every name is another whole number, as a qid must be.
bool names_are_qids(const Dataset& data) {
  std::unordered_set<std::string> names;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const std::string& name = data.name(i);
    const bool whole = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
    if (!whole || !names.insert(name).second) return false;
  }
  return true;
}

}  // namespace

// bag,label,f1,f2,..., then one instance a line; tabs in a .tsv, commas elsewhere.
std::string mil_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::bags, "mil", path);
  demand_distinct_names(data, path);
  const char separator = plain_name(path).ends_with(".tsv") ? '\t' : ',';
  std::string text = std::string("bag") + separator + "label";
  for (std::int64_t f = 1; f <= data.width(); ++f) text += separator + ("f" + std::to_string(f));
  text += '\n';
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const std::string begin = bag_name(data, i, ",\t", path) + separator + label_of(data, i, ",\t", "", path);
    for (std::int64_t row = 0; row < data.values(i).rows(); ++row) {
      text += begin;
      for (std::int64_t f = 0; f < data.width(); ++f) {
        text += separator;
        append_value(text, data, i, row, f, {}, path);
      }
      text += '\n';
    }
  }
  return text;
}

// Instances are called after their bags: b7_1, b7_2, ...
std::string c45_data_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::bags, "c45", path);
  demand_distinct_names(data, path);
  std::string text;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const std::string name = bag_name(data, i, kC45Signs, path);
    demand_no_dot(name, path);
    const std::string label = label_of(data, i, kC45Signs, "?", path);
    for (std::int64_t row = 0; row < data.values(i).rows(); ++row) {
      text += name;
      text += ',' + name + '_' + std::to_string(row + 1);
      for (std::int64_t f = 0; f < data.width(); ++f) {
        text += ',';
        append_value(text, data, i, row, f, {}, path);
      }
      text += ',' + label + ".\n";
    }
  }
  return text;
}

std::string c45_names_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::bags, "c45", path);
  if (data.classes().empty()) refuse(path, "the c45 format lists the classes, the data have no labels");
  std::string text;
  for (const std::string& label : data.classes()) {
    if (!reads_back(label, kC45Signs))
      refuse(path, "the label " + quote(label) + " cannot be told from the format's own signs");
    demand_no_dot(label, path);
    text += (text.empty() ? "" : ",") + label;
  }
  text += ".\nbag: ignore.\ninstance: ignore.\n";
  for (std::int64_t f = 1; f <= data.width(); ++f) text += "f" + std::to_string(f) + ": continuous.\n";
  return text;
}

// label qid:bag 3:0.5 ..., zeros left out, but that the first line has the last feature: only so the number
// of features is known. Bags are numbered where their names are not numbers.
std::string svmlight_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::bags, "svmlight", path);
  const bool named = names_are_qids(data);
  std::string text;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const std::string label = label_of(data, i, " \t:#>", "?", path);
    const std::string begin = label + " qid:" + (named ? data.name(i) : std::to_string(i + 1));
    const ArrayView values = data.values(i);
    for (std::int64_t row = 0; row < values.rows(); ++row) {
      const bool first = text.empty();
      text += begin;
      for (std::int64_t f = 0; f < values.cols(); ++f) {
        const double value = values(row, f);
        const bool zero = value == 0.0 && !std::signbit(value);
        if (zero && !(first && f + 1 == values.cols())) continue;
        text += ' ' + std::to_string(f + 1) + ':';
        append_value(text, data, i, row, f, {}, path);
      }
      text += '\n';
    }
  }
  return text;
}

}  // namespace shapeboost::detail
