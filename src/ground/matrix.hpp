// SPDX-License-Identifier: MIT
// Storage, its layout stated once: a matrix is row-major and contiguous; a view of one owns nothing.
#pragma once

#include <Eigen/Dense>

#include "shapeboost/array.hpp"

namespace shapeboost {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<const Matrix>;

/// What crosses the library's boundary, for computing with it.
[[nodiscard]] inline MatrixView mapped(const ArrayView& array) {
  return {array.data(), array.rows(), array.cols()};
}

}  // namespace shapeboost
