// SPDX-License-Identifier: MIT
// Support vector machines of vectors, trained by libsvm (Chang, Lin).
#pragma once

#include <svm.h>

#include <cstdint>
#include <span>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/parallel.hpp"
#include "shapeboost/kernel.hpp"
#include "view/product_affinity.hpp"

namespace shapeboost {

/// f(x) = sum_k alpha_k K(x_{support_k}, x) + b.
struct Svm {
  std::vector<std::int64_t> support;  ///< numbers of vectors
  std::vector<double> alpha;          ///< y_k times its multiplier
  double b = 0.0;
  bool exact = true;  ///< false where libsvm said that it gave up, after ten million steps
};

[[nodiscard]] bool libsvm_knows(const Kernel& kernel);

/// Bytes of n vectors of so many numbers; where `parts`, the most that some of them take.
[[nodiscard]] std::int64_t libsvm_bytes(std::int64_t n, std::int64_t numbers, bool parts);

/// Vectors as libsvm wants them, made once and trained on many times. Where they are few, so is the matrix of
/// their kernel: libsvm would compute it anew in every training.
class Libsvm {
 public:
  /// A unit short of the margin costs so much on either side. `memory` is for cached rows of the kernel.
  Libsvm(const Kernel& kernel, double positive_cost, double negative_cost, std::int64_t memory);

  /// Returns its number, from 0. To be called before the first training.
  std::int64_t add(const Vector& x);

  /// min 1/2 ||u||^2 + sum_k C_{y_k} xi_k   s.t.   y_k (<u, Phi(x_k)> + b) >= 1 - xi_k,   xi >= 0, over the
  /// vectors of these numbers; y_k is +1 or -1 and both occur.
  [[nodiscard]] Svm train(std::span<const std::int64_t> vectors, std::span<const int> y);

  /// f of the vectors of these numbers.
  [[nodiscard]] Vector scores(const Svm& svm, std::span<const std::int64_t> vectors,
                              ThreadPool& threads) const;

 private:
  [[nodiscard]] bool has_matrix() const { return parameter_.kernel_type == PRECOMPUTED; }
  void make_nodes();

  /// K(x, z) from x.x, z.z and x.z.
  [[nodiscard]] double similarity(double xx, double zz, double xz) const {
    return kernel_.value(affinity_(xx, zz, xz));
  }

  Kernel kernel_;
  detail::ProductAffinity affinity_;
  std::vector<Vector> added_;  // until the first training
  Matrix x_;                   // a row each, from then on
  Vector norm2_;               // of the rows
  svm_parameter parameter_{};
  int sides_[2] = {+1, -1};
  double weights_[2];
  std::vector<std::vector<svm_node>> nodes_;
};

}  // namespace shapeboost
