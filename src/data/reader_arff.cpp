// SPDX-License-Identifier: MIT
// Weka's ARFF. Three layouts are read, told apart by the attributes:
//  - numeric attributes and a class: each row a series of one channel;
//  - an id, a relational attribute and a class (Weka's multi-instance layout): each row a bag, whose instances
//    are the lines of the relational value;
//  - a relational attribute and a class (as aeon and sktime write): each row a series, whose channels are the
//    lines of the relational value.
//
// The class is the nominal attribute called class, label or target, else any attribute called so, else the
// last one, unless that is a number. Missing values at the end of a series fill it up, as in ucr.
#include <algorithm>
#include <utility>

#include "data/reader.hpp"
#include "ground/matrix.hpp"

namespace shapeboost::detail {
namespace {

enum class Type { numeric, nominal, relational, other };

struct Attribute {
  std::string name;
  Type type = Type::numeric;
  std::string declared;               // the type's own word, for messages
  std::vector<std::string> values{};  // of a nominal one, as labels
  std::vector<Attribute> inner{};     // of a relational one
};

struct Token {
  std::string_view text;  // between the quotes, escapes as written
  bool quoted = false;
  bool absent = false;  // left out of a sparse row: the attribute's zero
};

// \n, \t, \r and, for every other sign, the sign itself.
std::string unescape(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '\\' || k + 1 == text.size()) {
      result += text[k];
      continue;
    }
    const char next = text[++k];
    result += next == 'n' ? '\n' : next == 't' ? '\t' : next == 'r' ? '\r' : next;
  }
  return result;
}

// The word at the beginning of `rest`, which then begins behind it. Unquoted words end before one of `stops`.
Token take_word(std::string_view& rest, std::string_view stops, const Position& position) {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  if (!rest.starts_with('\'') && !rest.starts_with('"')) {
    const std::size_t end = std::min(rest.find_first_of(stops), rest.size());
    const Token token{trim(rest.substr(0, end))};
    rest.remove_prefix(end);
    return token;
  }
  const char quote_sign = rest.front();
  std::size_t end = 1;
  while (end < rest.size() && rest[end] != quote_sign) end += rest[end] == '\\' ? 2 : 1;
  if (end >= rest.size()) fail(position, "a quote is opened but not closed");
  const Token token{rest.substr(1, end - 1), true};
  rest.remove_prefix(end + 1);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  return token;
}

// Whether `rest` goes on behind a comma; throws where something else follows.
bool take_comma(std::string_view& rest, const Position& position) {
  if (rest.empty()) return false;
  if (rest.front() != ',') fail(position, "expected a comma, found ", quote(rest));
  rest.remove_prefix(1);
  return true;
}

constexpr std::size_t kNumbersPerByte = 100;
constexpr std::size_t kManyNumbers = std::size_t{1} << 22U;  // 32 MiB, which any file may fill

// The values of a row of `count` attributes, written one after the other or as {place value, ...}.
void read_row(std::string_view text, std::size_t count, const Position& position, std::vector<Token>& row) {
  row.clear();
  std::string_view rest = trim(text);
  if (!rest.starts_with('{')) {
    do {
      row.push_back(take_word(rest, ",", position));
    } while (take_comma(rest, position));
    if (row.size() != count) fail(position, "found ", row.size(), " values, expected ", count);
    return;
  }
  if (!rest.ends_with('}')) fail(position, "a sparse row begins with '{' but does not end with '}'");
  rest = trim(rest.substr(1, rest.size() - 2));
  row.assign(count, {{}, false, true});
  while (!rest.empty()) {
    const std::string_view word = take_word(rest, " \t,", position).text;
    double place = -1.0;
    if (parse_number(word, place) != NumberFault::none || !(place >= 0.0 && place < real(count)) ||
        place != std::floor(place)) {
      fail(position, "expected an attribute's number from 0 to ", count - 1, ", found ", quote(word));
    }
    row[static_cast<std::size_t>(place)] = take_word(rest, ",", position);
    if (!take_comma(rest, position)) break;
  }
}

double value_of(const Token& token, const Position& position, bool may_miss) {
  if (token.absent) return 0.0;
  return may_miss ? read_value(position, token.text) : read_number(position, token.text);
}

