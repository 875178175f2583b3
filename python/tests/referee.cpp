// SPDX-License-Identifier: MIT
// Single steps of the method, so that tests can solve the same problems with other solvers.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <numeric>

#include "bindings.hpp"
#include "ground/matrix.hpp"
#include "ground/parallel.hpp"
#include "ground/rng.hpp"
#include "learn/master.hpp"
#include "learn/weak_learner.hpp"
#include "oracle/local_oracle.hpp"
#include "oracle/table.hpp"
#include "shapeboost/trainer.hpp"
#include "solve/ridge.hpp"
#include "train/plan.hpp"
#include "view/fit_view.hpp"
#include "view/instances.hpp"

namespace shapeboost::python {
namespace {

Vector to_vector(const Numbers& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// LPBoost's program over the columns of h, one row a bag.
nb::typed<nb::dict, nb::str, nb::object> solve_master(const Numbers& y, const Table2& h, double nu,
                                                      bool offset, const Numbers& weights) {
  MasterSettings settings;
  settings.nu = nu;
  settings.offset = offset;
  settings.weights = to_vector(weights);
  Master master(to_vector(y), settings);
  const MatrixView columns(h.data(), static_cast<Eigen::Index>(h.shape(0)),
                           static_cast<Eigen::Index>(h.shape(1)));
  for (Eigen::Index j = 0; j < columns.cols(); ++j) (void)master.add(columns.col(j));
  const MasterSolution solution = master.solve();
  nb::dict dict;
  dict["status"] = std::string(to_string(solution.status));
  dict["gamma"] = solution.gamma;
  dict["rho"] = solution.rho;
  dict["b"] = solution.b;
  dict["w"] = to_numpy(solution.w);
  dict["d"] = to_numpy(solution.d);
  return dict;
}

/// One linearised problem of weak learning, OP 1 (ball) or OP 2 (sparse), in the first view that `settings`
/// plan for bags: the numbers of the problem, and its optimum as we find it. `chosen` is x_i*, the instance
/// of each bag by its number in the bag.
nb::typed<nb::dict, nb::str, nb::object> solve_weak(const Data& data, const TrainSettings& settings,
                                                    const Numbers& dy,
                                                    const std::vector<std::int64_t>& chosen, bool ball,
                                                    double tolerance) {
  const Plan planned = plan(data.dataset, settings);
  const PlannedView& first = planned.members.front().front();
  Rng rng(planned.settings.seed);
  const View view = fit_view(first.view, data.dataset, planned.settings.standardise, first.sigma_scale, rng);
  ThreadPool threads(1);
  std::vector<int> labels(static_cast<std::size_t>(data.dataset.size()));
  TableSettings of_table;
  of_table.unit_norm = ball;
  const auto table = std::make_shared<const Table>(data.dataset, view, labels, of_table, threads);
  constexpr std::int64_t kMemory = std::int64_t{1} << 28;
  LocalOracle oracle(table, {}, kMemory, threads);
  const Instances& instances = oracle.all_instances()->instances();
  std::vector<Handle> maximisers;
  for (std::int64_t i = 0; i < oracle.bags(); ++i) {
    maximisers.push_back(instances.first(i) + chosen[static_cast<std::size_t>(i)]);
  }
  const Vector weights = to_vector(dy);
  const std::vector<Single> singles = oracle.best_singles(weights, 1, 1);
  const Start start = start_at(oracle, {{singles.front().z, singles.front().alpha}});
  WeakLearnerSettings of_learner;
  std::unique_ptr<WeakLearner> learner;
  if (ball) {
    learner = std::make_unique<BallLearner>(of_learner);
  } else {
    learner = std::make_unique<SparseLearner>(of_learner);
  }
  const auto problem = learner->convex_problem(oracle, weights, +1, start, true);
  const ConvexSolution solution = problem->solve(maximisers, {.tolerance = tolerance});
  Matrix gram(instances.size(), instances.size());
  for (std::int64_t x = 0; x < instances.size(); ++x) {
    for (std::int64_t z = 0; z < instances.size(); ++z) {
      gram(x, z) = instances.similarity(instances.probe(z), instances.probe(x));
    }
  }
  std::vector<std::int64_t> bag(static_cast<std::size_t>(instances.size()));
  for (std::int64_t x = 0; x < instances.size(); ++x) {
    bag[static_cast<std::size_t>(x)] = instances.bag_of(x);
  }
  nb::dict dict;
  dict["status"] = std::string(to_string(solution.status));
  dict["optimum"] = solution.optimum;
  dict["gap"] = solution.duality_gap;
  dict["gram"] = to_numpy(viewed(gram));
  dict["bag"] = to_numpy(bag);
  dict["chosen"] = to_numpy(std::vector<std::int64_t>(maximisers.begin(), maximisers.end()));
  return dict;
}

/// Ridge regression, alpha by its left-out errors. X is rounded to float.
nb::typed<nb::dict, nb::str, nb::object> solve_ridge(const Table2& x, const Table2& y, const Numbers& v,
                                                     double smallest, double largest, double start,
                                                     int steps_per_decade) {
  const Eigen::MatrixXf columns = mapped(view_of(x)).cast<float>();
  ThreadPool threads(1);
  const RidgeSettings settings{smallest, largest, start, steps_per_decade};
  const RidgeSolution solution = ridge(columns, mapped(view_of(y)), to_vector(v), settings, threads);
  std::vector<double> alphas;
  std::vector<double> errors;
  for (const auto& [alpha, error] : solution.tried) {
    alphas.push_back(alpha);
    errors.push_back(error);
  }
  nb::dict dict;
  dict["alpha"] = solution.alpha;
  dict["weights"] = to_numpy(viewed(Matrix(solution.weights)));
  dict["b"] = to_numpy(solution.b);
  dict["left_out"] = to_numpy(viewed(Matrix(solution.left_out)));
  dict["left_out_error"] = solution.left_out_error;
  dict["residual"] = solution.residual;
  dict["tried_alpha"] = to_numpy(alphas);
  dict["tried_error"] = to_numpy(errors);
  return dict;
}

}  // namespace

void bind_referee(nb::module_& module) {
  module.def("solve_master", &solve_master, nb::arg("y"), nb::arg("h"), nb::arg("nu"), nb::arg("offset"),
             nb::arg("weights"), "For tests: LPBoost's program over given hypotheses.");
  module.def("solve_weak", &solve_weak, nb::arg("data"), nb::arg("settings"), nb::arg("dy"),
             nb::arg("chosen"), nb::arg("ball"), nb::arg("tolerance"),
             "For tests: one convex problem of weak learning, its numbers and its optimum.");
  module.def("solve_ridge", &solve_ridge, nb::arg("x"), nb::arg("y"), nb::arg("v"), nb::arg("smallest"),
             nb::arg("largest"), nb::arg("start"), nb::arg("steps_per_decade"),
             "For tests: ridge regression, alpha by its left-out errors.");
}

}  // namespace shapeboost::python
