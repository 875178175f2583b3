// SPDX-License-Identifier: MIT
#include "data/reader.hpp"

#include <algorithm>
#include <charconv>
#include <exception>

#include "ground/file.hpp"
#include "ground/parallel.hpp"

namespace shapeboost::detail {
namespace {

// For a number that cannot be read: what kept it from being one.
[[noreturn]] void fail_number(const Position& position, std::string_view field) {
  double value = 0.0;
  if (field.empty()) fail(position, "expected a finite number, found an empty field");
  if (parse_number(field, value) == NumberFault::too_large) {
    fail(position, "the number ", quote(field), " is out of range (at most 1.8e308)");
  }
  std::string message = "expected a finite number, found " + quote(field);
  std::string pointed(field);
  std::ranges::replace(pointed, ',', '.');
  if (pointed != field && parse_number(pointed, value) == NumberFault::none) {
    message += "; write decimals with a point";
  }
  fail(position, message);
}

constexpr std::int64_t kWork = 4;  // operations that a character of a line stands for, as numbers are read

// How the formats write that there is no value.
bool is_missing(std::string_view field) {
  return field.empty() || field == "?" || (field.size() == 3 && lower(field) == "nan");
}

}  // namespace

void fail_with(const Position& position, const std::string& message) {
  std::string where = position.source;
  if (position.line > 0) where += concat(", line ", position.line);
  if (position.channel > 0) where += concat(", channel ", position.channel);
  if (position.column > 0) where += concat(position.channel > 0 ? ", value " : ", column ", position.column);
  throw InvalidInput(where + ": " + message);
}

void SameCount::check(const Line& line, std::int64_t found) {
  if (first_line == 0) {
    first_line = line.number;
    expected = found;
  }
  if (found == expected) return;
  fail({source}, "line ", line.number, " has ", found, noun, ", line ", first_line, " has ", expected,
       advice);
}

LineReader::LineReader(std::string_view text, char comment)
    : rest_(text), comment_(comment), end_(text.find('\n') == std::string_view::npos ? '\r' : '\n') {}

bool LineReader::next(Line& line) {
  while (!rest_.empty()) {
    const std::size_t length = std::min(rest_.find(end_), rest_.size());
    line.text = rest_.substr(0, length);
    meter_.add(kWork * static_cast<std::int64_t>(length + 1));
    line.number = ++number_;
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    if (line.text.ends_with('\r')) line.text.remove_suffix(1);
    if (line.text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (comment_ == '\0' || !trim(line.text).starts_with(comment_)) return true;
  }
  return false;
}

std::vector<LineReader> LineReader::cut(std::size_t bytes) const {
  std::vector<LineReader> parts;
  LineReader left = *this;
  while (!left.rest_.empty()) {
    const std::size_t stop = left.rest_.find(end_, std::min(bytes, left.rest_.size()));
    const std::size_t length = stop == std::string_view::npos ? left.rest_.size() : stop + 1;
    LineReader part = left;
    part.rest_ = left.rest_.substr(0, length);
    left.rest_.remove_prefix(length);
    left.meter_.add(static_cast<std::int64_t>(length));
    left.number_ += std::ranges::count(part.rest_, end_);
    parts.push_back(part);
  }
  return parts;
}

void read_series(const LineReader& lines, const std::function<void(const Line&, SeriesBlock&)>& read,
                 Dataset& data) {
  constexpr std::size_t kBytes = std::size_t{1} << 21U;  // of a block
  const std::vector<LineReader> parts = lines.cut(kBytes);
  ThreadPool threads(parts.size() > 1 ? 0 : 1);
  // So many at a time, that the text is never held as numbers twice.
  const std::size_t wave = 2 * static_cast<std::size_t>(threads.threads());
  for (std::size_t begin = 0; begin < parts.size(); begin += wave) {
    std::vector<SeriesBlock> blocks(std::min(wave, parts.size() - begin));
    std::vector<std::exception_ptr> faults(blocks.size());
    const auto read_block = [&](std::int64_t k) {
      try {
        LineReader own = parts[begin + at(k)];
        for (Line line; own.next(line);) read(line, blocks[at(k)]);
      } catch (...) {
        faults[at(k)] = std::current_exception();
      }
    };
    if (parts.size() == 1) {
      read_block(0);  // a small file does not ask whether to stop
    } else {
      threads.run(std::ssize(blocks), read_block);
    }
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      if (faults[k]) std::rethrow_exception(faults[k]);
      const double* values = blocks[k].values.data();
      for (const SeriesBlock::Entry& entry : blocks[k].entries) {
        data.add(ArrayView(values, entry.channels, entry.length), entry.label,
                 std::to_string(data.size() + 1));
        values += entry.channels * entry.length;
      }
    }
  }
}

char find_separator(std::string_view line) {
  for (const char candidate : {'\t', ';', ','}) {
    if (line.find(candidate) != std::string_view::npos) return candidate;
  }
  return ' ';
}

FieldReader::FieldReader(std::string_view line, char separator)
    : rest_(separator == ' ' ? trim(line) : line), separator_(separator) {}

bool FieldReader::next(std::string_view& field) {
  if (!more_) return false;
  const std::size_t length = rest_.find(separator_);
  if (length == std::string_view::npos) {
    field = trim(rest_);
    more_ = false;
    return true;
  }
  field = trim(rest_.substr(0, length));
  rest_.remove_prefix(length + 1);
  if (separator_ == ' ') {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  return true;
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  FieldReader reader(line, separator);
  for (std::string_view field; reader.next(field);) fields.push_back(field);
  return fields;
}

bool looks_numeric(std::string_view field) {
  double value = 0.0;
  return field == "?" || parse_number(field, value) != NumberFault::not_a_number;
}

bool is_label_name(std::string_view field) {
  const std::string name = lower(unquote(field));
  return name == "label" || name == "class" || name == "target";
}

bool is_ucr_header(const std::vector<std::string_view>& fields) {
  if (fields.size() < 2 || looks_numeric(fields[0])) return false;
  const auto is_word = [](std::string_view field) {
    return !unquote(field).empty() && !looks_numeric(unquote(field));
  };
  if (std::all_of(fields.begin() + 1, fields.end(), is_word)) return true;
  if (!is_label_name(fields[0])) return false;
  // A count from 0 or 1: what data frames write where columns have no names.
  double first = 0.0;
  if (parse_number(unquote(fields[1]), first) != NumberFault::none || (first != 0.0 && first != 1.0))
    return false;
  for (std::size_t k = 2; k < fields.size(); ++k) {
    double value = 0.0;
    if (parse_number(unquote(fields[k]), value) != NumberFault::none) return false;
    if (value != first + real(k - 1)) return false;
  }
  return true;
}

bool is_mil_header(const std::vector<std::string_view>& fields) {
  if (fields.size() < 2) return false;
  const std::string first = lower(unquote(fields[0]));
  const std::string_view second = unquote(fields[1]);
  if (first.empty() || is_label_name(first) || looks_numeric(first) || second.empty() ||
      looks_numeric(second)) {
    return false;
  }
  if (fields.size() > 2 && first.starts_with("bag") && !is_label_name(second)) {
    // A bag called bag7 with a label in words is data, not a header.
    double value = 0.0;
    return parse_number(unquote(fields[2]), value) != NumberFault::none;
  }
  return first.starts_with("bag") || is_label_name(second);
}

char skip_header(LineReader& lines, const std::string& source,
                 void (*check)(const std::vector<std::string_view>& fields, const Position& position)) {
  LineReader ahead = lines;
  Line line;
  bool more = ahead.next(line);
  const char separator = find_separator(line.text);
  if (const auto fields = split(line.text, separator); is_ucr_header(fields) || is_mil_header(fields)) {
    check(fields, {source, line.number});
    lines = ahead;
    more = ahead.next(line);
  }
  if (!more) fail({source}, "only a header line and no data");
  return separator;
}

double read_number(const Position& position, std::string_view field) {
  double value = 0.0;
  if (parse_number(field, value) != NumberFault::none) fail_number(position, field);
  return value;
}

double read_value(const Position& position, std::string_view field) {
  double value = 0.0;
  if (parse_number(field, value) == NumberFault::none) return value;
  if (!is_missing(field)) fail_number(position, field);
  return std::numeric_limits<double>::quiet_NaN();
}

void append_values(std::string_view line, char separator, Position position, std::vector<double>& values) {
  if (separator == ' ') line = trim(line);
  const char* place = line.data();
  const char* const end = place + line.size();
  const auto blanks = [end](const char* from) {
    while (from != end && *from == ' ') ++from;
    return from;
  };
  constexpr std::size_t kMany = std::size_t{1} << 18U;  // of one line
  for (;; ++position.column) {
    if ((values.size() + 1) % kMany == 0) check_stop();
    // Nearly always a number and a separator: what is anything else is looked at as a field.
    double value = 0.0;
    const auto [behind, error] = std::from_chars(blanks(place), end, value);
    const char* const stop = separator == ' ' ? behind : blanks(behind);
    if (error == std::errc() && std::isfinite(value) && (stop == end || *stop == separator)) {
      place = stop;
    } else {
      const char* const next = std::find(place, end, separator);
      value = read_value(position, trim({place, static_cast<std::size_t>(next - place)}));
      place = next;
    }
    values.push_back(value);
    if (place == end) return;
    ++place;
    if (separator == ' ') place = blanks(place);
  }
}

std::int64_t unpadded_length(std::span<const double> values, std::int64_t rows) {
  const std::int64_t columns = std::ssize(values) / rows;
  std::int64_t length = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t t = columns; t > length; --t) {
      if (!std::isnan(values[at(r * columns + t - 1)])) length = t;
    }
  }
  return length;
}

