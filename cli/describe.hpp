// SPDX-License-Identifier: MIT
// Data and trainings in words.
#pragma once

#include <string>
#include <vector>

#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/view.hpp"

namespace shapeboost::cli {

/// "50 series of 150 values", "92 bags of 2 to 40 instances with 166 features".
[[nodiscard]] std::string describe(const Dataset& data);

/// "a (24), b (26)": the classes and how many examples each has. All must have a label.
[[nodiscard]] std::string describe_classes(const Dataset& data);

/// "series", "bag" or "sequence": what counted() takes.
[[nodiscard]] std::string noun_of(DataKind kind);

/// A sentence where some examples have no window in some of the views: too short, or too many gaps. Empty
/// where all have one in each.
[[nodiscard]] std::string note_unseen(const Dataset& data, const std::vector<View>& views);

/// Why training ended.
[[nodiscard]] std::string describe_stop(const Provenance& provenance);

}  // namespace shapeboost::cli
