// SPDX-License-Identifier: MIT
// How telling groups of columns are. A ridge regression's penalty alpha |W|^2 takes all columns for equally likely to
// tell something; where most of a group are noise (windows of a length that does not matter, places where series are not
// aligned, channels that know nothing) their number alone drowns the others. A group that is multiplied by f < 1 is
// penalised 1 / f^2 times as much. f is the group's relevance: the share of the targets' variance that a ridge
// regression on this group alone explains, of examples left out.
#pragma once

#include "ground/matrix.hpp"
#include "train/evidence.hpp"

namespace shapeboost::detail {

/// Between 0 (no better than guessing the targets' means) and 1. X is m x p, Y is m x t, v empty means all 1. With
/// X~'X~ = Q L Q' and U = X~Q, for every alpha
///
///     X~W = U (L + alpha I)^-1 U'Y~,    H_ii = v_i / sum v + sum_k U_ik^2 / (l_k + alpha),
///
/// from which the left-out errors follow as in ridge.hpp; the least of them counts. Products in single precision: it ends as a
/// factor of three digits. Costs m p^2 + p^3.
[[nodiscard]] double relevance(const Eigen::Ref<const Columns>& X, const Eigen::MatrixXd& Y, const Vector& v);

/// What groups of such relevance are multiplied by: relative to the largest, and never nothing. All 1 where none is relevant.
[[nodiscard]] std::vector<double> factors_of(const std::vector<double>& relevance);

}  // namespace shapeboost::detail
