// SPDX-License-Identifier: MIT
#include "learn/master.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "solve/status.hpp"
#include "support/examples.hpp"
#include "support/naive.hpp"
#include "support/tolerances.hpp"

namespace shapeboost {
namespace {

using tolerance::kLinearProgram;

Vector alternating(Eigen::Index m) {
  return Vector::NullaryExpr(m, [](Eigen::Index i) { return i % 2 == 0 ? 1.0 : -1.0; });
}

/// Noisy hypotheses: a little signal, so that margins are neither 0 nor 1.
Vector hypothesis(const Vector& y, Rng& rng) {
  return y.unaryExpr([&](double label) { return std::tanh(0.3 * label + rng.normal()); });
}

/// 1/(nu m) for each of m bags.
Vector equal_caps(Eigen::Index m, double nu) {
  return Vector::Constant(m, 1.0 / (nu * static_cast<double>(m)));
}

/// g(B_i) from the solution's w and b.
Vector scores(const MasterSolution& s, const std::vector<Vector>& h) {
  Vector g = Vector::Constant(s.d.size(), s.b);
  for (std::size_t j = 0; j < h.size(); ++j) g += s.w[static_cast<Eigen::Index>(j)] * h[j];
  return g;
}

/// What the header promises of a solution, from nothing but y, the caps and the columns: both programs'
/// constraints, complementary slackness, primal = dual.
void expect_certified(const MasterSolution& s, const Vector& y, const std::vector<Vector>& h,
                      const Vector& caps, bool offset) {
  ASSERT_EQ(s.status, Status::solved);
  EXPECT_NEAR(s.d.sum(), 1.0, kLinearProgram);
  EXPECT_GE(s.d.minCoeff(), 0.0);
  EXPECT_LE((s.d - caps).maxCoeff(), kLinearProgram);
  if (offset) {
    EXPECT_NEAR(s.d.dot(y), 0.0, kLinearProgram);
  }
  if (!offset) {
    EXPECT_EQ(s.b, 0.0);
  }
  EXPECT_NEAR(s.w.sum(), 1.0, kLinearProgram);
  EXPECT_GE(s.w.minCoeff(), 0.0);
  const Vector g = scores(s, h);
  for (std::size_t j = 0; j < h.size(); ++j) {
    const double w = s.w[static_cast<Eigen::Index>(j)];
    const double edge = s.d.cwiseProduct(y).dot(h[j]);
    EXPECT_LE(edge, s.gamma + kLinearProgram) << "a known column has a larger edge than gamma";
    if (w > 1e-6) {
      EXPECT_NEAR(edge, s.gamma, kLinearProgram) << "weight on a column that is not tight";
    }
  }
  const Vector xi = (s.rho - y.array() * g.array()).max(0.0);
  EXPECT_NEAR(s.rho - caps.cwiseMin(1.0).dot(xi), s.gamma, kLinearProgram) << "primal = dual";
  EXPECT_LE(s.duality_gap, kLinearProgram);
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    if (xi[i] > 1e-6) {
      EXPECT_NEAR(s.d[i], std::min(1.0, caps[i]), kLinearProgram)
          << "a bag short of the margin weighs the most";
    }
    if (s.d[i] > 1e-6) {
      EXPECT_LE(y[i] * g[i], s.rho + 1e-6) << "weight on a bag beyond the margin";
    }
  }
}

TEST(Master, IsUniform_BeforeAnyHypothesis) {
  const Vector y{{1.0, 1.0, 1.0, -1.0}};
  Master plain(y, {0.5, false});
  EXPECT_TRUE(plain.solve().d.isApprox(Vector::Constant(4, 0.25)));
  Master offset(y, {0.5, true});
  const MasterSolution s = offset.solve();
  EXPECT_TRUE(s.d.isApprox(Vector({{1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0, 0.5}})));
  EXPECT_EQ(s.status, Status::solved);
  EXPECT_EQ(s.gamma, -1.0);
}

TEST(Master, KnownAnswers_WhenTiny) {
  const Vector y{{1.0, -1.0}};
  {  // h = y: every mixture d has edge 1.
    Master master(y, {1.0, false});
    master.add(y);
    const MasterSolution s = master.solve();
    EXPECT_NEAR(s.gamma, 1.0, kLinearProgram);
    EXPECT_NEAR(s.rho, 1.0, kLinearProgram);
    EXPECT_NEAR(s.w[0], 1.0, kLinearProgram);
  }
  const Vector h{{3.0, 1.0}};  // right order, wrong level
  {
    Master master(y, {0.5, false});  // cap 1: d = (0, 1), all on the bag that is wrong
    master.add(h);
    const MasterSolution s = master.solve();
    EXPECT_NEAR(s.gamma, -1.0, kLinearProgram);
    EXPECT_NEAR(s.d[1], 1.0, kLinearProgram);
  }
  {
    Master master(y, {0.5, true});  // b = -2 puts 0 in the middle
    master.add(h);
    const MasterSolution s = master.solve();
    EXPECT_NEAR(s.gamma, 1.0, kLinearProgram);
    EXPECT_NEAR(s.rho, 1.0, kLinearProgram);
    EXPECT_NEAR(s.b, -2.0, kLinearProgram);
  }
}

TEST(Master, CapBindsAndOneBagIsGivenUp_WhenItIsMislabelled) {
  // Four bags, h right on three and wrong by as much on the fourth. nu = 1/2: d_i <= 1/2. The wrong bag takes
  // the cap and the rest is spread: gamma = 1/2 - 1/2 = 0; rho = 1 with xi_4 = 2, 1 - 2/2 = 0.
  const Vector y{{1.0, 1.0, -1.0, -1.0}};
  Master master(y, {0.5, false});
  const Vector h{{1.0, 1.0, -1.0, 1.0}};
  master.add(h);
  const MasterSolution s = master.solve();
  EXPECT_NEAR(s.gamma, 0.0, kLinearProgram);
  EXPECT_NEAR(s.d[3], 0.5, kLinearProgram);
  expect_certified(s, y, {h}, equal_caps(4, 0.5), false);
}

TEST(Master, HardMargin_WhenNuAllowsLessThanOneBag) {
  const Vector y = alternating(6);
  Rng rng(1);
  std::vector<Vector> h;
  Master master(y, {0.01, true});
  for (int j = 0; j < 5; ++j) {
    h.push_back(hypothesis(y, rng));
    master.add(h.back());
  }
  const MasterSolution s = master.solve();
  expect_certified(s, y, h, equal_caps(6, 0.01), true);
  EXPECT_NEAR(s.rho, s.gamma, kLinearProgram) << "no shortfall is paid for";
}

TEST(Master, IsThePrimalProgramsOptimum_AsColumnsCome) {
  for (const bool offset : {false, true}) {
    for (const double nu : {0.05, 0.2, 0.5, 0.9}) {
      for (const Eigen::Index m : {6, 25, 40}) {
        SCOPED_TRACE("m " + std::to_string(m) + ", nu " + std::to_string(nu) + (offset ? ", offset" : ""));
        Rng rng(static_cast<std::uint64_t>(m));
        const Vector y = alternating(m);
        Master master(y, {nu, offset});
        naive::PrimalMaster primal(y, equal_caps(m, nu), offset);
        std::vector<Vector> h;
        for (int j = 0; j < 15; ++j) {
          h.push_back(hypothesis(y, rng));
          EXPECT_EQ(master.add(h.back()), j);
          primal.add(h.back());
          const MasterSolution s = master.solve();
          const naive::PrimalMaster::Solution p = primal.solve();
          ASSERT_EQ(p.status, Status::solved);
          EXPECT_NEAR(s.gamma, p.gamma, kLinearProgram);
          expect_certified(s, y, h, equal_caps(m, nu), offset);
        }
        EXPECT_EQ(master.hypotheses(), 15);
      }
    }
  }
}

TEST(Master, CapBinds_WhenClassesOverlap) {
  Rng rng(2);
  const Vector y = alternating(40);
  Master master(y, {0.5, true});
  std::vector<Vector> h;
  for (int j = 0; j < 10; ++j) {
    h.push_back(hypothesis(y, rng));
    master.add(h.back());
  }
  const MasterSolution s = master.solve();
  expect_certified(s, y, h, equal_caps(40, 0.5), true);
  EXPECT_GE((s.d.array() > 1.0 / 20.0 - 1e-9).count(), 2) << "no weight at its cap: the case tests nothing";
  // At most nu m bags lie below the margin.
  EXPECT_LE((y.array() * scores(s, h).array() < s.rho - 1e-6).count(), 20);
}

TEST(Master, DropsIdleColumnsWithoutChangingTheOptimum) {
  Rng rng(3);
  const Vector y = alternating(20);
  MasterSettings settings{0.2, true};
  settings.patience = 1;
  Master master(y, settings);
  naive::PrimalMaster primal(y, equal_caps(20, 0.2), true);
  std::vector<Vector> h;
  for (int j = 0; j < 60; ++j) {
    h.push_back(hypothesis(y, rng));
    master.add(h.back());
    primal.add(h.back());
  }
  const double expected = primal.solve().gamma;
  for (int repeat = 0; repeat < 6; ++repeat) {
    const MasterSolution s = master.solve();
    EXPECT_NEAR(s.gamma, expected, kLinearProgram);
    expect_certified(s, y, h, equal_caps(20, 0.2), true);
  }
  // After a drop a new column finds the right rows.
  h.push_back(y);
  EXPECT_EQ(master.add(y), 60);
  const MasterSolution s = master.solve();
  EXPECT_NEAR(s.gamma, 1.0, kLinearProgram);
  EXPECT_NEAR(s.w[60], 1.0, kLinearProgram);
}

TEST(Master, StaysRight_WhenColumnsRepeatOrSayNothing) {
  const Vector y = alternating(8);
  Rng rng(4);
  const Vector h = hypothesis(y, rng);
  Master once(y, {0.3, true});
  once.add(h);
  const double expected = once.solve().gamma;
  Master master(y, {0.3, true});
  for (int j = 0; j < 5; ++j) {
    master.add(h);
    master.add(Vector::Zero(8));
    master.add(Vector::Constant(8, 0.7));
    const MasterSolution s = master.solve();
    ASSERT_EQ(s.status, Status::solved);
    EXPECT_NEAR(s.gamma, std::max(0.0, expected), kLinearProgram) << "a constant column has edge 0";
  }
}

// ------------------------------------------------------------------------- our simplex method against Clp

/// How hypotheses are drawn: each kind has ties of its own.
enum class Draw { noise, signs, coarse, mirrored, constant_in_a_class, tiny };

Vector draw(Draw kind, const Vector& y, const std::vector<Vector>& before, Rng& rng) {
  const Vector h = hypothesis(y, rng);
  switch (kind) {
    case Draw::noise: return h;
    case Draw::signs: return h.unaryExpr([](double v) { return v > 0.0 ? 1.0 : -1.0; });
    case Draw::coarse: return h.unaryExpr([](double v) { return std::round(2.0 * v) / 2.0; });
    case Draw::mirrored: return before.size() % 2 == 1 ? Vector(-before.back()) : h;
    case Draw::constant_in_a_class:
      return h.binaryExpr(y, [](double v, double side) { return side > 0.0 ? 0.25 : v; });
    case Draw::tiny:  // as kernel values far from every instance
      return h.unaryExpr([](double v) { return std::exp(-40.0 * v * v); });
  }
  return h;
}

/// Columns come a few at a time, some of them twice; after each batch both methods must agree.
void expect_clps_optimum(const Vector& y, MasterSettings settings, Draw kind, int columns) {
  settings.patience = columns;  // none is dropped: all count
  Master master(y, settings);
  Rng rng(41);
  std::vector<Vector> h;
  while (static_cast<int>(h.size()) < columns) {
    for (int batch = 0; batch < 5; ++batch) {
      h.push_back(rng.uniform() < 0.1 && !h.empty() ? h.front() : draw(kind, y, h, rng));
      master.add(h.back());
    }
    const MasterSolution s = master.solve();
    const MasterSolution clp = master.solve_by_clp();
    ASSERT_EQ(clp.status, Status::solved);
    EXPECT_FALSE(s.by_clp) << "our own method gave up";
    EXPECT_NEAR(s.gamma, clp.gamma, kLinearProgram) << h.size() << " columns";
    expect_certified(s, y, h, Master::caps(y.size(), settings.nu, settings.weights), settings.offset);
    expect_certified(clp, y, h, Master::caps(y.size(), settings.nu, settings.weights), settings.offset);
  }
}

TEST(MasterSimplex, FindsClpsOptimum_WhateverTies) {
  for (const Draw kind :
       {Draw::noise, Draw::signs, Draw::coarse, Draw::mirrored, Draw::constant_in_a_class, Draw::tiny}) {
    for (const bool offset : {false, true}) {
      for (const double nu : {0.02, 0.1, 0.5, 1.0}) {  // 0.02: caps of 1; 1: the caps leave no choice
        SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + ", nu " + std::to_string(nu) +
                     (offset ? ", offset" : ""));
        expect_clps_optimum(alternating(40), {.nu = nu, .offset = offset}, kind, 60);
      }
    }
  }
}

