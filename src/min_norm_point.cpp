// SPDX-License-Identifier: MIT
// min 1/2 p'Gp - g'p  over  { p >= 0, sum_{i in r} p_i = mass_r for every group r }.
//
// Gradient s = Gp - g. p is optimal when no used point (p_i > 0) of a group has a larger s than another
// point of that group. Each step takes the group that violates this most, its used point i of largest s,
// and moves mass from i to the j that promises the largest decrease
//
//     (s_i - s_j)^2 / (2 |v_i - v_j|^2),       |v_i - v_j|^2 = G_ii + G_jj - 2 G_ij
//
// (second-order selection: Fan, Chen, Lin, "Working set selection using second order information for
// training support vector machines", JMLR 6, 2005). The exact step is (s_i - s_j) / |v_i - v_j|^2, at
// most p_i. A step costs O(n): two rows of G.
#include "shapeboost/min_norm_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace shapeboost {
namespace {

using Index = Eigen::Index;

/// Squared distances below this are rounding: points that coincide, a step of all the mass.
constexpr double kSmallestCurvature = 1e-12;

/// Fresh gradients in a row that may find the gap no smaller before rounding is to blame, and the steps
/// between two of them: n + kSteps.
constexpr int kPatience = 20;
constexpr Index kSteps = 1000;

using Groups = std::vector<std::vector<Index>>;

[[noreturn]] void refuse(const std::string& what, const std::string& expected, const std::string& got) {
  throw InvalidInput("min_norm_point: " + what + ": expected " + expected + ", got " + got);
}

/// The points of each group, after a check of every size and value.
Groups checked_groups(const MinNormPointProblem& problem) {
  const Index n = problem.g.size();
  const std::string size = std::to_string(n);
  if (problem.G.rows() != n || problem.G.cols() != n) {
    refuse("G", size + " x " + size,
           std::to_string(problem.G.rows()) + " x " + std::to_string(problem.G.cols()));
  }
  if (static_cast<Index>(problem.group.size()) != n) {
    refuse("group", size + " entries", std::to_string(problem.group.size()));
  }
  if (!problem.G.allFinite()) refuse("G", "finite numbers", "NaN or infinity");
  if (!problem.g.allFinite()) refuse("g", "finite numbers", "NaN or infinity");
  if (!std::isfinite(problem.c2)) refuse("c2", "a finite number", std::to_string(problem.c2));
  Groups members(static_cast<std::size_t>(problem.mass.size()));
  for (Index i = 0; i < n; ++i) {
    const int r = problem.group[static_cast<std::size_t>(i)];
    if (r < 0 || r >= problem.mass.size()) {
      refuse("group of point " + std::to_string(i), "0 to " + std::to_string(problem.mass.size() - 1),
             std::to_string(r));
    }
    members[static_cast<std::size_t>(r)].push_back(i);
  }
  for (std::size_t r = 0; r < members.size(); ++r) {
    const double mass = problem.mass[static_cast<Index>(r)];
    const std::string name = "mass of group " + std::to_string(r);
    if (!(mass >= 0.0) || !std::isfinite(mass)) refuse(name, "a finite number >= 0", std::to_string(mass));
    if (mass > 0.0 && members[r].empty()) refuse(name, "0, the group being empty", std::to_string(mass));
  }
  return members;
}

/// Scales each group to its mass exactly; rounding in steps and starts must not build up.
void restore_masses(const Groups& members, const Vector& mass, Vector& p) {
  for (std::size_t r = 0; r < members.size(); ++r) {
    double sum = 0.0;
    for (const Index i : members[r]) sum += p[i];
    const double factor = sum > 0.0 ? mass[static_cast<Index>(r)] / sum : 0.0;
    for (const Index i : members[r]) p[i] *= factor;
  }
}

Vector first_point(const MinNormPointProblem& problem, const Groups& members, const Vector* start) {
  const Index n = problem.g.size();
  Vector p = Vector::Zero(n);
  if (start == nullptr) {
    for (std::size_t r = 0; r < members.size(); ++r) {
      if (!members[r].empty()) p[members[r].front()] = problem.mass[static_cast<Index>(r)];
    }
    return p;
  }
  if (start->size() != n) refuse("start", std::to_string(n) + " entries", std::to_string(start->size()));
  for (Index i = 0; i < n; ++i) {
    if (!((*start)[i] >= 0.0)) refuse("start", "numbers >= 0", std::to_string((*start)[i]));
  }
  for (std::size_t r = 0; r < members.size(); ++r) {
    const double mass = problem.mass[static_cast<Index>(r)];
    double sum = 0.0;
    for (const Index i : members[r]) sum += (*start)[i];
    if (!(std::abs(sum - mass) <= 1e-6 * mass)) {
      refuse("start, sum of group " + std::to_string(r), std::to_string(mass), std::to_string(sum));
    }
  }
  p = *start;
  restore_masses(members, problem.mass, p);
  return p;
}

/// s = Gp - g over the used points only.
void compute_gradient(const MinNormPointProblem& problem, const Vector& p, Vector& s) {
  s = -problem.g;
  for (Index i = 0; i < p.size(); ++i) {
    if (p[i] > 0.0) s += p[i] * problem.G.row(i).transpose();
  }
}

struct Survey {
  double gap = 0.0;        // sum_i p_i s_i - sum_r mass_r min_{i in r} s_i
  double violation = 0.0;  // largest of (largest s of a used point) - (smallest s) over groups
  std::size_t group = 0;   // the group that has it
  Index from = -1;         // its used point of largest s
};

Survey survey(const Groups& members, const Vector& p, const Vector& s) {
  Survey result;
  for (std::size_t r = 0; r < members.size(); ++r) {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = -smallest;
    Index from = -1;
    for (const Index i : members[r]) {
      smallest = std::min(smallest, s[i]);
      if (p[i] > 0.0 && s[i] > largest) {
        largest = s[i];
        from = i;
      }
    }
    if (from < 0) continue;  // no mass
    // The group's share of the gap as a sum of terms >= 0: no cancellation.
    for (const Index i : members[r]) result.gap += p[i] * (s[i] - smallest);
    if (largest - smallest > result.violation) {
      result.violation = largest - smallest;
      result.group = r;
      result.from = from;
    }
  }
  return result;
}

double squared_distance(const Matrix& G, Index i, Index j) {
  return std::max(G(i, i) + G(j, j) - 2.0 * G(i, j), kSmallestCurvature);
}

/// One pairwise step from survey.from; keeps s = Gp - g up to rounding.
void step(const MinNormPointProblem& problem, const std::vector<Index>& members, Index from, Vector& p,
          Vector& s) {
  const Matrix& G = problem.G;
  Index to = -1;
  double best = 0.0;
  for (const Index j : members) {
    const double slope = s[from] - s[j];
    if (slope <= 0.0) continue;
    const double decrease = slope * slope / squared_distance(G, from, j);
    if (decrease > best) {
      best = decrease;
      to = j;
    }
  }
  if (to < 0) return;
  const double exact = (s[from] - s[to]) / squared_distance(G, from, to);
  const double amount = std::min(p[from], exact);
  p[from] -= amount;  // exactly 0 where all of it moves
  p[to] += amount;
  s += amount * (G.row(to) - G.row(from)).transpose();
}

}  // namespace

