// SPDX-License-Identifier: MIT
// Training beyond two classes of equally long series of one channel: several classes, several channels,
// unequal lengths, gaps, series too short to be seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/trainer.hpp"
#include "support/accuracy.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "support/tolerances.hpp"
#include "train/plan.hpp"
#include "train/trainer.hpp"

namespace shapeboost {
namespace {

/// Responses of single instances come from tables of floats.
constexpr std::int64_t kPattern = 10;

/// The pattern of class c: nothing, a hump, a dip, a burst.
double shape(int c, std::int64_t t) {
  const double turn = std::numbers::pi * (static_cast<double>(t) + 0.5) / kPattern;
  switch (c) {
    case 1: return 2.0 * std::sin(turn);
    case 2: return -2.0 * std::sin(turn);
    case 3: return 2.0 * std::sin(4.0 * turn);
    default: return 0.0;
  }
}

Matrix noise(std::int64_t channels, std::int64_t steps, Rng& rng) {
  Matrix series(channels, steps);
  for (double& v : series.reshaped()) v = 0.25 * rng.normal();
  return series;
}

void plant(Matrix& series, std::int64_t channel, std::int64_t begin, int c) {
  for (std::int64_t t = 0; t < kPattern; ++t) series(channel, begin + t) += shape(c, t);
}

/// Series of 30 to 30 + `spread` time steps, classes in turn; channel `channel` of `channels` carries the
/// pattern.
Dataset patterns(std::int64_t examples, int classes, std::uint64_t seed, std::int64_t spread = 0,
                 std::int64_t channels = 1, std::int64_t channel = 0) {
  Rng rng(seed);
  Dataset data(DataKind::series, "patterns");
  for (std::int64_t i = 0; i < examples; ++i) {
    const std::int64_t steps = 30 + (spread > 0 ? rng.below(spread + 1) : 0);
    const auto c = static_cast<int>(i % classes);
    Matrix series = noise(channels, steps, rng);
    plant(series, channel, rng.below(steps - kPattern + 1), c);
    add(data, series, "c" + std::to_string(c), std::to_string(i));
  }
  return data;
}

TrainSettings one_model() {
  TrainSettings settings = examples::single();
  settings.lengths = {0.3};
  return settings;
}

TrainSettings committee() {
  TrainSettings settings;
  settings.members = 8;
  settings.head = HeadKind::average;
  settings.views = ViewChoice::parse("random:2");
  settings.candidates = Candidates::parse("sample:80");
  settings.boosting.refine = Refine::yes;
  settings.boosting.nu = 0.2;
  settings.threads = 1;
  return settings;
}

/// Every part is what it says of its own bags, and the list of hypotheses has no idle and no double one.
void expect_honest(const Model& model, const Dataset& data) {
  const Scores score = scores(model, data, 1);
  ASSERT_EQ(score.parts.cols(), static_cast<Eigen::Index>(model.parts.size()));
  std::vector<double> total(model.hypotheses.size(), 0.0);
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    SCOPED_TRACE("part " + std::to_string(p));
    const Part& part = model.parts[p];
    std::vector<double> margins;
    double positive = 0.0;
    for (std::int64_t i = 0; i < data.size(); ++i) {
      const int label = data.label(i);
      const bool is_positive = label == part.positive;
      if (!is_positive && part.negative != kRest && label != part.negative) continue;
      margins.push_back((is_positive ? 1.0 : -1.0) * score.parts(i, static_cast<Eigen::Index>(p)));
      positive += is_positive ? 1.0 : 0.0;
    }
    ASSERT_EQ(part.margins.size(), margins.size());
    double largest = 1.0;  // kernels may be large, and floats are exact to a share
    for (const double margin : margins) largest = std::max(largest, std::abs(margin));
    for (std::size_t i = 0; i < margins.size(); ++i) {
      EXPECT_NEAR(part.margins[i], margins[i], kScores * largest);
    }
    ASSERT_FALSE(part.weights.empty());
    double sum = 0.0;
    for (std::size_t k = 0; k < part.weights.size(); ++k) {
      EXPECT_GT(part.weights[k].w, 0.0);
      if (k > 0) {
        EXPECT_LE(part.weights[k].w, part.weights[k - 1].w) << "largest first";
      }
      sum += part.weights[k].w;
      total[at(part.weights[k].hypothesis)] += part.weights[k].w;
    }
    EXPECT_NEAR(sum, 1.0, kScores);
    const auto m = static_cast<double>(margins.size());
    EXPECT_LE(part.nu, 2.0 * std::min(positive, m - positive) / m + 1e-12);
    const Vector caps = Vector::Constant(static_cast<Eigen::Index>(margins.size()), 1.0 / (part.nu * m));
    EXPECT_NEAR(soft_margin(margins, caps).gamma, part.gamma, kScores * largest);
  }
  EXPECT_TRUE(std::is_sorted(total.rbegin(), total.rend())) << "by total weight";
  using Cut = std::tuple<std::int64_t, std::int64_t, double>;
  std::map<std::tuple<int, int, std::vector<Cut>>, std::size_t> seen;
  for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
    EXPECT_GT(total[j], 0.0) << "used by nobody";
    const Hypothesis& h = model.hypotheses[j];
    std::vector<Cut> cuts;
    for (std::size_t k = 0; k < h.shapelet.alpha.size(); ++k) {
      const Instance& instance = h.shapelet.instances[k];
      cuts.emplace_back(instance.example, instance.position, h.shapelet.alpha[k]);
    }
    EXPECT_TRUE(seen.try_emplace({h.view, h.sign, cuts}, j).second) << "stored twice: " << j;
  }
}

