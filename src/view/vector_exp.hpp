// SPDX-License-Identifier: MIT
// exp of many numbers at once.
#pragma once

#include <Eigen/Core>

namespace shapeboost::detail {

/// a[i] = exp(scale a[i]) for n numbers. Always eight at a time, the rest padded: vector and scalar exp round
/// differently, and which of them an element meets must not depend on where its array happens to lie.
inline void scaled_exp(double scale, double* a, long n) {
  using Pack = Eigen::Array<double, 8, 1>;
  long i = 0;
  for (; i + 8 <= n; i += 8) {
    Eigen::Map<Pack> eight(a + i);
    const Pack scaled = scale * eight;
    eight = scaled.exp();
  }
  if (i == n) return;
  Pack rest = Pack::Zero();
  for (long k = i; k < n; ++k) rest[k - i] = scale * a[k];
  rest = rest.exp().eval();
  for (long k = i; k < n; ++k) a[k] = rest[k - i];
}

}  // namespace shapeboost::detail
