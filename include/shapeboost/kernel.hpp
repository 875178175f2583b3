// SPDX-License-Identifier: MIT
// Similarity of two instances: kernels that are functions of three inner products, so that one sliding
// product serves them all; kernels of distances that have to be walked through; of strings of symbols, by
// what they have in common; and numbers or functions that the caller brings. docs/kernels.md compares them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "shapeboost/array.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost {

enum class KernelKind {
  gaussian,    ///< K(x, z) = exp(-sigma |x - z|^2)
  linear,      ///< K(x, z) = x.z
  polynomial,  ///< K(x, z) = (x.z + c)^p
  laplacian,   ///< K(x, z) = exp(-sigma |x - z|_1)
  dtw,         ///< K(x, z) = exp(-sigma DTW(x, z)^2), dynamic time warping inside a band; windows only
  gak,         ///< global alignment kernel: a sum over all alignments inside a band; windows only

  // Of strings of symbols, each divided by sqrt(K(x, x) K(z, z)).
  spectrum,     ///< inner product of the counts of k-mers
  mismatch,     ///< the same where a k-mer counts for every k-mer that differs from it in few places
  subsequence,  ///< common subsequences of k symbols, each weighed by lambda^(what it spans in x and in z)

  gram,    ///< K(x, z) = G(x, z), x and z being rows of a given matrix
  custom,  ///< any function of two vectors
};

[[nodiscard]] std::string_view to_string(KernelKind kind);
template <>
[[nodiscard]] KernelKind parse<KernelKind>(std::string_view text);

/// A caller's own similarity of two vectors, as a view prepares them (mapped and normalised windows or
/// instances; windows of symbols as their codes). Symmetric, and safe to call from several threads.
using Similarity = std::function<double(std::span<const double> x, std::span<const double> z)>;

/// A k-mer is packed into eight bytes.
inline constexpr int kLongestKmer = 8;

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
///     laplacian   affinity = -|x - z|_1     value(a) = exp(sigma a)
///     dtw         affinity = -DTW(x, z)^2   value(a) = exp(sigma a)
///     gak         affinity = log K(x, z)    value(a) = exp(a)
///     others      affinity = K(x, z)        value(a) = a
struct Kernel {
  KernelKind kind = KernelKind::gaussian;
  double sigma = 1.0;  ///< where has_sigma(): > 0
  double c = 1.0;      ///< polynomial: >= 0
  int p = 2;           ///< polynomial: 1 ... 10
  double band = 0.1;   ///< dtw, gak: how far an alignment may stray, as a share of the window; 0 ... 1

  int k = 0;  ///< strings: symbols compared at a time, 1 ... kLongestKmer; 0: default_k(), by fit_view
  int mismatches = 1;   ///< mismatch: places of a k-mer that may differ, 0 ... k-1
  int alphabet = 0;     ///< mismatch: number of symbols there are; 0: as many as occur, by fit_view
  double lambda = 0.5;  ///< subsequence: in (0, 1]; small values want neighbouring symbols

  std::shared_ptr<const Array<double>>
      gram{};               ///< gram: square and symmetric; a view's one feature numbers its rows
  std::string gram_file{};  ///< gram: what the matrix is called

  Similarity similarity{};  ///< custom
  std::string name{};       ///< custom: what the function is called
  bool claims_psd = false;  ///< custom: the caller knows it to be positive semi-definite

  /// Kernels of inner products, from xx = x.x, zz = z.z and xz = x.z. Inline: it stands in the innermost
  /// loops.
  [[nodiscard]] double affinity(double xx, double zz, double xz) const {
    if (kind == KernelKind::gaussian) return std::min(0.0, 2.0 * xz - xx - zz);
    return kind == KernelKind::linear ? xz : integer_power(xz + c, p);
  }
  [[nodiscard]] double value(double affinity) const;
  /// K has a sigma, to be measured against the data's distances where it is not given.
  [[nodiscard]] bool has_sigma() const {
    return kind == KernelKind::gaussian || kind == KernelKind::laplacian || has_band();
  }
  /// K aligns moments, so it has a band and knows windows only.
  [[nodiscard]] bool has_band() const { return kind == KernelKind::dtw || kind == KernelKind::gak; }
  /// sum_ij c_i c_j K(x_i, x_j) >= 0 whatever c and x: K is an inner product of some feature map. Warping
  /// breaks the triangle inequality, and with it this.
  [[nodiscard]] bool positive_semidefinite() const;
  /// K(x, x) = 1 for every x.
  [[nodiscard]] bool unit_diagonal() const { return has_sigma() || compares_strings(); }
  /// K compares strings of symbols.
  [[nodiscard]] bool compares_strings() const {
    return kind == KernelKind::spectrum || kind == KernelKind::mismatch || kind == KernelKind::subsequence;
  }
  /// K compares vectors of numbers, which have means.
  [[nodiscard]] bool compares_numbers() const { return !compares_strings() && kind != KernelKind::gram; }
  /// What k = 0 stands for.
  [[nodiscard]] int default_k() const { return kind == KernelKind::mismatch ? 5 : 3; }
  /// K(x + c, z + c) = K(x, z).
  [[nodiscard]] bool translation_invariant() const { return has_sigma(); }
  /// Moments by which an alignment of windows of so many may stray: band * length, to the nearest.
  [[nodiscard]] std::int64_t reach(std::int64_t length) const {
    return std::llround(band * static_cast<double>(length));
  }
  /// value() of each of n numbers, in place.
  void values(double* affinities, long n) const;

  [[nodiscard]] double operator()(double xx, double zz, double xz) const {
    return value(affinity(xx, zz, xz));
  }

 private:
  /// value(a) = exp(exponent() a), where has_sigma().
  [[nodiscard]] double exponent() const { return kind == KernelKind::gak ? 1.0 : sigma; }
};

}  // namespace shapeboost
