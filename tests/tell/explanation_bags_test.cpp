// SPDX-License-Identifier: MIT
// What the instances of a bag add to its score.
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "ground/rng.hpp"
#include "shapeboost/explanation.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"

namespace shapeboost {
namespace {

/// Instances of positive bags are moved by 1.5, but for the last, which is as those of negative bags are.
Dataset moved_bags(std::int64_t count) {
  Rng rng(1);
  Dataset data(DataKind::bags);
  for (std::int64_t i = 0; i < count; ++i) {
    Matrix bag(4 + rng.below(5), 3);
    for (double& value : bag.reshaped()) value = rng.normal();
    if (i % 2 == 1) bag.col(0).head(bag.rows() - 1).array() += 1.5;
    add(data, bag, i % 2 == 1 ? "yes" : "no", std::to_string(i));
  }
  return data;
}

Model model_of(const Dataset& data, int members, HeadKind head = HeadKind::automatic) {
  TrainSettings settings;
  settings.members = members;
  settings.head = head;
  settings.threads = 2;
  return train(data, settings).model;
}

/// From responses to each instance by itself, which the maximum, the minimum and the mean are of.
std::vector<double> added_one_by_one(const Model& model, const Dataset& data, std::int64_t example,
                                     const Explanation& e) {
  Dataset alone(DataKind::bags);
  const Matrix bag = mapped(data.values(example));
  for (Eigen::Index x = 0; x < bag.rows(); ++x) add(alone, bag.row(x), "", "alone");
  const Responses said = responses(model, alone, 1);
  std::vector<double> sums(at(alone.size()), 0.0);
  for (const Contribution& c : e.contributions) {
    if (c.evidence == Evidence::mean || c.evidence == Evidence::share) {
      const Hypothesis& hypothesis = model.hypotheses[at(c.hypothesis)];
      for (std::size_t x = 0; x < sums.size(); ++x) {
        const double response = said.of(c.evidence, x, at(c.hypothesis));
        sums[x] += contribution(hypothesis, {c.hypothesis, c.w, c.evidence}, response) /
                   static_cast<double>(sums.size());
      }
    } else if (c.evidence == Evidence::least) {
      std::size_t least = 0;
      for (std::size_t x = 1; x < sums.size(); ++x) {
        if (said.least(x, at(c.hypothesis)) < said.least(least, at(c.hypothesis))) least = x;
      }
      sums[least] += c.value;
    } else {
      sums[at(c.instance)] += c.value;
    }
  }
  return sums;
}

TEST(ExplanationBags, WhatInstancesAddIsTheScore) {
  const Dataset data = moved_bags(24);
  for (const Model& model : {model_of(data, 6), model_of(data, 6, HeadKind::ridge),
                             model_of(data, 6, HeadKind::average), model_of(data, 1)}) {
    for (std::int64_t i = 0; i < data.size(); i += 5) {
      const Explanation e = explain(model, data, i, 0);
      const std::vector<double> added = instance_contributions(model, data, i, e);
      const std::vector<double> expected = added_one_by_one(model, data, i, e);
      ASSERT_EQ(added.size(), expected.size());
      for (std::size_t x = 0; x < added.size(); ++x) EXPECT_NEAR(added[x], expected[x], 1e-9);
      EXPECT_NEAR(std::accumulate(added.begin(), added.end(), 0.0), e.score - e.b, 1e-5);
      const std::array<double, kEvidences> of_kind = evidence_sums(e);
      EXPECT_NEAR(std::accumulate(of_kind.begin(), of_kind.end(), 0.0), e.score - e.b, 1e-9);
    }
  }
}

TEST(ExplanationBags, OfAMeanThatDecides_TheInstanceThatWasNotMovedAddsLessThanTheOthers) {
  const Dataset data = moved_bags(80);
  const Model model = model_of(data, 20);
  double moved = 0.0;
  double left = 0.0;
  for (std::int64_t i = 1; i < data.size(); i += 8) {
    const std::vector<double> added = instance_contributions(model, data, i, explain(model, data, i, 0));
    const double sum = std::accumulate(added.begin(), added.end(), 0.0) - added.back();
    moved += sum / static_cast<double>(added.size() - 1);
    left += added.back();
  }
  EXPECT_GT(moved, 0.0);
  EXPECT_LT(left, 0.5 * moved);
}

TEST(ExplanationBags, SeriesHaveNoInstancesOfTheirOwn) {
  Dataset series(DataKind::series);
  for (int i = 0; i < 6; ++i) add(series, Matrix::Random(1, 12), i % 2 == 0 ? "a" : "b", std::to_string(i));
  const Model model = model_of(series, 1);
  EXPECT_THROW((void)instance_contributions(model, series, 0, explain(model, series, 0, 0)), InvalidInput);
}

}  // namespace
}  // namespace shapeboost
