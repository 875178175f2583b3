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

#include <vector>

#include "shapeboost/base.hpp"
#include "shapeboost/matrix.hpp"

namespace shapeboost {

struct MinNormPointProblem {
  Matrix G;                ///< n x n inner products, positive semi-definite
  Vector g;                ///< n inner products with the target
  double c2 = 0.0;         ///< |c|^2
  std::vector<int> group;  ///< group of each point, 0 ... groups-1
  Vector mass;             ///< mass of each group, >= 0
};

struct MinNormPointSettings {
  double tolerance = 1e-10;  ///< absolute, on the objective
  int max_iterations = 1000000;
};

/// p is feasible and the gap true however the solver ended; failed means that rounding hides the tolerance.
struct MinNormPointSolution {
  Status status = Status::failed;
  Vector p;
  double objective = 0.0;  ///< 1/2 || sum_i p_i v_i - c ||^2, clipped at 0 from below
  double gap = 0.0;
  int iterations = 0;
};

/// `start`, where given, is a feasible p to begin from; else each group's mass lies on its first point.
/// Throws InvalidInput on sizes that do not fit, an empty group with mass, a negative mass.
[[nodiscard]] MinNormPointSolution solve(const MinNormPointProblem& problem,
                                         const MinNormPointSettings& settings = {},
                                         const Vector* start = nullptr);

}  // namespace shapeboost
