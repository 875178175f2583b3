// SPDX-License-Identifier: MIT
#include "shapeboost/writer.hpp"

#include <cmath>
#include <unordered_set>

#include "shapeboost/base.hpp"
#include "shapeboost/file.hpp"
#include "text_detail.hpp"

namespace shapeboost {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw InvalidInput("cannot write " + path + ": " + reason);
}

std::string called(const Dataset& data, std::int64_t i) {
  return std::string(data.kind() == DataKind::bags ? "bag " : "series ") + detail::quote(data.name(i));
}

// Everything the readers would split, trim, unquote, skip or take for the first line of another format.
bool reads_back(std::string_view word) {
  return word == detail::trim(word) && word.find_first_of(",\t\n\r\"") == std::string_view::npos &&
         word.find('\0') == std::string_view::npos && word != "?" && !word.starts_with('@') &&
         !word.starts_with('#');
}

std::string label_of(const Dataset& data, std::int64_t i, const std::string& path) {
  if (data.label(i) == kUnlabelled) return {};
  const std::string& label = data.classes()[static_cast<std::size_t>(data.label(i))];
  if (!reads_back(label))
    refuse(path, "the label " + detail::quote(label) + " cannot be told from the format's own signs");
  return label;
}

void append_values(std::string& out, const Dataset& data, std::int64_t i, Eigen::Index row,
                   const std::string& path) {
  const char separator = data.kind() == DataKind::bags ? ',' : '\t';
  const MatrixView values = data.values(i);
  for (Eigen::Index t = 0; t < values.cols(); ++t) {
    if (!std::isfinite(values(row, t))) {
      refuse(path,
             called(data, i) + " has a value that is missing or not finite, column " + std::to_string(t + 1));
    }
    out += separator;
    detail::append_number(out, values(row, t));
  }
  out += '\n';
}

}  // namespace

void write_ucr(const Dataset& data, const std::string& path) {
  if (data.kind() != DataKind::series) refuse(path, "the ucr format is for series, the data are bags");
  if (data.size() == 0) refuse(path, "there are no examples");
  if (data.width() != 1) {
    refuse(path, "the ucr format is for one channel, the data have " + std::to_string(data.width()));
  }
  FileWriter writer(path);
  std::string line;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (data.values(i).cols() != data.values(0).cols()) {
      refuse(path, called(data, i) + " has " + std::to_string(data.values(i).cols()) +
                       " values, the first has " + std::to_string(data.values(0).cols()) +
                       "; the ucr format is for equal lengths");
    }
    line = label_of(data, i, path);
    append_values(line, data, i, 0, path);
    writer.write(line);
  }
  writer.commit();
}

void write_mil(const Dataset& data, const std::string& path) {
  if (data.kind() != DataKind::bags) refuse(path, "the mil format is for bags, the data are series");
  if (data.size() == 0) refuse(path, "there are no examples");
  FileWriter writer(path);
  std::string line = "bag,label";
  for (std::int64_t f = 1; f <= data.width(); ++f) line += ",f" + std::to_string(f);
  writer.write(line + '\n');
  std::unordered_set<std::string> names;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const std::string& name = data.name(i);
    if (name.empty() || !reads_back(name)) {
      refuse(path, "the bag name " + detail::quote(name) +
                       " is empty or cannot be told from the format's own signs");
    }
    if (!names.insert(name).second) refuse(path, "two bags are called " + detail::quote(name));
    const std::string begin = name + ',' + label_of(data, i, path);
    for (Eigen::Index row = 0; row < data.values(i).rows(); ++row) {
      line = begin;
      append_values(line, data, i, row, path);
      writer.write(line);
    }
  }
  writer.commit();
}

}  // namespace shapeboost
