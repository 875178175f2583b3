// SPDX-License-Identifier: MIT
#include "model/interval_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "support/matrices.hpp"
#include "view/spectrum.hpp"

namespace shapeboost {
namespace {

Intervals intervals(std::vector<Transform> transforms, int channels, int depth, std::int64_t period = 0) {
  Intervals result;
  result.transforms = std::move(transforms);
  result.channels = channels;
  result.depth = depth;
  result.period = period;
  result.standard.resize(result.size());
  return result;
}

std::vector<double> read(const Intervals& of, const Matrix& series) {
  std::vector<double> moments(of.size());
  detail::read_intervals(of, viewed(series), moments);
  return moments;
}

/// By the definitions, each from all of its values.
double naive_moment(const std::vector<double>& x, const Interval& interval) {
  const double n = real(std::ssize(x));
  const auto first = static_cast<std::int64_t>(std::floor(interval.first * n));
  const auto last = static_cast<std::int64_t>(std::ceil(interval.last * n));
  long double count = 0;
  long double sum = 0;
  long double times = 0;
  for (std::int64_t t = first; t < last; ++t, ++count) {
    sum += x[at(t)];
    times += t;
  }
  const long double mean = sum / count;
  const long double middle = times / count;
  long double squares = 0;
  long double product = 0;
  long double spread_of_times = 0;
  for (std::int64_t t = first; t < last; ++t) {
    squares += (x[at(t)] - mean) * (x[at(t)] - mean);
    product += (t - middle) * (x[at(t)] - mean);
    spread_of_times += (t - middle) * (t - middle);
  }
  switch (interval.moment) {
    case Moment::level: break;
    case Moment::spread: return static_cast<double>(std::sqrt(squares / count));
    case Moment::slope: return count > 1 ? static_cast<double>(product / spread_of_times * (count - 1)) : 0.0;
  }
  return static_cast<double>(mean);
}

Matrix noise(Eigen::Index channels, Eigen::Index length, std::uint64_t seed, double offset = 0.0) {
  Rng rng(seed);
  Matrix series(channels, length);
  for (double& value : series.reshaped()) value = offset + rng.normal();
  return series;
}

TEST(Intervals, EachIsThereOnce_InTheOrderThatIsSaid) {
  const Intervals of = intervals({Transform::none, Transform::differences}, 2, 3);
  ASSERT_EQ(of.size(), 2U * 2U * (1 + 3 + 7 + 15) * 3U);
  ASSERT_EQ(of.groups(), 2U * 2U * 4U);
  std::set<std::tuple<Transform, int, Moment, double, double>> seen;
  for (std::size_t k = 0; k < of.size(); ++k) {
    const Interval one = of.at(k);
    seen.insert({one.transform, one.channel, one.moment, one.first, one.last});
    EXPECT_GE(one.first, 0.0);
    EXPECT_LE(one.last, 1.0);
    const auto depth = static_cast<std::size_t>(std::lround(-std::log2(one.last - one.first)));
    const std::size_t rows = (one.transform == Transform::differences ? 2U : 0U) + at(one.channel);
    EXPECT_EQ(of.group(k), rows * 4 + depth) << k;
  }
  EXPECT_EQ(seen.size(), of.size());
  EXPECT_EQ(of.at(0).moment, Moment::level);
  EXPECT_EQ(of.at(3).last, 0.5);        // the first half
  EXPECT_EQ(of.at(3 * 3).first, 0.25);  // between the halves
  EXPECT_EQ(of.at(of.size() - 1).channel, 1);
  EXPECT_EQ(of.at(of.size() - 1).moment, Moment::slope);
}

TEST(Intervals, AreWhatTheirDefinitionsSay) {
  for (const Eigen::Index length : {5, 16, 61, 128}) {
    const Matrix series = noise(2, length, 3);
    const std::int64_t period = detail::quick_period(length);
    const Intervals of =
        intervals({Transform::none, Transform::differences, Transform::spectrum}, 2, 4, period);
    const std::vector<double> moments = read(of, series);
    const Matrix spectra = detail::spectra(series, period);
    for (std::size_t k = 0; k < of.size(); ++k) {
      const Interval one = of.at(k);
      std::vector<double> x;
      if (one.transform == Transform::spectrum) {
        for (const double value : spectra.row(one.channel)) x.push_back(value);
      } else {
        for (const double value : series.row(one.channel)) x.push_back(value);
      }
      if (one.transform == Transform::differences) {
        for (std::size_t t = 0; t + 1 < x.size(); ++t) x[t] = x[t + 1] - x[t];
        x.pop_back();
      }
      ASSERT_NEAR(moments[k], naive_moment(x, one), 1e-12) << length << ' ' << k;
    }
  }
}

TEST(Intervals, LoseNoDigitsFarFromZero) {
  const Intervals of = intervals({Transform::none}, 1, 5);
  const Matrix small = noise(1, 200, 4);
  const std::vector<double> expected = read(of, small);
  const std::vector<double> found = read(of, (small.array() + 1e6).matrix());
  for (std::size_t k = 0; k < of.size(); ++k) {
    const double offset = of.at(k).moment == Moment::level ? 1e6 : 0.0;
    EXPECT_NEAR(found[k] - offset, expected[k], 1e-9) << k;
  }
}

TEST(Intervals, OfARampAreItsRise) {
  Matrix ramp(1, 40);
  for (Eigen::Index t = 0; t < 40; ++t) ramp(0, t) = 3.0 + 0.5 * static_cast<double>(t);
  const std::vector<double> moments = read(intervals({Transform::none, Transform::differences}, 1, 0), ramp);
  EXPECT_NEAR(moments[0], 3.0 + 0.5 * 19.5, 1e-12);
  EXPECT_NEAR(moments[1], 0.5 * std::sqrt((40.0 * 40.0 - 1.0) / 12.0), 1e-12);
  EXPECT_NEAR(moments[2], 19.5, 1e-12);
  EXPECT_NEAR(moments[3], 0.5, 1e-12);
  EXPECT_NEAR(moments[4], 0.0, 1e-12);
  EXPECT_NEAR(moments[5], 0.0, 1e-12);
}

TEST(Intervals, FillGapsAsViewsDo_AndAreUnknownWhereAllIs) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  const Intervals of = intervals({Transform::none, Transform::differences, Transform::spectrum}, 2, 1, 6);
  const Matrix holed{{gap, 2.0, gap, gap, 5.0, gap}, {1.0, -1.0, 2.0, 0.5, 0.0, 4.0}};
  const Matrix filled{{2.0, 2.0, 3.0, 4.0, 5.0, 5.0}, {1.0, -1.0, 2.0, 0.5, 0.0, 4.0}};
  EXPECT_EQ(read(of, holed), read(of, filled));

