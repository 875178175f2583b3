// SPDX-License-Identifier: MIT
#include "solve/multinomial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"

namespace shapeboost {
namespace {

constexpr Eigen::Index kRows = 128;  // of G that are one task
/// Scores of which threads take pieces: some 6 ns each, where another thread is woken and its end awaited in 10 to 50 us.
constexpr Eigen::Index kShared = Eigen::Index{1} << 15;

class Regression {
 public:
  Regression(const Eigen::MatrixXd& G, const std::vector<int>& y, const Vector& v, ThreadPool& threads,
             const MultinomialSettings& settings)
      : G_(G),
        y_(y),
        v_(v.size() > 0 ? v : Vector::Ones(G.rows())),
        threads_(threads),
        settings_(settings),
        pull_(Vector::Constant(G.cols() + 1, settings.lambda)) {
    pull_[G.cols()] = settings.mu;
  }

  MultinomialSolution solve() {
    const Eigen::Index C = G_.cols();
    MultinomialSolution solution;
    solution.temperature = temperature();
    centre_ = Eigen::MatrixXd::Zero(C + 1, C);
    centre_.topRows(C).diagonal().setConstant(solution.temperature);

    Eigen::MatrixXd above(C + 1, C + 1);  // Q
    const Eigen::MatrixXd VG = v_.asDiagonal() * G_;
    above << G_.transpose() * VG, VG.colwise().sum().transpose(), VG.colwise().sum(), v_.sum();
    above = 0.5 * above + Eigen::MatrixXd((2.0 * pull_).asDiagonal());
    const Eigen::LLT<Eigen::MatrixXd> steps(above);

    Eigen::MatrixXd B = centre_;  // (A; c')
    Eigen::MatrixXd ahead = B;
    Eigen::MatrixXd slope;
    solution.loss = loss(B, &slope);
    solution.gap = gap(slope);
    double momentum = 1.0;
    while (solution.gap > settings_.tolerance && solution.steps < settings_.max_steps) {
      ++solution.steps;
      loss(ahead, &slope);
      const Eigen::MatrixXd next = ahead - steps.solve(slope);
      const double found = loss(next, &slope);
      if (found > solution.loss && momentum > 1.0) {  // too fast: from B on, without momentum
        momentum = 1.0;
        ahead = B;
        continue;
      }
      const double faster = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
      ahead = next + (momentum - 1.0) / faster * (next - B);
      momentum = faster;
      if (found > solution.loss) break;  // nothing but rounding is left
      B = next;
      solution.loss = found;
      solution.gap = gap(slope);
    }
    solution.A = B.topRows(C);
    solution.c = B.row(C).transpose();
    return solution;
  }

 private:
  /// f and, where asked for, its gradient.
  double loss(const Eigen::MatrixXd& B, Eigen::MatrixXd* slope) const {
    const Eigen::Index C = G_.cols();
    std::vector<double> sums(pieces());
    std::vector<Eigen::MatrixXd> slopes(pieces());
    each_piece([&](std::size_t piece, Eigen::Index first, Eigen::Index rows) {
      const auto g = G_.middleRows(first, rows);
      Eigen::MatrixXd z = g * B.topRows(C);
      z.rowwise() += B.row(C);
      sums[piece] = surprise(z, first);
      if (slope == nullptr) return;
      slopes[piece].resize(C + 1, C);
      slopes[piece] << g.transpose() * z, z.colwise().sum();
    });
    const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
    const Eigen::MatrixXd apart = B - centre_;
    const Eigen::MatrixXd pulled = pull_.asDiagonal() * apart;
    if (slope != nullptr) {
      *slope = 2.0 * pulled;
      for (const Eigen::MatrixXd& part : slopes) *slope += part;
    }
    return sum + pulled.cwiseProduct(apart).sum();
  }

