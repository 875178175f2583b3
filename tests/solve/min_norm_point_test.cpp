// SPDX-License-Identifier: MIT
#include "solve/min_norm_point.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ground/matrix.hpp"
#include "ground/rng.hpp"
#include "solve/status.hpp"

namespace shapeboost {
namespace {

constexpr double kReference = 1e-8;  // against other ways to solve the same problem
constexpr double kTolerance = MinNormPointSettings{}.tolerance;

/// Points as rows of `v`, target `c`.
MinNormPointProblem problem_of(const Matrix& v, const Vector& c, std::vector<int> group, const Vector& mass) {
  return {v * v.transpose(), v * c, c.squaredNorm(), std::move(group), mass};
}

MinNormPointProblem random_problem(Rng& rng, Eigen::Index n, Eigen::Index dimension, int groups) {
  Matrix v(n, dimension);
  Vector c(dimension);
  Vector mass(groups);
  std::vector<int> group;
  for (double& x : v.reshaped()) x = rng.normal();
  for (double& x : c) x = 2.0 * rng.normal();
  for (double& x : mass) x = 0.2 + rng.uniform();
  for (Eigen::Index i = 0; i < n; ++i) group.push_back(static_cast<int>(i) % groups);
  return problem_of(v, c, group, mass);
}

double objective_of(const MinNormPointProblem& q, const Vector& p) {
  return 0.5 * p.dot(q.G * p) - q.g.dot(p) + 0.5 * q.c2;
}

void expect_feasible(const MinNormPointProblem& q, const Vector& p) {
  ASSERT_EQ(p.size(), q.g.size());
  Vector sum = Vector::Zero(q.mass.size());
  for (Eigen::Index i = 0; i < p.size(); ++i) {
    EXPECT_GE(p[i], 0.0);
    sum[q.group[static_cast<std::size_t>(i)]] += p[i];
  }
  EXPECT_LT((sum - q.mass).cwiseAbs().maxCoeff(), 1e-12);
}

/// The optimum by brute force: for each set of used points, the stationary point of
/// 1/2 p'Gp - g'p under the mass constraints; the best of those that are feasible.
double enumerated_optimum(const MinNormPointProblem& q) {
  const Eigen::Index n = q.g.size();
  const Eigen::Index groups = q.mass.size();
  double best = std::numeric_limits<double>::infinity();
  for (unsigned set = 1; set < (1U << n); ++set) {
    std::vector<Eigen::Index> used;
    for (Eigen::Index i = 0; i < n; ++i) {
      if ((set >> i & 1U) != 0) used.push_back(i);
    }
    const auto k = static_cast<Eigen::Index>(used.size());
    Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(k + groups, k + groups);
    Vector right(k + groups);
    kkt.topLeftCorner(k, k) = q.G(used, used);
    right.head(k) = q.g(used);
    right.tail(groups) = q.mass;
    for (Eigen::Index i = 0; i < k; ++i) {
      const int r = q.group[static_cast<std::size_t>(used[static_cast<std::size_t>(i)])];
      kkt(k + r, i) = kkt(i, k + r) = 1.0;
    }
    const Vector answer = kkt.completeOrthogonalDecomposition().solve(right);
    if ((kkt * answer - right).norm() > 1e-9 || answer.head(k).minCoeff() < -1e-12) continue;
    Vector p = Vector::Zero(n);
    p(used) = answer.head(k);
    best = std::min(best, objective_of(q, p));
  }
  return best;
}

/// Euclidean projection of u's group onto { p >= 0, sum p = mass }: subtract the one number that fits.
void project(const MinNormPointProblem& q, Vector& u) {
  for (int r = 0; r < q.mass.size(); ++r) {
    double low = u.minCoeff() - q.mass[r];
    double high = u.maxCoeff();
    const auto sum_above = [&](double t) {
      double sum = 0.0;
      for (Eigen::Index i = 0; i < u.size(); ++i) {
        if (q.group[static_cast<std::size_t>(i)] == r) sum += std::max(0.0, u[i] - t);
      }
      return sum;
    };
    for (int step = 0; step < 100; ++step) {
      const double middle = 0.5 * (low + high);
      (sum_above(middle) > q.mass[r] ? low : high) = middle;
    }
    for (Eigen::Index i = 0; i < u.size(); ++i) {
      if (q.group[static_cast<std::size_t>(i)] == r) u[i] = std::max(0.0, u[i] - high);
    }
  }
}

/// The optimum by projected gradient steps of length 1 / largest eigenvalue.
double projected_gradient_optimum(const MinNormPointProblem& q, int steps) {
  Vector p = Vector::Ones(q.g.size());
  project(q, p);
  const double length = 1.0 / q.G.norm();
  for (int step = 0; step < steps; ++step) {
    p -= length * (q.G * p - q.g);
    project(q, p);
  }
  return objective_of(q, p);
}

TEST(MinNormPoint, Solve_FindsZero_WhenTargetIsInsideTheHull) {
  const Matrix v{{0.0, 0.0}, {4.0, 0.0}, {0.0, 4.0}};
  const auto s = solve(problem_of(v, Vector{{1.0, 2.0}}, {0, 0, 0}, Vector::Ones(1)));
  ASSERT_EQ(s.status, Status::solved);
  EXPECT_NEAR(s.objective, 0.0, kTolerance);
  EXPECT_GE(s.objective, 0.0);
  EXPECT_LT((s.p - Vector{{0.25, 0.25, 0.5}}).norm(), 1e-5);
}

TEST(MinNormPoint, Solve_FindsTheFoot_WhenHullIsASegment) {
  const Matrix v{{0.0, 0.0}, {2.0, 0.0}};
  auto s = solve(problem_of(v, Vector{{0.5, 3.0}}, {0, 0}, Vector::Ones(1)));
  ASSERT_EQ(s.status, Status::solved);
  EXPECT_NEAR(s.objective, 4.5, kTolerance);
  EXPECT_NEAR(s.p[1], 0.25, 1e-9);
  s = solve(problem_of(v, Vector{{5.0, 4.0}}, {0, 0}, Vector::Ones(1)));  // beyond an end
  ASSERT_EQ(s.status, Status::solved);
  EXPECT_EQ(s.p, (Vector{{0.0, 1.0}}));
  EXPECT_NEAR(s.objective, 12.5, kTolerance);
}

TEST(MinNormPoint, Solve_FindsTheNearestEdge_WhenHullIsATriangle) {
  const Matrix v{{1.0, 0.0}, {0.0, 1.0}, {3.0, 3.0}};
  const auto s = solve(problem_of(v, Vector::Zero(2), {0, 0, 0}, Vector::Ones(1)));
  ASSERT_EQ(s.status, Status::solved);
  EXPECT_NEAR(s.objective, 0.25, kTolerance);  // the middle of the edge x + y = 1
  EXPECT_EQ(s.p[2], 0.0);
}

TEST(MinNormPoint, Solve_AddsScaledHulls_WhenGroupsHaveMasses) {
  // 2 * segment{(0,0),(1,0)} + 3 * segment{(0,0),(0,1)} = the box [0,2] x [0,3].
  const Matrix v{{0.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}, {0.0, 1.0}};
  const auto q = problem_of(v, Vector{{5.0, 1.5}}, {0, 0, 1, 1}, Vector{{2.0, 3.0}});
  const auto s = solve(q);
  ASSERT_EQ(s.status, Status::solved);
  expect_feasible(q, s.p);
  EXPECT_NEAR(s.objective, 4.5, kTolerance);
  EXPECT_NEAR(s.p[3], 1.5, 1e-8);
}

TEST(MinNormPoint, Solve_MatchesEnumeration_WhenSmallAndRandom) {
  Rng rng(31);
  for (int trial = 0; trial < 60; ++trial) {
    const auto q = random_problem(rng, 7, 2 + trial % 6, 1 + trial % 3);
    const auto s = solve(q);
    ASSERT_EQ(s.status, Status::solved);
    expect_feasible(q, s.p);
    EXPECT_NEAR(s.objective, enumerated_optimum(q), kReference) << "trial " << trial;
    EXPECT_NEAR(s.objective, objective_of(q, s.p), 1e-12);
  }
}

TEST(MinNormPoint, Solve_MatchesProjectedGradient_WhenLarger) {
  Rng rng(32);
  for (int trial = 0; trial < 3; ++trial) {
    const auto q = random_problem(rng, 60, 80, 5);
    const auto s = solve(q);
    ASSERT_EQ(s.status, Status::solved);
    EXPECT_NEAR(s.objective, projected_gradient_optimum(q, 5000), kReference);
  }
}

TEST(MinNormPoint, Gap_BoundsTheDistanceToTheOptimum_WhenStoppedEarly) {
  Rng rng(33);
  for (int trial = 0; trial < 20; ++trial) {
    const auto q = random_problem(rng, 8, 8, 2);
    const double optimum = enumerated_optimum(q);
    double last = std::numeric_limits<double>::infinity();
    for (const int limit : {0, 1, 3, 6}) {
      const auto s = solve(q, {.tolerance = 1e-14, .max_iterations = limit});
      EXPECT_LE(s.iterations, limit);
      EXPECT_EQ(s.status, s.duality_gap <= 1e-14 ? Status::solved : Status::iteration_limit);
      expect_feasible(q, s.p);
      EXPECT_LE(s.objective - s.duality_gap, optimum + 1e-12);
      EXPECT_GE(s.objective, optimum - 1e-12);
      EXPECT_LE(s.objective, last + 1e-12);  // every step goes down
      last = s.objective;
      // The gap, from its definition.
      const Vector gradient = q.G * s.p - q.g;
      Vector least = Vector::Constant(2, std::numeric_limits<double>::infinity());
      for (Eigen::Index i = 0; i < 8; ++i) {
        double& now = least[q.group[static_cast<std::size_t>(i)]];
        now = std::min(now, gradient[i]);
      }
      EXPECT_NEAR(s.duality_gap, s.p.dot(gradient) - q.mass.dot(least), 1e-12);
    }
  }
}

TEST(MinNormPoint, Solve_SaysIterationLimit_WhenStepsRunOut) {
  Rng rng(34);
  const auto q = random_problem(rng, 50, 60, 1);
  const auto s = solve(q, {.max_iterations = 3});
  EXPECT_EQ(s.status, Status::iteration_limit);
  EXPECT_EQ(s.iterations, 3);
  EXPECT_GT(s.duality_gap, kTolerance);
}

TEST(MinNormPoint, Solve_SaysFailed_WhenToleranceIsBelowRounding) {
  Rng rng(35);
  const auto q = random_problem(rng, 50, 60, 1);
  const auto s = solve(q, {.tolerance = 1e-30});
  EXPECT_EQ(s.status, Status::failed);
  EXPECT_LT(s.duality_gap, 1e-9);  // the answer is as good as doubles can tell
}

TEST(MinNormPoint, Solve_StartsWhereTold_WhenWarm) {
  Rng rng(36);
  auto q = random_problem(rng, 40, 30, 4);
  const auto cold = solve(q);
  ASSERT_EQ(cold.status, Status::solved);
  const MinNormPointStart start{cold.p};
  const auto again = solve(q, {}, &start);
  EXPECT_EQ(again.iterations, 0);
  EXPECT_LT((cold.s - (q.G * cold.p - q.g)).norm(), 1e-12) << "the gradient";
  q.g += 1e-3 * Vector::Ones(40);
  q.g[3] += 0.05;
  const auto warm = solve(q, {}, &start);
  const auto fresh = solve(q);
  EXPECT_NEAR(warm.objective, fresh.objective, kTolerance);
  EXPECT_LT(warm.iterations, fresh.iterations);
  MinNormPointStart known{cold.p, q.G * cold.p - q.g};
  EXPECT_NEAR(solve(q, {}, &known).objective, fresh.objective, kTolerance);
  known.s[5] += 0.5;  // wrong, and said to be many steps old: it is computed anew before the end
  known.steps = 1000000;
  EXPECT_NEAR(solve(q, {}, &known).objective, fresh.objective, kTolerance);
  known.s[5] = std::nan("");
  EXPECT_THROW((void)solve(q, {}, &known), InvalidInput);
}

TEST(MinNormPoint, Solve_AsksForRows_WhenThereIsNoMatrix) {
  Rng rng(39);
  const auto q = random_problem(rng, 60, 40, 5);
  MinNormPointProblem by_rows{{}, q.g, q.c2, q.group, q.mass, {}, q.G.diagonal()};
  std::vector<char> asked(60, 0);
  by_rows.row = [&](Eigen::Index i) {
    asked[static_cast<std::size_t>(i)] = 1;
    return q.G.row(i).data();
  };
  const auto s = solve(q);
  const auto same = solve(by_rows);
  EXPECT_EQ(same.p, s.p);
  EXPECT_EQ(same.objective, s.objective);
  EXPECT_LT(std::count(asked.begin(), asked.end(), 1), 60) << "rows that carry no mass are not needed";
  by_rows.norm2 = Vector::Ones(59);
  EXPECT_THROW((void)solve(by_rows), InvalidInput);
}

TEST(MinNormPoint, Solve_TellsTheGradientOfPointsOfNoGroup) {
  Rng rng(40);
  auto q = random_problem(rng, 12, 6, 3);
  for (const std::size_t i : {4U, 9U}) q.group[i] = -1;
  const auto s = solve(q);
  ASSERT_EQ(s.status, Status::solved);
  EXPECT_EQ(s.p[4], 0.0);
  EXPECT_EQ(s.p[9], 0.0);
  EXPECT_LT((s.s - (q.G * s.p - q.g)).norm(), 1e-12);
  auto without = q;  // the same problem without them
  const std::vector<int> kept{0, 1, 2, 3, 5, 6, 7, 8, 10, 11};
  without.G = q.G(kept, kept).eval();
  without.g = q.g(kept).eval();
  std::erase(without.group, -1);
  EXPECT_NEAR(s.objective, solve(without).objective, kTolerance);
  MinNormPointStart start{s.p};
  start.p[4] = 0.1;
  EXPECT_THROW((void)solve(q, {}, &start), InvalidInput);
}

TEST(MinNormPoint, Solve_MatchesEnumeration_WhenPointsRepeat) {
  Rng rng(37);
  Matrix v(8, 3);
  for (double& x : v.reshaped()) x = rng.normal();
  v.row(4) = v.row(0);
  v.row(5) = v.row(1);
  v.row(6) = v.row(0);
  v.row(7) = 0.5 * (v.row(0) + v.row(1));
  const auto q = problem_of(v, Vector{{0.3, -2.0, 1.0}}, {0, 0, 0, 0, 0, 0, 0, 0}, Vector::Ones(1));
  const auto s = solve(q);
  ASSERT_EQ(s.status, Status::solved);
  EXPECT_NEAR(s.objective, enumerated_optimum(q), kReference);
}

TEST(MinNormPoint, Solve_LeavesGroupsAlone_WhenTheyHaveNoMass) {
  const Matrix v{{9.0, 9.0}, {0.0, 0.0}, {2.0, 0.0}, {7.0, 7.0}};
  const auto q = problem_of(v, Vector{{0.5, 3.0}}, {0, 1, 1, 0}, Vector{{0.0, 1.0, 0.0}});  // group 2 empty
  const auto s = solve(q);
  ASSERT_EQ(s.status, Status::solved);
  EXPECT_EQ(s.p[0], 0.0);
  EXPECT_EQ(s.p[3], 0.0);
  EXPECT_NEAR(s.objective, 4.5, kTolerance);
  const auto nothing = solve({Matrix(0, 0), Vector(0), 6.0, {}, Vector(0)});
  EXPECT_EQ(nothing.status, Status::solved);
  EXPECT_EQ(nothing.objective, 3.0);
}

TEST(MinNormPoint, Solve_Refuses_WhenOneThingIsWrong) {
  Rng rng(38);
  const auto good = random_problem(rng, 4, 3, 2);
  const MinNormPointStart start{solve(good).p};
  ASSERT_NO_THROW((void)solve(good, {}, &start));
  const auto refuses = [&](auto&& spoil) {
    MinNormPointProblem q = good;
    MinNormPointStart at = start;
    spoil(q, at.p);
    EXPECT_THROW((void)solve(q, {}, &at), InvalidInput);
  };
  using P = MinNormPointProblem;
  const double nan = std::nan("");
  refuses([](P& q, Vector&) { q.G = Matrix::Zero(3, 4); });
  refuses([](P& q, Vector&) { q.G = Matrix::Zero(4, 3); });
  refuses([](P& q, Vector&) { q.g = Vector::Zero(3); });
  refuses([](P& q, Vector&) { q.group.pop_back(); });
  refuses([](P& q, Vector&) { q.group[1] = 2; });
  refuses([](P& q, Vector&) { q.group[1] = -2; });
  refuses([](P& q, Vector&) { q.mass[0] = -0.1; });
  refuses([&](P& q, Vector&) { q.mass[0] = nan; });
  refuses([](P& q, Vector&) { q.mass = Vector::Ones(3); });  // group 2 is empty
  Eigen::Index used = 0;
  start.p.maxCoeff(&used);
  refuses([&](P& q, Vector&) { q.G(used, 2) = nan; });
  refuses([&](P& q, Vector&) { q.g[2] = nan; });
  refuses([&](P& q, Vector&) { q.c2 = nan; });
  refuses([](P&, Vector& p) { p = Vector::Zero(3); });
  refuses([](P&, Vector& p) { p[0] += 0.1; });
  refuses([](P&, Vector& p) {
    p[0] = p[0] + p[2] + 1.0;
    p[2] = -1.0;
  });
}

}  // namespace
}  // namespace shapeboost
