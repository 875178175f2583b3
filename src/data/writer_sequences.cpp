// SPDX-License-Identifier: MIT
// Sequences as text: tab and fasta.
#include <algorithm>
#include <string>

#include "data/reader_text.hpp"
#include "data/writer_text.hpp"
#include "ground/text.hpp"

namespace shapeboost::detail {
namespace {

bool is_blank_or_control(char symbol) { return static_cast<unsigned char>(symbol) <= 0x20U; }

}  // namespace

std::string tab_text(const Dataset& data, const std::string& path) {
  demand_kind(data, DataKind::sequences, "tab", path);
  const bool told_by_name = plain_name(path).ends_with(".tab");
  std::string text;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const std::string sequence = sequence_text(data.values(i).row(0));
    if (sequence != trim(sequence) || sequence.find_first_of("\t\n\r") != std::string::npos ||
        sequence.find('\0') != std::string::npos) {
      refuse(path, called(data, i) +
                       " begins or ends with a blank, or has a tab, the end of a line or a zero byte in it");
    }
    if (!told_by_name && looks_numeric(sequence)) {
      refuse(path, called(data, i) + ", " + quote(sequence) +
                       ", would be taken for a number; in a file that ends in .tab it is not");
    }
    const std::string label = label_of(data, i, "\t", "?", path);
    if (label.starts_with('>')) refuse(path, "the label " + quote(label) + " would be taken for fasta's");
    text += label;
    text += '\t';
    text += sequence;
    if (i == 0 && is_tab_header({label, sequence}))
      refuse(path, "the first line, " + quote(text) + ", would be taken for a header");
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
    if (sequence.find('>') != std::string::npos ||
        std::any_of(sequence.begin(), sequence.end(), is_blank_or_control)) {
      refuse(path, called(data, i) + " has a blank, a control character or '>' in it");
    }
    const std::string& name = data.name(i);
    if (name.empty() || name != trim(name) || name.find_first_of("\n\r") != std::string::npos ||
        name.find('\0') != std::string::npos || name.ends_with('|') ||
        name.find("label=") != std::string::npos) {
      refuse(path, "the name " + quote(name) + " is empty or cannot be told from the format's own signs");
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

}  // namespace shapeboost::detail
