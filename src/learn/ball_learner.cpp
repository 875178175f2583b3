// SPDX-License-Identifier: MIT
// OP 1's convex problem over ||u|| <= 1, by minimum-norm points instead of a cone solver.
//
// max_{x in B_r} <u, Phi(x)> is a maximum over mixtures p_r of the bag's instances. Exchanging min and max,
//
//     f = min_{||u|| <= 1} max_p <u, q(p) - c> = -min_p || c - q(p) ||,   u* = (c - q) / ||c - q||,
//
//     q(p) = sum_r sum_{x in B_r} p_x Phi(x),  p_r in d_r * simplex(B_r),   c = sum_k d_k Phi(x_k*):
//
// the distance from c to a sum of scaled convex hulls. -||c - q|| is a lower bound on f and the value of
// u = (c - q) / ||c - q|| an upper one, for any p: their difference is the duality gap. Where there are few
// instances, all of them are looked at together (WholeBallProblem), else those that matter (PartBallProblem).
#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "ground/timer.hpp"
#include "learn/weak_learner.hpp"
#include "solve/min_norm_point.hpp"

namespace shapeboost {
namespace {

/// The smallest gap to ask a minimum-norm point for: the rest is rounding.
constexpr double kSmallestGap = 1e-14;

/// Instances up to which those that matter are looked for: each has a row and a column of a Gram matrix.
std::int64_t most_points(std::int64_t bags, const WeakLearnerSettings& settings) {
  return std::max(settings.points, 2 * bags);
}

class BallProblem : public ConvexProblem {
 public:
  BallProblem(Oracle& oracle, const Vector& dy, int sign, const WeakLearnerSettings& settings)
      : oracle_(&oracle),
        sides_(two_sides(oracle, dy, sign)),
        settings_(settings),
        group_(at(dy.size()), -1) {
    const auto& [bags, d] = sides_.negative;
    problem_.mass = Eigen::Map<const Vector>(d.data(), std::ssize(d));
    for (std::size_t r = 0; r < bags.size(); ++r) group_[bags[r]] = static_cast<int>(r);
  }

  [[nodiscard]] ConvexSolution solve(std::span<const Handle> maximisers, const Goal& goal) final {
    ConvexSolution best;  // u = 0
    const Handle any = aim(maximisers);
    if (any < 0) return best;  // nothing to learn
    best.terms = {{any, 0.0}};
    while (settings_.may_try(best.trials)) {
      ++best.trials;
      const double allowed = goal.allowed(best.optimum);
      const double distance = find_distance(allowed, best.solver_seconds);
      if (distance <= allowed) {  // c lies in the sum of hulls: no direction has an edge
        best.duality_gap = distance;
        return best.ended(Status::solved);
      }
      Response response = respond(distance);
      // f(u) = sum_r d_r max_{x in B_r} <u, Phi(x)> - <u, c>.
      const double value = sides_.negative.sum(response, -(problem_.c2 - at_.p.dot(problem_.g)) / distance);
      if (value < best.optimum) {
        best.optimum = value;
        best.terms = direction(distance);
        best.response = std::move(response);
      }
      best.duality_gap = best.optimum + distance;
      const double still = goal.allowed(best.optimum);
      if (best.duality_gap <= still || distance <= goal.target) return best.ended(Status::solved);
      if (!advance(still, value, distance, best.solver_seconds)) {
        return best.ended(full_ ? Status::iteration_limit : Status::solved);
      }
    }
    return best.ended(Status::iteration_limit);
  }

 protected:
  /// An instance that begins with a share of its bag's mass.
  struct Share {
    Handle x;
    int group;
    double p;
  };

  /// Sets c and the inner products with it. Returns some instance; -1: no bag has one.
  [[nodiscard]] virtual Handle aim(std::span<const Handle> maximisers) = 0;
  /// ||c - q||, once p is good enough for a duality gap of `allowed`.
  [[nodiscard]] virtual double find_distance(double allowed, double& seconds) = 0;
  /// What u says of every bag.
  [[nodiscard]] virtual Response respond(double distance) = 0;
  /// Makes the gap between `value` and -distance smaller. False where what remains of it is rounding.
  [[nodiscard]] virtual bool advance(double allowed, double value, double distance, double& seconds) = 0;

