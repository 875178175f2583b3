// SPDX-License-Identifier: MIT
// Sums in the innermost loops: inner products of one vector with every window of a series, and sums of lanes.
#pragma once

#include <cstdint>
#include <numeric>

#include "ground/stop.hpp"

namespace shapeboost::detail {

/// sum_k term(k), k = 0 ... n-1, in eight sums side by side: a single one would wait for itself at every step.
template <typename Term>
[[nodiscard]] double lane_sum(std::int64_t n, const Term& term) {
  constexpr int kLanes = 8;
  double sums[kLanes] = {};
  std::int64_t k = 0;
  for (; k + kLanes <= n; k += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) sums[lane] += term(k + lane);
  }
  for (; k < n; ++k) sums[0] += term(k);
  return std::accumulate(sums, sums + kLanes, 0.0);
}

/// Calls block<Width>(j) for every `Width` neighbours among n, the first of which is j. The last block is moved
/// back to end with the n, so some are taken twice.
template <int Width, typename Block>
inline void in_blocks(std::int64_t n, const Block& block) {
  for (std::int64_t j = 0; j + Width <= n; j += Width) block.template operator()<Width>(j);
  if (n % Width != 0) block.template operator()<Width>(n - Width);
}

/// out[j] = sum_k z[k] s[j + k] for `Width` neighbouring windows: the sums stay in registers.
template <int Width>
inline void sliding_block(const double* s, const double* z, std::int64_t length, double* out) {
  double sum[Width] = {};
  for (std::int64_t k = 0; k < length; ++k) {
    const double zk = z[k];
    for (int v = 0; v < Width; ++v) sum[v] += zk * s[k + v];
  }
  for (int v = 0; v < Width; ++v) out[v] = sum[v];
}

/// out[j] = sum_k z[k] s[j + k], j = 0 ... windows-1.  Each sum is taken in the order of k, so it does not
/// depend on how the windows are blocked.
inline void sliding_products(const double* s, std::int64_t windows, const double* z, std::int64_t length,
                             double* out) {
  StopMeter meter;
  const auto block = [&]<int Width>(std::int64_t j) {
    sliding_block<Width>(s + j, z, length, out + j);
    meter.add(Width * length);
  };
  if (windows >= 32) {
    in_blocks<32>(windows, block);
  } else if (windows >= 8) {
    in_blocks<8>(windows, block);
  } else {
    in_blocks<1>(windows, block);
  }
}

}  // namespace shapeboost::detail
