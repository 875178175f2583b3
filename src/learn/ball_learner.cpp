// SPDX-License-Identifier: MIT
// OP 1's convex problem over ||u|| <= 1, by minimum-norm points instead of a cone solver.
//
// max_{x in B_r} <u, Phi(x)> is a maximum over mixtures p_r of the bag's instances. Exchanging min and max,
//
//     f = min_{||u|| <= 1} max_p <u, q(p) - c> = -min_p || c - q(p) ||,   u* = (c - q) / ||c - q||,
//
//     q(p) = sum_r sum_{x in B_r} p_x Phi(x),  p_r in d_r * simplex(B_r),   c = sum_k d_k Phi(x_k*):
//
// the distance from c to a sum of scaled convex hulls. Where there are few instances, all of them are looked
// at together (ball_learner_whole.cpp). Else solve over the instances found so far, ask the oracle
// for instances of each bag that score higher than these under c - q, add them, repeat. Under a wide kernel
// few instances carry mass; under a narrow one most of them do, so a bag is given as many as it has already.
// -||c - q|| is a lower bound on f and the value of u = (c - q) / ||c - q|| an upper one, for any p: their
// difference is the gap. Where p is g from the best over the instances it has, g / ||c - q|| of the gap is
// due to that.
#include "learn/ball_learner.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "ground/timer.hpp"
#include "learn/weak_learner.hpp"
#include "model/respond.hpp"
#include "solve/min_norm_point.hpp"
#include "solve/status.hpp"

namespace shapeboost {
namespace {

class BallProblem final : public ConvexProblem {
 public:
  BallProblem(Oracle& oracle, detail::BallSides sides, const Start& start,
              const WeakLearnerSettings& settings)
      : oracle_(&oracle), sides_(std::move(sides)), settings_(settings), size_(sides_.negative.size(), 0) {
    problem_.mass = sides_.mass;
    const std::vector<detail::Share> first = detail::first_mixture(oracle, sides_, start);
    std::vector<Point> points;
    points.reserve(first.size());
    for (const detail::Share& share : first) points.push_back({share.x, share.group});
    take_in(points);
    for (std::size_t i = 0; i < first.size(); ++i) at_.p[static_cast<Eigen::Index>(i)] = first[i].p;
  }

  [[nodiscard]] ConvexSolution solve(std::span<const Handle> maximisers, const Goal& goal) override {
    aim(maximisers);
    ConvexSolution best;
    best.optimum = 0.0;                              // u = 0
    if (c_.empty() && points_.empty()) return best;  // no bag has an instance: nothing to learn
    best.terms = {{c_.empty() ? points_.front() : c_.front().z, 0.0}};
    double last_distance = 0.0;
    double share = kShareOfGap;
    while (best.trials < settings_.max_trials && !(settings_.interrupted && settings_.interrupted())) {
      ++best.trials;
      const double tolerance = goal.allowed(best.optimum);
      MinNormPointSettings settings;
      settings.tolerance = std::max(kSmallestGap, share * tolerance * std::max(tolerance, last_distance));
      const MinNormPointSolution nearest = timed_solve(settings, best.solver_seconds);
      const double distance = std::sqrt(2.0 * nearest.objective);
      last_distance = distance;
      at_.p = nearest.p;
      if (distance <= tolerance) {  // c lies in the sum of hulls: no direction has an edge
        best.duality_gap = distance;
        best.status = Status::solved;
        return best;
      }
      const std::vector<Term> u = detail::ball_direction(c_, points_, at_.p, distance);
      const std::vector<std::vector<Peak>> peaks = oracle_->peaks(u, most_wanted());
      const double value = objective(peaks, distance);
      if (value < best.optimum) {
        best.optimum = value;
        best.terms = u;
        best.response = highest(peaks);
      }
      best.duality_gap = best.optimum + distance;
      if (best.duality_gap <= goal.allowed(best.optimum) || distance <= goal.target) {
        best.status = Status::solved;
        return best;
      }
      if (grow(peaks)) continue;
      if (settings.tolerance <= kSmallestGap || nearest.status != Status::solved) {  // the rest is rounding
        best.status = Status::solved;
        return best;
      }
      share *= 0.01;  // no instance is missing: it is p that is not good enough
    }
    best.status = Status::iteration_limit;
    return best;
  }

