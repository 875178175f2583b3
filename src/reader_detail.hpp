// SPDX-License-Identifier: MIT
// What the readers of all formats share: lines, fields, numbers, and where in the file they stand.
// Everything points into the text, which is read once and never copied.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shapeboost/dataset.hpp"

namespace shapeboost::detail {

/// For messages; lines and columns count from 1, 0 where there is none.
struct Position {
  const std::string& source;
  std::int64_t line = 0;
  std::int64_t column = 0;
};

/// Throws InvalidInput: "train.tsv, line 3, column 7: <message>".
[[noreturn]] void fail(const Position& position, const std::string& message);
/// The same for a number that cannot be read, given what kept it from being one.
[[noreturn]] void fail_number(const Position& position, std::string_view field);

struct Line {
  std::string_view text;
  std::int64_t number = 0;
};

/// The lines that are not blank. They end with \n, \r\n or, in a file without any \n, \r.
class LineReader {
 public:
  explicit LineReader(std::string_view text);
  [[nodiscard]] bool next(Line& line);

 private:
  std::string_view rest_;
  std::int64_t number_ = 0;
  char end_;
};

/// Tab, semicolon or comma, the first of them that occurs, else a blank. Semicolons go before commas
/// because they separate where commas are decimal signs.
[[nodiscard]] char find_separator(std::string_view line);

/// The fields of a line, trimmed. Runs of blanks separate once, every other separator each time.
class FieldReader {
 public:
  FieldReader(std::string_view line, char separator);
  [[nodiscard]] bool next(std::string_view& field);

 private:
  std::string_view rest_;
  char separator_;
  bool more_ = true;
};

[[nodiscard]] std::vector<std::string_view> split(std::string_view line, char separator);

/// Anything written as a number, also NaN, infinity, one out of range, and '?' for a missing one.
[[nodiscard]] bool looks_numeric(std::string_view field);
/// The name of a column of labels.
[[nodiscard]] bool is_label_name(std::string_view field);
/// A header of words only, `label,t0,t1,...`, or one of a label and a count, `label,0,1,2,...`.
[[nodiscard]] bool is_ucr_header(const std::vector<std::string_view>& fields);
/// A header of a bag id, a label and features.
[[nodiscard]] bool is_mil_header(const std::vector<std::string_view>& fields);

/// A finite number, or a sentence about it.
[[nodiscard]] double read_number(const Position& position, std::string_view field);
/// Without quotes, one spelling for one number, empty where it is unknown.
[[nodiscard]] std::string read_label(std::string_view field);

[[nodiscard]] Dataset parse_ucr(std::string_view text, const std::string& source);
[[nodiscard]] Dataset parse_ts(std::string_view text, const std::string& source);
[[nodiscard]] Dataset parse_mil(std::string_view text, const std::string& source);

}  // namespace shapeboost::detail
