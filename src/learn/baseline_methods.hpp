// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "learn/baselines.hpp"
#include "learn/booster.hpp"

namespace shapeboost::detail {

/// mi-SVM or MI-SVM.
[[nodiscard]] Learned instance_svm(Oracle& oracle, AllInstances& all, const Sides& sides,
                                   const Baseline& asked, ThreadPool& threads, const Observer& observer);

[[nodiscard]] Learned l1_svm(const std::vector<std::unique_ptr<Oracle>>& oracles, const Sides& sides,
                             const BaselineSettings& settings, const Observer& observer);

/// C_i = C v_i / mean v of each bag.
[[nodiscard]] Vector costs(const Sides& sides, double C);

/// Where nothing was learned: the larger class.
void learn_nothing(const Sides& sides, Learned& result);

}  // namespace shapeboost::detail
