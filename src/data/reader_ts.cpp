// SPDX-License-Identifier: MIT
// aeon's and sktime's .ts: comments (#), a head of lines with @, then after @data one example a line:
// values separated by commas, channels by colons, the label last.
//
// What the head states is checked, for a contradiction means a damaged file; tags unknown here are
// skipped, because archives add their own, but @classLabel must be there: without it nobody can tell a
// label from a last channel. Missing values are taken as they come, whatever @missing says: the flag tells
// nothing that the values do not.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "data/reader_text.hpp"
#include "ground/text.hpp"

namespace shapeboost::detail {
namespace {

struct Head {
  std::optional<bool> univariate;
  std::optional<bool> equal_length;
  std::optional<std::int64_t> dimensions;
  std::optional<std::int64_t> series_length;
  std::optional<bool> labelled;
  std::vector<std::string> classes;
};

bool read_bool(const std::vector<std::string_view>& words, const Position& position) {
  const std::string value = words.size() > 1 ? lower(words[1]) : std::string();
  if (value != "true" && value != "false") {
    fail(position, "expected true or false after " + std::string(words[0]) + ", found " + quote(value));
  }
  return value == "true";
}

std::int64_t read_count(const std::vector<std::string_view>& words, const Position& position) {
  double value = 0.0;
  const std::string_view text = words.size() > 1 ? words[1] : std::string_view();
  const bool good = parse_number(text, value) == NumberFault::none && value >= 1.0 && value <= 1e15;
  const auto count = good ? static_cast<std::int64_t>(value) : 0;
  if (!good || static_cast<double>(count) != value) {
    fail(position,
         "expected a positive whole number after " + std::string(words[0]) + ", found " + quote(text));
  }
  return count;
}

void read_tag(std::string_view text, const Position& position, Head& head) {
  const std::vector<std::string_view> words =
      split(text, text.find('\t') == std::string_view::npos ? ' ' : '\t');
  const std::string tag = lower(words[0]);
  if (tag == "@timestamps" && read_bool(words, position)) {
    fail(position, "series with time stamps are not supported yet");
  } else if (tag == "@targetlabel" && read_bool(words, position)) {
    fail(position, "the labels are numbers to regress on, expected classes");
  } else if (tag == "@univariate") {
    head.univariate = read_bool(words, position);
  } else if (tag == "@equallength") {
    head.equal_length = read_bool(words, position);
  } else if (tag == "@dimensions" || tag == "@dimension") {
    head.dimensions = read_count(words, position);
  } else if (tag == "@serieslength") {
    head.series_length = read_count(words, position);
  } else if (tag == "@classlabel") {
    head.labelled = read_bool(words, position);
    for (std::size_t k = 2; k < words.size(); ++k) head.classes.push_back(read_label(words[k]));
    if (*head.labelled && head.classes.empty())
      fail(position, "expected the classes after '@classLabel true'");
  }
}

// Up to and including @data.
Head read_ts_head(LineReader& lines, const std::string& source) {
  Head head;
  for (Line line; lines.next(line);) {
    const std::string_view text = trim(line.text);
    if (text.starts_with('#')) continue;
    if (!text.starts_with('@')) {
      fail({source, line.number},
           "expected a line with '@' before the data of a ts file, found " + quote(text));
    }
    if (lower(text) == "@data") {
      if (!head.labelled) fail({source, line.number}, "expected '@classLabel' before '@data'");
      return head;
    }
    read_tag(text, {source, line.number}, head);
  }
  fail({source}, "expected '@data', found the end of the file");
}

// One channel's values behind those already read.
void read_channel(std::string_view text, const Position& position, std::size_t channel,
                  std::vector<double>& values) {
  FieldReader fields(text, ',');
  std::size_t place = 0;
  for (std::string_view field; fields.next(field);) {
    ++place;
    double value = 0.0;
    if (parse_number(field, value) == NumberFault::none) {
      values.push_back(value);
      continue;
    }
    if (is_missing(field)) {
      values.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    // Counting columns would not help the reader find a value among the channels.
    const std::string where = position.source + ", line " + std::to_string(position.line) + ", channel " +
                              std::to_string(channel) + ", value " + std::to_string(place);
    fail_number({where}, field);
  }
}

void check_shape(const Head& head, std::int64_t channels, std::int64_t length, const Position& position) {
  if (head.univariate.value_or(false) && channels != 1) {
    fail(position, "found " + std::to_string(channels) + " channels, '@univariate true' means one");
  }
  if (head.dimensions && channels != *head.dimensions) {
    fail(position, "found " + std::to_string(channels) + " channels, '@dimensions' says " +
                       std::to_string(*head.dimensions));
  }
  if (head.series_length && head.equal_length.value_or(true) && length != *head.series_length) {
    fail(position, "found " + std::to_string(length) + " values, '@seriesLength' says " +
                       std::to_string(*head.series_length));
  }
}

}  // namespace

Dataset parse_ts(std::string_view text, const std::string& source) {
  LineReader lines(text);
  const Head head = read_ts_head(lines, source);
  Dataset data(DataKind::series, source);
  std::vector<double> values;
  std::int64_t first_line = 0;
  std::int64_t first_length = 0;
  for (Line line; lines.next(line);) {
    if (trim(line.text).starts_with('#')) continue;
    const Position position{source, line.number};
    std::vector<std::string_view> parts = split(line.text, ':');
    std::string label;
    if (*head.labelled) {
      if (parts.size() < 2) fail(position, "expected values, a colon and the label, found no colon");
      label = read_label(parts.back());
      check_label(label, head.classes, "'@classLabel'", position);
      parts.pop_back();
    }
    values.clear();
    std::size_t length = 0;
    for (std::size_t c = 0; c < parts.size(); ++c) {
      const std::size_t before = values.size();
      read_channel(parts[c], position, c + 1, values);
      const std::size_t found = values.size() - before;
      if (c == 0) length = found;
      if (found != length) {
        fail(position, "channel " + std::to_string(c + 1) + " has " + std::to_string(found) +
                           " values, channel 1 has " + std::to_string(length));
      }
    }
    if (std::all_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
      fail(position, "every value of the series is missing");
    const auto channels = static_cast<std::int64_t>(parts.size());
    const auto moments = static_cast<std::int64_t>(length);
    check_shape(head, channels, moments, position);
    if (data.size() == 0) {
      first_line = line.number;
      first_length = moments;
    }
    if (data.size() > 0 && channels != data.width()) {
      fail({source}, "line " + std::to_string(line.number) + " has " + std::to_string(channels) +
                         " channels, line " + std::to_string(first_line) + " has " +
                         std::to_string(data.width()));
    }
    if (data.size() > 0 && head.equal_length.value_or(false) && moments != first_length) {
      fail({source}, "line " + std::to_string(line.number) + " has " + std::to_string(moments) +
                         " values, line " + std::to_string(first_line) + " has " +
                         std::to_string(first_length) + ", but the file says '@equalLength true'");
    }
    data.add(ArrayView(values.data(), channels, moments), label, std::to_string(data.size() + 1));
  }
  if (data.size() == 0) fail({source}, "no data after '@data'");
  return data;
}

}  // namespace shapeboost::detail