  [[nodiscard]] std::size_t pieces() const { return at((G_.rows() + kRows - 1) / kRows); }
  /// act(piece, first, rows) for the rows of G, side by side where they are many.
  template <typename Act>
  void each_piece(const Act& act) const {
    const auto task = [&](std::int64_t piece) {
      const Eigen::Index first = kRows * piece;
      act(at(piece), first, std::min(kRows, G_.rows() - first));
    };
    if (G_.size() >= kShared) {
      threads_.run(static_cast<std::int64_t>(pieces()), task);
      return;
    }
    check_stop();
    for (std::int64_t piece = 0; piece < static_cast<std::int64_t>(pieces()); ++piece) task(piece);
  }

  /// sum_i v_i (log sum_k exp z_ik - z_{i, y_i}) over the examples from `first` on; z becomes its gradient.
  /// Class after class, as z lies in memory.
  double surprise(Eigen::MatrixXd& z, Eigen::Index first) const {
    const Eigen::Index rows = z.rows();
    std::array<double, kRows> largest;
    std::array<double, kRows> total;
    std::array<double, kRows> own;
    for (Eigen::Index i = 0; i < rows; ++i) {
      largest[at(i)] = z(i, 0);
      total[at(i)] = 0.0;
      own[at(i)] = z(i, y_[at(first + i)]);
    }
    for (Eigen::Index k = 1; k < z.cols(); ++k) {
      const double* const zk = z.col(k).data();
      for (Eigen::Index i = 0; i < rows; ++i) largest[at(i)] = std::max(largest[at(i)], zk[i]);
    }
    for (Eigen::Index k = 0; k < z.cols(); ++k) {
      double* const zk = z.col(k).data();
      for (Eigen::Index i = 0; i < rows; ++i) zk[i] = std::exp(zk[i] - largest[at(i)]);
      for (Eigen::Index i = 0; i < rows; ++i) total[at(i)] += zk[i];
    }
    double sum = 0.0;
    for (Eigen::Index i = 0; i < rows; ++i) {
      const double v = v_[first + i];
      sum += v * (std::log(total[at(i)]) + largest[at(i)] - own[at(i)]);
      total[at(i)] = v / total[at(i)];
    }
    for (Eigen::Index k = 0; k < z.cols(); ++k) {
      double* const zk = z.col(k).data();
      for (Eigen::Index i = 0; i < rows; ++i) zk[i] *= total[at(i)];
    }
    for (Eigen::Index i = 0; i < rows; ++i) z(i, y_[at(first + i)]) -= v_[first + i];
    return sum;
  }

  [[nodiscard]] double gap(const Eigen::MatrixXd& slope) const {
    double sum = 0.0;
    for (Eigen::Index k = 0; k < slope.rows(); ++k) sum += slope.row(k).squaredNorm() / (4.0 * pull_[k]);
    return sum / v_.sum();
  }

  /// s >= 0 by halving: the loss of s G is convex in s.
  [[nodiscard]] double temperature() const {
    constexpr double kHottest = 10.0;  // scores of -1 and 1 are told apart by e^20
    constexpr int kHalvings = 50;
    const auto rises = [&](double s) {
      std::vector<double> slopes(pieces());
      each_piece([&](std::size_t piece, Eigen::Index first, Eigen::Index rows) {
        const auto g = G_.middleRows(first, rows);
        Eigen::MatrixXd z = s * g;
        (void)surprise(z, first);
        slopes[piece] = z.cwiseProduct(g).sum();
      });
      return std::accumulate(slopes.begin(), slopes.end(), 0.0) > 0.0;
    };
    double low = 0.0;
    double high = kHottest;
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = 0.5 * (low + high);
      (rises(middle) ? high : low) = middle;
    }
    return low;
  }

  const Eigen::MatrixXd& G_;
  const std::vector<int>& y_;
  Vector v_;
  ThreadPool& threads_;
  MultinomialSettings settings_;
  Vector pull_;             // lambda, ..., lambda, mu
  Eigen::MatrixXd centre_;  // (s I; 0)
};

}  // namespace

MultinomialSolution multinomial(const Eigen::MatrixXd& G, const std::vector<int>& y, const Vector& v,
                                ThreadPool& threads, const MultinomialSettings& settings) {
  return Regression(G, y, v, threads, settings).solve();
}

}  // namespace shapeboost
