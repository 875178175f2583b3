// SPDX-License-Identifier: MIT
// Several boosted models averaged into one. How windows are normalised and how wide the kernel is are not
// chosen but averaged over: one member is trained for each normalisation and each sigma scale, and
//
//     g(B) = sum_k c_k g_k(B),   c_k proportional to 1 / mean_i |g_k(B_i)|,   sum_k c_k = 1.
//
// An average of convex combinations is one too: the result is a model like any other, one weighted sum of
// hypotheses, and the paper's bound holds for it.
#pragma once

#include <vector>

#include "shapeboost/booster.hpp"

namespace shapeboost {

/// What all members share, and what they are averaged over.
struct CommitteeSettings : BoosterSettings {
  bool single = false;  ///< no committee: one model over all views together
  /// Empty: raw, centred and z; for a single model the booster's. A single model sees each as views of its
  /// own.
  std::vector<Normalisation> over_normalisations;
  /// Empty: 1, 4 for series, 0.5, 1, 2 for bags; for a single model, which takes one at most, the booster's.
  std::vector<double> over_sigma_scales;
};

/// The first fault as a sentence, or empty.
[[nodiscard]] std::string validate(const CommitteeSettings& settings);

/// The members' settings, in order.
[[nodiscard]] std::vector<BoosterSettings> members(const CommitteeSettings& settings, DataKind kind);

/// Trains every member, several at a time, and averages them. The margin is that of the average at the same
/// nu.
[[nodiscard]] TrainingResult train_committee(const Dataset& data, const CommitteeSettings& settings,
                                             const Observer& observer = {});

/// What LPBoost maximises, for a classifier that is given: the best of rho - d_cap sum_i max(0, rho -
/// margins_i).
struct SoftMargin {
  double rho = 0.0;
  double gamma = 0.0;
};
[[nodiscard]] SoftMargin soft_margin(std::vector<double> margins, double d_cap);

}  // namespace shapeboost
