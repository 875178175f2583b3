// SPDX-License-Identifier: MIT
// What patterns of spectra say, told along the frequencies: nothing is lost on the way, and cycles that tell classes apart are named.
#include <gtest/gtest.h>

#include <cmath>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "shapeboost/explanation.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "tell/record.hpp"

namespace shapeboost {
namespace {

constexpr std::int64_t kSteps = 120;

/// Cycles of 12 values on the first of two channels, of 8 in the second class, begun anywhere, in noise of half their height.
Dataset cycles(std::int64_t count, std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::series, "cycles");
  for (std::int64_t i = 0; i < count; ++i) {
    const double turn = 6.2831853 / (i % 2 == 0 ? 12.0 : 8.0);
    const double phase = 6.2831853 * rng.uniform();
    Matrix series(2, kSteps);
    for (Eigen::Index t = 0; t < kSteps; ++t) {
      series(0, t) = std::sin(turn * real(t) + phase) + 0.5 * rng.normal();
      series(1, t) = rng.normal();
    }
    add(data, series, i % 2 == 0 ? "slow" : "fast", std::to_string(i));
  }
  return data;
}

struct Told {
  Dataset data = cycles(40, 2);  // of training series, patterns that were cut from them would say most
  Model model;
  Responses responses;
  explicit Told(std::vector<Transform> transforms) {
    TrainSettings settings;
    settings.members = 30;
    settings.channels = {{0}, {1}};  // what joint windows say is of both
    settings.transforms = std::move(transforms);
    model = train(cycles(40, 1), settings).model;
    responses = Predictor::borrow(model).responses(data, 1);
  }
};

TEST(SpectralEvidence, AddsUpToWhatPatternsOfSpectraContribute) {
  const Told told({Transform::none, Transform::spectrum});
  const std::vector<double> mean = mean_contributions(told.model, told.responses, 0);
  for (const std::int64_t i : {0, 7}) {
    double expected = 0.0;
    int others = 0;
    for (const Contribution& c : explain(told.model, told.responses, i, 0).contributions) {
      const View& view = told.model.views[at(told.model.hypotheses[at(c.hypothesis)].view)];
      if (view.transform == Transform::spectrum)
        expected += c.value - mean[detail::entry_of(c.hypothesis, c.evidence)];
      else
        ++others;
    }
    EXPECT_GT(others, 0);
    const Array<double> found = spectral_evidence(told.model, told.data, told.responses, i, 0, mean);
    ASSERT_EQ(found.rows(), 2);
    ASSERT_EQ(found.cols(), spectral_period(told.model) / 2);
    double sum = 0.0;
    for (std::int64_t c = 0; c < 2; ++c) {
      for (const double value : found.row(c)) sum += value;
    }
    EXPECT_NEAR(sum, expected, 1e-9);
  }
}

TEST(SpectralEvidence, LiesOnTheChannelAndTheCyclesThatTellClassesApart) {
  const Told told({Transform::spectrum});
  ASSERT_EQ(spectral_period(told.model), kSteps);
  const std::vector<double> mean = mean_contributions(told.model, told.responses, 0);
  Matrix difference = Matrix::Zero(2, kSteps / 2);  // of the class with fast cycles, the second, to the other
  for (std::int64_t i = 0; i < told.data.size(); ++i) {
    const double side = told.data.classes()[at(told.data.label(i))] == "fast" ? 1.0 : -1.0;
    difference +=
        side * mapped(ArrayView(spectral_evidence(told.model, told.data, told.responses, i, 0, mean)));
  }
  EXPECT_GT(difference.row(0).cwiseAbs().sum(), 3.0 * difference.row(1).cwiseAbs().sum());
  Eigen::Index strongest = 0;
  difference.row(0).cwiseAbs().maxCoeff(&strongest);
  EXPECT_GE(strongest + 1, 8) << "10 cycles of 12 values, 15 of 8";
  EXPECT_LE(strongest + 1, 17);
}

TEST(SpectralEvidence, OfAModelWithoutSpectraIsNone) {
  const Told told({Transform::none});
  EXPECT_EQ(spectral_period(told.model), 0);
  EXPECT_EQ(spectral_evidence(told.model, told.data, told.responses, 0, 0).cols(), 0);
}

TEST(DescribeStretch, TellsFrequenciesInHertzWhereTheRateIsKnown) {
  View view;
  view.transform = Transform::spectrum;
  view.period = 120;
  view.length = 6;
  EXPECT_EQ(describe_stretch(view, 9), "cycles of 8-12 values");  // frequencies 10 to 15 of 120
  view.rate = 250.0;
  EXPECT_EQ(describe_stretch(view, 9), "20.83-31.25 Hz");
}

TEST(DescribeStretch, OfATrainedModelKnowsTheRateAfterReading) {
  TrainSettings settings;
  settings.members = 2;
  settings.transforms = {Transform::spectrum, Transform::none};
  settings.rate = 60.0;
  const Model model = model_from_json(to_json(train(cycles(12, 1), settings).model), "M.json");
  for (const View& view : model.views)
    EXPECT_EQ(view.rate, view.transform == Transform::spectrum ? 60.0 : 0.0);
}

TEST(SpectrumOf, IsHighestAtTheSeriesCycles) {
  const Dataset data = cycles(2, 3);
  for (const std::int64_t i : {0, 1}) {
    const Array<double> amplitudes = spectrum_of(data, i, kSteps);
    const auto row = amplitudes.row(0);
    EXPECT_EQ(std::max_element(row.begin(), row.end()) - row.begin() + 1, i == 0 ? 10 : 15);
  }
  EXPECT_THROW((void)spectrum_of(data, 0, 7), InvalidInput);
}

}  // namespace
}  // namespace shapeboost
