// SPDX-License-Identifier: MIT
// What people see: text on standard output, one progress line on a terminal, numbers and small drawings.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "learn/booster.hpp"
#include "shapeboost/files.hpp"

namespace shapeboost::cli {

/// With '?' for control characters, which names in a stranger's file may hold and a terminal would obey; but for
/// ends of lines and tabs.
[[nodiscard]] std::string harmless(std::string text);

/// To standard output, now; to a terminal harmless(). Throws InvalidInput where it cannot be written (full disk), which
/// says what file was `written` before.
void print(const std::string& text, const std::string& written = "");

/// "shapeboost: <sentence>" on standard error, harmless() and one line.
void complain(const std::string& sentence);

/// On standard error: how many examples have no window that the model looks at, and the first names.
/// Nothing where there are none.
void warn_too_short(const Dataset& data, const std::vector<std::int64_t>& uncovered);

/// The shortest text that reads back as the same number.
[[nodiscard]] std::string shortest(double value);
/// With so many decimals; "-" where there is no value.
[[nodiscard]] std::string fixed(double value, int decimals);
/// With so many digits that matter.
[[nodiscard]] std::string significant(double value, int digits);
/// 22,700
[[nodiscard]] std::string grouped(std::int64_t value);
/// "1 example", "3 examples".
[[nodiscard]] std::string counted(std::int64_t n, const std::string& noun);

/// "1.5 h", "3.2 min", "12 s".
[[nodiscard]] std::string describe_seconds(double seconds);

/// Columns filled to the width of their widest cell, two blanks between them; columns whose letter in `align`
/// is 'r' flush right. Widths count characters, not bytes.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& rows, const std::string& align,
                                  const std::string& indent = "");

/// Characters of a drawing in a table.
inline constexpr std::size_t kDrawing = 24;

/// The curve of `values` in at most `width` characters: block characters where the terminal knows them.
[[nodiscard]] std::string sparkline(const std::vector<double>& values, std::size_t width);

/// Seconds since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// One line on standard error that is written over and over, and goes away at the end.
class Progress {
 public:
  /// Shows nothing unless `wanted` and standard error is a terminal.
  explicit Progress(bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// How many members, and binary problems of each, are to come.
  void expect(std::int64_t members, std::int64_t parts);

  void show(const std::string& line);
  /// A round of boosting; a few times a second at most.
  void show(const RoundRecord& record);
  void clear();

 private:
  bool active_;
  Stopwatch clock_;
  double next_ = 0.0;
  std::int64_t members_ = 1;
  std::int64_t parts_ = 1;
  std::int64_t furthest_ = 0;  // problem begun: several run side by side
};

/// A file and the option that names it.
struct NamedFile {
  std::string path;
  std::string name;
};

/// Without those whose path is empty.
[[nodiscard]] std::vector<NamedFile> given_of(std::vector<NamedFile> files);

/// Those that a data set is read from: two in the c45 format.
[[nodiscard]] std::vector<NamedFile> data_files(const std::string& path, Format format,
                                                const std::string& name);

/// Throws InvalidInput where the two name one file: writing would destroy it.
void refuse_same_file(const NamedFile& kept, const NamedFile& written);

/// Throws InvalidInput, before work is spent, where an output would replace an input (whose path may be empty)
/// or another output, or cannot be written.
void check_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

/// Throws InvalidInput where `path` cannot be written, before work is spent on what it should hold.
void check_writable(const std::string& path);

}  // namespace shapeboost::cli
