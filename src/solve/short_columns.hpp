// SPDX-License-Identifier: MIT
// A matrix of many columns in 16 bits a number: whole multiples of a unit that each column has for itself. Of standardised
// evidence this is as exact as evidence is read, and takes half the memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"

namespace shapeboost {

class ShortColumns {
 public:
  using Index = Eigen::Index;
  struct Column {
    const std::int16_t* numbers;
    double unit;
    [[nodiscard]] double operator[](Index i) const { return unit * static_cast<double>(numbers[i]); }
  };

  ShortColumns() = default;
  explicit ShortColumns(const Eigen::Ref<const Eigen::MatrixXf>& X) : rows_(X.rows()) {
    auto block = std::make_shared<std::vector<std::int16_t>>(at(X.size()));
    for (Index j = 0; j < X.cols(); ++j) {
      std::int16_t* const to = block->data() + j * rows_;
      columns_.push_back({to, rounded(X.col(j), to)});
    }
    blocks_.push_back(std::move(block));
  }

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return std::ssize(columns_); }
  [[nodiscard]] const Column& column(Index j) const { return columns_[at(j)]; }

  /// Behind the last column; nothing is copied.
  void append(ShortColumns other) {
    rows_ = std::max(rows_, other.rows_);
    columns_.insert(columns_.end(), other.columns_.begin(), other.columns_.end());
    for (auto& block : other.blocks_) blocks_.push_back(std::move(block));
  }
  void multiply(Index j, double factor) { columns_[at(j)].unit *= factor; }
  /// These columns; nothing is copied.
  [[nodiscard]] ShortColumns of(const std::vector<Index>& columns) const {
    ShortColumns some;
    some.rows_ = rows_;
    some.blocks_ = blocks_;
    for (const Index j : columns) some.columns_.push_back(columns_[at(j)]);
    return some;
  }
  /// At most so many rows, evenly.
  [[nodiscard]] Eigen::MatrixXf some_rows(Index most) const { return some_rows(most, 0, cols()); }
  /// Of `width` columns from `first` on.
  [[nodiscard]] Eigen::MatrixXf some_rows(Index most, Index first, Index width) const {
    const Index count = std::min(rows_, most);
    std::vector<Index> rows;
    for (Index i = 0; i < count; ++i) rows.push_back(i * rows_ / count);
    Eigen::MatrixXf some(count, width);
    for (Index j = 0; j < width; ++j) {
      const Column& from = column(first + j);
      for (Index i = 0; i < count; ++i) some(i, j) = static_cast<float>(from[rows[at(i)]]);
    }
    return some;
  }

 private:
  /// The unit.
  static double rounded(const Eigen::Ref<const Eigen::VectorXf>& x, std::int16_t* to) {
    constexpr double kLargest = 32767.0;
    const double largest = x.size() > 0 ? static_cast<double>(x.cwiseAbs().maxCoeff()) : 0.0;
    const double unit = largest > 0.0 ? largest / kLargest : 1.0;
    for (Index i = 0; i < x.size(); ++i) {
      to[i] = static_cast<std::int16_t>(std::lround(static_cast<double>(x[i]) / unit));
    }
    return unit;
  }

  Index rows_ = 0;
  std::vector<Column> columns_;
  std::vector<std::shared_ptr<const std::vector<std::int16_t>>> blocks_;  // that hold them
};

}  // namespace shapeboost
