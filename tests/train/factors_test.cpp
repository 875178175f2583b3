// SPDX-License-Identifier: MIT
#include "train/factors.hpp"

#include <gtest/gtest.h>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "solve/ridge.hpp"

namespace shapeboost::detail {
namespace {

struct Problem {
  Columns X;
  Eigen::MatrixXd Y;
  Vector v;
};

/// Columns 0 and 1 know the target but for some noise, the others know nothing.
Problem one_that_knows(Eigen::Index examples, Eigen::Index columns, std::uint64_t seed) {
  Rng rng(seed);
  Problem problem{Columns(examples, columns), Eigen::MatrixXd(examples, 1), {}};
  for (Eigen::Index i = 0; i < examples; ++i) {
    problem.Y(i, 0) = i % 2 == 0 ? 1.0 : -1.0;
    for (Eigen::Index j = 0; j < columns; ++j) {
      problem.X(i, j) = static_cast<float>((j < 2 ? problem.Y(i, 0) : 0.0) + 0.5 * rng.normal());
    }
  }
  return problem;
}

/// Those that know, and the others.
std::vector<int> two_groups(std::size_t columns) {
  std::vector<int> group(columns, 1);
  group[0] = group[1] = 0;
  return group;
}

Judges judges_of(const Problem& problem, const std::vector<int>& group, int groups, ThreadPool& threads) {
  return {problem.X, problem.Y, problem.v, group, groups, threads};
}

TEST(Judges, ErrAsTheRidgeOfTheMultipliedColumns) {
  ThreadPool threads(2);
  for (const bool weighted : {false, true}) {
    Problem problem = one_that_knows(60, 300, 1);
    if (weighted) {
      problem.v = Vector::Ones(60);
      problem.v.head(20).setConstant(2.5);
    }
    const std::vector<int> group = two_groups(300);
    const Judges judges = judges_of(problem, group, 2, threads);
    for (const double factor : {1.0, 0.3, 0.1, 2.0}) {
      Columns X = problem.X;
      for (Eigen::Index j = 2; j < X.cols(); ++j) X.col(j) *= static_cast<float>(factor);
      RidgeSettings settings;
      settings.steps_per_decade = 1;
      const RidgeSolution direct = ridge(X, problem.Y, problem.v, settings, threads);
      const auto [alpha, error] = judges.left_out({1.0, factor});
      EXPECT_DOUBLE_EQ(alpha, direct.alpha);
      EXPECT_NEAR(error, direct.left_out_error, 1e-6 * direct.left_out_error) << factor;
    }
  }
}

TEST(Judges, LetNoiseCountForLess) {
  const Problem problem = one_that_knows(60, 300, 1);
  ThreadPool threads(1);
  const Judges judges = judges_of(problem, two_groups(300), 2, threads);
  const std::vector<Factors> alternatives{{1.0, 1.0}, {1.0, 0.3}, {1.0, 0.1}};
  const auto [chosen, alpha] = judges.choose(alternatives);
  EXPECT_EQ(chosen, alternatives[2]);
  EXPECT_GT(alpha, 0.0);
  for (const Factors& other : alternatives) {
    EXPECT_LE(judges.left_out(chosen).second, judges.left_out(other).second);
  }
}

TEST(Judges, TakeTheFirstOfEquals) {
  const Problem problem = one_that_knows(40, 4, 3);
  ThreadPool threads(1);
  const Judges judges = judges_of(problem, {0, 0, 1, 2}, 4, threads);
  EXPECT_EQ(judges.choose({{1.0, 1.0, 1.0, 1.0}, {1.0, 1.0, 1.0, 0.5}}).first, Factors(4, 1.0))
      << "the last group has no columns";
}

TEST(Judges, FindTheGroupThatIsRelevant) {
  const Problem problem = one_that_knows(80, 42, 4);
  ThreadPool threads(1);
  const std::vector<double> telling = judges_of(problem, two_groups(42), 3, threads).relevance();
  ASSERT_EQ(telling.size(), 3U);
  EXPECT_GT(telling[0], 0.8);
  EXPECT_LT(telling[1], 0.2);
  EXPECT_EQ(telling[2], 0.0) << "a group without columns";
}

TEST(Judges, LetGroupsCountByTheirRelevance) {
  const Problem problem = one_that_knows(60, 300, 6);
  ThreadPool threads(1);
  const Judges judges = judges_of(problem, two_groups(300), 2, threads);
  const Factors chosen = judges.choose_by_relevance().first;
  EXPECT_EQ(chosen[0], 1.0);
  EXPECT_LT(chosen[1], 0.2);
  EXPECT_LT(judges.left_out(chosen).second, judges.left_out({1.0, 1.0}).second);
}

TEST(Judges, FindNothingRelevantWhereNothingIsKnown) {
  Problem problem = one_that_knows(40, 6, 5);
  problem.X.setZero();
  ThreadPool threads(1);
  EXPECT_EQ(judges_of(problem, {0, 0, 1, 1, 1, 1}, 2, threads).relevance(), (std::vector<double>{0.0, 0.0}));
}

}  // namespace
}  // namespace shapeboost::detail
