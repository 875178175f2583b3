// SPDX-License-Identifier: MIT
// C4.5's pair of files, laid out as the MUSK data are. The .names file lists the classes, then a line for
// each column; the .data file has an instance a line, its class last:
//
//   0,1.                              MUSK-jf78,jf78_1,42,-198,1.
//   molecule_name: MUSK-jf78,...
//   conformation_name: ignore.
//   f1: continuous.
//
// The first column that is not continuous is the bag's id, a second one the instance's name, which nothing
// needs; both come before the features. '|' begins a comment in the .names file, statements end with a dot.
#include <filesystem>

#include "data/reader.hpp"

namespace shapeboost::detail {
namespace {

struct NamesFile {
  std::vector<std::string> classes;
  std::int64_t names = 0;     // columns before the features: the bag, perhaps the instance
  std::int64_t features = 0;  // continuous columns
};

std::string_view without_dot(std::string_view text) {
  text = trim(text);
  if (text.ends_with('.')) text.remove_suffix(1);
  return trim(text);
}

void read_column(std::string_view text, const Position& position, NamesFile& layout) {
  const std::size_t colon = text.find(':');
  const std::string name(trim(text.substr(0, colon)));
  if (lower(without_dot(text.substr(colon + 1))) == "continuous") {
    ++layout.features;
    return;
  }
  if (layout.features > 0) {
    fail(position, "column ", quote(name),
         " is not continuous, but comes after a feature; expected the "
         "bag's id, perhaps the instance's name, then continuous features");
  }
  if (++layout.names > 2) {
    fail(position, "column ", quote(name),
         " is the third that is not continuous; expected the bag's id, "
         "perhaps the instance's name, then continuous features");
  }
}

// A statement goes on over lines until a dot ends one, or the next column begins.
NamesFile read_names(std::string_view text, const std::string& source) {
  NamesFile layout;
  LineReader lines(text);
  bool in_classes = true;
  bool open = true;
  for (Line line; lines.next(line);) {
    const std::string_view content = trim(line.text.substr(0, line.text.find('|')));
    if (content.empty()) continue;
    if (content.find(':') != std::string_view::npos) {
      in_classes = false;
      read_column(content, {source, line.number}, layout);
    } else if (in_classes && open) {
      for (const std::string_view field : split(without_dot(content), ',')) {
        if (!field.empty()) layout.classes.push_back(read_label(field));
      }
    } else if (!open) {
      fail({source, line.number}, "expected a column as 'f1: continuous.', found ", quote(content));
    }
    open = !content.ends_with('.');
  }
  if (layout.classes.empty()) fail({source}, "expected the classes as '0,1.' before the columns, found none");
  if (layout.names == 0) fail({source}, "expected a column for the bag's id, found only continuous ones");
  if (layout.features == 0) fail({source}, "expected columns as 'f1: continuous.', found none");
  return layout;
}

}  // namespace

C45Paths c45_paths(const std::string& path) {
  const std::string plain = plain_name(path);
  const bool names = plain.ends_with(".names");
  if (!names && !plain.ends_with(".data")) {
    fail({path}, "c45 data lies in two files called something.data and something.names");
  }
  const std::string stem = path.substr(0, plain.size() - (names ? 6 : 5));
  // The other one: as it is, else compressed.
  std::string other = stem + (names ? ".data" : ".names");
  std::error_code none;
  if (!std::filesystem::exists(other, none) && std::filesystem::exists(other + ".gz", none)) other += ".gz";
  return names ? C45Paths{other, path} : C45Paths{path, other};
}

Dataset parse_c45(std::string_view data, const std::string& data_source, std::string_view names,
                  const std::string& names_source) {
  const NamesFile layout = read_names(names, names_source);
  const std::int64_t columns = layout.names + layout.features + 1;
  BagTable bags;
  LineReader lines(data);
  for (Line line; lines.next(line);) {
    const Position position{data_source, line.number};
    const std::vector<std::string_view> fields = split(line.text, ',');
    if (std::ssize(fields) != columns) {
      fail(position, "found ", fields.size(), " columns, ", names_source, " has ", columns - 1,
           " and the class");
    }
    const std::string label = read_label(without_dot(fields.back()));
    check_label(label, layout.classes, "the classes of " + names_source, position);
    const std::string_view id = unquote(fields[0]);
    if (id.empty()) fail(position.in_column(0), "the bag's id is empty");
    std::vector<double>& values = bags.at(id, label, position).values;
    for (std::int64_t k = layout.names; k + 1 < columns; ++k) {
      values.push_back(read_number(position.in_column(k), fields[at(k)]));
    }
  }
  return bags.to_dataset(layout.features, data_source);
}

}  // namespace shapeboost::detail
