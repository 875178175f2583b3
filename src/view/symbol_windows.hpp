// SPDX-License-Identifier: MIT
// Windows of sequences of symbols. Every string kernel is an inner product <f(x), f(z)> of some features,
// divided by the norms so that K(x, x) = 1:
//
//     K(x, z) = <f(x), f(z)> / (|f(x)| |f(z)|)     times exp(-tau (pos_x - pos_z)^2).
//
// Windows of one sequence overlap in all but one symbol, and no window is ever copied.
#pragma once

#include <vector>

#include "view/instances.hpp"
#include "view/windows.hpp"

namespace shapeboost::detail {

class SymbolWindows : public Windows {
 public:
  SymbolWindows(const Dataset& data, const View& view) : Windows(data, view) {}

  [[nodiscard]] Probe probe(std::int64_t instance) const override;
  [[nodiscard]] Probe probe(const Instance& instance) const override;
  void affinities(const Probe& z, const Run& run, double* out) const override;
  [[nodiscard]] double similarity(const Probe& z, const Probe& x) const override;
  /// |Phi(x) - Phi(y)|^2 = 2 - 2 K(x, y), whatever the positions.
  [[nodiscard]] double distance(std::int64_t x, std::int64_t y) const override;
  [[nodiscard]] std::int64_t bytes() const override;

 protected:
  /// What a kernel needs of a probe beside its symbols, its norm excepted.
  virtual void prepare(Probe& probe) const = 0;
  /// <f(z), f(x)> of two probes.
  [[nodiscard]] virtual double product(const Probe& z, const Probe& x) const = 0;
  /// out[j] = <f(z), f(x)> for the windows x of a stretch.
  virtual void products(const Probe& z, const Stretch& stretch, double* out) const = 0;

  /// To be called once, by the constructor: |f(x)|^2 of every window, all above 0.
  void set_norms(std::vector<double> norm2);
  /// 1 / |f(x)| of the windows from number x on.
  [[nodiscard]] const double* inv_norms(std::int64_t x) const { return inv_norm_.data() + x; }
  [[nodiscard]] double nearness(double apart) const;

 private:
  std::vector<double> norm2_;
  std::vector<double> inv_norm_;
};

/// N(d) of the (k, m)-mismatch kernel: how many strings of k symbols differ in at most m places from each of
/// two k-mers that differ from each other in d places; for d = 0 ... k.
[[nodiscard]] std::vector<double> common_neighbours(int k, int mismatches, int alphabet);

}  // namespace shapeboost::detail
