// SPDX-License-Identifier: MIT
#include "train/factors.hpp"

#include <algorithm>
#include <cmath>

#include "ground/numbers.hpp"
#include "solve/ridge.hpp"

namespace shapeboost::detail {

Judges::Judges(const Columns& X, Eigen::MatrixXd Y, Vector v, const std::vector<int>& group, int groups,
               ThreadPool& threads)
    : Y_(std::move(Y)),
      v_(std::move(v)),
      K_(grams(X, v_, group, groups, threads)),
      columns_(at(groups), 0),
      threads_(&threads) {
  for (const int g : group) ++columns_[at(g)];
}

std::pair<double, double> Judges::left_out(const Factors& factors) const {
  RidgeSettings coarse;
  coarse.steps_per_decade = 1;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(Y_.rows(), Y_.rows());
  Eigen::Index columns = 0;
  for (std::size_t g = 0; g < K_.size(); ++g) {
    if (factors[g] == 0.0) continue;
    K += factors[g] * factors[g] * K_[g];
    columns += columns_[g];
  }
  return Ridge(std::move(K), columns, v_, *threads_).least_left_out(Y_, coarse);
}

std::pair<Factors, double> Judges::choose(const std::vector<Factors>& alternatives) const {
  double least = kInfinity;
  std::pair<Factors, double> best;
  for (const Factors& factors : alternatives) {
    const auto [alpha, error] = left_out(factors);
    if (!(error < least)) continue;
    least = error;
    best = {factors, alpha};
  }
  return best;
}

std::vector<double> Judges::relevance() const {
  const Vector weight =
      v_.size() > 0 ? Vector(v_ / v_.sum()) : Vector::Constant(Y_.rows(), 1.0 / real(Y_.rows()));
  const Eigen::RowVectorXd mean = weight.transpose() * Y_;
  const Eigen::MatrixXd apart = Y_.rowwise() - mean;
  const double guessing = (weight.asDiagonal() * apart.cwiseAbs2()).sum() / real(Y_.cols());
  std::vector<double> result;
  for (std::size_t g = 0; g < K_.size(); ++g) {
    Factors alone(K_.size(), 0.0);
    alone[g] = 1.0;
    const double error = columns_[g] > 0 && guessing > 0.0 ? left_out(alone).second / guessing : 1.0;
    result.push_back(std::clamp(1.0 - error, 0.0, 1.0));
  }
  return result;
}

std::pair<Factors, double> Judges::choose_by_relevance() const {
  constexpr double kPowers[] = {0.0, 1.0, 2.0, 4.0};
  constexpr double kLeast = 0.05;
  std::vector<double> telling = relevance();
  const double largest = *std::ranges::max_element(telling);
  for (double& one : telling) one = largest > 0.0 ? std::max(kLeast, one / largest) : 1.0;
  std::vector<Factors> alternatives;
  for (const double power : kPowers) {
    Factors& factors = alternatives.emplace_back();
    for (const double one : telling) factors.push_back(std::pow(one, power));
  }
  return choose(alternatives);
}

}  // namespace shapeboost::detail
