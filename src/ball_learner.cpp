// SPDX-License-Identifier: MIT
// OP 1's convex problem over ||u|| <= 1, by minimum-norm points instead of a cone solver.
//
// max_{x in B_r} <u, Phi(x)> is a maximum over mixtures p_r of the bag's instances. Exchanging min and max,
//
//     f = min_{||u|| <= 1} max_p <u, q(p) - c> = -min_p || c - q(p) ||,   u* = (c - q) / ||c - q||,
//
//     q(p) = sum_r sum_{x in B_r} p_x Phi(x),  p_r in d_r * simplex(B_r),   c = sum_k d_k Phi(x_k*):
//
// the distance from c to a sum of scaled convex hulls. Few instances carry mass: solve over those found so
// far, ask the oracle for each bag's maximiser of <c - q, Phi(.)>, add it, repeat. -||c - q|| is a lower
// bound on f and the value of u = (c - q) / ||c - q|| an upper one: their difference is the gap.
#include <algorithm>
#include <cmath>

#include "shapeboost/min_norm_point.hpp"
#include "shapeboost/weak_learner.hpp"

namespace shapeboost {
namespace {

class BallProblem final : public ConvexProblem {
 public:
  BallProblem(Oracle& oracle, const Vector& dy, int sign, std::span<const Term> start,
              const WeakLearnerSettings& settings)
      : oracle_(&oracle), settings_(settings) {
    const Response response = oracle.respond(start);
    for (Eigen::Index i = 0; i < dy.size(); ++i) {
      if (!oracle.has_instances(i)) continue;
      const double weight = sign * dy[i];
      const auto bag = static_cast<std::size_t>(i);
      if (weight > 0.0) positive_.push_back({bag, weight});
      if (weight < 0.0) {
        active_.push_back({response.argmax[bag], static_cast<int>(negative_.size()), -weight});
        negative_.push_back({bag, -weight});
      }
    }
  }

  [[nodiscard]] ConvexSolution solve(std::span<const Handle> maximisers, double tolerance,
                                     double target) override {
    c_.clear();
    for (const Weighted& k : positive_) c_.push_back({maximisers[k.bag], k.d});
    ConvexSolution best;
    best.optimum = 0.0;                              // u = 0
    if (c_.empty() && active_.empty()) return best;  // no bag has an instance: nothing to learn
    best.terms = {{c_.empty() ? active_.front().x : c_.front().z, 0.0}};
    while (best.trials < settings_.max_trials && !(settings_.interrupted && settings_.interrupted())) {
      ++best.trials;
      const MinNormPointProblem problem = nearest_point_problem();
      Vector p(static_cast<Eigen::Index>(active_.size()));
      for (std::size_t i = 0; i < active_.size(); ++i) p[static_cast<Eigen::Index>(i)] = active_[i].p;
      MinNormPointSettings settings;
      settings.tolerance = std::max(1e-14, 0.05 * tolerance * tolerance);
      const MinNormPointSolution nearest = timed_solve(problem, settings, p, best.solver_seconds);
      const double distance = std::sqrt(2.0 * nearest.objective);
      if (distance <= tolerance) {  // c lies in the sum of hulls: no direction has an edge
        best.gap = distance;
        best.status = Status::solved;
        return best;
      }
      for (std::size_t i = 0; i < active_.size(); ++i) active_[i].p = nearest.p[static_cast<Eigen::Index>(i)];
      const std::vector<Term> u = direction(distance);
      const Response response = oracle_->respond(u);
      const double value = objective(u, response);
      if (value < best.optimum) {
        best.optimum = value;
        best.terms = u;
      }
      best.gap = best.optimum + distance;
      if (best.gap <= tolerance || distance <= target || !grow(response)) {
        best.status = Status::solved;
        return best;
      }
    }
    best.status = Status::iteration_limit;
    return best;
  }

 private:
  struct Weighted {
    std::size_t bag;
    double d;
  };
  struct Active {
    Handle x;
    int group;
    double p;
  };

