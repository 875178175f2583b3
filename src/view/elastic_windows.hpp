// SPDX-License-Identifier: MIT
// What kernels that align the time steps of two windows have in common. Windows of several channels are
// aligned as sequences of vectors: matching two of them costs their squared Euclidean distance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "view/instances.hpp"
#include "view/sliding.hpp"
#include "view/windows.hpp"

namespace shapeboost::detail {

/// A window as it is compared: channel c begins at values + c * stride.
struct Sequence {
  const double* values = nullptr;
  std::int64_t stride = 0;
};

class ElasticWindows : public Windows {
 public:
  ElasticWindows(const Dataset& data, const View& view)
      : Windows(data, view),
        channels_(view.rows()),
        reach_(std::min(view.kernel.reach(view.length), view.length - 1)) {}

 protected:
  /// One window of a bag.
  struct Spot {
    const Segment* segment = nullptr;
    std::int64_t offset = 0;
  };
  [[nodiscard]] std::vector<Spot> spots(std::int64_t bag) const {
    std::vector<Spot> result;
    for (const Segment& segment : segments(bag)) {
      for (std::int64_t j = 0; j < segment.windows; ++j) result.push_back({&segment, j});
    }
    return result;
  }

  [[nodiscard]] std::int64_t length() const { return view().length; }
  /// As Windows::channels(), which counts them at every call.
  [[nodiscard]] std::int64_t channels() const { return channels_; }
  /// Time step i of one window may be matched with time steps i - reach ... i + reach of the other.
  [[nodiscard]] std::int64_t reach() const { return reach_; }

  [[nodiscard]] Sequence sequence(const Probe& z) const { return {z.values.data(), length()}; }
  /// The same numbers as the window's probe, in place where windows are raw, else written to `buffer`.
  [[nodiscard]] Sequence sequence(const Spot& spot, std::vector<double>& buffer) const {
    const Segment& segment = *spot.segment;
    if (view().normalisation == Normalisation::raw) return {numbers(segment, 0) + spot.offset, segment.size};
    buffer.resize(at(channels() * length()));
    const std::int64_t x = segment.first + spot.offset;
    for (std::int64_t c = 0; c < channels(); ++c) {
      const double* from = numbers(segment, c) + spot.offset;
      double* to = buffer.data() + c * length();
      const auto [mean, factor] = normaliser(c, x);
      for (std::int64_t k = 0; k < length(); ++k) to[k] = (from[k] - mean) * factor;
    }
    return {buffer.data(), length()};
  }

  /// |x_i - z_j|^2.
  [[nodiscard]] double step_cost(const Sequence& x, std::int64_t i, const Sequence& z, std::int64_t j) const {
    double sum = 0.0;
    for (std::int64_t c = 0; c < channels(); ++c) {
      const double difference = x.values[c * x.stride + i] - z.values[c * z.stride + j];
      sum += difference * difference;
    }
    return sum;
  }
  /// out[j - from] = |x_i - z_j|^2 for j = from ... to.
  void step_costs(const Sequence& x, std::int64_t i, const Sequence& z, std::int64_t from, std::int64_t to,
                  double* out) const {
    for (std::int64_t c = 0; c < channels(); ++c) {
      const double value = x.values[c * x.stride + i];
      const double* row = z.values + c * z.stride;
      for (std::int64_t j = from; j <= to; ++j) {
        const double difference = value - row[j];
        const double square = difference * difference;
        out[j - from] = c == 0 ? square : out[j - from] + square;
      }
    }
  }
  /// |x - z|^2, with its parts: parts[k] = |x_k - z_k|^2.
  double squared_distance(const Sequence& x, const Sequence& z, double* parts) const {
    for (std::int64_t c = 0; c < channels(); ++c) {
      const double* left = x.values + c * x.stride;
      const double* right = z.values + c * z.stride;
      for (std::int64_t k = 0; k < length(); ++k) {
        const double difference = left[k] - right[k];
        const double square = difference * difference;
        parts[k] = c == 0 ? square : parts[k] + square;
      }
    }
    return sum_of(parts);
  }
  [[nodiscard]] double sum_of(const double* parts) const {
    return lane_sum(length(), [&](std::int64_t k) { return parts[k]; });
  }

 private:
  std::int64_t channels_;
  std::int64_t reach_;
};

}  // namespace shapeboost::detail