 private:
  struct Point {
    Handle x;
    int group;  // of problem_
  };

  /// Share of the allowed gap that p may be to blame for, and the smallest one to ask for.
  static constexpr double kShareOfGap = 0.2;
  static constexpr double kSmallestGap = 1e-14;

  /// c, and the inner products with it.
  void aim(std::span<const Handle> maximisers) {
    c_.clear();
    targets_.clear();
    for (const detail::Weighted& k : sides_.positive) {
      c_.push_back({maximisers[k.bag], k.d});
      targets_.push_back(maximisers[k.bag]);
    }
    problem_.c2 = 0.0;
    for (const Term& term : c_) problem_.c2 += term.alpha * with_c(term.z);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      problem_.g[static_cast<Eigen::Index>(i)] = with_c(points_[i]);
    }
  }

  /// <Phi(x), c>.
  double with_c(Handle x) {
    buffer_.resize(targets_.size());
    oracle_->similarities(x, targets_, buffer_.data());
    double sum = 0.0;
    for (std::size_t j = 0; j < c_.size(); ++j) sum += c_[j].alpha * buffer_[j];
    return sum;
  }

  MinNormPointSolution timed_solve(const MinNormPointSettings& settings, double& seconds) const {
    const ScopedTimer timer(seconds);
    return shapeboost::solve(problem_, settings, &at_);
  }

  /// f(u) = sum_r d_r max_{x in B_r} <u, Phi(x)> - <u, c>.
  [[nodiscard]] double objective(const std::vector<std::vector<Peak>>& peaks, double distance) const {
    double value = -(problem_.c2 - at_.p.dot(problem_.g)) / distance;
    for (const detail::Weighted& r : sides_.negative) value += r.d * peaks[r.bag].front().value;
    return value;
  }

  [[nodiscard]] static Response highest(const std::vector<std::vector<Peak>>& peaks) {
    Response response;
    for (const std::vector<Peak>& of_bag : peaks) {
      response.value.push_back(of_bag.empty() ? 0.0 : of_bag.front().value);
      response.argmax.push_back(of_bag.empty() ? -1 : of_bag.front().x);
    }
    return response;
  }

  /// How many a bag may take in, at most: as many as it has.
  [[nodiscard]] std::int64_t most_wanted() const {
    return size_.empty() ? 1 : *std::max_element(size_.begin(), size_.end());
  }

  /// Takes in, of each bag, the instances above all that it has. False where there are none.
  bool grow(const std::vector<std::vector<Peak>>& peaks) {
    std::vector<Point> added;
    for (std::size_t r = 0; r < sides_.negative.size(); ++r) {
      std::int64_t wanted = size_[r];
      for (const Peak& peak : peaks[sides_.negative[r].bag]) {
        if (known_.contains(peak.x) || wanted-- == 0) break;
        added.push_back({peak.x, static_cast<int>(r)});
      }
    }
    take_in(added);
    return !added.empty();
  }

  void take_in(const std::vector<Point>& added) {
    if (added.empty()) return;
    const auto before = static_cast<Eigen::Index>(points_.size());
    for (const Point& point : added) {
      points_.push_back(point.x);
      known_.insert(point.x);
      problem_.group.push_back(point.group);
      ++size_[static_cast<std::size_t>(point.group)];
    }
    const auto n = static_cast<Eigen::Index>(points_.size());
    if (problem_.G.rows() < n) problem_.G.conservativeResize(n + n / 2, n + n / 2);
    problem_.g.conservativeResize(n);
    at_.p.conservativeResize(n);
    for (Eigen::Index i = before; i < n; ++i) {
      const Handle x = points_[static_cast<std::size_t>(i)];
      oracle_->similarities(x, {points_.data(), static_cast<std::size_t>(i) + 1}, problem_.G.row(i).data());
      problem_.G.col(i).head(i) = problem_.G.row(i).head(i).transpose();
      problem_.g[i] = with_c(x);
      at_.p[i] = 0.0;
    }
  }

