// SPDX-License-Identifier: MIT
// Weighing patterns. Every pattern gives a few numbers of evidence about every training example; standardised, they
// are the columns of one ridge regression for all classes. A pattern matches the example it was cut from perfectly,
// which leave-one-out would take for merit: there its evidence is set to the mean.
// Bags have a regression for each kind of evidence, and more beside it (bag_head.hpp).
#pragma once

#include <optional>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/parallel.hpp"
#include "shapeboost/trainer.hpp"
#include "train/bag_head.hpp"
#include "train/find.hpp"

namespace shapeboost::detail {

/// Bytes of what all patterns that members find say of all examples: series, with settings that are settled.
[[nodiscard]] std::int64_t evidence_bytes(const Dataset& data, const TrainSettings& settings);
/// And of what weighing them takes beside that.
[[nodiscard]] std::int64_t weighing_bytes(const Dataset& data, const TrainSettings& settings);

/// The model of these members' patterns, at most settings.patterns of them, with what was recorded on the way.
/// Settings are settled.
[[nodiscard]] TrainingResult weigh(const Dataset& data, std::vector<FoundPatterns> members,
                                   const TrainSettings& settings, const Observer& observer,
                                   ThreadPool& threads, std::optional<Averaged> averaged = std::nullopt);

}  // namespace shapeboost::detail
