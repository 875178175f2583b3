// SPDX-License-Identifier: MIT
// How much groups of columns count in a ridge regression. Its penalty alpha |W|^2 takes all columns for equally likely to
// tell something; where most of a group are noise (places where series are not aligned, channels that know nothing) their
// number alone drowns the others. A group multiplied by f < 1 is penalised 1 / f^2 times as much; f is chosen by the
// left-out error, for which the groups' Gram matrices are enough: K = sum_g f_g^2 K_g.
#pragma once

#include <utility>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/parallel.hpp"
#include "train/evidence.hpp"

namespace shapeboost::detail {

/// A number for each group.
using Factors = std::vector<double>;

/// The examples that judge what groups of columns count.
class Judges {
 public:
  /// group[j] is column j's, from 0; v empty means all 1. `threads` must outlive it.
  Judges(const Columns& X, Eigen::MatrixXd Y, Vector v, const std::vector<int>& group, int groups,
         ThreadPool& threads);

  /// Of the columns multiplied by their groups' factors: alpha and its left-out error.
  [[nodiscard]] std::pair<double, double> left_out(const Factors& factors) const;

  /// The alternative whose left-out error is smallest, of equals the first, and the alpha that went with it.
  [[nodiscard]] std::pair<Factors, double> choose(const std::vector<Factors>& alternatives) const;

  /// How much less than 1, the error of guessing, the left-out error of each group alone is: between 0 and 1, and 0 where
  /// a group has no columns.
  [[nodiscard]] std::vector<double> relevance() const;

  /// Among the groups' relevance, relative to the largest, to powers from 0 (all count the same) to 4.
  [[nodiscard]] std::pair<Factors, double> choose_by_relevance() const;

 private:
  Eigen::MatrixXd Y_;
  Vector v_;
  std::vector<Eigen::MatrixXd> K_;     // of each group
  std::vector<Eigen::Index> columns_;  // of each group
  ThreadPool* threads_;
};

}  // namespace shapeboost::detail
