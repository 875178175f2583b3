// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "solve/status.hpp"
#include "support/naive.hpp"

namespace shapeboost::naive {
// Columns: plus_0, minus_0, plus_1, minus_1, ..., then lambda_i for every bag (fixed at 0 where positive).
SparseProgram::SparseProgram(const Matrix& K, const std::vector<std::int64_t>& first,
                             const std::vector<bool>& negative)
    : K_(K), negative_(negative) {
  const auto z = static_cast<int>(K.rows());
  for (int k = 0; k < 2 * z; ++k) lp_.add_column(0.0, 0.0, kInfinity);
  for (const bool is_negative : negative) {
    lp_.add_column(0.0, is_negative ? -kInfinity : 0.0, is_negative ? kInfinity : 0.0);
  }
  std::vector<LpEntry> entries;
  for (int k = 0; k < 2 * z; ++k) entries.push_back({k, 1.0});
  lp_.add_row(-kInfinity, 1.0, entries);  // ||alpha||_1 <= 1
  for (std::size_t r = 0; r < negative.size(); ++r) {
    if (!negative[r]) continue;
    for (std::int64_t x = first[r]; x < first[r + 1]; ++x) {  // sum_z alpha_z K(z, x) <= lambda_r
      entries.clear();
      for (int k = 0; k < z; ++k) {
        entries.push_back({2 * k, K(k, x)});
        entries.push_back({2 * k + 1, -K(k, x)});
      }
      entries.push_back({2 * z + static_cast<int>(r), -1.0});
      lp_.add_row(-kInfinity, 0.0, entries);
    }
  }
}

Optimum SparseProgram::solve(const SubProblem& problem) {
  const Eigen::Index z = K_.rows();
  Vector c = Vector::Zero(z);
  for (Eigen::Index i = 0; i < problem.weight.size(); ++i) {
    if (problem.weight[i] > 0.0) c += problem.weight[i] * K_.col(problem.maximisers[at(i)]);
    if (negative_[at(i)]) lp_.set_cost(static_cast<int>(2 * z + i), std::max(0.0, -problem.weight[i]));
  }
  for (Eigen::Index k = 0; k < z; ++k) {
    lp_.set_cost(static_cast<int>(2 * k), -c[k]);
    lp_.set_cost(static_cast<int>(2 * k + 1), c[k]);
  }
  const LpSolution solution = lp_.solve();
  Optimum optimum{solution.status, solution.objective, solution.duality_gap, Vector::Zero(z)};
  if (solution.status != Status::solved) return optimum;
  for (Eigen::Index k = 0; k < z; ++k) optimum.alpha[k] = solution.x[2 * k] - solution.x[2 * k + 1];
  return optimum;
}

Optimum sparse_optimum(const Matrix& K, const SubProblem& problem) {
  std::vector<bool> negative;
  for (const double weight : problem.weight) negative.push_back(weight < 0.0);
  return SparseProgram(K, problem.first, negative).solve(problem);
}

/// min 1/2 p'Qp - g'p  s.t.  A p = a, p >= 0 by Mehrotra's predictor-corrector: Newton's method on
///     Qp - g - A'y - s = 0,   A p = a,   p_i s_i = mu  with mu going to 0.
static Vector quadratic_program(const Matrix& Q, const Vector& g, const Matrix& A, const Vector& a) {
  const Eigen::Index n = Q.rows();
  const Eigen::Index k = A.rows();
  Vector p = Vector::Constant(n, a.sum() / static_cast<double>(n));
  Vector y = Vector::Zero(k);
  Vector s = Vector::Constant(n, std::max(1.0, (Q * p - g).cwiseAbs().maxCoeff()));
  const auto longest_step = [&](const Vector& x, const Vector& dx) {
    double step = 1.0;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (dx[i] < 0.0) step = std::min(step, -x[i] / dx[i]);
    }
    return step;
  };
  for (int iteration = 0; iteration < 200; ++iteration) {
    const Vector dual = Q * p - g - A.transpose() * y - s;
    const Vector primal = A * p - a;
    const double mu = p.dot(s) / static_cast<double>(n);
    if (mu * static_cast<double>(n) < 1e-15 && dual.cwiseAbs().maxCoeff() < 1e-12 &&
        primal.cwiseAbs().maxCoeff() < 1e-12) {
      break;
    }
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + k, n + k);
    system.topLeftCorner(n, n) = Q;
    system.topLeftCorner(n, n).diagonal() += s.cwiseQuotient(p);
    system.topRightCorner(n, k) = -A.transpose();
    system.bottomLeftCorner(k, n) = -A;
    const Eigen::PartialPivLU<Eigen::MatrixXd> factors(system);
    const auto direction = [&](const Vector& complementarity, Vector& dp, Vector& dy, Vector& ds) {
      Vector right(n + k);
      right << -dual - complementarity.cwiseQuotient(p), primal;
      const Vector step = factors.solve(right);
      dp = step.head(n);
      dy = step.tail(k);
      ds = -(complementarity + s.cwiseProduct(dp)).cwiseQuotient(p);
    };
    Vector dp, dy, ds;
    direction(p.cwiseProduct(s), dp, dy, ds);
    const double affine = std::min(longest_step(p, dp), longest_step(s, ds));
    const double reached = (p + affine * dp).dot(s + affine * ds) / static_cast<double>(n);
    const double target = mu * std::pow(reached / mu, 3.0);
    direction((p.cwiseProduct(s) + dp.cwiseProduct(ds)).array() - target, dp, dy, ds);
    const double step = 0.995 * std::min(longest_step(p, dp), longest_step(s, ds));
    p += step * dp;
    y += step * dy;
    s += step * ds;
  }
  return p.cwiseMax(0.0);
}

