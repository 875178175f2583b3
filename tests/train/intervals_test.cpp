// SPDX-License-Identifier: MIT
// Level, spread and slope of intervals beside the patterns.
#include "train/intervals.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "shapeboost/explanation.hpp"
#include "shapeboost/predictor.hpp"
#include "solve/ridge.hpp"
#include "support/accuracy.hpp"
#include "support/examples.hpp"
#include "support/heads.hpp"
#include "support/matrices.hpp"
#include "support/planted.hpp"

namespace shapeboost {
namespace {

using heads::bands;

TrainSettings small() {
  TrainSettings settings;
  settings.members = 20;
  settings.threads = 2;
  return settings;
}

TEST(WeighedIntervals, CountWhereNoWindowTellsTheClasses) {
  const Dataset data = bands(60, 1);
  const Dataset others = bands(200, 2);
  TrainSettings without = small();
  without.intervals = false;
  const Model model = train(data, small()).model;
  const Model plain = train(data, without).model;
  ASSERT_TRUE(model.head->intervals);
  EXPECT_FALSE(plain.head->intervals);
  EXPECT_GE(accuracy_of(model, others), 0.9);
  EXPECT_LE(accuracy_of(plain, others), accuracy_of(model, others) - 0.1);
  EXPECT_LT(model.head->left_out_error, plain.head->left_out_error);
}

TEST(WeighedIntervals, AreLeftOutWherePatternsTellAll_AndWhereSomethingElseIsAskedFor) {
  EXPECT_FALSE(train(examples::small_series(1, 40, 0.5, 60), small()).model.head->intervals);
  const Dataset data = bands(60, 1);
  const auto weighs = [&](const auto& choose) {
    TrainSettings settings = small();
    choose(settings);
    return train(data, settings).model.head->intervals.has_value();
  };
  EXPECT_TRUE(weighs([](TrainSettings&) {}));
  EXPECT_FALSE(weighs([](TrainSettings& s) { s.patterns = 100; }));
  EXPECT_FALSE(weighs([](TrainSettings& s) { s.evidence = {Evidence::best}; }));
  EXPECT_FALSE(weighs([](TrainSettings& s) { s.transforms = {Transform::none}; }));
  EXPECT_FALSE(weighs([](TrainSettings& s) { s.channels = {{0}}; }));
}

TEST(WeighedIntervals, GiveTheSameModelForAnyNumberOfThreads) {
  const Dataset data = bands(120, 1, 3);
  TrainSettings settings = small();
  settings.threads = 1;
  const std::string one = to_json(train(data, settings).model);
  for (const int threads : {3, 5}) {  // from four on the patterns are weighed while intervals are sought
    settings.threads = threads;
    EXPECT_EQ(to_json(train(data, settings).model), one) << threads;
  }
  EXPECT_NE(one.find("\"intervals\""), std::string::npos);
}

TEST(WeighedIntervals, AreSolvedForTogetherWithThePatterns) {
  // The certificate is that of the whole regression, and left-out scores are those of its own columns.
  const Dataset data = bands(60, 1);
  const TrainingResult result = train(data, small());
  ASSERT_TRUE(result.model.head->intervals);
  EXPECT_LT(result.model.head->residual, 1e-9);
  ASSERT_EQ(result.left_out.rows(), data.size());
}

TEST(WeighedIntervals, SayTheSameFromFileFromResponsesAndOneByOne) {
  const Dataset data = bands(120, 1, 3);
  const Model model = train(data, small()).model;
  ASSERT_TRUE(model.head->intervals);
  const Model loaded = model_from_json(to_json(model), "M.json");
  const Predictor predictor(model);
  const Scores expected = predictor.scores(data, 1);
  EXPECT_EQ(scores(loaded, data, 3).parts, expected.parts);
  EXPECT_EQ(predictor.scores(predictor.responses(data, 1)).parts, expected.parts);
  EXPECT_EQ(predictor.scores(data.subset({7}), 1).parts(0, 1), expected.parts(7, 1));
}

TEST(WeighedIntervals, ContributionsAddUpToTheScore_AndLieWhereTheClassesDiffer) {
  const Dataset data = bands(60, 1);
  const Model model = train(data, small()).model;
  ASSERT_TRUE(model.head->intervals);
  const Responses responses = shapeboost::responses(model, data);
  const Scores all = scores(model, data);
  double told = 0.0;
  double elsewhere = 0.0;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const Explanation why = explain(model, responses, i, 0);
    double sum = why.b + interval_sum(why);
    for (const Contribution& c : why.contributions) sum += c.value;
    EXPECT_NEAR(sum, all.parts(i, 0), 1e-9);
    EXPECT_NEAR(why.score, all.parts(i, 0), 1e-9);
    const Array<double> curve = evidence(model, data, responses, i, 0);
    double area = 0.0;
    for (std::int64_t c = 0; c < curve.rows(); ++c) {
      for (const double value : curve.row(c)) area += value;
    }
    EXPECT_NEAR(area, why.score - why.b, 1e-9);
    const double side = data.label(i) == 1 ? 1.0 : -1.0;
    for (const IntervalContribution& c : why.intervals) {
      const Interval interval = model.head->intervals->at(c.number);
      const bool there = interval.channel == 0 && interval.first < 80.0 / 128.0 && interval.last > 0.5;
      (there ? told : elsewhere) += side * c.value;
    }
  }
  EXPECT_GT(told, std::abs(elsewhere));
}

TEST(WeighedIntervals, AreColumnsOfTheTransform) {
  const Dataset data = bands(60, 1);
  const Model model = train(data, small()).model;
  const Predictor predictor(model);
  const Array<double> X = predictor.transformed(data, 1);
  const std::size_t first = model.hypotheses.size() * model.head->evidence.size();
  ASSERT_EQ(X.cols(), std::ssize(model.hypotheses) * std::ssize(model.head->evidence) +
                          static_cast<std::int64_t>(model.head->intervals->size()));
  const Explanation why = explain(model, data, 3, 0);
  double sum = 0.0;
  for (std::size_t k = 0; k < model.head->intervals->size(); ++k) {
    const Standard& standard = model.head->intervals->standard[k];
    sum += model.parts[0].intervals[k] * (X(3, first + k) - standard.centre) / standard.scale;
  }
  EXPECT_NEAR(sum, interval_sum(why), 1e-9);
}

}  // namespace
}  // namespace shapeboost
