// SPDX-License-Identifier: MIT
#include "shapeboost/predictor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "shapeboost/base.hpp"

namespace shapeboost {
namespace {

constexpr double kRounding = 1e-9;  // sliding sums against plain ones

Dataset random_data(DataKind kind, std::int64_t examples, std::int64_t width, Rng& rng) {
  Dataset data(kind, "data.csv");
  for (std::int64_t i = 0; i < examples; ++i) {
    const std::int64_t length = 12 + rng.below(9);
    Matrix values(kind == DataKind::bags ? length : width, kind == DataKind::bags ? width : length);
    for (Eigen::Index k = 0; k < values.size(); ++k) values.data()[k] = 3.0 + rng.normal();
    data.add(values, i % 2 == 0 ? "no" : "yes", "e" + std::to_string(i));
  }
  return data;
}

std::vector<double> random_values(std::int64_t n, Rng& rng) {
  std::vector<double> values;
  for (std::int64_t k = 0; k < n; ++k) values.push_back(3.0 + rng.normal());
  return values;
}

Model random_model(DataKind kind, std::int64_t width, Rng& rng) {
  Model model;
  model.kind = kind;
  model.classes = {"no", "yes"};
  model.b = 0.05;
  if (kind == DataKind::series) {
    model.views = {{kind, 4, Normalisation::raw, {KernelKind::gaussian, 0.3, 1.0, 2}, {2.5}, {1.0}},
                   {kind, 7, Normalisation::centred, {KernelKind::polynomial, 1.0, 0.5, 3}, {0.0}, {1.0}},
                   {kind, 5, Normalisation::z, {KernelKind::gaussian, 0.1, 1.0, 2}, {3.0}, {1.0}},
                   {kind, 1000, Normalisation::raw, {}, {0.0}, {1.0}}};  // no hypothesis needs this one
  } else {
    model.views = {{kind,
                    width,
                    Normalisation::raw,
                    {KernelKind::gaussian, 0.3, 1.0, 2},
                    random_values(width, rng),
                    std::vector<double>(static_cast<std::size_t>(width), 1.5)},
                   {kind,
                    width,
                    Normalisation::raw,
                    {KernelKind::linear, 1.0, 1.0, 2},
                    random_values(width, rng),
                    std::vector<double>(static_cast<std::size_t>(width), 0.5)}};
  }
  const int used = kind == DataKind::series ? 3 : 2;
  for (int j = 0; j < 6; ++j) {
    Hypothesis hypothesis{j % used, j < 3 ? +1 : -1, {}};
    for (int k = 0; k <= j % 3; ++k) {
      hypothesis.shapelet.instances.push_back(
          {random_values(model.views[static_cast<std::size_t>(hypothesis.view)].length, rng), 0, 0});
      hypothesis.shapelet.alpha.push_back(k == 1 ? -0.4 : 0.6);
    }
    model.hypotheses.push_back(hypothesis);
    model.w.push_back(1.0 / 6.0);
  }
  return model;
}

// The formulas of view.hpp, kernel.hpp and hypothesis.hpp, one loop each.
std::vector<double> prepared(const View& view, std::vector<double> x) {
  const auto n = static_cast<double>(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::size_t f = view.kind == DataKind::series ? 0 : k;
    x[k] = (x[k] - view.centre[f]) / view.scale[f];
  }
  if (view.normalisation == Normalisation::raw) return x;
  double mean = 0.0;
  for (const double v : x) mean += v / n;
  double variance = 0.0;
  for (const double v : x) variance += (v - mean) * (v - mean) / n;
  for (double& v : x) v = (v - mean) / (view.normalisation == Normalisation::z ? std::sqrt(variance) : 1.0);
  return x;
}

double kernel(const Kernel& k, const std::vector<double>& x, const std::vector<double>& z) {
  double product = 0.0;
  double distance2 = 0.0;
  for (std::size_t t = 0; t < x.size(); ++t) {
    product += x[t] * z[t];
    distance2 += (x[t] - z[t]) * (x[t] - z[t]);
  }
  if (k.kind == KernelKind::gaussian) return std::exp(-k.sigma * distance2);
  return k.kind == KernelKind::linear ? product : std::pow(product + k.c, k.p);
}

double naive_score(const Model& model, const MatrixView& example) {
  double score = model.b;
  for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
    const Hypothesis& h = model.hypotheses[j];
    const View& view = model.views[static_cast<std::size_t>(h.view)];
    const bool series = view.kind == DataKind::series;
    double best = -INFINITY;
    for (std::int64_t at = 0; at < (series ? example.cols() - view.length + 1 : example.rows()); ++at) {
      std::vector<double> x;
      for (std::int64_t k = 0; k < view.length; ++k)
        x.push_back(series ? example(0, at + k) : example(at, k));
      double sum = 0.0;
      for (std::size_t z = 0; z < h.shapelet.alpha.size(); ++z) {
        sum += h.shapelet.alpha[z] *
               kernel(view.kernel, prepared(view, x), prepared(view, h.shapelet.instances[z].values));
      }
      best = std::max(best, sum);
    }
    score += model.w[j] * h.sign * best;
  }
  return score;
}

std::string complaint(const Model& model, const Dataset& data) {
  try {
    (void)scores(model, data, 1);
    return {};
  } catch (const InvalidInput& fault) {
    return fault.what();
  }
}

TEST(Predictor, Scores_EqualTheNaiveTwin) {
  for (const DataKind kind : {DataKind::series, DataKind::bags}) {
    Rng rng(5);
    const std::int64_t width = kind == DataKind::series ? 1 : 3;
    const Model model = random_model(kind, width, rng);
    const Dataset data = random_data(kind, 150, width, rng);
    const std::vector<double> score = scores(model, data, 2);
    ASSERT_EQ(score.size(), 150U);
    for (std::int64_t i = 0; i < data.size(); ++i) {
      const double expected = naive_score(model, data.values(i));
      EXPECT_NEAR(score[static_cast<std::size_t>(i)], expected,
                  kRounding * std::max(1.0, std::abs(expected)));
    }
  }
}

TEST(Predictor, Scores_DoNotDependOnThreadsOrCompany) {
  Rng rng(6);
  const Model model = random_model(DataKind::series, 1, rng);
  const Dataset data = random_data(DataKind::series, 130, 1, rng);
  const std::vector<double> together = scores(model, data, 1);
  EXPECT_EQ(scores(model, data, 3), together);
  for (const std::int64_t i : {0, 63, 64, 129}) {
    EXPECT_EQ(scores(model, data.subset({i}), 1)[0], together[static_cast<std::size_t>(i)]);
  }
}

TEST(Predictor, Scores_AreTheOffset_WithoutHypotheses) {
  Rng rng(7);
  Model model = random_model(DataKind::series, 1, rng);
  model.hypotheses.clear();
  model.w.clear();
  EXPECT_EQ(scores(model, random_data(DataKind::series, 2, 1, rng), 1), (std::vector<double>{0.05, 0.05}));
}

TEST(Predictor, SaysWhatDoesNotFit) {
  Rng rng(8);
  const Model series = random_model(DataKind::series, 1, rng);
  const Model bags = random_model(DataKind::bags, 3, rng);
  EXPECT_EQ(complaint(series, random_data(DataKind::bags, 2, 3, rng)),
            "data.csv: the model is for series, the data are bags");
  EXPECT_EQ(complaint(bags, random_data(DataKind::series, 2, 1, rng)),
            "data.csv: the model is for bags, the data are series");
  EXPECT_EQ(complaint(series, random_data(DataKind::series, 2, 2, rng)),
            "data.csv: the model is for 1 channel, the data have 2");
  EXPECT_EQ(complaint(bags, random_data(DataKind::bags, 2, 4, rng)),
            "data.csv: the model is for 3 features, the data have 4");
  Dataset data = random_data(DataKind::series, 70, 1, rng);
  data.add(Matrix::Zero(1, 6), "no", "short");
  EXPECT_EQ(complaint(series, data),
            "data.csv: series short has 6 values, too few for the model's windows of 7");
}

TEST(Predictor, Predictions_AreTheSecondClass_AboveZeroOnly) {
  EXPECT_EQ(predictions({-1.0, 0.0, 1e-300, 2.0}), (std::vector<int>{0, 0, 1, 1}));
}

TEST(Predictor, Labels_AreTheModels_WhateverTheirOrderInTheData) {
  Rng rng(9);
  Model model = random_model(DataKind::series, 1, rng);
  model.classes = {"yes", "no"};
  Dataset data = random_data(DataKind::series, 3, 1, rng);
  data.add(Matrix::Zero(1, 20), "", "unknown");
  EXPECT_EQ(labels_for(model, data), (std::vector<int>{1, 0, 1, kUnlabelled}));
  data.add(Matrix::Zero(1, 20), "maybe", "odd");
  try {
    (void)labels_for(model, data);
    FAIL();
  } catch (const InvalidInput& fault) {
    EXPECT_STREQ(fault.what(), "data.csv: example odd: expected the label yes or no, found 'maybe'");
  }
}

}  // namespace
}  // namespace shapeboost
