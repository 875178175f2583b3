// SPDX-License-Identifier: MIT
// The head of a model's file.
#pragma once

#include <cstddef>
#include <vector>

#include "model/model_node.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost::detail {

/// Of a model of so many classes and with these views, at least one. Throws InvalidInput.
[[nodiscard]] Head read_head(const Node& node, DataKind kind, std::size_t classes,
                             const std::vector<View>& views);

}  // namespace shapeboost::detail
