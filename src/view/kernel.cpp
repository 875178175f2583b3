// SPDX-License-Identifier: MIT
#include "shapeboost/kernel.hpp"

#include <array>
#include <cmath>

#include "data/gram.hpp"
#include "ground/names.hpp"
#include "view/vector_exp.hpp"

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

static_assert(std::variant_size_v<kernels::Any> == kKernels.size());

// Where the kernel's struct has such a member it is found, else nullptr.
constexpr auto kSigma = [](auto& one) -> decltype(&one.sigma) { return &one.sigma; };
constexpr auto kBand = [](auto& one) -> decltype(&one.band) { return &one.band; };
constexpr auto kK = [](auto& one) -> decltype(&one.k) { return &one.k; };

template <typename Number, typename Any, typename Member>
Number* find(Any& any, const Member& member) {
  return std::visit(
      [&](auto& one) -> Number* {
        if constexpr (std::is_invocable_v<Member, decltype(one)>) return member(one);
        return nullptr;
      },
      any);
}

template <typename Number, typename Member>
Number value_of(const kernels::Any& any, const Member& member) {
  const auto* found = find<const Number>(any, member);
  return found == nullptr ? Number{0} : *found;
}

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

double Kernel::sigma() const { return value_of<double>(one_, kSigma); }
double Kernel::band() const { return value_of<double>(one_, kBand); }
int Kernel::k() const { return value_of<int>(one_, kK); }

void Kernel::set_sigma(double sigma) {
  if (double* own = find<double>(one_, kSigma)) *own = sigma;
}
void Kernel::set_k(int k) {
  if (int* own = find<int>(one_, kK)) *own = k;
}

bool SymmetricMatrix::positive_semidefinite() const {
  std::call_once(asked_, [this] { positive_semidefinite_ = is_positive_semidefinite(*this); });
  return positive_semidefinite_;
}

bool Kernel::positive_semidefinite() const {
  if (const auto* polynomial = as<kernels::Polynomial>()) return polynomial->c >= 0.0;
  if (const auto* gram = as<kernels::Gram>()) {
    return gram->matrix != nullptr && gram->matrix->positive_semidefinite();
  }
  if (const auto* custom = as<kernels::Custom>()) return custom->claims_psd;
  return kind() != KernelKind::dtw;
}

double Kernel::value(double affinity) const {
  return has_sigma() ? std::exp(rate() * affinity) : unit_ * affinity;
}

void Kernel::values(double* affinities, long n) const {
  if (has_sigma()) {
    detail::scaled_exp(rate(), affinities, n);
  } else if (unit_ != 1.0) {
    for (long k = 0; k < n; ++k) affinities[k] *= unit_;
  }
}

std::int64_t Kernel::reach(std::int64_t length) const {
  return std::llround(band() * static_cast<double>(length));
}

}  // namespace shapeboost
