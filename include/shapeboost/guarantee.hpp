// SPDX-License-Identifier: MIT
// What a model's training margins promise about new bags, for each of its binary problems: the paper's Theorem 2 with its constants, and a bound by
// covering numbers that needs no dimension. docs/bound.md derives both, in the same symbols:
//
//     E(g) <= E_rho(g) + 2 T C / rho + 3 sqrt(ln(2 / delta_k) / (2 m)),   rho = T s 2^(-k/2), k = 0, 1, ...,
//
// with probability 1 - delta, for all k at once; C bounds the Rademacher complexity of the hypotheses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shapeboost/model.hpp"

namespace shapeboost {

/// How the maximisers of a view's bags depend on u, where their patterns can be counted.
enum class Patterns {
  unknown,  ///< any kernel: only the covering form applies
  linear,   ///< h is a maximum of u.x, x in R^d: the linear kernel, or a polynomial one with its monomials
  nearest,  ///< u is a multiple of a Phi(z), z in R^d, K falls with |x - z|: single Gaussian shapelets
};

/// A view as the bound sees it: how many instances it has and how they can be told apart.
struct BoundView {
  std::int64_t instances = 0;    ///< N = |P_S|
  std::int64_t largest_bag = 0;  ///< most instances in a bag
  double radius = 1.0;           ///< R: no training instance has a larger ||Phi(x)||
  Patterns patterns = Patterns::unknown;
  std::int64_t dimension = 0;  ///< d above; unknown patterns have none
};

struct BoundInput {
  std::vector<double> margins;   ///< y_i g(B_i) of the m training bags
  std::vector<BoundView> views;  ///< every view the training might have used
  double norm = 1.0;  ///< A >= sum_j w_j ||u_j||; 1 is enough for the ball, R for the sparse learner
  std::optional<double> offset;  ///< b; none where the classifier was trained without one
  bool radius_known = true;      ///< false where the largest radius was read off the training bags
  int choices = 1;               ///< classes it was chosen from after training, or parts spoken of at once
  double delta = 0.05;           ///< the statement may fail with this probability
};

/// The right-hand side at one rho. Total = loss + complexity + confidence.
struct BoundAtRho {
  double rho = 0.0;
  double loss = 0.0;               ///< E_rho: share of the training bags with y_i g(B_i) < rho
  std::optional<double> patterns;  ///< complexity term by counting patterns, where every view's are known
  double covering = 0.0;           ///< complexity term by covering numbers
  double complexity = 0.0;         ///< the smaller of the two
  double confidence = 0.0;
  double total = 0.0;
};

struct Bound {
  BoundInput input;
  double radius = 0.0;                 ///< largest R of the views
  double scale = 0.0;                  ///< T s: rho is at most this
  std::optional<double> log_patterns;  ///< L = ln(sum of |Theta| over views, + 1 with an offset)
  std::vector<BoundAtRho> at;          ///< rho falling, to the first at or below the smallest positive margin
  std::size_t best = 0;                ///< where the total is smallest
  bool vacuous = true;                 ///< the smallest total is 1 or more: nothing is promised
  /// Bags, in doublings of m, from which the smallest total would lie below 1, had they margins and sizes
  /// like these; none where that takes more than 2^40 times as many.
  std::optional<double> bags_needed;
};

/// The guarantee in plain words, with a table of rho.
[[nodiscard]] std::string to_text(const Bound& bound);

/// What can be said of one part.
struct Guarantee {
  int part = 0;
  std::optional<Bound> bound;
  std::string reason;  ///< a sentence, where there is no bound
};

/// One for each part. Throws InvalidInput where a model contradicts itself: a margin larger than its own
/// norm, radius and offset allow, or delta out of its range.
[[nodiscard]] std::vector<Guarantee> guarantees(const Model& model, double delta = 0.05);

}  // namespace shapeboost
