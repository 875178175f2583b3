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
  const auto read = [&](const Line& line, SeriesBlock& block) {
    const Position position{source, line.number};
    const std::string_view fields = separator == ' ' ? trim(line.text) : line.text;
    const std::size_t behind = fields.find(separator);
    if (behind == std::string_view::npos) fail(position, "expected a label and values, found one column");
    const std::size_t first = block.values.size();
    append_values(fields.substr(behind + 1), separator, position.in_column(1), block.values);
    count.check(line, std::ssize(block.values) - static_cast<std::int64_t>(first));
    const std::int64_t length = unpadded_length(std::span(block.values).subspan(first), 1);
    if (length == 0) fail(position, "every value of the series is missing");
    block.values.resize(first + at(length));
    block.entries.push_back({read_label(fields.substr(0, behind)), 1, length});
  };
  {  // the first line says how many values others have
    LineReader ahead = lines;
    SeriesBlock block;
    if (Line line; ahead.next(line)) read(line, block);
  }
  read_series(lines, read, data);
  return data;
}

}  // namespace shapeboost::detail
