// SPDX-License-Identifier: MIT
// Files to data. Every error names the file and, where there is one, the line and the column.
//
// How Format::automatic decides, from the first line that is not blank:
//  - it begins with '@', or with '#' and nothing but such comments stands before a line with '@': ts;
//  - it is a header whose first column is called bag... or whose second is called label or class: mil;
//  - the first two columns of every line are text and the third is a number: mil without its header;
//  - it, or the line after a header, holds a number: ucr. So a file of numbers alone is ucr, and bags
//    with numeric ids and labels but no header must be asked for as mil.
//
// In every format blank lines, a byte order mark and \r\n are fine, labels and ids may stand in double
// quotes, and an empty label or '?' means that none is known.
#pragma once

#include <string>
#include <string_view>

#include "shapeboost/dataset.hpp"

namespace shapeboost {

enum class Format {
  automatic,  ///< found from the content
  ucr,        ///< label, then the values; separated by tabs, commas or blanks; one series a line
  ts,         ///< aeon's and sktime's .ts
  mil,        ///< bag,label,f1,f2,...: one instance a line, with or without that header line
};

[[nodiscard]] std::string_view to_string(Format format);
/// Inverse of to_string; throws InvalidInput naming the choices.
[[nodiscard]] Format parse_format(std::string_view text);

/// Reads a data file. Throws InvalidInput: no such file, a directory, empty, ragged rows, text in a
/// number, NaN or infinity, a bag with two labels, ...
[[nodiscard]] Dataset read_dataset(const std::string& path, Format format = Format::automatic);

/// The same for text already in memory; `source` is what errors call it.
[[nodiscard]] Dataset parse_dataset(std::string_view text, const std::string& source,
                                    Format format = Format::automatic);

}  // namespace shapeboost
