// SPDX-License-Identifier: MIT
// The point of a sum of scaled convex hulls that lies nearest to a target c, known by inner products only:
//
//     min_p  1/2 || sum_i p_i v_i - c ||^2    s.t.  p_i >= 0,  sum_{i in group r} p_i = mass_r.
//
// With G_ij = <v_i, v_j> and g_i = <v_i, c> that is 1/2 p'Gp - g'p + 1/2 |c|^2 over a product of
// simplices. Pairwise steps within a group (as libsvm's SMO): move mass from the used point with the
// largest gradient to the point with the smallest, by the exact line search.
//
// Certificate: with gradient s = Gp - g, gap = sum_i p_i s_i - sum_r mass_r min_{i in r} s_i >= 0 bounds
// the objective's distance to the optimum (Frank-Wolfe gap). Stops at gap <= tolerance.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ground/matrix.hpp"
#include "shapeboost/base.hpp"
#include "solve/status.hpp"

namespace shapeboost {

struct MinNormPointProblem {
  Matrix G;                ///< n x n inner products, positive semi-definite; may have room for more
  Vector g;                ///< n inner products with the target
  double c2 = 0.0;         ///< |c|^2
  std::vector<int> group;  ///< group of each point, 0 ... groups-1, or -1: its gradient is asked for, no more
  Vector mass;             ///< mass of each group, >= 0

  /// In place of G: the inner products of point i with all, valid until two others were asked for, and those
  /// of the points with themselves. Only rows of points that carry mass are asked for.
  std::function<const double*(Eigen::Index i)> row{};
  Vector norm2{};
};

struct MinNormPointSettings {
  double tolerance = 1e-10;  ///< absolute, on the objective
  int max_iterations = 1000000;
};

/// Where to begin: a feasible p, and its gradient Gp - g where it is known, with the number of steps since it
/// was computed from p: their rounding adds up.
struct MinNormPointStart {
  Vector p;
  Vector s{};
  std::int64_t steps = 0;
};

/// p is feasible and the gap true however the solver ended; failed means that rounding hides the tolerance.
struct MinNormPointSolution {
  Status status = Status::failed;
  Vector p;
  Vector s;                ///< Gp - g
  std::int64_t steps = 0;  ///< since s was computed from p
  double objective = 0.0;  ///< 1/2 || sum_i p_i v_i - c ||^2, clipped at 0 from below
  double duality_gap = 0.0;
  int iterations = 0;
};

/// Without a start each group's mass lies on its first point. Throws InvalidInput on sizes that do not fit,
/// an empty group with mass, a negative mass, and numbers that are not finite (of G, in rows that carry
/// mass).
[[nodiscard]] MinNormPointSolution solve(const MinNormPointProblem& problem,
                                         const MinNormPointSettings& settings = {},
                                         const MinNormPointStart* start = nullptr);

}  // namespace shapeboost
