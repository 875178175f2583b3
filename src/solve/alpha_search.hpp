// SPDX-License-Identifier: MIT
// The search for the alpha of a ridge regression.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "ground/numbers.hpp"
#include "solve/ridge.hpp"

namespace shapeboost::detail {

/// A fit has an alpha and an error, infinite until it is known.
template <typename Fit>
struct BestFit {
  Fit fit;
  std::vector<std::pair<double, double>> tried;  ///< every alpha and its error, increasing
};

/// Walks down the error by decades from the start, either way until it has not fallen twice in a row, then tries the finer steps
/// around the best decade. Of equal errors the larger alpha. `columns` sets where to start if the settings do not. `fits_of`
/// is given alphas, as many as are certain to be asked for, and tells their fits.
template <typename FitsOf>
[[nodiscard]] auto best_fit(const RidgeSettings& settings, Eigen::Index columns, const FitsOf& fits_of) {
  using Fit = typename decltype(fits_of(std::vector<double>()))::value_type;
  constexpr double kGridEnd = 1e-9;  // alphas this near to the grid's end, relatively, are still on it
  constexpr double kEqual = 1e-12;   // errors that differ by less, relatively, differ by rounding
  constexpr int kRises = 2;          // in a row, and the walk turns back
  check(settings);
  const double wish = settings.start > 0.0 ? settings.start : 0.01 * real(columns);
  const double start = std::clamp(wish, settings.smallest, settings.largest);
  const int decade = settings.steps_per_decade;
  const auto alpha_of = [&](int k) { return start * std::pow(10.0, real(k) / real(decade)); };
  const auto on_grid = [&](int k) {
    return alpha_of(k) >= settings.smallest * (1.0 - kGridEnd) &&
           alpha_of(k) <= settings.largest * (1.0 + kGridEnd);
  };

  std::map<int, double> errors;  // by k
  Fit best;
  int best_k = 0;
  const auto try_steps = [&](const std::vector<int>& steps) {
    std::vector<double> alphas;
    for (const int k : steps) alphas.push_back(alpha_of(k));
    std::vector<Fit> fits = fits_of(alphas);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      Fit& fit = fits[i];
      errors[steps[i]] = fit.error;
      const bool larger = fit.alpha > best.alpha;
      if (fit.error < best.error * (1.0 - kEqual) || (larger && fit.error <= best.error * (1.0 + kEqual))) {
        best = std::move(fit);
        best_k = steps[i];
      }
    }
  };
  std::vector<int> first{0};
  for (const int way : {decade, -decade}) {
    for (int k = way; std::abs(k) <= kRises * decade && on_grid(k); k += way) first.push_back(k);
  }
  try_steps(first);
  for (const int way : {decade, -decade}) {
    double last = errors[0];
    int rises = 0;
    for (int k = way; on_grid(k) && rises < kRises; k += way) {
      if (!errors.contains(k)) try_steps({k});
      rises = errors[k] < last * (1.0 - kEqual) ? 0 : rises + 1;
      last = errors[k];
    }
  }
  std::vector<int> finer;
  for (int k = best_k - decade + 1; k < best_k + decade; ++k) {
    if (k != best_k && on_grid(k)) finer.push_back(k);
  }
  if (!finer.empty()) try_steps(finer);
  if (best.error == kInfinity) {
    throw InvalidInput(
        "ridge: X and Y: expected numbers for which some alpha of the grid has a left-out error, got others");
  }
  BestFit<Fit> result{std::move(best), {}};
  for (const auto& [k, error] : errors) result.tried.emplace_back(alpha_of(k), error);
  return result;
}

}  // namespace shapeboost::detail
