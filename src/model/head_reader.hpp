// SPDX-License-Identifier: MIT
// The head of a model's file.
#pragma once

#include <cstddef>

#include "model/model_node.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost::detail {

/// Of a model of so many classes and views. Throws InvalidInput.
[[nodiscard]] Head read_head(const Node& node, DataKind kind, std::size_t classes, std::size_t views);

}  // namespace shapeboost::detail
