// SPDX-License-Identifier: MIT
// aeon's and sktime's .ts: comments (#), a head of lines with @, then after @data one example a line:
// values separated by commas, channels by colons, the label last.
//
// What the head states is checked, for a contradiction means a damaged file; tags unknown here are
// skipped, because archives add their own, but @classLabel must be there: without it nobody can tell a
// label from a last channel. Missing values are taken as they come, whatever @missing says: the flag tells
// nothing that the values do not.
#include <algorithm>
#include <optional>

#include "data/reader.hpp"

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
    fail(position, "expected true or false after ", words[0], ", found ", quote(value));
  }
  return value == "true";
}

std::int64_t read_count(const std::vector<std::string_view>& words, const Position& position) {
  double value = 0.0;
  const std::string_view text = words.size() > 1 ? words[1] : std::string_view();
  const bool good = parse_number(text, value) == NumberFault::none && value >= 1.0 && value <= 1e15;
  const auto count = good ? static_cast<std::int64_t>(value) : 0;
  if (!good || real(count) != value) {
    fail(position, "expected a positive whole number after ", words[0], ", found ", quote(text));
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
    if (!text.starts_with('@')) {
      fail({source, line.number}, "expected a line with '@' before the data of a ts file, found ",
           quote(text));
    }
    if (lower(text) == "@data") {
      if (!head.labelled) fail({source, line.number}, "expected '@classLabel' before '@data'");
      return head;
    }
    read_tag(text, {source, line.number}, head);
  }
  fail({source}, "expected '@data', found the end of the file");
}

void check_shape(const Head& head, std::int64_t channels, std::int64_t length, const Position& position) {
  if (head.univariate.value_or(false) && channels != 1) {
    fail(position, "found ", channels, " channels, '@univariate true' means one");
  }
  if (head.dimensions && channels != *head.dimensions) {
    fail(position, "found ", channels, " channels, '@dimensions' says ", *head.dimensions);
  }
  if (head.series_length && head.equal_length.value_or(true) && length != *head.series_length) {
    fail(position, "found ", length, " values, '@seriesLength' says ", *head.series_length);
  }
}

}  // namespace

Dataset parse_ts(std::string_view text, const std::string& source) {
  LineReader lines(text, '#');
  const Head head = read_ts_head(lines, source);
  Dataset data(DataKind::series, source);
  SameCount channel_count{source, " channels"};
  SameCount value_count{source, " values", ", but the file says '@equalLength true'"};
  const auto read = [&](const Line& line, SeriesBlock& block) {
    const Position position{source, line.number};
    std::vector<std::string_view> parts = split(line.text, ':');
    std::string label;
    if (*head.labelled) {
      if (parts.size() < 2) fail(position, "expected values, a colon and the label, found no colon");
      label = read_label(parts.back());
      check_label(label, head.classes, "'@classLabel'", position);
      parts.pop_back();
    }
    const std::size_t first = block.values.size();
    std::int64_t length = 0;
    for (std::int64_t c = 0; c < std::ssize(parts); ++c) {
      const std::size_t before = block.values.size();
      append_values(parts[at(c)], ',', {source, line.number, 1, c + 1}, block.values);
      const auto found = static_cast<std::int64_t>(block.values.size() - before);
      if (c == 0) length = found;
      if (found != length) {
        fail(position, "channel ", c + 1, " has ", found, " values, channel 1 has ", length);
      }
    }
    if (std::ranges::all_of(std::span(block.values).subspan(first),
                            [](double value) { return std::isnan(value); }))
      fail(position, "every value of the series is missing");
    const auto channels = std::ssize(parts);
    check_shape(head, channels, length, position);
    channel_count.check(line, channels);
    if (head.equal_length.value_or(false)) value_count.check(line, length);
    block.entries.push_back({std::move(label), channels, length});
  };
  {  // the first line says what others have to be like
    LineReader ahead = lines;
    SeriesBlock block;
    if (Line line; ahead.next(line)) read(line, block);
  }
  read_series(lines, read, data);
  if (data.size() == 0) fail({source}, "no data after '@data'");
  return data;
}

}  // namespace shapeboost::detail
