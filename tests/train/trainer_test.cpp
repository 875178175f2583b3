// SPDX-License-Identifier: MIT
#include "shapeboost/trainer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ground/parallel.hpp"
#include "ground/rng.hpp"
#include "learn/booster.hpp"
#include "oracle/local_oracle.hpp"
#include "oracle/table.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "support/accuracy.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "train/plan.hpp"
#include "train/trainer.hpp"
#include "view/fit_view.hpp"

namespace shapeboost {
namespace {

Dataset small_series(std::uint64_t seed) {
  SyntheticSettings settings;
  settings.examples = 16;
  settings.length = 60;
  settings.noise = 0.4;
  settings.seed = seed;
  return planted_series(settings).data;
}

/// Margins and weights of single instances come from tables of floats.

/// Three members of two random views each.
TrainSettings quick() {
  TrainSettings settings;
  settings.members = 3;
  settings.head = HeadKind::average;
  settings.views = ViewChoice::parse("random:2");
  settings.candidates = Candidates::parse("sample:100");
  settings.threads = 1;
  return settings;
}

/// max over rho by trying every margin: the function is piecewise linear with kinks there only.
double naive_soft_margin(const std::vector<double>& margins, const Vector& caps) {
  double best = -1e300;
  for (const double rho : margins) {
    double value = rho;
    for (std::size_t i = 0; i < margins.size(); ++i) {
      value -= caps[static_cast<Eigen::Index>(i)] * std::max(0.0, rho - margins[i]);
    }
    best = std::max(best, value);
  }
  return best;
}

TEST(Trainer, MembersThatLearnNothing_DoNotDrownTheOthers) {
  // Only the first of two features tells the classes apart, and not quite: members that see the second alone
  // find no margin.
  Rng rng(4);
  Dataset data(DataKind::bags);
  for (int i = 0; i < 120; ++i) {
    Matrix values(1, 2);
    values << (i % 2 == 0 ? -1.5 : 1.5) + rng.normal(), rng.normal();
    add(data, values, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  TrainSettings settings;
  settings.members = 20;
  settings.head = HeadKind::average;
  settings.threads = 1;
  const Model model = train(data, settings).model;
  const std::vector<int> predicted = predictions(model, scores(model, data, 1));
  int right = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (predicted[static_cast<std::size_t>(i)] == data.label(i)) ++right;
  }
  EXPECT_GT(right, 105);  // a threshold at 0 is right about 112 times
  EXPECT_GT(model.parts[0].gamma, 1e-3);
}

TEST(SoftMargin, IsTheBestOverRho_WhateverTheCaps) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> margins(static_cast<std::size_t>(2 + rng.below(20)));
    for (double& margin : margins) margin = round % 3 == 0 ? std::floor(3.0 * rng.normal()) : rng.normal();
    const auto m = static_cast<double>(margins.size());
    const double nu = 1.0 / m + rng.uniform() * (1.0 - 1.0 / m);
    Vector v = Vector::Ones(static_cast<Eigen::Index>(margins.size()));
    if (round % 2 == 0) v = v.unaryExpr([&](double) { return 0.1 + rng.uniform(); });
    const Vector caps = v / (nu * v.sum());
    EXPECT_NEAR(soft_margin(margins, caps).gamma, naive_soft_margin(margins, caps), 1e-9) << "nu " << nu;
  }
  // No bag may fall short for less than its loss.
  const SoftMargin hard = soft_margin({3.0, 1.0, 2.0}, Vector::Ones(3));
  EXPECT_DOUBLE_EQ(hard.gamma, 1.0);
}

TEST(SoftMargin, IsTheMastersValue_ForOneModel) {
  const Dataset data = small_series(5);
  TrainSettings settings = examples::single();
  settings.lengths = {0.2, 0.3};
  settings.boosting.nu = 0.3;
  const Part part = train(data, settings).model.parts.front();
  const SoftMargin margin = soft_margin(
      part.margins, Vector::Constant(data.size(), 1.0 / (0.3 * static_cast<double>(data.size()))));
  EXPECT_NEAR(margin.gamma, part.gamma, 1e-7);
}

// ------------------------------------------------------------------------------------------- committees

/// The member `k` of a committee, trained by itself: its own views, with its own seed.
Model member_alone(const Dataset& data, const TrainSettings& settings, std::size_t k) {
  const Plan planned = plan(data, settings);
  Model model;
  model.kind = data.kind();
  model.classes = data.classes();
  model.parts = parts_for(2, model.strategy);
  ThreadPool threads(1);
  Rng rng(stream_seed(settings.seed, k));
  std::vector<std::unique_ptr<Oracle>> oracles;
  for (const PlannedView& view : planned.members[k]) {
    model.views.push_back(fit_view(view.view, data, settings.standardise, view.sigma_scale, rng));
    TableSettings table;
    table.candidates = *planned.settings.candidates;
    table.seed = stream_seed(settings.seed, k) + oracles.size();
    oracles.push_back(std::make_unique<LocalOracle>(
        std::make_shared<const Table>(data, model.views.back(), examples::labels_of(data), table, threads),
        std::vector<std::int64_t>{}, settings.memory, threads));
  }
  Sides sides;
  sides.y.resize(data.size());
  for (std::int64_t i = 0; i < data.size(); ++i) sides.y[i] = data.label(i) == 1 ? 1.0 : -1.0;
  const Learned boosted = boost(oracles, sides, planned.settings.boosting, threads);
  model.parts[0].b = boosted.b;
  for (const LearnedHypothesis& found : boosted.hypotheses) {
    Hypothesis hypothesis{found.oracle, found.sign, {}};
    for (const Term& term : found.terms) {
      hypothesis.shapelet.instances.push_back(
          oracles[static_cast<std::size_t>(found.oracle)]->instance(term.z));
      hypothesis.shapelet.alpha.push_back(term.alpha);
    }
    model.parts[0].weights.push_back({static_cast<int>(model.hypotheses.size()), found.w});
    model.hypotheses.push_back(hypothesis);
  }
  return model;
}

TEST(Committee, IsTheMembersAverage_EachScaledByItsMeanScore) {
  const Dataset data = small_series(7);
  const Dataset fresh = small_series(8);
  const TrainSettings settings = quick();
  const Model model = train(data, settings).model;
  Vector expected = Vector::Zero(fresh.size());
  double parts = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Model one = member_alone(data, settings, k);
    const double size = mapped(scores(one, data, 1).parts).col(0).cwiseAbs().mean();
    expected += mapped(scores(one, fresh, 1).parts).col(0) / size;
    parts += 1.0 / size;
  }
  const Vector found = mapped(scores(model, fresh, 1).parts).col(0);
  EXPECT_LE((found - expected / parts).cwiseAbs().maxCoeff(), kScores);
  EXPECT_GT(found.cwiseAbs().minCoeff(), 100.0 * kScores) << "scores this small would agree by themselves";
  double sum = 0.0;
  for (const Weight& weight : model.parts.front().weights) sum += weight.w;
  EXPECT_NEAR(sum, 1.0, 1e-9);
}

