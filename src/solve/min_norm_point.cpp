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
#include "solve/min_norm_point.hpp"

#include "ground/numbers.hpp"

namespace shapeboost {
namespace {

using Index = Eigen::Index;

/// Squared distances below this are rounding: points that coincide, a step of all the mass.
constexpr double kSmallestCurvature = 1e-12;

/// Fresh gradients in a row that may find the gap no smaller before rounding is to blame, and the steps
/// between two of them: n + kSteps.
constexpr int kPatience = 20;
constexpr Index kSteps = 1000;

/// What steps add to the rounding of s stays far below this share of it, as long as there are not this many
/// times more of them: a gap that may be larger needs no fresh gradient.
constexpr double kRounding = 1e-10;
constexpr Index kTrust = 20;

/// A start whose masses are further off, relative to the largest, is scaled, and its gradient no longer its
/// own.
constexpr double kSameMass = 1e-14;

using Groups = std::vector<std::vector<Index>>;

[[noreturn]] void refuse(const std::string& what, const std::string& expected, const std::string& got) {
  throw InvalidInput("min_norm_point: " + what + ": expected " + expected + ", got " + got);
}

/// Rows of inner products, from G or from the caller.
class Products {
 public:
  explicit Products(const MinNormPointProblem& problem) : problem_(&problem) {}
  [[nodiscard]] Eigen::Map<const Vector> row(Index i) const {
    return {problem_->row ? problem_->row(i) : problem_->G.row(i).data(), problem_->g.size()};
  }
  /// No inner product is larger.
  [[nodiscard]] double largest() const {
    const Index n = problem_->g.size();
    if (n == 0) return 0.0;
    return problem_->row ? problem_->norm2.maxCoeff() : problem_->G.diagonal().head(n).maxCoeff();
  }
  /// |v_i - v_j|^2, v_i's row at hand.
  [[nodiscard]] double squared_distance(const Eigen::Map<const Vector>& row_i, Index i, Index j) const {
    return std::max(norm2(i) + norm2(j) - 2.0 * row_i[j], kSmallestCurvature);
  }

 private:
  [[nodiscard]] double norm2(Index i) const { return problem_->row ? problem_->norm2[i] : problem_->G(i, i); }
  const MinNormPointProblem* problem_;
};

/// The points of each group, after a check of every size and value.
Groups checked_groups(const MinNormPointProblem& problem) {
  const Index n = problem.g.size();
  const std::string size = std::to_string(n);
  if (!problem.row && (problem.G.rows() < n || problem.G.cols() < n)) {
    refuse("G", size + " x " + size + " or larger", concat(problem.G.rows(), " x ", problem.G.cols()));
  }
  if (problem.row && problem.norm2.size() != n) {
    refuse("norm2", size + " entries", std::to_string(problem.norm2.size()));
  }
  if (static_cast<Index>(problem.group.size()) != n) {
    refuse("group", size + " entries", std::to_string(problem.group.size()));
  }
  if (!problem.g.allFinite()) refuse("g", "finite numbers", "NaN or infinity");
  if (!std::isfinite(problem.c2)) refuse("c2", "a finite number", std::to_string(problem.c2));
  Groups members(at(problem.mass.size()));
  for (Index i = 0; i < n; ++i) {
    const int r = problem.group[at(i)];
    if (r == -1) continue;
    if (r < -1 || r >= problem.mass.size()) {
      refuse(concat("group of point ", i), concat("-1 to ", problem.mass.size() - 1), std::to_string(r));
    }
    members[at(r)].push_back(i);
  }
  for (std::size_t r = 0; r < members.size(); ++r) {
    const double mass = problem.mass[static_cast<Index>(r)];
    const std::string name = concat("mass of group ", r);
    if (!(mass >= 0.0) || !std::isfinite(mass)) refuse(name, "a finite number >= 0", std::to_string(mass));
    if (mass > 0.0 && members[r].empty()) refuse(name, "0, the group being empty", std::to_string(mass));
  }
  return members;
}

double mass_on(const std::vector<Index>& members, const Vector& p) {
  double sum = 0.0;
  for (const Index i : members) sum += p[i];
  return sum;
}

/// Scales each group to its mass exactly; rounding in steps and starts must not build up.
void restore_masses(const Groups& members, const Vector& mass, Vector& p) {
  for (std::size_t r = 0; r < members.size(); ++r) {
    const double sum = mass_on(members[r], p);
    const double factor = sum > 0.0 ? mass[static_cast<Index>(r)] / sum : 0.0;
    for (const Index i : members[r]) p[i] *= factor;
  }
}

Vector first_point(const MinNormPointProblem& problem, const Groups& members,
                   const MinNormPointStart* start) {
  const Index n = problem.g.size();
  Vector p = Vector::Zero(n);
  if (start == nullptr) {
    for (std::size_t r = 0; r < members.size(); ++r) {
      if (!members[r].empty()) p[members[r].front()] = problem.mass[static_cast<Index>(r)];
    }
    return p;
  }
  if (start->p.size() != n) refuse("start", concat(n, " entries"), std::to_string(start->p.size()));
  for (Index i = 0; i < n; ++i) {
    const bool none = problem.group[at(i)] < 0;
    if (none ? start->p[i] != 0.0 : !(start->p[i] >= 0.0)) {
      refuse("start", none ? "0 for a point of no group" : "numbers >= 0", std::to_string(start->p[i]));
    }
  }
  for (std::size_t r = 0; r < members.size(); ++r) {
    const double mass = problem.mass[static_cast<Index>(r)];
    const double sum = mass_on(members[r], start->p);
    if (!(std::abs(sum - mass) <= 1e-6 * mass)) {
      refuse(concat("start, sum of group ", r), std::to_string(mass), std::to_string(sum));
    }
  }
  p = start->p;
  restore_masses(members, problem.mass, p);
  return p;
}

/// s = Gp - g over the used points only. What is not finite in their rows shows in s.
void compute_gradient(const MinNormPointProblem& problem, const Vector& p, Vector& s) {
  const Products products(problem);
  s = -problem.g;
  for (Index i = 0; i < p.size(); ++i) {
    if (p[i] > 0.0) s += p[i] * products.row(i);
  }
  if (!s.allFinite()) refuse("G", "finite numbers", "NaN or infinity");
}

struct Survey {
  double duality_gap = 0.0;  // sum_i p_i s_i - sum_r mass_r min_{i in r} s_i
  double violation = 0.0;    // largest of (largest s of a used point) - (smallest s) over groups
  std::size_t group = 0;     // the group that has it
  Index from = -1;           // its used point of largest s
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
    for (const Index i : members[r]) result.duality_gap += p[i] * (s[i] - smallest);
    if (largest - smallest > result.violation) {
      result.violation = largest - smallest;
      result.group = r;
      result.from = from;
    }
  }
  return result;
}

/// One pairwise step from survey.from; keeps s = Gp - g up to rounding.
void step(const MinNormPointProblem& problem, const std::vector<Index>& members, Index from, Vector& p,
          Vector& s) {
  const Products products(problem);
  const Eigen::Map<const Vector> row = products.row(from);
  Index to = -1;
  double best = 0.0;
  for (const Index j : members) {
    const double slope = s[from] - s[j];
    if (slope <= 0.0) continue;
    const double decrease = slope * slope / products.squared_distance(row, from, j);
    if (decrease > best) {
      best = decrease;
      to = j;
    }
  }
  if (to < 0) return;
  const double exact = (s[from] - s[to]) / products.squared_distance(row, from, to);
  const double amount = std::min(p[from], exact);
  p[from] -= amount;  // exactly 0 where all of it moves
  p[to] += amount;
  s += amount * (products.row(to) - row);
}

}  // namespace

