// SPDX-License-Identifier: MIT
#include "shapeboost/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "shapeboost/base.hpp"

namespace shapeboost {
namespace {

// Every pair, as the definition has it.
double naive_auc(const std::vector<int>& labels, const std::vector<double>& scores) {
  double wins = 0.0;
  double pairs = 0.0;
  for (std::size_t p = 0; p < labels.size(); ++p) {
    for (std::size_t n = 0; n < labels.size(); ++n) {
      if (labels[p] != 1 || labels[n] != 0) continue;
      pairs += 1.0;
      if (scores[p] > scores[n]) wins += 1.0;
      if (scores[p] == scores[n]) wins += 0.5;
    }
  }
  return wins / pairs;
}

TEST(Auc, EqualsNaiveTwin_WhenRandomWithTies) {
  Rng rng(7);
  for (int trial = 0; trial < 50; ++trial) {
    const auto n = static_cast<std::size_t>(2 + rng.below(60));
    std::vector<int> labels(n);
    std::vector<double> scores(n);
    for (std::size_t i = 0; i < n; ++i) {
      labels[i] = static_cast<int>(rng.below(2));
      scores[i] = trial % 2 == 0 ? rng.normal() : static_cast<double>(rng.below(5));
    }
    labels[0] = 0;
    labels[1] = 1;
    // Exact: wins are whole and half numbers, and both divide the same two.
    EXPECT_DOUBLE_EQ(auc(labels, scores), naive_auc(labels, scores));
  }
}

TEST(Auc, IsKnown_WhenOrderIsPlain) {
  EXPECT_EQ(auc({0, 0, 1, 1}, {1, 2, 3, 4}), 1.0);
  EXPECT_EQ(auc({1, 1, 0, 0}, {1, 2, 3, 4}), 0.0);
  EXPECT_EQ(auc({0, 1, 0, 1}, {5, 5, 5, 5}), 0.5);
  EXPECT_EQ(auc({0, 1}, {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}),
            1.0);
}

TEST(Auc, IsNaN_WhenUndefined) {
  EXPECT_TRUE(std::isnan(auc({1, 1}, {1, 2})));
  EXPECT_TRUE(std::isnan(auc({0}, {1})));
  EXPECT_TRUE(std::isnan(auc({}, {})));
  EXPECT_TRUE(std::isnan(auc({0, 1}, {1, std::numeric_limits<double>::quiet_NaN()})));
}

TEST(Auc, Throws_WhenInputIsWrong) {
  EXPECT_THROW((void)auc({0, 1}, {1}), InvalidInput);
  EXPECT_THROW((void)auc({0, 2}, {1, 2}), InvalidInput);
  EXPECT_THROW((void)auc({0, -1}, {1, 2}), InvalidInput);
}

TEST(Confusion, CountsTrueByPredicted_WhenTheyDiffer) {
  Eigen::MatrixXi expected(3, 3);
  expected << 1, 1, 0, 0, 1, 0, 0, 0, 0;
  const Eigen::MatrixXi counts = confusion_matrix({0, 0, 1}, {0, 1, 1}, 3);
  EXPECT_EQ(counts, expected);
  EXPECT_DOUBLE_EQ(accuracy(counts), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(balanced_accuracy(counts), 0.75) << "the class that does not occur must not count";
}

TEST(Confusion, Throws_WhenInputIsWrong) {
  EXPECT_THROW((void)confusion_matrix({0}, {0, 1}, 2), InvalidInput);
  EXPECT_THROW((void)confusion_matrix({2}, {0}, 2), InvalidInput);
  EXPECT_THROW((void)confusion_matrix({0}, {-1}, 2), InvalidInput);
  EXPECT_THROW((void)confusion_matrix({}, {}, -1), InvalidInput);
}

TEST(Accuracy, IsNaN_WhenThereAreNoExamples) {
  const Eigen::MatrixXi counts = confusion_matrix({}, {}, 2);
  EXPECT_TRUE(std::isnan(accuracy(counts)));
  EXPECT_TRUE(std::isnan(balanced_accuracy(counts)));
}

}  // namespace
}  // namespace shapeboost
