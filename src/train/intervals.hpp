// SPDX-License-Identifier: MIT
// Whether level, spread and slope of intervals are weighed beside the patterns, and how much they count.
//
// Patterns say little where nothing is matched: where a class is a little higher in one band of wavelengths, or noisier in the
// second half. Intervals say it, but of most series they are noise beside the patterns. With K_p and K_i the Gram matrices of
// what patterns and intervals say of at most kIntervalJudges examples, each of trace 1, the ridge regression on
//
//     K_p + kappa K_i,    kappa in {0, 0.1, 0.3, 1, 3},
//
// errs least on examples left out (in closed form) for some kappa and alpha. Unless that is kIntervalGain below the least
// error of the patterns alone, intervals are left out. They are, too, where kappa = 0.3 is not kProbedGain below it: then
// nothing else is asked.
#pragma once

#include <optional>

#include "ground/parallel.hpp"
#include "shapeboost/trainer.hpp"
#include "solve/short_columns.hpp"
#include "train/evidence.hpp"

namespace shapeboost::detail {

inline constexpr Eigen::Index kIntervalJudges = 300;
inline constexpr double kIntervalGain = 0.02;
inline constexpr double kProbedGain = 0.005;

/// Intervals that are weighed, and their evidence about the training examples, not multiplied by their factors.
struct WeighedIntervals {
  Intervals intervals;
  Columns X;
};

/// What seeking them takes: moments in double, their columns, and these in 16 bits.
[[nodiscard]] std::int64_t interval_bytes(const Dataset& data);

/// Of the columns X of patterns and the targets Y of examples with the weights v (empty: all alike). None where they do not pay.
[[nodiscard]] std::optional<WeighedIntervals> weighed_intervals(const Dataset& data, const ShortColumns& X,
                                                                const Eigen::MatrixXd& Y, const Vector& v,
                                                                ThreadPool& threads);

}  // namespace shapeboost::detail