MinNormPointSolution solve(const MinNormPointProblem& problem, const MinNormPointSettings& settings,
                           const MinNormPointStart* start) {
  const Groups members = checked_groups(problem);
  MinNormPointSolution solution;
  Vector& p = solution.p;
  p = first_point(problem, members, start);
  Vector& s = solution.s;
  std::int64_t& updates = solution.steps;  // of s since it was computed from p; only then is its gap certain
  const bool known = start != nullptr && start->s.size() == p.size();
  if (known && !start->s.allFinite()) refuse("start, gradient", "finite numbers", "NaN or infinity");
  if (known &&
      (p - start->p).lpNorm<Eigen::Infinity>() <= kSameMass * problem.mass.lpNorm<Eigen::Infinity>()) {
    s = start->s;
    updates = start->steps;
  } else {
    compute_gradient(problem, p, s);
  }
  const double size = problem.g.lpNorm<Eigen::Infinity>() + Products(problem).largest() * problem.mass.sum();
  const bool trusted = settings.tolerance > kRounding * std::max(1.0, size);
  const std::int64_t most_updates = (trusted ? kTrust : 1) * (p.size() + kSteps);
  double best_gap = std::numeric_limits<double>::infinity();
  int disappointments = 0;

  while (true) {
    const Survey now = survey(members, p, s);
    const bool at_limit = solution.iterations >= settings.max_iterations;
    const bool looks_done = now.duality_gap <= settings.tolerance || now.from < 0;
    const bool done = trusted && now.duality_gap <= settings.tolerance;
    if (updates > 0 && !done && (looks_done || at_limit || updates >= most_updates)) {
      restore_masses(members, problem.mass, p);
      compute_gradient(problem, p, s);
      updates = 0;
      continue;
    }
    solution.duality_gap = now.duality_gap;
    if (now.duality_gap <= settings.tolerance) {
      solution.status = Status::solved;
      break;
    }
    if (at_limit) {
      solution.status = Status::iteration_limit;
      break;
    }
    // Fresh, not done, and no better than before: the tolerance is below what rounding allows.
    if (updates == 0) {
      disappointments = now.duality_gap < best_gap ? 0 : disappointments + 1;
      best_gap = std::min(best_gap, now.duality_gap);
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
