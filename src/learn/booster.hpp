// SPDX-License-Identifier: MIT
// LPBoost over shapelets (Algorithm 1 of the paper) for one binary problem, with the cheap questions asked
// first: single instances priced from a table while they still beat gamma, and only then the DC algorithm.
#pragma once

#include <memory>
#include <vector>

#include "ground/parallel.hpp"
#include "learn/master.hpp"
#include "oracle/oracle.hpp"
#include "shapeboost/boosting.hpp"

namespace shapeboost {

/// One weighted hypothesis, its shapelet by handles of the oracle that found it.
struct BoostedHypothesis {
  int oracle = 0;
  int sign = +1;
  std::vector<Term> terms;
  double w = 0.0;
};

struct Boosted {
  std::vector<BoostedHypothesis> hypotheses;  ///< largest w first; the w's sum to 1, unless nothing was found
  double b = 0.0;
  double nu = 0.0;  ///< the one used: see lowered_nu()
  double rho = 0.0;
  double gamma = 0.0;
  Vector g;  ///< scores of the bags
  std::vector<RoundRecord> rounds;
  Stop stop = Stop::gap;
  double gap = 0.0;          ///< of the last round
  double certificate = 0.0;  ///< |primal - dual| of the last master
};

/// One binary problem.
struct Sides {
  Vector y;  ///< -1 or +1 for each bag; both occur
  Vector v;  ///< class weight of each bag, > 0; empty: all the same
};

/// settings.nu, or the largest that these classes allow where that is less.
[[nodiscard]] double lowered_nu(const Sides& sides, const BoosterSettings& settings);

/// One oracle a view, all of the same bags.
[[nodiscard]] Boosted boost(const std::vector<std::unique_ptr<Oracle>>& oracles, const Sides& sides,
                            const BoosterSettings& settings, ThreadPool& threads,
                            const Observer& observer = {});

}  // namespace shapeboost
