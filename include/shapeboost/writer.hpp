// SPDX-License-Identifier: MIT
// Data to files that read_dataset reads back the same: labels and every bit of every number, and names where
// the format has room for them (bags in mil, arff and c45; sequences in fasta). Formats: docs/formats.md.
#pragma once

#include <string>

#include "shapeboost/dataset.hpp"
#include "shapeboost/reader.hpp"

namespace shapeboost {

/// The format that a path's ending asks for: one that belongs to one format alone (see reader.hpp), or .tsv,
/// .csv and .txt, which mean ucr for series, mil for bags and tab for sequences; .gz behind it or not. Throws
/// InvalidInput for other endings.
[[nodiscard]] Format format_for(const std::string& path, DataKind kind);

/// Writes the data, compressed where the path ends in .gz; Format::automatic is format_for the path. c45
/// writes two files, the .data and the .names. Throws InvalidInput, and writes nothing, where the format
/// cannot hold the data: another kind, several channels in ucr, a missing value in a bag, a label or name the
/// reader would take for something else, ...
void write_dataset(const Dataset& data, const std::string& path, Format format = Format::automatic);

}  // namespace shapeboost
