// SPDX-License-Identifier: MIT
// Linear programs that grow:
//
//     min  c'x   s.t.   row_lower <= A x <= row_upper,   lower <= x <= upper.
//
// Rows and columns are added between solves and each solve starts from the last basis.
// COIN-OR Clp stands behind it. Its status is never trusted: every answer is checked here against our
// own copy of the data, and where the check fails the program is solved afresh from a slack basis.
#pragma once

#include <memory>
#include <vector>

#include "ground/matrix.hpp"
#include "shapeboost/base.hpp"
#include "solve/status.hpp"

namespace shapeboost {

/// A coefficient of a new row (index: column) or of a new column (index: row).
struct LpEntry {
  int index;
  double value;
};

struct LpSettings {
  double tolerance = 1e-8;       ///< largest residual and relative gap of an answer called solved
  double drop = 1e-11;           ///< smaller coefficients are left out: they only upset the factorisation
  int max_iterations = 1000000;  ///< simplex iterations of one solve
};

/// Vectors are empty and the objective NaN unless status is solved. Then x lies within its bounds and each
/// multiplier has the sign its row allows exactly, not up to a tolerance.
struct LpSolution {
  Status status = Status::failed;
  double objective = 0.0;
  Vector x;         ///< one value a column
  Vector row_dual;  ///< one multiplier a row: d(objective)/d(row bound)
  /// The certificate, recomputed from our copy of the data.
  double primal_residual = 0.0;  ///< largest violation of a row or bound
  double dual_residual = 0.0;    ///< largest violation of a reduced cost's or multiplier's sign
  double duality_gap = 0.0;      ///< |primal - dual objective| / max(1, |primal|)
  int iterations = 0;
  bool restarted = false;  ///< the warm answer failed its certificate; this one is from a fresh start
};

/// Changes throw InvalidInput, and change nothing, on an index out of range or repeated in one list, on
/// numbers that are not finite (bounds may be infinite), and on lower > upper.
class Lp {
 public:
  explicit Lp(LpSettings settings = {});
  ~Lp();
  Lp(Lp&&) noexcept;
  Lp& operator=(Lp&&) noexcept;

  [[nodiscard]] int rows() const;
  [[nodiscard]] int columns() const;

  /// Each returns the index of what it added.
  int add_column(double cost, double lower, double upper, const std::vector<LpEntry>& entries = {});
  int add_row(double lower, double upper, const std::vector<LpEntry>& entries);
  void set_cost(int column, double cost);

  [[nodiscard]] LpSolution solve();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shapeboost
