// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "data/gram.hpp"
#include "ground/names.hpp"
#include "ground/text.hpp"
#include "learn/baselines.hpp"
#include "shapeboost/trainer.hpp"
#include "train/class_weights.hpp"
#include "train/trainer.hpp"

namespace shapeboost {
namespace {

constexpr Names<HeadKind, 4> kHeads{{{HeadKind::automatic, "auto"},
                                     {HeadKind::ridge, "ridge"},
                                     {HeadKind::average, "average"},
                                     {HeadKind::both, "both"}}};

}  // namespace

std::string_view to_string(HeadKind value) { return name_of(kHeads, value); }

template <>
HeadKind parse<HeadKind>(std::string_view text) {
  return choice_of(kHeads, "head", text);
}

Kernel KernelSettings::kernel() const {
  switch (kind) {
    case KernelKind::gaussian: return kernels::Gaussian{sigma};
    case KernelKind::linear: return kernels::Linear{};
    case KernelKind::polynomial: return kernels::Polynomial{c, p};
    case KernelKind::laplacian: return kernels::Laplacian{sigma};
    case KernelKind::dtw: return kernels::Dtw{sigma, band};
    case KernelKind::gak: return kernels::Gak{sigma, band};
    case KernelKind::spectrum: return kernels::Spectrum{k};
    case KernelKind::mismatch: return kernels::Mismatch{k, mismatches, alphabet};
    case KernelKind::subsequence: return kernels::Subsequence{k, lambda};
    case KernelKind::gram: return kernels::Gram{gram, gram_file};
    case KernelKind::custom: return kernels::Custom{similarity, name, claims_psd};
  }
  return {};
}

std::string detail::validate_strings(const KernelSettings& kernel) {
  if (kernel.k < 0 || kernel.k > kLongestKmer) {
    return "k: expected 1 to " + std::to_string(kLongestKmer) + ", found " + std::to_string(kernel.k);
  }
  const int k = kernel.k == 0 ? default_k(kernel.kind) : kernel.k;
  if (kernel.kind == KernelKind::mismatch && (kernel.mismatches < 0 || kernel.mismatches >= k)) {
    return "mismatches: expected 0 to k - 1 = " + std::to_string(k - 1) + ", found " +
           std::to_string(kernel.mismatches);
  }
  if (kernel.alphabet < 0 || kernel.alphabet > 256) {
    return "alphabet: expected 1 to 256 symbols, found " + std::to_string(kernel.alphabet);
  }
  if (!(kernel.lambda > 0.0 && kernel.lambda <= 1.0)) {
    return "lambda: expected a number above 0 and up to 1, found " + detail::number(kernel.lambda);
  }
  return "";
}

std::string validate(const TrainSettings& settings) {
  if (settings.members < 0) return "members: expected at least 1, found " + std::to_string(settings.members);
  if (settings.patterns < 0)
    return "patterns: expected at least 1, found " + std::to_string(settings.patterns);
  for (const Evidence evidence : settings.evidence) {
    if (std::ranges::count(settings.evidence, evidence) > 1) {
      return "evidence: expected each kind once, found " + std::string(to_string(evidence)) + " twice";
    }
  }
  if (settings.member_bags && (*settings.member_bags < 0 || *settings.member_bags == 1)) {
    return "member-bags: expected all or at least 2, found " + std::to_string(*settings.member_bags);
  }
  if (settings.views.kind == ViewChoice::Kind::random && settings.views.count < 1) {
    return "views: expected at least 1, found " + std::to_string(settings.views.count);
  }
  for (const double length : settings.lengths) {
    if (!(length > 0.0) || length > 1e9 || (length > 1.0 && length != std::floor(length))) {
      return "lengths: expected fractions up to 1 or whole numbers above, found " + detail::number(length);
    }
  }
  if (!(settings.rate >= 0.0) || settings.rate > 1e12) {
    return "rate: expected values a second, above 0 and up to 1e+12, found " + detail::number(settings.rate);
  }
  for (const std::int64_t dilation : settings.dilations) {
    if (dilation < 1 || dilation > 1'000'000'000) {
      return "dilation: expected 1 to 1000000000, found " + std::to_string(dilation);
    }
  }
  for (const double tau : settings.taus) {
    if (!(tau >= 0.0) || !std::isfinite(tau)) {
      return "tau: expected a number of at least 0, found " + detail::number(tau);
    }
  }
  for (const std::vector<int>& channels : settings.channels) {
    int last = -1;
    for (const int channel : channels) {
      if (channel < 0) return "channels: expected at least 1, found " + std::to_string(channel + 1);
      if (channel <= last)
        return "channels: expected each once, ascending, found " + std::to_string(channel + 1);
      last = channel;
    }
  }
  for (const double scale : settings.sigma_scales) {
    if (!(scale > 0.0) || !std::isfinite(scale)) {
      return "sigma-scale: expected a number above 0, found " + detail::number(scale);
    }
  }
  if (std::string fault = validate(settings.class_weights); !fault.empty()) return fault;
  const KernelSettings& kernel = settings.kernel;
  if (!(kernel.sigma >= 0.0) || !std::isfinite(kernel.sigma))
    return "sigma: expected a number above 0, found " + detail::number(kernel.sigma);
  if (kernel.p < 1 || kernel.p > 10) return "degree: expected 1 to 10, found " + std::to_string(kernel.p);
  if (!(kernel.c >= 0.0) || !std::isfinite(kernel.c))
    return "c: expected a number of at least 0, found " + detail::number(kernel.c);
  if (!(kernel.band >= 0.0 && kernel.band <= 1.0))
    return "band: expected a number from 0 to 1, found " + detail::number(kernel.band);
  if (std::string fault = detail::validate_strings(kernel); !fault.empty()) return fault;
  if (kernel.kind == KernelKind::gram && kernel.gram != nullptr) {
    if (const std::string fault = gram_fault(*kernel.gram); !fault.empty()) return "gram: " + fault;
  }
  if (!kernel.kernel().compares_numbers() && settings.candidates &&
      settings.candidates->kind == Candidates::Kind::kmeans) {
    return "candidates: clusters have no centres under the " + std::string(to_string(kernel.kind)) +
           " kernel, expected all or sample:N";
  }
  if (settings.boosting.weak == Weak::ball && !kernel.kernel().positive_semidefinite()) {
    const bool matrix = kernel.kind == KernelKind::gram;
    return "weak: the ball needs a positive semi-definite kernel, which " +
           (matrix ? "the Gram matrix '" + kernel.gram_file + "'" : std::string(to_string(kernel.kind))) +
           " is not; sparse takes any similarity";
  }
  if (settings.threads < 0) return "threads: expected at least 0, found " + std::to_string(settings.threads);
  if (settings.memory < 1)
    return "memory: expected a number above 0, found " + std::to_string(settings.memory);
  if (std::string fault = validate(settings.baseline); !fault.empty()) return fault;
  return validate(settings.boosting);
}

}  // namespace shapeboost
