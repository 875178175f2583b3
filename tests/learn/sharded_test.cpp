// SPDX-License-Identifier: MIT
// Boosting sees an oracle's answers and nothing behind them: over bags that lie in several places it finds the model
// that it finds over the same bags in one.
#include <gtest/gtest.h>

#include <memory>
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

/// One process, all bags, but nothing beyond the trait's questions: as the shards, it does not show all instances.
class Plain final : public LocalOracle {
 public:
  using LocalOracle::LocalOracle;
  [[nodiscard]] AllInstances* all_instances() override { return nullptr; }
};

std::unique_ptr<Oracle> plain_oracle(const examples::Case& example, bool unit_norm, ThreadPool& threads) {
  const auto table = std::make_shared<const Table>(
      example.data, example.view, examples::all_instances_of(example.data, example.view), unit_norm, threads);
  return std::make_unique<Plain>(table, std::vector<std::int64_t>{}, std::int64_t{1} << 28, threads);
}

Sides sides_of(const Dataset& data) {
  Sides sides;
  sides.y.resize(data.size());
  for (std::int64_t i = 0; i < data.size(); ++i) sides.y[i] = data.label(i) == 1 ? 1.0 : -1.0;
  return sides;
}

/// A shapelet's instances by value with their coefficients, in the order of (bag, position).
std::vector<std::pair<std::vector<double>, double>> told(const Oracle& oracle,
                                                         const std::vector<Term>& terms) {
  std::vector<std::pair<std::vector<double>, double>> result;
  for (const Term& term : terms) result.emplace_back(oracle.instance(term.z).values, term.alpha);
  std::sort(result.begin(), result.end());
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
    const bool unit_norm = settings.weak == Weak::ball;
    const Sides sides = sides_of(example.data);
    std::vector<std::unique_ptr<Oracle>> one;
    one.push_back(plain_oracle(example, unit_norm, threads));
    const Learned expected = boost(one, sides, settings, threads);
    for (const RoundRecord& round : expected.rounds) refined += round.refined ? 1 : 0;
    for (const int shards : {1, 3}) {
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
        const auto ours = told(*many.front(), found.hypotheses[j].terms);
        const auto theirs = told(*one.front(), expected.hypotheses[j].terms);
        ASSERT_EQ(ours.size(), theirs.size());
        for (std::size_t t = 0; t < ours.size(); ++t) {
          EXPECT_EQ(ours[t].first, theirs[t].first);
          EXPECT_NEAR(ours[t].second, theirs[t].second, kSame);
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
