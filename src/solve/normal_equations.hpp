// SPDX-License-Identifier: MIT
// Ridge regression (ridge.hpp) of more examples than fit in memory, from sums over them. An example is a row
//
//     z_i = s_i (x_i, y_i, 1),   s_i = sqrt(v_i),      S = sum_i z_i'z_i
//
// of which S tells A = X~'X~, X~'Y~ and the means, and so the minimum for every alpha. An example's left-out error also
// needs the example itself: some of them, the judges, tell which alpha is best, each being left out of all.
//
// Entries of z are rounded to whole multiples of 2^-14. Products of two are then whole multiples of 2^-28, and sums of
// them exact in double as long as they are less than 2^25 (33 million examples of standardised columns): S is the same to
// the last bit whatever the order of the examples, the blocks, the threads and the machines that add them up.
#pragma once

#include "ground/matrix.hpp"
#include "ground/parallel.hpp"
#include "solve/ridge.hpp"

namespace shapeboost {

class NormalEquations {
 public:
  /// Examples x (columns + targets + 1).
  using Block = Eigen::MatrixXd;

  NormalEquations(Eigen::Index columns, Eigen::Index targets);
  /// From sum(), as of another process. Throws InvalidInput where sizes do not fit or a number is not finite.
  NormalEquations(Eigen::Index columns, Eigen::Index targets, Eigen::MatrixXd sum);

  /// To a whole multiple of 2^-14.
  [[nodiscard]] static double rounded(double x) {
    constexpr double kShift = 0x1.8p38;  // beside which a double has no finer digits
    return (x + kShift) - kShift;
  }

  /// Its rows are rounded already.
  void add(const Block& Z, ThreadPool& threads);
  void add(const NormalEquations& other);

  [[nodiscard]] Eigen::Index columns() const { return columns_; }
  [[nodiscard]] Eigen::Index targets() const { return targets_; }
  /// S, of which the lower triangle is filled.
  [[nodiscard]] const Eigen::MatrixXd& sum() const { return sum_; }
  /// Bytes of such sums and their solution.
  [[nodiscard]] static double bytes(Eigen::Index columns, Eigen::Index targets, Eigen::Index judges);

  /// alpha is the one with the smallest left-out error of the judges, rows z_i that were added (of many judges, of every k-th:
  /// `tried` tells theirs); left_out and its error are all judges'. Throws
  /// InvalidInput where fewer than two examples were added, or sizes do not fit.
  [[nodiscard]] RidgeSolution solve(const Block& judges, const RidgeSettings& settings,
                                    ThreadPool& threads) const;

 private:
  Eigen::Index columns_;
  Eigen::Index targets_;
  Eigen::MatrixXd sum_;
};

}  // namespace shapeboost
