// SPDX-License-Identifier: MIT
#include "view/sight.hpp"

#include <cmath>
#include <span>

#include "ground/numbers.hpp"
#include "view/windows.hpp"

namespace shapeboost::detail {

const StridedSums& SeenChannel::sums(std::int64_t dilation) {
  StridedSums& sums = dilation == 1 ? near_ : far_;
  if (sums.dilation == dilation) return sums;
  sums.dilation = dilation;
  const std::size_t n = numbers_.size();
  const std::size_t d = at(dilation);
  sums.sum.resize(n + d);
  sums.square.resize(n + d);
  double* const sum = sums.sum.data();
  double* const square = sums.square.data();
  std::fill(sum, sum + d, 0.0);
  std::fill(square, square + d, 0.0);
  const double* const x = numbers_.data();
  if (d == 1 && !gaps_) {
    double s = 0.0;
    double q = 0.0;
    for (std::size_t t = 0; t < n; ++t) {
      const double apart = x[t] - level_;
      sum[t + 1] = s += apart;
      square[t + 1] = q += apart * apart;
    }
    return sums;
  }
  for (std::size_t t = 0; t < n; ++t) {
    const double apart = std::isnan(x[t]) ? 0.0 : x[t] - level_;
    sum[t + d] = sum[t] + apart;
    square[t + d] = square[t] + apart * apart;
  }
  return sums;
}

const std::vector<std::int32_t>& SeenChannel::equal(std::int64_t dilation) {
  if (equal_of_ == dilation) return equal_;
  equal_of_ = dilation;
  const std::size_t d = at(dilation);
  equal_.assign(numbers_.size(), 1);
  for (std::size_t t = d; t < equal_.size(); ++t) {
    if (numbers_[t] == numbers_[t - d]) equal_[t] = equal_[t - d] + 1;
  }
  return equal_;
}

void Sight::look_at(const ArrayView& values, const std::string& name) {
  values_ = values;
  name_ = &name;
  for (auto& channels : seen_) {
    for (auto& [number, channel] : channels) channel.known_ = false;
  }
}

SeenChannel& Sight::channel(const View& view, std::int64_t row) {
  const std::int64_t number = view.channel(row);
  SeenChannel& channel = seen_[static_cast<std::size_t>(view.transform)][number];
  if (channel.known_ && channel.period_ == view.period && channel.missing_ == view.missing) return channel;
  const std::span<const double> values = values_.row(number);
  check_finite(values, *name_);
  channel.numbers_.resize(at(seen_steps(values_.cols(), view)));
  see_channel(values, view, channel.numbers_);
  double sum = 0.0;
  std::size_t known = 0;
  for (const double x : channel.numbers_) {
    if (std::isnan(x)) continue;
    sum += x;
    ++known;
  }
  channel.gaps_ = known < channel.numbers_.size();
  channel.level_ = known > 0 ? sum / real(known) : 0.0;
  channel.near_.dilation = channel.far_.dilation = channel.equal_of_ = 0;
  channel.period_ = view.period;
  channel.missing_ = view.missing;
  channel.known_ = true;
  return channel;
}

}  // namespace shapeboost::detail
