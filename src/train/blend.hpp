// SPDX-License-Identifier: MIT
// Several classifiers added.
//
// Of bags there is a regression for each kind of evidence e, and g = c + sum_e beta_e g_e. With g_e^(i) what e's
// regression says of an example i that it is solved without, and the same of the average of boosted members that were
// trained without i,
//
//     min over c, beta >= 0   sum_i v_i log(1 + exp(-2 y_i g^(i))) + lambda/2 sum_i v_i sum_e (beta_e - beta_e^0)^2,
//
// so that what tells nothing of new examples counts for nothing: logistic regression with P(y = 1) = 1 / (1 + exp(-2 g)), by
// which y is expected to be tanh(g). Its offset lies where the classes meet, while that of least squares is drawn to the
// side on which scores are large. beta^0 is 1/2 for the average, in units of the mean of its |g^(i)|, and 1/2 shared out over
// the kinds; where there is no average, 1. lambda is 0.02.
#pragma once

#include <vector>

#include "ground/matrix.hpp"

namespace shapeboost::detail {

/// g = offset + sum_k beta_k g_k, beta >= 0.
struct Shares {
  Vector beta;
  Vector offset;  // of each part
};

/// `left_out` has of each the scores of examples that it has not seen, an example a row, a part a column, as Y has its
/// targets; `expected` is beta^0, v the examples' weights or empty.
[[nodiscard]] Shares blended(const std::vector<Eigen::MatrixXd>& left_out, const Vector& expected,
                             const Eigen::MatrixXd& Y, const Vector& v);

}  // namespace shapeboost::detail
