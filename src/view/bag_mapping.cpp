// SPDX-License-Identifier: MIT
#include "view/bag_mapping.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"

namespace shapeboost::detail {
namespace {

/// Instances that quantiles and sizes are learned from, at most; evenly over the data.
constexpr std::int64_t kLookedAt = 2000;
/// Of the lengths above 0: lengths of this share and below are all small.
constexpr double kSmallShare = 0.01;
constexpr double kBelow = 0.1;

/// The place of x among quantiles q_0 <= ... <= q_n, in [0, 1]: the middle one of those that equal x, else on the line
/// between its neighbours.
double level(const double* q, std::int64_t count, double x) {
  const double* const end = q + count;
  const double* const low = std::lower_bound(q, end, x);
  if (low == end) return 1.0;
  const double* const high = std::upper_bound(low, end, x);
  const auto last = real(count - 1);
  if (high != low) return 0.5 * (real(low - q) + real(high - 1 - q)) / last;
  if (low == q) return 0.0;
  return (real(low - 1 - q) + (x - low[-1]) / (*low - low[-1])) / last;
}

/// The view's features of some instances, an instance a row.
Matrix some_instances(const View& view, const Dataset& data) {
  std::int64_t n = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) n += data.values(i).rows();
  const std::int64_t taken = std::min(n, kLookedAt);
  Matrix x(taken, view.rows());
  std::int64_t seen = 0;
  std::int64_t row = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const ArrayView values = data.values(i);
    for (std::int64_t j = 0; j < values.rows(); ++j, ++seen) {
      if (row == taken || seen != row * n / taken) continue;
      for (std::int64_t f = 0; f < view.rows(); ++f) {
        x(row, f) = values(j, view.features.empty() ? f : view.features[at(f)]);
      }
      ++row;
    }
  }
  return x;
}

void fit_quantiles(View& view, const Matrix& x) {
  view.quantiles.clear();
  std::vector<double> sorted(at(x.rows()));
  for (Eigen::Index f = 0; f < x.cols(); ++f) {
    for (Eigen::Index j = 0; j < x.rows(); ++j) sorted[at(j)] = x(j, f);
    std::ranges::sort(sorted);
    for (std::int64_t k = 0; k < kQuantiles; ++k) {
      const std::int64_t place = sorted.empty() ? 0 : k * (std::ssize(sorted) - 1) / (kQuantiles - 1);
      view.quantiles.push_back(sorted.empty() ? 0.0 : sorted[at(place)]);
    }
  }
}

/// The median of what is not 0, for all features the same: which of them are rare must not be lost.
void fit_log(View& view, const Matrix& x) {
  std::vector<double> sizes;
  for (const double value : x.reshaped()) {
    if (value != 0.0 && std::isfinite(value)) sizes.push_back(std::abs(value));
  }
  double unit = 1.0;
  if (!sizes.empty()) {
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    unit = *middle;
  }
  view.centre.assign(at(view.rows()), 0.0);
  view.scale.assign(at(view.rows()), unit);
}

void fit_size(View& view, const Matrix& x) {
  std::vector<double> lengths;
  View whole = view;
  whole.aspect = Aspect::whole;
  Vector mapped(view.rows());
  Vector numbers(view.rows());
  for (Eigen::Index j = 0; j < x.rows(); ++j) {
    numbers = x.row(j).transpose();
    map_instance(whole, numbers.data(), mapped.data());
    const double length = mapped.norm();
    if (length > 0.0 && std::isfinite(length)) lengths.push_back(length);
  }
  view.smallest = 1.0;
  if (lengths.empty()) return;
  const auto place = lengths.begin() + static_cast<std::ptrdiff_t>(kSmallShare * real(std::ssize(lengths)));
  std::nth_element(lengths.begin(), place, lengths.end());
  view.smallest = std::max(kBelow * *place, std::numeric_limits<double>::min());
}

}  // namespace

std::int64_t mapped_size(const View& view) { return view.aspect == Aspect::size ? 1 : view.rows(); }

void map_instance(const View& view, const double* x, double* out) {
  const std::int64_t rows = view.rows();
  const auto scaled = [&](std::int64_t f) {
    switch (view.scaling) {
      case Scaling::plain: break;
      case Scaling::rank: {
        const std::int64_t count = std::ssize(view.quantiles) / rows;
        return 2.0 * std::numbers::sqrt3 * (level(view.quantiles.data() + f * count, count, x[f]) - 0.5);
      }
      case Scaling::log: return std::asinh(x[f] / view.scale[at(f)]);
    }
    return (x[f] - view.centre[at(f)]) / view.scale[at(f)];
  };
  if (view.aspect == Aspect::whole) {
    for (std::int64_t f = 0; f < rows; ++f) out[f] = scaled(f);
    return;
  }
  double square = 0.0;
  for (std::int64_t f = 0; f < rows; ++f) {
    const double value = scaled(f);
    square += value * value;
    if (view.aspect == Aspect::direction) out[f] = value;
  }
  const double length = std::sqrt(square);
  if (view.aspect == Aspect::size) {
    out[0] = std::log(length + view.smallest);
    return;
  }
  for (std::int64_t f = 0; length > 0.0 && f < rows; ++f) out[f] /= length;
}

void fit_mapping(View& view, const Dataset& data) {
  if (view.scaling == Scaling::plain && view.aspect != Aspect::size) return;
  const Matrix x = some_instances(view, data);
  if (view.scaling == Scaling::rank) fit_quantiles(view, x);
  if (view.scaling == Scaling::log) fit_log(view, x);
  if (view.aspect == Aspect::size) fit_size(view, x);
}

}  // namespace shapeboost::detail
