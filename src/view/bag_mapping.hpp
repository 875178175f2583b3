// SPDX-License-Identifier: MIT
// An instance of a bag as kernels compare it: its features' numbers scaled (Scaling), and of these what the view looks at
// (Aspect).
#pragma once

#include <cstdint>

#include "shapeboost/dataset.hpp"
#include "shapeboost/view.hpp"

namespace shapeboost::detail {

/// Numbers of a mapped instance.
[[nodiscard]] std::int64_t mapped_size(const View& view);

/// x has view.rows() numbers in the units of the data, out has room for as many.
void map_instance(const View& view, const double* x, double* out);

/// Quantiles of each feature that a view of ranks has.
inline constexpr std::int64_t kQuantiles = 17;

/// Learns from the training data what Scaling::rank, Scaling::log and Aspect::size need.
void fit_mapping(View& view, const Dataset& data);

}  // namespace shapeboost::detail
