// SPDX-License-Identifier: MIT
// One binary problem, and what a method makes of it.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "ground/matrix.hpp"
#include "oracle/oracle.hpp"
#include "shapeboost/boosting.hpp"

namespace shapeboost {

/// Weights of hypotheses below this share of all are rounding.
inline constexpr double kNoWeight = 1e-9;

struct Sides {
  Vector y;  ///< -1 or +1 for each bag; both occur
  Vector v;  ///< class weight of each bag, > 0; empty: all the same
};

/// One weighted hypothesis, its shapelet by handles of the oracle that found it.
struct LearnedHypothesis {
  int oracle = 0;
  int sign = +1;
  std::vector<Term> terms;
  double w = 0.0;
};

/// g(B) = b + sum_j w_j h_j(B), whichever method it came from.
struct Learned {
  std::vector<LearnedHypothesis> hypotheses;  ///< largest w first; the w's sum to 1, unless nothing was found
  double b = 0.0;
  double nu = 0.0;  ///< the one used
  double rho = 0.0;
  double gamma = 0.0;
  Vector g;  ///< scores of the bags
  std::vector<RoundRecord> rounds;
  Stop stop = Stop::gap;
  double duality_gap = 0.0;  ///< |primal - dual| of the last program
  bool exact = true;         ///< false where a support vector machine gave up before its optimum

  /// How far from done it ended.
  [[nodiscard]] double gap() const { return rounds.empty() ? 0.0 : rounds.back().gap; }

  [[nodiscard]] RoundRecord next_round() const { return {.round = static_cast<int>(rounds.size()) + 1}; }
  void keep(const RoundRecord& record, const Observer& observer) {
    rounds.push_back(record);
    if (observer.round) observer.round(record);
  }
  void sort_hypotheses() { std::ranges::stable_sort(hypotheses, std::greater(), &LearnedHypothesis::w); }
  /// For methods that have no nu of their own.
  void learn_nothing(const Vector& y) {
    nu = 1.0;
    if (stop != Stop::interrupted) stop = Stop::nothing;
    say_larger_class(y);
  }
  /// Where nothing was learned: the larger class, and of several the largest.
  void say_larger_class(const Vector& y) {
    b = y.mean();
    rho = gamma = 0.0;
    g = Vector::Constant(y.size(), b);
  }
};

[[nodiscard]] inline bool is_interrupted(const Observer& observer) {
  return observer.interrupted && observer.interrupted();
}
[[nodiscard]] inline bool is_abandoned(const Observer& observer) {
  return observer.abandoned && observer.abandoned();
}

}  // namespace shapeboost
