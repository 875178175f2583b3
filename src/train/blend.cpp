// SPDX-License-Identifier: MIT
#include "train/blend.hpp"

#include <algorithm>

#include "ground/numbers.hpp"

namespace shapeboost::detail {

/// Coordinate descent, exact in each coordinate; a few variables, so that many sweeps cost nothing.
Shares blended(const std::vector<Eigen::MatrixXd>& left_out, const Vector& expected, const Eigen::MatrixXd& Y,
               const Vector& v) {
  constexpr double kShrink = 0.1;  // lambda, as a share of the examples' weight and the parts
  constexpr int kSweeps = 1000;
  const auto E = std::ssize(left_out);
  const Vector weight = v.size() > 0 ? Vector(v / v.sum()) : Vector::Constant(Y.rows(), 1.0 / real(Y.rows()));
  const auto centred = [&](const Eigen::MatrixXd& x) {
    const Eigen::RowVectorXd mean = weight.transpose() * x;
    return Eigen::MatrixXd(x.rowwise() - mean);
  };
  const Eigen::MatrixXd y = centred(Y);
  std::vector<Eigen::MatrixXd> x;
  for (const Eigen::MatrixXd& one : left_out) x.push_back(centred(one));
  const auto product = [&](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    return (weight.asDiagonal() * a).cwiseProduct(b).sum() / real(Y.cols());
  };
  Eigen::MatrixXd A(E, E);
  Vector c(E);
  for (Eigen::Index k = 0; k < E; ++k) {
    for (Eigen::Index l = 0; l < E; ++l) A(k, l) = product(x[at(k)], x[at(l)]) + (k == l ? kShrink : 0.0);
    c[k] = product(x[at(k)], y) + kShrink * expected[k];
  }
  Shares shares{expected, Vector::Zero(Y.cols())};
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (Eigen::Index k = 0; k < E; ++k) {
      const double rest = A.row(k).dot(shares.beta) - A(k, k) * shares.beta[k];
      shares.beta[k] = std::max(0.0, (c[k] - rest) / A(k, k));
    }
  }
  shares.offset = (weight.transpose() * Y).transpose();
  for (Eigen::Index k = 0; k < E; ++k) {
    shares.offset -= shares.beta[k] * (weight.transpose() * left_out[at(k)]).transpose();
  }
  return shares;
}

}  // namespace shapeboost::detail
