// SPDX-License-Identifier: MIT
// nu where none is given and a problem has many bags. At the optimum at most a share nu of the bags falls short of
// the margin. Of noisy data more than that will be wrong on new data whatever is done: a margin that still holds
// all the others is one that only training bags have, made of many patterns that nearly cancel. Of clean data a nu
// far above the share of wrong answers gives up bags that could be had, a whole class where that is small.
//
// So nu follows e, the share of the bags' weight that quick models get wrong which have not seen them:
//
//     nu = 2 e (1 - e),    not below 0.02 and rounded to hundredths.
//
// 2 e is room for as many bags on the right side short of the margin as there are on the wrong one; the factor
// 1 - e keeps nu below the share at which half of the bags could be wrong. docs/defaults.md has the measurements.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "oracle/table.hpp"
#include "train/problem.hpp"

namespace shapeboost::detail {

/// From so many bags on.
inline constexpr std::int64_t kFittedBags = 500;

/// A nu, and the share of wrong answers that it follows.
struct FittedNu {
  double nu = 0.0;  ///< that the classes allow; 0: none could be found, kNu it is
  double wrong = 0.0;
};

/// Whether a problem has a nu of its own under these settings: where none is given, bags are many and either class
/// has enough for thirds to say something of it.
[[nodiscard]] bool fits_nu(const Sides& sides, const BoosterSettings& settings);

/// nu for the share e; half of the answers can be wrong by chance, so e counts as 1/2 at most.
[[nodiscard]] double nu_for(double wrong);

/// 0, 1 or 2 for each bag, at random and in each class as many of each as can be.
[[nodiscard]] std::vector<int> thirds(const Vector& y, std::uint64_t seed);

/// Three quick models of single instances under kNu, each of two thirds of the bags, or of 1,000 where these are
/// more, answer for the third left out. The tables' candidates come from all bags, which is why no label is needed
/// for them.
[[nodiscard]] FittedNu fitted_nu(const std::vector<std::shared_ptr<const Table>>& tables,
                                 const Problem& problem, const BoosterSettings& settings, std::uint64_t seed,
                                 ThreadPool& threads, const Observer& observer);

/// "nu raised to 0.31: ..."; of the problems of a model, those that have one of their own. Empty: none has.
[[nodiscard]] std::string nu_text(const std::vector<FittedNu>& fitted);

}  // namespace shapeboost::detail
