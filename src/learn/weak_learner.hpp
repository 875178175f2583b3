// SPDX-License-Identifier: MIT
// Weak learning: given weights d on the bags, find a shapelet u with a large edge
//
//     sum_i y_i d_i h_u(B_i),     h_u(B) = max_{x in B} <u, Phi(x)>,
//
// over the sparse ball ||alpha||_1 <= 1 (OP 2) or the RKHS ball ||u|| <= 1 (OP 1). Both are differences of
// convex functions. The DC algorithm (Algorithm 2 of the paper) fixes the maximisers x_k* of the positive
// bags and solves the convex rest,
//
//     f = min_u  sum_{y_r = -1} d_r max_{x in B_r} <u, Phi(x)>  -  sum_{y_k = +1} d_k <u, Phi(x_k*)>,
//
// again and again; the edge never falls. For sign = -1 the same is done with -y.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ground/numbers.hpp"
#include "oracle/oracle.hpp"
#include "solve/status.hpp"

namespace shapeboost {

/// A hypothesis in the making: its shapelet by handles, and what it says of the training bags.
struct WeakHypothesis {
  std::vector<Term> terms;
  int sign = +1;
  Response response;            ///< of h_u, before the sign
  double edge = 0.0;            ///< sum_i y_i d_i sign h_u(B_i)
  double solver_seconds = 0.0;  ///< spent in linear programs or minimum-norm points
};

/// Where the DC algorithm begins: a shapelet, and what it says of the bags.
struct Start {
  std::vector<Term> terms;
  Response response;
};

[[nodiscard]] Start start_at(Oracle& oracle, std::vector<Term> terms);

struct WeakLearnerSettings {
  double tolerance = 1e-3;     ///< of the convex problem: its gap, relative to the edge or the target
  double spare = 0.0;          ///< and relative to what the edge has above the target
  double dc_tolerance = 1e-3;  ///< stop when a DC step raises the edge by less than this share
  int max_dc_steps = 50;
  int max_trials = 500;                 ///< of one convex problem: LP solves, or minimum-norm points
  std::int64_t whole = 8192;            ///< most instances for which the ball looks at all of them at once
  std::int64_t points = 1024;           ///< most instances, or two a bag, among which it looks else
  std::int64_t entries = 1'000'000;     ///< most rows times columns of the sparse ball's program
  std::function<bool()> interrupted{};  ///< asked before each trial; true: end with what is known

  /// Whether one more trial may follow so many.
  [[nodiscard]] bool may_try(int trials) const {
    return trials < max_trials && !(interrupted && interrupted());
  }
};

/// Some bags and their weights |d_i|.
struct WeightedBags {
  std::vector<std::size_t> bag;
  std::vector<double> d;

  void add(std::size_t i, double weight) {
    bag.push_back(i);
    d.push_back(weight);
  }
  /// start + sum_i d_i response_i.
  [[nodiscard]] double sum(const Response& response, double start = 0.0) const {
    for (std::size_t i = 0; i < bag.size(); ++i) start += d[i] * response.value[bag[i]];
    return start;
  }
};

/// The bags with instances where sign * dy_i is above 0, and below.
struct TwoSides {
  WeightedBags positive;
  WeightedBags negative;
};

[[nodiscard]] TwoSides two_sides(const Oracle& oracle, const Vector& dy, int sign);

/// A sum of terms: each instance once, in the order in which they first came.
class TermSum {
 public:
  void add(Handle z, double alpha) {
    const auto [place, fresh] = place_.emplace(z, terms_.size());
    if (fresh) {
      terms_.push_back({z, alpha});
    } else {
      terms_[place->second].alpha += alpha;
    }
  }
  [[nodiscard]] std::vector<Term> terms() && { return std::move(terms_); }

 private:
  std::vector<Term> terms_;
  std::unordered_map<Handle, std::size_t> place_;
};

/// What the convex problem's solver reports. optimum - duality_gap <= true optimum <= optimum.
struct ConvexSolution {
  Status status = Status::failed;
  std::vector<Term> terms;
  Response response;     ///< of `terms`; empty where they are u = 0 or none
  double optimum = 0.0;  ///< f at `terms`
  double duality_gap = 0.0;
  int trials = 0;
  double solver_seconds = 0.0;

  [[nodiscard]] ConvexSolution ended(Status how) {
    status = how;
    return std::move(*this);
  }
};

/// When a convex problem is solved well enough: at a small gap, or when it is certain that f >= -target. A
/// gap is small at `tolerance`, at a share `relative` of the edge that is reached, -f, and at a share `spare`
/// of what this edge has above the target, or above 0.
struct Goal {
  double tolerance = 0.0;
  double relative = 0.0;
  double spare = 0.0;
  double target = -kInfinity;

  /// The gap that is small enough where f is reached.
  [[nodiscard]] double allowed(double f) const {
    return std::max({tolerance, -relative * f, -spare * (f + std::max(target, 0.0))});
  }
};

/// The convex problems of one run of the DC algorithm: the same negative bags, another linearisation each.
class ConvexProblem {
 public:
  virtual ~ConvexProblem() = default;
  /// maximisers[i] is x_i* for the positive bags; entries of other bags are ignored.
  [[nodiscard]] virtual ConvexSolution solve(std::span<const Handle> maximisers, const Goal& goal) = 0;
};

class WeakLearner {
 public:
  explicit WeakLearner(WeakLearnerSettings settings = {}) : settings_(std::move(settings)) {}
  virtual ~WeakLearner() = default;

  /// The DC algorithm from `start`. dy_i = d_i y_i. An edge that does not pass `target` is of no use:
  /// accuracy is relative to it, and a run that cannot reach it ends early. `full` prices every candidate
  /// before it stops, where the oracle's pool is a part of all.
  [[nodiscard]] WeakHypothesis learn(Oracle& oracle, const Vector& dy, int sign, const Start& start,
                                     double target, bool full) const;

  /// Bags with sign * dy_i > 0 are the positive ones, those below 0 the negative ones. `start` begins the set
  /// of candidates and of cutting planes.
  [[nodiscard]] virtual std::unique_ptr<ConvexProblem> convex_problem(Oracle& oracle, const Vector& dy,
                                                                      int sign, const Start& start,
                                                                      bool full) const = 0;

 protected:
  const WeakLearnerSettings settings_;
};

/// OP 2: ||alpha||_1 <= 1, by linear programs with generated rows and columns. Works with any similarity.
class SparseLearner final : public WeakLearner {
 public:
  using WeakLearner::WeakLearner;
  [[nodiscard]] std::unique_ptr<ConvexProblem> convex_problem(Oracle& oracle, const Vector& dy, int sign,
                                                              const Start& start, bool full) const override;
  /// Of one problem of so many bags, at most: one that comes to be larger ends with the gap it has.
  [[nodiscard]] static std::int64_t bytes(std::int64_t bags);
};

/// OP 1: ||u|| <= 1 in the Hilbert space, by minimum-norm points. Needs a positive semi-definite kernel.
class BallLearner final : public WeakLearner {
 public:
  using WeakLearner::WeakLearner;
  [[nodiscard]] std::unique_ptr<ConvexProblem> convex_problem(Oracle& oracle, const Vector& dy, int sign,
                                                              const Start& start, bool full) const override;
  /// As SparseLearner's, of so many instances in all bags.
  [[nodiscard]] static std::int64_t bytes(std::int64_t bags, std::int64_t instances);
};

/// sum_i dy_i sign response_i.
[[nodiscard]] double edge_of(const Response& response, const Vector& dy, int sign);

}  // namespace shapeboost
