// SPDX-License-Identifier: MIT
// Windows under kernels that are functions of inner products: Gaussian, linear, polynomial.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"
#include "view/instances.hpp"
#include "view/kernel_makers.hpp"
#include "view/product_affinity.hpp"
#include "view/sliding.hpp"
#include "view/windows.hpp"

namespace shapeboost::detail {
namespace {

class ProductWindows final : public Windows {
 public:
  ProductWindows(const Dataset& data, const View& view) : Windows(data, view), affinity_(view.kernel) {}

  void affinities(const Probe& z, const Run& run, double* out) const override {
    const std::int64_t length = view().length;
    for (const Stretch& stretch : stretches(run)) {
      const Segment& segment = *stretch.segment;
      const std::int64_t x = segment.first + stretch.offset;
      if (by_differences(z)) {
        StopMeter meter;
        for (std::int64_t j = 0; j < stretch.count; ++j) {
          out[j] = -difference2(z, probe(x + j));
          meter.add(z.values.size());
        }
        finish_places(z, run.bag, stretch, out);
        out += stretch.count;
        continue;
      }
      for (std::int64_t c = 0; c < channels(); ++c) {
        double* products = out;
        thread_local std::vector<double> buffer;
        if (c > 0) {
          buffer.resize(at(stretch.count));
          products = buffer.data();
        }
        sliding_products(numbers(segment, c) + stretch.offset, stretch.count, z.values.data() + c * length,
                         length, products);
        // z sums to 0 where it is normalised, so x.z = (x - mean(x)).z, but for what rounding leaves of the sum.
        if (view().normalisation != Normalisation::raw) {
          const double rest = z.values.segment(c * length, length).sum();
          const double* mean = means(c, x);
          for (std::int64_t j = 0; j < stretch.count; ++j) products[j] -= rest * mean[j];
        }
        if (view().normalisation == Normalisation::z) {
          const double* inv_sd = inv_sds(c, x);
          for (std::int64_t j = 0; j < stretch.count; ++j) products[j] *= inv_sd[j];
        }
        if (c > 0) {
          for (std::int64_t j = 0; j < stretch.count; ++j) out[j] += products[j];
        }
      }
      finish(z, run.bag, stretch, out);
      out += stretch.count;
    }
  }

  [[nodiscard]] double similarity(const Probe& z, const Probe& x) const override {
    double affinity =
        by_differences(z) ? -difference2(z, x) : affinity_(x.norm2, z.norm2, x.values.dot(z.values));
    if (view().tau > 0.0) affinity = placed(affinity, x.place - z.place);
    return view().kernel.value(affinity);
  }

  [[nodiscard]] double distance(std::int64_t x, std::int64_t y) const override {
    double sum = 0.0;
    for (std::int64_t c = 0; c < channels(); ++c) sum += channel_distance(x, y, c);
    return sum;
  }

  /// Windows cost O(1) a pair, whatever their length: along a diagonal of the table of inner products
  ///     x(j+1).z(k+1) = x(j).z(k) - a_j b_k + a_{j+l} b_{k+l}.
  void extremes(const Run& run, std::int64_t bag, double* largest, double* smallest) const override {
    const auto with = [&]<Normalisation N>() {
      switch (affinity_.kind) {
        case KernelKind::linear: return each_pair<N, KernelKind::linear>(run, bag, largest, smallest);
        case KernelKind::polynomial: return each_pair<N, KernelKind::polynomial>(run, bag, largest, smallest);
        default: return each_pair<N, KernelKind::gaussian>(run, bag, largest, smallest);
      }
    };
    switch (view().normalisation) {
      case Normalisation::raw: return with.operator()<Normalisation::raw>();
      case Normalisation::centred: return with.operator()<Normalisation::centred>();
      case Normalisation::z: return with.operator()<Normalisation::z>();
    }
  }

  [[nodiscard]] bool set_sigma(double sigma) override {
    if (affinity_.kind != KernelKind::gaussian) return false;
    kernel().set_sigma(sigma);
    take_rate();
    return true;
  }

 private:
  /// |x - y|^2 in one channel, without a copy of either.
  [[nodiscard]] double channel_distance(std::int64_t x, std::int64_t y, std::int64_t c) const {
    const Segment& left = segment_of(x);
    const Segment& right = segment_of(y);
    const double* a = numbers(left, c) + (x - left.first);
    const double* b = numbers(right, c) + (y - right.first);
    const Normaliser left_normal = normaliser(c, x);
    const Normaliser right_normal = normaliser(c, y);
    return lane_sum(view().length, [&](std::int64_t k) {
      const double difference =
          (a[k] - left_normal.mean) * left_normal.factor - (b[k] - right_normal.mean) * right_normal.factor;
      return difference * difference;
    });
  }

