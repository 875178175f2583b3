// SPDX-License-Identifier: MIT
#include "model/seen_windows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace shapeboost::detail {
namespace {

// What squares floats can hold, with room for sums of them.
constexpr double kSmallest = 1e-30;
constexpr double kLargest = 1e30;

}  // namespace

void SeenWindows::look(Sight& sight, const View& view) {
  view_ = &view;
  z_normalised_ = view.normalisation == Normalisation::z;
  channels_ = view.rows();
  extent_ = real(view.extent(sight.values().cols()));
  half_span_ = 0.5 * real(view.span());
  gaps_ = extreme_ = false;
  seen_.clear();
  for (std::int64_t c = 0; c < channels_; ++c) {
    seen_.push_back(&sight.channel(view, c));
    gaps_ |= seen_.back()->has_gaps();
  }
  starts_ =
      std::max<std::int64_t>(0, std::ssize(seen_.front()->numbers()) - (view.length - 1) * view.dilation);
  number();
  if (count_ == 0) return;
  mean_.resize(at(channels_ * starts_));
  norm2_.resize(at(channels_ * starts_));
  for (std::int64_t c = 0; c < channels_; ++c) summarise(c);
}

/// Which windows there are, and their numbers: phase after phase, as for_each_segment() visits them.
void SeenWindows::number() {
  start_.clear();
  number_.clear();
  step_.clear();
  count_ = starts_;
  const std::int64_t d = view_->dilation;
  if (gaps_) {
    const auto steps = std::ssize(seen_.front()->numbers());
    number_.assign(at(starts_), -1);
    for (std::int64_t phase = 0; phase < std::min(d, starts_); ++phase) {
      std::int64_t known = 0;  // numbers without a gap, up to the present one
      for (std::int64_t t = phase; t < steps; t += d) {
        known = is_missing(t) ? 0 : known + 1;
        if (known < view_->length) continue;
        const std::int64_t start = t - (view_->length - 1) * d;
        number_[at(start)] = static_cast<std::int32_t>(step_.size());
        step_.push_back(start);
      }
    }
    for (std::int64_t t = 0; t < starts_; ++t) {
      if (number_[at(t)] >= 0) start_.push_back(t);
    }
    std::erase(number_, -1);
    count_ = std::ssize(start_);
  } else if (d > 1) {
    number_.resize(at(starts_));
    step_.resize(at(starts_));
    std::int32_t next = 0;
    for (std::int64_t phase = 0; phase < std::min(d, starts_); ++phase) {
      for (std::int64_t t = phase; t < starts_; t += d) {
        step_[at(next)] = t;
        number_[at(t)] = next++;
      }
    }
  }
}

bool SeenWindows::is_missing(std::int64_t step) const {
  return std::ranges::any_of(
      seen_, [&](const SeenChannel* channel) { return std::isnan(channel->numbers()[at(step)]); });
}

/// By sums that run along the channel. Where they have seen numbers so large that a window's deviation may be lost beside them, it
/// is summarised by itself, as is one that may be constant.
void SeenWindows::summarise(std::int64_t c) {
  constexpr double kTrusted = 1e-6;  // of the sum of squares: its rounding is less than 1e-13 of itself
  constexpr double kLevel = 1e-9;    // of the mean
  SeenChannel& channel = *seen_[at(c)];
  const std::int64_t d = view_->dilation;
  const std::int64_t reach = view_->length * d;
  const StridedSums& sums = channel.sums(d);
  const double* const sum = sums.sum.data();
  const double* const square = sums.square.data();
  double* const mean = mean_.data() + c * starts_;
  double* const norm2 = norm2_.data() + c * starts_;
  const double share = 1.0 / real(view_->length);
  const double level = channel.level();
  const double centre = view_->centre[at(c)];
  const double scale = view_->scale[at(c)];
  const auto doubtful = [&](double of_mean, double of_norm2, double seen_square) {
    const double least = kLevel * (of_mean - centre);
    return !(of_norm2 > kTrusted * seen_square) | !(of_norm2 * share > least * least) |
           !(of_norm2 > kSmallest) | !(of_norm2 < kLargest);
  };
  std::int64_t doubts = 0;
#pragma omp simd reduction(+ : doubts)
  for (std::int64_t t = 0; t < starts_; ++t) {
    const double total = sum[t + reach] - sum[t];
    const double of_mean = level + total * share;
    const double of_norm2 = (square[t + reach] - square[t]) - total * total * share;
    mean[t] = of_mean;
    norm2[t] = of_norm2;
    doubts += doubtful(of_mean, of_norm2, square[t + reach]) ? 1 : 0;
  }
  if (doubts == 0) return;
  const std::vector<std::int32_t>& equal = channel.equal(d);
  const double* const numbers = channel.numbers().data();
  std::vector<double> x;
  for (std::int64_t w = 0; w < count_; ++w) {
    const std::int64_t t = start_of(w);
    if (!doubtful(mean[t], norm2[t], square[t + reach])) continue;
    if (equal[at(t + reach - d)] >= view_->length) {
      mean[t] = numbers[t];
      norm2[t] = 0.0;
      continue;
    }
    const WindowSummary alone = summary(c, t, x);
    mean[t] = alone.mean * scale + centre;
    norm2[t] = alone.norm2 * scale * scale;
    if (z_normalised_ && alone.inv_sd > 0.0) norm2[t] /= alone.inv_sd * alone.inv_sd;
    extreme_ |= norm2[t] != 0.0 && !(norm2[t] > kSmallest && norm2[t] < kLargest);
  }
}