  /// The mixture that `start` has of each negative bag, -alpha of its instances, or where it has none its
  /// highest instance: from one round to the next d changes little, and the mixture with it.
  [[nodiscard]] std::vector<Share> first_mixture(const Start& start) const {
    std::vector<Share> mixture;
    Vector sum = Vector::Zero(problem_.mass.size());
    const auto add = [&](Handle x, int group, double share) {
      mixture.push_back({x, group, share});
      sum[group] += share;
    };
    for (const Term& term : start.terms) {
      const std::int64_t bag = oracle_->bag_of(term.z);
      const int group = bag < 0 ? -1 : group_[at(bag)];
      if (term.alpha < 0.0 && group >= 0) add(term.z, group, -term.alpha);
    }
    for (int r = 0; r < static_cast<int>(sum.size()); ++r) {
      if (sum[r] == 0.0) add(start.response.argmax[sides_.negative.bag[at(r)]], r, 1.0);
    }
    for (Share& share : mixture) share.p *= problem_.mass[share.group] / sum[share.group];
    return mixture;
  }

  /// u = (c - q) / ||c - q||.
  [[nodiscard]] std::vector<Term> direction(double distance) const {
    TermSum u;
    const auto add = [&](Handle z, double alpha) {
      if (alpha != 0.0) u.add(z, alpha);
    };
    for (const Term& term : c_) add(term.z, term.alpha / distance);
    for (std::size_t i = 0; i < points_.size(); ++i) add(points_[i], -at_.p[std::ptrdiff_t(i)] / distance);
    return std::move(u).terms();
  }

  [[nodiscard]] MinNormPointSolution nearest(const MinNormPointSettings& settings, double& seconds) const {
    const ScopedTimer timer(seconds);
    return shapeboost::solve(problem_, settings, &at_);
  }

  Oracle* oracle_;
  TwoSides sides_;
  WeakLearnerSettings settings_;
  std::vector<int> group_;  // of every bag: its place among the negative ones, or -1
  MinNormPointProblem problem_;
  std::vector<Handle> points_;  // of problem_
  MinNormPointStart at_;
  std::vector<Term> c_;
  bool full_ = false;  // no instance more can be taken in
};

/// Solves over the instances found so far, asks the oracle for instances of each bag that score higher than
/// these under c - q, adds them, and repeats. Under a wide kernel few instances carry mass; under a narrow
/// one most of them do, so a bag is given as many as it has already. Where p is g from the best over the
/// instances it has, g / ||c - q|| of the gap is due to that.
class PartBallProblem final : public BallProblem {
 public:
  PartBallProblem(Oracle& oracle, const Vector& dy, int sign, const Start& start,
                  const WeakLearnerSettings& settings)
      : BallProblem(oracle, dy, sign, settings),
        most_(most_points(oracle.bags(), settings)),
        size_(sides_.negative.bag.size(), 0) {
    take_in(first_mixture(start));
  }

 private:
  /// Share of the allowed gap that p may be to blame for.
  static constexpr double kShareOfGap = 0.2;

  Handle aim(std::span<const Handle> maximisers) override {
    share_ = kShareOfGap;
    last_distance_ = 0.0;
    c_.clear();
    targets_.clear();
    for (std::size_t k = 0; k < sides_.positive.bag.size(); ++k) {
      targets_.push_back(maximisers[sides_.positive.bag[k]]);
      c_.push_back({targets_.back(), sides_.positive.d[k]});
    }
    problem_.c2 = 0.0;
    for (const Term& term : c_) problem_.c2 += term.alpha * with_c(term.z);
    std::ranges::transform(points_, problem_.g.begin(), [&](Handle x) { return with_c(x); });
    return !c_.empty() ? c_.front().z : !points_.empty() ? points_.front() : -1;
  }

  /// <Phi(x), c>.
  double with_c(Handle x) {
    buffer_.resize(targets_.size());
    oracle_->similarities(x, targets_, buffer_.data());
    double sum = 0.0;
    for (std::size_t j = 0; j < c_.size(); ++j) sum += c_[j].alpha * buffer_[j];
    return sum;
  }

