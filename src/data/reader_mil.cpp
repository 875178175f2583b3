// SPDX-License-Identifier: MIT
// Bags as a table: one instance a line, with its bag's id and label before the features.
#include "data/reader.hpp"

namespace shapeboost::detail {
namespace {

void check_mil_header(const std::vector<std::string_view>& fields, const Position& position) {
  if (is_label_name(fields[0]))
    fail(position, "the header begins with the label: the format is ucr, not mil");
}

}  // namespace

Dataset parse_mil(std::string_view text, const std::string& source) {
  LineReader lines(text);
  const char separator = skip_header(lines, source, check_mil_header);
  SameCount features{source, " features"};
  BagTable bags;
  for (Line line; lines.next(line);) {
    const Position position{source, line.number};
    FieldReader fields(line.text, separator);
    std::string_view id;
    std::string_view label;
    std::string_view field;
    if (!fields.next(id) || !fields.next(label) || !fields.next(field)) {
      fail(position, "expected a bag, a label and features, found fewer than three columns");
    }
    if (unquote(id).empty()) fail(position.in_column(0), "the bag's id is empty");
    BagTable::Bag& bag = bags.at(unquote(id), read_label(label), position);
    std::int64_t found = 0;
    do {
      bag.values.push_back(read_number(position.in_column(2 + found++), field));
    } while (fields.next(field));
    features.check(line, found);
  }
  return bags.to_dataset(features.expected, source);
}

}  // namespace shapeboost::detail
