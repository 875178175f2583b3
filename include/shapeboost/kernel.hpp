// SPDX-License-Identifier: MIT
// Similarity of two instances: kernels that are functions of three inner products, so that one sliding
// product serves them all; kernels of distances that have to be computed step by step; kernels of strings of
// symbols; and numbers or functions that the caller brings. docs/kernels.md compares them.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "shapeboost/array.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost {

/// In the order of kernels::Any.
enum class KernelKind {
  gaussian,
  linear,
  polynomial,
  laplacian,
  dtw,
  gak,
  spectrum,
  mismatch,
  subsequence,
  gram,
  custom,
};

[[nodiscard]] std::string_view to_string(KernelKind kind);
template <>
[[nodiscard]] KernelKind parse<KernelKind>(std::string_view text);

/// K has a sigma, which is measured against the data's distances where it is not given.
[[nodiscard]] bool has_sigma(KernelKind kind);
/// K aligns time steps, so it has a band and knows windows only.
[[nodiscard]] bool has_band(KernelKind kind);
/// K compares strings of symbols, k at a time.
[[nodiscard]] bool compares_strings(KernelKind kind);

/// A caller's own similarity of two vectors, as a view prepares them (mapped and normalised windows or
/// instances; windows of symbols as their codes). Symmetric, and safe to call from several threads.
using Similarity = std::function<double(std::span<const double> x, std::span<const double> z)>;

/// Square and symmetric; a view's one feature numbers its rows.
class SymmetricMatrix : public Array<double> {
 public:
  explicit SymmetricMatrix(Array<double> numbers) : Array<double>(std::move(numbers)) {}
  /// No eigenvalue is below 0 by more than rounding. Found when first asked for, by whichever thread, then known.
  [[nodiscard]] bool positive_semidefinite() const;

 private:
  mutable std::once_flag asked_;
  mutable bool positive_semidefinite_ = false;
};
using GramMatrix = std::shared_ptr<const SymmetricMatrix>;

/// A k-mer is packed into eight bytes.
inline constexpr int kLongestKmer = 8;

/// What k = 0 stands for.
[[nodiscard]] constexpr int default_k(KernelKind kind) { return kind == KernelKind::mismatch ? 5 : 3; }

/// One struct for each kernel, with its formula and its parameters. sigma > 0; 0: found by fit_view.
namespace kernels {

/// K(x, z) = exp(-sigma |x - z|^2)
struct Gaussian {
  double sigma = 1.0;
};

/// K(x, z) = x.z
struct Linear {};

/// K(x, z) = (x.z + c)^p
struct Polynomial {
  double c = 1.0;  ///< >= 0
  int p = 2;       ///< 1 ... 10
};

/// K(x, z) = exp(-sigma |x - z|_1)
struct Laplacian {
  double sigma = 1.0;
};

/// K(x, z) = exp(-sigma DTW(x, z)^2), dynamic time warping within a band; windows only.
struct Dtw {
  double sigma = 1.0;
  double band = 0.1;  ///< how far an alignment may stray, as a share of the window; 0 ... 1
};

/// The global alignment kernel: a sum over all alignments within a band; windows only.
struct Gak {
  double sigma = 1.0;
  double band = 0.1;  ///< as for Dtw
};

// Kernels of strings of symbols, each divided by sqrt(K(x, x) K(z, z)). k, the number of symbols compared at
// a time, is 1 ... kLongestKmer; 0: default_k(), set by fit_view.

/// The inner product of the counts of k-mers.
struct Spectrum {
  int k = 0;
};

/// The same, where a k-mer counts for every k-mer that differs from it in at most `mismatches` places.
struct Mismatch {
  int k = 0;
  int mismatches = 1;  ///< 0 ... k-1
  int alphabet = 0;    ///< how many symbols there are; 0: as many as occur, counted by fit_view
};

/// Common subsequences of k symbols, each weighted by lambda^(what it spans in x and in z).
struct Subsequence {
  int k = 0;
  double lambda = 0.5;  ///< in (0, 1]; small values favour neighbouring symbols
};

/// K(x, z) = G(x, z), where x and z are rows of a given matrix.
struct Gram {
  GramMatrix matrix;  ///< none in a model just read from its file
  std::string file;   ///< what the matrix is called
};

/// Any function of two vectors.
struct Custom {
  Similarity similarity;    ///< none in a model just read from its file
  std::string name;         ///< what the function is called
  bool claims_psd = false;  ///< the caller knows it to be positive semi-definite
};

using Any = std::variant<Gaussian, Linear, Polynomial, Laplacian, Dtw, Gak, Spectrum, Mismatch, Subsequence,
                         Gram, Custom>;

}  // namespace kernels

