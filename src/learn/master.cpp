// SPDX-License-Identifier: MIT
#include "learn/master.hpp"

#include "solve/lp.hpp"

namespace shapeboost {
namespace {

/// Largest residual and gap of an answer that counts as one.
constexpr double kCertified = 1e-8;
/// The same for Clp, which is asked where rounding matters: still far below any gap that decides.
constexpr double kCertifiedByClp = 1e-6;
/// Sums of weights are this exact: classes that weigh the same may seem to differ.
constexpr double kRounding = 1e-12;

/// v: the weights as given, or ones.
Vector filled(const Vector& weights, Eigen::Index m) {
  return weights.size() == 0 ? Vector(Vector::Ones(m)) : weights;
}

/// The weights, checked as the constructor promises.
Vector checked(const Vector& y, const MasterSettings& settings) {
  if (!(settings.nu > 0.0 && settings.nu <= 1.0)) {
    throw InvalidInput("nu: expected a number above 0 and at most 1, found " + detail::number(settings.nu));
  }
  Vector weights = filled(settings.weights, y.size());
  if (weights.size() != y.size()) {
    throw InvalidInput("weights: expected one for each of " + std::to_string(y.size()) + " bags, found " +
                       std::to_string(weights.size()));
  }
  for (const double v : weights) {
    if (!(v > 0.0) || !std::isfinite(v)) {
      throw InvalidInput("weights: expected finite numbers above 0, found " + detail::number(v));
    }
  }
  const double largest = Master::largest_nu(y, weights);
  if (settings.offset && settings.nu > largest * (1.0 + kRounding)) {
    throw InvalidInput("nu: with an offset it can be at most " + detail::number(largest) +
                       " for these classes, found " + detail::number(settings.nu));
  }
  return weights;
}

double weight_of_positive(const Vector& y, const Vector& v) {
  return (y.array() > 0.0).select(v.array(), 0.0).sum();
}

}  // namespace

double Master::largest_nu(const Vector& y, const Vector& weights) {
  const Vector v = filled(weights, y.size());
  const double positive = weight_of_positive(y, v);
  const double negative = (y.array() > 0.0).select(0.0, v.array()).sum();
  const double share = 2.0 * std::min(positive, negative) / (positive + negative);
  return share > 1.0 - kRounding ? 1.0 : share;
}

Vector Master::caps(Eigen::Index m, double nu, const Vector& weights) {
  const Vector v = filled(weights, m);
  return (v.array() / (nu * v.sum())).min(1.0);
}

Master::Master(Vector y, const MasterSettings& settings)
    : y_(std::move(y)),
      settings_(settings),
      weights_(checked(y_, settings)),
      caps_(caps(y_.size(), settings.nu, weights_)),
      simplex_(y_, caps_, settings.offset) {}

int Master::add(const Vector& h) {
  simplex_.add(h.cwiseProduct(y_));
  idle_.push_back(0);
  return hypotheses() - 1;
}

MasterSolution Master::solve() {
  if (idle_.empty()) return without_hypotheses();
  MasterSolution solution = solve_by_simplex();
  if (solution.status != Status::solved) solution = solve_by_clp();
  if (solution.status == Status::solved) drop_idle(solution.w);
  return solution;
}

/// Within the caps: d_i / v_i is 1/V <= 1/(nu V), or 1/(2 V_c) in class c, which nu <= 2 V_c / V allows.
MasterSolution Master::without_hypotheses() const {
  MasterSolution solution;
  const double of_all = weights_.sum();
  const double of_positive = weight_of_positive(y_, weights_);
  solution.d = weights_ / of_all;
  for (Eigen::Index i = 0; settings_.offset && i < y_.size(); ++i) {
    solution.d[i] = 0.5 * weights_[i] / (y_[i] > 0.0 ? of_positive : of_all - of_positive);
  }
  solution.gamma = -1.0;
  solution.status = Status::solved;
  return solution;
}

/// Solved where the answer proves itself: d obeys its equations, and w, b and rho reach the gamma of d. The
/// bounds of d and the signs of w hold exactly, and gamma is taken from the edges.
MasterSolution Master::solve_by_simplex() {
  MasterSolution solution;
  if (!simplex_.solve()) return solution;
  solution.d = simplex_.d().cwiseMax(0.0).cwiseMin(caps_);
  solution.rho = simplex_.rho();
  solution.b = simplex_.b();
  solution.w = Vector::Zero(hypotheses());
  solution.gamma = -kInfinity;
  for (int j = 0; j < hypotheses(); ++j) {
    const Vector& a = simplex_.hypothesis(j);
    if (a.size() == 0) continue;
    solution.w[j] = simplex_.w(j);
    solution.gamma = std::max(solution.gamma, a.dot(solution.d));
  }
  solution.duality_gap = std::abs(primal_value(solution) - solution.gamma);
  const double residual =
      std::max({std::abs(solution.d.sum() - 1.0), settings_.offset ? std::abs(solution.d.dot(y_)) : 0.0,
                std::abs(solution.w.sum() - 1.0), solution.duality_gap});
  if (residual <= kCertified) {
    solution.status = Status::solved;
  } else {
    simplex_.forget();
  }
  return solution;
}

/// The program as the header draws it, from nothing: slow, and hardly ever needed.
MasterSolution Master::solve_by_clp() const {
  constexpr int kGamma = 0;  // column of gamma; d_i follows at 1 + i
  const auto m = static_cast<int>(y_.size());
  Lp program({.tolerance = kCertifiedByClp});
  program.add_column(1.0, -kInfinity, kInfinity);
  std::vector<LpEntry> total;
  std::vector<LpEntry> offset;
  for (int i = 0; i < m; ++i) {
    total.push_back({program.add_column(0.0, 0.0, caps_[i]), 1.0});
    offset.push_back({1 + i, y_[i]});
  }
  const int total_row = program.add_row(1.0, 1.0, total);
  const int offset_row = settings_.offset ? program.add_row(0.0, 0.0, offset) : -1;
  std::vector<int> row_of(idle_.size(), -1);
  for (int j = 0; j < hypotheses(); ++j) {
    const Vector& a = simplex_.hypothesis(j);
    if (a.size() == 0) continue;
    std::vector<LpEntry> entries{{kGamma, -1.0}};
    for (int i = 0; i < m; ++i) entries.push_back({1 + i, a[i]});
    row_of[at(j)] = program.add_row(-kInfinity, 0.0, entries);
  }
  const LpSolution lp = program.solve();
  MasterSolution solution;
  solution.by_clp = true;
  solution.status = lp.status;
  if (lp.status != Status::solved) return solution;
  solution.gamma = lp.objective;
  solution.d = lp.x.tail(m);
  solution.rho = lp.row_dual[total_row];
  solution.b = settings_.offset ? -lp.row_dual[offset_row] : 0.0;
  solution.w = Vector::Zero(hypotheses());
  for (int j = 0; j < hypotheses(); ++j) {
    const int row = row_of[at(j)];
    if (row >= 0) solution.w[j] = std::max(0.0, -lp.row_dual[row]);
  }
  solution.duality_gap = std::abs(primal_value(solution) - solution.gamma);
  return solution;
}

Vector Master::scores(const MasterSolution& solution) const {
  Vector g = Vector::Constant(y_.size(), solution.b);
  for (int j = 0; j < hypotheses(); ++j) {
    const double w = solution.w[j];
    if (w > 0.0) g += w * y_.cwiseProduct(simplex_.hypothesis(j));
  }
  return g;
}

/// rho - sum_i cap_i xi_i with the smallest xi that w, b and rho allow.
double Master::primal_value(const MasterSolution& solution) const {
  const Vector xi = (solution.rho - y_.array() * scores(solution).array()).max(0.0);
  return solution.rho - caps_.dot(xi);
}

void Master::drop_idle(const Vector& w) {
  for (int j = 0; j < hypotheses(); ++j) {
    int& idle = idle_[at(j)];
    if (idle < 0) continue;
    idle = w[j] > 0.0 ? 0 : idle + 1;
    if (idle <= settings_.patience || simplex_.tight(j)) continue;
    simplex_.drop(j);
    idle = -1;
  }
}

}  // namespace shapeboost
