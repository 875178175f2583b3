// SPDX-License-Identifier: MIT
// Inner products of one vector with every window of a series.
#pragma once

#include <cstdint>

namespace shapeboost::detail {

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
  std::int64_t j = 0;
  for (; j + 32 <= windows; j += 32) sliding_block<32>(s + j, z, length, out + j);
  for (; j + 8 <= windows; j += 8) sliding_block<8>(s + j, z, length, out + j);
  for (; j < windows; ++j) sliding_block<1>(s + j, z, length, out + j);
}

}  // namespace shapeboost::detail
