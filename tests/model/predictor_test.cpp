// SPDX-License-Identifier: MIT
#include "shapeboost/predictor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "ground/rng.hpp"
#include "shapeboost/base.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"

namespace shapeboost {
namespace {

using examples::bag_view;
using examples::window_view;

constexpr double kRounding = 1e-9;  // sliding sums against plain ones

Dataset random_data(DataKind kind, std::int64_t examples, std::int64_t width, Rng& rng) {
  Dataset data(kind, "data.csv");
  for (std::int64_t i = 0; i < examples; ++i) {
    const std::int64_t length = 12 + rng.below(9);
    Matrix values(kind == DataKind::bags ? length : width, kind == DataKind::bags ? width : length);
    for (Eigen::Index k = 0; k < values.size(); ++k) values.data()[k] = 3.0 + rng.normal();
    add(data, values, i % 2 == 0 ? "no" : "yes", "e" + std::to_string(i));
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
  model.parts = parts_for(2, model.strategy);
  model.parts[0].b = 0.05;
  if (kind == DataKind::series) {
    model.views = {window_view(4, Normalisation::raw, kernels::Gaussian{0.3}, 2.5),
                   window_view(7, Normalisation::centred, kernels::Polynomial{0.5, 3}),
                   window_view(5, Normalisation::z, kernels::Gaussian{0.1}, 3.0),
                   window_view(1000, Normalisation::raw, {})};  // no hypothesis needs this one
  } else {
    const auto scale = [&](double s) { return std::vector<double>(static_cast<std::size_t>(width), s); };
    model.views = {bag_view(kernels::Gaussian{0.3}, random_values(width, rng), scale(1.5)),
                   bag_view(kernels::Linear{}, random_values(width, rng), scale(0.5))};
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
    model.parts[0].weights.push_back({j, 1.0 / 6.0});
  }
  return model;
}

/// The same hypotheses shared out among the parts of more classes.
Model random_model(DataKind kind, std::int64_t width, int classes, Strategy strategy, Rng& rng) {
  Model model = random_model(kind, width, rng);
  model.classes.clear();
  for (int k = 0; k < classes; ++k) model.classes.push_back("c" + std::to_string(k));
  model.strategy = strategy;
  model.parts = parts_for(classes, strategy);
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    model.parts[p].b = 0.1 * rng.normal();
    const int j = static_cast<int>(p) % 6;
    model.parts[p].weights = {{j, 0.6}, {(j + 2) % 6, 0.4}};
  }
  return model;
}

/// A model without hypotheses, for what is made of scores that are given.
Model bare_model(int classes, Strategy strategy) {
  Model model;
  for (int k = 0; k < classes; ++k) model.classes.push_back("c" + std::to_string(k));
  model.strategy = strategy;
  model.parts = parts_for(classes, strategy);
  return model;
}

Scores given(const std::vector<std::vector<double>>& rows) {
  Scores scores{
      Array<double>(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows[0].size())),
      std::vector<char>(rows.size(), 1)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t p = 0; p < rows[i].size(); ++p) {
      scores.parts(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(p)) = rows[i][p];
    }
  }
  return scores;
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
  if (const auto* gaussian = k.as<kernels::Gaussian>()) return std::exp(-gaussian->sigma * distance2);
  const auto* polynomial = k.as<kernels::Polynomial>();
  return polynomial == nullptr ? product : std::pow(product + polynomial->c, polynomial->p);
}

double naive_score(const Model& model, const Part& part, const MatrixView& example) {
  double score = part.b;
  for (const Weight& weight : part.weights) {
    const Hypothesis& h = model.hypotheses[static_cast<std::size_t>(weight.hypothesis)];
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
    if (std::isfinite(best)) score += weight.w * h.sign * best;
  }
  return score;
}

