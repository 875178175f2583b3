// SPDX-License-Identifier: MIT
// --grid: options of fit with alternatives, and every combination of them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "shapeboost/selection.hpp"

namespace shapeboost::cli {

/// What is searched where no grid is given, less the options that are fixed on the command line or of no use
/// with the kernel. May be empty.
[[nodiscard]] std::string default_grid(const CLI::App& app, DataKind kind, const Kernel& kernel);

/// Every combination of the grid's alternatives, each set over `fixed`; the last axis changes fastest. A
/// choice is named by its alternatives, "nu=0.1; weak=ball". An empty grid is one choice. `app` knows which
/// options were given beside it.
///
///     GRID = AXIS ; AXIS ; ...    AXIS = OPTION=VALUE,VALUE,...  or  OPTION=LIST|LIST|...
///
/// where OPTION is one of fit's without its dashes, and of switches the values are yes and no. Throws
/// InvalidInput with the first mistake in it.
[[nodiscard]] std::vector<Choice> expand_grid(const std::string& grid, const TrainSettings& fixed,
                                              const CLI::App& app, DataKind kind);

}  // namespace shapeboost::cli
