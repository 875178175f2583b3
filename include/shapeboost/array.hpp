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
  [[nodiscard]] double operator()(std::integral auto i, std::integral auto j) const {
    return row(i)[static_cast<std::size_t>(j)];
  }
  [[nodiscard]] std::span<const double> row(std::integral auto i) const {
    return {data_ + static_cast<std::int64_t>(i) * cols_, static_cast<std::size_t>(cols_)};
  }

 private:
  const double* data_;
  std::int64_t rows_;
  std::int64_t cols_;
};

/// A matrix whose zeros are left out, that somebody else owns: row r has values[k] in column columns[k], rising, for k
/// from starts[r] to starts[r + 1].
class SparseView {
 public:
  struct Row {
    std::span<const std::int32_t> columns;
    std::span<const double> values;
  };

  /// `starts` has one entry more than there are rows.
  SparseView(std::span<const std::int64_t> starts, const std::int32_t* columns, const double* values,
             std::int64_t cols)
      : starts_(starts), columns_(columns), values_(values), cols_(cols) {}

  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(starts_.size()) - 1; }
  [[nodiscard]] std::int64_t cols() const { return cols_; }
  /// Numbers that are held.
  [[nodiscard]] std::int64_t size() const { return starts_.back() - starts_.front(); }
  [[nodiscard]] Row row(std::integral auto r) const {
    const std::int64_t begin = starts_[static_cast<std::size_t>(r)];
    const auto count = static_cast<std::size_t>(starts_[static_cast<std::size_t>(r) + 1] - begin);
    return {{columns_ + begin, count}, {values_ + begin, count}};
  }

 private:
  std::span<const std::int64_t> starts_;
  const std::int32_t* columns_;
  const double* values_;
  std::int64_t cols_;
};

/// A matrix of its own.
template <typename T>
class Array {
 public:
  Array() = default;
  Array(std::integral auto rows, std::integral auto cols, T value = {})
      : rows_(static_cast<std::int64_t>(rows)),
        cols_(static_cast<std::int64_t>(cols)),
        values_(static_cast<std::size_t>(size()), value) {}

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t cols() const { return cols_; }
  [[nodiscard]] std::int64_t size() const { return rows_ * cols_; }
  [[nodiscard]] const T* data() const { return values_.data(); }
  [[nodiscard]] T* data() { return values_.data(); }
  [[nodiscard]] const T& operator()(std::integral auto i, std::integral auto j) const {
    return row(i)[static_cast<std::size_t>(j)];
  }
  [[nodiscard]] T& operator()(std::integral auto i, std::integral auto j) {
    return values_[static_cast<std::size_t>(i) * static_cast<std::size_t>(cols_) +
                   static_cast<std::size_t>(j)];
  }
  [[nodiscard]] std::span<const T> row(std::integral auto i) const {
    return {values_.data() + static_cast<std::int64_t>(i) * cols_, static_cast<std::size_t>(cols_)};
  }

  operator ArrayView() const  // NOLINT(google-explicit-constructor): as a string is a string_view
      requires std::same_as<T, double> {
    return {values_.data(), rows_, cols_};
  }
  bool operator==(const Array&) const = default;

 private:
  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
  std::vector<T> values_;
};

}  // namespace shapeboost