WindowSummary SeenWindows::summary(std::int64_t c, std::int64_t step, std::vector<double>& x) const {
  const double* const numbers = seen_[at(c)]->numbers().data() + step;
  x.resize(at(view_->length));
  for (std::int64_t k = 0; k < view_->length; ++k) {
    x[at(k)] = (numbers[k * view_->dilation] - view_->centre[at(c)]) / view_->scale[at(c)];
  }
  const bool raw = view_->normalisation == Normalisation::raw;
  WindowSummary result;
  summarise_windows(x.data(), 1, view_->length, raw ? Normalisation::centred : view_->normalisation, &result);
  return result;
}

double SeenWindows::norm2(std::int64_t step) const {
  if (z_normalised_) return real(view_->numbers());  // less where a channel is constant
  double sum = 0.0;
  for (std::int64_t c = 0; c < channels_; ++c) {
    const double scale = view_->scale[at(c)];
    sum += norm2_[at(c * starts_ + step)] / (scale * scale);
  }
  return sum;
}

void SeenWindows::take(std::int64_t first, float farthest) {
  const std::int64_t count = std::min(kBlock, count_ - first);
  tiles_ = (count + kTile - 1) / kTile;
  const std::int64_t end = tiles_ * kTile;
  if (std::ssize(blocks_) < channels_) {
    blocks_.resize(at(channels_));
    shift_.resize(at(channels_ * kBlock));
    factor_.resize(at(channels_ * kBlock));
    mean_high_.resize(at(channels_ * kBlock));
    mean_low_.resize(at(channels_ * kBlock));
  }
  own_.resize(at(kBlock));
  minus_.resize(at(kBlock));
  place_.resize(at(kBlock));
  order_.resize(at(kBlock));
  const bool neighbours = start_of(first + count - 1) - start_of(first) == count - 1;
  if (!neighbours || extreme_ || !take_together(first, count, farthest)) take_apart(first, count);
  const auto fill_rest = [&](float* values, float value) { std::fill(values + count, values + end, value); };
  for (std::int64_t c = 0; c < channels_; ++c) {
    WindowBlock& block = blocks_[at(c)];
    block.tiles = tiles_;
    block.length = view_->length;
    block.shift = shift_.data() + c * kBlock;
    block.factor = factor_.data() + c * kBlock;
    block.minus = c == 0 ? minus_.data() : nullptr;
    fill_rest(shift_.data() + c * kBlock, 0.0F);
    fill_rest(factor_.data() + c * kBlock, 0.0F);
  }
  fill_rest(minus_.data(), std::numeric_limits<float>::quiet_NaN());
  take_terms(first, count);
}

/// False where a window is too far from the centre.
bool SeenWindows::take_together(std::int64_t first, std::int64_t count, float farthest) {
  const std::int64_t begin = start_of(first);
  const std::int64_t span = (view_->length - 1) * view_->dilation;
  const std::int64_t width = tiles_ * kTile + span;
  const double share = 1.0 / real(view_->length);
  x_.resize(at(channels_ * width));
  int far = 0;
  for (std::int64_t c = 0; c < channels_; ++c) {
    const double* const mean = mean_.data() + c * starts_ + begin;
    const double* const norm2 = norm2_.data() + c * starts_ + begin;
    constexpr std::int64_t kAsked = 8;  // means, for the centre
    double centre = 0.0;
    for (std::int64_t k = 0; k < kAsked; ++k) centre += mean[k * (count - 1) / (kAsked - 1)] / real(kAsked);
    const double* const numbers = seen_[at(c)]->numbers().data() + begin;
    float* const x = x_.data() + c * width;
    for (std::int64_t i = 0; i < count + span; ++i) x[i] = static_cast<float>(numbers[i] - centre);
    std::fill(x + count + span, x + width, 0.0F);
    blocks_[at(c)].x = x;
    blocks_[at(c)].stride = view_->dilation;
    float* const shift = shift_.data() + c * kBlock;
    float* const factor = factor_.data() + c * kBlock;
    float* const own = c == 0 ? minus_.data() : own_.data();
    if (z_normalised_) {
      const auto length = static_cast<float>(view_->length);
#pragma omp simd
      for (std::int64_t v = 0; v < count; ++v) {
        const auto variance = static_cast<float>(norm2[v] * share);
        const bool constant = variance == 0.0F;
        factor[v] = constant ? 0.0F : 2.0F / std::sqrt(variance);
        own[v] = constant ? 0.0F : length;
      }
    } else {
      const double per_scale2 = 1.0 / (view_->scale[at(c)] * view_->scale[at(c)]);
      const auto scaled = static_cast<float>(2.0 / view_->scale[at(c)]);
#pragma omp simd
      for (std::int64_t v = 0; v < count; ++v) {
        factor[v] = scaled;
        own[v] = static_cast<float>(norm2[v] * per_scale2);
      }
    }
#pragma omp simd reduction(| : far)
    for (std::int64_t v = 0; v < count; ++v) {
      shift[v] = static_cast<float>(mean[v] - centre);
      far |= std::abs(shift[v]) * factor[v] <= farthest ? 0 : 1;
    }
    add_norms(c, count);
  }
  return far == 0;
}