Attribute read_attribute(std::string_view rest, const Position& position) {
  const Token name = take_word(rest, " \t{", position);
  Attribute attribute{unescape(name.text), Type::other, std::string(trim(rest))};
  if (attribute.declared.empty()) {
    fail(position, "expected a type behind the attribute ", quote(attribute.name), ", found nothing");
  }
  rest = trim(rest);
  if (rest.starts_with('{')) {
    attribute.type = Type::nominal;
    attribute.declared = "nominal";
    if (!rest.ends_with('}')) fail(position, "the values of ", quote(attribute.name), " do not end with '}'");
    rest = trim(rest.substr(1, rest.size() - 2));
    if (!rest.empty()) {
      do {
        attribute.values.push_back(canonical_label(unescape(take_word(rest, ",", position).text)));
      } while (take_comma(rest, position));
    }
    return attribute;
  }
  const std::string type = lower(rest.substr(0, rest.find_first_of(" \t")));
  if (type == "numeric" || type == "real" || type == "integer") attribute.type = Type::numeric;
  if (type == "relational") attribute.type = Type::relational;
  return attribute;
}

// Up to and including @data.
std::vector<Attribute> read_head(LineReader& lines, const std::string& source) {
  std::vector<Attribute> attributes;
  bool inside = false;  // of a relational attribute, the last one
  for (Line line; lines.next(line);) {
    const Position position{source, line.number};
    const std::string_view text = trim(line.text);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string tag = lower(text.substr(0, end));
    if (tag == "@data") {
      if (inside) fail(position, "expected ", quote("@end " + attributes.back().name), " before '@data'");
      return attributes;
    }
    if (tag == "@attribute") {
      Attribute attribute = read_attribute(text.substr(end), position);
      const bool relational = attribute.type == Type::relational;
      if (inside && relational) fail(position, "a relational attribute within another cannot be read");
      (inside ? attributes.back().inner : attributes).push_back(std::move(attribute));
      inside = inside || relational;
    } else if (tag == "@end") {
      if (!inside) fail(position, "'@end' without a relational attribute that it ends");
      inside = false;
    } else if (tag != "@relation") {
      fail(position, "expected '@attribute' or '@data', found ", quote(text));
    }
  }
  fail({source}, "expected '@data', found the end of the file");
}

std::size_t find_class(const std::vector<Attribute>& attributes, const std::string& source) {
  for (const bool only_nominal : {true, false}) {
    for (std::size_t k = 0; k < attributes.size(); ++k) {
      const bool fits =
          only_nominal ? attributes[k].type == Type::nominal : attributes[k].type != Type::relational;
      if (fits && is_label_name(attributes[k].name)) return k;
    }
  }
  if (attributes.empty()) fail({source}, "expected attributes before '@data', found none");
  const Attribute& last = attributes.back();
  if (last.type == Type::numeric || last.type == Type::relational) {
    fail({source},
         "expected a class: a nominal attribute called class, label or target, or the last one; "
         "the last, ",
         quote(last.name), ", is ", last.declared);
  }
  return attributes.size() - 1;
}

// Which attribute is what; places in the head.
struct Layout {
  std::vector<Attribute> attributes;
  std::size_t label = 0;
  std::size_t relational = 0;  // where there is one
  std::size_t id = 0;          // of a bag
  bool is_relational = false;
  bool is_bags = false;
};

void demand_numeric(const std::vector<Attribute>& attributes, std::size_t except, const std::string& source) {
  for (std::size_t k = 0; k < attributes.size(); ++k) {
    if (k == except || attributes[k].type == Type::numeric) continue;
    fail({source}, "the attribute ", quote(attributes[k].name), " is ", attributes[k].declared,
         "; only numeric features are read (numeric, real, integer)");
  }
}

Layout find_layout(std::vector<Attribute> attributes, const std::string& source) {
  Layout layout;
  layout.label = find_class(attributes, source);
  layout.attributes = std::move(attributes);
  const std::vector<Attribute>& all = layout.attributes;
  const auto found = std::ranges::find_if(all, [](const Attribute& a) { return a.type == Type::relational; });
  if (found == all.end()) {
    demand_numeric(all, layout.label, source);
    if (all.size() < 2) fail({source}, "expected numeric attributes and a class, found only a class");
    return layout;
  }
  layout.is_relational = true;
  layout.relational = at(found - all.begin());
  layout.is_bags = all.size() == 3;
  layout.id = 3 - layout.label - layout.relational;  // the places are 0, 1 and 2
  if (all.size() > 3 || (layout.is_bags && all[layout.id].type == Type::relational)) {
    fail({source},
         "expected an id, a relational attribute and a class (bags), or a relational attribute and "
         "a class (series of several channels), found ",
         all.size(), " attributes");
  }
  if (found->inner.empty()) fail({source}, "the relational attribute ", quote(found->name), " is empty");
  demand_numeric(found->inner, found->inner.size(), source);
  return layout;
}

