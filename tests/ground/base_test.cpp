// SPDX-License-Identifier: MIT
#include "shapeboost/base.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "ground/rng.hpp"
#include "ground/text.hpp"
#include "solve/status.hpp"

namespace shapeboost {
namespace {

TEST(Rng, Next_GivesTheFrozenValues_WhenSeeded) {
  // xoshiro256** after splitmix64, computed by a separate implementation in Python.
  Rng zero(0);
  EXPECT_EQ(zero.next(), 0x99ec5f36cb75f2b4U);
  EXPECT_EQ(zero.next(), 0xbf6e1f784956452aU);
  EXPECT_EQ(zero.next(), 0x1a5f849d4933e6e0U);
  EXPECT_EQ(zero.next(), 0x6aa594f1262d2d2cU);
  Rng other(42);
  EXPECT_EQ(other.next(), 0x15780b2e0c2ec716U);
  EXPECT_EQ(other.next(), 0x6104d9866d113a7eU);
}

TEST(Rng, UniformAndNormal_GiveTheFrozenValues_WhenSeeded) {
  Rng rng(7);
  EXPECT_EQ(rng.uniform(), 0.7005764821796896);
  EXPECT_EQ(rng.uniform(), 0.2787512294737843);
  EXPECT_EQ(rng.uniform(), 0.8396274618764198);
  EXPECT_NEAR(rng.normal(), 2.8126144793753416, 1e-14);  // log and cos may differ in the last bit
  EXPECT_NEAR(rng.normal(), 1.8845062896955629, 1e-14);
  EXPECT_NEAR(rng.normal(), -0.3863078261167255, 1e-14);
}

TEST(Rng, Shuffle_GivesEveryOrderAlikeOften) {
  Rng rng(5);
  std::map<std::string, int> seen;
  for (int draw = 0; draw < 6000; ++draw) {
    std::string word = "abc";
    rng.shuffle(word);
    ++seen[word];
  }
  EXPECT_EQ(seen.size(), 6U);
  for (const auto& [word, count] : seen) EXPECT_NEAR(count, 1000, 150) << word;  // five standard errors
  std::string one = "a";
  rng.shuffle(one);
  EXPECT_EQ(one, "a");
}

TEST(Concat, JoinsWordsSignsAndWholeNumbers) {
  EXPECT_EQ(concat("line ", std::int64_t{-3}, ", ", std::string("column"), ' ', std::size_t{7}),
            "line -3, column 7");
  EXPECT_EQ(concat(std::string_view("a\0b", 3)).size(), 3U);
}

TEST(Rng, StreamsAreOneSeedsAlone) {
  std::set<std::uint64_t> all;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_EQ(stream_seed(1000 * seed, 0), 1000 * seed);
    for (std::uint64_t k = 0; k < 300; ++k) EXPECT_TRUE(all.insert(stream_seed(1000 * seed, k)).second);
  }
}

TEST(Rng, Next_RepeatsItself_WhenSeedIsTheSame) {
  Rng a(123);
  Rng b(123);
  Rng c(124);
  int same_as_other_seed = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t value = a.next();
    ASSERT_EQ(value, b.next());
    same_as_other_seed += value == c.next() ? 1 : 0;
  }
  EXPECT_EQ(same_as_other_seed, 0);
}

TEST(Rng, Copy_ContinuesAlike_WhenTakenMidway) {
  Rng a(5);
  for (int i = 0; i < 10; ++i) (void)a.normal();
  Rng b = a;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(a.normal(), b.normal());
}

// Sample moments of n draws lie within five standard errors of the true ones.
constexpr int kDraws = 200000;

TEST(Rng, Uniform_HasItsMoments_WhenDrawnOften) {
  Rng rng(1);
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
  }
  const double error = 5.0 / std::sqrt(kDraws);
  EXPECT_NEAR(sum / kDraws, 0.5, error * std::sqrt(1.0 / 12.0));
  EXPECT_NEAR(squares / kDraws, 1.0 / 3.0, error * std::sqrt(4.0 / 45.0));
}

TEST(Rng, Normal_HasItsMoments_WhenDrawnOften) {
  Rng rng(2);
  std::array<double, 5> moment{};
  for (int i = 0; i < kDraws; ++i) {
    const double z = rng.normal();
    ASSERT_TRUE(std::isfinite(z));
    for (std::size_t k = 1; k < moment.size(); ++k) moment[k] += std::pow(z, static_cast<double>(k)) / kDraws;
  }
  const double error = 5.0 / std::sqrt(kDraws);
  EXPECT_NEAR(moment[1], 0.0, error);
  EXPECT_NEAR(moment[2], 1.0, error * std::sqrt(2.0));
  EXPECT_NEAR(moment[3], 0.0, error * std::sqrt(15.0));
  EXPECT_NEAR(moment[4], 3.0, error * std::sqrt(96.0));
}

TEST(Rng, Below_CoversItsRangeEvenly_WhenDrawnOften) {
  Rng rng(3);
  std::array<int, 7> count{};
  for (int i = 0; i < kDraws; ++i) {
    const std::int64_t value = rng.below(7);
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 7);
    ++count[static_cast<std::size_t>(value)];
  }
  const double expected = kDraws / 7.0;
  for (const int c : count) EXPECT_NEAR(c, expected, 5.0 * std::sqrt(expected));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(rng.below(1), 0);
  const std::int64_t large = (std::int64_t{1} << 52) + 1;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t value = rng.below(large);
    ASSERT_GE(value, 0);
    ASSERT_LT(value, large);
  }
}

TEST(Status, ToString_NamesEachDifferently_WhenAsked) {
  std::set<std::string_view> names;
  for (const Status status :
       {Status::solved, Status::iteration_limit, Status::infeasible, Status::unbounded, Status::failed}) {
    names.insert(to_string(status));
  }
  EXPECT_EQ(names.size(), 5U);
  EXPECT_EQ(to_string(Status::solved), "solved");
  EXPECT_FALSE(names.contains("unknown"));
}

TEST(InvalidInput, IsAnError_WhenCaught) {
  EXPECT_THROW(throw InvalidInput("nu: expected a number in (0, 1], got 2"), Error);
}

}  // namespace
}  // namespace shapeboost
