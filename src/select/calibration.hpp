// SPDX-License-Identifier: MIT
// The steps of calibration.
#pragma once

#include <vector>

#include "ground/matrix.hpp"
#include "shapeboost/calibration.hpp"

namespace shapeboost {

/// a and b of scores, one row an example, of which labels_i is the class. a is 0 where the scores point the
/// wrong way or say nothing: the probabilities are then the classes' shares.
[[nodiscard]] Calibration fit_calibration(const Eigen::MatrixXd& scores, const std::vector<int>& labels);

/// sum_i sum_c t_ic log(1 / p_ic), what fit_calibration() minimises.
[[nodiscard]] double calibration_loss(const Calibration& calibration, const Eigen::MatrixXd& scores,
                                      const std::vector<int>& labels);

}  // namespace shapeboost