std::size_t weights_in(const Model& model) {
  std::size_t count = 0;
  for (const Part& part : model.parts) count += part.weights.size();
  return count;
}

// --------------------------------------------------------------------------------------- several classes

TEST(SeveralClasses, AreToldApart_ByEitherStrategy) {
  for (const int classes : {3, 4}) {
    const Dataset data = patterns(12 * classes, classes, 1);
    const Dataset fresh = patterns(30 * classes, classes, 2);
    for (const Strategy strategy : {Strategy::one_vs_rest, Strategy::one_vs_one}) {
      for (TrainSettings settings : {one_model(), committee()}) {
        SCOPED_TRACE(std::to_string(classes) + " classes, " + std::string(to_string(strategy)) + ", " +
                     std::to_string(settings.members) + " members");
        settings.strategy = strategy;
        const TrainingResult result = train(data, settings);
        const Model& model = result.model;
        EXPECT_EQ(model.strategy, strategy);
        EXPECT_EQ(model.classes, data.classes());
        EXPECT_EQ(model.parts.size(),
                  at(strategy == Strategy::one_vs_rest ? classes : classes * (classes - 1) / 2));
        expect_honest(model, data);
        EXPECT_EQ(accuracy_of(model, data), 1.0);
        EXPECT_GE(accuracy_of(model, fresh), 0.9);
        for (const RoundRecord& record : result.rounds) {
          EXPECT_LT(at(record.part), model.parts.size());
          EXPECT_LT(record.member, settings.members);
        }
        // What was trained is what is loaded.
        const Model loaded = model_from_json(to_json(model), "m");
        EXPECT_EQ(scores(loaded, fresh, 1).parts, scores(model, fresh, 1).parts);
      }
    }
  }
}

TEST(SeveralClasses, ShareHypotheses_WhenCandidatesAreFew) {
  const Dataset data = patterns(40, 4, 3);
  for (const Strategy strategy : {Strategy::one_vs_rest, Strategy::one_vs_one}) {
    TrainSettings settings = one_model();
    settings.strategy = strategy;
    settings.boosting.refine = Refine::no;
    settings.candidates = Candidates::parse("sample:12");
    const Model model = train(data, settings).model;
    expect_honest(model, data);
    EXPECT_GT(weights_in(model), model.hypotheses.size()) << "nothing was shared: the case is too easy";
  }
}

