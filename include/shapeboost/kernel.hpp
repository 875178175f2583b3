// SPDX-License-Identifier: MIT
// Similarity of two instances. Every kernel here is a function of three inner products, so one sliding
// product serves them all.
#pragma once

#include <algorithm>
#include <string_view>

namespace shapeboost {

enum class KernelKind {
  gaussian,    ///< K(x, z) = exp(-sigma |x - z|^2)
  linear,      ///< K(x, z) = x.z
  polynomial,  ///< K(x, z) = (x.z + c)^p
};

[[nodiscard]] std::string_view to_string(KernelKind kind);
[[nodiscard]] KernelKind parse_kernel_kind(std::string_view text);

/// x^p for small p, by squaring.
[[nodiscard]] constexpr double integer_power(double x, int p) {
  double result = 1.0;
  for (; p > 0; p /= 2, x *= x) {
    if (p % 2 == 1) result *= x;
  }
  return result;
}

/// A kernel in two steps, K = value(affinity), `value` never decreasing: the most similar instance of a
/// bag is the one with the largest affinity, and K is needed for that one only.
///
///     gaussian    affinity = -|x - z|^2     value(a) = exp(sigma a)
///     linear      affinity = x.z            value(a) = a
///     polynomial  affinity = (x.z + c)^p    value(a) = a
struct Kernel {
  KernelKind kind = KernelKind::gaussian;
  double sigma = 1.0;  ///< gaussian: > 0
  double c = 1.0;      ///< polynomial: >= 0
  int p = 2;           ///< polynomial: 1 ... 10

  /// From xx = x.x, zz = z.z and xz = x.z. Inline: it stands in the innermost loops.
  [[nodiscard]] double affinity(double xx, double zz, double xz) const {
    if (kind == KernelKind::gaussian) return std::min(0.0, 2.0 * xz - xx - zz);
    return kind == KernelKind::linear ? xz : integer_power(xz + c, p);
  }
  [[nodiscard]] double value(double affinity) const;
  /// value() of each of n numbers, in place.
  void values(double* affinities, long n) const;

  [[nodiscard]] double operator()(double xx, double zz, double xz) const {
    return value(affinity(xx, zz, xz));
  }
};

}  // namespace shapeboost