MinNormPointSolution solve(const MinNormPointProblem& problem, const MinNormPointSettings& settings,
                           const Vector* start) {
  const Groups members = checked_groups(problem);
  MinNormPointSolution solution;
  Vector& p = solution.p;
  p = first_point(problem, members, start);
  Vector s;
  compute_gradient(problem, p, s);
  Index updates = 0;  // of s since it was computed from p; only then can its gap be trusted
  double best_gap = std::numeric_limits<double>::infinity();
  int disappointments = 0;

  while (true) {
    const Survey now = survey(members, p, s);
    const bool at_limit = solution.iterations >= settings.max_iterations;
    const bool looks_done = now.gap <= settings.tolerance || now.from < 0;
    if (updates > 0 && (looks_done || at_limit || updates >= p.size() + kSteps)) {
      restore_masses(members, problem.mass, p);
      compute_gradient(problem, p, s);
      updates = 0;
      continue;
    }
    solution.gap = now.gap;
    if (now.gap <= settings.tolerance) {
      solution.status = Status::solved;
      break;
    }
    if (at_limit) {
      solution.status = Status::iteration_limit;
      break;
    }
    // Fresh, not done, and no better than before: the tolerance is below what rounding allows.
    if (updates == 0) {
      disappointments = now.gap < best_gap ? 0 : disappointments + 1;
      best_gap = std::min(best_gap, now.gap);
      if (disappointments >= kPatience || now.from < 0) break;
    }
    step(problem, members[now.group], now.from, p, s);
    ++updates;
    ++solution.iterations;
  }

  // 1/2 p'Gp - g'p + 1/2 c2 with Gp = s + g.
  solution.objective = std::max(0.0, 0.5 * (p.dot(s) - p.dot(problem.g) + problem.c2));
  return solution;
}

}  // namespace shapeboost
