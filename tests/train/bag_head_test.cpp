// SPDX-License-Identifier: MIT
// Heads of bags: what decides may be one instance, the mean, a share, or two kinds together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "ground/rng.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/trainer.hpp"
#include "support/accuracy.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "train/plan.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

enum class Decides { one_instance, mean, share, two_kinds };

constexpr Eigen::Index kBagFeatures = 5;

/// Ten to twenty instances, normal but for what decides.
Dataset bags_where(Decides what, std::int64_t count, std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::bags);
  for (std::int64_t i = 0; i < count; ++i) {
    const bool positive = i % 2 == 0;
    Matrix bag(10 + rng.below(11), kBagFeatures);
    for (double& value : bag.reshaped()) value = rng.normal();
    const auto move = [&](Eigen::Index row, Eigen::Index feature) { bag(row, feature) += 6.0; };
    switch (what) {
      case Decides::one_instance:
        if (positive) move(0, 0);
        break;
      case Decides::mean:
        if (positive) bag.col(0).array() += 1.5;
        break;
      case Decides::share:  // both have some: most of them, or few
        for (Eigen::Index r = 0; r < bag.rows(); ++r) {
          if (rng.uniform() < (positive ? 0.8 : 0.2)) move(r, 1);
        }
        break;
      case Decides::two_kinds: {  // either alone is found in negative bags
        const bool first = positive || rng.below(2) == 0;
        if (first) move(0, 0);
        if (positive || !first) move(1, 1);
        break;
      }
    }
    add(data, bag, positive ? "yes" : "no", std::to_string(i));
  }
  return data;
}

/// Harder ones, which no rule tells apart without error: what decides lies among normal instances, and what can be
/// known of a bag without asking the right question leaves many of them wrong.
Dataset hard_bags_where(Decides what, std::int64_t count, std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::bags);
  for (std::int64_t i = 0; i < count; ++i) {
    const bool positive = i % 2 == 0;
    const Eigen::Index most = what == Decides::share ? 40 : 20;
    Matrix bag(most / 2 + rng.below(most / 2 + 1), kBagFeatures);
    for (double& value : bag.reshaped()) value = rng.normal();
    switch (what) {
      case Decides::one_instance:  // moved in both features; of negative bags one is moved in either
        if (positive) {
          bag.row(0).head(2).array() += 5.0;
        } else {
          bag(0, rng.below(2)) += 5.0;
        }
        break;
      case Decides::mean: bag.col(0).array() += positive ? 1.2 : 0.0; break;
      case Decides::share:  // both have some: 0.7 or 0.3 of them
        for (Eigen::Index r = 0; r < bag.rows(); ++r) {
          if (rng.uniform() < (positive ? 0.7 : 0.3)) bag.row(r).head(2).array() += 4.0;
        }
        break;
      case Decides::two_kinds: {  // either alone is found in negative bags
        const bool first = positive || rng.below(2) == 0;
        if (first) bag.row(0).head(2).array() += 4.5;
        if (positive || !first) bag.row(1).segment(2, 2).array() += 4.5;
        break;
      }
    }
    add(data, bag, positive ? "yes" : "no", std::to_string(i));
  }
  return data;
}

void expect_answered_by_default(Decides what) {
  const Model model = train(hard_bags_where(what, 200, 1), {}).model;
  EXPECT_TRUE(model.head);
  EXPECT_GE(accuracy_of(model, hard_bags_where(what, 400, 2)), 0.95);
}

TEST(BagHead, SeesThatOneInstanceDecides) { expect_answered_by_default(Decides::one_instance); }
TEST(BagHead, SeesThatTheMeanDecides) { expect_answered_by_default(Decides::mean); }
TEST(BagHead, SeesThatTheShareDecides) { expect_answered_by_default(Decides::share); }
TEST(BagHead, SeesThatTwoKindsDecideTogether) { expect_answered_by_default(Decides::two_kinds); }

TEST(BagHead, EvidenceIsWhatPoolingTheScoresSays) {
  const Dataset data = bags_where(Decides::share, 20, 3);
  TrainSettings settings;
  settings.members = 6;
  const Model model = train(data, settings).model;
  const Responses said = responses(model, data, 1);
  for (std::size_t j = 0; j < model.hypotheses.size(); j += 7) {
    const Hypothesis& hypothesis = model.hypotheses[j];
    if (model.views[at(hypothesis.view)].whole != 0) continue;  // whole_bags_test.cpp
    const auto instances = make_instances(data, model.views[at(hypothesis.view)]);
    for (std::int64_t i = 0; i < data.size(); ++i) {
      std::vector<double> score(at(instances->count(i)), 0.0);
      for (std::size_t t = 0; t < hypothesis.shapelet.alpha.size(); ++t) {
        const Probe z = instances->probe(hypothesis.shapelet.instances[t]);
        for (std::size_t x = 0; x < score.size(); ++x) {
          const Probe other = instances->probe(instances->first(i) + static_cast<std::int64_t>(x));
          score[x] += hypothesis.shapelet.alpha[t] * instances->similarity(z, other);
        }
      }
      const auto size = static_cast<double>(score.size());
      const auto reached = std::ranges::count_if(score, [&](double s) { return s >= hypothesis.threshold; });
      EXPECT_NEAR(said.of(Evidence::best, i, j), *std::ranges::max_element(score), 1e-6);
      EXPECT_NEAR(said.of(Evidence::least, i, j), *std::ranges::min_element(score), 1e-6);
      EXPECT_NEAR(said.of(Evidence::mean, i, j), std::accumulate(score.begin(), score.end(), 0.0) / size,
                  1e-6);
      EXPECT_NEAR(said.of(Evidence::share, i, j), static_cast<double>(reached) / size, 1.01 / size);
    }
  }
}

