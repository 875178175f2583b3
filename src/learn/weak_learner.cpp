// SPDX-License-Identifier: MIT
#include "learn/weak_learner.hpp"

namespace shapeboost {

double edge_of(const Response& response, const Vector& dy, int sign) {
  return sign * dy.dot(mapped(response));
}

TwoSides two_sides(const Oracle& oracle, const Vector& dy, int sign) {
  TwoSides sides;
  for (Eigen::Index i = 0; i < dy.size(); ++i) {
    const double weight = sign * dy[i];
    if (weight == 0.0 || !oracle.has_instances(i)) continue;
    (weight > 0.0 ? sides.positive : sides.negative).add(at(i), std::abs(weight));
  }
  return sides;
}

Start start_at(Oracle& oracle, std::vector<Term> terms) {
  Response response = oracle.respond(terms);
  return {std::move(terms), std::move(response)};
}

WeakHypothesis WeakLearner::learn(Oracle& oracle, const Vector& dy, int sign, const Start& start,
                                  double target, bool full) const {
  WeakHypothesis best{start.terms, sign, start.response};
  double solver_seconds = 0.0;
  best.edge = edge_of(best.response, dy, sign);
  const std::unique_ptr<ConvexProblem> problem = convex_problem(oracle, dy, sign, start, full);
  for (int step = 0; step < settings_.max_dc_steps; ++step) {
    if (settings_.interrupted && settings_.interrupted()) break;
    const double scale = std::max({1e-6, std::abs(best.edge), std::abs(target)});
    ConvexSolution solution = problem->solve(best.response.argmax, {.tolerance = settings_.tolerance * scale,
                                                                    .relative = settings_.tolerance,
                                                                    .spare = settings_.spare,
                                                                    .target = target});
    solver_seconds += solution.solver_seconds;
    if (solution.terms.empty()) break;  // a failed solve: what we have is still a hypothesis
    if (solution.response.value.empty()) solution.response = oracle.respond(solution.terms);
    WeakHypothesis next{std::move(solution.terms), sign, std::move(solution.response)};
    next.edge = edge_of(next.response, dy, sign);
    const double gain = next.edge - best.edge;
    if (gain > 0.0) best = std::move(next);
    // Gains shrink from step to step: one that is far below what is missing will not make up for it.
    if (gain <= settings_.dc_tolerance * scale || gain <= 0.1 * (target - best.edge)) break;
  }
  best.solver_seconds = solver_seconds;
  // Candidates that came along without a coefficient have done their work; one term must stay.
  const auto idle = [](const Term& term) { return term.alpha == 0.0; };
  if (!std::ranges::all_of(best.terms, idle)) std::erase_if(best.terms, idle);
  return best;
}

}  // namespace shapeboost