Optimum ball_optimum(const Matrix& G, const SubProblem& problem) {
  Vector u = Vector::Zero(G.rows());  // c - q, by its coefficients
  std::vector<Eigen::Index> points;   // instances of the negative bags
  std::vector<std::size_t> bag_of;
  std::vector<std::size_t> negative;
  for (Eigen::Index i = 0; i < problem.weight.size(); ++i) {
    if (problem.weight[i] > 0.0) u[problem.maximisers[at(i)]] += problem.weight[i];
    if (!(problem.weight[i] < 0.0)) continue;
    for (std::int64_t x = problem.first[at(i)]; x < problem.first[at(i) + 1]; ++x) {
      points.push_back(x);
      bag_of.push_back(negative.size());
    }
    negative.push_back(at(i));
  }
  const Vector c = u;
  if (!points.empty()) {
    const Matrix A = Matrix::NullaryExpr(
        static_cast<Eigen::Index>(negative.size()), static_cast<Eigen::Index>(points.size()),
        [&](Eigen::Index r, Eigen::Index j) { return bag_of[at(j)] == at(r) ? 1.0 : 0.0; });
    Vector mass(A.rows());
    for (Eigen::Index r = 0; r < mass.size(); ++r) {
      mass[r] = -problem.weight[static_cast<Eigen::Index>(negative[at(r)])];
    }
    const Vector p = quadratic_program(G(points, points), (G * c)(points), A, mass);
    for (std::size_t j = 0; j < points.size(); ++j) u[points[j]] -= p[static_cast<Eigen::Index>(j)];
  }
  // Any p bounds the optimum from below by -||c - q||, any u in the ball from above by f(u).
  const double distance = std::sqrt(std::max(0.0, u.dot(G * u)));
  Optimum optimum{Status::solved, 0.0, distance, Vector::Zero(u.size())};
  if (distance == 0.0) return optimum;
  u /= distance;
  const Vector score = G * u;
  double value = -c.dot(score);
  for (const std::size_t r : negative) {
    double largest = -kInfinity;
    for (std::int64_t x = problem.first[r]; x < problem.first[r + 1]; ++x)
      largest = std::max(largest, score[x]);
    value -= problem.weight[static_cast<Eigen::Index>(r)] * largest;
  }
  if (value < 0.0) optimum = {Status::solved, value, value + distance, u};
  return optimum;
}

}  // namespace shapeboost::naive