  double find_distance(double allowed, double& seconds) override {
    const double tolerance = std::max(kSmallestGap, share_ * allowed * std::max(allowed, last_distance_));
    const MinNormPointSolution solution = nearest({.tolerance = tolerance}, seconds);
    exact_ = tolerance <= kSmallestGap || solution.status != Status::solved;
    at_.p = solution.p;
    last_distance_ = std::sqrt(2.0 * solution.objective);
    return last_distance_;
  }

  /// Of each bag as many instances as it may take in, at most: as many as it has.
  Response respond(double distance) override {
    peaks_ = oracle_->peaks(direction(distance), size_.empty() ? 1 : std::ranges::max(size_));
    Response response;
    for (const std::vector<Peak>& of_bag : peaks_) {
      response.value.push_back(of_bag.empty() ? 0.0 : of_bag.front().value);
      response.argmax.push_back(of_bag.empty() ? -1 : of_bag.front().x);
    }
    return response;
  }

  /// Takes in, of each bag, the instances above all that it has.
  bool advance(double /*allowed*/, double /*value*/, double /*distance*/, double& /*seconds*/) override {
    std::vector<Share> added;
    full_ = false;
    for (std::size_t r = 0; r < size_.size(); ++r) {
      std::int64_t wanted = size_[r];
      for (const Peak& peak : peaks_[sides_.negative.bag[r]]) {
        if (known_.contains(peak.x) || wanted-- == 0) break;
        full_ = std::ssize(points_) + std::ssize(added) >= most_;
        if (full_) break;
        added.push_back({peak.x, static_cast<int>(r), 0.0});
      }
    }
    take_in(added);
    if (!added.empty()) return true;
    if (full_) return false;
    share_ *= 0.01;  // no instance is missing: it is p that is not good enough
    return !exact_;
  }

  void take_in(const std::vector<Share>& added) {
    if (added.empty()) return;
    auto i = std::ssize(points_);
    const auto n = i + std::ssize(added);
    if (problem_.G.rows() < n) {
      const std::int64_t room = std::max(n, std::min(n + n / 2, most_));
      problem_.G.conservativeResize(room, room);
    }
    problem_.g.conservativeResize(n);
    at_.p.conservativeResize(n);
    for (const auto& [x, group, p] : added) {
      points_.push_back(x);
      known_.insert(x);
      problem_.group.push_back(group);
      ++size_[at(group)];
      oracle_->similarities(x, points_, problem_.G.row(i).data());
      problem_.G.col(i).head(i) = problem_.G.row(i).head(i).transpose();
      problem_.g[i] = with_c(x);
      at_.p[i] = p;
      ++i;
    }
  }

  std::int64_t most_;                     // points, beside the first mixture's
  std::unordered_set<Handle> known_;      // points_
  std::vector<std::int64_t> size_;        // number of points of each group
  std::vector<std::vector<Peak>> peaks_;  // of each bag, under u
  std::vector<Handle> targets_;           // of c_
  std::vector<double> buffer_;
  double share_ = kShareOfGap;
  double last_distance_ = 0.0;
  bool exact_ = false;  // p is as good as rounding allows
};

/// All instances of all bags in every step. The gradient of 1/2 ||q(p) - c||^2,
///
///     s_x = <q - c, Phi(x)>   for every instance x of every bag,
///
/// is all there is to know: u = (c - q) / ||c - q|| says -s_x / ||c - q|| of x, so s holds what u says of
/// every bag, and with it f, the gap, and the maximisers of the next DC step. A pairwise step moves s by two
/// rows of the kernel matrix, another c by the rows of the maximisers that changed. Nothing is computed anew.
class WholeBallProblem final : public BallProblem {
 public:
  WholeBallProblem(Oracle& oracle, AllInstances& all, const Vector& dy, int sign, const Start& start,
                   const WeakLearnerSettings& settings)
      : BallProblem(oracle, dy, sign, settings), all_(&all) {
    points_ = all.handles();
    problem_.norm2 = all.self_similarities();
    problem_.row = [this](Eigen::Index i) { return all_->similarities(points_[at(i)]); };
    for (std::int64_t k = 0; k < oracle.bags(); ++k) {
      problem_.group.insert(problem_.group.end(), at(count(k)), group_[at(k)]);
    }
    problem_.g = at_.p = at_.s = Vector::Zero(std::ssize(points_));
    for (const Share& share : first_mixture(start)) {
      at_.p[place(share.x)] += share.p;
      at_.s += share.p * row(share.x);
    }
    for (const double d : sides_.positive.d) c_.push_back({-1, d});
  }

