// SPDX-License-Identifier: MIT
// A reference implementation beside an Lp for its tests: the same program, dense, with its own check of optimality.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ground/numbers.hpp"
#include "solve/lp.hpp"
#include "solve/status.hpp"

namespace shapeboost {

inline constexpr double kExact = 1e-9;        // hand-solved answers, and warm against fresh
inline constexpr double kCertificate = 1e-7;  // complementary slackness: ten times the solver's tolerance

/// The same program as an Lp, kept densely and plainly; every change goes to both.
struct ReferenceLp {
  Lp lp;
  std::vector<double> cost, lower, upper, row_lower, row_upper;
  std::vector<std::vector<double>> a;  // by rows

  explicit ReferenceLp(LpSettings settings = {}) : lp(settings) {}

  static std::vector<LpEntry> entries(const std::vector<double>& dense) {
    std::vector<LpEntry> result;
    for (std::size_t j = 0; j < dense.size(); ++j) {
      if (dense[j] != 0.0) result.push_back({static_cast<int>(j), dense[j]});
    }
    return result;
  }
  int add_column(double c, double low, double high, const std::vector<double>& dense = {}) {
    cost.push_back(c);
    lower.push_back(low);
    upper.push_back(high);
    for (std::size_t i = 0; i < a.size(); ++i) a[i].push_back(i < dense.size() ? dense[i] : 0.0);
    return lp.add_column(c, low, high, entries(dense));
  }
  int add_row(double low, double high, std::vector<double> dense) {
    const int index = lp.add_row(low, high, entries(dense));
    dense.resize(cost.size(), 0.0);
    row_lower.push_back(low);
    row_upper.push_back(high);
    a.push_back(std::move(dense));
    return index;
  }
  void set_cost(int j, double c) {
    lp.set_cost(j, c);
    cost[static_cast<std::size_t>(j)] = c;
  }
  [[nodiscard]] LpSolution solve_fresh() const {
    Lp fresh;
    for (std::size_t j = 0; j < cost.size(); ++j) fresh.add_column(cost[j], lower[j], upper[j]);
    for (std::size_t i = 0; i < a.size(); ++i) fresh.add_row(row_lower[i], row_upper[i], entries(a[i]));
    return fresh.solve();
  }
  /// Optimality once more, by complementary slackness: a positive multiplier only at a lower bound, a
  /// negative one only at an upper bound.
  void expect_optimal(const LpSolution& s) const {
    ASSERT_EQ(s.status, Status::solved);
    ASSERT_EQ(s.x.size(), static_cast<Eigen::Index>(cost.size()));
    ASSERT_EQ(s.row_dual.size(), static_cast<Eigen::Index>(a.size()));
    std::vector<double> z = cost;
    double objective = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      double activity = 0.0;
      const double y = s.row_dual[static_cast<Eigen::Index>(i)];
      for (std::size_t j = 0; j < cost.size(); ++j) {
        activity += a[i][j] * s.x[static_cast<Eigen::Index>(j)];
        z[j] -= y * a[i][j];
      }
      expect_slack(activity, y, row_lower[i], row_upper[i], "row", i);
    }
    for (std::size_t j = 0; j < cost.size(); ++j) {
      objective += cost[j] * s.x[static_cast<Eigen::Index>(j)];
      expect_slack(s.x[static_cast<Eigen::Index>(j)], z[j], lower[j], upper[j], "column", j);
    }
    EXPECT_NEAR(s.objective, objective, kExact * std::max(1.0, std::abs(objective)));
    EXPECT_LE(std::max({s.primal_residual, s.dual_residual, s.duality_gap}), 1e-8);
  }
  static void expect_slack(double value, double multiplier, double low, double high, const char* what,
                           std::size_t index) {
    EXPECT_GE(value, low - kCertificate) << what << " " << index;
    EXPECT_LE(value, high + kCertificate) << what << " " << index;
    if (std::abs(multiplier) <= kCertificate) return;
    EXPECT_NEAR(value, multiplier > 0.0 ? low : high, kCertificate) << what << " " << index;
  }
};

/// min gamma s.t. d in [0, cap], sum d = 1; rows "edge <= gamma" are added by add_cut.
struct Game : ReferenceLp {
  explicit Game(int m, double cap = kInfinity, LpSettings settings = {}) : ReferenceLp(settings) {
    for (int i = 0; i < m; ++i) add_column(0.0, 0.0, cap);
    add_column(1.0, -kInfinity, kInfinity);
    std::vector<double> ones(static_cast<std::size_t>(m), 1.0);
    add_row(1.0, 1.0, ones);
  }
  void add_cut(std::vector<double> edge) {
    edge.push_back(-1.0);
    add_row(-kInfinity, 0.0, edge);
  }
};

}  // namespace shapeboost
