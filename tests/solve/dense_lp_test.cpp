// SPDX-License-Identifier: MIT
#include "solve/dense_lp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "ground/numbers.hpp"
#include "solve/status.hpp"
#include "support/reference_lp.hpp"

namespace shapeboost {
namespace {

/// Every change goes to both: Clp is the referee.
struct Pair {
  DenseLp dense;
  ReferenceLp reference;

  int add_column(double cost, const Vector& entries, bool free = false) {
    const std::vector<double> plain(entries.begin(), entries.end());
    reference.add_column(cost, free ? -kInfinity : 0.0, kInfinity, plain);
    return dense.add_column(cost, entries, free);
  }
  int add_row(double b, const Vector& entries) {
    reference.add_row(-kInfinity, b, {entries.begin(), entries.end()});
    return dense.add_row(b, entries);
  }
  void set_cost(int column, double cost) {
    reference.set_cost(column, cost);
    dense.set_cost(column, cost);
  }
  /// Both optimal, with the same optimum, and the dense one by its own method.
  void expect_same() {
    const LpSolution mine = dense.solve();
    const LpSolution referee = reference.lp.solve();
    reference.expect_optimal(mine);
    ASSERT_EQ(referee.status, Status::solved);
    EXPECT_NEAR(mine.objective, referee.objective, 1e-8 * std::max(1.0, std::abs(referee.objective)));
    EXPECT_FALSE(mine.restarted);
  }
};

/// Weak learning's program: min sum_g tau_g - c'alpha, cutting planes of `groups` groups, ||alpha||_1 <= 1.
struct CuttingPlanes : Pair {
  std::mt19937_64 random;
  int groups;
  int candidates = 0;

  explicit CuttingPlanes(int groups_, std::uint64_t seed) : random(seed), groups(groups_) {
    for (int g = 0; g < groups; ++g) add_column(1.0, Vector(), true);
    add_row(1.0, Vector::Zero(groups));
  }
  double draw() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random); }
  void add_plane(int g) {
    Vector entries = Vector::Zero(dense.columns());
    entries[g] = -1.0;
    for (int k = 0; k < candidates; ++k) {
      entries[groups + 2 * k] = std::exp(3.0 * draw() - 3.0);
      entries[groups + 2 * k + 1] = -entries[groups + 2 * k];
    }
    add_row(0.0, entries);
  }
  void add_candidate() {
    Vector entries(dense.rows());
    for (Eigen::Index i = 0; i < entries.size(); ++i) entries[i] = std::exp(3.0 * draw() - 3.0);
    const double c = 0.3 * draw();
    entries[0] = 1.0;
    add_column(-c, entries);
    entries = -entries;
    entries[0] = 1.0;
    add_column(c, entries);
    ++candidates;
  }
};

TEST(DenseLp, Solve_FindsVertexAndDuals_WhenSolvedByHand) {
  // max 3x + 2y s.t. x + y <= 4, x + 3y <= 6.5, x <= 3: (3, 1), 11; duals of the minimum -2, 0, -1.
  DenseLp lp;
  lp.add_column(-3.0, Vector());
  lp.add_column(-2.0, Vector());
  lp.add_row(4.0, Vector{{1.0, 1.0}});
  lp.add_row(6.5, Vector{{1.0, 3.0}});
  lp.add_row(3.0, Vector{{1.0, 0.0}});
  const LpSolution s = lp.solve();
  ASSERT_EQ(s.status, Status::solved);
  EXPECT_NEAR(s.objective, -11.0, kExact);
  EXPECT_NEAR(s.x[0], 3.0, kExact);
  EXPECT_NEAR(s.x[1], 1.0, kExact);
  EXPECT_NEAR(s.row_dual[0], -2.0, kExact);
  EXPECT_NEAR(s.row_dual[1], 0.0, kExact);
  EXPECT_NEAR(s.row_dual[2], -1.0, kExact);
  EXPECT_FALSE(s.restarted);
}

TEST(DenseLp, Solve_AgreesWithClp_WhenPlanesAndCandidatesComeAndCostsChange) {
  for (const int groups : {1, 4, 32}) {
    CuttingPlanes planes(groups, static_cast<std::uint64_t>(groups));
    planes.add_candidate();
    for (int g = 0; g < groups; ++g) planes.add_plane(g);
    for (int step = 0; step < 60; ++step) {
      SCOPED_TRACE(std::to_string(groups) + " groups, step " + std::to_string(step));
      if (step % 3 != 0) {
        for (int g = step % 2; g < groups; g += 2) planes.add_plane(g);
      }
      if (step % 4 != 1) planes.add_candidate();
      if (step % 10 == 9) {
        for (int k = 0; k < planes.candidates; ++k) {
          const double c = 0.3 * planes.draw();
          planes.set_cost(groups + 2 * k, -c);
          planes.set_cost(groups + 2 * k + 1, c);
        }
      }
      planes.expect_same();
    }
  }
}

TEST(DenseLp, Solve_AgreesWithClp_WhenEveryPlaneMeetsIn0) {
  // alpha = 0 is the optimum: every cutting plane is tight there, and most steps are of length 0.
  CuttingPlanes planes(8, 7);
  for (int k = 0; k < 30; ++k) planes.add_candidate();
  for (int k = 0; k < planes.candidates; ++k) {
    planes.set_cost(8 + 2 * k, 0.0);
    planes.set_cost(8 + 2 * k + 1, 0.0);
  }
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE(round);
    for (int g = 0; g < 8; ++g) planes.add_plane(g);
    planes.expect_same();
  }
}