TEST(MasterSimplex, FindsClpsOptimum_WhenBagsWeighDifferently) {
  const Vector y = Vector::NullaryExpr(60, [](Eigen::Index i) { return i % 5 == 0 ? 1.0 : -1.0; });
  Rng rng(42);
  const Vector weights =
      y.unaryExpr([&](double side) { return (side > 0.0 ? 5.0 : 1.0) * (0.2 + rng.uniform()); });
  for (const Draw kind : {Draw::noise, Draw::signs, Draw::mirrored}) {
    for (const bool offset : {false, true}) {
      expect_clps_optimum(y, {.nu = 0.2, .offset = offset, .weights = weights}, kind, 60);
    }
  }
}

TEST(MasterSimplex, FindsClpsOptimum_WhenManyBagsMeetManyColumns) {
  // More pivots than the inverse is updated before it is computed anew.
  expect_clps_optimum(alternating(300), {.nu = 0.1}, Draw::noise, 150);
  expect_clps_optimum(alternating(300), {.nu = 0.1}, Draw::mirrored, 150);
}

TEST(Master, LargestNuIsTwiceTheSmallerClass) {
  EXPECT_DOUBLE_EQ(Master::largest_nu(alternating(10)), 1.0);
  EXPECT_DOUBLE_EQ(Master::largest_nu(Vector({{1.0, -1.0, -1.0, -1.0}})), 0.5);
  Vector y = Vector::Constant(15, -1.0);
  y[3] = 1.0;
  EXPECT_DOUBLE_EQ(Master::largest_nu(y), 2.0 / 15.0);
  Master master(y, {2.0 / 15.0, true});
  master.add(y);
  EXPECT_NEAR(master.solve().gamma, 1.0, kLinearProgram) << "at the limit the dual has one solution";
}

