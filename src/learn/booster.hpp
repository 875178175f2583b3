// SPDX-License-Identifier: MIT
// LPBoost over shapelets (Algorithm 1 of the paper) for one binary problem, with the cheap questions asked
// first: single instances priced from a table while they still beat gamma, and only then the DC algorithm.
#pragma once

#include "ground/parallel.hpp"
#include "learn/binary_problem.hpp"

namespace shapeboost {

/// settings.nu, or the largest that these classes allow where that is less.
[[nodiscard]] double lowered_nu(const Sides& sides, const BoosterSettings& settings);

/// What boost() takes beside the oracles where it refines, of so many bags with so many instances in a view.
[[nodiscard]] std::int64_t refining_bytes(const BoosterSettings& settings, std::int64_t bags,
                                          std::int64_t instances);

[[nodiscard]] Learned boost(const Oracles& oracles, const Sides& sides, const BoosterSettings& settings,
                            ThreadPool& threads, const Observer& observer = {});

}  // namespace shapeboost