TEST(SeveralClasses, AreTheSameFile_WhateverTheThreadsAndTheMemory) {
  const Dataset data = patterns(24, 3, 4, 10);
  for (const Strategy strategy : {Strategy::one_vs_rest, Strategy::one_vs_one}) {
    for (TrainSettings settings : {one_model(), committee()}) {
      for (const char* candidates : {"all", "kmeans:4"}) {
        SCOPED_TRACE(std::string(to_string(strategy)) + ", " + std::to_string(settings.members) +
                     " members, " + candidates);
        settings.strategy = strategy;
        settings.candidates = Candidates::parse(candidates);
        settings.boosting.max_rounds = 20;
        settings.threads = 1;
        settings.memory = std::int64_t{1} << 30;
        const std::string expected = to_json(train(data, settings).model);
        settings.threads = 2;
        EXPECT_EQ(to_json(train(data, settings).model), expected) << "two threads";
        settings.memory = smallest_memory(data, settings);
        EXPECT_EQ(to_json(train(data, settings).model), expected) << "two threads, least memory";
        settings.threads = 1;
        EXPECT_EQ(to_json(train(data, settings).model), expected) << "one thread, least memory";
      }
    }
  }
}

TEST(SeveralClasses, StrategyMakesNoDifference_WhenTheyAreTwo) {
  const Dataset data = patterns(16, 2, 5);
  TrainSettings settings = one_model();
  settings.strategy = Strategy::one_vs_rest;
  Model rest = train(data, settings).model;
  settings.strategy = Strategy::one_vs_one;
  Model pairs = train(data, settings).model;
  EXPECT_EQ(rest.parts.size(), 1U);
  rest.strategy = pairs.strategy;
  EXPECT_EQ(to_json(rest), to_json(pairs));
}

TEST(SeveralClasses, TheLargestIsTheAnswer_WhenNothingWasLearned) {
  const Dataset all = patterns(24, 3, 6);
  const Dataset data = all.subset({0, 1, 2, 4, 5, 7, 8, 10, 13});  // 1, 5 and 3 of the classes
  Observer observer;
  observer.interrupted = [] { return true; };
  for (const Strategy strategy : {Strategy::one_vs_rest, Strategy::one_vs_one}) {
    for (TrainSettings settings : {one_model(), committee()}) {
      settings.strategy = strategy;
      const TrainingResult result = train(data, settings, observer);
      EXPECT_EQ(result.stop, Stop::interrupted);
      EXPECT_TRUE(result.model.hypotheses.empty());
      EXPECT_EQ(predictions(result.model, scores(result.model, data, 1)), std::vector<int>(9, 1))
          << to_string(strategy);
    }
  }
}

TEST(SeveralClasses, WeighBalanced_EachPartBySides) {
  // One bag in seven is of class c2: against the rest that is 1 in 7, against c0 1 in 4.
  Rng rng(6);
  Dataset data(DataKind::series);
  for (int i = 0; i < 42; ++i) {
    const int c = i % 7 == 6 ? 2 : i % 2;
    Matrix series = noise(1, 30, rng);
    plant(series, 0, rng.below(20), c);
    add(data, series, "c" + std::to_string(c), "");
  }
  TrainSettings settings = one_model();
  settings.strategy = Strategy::one_vs_rest;
  settings.boosting.nu = 0.5;
  const TrainingResult uniform = train(data, settings);
  EXPECT_NEAR(uniform.model.parts[2].nu, 2.0 / 7.0, 1e-12) << "lowered where the class is small";
  EXPECT_EQ(uniform.model.parts[0].nu, 0.5);
  ASSERT_FALSE(uniform.notes.empty());
  settings.class_weights.rule = ClassWeights::Rule::balanced;
  const TrainingResult balanced = train(data, settings);
  EXPECT_EQ(balanced.model.parts[2].nu, 0.5);
  EXPECT_TRUE(balanced.notes.empty());
  settings.class_weights = ClassWeights::parse("c2=5,none=2");
  EXPECT_EQ(examples::sentence([&] { (void)train(data, settings); }),
            "class-weights: expected labels among 'c0', 'c1', 'c2', found 'none'");
}

// -------------------------------------------------------------------------------------- several channels

