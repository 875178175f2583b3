// SPDX-License-Identifier: MIT
#include "train/blend.hpp"

#include <algorithm>

#include "ground/numbers.hpp"

namespace shapeboost::detail {

namespace {

/// min over x >= 0 of x'Ax / 2 - c'x, by coordinate descent from x on: a few variables, so that many sweeps cost nothing.
void descend(const Eigen::MatrixXd& A, const Vector& c, Vector& x) {
  constexpr int kSweeps = 200;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      const double rest = A.row(k).dot(x) - A(k, k) * x[k];
      x[k] = std::max(0.0, (c[k] - rest) / A(k, k));
    }
  }
}

}  // namespace

/// The gradient of the loss in g is tanh(g) - y, and its curvature at most 1: every step solves the least squares problem
/// with that curvature, which lies above the loss and touches it where the last step ended. So the loss never rises.
Shares blended(const std::vector<Eigen::MatrixXd>& left_out, const Vector& expected, const Eigen::MatrixXd& Y,
               const Vector& v) {
  constexpr double kShrink = 0.02;  // lambda
  constexpr int kSteps = 500;
  constexpr double kSettled = 1e-8;
  const auto E = std::ssize(left_out);
  const Vector weight = v.size() > 0 ? Vector(v / v.sum()) : Vector::Constant(Y.rows(), 1.0 / real(Y.rows()));
  std::vector<Eigen::MatrixXd> x;  // centred, so that offset and beta move apart
  std::vector<Eigen::RowVectorXd> mean;
  for (const Eigen::MatrixXd& one : left_out) {
    mean.emplace_back(weight.transpose() * one);
    x.emplace_back(one.rowwise() - mean.back());
  }
  const auto product = [&](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    return (weight.asDiagonal() * a).cwiseProduct(b).sum() / real(Y.cols());
  };
  Eigen::MatrixXd A(E, E);
  for (Eigen::Index k = 0; k < E; ++k) {
    for (Eigen::Index l = 0; l < E; ++l) A(k, l) = product(x[at(k)], x[at(l)]) + (k == l ? kShrink : 0.0);
  }
  Vector beta = expected;
  Eigen::RowVectorXd offset = Eigen::RowVectorXd::Zero(Y.cols());
  for (int step = 0; step < kSteps; ++step) {
    Eigen::MatrixXd g = offset.replicate(Y.rows(), 1);
    for (Eigen::Index k = 0; k < E; ++k) g += beta[k] * x[at(k)];
    const Eigen::MatrixXd short_of = Y - g.array().tanh().matrix();
    Vector c = A * beta - kShrink * (beta - expected);
    for (Eigen::Index k = 0; k < E; ++k) c[k] += product(x[at(k)], short_of);
    const Vector before = beta;
    const Eigen::RowVectorXd moved = weight.transpose() * short_of;
    descend(A, c, beta);
    offset += moved;
    if ((beta - before).cwiseAbs().maxCoeff() < kSettled && moved.cwiseAbs().maxCoeff() < kSettled) break;
  }
  for (Eigen::Index k = 0; k < E; ++k) offset -= beta[k] * mean[at(k)];
  return {beta, offset.transpose()};
}

}  // namespace shapeboost::detail