TEST(BagHead, IsTheSameWhateverTheThreads) {
  const Dataset data = bags_where(Decides::mean, 30, 4);
  TrainSettings settings;
  settings.members = 8;
  settings.threads = 1;
  const std::string alone = to_json(train(data, settings).model);
  settings.threads = 3;
  EXPECT_EQ(to_json(train(data, settings).model), alone);
}

TEST(BagHead, SurvivesItsFile) {
  Dataset data(DataKind::bags);
  Rng rng(5);
  for (int i = 0; i < 30; ++i) {  // mostly zeros: sizes, logarithms and directions
    Matrix bag = Matrix::Zero(6, 8);
    for (Eigen::Index r = 0; r < bag.rows(); ++r) bag(r, rng.below(8)) = std::exp(rng.normal() + (i % 2));
    add(data, bag, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  TrainSettings settings;
  settings.members = 10;
  const Model model = train(data, settings).model;
  EXPECT_TRUE(std::ranges::any_of(model.views, [](const View& v) { return v.aspect == Aspect::size; }));
  EXPECT_TRUE(std::ranges::any_of(model.views, [](const View& v) { return v.scaling == Scaling::log; }));
  const Model again = model_from_json(to_json(model), "again");
  const Scores before = scores(model, data, 1);
  const Scores after = scores(again, data, 1);
  for (std::int64_t i = 0; i < data.size(); ++i) EXPECT_DOUBLE_EQ(before.parts(i, 0), after.parts(i, 0));
}

TEST(BagHead, SeveralClassesAreWeighedAtOnce) {
  Dataset data(DataKind::bags);
  Rng rng(6);
  for (int i = 0; i < 60; ++i) {
    Matrix bag(5, 3);
    for (double& value : bag.reshaped()) value = rng.normal();
    bag(0, i % 3) += 6.0;
    add(data, bag, std::string(1, static_cast<char>('a' + i % 3)), std::to_string(i));
  }
  TrainSettings settings;
  settings.members = 20;
  const Model model = train(data, settings).model;
  EXPECT_EQ(model.parts.size(), 3U);
  EXPECT_GE(accuracy_of(model, data), 0.95);
}

TEST(BagHead, IsLeftOutWhereTheMaximumAloneIsAskedFor) {
  const Dataset data = bags_where(Decides::one_instance, 20, 7);
  const auto head_of = [&](const TrainSettings& settings) { return plan(data, settings).settings.head; };
  EXPECT_EQ(head_of({}), HeadKind::both);
  TrainSettings settings;
  settings.boosting.one_sided = true;
  EXPECT_EQ(head_of(settings), HeadKind::average);
  settings = {};
  settings.members = 1;
  EXPECT_EQ(head_of(settings), HeadKind::average);
  settings = {};
  settings.patterns = 30;
  EXPECT_EQ(head_of(settings), HeadKind::ridge);
}

TEST(BagHead, ReadableModelsHaveFewPatterns) {
  TrainSettings settings;
  settings.patterns = 10;
  settings.members = 10;
  EXPECT_EQ(train(bags_where(Decides::mean, 30, 8), settings).model.hypotheses.size(), 10U);
}

std::string fault_of(const Dataset& data, const TrainSettings& settings) {
  try {
    (void)plan(data, settings);
  } catch (const InvalidInput& fault) {
    return fault.what();
  }
  return "";
}

TEST(BagHead, SaysWhatBagsDoNotHave) {
  const Dataset data = bags_where(Decides::mean, 10, 9);
  TrainSettings settings;
  settings.evidence = {Evidence::best, Evidence::place};
  EXPECT_EQ(fault_of(data, settings),
            "evidence: of bags expected some of best, share, mean, least, bag, found place");
  settings = {};
  settings.head = HeadKind::both;
  settings.evidence = {Evidence::mean};
  EXPECT_EQ(fault_of(data, settings), "head: both weighs the best match; expected best among the evidence");
  settings = {};
  settings.aspects = {Aspect::size};
  settings.candidates = Candidates{Candidates::Kind::kmeans, 3};
  EXPECT_EQ(
      fault_of(data, settings),
      "candidates: centres of clusters are of instances plain and whole, found scaling plain, aspect size");
}

}  // namespace
}  // namespace shapeboost
