// SPDX-License-Identifier: MIT
// What the readers of all formats share: lines, fields, numbers, and where in the file they stand.
// Everything points into the text, which is read once and never copied.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"
#include "ground/text.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/files.hpp"

namespace shapeboost::detail {

/// For messages; lines and columns count from 1, 0 where there is none.
struct Position {
  const std::string& source;
  std::int64_t line = 0;
  std::int64_t column = 0;
  std::int64_t channel = 0;  ///< where there is one, the column is a value's place in it

  /// The same line, column k counted from 0.
  [[nodiscard]] Position in_column(std::int64_t k) const { return {source, line, k + 1, channel}; }
};

/// Throws InvalidInput: "train.tsv, line 3, column 7: <message>".
[[noreturn]] void fail_with(const Position& position, const std::string& message);
template <typename... Parts>
[[noreturn]] void fail(const Position& position, const Parts&... message) {
  fail_with(position, concat(message...));
}
struct Line {
  std::string_view text;
  std::int64_t number = 0;
};

/// The lines that are neither blank nor begin with the sign of a comment. They end with \n, \r\n or, in a file
/// without any \n, \r. Whoever reads them asks now and then whether to stop (stop.hpp).
class LineReader {
 public:
  explicit LineReader(std::string_view text, char comment = '\0');
  [[nodiscard]] bool next(Line& line);
  /// The same lines, cut into readers of about so many bytes each.
  [[nodiscard]] std::vector<LineReader> cut(std::size_t bytes) const;

 private:
  std::string_view rest_;
  std::int64_t number_ = 0;
  char comment_;
  char end_;
  StopMeter meter_;
};

/// That every line has as many of something as the first: throws "line 3 has 5 values, line 1 has 4" else.
struct SameCount {
  const std::string& source;
  std::string noun;
  std::string advice{};
  std::int64_t first_line = 0;
  std::int64_t expected = 0;

  void check(const Line& line, std::int64_t found);
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

/// Some series, one behind the other.
struct SeriesBlock {
  struct Entry {
    std::string label;
    std::int64_t channels;
    std::int64_t length;
  };
  std::vector<Entry> entries;
  std::vector<double> values;
};
/// One series a line, as `read` appends it to a block; a large text by several threads. What is wrong first in the text is
/// what is thrown. They are numbered in their order.
void read_series(const LineReader& lines, const std::function<void(const Line&, SeriesBlock&)>& read,
                 Dataset& data);

/// Anything written as a number, also NaN, infinity, one out of range, and '?' for a missing one.
[[nodiscard]] bool looks_numeric(std::string_view field);
/// The name of a column of labels.
[[nodiscard]] bool is_label_name(std::string_view field);
/// A header of words only, `label,t0,t1,...`, or one of a label and a count, `label,0,1,2,...`.
[[nodiscard]] bool is_ucr_header(const std::vector<std::string_view>& fields);
/// A header of a bag id, a label and features.
[[nodiscard]] bool is_mil_header(const std::vector<std::string_view>& fields);

/// Reads a header of either kind, where there is one and `check` lets it pass. Returns the fields' separator; throws
/// where no line follows.
[[nodiscard]] char skip_header(LineReader& lines, const std::string& source,
                               void (*check)(const std::vector<std::string_view>& fields,
                                             const Position& position));

/// A finite number, or a sentence about it.
[[nodiscard]] double read_number(const Position& position, std::string_view field);
/// A finite number, or NaN where the value is missing (nothing, '?' or NaN), or a sentence.
[[nodiscard]] double read_value(const Position& position, std::string_view field);
/// Appends the values of a line's fields, as FieldReader and read_value() have them; `position` is that of the first.
void append_values(std::string_view line, char separator, Position position, std::vector<double>& values);
/// The columns of a row-major block that stay when the run of columns at the end in which every value is
/// missing goes: it only fills short series up. 0 where all are missing.
[[nodiscard]] std::int64_t unpadded_length(std::span<const double> values, std::int64_t rows);

/// Without quotes, one spelling for one number, empty where it is unknown.
[[nodiscard]] std::string read_label(std::string_view field);
/// Throws unless `label` is unknown or one of those the head of the file lists at `listed_at`.
void check_label(const std::string& label, const std::vector<std::string>& classes,
                 const std::string& listed_at, const Position& position);

/// Bags from instances that come one a line. Lines of one bag need not be neighbours, but must agree about
/// its label.
class BagTable {
 public:
  struct Bag {
    std::string id;
    std::string label;
    std::int64_t line;  // where the label was first read
    std::vector<double> values;
    std::vector<std::size_t> rows{};  // where instances are held elsewhere: their numbers
  };
  /// The bag of an instance, begun where it is new. Valid until the next call.
  [[nodiscard]] Bag& at(std::string_view id, const std::string& label, const Position& position);
  /// In the order of their first lines.
  [[nodiscard]] const std::vector<Bag>& all() const { return bags_; }
  /// The same, as data with so many features.
  [[nodiscard]] Dataset to_dataset(std::int64_t features, const std::string& source) const;

 private:
  std::vector<Bag> bags_;
  std::unordered_map<std::string, std::size_t> index_;
};

/// The two files of a C4.5 data set, whichever of them is named; either may be compressed.
struct C45Paths {
  std::string data;
  std::string names;
};
[[nodiscard]] C45Paths c45_paths(const std::string& path);

/// `path` in small letters and without the ending .gz.
[[nodiscard]] std::string plain_name(const std::string& path);
/// The text of a file, unpacked where it is compressed.
[[nodiscard]] std::string load_text(const std::string& path);
/// The text without a byte order mark. Throws where it has nothing to read, or is no text.
[[nodiscard]] std::string_view checked_text(std::string_view text, const std::string& source);
/// The format by the content alone.
[[nodiscard]] Format format_of(std::string_view text, const std::string& source);

[[nodiscard]] Dataset parse_ucr(std::string_view text, const std::string& source);
/// An array of NumPy's in a file, and where its labels are, if there are any.
[[nodiscard]] Dataset read_npy(const std::string& path);
[[nodiscard]] std::string npy_labels_path(const std::string& path);
[[nodiscard]] Dataset parse_ts(std::string_view text, const std::string& source);
[[nodiscard]] Dataset parse_mil(std::string_view text, const std::string& source);
[[nodiscard]] Dataset parse_arff(std::string_view text, const std::string& source);
[[nodiscard]] Dataset parse_c45(std::string_view data, const std::string& data_source, std::string_view names,
                                const std::string& names_source);
[[nodiscard]] Dataset parse_svmlight(std::string_view text, const std::string& source);
[[nodiscard]] Dataset parse_tab(std::string_view text, const std::string& source);
[[nodiscard]] Dataset parse_fasta(std::string_view text, const std::string& source);

/// `label 1:0.5 7:2` or the same with qid: behind the label.
[[nodiscard]] bool is_svmlight_line(std::string_view line);
/// A header `label<TAB>sequence`, in these or like words.
[[nodiscard]] bool is_tab_header(const std::vector<std::string_view>& fields);

}  // namespace shapeboost::detail
