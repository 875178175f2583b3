// SPDX-License-Identifier: MIT
// The UCR archive's format: one series a line, its label first. Missing values at the end of a line fill a
// short series up to the length of the longest and are dropped; a line with fewer values than the first is
// more often a damaged file than a short series.
#include "data/reader.hpp"

namespace shapeboost::detail {
namespace {

// A header is skipped, but not one that says the columns are something else than we take them for.
void check_ucr_header(const std::vector<std::string_view>& fields, const Position& position) {
  if (is_mil_header(fields)) fail(position, "the header names a bag and a label: the format is mil, not ucr");
  for (std::int64_t k = 1; k < std::ssize(fields); ++k) {
    if (!is_label_name(fields[at(k)])) continue;
    fail(position.in_column(k), "the column ", quote(unquote(fields[at(k)])), " must be the first");
  }
}

}  // namespace

Dataset parse_ucr(std::string_view text, const std::string& source) {
  Dataset data(DataKind::series, source);
  LineReader lines(text);
  const char separator = skip_header(lines, source, check_ucr_header);
  SameCount count{source, " values", "; fill short series up with NaN, or use the ts format"};
  std::vector<double> values;
  for (Line line; lines.next(line);) {
    const Position position{source, line.number};
    FieldReader fields(line.text, separator);
    std::string_view field;
    const std::string label = fields.next(field) ? read_label(field) : std::string();
    values.clear();
    while (fields.next(field))
      values.push_back(read_value(position.in_column(std::ssize(values) + 1), field));
    if (values.empty()) fail(position, "expected a label and values, found one column");
    count.check(line, std::ssize(values));
    const std::int64_t length = unpadded_length(values, 1);
    if (length == 0) fail(position, "every value of the series is missing");
    data.add(ArrayView(values.data(), 1, length), label, std::to_string(data.size() + 1));
  }
  return data;
}

}  // namespace shapeboost::detail
