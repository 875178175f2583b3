// SPDX-License-Identifier: MIT
// Dynamic time warping of windows, and bounds on it:
//
//     DTW(x, z)^2 = min over alignments pi of sum_{(i,j) in pi} |x_i - z_j|^2,    |i - j| <= reach
//
// (the band of Sakoe and Chiba). An alignment costs (2 reach + 1) length cells, a bound at most length:
//
//     Kim     |x_first - z_first|^2 + |x_last - z_last|^2                            <= DTW^2
//     Keogh   the same plus, for each time step between, its squared distance to
//             z's envelope                                                           <= DTW^2
//     Euclid  |x - z|^2, the cost of one of the alignments                           >= DTW^2
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ground/numbers.hpp"
#include "view/elastic_windows.hpp"
#include "view/instances.hpp"

namespace shapeboost::detail {

/// What is known of one window z before it is compared: how far its values range within the band.
struct Envelope {
  std::vector<double> low;
  std::vector<double> high;
};

class WarpedWindows : public ElasticWindows {
 public:
  using ElasticWindows::ElasticWindows;

 protected:
  [[nodiscard]] Envelope envelope(const Probe& z) const {
    Envelope result;
    result.low.assign(z.values.begin(), z.values.end());
    result.high = result.low;
    for (std::int64_t c = 0; c < channels(); ++c) {
      const double* values = z.values.data() + c * length();
      double* low = result.low.data() + c * length();
      double* high = result.high.data() + c * length();
      for (std::int64_t shift = -reach(); shift <= reach(); ++shift) {
        const std::int64_t from = std::max<std::int64_t>(0, -shift);
        const std::int64_t to = std::min(length(), length() - shift);
        for (std::int64_t k = from; k < to; ++k) {
          low[k] = std::min(low[k], values[k + shift]);
          high[k] = std::max(high[k], values[k + shift]);
        }
      }
    }
    return result;
  }

  /// The bound of Kim for a window, without normalising what lies between its ends.
  [[nodiscard]] double kim(const Spot& spot, const Sequence& z) const {
    const std::int64_t x = spot.segment->first + spot.offset;
    double sum = 0.0;
    for (std::int64_t c = 0; c < channels(); ++c) {
      const double* values = numbers(*spot.segment, c) + spot.offset;
      const Normaliser normal = normaliser(c, x);
      const auto cost = [&](std::int64_t k) {
        const double difference = (values[k] - normal.mean) * normal.factor - z.values[c * z.stride + k];
        return difference * difference;
      };
      sum += length() == 1 ? cost(0) : cost(0) + cost(length() - 1);
    }
    return sum;
  }

  /// The bound of Keogh with Kim's ends; parts[k] is what time step k of x costs at least.
  double keogh(const Sequence& x, const Sequence& z, const Envelope& envelope, double* parts) const {
    for (std::int64_t c = 0; c < channels(); ++c) {
      const double* values = x.values + c * x.stride;
      const double* low = envelope.low.data() + c * length();
      const double* high = envelope.high.data() + c * length();
      for (std::int64_t k = 0; k < length(); ++k) {
        const double outside = std::max(0.0, std::max(low[k] - values[k], values[k] - high[k]));
        parts[k] = c == 0 ? outside * outside : parts[k] + outside * outside;
      }
    }
    parts[0] = step_cost(x, 0, z, 0);
    parts[length() - 1] = step_cost(x, length() - 1, z, length() - 1);
    return sum_of(parts);
  }

  /// parts[k] becomes parts[k] + ... + parts[length - 1], and parts[length] 0.
  void suffix_sums(std::vector<double>& parts) const {
    parts[at(length())] = 0.0;
    for (std::int64_t k = length() - 1; k >= 0; --k) parts[at(k)] += parts[at(k + 1)];
  }

  /// DTW^2, or a number above `limit` as soon as it is certain that DTW^2 exceeds it. at_least[i]: a lower
  /// bound on what the time steps from i on of x cost.
  [[nodiscard]] double warped(const Sequence& x, const Sequence& z, const double* at_least = nullptr,
                              double limit = kInfinity) const {
    return align(x, z, [&](std::int64_t i, double row_least, const double*) {
      const double bound = row_least + (at_least == nullptr ? 0.0 : at_least[i + 1]);
      return bound > limit ? kInfinity : -1.0;
    });
  }

  /// DTW^2, or a number up to `floor` as soon as it is certain that DTW^2 does not exceed it. straight[i]: what
  /// the time steps from i on cost without warping.
  [[nodiscard]] double warped_above(const Sequence& x, const Sequence& z, const double* straight,
                                    double floor) const {
    return align(x, z, [&](std::int64_t i, double, const double* row) {
      const double bound = row[i] + straight[i + 1];
      return bound <= floor ? std::max(0.0, bound) : -1.0;
    });
  }

 private:
  /// Cell (i, j) holds the cost of the cheapest alignment of the time steps up to i and j. After each row
  /// early(i, the row's least, the row) may end the work: its answer counts where it is not negative. Cells
  /// outside the band stay infinite.
  template <typename Early>
  [[nodiscard]] double align(const Sequence& x, const Sequence& z, const Early& early) const {
    thread_local std::vector<double> rows[2];
    thread_local std::vector<double> cost;
    thread_local std::vector<double> entering;
    for (std::vector<double>& row : rows) row.assign(at(length() + 1), kInfinity);
    cost.resize(at(length()));
    entering.resize(at(length()));
    double* before = rows[0].data() + 1;
    double* now = rows[1].data() + 1;
    before[-1] = 0.0;  // every alignment begins at (0, 0)
    for (std::int64_t i = 0; i < length(); ++i) {
      const std::int64_t from = std::max<std::int64_t>(0, i - reach());
      const std::int64_t cells = std::min(length() - 1, i + reach()) - from + 1;
      double* step = cost.data();
      double* in = entering.data();
      step_costs(x, i, z, from, from + cells - 1, step);
      for (std::int64_t j = 0; j < cells; ++j) in[j] = std::min(before[from + j], before[from + j - 1]);
      double left = kInfinity;
      double least = kInfinity;
      for (std::int64_t j = 0; j < cells; ++j) {
        left = std::min(in[j], left) + step[j];
        now[from + j] = left;
        least = std::min(least, left);
      }
      const double answer = early(i, least, now);
      if (answer >= 0.0) return answer;
      before[-1] = kInfinity;
      std::swap(before, now);
    }
    return before[length() - 1];
  }
};

}  // namespace shapeboost::detail
