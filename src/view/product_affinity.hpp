// SPDX-License-Identifier: MIT
// Kernels that are functions of inner products, resolved once for the innermost loops.
#pragma once

#include <algorithm>

#include "shapeboost/kernel.hpp"

namespace shapeboost::detail {

/// x^p for small p, by squaring.
[[nodiscard]] constexpr double integer_power(double x, int p) {
  double result = 1.0;
  for (; p > 0; p /= 2, x *= x) {
    if (p % 2 == 1) result *= x;
  }
  return result;
}

/// The affinity of x and z under a Gaussian, linear or polynomial kernel.
struct ProductAffinity {
  explicit ProductAffinity(const Kernel& kernel) : kind(kernel.kind()) {
    if (const auto* given = kernel.as<kernels::Polynomial>()) polynomial = *given;
  }

  /// From xx = x.x, zz = z.z and xz = x.z.
  [[nodiscard]] double operator()(double xx, double zz, double xz) const {
    if (kind == KernelKind::gaussian) return std::min(0.0, 2.0 * xz - xx - zz);
    return kind == KernelKind::linear ? xz : integer_power(xz + polynomial.c, polynomial.p);
  }

  KernelKind kind;
  kernels::Polynomial polynomial;
};

}  // namespace shapeboost::detail
