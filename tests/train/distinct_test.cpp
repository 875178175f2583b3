// SPDX-License-Identifier: MIT
#include "train/distinct.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ground/rng.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "train/problem.hpp"

namespace shapeboost {
namespace {

using detail::distinct;
using examples::sentence;

Dataset noisy(DataKind kind, int size) {
  SyntheticSettings settings;
  settings.examples = size;
  settings.length = kind == DataKind::bags ? 5 : 40;
  settings.noise = 1.0;  // so that margins fall short and caps bind
  return (kind == DataKind::bags ? planted_bags(settings) : planted_series(settings)).data;
}

/// Example i as often as it weighs, in an order of its own.
Dataset repeated(const Dataset& data, const std::vector<double>& weights) {
  std::vector<std::int64_t> copies;
  for (std::int64_t i = 0; i < data.size(); ++i)
    copies.insert(copies.end(), static_cast<std::size_t>(weights[at(i)]), i);
  Rng(5).shuffle(copies);
  return data.subset(copies);
}

std::vector<double> small_weights(std::int64_t size) {
  Rng rng(3);
  std::vector<double> weights;
  for (std::int64_t i = 0; i < size; ++i) weights.push_back(static_cast<double>(rng.below(4)));
  return weights;
}

TEST(Weights, AreRefusedWithASentence) {
  Dataset data = noisy(DataKind::series, 4);
  const auto fault = [&](const std::vector<double>& weights) {
    return sentence([&] { data.set_weights(weights); });
  };
  EXPECT_EQ(fault({1, 1, 1}), "weights: expected one for each of 4 examples, found 3");
  EXPECT_EQ(fault({1, -1, 1, 1}),
            "weights: expected finite numbers of 0 or more, found -1 for example '" + data.name(1) + "'");
  EXPECT_EQ(fault({1, 1, NAN, 1}),
            "weights: expected finite numbers of 0 or more, found nan for example '" + data.name(2) + "'");
  EXPECT_EQ(fault({0, 0, 0, 0}), "weights: all are zero; expected at least one above 0");
  EXPECT_EQ(fault({1e-13, 1, 1, 1}),
            "weights: expected numbers within a factor of 1e12, found 1e-13 for example '" + data.name(0) +
                "' and 1");
  EXPECT_FALSE(data.is_weighted()) << "nothing was changed";
  data.set_weights({2, 2, 2, 1});
  EXPECT_TRUE(data.is_weighted());
  EXPECT_EQ(data.subset({3, 0}).weight(0), 1.0);
}

TEST(Distinct, TakesCopiesTogether_AndLeavesOutWhatWeighsNothing) {
  const Dataset data = noisy(DataKind::series, 4);
  EXPECT_FALSE(distinct(data)) << "nothing to do";
  Dataset given = data.subset({2, 0, 2, 1, 3, 0});
  given.set_weights({1, 2, 3, 0, 1, 1});
  const auto found = distinct(given);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->data.size(), 3);
  EXPECT_EQ(found->place[3], -1);
  EXPECT_EQ(found->place[0], found->place[2]);
  EXPECT_EQ(found->place[1], found->place[5]);
  EXPECT_EQ(found->first[at(found->place[2])], 0);
  EXPECT_EQ(found->data.weight(found->place[0]), 4.0);
  EXPECT_EQ(found->data.weight(found->place[1]), 3.0);
  EXPECT_EQ(found->data.weight(found->place[4]), 1.0);
  EXPECT_FALSE(distinct(found->data)) << "the same once more";
}

TEST(Distinct, KeepsTheOrder_WhereAllWeighTheSame) {
  const Dataset data = noisy(DataKind::bags, 6);
  const auto found = distinct(data.subset({4, 1, 4, 0, 1, 0}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, (std::vector<std::int64_t>{0, 1, 3}));
  EXPECT_FALSE(found->data.is_weighted());
}

/// Bit for bit, of committees and single models too, which draw examples, windows and seeds.
TEST(Distinct, AnExampleOfWeightKIsKCopies) {
  for (const DataKind kind : {DataKind::series, DataKind::bags}) {
    for (const int members : {1, 4}) {
      const Dataset data = noisy(kind, 24);
      const std::vector<double> weights = small_weights(data.size());
      Dataset weighted = data;
      weighted.set_weights(weights);
      TrainSettings settings;
      settings.members = members;
      settings.threads = 1;
      const Model one = train(weighted, settings).model;
      const Model other = train(repeated(data, weights), settings).model;
      EXPECT_EQ(scores(one, data, 1).parts, scores(other, data, 1).parts);
      const Model without = train(data, settings).model;
      EXPECT_NE(scores(one, data, 1).parts, scores(without, data, 1).parts);
    }
  }
}

TEST(Distinct, PatternsNameTheExamplesThatWereGiven) {
  const Dataset data = noisy(DataKind::series, 12);
  const Dataset given = repeated(data, small_weights(data.size()));
  const Model model = train(given, examples::single()).model;
  for (const Hypothesis& hypothesis : model.hypotheses) {
    const View& view = model.views[at(hypothesis.view)];
    for (const Instance& z : hypothesis.shapelet.instances) {
      ASSERT_LT(z.example, given.size());
      if (view.normalisation != Normalisation::raw || view.transform != Transform::none) continue;
      EXPECT_NEAR(z.values[0], given.values(z.example)(0, z.position), 1e-3);
    }
  }
}

/// gamma = max_rho rho - sum_i cap_i max(0, rho - y_i g_i), cap_i = v_i / (nu sum v), from the scores alone.
TEST(Weights, AreTheMastersCaps) {
  Dataset data = noisy(DataKind::bags, 40);
  std::vector<double> weights;
  Rng rng(8);
  for (std::int64_t i = 0; i < data.size(); ++i) weights.push_back(0.5 + 3.0 * rng.uniform());
  data.set_weights(weights);
  TrainSettings settings = examples::single();
  settings.boosting.nu = 0.4;
  const TrainingResult result = train(data, settings);
  const Part& part = result.model.parts.front();
  ASSERT_EQ(part.nu, 0.4);
  EXPECT_LE(result.duality_gap, 1e-7);
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  const Vector g = mapped(scores(result.model, data, 1).parts).col(0);
  const auto soft = [&](double rho) {
    double value = rho;
    for (std::int64_t i = 0; i < data.size(); ++i) {
      const double margin = (data.label(i) == part.positive ? 1.0 : -1.0) * g[i];
      value -= weights[at(i)] / (0.4 * sum) * std::max(0.0, rho - margin);
    }
    return value;
  };
  EXPECT_NEAR(part.gamma, soft(part.rho), 1e-6);
  for (const double other : {-0.1, -0.01, 0.01, 0.1}) EXPECT_LE(soft(part.rho + other), part.gamma + 1e-6);
}

TEST(Weights, OfAClassThatWeighsNothing_AreRefused) {
  Dataset data = noisy(DataKind::series, 8);
  std::vector<double> weights;
  for (std::int64_t i = 0; i < data.size(); ++i) weights.push_back(data.label(i) == 0 ? 0.0 : 1.0);
  data.set_weights(weights);
  EXPECT_EQ(sentence([&] { (void)train(data, {}); }),
            "training data: no example of class '" + data.classes()[0] + "'");
}

TEST(Weights, AndClassesMultiply) {
  Dataset data = noisy(DataKind::series, 6);
  data.set_weights({1, 2, 3, 4, 5, 6});
  Part part;
  part.positive = 1;
  part.negative = 0;
  const auto v = [&](const char* classes) {
    return detail::problem_of(data, part, ClassWeights::parse(classes)).sides.v;
  };
  EXPECT_EQ(v("uniform"), Vector({{1, 2, 3, 4, 5, 6}}));
  const Vector by_label = v((data.classes()[0] + "=10").c_str());
  const Vector balanced = v("balanced");
  Vector side = Vector::Zero(2);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    EXPECT_EQ(by_label[i], data.weight(i) * (data.label(i) == 0 ? 10.0 : 1.0));
    side[data.label(i)] += balanced[i];
  }
  EXPECT_NEAR(side[0], 1.0, 1e-12);
  EXPECT_NEAR(side[1], 1.0, 1e-12);
}

}  // namespace
}  // namespace shapeboost
