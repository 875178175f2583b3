// SPDX-License-Identifier: MIT
#include "train/relevance.hpp"

#include <gtest/gtest.h>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"

namespace shapeboost::detail {
namespace {

struct Problem {
  Columns X;
  Eigen::MatrixXd Y;
  Vector v;
};

/// The first `telling` columns know the targets but for some noise, the others know nothing.
Problem some_that_know(Eigen::Index examples, Eigen::Index columns, Eigen::Index telling,
                       std::uint64_t seed) {
  Rng rng(seed);
  Problem problem{Columns(examples, columns), Eigen::MatrixXd(examples, 3), {}};
  for (Eigen::Index i = 0; i < examples; ++i) {
    for (Eigen::Index t = 0; t < 3; ++t) problem.Y(i, t) = i % 3 == t ? 1.0 : -1.0;
    for (Eigen::Index j = 0; j < columns; ++j) {
      problem.X(i, j) = static_cast<float>((j < telling ? problem.Y(i, j % 3) : 0.0) + 0.5 * rng.normal());
    }
  }
  return problem;
}

/// What is left of a matrix without one of its rows.
template <typename M>
M without(const M& all, Eigen::Index i) {
  M rest(all.rows() - 1, all.cols());
  rest.topRows(i) = all.topRows(i);
  rest.bottomRows(all.rows() - 1 - i) = all.bottomRows(all.rows() - 1 - i);
  return rest;
}

/// The weighted squared error of ridge regressions, each trained without the example that it is asked about. The offset is
/// not penalised: its column is a large number.
double naive_error(const Problem& problem, const Eigen::MatrixXd& X, double alpha) {
  constexpr double kOffset = 1e6;
  Eigen::MatrixXd all(X.rows(), X.cols() + 1);
  all << X, Vector::Constant(X.rows(), kOffset);
  double sum = 0.0;
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    const Eigen::MatrixXd A = without(all, i);
    const Eigen::MatrixXd B = without(problem.Y, i);
    const Vector v = problem.v.size() > 0 ? Vector(without(problem.v, i)) : Vector::Ones(A.rows());
    Eigen::MatrixXd normal = A.transpose() * v.asDiagonal() * A;
    normal.diagonal().array() += alpha;
    const Eigen::MatrixXd W = normal.ldlt().solve(A.transpose() * v.asDiagonal() * B);
    const double own = problem.v.size() > 0 ? problem.v[i] : 1.0;
    sum += own * (problem.Y.row(i) - all.row(i) * W).squaredNorm();
  }
  return sum;
}

TEST(Relevance, IsTheVarianceThatIsExplainedOfExamplesLeftOut) {
  for (const bool weighted : {false, true}) {
    Problem problem = some_that_know(24, 7, 2, 1);
    if (weighted) {
      problem.v = Vector::Ones(24);
      problem.v.head(9).setConstant(2.5);
    }
    const double guessing = naive_error(problem, Eigen::MatrixXd::Zero(24, 1), 1.0);
    const Vector v = weighted ? problem.v : Vector::Ones(24);
    Eigen::MatrixXd X = problem.X.cast<double>();
    X.rowwise() -= (v.transpose() * X / v.sum()).eval();
    const double size = (v.cwiseSqrt().asDiagonal() * X).squaredNorm() / 7.0;  // the mean eigenvalue
    double least = kInfinity;
    for (int decade = -3; decade < 3; ++decade) {
      least = std::min(least, naive_error(problem, problem.X.cast<double>(), size * std::pow(10.0, decade)));
    }
    const double found = relevance(problem.X, problem.Y, problem.v);
    EXPECT_NEAR(found, 1.0 - least / guessing, 1e-6) << weighted;
    EXPECT_GT(found, 0.1);
    EXPECT_LT(found, 0.9);
  }
}

TEST(Relevance, TellsWhatKnowsFromWhatDoesNot) {
  EXPECT_GT(relevance(some_that_know(80, 40, 6, 4).X, some_that_know(80, 40, 6, 4).Y, {}), 0.6);
  EXPECT_LT(relevance(some_that_know(80, 40, 0, 4).X, some_that_know(80, 40, 0, 4).Y, {}), 0.05);
}

TEST(Relevance, IsNothingWhereThereIsNothingToKnow) {
  Problem problem = some_that_know(20, 5, 2, 5);
  EXPECT_EQ(relevance(Columns(20, 0), problem.Y, {}), 0.0) << "no columns";
  EXPECT_EQ(relevance(Columns::Zero(20, 5), problem.Y, {}), 0.0) << "columns of zeros";
  EXPECT_EQ(relevance(Columns::Constant(20, 5, 3.0F), problem.Y, {}), 0.0) << "columns that do not vary";
  problem.Y.setOnes();
  EXPECT_EQ(relevance(problem.X, problem.Y, {}), 0.0) << "targets that do not vary";
}

TEST(Relevance, StaysWithinItsBounds_WhenColumnsOutnumberExamples) {
  for (const Eigen::Index examples : {2, 3, 5}) {
    const Problem problem = some_that_know(examples, 60, 60, 7);
    const double found = relevance(problem.X, problem.Y, {});
    EXPECT_GE(found, 0.0) << examples;
    EXPECT_LE(found, 1.0) << examples;
  }
}

TEST(Relevance, DoesNotDependOnTheColumnsUnit) {
  const Problem problem = some_that_know(30, 6, 2, 9);
  const double found = relevance(problem.X, problem.Y, {});
  EXPECT_NEAR(relevance(problem.X * 1e5F, problem.Y, {}), found, 1e-5);
  EXPECT_NEAR(relevance(problem.X * 1e-5F, problem.Y, {}), found, 1e-5);
}

TEST(Factors, FollowTheRelevanceAndAreNeverNothing) {
  EXPECT_EQ(factors_of({0.4, 0.8, 0.2, 0.0}), (std::vector<double>{0.5, 1.0, 0.25, 0.05}));
  EXPECT_EQ(factors_of({0.0, 0.0}), (std::vector<double>{1.0, 1.0})) << "nothing is relevant";
  EXPECT_TRUE(factors_of({}).empty());
}

}  // namespace
}  // namespace shapeboost::detail
