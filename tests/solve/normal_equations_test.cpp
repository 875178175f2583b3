// SPDX-License-Identifier: MIT
#include "solve/normal_equations.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "ground/rng.hpp"
#include "support/examples.hpp"

namespace shapeboost {
namespace {

using Eigen::MatrixXd;
using examples::sentence;
using Index = Eigen::Index;

constexpr double kSame = 1e-9;

/// Examples whose numbers are whole multiples of 2^-14 already; some columns are alike. v empty: all 1.
struct Example {
  Eigen::MatrixXf X;
  MatrixXd Y;
  Vector v;

  [[nodiscard]] MatrixXd rows() const {
    MatrixXd Z(X.rows(), X.cols() + Y.cols() + 1);
    for (Index i = 0; i < X.rows(); ++i) {
      const double s = v.size() > 0 ? std::sqrt(v[i]) : 1.0;
      Z.row(i) << X.row(i).cast<double>(), Y.row(i), 1.0;
      Z.row(i) *= s;
    }
    return Z;
  }
};

Example example(Index m, Index p, Index t, bool weighted) {
  Rng rng(7);
  Example made{Eigen::MatrixXf(m, p), MatrixXd(m, t), Vector()};
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < p; ++j) {
      const double like = j % 4 == 3 ? static_cast<double>(made.X(i, j - 1)) : 0.3;
      made.X(i, j) = static_cast<float>(NormalEquations::rounded(like + 0.8 * rng.normal()));
    }
    for (Index k = 0; k < t; ++k) {
      made.Y(i, k) = static_cast<double>(made.X(i, k)) + rng.normal() > 0.3 ? 1.0 : -1.0;
    }
  }
  if (weighted) {
    made.v.resize(m);
    for (Index i = 0; i < m; ++i) made.v[i] = i % 3 == 0 ? 2.25 : 0.25;  // whose roots are such numbers too
  }
  return made;
}

NormalEquations added(const MatrixXd& Z, Index targets, int threads, const std::vector<Index>& ends) {
  ThreadPool pool(threads);
  NormalEquations sums(Z.cols() - targets - 1, targets);
  Index first = 0;
  for (const Index end : ends) {
    sums.add(Z.middleRows(first, end - first), pool);
    first = end;
  }
  return sums;
}

TEST(NormalEquations, LeadToTheSolutionOfRidgeRegression) {
  ThreadPool threads(2);
  for (const bool weighted : {false, true}) {
    const Example data = example(400, 30, 3, weighted);
    const MatrixXd Z = data.rows();
    const RidgeSolution sums = added(Z, 3, 2, {150, 400}).solve(Z, {}, threads);
    const RidgeSolution whole = ridge(data.X, data.Y, data.v, {}, threads);
    EXPECT_EQ(sums.alpha, whole.alpha);
    EXPECT_TRUE(sums.weights.isApprox(whole.weights, kSame));
    EXPECT_TRUE(sums.b.isApprox(whole.b, kSame));
    EXPECT_TRUE(sums.left_out.isApprox(whole.left_out, kSame));
    EXPECT_NEAR(sums.left_out_error, whole.left_out_error, kSame);
    EXPECT_LT(sums.residual, 1e-12);
    ASSERT_EQ(sums.tried.size(), whole.tried.size());
    for (std::size_t k = 0; k < sums.tried.size(); ++k) {
      EXPECT_NEAR(sums.tried[k].second, whole.tried[k].second, kSame);
    }
  }
}

TEST(NormalEquations, OfAJudgeAreThoseOfAllOthers) {
  ThreadPool threads(1);
  const Example data = example(60, 8, 1, true);
  const MatrixXd Z = data.rows();
  RidgeSettings one;
  one.smallest = one.largest = one.start = 3.0;
  const MatrixXd judge = Z.row(17);
  const double left_out = added(Z, 1, 1, {60}).solve(judge, one, threads).left_out(0, 0);
  MatrixXd others(59, Z.cols());
  others << Z.topRows(17), Z.bottomRows(42);
  const RidgeSolution without = added(others, 1, 1, {59}).solve(judge, one, threads);
  const double predicted = data.X.row(17).cast<double>().dot(without.weights.col(0)) + without.b[0];
  EXPECT_NEAR(left_out, predicted, kSame);
}

