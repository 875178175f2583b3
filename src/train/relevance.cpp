// SPDX-License-Identifier: MIT
#include "train/relevance.hpp"

#include <algorithm>
#include <cmath>

#include "ground/numbers.hpp"

namespace shapeboost::detail {
namespace {

/// The alphas that are tried, from a mean eigenvalue of this size on, by decades.
constexpr double kSmallestAlpha = 1e-3;
constexpr int kDecades = 6;
/// What a group of no relevance at all counts: alone it says nothing, beside others it may.
constexpr double kLeast = 0.05;
/// Factors are whole thousandths: short in a file, and exact as the program and the file have them.
constexpr double kSteps = 1000.0;

/// Less their v-weighted means, each row i multiplied by sqrt(v_i).
template <typename Given>
Columns centred(const Given& given, const Vector& v) {
  const Eigen::RowVectorXd mean = v.transpose() * given.template cast<double>() / v.sum();
  Columns x = (given.template cast<double>().rowwise() - mean).template cast<float>();
  x.array().colwise() *= v.cwiseSqrt().cast<float>().array();
  return x;
}

}  // namespace

double relevance(const Eigen::Ref<const Columns>& given, const Eigen::MatrixXd& targets,
                 const Vector& weights) {
  const Eigen::Index m = given.rows();
  const Vector v = weights.size() > 0 ? weights : Vector::Ones(m);
  const Columns X = centred(given, v);
  const Columns Y = centred(targets, v);
  const Vector own = v / v.sum();  // of H_ii, the offset's part
  const Eigen::VectorXf of_all = Eigen::VectorXf::Ones(Y.cols());
  const auto left_out = [&](const Columns& errors, const Eigen::VectorXf& taken) {
    const Eigen::ArrayXd squares = (errors.cwiseAbs2() * of_all).cast<double>();
    const Eigen::ArrayXd rest = 1.0 - own.array() - taken.cast<double>().array();
    const double sum = (rest > 0.0).all() ? (squares / rest.square()).sum() : kInfinity;
    return std::isfinite(sum) ? sum : kInfinity;
  };
  const double guessing = left_out(Y, Eigen::VectorXf::Zero(m));
  if (!(guessing > 0.0) || guessing == kInfinity || X.cols() == 0) return 0.0;

  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen((X.transpose() * X).cast<double>());
  if (eigen.info() != Eigen::Success) return 0.0;
  const Vector lambda = eigen.eigenvalues().cwiseMax(0.0);
  const double size = lambda.mean();
  if (!(size > 0.0)) return 0.0;
  const Columns U = X * eigen.eigenvectors().cast<float>();
  const Columns UY = U.transpose() * Y;
  const Columns squares = U.cwiseAbs2();
  double least = guessing;
  for (int decade = 0; decade < kDecades; ++decade) {
    const double alpha = size * kSmallestAlpha * std::pow(10.0, decade);
    const Eigen::VectorXf shrunk = (lambda.array() + alpha).inverse().cast<float>();
    const Columns errors = Y - U * (shrunk.asDiagonal() * UY);
    least = std::min(least, left_out(errors, squares * shrunk));
  }
  return 1.0 - least / guessing;
}

std::vector<double> factors_of(const std::vector<double>& relevance) {
  const double largest = relevance.empty() ? 0.0 : *std::ranges::max_element(relevance);
  std::vector<double> factors(relevance.size(), 1.0);
  if (!(largest > 0.0)) return factors;
  for (std::size_t g = 0; g < factors.size(); ++g) {
    factors[g] = std::max(kLeast, std::round(kSteps * relevance[g] / largest) / kSteps);
  }
  return factors;
}

}  // namespace shapeboost::detail
