// SPDX-License-Identifier: MIT
// What a member has found as a text, to be weighed elsewhere.
#pragma once

#include <string>
#include <vector>

#include "train/find.hpp"

namespace shapeboost::detail {

/// Without the records of rounds. `classes` are those of the data.
[[nodiscard]] std::string to_text(const FoundPatterns& found, const std::vector<std::string>& classes);

/// The same patterns to the last bit. Throws InvalidInput where the text is no member's.
[[nodiscard]] FoundPatterns found_from_text(const std::string& text);

}  // namespace shapeboost::detail
