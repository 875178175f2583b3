// SPDX-License-Identifier: MIT
#include "solve/ridge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/parallel.hpp"
#include "ground/rng.hpp"

namespace shapeboost {
namespace {

using Eigen::MatrixXd;
using Eigen::MatrixXf;
using Index = Eigen::Index;

constexpr double kSameSolution = 1e-9;  // against other ways to solve the same problem in double
constexpr double kSingle = 1e-4;        // of left-out errors, where the Gram matrix is in single precision
constexpr double kCertificate = 1e-9;

struct Problem {
  MatrixXf X;
  MatrixXd Y;
  Vector v;
};

/// Columns that are far from centred, some of them alike; targets that depend on a few.
Problem random_problem(Index m, Index p, Index t, bool weighted, std::uint64_t seed) {
  Rng rng(seed);
  Problem problem{MatrixXf(m, p), MatrixXd(m, t), Vector()};
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < m; ++i) {
      const double like = j > 0 && j % 3 == 0 ? static_cast<double>(problem.X(i, j - 1)) : 5.0;
      problem.X(i, j) = static_cast<float>(like + 0.7 * rng.normal());
    }
  }
  for (Index k = 0; k < t; ++k) {
    for (Index i = 0; i < m; ++i) {
      const double signal = p > 0 ? static_cast<double>(problem.X(i, k % p)) : 0.0;
      problem.Y(i, k) = 3.0 + std::tanh(signal - 5.0) + 0.5 * rng.normal();
    }
  }
  if (weighted) {
    problem.v.resize(m);
    for (double& x : problem.v) x = 0.2 + 2.0 * rng.uniform();
  }
  return problem;
}

/// W and, in the last row, b: the least squares problem with rows sqrt(alpha) e_j below, b's column of 1
/// among the others, by a QR decomposition.
MatrixXd naive_ridge(const Problem& problem, double alpha) {
  const Index m = problem.X.rows();
  const Index p = problem.X.cols();
  MatrixXd left = MatrixXd::Zero(m + p, p + 1);
  MatrixXd right = MatrixXd::Zero(m + p, problem.Y.cols());
  for (Index i = 0; i < m; ++i) {
    const double s = problem.v.size() > 0 ? std::sqrt(problem.v[i]) : 1.0;
    left.row(i).head(p) = s * problem.X.row(i).cast<double>();
    left(i, p) = s;
    right.row(i) = s * problem.Y.row(i);
  }
  for (Index j = 0; j < p; ++j) left(m + j, j) = std::sqrt(alpha);
  return left.colPivHouseholderQr().solve(right);
}

double objective(const Problem& problem, const MatrixXd& W, const Vector& b, double alpha) {
  MatrixXd left = problem.Y - problem.X.cast<double>() * W;
  left.rowwise() -= b.transpose();
  double sum = alpha * W.squaredNorm();
  for (Index i = 0; i < left.rows(); ++i) {
    sum += (problem.v.size() > 0 ? problem.v[i] : 1.0) * left.row(i).squaredNorm();
  }
  return sum;
}

template <typename Values>
Values without(const Values& values, Index i) {
  Values rest(values.rows() - 1, values.cols());
  rest.topRows(i) = values.topRows(i);
  rest.bottomRows(rest.rows() - i) = values.bottomRows(rest.rows() - i);
  return rest;
}

Problem without_column(const Problem& problem, Index j) {
  return {without<MatrixXf>(problem.X.transpose(), j).transpose(), problem.Y, problem.v};
}

/// Each example predicted by the model of the others, found anew.
MatrixXd naive_left_out(const Problem& problem, double alpha) {
  MatrixXd predictions(problem.Y.rows(), problem.Y.cols());
  for (Index i = 0; i < problem.Y.rows(); ++i) {
    const Vector v = problem.v.size() > 0 ? Vector(without<MatrixXd>(problem.v, i)) : Vector();
    const MatrixXd model = naive_ridge({without(problem.X, i), without(problem.Y, i), v}, alpha);
    predictions.row(i) =
        problem.X.row(i).cast<double>() * model.topRows(problem.X.cols()) + model.bottomRows(1);
  }
  return predictions;
}

double mean_squared_error(const Problem& problem, const MatrixXd& predictions) {
  double sum = 0.0;
  double total = 0.0;
  for (Index i = 0; i < predictions.rows(); ++i) {
    const double v = problem.v.size() > 0 ? problem.v[i] : 1.0;
    sum += v * (problem.Y.row(i) - predictions.row(i)).squaredNorm();
    total += v;
  }
  return sum / total / static_cast<double>(predictions.cols());
}

RidgeSettings only(double alpha) { return {.smallest = alpha, .largest = alpha, .start = alpha}; }

