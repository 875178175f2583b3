// SPDX-License-Identifier: MIT
// A training that is stopped, wherever that is: it ends at once, with a model.
#include <gtest/gtest.h>

#include <cmath>

#include "ground/rng.hpp"
#include "ground/stop.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "support/planted.hpp"

namespace shapeboost {
namespace {

/// Classes a, b and c: a bump somewhere, of its own width.
Dataset three_classes() {
  Rng rng(5);
  Dataset data(DataKind::series);
  for (std::int64_t i = 0; i < 30; ++i) {
    Matrix series(1, 40);
    for (double& value : series.reshaped()) value = 0.3 * rng.normal();
    const std::int64_t width = 4 + 5 * (i % 3);
    series.row(0).segment(rng.below(40 - width), width).array() += 2.0;
    add(data, series, std::string(1, static_cast<char>('a' + i % 3)), std::to_string(i));
  }
  return data;
}

struct Case {
  const char* name;
  Dataset data;
  TrainSettings settings;
};

/// Every path of train().
std::vector<Case> cases() {
  std::vector<Case> all;
  TrainSettings few;
  few.threads = 1;
  few.members = 6;
  const Dataset series = examples::small_series(3, 40, 0.5, 60);
  all.push_back({"head", series, few});
  TrainSettings dropping = few;
  dropping.patterns = 20;
  all.push_back({"head that drops patterns", series, dropping});
  TrainSettings average = few;
  average.head = HeadKind::average;
  all.push_back({"average", series, average});
  TrainSettings single = few;
  single.members = 1;
  all.push_back({"one model", examples::small_series(4, 24, 0.5, 30), single});
  all.push_back({"three classes", three_classes(), few});
  const Dataset bags = examples::random_bags(24, 6, 4, 6);
  all.push_back({"bags", bags, few});
  TrainSettings ridge = few;
  ridge.head = HeadKind::ridge;
  all.push_back({"head of bags", bags, ridge});
  all.push_back({"sequences", examples::random_sequences(20, 12, 7), few});
  return all;
}

TEST(Stopping, EndsAtOnceWithAModel_WhereverItComes) {
  for (const Case& one : cases()) {
    std::int64_t all = 0;
    Observer counting;
    counting.interrupted = [&] { return ++all < 0; };
    const TrainingResult whole = train(one.data, one.settings, counting);
    ASSERT_NE(whole.stop, Stop::interrupted) << one.name;
    // The library asks the same questions again: the n-th is in the same place.
    for (std::int64_t n = 1; n <= all; n += 1 + n / 3) {
      std::int64_t asked = 0;
      std::int64_t rounds = 0;  // after the answer
      Observer observer;
      observer.interrupted = [&] { return ++asked >= n; };
      observer.round = [&](const RoundRecord&) { rounds += asked >= n ? 1 : 0; };
      const TrainingResult result = train(one.data, one.settings, observer);
      const std::string where = std::string(one.name) + ", question " + std::to_string(n);
      EXPECT_EQ(rounds, 0) << where;
      // Where the last questions are asked all may be done already.
      if (result.stop == Stop::interrupted) {
        EXPECT_EQ(result.model.provenance.stopped, "interrupted") << where;
      }
      const Model& model = result.model;
      EXPECT_EQ(to_json(model_from_json(to_json(model), "")), to_json(model)) << where;
      const Scores told = scores(model, one.data, 1);
      for (std::int64_t i = 0; i < one.data.size(); ++i) {
        for (std::int64_t p = 0; p < told.parts.cols(); ++p)
          EXPECT_TRUE(std::isfinite(told.parts(i, p))) << where;
      }
    }
  }
}

TEST(Stopping, WeighsThePatternsThereAre) {
  const Dataset data = planted_series({.examples = 60, .length = 80}).data;
  TrainSettings settings;
  settings.threads = 1;
  settings.members = 20;
  int rounds = 0;
  Observer observer;
  observer.round = [&](const RoundRecord& record) { rounds = record.member >= 10 ? 1 : 0; };
  observer.interrupted = [&] { return rounds > 0; };  // once the eleventh member is at it
  const TrainingResult result = train(data, settings, observer);
  EXPECT_EQ(result.stop, Stop::interrupted);
  EXPECT_FALSE(result.model.hypotheses.empty());
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes.back().find("stopped early: "), std::string::npos) << result.notes.back();
  const std::vector<int> predicted = predictions(result.model, scores(result.model, data, 1));
  std::int64_t right = 0;
  for (std::int64_t i = 0; i < data.size(); ++i)
    right += predicted[static_cast<std::size_t>(i)] == data.label(i);
  EXPECT_GE(right, 54);
}

TEST(Stopping, OfWhomNothingIsWanted_ThrowsWhereverItComes) {
  TrainSettings settings;
  settings.threads = 1;
  settings.members = 4;
  const Dataset data = examples::small_series(3, 40, 0.5, 60);
  for (const std::int64_t n : {1, 2, 5, 20, 60}) {
    std::int64_t asked = 0;
    Observer observer;
    observer.abandoned = [&] { return ++asked >= n; };
    EXPECT_THROW((void)train(data, settings, observer), Abandoned) << n;
  }
}

}  // namespace
}  // namespace shapeboost
