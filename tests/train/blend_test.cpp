// SPDX-License-Identifier: MIT
#include "train/blend.hpp"

#include <gtest/gtest.h>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"

namespace shapeboost::detail {
namespace {

constexpr double kLambda = 0.02;  // as blend.hpp says

struct Blend {
  Eigen::MatrixXd Y;
  std::vector<Eigen::MatrixXd> left_out;  // two that tell something, one that does not, one that misleads
  Vector expected = Vector::Constant(4, 0.25);
  Vector v;
};

Blend example(Eigen::Index m, Eigen::Index parts, std::uint64_t seed) {
  Rng rng(seed);
  const auto noise = [&] {
    Eigen::MatrixXd x(m, parts);
    for (double& value : x.reshaped()) value = rng.normal();
    return x;
  };
  Blend blend;
  blend.Y = Eigen::MatrixXd::Constant(m, parts, -1.0);
  for (double& y : blend.Y.reshaped()) y = rng.below(3) == 0 ? 1.0 : -1.0;
  const Eigen::MatrixXd away = Eigen::MatrixXd::Constant(m, parts, 0.7);  // offsets are the blend's to find
  blend.left_out = {blend.Y + noise() + away, 0.5 * blend.Y + noise(), noise(), -0.5 * blend.Y + noise()};
  blend.v.resize(m);
  for (double& weight : blend.v) weight = 0.5 + rng.uniform();
  return blend;
}

Eigen::MatrixXd sum_of(const Blend& blend, const Shares& shares) {
  Eigen::MatrixXd g = shares.offset.transpose().replicate(blend.Y.rows(), 1);
  for (Eigen::Index k = 0; k < shares.beta.size(); ++k) g += shares.beta[k] * blend.left_out[at(k)];
  return g;
}

TEST(Blend, IsOptimal) {
  for (const Eigen::Index parts : {1, 3}) {
    const Blend blend = example(200, parts, 1);
    const Shares shares = blended(blend.left_out, blend.expected, blend.Y, blend.v);
    const Eigen::MatrixXd slope =  // of the loss in g
        (blend.v / blend.v.sum()).asDiagonal() * (sum_of(blend, shares).array().tanh().matrix() - blend.Y);
    EXPECT_LT(slope.colwise().sum().cwiseAbs().maxCoeff(), 1e-6);
    for (Eigen::Index k = 0; k < 4; ++k) {
      const double own = slope.cwiseProduct(blend.left_out[at(k)]).sum() / real(parts) +
                         kLambda * (shares.beta[k] - blend.expected[k]);
      if (shares.beta[k] > 0.0) {
        EXPECT_NEAR(own, 0.0, 1e-6) << k;
      } else {
        EXPECT_GE(own, -1e-6) << k;
      }
    }
  }
}

TEST(Blend, CountsWhatTellsSomethingOfNewExamples) {
  const Blend blend = example(400, 1, 2);
  const Shares shares = blended(blend.left_out, blend.expected, blend.Y, {});
  EXPECT_GT(shares.beta[0], shares.beta[1]);
  EXPECT_GT(shares.beta[1], 2.0 * shares.beta[2]);
  EXPECT_EQ(shares.beta[3], 0.0);
}

TEST(Blend, IsWhatIsExpected_WhereScoresAreTooSmallToTell) {
  Blend blend = example(200, 1, 3);
  for (Eigen::MatrixXd& one : blend.left_out) one *= 1e-3;
  const Shares shares = blended(blend.left_out, blend.expected, blend.Y, {});
  EXPECT_LT((shares.beta - blend.expected).cwiseAbs().maxCoeff(), 0.05);
}

}  // namespace
}  // namespace shapeboost::detail
