// SPDX-License-Identifier: MIT
// Spectra: known answers, what does not change them, and what a series may look like. Windows of spectra are compared
// with copied-out twins in windows_test.cpp.
#include "view/spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"

namespace shapeboost {
namespace {

using detail::quick_period;
using detail::spectra;

Matrix sine(std::int64_t steps, double cycle, double phase) {
  Matrix x(1, steps);
  for (Eigen::Index t = 0; t < steps; ++t) x(0, t) = std::sin(2.0 * M_PI * real(t) / cycle + phase);
  return x;
}

Matrix noise(std::int64_t steps, std::uint64_t seed) {
  Rng rng(seed);
  Matrix x(1, steps);
  for (Eigen::Index t = 0; t < steps; ++t) x(0, t) = rng.uniform() - 0.5;
  return x;
}

TEST(Spectrum, OfASineIsOneLine_WhateverItsPhase) {
  for (const double phase : {0.0, 0.7, 2.0}) {
    const Matrix s = spectra(sine(60, 12.0, phase), 60);
    ASSERT_EQ(s.cols(), 30);
    // Deviation 1 means amplitude sqrt(2), and a line of n / 2 times that.
    EXPECT_NEAR(s(0, 4), std::log1p(30.0 * std::sqrt(2.0)), 1e-9) << "60 / 12 = 5 cycles";
    for (Eigen::Index k = 0; k < 30; ++k) {
      if (k == 4) continue;
      EXPECT_NEAR(s(0, k), 0.0, 1e-9) << k;
    }
  }
}

TEST(Spectrum, KnowsNoUnits) {
  const Matrix x = noise(50, 1);
  const Matrix s = spectra(x, 60);
  for (const double scale : {1e-150, 3.0, 1e150}) {
    EXPECT_NEAR((spectra(scale * x, 60) - s).cwiseAbs().maxCoeff(), 0.0, 1e-9) << scale;
  }
  EXPECT_NEAR((spectra(x.array() + 1e6, 60) - s).cwiseAbs().maxCoeff(), 0.0, 1e-7);
}

TEST(Spectrum, PeaksAtTheSameFrequency_InSeriesOfAnyLength) {
  for (const std::int64_t steps : {30, 45, 60, 61, 90, 240}) {
    Eigen::Index peak = 0;
    spectra(sine(steps, 7.5, 0.3), 60).row(0).maxCoeff(&peak);
    EXPECT_EQ(peak + 1, 8) << steps << " time steps; 60 / 7.5 = 8 cycles";
  }
}

TEST(Spectrum, OfNoiseIsAsHigh_InSeriesOfAnyLength) {
  const auto height = [](std::int64_t steps) {
    double sum = 0.0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) sum += spectra(noise(steps, seed), 120).mean() / 40.0;
    return sum;
  };
  const double usual = height(120);
  for (const std::int64_t steps : {60, 90, 240}) EXPECT_NEAR(height(steps), usual, 0.03 * usual) << steps;
}

TEST(Spectrum, FillsGapsByStraightLines) {
  Matrix ramps(1, 8);
  ramps << 0.0, 1.0, 2.0, 3.0, 2.0, 1.0, 1.0, 1.0;
  Matrix gaps = ramps;
  gaps(0, 1) = gaps(0, 2) = gaps(0, 4) = gaps(0, 7) = NAN;
  EXPECT_EQ(spectra(gaps, 8), spectra(ramps, 8));
  Matrix late = ramps;
  late(0, 0) = NAN;
  ramps(0, 0) = 1.0;
  EXPECT_EQ(spectra(late, 8), spectra(ramps, 8)) << "before the first number, the first";
}

TEST(Spectrum, IsZeroOfAConstantAndMissingOfNothing) {
  EXPECT_EQ(spectra(Matrix::Constant(1, 9, 0.1), 10), Matrix::Zero(1, 5));
  EXPECT_EQ(spectra(Matrix::Zero(1, 9), 10), Matrix::Zero(1, 5));
  Matrix two(2, 4);
  two << 1.0, 2.0, 1.0, 2.0, NAN, NAN, NAN, NAN;
  const Matrix s = spectra(two, 4);
  EXPECT_FALSE(s.row(0).hasNaN());
  EXPECT_TRUE(std::isnan(s(1, 0)) && std::isnan(s(1, 1)));
  for (const std::int64_t steps : {0, 1, 3}) {
    EXPECT_TRUE(spectra(Matrix::Random(1, steps), 4).array().isNaN().all())
        << "too few to have one: " << steps;
  }
}

TEST(Spectrum, PeriodsAreQuick) {
  for (const auto& [steps, period] : {std::pair{1, 4},
                                      {4, 4},
                                      {5, 6},
                                      {7, 8},
                                      {11, 12},
                                      {13, 16},
                                      {24, 24},
                                      {97, 100},
                                      {151, 160},
                                      {1000, 1000}}) {
    EXPECT_EQ(quick_period(steps), period) << steps;
  }
}

}  // namespace
}  // namespace shapeboost
