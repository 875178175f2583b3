// SPDX-License-Identifier: MIT
// The step from scores to probabilities, for those who fit it.
#pragma once

#include "ground/matrix.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost::detail {

/// softmax over each row of slope s_c + offset_c.
[[nodiscard]] Eigen::MatrixXd probabilities(const Calibration& calibration, const Eigen::MatrixXd& scores);

}  // namespace shapeboost::detail