  /// |z - x|^2 = |z|^2 + |x|^2 - 2 z.x is known to about epsilon |z|^2 where the two are near each other: whether that may
  /// be seen in K, because windows differ by so little of their size. Then the numbers' own differences are squared.
  [[nodiscard]] bool by_differences(const Probe& z) const {
    constexpr double kSeen = 1e-8;
    return affinity_.kind == KernelKind::gaussian &&
           std::numeric_limits<double>::epsilon() * z.norm2 * view().kernel.sigma() > kSeen;
  }
  [[nodiscard]] static double difference2(const Probe& z, const Probe& x) {
    return lane_sum(z.values.size(), [&](std::int64_t k) {
      return (z.values[k] - x.values[k]) * (z.values[k] - x.values[k]);
    });
  }

  /// Inner products to affinities.
  void finish(const Probe& z, std::int64_t bag, const Stretch& stretch, double* out) const {
    if (affinity_.kind != KernelKind::linear) {
      const ProductAffinity affinity = affinity_;
      const double* xx = norm2(stretch.segment->first + stretch.offset);
      for (std::int64_t j = 0; j < stretch.count; ++j) out[j] = affinity(xx[j], z.norm2, out[j]);
    }
    finish_places(z, bag, stretch, out);
  }

  void finish_places(const Probe& z, std::int64_t bag, const Stretch& stretch, double* out) const {
    if (view().tau <= 0.0) return;
    const double begin = place(*stretch.segment, bag, stretch.offset) - z.place;
    const double step = place_step(bag);
    for (std::int64_t j = 0; j < stretch.count; ++j) {
      out[j] = placed(out[j], begin + static_cast<double>(j) * step);
    }
  }

  template <Normalisation N, KernelKind K>
  void each_pair(const Run& run, std::int64_t bag, double* largest, double* smallest) const {
    pairwise_extremes(run, bag, largest, smallest, [&](const Stretch& rows, const auto&... pair) {
      if (loses_digits(*rows.segment, std::get<1>(std::tie(pair...)))) return direct_extremes(rows, pair...);
      return view().tau > 0.0 ? pair_extremes<N, K, true>(rows, pair...)
                              : pair_extremes<N, K, false>(rows, pair...);
    });
  }

  /// Running sums keep the rounding errors of whatever passed through them, a spike for instance: whether these may be
  /// seen in a kernel's value.
  [[nodiscard]] bool loses_digits(const Segment& left, const Segment& right) const {
    constexpr double kSeen = 1e-7;
    const double error = std::numeric_limits<double>::epsilon() * left.swing * right.swing;
    if (affinity_.kind == KernelKind::gaussian) return error * view().kernel.sigma() > kSeen;
    return view().normalisation != Normalisation::raw && error > kSeen * static_cast<double>(view().length);
  }

  /// The same as pair_extremes, one window after the other as affinities() compares them.
  void direct_extremes(const Stretch& rows, std::int64_t /*row_bag*/, const Segment& right, std::int64_t bag,
                       double* largest, double* smallest) const {
    std::vector<double> row(at(right.windows));
    const Run columns{bag, right.first - first(bag), right.windows};
    for (std::int64_t r = 0; r < rows.count; ++r) {
      affinities(probe(rows.segment->first + rows.offset + r), columns, row.data());
      const auto [low, high] = std::ranges::minmax(row);
      largest[r] = std::max(largest[r], high);
      smallest[r] = std::min(smallest[r], low);
    }
  }

  /// Every diagonal begins in the first column (from the last row up) or in the first row; those products are
  /// taken directly.
  void begin_diagonals(const Stretch& rows, const Segment& right, std::int64_t channel,
                       double* product) const {
    const double* a = numbers(*rows.segment, channel) + rows.offset;
    const double* b = numbers(right, channel);
    sliding_products(a, rows.count, b, view().length, product);
    std::reverse(product, product + rows.count);
    sliding_products(b, right.windows, a, view().length, product + rows.count - 1);
  }