/// One of the kernels, evaluated in two steps, K = value(affinity), `value` never decreasing: the most
/// similar instance of a bag is the one with the largest affinity, and K is needed for that one only.
///
///     gaussian    affinity = -|x - z|^2     value(a) = exp(sigma a)
///     linear      affinity = x.z            value(a) = a
///     polynomial  affinity = (x.z + c)^p    value(a) = a
///     laplacian   affinity = -|x - z|_1     value(a) = exp(sigma a)
///     dtw         affinity = -DTW(x, z)^2   value(a) = exp(sigma a)
///     gak         affinity = log K(x, z)    value(a) = exp(a)
///     others      affinity = K(x, z)        value(a) = a
///
/// Kernels without a sigma may have any size: value(a) = unit a then, the unit a power of two that brings what is very large
/// or very small near 1 and changes no digit.
class Kernel {
 public:
  Kernel() = default;
  /// Of one of the structs above: Kernel kernel = kernels::Dtw{0.5, 0.1}.
  template <typename One>
  requires(!std::same_as<One, Kernel> && std::constructible_from<kernels::Any, One>) Kernel(One one)
      : one_(std::move(one)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] KernelKind kind() const { return static_cast<KernelKind>(one_.index()); }
  /// The parameters where K is of this kind, else nullptr: kernel.as<kernels::Polynomial>()->c.
  template <typename One>
  [[nodiscard]] const One* as() const {
    return std::get_if<One>(&one_);
  }
  template <typename One>
  [[nodiscard]] One* as() {
    return std::get_if<One>(&one_);
  }

  // What several kernels have; of a kernel without one, 0, and setting it changes nothing.
  [[nodiscard]] double sigma() const;
  void set_sigma(double sigma);
  [[nodiscard]] double band() const;
  [[nodiscard]] int k() const;
  void set_k(int k);

  [[nodiscard]] double unit() const { return unit_; }
  void set_unit(double unit) { unit_ = unit; }

  [[nodiscard]] double value(double affinity) const;
  /// value() of each of n numbers, in place.
  void values(double* affinities, long n) const;
  /// value(a) = exp(rate() a), where has_sigma(); else 0.
  [[nodiscard]] double rate() const { return kind() == KernelKind::gak ? 1.0 : sigma(); }

  [[nodiscard]] bool has_sigma() const { return shapeboost::has_sigma(kind()); }
  [[nodiscard]] bool has_band() const { return shapeboost::has_band(kind()); }
  [[nodiscard]] bool compares_strings() const { return shapeboost::compares_strings(kind()); }
  /// K compares vectors of numbers, which have means.
  [[nodiscard]] bool compares_numbers() const { return !compares_strings() && kind() != KernelKind::gram; }
  /// sum_ij c_i c_j K(x_i, x_j) >= 0 whatever c and x: K is an inner product of some feature map. Warping
  /// breaks the triangle inequality, and with it this.
  [[nodiscard]] bool positive_semidefinite() const;
  /// K(x, x) = 1 for every x.
  [[nodiscard]] bool unit_diagonal() const { return has_sigma() || compares_strings(); }
  /// Time steps by which an alignment of windows of this length may stray: band * length, rounded.
  [[nodiscard]] std::int64_t reach(std::int64_t length) const;

 private:
  kernels::Any one_;
  double unit_ = 1.0;
};

}  // namespace shapeboost
