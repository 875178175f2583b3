// SPDX-License-Identifier: MIT
// Storage, its layout stated once: a matrix is row-major and contiguous; a view of one owns nothing.
#pragma once

#include <Eigen/Dense>
#include <algorithm>

#include "shapeboost/array.hpp"

namespace shapeboost {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<const Matrix>;

/// What crosses the library's boundary, for computing with it.
[[nodiscard]] inline MatrixView mapped(const ArrayView& array) {
  return {array.data(), array.rows(), array.cols()};
}

/// The other way round: `values` must outlive what is returned.
[[nodiscard]] inline ArrayView viewed(const Matrix& values) {
  return {values.data(), values.rows(), values.cols()};
}

/// A copy for the boundary.
[[nodiscard]] inline Array<double> array_of(const Matrix& values) {
  Array<double> copy(values.rows(), values.cols());
  std::copy(values.data(), values.data() + values.size(), copy.data());
  return copy;
}

}  // namespace shapeboost
