// SPDX-License-Identifier: MIT
// The UCR archive's format: one series a line, its label first. Missing values at the end of a line fill a
// short series up to the length of the longest and are dropped; a line with fewer values than the first is
// more often a damaged file than a short series.
#include <string>
#include <vector>

#include "data/reader_text.hpp"
#include "ground/text.hpp"

namespace shapeboost::detail {
namespace {

// A header is skipped, but not one that says the columns are something else than we take them for.
void check_header(const std::vector<std::string_view>& fields, const Position& position) {
  if (is_mil_header(fields)) {
    fail(position, "the header names a bag and a label: the format is mil, not ucr");
  }
  for (std::size_t k = 1; k < fields.size(); ++k) {
    if (!is_label_name(fields[k])) continue;
    const Position column{position.source, position.line, static_cast<std::int64_t>(k) + 1};
    fail(column, "the column " + quote(unquote(fields[k])) + " must be the first");
  }
}

}  // namespace

Dataset parse_ucr(std::string_view text, const std::string& source) {
  Dataset data(DataKind::series, source);
  LineReader lines(text);
  Line line;
  bool more = lines.next(line);
  const char separator = find_separator(line.text);
  if (const auto fields = split(line.text, separator); is_ucr_header(fields) || is_mil_header(fields)) {
    check_header(fields, {source, line.number});
    more = lines.next(line);
  }
  if (!more) fail({source}, "only a header line and no data");

  const std::int64_t first_line = line.number;
  std::size_t expected = 0;
  std::vector<double> values;
  for (; more; more = lines.next(line)) {
    FieldReader fields(line.text, separator);
    std::string_view field;
    const std::string label = fields.next(field) ? read_label(field) : std::string();
    values.clear();
    while (fields.next(field)) {
      values.push_back(
          read_value({source, line.number, static_cast<std::int64_t>(values.size()) + 2}, field));
    }
    if (values.empty()) fail({source, line.number}, "expected a label and values, found one column");
    if (line.number == first_line) expected = values.size();
    if (values.size() != expected) {
      fail({source}, "line " + std::to_string(line.number) + " has " + std::to_string(values.size()) +
                         " values, line " + std::to_string(first_line) + " has " + std::to_string(expected) +
                         "; fill short series up with NaN, or use the ts format");
    }
    const std::size_t length = unpadded_length(values, 1);
    if (length == 0) fail({source, line.number}, "every value of the series is missing");
    values.resize(length);
    data.add(values, label, std::to_string(data.size() + 1));
  }
  return data;
}

}  // namespace shapeboost::detail
