// SPDX-License-Identifier: MIT
// Which format a file is in; the readers themselves are in reader_<format>.cpp.
#include <array>
#include <filesystem>
#include <utility>

#include "data/reader_text.hpp"
#include "ground/file.hpp"
#include "ground/names.hpp"
#include "ground/text.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/files.hpp"

namespace shapeboost {
namespace {

using detail::fail;
using detail::Line;
using detail::LineReader;
using detail::Position;

constexpr Names<Format, 9> kFormats = {{
    {Format::automatic, "auto"},
    {Format::ucr, "ucr"},
    {Format::ts, "ts"},
    {Format::mil, "mil"},
    {Format::arff, "arff"},
    {Format::c45, "c45"},
    {Format::svmlight, "svmlight"},
    {Format::tab, "tab"},
    {Format::fasta, "fasta"},
}};

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
    detail::FieldReader fields(line.text, separator);
    for (const bool word : {true, true, false}) {
      std::string_view field;
      if (!fields.next(field) || field.empty() || detail::looks_numeric(detail::unquote(field)) == word)
        return false;
    }
  }
  return true;
}

// Comments, then a line with '@'. Comments alone count too: ts is the one format that has them.
bool is_ts(std::string_view text) {
  LineReader lines(text);
  for (Line line; lines.next(line);) {
    const std::string_view begin = detail::trim(line.text);
    if (!begin.starts_with('#')) return begin.starts_with('@');
  }
  return true;
}

// A header of FASTA, unless a number says that it is a label with its values.
bool is_fasta(std::string_view line) {
  if (!detail::trim(line).starts_with('>')) return false;
  const char separator = detail::find_separator(line);
  const std::vector<std::string_view> fields = detail::split(line, separator);
  return separator == ' ' || fields.size() < 2 || !detail::looks_numeric(fields[1]);
}

bool is_svmlight(std::string_view text) {
  LineReader lines(text);
  for (Line line; lines.next(line);) {
    if (!detail::trim(line.text).starts_with('#')) return detail::is_svmlight_line(line.text);
  }
  return false;
}

bool is_tab(std::string_view text) {
  LineReader lines(text);
  for (Line line; lines.next(line);) {
    const std::vector<std::string_view> fields = detail::split(line.text, '\t');
    if (fields.size() != 2 || fields[1].empty() || detail::looks_numeric(fields[1])) return false;
  }
  return true;
}

Format detect(std::string_view text, const std::string& source) {
  LineReader lines(text);
  Line line;
  if (!lines.next(line)) fail({source}, "only blank lines");
  const std::string begin = detail::lower(detail::trim(line.text));
  if (begin.starts_with('%') || begin.starts_with("@relation") || begin.starts_with("@attribute"))
    return Format::arff;
  if (is_ts(text)) return Format::ts;
  if (is_fasta(line.text)) return Format::fasta;
  if (is_svmlight(text)) return Format::svmlight;

  const char separator = detail::find_separator(line.text);
  std::vector<std::string_view> fields = detail::split(line.text, separator);
  if (detail::is_mil_header(fields)) return Format::mil;
  if (is_mil_without_header(text, separator)) return Format::mil;
  if (is_tab(text)) return Format::tab;
  if (detail::is_ucr_header(fields)) {
    if (!lines.next(line)) {
      if (separator == ' ') fail_unknown(source);  // a sentence rather than a header
      fail({source}, "only a header line and no data");
    }
    fields = detail::split(line.text, separator);
  }
  for (const std::string_view field : fields) {
    if (detail::looks_numeric(field)) return Format::ucr;
  }
  fail_unknown(source);
}

// The text of a file, unpacked where it is compressed.
std::string load_text(const std::string& path) {
  std::string text = read_file(path);
  return is_gzip(text) ? gunzip(text, path) : text;
}

void check_is_text(std::string_view text, const std::string& source) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    fail({source}, "the text is in UTF-16; save it as UTF-8");
  }
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) fail({source}, "not a text file (byte ", nul + 1, " is 0)");
}

// The text without a byte order mark, which must have something to read.
std::string_view checked(std::string_view text, const std::string& source) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.empty()) fail({source}, "the file is empty");
  check_is_text(text, source);
  if (detail::trim(text).empty()) fail({source}, "only blank lines");
  return text;
}

Dataset read_c45(const std::string& path) {
  const detail::C45Paths paths = detail::c45_paths(path);
  std::error_code none;
  for (const auto& [here, other] : {std::pair(paths.data, paths.names), std::pair(paths.names, paths.data)}) {
    if (std::filesystem::exists(here, none) && !std::filesystem::exists(other, none)) {
      fail({here}, "c45 data needs the file ", other,
           " beside it, which does not exist; for data in another "
           "format, say which");
    }
  }
  const std::string names = load_text(paths.names);
  const std::string data = load_text(paths.data);
  return detail::parse_c45(checked(data, paths.data), paths.data, checked(names, paths.names), paths.names);
}

}  // namespace

std::vector<Format> all_formats() {
  std::vector<Format> formats;
  formats.reserve(kFormats.size());
  for (const auto& [format, name] : kFormats) formats.push_back(format);
  return formats;
}

std::string_view to_string(Format value) { return name_of(kFormats, value); }

template <>
Format parse<Format>(std::string_view text) {
  return choice_of(kFormats, "format", text);
}

std::vector<std::string> files_of(const std::string& path, Format format) {
  if (format == Format::automatic) format = detail::format_by_ending(path);
  if (format != Format::c45) return {path};
  const detail::C45Paths paths = detail::c45_paths(path);
  return {paths.data, paths.names};
}

Dataset parse_dataset(std::string_view text, const std::string& source, Format format) {
  text = checked(text, source);
  if (format == Format::automatic) format = detect(text, source);
  switch (format) {
    case Format::ts: return detail::parse_ts(text, source);
    case Format::mil: return detail::parse_mil(text, source);
    case Format::arff: return detail::parse_arff(text, source);
    case Format::c45: fail({source}, "c45 data lies in two files, which one text cannot hold");
    case Format::svmlight: return detail::parse_svmlight(text, source);
    case Format::tab: return detail::parse_tab(text, source);
    case Format::fasta: return detail::parse_fasta(text, source);
    default: return detail::parse_ucr(text, source);
  }
}

Dataset read_dataset(const std::string& path, Format format) {
  if (format == Format::automatic) format = detail::format_by_ending(path);
  if (format == Format::c45) return read_c45(path);
  return parse_dataset(load_text(path), path, format);
}

}  // namespace shapeboost
