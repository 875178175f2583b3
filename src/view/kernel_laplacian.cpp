// SPDX-License-Identifier: MIT
// Windows under the Laplacian kernel, K(x, z) = exp(-sigma |x - z|_1): an outlying time step counts in
// proportion to how far it lies, not to the square. Positive semi-definite as a product over the numbers of
// exp(-sigma |x_k - z_k|), each the Fourier transform of a Cauchy density.
#include <algorithm>
#include <cmath>
#include <vector>

#include "ground/numbers.hpp"
#include "view/instances.hpp"
#include "view/kernel_makers.hpp"
#include "view/sliding.hpp"
#include "view/windows.hpp"

namespace shapeboost::detail {
namespace {

/// out[v] = sum_k |s[k + v] - z[k]| for `Width` neighbouring windows, normalised where means and factors are
/// given. In the order of k, so a sum does not depend on how windows are blocked.
template <int Width, bool Normalised>
void absolute_block(const double* s, const double* mean, const double* factor, const double* z,
                    std::int64_t length, double* out) {
  double sum[Width] = {};
  for (std::int64_t k = 0; k < length; ++k) {
    const double zk = z[k];
    for (int v = 0; v < Width; ++v) {
      double x = s[k + v];
      if constexpr (Normalised) x = (x - mean[v]) * factor[v];
      sum[v] += std::abs(x - zk);
    }
  }
  for (int v = 0; v < Width; ++v) out[v] = sum[v];
}

class LaplacianWindows final : public Windows {
 public:
  using Windows::Windows;

  void affinities(const Probe& z, const Run& run, double* out) const override {
    const std::int64_t length = view().length;
    thread_local std::vector<double> sums;
    for (const Stretch& stretch : stretches(run)) {
      const Segment& segment = *stretch.segment;
      sums.resize(at(stretch.count));
      std::fill(out, out + stretch.count, 0.0);
      for (std::int64_t c = 0; c < channels(); ++c) {
        absolute_distances(segment, stretch.offset, stretch.count, c, z.values.data() + c * length,
                           sums.data());
        for (std::int64_t j = 0; j < stretch.count; ++j) out[j] -= sums[at(j)];
      }
      if (view().tau > 0.0) {
        for (std::int64_t j = 0; j < stretch.count; ++j) {
          out[j] = placed(out[j], place(segment, run.bag, stretch.offset + j) - z.place);
        }
      }
      out += stretch.count;
    }
  }

  [[nodiscard]] double similarity(const Probe& z, const Probe& x) const override {
    double affinity = 0.0;
    for (Eigen::Index k = 0; k < x.values.size(); ++k) affinity -= std::abs(x.values[k] - z.values[k]);
    if (view().tau > 0.0) affinity = placed(affinity, x.place - z.place);
    return view().kernel.value(affinity);
  }

  [[nodiscard]] double distance(std::int64_t x, std::int64_t y) const override {
    const Probe z = probe(x);
    const Segment& segment = segment_of(y);
    double sum = 0.0;
    for (std::int64_t c = 0; c < channels(); ++c) {
      double of_channel = 0.0;
      absolute_distances(segment, y - segment.first, 1, c, z.values.data() + c * view().length, &of_channel);
      sum += of_channel;
    }
    return sum;
  }

  /// Raw windows cost O(1) a pair, whatever their length: along a diagonal of the table of distances
  ///     |x(j+1) - z(k+1)|_1 = |x(j) - z(k)|_1 - |a_j - b_k| + |a_{j+l} - b_{k+l}|.
  /// A normalised window's numbers change as it moves on, so there one distance after the other.
  void extremes(const Run& run, std::int64_t bag, double* largest, double* smallest) const override {
    if (view().normalisation != Normalisation::raw) return Windows::extremes(run, bag, largest, smallest);
    pairwise_extremes(run, bag, largest, smallest, [&](const auto&... pair) { pair_extremes(pair...); });
  }

