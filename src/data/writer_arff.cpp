// SPDX-License-Identifier: MIT
// The three layouts of reader_arff.cpp: a series a row, bags and channels in a relational attribute.
#include <string>

#include "data/writer_text.hpp"
#include "ground/text.hpp"

namespace shapeboost::detail {
namespace {

// In single quotes, with escapes, unless it is a plain word.
std::string arff_word(std::string_view word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string result = "'";
  for (const char sign : word) {
    if (sign == '\'' || sign == '"' || sign == '\\' || sign == '%') result += '\\';
    if (sign == '\n' || sign == '\t' || sign == '\r') {
      result += sign == '\n' ? "\\n" : sign == '\t' ? "\\t" : "\\r";
    } else {
      result += sign;
    }
  }
  return result + '\'';
}

std::string checked_word(const std::string& word, const std::string& path) {
  if (word.find('\0') != std::string::npos) refuse(path, "a zero byte stands in " + quote(word));
  return arff_word(word);
}

void append_attributes(std::string& text, char letter, std::int64_t count) {
  for (std::int64_t k = 1; k <= count; ++k)
    text += "@attribute " + (letter + std::to_string(k)) + " numeric\n";
}

// Row `row` of example i, filled up to `length` with '?'.
void append_row(std::string& text, const Dataset& data, std::int64_t i, std::int64_t row, std::int64_t length,
                const std::string& path) {
  const std::string_view missing = data.kind() == DataKind::bags ? "" : "?";
  for (std::int64_t t = 0; t < length; ++t) {
    if (t > 0) text += ',';
    if (t < data.values(i).cols()) {
      append_value(text, data, i, row, t, missing, path);
    } else {
      text += '?';
    }
  }
}

}  // namespace

std::string arff_text(const Dataset& data, const std::string& path) {
  if (data.kind() == DataKind::sequences)
    refuse(path, "the arff format is for series and bags, the data are sequences");
  const bool bags = data.kind() == DataKind::bags;
  const bool relational = bags || data.width() > 1;
  const std::int64_t columns = bags ? data.width() : data.max_length();
  if (!bags) demand_no_open_end(data, "arff", path);

  std::string text = "@relation data\n";
  if (bags) {
    text += "@attribute bag {";
    for (std::int64_t i = 0; i < data.size(); ++i) {
      if (data.name(i).empty()) refuse(path, "the name of a bag is empty");
      text += (i > 0 ? "," : "") + checked_word(data.name(i), path);
    }
    text += "}\n";
    demand_distinct_names(data, path);
  }
  if (relational) text += std::string("@attribute ") + (bags ? "instances" : "channels") + " relational\n";
  append_attributes(text, bags ? 'f' : 't', columns);
  if (relational) text += std::string("@end ") + (bags ? "instances\n" : "channels\n");
  std::string classes;
  for (const std::string& label : data.classes())
    classes += (classes.empty() ? "" : ",") + checked_word(label, path);
  text += "@attribute class " + (classes.empty() ? "string" : '{' + classes + '}') + "\n@data\n";

  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (bags) text += arff_word(data.name(i)) + ',';
    if (relational) text += '\'';
    for (std::int64_t row = 0; row < data.values(i).rows(); ++row) {
      if (row > 0) text += "\\n";
      append_row(text, data, i, row, columns, path);
    }
    if (relational) text += '\'';
    const int label = data.label(i);
    text += ',';
    text += label == kUnlabelled ? "?" : arff_word(data.classes()[static_cast<std::size_t>(label)]);
    text += '\n';
  }
  return text;
}

}  // namespace shapeboost::detail
