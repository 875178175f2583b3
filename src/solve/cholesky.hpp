// SPDX-License-Identifier: MIT
// The Cholesky factor of a large matrix, by tiles that several threads take in turn: the same bits for any number of
// them.
#pragma once

#include <algorithm>
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
/// all the rest.
class Cholesky {
  using Index = Eigen::Index;
  using MatrixXd = Eigen::MatrixXd;

 public:
  /// A's lower triangle is read. False where A + alpha I is not positive definite.
  [[nodiscard]] bool factor(const MatrixXd& A, double alpha, ThreadPool& threads) {
    const Index n = A.rows();
    L_.resize(n, n);
    inverse_.resize(at(pieces(n, kPanel)));
    for (Index j = 0; j < n; j += kPanel) {
      const Index width = std::min(kPanel, n - j);
      const auto rows_of = [&](std::int64_t tile) { return std::min(kTile, n - j - kTile * tile); };
      threads.run(pieces(n - j, kTile), [&](std::int64_t tile) {
        const Index i = j + kTile * tile;
        auto panel = L_.block(i, j, rows_of(tile), width);
        panel = A.block(i, j, rows_of(tile), width);
        if (j > 0) panel.noalias() -= L_.block(i, 0, rows_of(tile), j) * L_.block(j, 0, width, j).transpose();
      });
      MatrixXd corner = L_.block(j, j, width, width);
      corner.diagonal().array() += alpha;
      const Eigen::LLT<MatrixXd> small(corner);
      if (small.info() != Eigen::Success) return false;
      corner = small.matrixL();
      if (!corner.allFinite()) return false;
      MatrixXd& inverse = inverse_[at(j / kPanel)];
      inverse = corner.triangularView<Eigen::Lower>().solve(MatrixXd::Identity(width, width));
      threads.run(pieces(n - j, kTile), [&](std::int64_t tile) {
        auto panel = L_.block(j + kTile * tile, j, rows_of(tile), width);
        panel = (panel * inverse.transpose()).eval();
      });
      L_.block(j, j, width, width) = corner;
    }
    return true;
  }

  /// B becomes L^-1 B, whose rows before `first` (a multiple of kPanel) are 0 and not in B.
  void forward(MatrixXd& B, Index first = 0) const {
    const Index n = L_.rows();
    for (Index i = first; i < n; i += kPanel) {
      const Index height = std::min(kPanel, n - i);
      auto now = B.middleRows(i - first, height);
      if (i > first) now.noalias() -= L_.block(i, first, height, i - first) * B.topRows(i - first);
      now = (inverse_[at(i / kPanel)] * now).eval();
    }
  }

  /// (A + alpha I)^-1 B.
  [[nodiscard]] MatrixXd solve(MatrixXd B) const {
    forward(B);
    const Index n = L_.rows();
    for (Index i = (pieces(n, kPanel) - 1) * kPanel; i >= 0; i -= kPanel) {
      const Index height = std::min(kPanel, n - i);
      const Index below = n - i - height;
      auto now = B.middleRows(i, height);
      if (below > 0) {
        now.noalias() -= L_.block(i + height, i, below, height).transpose() * B.bottomRows(below);
      }
      now = (inverse_[at(i / kPanel)].transpose() * now).eval();
    }
    return B;
  }

  /// Calls visit(first, Z) for columns first, first + 1, ... of L^-1, Z being their rows from `first` on:
  /// as a task each.
  template <typename Visit>
  void for_each_inverse(ThreadPool& threads, const Visit& visit) const {
    const Index n = L_.rows();
    threads.run(pieces(n, kInverse), [&](std::int64_t piece) {
      const Index first = kInverse * piece;
      MatrixXd Z = MatrixXd::Identity(n - first, std::min(kInverse, n - first));
      forward(Z, first);
      visit(first, Z);
    });
  }

 private:
  MatrixXd L_;                     // lower triangle
  std::vector<MatrixXd> inverse_;  // of its diagonal blocks
};

}  // namespace shapeboost::detail
