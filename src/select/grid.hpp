// SPDX-License-Identifier: MIT
// What to choose among: settings with alternatives, written as one line, and every combination of them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "shapeboost/selection.hpp"

namespace shapeboost {

/// Names of settings that the caller has fixed, without dashes.
using GivenSettings = std::set<std::string>;

/// What is searched where no grid is given, less the settings that are fixed or of no use with the kernel or
/// the method of `fixed`. May be empty.
[[nodiscard]] std::string default_grid(const GivenSettings& given, const Dataset& data,
                                       const TrainSettings& fixed);

/// Every combination of the grid's alternatives, each set over `fixed`; the last axis changes fastest. A
/// choice is named by its alternatives, "nu=0.1; weak=ball". An empty grid is one choice.
///
///     GRID = AXIS ; AXIS ; ...    AXIS = OPTION=VALUE,VALUE,...  or  OPTION=LIST|LIST|...  or  OPTION=LIST|
///
/// where OPTION is one of fit's without its dashes, and of switches the values are yes and no. Throws
/// InvalidInput with the first mistake in it.
[[nodiscard]] std::vector<Choice> expand_grid(const std::string& grid, const TrainSettings& fixed,
                                              const GivenSettings& given, DataKind kind);

}  // namespace shapeboost