void SeenWindows::take_apart(std::int64_t first, std::int64_t count) {
  const double length = real(view_->length);
  const std::int64_t stride = tiles_ * kTile;
  x_.assign(at(view_->numbers() * stride), 0.0F);
  inv_sd_.resize(at(kBlock));
  double* const inv_sd = inv_sd_.data();
  for (std::int64_t c = 0; c < channels_; ++c) {
    float* const x = x_.data() + c * view_->length * stride;
    blocks_[at(c)].x = x;
    blocks_[at(c)].stride = stride;
    std::fill_n(shift_.data() + c * kBlock, count, 0.0F);
    std::fill_n(factor_.data() + c * kBlock, count, 2.0F);
    const double* const mean = mean_.data() + c * starts_;
    const double scale = view_->scale[at(c)];
    float* const own = c == 0 ? minus_.data() : own_.data();
    for (std::int64_t v = 0; v < count; ++v) {
      const double norm2 = norm2_[at(c * starts_ + start_of(first + v))];
      const bool constant = norm2 == 0.0;
      inv_sd[v] = !z_normalised_ ? 1.0 / scale : constant ? 0.0 : 1.0 / std::sqrt(norm2 / length);
      own[v] = static_cast<float>(!z_normalised_ ? norm2 / (scale * scale) : constant ? 0.0 : length);
    }
    add_norms(c, count);
    for (std::int64_t k = 0; k < view_->length; ++k) {
      const double* const numbers = seen_[at(c)]->numbers().data() + k * view_->dilation;
      float* const out = x + k * stride;
      if (start_.empty()) {
#pragma omp simd
        for (std::int64_t v = 0; v < count; ++v) {
          out[v] = static_cast<float>((numbers[first + v] - mean[first + v]) * inv_sd[v]);
        }
      } else {
        for (std::int64_t v = 0; v < count; ++v) {
          const std::int64_t t = start_[at(first + v)];
          out[v] = static_cast<float>((numbers[t] - mean[t]) * inv_sd[v]);
        }
      }
    }
  }
}

/// Those of the first row are in their place already.
void SeenWindows::add_norms(std::int64_t c, std::int64_t count) {
  for (std::int64_t v = 0; c > 0 && v < count; ++v) minus_[at(v)] += own_[at(v)];
}

/// What else a comparison takes. Of windows beyond the last nothing matters: they compare as false.
void SeenWindows::take_terms(std::int64_t first, std::int64_t count) {
  for (std::int64_t c = 0; view_->normalisation == Normalisation::raw && c < channels_; ++c) {
    const double* const mean = mean_.data() + c * starts_;
    const double centre = view_->centre[at(c)];
    const double per_scale = 1.0 / view_->scale[at(c)];
    float* const high = mean_high_.data() + c * kBlock;
    float* const low = mean_low_.data() + c * kBlock;
    const auto split = [&](std::int64_t v, double x) {
      high[v] = static_cast<float>(x);
      low[v] = static_cast<float>(x - static_cast<double>(high[v]));
    };
    if (start_.empty()) {
#pragma omp simd
      for (std::int64_t v = 0; v < count; ++v) split(v, (mean[first + v] - centre) * per_scale);
    } else {
      for (std::int64_t v = 0; v < count; ++v) split(v, (mean[start_[at(first + v)]] - centre) * per_scale);
    }
  }
  for (std::int64_t v = 0; view_->tau > 0.0 && v < count; ++v) {
    place_[at(v)] = static_cast<float>(place_of(start_of(first + v)));
  }
  if (number_.empty()) {
    std::iota(order_.begin(), order_.begin() + count, static_cast<std::int32_t>(first));
  } else {
    std::copy_n(number_.begin() + first, count, order_.begin());
  }
}

}  // namespace shapeboost::detail