TEST(DenseLp, Solve_AgreesWithClp_WhenRowsAndColumnsRepeat) {
  Pair pair;
  const Vector none;
  for (int j = 0; j < 6; ++j) pair.add_column(-1.0 - j % 2, none);
  for (int i = 0; i < 12; ++i) {
    pair.add_row(i % 3, Vector{{1.0, 1.0, 0.0, 0.0, 2.0, 2.0}});
    pair.add_row(1.0, Vector{{0.0, 0.0, 1.0, 1.0, i % 4 - 1.0, 1.0}});
    pair.add_row(0.0, Vector::Zero(6));
  }
  pair.expect_same();
}

TEST(DenseLp, Solve_SaysUnbounded_WhenNothingHoldsAColumn) {
  DenseLp lp;
  lp.add_column(-1.0, Vector());
  lp.add_column(1.0, Vector());
  lp.add_row(1.0, Vector{{-1.0, 1.0}});
  const LpSolution s = lp.solve();
  EXPECT_EQ(s.status, Status::unbounded);
  EXPECT_TRUE(std::isnan(s.objective));
  lp.add_row(2.0, Vector{{1.0, 0.0}});  // and is bounded again with a row more
  EXPECT_NEAR(lp.solve().objective, -2.0, kExact);
}

TEST(DenseLp, Solve_TakesInAFreeColumn_AfterItWasSolved) {
  Pair pair;
  pair.add_column(-1.0, Vector());
  pair.add_row(2.0, Vector{{1.0}});
  pair.expect_same();
  pair.add_column(1.0, Vector{{-1.0}}, true);  // x - y <= 2, x - y's cost the same: any y will do
  pair.add_row(3.0, Vector{{1.0, 1.0}});
  pair.add_row(5.0, Vector{{0.0, -1.0}});
  pair.expect_same();
}

TEST(DenseLp, Solve_DoesNotCallNumbersThatOverflowSolved) {
  DenseLp lp;
  lp.add_column(-1.0, Vector());
  lp.add_column(-1.0, Vector());
  lp.add_row(2e200, Vector{{1.0, 0.0}});
  lp.add_row(1e200, Vector{{0.0, 1.0}});
  EXPECT_EQ(lp.solve().status, Status::solved);
  lp.add_row(1.0, Vector{{1e200, -1e200}});
  const LpSolution s = lp.solve();
  EXPECT_TRUE(s.status != Status::solved || (std::isfinite(s.objective) && s.primal_residual <= 1e-8));
}

TEST(DenseLp, Solve_NeedsNoRowsOrColumns) {
  DenseLp lp;
  EXPECT_EQ(lp.solve().objective, 0.0);
  lp.add_row(1.0, Vector());
  EXPECT_EQ(lp.solve().objective, 0.0);
  lp.add_column(-1.0, Vector{{2.0}});
  EXPECT_NEAR(lp.solve().objective, -0.5, kExact);
}

TEST(DenseLp, Solve_StaysExact_WhenItIsDoneThousandsOfTimes) {
  // Far more pivots than a tableau lasts before it is made anew.
  CuttingPlanes planes(6, 3);
  for (int k = 0; k < 12; ++k) planes.add_candidate();
  for (int round = 0; round < 3; ++round) {
    for (int g = 0; g < 6; ++g) planes.add_plane(g);
  }
  int pivots = 0;
  for (int step = 0; step < 300; ++step) {
    for (int k = 0; k < planes.candidates; ++k) {
      const double c = 0.3 * planes.draw();
      planes.set_cost(6 + 2 * k, -c);
      planes.set_cost(6 + 2 * k + 1, c);
    }
    pivots += planes.dense.solve().iterations;
  }
  EXPECT_GT(pivots, 1000);
  planes.expect_same();
}

TEST(DenseLp, Changes_AreRefused_WhenTheyDoNotFit) {
  DenseLp lp;
  lp.add_column(1.0, Vector());
  lp.add_row(1.0, Vector{{1.0}});
  EXPECT_THROW(lp.add_column(kInfinity, Vector{{1.0}}), InvalidInput);
  EXPECT_THROW(lp.add_column(1.0, Vector()), InvalidInput);
  EXPECT_THROW(lp.add_column(1.0, Vector{{std::nan("")}}), InvalidInput);
  EXPECT_THROW(lp.add_row(-1.0, Vector{{1.0}}), InvalidInput);
  EXPECT_THROW(lp.add_row(std::nan(""), Vector{{1.0}}), InvalidInput);
  EXPECT_THROW(lp.add_row(1.0, Vector{{1.0, 1.0}}), InvalidInput);
  EXPECT_THROW(lp.add_row(1.0, Vector{{kInfinity}}), InvalidInput);
  EXPECT_THROW(lp.set_cost(1, 1.0), InvalidInput);
  EXPECT_THROW(lp.set_cost(-1, 1.0), InvalidInput);
  EXPECT_THROW(lp.set_cost(0, std::nan("")), InvalidInput);
  EXPECT_EQ(lp.rows(), 1);
  EXPECT_EQ(lp.columns(), 1);
  EXPECT_EQ(lp.solve().objective, 0.0);
}

}  // namespace
}  // namespace shapeboost