 private:
  /// |x - z|_1 in one channel for neighbouring windows x of a segment.
  void absolute_distances(const Segment& segment, std::int64_t offset, std::int64_t count,
                          std::int64_t channel, const double* z, double* out) const {
    const double* s = numbers(segment, channel) + offset;
    const std::int64_t x = segment.first + offset;
    const bool raw = view().normalisation == Normalisation::raw;
    const double* mean = raw ? nullptr : means(channel, x);
    constexpr int kWidth = 16;
    double ones[kWidth];
    std::fill(ones, ones + kWidth, 1.0);
    const auto block = [&]<int Width>(std::int64_t j) {
      if (raw) return absolute_block<Width, false>(s + j, nullptr, nullptr, z, view().length, out + j);
      const double* factor = view().normalisation == Normalisation::z ? inv_sds(channel, x) + j : ones;
      absolute_block<Width, true>(s + j, mean + j, factor, z, view().length, out + j);
    };
    if (count < kWidth) return in_blocks<1>(count, block);
    in_blocks<kWidth>(count, block);
  }

  /// Rows are the windows a_j of a stretch, columns the windows b_k of a segment; channels only add up, so
  /// one recurrence serves them all. A diagonal keeps its place in `sum`: sum[k - r] holds |a_j - b_k|_1
  /// while row r is computed; entries below 0 belong to diagonals that begin in later rows.
  void pair_extremes(const Stretch& rows, std::int64_t row_bag, const Segment& right, std::int64_t bag,
                     double* largest, double* smallest) const {
    const std::int64_t length = view().length;
    const std::int64_t columns = right.windows;
    thread_local std::vector<double> buffer;
    thread_local std::vector<double> first;
    buffer.assign(at(rows.count + columns), 0.0);
    first.resize(at(std::max(rows.count, columns)));
    // Every diagonal begins in the first row or the first column; those distances are taken directly.
    double* corner = buffer.data() + rows.count - 1;
    for (std::int64_t c = 0; c < channels(); ++c) {
      const double* a = numbers(*rows.segment, c) + rows.offset;
      absolute_distances(*rows.segment, rows.offset, rows.count, c, numbers(right, c), first.data());
      for (std::int64_t r = 1; r < rows.count; ++r) corner[-r] += first[at(r)];
      absolute_distances(right, 0, columns, c, a, first.data());
      for (std::int64_t k = 0; k < columns; ++k) corner[k] += first[at(k)];
    }
    for (std::int64_t r = 0; r < rows.count; ++r) {
      double* sum = corner - r;
      double high = -kInfinity;
      double low = kInfinity;
      if (view().tau > 0.0) {
        const double row_place = place(*rows.segment, row_bag, rows.offset + r);
        for (std::int64_t k = 0; k < columns; ++k) {
          const double v = placed(std::min(0.0, -sum[k]), place(right, bag, k) - row_place);
          high = std::max(high, v);
          low = std::min(low, v);
        }
      } else {
        double least = kInfinity;
        double most = -kInfinity;
#pragma omp simd reduction(min : least) reduction(max : most)
        for (std::int64_t k = 0; k < columns; ++k) {
          least = sum[k] < least ? sum[k] : least;
          most = sum[k] > most ? sum[k] : most;
        }
        high = std::min(0.0, -least);  // rounding may leave a distance of 0 just below it
        low = std::min(0.0, -most);
      }
      largest[r] = std::max(largest[r], high);
      smallest[r] = std::min(smallest[r], low);
      if (r + 1 == rows.count) break;
      for (std::int64_t c = 0; c < channels(); ++c) {
        const double leaving = numbers(*rows.segment, c)[rows.offset + r];
        const double entering = numbers(*rows.segment, c)[rows.offset + r + length];
        const double* b = numbers(right, c);
        for (std::int64_t k = 0; k < columns - 1; ++k) {
          sum[k] += std::abs(entering - b[k + length]) - std::abs(leaving - b[k]);
        }
      }
    }
  }
};

}  // namespace

std::unique_ptr<Instances> laplacian_windows(const Dataset& data, const View& view) {
  return std::make_unique<LaplacianWindows>(data, view);
}

}  // namespace shapeboost::detail