  /// Rows are the windows a_j of a stretch, columns the windows b_k of a segment. A diagonal of the table of
  /// inner products keeps its place in `product`, so the recurrence works in place and over neighbours at
  /// once: product[k - r] holds a_j.b_k while row r is computed; entries below 0 belong to diagonals that begin
  /// in later rows.
  template <Normalisation N, KernelKind K, bool Placed>
  void pair_extremes(const Stretch& rows, std::int64_t row_bag, const Segment& right, std::int64_t bag,
                     double* largest, double* smallest) const {
    const std::int64_t length = view().length;
    const std::int64_t columns = right.windows;
    const std::int64_t joint = channels();
    const double c = affinity_.polynomial.c;
    const int p = affinity_.polynomial.p;
    const double* b_norm2 = norm2(right.first);
    const double ratio = Placed ? 0.5 * view().tau / view().kernel.sigma() : 0.0;  // Gaussian
    const double row_place = Placed ? place(*rows.segment, row_bag, rows.offset) : 0.0;
    const double row_step = Placed ? place_step(row_bag) : 0.0;
    const double column_place = Placed ? place(right, bag, 0) : 0.0;
    const double column_step = Placed ? place_step(bag) : 0.0;

    const std::int64_t width = rows.count + columns;
    thread_local std::vector<double> buffer;
    thread_local std::vector<double> total;
    buffer.resize(at(width * joint));
    if (joint > 1) total.resize(at(columns));
    for (std::int64_t ch = 0; ch < joint; ++ch) begin_diagonals(rows, right, ch, buffer.data() + ch * width);

    StopMeter meter;
    for (std::int64_t r = 0; r < rows.count; ++r) {
      meter.add(columns * joint);
      const std::int64_t row = rows.segment->first + rows.offset + r;
      const double apart = column_place - row_place - static_cast<double>(r) * row_step;
      double high = -kInfinity;
      double low = kInfinity;
      // From the inner product of the normalised windows.
      const auto similarity = [&](double v, std::int64_t k) {
        if constexpr (K == KernelKind::gaussian) v -= 0.5 * b_norm2[k];
        if constexpr (K == KernelKind::polynomial) v = integer_power(v + c, p);
        if constexpr (Placed) {
          const double d = apart + static_cast<double>(k) * column_step;
          if constexpr (K == KernelKind::gaussian) v -= ratio * d * d;
          if constexpr (K != KernelKind::gaussian) v *= std::exp(-view().tau * d * d);
        }
        return v;
      };
      // Takes a row's products from a channel, normalised, to `take(k, v)`, and moves them one row on.
      const auto channel_row = [&](std::int64_t ch, const auto& take) {
        double* product = buffer.data() + ch * width + rows.count - 1 - r;
        const double* a = numbers(*rows.segment, ch) + rows.offset;
        const double* b = numbers(right, ch);
        const double* b_mean = N == Normalisation::raw ? nullptr : means(ch, right.first);
        const double* b_inv_sd = N == Normalisation::z ? inv_sds(ch, right.first) : nullptr;
        const double shift = N == Normalisation::raw ? 0.0 : static_cast<double>(length) * *means(ch, row);
        const double factor = N == Normalisation::z ? *inv_sds(ch, row) : 1.0;
        const double leaving = a[r];
        const double entering = r + 1 < rows.count ? a[r + length] : 0.0;
        const auto normalised = [&](std::int64_t k) {
          double v = product[k];
          if constexpr (N != Normalisation::raw) v -= shift * b_mean[k];
          if constexpr (N == Normalisation::z) v *= factor * b_inv_sd[k];
          return v;
        };
        if (joint > 1) {
          for (std::int64_t k = 0; k < columns; ++k) take(k, normalised(k));
          for (std::int64_t k = 0; k < columns - 1; ++k) {
            product[k] += entering * b[k + length] - leaving * b[k];
          }
          return;
        }
#pragma omp simd reduction(max : high) reduction(min : low)
        for (std::int64_t k = 0; k < columns - 1; ++k) {
          const double v = similarity(normalised(k), k);
          high = v > high ? v : high;
          low = v < low ? v : low;
          product[k] += entering * b[k + length] - leaving * b[k];  // now a_{j+1}.b_{k+1}
        }
        const double last = similarity(normalised(columns - 1), columns - 1);
        high = std::max(high, last);
        low = std::min(low, last);
      };
      if (joint == 1) {
        channel_row(0, [](std::int64_t, double) {});
      } else {
        std::fill(total.begin(), total.end(), 0.0);
        double* sums = total.data();
        for (std::int64_t ch = 0; ch < joint; ++ch) {
          channel_row(ch, [sums](std::int64_t k, double v) { sums[k] += v; });
        }
        for (std::int64_t k = 0; k < columns; ++k) {
          const double v = similarity(sums[k], k);
          high = std::max(high, v);
          low = std::min(low, v);
        }
      }
      if constexpr (K == KernelKind::gaussian) {  // -|a - b|^2 = 2 (a.b - |b|^2 / 2) - |a|^2
        high = std::min(0.0, 2.0 * high - *norm2(row));
        low = std::min(0.0, 2.0 * low - *norm2(row));
      }
      largest[r] = std::max(largest[r], high);
      smallest[r] = std::min(smallest[r], low);
    }
  }

  ProductAffinity affinity_;
};

}  // namespace

std::unique_ptr<Instances> product_windows(const Dataset& data, const View& view) {
  return std::make_unique<ProductWindows>(data, view);
}

}  // namespace shapeboost::detail