RidgeSolution solve(const Problem& problem, const RidgeSettings& settings = {},
                    RidgeForm form = RidgeForm::automatic) {
  ThreadPool pool(1);
  return Ridge(problem.X, problem.v, pool, form).solve(problem.Y, settings);
}

double difference(const MatrixXd& a, const MatrixXd& b) { return (a - b).lpNorm<Eigen::Infinity>(); }

/// Calls check(problem, form) for sizes on both sides of m = p, one and several targets, with weights and
/// without, both forms.
template <typename Check>
void for_each_case(const Check& check) {
  for (const Index m : {2, 9, 30}) {
    for (const Index p : {1, 12, 25}) {
      for (const bool several : {false, true}) {
        const Problem problem = random_problem(m, p, several ? 3 : 1, several, 7);
        for (const RidgeForm form : {RidgeForm::dual, RidgeForm::primal}) {
          SCOPED_TRACE(testing::Message() << m << " x " << p << (several ? ", weighted" : "")
                                          << (form == RidgeForm::dual ? ", dual" : ", primal"));
          check(problem, form);
        }
      }
    }
  }
}

TEST(Ridge, SolutionIsThatOfTheNormalEquations) {
  for_each_case([](const Problem& of, RidgeForm form) {
    for (const double alpha : {1e-3, 1.0, 300.0}) {
      const MatrixXd expected = naive_ridge(of, alpha);
      const RidgeSolution found = solve(of, only(alpha), form);
      EXPECT_EQ(found.alpha, alpha);
      EXPECT_LT(difference(found.weights, expected.topRows(of.X.cols())), kSameSolution);
      EXPECT_LT(difference(found.b.transpose(), expected.bottomRows(1)),
                100 * kSameSolution);  // X's mean is far off
      EXPECT_LT(found.residual, kCertificate);
    }
  });
}

TEST(Ridge, LeftOutIsWhatTheModelOfTheOthersPredicts) {
  for_each_case([](const Problem& of, RidgeForm form) {
    for (const double alpha : {1e-3, 1.0, 300.0}) {
      const MatrixXd expected = naive_left_out(of, alpha);
      const RidgeSolution found = solve(of, only(alpha), form);
      EXPECT_LT(difference(found.left_out, expected), 100 * kSameSolution);
      EXPECT_NEAR(found.left_out_error, mean_squared_error(of, expected), 100 * kSameSolution);
    }
  });
}

TEST(Ridge, RemovalLossesAreThoseOfSolvingAnew) {
  for_each_case([](const Problem& of, RidgeForm form) {
    const double alpha = 0.3;
    ThreadPool pool(1);
    Ridge ridge(of.X, of.v, pool, form);
    const RidgeSolution all = ridge.solve(of.Y, only(alpha));
    const std::vector<double> losses = ridge.removal_losses(all);
    const double least = objective(of, all.weights, all.b, alpha);
    ASSERT_EQ(losses.size(), static_cast<std::size_t>(of.X.cols()));
    for (Index j = 0; j < of.X.cols(); ++j) {
      const Problem rest = without_column(of, j);
      const MatrixXd anew = naive_ridge(rest, alpha);
      const double without_j =
          objective(rest, anew.topRows(rest.X.cols()), anew.bottomRows(1).transpose(), alpha);
      EXPECT_NEAR(losses[static_cast<std::size_t>(j)], without_j - least, kSameSolution * least);
    }
  });
}

/// Larger than any tile in one direction or the other.
constexpr std::pair<Index, Index> kLarge[] = {{270, 530}, {530, 270}};

TEST(Ridge, DualIsPrimal) {
  for (const auto& [m, p] : kLarge) {
    const Problem of = random_problem(m, p, 2, true, 11);
    const RidgeSettings settings{.start = 1.0};
    const RidgeSolution dual = solve(of, settings, RidgeForm::dual);
    const RidgeSolution primal = solve(of, settings, RidgeForm::primal);
    EXPECT_EQ(dual.alpha, primal.alpha);
    ASSERT_EQ(dual.tried.size(), primal.tried.size());
    for (std::size_t k = 0; k < dual.tried.size(); ++k) {
      EXPECT_EQ(dual.tried[k].first, primal.tried[k].first);
      EXPECT_NEAR(dual.tried[k].second, primal.tried[k].second, kSameSolution * primal.tried[k].second);
    }
    EXPECT_LT(difference(dual.weights, primal.weights), kSameSolution);
    EXPECT_LT(difference(dual.left_out, primal.left_out), 100 * kSameSolution);
    EXPECT_LT(std::max(dual.residual, primal.residual), kCertificate);
  }
}

