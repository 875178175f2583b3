// SPDX-License-Identifier: MIT
#include "solve/multinomial.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"

namespace shapeboost {
namespace {

struct Scored {
  Eigen::MatrixXd G;
  std::vector<int> y;
  Vector v;
};

/// +1 for the own class and -1 elsewhere, and noise.
Scored noisy_scores(Eigen::Index examples, int classes, double noise, std::uint64_t seed) {
  Rng rng(seed);
  Scored scored{Eigen::MatrixXd(examples, classes), {}, Vector(examples)};
  for (Eigen::Index i = 0; i < examples; ++i) {
    scored.y.push_back(static_cast<int>(rng.below(classes)));
    scored.v[i] = 0.5 + rng.uniform();
    for (int k = 0; k < classes; ++k) {
      scored.G(i, k) = (k == scored.y.back() ? 1.0 : -1.0) + noise * rng.normal();
    }
  }
  return scored;
}

ThreadPool& one_thread() {
  static ThreadPool pool(1);
  return pool;
}

/// The loss as the header has it.
double naive_surprise(const Scored& scored, const Eigen::MatrixXd& A, const Vector& c, double s,
                      const MultinomialSettings& settings) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < scored.G.rows(); ++i) {
    const Vector z = A.transpose() * scored.G.row(i).transpose() + c;
    double total = 0.0;
    for (const double one : z) total += std::exp(one);
    const double v = scored.v.size() > 0 ? scored.v[i] : 1.0;
    sum += v * (std::log(total) - z[scored.y[at(i)]]);
  }
  const Eigen::MatrixXd apart = A - s * Eigen::MatrixXd::Identity(A.rows(), A.cols());
  return sum + settings.lambda * apart.squaredNorm() + settings.mu * c.squaredNorm();
}

TEST(Multinomial, IsWhereTheLossIsSmallest) {
  for (const double noise : {0.3, 1.0, 3.0}) {
    const Scored scored = noisy_scores(80, 4, noise, 1);
    MultinomialSettings settings;
    settings.tolerance = 1e-14;
    const MultinomialSolution found = multinomial(scored.G, scored.y, scored.v, one_thread(), settings);
    const auto loss = [&](const Eigen::MatrixXd& A, const Vector& c) {
      return naive_surprise(scored, A, c, found.temperature, settings);
    };
    EXPECT_NEAR(found.loss, loss(found.A, found.c), 1e-9 * found.loss);
    EXPECT_LE(found.gap, settings.tolerance);
    constexpr double kStep = 1e-5;
    for (Eigen::Index k = 0; k < 4; ++k) {
      for (Eigen::Index l = 0; l < 4; ++l) {
        const Eigen::MatrixXd step = kStep * Vector::Unit(4, k) * Vector::Unit(4, l).transpose();
        EXPECT_NEAR((loss(found.A + step, found.c) - loss(found.A - step, found.c)) / (2.0 * kStep), 0.0,
                    1e-4);
      }
      const Vector step = kStep * Vector::Unit(4, k);
      EXPECT_NEAR((loss(found.A, found.c + step) - loss(found.A, found.c - step)) / (2.0 * kStep), 0.0, 1e-4);
    }
  }
}

TEST(Multinomial, LiesAboveTheMinimumByNoMoreThanItsGap) {
  const Scored scored = noisy_scores(120, 6, 1.5, 2);
  MultinomialSettings settings;
  settings.tolerance = 1e-14;
  const double least = multinomial(scored.G, scored.y, scored.v, one_thread(), settings).loss;
  for (const double tolerance : {1e-1, 1e-3, 1e-5, 1e-8}) {
    settings.tolerance = tolerance;
    const MultinomialSolution found = multinomial(scored.G, scored.y, scored.v, one_thread(), settings);
    EXPECT_LE(found.gap, tolerance);
    EXPECT_LE(found.loss - least, found.gap * scored.v.sum() + 1e-10);
    EXPECT_GE(found.loss - least, -1e-10);
  }
}

