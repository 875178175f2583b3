// SPDX-License-Identifier: MIT
#include "solve/multinomial.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"

namespace shapeboost {
namespace {

constexpr Eigen::Index kRows = 128;  // of G that are one task
/// Scores of which threads take pieces: some 6 ns each, where another thread is woken and its end awaited in 10 to 50 us.
constexpr Eigen::Index kShared = Eigen::Index{1} << 15;
constexpr int kStalled = 1000;  // steps without a smaller gap: nothing but rounding is left

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
    Eigen::MatrixXd best = B;
    Eigen::MatrixXd slope;
    solution.gap = kInfinity;
    double momentum = 1.0;
    for (int patience = kStalled; patience > 0; --patience, ++solution.steps) {
      const double found = loss(ahead, slope);
      if (const double left = gap(slope); left < solution.gap) {
        solution.loss = found;
        solution.gap = left;
        best = ahead;
        patience = kStalled;
      }
      if (solution.gap <= settings_.tolerance || solution.steps >= settings_.max_steps) break;
      const Eigen::MatrixXd next = ahead - steps.solve(slope);
      const Eigen::MatrixXd step = next - B;
      if (slope.cwiseProduct(step).sum() > 0.0) momentum = 1.0;  // uphill: too fast
      const double faster = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
      ahead = next + (momentum - 1.0) / faster * step;
      momentum = faster;
      B = next;
    }
    solution.A = best.topRows(C);
    solution.c = best.row(C).transpose();
    return solution;
  }

 private:
  /// f and its gradient.
  double loss(const Eigen::MatrixXd& B, Eigen::MatrixXd& slope) const {
    const Eigen::Index C = G_.cols();
    std::vector<double> sums(pieces());
    std::vector<Eigen::MatrixXd> slopes(pieces());
    each_piece([&](std::size_t piece, Eigen::Index first, Eigen::Index rows) {
      const auto g = G_.middleRows(first, rows);
      Eigen::MatrixXd z = g * B.topRows(C);
      z.rowwise() += B.row(C);
      sums[piece] = surprise(z, first);
      slopes[piece].resize(C + 1, C);
      slopes[piece] << g.transpose() * z, z.colwise().sum();
    });
    const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
    const Eigen::MatrixXd apart = B - centre_;
    const Eigen::MatrixXd pulled = pull_.asDiagonal() * apart;
    slope = 2.0 * pulled;
    for (const Eigen::MatrixXd& part : slopes) slope += part;
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
  double surprise(Eigen::MatrixXd& z, Eigen::Index first) const {
    const Eigen::Index rows = z.rows();
    const auto v = v_.segment(first, rows);
    double own = 0.0;
    for (Eigen::Index i = 0; i < rows; ++i) own += v[i] * z(i, y_[at(first + i)]);
    const Vector largest = z.rowwise().maxCoeff();
    z.colwise() -= largest;
    z = z.array().exp();  // all of it at once, as it lies in memory
    const Vector total = z.rowwise().sum();
    z.array().colwise() *= v.array() / total.array();
    for (Eigen::Index i = 0; i < rows; ++i) z(i, y_[at(first + i)]) -= v[i];
    return v.dot(Vector(total.array().log() + largest.array())) - own;
  }

  [[nodiscard]] double gap(const Eigen::MatrixXd& slope) const {
    double sum = 0.0;
    for (Eigen::Index k = 0; k < slope.rows(); ++k) sum += slope.row(k).squaredNorm() / (4.0 * pull_[k]);
    return sum / v_.sum();
  }

  /// The loss of s G is convex in s: Newton's steps, or half of where it may lie where they leave that.
  [[nodiscard]] double temperature() const {
    constexpr double kHottest = 10.0;  // scores of -1 and 1 are told apart by e^20
    constexpr double kClose = 1e-12;
    if (slope_at(kHottest).first <= 0.0) return kHottest;
    double low = 0.0;
    double high = kHottest;
    double s = 1.0;
    while (high - low > kClose) {
      const auto [slope, curvature] = slope_at(s);
      (slope > 0.0 ? high : low) = s;
      const double newton = s - slope / curvature;
      const bool inside = newton > low && newton < high;
      const double next = inside ? newton : 0.5 * (low + high);
      if (std::abs(next - s) <= kClose) break;
      s = next;
    }
    return s;
  }

  /// d/ds and d^2/ds^2 of the loss of s G.
  [[nodiscard]] std::pair<double, double> slope_at(double s) const {
    std::vector<std::pair<double, double>> sums(pieces());
    each_piece([&](std::size_t piece, Eigen::Index first, Eigen::Index rows) {
      const auto g = G_.middleRows(first, rows);
      Eigen::MatrixXd z = s * g;
      (void)surprise(z, first);
      const double slope = z.cwiseProduct(g).sum();
      for (Eigen::Index i = 0; i < rows; ++i) z(i, y_[at(first + i)]) += v_[first + i];  // v_i p_ik
      const Vector means = z.cwiseProduct(g).rowwise().sum();                            // times v_i
      const double squares = z.cwiseProduct(g).cwiseProduct(g).sum();
      sums[piece] = {slope, squares - (means.array().square() / v_.segment(first, rows).array()).sum()};
    });
    std::pair<double, double> total{0.0, 0.0};
    for (const auto& [slope, curvature] : sums) {
      total.first += slope;
      total.second += curvature;
    }
    return total;
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