std::string label_of(const Token& token, const Attribute& attribute, const Position& position) {
  if (token.absent) return attribute.values.empty() ? std::string() : attribute.values.front();
  if (!token.quoted && (token.text.empty() || token.text == "?")) return {};
  std::string label = canonical_label(unescape(token.text));
  if (attribute.type == Type::nominal) {
    check_label(label, attribute.values, "the attribute " + quote(attribute.name), position);
  }
  return label;
}

std::string id_of(const Token& token, const Attribute& attribute, const Position& position) {
  if (token.absent && !attribute.values.empty()) return attribute.values.front();
  if (token.text.empty() || (!token.quoted && token.text == "?")) fail(position, "the bag's id is missing");
  return unescape(token.text);
}

// The lines of a relational value behind each other; their number.
std::int64_t read_block(const Token& token, const Layout& layout, const Position& position,
                        std::vector<double>& values) {
  const std::int64_t count = std::ssize(layout.attributes[layout.relational].inner);
  const std::string block = unescape(token.text);
  const std::string where =
      concat(position.source, ", line ", position.line, (layout.is_bags ? ", instance " : ", channel "));
  std::vector<Token> row;
  std::int64_t rows = 0;
  if (token.absent || (!token.quoted && token.text == "?")) return 0;
  LineReader lines(block);
  for (Line line; lines.next(line);) {
    const std::string source = concat(where, ++rows);
    read_row(line.text, at(count), {source}, row);
    for (std::int64_t k = 0; k < count; ++k) {
      values.push_back(value_of(row[at(k)], Position{source}.in_column(k), !layout.is_bags));
    }
  }
  return rows;
}

}  // namespace

Dataset parse_arff(std::string_view text, const std::string& source) {
  LineReader lines(text, '%');
  const Layout layout = find_layout(read_head(lines, source), source);
  Dataset data(layout.is_bags ? DataKind::bags : DataKind::series, source);
  std::vector<Token> row;
  std::vector<double> values;
  // Sparse rows are held in full: a short file must not stand for more numbers than memory holds.
  const std::size_t most = std::max(kManyNumbers, kNumbersPerByte * text.size());
  std::size_t numbers = 0;
  for (Line line; lines.next(line);) {
    const Position position{source, line.number};
    read_row(line.text, layout.attributes.size(), position, row);
    const std::string label = label_of(row[layout.label], layout.attributes[layout.label], position);
    values.clear();
    std::int64_t rows = 1;
    if (layout.is_relational) {
      rows = read_block(row[layout.relational], layout, position, values);
      if (rows == 0) fail(position, "the relational value is empty");
    } else {
      for (std::int64_t k = 0; k < std::ssize(row); ++k) {
        if (at(k) == layout.label) continue;
        values.push_back(value_of(row[at(k)], position.in_column(k), true));
      }
    }
    numbers += values.size();
    if (numbers > most) {
      fail(position, "the rows up to here stand for more than ", most,
           " numbers, too many for a file of this size");
    }
    const std::int64_t columns = std::ssize(values) / rows;
    const std::int64_t kept = layout.is_bags ? columns : unpadded_length(values, rows);
    if (kept == 0) fail(position, "every value of the series is missing");
    if (!layout.is_bags && data.size() > 0 && rows != data.width()) {
      fail(position, "found ", rows, " channels, the first series has ", data.width());
    }
    const MatrixView all(values.data(), rows, columns);
    data.add(viewed(all.leftCols(kept)), label,
             layout.is_bags ? id_of(row[layout.id], layout.attributes[layout.id], position)
                            : std::to_string(data.size() + 1));
  }
  if (data.size() == 0) fail({source}, "no data after '@data'");
  return data;
}

}  // namespace shapeboost::detail
