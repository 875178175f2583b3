// SPDX-License-Identifier: MIT
// Small dense linear programs that grow, with 0 feasible:
//
//     min  c'x   s.t.   A x <= b,   x_j >= 0 unless it is free,         b >= 0.
//
// A simplex method on the whole tableau. Where a program has some hundred rows, no zeros, and is solved
// again after every few rows, columns or costs, a general solver spends its time on factorisations; here a
// pivot is one pass over the tableau. Answers have the certificate of lp.hpp, and where it fails the program
// is handed to Lp.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/matrix.hpp"
#include "solve/lp.hpp"

namespace shapeboost {

/// Changes throw InvalidInput, and change nothing, on sizes that do not fit, numbers that are not finite and
/// b < 0.
class DenseLp {
 public:
  explicit DenseLp(LpSettings settings = {}) : settings_(settings) {}

  [[nodiscard]] int rows() const { return static_cast<int>(b_.size()); }
  [[nodiscard]] int columns() const { return static_cast<int>(cost_.size()); }
  /// What a program of so many entries takes at most, while it grows: A, the tableau and a copy of one of them, each with half as
  /// many rows and columns again.
  [[nodiscard]] static std::int64_t bytes(std::int64_t entries) {
    return entries * 9 / 4 * 3 * static_cast<std::int64_t>(sizeof(double));
  }

  /// One entry for each row there is. Returns the column's index.
  int add_column(double cost, const Vector& entries, bool free = false);
  /// One entry for each column there is: entries'x <= b. Returns the row's index.
  int add_row(double b, const Vector& entries);
  void set_cost(int column, double cost);

  /// From the last basis: first the dual method, until every row is satisfied, then the primal one.
  [[nodiscard]] LpSolution solve();

 private:
  /// A variable: column j as j, the slack of row i as -1 - i.
  using Variable = int;
  enum class Ended : std::uint8_t { optimal, unbounded, lost };

  [[nodiscard]] bool is_free(Variable v) const { return v >= 0 && free_[static_cast<std::size_t>(v)] != 0; }
  void make_room();
  void start();
  void rebuild();
  void restore_costs();
  void pivot(Eigen::Index p, Eigen::Index q);
  [[nodiscard]] Eigen::Index leaving_row() const;
  [[nodiscard]] Eigen::Index dual_entering(Eigen::Index p) const;
  [[nodiscard]] Eigen::Index primal_entering() const;
  [[nodiscard]] Eigen::Index primal_leaving(Eigen::Index q, double direction) const;
  void begin_dual();
  void begin_primal();
  [[nodiscard]] Ended run();
  [[nodiscard]] LpSolution answer() const;
  [[nodiscard]] LpSolution by_clp() const;

  LpSettings settings_;
  // The program. A has room for more rows and columns than there are.
  Matrix a_;
  std::vector<double> b_;
  std::vector<double> cost_;
  std::vector<char> free_;
  // The tableau: x_basic = beta - T x_nonbasic, c'x = constant + reduced'x_nonbasic.
  Matrix t_;
  Vector beta_;
  Vector reduced_;
  Vector relaxed_;  // beta of the primal method: never below 0, and a little above where it is 0
  Vector shifted_;  // reduced costs of the dual method, never below 0
  std::vector<Variable> basic_;
  std::vector<Variable> nonbasic_;
  std::vector<int> place_;      // of each column of A: its row in the tableau, or -1 - its column there
  bool costs_changed_ = false;  // since the reduced costs were computed
  int pivots_ = 0;              // of this solve
  int updates_ = 0;             // since the tableau was made from the data
};

}  // namespace shapeboost
