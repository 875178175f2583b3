// SPDX-License-Identifier: MIT
#include "view/symbol_windows.hpp"

namespace shapeboost::detail {
void SymbolWindows::set_norms(std::vector<double> norm2) {
  norm2_ = std::move(norm2);
  inv_norm_.resize(norm2_.size());
  for (std::size_t x = 0; x < norm2_.size(); ++x) inv_norm_[x] = 1.0 / std::sqrt(norm2_[x]);
}

double SymbolWindows::nearness(double apart) const { return std::exp(-view().tau * apart * apart); }

Probe SymbolWindows::probe(std::int64_t instance) const {
  Probe probe = Windows::probe(instance);
  prepare(probe);
  probe.norm2 = norm2_[at(instance)];
  return probe;
}

Probe SymbolWindows::probe(const Instance& instance) const {
  for (const double code : instance.values) {
    if (!(code >= 0.0 && code <= 255.0 && code == std::floor(code))) {
      throw InvalidInput("instance: expected codes of symbols, 0 to 255, found " + std::to_string(code));
    }
  }
  Probe probe = Windows::probe(instance);
  prepare(probe);
  probe.norm2 = product(probe, probe);
  return probe;
}

void SymbolWindows::affinities(const Probe& z, const Run& run, double* out) const {
  const double z_inv_norm = 1.0 / std::sqrt(z.norm2);
  for (const Stretch& stretch : stretches(run)) {
    products(z, stretch, out);
    const double* x_inv_norm = inv_norms(stretch.segment->first + stretch.offset);
    for (std::int64_t j = 0; j < stretch.count; ++j) out[j] *= z_inv_norm * x_inv_norm[j];
    if (view().tau > 0.0) {
      for (std::int64_t j = 0; j < stretch.count; ++j) {
        out[j] *= nearness(place(*stretch.segment, run.bag, stretch.offset + j) - z.place);
      }
    }
    out += stretch.count;
  }
}

double SymbolWindows::similarity(const Probe& z, const Probe& x) const {
  const double k = product(z, x) * (1.0 / std::sqrt(z.norm2)) * (1.0 / std::sqrt(x.norm2));
  return view().tau > 0.0 ? k * nearness(x.place - z.place) : k;
}

double SymbolWindows::distance(std::int64_t x, std::int64_t y) const {
  const double k = product(probe(x), probe(y)) * *inv_norms(x) * *inv_norms(y);
  return std::max(0.0, 2.0 - 2.0 * k);
}

std::int64_t SymbolWindows::bytes() const {
  return Windows::bytes() + static_cast<std::int64_t>(sizeof(double) * (norm2_.size() + inv_norm_.size()));
}

}  // namespace shapeboost::detail