TEST(Ridge, SameBitsForAnyNumberOfThreadsAndWhereverXLies) {
  ThreadPool one(1);
  ThreadPool two(2);
  for (const auto& [m, p] : kLarge) {
    const Problem of = random_problem(m, p, 2, true, 11);
    MatrixXf roomy(m + 3, p + 1);
    roomy.block(1, 1, m, p) = of.X;
    for (const RidgeForm form : {RidgeForm::dual, RidgeForm::primal}) {
      Ridge a(of.X, of.v, one, form);
      Ridge b(roomy.block(1, 1, m, p), of.v, two, form);
      const RidgeSolution of_a = a.solve(of.Y);
      const RidgeSolution of_b = b.solve(of.Y);
      EXPECT_EQ(of_a.tried, of_b.tried);
      EXPECT_EQ(of_a.weights, of_b.weights);
      EXPECT_EQ(of_a.b, of_b.b);
      EXPECT_EQ(of_a.left_out, of_b.left_out);
      EXPECT_EQ(of_a.residual, of_b.residual);
      EXPECT_EQ(a.removal_losses(of_a), b.removal_losses(of_b));
    }
  }
}

TEST(Ridge, AWeightIsAsManyExamples) {
  Problem weighted = random_problem(20, 30, 2, true, 3);
  Rng rng(4);
  std::vector<Index> copies;
  for (Index i = 0; i < 20; ++i) {
    weighted.v[i] = static_cast<double>(1 + rng.below(3));
    for (double k = 0; k < weighted.v[i]; ++k) copies.push_back(i);
  }
  const Problem repeated{weighted.X(copies, Eigen::all), weighted.Y(copies, Eigen::all), Vector()};
  const RidgeSolution a = solve(weighted, only(0.7));
  const RidgeSolution b = solve(repeated, only(0.7));
  EXPECT_LT(difference(a.weights, b.weights), kSameSolution);
  EXPECT_LT(difference(a.b, b.b), 100 * kSameSolution);
}

/// Enough products for single precision. A model without an example is refined too: its prediction is that
/// of double.
TEST(Ridge, SinglePrecisionOfTheGramMatrixIsRefined) {
  ThreadPool pool(2);
  for (const auto& [m, p] : {std::pair<Index, Index>{1000, 5100}, {5100, 1000}}) {
    const Problem of = random_problem(m, p, 1, true, 5);
    const RidgeSolution found = ridge(of.X, of.Y, of.v, only(30.0), pool);
    EXPECT_LT(found.residual, kCertificate);
    const Index i = 801;
    const Vector v = without<MatrixXd>(of.v, i);
    const RidgeSolution model = ridge(without(of.X, i), without(of.Y, i), v, only(30.0), pool);
    EXPECT_LT(model.residual, kCertificate);
    const double prediction = of.X.row(i).cast<double>() * model.weights.col(0) + model.b[0];
    EXPECT_NEAR(found.left_out(i, 0), prediction, kSingle);
  }
}

TEST(Ridge, AlphaIsTheBestOfTheGrid) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Problem of = random_problem(40, 60, 1, seed % 2 == 0, seed);
    const RidgeSettings settings{.smallest = 1e-2, .largest = 1e5, .start = 1e2, .steps_per_decade = 4};
    const RidgeSolution found = solve(of, settings);
    double best = std::numeric_limits<double>::infinity();
    double best_alpha = 0.0;
    for (int k = -16; k <= 12; ++k) {
      const double alpha = 1e2 * std::pow(10.0, k / 4.0);
      const double error = solve(of, only(alpha)).left_out_error;
      if (error <= best) {
        best = error;
        best_alpha = alpha;
      }
    }
    EXPECT_DOUBLE_EQ(found.alpha, best_alpha);
    EXPECT_NEAR(found.left_out_error, best, kSameSolution);
    EXPECT_TRUE(std::is_sorted(found.tried.begin(), found.tried.end()));
    for (const auto& [alpha, error] : found.tried) {
      EXPECT_GE(alpha, settings.smallest * (1.0 - 1e-8));
      EXPECT_LE(alpha, settings.largest * (1.0 + 1e-8));
      EXPECT_GE(error, best - kSameSolution);
    }
    EXPECT_LT(found.tried.size(), 29U);  // it did not try them all
  }
}

TEST(Ridge, StartOutsideTheGridIsMovedToItsEnd) {
  const Problem of = random_problem(12, 5, 1, false, 1);
  const RidgeSolution found = solve(of, {.smallest = 1.0, .largest = 10.0, .start = 1e4});
  EXPECT_DOUBLE_EQ(found.tried.back().first, 10.0);
  EXPECT_NEAR(found.tried.front().first, 1.0, 1e-8);
}

