// SPDX-License-Identifier: MIT
// What the paper's tables are filled with: one entry for each column that we run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "shapeboost/dataset.hpp"
#include "shapeboost/selection.hpp"

namespace shapeboost::cli {

/// How a column is run.
struct Protocol {
  bool nested = false;  ///< nested cross-validation; else a choice on the training part, and its test part
  int runs = 10;        ///< seeds of the holdout, or repetitions of the outer cross-validation
  int folds = 10;       ///< outer; nested only
  int inner_folds = 5;  ///< of the choice
  int repeats = 1;      ///< of the choice
};

struct PaperColumn {
  std::string id;        ///< what --columns and the journal call it
  std::string shown;     ///< the heading under which it stands; of several, the table shows the best
  std::string variant;   ///< what tells it from others under the same heading; empty where there are none
  std::string meaning;   ///< for the report
  std::string figure;    ///< which of the paper's figures it reproduces; empty where none
  bool seconds = false;  ///< whether the table tells how long one training takes
  Protocol protocol;
  /// What is chosen among, for this training data.
  std::function<std::vector<Choice>(const Dataset&)> choices;
};

/// "table1" or "table2". The reproduction chooses among the paper's whole grid or a part of it.
[[nodiscard]] std::vector<PaperColumn> paper_columns(const std::string& table, bool whole_grid);

/// The same in short, for a look at whether everything works: few choices, folds and runs.
[[nodiscard]] std::vector<PaperColumn> quick_columns(std::vector<PaperColumn> columns);

/// The data sets that --quick looks at: small ones.
[[nodiscard]] std::string quick_sets(const std::string& table);

}  // namespace shapeboost::cli
