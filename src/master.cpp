// SPDX-License-Identifier: MIT
#include "shapeboost/master.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "text_detail.hpp"

namespace shapeboost {
namespace {
constexpr int kGamma = 0;  // column of gamma; d_i follows at 1 + i
constexpr int kTotal = 0;  // row of sum d = 1
/// Sums of weights are this exact: classes that weigh the same may seem to differ.
constexpr double kRounding = 1e-12;

/// v: the weights as given, or ones.
Vector filled(const Vector& weights, Eigen::Index m) {
  return weights.size() == 0 ? Vector(Vector::Ones(m)) : weights;
}
}  // namespace

double Master::largest_nu(const Vector& y, const Vector& weights) {
  const Vector v = filled(weights, y.size());
  const double positive = (y.array() > 0.0).select(v.array(), 0.0).sum();
  const double negative = (y.array() > 0.0).select(0.0, v.array()).sum();
  const double share = 2.0 * std::min(positive, negative) / (positive + negative);
  return share > 1.0 - kRounding ? 1.0 : share;
}

Vector Master::caps(Eigen::Index m, double nu, const Vector& weights) {
  const Vector v = filled(weights, m);
  return (v.array() / (nu * v.sum())).min(1.0);
}

Master::Master(Vector y, const MasterSettings& settings) : y_(std::move(y)), settings_(settings) {
  if (!(settings.nu > 0.0 && settings.nu <= 1.0)) {
    throw InvalidInput("nu: expected a number above 0 and at most 1, found " + detail::number(settings.nu));
  }
  if (settings.weights.size() != 0 && settings.weights.size() != y_.size()) {
    throw InvalidInput("weights: expected one for each of " + std::to_string(y_.size()) + " bags, found " +
                       std::to_string(settings.weights.size()));
  }
  settings_.weights = filled(settings.weights, y_.size());
  for (const double v : settings_.weights) {
    if (!(v > 0.0) || !std::isfinite(v)) {
      throw InvalidInput("weights: expected finite numbers above 0, found " + detail::number(v));
    }
  }
  const double largest = largest_nu(y_, settings_.weights);
  if (settings.offset && settings.nu > largest * (1.0 + kRounding)) {
    throw InvalidInput("nu: with an offset it can be at most " + detail::number(largest) +
                       " for these classes, found " + detail::number(settings.nu));
  }
  const auto m = static_cast<int>(y_.size());
  caps_ = caps(m, settings.nu, settings_.weights);
  lp_.add_column(1.0, -kInfinity, kInfinity);
  std::vector<LpEntry> total;
  std::vector<LpEntry> offset;
  for (int i = 0; i < m; ++i) {
    const int d = lp_.add_column(0.0, 0.0, caps_[i]);
    total.push_back({d, 1.0});
    offset.push_back({d, y_[i]});
  }
  lp_.add_row(1.0, 1.0, total);
  if (settings.offset) offset_row_ = lp_.add_row(0.0, 0.0, offset);
}

int Master::add(const Vector& h) {
  std::vector<LpEntry> entries{{kGamma, -1.0}};
  for (int i = 0; i < static_cast<int>(y_.size()); ++i) entries.push_back({1 + i, y_[i] * h[i]});
  columns_.push_back({h, lp_.add_row(-kInfinity, 0.0, entries), 0});
  return hypotheses() - 1;
}

MasterSolution Master::solve() {
  MasterSolution solution;
  const auto m = y_.size();
  if (columns_.empty()) {
    // Within the caps: d_i / v_i is 1/V <= 1/(nu V), or 1/(2 V_c) in class c, which nu <= 2 V_c / V allows.
    const Vector& v = settings_.weights;
    const double of_all = v.sum();
    const double of_positive = (y_.array() > 0.0).select(v.array(), 0.0).sum();
    solution.d = v / of_all;
    if (settings_.offset) {
      for (Eigen::Index i = 0; i < m; ++i) {
        solution.d[i] = 0.5 * v[i] / (y_[i] > 0.0 ? of_positive : of_all - of_positive);
      }
    }
    solution.gamma = -1.0;
    solution.status = Status::solved;
    return solution;
  }
  const LpSolution lp = lp_.solve();
  solution.status = lp.status;
  if (lp.status != Status::solved) return solution;
  solution.gamma = lp.objective;
  solution.d = lp.x.tail(m).cwiseMax(0.0);
  solution.rho = lp.row_dual[kTotal];
  solution.b = settings_.offset ? -lp.row_dual[offset_row_] : 0.0;
  solution.w = Vector::Zero(hypotheses());
  for (int j = 0; j < hypotheses(); ++j) {
    const Column& column = columns_[static_cast<std::size_t>(j)];
    if (column.row >= 0) solution.w[j] = std::max(0.0, -lp.row_dual[column.row]);
  }
  solution.gap = std::abs(primal_value(solution) - solution.gamma);
  drop_idle(solution.w);
  return solution;
}

Vector Master::scores(const MasterSolution& solution) const {
  Vector g = Vector::Constant(y_.size(), solution.b);
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const double w = solution.w[static_cast<Eigen::Index>(j)];
    if (w > 0.0 && columns_[j].row >= 0) g += w * columns_[j].h;
  }
  return g;
}

/// rho - sum_i cap_i xi_i with the smallest xi that w, b and rho allow.
double Master::primal_value(const MasterSolution& solution) const {
  const Vector xi = (solution.rho - y_.array() * scores(solution).array()).max(0.0);
  return solution.rho - caps_.dot(xi);
}

void Master::drop_idle(const Vector& w) {
  std::vector<int> leaving;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    Column& column = columns_[j];
    if (column.row < 0) continue;
    column.idle = w[static_cast<Eigen::Index>(j)] > 0.0 ? 0 : column.idle + 1;
    if (column.idle > settings_.patience) leaving.push_back(static_cast<int>(j));
  }
  if (leaving.empty()) return;
  std::vector<int> rows;
  rows.reserve(leaving.size());
  for (const int j : leaving) rows.push_back(columns_[static_cast<std::size_t>(j)].row);
  lp_.drop_rows(rows);
  for (const int j : leaving) {
    columns_[static_cast<std::size_t>(j)].row = -1;
    columns_[static_cast<std::size_t>(j)].h.resize(0);
  }
  int row = settings_.offset ? 2 : 1;
  for (Column& column : columns_) {
    if (column.row >= 0) column.row = row++;
  }
}

}  // namespace shapeboost
