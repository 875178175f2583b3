// SPDX-License-Identifier: MIT
#include "train/factors.hpp"

#include <algorithm>
#include <numeric>

#include "ground/numbers.hpp"
#include "solve/ridge.hpp"

namespace shapeboost::detail {
namespace {

RidgeSettings coarse() {
  RidgeSettings settings;
  settings.steps_per_decade = 1;
  return settings;
}

}  // namespace

ChosenFactors choose_factors(Judges judges, const std::vector<std::vector<Factors>>& choices,
                             ThreadPool& threads) {
  const auto p = at(judges.X.cols());
  ChosenFactors chosen{Factors(p, 1.0F), 0.0};
  Factors applied(p, 1.0F);  // to the columns as they are
  for (const std::vector<Factors>& alternatives : choices) {
    double least = kInfinity;
    Factors best = chosen.factors;
    for (const Factors& alternative : alternatives) {
      Factors tried(p);
      for (std::size_t j = 0; j < p; ++j) {
        tried[j] = chosen.factors[j] * alternative[j];
        if (tried[j] != applied[j]) judges.X.col(static_cast<Eigen::Index>(j)) *= tried[j] / applied[j];
      }
      applied = tried;
      const RidgeSolution solution = ridge(judges.X, judges.Y, judges.v, coarse(), threads);
      if (!(solution.left_out_error < least)) continue;
      least = solution.left_out_error;
      best = std::move(tried);
      chosen.alpha = solution.alpha;
    }
    chosen.factors = std::move(best);
  }
  return chosen;
}

std::vector<double> relevance(const Judges& judges, const std::vector<int>& group, int groups,
                              ThreadPool& threads) {
  std::vector<double> result(at(groups), -1.0);
  const double guessing = [&] {
    const Vector weight = judges.v.size() > 0
                              ? Vector(judges.v / judges.v.sum())
                              : Vector::Constant(judges.Y.rows(), 1.0 / real(judges.Y.rows()));
    const Eigen::RowVectorXd mean = weight.transpose() * judges.Y;
    const Eigen::MatrixXd apart = judges.Y.rowwise() - mean;
    return (weight.asDiagonal() * apart.cwiseAbs2()).sum() / real(judges.Y.cols());
  }();
  double sum = 0.0;
  double known = 0.0;
  for (int g = 0; g < groups; ++g) {
    std::vector<Eigen::Index> columns;
    for (std::size_t j = 0; j < group.size(); ++j) {
      if (group[j] == g) columns.push_back(static_cast<Eigen::Index>(j));
    }
    if (columns.empty()) continue;
    const Columns X = judges.X(Eigen::all, columns);
    const double error = ridge(X, judges.Y, judges.v, coarse(), threads).left_out_error;
    result[at(g)] = guessing > 0.0 ? std::clamp(1.0 - error / guessing, 0.0, 1.0) : 0.0;
    sum += result[at(g)];
    known += 1.0;
  }
  const double largest = *std::ranges::max_element(result);
  for (double& one : result) {
    if (one < 0.0) one = known > 0.0 ? sum / known : 0.0;
    one = largest > 0.0 ? one / largest : 1.0;
  }
  return result;
}

}  // namespace shapeboost::detail