TEST(Master, SaysWhatNuMayBe_WhenItIsOutOfRange) {
  const Vector y{{1.0, -1.0, -1.0, -1.0}};
  const auto sentence = [&](double nu, bool offset) -> std::string {
    try {
      const Master master(y, {nu, offset});
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_EQ(sentence(0.8, true), "nu: with an offset it can be at most 0.5 for these classes, found 0.8");
  EXPECT_EQ(sentence(0.8, false), "nothing was thrown");
  for (const double nu : {0.0, -0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_NE(sentence(nu, false).find("nu: expected a number above 0 and at most 1"), std::string::npos)
        << nu;
  }
}

// ------------------------------------------------------------------------------------------- class weights

/// Positive where i is a multiple of `every`.
Vector one_in(Eigen::Index every, Eigen::Index m) {
  return Vector::NullaryExpr(m, [&](Eigen::Index i) { return i % every == 0 ? 1.0 : -1.0; });
}

/// 1/m_{y_i}
Vector balanced_weights(const Vector& y) {
  const auto positive = static_cast<double>((y.array() > 0.0).count());
  const double negative = static_cast<double>(y.size()) - positive;
  return y.unaryExpr([&](double side) { return side > 0.0 ? 1.0 / positive : 1.0 / negative; });
}

MasterSettings weighted(double nu, bool offset, const Vector& weights) {
  MasterSettings settings;
  settings.nu = nu;
  settings.offset = offset;
  settings.weights = weights;
  return settings;
}

TEST(MasterCaps, SumUpToOneOverNuInTheRatioOfTheWeights) {
  EXPECT_TRUE(Master::caps(5, 0.5).isApprox(Vector::Constant(5, 0.4)));
  const Vector caps = Master::caps(4, 0.5, Vector({{1.0, 1.0, 2.0, 4.0}}));
  EXPECT_TRUE(caps.isApprox(Vector({{0.25, 0.25, 0.5, 1.0}})));
  // No bag can weigh more than all together.
  EXPECT_TRUE(Master::caps(2, 0.25, Vector({{1.0, 9.0}})).isApprox(Vector({{0.4, 1.0}})));
  // Balanced: 1/(2 nu m_+) and 1/(2 nu m_-).
  const Vector y = one_in(15, 30);
  const Vector balanced = Master::caps(30, 0.5, balanced_weights(y));
  EXPECT_DOUBLE_EQ(balanced[0], 1.0 / 2.0);
  EXPECT_DOUBLE_EQ(balanced[1], 1.0 / 28.0);
}

TEST(MasterCaps, AllowEachClassHalf_UpToTheLargestNu) {
  const Vector y = one_in(15, 45);
  EXPECT_DOUBLE_EQ(Master::largest_nu(y), 2.0 / 15.0);
  EXPECT_EQ(Master::largest_nu(y, balanced_weights(y)), 1.0);
  EXPECT_DOUBLE_EQ(Master::largest_nu(y, y.unaryExpr([](double side) { return side > 0.0 ? 2.0 : 1.0; })),
                   2.0 * 6.0 / 48.0);
  for (const double nu : {0.05, 0.5, 1.0}) {
    Master master(y, weighted(nu, true, balanced_weights(y)));
    master.add(y);
    const MasterSolution s = master.solve();
    ASSERT_EQ(s.status, Status::solved) << nu;
    EXPECT_NEAR(s.gamma, 1.0, kLinearProgram);
  }
}

TEST(MasterCaps, ContainTheFirstWeights) {
  const Vector y = one_in(15, 45);
  for (const bool offset : {false, true}) {
    for (const double nu : {0.1, 1.0}) {  // at 1 the caps leave no other choice
      Master master(y, weighted(nu, offset, balanced_weights(y)));
      const MasterSolution s = master.solve();
      EXPECT_NEAR(s.d.sum(), 1.0, 1e-12);
      EXPECT_NEAR(s.d.dot(y), 0.0, 1e-12);
      EXPECT_LE((s.d - Master::caps(45, nu, balanced_weights(y))).maxCoeff(), 1e-12);
    }
  }
}

TEST(MasterCaps, KnownAnswer_WhenOneBagCountsThreefold) {
  // Two bags, h right on the first and wrong by as much on the second, no offset, nu = 3/4. Equal weights:
  // d = (1/3, 2/3), gamma = -1/3. With v = (3, 1): cap_2 = 1/3, d = (2/3, 1/3), gamma = 1/3.
  const Vector y{{1.0, -1.0}};
  const Vector h{{1.0, 1.0}};
  Master equal(y, weighted(0.75, false, {}));
  equal.add(h);
  EXPECT_NEAR(equal.solve().gamma, -1.0 / 3.0, kLinearProgram);
  Master threefold(y, weighted(0.75, false, Vector({{3.0, 1.0}})));
  threefold.add(h);
  const MasterSolution s = threefold.solve();
  EXPECT_NEAR(s.gamma, 1.0 / 3.0, kLinearProgram);
  EXPECT_NEAR(s.d[1], 1.0 / 3.0, kLinearProgram);
  EXPECT_NEAR(s.rho, 1.0, kLinearProgram) << "the second bag is given up: 1 - 2/3";
}

TEST(MasterCaps, GiveThePrimalProgramsOptimum_AsColumnsCome) {
  const Vector y = one_in(15, 45);
  Rng weigh(7);
  const Vector any =
      y.unaryExpr([&](double side) { return (side > 0.0 ? 4.0 : 1.0) * (0.5 + weigh.uniform()); });
  for (const bool offset : {false, true}) {
    for (const double nu : {0.02, 0.2, 0.4}) {
      for (const bool balanced : {true, false}) {
        SCOPED_TRACE("nu " + std::to_string(nu) + (offset ? ", offset" : "") +
                     (balanced ? ", balanced" : ""));
        // The caps once more, by the formulas: 1/(2 nu m_{y_i}), or v_i / (nu V). The primal takes them
        // without the bound of 1.
        const Vector weights = balanced ? balanced_weights(y) : any;
        const Vector caps = balanced ? Vector(y.unaryExpr([&](double side) {
          return 1.0 / (2.0 * nu * (side > 0.0 ? 3.0 : 42.0));
        }))
                                     : Vector(any / (nu * any.sum()));
        Master master(y, weighted(nu, offset, weights));
        naive::PrimalMaster primal(y, caps, offset);
        Rng rng(11);
        std::vector<Vector> h;
        for (int j = 0; j < 12; ++j) {
          h.push_back(hypothesis(y, rng));
          master.add(h.back());
          primal.add(h.back());
          const MasterSolution s = master.solve();
          const naive::PrimalMaster::Solution p = primal.solve();
          ASSERT_EQ(p.status, Status::solved);
          EXPECT_NEAR(s.gamma, p.gamma, kLinearProgram);
          expect_certified(s, y, h, caps, offset);
        }
      }
    }
  }
}

TEST(MasterCaps, LetTheShareNuOfEitherClassFallShort_WhenBalanced) {
  const double nu = 0.4;
  const Vector y = one_in(15, 150);
  Rng rng(5);
  std::vector<Vector> h;
  Master master(y, weighted(nu, true, balanced_weights(y)));
  for (int j = 0; j < 8; ++j) {
    h.push_back(hypothesis(y, rng));
    master.add(h.back());
  }
  const MasterSolution s = master.solve();
  expect_certified(s, y, h, Master::caps(150, nu, balanced_weights(y)), true);
  const auto short_of_it = (y.array() * scores(s, h).array() < s.rho - 1e-6).eval();
  const auto positive = (short_of_it && y.array() > 0.0).count();
  const auto negative = (short_of_it && y.array() < 0.0).count();
  EXPECT_LE(positive, 4);
  EXPECT_LE(negative, 56);
  // Noise this strong uses what it is allowed but for the bags at the margin, at most one a column and two.
  EXPECT_GE(positive, 1);
  EXPECT_GE(positive + negative, 60 - 10);
}

TEST(MasterCaps, SaysWhatIsWrongWithWeights_OneFaultAtATime) {
  const Vector y{{1.0, -1.0, -1.0, -1.0}};
  const auto fault = [&](double nu, const Vector& weights) {
    return examples::sentence([&] { const Master master(y, weighted(nu, true, weights)); });
  };
  EXPECT_EQ(fault(1.0, Vector({{3.0, 1.0, 1.0, 1.0}})), "nothing was thrown");
  EXPECT_EQ(fault(1.0, Vector({{1.0, 1.0, 1.0, 1.0}})),
            "nu: with an offset it can be at most 0.5 for these classes, found 1");
  EXPECT_EQ(fault(0.9, Vector({{1.0, 0.5, 0.25, 0.25}})), "nothing was thrown");
  EXPECT_EQ(fault(0.9, Vector({{3.0, 0.25, 0.25, 0.5}})),
            "nu: with an offset it can be at most 0.5 for these classes, found 0.9");
  EXPECT_EQ(fault(0.2, Vector({{1.0, 1.0}})), "weights: expected one for each of 4 bags, found 2");
  EXPECT_EQ(fault(0.2, Vector({{1.0, 0.0, 1.0, 1.0}})), "weights: expected finite numbers above 0, found 0");
  EXPECT_EQ(fault(0.2, Vector({{1.0, -1.0, 1.0, 1.0}})),
            "weights: expected finite numbers above 0, found -1");
  EXPECT_EQ(fault(0.2, Vector({{1.0, kInfinity, 1.0, 1.0}})),
            "weights: expected finite numbers above 0, found inf");
}

}  // namespace
}  // namespace shapeboost
