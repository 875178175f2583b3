// SPDX-License-Identifier: MIT
// What scores and explanations share.
#pragma once

#include <cstdint>
#include <functional>

#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost::detail {

/// Examples are seen in blocks: each block sees every view once, and memory stays that of a block.
inline constexpr std::int64_t kBlock = 64;

/// Says what does not fit before any work is done: throws InvalidInput.
void check_fits(const Model& model, const Dataset& data);

/// Calls `task(first, examples)` for each block of the data, on several threads.
void for_each_block(const Dataset& data, int threads,
                    const std::function<void(std::int64_t, const Dataset&)>& task);

}  // namespace shapeboost::detail
