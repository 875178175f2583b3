// SPDX-License-Identifier: MIT
// The master of LPBoost: the best mixture of the hypotheses found so far.
//
//   primal  max  rho - 1/(nu m) sum_i xi_i
//           s.t. y_i (sum_j w_j h_j(B_i) + b) >= rho - xi_i,  xi_i >= 0,  w_j >= 0,  sum_j w_j = 1
//
//   dual    min  gamma
//           s.t. sum_i y_i d_i h_j(B_i) <= gamma  (every j),  0 <= d_i <= 1/(nu m),  sum_i d_i = 1,
//                sum_i y_i d_i = 0   (only with an offset b)
//
// The dual is what is solved: a row for each hypothesis, so the basis stays as small as the model.
//
//              gamma   d_1 ... d_m
//     total      0      1  ...  1      =  1      multiplier  rho
//     offset     0     y_1 ... y_m     =  0      multiplier   -b
//     h_j       -1      y_i h_j(B_i)  <=  0      multiplier -w_j
#pragma once

#include <vector>

#include "shapeboost/base.hpp"
#include "shapeboost/lp.hpp"
#include "shapeboost/matrix.hpp"

namespace shapeboost {

struct MasterSettings {
  double nu = 0.2;     ///< in (0, 1]: at most this share of the bags may fall short of the margin
  bool offset = true;  ///< with b
  /// A hypothesis without weight for this many solves in a row leaves the program.
  int patience = 20;
};

struct MasterSolution {
  Status status = Status::failed;
  Vector d;  ///< one weight a bag
  Vector w;  ///< one weight a hypothesis, in the order they were added; 0 where it left
  double b = 0.0;
  double rho = 0.0;    ///< margin
  double gamma = 0.0;  ///< objective: no hypothesis so far has a larger edge
  double gap = 0.0;    ///< |primal - dual|, the primal recomputed from w, b and rho
};

class Master {
 public:
  /// y_i = -1 or +1. Throws InvalidInput where nu is out of range or, with an offset, larger than
  /// largest_nu(y): the dual would have no solution.
  Master(Vector y, const MasterSettings& settings);

  /// With an offset each class carries half of d, so nu m <= 2 min(positive bags, negative bags).
  [[nodiscard]] static double largest_nu(const Vector& y);

  /// h_j(B_i) for every bag, the sign included. Returns j.
  int add(const Vector& h);
  [[nodiscard]] int hypotheses() const { return static_cast<int>(columns_.size()); }

  /// Before any hypothesis: d uniform (in each class, with an offset), gamma = -1.
  [[nodiscard]] MasterSolution solve();

 private:
  [[nodiscard]] double primal_value(const MasterSolution& solution) const;
  void drop_idle(const Vector& w);

  Vector y_;
  MasterSettings settings_;
  double d_cap_;
  Lp lp_;
  int offset_row_ = -1;
  struct Column {
    Vector h;
    int row;   // in the program, or -1 where it left
    int idle;  // solves in a row without weight
  };
  std::vector<Column> columns_;
};

}  // namespace shapeboost
