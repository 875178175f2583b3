// SPDX-License-Identifier: MIT
// The paper's own numbers, as they stand in paper_figures.json.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace shapeboost::cli {

/// An accuracy that the paper states.
struct Figure {
  double mean = 0.0;
  double sd = 0.0;  ///< NaN where it states none
};

struct PaperSet {
  std::string name;                       ///< of the data set: its files are found by it
  std::map<std::string, Figure> figures;  ///< by PaperTable::figures
  double seconds = 0.0;                   ///< of one training; NaN where the paper is silent
};

struct PaperTable {
  std::string name;                                          ///< "table1"
  std::string from;                                          ///< where in the paper
  std::vector<std::pair<std::string, std::string>> figures;  ///< the paper's columns: key and heading
  std::vector<PaperSet> sets;
};

/// "table1" or "table2".
[[nodiscard]] PaperTable paper_table(const std::string& name);

/// Authors, title and where it was published, as one sentence.
[[nodiscard]] std::string paper_source();

/// The paper prints three decimals: so much may be rounding.
inline constexpr double kPrinted = 0.0005;

/// Whether an accuracy is more than two of the paper's standard deviations, and its rounding, off.
[[nodiscard]] bool differs(double mean, const Figure& figure);

}  // namespace shapeboost::cli