TEST(Committee, KnowsItsOwnMargins) {
  const Dataset data = small_series(7);
  TrainSettings settings = quick();
  settings.boosting.nu = 0.25;
  const TrainingResult result = train(data, settings);
  const Part& part = result.model.parts.front();
  const Vector g = mapped(scores(result.model, data, 1).parts).col(0);
  ASSERT_EQ(part.margins.size(), static_cast<std::size_t>(data.size()));
  for (std::int64_t i = 0; i < data.size(); ++i) {
    EXPECT_NEAR(part.margins[static_cast<std::size_t>(i)], data.label(i) == 1 ? g[i] : -g[i], kScores);
  }
  const Vector caps = Vector::Constant(data.size(), 1.0 / (0.25 * static_cast<double>(data.size())));
  EXPECT_NEAR(part.gamma, naive_soft_margin(part.margins, caps), 1e-9);
  EXPECT_EQ(result.model.views.size(), 6U);
  EXPECT_EQ(result.model.provenance.views.size(), 6U);
  std::int64_t instances = 0;
  for (const ViewFacts& facts : result.model.provenance.views) instances += facts.instances;
  EXPECT_EQ(result.instances, instances);
}

TEST(Committee, KnowsTheMarginsOfAllBags_WhereMembersTrainOnAFew) {
  const Dataset data = small_series(7);
  TrainSettings settings = quick();
  const std::string all = to_json(train(data, settings).model);
  settings.member_bags = data.size();
  EXPECT_EQ(to_json(train(data, settings).model), all) << "a limit that nobody reaches";
  settings.member_bags = 8;
  const Model model = train(data, settings).model;
  EXPECT_NE(to_json(model), all);
  const Part& part = model.parts.front();
  const Vector g = mapped(scores(model, data, 1).parts).col(0);
  ASSERT_EQ(part.margins.size(), static_cast<std::size_t>(data.size()));
  for (std::int64_t i = 0; i < data.size(); ++i) {
    EXPECT_NEAR(part.margins[static_cast<std::size_t>(i)], data.label(i) == 1 ? g[i] : -g[i], kScores);
  }
}

