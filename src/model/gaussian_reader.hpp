// SPDX-License-Identifier: MIT
// Patterns that are single windows under the Gaussian kernel, read by products in single precision.
#pragma once

#include <memory>
#include <vector>

#include "model/pattern_reader.hpp"

namespace shapeboost::detail {

/// `view` must outlive the reader. The best match is right to 1e-5; where large numbers cancel it is computed again in double
/// precision, of the window that single precision takes for the best.
[[nodiscard]] std::unique_ptr<PatternReader> make_gaussian_reader(
    const View& view, const std::vector<const Hypothesis*>& patterns);

}  // namespace shapeboost::detail
