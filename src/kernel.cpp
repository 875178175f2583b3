// SPDX-License-Identifier: MIT
#include "shapeboost/kernel.hpp"

#include <Eigen/Core>
#include <cmath>
#include <string>

#include "shapeboost/base.hpp"

namespace shapeboost {

std::string_view to_string(KernelKind kind) {
  switch (kind) {
    case KernelKind::gaussian: return "gaussian";
    case KernelKind::linear: return "linear";
    case KernelKind::polynomial: return "polynomial";
  }
  return "unknown";
}

KernelKind parse_kernel_kind(std::string_view text) {
  for (const KernelKind kind : {KernelKind::gaussian, KernelKind::linear, KernelKind::polynomial}) {
    if (text == to_string(kind)) return kind;
  }
  throw InvalidInput("kernel: expected gaussian, linear or polynomial, found '" + std::string(text) + "'");
}

double Kernel::value(double affinity) const {
  return kind == KernelKind::gaussian ? std::exp(sigma * affinity) : affinity;
}

void Kernel::values(double* affinities, long n) const {
  if (kind != KernelKind::gaussian) return;
  // Always eight at a time, the rest padded: vector and scalar exp round differently, and which of them an
  // element meets must not depend on where its array happens to lie.
  using Pack = Eigen::Array<double, 8, 1>;
  long i = 0;
  for (; i + 8 <= n; i += 8) {
    Eigen::Map<Pack> a(affinities + i);
    const Pack scaled = sigma * a;
    a = scaled.exp();
  }
  if (i == n) return;
  Pack rest = Pack::Zero();
  for (long k = i; k < n; ++k) rest[k - i] = sigma * affinities[k];
  rest = rest.exp().eval();
  for (long k = i; k < n; ++k) affinities[k] = rest[k - i];
}

}  // namespace shapeboost
