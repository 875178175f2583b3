// SPDX-License-Identifier: MIT
// Numbers in rows and columns as they cross the library's boundary: row-major and contiguous.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shapeboost {

/// A matrix that somebody else owns.
class ArrayView {
 public:
  ArrayView(const double* data, std::int64_t rows, std::int64_t cols)
      : data_(data), rows_(rows), cols_(cols) {}
  /// A single row.
  ArrayView(const std::vector<double>& row)  // NOLINT(google-explicit-constructor)
      : ArrayView(row.data(), 1, static_cast<std::int64_t>(row.size())) {}

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t cols() const { return cols_; }
  [[nodiscard]] std::int64_t size() const { return rows_ * cols_; }
  [[nodiscard]] const double* data() const { return data_; }
  [[nodiscard]] double operator()(std::int64_t i, std::int64_t j) const { return data_[i * cols_ + j]; }
  [[nodiscard]] std::span<const double> row(std::int64_t i) const {
    return {data_ + i * cols_, static_cast<std::size_t>(cols_)};
  }

 private:
  const double* data_;
  std::int64_t rows_;
  std::int64_t cols_;
};

/// A matrix of its own.
template <typename T>
class Array {
 public:
  Array() = default;
  Array(std::int64_t rows, std::int64_t cols, T value = {})
      : rows_(rows), cols_(cols), values_(static_cast<std::size_t>(rows * cols), value) {}

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t cols() const { return cols_; }
  [[nodiscard]] std::int64_t size() const { return rows_ * cols_; }
  [[nodiscard]] const T* data() const { return values_.data(); }
  [[nodiscard]] T* data() { return values_.data(); }
  [[nodiscard]] const T& operator()(std::int64_t i, std::int64_t j) const { return values_[at(i, j)]; }
  [[nodiscard]] T& operator()(std::int64_t i, std::int64_t j) { return values_[at(i, j)]; }
  [[nodiscard]] std::span<const T> row(std::int64_t i) const {
    return {values_.data() + i * cols_, static_cast<std::size_t>(cols_)};
  }

  operator ArrayView() const  // NOLINT(google-explicit-constructor): as a string is a string_view
      requires std::same_as<T, double> {
    return {values_.data(), rows_, cols_};
  }
  bool operator==(const Array&) const = default;

 private:
  [[nodiscard]] std::size_t at(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(i * cols_ + j);
  }

  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
  std::vector<T> values_;
};

}  // namespace shapeboost
