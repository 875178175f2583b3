// SPDX-License-Identifier: MIT
// Sums in the innermost loops: inner products of one vector with every window of a series, and sums of lanes.
#pragma once

#include <cstdint>
#include <numeric>

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

/// Windows in blocks of `Width`, the last block moved back to end with the windows: some sums are taken
/// twice.
template <int Width>
inline void sliding_blocks(const double* s, std::int64_t windows, const double* z, std::int64_t length,
                           double* out) {
  for (std::int64_t j = 0; j + Width <= windows; j += Width) sliding_block<Width>(s + j, z, length, out + j);
  const std::int64_t last = windows - Width;
  if (windows % Width != 0) sliding_block<Width>(s + last, z, length, out + last);
}

/// out[j] = sum_k z[k] s[j + k], j = 0 ... windows-1.  Each sum is taken in the order of k, so it does not
/// depend on how the windows are blocked.
inline void sliding_products(const double* s, std::int64_t windows, const double* z, std::int64_t length,
                             double* out) {
  if (windows >= 32) {
    sliding_blocks<32>(s, windows, z, length, out);
  } else if (windows >= 8) {
    sliding_blocks<8>(s, windows, z, length, out);
  } else {
    sliding_blocks<1>(s, windows, z, length, out);
  }
}

}  // namespace shapeboost::detail
