// SPDX-License-Identifier: MIT
// Training with tables that others share.
#pragma once

#include <string>
#include <vector>

#include "ground/matrix.hpp"
#include "oracle/table_store.hpp"
#include "train/plan.hpp"

namespace shapeboost {

/// What LPBoost maximises, for a given classifier: gamma = max_rho rho - sum_i cap_i max(0, rho - margins_i).
struct SoftMargin {
  double rho = 0.0;
  double gamma = 0.0;
};
[[nodiscard]] SoftMargin soft_margin(const std::vector<double>& margins, const Vector& caps);

namespace detail {

/// The first fault of what only string kernels have, or empty.
[[nodiscard]] std::string validate_strings(const KernelSettings& kernel);

/// train(), to the last bit, with the data's tables from `store`.
[[nodiscard]] TrainingResult train_with(const Dataset& data, const TrainSettings& settings,
                                        const Observer& observer, TableStore* store);

}  // namespace detail

}  // namespace shapeboost
