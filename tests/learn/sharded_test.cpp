// SPDX-License-Identifier: MIT
// Boosting sees an oracle's answers and nothing behind them: over bags that lie in several places it finds the model
// that it finds over the same bags in one.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ground/numbers.hpp"
#include "learn/booster.hpp"
#include "oracle/local_oracle.hpp"
#include "support/examples.hpp"
#include "support/sharded_oracle.hpp"

namespace shapeboost {
namespace {

/// The same sums in another order.
constexpr double kSame = 1e-12;

/// A LocalOracle over all bags. Candidates that came from elsewhere have handles of their own beside the instances
/// that they equal, which OP 1's mixtures would tell apart: there one shard, the same LocalOracle asked with the
/// instances' handles, stands for one place.
std::unique_ptr<Oracle> one_place(const examples::Case& example, Weak weak, ThreadPool& threads) {
  const bool unit_norm = weak == Weak::ball;
  if (weak == Weak::ball) {
    return std::make_unique<examples::ShardedOracle>(example.data, example.view, unit_norm, 1, threads);
  }
  const auto table = std::make_shared<const Table>(
      example.data, example.view, examples::all_instances_of(example.data, example.view), unit_norm, threads);
  return std::make_unique<LocalOracle>(table, std::vector<std::int64_t>{}, std::int64_t{1} << 28, threads);
}

Sides sides_of(const Dataset& data) {
  Sides sides;
  sides.y.resize(data.size());
  for (std::int64_t i = 0; i < data.size(); ++i) sides.y[i] = data.label(i) == 1 ? 1.0 : -1.0;
  return sides;
}

/// A shapelet's terms by the number of the instance among all n, in order. In one place an instance has two
/// handles: its number, and n more as the candidate that came from elsewhere.
std::map<Handle, double> told(const std::vector<Term>& terms, std::int64_t n) {
  std::map<Handle, double> result;
  for (const Term& term : terms) result[term.z % n] += term.alpha;
  return result;
}

class ShardedBoosting : public ::testing::TestWithParam<Weak> {};

TEST_P(ShardedBoosting, FindsTheModelOfOnePlace_HoweverManyShards) {
  ThreadPool threads(1);
  BoosterSettings settings;
  settings.weak = GetParam();
  settings.max_rounds = 60;
  int refined = 0;
  for (const examples::Case& example : examples::cases(71)) {
    if (!example.view.kernel.positive_semidefinite()) continue;  // OP 1 needs one
    SCOPED_TRACE(example.name);
    const std::int64_t n = std::ssize(examples::all_instances_of(example.data, example.view));
    const bool unit_norm = settings.weak == Weak::ball;
    const Sides sides = sides_of(example.data);
    std::vector<std::unique_ptr<Oracle>> one;
    one.push_back(one_place(example, settings.weak, threads));
    const Learned expected = boost(one, sides, settings, threads);
    for (const RoundRecord& round : expected.rounds) refined += round.refined ? 1 : 0;
    for (const int shards : {2, 3, 5}) {
      SCOPED_TRACE(shards);
      std::vector<std::unique_ptr<Oracle>> many;
      many.push_back(
          std::make_unique<examples::ShardedOracle>(example.data, example.view, unit_norm, shards, threads));
      const Learned found = boost(many, sides, settings, threads);
      EXPECT_EQ(found.stop, expected.stop);
      EXPECT_EQ(found.rounds.size(), expected.rounds.size());
      EXPECT_NEAR(found.rho, expected.rho, kSame);
      EXPECT_NEAR(found.gamma, expected.gamma, kSame);
      EXPECT_NEAR(found.b, expected.b, kSame);
      EXPECT_LE((found.g - expected.g).cwiseAbs().maxCoeff(), kSame);
      ASSERT_EQ(found.hypotheses.size(), expected.hypotheses.size());
      for (std::size_t j = 0; j < found.hypotheses.size(); ++j) {
        EXPECT_EQ(found.hypotheses[j].sign, expected.hypotheses[j].sign);
        EXPECT_NEAR(found.hypotheses[j].w, expected.hypotheses[j].w, kSame);
        const auto ours = told(found.hypotheses[j].terms, n);
        for (const auto& [x, alpha] : told(expected.hypotheses[j].terms, n)) {
          EXPECT_NEAR(ours.contains(x) ? ours.at(x) : 0.0, alpha, kSame) << "instance " << x;
        }
      }
    }
  }
  EXPECT_GT(refined, 0) << "the DC algorithm must have run";
}

INSTANTIATE_TEST_SUITE_P(BothProblems, ShardedBoosting, ::testing::Values(Weak::sparse, Weak::ball),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

}  // namespace
}  // namespace shapeboost
