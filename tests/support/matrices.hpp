// SPDX-License-Identifier: MIT
// Examples from Eigen's matrices, as tests make them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include "ground/matrix.hpp"
#include "shapeboost/dataset.hpp"

namespace shapeboost {

inline void add(Dataset& data, const Matrix& values, const std::string& label, std::string name) {
  data.add(viewed(values), label, std::move(name));
}

/// Row after row.
template <typename T>
Array<T> array(std::int64_t rows, std::int64_t cols, std::initializer_list<T> values) {
  Array<T> result(rows, cols);
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

}  // namespace shapeboost