double weight_of_channels(const Model& model, const std::vector<int>& channels) {
  double sum = 0.0;
  for (const Weight& weight : model.parts.front().weights) {
    const Hypothesis& h = model.hypotheses[at(weight.hypothesis)];
    if (model.views[at(h.view)].channels == channels) sum += weight.w;
  }
  return sum;
}

TEST(Channels, TheOneThatKnowsIsFound) {
  for (const std::int64_t channel : {0, 2}) {
    const Dataset data = patterns(24, 2, 7, 0, 3, channel);
    TrainSettings settings = one_model();
    settings.channels = {{0}, {1}, {2}};
    const Model model = train(data, settings).model;
    EXPECT_GE(weight_of_channels(model, {static_cast<int>(channel)}), 0.8) << channel;
    EXPECT_GE(accuracy_of(model, patterns(60, 2, 8, 0, 3, channel)), 0.9) << channel;
    settings.channels = {{1}};
    EXPECT_LE(accuracy_of(train(data, settings).model, patterns(60, 2, 8, 0, 3, channel)), 0.75)
        << "channel 1 knows nothing";
  }
}

/// Both channels carry a hump; in class c1 at the same time, in class c0 at another.
Dataset together(std::int64_t examples, std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::series);
  for (std::int64_t i = 0; i < examples; ++i) {
    Matrix series = noise(2, 50, rng);
    const std::int64_t first = rng.below(41);
    std::int64_t second = first;
    while (i % 2 == 0 && std::abs(second - first) < 10) second = rng.below(41);
    plant(series, 0, first, 1);
    plant(series, 1, second, 1);
    add(data, series, i % 2 == 0 ? "c0" : "c1", std::to_string(i));
  }
  return data;
}

TEST(Channels, OnlyJointWindowsSeeWhatHappensTogether) {
  const Dataset data = together(40, 9);
  const Dataset fresh = together(100, 10);
  TrainSettings settings = one_model();
  settings.lengths = {10.0};
  settings.channels = {std::vector<int>()};
  const Model joint = train(data, settings).model;
  EXPECT_GE(accuracy_of(joint, fresh), 0.9);
  EXPECT_EQ(joint.hypotheses[0].shapelet.instances[0].values.size(), 20U);
  settings.channels = {{0}, {1}};
  EXPECT_LE(accuracy_of(train(data, settings).model, fresh), 0.75);
  settings.channels = {};  // each and all: the joint windows carry it
  EXPECT_GE(weight_of_channels(train(data, settings).model, {}), 0.5);
}

// --------------------------------------------------------------------------- unequal lengths, gaps, short

/// A share of the values is missing.
Dataset with_gaps(const Dataset& data, double share, std::uint64_t seed) {
  Rng rng(seed);
  Dataset result(DataKind::series);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    Matrix series = mapped(data.values(i));
    for (double& v : series.reshaped()) {
      if (rng.uniform() < share) v = NAN;
    }
    add(result, series, data.classes()[at(data.label(i))], data.name(i));
  }
  return result;
}

TEST(Train, LearnsFromSeriesOfUnequalLength) {
  const Dataset data = patterns(30, 3, 11, 40);
  ASSERT_LT(data.min_length(), data.max_length());
  for (const TrainSettings& settings : {one_model(), committee()}) {
    const Model model = train(data, settings).model;
    expect_honest(model, data);
    EXPECT_GE(accuracy_of(model, patterns(60, 3, 12, 40)), 0.9);
  }
}

TEST(Train, LearnsFromSeriesWithGaps) {
  const Dataset data = with_gaps(patterns(40, 2, 13, 20, 2), 0.03, 14);
  const Dataset fresh = with_gaps(patterns(80, 2, 15, 20, 2), 0.03, 16);
  for (TrainSettings settings : {one_model(), committee()}) {
    settings.lengths = {6.0};
    const Model model = train(data, settings).model;
    expect_honest(model, data);
    EXPECT_GE(accuracy_of(model, fresh), 0.8);
  }
}

