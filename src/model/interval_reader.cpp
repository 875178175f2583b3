// SPDX-License-Identifier: MIT
#include "model/interval_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "view/gaps.hpp"
#include "view/spectrum.hpp"

namespace shapeboost {
namespace {

/// Part number q of a depth: its first and last end as shares of the whole. Parts between come after the others.
std::array<double, 2> ends(int depth, std::int64_t q) {
  const std::int64_t count = std::int64_t{1} << depth;
  const double part = 1.0 / real(count);
  const double first = q < count ? real(q) * part : (real(q - count) + 0.5) * part;
  return {first, first + part};
}

std::int64_t parts_at(int depth) { return (std::int64_t{2} << depth) - 1; }

/// Centred twice, so that what is far from 0 or long loses no digits.
std::array<double, kMoments> moments_of(std::span<const double> x) {
  const auto n = real(std::ssize(x));
  double level = 0.0;
  for (const double value : x) level += value / n;
  double rest = 0.0;
  for (const double value : x) rest += (value - level) / n;
  level += rest;
  double squares = 0.0;
  double product = 0.0;
  double times = 0.0;
  double t = -0.5 * (n - 1.0);
  for (const double value : x) {
    squares += (value - level) * (value - level);
    product += t * (value - level);
    times += t * t;
    t += 1.0;
  }
  return {level, std::sqrt(squares / n), times > 0.0 ? product / times * (n - 1.0) : 0.0};
}

/// One channel, its gaps filled, as the transform shows it; empty where there is nothing to see.
std::vector<double> transformed(std::vector<double> x, Transform transform, std::int64_t period) {
  detail::fill_gaps(x);
  detail::fill_ends(x);
  if (std::isnan(x.front())) return {};
  if (transform == Transform::differences) {
    for (std::size_t t = 0; t + 1 < x.size(); ++t) x[t] = x[t + 1] - x[t];
    x.pop_back();
  } else if (transform == Transform::spectrum) {
    const Matrix amplitudes = detail::spectra(Eigen::Map<const Matrix>(x.data(), 1, std::ssize(x)), period);
    x.assign(amplitudes.data(), amplitudes.data() + amplitudes.size());
    if (std::ranges::any_of(x, [](double value) { return std::isnan(value); })) return {};
  }
  return x;
}

}  // namespace

std::string_view to_string(Moment moment) {
  switch (moment) {
    case Moment::level: break;
    case Moment::spread: return "spread";
    case Moment::slope: return "slope";
  }
  return "level";
}

std::size_t detail::interval_parts(int depth) {
  std::int64_t parts = 0;
  for (int d = 0; d <= depth; ++d) parts += parts_at(d);
  return static_cast<std::size_t>(parts);
}

std::size_t Intervals::size() const {
  return transforms.size() * static_cast<std::size_t>(channels) * detail::interval_parts(depth) * kMoments;
}

std::size_t Intervals::groups() const {
  return transforms.size() * static_cast<std::size_t>(channels) * static_cast<std::size_t>(depth + 1);
}

std::size_t Intervals::group(std::size_t k) const {
  const std::size_t each = detail::interval_parts(depth);
  auto q = static_cast<std::int64_t>(k / kMoments % each);
  int d = 0;
  for (; q >= parts_at(d); ++d) q -= parts_at(d);
  return k / kMoments / each * static_cast<std::size_t>(depth + 1) + static_cast<std::size_t>(d);
}

Interval Intervals::at(std::size_t k) const {
  Interval result;
  result.moment = static_cast<Moment>(k % kMoments);
  k /= kMoments;
  const std::size_t each = detail::interval_parts(depth);
  auto q = static_cast<std::int64_t>(k % each);
  k /= each;
  result.channel = static_cast<int>(k % static_cast<std::size_t>(channels));
  result.transform = transforms[k / static_cast<std::size_t>(channels)];
  int d = 0;
  for (; q >= parts_at(d); ++d) q -= parts_at(d);
  const auto [first, last] = ends(d, q);
  result.first = first;
  result.last = last;
  return result;
}

std::array<std::int64_t, 2> detail::interval_steps(const Interval& interval, std::int64_t n) {
  // What it covers in part belongs to it: the shortest has a value too.
  const auto first = std::min(n - 1, static_cast<std::int64_t>(std::floor(interval.first * real(n))));
  const auto last = static_cast<std::int64_t>(std::ceil(interval.last * real(n)));
  return {first, std::clamp(last, first + 1, n)};
}

void detail::read_intervals(const Intervals& intervals, const ArrayView& values, std::span<double> moments) {
  auto out = moments.begin();
  std::vector<double> row(at(values.cols()));
  for (const Transform transform : intervals.transforms) {
    for (int channel = 0; channel < intervals.channels; ++channel) {
      for (std::int64_t t = 0; t < values.cols(); ++t) row[at(t)] = values(channel, t);
      const std::vector<double> x = transformed(row, transform, intervals.period);
      const std::int64_t n = std::ssize(x);
      for (int depth = 0; depth <= intervals.depth; ++depth) {
        for (std::int64_t q = 0; q < parts_at(depth); ++q) {
          if (x.empty()) {
            out = std::fill_n(out, kMoments, std::numeric_limits<double>::quiet_NaN());
            continue;
          }
          const auto [from, to] = ends(depth, q);
          const auto [first, last] = interval_steps({.first = from, .last = to}, n);
          out = std::ranges::copy(moments_of(std::span(x).subspan(at(first), at(last - first))), out).out;
        }
      }
    }
  }
}

double detail::standardised(const Standard& standard, double moment) {
  if (std::isnan(moment)) return 0.0;
  return std::clamp((moment - standard.centre) / standard.scale, -Intervals::kMostDeviations,
                    Intervals::kMostDeviations);
}

double contribution(const Intervals& intervals, const Part& part, std::size_t k, double moment) {
  return part.intervals[k] * detail::standardised(intervals.standard[k], moment);
}

}  // namespace shapeboost
