// SPDX-License-Identifier: MIT
// How much groups of columns count in a ridge regression. Its penalty alpha |W|^2 takes all columns for equally likely to
// tell something; where most of a group are noise (places where series are not aligned, channels that know nothing) their
// number alone drowns the others. A group multiplied by f < 1 is penalised 1 / f^2 times as much; f is chosen by the
// left-out error.
#pragma once

#include <vector>

#include "ground/matrix.hpp"
#include "ground/parallel.hpp"
#include "train/evidence.hpp"

namespace shapeboost::detail {

/// A number for each column.
using Factors = std::vector<float>;

/// The examples that judge, evenly over the data where there are many.
struct Judges {
  Columns X;
  Eigen::MatrixXd Y;
  Vector v;  // empty: all 1
};

struct ChosenFactors {
  Factors factors;
  double alpha = 0.0;  ///< that went with them
};

/// Choice after choice the alternative, multiplied by what was chosen before, whose left-out error is smallest; of equals
/// the first. Every choice has at least one alternative.
[[nodiscard]] ChosenFactors choose_factors(Judges judges, const std::vector<std::vector<Factors>>& choices,
                                           ThreadPool& threads);

/// How much less than 1, the error of guessing, the left-out error of each group of columns alone is: between 0 and 1,
/// relative to the largest. Groups are numbers from 0; a column with a negative number is in none. A group without
/// columns is as telling as the others are in the mean.
[[nodiscard]] std::vector<double> relevance(const Judges& judges, const std::vector<int>& group, int groups,
                                            ThreadPool& threads);

}  // namespace shapeboost::detail