 private:
  /// A stage ends at this share of the gap it began with, or of what is allowed: then f is looked at again.
  static constexpr double kStage = 0.25;
  static constexpr double kAllowed = 0.9;
  static constexpr int kStageSteps = 50'000;

  [[nodiscard]] std::int64_t count(std::int64_t k) const { return all_->begin(k + 1) - all_->begin(k); }
  [[nodiscard]] Eigen::Index place(Handle x) const {
    const std::int64_t begin = all_->begin(oracle_->bag_of(x));
    return begin + (x - points_[at(begin)]);
  }
  [[nodiscard]] Eigen::Map<const Vector> row(Handle x) {
    return {all_->similarities(x), std::ssize(points_)};
  }

  /// Moves the gradient with c.
  Handle aim(std::span<const Handle> maximisers) override {
    last_ = false;
    for (std::size_t k = 0; k < c_.size(); ++k) {
      const Handle x = maximisers[sides_.positive.bag[k]];
      if (c_[k].z == x) continue;
      for (const auto& [z, weight] : {std::pair{c_[k].z, -c_[k].alpha}, std::pair{x, c_[k].alpha}}) {
        if (z < 0) continue;
        problem_.g += weight * row(z);
        at_.s -= weight * row(z);
      }
      c_[k].z = x;
    }
    problem_.c2 = 0.0;
    for (const Term& term : c_) problem_.c2 += term.alpha * problem_.g[place(term.z)];
    return points_.empty() ? -1 : points_.front();
  }

  double find_distance(double /*allowed*/, double& /*seconds*/) override {
    return std::sqrt(std::max(0.0, at_.p.dot(at_.s - problem_.g) + problem_.c2));
  }

  Response respond(double distance) override {
    Response response;
    for (std::int64_t k = 0; k < oracle_->bags(); ++k) {
      Eigen::Index lowest = 0;
      const bool any = count(k) > 0;
      const double s = any ? at_.s.segment(all_->begin(k), count(k)).minCoeff(&lowest) : 0.0;
      response.value.push_back(any ? -s / distance : 0.0);
      response.argmax.push_back(any ? points_[at(all_->begin(k) + lowest)] : -1);
    }
    return response;
  }

  /// Pairwise steps up to the gap of this stage, or as many as it may have.
  bool advance(double allowed, double value, double distance, double& seconds) override {
    if (last_) return false;
    const double tolerance =
        std::max({kSmallestGap, kAllowed * allowed * distance, kStage * (value + distance) * distance});
    MinNormPointSolution solution = nearest({tolerance, kStageSteps}, seconds);
    at_ = {std::move(solution.p), std::move(solution.s), solution.steps};
    last_ = solution.status != Status::iteration_limit &&
            (solution.status != Status::solved || tolerance <= kSmallestGap);
    return true;
  }

  AllInstances* all_;
  bool last_ = false;  // no stage can make the gap smaller
};

}  // namespace

/// The Gram matrix and, while it grows, the one before; or some numbers of all instances.
std::int64_t BallLearner::bytes(std::int64_t bags, std::int64_t instances) {
  constexpr std::int64_t kVectors = 8;
  const std::int64_t points = std::min(instances, most_points(bags, {}));
  return (2 * points * points + kVectors * instances) * static_cast<std::int64_t>(sizeof(double));
}

std::unique_ptr<ConvexProblem> BallLearner::convex_problem(Oracle& oracle, const Vector& dy, int sign,
                                                           const Start& start, bool /*full*/) const {
  if (AllInstances* all = oracle.all_instances();
      all != nullptr && all->begin(oracle.bags()) <= settings_.whole && !all->instances().expensive()) {
    return std::make_unique<WholeBallProblem>(oracle, *all, dy, sign, start, settings_);
  }
  return std::make_unique<PartBallProblem>(oracle, dy, sign, start, settings_);
}

}  // namespace shapeboost