TEST(Multinomial, TakesTheBestTemperatureFirst) {
  const Scored scored = noisy_scores(200, 3, 1.2, 3);
  MultinomialSettings settings;
  settings.lambda = settings.mu = 1e9;  // nothing else may move
  const MultinomialSolution found = multinomial(scored.G, scored.y, scored.v, one_thread(), settings);
  const auto loss = [&](double s) {
    return naive_surprise(scored, s * Eigen::MatrixXd::Identity(3, 3), Vector::Zero(3), s, settings);
  };
  EXPECT_LT(loss(found.temperature), loss(found.temperature * 1.001));
  EXPECT_LT(loss(found.temperature), loss(found.temperature * 0.999));
  EXPECT_LT((found.A - found.temperature * Eigen::MatrixXd::Identity(3, 3)).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Multinomial, WeighsAnExampleTwiceAsTwoOfIt) {
  Scored once = noisy_scores(30, 3, 1.0, 4);
  once.v.setOnes();
  once.v.head(10).setConstant(2.0);
  Scored twice{Eigen::MatrixXd(40, 3), once.y, {}};
  twice.G << once.G, once.G.topRows(10);
  twice.y.insert(twice.y.end(), once.y.begin(), once.y.begin() + 10);
  const MultinomialSolution a = multinomial(once.G, once.y, once.v, one_thread());
  const MultinomialSolution b = multinomial(twice.G, twice.y, twice.v, one_thread());
  EXPECT_NEAR(a.loss, b.loss, 1e-7 * a.loss);
  EXPECT_LT((a.A - b.A).cwiseAbs().maxCoeff(), 1e-3);
}

/// A regression on +1 and -1 of three classes in a row: the one between says nothing of where it is, so that the largest score
/// is never its own.
TEST(Multinomial, FindsTheClassThatOthersDrown) {
  Rng rng(5);
  Scored scored{Eigen::MatrixXd(300, 3), {}, {}};
  for (Eigen::Index i = 0; i < 300; ++i) {
    const int k = static_cast<int>(i % 3);
    scored.y.push_back(k);
    const double x = k - 1.0 + 0.2 * rng.normal();
    scored.G.row(i) << -1.0 / 3.0 - x, -1.0 / 3.0, -1.0 / 3.0 + x;
  }
  const MultinomialSolution found = multinomial(scored.G, scored.y, scored.v, one_thread());
  int before = 0;
  int after = 0;
  for (Eigen::Index i = 0; i < 300; ++i) {
    Eigen::Index best = 0;
    scored.G.row(i).maxCoeff(&best);
    before += best == scored.y[at(i)];
    (scored.G.row(i) * found.A + found.c.transpose()).maxCoeff(&best);
    after += best == scored.y[at(i)];
  }
  EXPECT_LT(before, 210);
  EXPECT_GT(after, 280);
}

TEST(Multinomial, EndsWhereNothingIsMistaken) {
  const Scored scored = noisy_scores(300, 20, 0.0, 6);
  const MultinomialSolution found = multinomial(scored.G, scored.y, scored.v, one_thread());
  EXPECT_NEAR(found.temperature, 10.0, 1e-9);
  EXPECT_LE(found.gap, MultinomialSettings{}.tolerance);
}

TEST(Multinomial, SameBits_ForAnyNumberOfThreads) {
  const Scored scored = noisy_scores(500, 4, 1.0, 8);
  ThreadPool four(4);
  const MultinomialSolution one = multinomial(scored.G, scored.y, scored.v, one_thread());
  const MultinomialSolution other = multinomial(scored.G, scored.y, scored.v, four);
  EXPECT_EQ(one.A, other.A);
  EXPECT_EQ(one.c, other.c);
  EXPECT_EQ(one.steps, other.steps);
}

}  // namespace
}  // namespace shapeboost
