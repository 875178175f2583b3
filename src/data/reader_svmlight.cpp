// SPDX-License-Identifier: MIT
// svmlight's and libsvm's sparse lines: `label qid:3 1:0.5 7:1.2 # comment`. The qid is the bag's id; without
// any, every line is a bag of one instance. Features count from 1 and are 0 where they are not written; there
// are as many as the largest number in the file, and any number beyond is one more that is 0.
#include <algorithm>
#include <utility>

#include "data/reader.hpp"

namespace shapeboost::detail {
namespace {

constexpr std::string_view kQid = "qid:";
// Zeros are left out in memory too from so many features on, where at most this share of the numbers is not 0.
constexpr std::int64_t kManyFeatures = 1000;
// A view has a number for each feature, whether it occurs or not.
constexpr std::int64_t kMostFeatures = std::int64_t{1} << 20;
constexpr double kFewNumbers = 0.1;
constexpr std::int64_t kWorkOfARow = 300;  // operations, beside those of its numbers

struct Row {
  std::string_view bag;  // empty: none is given
  std::string label;
  std::int64_t line = 0;
  std::vector<std::pair<std::int64_t, double>> values;  // feature, from 1, rising; value
};

// A whole number of at least `least`; -1 where it is none.
std::int64_t read_whole(std::string_view text, double least) {
  double value = 0.0;
  if (text.find_first_not_of("0123456789") != std::string_view::npos) return -1;
  if (parse_number(text, value) != NumberFault::none || value < least || value > 2147483647.0) return -1;
  return static_cast<std::int64_t>(value);
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(" \t"); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t", end);
  }
  return words;
}

Row read_row(const Line& line, const std::string& source) {
  const std::vector<std::string_view> words = words_of(line.text.substr(0, line.text.find('#')));
  Row row;
  row.line = line.number;
  row.label = read_label(words[0]);
  for (std::int64_t k = 1; k < std::ssize(words); ++k) {
    const std::string_view word = words[at(k)];
    const Position position = Position{source, line.number}.in_column(k);
    if (k == 1 && word.starts_with(kQid)) {
      row.bag = word.substr(kQid.size());
      if (row.bag.empty()) fail(position, "expected a bag behind 'qid:', found nothing");
      continue;
    }
    const std::size_t colon = word.find(':');
    const std::int64_t feature =
        colon == std::string_view::npos ? -1 : read_whole(word.substr(0, colon), 1.0);
    if (feature < 0) {
      fail(position, "expected a feature's number, from 1 on, a colon and its value, found ", quote(word));
    }
    if (!row.values.empty() && feature <= row.values.back().first) {
      fail(position, "feature ", feature, " comes after feature ", row.values.back().first,
           ", expected rising numbers");
    }
    row.values.emplace_back(feature, read_number(position, word.substr(colon + 1)));
  }
  return row;
}

void add_sparse(Dataset& data, const BagTable::Bag& bag, const std::vector<Row>& rows,
                std::int64_t features) {
  std::vector<std::int64_t> starts{0};
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (const std::size_t r : bag.rows) {
    for (const auto& [feature, value] : rows[r].values) {
      if (value == 0.0) continue;
      columns.push_back(static_cast<std::int32_t>(feature - 1));
      values.push_back(value);
    }
    starts.push_back(std::ssize(values));
  }
  data.add(SparseView(starts, columns.data(), values.data(), features), bag.label, bag.id);
}

}  // namespace

bool is_svmlight_line(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line.substr(0, line.find('#')));
  if (words.size() < 2 || words[0].find(':') != std::string_view::npos) return false;
  return std::all_of(words.begin() + 1, words.end(), [](std::string_view word) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) return false;
    return word.starts_with(kQid) ||
           (read_whole(word.substr(0, colon), 0.0) >= 0 && looks_numeric(word.substr(colon + 1)));
  });
}

Dataset parse_svmlight(std::string_view text, const std::string& source) {
  std::vector<Row> rows;
  std::int64_t features = 0;
  LineReader lines(text, '#');
  for (Line line; lines.next(line);) {
    rows.push_back(read_row(line, source));
    const Row& row = rows.back();
    if (!row.values.empty()) features = std::max(features, row.values.back().first);
    if (row.bag.empty() != rows.front().bag.empty()) {
      fail({source}, "line ", row.line, (row.bag.empty() ? " has no qid" : " has a qid"), ", line ",
           rows.front().line, (row.bag.empty() ? " has one" : " has none"));
    }
  }
  if (rows.empty()) fail({source}, "only comments and no data");
  if (features == 0) fail({source}, "no line has a feature");
  if (features > kMostFeatures) {
    fail({source}, "expected at most ", kMostFeatures, " features, found number ", features);
  }
  BagTable bags;
  double numbers = 0.0;
  StopMeter meter;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    meter.add(kWorkOfARow);
    bags.at(row.bag.empty() ? std::to_string(i + 1) : std::string(row.bag), row.label, {source, row.line})
        .rows.push_back(i);
    numbers += real(row.values.size());
  }
  const bool sparse =
      features >= kManyFeatures && numbers <= kFewNumbers * real(features) * real(rows.size());
  Dataset data(DataKind::bags, source);
  data.set_open_width(true);
  for (const BagTable::Bag& bag : bags.all()) {
    if (sparse) {
      for (const std::size_t r : bag.rows) meter.add(kWorkOfARow + std::ssize(rows[r].values));
      add_sparse(data, bag, rows, features);
    } else {
      meter.add(std::ssize(bag.rows) * features);
      Array<double> values(bag.rows.size(), features);
      for (std::size_t r = 0; r < bag.rows.size(); ++r) {
        for (const auto& [feature, value] : rows[bag.rows[r]].values) values(r, feature - 1) = value;
      }
      data.add(values, bag.label, bag.id);
    }
  }
  return data;
}

}  // namespace shapeboost::detail
