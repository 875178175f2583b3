// SPDX-License-Identifier: MIT
// OP 1's convex problem over all instances at once.
#pragma once

#include <memory>

#include "learn/weak_learner.hpp"

namespace shapeboost::detail {

/// A bag and its weight |d_i|.
struct Weighted {
  std::size_t bag;
  double d;
};

/// The bags with sign * dy_i above and below 0.
struct BallSides {
  std::vector<Weighted> positive;
  std::vector<Weighted> negative;
  Vector mass;             ///< of the negative ones
  std::vector<int> group;  ///< of every bag: its place among the negative ones, or -1
};

[[nodiscard]] BallSides ball_sides(const Oracle& oracle, const Vector& dy, int sign);

/// An instance that begins with a share of its bag's mass.
struct Share {
  Handle x;
  int group;
  double p;
};

/// The mixture that `start` has of each negative bag, -alpha of its instances, or where it has none its
/// highest instance: from one round to the next d changes little, and the mixture with it.
[[nodiscard]] std::vector<Share> first_mixture(const Oracle& oracle, const BallSides& sides,
                                               const Start& start);

/// u = (c - q) / ||c - q|| from the terms of c and q's shares p of `x`.
[[nodiscard]] std::vector<Term> ball_direction(std::span<const Term> c, std::span<const Handle> x,
                                               const Vector& p, double distance);

[[nodiscard]] std::unique_ptr<ConvexProblem> whole_ball_problem(Oracle& oracle, AllInstances& all,
                                                                BallSides sides, const Start& start,
                                                                const WeakLearnerSettings& settings);

}  // namespace shapeboost::detail
