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

template <KernelKind Kind, typename One>
constexpr bool kStandsFor =
    std::same_as<std::variant_alternative_t<static_cast<std::size_t>(Kind), kernels::Any>, One>;
static_assert(std::variant_size_v<kernels::Any> == kKernels.size());
static_assert(kStandsFor<KernelKind::gaussian, kernels::Gaussian> &&
              kStandsFor<KernelKind::linear, kernels::Linear> &&
              kStandsFor<KernelKind::polynomial, kernels::Polynomial> &&
              kStandsFor<KernelKind::laplacian, kernels::Laplacian> &&
              kStandsFor<KernelKind::dtw, kernels::Dtw> && kStandsFor<KernelKind::gak, kernels::Gak> &&
              kStandsFor<KernelKind::spectrum, kernels::Spectrum> &&
              kStandsFor<KernelKind::mismatch, kernels::Mismatch> &&
              kStandsFor<KernelKind::subsequence, kernels::Subsequence> &&
              kStandsFor<KernelKind::gram, kernels::Gram> && kStandsFor<KernelKind::custom, kernels::Custom>);

}  // namespace

std::string_view to_string(KernelKind value) { return name_of(kKernels, value); }

template <>
KernelKind parse<KernelKind>(std::string_view text) {
  return choice_of(kKernels, "kernel", text);
}

bool has_sigma(KernelKind kind) {
  return kind == KernelKind::gaussian || kind == KernelKind::laplacian || has_band(kind);
}

bool has_band(KernelKind kind) { return kind == KernelKind::dtw || kind == KernelKind::gak; }

bool compares_strings(KernelKind kind) {
  return kind == KernelKind::spectrum || kind == KernelKind::mismatch || kind == KernelKind::subsequence;
}

double Kernel::sigma() const {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.sigma; }) return one.sigma;
        return 0.0;
      },
      one_);
}

void Kernel::set_sigma(double sigma) {
  std::visit(
      [&](auto& one) {
        if constexpr (requires { one.sigma; }) one.sigma = sigma;
      },
      one_);
}

double Kernel::band() const {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.band; }) return one.band;
        return 0.0;
      },
      one_);
}

int Kernel::k() const {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.k; }) return one.k;
        return 0;
      },
      one_);
}

void Kernel::set_k(int k) {
  std::visit(
      [&](auto& one) {
        if constexpr (requires { one.k; }) one.k = k;
      },
      one_);
}

bool Kernel::positive_semidefinite() const {
  if (const auto* polynomial = as<kernels::Polynomial>()) return polynomial->c >= 0.0;
  if (const auto* gram = as<kernels::Gram>()) {
    return gram->matrix != nullptr && is_positive_semidefinite(*gram->matrix);
  }
  if (const auto* custom = as<kernels::Custom>()) return custom->claims_psd;
  return kind() != KernelKind::dtw;
}

double Kernel::value(double affinity) const { return has_sigma() ? std::exp(rate() * affinity) : affinity; }

void Kernel::values(double* affinities, long n) const {
  if (has_sigma()) detail::scaled_exp(rate(), affinities, n);
}

std::int64_t Kernel::reach(std::int64_t length) const {
  return std::llround(band() * static_cast<double>(length));
}

}  // namespace shapeboost
