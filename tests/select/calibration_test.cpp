// SPDX-License-Identifier: MIT
#include "shapeboost/calibration.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "ground/rng.hpp"
#include "model/probabilities.hpp"
#include "select/calibration.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/selection.hpp"
#include "shapeboost/synthetic.hpp"

namespace shapeboost {
namespace {

struct Scored {
  Eigen::MatrixXd scores;
  std::vector<int> labels;
};

/// Labels drawn with the probabilities of a calibration that is known.
Scored drawn(const Calibration& truth, Eigen::Index examples, std::uint64_t seed) {
  const auto classes = static_cast<Eigen::Index>(truth.offsets.size());
  Rng rng(seed);
  Scored result{Eigen::MatrixXd(examples, classes), {}};
  for (Eigen::Index k = 0; k < result.scores.size(); ++k) result.scores.data()[k] = rng.normal();
  if (classes == 2) result.scores.col(0) = -result.scores.col(1);
  const Eigen::MatrixXd p = detail::probabilities(truth, result.scores);
  for (Eigen::Index i = 0; i < examples; ++i) {
    double left = rng.uniform();
    int label = 0;
    while (label + 1 < classes && left >= p(i, label)) left -= p(i, label++);
    result.labels.push_back(label);
  }
  return result;
}

TrainSettings quick_training() {
  TrainSettings settings;
  settings.members = 1;
  settings.boosting.refine = Refine::no;
  settings.lengths = {0.2};
  settings.threads = 1;
  return settings;
}

SyntheticData some_series(std::int64_t examples = 30, double noise = 0.5, std::uint64_t seed = 1) {
  SyntheticSettings settings;
  settings.examples = examples;
  settings.length = 60;
  settings.noise = noise;
  settings.seed = seed;
  return planted_series(settings);
}

TrainSettings head_training() {
  TrainSettings settings;
  settings.members = 10;
  settings.head = HeadKind::ridge;
  settings.patterns = 200;
  settings.threads = 1;
  return settings;
}

/// Noise, a hump, a dip.
Dataset three_classes(std::int64_t examples) {
  constexpr std::int64_t kLength = 40;
  constexpr std::int64_t kHump = 10;
  Dataset data(DataKind::series);
  Rng rng(7);
  for (std::int64_t i = 0; i < examples; ++i) {
    Array<double> values(1, kLength);
    for (std::int64_t t = 0; t < kLength; ++t) values(0, t) = 0.3 * rng.normal();
    const std::int64_t begin = rng.below(kLength - kHump);
    const double height = i % 3 == 0 ? 0.0 : i % 3 == 1 ? 2.0 : -2.0;
    for (std::int64_t t = 0; t < kHump; ++t) {
      values(0, begin + t) += height * std::sin(std::numbers::pi * (static_cast<double>(t) + 0.5) / kHump);
    }
    data.add(std::move(values), std::to_string(i % 3), std::to_string(i));
  }
  return data;
}

/// Mean over the examples of log(1 / p of the label).
double log_loss(const Calibration& calibration, const Eigen::MatrixXd& scores,
                const std::vector<int>& labels) {
  const Eigen::MatrixXd p = detail::probabilities(calibration, scores);
  double sum = 0.0;
  for (std::size_t i = 0; i < labels.size(); ++i) sum -= std::log(p(static_cast<Eigen::Index>(i), labels[i]));
  return sum / static_cast<double>(labels.size());
}

TEST(Calibration, FindsTheTruth_WhenLabelsAreDrawnFromIt) {
  for (const Calibration& truth :
       {Calibration{1.5, {-0.4, 0.4}, 5, 0}, Calibration{0.8, {0.5, -0.2, -0.3}, 5, 0}}) {
    const Scored data = drawn(truth, 20'000, 3);
    const Calibration found = fit_calibration(data.scores, data.labels);
    EXPECT_NEAR(found.slope, truth.slope, 0.05);
    for (std::size_t c = 0; c < truth.offsets.size(); ++c) {
      EXPECT_NEAR(found.offsets[c], truth.offsets[c], 0.05);
    }
    EXPECT_NEAR(std::accumulate(found.offsets.begin(), found.offsets.end(), 0.0), 0.0, 1e-12);
  }
}

TEST(Calibration, IsAMinimum_WhenMovedAnyWay) {
  const Scored data = drawn({1.0, {0.3, 0.1, -0.4}, 5, 0}, 60, 5);
  const Calibration best = fit_calibration(data.scores, data.labels);
  const double least = calibration_loss(best, data.scores, data.labels);
  for (const double step : {-1e-3, 1e-3}) {
    Calibration moved = best;
    moved.slope += step;
    EXPECT_GT(calibration_loss(moved, data.scores, data.labels), least);
    for (std::size_t c = 0; c < best.offsets.size(); ++c) {
      moved = best;
      moved.offsets[c] += step;
      EXPECT_GT(calibration_loss(moved, data.scores, data.labels), least);
    }
  }
}

TEST(Calibration, StaysFinite_WhenScoresSeparateTheClasses) {
  Eigen::MatrixXd scores(8, 2);
  std::vector<int> labels;
  for (int i = 0; i < 8; ++i) {
    labels.push_back(i % 2);
    scores(i, 1) = i % 2 == 0 ? -1.0 : 1.0;
    scores(i, 0) = -scores(i, 1);
  }
  const Calibration found = fit_calibration(scores, labels);
  // The best sigmoid goes through Platt's targets: (4 + 1) / (4 + 2) at +1, one less that at -1.
  const Eigen::MatrixXd p = detail::probabilities(found, scores);
  EXPECT_NEAR(p(1, 1), 5.0 / 6.0, 1e-8);
  EXPECT_NEAR(p(0, 1), 1.0 / 6.0, 1e-8);
}

TEST(Calibration, SaysTheShares_WhenScoresAreWrongOrConstant) {
  Eigen::MatrixXd scores(6, 2);
  const std::vector<int> labels{0, 0, 0, 0, 1, 1};
  for (const bool constant : {true, false}) {
    for (int i = 0; i < 6; ++i) {
      scores(i, 1) = constant ? 0.7 : labels[static_cast<std::size_t>(i)] == 1 ? -1.0 : 1.0;
      scores(i, 0) = -scores(i, 1);
    }
    const Calibration found = fit_calibration(scores, labels);
    const Eigen::MatrixXd p = detail::probabilities(found, scores);
    if (!constant) {
      EXPECT_EQ(found.slope, 0.0);
    }
    // The mean target of class 1: (4 * 1/6 + 2 * 3/4) / 6.
    EXPECT_NEAR(p(0, 1), (4.0 / 6.0 + 1.5) / 6.0, 1e-6);
    EXPECT_NEAR(p(0, 0) + p(0, 1), 1.0, 1e-12);
  }
}

TEST(Calibration, ComesFromModelsThatDidNotSeeTheExample) {
  const SyntheticData made = some_series();
  const TrainSettings settings = quick_training();
  const int folds = 3;
  const Calibration found = calibrate(made.data, settings, folds).value();
  const std::vector<int> fold = stratified_folds(made.data, folds, 0, settings.seed);
  Eigen::MatrixXd held_out(made.data.size(), 2);
  std::vector<int> labels;
  for (std::int64_t i = 0; i < made.data.size(); ++i) {
    std::vector<std::int64_t> others;
    for (std::int64_t j = 0; j < made.data.size(); ++j) {
      if (fold[static_cast<std::size_t>(j)] != fold[static_cast<std::size_t>(i)]) others.push_back(j);
    }
    const Model model = train(made.data.subset(others), settings).model;
    held_out.row(i) = mapped(unit_scores(model, scores(model, made.data.subset({i}), 1)));
    labels.push_back(made.data.label(i));
  }
  const Calibration naive = fit_calibration(held_out, labels);
  EXPECT_NEAR(found.slope, naive.slope, 1e-6);
  EXPECT_NEAR(found.offsets[1], naive.offsets[1], 1e-6);
  EXPECT_EQ(found.folds, folds);
  EXPECT_EQ(found.examples, made.data.size());
}

TEST(Calibration, TakesFewerFolds_WhenExamplesAreFew) {
  const SyntheticData made = some_series();
  std::vector<std::int64_t> few;  // two of each class
  for (std::int64_t i = 0, first = 0, second = 0; i < made.data.size(); ++i) {
    if ((made.data.label(i) == 0 ? first : second)++ < 2) few.push_back(i);
  }
  EXPECT_EQ(calibrate(made.data.subset(few), quick_training())->folds, 4);
  EXPECT_THROW((void)calibrate(made.data.subset({few[0]}), quick_training()), InvalidInput);
}

TEST(Calibration, OfAnInterruptedRun_ComesFromWholeFoldsOnly) {
  const SyntheticData made = some_series();
  for (const TrainSettings& settings : {quick_training(), head_training()}) {
    int asked = 0;
    Observer observer;
    observer.interrupted = [&asked] { return ++asked > 0; };
    TrainingResult training = train(made.data, settings);
    add_calibration(training, made.data, settings, observer);
    EXPECT_FALSE(training.model.calibration.has_value());
    EXPECT_EQ(training.notes.back(),
              "stopped before probabilities were learned: the model answers without them");

    // The second fold begins, and its training is cut short.
    int begun = 0;
    std::atomic<bool> stop{false};
    observer.round = [&](const RoundRecord& record) {
      if (record.member == 0 && record.part == 0 && record.round == 1 && ++begun == 2) stop = true;
    };
    observer.interrupted = [&stop] { return stop.load(); };
    add_calibration(training, made.data, settings, observer);
    ASSERT_TRUE(training.model.calibration.has_value());
    EXPECT_EQ(training.model.calibration->folds, 1);
    EXPECT_EQ(training.model.calibration->examples, made.data.size() / 5);
    EXPECT_EQ(training.notes.back(), "stopped early: probabilities were learned from 1 of 5 folds");
    EXPECT_EQ(calibrate(made.data, settings, 5)->folds, 5);
  }
}

TEST(Calibration, OfAHead_TrainsNoMoreMembersThanTheModelHas) {
  const SyntheticData made = some_series();
  std::set<std::pair<int, int>> members;  // of a fold, by the order in which they begin
  int first = 0;
  Observer observer;
  observer.round = [&](const RoundRecord& record) {
    if (record.member == 0 && record.round == 1) ++first;
    members.insert({first, record.member});
  };
  TrainSettings settings = head_training();
  settings.members = 100;
  const Calibration found = calibrate(made.data, settings, 5, observer).value();
  EXPECT_EQ(first, 5);
  EXPECT_EQ(std::ssize(members), settings.members);
  EXPECT_EQ(found.folds, 5);
  EXPECT_EQ(found.examples, made.data.size());
}

TEST(Calibration, OfAHead_HasAProbabilityForEachClass) {
  const Dataset data = three_classes(30);
  TrainingResult training = train(data, head_training());
  ASSERT_EQ(training.left_out.cols(), 3);
  training.model.calibration = calibrate(data, head_training());
  const Model read = model_from_json(to_json(training.model), "memory");
  const Scores scored = scores(training.model, data, 1);
  const Array<double> p = probabilities(read, scored);
  EXPECT_EQ(p, probabilities(training.model, scored));
  const std::vector<int> predicted = predictions(read, scored);
  std::int64_t right = 0;
  for (std::int64_t i = 0; i < p.rows(); ++i) {
    EXPECT_NEAR(p(i, 0) + p(i, 1) + p(i, 2), 1.0, 1e-12);
    if (predicted[static_cast<std::size_t>(i)] == data.label(i)) ++right;
  }
  EXPECT_GT(right, 27);
}

TEST(Calibration, OfAHead_IsBetterOnNewExamplesThanItsScores_HoweverNoisy) {
  for (const double noise : {0.5, 0.8}) {
    const SyntheticData made = some_series(100, noise, 1);
    const SyntheticData fresh = some_series(400, noise, 2);
    TrainSettings settings = head_training();
    settings.members = 100;
    settings.patterns = 0;
    const Model model = train(made.data, settings).model;
    const Calibration found = calibrate(made.data, settings).value();
    const Eigen::MatrixXd scored = mapped(unit_scores(model, scores(model, fresh.data, 1)));
    const std::vector<int> labels = labels_for(model, fresh.data);
    const double loss = log_loss(found, scored, labels);
    EXPECT_LT(loss, log_loss({1.0, {0.0, 0.0}, 0, 0}, scored, labels) + 0.02) << noise;
    EXPECT_LT(loss, log_loss({0.0, {0.0, 0.0}, 0, 0}, scored, labels)) << noise;
  }
}

TEST(Calibration, TravelsWithTheModel) {
  const SyntheticData made = some_series();
  Model model = train(made.data, quick_training()).model;
  const Scores scored = scores(model, made.data, 1);
  EXPECT_THROW((void)probabilities(model, scored), InvalidInput);
  model.calibration = calibrate(made.data, quick_training(), 2);
  const Model read = model_from_json(to_json(model), "memory");
  ASSERT_TRUE(read.calibration.has_value());
  EXPECT_EQ(probabilities(read, scored), probabilities(model, scored));
  EXPECT_EQ(to_json(read), to_json(model));
  Model broken = model;
  broken.calibration->offsets.pop_back();
  EXPECT_THROW((void)model_from_json(to_json(broken), "memory"), InvalidInput);
  broken = model;
  broken.calibration->slope = -1.0;
  EXPECT_THROW((void)model_from_json(to_json(broken), "memory"), InvalidInput);
}

}  // namespace
}  // namespace shapeboost
