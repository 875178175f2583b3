// SPDX-License-Identifier: MIT
#include "shapeboost/kernel.hpp"

#include <array>
#include <cmath>
#include <string>

#include "data/gram.hpp"
#include "ground/names.hpp"
#include "shapeboost/base.hpp"
#include "view/exp.hpp"

namespace shapeboost {

namespace {

constexpr Names<KernelKind, 11> kKernels{{{KernelKind::gaussian, "gaussian"},
                                          {KernelKind::linear, "linear"},
                                          {KernelKind::polynomial, "polynomial"},
                                          {KernelKind::laplacian, "laplacian"},
                                          {KernelKind::dtw, "dtw"},
                                          {KernelKind::gak, "gak"},
                                          {KernelKind::spectrum, "spectrum"},
                                          {KernelKind::mismatch, "mismatch"},
                                          {KernelKind::subsequence, "subsequence"},
                                          {KernelKind::gram, "gram"},
                                          {KernelKind::custom, "custom"}}};

}  // namespace

std::string_view to_string(KernelKind value) { return name_of(kKernels, value); }

template <>
KernelKind parse<KernelKind>(std::string_view text) {
  return choice_of(kKernels, "kernel", text);
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
