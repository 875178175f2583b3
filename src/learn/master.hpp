// SPDX-License-Identifier: MIT
// The master of LPBoost: the best mixture of the hypotheses found so far.
//
//   primal  max  rho - sum_i cap_i xi_i
//           s.t. y_i (sum_j w_j h_j(B_i) + b) >= rho - xi_i,  xi_i >= 0,  w_j >= 0,  sum_j w_j = 1
//
//   dual    min  gamma
//           s.t. sum_i y_i d_i h_j(B_i) <= gamma  (every j),  0 <= d_i <= cap_i,  sum_i d_i = 1,
//                sum_i y_i d_i = 0   (only with an offset b)
//
//   caps    cap_i = min(1, v_i / (nu V)),  v_i > 0 the weight of bag i,  V = sum_i v_i
//
// With equal weights cap_i = 1/(nu m). The minimum changes nothing, as no d_i exceeds sum_i d_i = 1; it keeps
// the price of falling short bounded when nu allows less than one bag.
//
// What nu means. A bag short of the margin has d_i = cap_i, so where no cap reaches 1 the bags that fall
// short weigh at most nu V together. With an offset each class carries half of d: those of class c weigh at
// most nu V / 2, which is the share nu V / (2 V_c) of the class, V_c = sum of v over it. Hence
//
//     feasible without offset: nu <= 1;   with one: nu <= min(1, 2 V_+ / V, 2 V_- / V).
//
// With balanced weights, v_i = 1/m_{y_i}, V_+ = V_- = 1: cap_i = 1/(2 nu m_{y_i}), every nu up to 1 is
// feasible, and with an offset nu is the share of either class that may fall short.
//
// The dual is what is solved, by the simplex method of learn/master_simplex.hpp: a row for each
// hypothesis, so the basis stays as small as the model. Every answer is certified from the data: gamma is the
// largest edge of d, and w, b and rho reach it up to 1e-8 (1e-6 where Clp had to stand in).
//
//              gamma   d_1 ... d_m
//     total      0      1  ...  1      =  1      multiplier  rho
//     offset     0     y_1 ... y_m     =  0      multiplier   -b
//     h_j       -1      y_i h_j(B_i)  <=  0      multiplier -w_j
#pragma once

#include <vector>

#include "learn/master_simplex.hpp"
#include "solve/status.hpp"

namespace shapeboost {

struct MasterSettings {
  double nu = 0.2;     ///< in (0, 1]: at most this share of the bags' weight may fall short of the margin
  bool offset = true;  ///< with b
  /// A hypothesis without weight for this many solves in a row leaves the program.
  int patience = 20;
  Vector weights{};  ///< v, one above 0 a bag; empty: all the same
};

struct MasterSolution {
  Status status = Status::failed;
  Vector d;  ///< one weight a bag
  Vector w;  ///< one weight a hypothesis, in the order they were added; 0 where it left
  double b = 0.0;
  double rho = 0.0;    ///< margin
  double gamma = 0.0;  ///< objective: no hypothesis so far has a larger edge
  /// |primal - dual|, the primal recomputed from w, b and rho, the dual from d.
  double duality_gap = 0.0;
  bool by_clp = false;  ///< rounding defeated our own simplex method
};

class Master {
 public:
  /// y_i = -1 or +1. Throws InvalidInput where a weight is not above 0, or where nu is out of range or, with
  /// an offset, larger than largest_nu(y, weights): the dual would have no solution.
  Master(Vector y, const MasterSettings& settings);

  /// min(1, 2 V_+ / V, 2 V_- / V): with an offset each class carries half of d and must be allowed to.
  [[nodiscard]] static double largest_nu(const Vector& y, const Vector& weights = {});

  /// cap_i of m bags; `weights` as in MasterSettings.
  [[nodiscard]] static Vector caps(Eigen::Index m, double nu, const Vector& weights = {});

  /// h_j(B_i) for every bag, the sign included. Returns j.
  int add(const Vector& h);
  [[nodiscard]] int hypotheses() const { return static_cast<int>(idle_.size()); }

  /// Before any hypothesis: d in proportion to the weights (in each class, with an offset), gamma = -1.
  [[nodiscard]] MasterSolution solve();

  /// The same program from nothing and by Clp: what stands by where rounding defeats our own simplex method.
  [[nodiscard]] MasterSolution solve_by_clp() const;

  /// g(B_i) = b + sum_j w_j h_j(B_i) of the last solution.
  [[nodiscard]] Vector scores(const MasterSolution& solution) const;

 private:
  [[nodiscard]] MasterSolution without_hypotheses() const;
  [[nodiscard]] double primal_value(const MasterSolution& solution) const;
  [[nodiscard]] MasterSolution solve_by_simplex();
  void drop_idle(const Vector& w);

  Vector y_;
  MasterSettings settings_;
  Vector weights_;  // v, filled in
  Vector caps_;
  MasterSimplex simplex_;  // holds the hypotheses
  std::vector<int> idle_;  // of each: solves in a row without weight, or -1: it left
};

}  // namespace shapeboost
