// SPDX-License-Identifier: MIT
// Data as text, one function a format. What each can hold is checked before anything is written.
#include "data/writer.hpp"

#include <algorithm>
#include <unordered_set>

#include "data/reader.hpp"
#include "ground/matrix.hpp"

namespace shapeboost::detail {
namespace {

// "bag 'b7'", "series '3'", "sequence '3'".
std::string called(const Dataset& data, std::int64_t i) {
  const char* const noun = data.kind() == DataKind::bags     ? "bag "
                           : data.kind() == DataKind::series ? "series "
                                                             : "sequence ";
  return noun + quote(data.name(i));
}

// Throws unless the data are of this kind.
void demand_kind(const Dataset& data, DataKind kind, std::string_view format, const std::string& path) {
  if (data.kind() == kind) return;
  refuse(path, "the ", format, " format is for ", to_string(kind), ", the data are ", to_string(data.kind()));
}

// Whether a word comes back from a reader that splits at `signs`: everything the readers would trim,
// unquote, skip or take for the first line of another format is out of the question too.
bool reads_back(std::string_view word, std::string_view signs) {
  return word == trim(word) && word.find_first_of(signs) == std::string_view::npos &&
         word.find_first_of("\n\r\"") == std::string_view::npos &&
         word.find('\0') == std::string_view::npos && word != "?" && word.find_first_of("@#%") != 0;
}

// Throws where a label would not read back.
void demand_reads_back(const std::string& label, std::string_view signs, const std::string& path) {
  if (reads_back(label, signs)) return;
  refuse(path, "the label ", quote(label), " cannot be told from the format's own signs");
}

// The label of example i, or `unknown`. Throws where it would not read back.
std::string label_of(const Dataset& data, std::int64_t i, std::string_view signs, const std::string& unknown,
                     const std::string& path) {
  if (data.label(i) == kUnlabelled) return unknown;
  const std::string& label = data.classes()[at(data.label(i))];
  demand_reads_back(label, signs, path);
  return label;
}

// The name of bag i. Throws where it would not read back.
std::string bag_name(const Dataset& data, std::int64_t i, std::string_view signs, const std::string& path) {
  const std::string& name = data.name(i);
  if (name.empty() || !reads_back(name, signs)) {
    refuse(path, "the bag name ", quote(name), " is empty or cannot be told from the format's own signs");
  }
  return name;
}

// Throws where two bags share a name: their instances would become one bag.
void demand_distinct_names(const Dataset& data, const std::string& path) {
  std::unordered_set<std::string> names;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (!names.insert(data.name(i)).second) refuse(path, "two bags are called ", quote(data.name(i)));
  }
}

// Appends one value of example i, `missing` for NaN; throws where it is infinite, and for NaN where
// `missing` is empty.
void append_value(std::string& out, const Dataset& data, std::int64_t i, Eigen::Index row,
                  Eigen::Index column, std::string_view missing, const std::string& path) {
  const double value = data.number(i, row, column);
  if (std::isnan(value) && !missing.empty()) {
    out += missing;
    return;
  }
  if (!std::isfinite(value)) {
    refuse(path, called(data, i), " has a value that is ", (std::isnan(value) ? "missing" : "not finite"),
           ", row ", row + 1, ", column ", column + 1);
  }
  append_number(out, value);
}

// Appends row `row` of example i, its values separated by a sign and filled up to `length` with `missing`.
void append_row(std::string& out, const Dataset& data, std::int64_t i, std::int64_t row, char separator,
                std::string_view missing, const std::string& path, std::int64_t length = 0) {
  const std::int64_t known = data.kind() == DataKind::bags ? data.width() : data.values(i).cols();
  for (std::int64_t t = 0; t < std::max(known, length); ++t) {
    if (t > 0) out += separator;
    if (t < known) {
      append_value(out, data, i, row, t, missing, path);
    } else {
      out += missing;
    }
  }
}

// Throws where the last time step of a series is missing in every channel: the readers of formats that fill
// short series up would drop it.
void demand_no_open_end(const Dataset& data, std::string_view format, const std::string& path) {
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const MatrixView values = mapped(data.values(i));
    if (!values.rightCols(1).array().isNaN().all()) continue;
    refuse(path, called(data, i), " ends with a missing value, which the ", format,
           " format takes for the end of the series; the ts format holds it");
  }
}