void expect_naive(const Model& model, const MatrixView& example, const Scores& score, std::int64_t row) {
  ASSERT_EQ(score.parts.cols(), static_cast<Eigen::Index>(model.parts.size()));
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    const double expected = naive_score(model, model.parts[p], example);
    EXPECT_NEAR(score.parts(row, static_cast<Eigen::Index>(p)), expected,
                kRounding * std::max(1.0, std::abs(expected)));
  }
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
    const Dataset data = random_data(kind, 150, width, rng);
    for (const Model& model :
         {random_model(kind, width, rng), random_model(kind, width, 5, Strategy::one_vs_rest, rng),
          random_model(kind, width, 4, Strategy::one_vs_one, rng)}) {
      const Scores score = scores(model, data, 2);
      ASSERT_EQ(score.parts.rows(), 150);
      EXPECT_EQ(score.covered, std::vector<char>(150, 1));
      for (std::int64_t i = 0; i < data.size(); ++i) expect_naive(model, mapped(data.values(i)), score, i);
    }
  }
}

TEST(Predictor, ShortSeries_AreScoredByTheViewsThatReachThem) {
  Rng rng(10);
  const Model model = random_model(DataKind::series, 1, rng);  // windows of 4, 7 and 5 values are used
  Dataset data = random_data(DataKind::series, 70, 1, rng);
  for (const int length : {3, 4, 6, 1, 7}) {
    Matrix values(1, length);
    for (double& value : values.reshaped()) value = 3.0 + rng.normal();
    add(data, values, "no", "short");
  }
  const Scores score = scores(model, data, 2);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    expect_naive(model, mapped(data.values(i)), score, i);
    EXPECT_EQ(score.covered[static_cast<std::size_t>(i)], i == 70 || i == 73 ? 0 : 1) << i;
  }
  EXPECT_EQ(score.parts(70, 0), 0.05) << "the offset alone";
  EXPECT_EQ(uncovered(score), (std::vector<std::int64_t>{70, 73}));
}

TEST(Predictor, Transformed_WeighedByTheParts_IsTheScores) {
  Rng rng(8);
  for (const DataKind kind : {DataKind::series, DataKind::bags}) {
    const std::int64_t width = kind == DataKind::bags ? 3 : 1;
    const Model model = random_model(kind, width, rng);
    const Dataset data = random_data(kind, 150, width, rng);
    const Array<double> h = Predictor(model).transformed(data, 2);
    const Scores expected = scores(model, data, 1);
    ASSERT_EQ(h.cols(), static_cast<Eigen::Index>(model.hypotheses.size()));
    for (Eigen::Index i = 0; i < h.rows(); ++i) {
      double g = model.parts[0].b;
      for (const Weight& weight : model.parts[0].weights) g += weight.w * h(i, weight.hypothesis);
      EXPECT_NEAR(g, expected.parts(i, 0), kRounding);
    }
  }
}

TEST(Predictor, InstanceScores_AreThoseOfBagsOfOne) {
  Rng rng(11);
  const Dataset data = random_data(DataKind::bags, 70, 3, rng);
  for (const Model& model : {random_model(DataKind::bags, 3, rng),
                             random_model(DataKind::bags, 3, 4, Strategy::one_vs_one, rng)}) {
    const Scores score = Predictor(model).instance_scores(data, 2);
    std::int64_t row = 0;
    for (std::int64_t i = 0; i < data.size(); ++i) {
      const MatrixView bag = mapped(data.values(i));
      for (Eigen::Index x = 0; x < bag.rows(); ++x, ++row) {
        expect_naive(model, MatrixView(bag.data() + 3 * x, 1, 3), score, row);
      }
    }
    EXPECT_EQ(score.parts.rows(), row);
    EXPECT_EQ(score.covered, std::vector<char>(static_cast<std::size_t>(row), 1));
  }
  // Where all hypotheses are maxima with weights above 0, the bag's score is at least that of each instance.
  Model one_sided = random_model(DataKind::bags, 3, rng);
  for (Hypothesis& hypothesis : one_sided.hypotheses) hypothesis.sign = 1;
  const Scores bags = scores(one_sided, data, 1);
  const Scores alone = Predictor(one_sided).instance_scores(data, 1);
  std::int64_t row = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    for (Eigen::Index x = 0; x < data.values(i).rows(); ++x, ++row) {
      EXPECT_LE(alone.parts(row, 0), bags.parts(i, 0) + kRounding);
    }
  }
  EXPECT_EQ(examples::sentence([&] {
              (void)Predictor(random_model(DataKind::series, 1, rng))
                  .instance_scores(random_data(DataKind::series, 2, 1, rng), 1);
            }),
            "data.csv: instances are scored one by one in bags only, the data are series");
}

