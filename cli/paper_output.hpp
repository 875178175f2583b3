// SPDX-License-Identifier: MIT
// A table of the paper as Markdown, CSV, JSON and text for the terminal.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "paper_columns.hpp"
#include "paper_figures.hpp"
#include "paper_run.hpp"

namespace shapeboost::cli {

/// All that a table says. Rows are the table's sets, columns the paper's figures and then ours.
struct PaperReport {
  PaperTable table;
  std::vector<PaperColumn> columns;
  std::vector<PaperCell> cells;  ///< of every set and column; without runs where nothing is known
  std::string command;
  std::uint64_t seed = 1;
  bool quick = false;
};

[[nodiscard]] std::string paper_markdown(const PaperReport& report);
/// A line for each figure of the paper and each column of ours that has a run.
[[nodiscard]] std::string paper_csv(const PaperReport& report);
[[nodiscard]] nlohmann::ordered_json paper_json(const PaperReport& report);
[[nodiscard]] std::string paper_text(const PaperReport& report);

}  // namespace shapeboost::cli