constexpr std::string_view kC45Signs = ",:|\t";

// A dot at the end of a word ends a statement of C4.5.
void demand_no_dot(const std::string& word, const std::string& path) {
  if (word.ends_with('.')) refuse(path, quote(word), " ends with a dot, which the c45 format would drop");
}

// Whether every name is another whole number, as a qid must be.
bool names_are_qids(const Dataset& data) {
  std::unordered_set<std::string> names;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const std::string& name = data.name(i);
    const bool whole = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
    if (!whole || !names.insert(name).second) return false;
  }
  return true;
}

bool is_blank_or_control(char symbol) { return static_cast<unsigned char>(symbol) <= 0x20U; }

// In single quotes, with escapes, unless it is a plain word.
std::string arff_word(std::string_view word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string result = "'";
  for (const char sign : word) {
    if (sign == '\'' || sign == '"' || sign == '\\' || sign == '%') result += '\\';
    if (sign == '\n' || sign == '\t' || sign == '\r') {
      result += sign == '\n' ? "\\n" : sign == '\t' ? "\\t" : "\\r";
    } else {
      result += sign;
    }
  }
  return result + '\'';
}

std::string checked_word(const std::string& word, const std::string& path) {
  if (word.find('\0') != std::string::npos) refuse(path, "a zero byte stands in ", quote(word));
  return arff_word(word);
}

void append_attributes(std::string& text, char letter, std::int64_t count) {
  for (std::int64_t k = 1; k <= count; ++k) text += "@attribute " + (concat(letter, k)) + " numeric\n";
}

}  // namespace

// --------------------------------------------------------------------------------------------------- series

// The label, then the values, separated by commas in a .csv and by tabs elsewhere. Short series are filled up
// with NaN.
std::string ucr_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::series, "ucr", path);
  if (data.width() != 1) refuse(path, "the ucr format is for one channel, the data have ", data.width());
  demand_no_open_end(data, "ucr", path);
  const bool commas = plain_name(path).ends_with(".csv");
  const char separator = commas ? ',' : '\t';
  std::string text;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    text += label_of(data, i, commas ? ",;\t" : ",\t", "", path) + separator;
    append_row(text, data, i, 0, separator, "NaN", path, data.max_length());
    if (i == 0 && is_ucr_header(split(text, separator)))
      refuse(path, "the first line, ", quote(text), ", would be taken for a header");
    text += '\n';
  }
  return text;
}

// The head says what can be said; the name of the problem is one that every reader asks for.
std::string ts_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::series, "ts", path);
  constexpr std::string_view kSigns = ": \t";
  const auto yes = [](bool value) { return value ? "true\n" : "false\n"; };
  const bool equal = data.min_length() == data.max_length();
  std::string text = "@problemName data\n@timeStamps false\n@missing ";
  text += yes(data.has_missing());
  text += std::string("@univariate ") + yes(data.width() == 1);
  if (data.width() > 1) text += concat("@dimensions ", data.width(), '\n');
  text += std::string("@equalLength ") + yes(equal);
  if (equal) text += concat("@seriesLength ", data.max_length(), '\n');
  text += data.classes().empty() ? "@classLabel false" : "@classLabel true";
  for (const std::string& label : data.classes()) {
    demand_reads_back(label, kSigns, path);
    text += ' ' + label;
  }
  text += "\n@data\n";
  for (std::int64_t i = 0; i < data.size(); ++i) {
    for (std::int64_t c = 0; c < data.width(); ++c) {
      if (c > 0) text += ':';
      append_row(text, data, i, c, ',', "?", path);
    }
    if (!data.classes().empty()) text += ':' + label_of(data, i, kSigns, "?", path);
    text += '\n';
  }
  return text;
}

