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
}  // namespace

double Master::largest_nu(const Vector& y) {
  const auto m = static_cast<double>(y.size());
  const auto positive = static_cast<double>((y.array() > 0.0).count());
  return std::min(1.0, 2.0 * std::min(positive, m - positive) / m);
}

Master::Master(Vector y, const MasterSettings& settings) : y_(std::move(y)), settings_(settings) {
  if (!(settings.nu > 0.0 && settings.nu <= 1.0)) {
    throw InvalidInput("nu: expected a number above 0 and at most 1, found " + detail::number(settings.nu));
  }
  if (settings.offset && settings.nu > largest_nu(y_) * (1.0 + 1e-12)) {
    throw InvalidInput("nu: with an offset it can be at most " + detail::number(largest_nu(y_)) +
                       " for these classes, found " + detail::number(settings.nu));
  }
  const auto m = static_cast<int>(y_.size());
  d_cap_ = std::min(1.0, 1.0 / (settings.nu * m));
  lp_.add_column(1.0, -kInfinity, kInfinity);
  std::vector<LpEntry> total;
  std::vector<LpEntry> offset;
  for (int i = 0; i < m; ++i) {
    const int d = lp_.add_column(0.0, 0.0, d_cap_);
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
    const double positive = static_cast<double>((y_.array() > 0.0).count());
    const double negative = static_cast<double>(m) - positive;
    solution.d =
        settings_.offset
            ? Vector((y_.array() > 0.0)
                         .select(Vector::Constant(m, 0.5 / positive), Vector::Constant(m, 0.5 / negative)))
            : Vector::Constant(m, 1.0 / static_cast<double>(m));
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

/// rho - 1/(nu m) sum_i xi_i with the smallest xi that w, b and rho allow.
double Master::primal_value(const MasterSolution& solution) const {
  Vector g = Vector::Constant(y_.size(), solution.b);
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const double w = solution.w[static_cast<Eigen::Index>(j)];
    if (w > 0.0) g += w * columns_[j].h;
  }
  const double xi = (solution.rho - y_.array() * g.array()).max(0.0).sum();
  return solution.rho - d_cap_ * xi;
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