TEST(Predictor, Scores_DoNotDependOnThreadsOrCompany) {
  Rng rng(6);
  const Model model = random_model(DataKind::series, 1, rng);
  const Dataset data = random_data(DataKind::series, 130, 1, rng);
  const Array<double> together = scores(model, data, 1).parts;
  EXPECT_EQ(scores(model, data, 3).parts, together);
  for (const std::int64_t i : {0, 63, 64, 129}) {
    EXPECT_EQ(scores(model, data.subset({i}), 1).parts(0, 0), together(i, 0));
  }
}

TEST(Predictor, AskedByManyThreadsAtOnce_SaysTheSame) {
  Rng rng(9);
  for (const DataKind kind : {DataKind::series, DataKind::bags}) {
    const std::int64_t width = kind == DataKind::bags ? 3 : 1;
    const Model model = random_model(kind, width, 3, Strategy::one_vs_one, rng);
    const Dataset data = random_data(kind, 100, width, rng);
    const Predictor predictor(model);
    std::vector<Scores> found(4);
    std::vector<std::thread> threads;
    for (Scores& each : found) threads.emplace_back([&] { each = predictor.scores(data, 2); });
    for (std::thread& thread : threads) thread.join();
    const Scores expected = scores(model, data, 1);
    for (const Scores& each : found) {
      EXPECT_EQ(each.parts, expected.parts);
      EXPECT_EQ(each.covered, expected.covered);
    }
    EXPECT_EQ(predictor.scores(predictor.responses(data, 2)).parts, expected.parts);
  }
}

TEST(Predictor, Scores_AreTheOffset_WithoutHypotheses) {
  Rng rng(7);
  Model model = random_model(DataKind::series, 1, rng);
  model.hypotheses.clear();
  model.parts[0].weights.clear();
  const Scores score = scores(model, random_data(DataKind::series, 2, 1, rng), 1);
  EXPECT_EQ(score.parts, Array<double>(2, 1, 0.05));
  EXPECT_EQ(score.covered, (std::vector<char>{1, 1})) << "nothing is asked of them";
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
}

TEST(Predictor, Predictions_AreTheSecondClass_AboveZeroOnly) {
  const Scores score = given({{-1.0}, {0.0}, {1e-300}, {2.0}});
  for (const Strategy strategy : {Strategy::one_vs_rest, Strategy::one_vs_one}) {
    EXPECT_EQ(predictions(bare_model(2, strategy), score), (std::vector<int>{0, 0, 1, 1}));
    Eigen::MatrixXd expected(4, 2);
    expected << 1.0, -1.0, 0.0, 0.0, -1e-300, 1e-300, -2.0, 2.0;
    EXPECT_EQ(mapped(class_scores(bare_model(2, strategy), score)), expected);
  }
}

TEST(Predictor, Predictions_AreTheLargestAgainstTheRest_TheFirstAmongEquals) {
  const Model model = bare_model(3, Strategy::one_vs_rest);
  const Scores score =
      given({{0.5, -1.0, -2.0}, {-0.5, -0.25, -0.75}, {-3.0, 1.0, 1.0}, {0.0, 0.0, 0.0}, {-1.0, -1.0, 2.0}});
  EXPECT_EQ(predictions(model, score), (std::vector<int>{0, 1, 1, 0, 2}));
  EXPECT_EQ(class_scores(model, score), score.parts);
}

