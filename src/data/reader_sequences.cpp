// SPDX-License-Identifier: MIT
// Discrete sequences (DNA, protein, text): `label<TAB>sequence`, one a line; and FASTA, a header that begins
// with '>' and lines of symbols, which are joined. Symbols are bytes and keep their case.
//
// FASTA knows no labels, people put them in the header. One rule reads them all: what follows the word
// `label=` up to the next blank (or between double quotes); else what follows the last '|' or blank; else
// there is none. '?' is no label. What stands before the label is the name.
#include <utility>

#include "data/reader.hpp"

namespace shapeboost::detail {
namespace {

struct Header {
  std::string name;
  std::string label;
};

Header read_header(std::string_view text) {
  constexpr std::string_view kWord = "label=";
  constexpr std::string_view kBounds = "| \t";
  for (std::size_t at = text.find(kWord); at != std::string_view::npos; at = text.find(kWord, at + 1)) {
    if (at > 0 && kBounds.find(text[at - 1]) == std::string_view::npos) continue;  // as in mylabel=
    std::string_view label = text.substr(at + kWord.size());
    if (const std::size_t end = label.find('"', 1); label.starts_with('"') && end != std::string_view::npos) {
      label = label.substr(0, end + 1);
    } else {
      label = label.substr(0, label.find_first_of(" \t"));
    }
    std::string_view name = trim(text.substr(0, at));
    if (name.ends_with('|')) name = trim(name.substr(0, name.size() - 1));
    return {std::string(name), read_label(label)};
  }
  const std::size_t at = text.find_last_of(kBounds);
  if (at == std::string_view::npos) return {std::string(text), {}};
  return {std::string(trim(text.substr(0, at))), read_label(text.substr(at + 1))};
}

}  // namespace

bool is_tab_header(const std::vector<std::string_view>& fields) {
  if (fields.size() != 2 || !is_label_name(fields[0])) return false;
  const std::string second = lower(unquote(fields[1]));
  return second == "sequence" || second == "seq" || second == "text";
}

Dataset parse_tab(std::string_view text, const std::string& source) {
  Dataset data(DataKind::sequences, source);
  LineReader lines(text);
  bool first = true;
  for (Line line; lines.next(line);) {
    const std::vector<std::string_view> fields = split(line.text, '\t');
    if (std::exchange(first, false) && is_tab_header(fields)) continue;
    if (fields.size() != 2) {
      fail({source, line.number}, "expected a label, a tab and a sequence, found ", fields.size() - 1,
           " tabs");
    }
    if (fields[1].empty()) fail({source, line.number}, "the sequence is empty");
    data.add(sequence_values(fields[1]), read_label(fields[0]), std::to_string(data.size() + 1));
  }
  if (data.size() == 0) fail({source}, "only a header line and no data");
  return data;
}

Dataset parse_fasta(std::string_view text, const std::string& source) {
  Dataset data(DataKind::sequences, source);
  LineReader lines(text);
  Header header;
  std::string sequence;
  std::int64_t header_line = 0;
  const auto finish = [&] {
    if (header_line == 0) return;
    if (sequence.empty()) fail({source, header_line}, "no sequence follows this header");
    const std::string number = std::to_string(data.size() + 1);
    data.add(sequence_values(sequence), header.label, header.name.empty() ? number : header.name);
    sequence.clear();
  };
  for (Line line; lines.next(line);) {
    const std::string_view content = trim(line.text);
    if (content.starts_with('>')) {
      finish();
      header = read_header(trim(content.substr(1)));
      header_line = line.number;
      continue;
    }
    if (header_line == 0) {
      fail({source, line.number}, "expected a header that begins with '>', found ", quote(content));
    }
    if (content.find_first_of(" \t") != std::string_view::npos) {
      fail({source, line.number}, "expected symbols without blanks, found ", quote(content));
    }
    sequence += content;
  }
  finish();
  return data;
}

}  // namespace shapeboost::detail