  static MinNormPointSolution timed_solve(const MinNormPointProblem& problem,
                                          const MinNormPointSettings& settings, const Vector& start,
                                          double& seconds) {
    const ScopedTimer timer(seconds);
    return shapeboost::solve(problem, settings, &start);
  }

  MinNormPointProblem nearest_point_problem() {
    const auto n = static_cast<Eigen::Index>(active_.size());
    MinNormPointProblem problem;
    problem.G.resize(n, n);
    problem.g = Vector::Zero(n);
    problem.mass.resize(static_cast<Eigen::Index>(negative_.size()));
    for (std::size_t r = 0; r < negative_.size(); ++r)
      problem.mass[static_cast<Eigen::Index>(r)] = negative_[r].d;
    std::vector<Handle> points;
    for (const Active& a : active_) {
      points.push_back(a.x);
      problem.group.push_back(a.group);
    }
    for (Eigen::Index i = 0; i < n; ++i)
      oracle_->similarities(points[static_cast<std::size_t>(i)], points, problem.G.row(i).data());
    problem.G = 0.5 * (problem.G + Matrix(problem.G.transpose()));
    std::vector<double> k(points.size());
    for (const Term& term : c_) {
      oracle_->similarities(term.z, points, k.data());
      problem.g += term.alpha * Eigen::Map<const Vector>(k.data(), n);
    }
    std::vector<Handle> targets;
    for (const Term& term : c_) targets.push_back(term.z);
    k.resize(targets.size());
    for (const Term& term : c_) {
      oracle_->similarities(term.z, targets, k.data());
      for (std::size_t j = 0; j < c_.size(); ++j) problem.c2 += term.alpha * c_[j].alpha * k[j];
    }
    return problem;
  }

  /// u = (c - q) / ||c - q||.
  std::vector<Term> direction(double distance) const {
    std::vector<Term> u;
    const auto add = [&](Handle z, double alpha) {
      if (alpha == 0.0) return;
      const auto known = std::find_if(u.begin(), u.end(), [&](const Term& term) { return term.z == z; });
      if (known == u.end()) {
        u.push_back({z, alpha});
      } else {
        known->alpha += alpha;
      }
    };
    for (const Term& term : c_) add(term.z, term.alpha / distance);
    for (const Active& a : active_) add(a.x, -a.p / distance);
    return u;
  }

  /// f(u) = sum_r d_r max_{x in B_r} <u, Phi(x)> - <u, c>.
  double objective(std::span<const Term> u, const Response& response) {
    double value = 0.0;
    for (const Weighted& r : negative_) value += r.d * response.value[r.bag];
    std::vector<Handle> targets;
    for (const Term& term : c_) targets.push_back(term.z);
    std::vector<double> k(targets.size());
    for (const Term& term : u) {
      oracle_->similarities(term.z, targets, k.data());
      for (std::size_t j = 0; j < c_.size(); ++j) value -= term.alpha * c_[j].alpha * k[j];
    }
    return value;
  }

  /// Drops points without mass, takes in each bag's maximiser. False where every maximiser was there already.
  bool grow(const Response& response) {
    bool grown = false;
    const std::vector<Active> before = active_;
    std::erase_if(active_, [](const Active& a) { return a.p <= 0.0; });
    for (std::size_t r = 0; r < negative_.size(); ++r) {
      const Handle x = response.argmax[negative_[r].bag];
      const auto same = [&](const Active& a) { return a.group == static_cast<int>(r) && a.x == x; };
      if (std::any_of(active_.begin(), active_.end(), same)) continue;
      active_.push_back({x, static_cast<int>(r), 0.0});
      grown = grown || std::none_of(before.begin(), before.end(), same);
    }
    return grown;
  }

  Oracle* oracle_;
  WeakLearnerSettings settings_;
  std::vector<Weighted> positive_;
  std::vector<Weighted> negative_;
  std::vector<Active> active_;
  std::vector<Term> c_;
};

}  // namespace

std::unique_ptr<ConvexProblem> BallLearner::convex_problem(Oracle& oracle, const Vector& dy, int sign,
                                                           std::span<const Term> start, bool /*full*/) const {
  return std::make_unique<BallProblem>(oracle, dy, sign, start, settings());
}

}  // namespace shapeboost