TEST(Predictor, ClassScores_AreMeanVotesOfPairs_EachInItsUnit) {
  Model model = bare_model(3, Strategy::one_vs_one);  // parts: 1 from 0, 2 from 0, 2 from 1
  const Scores score = given({{0.5, -1.0, 2.0}});
  const auto vote = [](double g) { return std::tanh(4.0 * g); };
  Eigen::MatrixXd expected(1, 3);
  expected << (vote(-0.5) + vote(1.0)) / 2.0, (vote(0.5) + vote(-2.0)) / 2.0, (vote(-1.0) + vote(2.0)) / 2.0;
  EXPECT_TRUE(mapped(class_scores(model, score)).isApprox(expected));
  model.parts[2].margins = {6.0, -2.0};  // |g| is 4 in the mean
  expected << (vote(-0.5) + vote(1.0)) / 2.0, (vote(0.5) + vote(-0.5)) / 2.0, (vote(-1.0) + vote(0.5)) / 2.0;
  EXPECT_NEAR(expected(0, 1), 0.0, 1e-15);
  EXPECT_LT((mapped(class_scores(model, score)) - expected).cwiseAbs().maxCoeff(), 1e-12)
      << mapped(class_scores(model, score));
}

/// The list of candidates itself: first against last, the loser is crossed out.
int naive_dag(const std::vector<std::vector<bool>>& later_wins) {
  std::vector<std::size_t> candidates;
  for (std::size_t k = 0; k < later_wins.size(); ++k) candidates.push_back(k);
  while (candidates.size() > 1) {
    if (later_wins[candidates.front()][candidates.back()]) {
      candidates.erase(candidates.begin());
    } else {
      candidates.pop_back();
    }
  }
  return static_cast<int>(candidates.front());
}

TEST(Predictor, Predictions_FollowTheDecisionDag_ForEveryOutcomeOfFourClasses) {
  const Model model = bare_model(4, Strategy::one_vs_one);
  ASSERT_EQ(model.parts.size(), 6U);
  std::vector<int> times(4, 0);
  for (unsigned outcome = 0; outcome < 64; ++outcome) {
    std::vector<double> row;
    std::vector<std::vector<bool>> later_wins(4, std::vector<bool>(4, false));
    for (std::size_t p = 0; p < 6; ++p) {
      const bool positive = (outcome >> p & 1U) != 0;
      row.push_back(positive ? 0.5 : p % 2 == 0 ? -0.5 : 0.0);  // 0 is for the negative class
      later_wins[static_cast<std::size_t>(model.parts[p].negative)]
                [static_cast<std::size_t>(model.parts[p].positive)] = positive;
    }
    const int predicted = predictions(model, given({row})).front();
    EXPECT_EQ(predicted, naive_dag(later_wins)) << outcome;
    ++times[static_cast<std::size_t>(predicted)];
    // A class that beats all others is the answer.
    for (std::size_t k = 0; k < 4; ++k) {
      bool beats_all = true;
      for (std::size_t other = 0; other < 4; ++other) {
        if (other != k) beats_all = beats_all && (k > other ? later_wins[other][k] : !later_wins[k][other]);
      }
      if (beats_all) {
        EXPECT_EQ(predicted, static_cast<int>(k)) << outcome;
      }
    }
  }
  // Three contests: 1, 3, 3 and 1 of their 8 outcomes end at each class.
  EXPECT_EQ(times, (std::vector<int>{8, 24, 24, 8}));
}

TEST(Predictor, Labels_AreTheModels_WhateverTheirOrderInTheData) {
  Rng rng(9);
  Model model = random_model(DataKind::series, 1, rng);
  model.classes = {"yes", "no"};
  Dataset data = random_data(DataKind::series, 3, 1, rng);
  add(data, Matrix::Zero(1, 20), "", "unknown");
  EXPECT_EQ(labels_for(model, data), (std::vector<int>{1, 0, 1, kUnlabelled}));
  add(data, Matrix::Zero(1, 20), "maybe", "odd");
  try {
    (void)labels_for(model, data);
    FAIL();
  } catch (const InvalidInput& fault) {
    EXPECT_STREQ(fault.what(), "data.csv: example odd: expected the label yes or no, found 'maybe'");
  }
  model.classes = {"yes", "no", "never"};
  EXPECT_EQ(examples::sentence([&] { (void)labels_for(model, data); }),
            "data.csv: example odd: expected the label yes, no or never, found 'maybe'");
  while (model.classes.size() < 11) model.classes.push_back("c" + std::to_string(model.classes.size()));
  EXPECT_EQ(examples::sentence([&] { (void)labels_for(model, data); }),
            "data.csv: example odd: expected the label of one of the model's 11 classes, found 'maybe'");
}

}  // namespace
}  // namespace shapeboost