/// Whatever X cannot say, the mean says: left out, that of the others.
TEST(Ridge, WithoutEvidenceTheMeanIsLeft) {
  Problem of = random_problem(10, 4, 2, true, 2);
  const auto expect_mean = [&](const Problem& problem, RidgeForm form) {
    const RidgeSolution found = solve(problem, {}, form);
    const Vector mean = problem.Y.transpose() * problem.v / problem.v.sum();
    EXPECT_EQ(found.weights.rows(), problem.X.cols());
    EXPECT_EQ(found.weights.cols(), 2);
    EXPECT_EQ(found.weights.lpNorm<Eigen::Infinity>(), 0.0);
    EXPECT_LT(difference(found.b, mean), kSameSolution);
    EXPECT_LT(difference(found.left_out, naive_left_out(problem, 1.0)), kSameSolution);
    EXPECT_EQ(found.alpha, found.tried.back().first);  // of equal errors the larger alpha
    EXPECT_LT(found.residual, kCertificate);
    ThreadPool pool(1);
    for (const double loss : Ridge(problem.X, problem.v, pool, form).removal_losses(found))
      EXPECT_EQ(loss, 0.0);
  };
  for (const RidgeForm form : {RidgeForm::automatic, RidgeForm::dual, RidgeForm::primal}) {
    Problem constant = of;
    constant.X.setConstant(0.1F);
    expect_mean(constant, form);
    Problem none = of;
    none.X.resize(10, 0);
    expect_mean(none, form);
  }
  of.Y.setConstant(2.0);
  const RidgeSolution same = solve(of);
  EXPECT_EQ(same.weights.lpNorm<Eigen::Infinity>(), 0.0);
  EXPECT_EQ(same.left_out_error, 0.0);
}

TEST(Ridge, RefusesWhatIsNoProblem) {
  const Problem good = random_problem(6, 3, 1, true, 1);
  constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
  const auto spoilt = [&](const auto& spoil) {
    Problem problem = good;
    spoil(problem);
    EXPECT_THROW((void)solve(problem), InvalidInput);
  };
  spoilt([](Problem& problem) { problem.X(2, 1) = std::numeric_limits<float>::infinity(); });
  spoilt([](Problem& problem) { problem.Y(2, 0) = kNoNumber; });
  spoilt([](Problem& problem) { problem.Y.conservativeResize(5, 1); });
  spoilt([](Problem& problem) { problem.v[0] = 0.0; });
  spoilt([](Problem& problem) { problem.v[0] = kNoNumber; });
  spoilt([](Problem& problem) { problem.v.conservativeResize(5); });
  spoilt([](Problem& problem) { problem = {problem.X.topRows(1).eval(), problem.Y.topRows(1).eval(), {}}; });
  EXPECT_THROW((void)solve(good, {.smallest = 0.0}), InvalidInput);
  EXPECT_THROW((void)solve(good, {.smallest = 2.0, .largest = 1.0}), InvalidInput);
  EXPECT_THROW((void)solve(good, {.start = -1.0}), InvalidInput);
  EXPECT_THROW((void)solve(good, {.steps_per_decade = 0}), InvalidInput);
  EXPECT_NO_THROW((void)solve(good));
}

TEST(Ridge, ShortColumns_AreWhatTheySay_WhicheverFormAndWhicheverOfThem) {
  ThreadPool pool(2);
  for (const auto& [m, p] : {std::pair<Index, Index>(30, 12), {12, 30}}) {
    const Problem of = random_problem(m, p, 2, false, 5);
    Eigen::MatrixXf X(m, p + 3);
    X << of.X, Eigen::MatrixXf::Random(m, 3);
    ShortColumns columns(X.leftCols(5));
    columns.append(ShortColumns(X.rightCols(p - 2)));
    ASSERT_EQ(columns.cols(), p + 3);
    std::vector<Index> some;
    for (Index j = 0; j < p; ++j) some.push_back(j);
    columns = columns.of(some);
    columns.multiply(1, 0.5);
    Eigen::MatrixXf said(m, p);  // in floats, which are nearly as exact
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < m; ++i) {
        said(i, j) = static_cast<float>(columns.column(j)[i]);
        const float factor = j == 1 ? 0.5F : 1.0F;
        EXPECT_NEAR(said(i, j), factor * X(i, j), 2e-5F * factor * X.col(j).cwiseAbs().maxCoeff());
      }
    }
    EXPECT_EQ(columns.some_rows(m), said);
    EXPECT_EQ(columns.some_rows(5).row(4), said.row(4 * m / 5));
    for (const RidgeForm form : {RidgeForm::dual, RidgeForm::primal}) {
      const RidgeSolution found = Ridge(columns, of.v, pool, form).solve(of.Y);
      const RidgeSolution expected = Ridge(said, of.v, pool, form).solve(of.Y);
      EXPECT_EQ(found.alpha, expected.alpha);
      EXPECT_TRUE(found.weights.isApprox(expected.weights, 1e-4));
      EXPECT_TRUE(found.left_out.isApprox(expected.left_out, 1e-4));
      EXPECT_LT(found.residual, 1e-10);
    }
  }
}

}  // namespace
}  // namespace shapeboost
