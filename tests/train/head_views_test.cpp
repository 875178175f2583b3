// SPDX-License-Identifier: MIT
// What a head tells apart by what its random views show: cycles, channels, lengths, trends, gaps.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "shapeboost/trainer.hpp"
#include "support/accuracy.hpp"
#include "support/matrices.hpp"

namespace shapeboost {
namespace {

/// Noise with a cycle of so many values in it, begun anywhere, in two classes.
Dataset cycles(double a, double b, std::int64_t count, std::uint64_t seed, double noise = 1.0) {
  Rng rng(seed);
  Dataset data(DataKind::series, "cycles");
  for (std::int64_t i = 0; i < count; ++i) {
    const double cycle = i % 2 == 0 ? a : b;
    const double phase = 6.2831853 * rng.uniform();
    Matrix series(1, 120);
    for (Eigen::Index t = 0; t < 120; ++t) {
      series(0, t) = std::sin(6.2831853 * static_cast<double>(t) / cycle + phase) + noise * rng.normal();
    }
    add(data, series, i % 2 == 0 ? "fast" : "slow", std::to_string(i));
  }
  return data;
}

TEST(Head, FindsCyclesInTheSpectrum) {
  constexpr double kNoise = 1.7;
  const Dataset data = cycles(8.0, 60.0 / 7.0, 40, 1, kNoise);
  const Model model = train(data, {}).model;
  const Dataset test = cycles(8.0, 60.0 / 7.0, 200, 2, kNoise);
  EXPECT_GE(accuracy_of(model, test), 0.9);
  TrainSettings series_only;
  series_only.transforms = {Transform::none, Transform::differences};
  EXPECT_LT(accuracy_of(train(data, series_only).model, test), accuracy_of(model, test) - 0.05);
}

TEST(Head, NamesTheCyclesThatTellClassesApart) {
  const Model model = train(cycles(8.0, 60.0 / 7.0, 200, 1), {}).model;
  // The patterns are in the order of what they weigh; there are 15 cycles of 8 values, 14 of the other.
  int told = 0;
  int covering = 0;
  for (const Hypothesis& hypothesis : model.hypotheses) {
    const View& view = model.views[at(hypothesis.view)];
    if (view.transform != Transform::spectrum || told == 10) continue;
    const std::int64_t first = hypothesis.shapelet.instances.front().position + 1;
    const std::int64_t last = first + view.span() - 1;
    ++told;
    covering += first <= 15 && last >= 14 ? 1 : 0;
  }
  EXPECT_EQ(told, 10);
  EXPECT_GE(covering, 6);
}

TEST(Head, FillsGapsUnlessAskedNotTo) {
  Dataset data(DataKind::series, "gaps");
  Rng rng(3);
  for (std::int64_t i = 0; i < 12; ++i) {
    Matrix series(1, 40);
    for (Eigen::Index t = 0; t < 40; ++t)
      series(0, t) = (i % 2 == 0 ? 1.0 : -1.0) * std::sin(0.3 * real(t)) + rng.normal();
    series(0, 3 + i) = series(0, 20 + i) = NAN;
    add(data, series, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  TrainSettings settings;
  settings.members = 8;
  const auto ways = [&] {
    std::set<Missing> found;
    for (const View& view : train(data, settings).model.views) found.insert(view.missing);
    return found;
  };
  EXPECT_EQ(ways(), std::set{Missing::fill});
  settings.missing = Missing::skip;
  EXPECT_EQ(ways(), std::set{Missing::skip});
  settings.missing.reset();
  settings.head = HeadKind::average;
  EXPECT_EQ(ways(), std::set{Missing::skip});
}

TEST(Head, OfASpectrumWeighsOnlyTheBestMatch) {
  TrainSettings settings;
  settings.transforms = {Transform::spectrum};
  const Model model = train(cycles(8.0, 10.0, 60, 1), settings).model;
  for (const View& view : model.views) {
    EXPECT_EQ(view.transform, Transform::spectrum);
    EXPECT_EQ(view.period, 120);
    EXPECT_EQ(view.normalisation, Normalisation::raw);
    EXPECT_GT(view.tau, 0.0);
  }
  for (const Weight& weight : model.parts.front().weights) EXPECT_EQ(weight.evidence, Evidence::best);
  settings.evidence = {Evidence::share, Evidence::place};
  EXPECT_THROW((void)train(cycles(8.0, 10.0, 60, 1), settings), InvalidInput);
  settings.transforms = {};
  for (const View& view : train(cycles(8.0, 10.0, 60, 1), settings).model.views) {
    EXPECT_NE(view.transform, Transform::spectrum);
  }
}

/// Noise in twenty channels; in the last but six a wave, somewhere, in every other series.
Dataset one_of_twenty(std::int64_t count, std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::series, "one of twenty");
  for (std::int64_t i = 0; i < count; ++i) {
    Matrix series(20, 60);
    for (double& value : series.reshaped()) value = rng.normal();
    const std::int64_t first = rng.below(45);
    for (Eigen::Index t = 0; i % 2 == 1 && t < 16; ++t) {
      series(13, first + t) += 4.0 * std::sin(6.2831853 * static_cast<double>(t) / 16.0);
    }
    add(data, series, i % 2 == 0 ? "noise" : "wave", std::to_string(i));
  }
  return data;
}

TEST(Head, FindsTheOneChannelOfTwentyThatTells) {
  const TrainingResult result = train(one_of_twenty(100, 1), {});
  EXPECT_GE(accuracy_of(result.model, one_of_twenty(200, 2)), 0.98);
  int telling = 0;
  for (std::size_t j = 0; j < 20; ++j) {
    const View& view = result.model.views[at(result.model.hypotheses[j].view)];
    for (std::int64_t row = 0; row < view.rows(); ++row) telling += view.channel(row) == 13 ? 1 : 0;
  }
  EXPECT_GE(telling, 18) << "of the twenty heaviest patterns";
}

/// Five values that tell the class, in 5 to 60.
Dataset of_every_length(std::int64_t count, std::uint64_t seed) {
  constexpr double kShape[] = {1.0, 2.0, 1.0, -1.0, -2.0};
  Rng rng(seed);
  Dataset data(DataKind::series, "of every length");
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t steps = 5 + rng.below(56);
    Matrix series(1, steps);
    for (double& value : series.reshaped()) value = 0.4 * rng.normal();
    const std::int64_t first = rng.below(steps - 4);
    for (std::int64_t t = 0; t < 5; ++t) {
      series(0, first + t) += 1.5 * kShape[i % 2 == 0 ? t : 4 - t];
    }
    add(data, series, i % 2 == 0 ? "falls" : "rises", std::to_string(i));
  }
  return data;
}

TEST(Head, AnswersSeriesOfEveryLength) {
  const TrainingResult result = train(of_every_length(150, 1), {});
  EXPECT_GE(accuracy_of(result.model, of_every_length(300, 2)), 0.98);
}

/// Lines that rise or fall by a hundredth a time step, anywhere, in noise of 0.5.
Dataset trends(std::int64_t count, std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::series, "trends");
  for (std::int64_t i = 0; i < count; ++i) {
    const double level = 3.0 * rng.normal();
    Matrix series(1, 100);
    for (Eigen::Index t = 0; t < 100; ++t) {
      series(0, t) = level + (i % 2 == 0 ? 0.01 : -0.01) * static_cast<double>(t) + 0.5 * rng.normal();
    }
    add(data, series, i % 2 == 0 ? "rises" : "falls", std::to_string(i));
  }
  return data;
}

TEST(Head, TellsTrendsApart) {
  const TrainingResult result = train(trends(80, 1), {});
  EXPECT_GE(accuracy_of(result.model, trends(200, 2)), 0.98);
}

}  // namespace
}  // namespace shapeboost
