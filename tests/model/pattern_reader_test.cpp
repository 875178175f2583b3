// SPDX-License-Identifier: MIT
// The evidence of patterns against its definition, written out over all windows in double precision.
#include "model/pattern_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ground/rng.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "support/naive.hpp"

namespace shapeboost::detail {
namespace {

using examples::window_view;

constexpr double kTolerance = 1e-5;  // as the header promises

/// What a pattern says of an example by its definition.
struct Expected {
  double best = -kInfinity;
  double share = 0.0;
  double place = 0.0;
  std::vector<double> scores;  // of all windows
};

Expected expected(const View& view, const Hypothesis& pattern, const Dataset& data, std::int64_t i) {
  Expected result;
  const std::vector<Instance> windows = naive::instances_of(data.subset({i}), view)[0];
  for (const Instance& x : windows) {
    double score = 0.0;
    for (std::size_t t = 0; t < pattern.shapelet.alpha.size(); ++t) {
      score += pattern.shapelet.alpha[t] * naive::similarity(view, x, pattern.shapelet.instances[t]);
    }
    result.scores.push_back(score);
    if (score >= pattern.threshold) result.share += 1.0 / real(windows.size());
    if (score > result.best) {
      result.best = score;
      result.place = x.place;
    }
  }
  return result;
}

/// Every reading of every example. A share may differ by windows whose score is the threshold but for rounding, and the
/// place where two windows are as good but for rounding.
void expect_readings(const View& view, const std::vector<Hypothesis>& patterns, const Dataset& data) {
  std::vector<const Hypothesis*> given;
  for (const Hypothesis& pattern : patterns) given.push_back(&pattern);
  const auto reader = make_reader(view, given);
  Readings readings;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const bool any = reader->read(data.values(i), data.name(i), readings);
    ASSERT_EQ(any, !naive::instances_of(data.subset({i}), view)[0].empty()) << i;
    for (std::size_t j = 0; any && j < patterns.size(); ++j) {
      const Expected want = expected(view, patterns[j], data, i);
      EXPECT_NEAR(readings.best[j], want.best, kTolerance) << i << ", " << j;
      const double found = want.scores[at(readings.instance[j])];
      EXPECT_NEAR(found, want.best, kTolerance) << i << ", " << j;
      if (view.transform == Transform::spectrum) {
        EXPECT_EQ(readings.place[j], 0.0F);
        EXPECT_EQ(readings.share[j], 0.0F);
        continue;
      }
      const auto as_good =
          std::ranges::count_if(want.scores, [&](double score) { return score > want.best - kTolerance; });
      if (as_good == 1) {
        EXPECT_NEAR(readings.place[j], want.place, 1e-6) << i << ", " << j;
      }
      double near = 0.0;
      for (const double score : want.scores)
        near += std::abs(score - patterns[j].threshold) < kTolerance ? 1.0 : 0.0;
      EXPECT_NEAR(readings.share[j], want.share, near / real(want.scores.size()) + 1e-6) << i << ", " << j;
    }
  }
}

/// Random walks.
Dataset walks(std::int64_t channels, std::int64_t count, double offset, Rng& rng) {
  Dataset data(DataKind::series, "walks");
  for (std::int64_t i = 0; i < count; ++i) {
    Matrix values(channels, 40 + rng.below(20));
    for (Eigen::Index c = 0; c < values.rows(); ++c) {
      double level = offset;
      for (Eigen::Index t = 0; t < values.cols(); ++t) values(c, t) = level += rng.normal();
    }
    add(data, values, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  return data;
}

/// Windows of the data, cut at random, each with a threshold that some windows reach.
std::vector<Hypothesis> cut(const Dataset& data, const View& view, std::size_t count, Rng& rng) {
  const auto windows = naive::instances_of(data, view);
  std::vector<Hypothesis> patterns;
  while (patterns.size() < count) {
    const std::vector<Instance>& own = windows[at(rng.below(std::ssize(windows)))];
    if (own.empty()) continue;
    Hypothesis pattern;
    pattern.shapelet = {{own[at(rng.below(std::ssize(own)))]}, {1.0}};
    pattern.threshold = 0.1 + 0.5 * rng.uniform();
    patterns.push_back(pattern);
  }
  return patterns;
}

TEST(PatternReader, ReadsWhatIsThereInEveryKindOfView) {
  Rng rng(1);
  const Dataset data = walks(1, 6, 3.0, rng);
  for (const Normalisation normalisation : {Normalisation::raw, Normalisation::centred, Normalisation::z}) {
    for (const double tau : {0.0, 4.0}) {
      for (const std::int64_t dilation : {1, 3}) {
        for (const Transform transform : {Transform::none, Transform::differences, Transform::spectrum}) {
          View view = window_view(7, normalisation,
                                  kernels::Gaussian{normalisation == Normalisation::z ? 0.2 : 0.05}, tau);
          view.dilation = dilation;
          view.transform = transform;
          view.period = transform == Transform::spectrum ? 60 : 0;
          expect_readings(view, cut(data, view, 19, rng), data);
        }
      }
    }
  }
}

TEST(PatternReader, ReadsJointChannelsGapsAndSeriesThatAreTooShort) {
  Rng rng(2);
  Dataset data = walks(3, 4, 0.0, rng);
  Matrix gaps = mapped(data.values(0));
  gaps(1, 11) = gaps(0, 30) = std::numeric_limits<double>::quiet_NaN();
  add(data, gaps, "a", "gaps");
  add(data, Matrix::Random(3, 5), "b", "short");
  for (const Normalisation normalisation : {Normalisation::raw, Normalisation::centred, Normalisation::z}) {
    View view = window_view(6, normalisation, kernels::Gaussian{0.03});
    view.width = 3;
    view.centre = {0.5, -1.0, 2.0};
    view.scale = {1.0, 2.0, 0.5};
    expect_readings(view, cut(data, view, 5, rng), data);
  }
}

TEST(PatternReader, LooksAtLongSeriesPieceByPiece) {
  Rng rng(8);
  Dataset data(DataKind::series, "long");
  for (const std::int64_t length :
       {4300, 2100}) {  // 3,300 windows of 1,001 numbers are more than are compared at once
    Matrix values(1, length);
    double level = 0.0;
    for (double& value : values.reshaped()) value = level = 0.99 * level + rng.normal();
    if (length == 4300) values(0, 3000) = std::numeric_limits<double>::quiet_NaN();
    add(data, values, "a", std::to_string(length));
  }
  const View view = window_view(1001, Normalisation::z, kernels::Gaussian{5e-4});
  expect_readings(view, cut(data, view, 3, rng), data);
  const View raw = window_view(1001, Normalisation::raw, kernels::Gaussian{2e-5}, 4.0);
  expect_readings(raw, cut(data, raw, 3, rng), data);
}

TEST(PatternReader, AnOffsetOfAMillionCostsNoAccuracy) {
  Rng rng(3);
  const Dataset data = walks(1, 5, 1e6, rng);
  for (const Normalisation normalisation : {Normalisation::raw, Normalisation::centred, Normalisation::z}) {
    const View view =
        window_view(9, normalisation, kernels::Gaussian{normalisation == Normalisation::z ? 0.2 : 0.02});
    expect_readings(view, cut(data, view, 11, rng), data);
  }
}

TEST(PatternReader, ASpikeOfAHundredMillionSpoilsNothingElse) {
  Rng rng(4);
  Dataset calm = walks(1, 4, 0.0, rng);
  Matrix spike = mapped(calm.values(1));
  spike(0, 17) = 1e8;
  Dataset data = calm;
  add(data, spike, "a", "spike");
  for (const Normalisation normalisation : {Normalisation::raw, Normalisation::centred, Normalisation::z}) {
    const View view = window_view(6, normalisation, kernels::Gaussian{0.05});
    expect_readings(view, cut(calm, view, 8, rng), data);
    expect_readings(view, cut(data.subset({4}), view, 30, rng), data);  // some with the spike in them
  }
}

TEST(PatternReader, AJumpOfLevelCostsNoAccuracyOnEitherSide) {
  Rng rng(9);
  Dataset data(DataKind::series, "jumps");
  for (const double jump :
       {0.0, 10.0, 1e4, 1e7}) {  // beside steps of 1: windows lie ever further from their neighbours' centre
    Matrix values(2, 300);
    for (Eigen::Index c = 0; c < 2; ++c) {
      double level = 0.0;
      for (Eigen::Index t = 0; t < 300; ++t) values(c, t) = level += rng.normal() + (t == 140 ? jump : 0.0);
    }
    add(data, values, "a", std::to_string(jump));
  }
  for (const Normalisation normalisation : {Normalisation::raw, Normalisation::centred, Normalisation::z}) {
    for (const std::int64_t dilation : {1, 5}) {
      View view = window_view(7, normalisation, kernels::Gaussian{0.1});
      view.dilation = dilation;
      view.width = 2;
      view.centre = {0.5, -1.0};
      view.scale = {1.0, 2.0};
      // Where windows are not divided by their deviation, one with the jump in it is too large for its like to be told.
      const Dataset own = normalisation == Normalisation::z ? data : data.subset({0});
      expect_readings(view, cut(own, view, 14, rng), data);
    }
  }
}

TEST(PatternReader, GapsAndEqualNumbersAreSeenWhateverTheDilation) {
  Rng rng(10);
  Dataset data = walks(1, 3, 0.0, rng);
  Matrix values = mapped(data.values(0));
  values.middleCols(5, 14).setConstant(2.5);  // windows that are all the same
  add(data, values, "a", "flat");
  values(0, 25) = std::numeric_limits<double>::quiet_NaN();
  values(0, 0) = std::numeric_limits<double>::quiet_NaN();
  add(data, values, "b", "gaps");
  add(data, Matrix::Constant(1, 45, -3.0), "b", "constant");
  for (const Normalisation normalisation : {Normalisation::raw, Normalisation::centred, Normalisation::z}) {
    for (const std::int64_t dilation : {1, 2, 4}) {
      View view = window_view(4, normalisation, kernels::Gaussian{0.1});
      view.dilation = dilation;
      const std::vector<Hypothesis> patterns = cut(data, view, 33, rng);
      expect_readings(view, patterns, data);
    }
  }
}

TEST(PatternReader, OfEqualWindowsTheOneWithTheLowestNumberIsTheBest) {
  // Every window of a period is there again and again: dilated, some come earlier in time than those with a lower number. All
  // sums are whole numbers, and so exact.
  Matrix values(1, 240);
  for (Eigen::Index t = 0; t < 240; ++t) values(0, t) = (t % 4 == 0 ? 3.0 : -1.0) + (t % 3 == 0 ? 2.0 : -1.0);
  Dataset data(DataKind::series, "periodic");
  add(data, values, "a", "x");
  Rng rng(11);
  for (const std::int64_t dilation : {1, 5, 7}) {
    View view = window_view(6, Normalisation::raw, kernels::Gaussian{0.1});
    view.dilation = dilation;
    const std::vector<Hypothesis> patterns = cut(data, view, 20, rng);
    std::vector<const Hypothesis*> given;
    for (const Hypothesis& pattern : patterns) given.push_back(&pattern);
    Readings readings;
    ASSERT_TRUE(make_reader(view, given)->read(data, 0, readings));
    const std::vector<Instance> windows = naive::instances_of(data, view)[0];
    for (std::size_t j = 0; j < patterns.size(); ++j) {
      std::size_t first = 0;
      while (windows[first].values != patterns[j].shapelet.instances.front().values) ++first;
      EXPECT_EQ(readings.instance[j], static_cast<std::int32_t>(first)) << dilation << ", " << j;
      EXPECT_EQ(readings.position[j], windows[first].position) << dilation << ", " << j;
    }
  }
}

TEST(PatternReader, WhatOtherViewsHaveSeenChangesNothing) {
  Rng rng(12);
  const Dataset data = walks(1, 3, 1.0, rng);
  Sight sight;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    sight.look_at(data.values(i), data.name(i));
    for (const Transform transform : {Transform::none, Transform::differences, Transform::none}) {
      for (const std::int64_t dilation : {2, 1, 3}) {
        View view = window_view(5, Normalisation::z, kernels::Gaussian{0.1});
        view.dilation = dilation;
        view.transform = transform;
        const std::vector<Hypothesis> patterns = cut(data, view, 3, rng);
        const auto reader = make_reader(view, {&patterns[0], &patterns[1], &patterns[2]});
        Readings shared;
        Readings alone;
        ASSERT_EQ(reader->read(sight, shared), reader->read(data, i, alone));
        EXPECT_EQ(shared.best, alone.best);
        EXPECT_EQ(shared.share, alone.share);
        EXPECT_EQ(shared.place, alone.place);
        EXPECT_EQ(shared.position, alone.position);
      }
    }
  }
}

TEST(PatternReader, OtherKernelsAndMixturesAreReadByTheirScores) {
  Rng rng(5);
  const Dataset data = walks(1, 4, 1.0, rng);
  const View linear = window_view(5, Normalisation::z, kernels::Linear{});
  expect_readings(linear, cut(data, linear, 4, rng), data);
  const View gaussian = window_view(5, Normalisation::centred, kernels::Gaussian{0.1});
  std::vector<Hypothesis> mixtures = cut(data, gaussian, 4, rng);
  for (Hypothesis& mixture : mixtures) {
    mixture.shapelet.instances.push_back(cut(data, gaussian, 1, rng)[0].shapelet.instances[0]);
    mixture.shapelet.alpha = {0.7, -0.3};
  }
  expect_readings(gaussian, mixtures, data);
}

TEST(PatternReader, AnInfiniteValueIsNamed) {
  Rng rng(6);
  const Dataset data = walks(1, 1, 0.0, rng);
  const View view = window_view(5, Normalisation::z, kernels::Gaussian{0.1});
  const std::vector<Hypothesis> patterns = cut(data, view, 1, rng);
  const auto reader = make_reader(view, {&patterns[0]});
  const std::vector<double> values{1.0, kInfinity, 2.0, 3.0, 4.0, 5.0, 6.0};
  Readings readings;
  try {
    (void)reader->read(values, "e7", readings);
    FAIL() << "expected InvalidInput";
  } catch (const InvalidInput& fault) {
    EXPECT_STREQ(fault.what(), "example e7: expected finite or missing values, found an infinite one");
  }
}

}  // namespace
}  // namespace shapeboost::detail
