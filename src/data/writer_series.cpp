// SPDX-License-Identifier: MIT
// Series as text: ucr and ts.
#include <string>

#include "data/reader_text.hpp"
#include "data/writer_text.hpp"
#include "ground/text.hpp"

namespace shapeboost::detail {

// The label, then the values, separated by commas in a .csv and by tabs elsewhere. Short series are filled up
// with NaN.
std::string ucr_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::series, "ucr", path);
  if (data.width() != 1) {
    refuse(path, "the ucr format is for one channel, the data have " + std::to_string(data.width()));
  }
  demand_no_open_end(data, "ucr", path);
  const bool commas = plain_name(path).ends_with(".csv");
  const char separator = commas ? ',' : '\t';
  const std::int64_t longest = data.max_length();
  std::string text;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    text += label_of(data, i, commas ? ",;\t" : ",\t", "", path);
    const std::int64_t length = data.values(i).cols();
    for (std::int64_t t = 0; t < longest; ++t) {
      text += separator;
      if (t < length) {
        append_value(text, data, i, 0, t, "NaN", path);
      } else {
        text += "NaN";
      }
    }
    if (i == 0 && is_ucr_header(split(text, separator)))
      refuse(path, "the first line, " + quote(text) + ", would be taken for a header");
    text += '\n';
  }
  return text;
}

// The head says what can be said; the name of the problem is one that every reader asks for.
std::string ts_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::series, "ts", path);
  constexpr std::string_view kSigns = ": \t";
  const auto yes = [](bool value) { return value ? "true\n" : "false\n"; };
  const bool equal = data.min_length() == data.max_length();
  std::string text = "@problemName data\n@timeStamps false\n@missing ";
  text += yes(data.has_missing());
  text += std::string("@univariate ") + yes(data.width() == 1);
  if (data.width() > 1) text += "@dimensions " + std::to_string(data.width()) + '\n';
  text += std::string("@equalLength ") + yes(equal);
  if (equal) text += "@seriesLength " + std::to_string(data.max_length()) + '\n';
  text += data.classes().empty() ? "@classLabel false" : "@classLabel true";
  for (const std::string& label : data.classes()) {
    if (!reads_back(label, kSigns))
      refuse(path, "the label " + quote(label) + " cannot be told from the format's own signs");
    text += ' ' + label;
  }
  text += "\n@data\n";
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const ArrayView values = data.values(i);
    for (std::int64_t c = 0; c < values.rows(); ++c) {
      if (c > 0) text += ':';
      for (std::int64_t t = 0; t < values.cols(); ++t) {
        if (t > 0) text += ',';
        append_value(text, data, i, c, t, "?", path);
      }
    }
    if (!data.classes().empty()) text += ':' + label_of(data, i, kSigns, "?", path);
    text += '\n';
  }
  return text;
}

}  // namespace shapeboost::detail
