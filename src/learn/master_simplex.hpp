// SPDX-License-Identifier: MIT
// LPBoost's dual program by a simplex method of its own. With a_ji = y_i h_j(B_i):
//
//     min  gamma + sum_i eps_i d_i
//     s.t. sum_i d_i = 1,   sum_i y_i d_i = 0 (only with an offset),
//          sum_i a_ji d_i - gamma + s_j = 0,   s_j >= 0      (every hypothesis j),
//          0 <= d_i <= cap_i.
//
// The eps_i, of about -1e-9 and all different, keep ties from stalling the method; as sum_i d_i = 1 they move
// the optimum by no more than the largest of them. A general simplex method has a basis of as many rows as
// there are hypotheses. Here only the tight ones count: n rows (the equations, and hypotheses with s_j = 0)
// meet n columns (gamma, and the bags strictly between 0 and their caps), the inverse of that n x n matrix is
// kept, and a pivot costs one pass over the n tight rows of m numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"

namespace shapeboost {

/// Reduced costs nearer to 0 tie.
inline constexpr double kCostTolerance = 1e-12;

class MasterSimplex {
 public:
  /// As Master's; the caps allow sum d = 1, in each class 1/2 with an offset.
  MasterSimplex(const Vector& y, Vector caps, bool offset);

  /// y_i h_j(B_i) for every bag; hypotheses count from 0.
  void add(Vector a);
  /// Whether the basis needs hypothesis j. Only others can be dropped.
  [[nodiscard]] bool tight(int j) const { return place_[row_of(j)] >= 0; }
  void drop(int j);
  /// Empty where it was dropped.
  [[nodiscard]] const Vector& hypothesis(int j) const { return rows_[row_of(j)]; }

  /// From the last basis to an optimal one: the dual simplex method. Returns false where rounding got the
  /// better of it; the next call then starts afresh. What it says is to be certified by the caller.
  [[nodiscard]] bool solve();
  /// The next solve starts afresh.
  void forget() { tight_.clear(); }

  [[nodiscard]] const Vector& d() const { return d_; }
  [[nodiscard]] double rho() const { return multipliers_[0]; }
  [[nodiscard]] double b() const { return offset_ ? -multipliers_[1] : 0.0; }
  [[nodiscard]] double w(int j) const;

 private:
  /// A variable about to leave the basis: bag basic_[column], or where that is -1 the slack of a row.
  struct Leaving {
    int column = -1;
    int row = -1;
    double excess = 0.0;  // how far above its upper bound; below the lower one: negative
  };
  /// One that may enter: a nonbasic bag, or the slack of tight_[place] where bag is -1.
  struct Candidate {
    int bag = -1;
    int place = -1;
    double cost = 0.0;   // reduced, as a distance from 0
    double pivot = 0.0;  // |entry of the pivot row|
  };
  /// A row that is not tight. It is watched for violations where the norm of its row of the inverse is known.
  struct Loose {
    int row;
    double norm;  // squared; 0: not known
  };

  static constexpr int kGamma = -1;  // the column of gamma
  [[nodiscard]] std::size_t row_of(int j) const { return at(j + equations_); }
  [[nodiscard]] double entry(int row, int column) const;
  [[nodiscard]] Eigen::Index size() const { return std::ssize(tight_); }
  [[nodiscard]] Vector combine(const Vector& coefficients) const;
  [[nodiscard]] double excess(int column) const;
  [[nodiscard]] Leaving choose_leaving();
  void watch_violated();
  [[nodiscard]] Vector in_basis(int row) const;
  [[nodiscard]] std::vector<Candidate> candidates(const Vector& row, const Vector& slacks, double sign) const;
  [[nodiscard]] Candidate choose_entering(std::vector<Candidate>& open, double slope,
                                          std::vector<int>& flips) const;
  void start();
  void refresh();
  [[nodiscard]] bool invert();
  void flip(const std::vector<int>& bags);
  void move_basic(double step, const Vector& change);
  [[nodiscard]] bool accurate() const;
  /// False where rounding stands in the way: nothing has changed then.
  [[nodiscard]] bool pivot(const Leaving& leaving);
  void reweigh(const Leaving& leaving, const Candidate& entering, const Vector& v, const Vector& slacks,
               double pivot);
  void set_basic(Eigen::Index column, int bag);
  void set_tight(Eigen::Index place, int row, double multiplier);
  void exchange(const Leaving& leaving, const Candidate& entering, const Vector& v, const Vector& slacks,
                double pivot, double dual_step);

  bool offset_;
  int equations_;  // the first rows: sum d = 1, sum y d = 0
  Vector caps_;
  Vector eps_;
  std::vector<Vector> rows_;
  std::vector<int> place_;   // of a row among the tight ones, or -1
  std::vector<int> tight_;   // rows of the basis
  std::vector<int> basic_;   // columns of the basis: bags, and -1 for gamma
  std::vector<int> column_;  // of a bag among the basic ones, or -1
  Eigen::MatrixXd inverse_;  // of the entries tight_ x basic_, in its upper left corner
  Vector norms_;             // of the inverse's rows, squared
  std::vector<Loose> loose_;
  Vector d_;
  double gamma_ = 0.0;
  Vector reduced_;      // costs of the bags: 0 where basic, >= 0 at 0, <= 0 at the cap
  Vector multipliers_;  // of the tight rows: rho, -b, -w_j
  int updates_ = 0;     // of the inverse since it was computed
};

}  // namespace shapeboost