std::string read_label(std::string_view field) {
  const std::string_view text = unquote(field);
  return text == "?" ? std::string() : canonical_label(text);
}

void check_label(const std::string& label, const std::vector<std::string>& classes,
                 const std::string& listed_at, const Position& position) {
  if (label.empty() || std::ranges::find(classes, label) != classes.end()) return;
  std::string known;
  for (const std::string& name : classes) {
    const std::string shown = quote(name);  // without control characters; its quotes would be too many
    known += (known.empty() ? "" : ", ") + shown.substr(1, shown.size() - 2);
  }
  fail(position, "the label ", quote(label), " is not one of ", listed_at, ": ", known);
}

BagTable::Bag& BagTable::at(std::string_view id, const std::string& label, const Position& position) {
  const auto [entry, is_new] = index_.try_emplace(std::string(id), bags_.size());
  if (is_new) bags_.push_back({entry->first, label, position.line, {}});
  Bag& bag = bags_[entry->second];
  if (bag.label != label) {
    const auto show = [](const std::string& of) { return of.empty() ? "no label" : "label " + quote(of); };
    fail({position.source}, "bag ", quote(id), " has ", show(bag.label), " in line ", bag.line, " and ",
         show(label), " in line ", position.line);
  }
  return bag;
}

Dataset BagTable::to_dataset(std::int64_t features, const std::string& source) const {
  Dataset data(DataKind::bags, source);
  StopMeter meter;
  for (const Bag& bag : bags_) {
    meter.add(std::ssize(bag.values));
    data.add(ArrayView(bag.values.data(), std::ssize(bag.values) / features, features), bag.label, bag.id);
  }
  return data;
}

std::string plain_name(const std::string& path) {
  std::string name = lower(path);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name;
}

std::string load_text(const std::string& path) {
  std::string text = read_file(path);
  if (is_gzip(text)) return gunzip(text, path);
  return text;
}

std::string_view checked_text(std::string_view text, const std::string& source) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.empty()) fail({source}, "the file is empty");
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    fail({source}, "the text is in UTF-16; save it as UTF-8");
  }
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) fail({source}, "not a text file (byte ", nul + 1, " is 0)");
  if (trim(text).empty()) fail({source}, "only blank lines");
  return text;
}

}  // namespace shapeboost::detail
