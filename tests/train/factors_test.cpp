// SPDX-License-Identifier: MIT
#include "train/factors.hpp"

#include <gtest/gtest.h>

#include "ground/rng.hpp"
#include "solve/ridge.hpp"

namespace shapeboost::detail {
namespace {

/// Columns 0 and 1 know the target but for some noise, the others know nothing.
Judges one_that_knows(Eigen::Index examples, Eigen::Index columns, std::uint64_t seed) {
  Rng rng(seed);
  Judges judges{Columns(examples, columns), Eigen::MatrixXd(examples, 1), {}};
  for (Eigen::Index i = 0; i < examples; ++i) {
    judges.Y(i, 0) = i % 2 == 0 ? 1.0 : -1.0;
    for (Eigen::Index j = 0; j < columns; ++j) {
      judges.X(i, j) = static_cast<float>((j < 2 ? judges.Y(i, 0) : 0.0) + 0.5 * rng.normal());
    }
  }
  return judges;
}

double left_out_error(const Judges& judges, const Factors& factors) {
  Columns X = judges.X;
  for (Eigen::Index j = 0; j < X.cols(); ++j) X.col(j) *= factors[static_cast<std::size_t>(j)];
  ThreadPool threads(1);
  RidgeSettings settings;
  settings.steps_per_decade = 1;
  return ridge(X, judges.Y, judges.v, settings, threads).left_out_error;
}

Factors for_noise(std::size_t columns, float factor) {
  Factors factors(columns, factor);
  factors[0] = factors[1] = 1.0F;
  return factors;
}

TEST(Factors, NoiseCountsForLess) {
  constexpr std::size_t kColumns = 300;
  const Judges judges = one_that_knows(60, kColumns, 1);
  const std::vector<Factors> noise{for_noise(kColumns, 1.0F), for_noise(kColumns, 0.3F),
                                   for_noise(kColumns, 0.1F)};
  ThreadPool threads(1);
  const ChosenFactors chosen = choose_factors(judges, {noise}, threads);
  EXPECT_EQ(chosen.factors, noise[2]);
  EXPECT_GT(chosen.alpha, 0.0);
  for (const Factors& other : noise) {
    EXPECT_LE(left_out_error(judges, chosen.factors), left_out_error(judges, other) + 1e-9);
  }
}

TEST(Factors, ALaterChoiceIsOnTopOfAnEarlierOne) {
  constexpr std::size_t kColumns = 300;
  const Judges judges = one_that_knows(60, kColumns, 2);
  const std::vector<Factors> first{for_noise(kColumns, 1.0F), for_noise(kColumns, 0.5F)};
  const std::vector<Factors> second{Factors(kColumns, 1.0F), for_noise(kColumns, 0.25F)};
  ThreadPool threads(1);
  EXPECT_EQ(choose_factors(judges, {first, second}, threads).factors, for_noise(kColumns, 0.125F));
}

TEST(Factors, OfEqualsTheFirstIsTaken) {
  const Judges judges = one_that_knows(40, 4, 3);
  ThreadPool threads(1);
  const std::vector<Factors> same{Factors(4, 1.0F), Factors(4, 1.0F)};
  EXPECT_EQ(choose_factors(judges, {same}, threads).factors, same[0]);
  EXPECT_EQ(choose_factors(judges, {}, threads).factors, same[0]) << "nothing to choose";
}

TEST(Relevance, IsThatOfTheGroupThatKnows) {
  const Judges judges = one_that_knows(80, 42, 4);
  std::vector<int> group(42, 1);
  group[0] = group[1] = 0;
  group[41] = -1;
  ThreadPool threads(1);
  const std::vector<double> telling = relevance(judges, group, 3, threads);
  ASSERT_EQ(telling.size(), 3U);
  EXPECT_EQ(telling[0], 1.0);
  EXPECT_LT(telling[1], 0.2);
  EXPECT_NEAR(telling[2], 0.5 * (telling[0] + telling[1]), 1e-12) << "a group without columns";
}

TEST(Relevance, IsTheSameForAll_WhereNothingIsKnown) {
  Judges judges = one_that_knows(40, 6, 5);
  judges.X.setZero();
  ThreadPool threads(1);
  EXPECT_EQ(relevance(judges, {0, 0, 1, 1, 1, 1}, 2, threads), (std::vector<double>{1.0, 1.0}));
}

}  // namespace
}  // namespace shapeboost::detail
