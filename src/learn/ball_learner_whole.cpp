// SPDX-License-Identifier: MIT
// OP 1's convex problem (see ball_learner.cpp) where all instances of all bags can be looked at in every
// step. The gradient of 1/2 ||q(p) - c||^2,
//
//     s_x = <q - c, Phi(x)>   for every instance x of every bag,
//
// is all there is to know: u = (c - q) / ||c - q|| says -s_x / ||c - q|| of x, so s holds what u says of
// every bag, and with it f, the gap, and the maximisers of the next DC step. A pairwise step moves s by two
// rows of the kernel matrix, another c by the rows of the maximisers that changed. Nothing is computed anew.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ground/timer.hpp"
#include "learn/ball_learner.hpp"
#include "model/respond.hpp"
#include "solve/min_norm_point.hpp"
#include "solve/status.hpp"

namespace shapeboost::detail {
namespace {

/// A stage ends at this share of the gap it began with, or of what is allowed: then f is looked at again.
constexpr double kStage = 0.25;
constexpr double kAllowed = 0.9;
constexpr double kSmallestGap = 1e-14;
constexpr int kStageSteps = 50'000;

class WholeBallProblem final : public ConvexProblem {
 public:
  WholeBallProblem(Oracle& oracle, AllInstances& all, BallSides sides, const Start& start,
                   const WeakLearnerSettings& settings)
      : oracle_(&oracle), all_(&all), sides_(std::move(sides)), settings_(settings), handles_(all.handles()) {
    problem_.mass = sides_.mass;
    problem_.norm2 = all.self_similarities();
    problem_.row = [this](Eigen::Index i) {
      return all_->similarities(handles_[static_cast<std::size_t>(i)]);
    };
    for (std::int64_t k = 0; k < oracle.bags(); ++k) {
      const int group = sides_.group[static_cast<std::size_t>(k)];
      problem_.group.insert(problem_.group.end(), static_cast<std::size_t>(count(k)), group);
    }
    problem_.g = Vector::Zero(all.begin(oracle.bags()));
    at_.p = at_.s = Vector::Zero(all.begin(oracle.bags()));
    for (const Share& share : first_mixture(oracle, sides_, start)) {
      at_.p[place(share.x)] += share.p;
      at_.s += share.p * row(share.x);
    }
    for (const Weighted& k : sides_.positive) c_.push_back({-1, k.d});
  }

  [[nodiscard]] ConvexSolution solve(std::span<const Handle> maximisers, const Goal& goal) override {
    aim(maximisers);
    ConvexSolution best;
    best.optimum = 0.0;                 // u = 0
    if (handles_.empty()) return best;  // nothing to learn
    best.terms = {{handles_.front(), 0.0}};
    bool last = false;  // what remains of the gap is rounding
    while (best.trials < settings_.max_trials && !(settings_.interrupted && settings_.interrupted())) {
      const double distance = std::sqrt(std::max(0.0, at_.p.dot(at_.s - problem_.g) + problem_.c2));
      if (distance <= goal.allowed(best.optimum)) {  // c lies in the sum of hulls: no direction has an edge
        best.duality_gap = distance;
        best.status = Status::solved;
        return best;
      }
      const Response response = say(distance);
      const double value = objective(response, distance);
      if (value < best.optimum) {
        best.optimum = value;
        best.response = response;
        best.terms = ball_direction(c_, handles_, at_.p, distance);
      }
      best.duality_gap = best.optimum + distance;
      const double allowed = goal.allowed(best.optimum);
      if (best.duality_gap <= allowed || distance <= goal.target || last) {
        best.status = Status::solved;
        return best;
      }
      ++best.trials;
      MinNormPointSettings stage;
      stage.tolerance =
          std::max({kSmallestGap, kAllowed * allowed * distance, kStage * (value + distance) * distance});
      stage.max_iterations = kStageSteps;
      last = !advance(stage, best.solver_seconds);
    }
    best.status = Status::iteration_limit;
    return best;
  }

 private:
  [[nodiscard]] std::int64_t count(std::int64_t k) const { return all_->begin(k + 1) - all_->begin(k); }
  [[nodiscard]] Eigen::Index place(Handle x) const {
    const std::int64_t k = oracle_->bag_of(x);
    return all_->begin(k) + (x - handles_[static_cast<std::size_t>(all_->begin(k))]);
  }
  [[nodiscard]] Eigen::Map<const Vector> row(Handle x) {
    return {all_->similarities(x), static_cast<Eigen::Index>(handles_.size())};
  }

  /// c, the inner products with it, and the gradient they move.
  void aim(std::span<const Handle> maximisers) {
    for (std::size_t k = 0; k < c_.size(); ++k) {
      const Handle x = maximisers[sides_.positive[k].bag];
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
  }

  /// What u says of every bag.
  [[nodiscard]] Response say(double distance) const {
    Response response;
    for (std::int64_t k = 0; k < oracle_->bags(); ++k) {
      const std::int64_t begin = all_->begin(k);
      const std::int64_t n = count(k);
      Eigen::Index lowest = 0;
      const double s = n == 0 ? 0.0 : at_.s.segment(begin, n).minCoeff(&lowest);
      response.value.push_back(n == 0 ? 0.0 : -s / distance);
      response.argmax.push_back(n == 0 ? -1 : handles_[static_cast<std::size_t>(begin + lowest)]);
    }
    return response;
  }

  /// f(u) = sum_r d_r max_{x in B_r} <u, Phi(x)> - <u, c>.
  [[nodiscard]] double objective(const Response& response, double distance) const {
    double value = -(problem_.c2 - at_.p.dot(problem_.g)) / distance;
    for (const Weighted& r : sides_.negative) value += r.d * response.value[r.bag];
    return value;
  }

  /// Pairwise steps up to the gap of this stage, or as many as it may have. False where none can be smaller.
  [[nodiscard]] bool advance(const MinNormPointSettings& stage, double& seconds) {
    const ScopedTimer timer(seconds);
    MinNormPointSolution nearest = shapeboost::solve(problem_, stage, &at_);
    at_ = {std::move(nearest.p), std::move(nearest.s), nearest.steps};
    return nearest.status == Status::iteration_limit ||
           (nearest.status == Status::solved && stage.tolerance > kSmallestGap);
  }

  Oracle* oracle_;
  AllInstances* all_;
  BallSides sides_;
  WeakLearnerSettings settings_;
  std::vector<Handle> handles_;
  MinNormPointProblem problem_;
  MinNormPointStart at_;
  std::vector<Term> c_;
};

}  // namespace

std::unique_ptr<ConvexProblem> whole_ball_problem(Oracle& oracle, AllInstances& all, BallSides sides,
                                                  const Start& start, const WeakLearnerSettings& settings) {
  return std::make_unique<WholeBallProblem>(oracle, all, std::move(sides), start, settings);
}

}  // namespace shapeboost::detail