/// Which labels a member's master saw: with a single candidate view and nu = 1, without an offset, all bags
/// that take part weigh the same, so gamma of the first round tells how many there were of each class.
TEST(Committee, DrawsOfEachClassItsShare) {
  Dataset data(DataKind::bags);
  for (int i = 0; i < 40; ++i) {
    const double x = (i < 30 ? 0.0 : 1.0) + 1e-9 * i;  // no two are copies, which would be one example
    add(data, Matrix::Constant(1, 1, x), i < 30 ? "no" : "yes", std::to_string(i));
  }
  TrainSettings settings;
  settings.members = 1;
  settings.views = ViewChoice::parse("grid");
  settings.kernel.kind = KernelKind::linear;
  settings.standardise = false;
  settings.boosting.refine = Refine::no;
  settings.boosting.offset = false;
  settings.boosting.nu = 1.0;
  for (const auto& [limit, positive] : {std::pair{8, 2}, {20, 5}, {3, 1}, {2, 1}, {40, 10}, {0, 10}}) {
    settings.member_bags = limit;
    const TrainingResult result = train(data, settings);
    const double drawn = limit == 0 ? 40.0 : limit;
    ASSERT_FALSE(result.rounds.empty());
    EXPECT_NEAR(result.rounds.front().edge, positive / drawn, 1e-6) << limit;
  }
}

TEST(Committee, IsTheSameModel_ForAnyThreadsAndMemory) {
  for (const bool bags : {false, true}) {
    SCOPED_TRACE(bags ? "bags" : "series");
    SyntheticSettings synthetic;
    synthetic.examples = 16;
    synthetic.length = 8;
    synthetic.features = 5;
    synthetic.seed = 9;
    const Dataset data = bags ? planted_bags(synthetic).data : small_series(9);
    TrainSettings settings = quick();
    const std::string expected = to_json(train(data, settings).model);
    settings.threads = 2;
    EXPECT_EQ(to_json(train(data, settings).model), expected) << "two threads";
    settings.memory = smallest_memory(data, settings);
    EXPECT_EQ(to_json(train(data, settings).model), expected) << "least memory";
  }
}

TEST(Training, CountsTheMemoryOfRefining_AndOfPartsOfTheBags) {
  const Dataset data = small_series(9);
  TrainSettings settings = quick();
  settings.members = 1;
  settings.boosting.refine = Refine::no;
  const std::int64_t without = smallest_memory(data, settings);
  EXPECT_GT(smallest_memory(data, settings, true), without)
      << "a problem of some bags has columns of its own";
  settings.boosting.refine = Refine::yes;
  for (const Weak weak : {Weak::sparse, Weak::ball}) {
    settings.boosting.weak = weak;
    const std::int64_t refining = refining_bytes(settings.boosting, data.size(), 100);
    EXPECT_GT(refining, 0);
    EXPECT_GE(smallest_memory(data, settings), without + refining);
  }
}

TEST(Committee, IsTheSameModel_WhereverItsMemoryLies) {
  // Vector code may treat the ends of an array apart, and where the ends lie depends on the address.
  const Dataset data = small_series(10);
  const std::string expected = to_json(train(data, quick()).model);
  std::vector<std::vector<char>> wedges;
  for (std::size_t size = 16; size <= 112; size += 16) {
    for (int copies = 0; copies < 50; ++copies)
      wedges.emplace_back(size + static_cast<std::size_t>(copies) * 128);
    EXPECT_EQ(to_json(train(data, quick()).model), expected);
  }
}

TEST(Committee, ReportsEveryMember) {
  const Dataset data = small_series(11);
  std::vector<int> rounds_seen(3, 0);
  Observer observer;
  observer.round = [&](const RoundRecord& record) { ++rounds_seen[static_cast<std::size_t>(record.member)]; };
  const TrainingResult result = train(data, quick(), observer);
  EXPECT_EQ(result.members, 3);
  for (int k = 0; k < 3; ++k) {
    EXPECT_GT(rounds_seen[static_cast<std::size_t>(k)], 0) << "member " << k;
    EXPECT_EQ(rounds_seen[static_cast<std::size_t>(k)],
              std::count_if(result.rounds.begin(), result.rounds.end(),
                            [&](const RoundRecord& record) { return record.member == k; }));
  }
}

TEST(Committee, EndsWithWhatIsKnown_WhenInterrupted) {
  Observer observer;
  observer.interrupted = [] { return true; };
  const TrainingResult result = train(small_series(13), quick(), observer);
  EXPECT_EQ(result.stop, Stop::interrupted);
  EXPECT_EQ(result.model.provenance.stopped, "interrupted");
}

}  // namespace
}  // namespace shapeboost
