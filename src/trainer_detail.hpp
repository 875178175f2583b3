// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "shapeboost/trainer.hpp"
#include "table_store_detail.hpp"

namespace shapeboost::detail {

/// The first fault of what only string kernels have, or empty.
[[nodiscard]] std::string validate_strings(const Kernel& kernel);

/// train(), to the last bit, with the data's tables from `store`.
[[nodiscard]] TrainingResult train_with(const Dataset& data, const TrainSettings& settings,
                                        const Observer& observer, TableStore* store);

}  // namespace shapeboost::detail
