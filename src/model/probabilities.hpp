// SPDX-License-Identifier: MIT
// The steps from scores to probabilities, for those who fit them.
#pragma once

#include "ground/matrix.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost::detail {

/// The unit of a part's scores: their mean size over its training bags, or 1 where it is not known.
[[nodiscard]] double score_unit(const Part& part);

/// softmax over each row of slope s_c + offset_c.
[[nodiscard]] Eigen::MatrixXd probabilities(const Calibration& calibration, const Eigen::MatrixXd& scores);

}  // namespace shapeboost::detail
