// SPDX-License-Identifier: MIT
// Bags as a table: one instance a line, with its bag's id and label before the features.
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reader_detail.hpp"
#include "text_detail.hpp"

namespace shapeboost::detail {
namespace {

struct Bag {
  std::string_view id;
  std::string label;
  std::int64_t line;  // where the label was first read
  std::vector<double> values;
};

std::string show_label(const std::string& label) {
  return label.empty() ? "no label" : "label " + quote(label);
}

bool skip_header(LineReader& lines, Line& line, char separator, const std::string& source) {
  const auto fields = split(line.text, separator);
  const bool words = is_ucr_header(fields);
  if (!is_mil_header(fields) && !words) return true;
  if (is_label_name(fields[0])) {
    fail({source, line.number}, "the header begins with the label: the format is ucr, not mil");
  }
  return lines.next(line);
}

// Finds the line's bag, or begins it. Rows of one bag need not be neighbours.
Bag& bag_of(std::string_view id, std::string label, std::vector<Bag>& bags,
            std::unordered_map<std::string_view, std::size_t>& index, const Position& position) {
  if (id.empty()) fail({position.source, position.line, 1}, "the bag's id is empty");
  const auto [entry, is_new] = index.try_emplace(id, bags.size());
  if (is_new) {
    bags.push_back({id, std::move(label), position.line, {}});
    return bags.back();
  }
  Bag& bag = bags[entry->second];
  if (bag.label != label) {
    fail({position.source}, "bag " + quote(id) + " has " + show_label(bag.label) + " in line " +
                                std::to_string(bag.line) + " and " + show_label(label) + " in line " +
                                std::to_string(position.line));
  }
  return bag;
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
  std::vector<Bag> bags;
  std::unordered_map<std::string_view, std::size_t> index;
  for (; more; more = lines.next(line)) {
    FieldReader fields(line.text, separator);
    std::string_view id;
    std::string_view label;
    std::string_view field;
    if (!fields.next(id) || !fields.next(label) || !fields.next(field)) {
      fail({source, line.number}, "expected a bag, a label and features, found fewer than three columns");
    }
    Bag& bag = bag_of(unquote(id), read_label(label), bags, index, {source, line.number});
    const std::size_t before = bag.values.size();
    do {
      const auto column = static_cast<std::int64_t>(bag.values.size() - before) + 3;
      bag.values.push_back(read_number({source, line.number, column}, field));
    } while (fields.next(field));
    const std::size_t found = bag.values.size() - before;
    if (line.number == first_line) features = found;
    if (found != features) {
      fail({source}, "line " + std::to_string(line.number) + " has " + std::to_string(found) +
                         " features, line " + std::to_string(first_line) + " has " +
                         std::to_string(features));
    }
  }

  Dataset data(DataKind::bags, source);
  const auto cols = static_cast<Eigen::Index>(features);
  for (const Bag& bag : bags) {
    const auto rows = static_cast<Eigen::Index>(bag.values.size()) / cols;
    data.add(MatrixView(bag.values.data(), rows, cols), bag.label, std::string(bag.id));
  }
  return data;
}

}  // namespace shapeboost::detail