TEST(Train, AnswersForSeriesThatNoViewCanSee) {
  Dataset data = patterns(24, 3, 17);
  add(data, Matrix::Constant(1, 1, 0.5), "c0", "short");
  add(data, Matrix::Constant(1, 30, NAN), "c1", "missing");
  for (const Strategy strategy : {Strategy::one_vs_rest, Strategy::one_vs_one}) {
    for (TrainSettings settings : {one_model(), committee()}) {
      settings.strategy = strategy;
      settings.lengths = {0.3};
      const Model model = train(data, settings).model;
      expect_honest(model, data);
      const Scores score = scores(model, data, 1);
      EXPECT_EQ(uncovered(score), (std::vector<std::int64_t>{24, 25}));
      for (std::size_t p = 0; p < model.parts.size(); ++p) {
        EXPECT_EQ(score.parts(24, static_cast<Eigen::Index>(p)), model.parts[p].b);
      }
      EXPECT_EQ(predictions(model, score)[24], predictions(model, score)[25]);
      EXPECT_GE(accuracy_of(model, data), 24.0 / 26.0);
    }
  }
}

TEST(Train, LearnsNothing_WhenNoViewSeesAnything) {
  Dataset data(DataKind::series);
  Rng rng(18);
  for (int i = 0; i < 9; ++i) {
    Matrix series = noise(1, 30, rng);
    for (Eigen::Index t = 1; t < 30; t += 3) series(0, t) = NAN;
    add(data, series, i % 3 == 0 ? "a" : "b", "");
  }
  for (const Weak weak : {Weak::sparse, Weak::ball}) {
    for (const char* candidates : {"all", "sample:5", "kmeans:2"}) {
      TrainSettings settings = examples::single();
      settings.lengths = {5.0};
      settings.boosting.weak = weak;
      settings.candidates = Candidates::parse(candidates);
      const TrainingResult result = train(data, settings);
      EXPECT_EQ(result.stop, Stop::nothing);
      EXPECT_TRUE(result.model.hypotheses.empty());
      EXPECT_EQ(result.instances, 0);
      EXPECT_EQ(predictions(result.model, scores(result.model, data, 1)), std::vector<int>(9, 1));
      EXPECT_EQ(to_json(model_from_json(to_json(result.model), "m")), to_json(result.model));
    }
  }
}

TEST(Train, UsesTheOtherViews_WhenOneSeesNothing) {
  Dataset data = patterns(24, 2, 19);
  TrainSettings settings = one_model();
  settings.lengths = {0.3, 30.0};
  settings.transforms = {Transform::none, Transform::differences};
  settings.dilations = {1, 2};
  data = with_gaps(data, 0.08, 20);  // hardly a series is whole
  const Model model = train(data, settings).model;
  expect_honest(model, data);
  EXPECT_GE(accuracy_of(model, data), 0.9);
}

// ------------------------------------------------------------------------------- every kind of view trains

TEST(Train, IsHonest_WithEveryKindOfView) {
  const Dataset data = with_gaps(patterns(20, 2, 21, 10, 2), 0.01, 22);
  for (const KernelKind kernel : {KernelKind::gaussian, KernelKind::linear, KernelKind::polynomial}) {
    for (const Weak weak : {Weak::sparse, Weak::ball}) {
      SCOPED_TRACE(std::string(to_string(kernel)) + ", " + std::string(to_string(weak)));
      TrainSettings settings = one_model();
      settings.kernel.kind = kernel;
      settings.boosting.weak = weak;
      settings.lengths = {5.0};
      settings.dilations = {1, 2};
      settings.transforms = {Transform::none, Transform::differences};
      settings.taus = {0.0, 4.0};
      settings.boosting.max_rounds = 12;
      const Model model = train(data, settings).model;
      EXPECT_EQ(model.views.size(), 24U);
      expect_honest(model, data);
      EXPECT_EQ(to_json(model_from_json(to_json(model), "m")), to_json(model));
      const Model loaded = model_from_json(to_json(model), "m");
      EXPECT_EQ(scores(loaded, data, 1).parts, scores(model, data, 1).parts);
    }
  }
}

}  // namespace
}  // namespace shapeboost
