// SPDX-License-Identifier: MIT
// Which format a text is in: see shapeboost/files.hpp.
#include <algorithm>

#include "data/reader.hpp"

namespace shapeboost::detail {
namespace {

[[noreturn]] void fail_unknown(const std::string& source) {
  fail({source},
       "not in a format that can be read; expected ucr (a label, then the values of a series, on each line), "
       "ts (lines with '@', then '@data'), mil (lines of bag,label,f1,f2,...), arff, svmlight, "
       "tab (a label, a tab, a sequence) or fasta");
}

// Bags without a header can be told from series only where labels are words: a series has a number there.
bool is_mil_without_header(std::string_view text, char separator) {
  LineReader lines(text);
  for (Line line; lines.next(line);) {
    FieldReader fields(line.text, separator);
    for (const bool word : {true, true, false}) {
      std::string_view field;
      if (!fields.next(field) || field.empty() || looks_numeric(unquote(field)) == word) return false;
    }
  }
  return true;
}

// Comments, then a line with '@'. Comments alone count too: ts is the one format that has them.
bool is_ts(std::string_view text) {
  LineReader lines(text, '#');
  Line line;
  return !lines.next(line) || trim(line.text).starts_with('@');
}

// A header of FASTA, unless a number says that it is a label with its values.
bool is_fasta(std::string_view line) {
  if (!trim(line).starts_with('>')) return false;
  const char separator = find_separator(line);
  const std::vector<std::string_view> fields = split(line, separator);
  return separator == ' ' || fields.size() < 2 || !looks_numeric(fields[1]);
}

bool is_svmlight(std::string_view text) {
  LineReader lines(text, '#');
  Line line;
  return lines.next(line) && is_svmlight_line(line.text);
}

bool is_tab(std::string_view text) {
  LineReader lines(text);
  for (Line line; lines.next(line);) {
    const std::vector<std::string_view> fields = split(line.text, '\t');
    if (fields.size() != 2 || fields[1].empty() || looks_numeric(fields[1])) return false;
  }
  return true;
}

}  // namespace

Format format_of(std::string_view text, const std::string& source) {
  LineReader lines(text);
  Line line;
  if (!lines.next(line)) fail({source}, "only blank lines");
  const std::string begin = lower(trim(line.text));
  if (begin.starts_with('%') || begin.starts_with("@relation") || begin.starts_with("@attribute"))
    return Format::arff;
  if (is_ts(text)) return Format::ts;
  if (is_fasta(line.text)) return Format::fasta;
  if (is_svmlight(text)) return Format::svmlight;

  const char separator = find_separator(line.text);
  std::vector<std::string_view> fields = split(line.text, separator);
  if (is_mil_header(fields)) return Format::mil;
  if (is_mil_without_header(text, separator)) return Format::mil;
  if (is_tab(text)) return Format::tab;
  if (is_ucr_header(fields)) {
    if (!lines.next(line)) {
      if (separator == ' ') fail_unknown(source);  // a sentence rather than a header
      fail({source}, "only a header line and no data");
    }
    fields = split(line.text, separator);
  }
  if (std::ranges::none_of(fields, looks_numeric)) fail_unknown(source);
  return Format::ucr;
}

}  // namespace shapeboost::detail
