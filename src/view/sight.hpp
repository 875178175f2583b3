// SPDX-License-Identifier: MIT
// What views see of one series: its channels, their gaps filled and transformed, and sums along them. Views that
// differ in length, normalisation or kernel see the same, so it is kept from one to the next.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "shapeboost/array.hpp"
#include "shapeboost/view.hpp"

namespace shapeboost::detail {

/// Of the numbers x of a channel, those that are missing taken for the level:
///
///     sum[t] = sum_{s = t - d, t - 2 d, ... >= 0} (x[s] - level),    square[t] likewise of (x[s] - level)^2,
///
/// t = 0 ... size + d - 1: the window that begins at t, of `length` numbers d steps apart, has the sum
/// sum[t + length d] - sum[t].
struct StridedSums {
  std::int64_t dilation = 0;  ///< d; 0: not known yet
  std::vector<double> sum{};
  std::vector<double> square{};
};

class SeenChannel {
 public:
  [[nodiscard]] const std::vector<double>& numbers() const { return numbers_; }  ///< NaN where one is missing
  [[nodiscard]] bool has_gaps() const { return gaps_; }
  [[nodiscard]] double level() const { return level_; }  ///< mean of the numbers that are known
  /// Kept for dilation 1 and for the last other one.
  [[nodiscard]] const StridedSums& sums(std::int64_t dilation);
  /// Of each number, how many of those before it, so many steps apart and itself counted, are equal without a break: a window
  /// is constant where its last number has as many as it is long.
  [[nodiscard]] const std::vector<std::int32_t>& equal(std::int64_t dilation);

 private:
  friend class Sight;
  bool known_ = false;
  std::int64_t period_ = 0;  // what they were seen with, beside the transform
  Missing missing_ = Missing::skip;
  std::vector<double> numbers_{};
  bool gaps_ = false;
  double level_ = 0.0;
  StridedSums near_{};
  StridedSums far_{};
  std::int64_t equal_of_ = 0;  // a dilation; 0: not known yet
  std::vector<std::int32_t> equal_{};
};

/// For one thread, series after series: what it holds for one is room for the next.
class Sight {
 public:
  /// At another series, called `name`; both must outlive what is asked of it.
  void look_at(const ArrayView& values, const std::string& name);

  [[nodiscard]] const ArrayView& values() const { return values_; }
  [[nodiscard]] const std::string& name() const { return *name_; }

  /// The channel that a row of the view's windows shows, neither centred nor scaled, until look_at(). Throws InvalidInput
  /// where one of its values is infinite.
  [[nodiscard]] SeenChannel& channel(const View& view, std::int64_t row);

 private:
  ArrayView values_{nullptr, 0, 0};
  const std::string* name_ = nullptr;
  std::array<std::map<std::int64_t, SeenChannel>, 3> seen_{};  // of each transform, by channel
};

}  // namespace shapeboost::detail