  Oracle* oracle_;
  detail::BallSides sides_;
  WeakLearnerSettings settings_;
  std::vector<Handle> points_;        // of problem_
  std::unordered_set<Handle> known_;  // the same
  std::vector<std::int64_t> size_;    // number of points of each group
  MinNormPointProblem problem_;
  MinNormPointStart at_;
  std::vector<Term> c_;
  std::vector<Handle> targets_;  // of c_
  std::vector<double> buffer_;
};

}  // namespace

detail::BallSides detail::ball_sides(const Oracle& oracle, const Vector& dy, int sign) {
  BallSides sides;
  sides.group.assign(static_cast<std::size_t>(dy.size()), -1);
  for (Eigen::Index i = 0; i < dy.size(); ++i) {
    if (!oracle.has_instances(i)) continue;
    const double weight = sign * dy[i];
    const auto bag = static_cast<std::size_t>(i);
    if (weight > 0.0) sides.positive.push_back({bag, weight});
    if (weight < 0.0) {
      sides.group[bag] = static_cast<int>(sides.negative.size());
      sides.negative.push_back({bag, -weight});
    }
  }
  sides.mass.resize(static_cast<Eigen::Index>(sides.negative.size()));
  for (std::size_t r = 0; r < sides.negative.size(); ++r) {
    sides.mass[static_cast<Eigen::Index>(r)] = sides.negative[r].d;
  }
  return sides;
}

std::vector<detail::Share> detail::first_mixture(const Oracle& oracle, const BallSides& sides,
                                                 const Start& start) {
  std::vector<Share> mixture;
  Vector sum = Vector::Zero(sides.mass.size());
  const auto add = [&](Handle x, int group, double share) {
    mixture.push_back({x, group, share});
    sum[group] += share;
  };
  for (const Term& term : start.terms) {
    const std::int64_t bag = oracle.bag_of(term.z);
    const int group = bag < 0 ? -1 : sides.group[static_cast<std::size_t>(bag)];
    if (term.alpha < 0.0 && group >= 0) add(term.z, group, -term.alpha);
  }
  for (std::size_t r = 0; r < sides.negative.size(); ++r) {
    if (sum[static_cast<Eigen::Index>(r)] == 0.0) {
      add(start.response.argmax[sides.negative[r].bag], static_cast<int>(r), 1.0);
    }
  }
  for (Share& share : mixture) share.p *= sides.mass[share.group] / sum[share.group];
  return mixture;
}

std::vector<Term> detail::ball_direction(std::span<const Term> c, std::span<const Handle> x, const Vector& p,
                                         double distance) {
  std::vector<Term> u;
  std::unordered_map<Handle, std::size_t> place;
  const auto add = [&](Handle z, double alpha) {
    if (alpha == 0.0) return;
    if (place.emplace(z, u.size()).second) {
      u.push_back({z, alpha});
    } else {
      u[place[z]].alpha += alpha;
    }
  };
  for (const Term& term : c) add(term.z, term.alpha / distance);
  for (std::size_t i = 0; i < x.size(); ++i) add(x[i], -p[static_cast<Eigen::Index>(i)] / distance);
  return u;
}

std::unique_ptr<ConvexProblem> BallLearner::convex_problem(Oracle& oracle, const Vector& dy, int sign,
                                                           const Start& start, bool /*full*/) const {
  detail::BallSides sides = detail::ball_sides(oracle, dy, sign);
  if (AllInstances* all = oracle.all_instances();
      all != nullptr && all->begin(oracle.bags()) <= settings().whole && !all->instances().expensive()) {
    return detail::whole_ball_problem(oracle, *all, std::move(sides), start, settings());
  }
  return std::make_unique<BallProblem>(oracle, std::move(sides), start, settings());
}

}  // namespace shapeboost
