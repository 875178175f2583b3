// SPDX-License-Identifier: MIT
#include "tell/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ground/rng.hpp"
#include "shapeboost/base.hpp"
#include "support/matrices.hpp"

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

TEST(Auc, EqualsNaiveReference_WhenRandomWithTies) {
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
  const Array<int> expected = array(3, 3, {1, 1, 0, 0, 1, 0, 0, 0, 0});
  const Array<int> counts = confusion_matrix({0, 0, 1}, {0, 1, 1}, 3);
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

/// Right, wrong and missed, example by example.
struct Counts {
  double right = 0.0;
  double wrong = 0.0;   // predicted as the class, and not of it
  double missed = 0.0;  // of the class, and not predicted as it
};

Counts count(const std::vector<int>& labels, const std::vector<int>& predicted, int k) {
  Counts counts;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == k && predicted[i] == k) counts.right += 1.0;
    if (labels[i] != k && predicted[i] == k) counts.wrong += 1.0;
    if (labels[i] == k && predicted[i] != k) counts.missed += 1.0;
  }
  return counts;
}

void expect_same(double value, double expected) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(value)) << value;
  } else {
    EXPECT_NEAR(value, expected, 1e-12);
  }
}

TEST(PerClass, EqualsNaiveReferences_WhenRandom) {
  Rng rng(8);
  int undefined = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int classes = 2 + static_cast<int>(rng.below(5));
    const auto n = static_cast<std::size_t>(1 + rng.below(trial % 3 == 0 ? 4 : 40));
    std::vector<int> labels(n);
    std::vector<int> predicted(n);
    Array<double> scores(static_cast<Eigen::Index>(n), classes);
    for (std::size_t i = 0; i < n; ++i) {
      labels[i] = static_cast<int>(rng.below(classes));
      predicted[i] = static_cast<int>(rng.below(classes));
      for (int k = 0; k < classes; ++k) {
        scores(static_cast<Eigen::Index>(i), k) = static_cast<double>(rng.below(6));
      }
    }
    const Array<int> confusion = confusion_matrix(labels, predicted, classes);
    const std::vector<double> aucs = auc_per_class(labels, scores);
    double sum_f1 = 0.0;
    double sum_recall = 0.0;
    int with_f1 = 0;
    int present = 0;
    for (int k = 0; k < classes; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const Counts c = count(labels, predicted, k);
      const double expected_precision = c.right / (c.right + c.wrong);  // 0 / 0 is NaN
      const double expected_recall = c.right / (c.right + c.missed);
      const double expected_f1 = c.right / (c.right + 0.5 * (c.wrong + c.missed));
      expect_same(precision(confusion)[at], expected_precision);
      expect_same(recall(confusion)[at], expected_recall);
      expect_same(f1(confusion)[at], expected_f1);
      if (std::isnan(expected_f1)) {
        ++undefined;
      } else {
        sum_f1 += expected_f1;
        ++with_f1;
      }
      if (!std::isnan(expected_recall)) {
        sum_recall += expected_recall;
        ++present;
      }
      std::vector<int> is_class;
      std::vector<double> own;
      for (std::size_t i = 0; i < n; ++i) {
        is_class.push_back(labels[i] == k ? 1 : 0);
        own.push_back(scores(static_cast<Eigen::Index>(i), k));
      }
      expect_same(aucs[at], naive_auc(is_class, own));
    }
    expect_same(macro_f1(confusion), sum_f1 / with_f1);
    expect_same(balanced_accuracy(confusion), sum_recall / present);
  }
  EXPECT_GT(undefined, 0) << "classes that neither occur nor are predicted must have been among them";
}

TEST(PerClass, IsKnown_ByHand) {
  // One of three right in class 0, both of class 1; nothing of class 2, though it was predicted once.
  const Array<int> confusion = confusion_matrix({0, 0, 0, 1, 1}, {0, 1, 2, 1, 1}, 3);
  const double third = 1.0 / 3.0;
  expect_same(recall(confusion)[0], third);
  expect_same(precision(confusion)[1], 2.0 * third);
  expect_same(f1(confusion)[0], 0.5);
  expect_same(f1(confusion)[1], 0.8);
  expect_same(f1(confusion)[2], 0.0);
  EXPECT_TRUE(std::isnan(recall(confusion)[2]));
  expect_same(macro_f1(confusion), (0.5 + 0.8) / 3.0);
}

TEST(PerClass, Throws_WhenInputIsWrong) {
  EXPECT_THROW((void)auc_per_class({0, 1}, Array<double>(3, 2)), InvalidInput);
  EXPECT_THROW((void)auc_per_class({0, 2}, Array<double>(2, 2)), InvalidInput);
  EXPECT_THROW((void)auc_per_class({0, -1}, Array<double>(2, 2)), InvalidInput);
}

TEST(Accuracy, IsNaN_WhenThereAreNoExamples) {
  const Array<int> counts = confusion_matrix({}, {}, 2);
  EXPECT_TRUE(std::isnan(accuracy(counts)));
  EXPECT_TRUE(std::isnan(balanced_accuracy(counts)));
  EXPECT_TRUE(std::isnan(macro_f1(counts)));
}

}  // namespace
}  // namespace shapeboost
