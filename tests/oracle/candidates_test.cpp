// SPDX-License-Identifier: MIT
// Which candidates an oracle has, and what it prices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "ground/rng.hpp"
#include "model/respond.hpp"
#include "oracle/local_oracle.hpp"
#include "oracle/table.hpp"
#include "shapeboost/synthetic.hpp"
#include "solve/kmeans.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "support/naive.hpp"
#include "support/oracle_world.hpp"
#include "support/tolerances.hpp"

namespace shapeboost {
namespace {

using examples::best_single_edge;
using examples::kRoomy;
using examples::labels_of;
using examples::random_terms;
using examples::World;
using tolerance::kCancellation;
using tolerance::kSinglePrecision;

TEST(Candidates, ParseIsTheInverseOfText_WhenWellFormed) {
  for (const char* text : {"all", "sample:1", "sample:2000", "kmeans:100"}) {
    EXPECT_EQ(Candidates::parse(text).text(), text);
  }
}

TEST(Candidates, ParseThrows_WhenMalformed) {
  for (const char* text :
       {"", "ALL", "sample", "sample:", "sample:0", "sample:-3", "kmeans:2.5", "kmeans:3x"}) {
    EXPECT_THROW((void)Candidates::parse(text), InvalidInput) << text;
  }
}

TEST(Oracle, PricesTheSampleOnly_WhenCandidatesAreSampled) {
  const std::vector<examples::Case> cases = examples::cases(45);
  TableSettings settings;
  settings.candidates = Candidates::parse("sample:20");
  World world(cases[0], settings);
  EXPECT_EQ(world.oracle.pool_size(), 20);
  EXPECT_FALSE(world.oracle.partial()) << "the user asked for a sample: there is nothing beyond it";
  Rng rng(46);
  std::set<Handle> seen;
  for (int repeat = 0; repeat < 400; ++repeat) {
    const std::vector<Term> p = random_terms(world.all.rows(), 2, rng);
    const Priced priced = world.oracle.price(p);
    seen.insert(priced.z);
    EXPECT_EQ(world.oracle.price_all(p).z, priced.z);
    const Vector expected = world.prices(world.all, p);
    EXPECT_NEAR(priced.score, expected[priced.z], kCancellation);
  }
  EXPECT_LE(seen.size(), 20U);
  EXPECT_GE(seen.size(), 10U) << "narrow weights should reach most of the sample";
  settings.seed = 2;
  World other(cases[0], settings);
  std::set<Handle> others;
  for (int repeat = 0; repeat < 400; ++repeat) {
    others.insert(other.oracle.price(random_terms(other.all.rows(), 2, rng)).z);
  }
  EXPECT_NE(seen, others) << "another seed, another sample";
}

TEST(Oracle, HoldsAll_WhenTheSampleIsLarger) {
  const std::vector<examples::Case> cases = examples::cases(47);
  TableSettings settings;
  settings.candidates = Candidates::parse("sample:1000000");
  World world(cases[0], settings);
  EXPECT_EQ(world.oracle.pool_size(), world.all.rows());
}

TEST(Oracle, PricesClusterCentres_WhenCandidatesAreKMeans) {
  for (const examples::Case& example : examples::cases(48)) {
    SCOPED_TRACE(example.name);
    TableSettings settings;
    settings.candidates = Candidates::parse("kmeans:4");
    World world(example, settings);
    ASSERT_EQ(world.oracle.pool_size(), 8) << "four for each class";
    const Handle n = world.all.rows();
    Matrix centres(8, example.view.numbers());
    for (Handle k = 0; k < 8; ++k) {
      const Instance centre = world.oracle.instance(n + k);
      EXPECT_EQ(centre.example, -1);
      EXPECT_EQ(centre.position, -1);
      centres.row(k) = naive::prepared(example.view, centre.values).transpose();
    }
    Rng rng(49);
    for (int repeat = 0; repeat < 5; ++repeat) {
      const std::vector<Term> p = random_terms(n, 4, rng);
      const Vector expected = world.prices(centres, p);
      const Priced priced = world.oracle.price(p);
      const double near = kCancellation * std::max(1.0, expected.cwiseAbs().maxCoeff());
      ASSERT_GE(priced.z, n);
      EXPECT_NEAR(std::abs(priced.score), expected.cwiseAbs().maxCoeff(), near);
      EXPECT_NEAR(priced.score, expected[priced.z - n], near);
      // A shapelet on centres.
      const std::vector<Term> shapelet{{n + 1, 0.5}, {n + 6, -0.7}};
      Matrix z(2, centres.cols());
      z << centres.row(1), centres.row(6);
      const Response expected_response = naive::respond(world.kernel, world.bags, z, Vector({{0.5, -0.7}}));
      const Response response = world.oracle.respond(shapelet);
      EXPECT_EQ(response.argmax, expected_response.argmax);
      for (std::size_t i = 0; i < response.value.size(); ++i) {
        EXPECT_NEAR(response.value[i], expected_response.value[i],
                    kCancellation * std::max(1.0, std::abs(expected_response.value[i])));
      }
    }
    const Vector dy = examples::random_dy(world.oracle.bags(), 50);
    const double scale = naive::gram(world.kernel, centres, world.all).cwiseAbs().maxCoeff();
    for (const Single& single : world.oracle.best_singles(dy, 2, 1)) {
      EXPECT_NEAR(single.edge, best_single_edge(world, centres, dy, single, false),
                  kSinglePrecision * std::max(1.0, scale));
    }
  }
}

TEST(Oracle, KMeansCentresAreTheClassesOwn_WhenRaw) {
  // Two classes far apart: a centre of each class lies among its own instances.
  Dataset data(DataKind::bags);
  Rng rng(51);
  for (int i = 0; i < 6; ++i) {
    Matrix bag(5, 2);
    for (double& v : bag.reshaped()) v = (i % 2 == 0 ? 100.0 : -100.0) + rng.normal();
    add(data, bag, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  TableSettings settings;
  settings.candidates = Candidates::parse("kmeans:3");
  World world({"two", data, examples::plain_view(data, 2)}, settings);
  ASSERT_EQ(world.oracle.pool_size(), 6);
  for (Handle k = 0; k < 6; ++k) {
    const double expected = k < 3 ? 100.0 : -100.0;
    for (const double v : world.oracle.instance(world.all.rows() + k).values) EXPECT_NEAR(v, expected, 5.0);
  }
}

/// More instances than a pool may hold: many bags make the table's limit small.
struct Crowd {
  Crowd() : data(DataKind::bags) {
    Rng rng(52);
    for (int i = 0; i < 4500; ++i) {
      Matrix bag(2, 2);
      for (double& v : bag.reshaped()) v = rng.normal();
      add(data, bag, i % 2 == 0 ? "a" : "b", std::to_string(i));
    }
  }
  Dataset data;
};

TEST(Oracle, PriceAllFindsTheTrueBest_WhenThePoolIsAPartOfAll) {
  const Crowd crowd;
  World world({"crowd", crowd.data, examples::plain_view(crowd.data, 2)});
  ASSERT_TRUE(world.oracle.partial());
  const std::int64_t before = world.oracle.pool_size();
  ASSERT_LT(before, world.all.rows());
  Rng rng(53);
  std::set<Handle> winners;
  bool better = false;
  for (int repeat = 0; repeat < 8; ++repeat) {
    const std::vector<Term> p = random_terms(world.all.rows(), 3, rng);
    const Vector expected = world.prices(world.all, p);
    const Priced pool = world.oracle.price(p);
    const Priced all = world.oracle.price_all(p);
    EXPECT_NEAR(std::abs(all.score), expected.cwiseAbs().maxCoeff(), kCancellation);
    EXPECT_LE(std::abs(pool.score), std::abs(all.score) + kCancellation);
    better = better || std::abs(all.score) > std::abs(pool.score) + 1e-6;
    EXPECT_NEAR(std::abs(world.oracle.price(p).score), std::abs(all.score), kCancellation)
        << "the winner is in the pool now";
    winners.insert(all.z);
  }
  EXPECT_TRUE(better) << "the case is too easy: the pool already held every winner";
  EXPECT_GT(world.oracle.pool_size(), before);
  EXPECT_LE(world.oracle.pool_size(), before + static_cast<std::int64_t>(winners.size()));
}

TEST(Oracle, PriceAllTakesNothingIn_WhenNoCandidateWins) {
  Dataset data(DataKind::series);
  Rng rng(54);
  for (int i = 0; i < 4500; ++i) {
    Matrix series(1, i == 0 ? 1 : 3);  // the first has no window, and among equal scores the first wins
    for (double& v : series.reshaped()) v = rng.normal();
    add(data, series, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  ThreadPool threads(1);
  const View view = examples::window_view(2, Normalisation::raw, kernels::Gaussian{1.0});
  LocalOracle oracle(std::make_shared<const Table>(data, view, labels_of(data), TableSettings{}, threads), {},
                     kRoomy, threads);
  ASSERT_TRUE(oracle.partial());
  const std::int64_t before = oracle.pool_size();
  const Term nothing{3, 0.0};
  EXPECT_EQ(oracle.price_all({&nothing, 1}).score, 0.0);
  EXPECT_EQ(oracle.pool_size(), before);
}

TEST(Oracle, TableGrowsWithThePool_WhenPriceAllTakesAWinnerIn) {
  const Crowd crowd;
  World world({"crowd", crowd.data, examples::plain_view(crowd.data, 2)});
  Rng rng(54);
  const std::vector<Term> p = random_terms(world.all.rows(), 1, rng);
  const std::int64_t before = world.oracle.pool_size();
  Handle winner = -1;
  for (int repeat = 0; repeat < 50 && world.oracle.pool_size() == before; ++repeat) {
    winner = world.oracle.price_all(random_terms(world.all.rows(), 1, rng)).z;
  }
  ASSERT_EQ(world.oracle.pool_size(), before + 1);
  // All weight on the winner's own bag: only its instances reach similarity 1 there.
  Vector dy = Vector::Zero(world.oracle.bags());
  dy[world.oracle.all_instances()->instances().bag_of(winner)] = 1.0;
  const Response own = world.oracle.respond(std::vector<Term>{{winner, 1.0}});
  for (const Single& single : world.oracle.best_singles(dy, 1, 1)) {
    if (single.alpha < 0.0) continue;
    EXPECT_GE(single.edge, naive::edge(own, dy, 1) - kSinglePrecision);
  }
}

}  // namespace
}  // namespace shapeboost