// ----------------------------------------------------------------------------------------------------- bags

// bag,label,f1,f2,..., then one instance a line; tabs in a .tsv, commas elsewhere.
std::string mil_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::bags, "mil", path);
  demand_distinct_names(data, path);
  const char separator = plain_name(path).ends_with(".tsv") ? '\t' : ',';
  std::string text = std::string("bag") + separator + "label";
  for (std::int64_t f = 1; f <= data.width(); ++f) text += separator + (concat("f", f));
  text += '\n';
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const std::string begin = bag_name(data, i, ",\t", path) + separator + label_of(data, i, ",\t", "", path);
    for (Eigen::Index row = 0; row < data.rows(i); ++row) {
      text += begin + separator;
      append_row(text, data, i, row, separator, {}, path);
      text += '\n';
    }
  }
  return text;
}

// Instances are called after their bags: b7_1, b7_2, ...
std::string c45_data_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::bags, "c45", path);
  demand_distinct_names(data, path);
  std::string text;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const std::string name = bag_name(data, i, kC45Signs, path);
    demand_no_dot(name, path);
    const std::string label = label_of(data, i, kC45Signs, "?", path);
    for (Eigen::Index row = 0; row < data.rows(i); ++row) {
      text += concat(name, ',', name, '_', row + 1, ',');
      append_row(text, data, i, row, ',', {}, path);
      text += ',' + label + ".\n";
    }
  }
  return text;
}

std::string c45_names_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::bags, "c45", path);
  if (data.classes().empty()) refuse(path, "the c45 format lists the classes, the data have no labels");
  std::string text;
  for (const std::string& label : data.classes()) {
    demand_reads_back(label, kC45Signs, path);
    demand_no_dot(label, path);
    text += (text.empty() ? "" : ",") + label;
  }
  text += ".\nbag: ignore.\ninstance: ignore.\n";
  for (std::int64_t f = 1; f <= data.width(); ++f) text += concat("f", f, ": continuous.\n");
  return text;
}

// label qid:bag 3:0.5 ..., zeros left out, but that the first line has the last feature: only so the number
// of features is known. Bags are numbered where their names are not numbers.
std::string svmlight_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::bags, "svmlight", path);
  const bool named = names_are_qids(data);
  std::string text;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const std::string label = label_of(data, i, " \t:#>", "?", path);
    const std::string begin = label + " qid:" + (named ? data.name(i) : std::to_string(i + 1));
    const auto append_feature = [&](std::int64_t row, std::int64_t f) {
      text += concat(' ', f + 1, ':');
      append_value(text, data, i, row, f, {}, path);
    };
    for (std::int64_t row = 0; row < data.rows(i); ++row) {
      const bool first = text.empty();
      const std::int64_t last = data.width() - 1;
      text += begin;
      if (data.is_sparse()) {
        const auto columns = data.sparse(i).row(row).columns;
        for (const std::int32_t f : columns) append_feature(row, f);
        if (first && (columns.empty() || columns.back() != last)) append_feature(row, last);
      } else {
        for (std::int64_t f = 0; f <= last; ++f) {
          const double value = data.number(i, row, f);
          const bool zero = value == 0.0 && !std::signbit(value);
          if (!zero || (first && f == last)) append_feature(row, f);
        }
      }
      text += '\n';
    }
  }
  return text;
}

// ------------------------------------------------------------------------------------------------ sequences

