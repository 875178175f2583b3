// SPDX-License-Identifier: MIT
// Bags as a table: one instance a line, with its bag's id and label before the features.
#include <string>
#include <vector>

#include "data/reader_text.hpp"
#include "ground/text.hpp"

namespace shapeboost::detail {
namespace {

bool skip_header(LineReader& lines, Line& line, char separator, const std::string& source) {
  const auto fields = split(line.text, separator);
  const bool words = is_ucr_header(fields);
  if (!is_mil_header(fields) && !words) return true;
  if (is_label_name(fields[0])) {
    fail({source, line.number}, "the header begins with the label: the format is ucr, not mil");
  }
  return lines.next(line);
}

}  // namespace

Dataset parse_mil(std::string_view text, const std::string& source) {
  LineReader lines(text);
  Line line;
  bool more = lines.next(line);
  const char separator = find_separator(line.text);
  more = more && skip_header(lines, line, separator, source);
  if (!more) fail({source}, "only a header line and no data");

  const std::int64_t first_line = line.number;
  std::size_t features = 0;
  BagTable bags;
  for (; more; more = lines.next(line)) {
    FieldReader fields(line.text, separator);
    std::string_view id;
    std::string_view label;
    std::string_view field;
    if (!fields.next(id) || !fields.next(label) || !fields.next(field)) {
      fail({source, line.number}, "expected a bag, a label and features, found fewer than three columns");
    }
    if (unquote(id).empty()) fail({source, line.number, 1}, "the bag's id is empty");
    BagTable::Bag& bag = bags.at(unquote(id), read_label(label), {source, line.number});
    const std::size_t before = bag.values.size();
    do {
      const auto column = static_cast<std::int64_t>(bag.values.size() - before) + 3;
      bag.values.push_back(read_number({source, line.number, column}, field));
    } while (fields.next(field));
    const std::size_t found = bag.values.size() - before;
    if (line.number == first_line) features = found;
    if (found != features) {
      fail({source}, "line ", line.number, " has ", found, " features, line ", first_line, " has ", features);
    }
  }
  return bags.to_dataset(features, source);
}

}  // namespace shapeboost::detail
