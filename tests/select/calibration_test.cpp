// SPDX-License-Identifier: MIT
#include "shapeboost/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

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

SyntheticData some_series() {
  SyntheticSettings settings;
  settings.examples = 30;
  settings.length = 60;
  settings.noise = 0.5;
  return planted_series(settings);
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
  const Calibration found = calibrate(made.data, settings, folds);
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
  EXPECT_EQ(calibrate(made.data.subset(few), quick_training()).folds, 4);
  EXPECT_THROW((void)calibrate(made.data.subset({few[0]}), quick_training()), InvalidInput);
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
