// SPDX-License-Identifier: MIT
// The 1-norm SVM: by hand, and against the program with every column.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ground/numbers.hpp"
#include "model/respond.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/trainer.hpp"
#include "solve/lp.hpp"
#include "solve/status.hpp"
#include "support/baselines.hpp"
#include "support/examples.hpp"
#include "train/trainer.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

using examples::bags_of_numbers;
using examples::noisy_bags;
using examples::settings_for;

/// h_1 = 1 and 0 on the two bags: w = 2, b = -1 and no slack where C >= 1, so S = 2. With C = 1/4 slack is
/// cheaper: w = 0 costs 2 C.
TEST(OneNormSvm, SolvesTwoBagsByHand) {
  const Dataset data = bags_of_numbers({{"n", {0.0}}, {"p", {1.0}}});
  TrainSettings settings = settings_for(Method::l1_svm, 3.0, KernelKind::linear);
  settings.standardise = false;
  const Model model = train(data, settings).model;
  const Part& part = model.parts.front();
  ASSERT_EQ(model.hypotheses.size(), 1U);
  EXPECT_NEAR(part.b, -0.5, 1e-7);
  EXPECT_NEAR(part.rho, 0.5, 1e-7);
  EXPECT_NEAR(part.gamma, 0.5, 1e-7);
  EXPECT_NEAR(part.nu, 2.0 / (3.0 * 2.0), 1e-7);

  settings.baseline.C = 0.25;
  const TrainingResult cheap = train(data, settings);
  EXPECT_TRUE(cheap.model.hypotheses.empty());
  EXPECT_EQ(cheap.stop, Stop::nothing);
}

/// The whole program at once: every instance of every view, both signs.
double naive_optimum(const Dataset& data, const Model& model, const std::vector<double>& costs, bool signs,
                     bool offset) {
  Lp program;
  const auto m = static_cast<int>(data.size());
  std::vector<double> y;
  for (std::int64_t i = 0; i < data.size(); ++i) y.push_back(data.label(i) == 1 ? 1.0 : -1.0);
  for (int i = 0; i < m; ++i) {
    program.add_row(1.0, kInfinity,
                    {{program.add_column(costs[static_cast<std::size_t>(i)], 0.0, kInfinity), 1.0}});
  }
  const auto entries = [&](const std::function<double(std::size_t)>& value) {
    std::vector<LpEntry> list;
    for (int i = 0; i < m; ++i) {
      list.push_back({i, y[static_cast<std::size_t>(i)] * value(static_cast<std::size_t>(i))});
    }
    return list;
  };
  if (offset) program.add_column(0.0, -kInfinity, kInfinity, entries([](std::size_t) { return 1.0; }));
  for (const View& view : model.views) {
    const std::unique_ptr<Instances> seen = make_instances(data, view);
    for (std::int64_t z = 0; z < seen->size(); ++z) {
      const Response h = respond(*seen, {{seen->instance(z)}, {1.0}});
      program.add_column(1.0, 0.0, kInfinity, entries([&](std::size_t i) { return h.value[i]; }));
      if (signs) program.add_column(1.0, 0.0, kInfinity, entries([&](std::size_t i) { return -h.value[i]; }));
    }
  }
  const LpSolution solution = program.solve();
  EXPECT_EQ(solution.status, Status::solved);
  return solution.objective;
}

void check_one_norm(const Dataset& data, const TrainSettings& settings, const std::vector<double>& costs) {
  const TrainingResult result = train(data, settings);
  const Model& model = result.model;
  const Part& part = model.parts.front();
  EXPECT_EQ(result.stop, Stop::gap);
  EXPECT_LT(result.duality_gap, 1e-6);
  const double optimum =
      naive_optimum(data, model, costs, !settings.baseline.one_sided, settings.baseline.offset);
  EXPECT_NEAR(1.0 / part.gamma, optimum, 1e-5 * optimum);
  // What the model costs, from its weights and the predictor's scores alone.
  const double scale = 1.0 / part.rho;
  double cost = scale;
  double sum = 0.0;
  const Scores scored = scores(model, data);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const double margin = scale * (data.label(i) == 1 ? 1.0 : -1.0) * scored.parts(i, 0);
    cost += costs[static_cast<std::size_t>(i)] * std::max(0.0, 1.0 - margin);
    sum += costs[static_cast<std::size_t>(i)];
    EXPECT_NEAR(margin, scale * part.margins[static_cast<std::size_t>(i)], 1e-9 * scale);
  }
  EXPECT_NEAR(cost, optimum, 1e-5 * optimum);
  // As LPBoost states it: the soft margin at this nu.
  EXPECT_NEAR(part.nu, optimum / sum, 1e-5);
  Vector caps = Eigen::Map<const Vector>(costs.data(), data.size());
  caps /= part.nu * sum;
  EXPECT_NEAR(soft_margin(part.margins, caps).gamma, part.gamma, 1e-5);
}

TEST(OneNormSvm, ReachesTheOptimumOverAllColumns) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Dataset data = noisy_bags(seed);
    for (const double C : {0.3, 1.0, 20.0}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", C " + std::to_string(C));
      check_one_norm(data, settings_for(Method::l1_svm, C), std::vector<double>(24, C));
    }
  }
}

TEST(OneNormSvm, ReachesIt_OneSidedWithoutOffsetWeightedAndOverSeveralViews) {
  const Dataset data = noisy_bags(7);
  TrainSettings settings = settings_for(Method::l1_svm, 2.0);
  settings.baseline.one_sided = true;
  check_one_norm(data, settings, std::vector<double>(24, 2.0));
  settings.baseline.one_sided = false;
  settings.baseline.offset = false;
  check_one_norm(data, settings, std::vector<double>(24, 2.0));
  settings.baseline.offset = true;
  settings.sigma_scales = {0.5, 2.0};
  check_one_norm(data, settings, std::vector<double>(24, 2.0));
  settings.class_weights = ClassWeights::parse("active=3,inactive=1");
  std::vector<double> costs;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    costs.push_back(data.classes()[static_cast<std::size_t>(data.label(i))] == "active" ? 3.0 : 1.0);
  }
  check_one_norm(data, settings, costs);
}

TEST(OneNormSvm, IsStoppedBetweenPivots_WithTheColumnsThatWereWeighed) {
  const Dataset data = noisy_bags(2, 40);
  TrainSettings settings = settings_for(Method::l1_svm, 3.0);
  settings.threads = 1;
  std::int64_t all = 0;
  Observer counting;
  counting.interrupted = [&] { return ++all < 0; };
  const TrainingResult whole = train(data, settings, counting);
  ASSERT_GT(all, std::ssize(whole.rounds)) << "more than once a round";
  for (std::int64_t n = 1; n <= all / 2; n += 1 + n / 5) {
    std::int64_t asked = 0;
    Observer observer;
    observer.interrupted = [&] { return ++asked >= n; };
    const TrainingResult result = train(data, settings, observer);
    EXPECT_EQ(result.stop, Stop::interrupted) << n;
    EXPECT_LE(asked, n + 10);
    EXPECT_LE(result.rounds.size(), whole.rounds.size());
    EXPECT_NO_THROW((void)model_from_json(to_json(result.model), "stopped"));
  }
}

}  // namespace
}  // namespace shapeboost
