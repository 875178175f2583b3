// SPDX-License-Identifier: MIT
// Instances::extremes: the closest and the farthest instance of a bag for every instance of a run, the
// table from which single instances are priced.
#include <algorithm>
#include <limits>
#include <vector>

#include "shapeboost/view.hpp"
#include "sliding_detail.hpp"

namespace shapeboost {
namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
}

/// Rows are the windows a_j of the run, columns the windows b_k of the bag. A diagonal of the table of inner
/// products keeps its place in `product`, so the recurrence works in place and over neighbours at once:
/// product[k - r] holds a_j.b_k while row r is at work, entries below 0 belong to diagonals yet to come.
template <Normalisation N, KernelKind K>
void Instances::window_extremes(const Run& run, std::int64_t bag, double* largest, double* smallest) const {
  const std::int64_t length = view_.length;
  const std::int64_t columns = count(bag);
  const double* a = bag_data(run.bag) + run.first;
  const double* b = bag_data(bag);
  const auto a_first = static_cast<std::size_t>(first(run.bag) + run.first);
  const auto b_first = static_cast<std::size_t>(first(bag));
  const double* b_norm2 = norm2_.data() + b_first;
  const double* b_mean = N == Normalisation::raw ? nullptr : mean_.data() + b_first;
  const double* b_inv_sd = N == Normalisation::z ? inv_sd_.data() + b_first : nullptr;
  const double c = view_.kernel.c;
  const int p = view_.kernel.p;

  // Every diagonal begins in the first row or the first column; those products are taken directly.
  thread_local std::vector<double> buffer;
  buffer.resize(static_cast<std::size_t>(run.count + columns));
  detail::sliding_products(a, run.count, b, length, buffer.data());
  std::reverse(buffer.begin(), buffer.begin() + run.count);
  double* product = buffer.data() + run.count - 1;
  detail::sliding_products(b, columns, a, length, product);

  for (std::int64_t r = 0; r < run.count; ++r, --product) {
    const auto row = a_first + static_cast<std::size_t>(r);
    const double shift = N == Normalisation::raw ? 0.0 : static_cast<double>(length) * mean_[row];
    const double factor = N == Normalisation::z ? inv_sd_[row] : 1.0;
    const double leaving = a[r];
    const double entering = r + 1 < run.count ? a[r + length] : 0.0;
    double high = -kInf;
    double low = kInf;
    const auto similarity = [&](double v, std::int64_t k) {
      if constexpr (N != Normalisation::raw) v -= shift * b_mean[k];
      if constexpr (N == Normalisation::z) v *= factor * b_inv_sd[k];
      if constexpr (K == KernelKind::gaussian) v -= 0.5 * b_norm2[k];
      if constexpr (K == KernelKind::polynomial) v = integer_power(v + c, p);
      return v;
    };
#pragma omp simd reduction(max : high) reduction(min : low)
    for (std::int64_t k = 0; k < columns - 1; ++k) {
      const double v = similarity(product[k], k);
      high = v > high ? v : high;
      low = v < low ? v : low;
      product[k] += entering * b[k + length] - leaving * b[k];  // now a_{j+1}.b_{k+1}
    }
    const double last = similarity(product[columns - 1], columns - 1);
    high = std::max(high, last);
    low = std::min(low, last);
    if constexpr (K == KernelKind::gaussian) {  // -|a - b|^2 = 2 (a.b - |b|^2 / 2) - |a|^2
      high = std::min(0.0, 2.0 * high - norm2_[row]);
      low = std::min(0.0, 2.0 * low - norm2_[row]);
    }
    largest[r] = high;
    smallest[r] = low;
  }
}

void Instances::instance_extremes(const Run& run, std::int64_t bag, double* largest, double* smallest) const {
  const MatrixView z(bag_data(run.bag) + run.first * view_.length, run.count, view_.length);
  const MatrixView x(bag_data(bag), count(bag), view_.length);
  const Matrix products = z * x.transpose();
  const double* zz = norm2_.data() + first(run.bag) + run.first;
  const double* xx = norm2_.data() + first(bag);
  for (std::int64_t r = 0; r < run.count; ++r) {
    double high = -kInf;
    double low = kInf;
    for (std::int64_t k = 0; k < products.cols(); ++k) {
      const double v = view_.kernel.affinity(xx[k], zz[r], products(r, k));
      high = std::max(high, v);
      low = std::min(low, v);
    }
    largest[r] = high;
    smallest[r] = low;
  }
}

void Instances::extremes(const Run& run, std::int64_t bag, double* largest, double* smallest) const {
  if (view_.kind == DataKind::bags) return instance_extremes(run, bag, largest, smallest);
  const auto with_kernel = [&]<Normalisation N>() {
    switch (view_.kernel.kind) {
      case KernelKind::gaussian: return window_extremes<N, KernelKind::gaussian>(run, bag, largest, smallest);
      case KernelKind::linear: return window_extremes<N, KernelKind::linear>(run, bag, largest, smallest);
      case KernelKind::polynomial:
        return window_extremes<N, KernelKind::polynomial>(run, bag, largest, smallest);
    }
  };
  switch (view_.normalisation) {
    case Normalisation::raw: return with_kernel.operator()<Normalisation::raw>();
    case Normalisation::centred: return with_kernel.operator()<Normalisation::centred>();
    case Normalisation::z: return with_kernel.operator()<Normalisation::z>();
  }
}

}  // namespace shapeboost
