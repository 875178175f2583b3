// SPDX-License-Identifier: MIT
// Files to data. Every error names the file and, where there is one, the line and the column. The formats are
// shown in docs/formats.md.
//
// How Format::automatic decides. An ending that belongs to one format alone is believed: .ts, .arff, .data
// and .names (c45), .svm, .svmlight and .libsvm, .tab, .fasta and .fa, each with .gz behind it or not. Other
// names say nothing, and the content decides, from the first line that is not blank:
//  - it begins with '%', or with '@relation' or '@attribute': arff;
//  - it begins with '@', or with '#' and nothing but such comments stands before a line with '@': ts;
//  - it begins with '>', and is not a label before a number: fasta;
//  - it, or the first line that does not begin with '#', is a word and then pairs as 3:0.5 or qid:7: svmlight;
//  - it is a header whose first column is called bag... or whose second is called label or class: mil;
//  - the first two columns of every line are text and the third is a number: mil without its header;
//  - every line is two columns, divided by a tab, and no second one is a number: tab;
//  - it, or the line after a header, holds a number: ucr. So a file of numbers alone is ucr, and bags
//    with numeric ids and labels but no header must be asked for as mil.
//
// A name that ends in .npy is an array of NumPy's, float32 or float64: series x values, or series x channels x values. Labels
// are in NAME_y.npy beside NAME.npy where that exists. It is read, not written, and not compressed.
//
// In every format the file may be compressed by gzip, whatever its name; blank lines, a byte order mark and
// \r\n are fine, and an empty label or '?' means that none is known. A missing value (nothing, '?' or NaN) in
// a series is NaN in the data; in a bag it is an error, and infinity is one everywhere.
//
// What is written is read back the same: labels and every bit of every number, and names where the format has
// room for them (bags in mil, arff and c45; sequences in fasta).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shapeboost/base.hpp"
#include "shapeboost/dataset.hpp"

namespace shapeboost {

enum class Format {
  automatic,  ///< found from the name and the content
  ucr,        ///< label, then the values; separated by tabs, commas or blanks; one series a line; NaN behind
              ///< the last value fills short series up
  ts,         ///< aeon's and sktime's .ts
  mil,        ///< bag,label,f1,f2,...: one instance a line, with or without that header line
  arff,       ///< Weka's: a series a row, or bags or channels in a relational attribute
  c45,        ///< bags as a pair of files, .data and .names
  svmlight,   ///< label qid:bag 3:0.5 ...: one instance a line, zeros left out
  tab,        ///< label, a tab, a sequence of symbols; one a line
  fasta,      ///< sequences of symbols, the label in the header
};

/// Every format, in the order above.
[[nodiscard]] std::vector<Format> all_formats();
[[nodiscard]] std::string_view to_string(Format format);
template <>
[[nodiscard]] Format parse<Format>(std::string_view text);

/// The files that data under this path is read from or written to: the path itself, but two for c45.
/// Format::automatic goes by the path's ending.
[[nodiscard]] std::vector<std::string> files_of(const std::string& path, Format format = Format::automatic);

/// Reads a data file. Throws InvalidInput: no such file, a directory, empty, ragged rows, text in a
/// number, infinity, a bag with two labels, a damaged gzip file, ...
[[nodiscard]] Dataset read_dataset(const std::string& path, Format format = Format::automatic);

/// The same for text already in memory, which only the content tells the format of; `source` is what errors
/// call it. Format::c45, which takes two files, is refused.
[[nodiscard]] Dataset parse_dataset(std::string_view text, const std::string& source,
                                    Format format = Format::automatic);

/// The format that a path's ending asks for: one that belongs to one format alone (see above), or .tsv,
/// .csv and .txt, which mean ucr for series, mil for bags and tab for sequences; .gz behind it or not. Throws
/// InvalidInput for other endings.
[[nodiscard]] Format format_for(const std::string& path, DataKind kind);

/// Writes the data, compressed where the path ends in .gz; Format::automatic is format_for the path. c45
/// writes two files, the .data and the .names. Throws InvalidInput, and writes nothing, where the format
/// cannot hold the data: another kind, several channels in ucr, a missing value in a bag, a label or name the
/// reader would take for something else, ...
void write_dataset(const Dataset& data, const std::string& path, Format format = Format::automatic);

}  // namespace shapeboost