TEST(NormalEquations, AskSomeOfManyJudgesForAlphaAndTellWhatAllAreLeft) {
  ThreadPool threads(2);
  const Example data = example(1300, 30, 3, true);
  const MatrixXd Z = data.rows();
  const NormalEquations sums = added(Z, 3, 2, {1300});
  const RidgeSolution solution = sums.solve(Z, {}, threads);
  MatrixXd half(650, Z.cols());
  for (Index k = 0; k < half.rows(); ++k) half.row(k) = Z.row(2 * k);
  const RidgeSolution asked = sums.solve(half, {}, threads);
  EXPECT_EQ(solution.alpha, asked.alpha);
  EXPECT_EQ(solution.tried, asked.tried);
  RidgeSettings same;
  same.smallest = same.largest = same.start = solution.alpha;
  const RidgeSolution whole = ridge(data.X, data.Y, data.v, same, threads);
  EXPECT_TRUE(solution.left_out.isApprox(whole.left_out, kSame));
  EXPECT_NEAR(solution.left_out_error, whole.left_out_error, kSame);
  EXPECT_NE(solution.left_out_error, asked.left_out_error);
}

TEST(NormalEquations, AreTheSameToTheLastBitHoweverTheyAreAddedUp) {
  Rng rng(3);
  MatrixXd Z(1500, 300);
  for (double& z : Z.reshaped()) z = NormalEquations::rounded(3.0 * rng.normal());
  const MatrixXd once = added(Z, 2, 1, {1500}).sum().triangularView<Eigen::Lower>();
  const NormalEquations several = added(Z, 2, 3, {1, 300, 1023, 1500});
  EXPECT_EQ(MatrixXd(several.sum().triangularView<Eigen::Lower>()), once);
  NormalEquations apart = added(Z.bottomRows(700), 2, 2, {700});
  apart.add(added(Z.topRows(800), 2, 1, {799, 800}));
  EXPECT_EQ(MatrixXd(apart.sum().triangularView<Eigen::Lower>()), once);
  std::vector<Index> order(1500);
  std::iota(order.begin(), order.end(), 0);
  rng.shuffle(order);
  EXPECT_EQ(MatrixXd(added(Z(order, Eigen::all), 2, 1, {1000, 1500}).sum().triangularView<Eigen::Lower>()),
            once);
}

TEST(NormalEquations, AreRoundedToMultiplesOfTheirUnit) {
  for (const double x : {0.0, 1.0, -1.0, 0.1, -63.9, 12.34567, 1e-6}) {
    const double units = std::ldexp(NormalEquations::rounded(x), 14);
    EXPECT_EQ(units, std::nearbyint(std::ldexp(x, 14)));
  }
}

TEST(NormalEquations, SayWhatDoesNotFit) {
  ThreadPool threads(1);
  const MatrixXd Z = example(20, 4, 1, false).rows();
  NormalEquations sums(4, 1);
  EXPECT_EQ(sentence([&] { (void)sums.solve(Z, {}, threads); }),
            "normal equations: sum: expected examples, got none");
  EXPECT_EQ(sentence([&] { sums.add(Z.leftCols(3), threads); }),
            "normal equations: block: expected 6 columns, got 3");
  EXPECT_EQ(sentence([&] { sums.add(NormalEquations(3, 2)); }),
            "normal equations: other sums: expected 4 columns and 1 targets, got 3 and 2");
  EXPECT_EQ(sentence([&] { NormalEquations(4, 1, MatrixXd::Zero(5, 6)); }),
            "normal equations: sum: expected 6 x 6, got 5 x 6");
  EXPECT_EQ(sentence([&] { NormalEquations(0, 1); }),
            "normal equations: sizes: expected a column and a target or more, got 0 and 1");
  sums.add(Z, threads);
  EXPECT_EQ(sentence([&] { (void)sums.solve(Z.leftCols(5), {}, threads); }),
            "normal equations: judges: expected rows of 6 columns, got 20 of 5");
}

}  // namespace
}  // namespace shapeboost
