// SPDX-License-Identifier: MIT
// Patterns that are whole training bags, in a view of whole bags.
#pragma once

#include <memory>
#include <vector>

#include "model/pattern_reader.hpp"

namespace shapeboost::detail {

/// Evidence::bag is how alike a bag and the pattern's instances are as wholes (view/bag_distance.hpp), and so is
/// `best`, what the pattern is found by; the other kinds are 0. `instance` is the bag's instance that lies nearest to one of
/// the pattern's. `view` must outlive the reader.
[[nodiscard]] std::unique_ptr<PatternReader> make_whole_reader(
    const View& view, const std::vector<const Hypothesis*>& patterns);

}  // namespace shapeboost::detail
