// SPDX-License-Identifier: MIT
// Weighing in a pass over the examples.
#include "train/stream.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "ground/rng.hpp"
#include "shapeboost/predictor.hpp"
#include "solve/multinomial.hpp"
#include "solve/ridge.hpp"
#include "support/accuracy.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"

namespace shapeboost {
namespace {

using detail::EvidenceRows;
using Eigen::MatrixXd;
using examples::labels_of;
using Index = Eigen::Index;

constexpr std::int64_t kLength = 24;

/// Noise with a bump somewhere, as wide as the class says.
Dataset wide_bumps(std::int64_t count, int classes, std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::series, "bumps");
  for (std::int64_t i = 0; i < count; ++i) {
    const auto c = static_cast<int>(rng.below(classes));
    Matrix series(1, kLength);
    for (double& value : series.reshaped()) value = 0.3 * rng.normal();
    const std::int64_t width = 4 + 4 * c;
    series.row(0).segment(rng.below(kLength - width), width).array() += 2.0;
    add(data, series, std::string(1, static_cast<char>('a' + c)), std::to_string(i));
  }
  return data;
}

TrainSettings few() {
  TrainSettings settings;
  settings.members = 4;
  settings.patterns = 30;
  settings.threads = 1;
  return settings;
}

/// Sums over the data cut at these places.
NormalEquations sums_of(const EvidenceRows& rows, const Dataset& data, const std::vector<std::int64_t>& ends,
                        int threads) {
  ThreadPool pool(threads);
  NormalEquations sums = rows.none();
  std::int64_t first = 0;
  for (const std::int64_t end : ends) {
    std::vector<std::int64_t> part(static_cast<std::size_t>(end - first));
    std::iota(part.begin(), part.end(), first);
    NormalEquations own = rows.none();
    rows.add(data.subset(part), first, own, pool);
    sums.add(own);
    first = end;
  }
  return sums;
}

TEST(Stream, RowsAreWhatTheModelWeighs) {
  const Dataset data = wide_bumps(80, 3, 1);
  const Model model = train(data, few()).model;
  ThreadPool threads(2);
  const EvidenceRows rows(model, {1.0, 1.0, 1.0});
  std::vector<std::int64_t> numbers(80);
  std::iota(numbers.begin(), numbers.end(), 0);
  const MatrixXd Z = rows.rows(data, numbers, threads);
  const Responses responses = Predictor::borrow(model).responses(data, 1);
  std::vector<std::pair<int, Evidence>> columns;  // in the order of views, hypotheses and kinds
  for (int v = 0; v < static_cast<int>(model.views.size()); ++v) {
    for (int j = 0; j < static_cast<int>(model.hypotheses.size()); ++j) {
      for (const Evidence kind : model.head->evidence) {
        bool weighed = model.hypotheses[static_cast<std::size_t>(j)].view == v;
        weighed = weighed && std::ranges::any_of(model.parts, [&](const Part& part) {
                    return std::ranges::any_of(part.weights, [&](const Weight& weight) {
                      return weight.hypothesis == j && weight.evidence == kind;
                    });
                  });
        if (weighed) columns.emplace_back(j, kind);
      }
    }
  }
  ASSERT_EQ(Z.cols(), std::ssize(columns) + 4);
  int masked = 0;
  for (Index i = 0; i < 80; ++i) {
    for (Index c = 0; c < std::ssize(columns); ++c) {
      const auto [j, kind] = columns[static_cast<std::size_t>(c)];
      const Hypothesis& pattern = model.hypotheses[static_cast<std::size_t>(j)];
      const Standard& standard = pattern.standard[static_cast<std::size_t>(kind)];
      const auto place = static_cast<std::size_t>(std::ranges::find(model.head->evidence, kind) -
                                                  model.head->evidence.begin());
      const double factor = model.head->factors[static_cast<std::size_t>(pattern.view)][place];
      const bool own = pattern.shapelet.instances[0].example == i;
      masked += own ? 1 : 0;
      const double expected =
          own ? 0.0 : factor * (responses.of(kind, i, j) - standard.centre) / standard.scale;
      ASSERT_NEAR(Z(i, c), expected, 4e-5) << i << " " << c;
    }
    for (Index p = 0; p < 3; ++p) EXPECT_EQ(Z(i, Z.cols() - 4 + p), data.label(i) == p ? 1.0 : -1.0);
    EXPECT_EQ(Z(i, Z.cols() - 1), 1.0);
  }
  EXPECT_GT(masked, 0);
}

TEST(Stream, SumsOfPartsAreThoseOfAllToTheLastBit) {
  const Dataset data = wide_bumps(1300, 2, 2);
  const Model model = train(data.subset({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}), few()).model;
  const EvidenceRows rows(model, {1.0, 0.5});
  const MatrixXd all = sums_of(rows, data, {1300}, 1).sum();
  EXPECT_EQ(sums_of(rows, data, {1, 700, 1025, 1300}, 1).sum(), all);
  EXPECT_EQ(sums_of(rows, data, {640, 1300}, 3).sum(), all);
}

TEST(Stream, WeighsAsRidgeRegressionDoes) {
  const Dataset data = wide_bumps(300, 3, 3);
  const Model before =
      train(data.subset({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}), few()).model;
  const ClassWeights weights = ClassWeights::parse("a=4,c=0.5");
  const std::vector<double> roots = detail::roots_of_weights(weights, data);
  EXPECT_NEAR(roots[0] / roots[1], 2.0, 2e-3);
  EXPECT_NEAR(roots[2] / roots[1], std::sqrt(0.5), 2e-3);
  ThreadPool threads(2);
  const EvidenceRows rows(before, roots);
  std::vector<std::int64_t> numbers(300);
  std::iota(numbers.begin(), numbers.end(), 0);
  const MatrixXd Z = rows.rows(data, numbers, threads);
  const Model model = rows.weighed(sums_of(rows, data, {100, 300}, 1), Z, labels_of(data), threads);

  // The same from the rows themselves, whose evidence the new model is asked for by its scores.
  Vector v(300);
  Eigen::MatrixXf X(300, Z.cols() - 4);
  MatrixXd Y(300, 3);
  for (Index i = 0; i < 300; ++i) {
    const double s = Z(i, Z.cols() - 1);
    v[i] = s * s;
    X.row(i) = (Z.row(i).head(X.cols()) / s).cast<float>();
    Y.row(i) = Z.row(i).segment(X.cols(), 3) / s;
  }
  RidgeSettings settings;
  settings.start = before.head->alpha;
  settings.steps_per_decade = 2;  // as the pass has it
  const RidgeSolution expected = ridge(X, Y, v, settings, threads);
  EXPECT_EQ(model.head->alpha, expected.alpha);
  EXPECT_NEAR(model.head->left_out_error, expected.left_out_error, 1e-6);
  EXPECT_LT(model.head->residual, 1e-10);
  MatrixXd predicted = X.cast<double>() * expected.weights;
  predicted.rowwise() += expected.b.transpose();
  const MultinomialSolution mixing = multinomial(expected.left_out, labels_of(data), v, threads);
  predicted = (predicted * mixing.A).eval();
  predicted.rowwise() += mixing.c.transpose();
  const Array<double> scores = shapeboost::scores(model, data, 1).parts;
  for (Index i = 20; i < 300; ++i) {  // no pattern was cut from these
    for (Index p = 0; p < 3; ++p)
      EXPECT_NEAR(scores(i, p), predicted(i, p), 3e-3);  // evidence is rounded to 2^-14
  }
}

TEST(Stream, TrainsOnAllOfManyExamples) {
  const Dataset data = wide_bumps(10200, 2, 4);
  ASSERT_TRUE(detail::is_streamed(data, few()));
  const TrainingResult training = train(data, few());
  const Model& model = training.model;
  EXPECT_GT(accuracy_of(model, wide_bumps(500, 2, 5)), 0.97);
  EXPECT_EQ(model.provenance.bags, 10200);
  EXPECT_EQ(model.provenance.length, kLength);
  EXPECT_LE(model.hypotheses.size(), 30U);
  EXPECT_LT(model.head->residual, 1e-9);
  std::int64_t beyond = 0;  // the sample
  for (const Hypothesis& hypothesis : model.hypotheses) {
    const Instance& z = hypothesis.shapelet.instances[0];
    const View& view = model.views[static_cast<std::size_t>(hypothesis.view)];
    beyond += z.example >= 2000 ? 1 : 0;
    if (view.transform != Transform::none) continue;
    for (std::int64_t k = 0; k < view.length; ++k) {
      EXPECT_NEAR(z.values[static_cast<std::size_t>(k)],
                  data.values(z.example)(0, z.position + k * view.dilation), 1e-3);
    }
  }
  EXPECT_GT(beyond, 0);

  TrainSettings threads = few();
  threads.threads = 3;
  EXPECT_EQ(to_json(train(data, threads).model), to_json(model));
}

TEST(Stream, EndsWithTheSamplesWeightsWhereItIsInterrupted) {
  const Dataset data = wide_bumps(10200, 2, 6);
  const detail::Sample sample = detail::drawn_sample(data, few());
  EXPECT_TRUE(std::ranges::is_sorted(sample.examples));
  TrainingResult result = train(sample.data, sample.settings);
  const std::vector<Part> before = result.model.parts;
  int asked = 0;
  Observer observer;
  observer.interrupted = [&] { return ++asked > 3; };
  detail::weigh_all(data, sample, observer, result);
  EXPECT_EQ(result.stop, Stop::interrupted);
  EXPECT_EQ(result.model.parts[0].b, before[0].b);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_EQ(result.notes.back(), "stopped before all examples were weighed: the weights are those of " +
                                     std::to_string(sample.examples.size()) + " of the 10200");
}

TEST(Stream, KeepsFewExamplesWhole) {
  const Dataset data = wide_bumps(60, 2, 7);
  EXPECT_FALSE(detail::is_streamed(data, {}));
  Dataset many(DataKind::series);
  const std::vector<double> values(8, 1.0);
  for (int i = 0; i < 10001; ++i) many.borrow(values, i % 2 == 0 ? "a" : "b", "");
  EXPECT_TRUE(detail::is_streamed(many, {}));
  TrainSettings single;
  single.members = 1;
  EXPECT_FALSE(detail::is_streamed(many, single));
}

}  // namespace
}  // namespace shapeboost
