// SPDX-License-Identifier: MIT
#pragma once

#include "shapeboost/trainer.hpp"
#include "table_store_detail.hpp"

namespace shapeboost::detail {

/// train(), to the last bit, with the data's tables from `store`.
[[nodiscard]] TrainingResult train_with(const Dataset& data, const TrainSettings& settings,
                                        const Observer& observer, TableStore* store);

}  // namespace shapeboost::detail