std::string tab_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::sequences, "tab", path);
  const bool told_by_name = plain_name(path).ends_with(".tab");
  std::string text;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const std::string sequence = sequence_text(data.values(i).row(0));
    if (sequence != trim(sequence) || sequence.find_first_of("\t\n\r") != std::string::npos ||
        sequence.find('\0') != std::string::npos) {
      refuse(path, called(data, i),
             " begins or ends with a blank, or has a tab, the end of a line or a zero byte in it");
    }
    if (!told_by_name && looks_numeric(sequence)) {
      refuse(path, called(data, i), ", ", quote(sequence),
             ", would be taken for a number; in a file that ends in .tab it is not");
    }
    const std::string label = label_of(data, i, "\t", "?", path);
    if (label.starts_with('>')) refuse(path, "the label ", quote(label), " would be taken for fasta's");
    text += label;
    text += '\t';
    text += sequence;
    if (i == 0 && is_tab_header({label, sequence}))
      refuse(path, "the first line, ", quote(text), ", would be taken for a header");
    text += '\n';
  }
  return text;
}

// >name label=positive, then the symbols, 60 a line.
std::string fasta_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::sequences, "fasta", path);
  constexpr std::size_t kSymbols = 60;
  std::string text;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const std::string sequence = sequence_text(data.values(i).row(0));
    if (sequence.find('>') != std::string::npos || std::ranges::any_of(sequence, is_blank_or_control)) {
      refuse(path, called(data, i), " has a blank, a control character or '>' in it");
    }
    const std::string& name = data.name(i);
    if (name.empty() || name != trim(name) || name.find_first_of("\n\r") != std::string::npos ||
        name.find('\0') != std::string::npos || name.ends_with('|') ||
        name.find("label=") != std::string::npos) {
      refuse(path, "the name ", quote(name), " is empty or cannot be told from the format's own signs");
    }
    const std::string label = label_of(data, i, "\t", "?", path);
    const bool words = label.find(' ') != std::string::npos;
    text += '>' + name + " label=" + (words ? '"' + label + '"' : label) + '\n';
    for (std::size_t at = 0; at < sequence.size(); at += kSymbols) {
      text += sequence.substr(at, kSymbols);
      text += '\n';
    }
  }
  return text;
}

// --------------------------------------------------------------------------------------- series and bags

// The three layouts of reader_arff.cpp: a series a row, bags and channels in a relational attribute.
std::string arff_text(const Dataset& data, const std::string& path) {
  if (data.kind() == DataKind::sequences)
    refuse(path, "the arff format is for series and bags, the data are sequences");
  const bool bags = data.kind() == DataKind::bags;
  const bool relational = bags || data.width() > 1;
  const std::int64_t columns = bags ? data.width() : data.max_length();
  if (!bags) demand_no_open_end(data, "arff", path);

  std::string text = "@relation data\n";
  if (bags) {
    text += "@attribute bag {";
    for (std::int64_t i = 0; i < data.size(); ++i) {
      if (data.name(i).empty()) refuse(path, "the name of a bag is empty");
      text += (i > 0 ? "," : "") + checked_word(data.name(i), path);
    }
    text += "}\n";
    demand_distinct_names(data, path);
  }
  if (relational) text += std::string("@attribute ") + (bags ? "instances" : "channels") + " relational\n";
  append_attributes(text, bags ? 'f' : 't', columns);
  if (relational) text += std::string("@end ") + (bags ? "instances\n" : "channels\n");
  std::string classes;
  for (const std::string& label : data.classes())
    classes += (classes.empty() ? "" : ",") + checked_word(label, path);
  text += "@attribute class " + (classes.empty() ? "string" : '{' + classes + '}') + "\n@data\n";

  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (bags) text += arff_word(data.name(i)) + ',';
    if (relational) text += '\'';
    for (Eigen::Index row = 0; row < data.rows(i); ++row) {
      if (row > 0) text += "\\n";
      append_row(text, data, i, row, ',', bags ? "" : "?", path, columns);
    }
    if (relational) text += '\'';
    const int label = data.label(i);
    text += ',';
    text += label == kUnlabelled ? "?" : arff_word(data.classes()[at(label)]);
    text += '\n';
  }
  return text;
}

}  // namespace shapeboost::detail
