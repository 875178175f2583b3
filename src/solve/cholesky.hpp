// SPDX-License-Identifier: MIT
// The Cholesky factor of a large matrix, by tiles that several threads take in turn: the same bits for any number of
// them.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "ground/parallel.hpp"

namespace shapeboost::detail {

inline constexpr Eigen::Index kTile = 256;     ///< rows and columns of a matrix that are one task
inline constexpr Eigen::Index kPanel = 96;     ///< columns of L at a time
inline constexpr Eigen::Index kInverse = 192;  ///< columns of L^-1 at a time, a multiple of kPanel
static_assert(kInverse % kPanel == 0);

[[nodiscard]] inline Eigen::Index pieces(Eigen::Index n, Eigen::Index size) { return (n + size - 1) / size; }

/// LL' = A + alpha I, column panel by column panel; the inverses of L's diagonal blocks make products of
/// all the rest. There is no other matrix: A is read below the diagonal, and L, transposed, lies above it.
class Cholesky {
  using Index = Eigen::Index;
  using MatrixXd = Eigen::MatrixXd;

 public:
  Cholesky() = default;
  /// A's lower triangle is what counts.
  explicit Cholesky(MatrixXd A) : A_(std::move(A)) {}

  /// What is above the diagonal means nothing.
  [[nodiscard]] const MatrixXd& lower() const { return A_; }
  [[nodiscard]] MatrixXd& lower() { return A_; }

  /// False where A + alpha I is not positive definite.
  [[nodiscard]] bool factor(double alpha, ThreadPool& threads) {
    const Index n = A_.rows();
    inverse_.resize(at(pieces(n, kPanel)));
    MatrixXd panel;
    for (Index j = 0; j < n; j += kPanel) {
      const Index width = std::min(kPanel, n - j);
      const auto rows_of = [&](std::int64_t tile) { return std::min(kTile, n - j - kTile * tile); };
      panel.resize(n - j, width);
      threads.run(pieces(n - j, kTile), [&](std::int64_t tile) {
        const Index i = kTile * tile;
        const Index rows = rows_of(tile);
        auto own = panel.middleRows(i, rows);
        own = A_.block(j + i, j, rows, width);
        if (j > 0) own.noalias() -= A_.block(0, j + i, j, rows).transpose() * A_.block(0, j, j, width);
      });
      MatrixXd corner = panel.topRows(width);
      corner.diagonal().array() += alpha;
      const Eigen::LLT<MatrixXd> small(corner);
      if (small.info() != Eigen::Success) return false;
      corner = small.matrixL();
      if (!corner.allFinite()) return false;
      MatrixXd& inverse = inverse_[at(j / kPanel)];
      inverse = corner.triangularView<Eigen::Lower>().solve(MatrixXd::Identity(width, width));
      threads.run(pieces(n - j, kTile), [&](std::int64_t tile) {
        const Index first = std::max(kTile * tile, width);  // the corner itself is not asked for again
        const Index end = kTile * tile + rows_of(tile);
        if (first >= end) return;
        A_.block(j, j + first, width, end - first).noalias() =
            inverse * panel.middleRows(first, end - first).transpose();
      });
    }
    return true;
  }

  /// B becomes L^-1 B, whose rows before `first` (a multiple of kPanel) are 0 and not in B.
  void forward(MatrixXd& B, Index first = 0) const {
    const Index n = A_.rows();
    for (Index i = first; i < n; i += kPanel) {
      const Index height = std::min(kPanel, n - i);
      auto now = B.middleRows(i - first, height);
      if (i > first) {
        now.noalias() -= A_.block(first, i, i - first, height).transpose() * B.topRows(i - first);
      }
      now = (inverse_[at(i / kPanel)] * now).eval();
    }
  }

  /// L^-1 B of few columns: as soon as a panel's rows are known, threads take them off the rows below.
  void forward(MatrixXd& B, ThreadPool& threads) const {
    const Index n = A_.rows();
    for (Index i = 0; i < n; i += kPanel) {
      const Index height = std::min(kPanel, n - i);
      const MatrixXd now = inverse_[at(i / kPanel)] * B.middleRows(i, height);
      B.middleRows(i, height) = now;
      const Index below = i + height;
      threads.run(pieces(n - below, kTile), [&](std::int64_t tile) {
        const Index first = below + kTile * tile;
        const Index rows = std::min(kTile, n - first);
        B.middleRows(first, rows).noalias() -= A_.block(i, first, height, rows).transpose() * now;
      });
    }
  }

  /// (A + alpha I)^-1 B.
  [[nodiscard]] MatrixXd solve(MatrixXd B, ThreadPool& threads) const {
    forward(B, threads);
    const Index n = A_.rows();
    for (Index i = (pieces(n, kPanel) - 1) * kPanel; i >= 0; i -= kPanel) {
      const Index height = std::min(kPanel, n - i);
      const MatrixXd now = inverse_[at(i / kPanel)].transpose() * B.middleRows(i, height);
      B.middleRows(i, height) = now;
      threads.run(pieces(i, kTile), [&](std::int64_t tile) {
        const Index first = kTile * tile;
        const Index rows = std::min(kTile, i - first);
        B.middleRows(first, rows).noalias() -= A_.block(first, i, rows, height) * now;
      });
    }
    return B;
  }

  /// A B.
  [[nodiscard]] MatrixXd times(const MatrixXd& B, ThreadPool& threads) const {
    const Index n = A_.rows();
    MatrixXd out(n, B.cols());
    threads.run(pieces(n, kPanel), [&](std::int64_t tile) {
      const Index i = kPanel * tile;
      const Index rows = std::min(kPanel, n - i);
      const Index below = i + rows;
      MatrixXd sum = A_.block(i, 0, rows, i) * B.topRows(i);
      sum.noalias() +=
          A_.block(i, i, rows, rows).template selfadjointView<Eigen::Lower>() * B.middleRows(i, rows);
      sum.noalias() += A_.block(below, i, n - below, rows).transpose() * B.bottomRows(n - below);
      out.middleRows(i, rows) = sum;
    });
    return out;
  }

  /// Calls visit(first, Z) for columns first, first + 1, ... of L^-1, Z being their rows from `first` on:
  /// as a task each.
  template <typename Visit>
  void for_each_inverse(ThreadPool& threads, const Visit& visit) const {
    const Index n = A_.rows();
    threads.run(pieces(n, kInverse), [&](std::int64_t piece) {
      const Index first = kInverse * piece;
      MatrixXd Z = MatrixXd::Identity(n - first, std::min(kInverse, n - first));
      forward(Z, first);
      visit(first, Z);
    });
  }

 private:
  MatrixXd A_;
  std::vector<MatrixXd> inverse_;  // of L's diagonal blocks
};

}  // namespace shapeboost::detail