  Matrix half = filled;
  half.row(0).setConstant(gap);
  const std::vector<double> moments = read(of, half);
  const std::vector<double> whole = read(of, filled);
  for (std::size_t k = 0; k < of.size(); ++k) {
    if (of.at(k).channel == 0) {
      EXPECT_TRUE(std::isnan(moments[k])) << k;
      EXPECT_EQ(detail::standardised({2.0, 3.0}, moments[k]), 0.0);
    } else {
      EXPECT_EQ(moments[k], whole[k]) << k;
    }
  }
}

TEST(Intervals, OfOneValueHaveNoDifferences) {
  const std::vector<double> moments =
      read(intervals({Transform::none, Transform::differences}, 1, 0), Matrix{{7.0}});
  EXPECT_EQ(moments[0], 7.0);
  EXPECT_EQ(moments[1], 0.0);
  EXPECT_EQ(moments[2], 0.0);
  for (std::size_t k = 3; k < 6; ++k) EXPECT_TRUE(std::isnan(moments[k]));
}

TEST(Intervals, AreKeptWithinBounds) {
  EXPECT_EQ(detail::standardised({1.0, 2.0}, 5.0), 2.0);
  EXPECT_EQ(detail::standardised({1.0, 2.0}, 1e9), Intervals::kMostDeviations);
  EXPECT_EQ(detail::standardised({1.0, 2.0}, -1e9), -Intervals::kMostDeviations);
}

}  // namespace
}  // namespace shapeboost
