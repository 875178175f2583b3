// SPDX-License-Identifier: MIT
// Storage, its layout stated once: a matrix is row-major and contiguous; a view of one owns nothing.
#pragma once

#include <Eigen/Dense>

namespace shapeboost {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<const Matrix>;

}  // namespace shapeboost
