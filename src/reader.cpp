// SPDX-License-Identifier: MIT
// Which format a text is in; the readers themselves are in reader_ucr.cpp, reader_ts.cpp, reader_mil.cpp.
#include "shapeboost/reader.hpp"

#include <array>
#include <utility>

#include "reader_detail.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/file.hpp"
#include "text_detail.hpp"

namespace shapeboost {
namespace {

using detail::fail;
using detail::Line;
using detail::LineReader;
using detail::Position;

constexpr std::array<std::pair<Format, std::string_view>, 4> kFormats = {{
    {Format::automatic, "auto"},
    {Format::ucr, "ucr"},
    {Format::ts, "ts"},
    {Format::mil, "mil"},
}};

[[noreturn]] void fail_unknown(const std::string& source) {
  fail({source},
       "not in a format that can be read; expected ucr (a label, then the values of a series, on each line), "
       "ts (lines with '@', then '@data') or mil (lines of bag,label,f1,f2,...)");
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

Format detect(std::string_view text, const std::string& source) {
  LineReader lines(text);
  Line line;
  if (!lines.next(line)) fail({source}, "only blank lines");
  if (detail::lower(detail::trim(line.text)).starts_with("@relation")) fail_unknown(source);  // ARFF
  if (is_ts(text)) return Format::ts;

  const char separator = detail::find_separator(line.text);
  std::vector<std::string_view> fields = detail::split(line.text, separator);
  if (detail::is_mil_header(fields)) return Format::mil;
  if (is_mil_without_header(text, separator)) return Format::mil;
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

void check_is_text(std::string_view text, const std::string& source) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    fail({source}, "the text is in UTF-16; save it as UTF-8");
  }
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    fail({source}, "not a text file (byte " + std::to_string(nul + 1) + " is 0)");
  }
}

}  // namespace

std::string_view to_string(Format format) {
  for (const auto& [value, name] : kFormats) {
    if (value == format) return name;
  }
  return "unknown";
}

Format parse_format(std::string_view text) {
  std::string choices;
  for (const auto& [value, name] : kFormats) {
    if (name == text) return value;
    choices += (choices.empty() ? "" : ", ") + std::string(name);
  }
  throw InvalidInput("the format is " + detail::quote(text) + ", expected one of " + choices);
}

Dataset parse_dataset(std::string_view text, const std::string& source, Format format) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  if (text.empty()) fail({source}, "the file is empty");
  check_is_text(text, source);
  if (detail::trim(text).empty()) fail({source}, "only blank lines");
  if (format == Format::automatic) format = detect(text, source);
  switch (format) {
    case Format::ts: return detail::parse_ts(text, source);
    case Format::mil: return detail::parse_mil(text, source);
    default: return detail::parse_ucr(text, source);
  }
}

Dataset read_dataset(const std::string& path, Format format) {
  return parse_dataset(read_file(path), path, format);
}

}  // namespace shapeboost
