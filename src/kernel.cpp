// SPDX-License-Identifier: MIT
#include "shapeboost/kernel.hpp"

#include <array>
#include <cmath>
#include <string>

#include "exp_detail.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/gram.hpp"

namespace shapeboost {

std::string_view to_string(KernelKind kind) {
  switch (kind) {
    case KernelKind::gaussian: return "gaussian";
    case KernelKind::linear: return "linear";
    case KernelKind::polynomial: return "polynomial";
    case KernelKind::laplacian: return "laplacian";
    case KernelKind::dtw: return "dtw";
    case KernelKind::gak: return "gak";
    case KernelKind::spectrum: return "spectrum";
    case KernelKind::mismatch: return "mismatch";
    case KernelKind::subsequence: return "subsequence";
    case KernelKind::gram: return "gram";
    case KernelKind::custom: return "custom";
  }
  return "unknown";
}

KernelKind parse_kernel_kind(std::string_view text) {
  constexpr std::array kKinds{KernelKind::gaussian,  KernelKind::linear,   KernelKind::polynomial,
                              KernelKind::laplacian, KernelKind::dtw,      KernelKind::gak,
                              KernelKind::spectrum,  KernelKind::mismatch, KernelKind::subsequence,
                              KernelKind::gram,      KernelKind::custom};
  for (const KernelKind kind : kKinds) {
    if (text == to_string(kind)) return kind;
  }
  throw InvalidInput(
      "kernel: expected gaussian, linear, polynomial, laplacian, dtw, gak, spectrum, mismatch, subsequence, "
      "gram or custom, found '" +
      std::string(text) + "'");
}

bool Kernel::positive_semidefinite() const {
  switch (kind) {
    case KernelKind::polynomial: return c >= 0.0;
    case KernelKind::dtw: return false;
    case KernelKind::gram: return gram != nullptr && is_positive_semidefinite(*gram);
    case KernelKind::custom: return claims_psd;
    default: return true;
  }
}

double Kernel::value(double affinity) const {
  return has_sigma() ? std::exp(exponent() * affinity) : affinity;
}

void Kernel::values(double* affinities, long n) const {
  if (has_sigma()) detail::scaled_exp(exponent(), affinities, n);
}

}  // namespace shapeboost
