// SPDX-License-Identifier: MIT
#include "solve/lp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "ground/stop.hpp"
#include "solve/status.hpp"
#include "support/reference_lp.hpp"

namespace shapeboost {
namespace {

TEST(Lp, Solve_FindsVertexAndDuals_WhenSolvedByHand) {
  // max 3x + 2y s.t. x + y <= 4, x + 3y <= 6, x <= 3: (3, 1), 11; duals of the minimum -2, 0.
  ReferenceLp t;
  t.add_column(-3.0, 0.0, 3.0);
  t.add_column(-2.0, 0.0, kInfinity);
  t.add_row(-kInfinity, 4.0, {1.0, 1.0});
  t.add_row(-kInfinity, 6.5, {1.0, 3.0});
  const LpSolution s = t.lp.solve();
  t.expect_optimal(s);
  EXPECT_NEAR(s.objective, -11.0, kExact);
  EXPECT_NEAR(s.x[0], 3.0, kExact);
  EXPECT_NEAR(s.x[1], 1.0, kExact);
  EXPECT_NEAR(s.row_dual[0], -2.0, kExact);  // a unit more of row 0 lowers the minimum by 2
  EXPECT_NEAR(s.row_dual[1], 0.0, kExact);
}

TEST(Lp, RowDual_IsTheObjectivesSlope_WhenARowBoundMoves) {
  const auto build = [](double shift, int moved) {
    ReferenceLp t;
    t.add_column(1.0, 0.0, 10.0);
    t.add_column(2.0, 0.0, 10.0);
    t.add_column(-1.0, -5.0, 5.0);
    const std::vector<double> by{moved == 0 ? shift : 0.0, moved == 1 ? shift : 0.0,
                                 moved == 2 ? shift : 0.0};
    t.add_row(3.0 + by[0], kInfinity, {1.0, 1.0, 0.0});     // binds from below: slope > 0
    t.add_row(-kInfinity, 2.5 + by[1], {1.0, 0.0, 1.0});    // binds from above: slope < 0
    t.add_row(1.0 + by[2], 1.0 + by[2], {0.0, 1.0, -0.5});  // equality
    LpSolution s = t.lp.solve();
    t.expect_optimal(s);
    return s;
  };
  const LpSolution base = build(0.0, 0);
  const double step = 1e-4;
  bool positive = false;
  bool negative = false;
  for (int i = 0; i < 3; ++i) {
    const double slope = (build(step, i).objective - build(-step, i).objective) / (2.0 * step);
    EXPECT_NEAR(base.row_dual[i], slope, 1e-7) << "row " << i;
    positive |= slope > 0.1;
    negative |= slope < -0.1;
  }
  EXPECT_TRUE(positive && negative);
}

TEST(Lp, Solve_HandlesEveryKindOfBound_WhenFreeFixedRangedOrOneSided) {
  ReferenceLp t;
  t.add_column(1.0, -kInfinity, kInfinity);  // free: held by row 0 at -1 - 2
  t.add_column(1.0, 2.0, 2.0);               // fixed
  t.add_column(-1.0, -kInfinity, 3.0);       // upper bound only
  t.add_column(-2.0, 0.0, kInfinity);        // lower bound only: held by row 1 at 7 + 3
  t.add_row(-1.0, kInfinity, {1.0, 1.0, 0.0, 0.0});
  t.add_row(-2.0, 7.0, {0.0, 0.0, -1.0, 1.0});
  t.add_row(-kInfinity, kInfinity, {1.0, 1.0, 1.0, 1.0});  // a free row says nothing
  LpSolution s = t.lp.solve();
  t.expect_optimal(s);
  EXPECT_NEAR(s.objective, -3.0 + 2.0 - 3.0 - 20.0, kExact);
  EXPECT_NEAR(s.row_dual[0], 1.0, kExact);
  EXPECT_NEAR(s.row_dual[1], -2.0, kExact);
  EXPECT_EQ(s.row_dual[2], 0.0);
  t.set_cost(2, 3.0);  // now x2 wants down and x3 with it: row 1's lower side cannot hold x3 >= 0
  t.set_cost(3, 1.0);
  s = t.lp.solve();
  t.expect_optimal(s);
  EXPECT_NEAR(s.x[2], -7.0, kExact);  // x3 = 0, x2 >= -7
}

TEST(Lp, Solve_FindsTheGamesValue_WhenTwoByTwo) {
  const auto value = [](double a, double b, double c, double d) {
    Game game(2);
    game.add_cut({a, c});
    game.add_cut({b, d});
    const LpSolution s = game.lp.solve();
    game.expect_optimal(s);
    // The other player's strategy: the cuts' multipliers, negative as the cuts bind from above.
    EXPECT_NEAR(-s.row_dual[1] - s.row_dual[2], 1.0, kExact);
    return s.objective;
  };
  EXPECT_NEAR(value(3.0, -1.0, -2.0, 1.0), 1.0 / 7.0, kExact);  // mixed: (ad - bc) / (a + d - b - c)
  EXPECT_NEAR(value(1.0, -1.0, -1.0, 1.0), 0.0, kExact);        // matching pennies
  EXPECT_NEAR(value(4.0, 2.0, 5.0, 3.0), 4.0, kExact);          // a saddle point: row 0, column 0
}

TEST(Lp, Solve_MatchesVertexEnumeration_WhenSmallAndRandom) {
  Rng rng(11);
  for (int trial = 0; trial < 100; ++trial) {
    ReferenceLp t;
    Eigen::MatrixXd planes(12, 3);  // every vertex lies on three of these
    Vector offsets(12);
    for (int j = 0; j < 3; ++j) {
      t.add_column(rng.normal(), -1.0, 1.0);
      planes.row(2 * j) = planes.row(2 * j + 1) = Eigen::RowVector3d::Unit(j);
      offsets[2 * j] = -1.0;
      offsets[2 * j + 1] = 1.0;
    }
    for (int i = 0; i < 3; ++i) {
      const std::vector<double> row{rng.normal(), rng.normal(), rng.normal()};
      t.add_row(-0.5, 0.7, row);
      planes.row(6 + 2 * i) = planes.row(7 + 2 * i) = Eigen::RowVector3d(row[0], row[1], row[2]);
      offsets[6 + 2 * i] = -0.5;
      offsets[7 + 2 * i] = 0.7;
    }
    double best = kInfinity;
    for (int i = 0; i < 12; ++i) {
      for (int j = i + 1; j < 12; ++j) {
        for (int k = j + 1; k < 12; ++k) {
          const Eigen::Matrix3d basis = planes({i, j, k}, Eigen::all);
          if (std::abs(basis.determinant()) < 1e-9) continue;
          const Eigen::Vector3d x = basis.inverse() * Eigen::Vector3d(offsets({i, j, k}));
          const Vector side = planes * x;
          bool inside = true;
          for (int q = 0; q < 12; q += 2) {
            inside = inside && side[q] >= offsets[q] - 1e-9 && side[q] <= offsets[q + 1] + 1e-9;
          }
          if (inside) best = std::min(best, t.cost[0] * x[0] + t.cost[1] * x[1] + t.cost[2] * x[2]);
        }
      }
    }
    const LpSolution s = t.lp.solve();
    t.expect_optimal(s);
    EXPECT_NEAR(s.objective, best, 1e-8) << "trial " << trial;
  }
}

TEST(Lp, Solve_SaysInfeasibleAndRecovers_WhenRowsContradict) {
  ReferenceLp t;
  t.add_column(1.0, 0.0, 1.0);
  t.add_row(2.0, kInfinity, {1.0});
  LpSolution s = t.lp.solve();
  EXPECT_EQ(s.status, Status::infeasible);
  EXPECT_TRUE(std::isnan(s.objective));
  EXPECT_EQ(s.x.size(), 0);
  EXPECT_EQ(s.row_dual.size(), 0);
  t.add_column(5.0, 0.0, 3.0, {2.0});  // x + 2 u >= 2
  s = t.lp.solve();
  t.expect_optimal(s);
  EXPECT_NEAR(s.objective, 1.0 + 2.5, kExact);
}

TEST(Lp, Solve_SaysUnboundedAndRecovers_WhenNothingHoldsTheObjective) {
  ReferenceLp t;
  t.add_column(-1.0, 0.0, kInfinity);
  t.add_column(0.0, 0.0, kInfinity);
  t.add_row(-kInfinity, 1.0, {1.0, -1.0});
  EXPECT_EQ(t.lp.solve().status, Status::unbounded);
  t.add_row(-kInfinity, 4.0, {0.0, 1.0});
  const LpSolution s = t.lp.solve();
  t.expect_optimal(s);
  EXPECT_NEAR(s.objective, -5.0, kExact);
}

TEST(Lp, Solve_SaysIterationLimit_WhenItMayNotPivotEnough) {
  const auto build = [](int limit) {
    Rng rng(5);
    Game game(30, 0.1, {.max_iterations = limit});
    for (int i = 0; i < 20; ++i) {
      std::vector<double> edge(30);
      for (double& e : edge) e = rng.normal();
      game.add_cut(edge);
    }
    return game.lp.solve();
  };
  for (const int limit : {0, 1, 5}) {
    const LpSolution s = build(limit);
    EXPECT_EQ(s.status, Status::iteration_limit) << limit;
    EXPECT_LE(s.iterations, limit);
    EXPECT_TRUE(std::isnan(s.objective));
  }
  EXPECT_EQ(build(1000).status, Status::solved);
}

TEST(Lp, Solve_RestartsAndSaysFailed_WhenNoAnswerIsExactEnough) {
  const auto build = [](int limit) {
    Rng rng(6);
    Game game(30, 0.1, {.tolerance = 1e-30, .max_iterations = limit});
    for (int i = 0; i < 20; ++i) {
      std::vector<double> edge(30);
      for (double& e : edge) e = rng.normal();
      game.add_cut(edge);
    }
    return game.lp.solve();
  };
  const LpSolution s = build(1000);
  EXPECT_EQ(s.status, Status::failed);
  EXPECT_TRUE(s.restarted);
  EXPECT_TRUE(std::isnan(s.objective));
  EXPECT_EQ(s.x.size(), 0);
  const double worst = std::max({s.primal_residual, s.dual_residual, s.duality_gap});
  EXPECT_GT(worst, 1e-30);  // and the certificate says by how much
  EXPECT_LT(worst, 1e-9);
  const LpSolution limited = build(s.iterations - 1);  // the restart gets what is left of the limit
  EXPECT_EQ(limited.status, Status::iteration_limit);
  EXPECT_LT(limited.iterations, s.iterations);
}

TEST(Lp, Solve_FindsTheOptimum_WhenDegenerate) {
  Game game(8, 0.25);
  Rng rng(3);
  for (int round = 0; round < 60; ++round) {  // few distinct rows, many repeated, all of them -1 or 1
    std::vector<double> edge(8);
    for (double& e : edge) e = rng.below(2) == 0 ? 1.0 : -1.0;
    game.add_cut(edge);
    game.add_cut(edge);
    const LpSolution s = game.lp.solve();
    game.expect_optimal(s);
    EXPECT_NEAR(s.objective, game.solve_fresh().objective, kExact);
  }
}

TEST(Lp, Solve_FindsTheOptimum_WhenCoefficientsSpanTwentyOrders) {
  // LPBoost on kernel values exp(-sigma distance^2): 1 beside 1e-20 in the same row.
  for (const double drop : {LpSettings{}.drop, 0.0}) {
    Rng rng(12);
    Game game(40, 1.0 / 8.0, {.drop = drop});
    Game blunt(40, 1.0 / 8.0);  // the same without what cannot matter at this tolerance
    for (int round = 0; round < 40; ++round) {
      std::vector<double> edge(40);
      std::vector<double> rounded(40);
      for (std::size_t i = 0; i < 40; ++i) {
        const double u = rng.uniform();
        edge[i] = (i % 2 == 0 ? 1.0 : -1.0) * std::exp(-46.0 * u * u);
        rounded[i] = std::abs(edge[i]) < 1e-10 ? 0.0 : edge[i];
      }
      game.add_cut(edge);
      blunt.add_cut(rounded);
      const LpSolution s = game.lp.solve();
      game.expect_optimal(s);
      EXPECT_NEAR(s.objective, blunt.solve_fresh().objective, 2e-9) << "round " << round;
    }
  }
}

TEST(Lp, Drop_LeavesCoefficientOut_WhenBelowIt) {
  ReferenceLp t;
  t.add_column(1.0, 0.0, kInfinity);
  t.add_row(1.0, kInfinity, {1e-12});  // x >= 1e12 with the coefficient, impossible without
  EXPECT_EQ(t.lp.solve().status, Status::infeasible);
}

TEST(Lp, Solve_NeedsNoRowsOrColumns_WhenBoundsSayAll) {
  Lp lp;
  EXPECT_EQ(lp.solve().status, Status::solved);
  lp.add_row(0.0, 1.0, {});
  EXPECT_EQ(lp.solve().status, Status::solved);
  lp.add_row(1.0, 2.0, {});
  EXPECT_EQ(lp.solve().status, Status::infeasible);
  lp = Lp();
  lp.add_column(2.0, -3.0, 5.0);
  lp.add_column(-1.0, 0.0, 4.0);
  lp.add_column(0.0, 1.0, 2.0);
  const LpSolution s = lp.solve();
  EXPECT_EQ(s.status, Status::solved);
  EXPECT_EQ(s.objective, -10.0);
  EXPECT_EQ(s.x, Vector((Vector(3) << -3.0, 4.0, 1.0).finished()));
  EXPECT_EQ(s.duality_gap, 0.0);
  lp.add_column(1.0, -kInfinity, 0.0);
  EXPECT_EQ(lp.solve().status, Status::unbounded);
  lp.add_row(-2.0, kInfinity, {{3, 1.0}});
  EXPECT_NEAR(lp.solve().objective, -12.0, kExact);
}

TEST(Lp, Solve_EqualsFreshBuild_WhenUpdatedAtRandom) {
  Rng rng(20);
  int solved = 0;
  int others = 0;
  for (int trial = 0; trial < 40; ++trial) {
    ReferenceLp t;
    const auto vector = [&](std::size_t size) {
      std::vector<double> v(size);
      for (double& e : v) e = rng.uniform() < 0.3 ? 0.0 : rng.normal();
      return v;
    };
    const auto add_column = [&] {
      const double kind = rng.uniform();
      t.add_column(rng.normal(), kind < 0.05 ? -kInfinity : -rng.uniform(),
                   kind > 0.95 ? kInfinity : rng.uniform(), vector(t.a.size()));
    };
    for (int j = 0; j < 6; ++j) add_column();
    for (int step = 0; step < 40; ++step) {
      const double what = rng.uniform();
      if (what < 0.4) {
        const double width = rng.uniform();
        t.add_row(rng.uniform() < 0.5 ? -kInfinity : -width, width, vector(t.cost.size()));
      } else if (what < 0.7) {
        add_column();
      } else {
        t.set_cost(static_cast<int>(rng.below(t.lp.columns())), rng.normal());
      }
      if (rng.uniform() < 0.4) continue;  // several changes between solves, of several kinds
      const LpSolution warm = t.lp.solve();
      const LpSolution fresh = t.solve_fresh();
      ASSERT_EQ(warm.status, fresh.status) << "trial " << trial << " step " << step;
      if (warm.status != Status::solved) {
        ++others;
        continue;
      }
      ++solved;
      t.expect_optimal(warm);
      EXPECT_NEAR(warm.objective, fresh.objective, kExact * std::max(1.0, std::abs(fresh.objective)));
    }
  }
  EXPECT_GT(solved, 500);
  EXPECT_GT(others, 20);
}

TEST(Lp, Solve_PivotsLittle_WhenWarm) {
  Rng rng(8);
  Game game(60, 1.0 / 12.0);
  int warm = 0;
  int fresh = 0;
  for (int round = 0; round < 30; ++round) {
    std::vector<double> edge(60);
    for (double& e : edge) e = rng.normal() + 0.2;
    game.add_cut(edge);
    warm += game.lp.solve().iterations;
    fresh += game.solve_fresh().iterations;
  }
  EXPECT_LT(2 * warm, fresh);
}

TEST(Lp, Move_KeepsProgramAndBasis_WhenMovedFrom) {
  Game game(2);
  game.add_cut({1.0, -1.0});
  game.add_cut({-1.0, 1.0});
  EXPECT_EQ(game.lp.solve().status, Status::solved);
  Lp moved = std::move(game.lp);
  EXPECT_EQ(moved.rows(), 3);
  EXPECT_EQ(moved.columns(), 3);
  const LpSolution s = moved.solve();
  EXPECT_NEAR(s.objective, 0.0, kExact);
  EXPECT_EQ(s.iterations, 0);
}

TEST(Lp, Change_IsRefused_WhenItMakesNoSense) {
  Lp lp;
  const double nan = std::nan("");
  EXPECT_EQ(lp.add_column(1.0, 0.0, 1.0), 0);
  EXPECT_EQ(lp.add_row(0.0, 1.0, {{0, 1.0}}), 0);
  EXPECT_THROW(lp.add_column(nan, 0.0, 1.0), InvalidInput);
  EXPECT_THROW(lp.add_column(kInfinity, 0.0, 1.0), InvalidInput);
  EXPECT_THROW(lp.add_column(1.0, 2.0, 1.0), InvalidInput);
  EXPECT_THROW(lp.add_column(1.0, nan, 1.0), InvalidInput);
  EXPECT_THROW(lp.add_column(1.0, kInfinity, kInfinity), InvalidInput);
  EXPECT_THROW(lp.add_column(1.0, 0.0, 1.0, {{1, 1.0}}), InvalidInput);
  EXPECT_THROW(lp.add_row(1.0, 0.0, {}), InvalidInput);
  EXPECT_THROW(lp.add_row(0.0, 1.0, {{1, 1.0}}), InvalidInput);
  EXPECT_THROW(lp.add_row(0.0, 1.0, {{-1, 1.0}}), InvalidInput);
  EXPECT_THROW(lp.add_row(0.0, 1.0, {{0, nan}}), InvalidInput);
  EXPECT_THROW(lp.add_row(0.0, 1.0, {{0, 1.0}, {0, 2.0}}), InvalidInput);
  EXPECT_THROW(lp.set_cost(1, 0.0), InvalidInput);
  EXPECT_THROW(lp.set_cost(0, nan), InvalidInput);
  EXPECT_EQ(lp.rows(), 1);  // nothing of all that went in
  EXPECT_EQ(lp.columns(), 1);
  EXPECT_EQ(lp.solve().status, Status::solved);
}

TEST(Lp, Solve_StopsBetweenPivots_AndAnswersTheNextTime) {
  const auto build = [](Lp& lp) {
    Rng rng(8);
    constexpr int kRows = 60;
    constexpr int kColumns = 40;
    for (int j = 0; j < kColumns; ++j) lp.add_column(-1.0 - rng.uniform(), 0.0, kInfinity);
    for (int i = 0; i < kRows; ++i) {
      std::vector<LpEntry> entries;
      for (int j = 0; j < kColumns; ++j) entries.push_back({j, rng.uniform()});
      lp.add_row(-kInfinity, 1.0 + rng.uniform(), entries);
    }
  };
  Lp undisturbed;
  build(undisturbed);
  std::int64_t all = 0;
  const std::function<bool()> counting = [&] { return ++all < 0; };
  LpSolution expected;
  {
    const StopScope scope(counting);
    expected = undisturbed.solve();
  }
  ASSERT_EQ(expected.status, Status::solved);
  ASSERT_GE(all, 5);  // after every pivot
  for (std::int64_t n = 1; n <= all; n += 3) {
    Lp lp;
    build(lp);
    std::int64_t asked = 0;
    const std::function<bool()> enough = [&] { return ++asked >= n; };
    {
      const StopScope scope(enough);
      EXPECT_THROW((void)lp.solve(), Abandoned);
    }
    EXPECT_LE(asked, n + 2);
    const LpSolution later = lp.solve();
    ASSERT_EQ(later.status, Status::solved);
    EXPECT_NEAR(later.objective, expected.objective, 1e-7);
  }
}

}  // namespace
}  // namespace shapeboost
