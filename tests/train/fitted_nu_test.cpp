// SPDX-License-Identifier: MIT
#include "train/fitted_nu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "ground/rng.hpp"
#include "oracle/local_oracle.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "train/plan.hpp"

namespace shapeboost {
namespace {

using detail::FittedNu;
using detail::Problem;

/// Planted bags, of which a share of the labels is turned round.
Dataset noisy_bags(std::int64_t examples, double turned, std::uint64_t seed = 3) {
  SyntheticSettings synthetic;
  synthetic.examples = examples;
  synthetic.length = 4;
  synthetic.features = 5;
  synthetic.seed = seed;
  const Dataset clean = planted_bags(synthetic).data;
  Rng rng(seed);
  Dataset data(DataKind::bags);
  for (std::int64_t i = 0; i < clean.size(); ++i) {
    const bool active =
        (clean.classes()[static_cast<std::size_t>(clean.label(i))] == "active") != (rng.uniform() < turned);
    data.add(clean.values(i), active ? "active" : "inactive", std::to_string(i));
  }
  return data;
}

TrainSettings quick_single() {
  TrainSettings settings = examples::single();
  settings.candidates = Candidates::parse("sample:150");
  settings.boosting.refine = Refine::no;
  return settings;
}

struct OneView {
  OneView(const Dataset& data, ThreadPool& threads) : problem(detail::problem_of(data, Part{}, {})) {
    TableSettings settings;
    settings.candidates = Candidates::parse("sample:120");
    const View view = examples::plain_view(data, data.width());
    tables.push_back(std::make_shared<const Table>(data, view, examples::labels_of(data), settings, threads));
  }

  std::vector<std::shared_ptr<const Table>> tables;
  Problem problem;
};

/// Each third by a model of the others, asked as any bag is asked: through an oracle, not from the table.
double naive_share(const OneView& one, std::uint64_t seed, ThreadPool& threads) {
  const Vector& y = one.problem.sides.y;
  const std::vector<int> third = detail::thirds(y, seed);
  double wrong = 0.0;
  for (int k = 0; k < 3; ++k) {
    Problem part;
    std::vector<double> labels;
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      if (third[static_cast<std::size_t>(i)] == k) continue;
      part.bags.push_back(i);
      labels.push_back(y[i]);
    }
    part.sides.y = Eigen::Map<const Vector>(labels.data(), std::ssize(labels));
    BoosterSettings boosting;
    boosting.refine = Refine::no;
    boosting.gap = 0.05;
    boosting.max_rounds = 20;
    Oracles oracles;
    oracles.push_back(std::make_unique<LocalOracle>(one.tables.front(), part.bags, 1 << 24, threads));
    const Learned learned = boost(oracles, part.sides, boosting, threads);
    LocalOracle all(one.tables.front(), {}, 1 << 24, threads);
    Vector g = Vector::Constant(y.size(), learned.b);
    for (const LearnedHypothesis& found : learned.hypotheses) {
      const Response response = all.respond(found.terms);
      g += found.w * found.sign * mapped(response);
    }
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      if (third[static_cast<std::size_t>(i)] == k && g[i] * y[i] <= 0.0) wrong += 1.0;
    }
  }
  return wrong / static_cast<double>(y.size());
}

TEST(FittedNu, IsTwiceTheShareWithLittleTakenOff) {
  EXPECT_DOUBLE_EQ(detail::nu_for(0.1), 0.18);
  EXPECT_DOUBLE_EQ(detail::nu_for(0.2), 0.32);
  EXPECT_DOUBLE_EQ(detail::nu_for(0.0), 0.02) << "some room, however clean";
  EXPECT_DOUBLE_EQ(detail::nu_for(0.5), 0.5);
  EXPECT_DOUBLE_EQ(detail::nu_for(0.9), 0.5) << "worse than chance is chance";
}

TEST(FittedNu, DividesEachClassEvenly) {
  Vector y = Vector::Ones(100);
  y.head(31).setConstant(-1.0);
  const std::vector<int> third = detail::thirds(y, 7);
  for (const double side : {-1.0, 1.0}) {
    std::vector<int> count(3, 0);
    for (Eigen::Index i = 0; i < 100; ++i) {
      if (y[i] == side) ++count[static_cast<std::size_t>(third[static_cast<std::size_t>(i)])];
    }
    EXPECT_LE(std::ranges::max(count) - std::ranges::min(count), 1);
  }
  EXPECT_NE(third, detail::thirds(y, 8));
}

TEST(FittedNu, CountsWhatTheNaiveTwinCounts) {
  ThreadPool threads(1);
  for (const double turned : {0.0, 0.15}) {
    const Dataset data = noisy_bags(510, turned);
    const OneView one(data, threads);
    const FittedNu fitted = detail::fitted_nu(one.tables, one.problem, BoosterSettings{}, 11, threads, {});
    // Tables hold floats: a bag whose score is all but 0 may be told otherwise.
    EXPECT_NEAR(fitted.wrong, naive_share(one, 11, threads), 2.0 / 510.0);
    EXPECT_EQ(fitted.nu, detail::nu_for(fitted.wrong));
  }
}

TEST(FittedNu, CountsByWeight) {
  ThreadPool threads(1);
  const Dataset data = noisy_bags(500, 0.2);
  OneView one(data, threads);
  const double plain = detail::fitted_nu(one.tables, one.problem, BoosterSettings{}, 1, threads, {}).wrong;
  Vector& v = one.problem.sides.v;
  v = Vector::Constant(one.problem.sides.y.size(), 4.0);
  const FittedNu same = detail::fitted_nu(one.tables, one.problem, BoosterSettings{}, 1, threads, {});
  EXPECT_NEAR(same.wrong, plain, 1e-12);
  // Where one class weighs next to nothing, answering with the other is hardly wrong.
  v = (one.problem.sides.y.array() > 0.0).select(Vector::Ones(v.size()), Vector::Constant(v.size(), 1e-3));
  BoosterSettings without_offset;
  without_offset.offset = false;
  EXPECT_LT(detail::fitted_nu(one.tables, one.problem, without_offset, 1, threads, {}).wrong, 0.5 * plain);
}

TEST(Train, ChoosesNuByWhatIsLeftOut_WhereNoneIsGivenAndBagsAreMany) {
  double before = 0.0;
  for (const double turned : {0.0, 0.1, 0.2}) {
    SCOPED_TRACE(turned);
    const TrainingResult result = train(noisy_bags(600, turned), quick_single());
    const double nu = result.model.parts.front().nu;
    EXPECT_GT(nu, before) << "more labels are wrong, more may fall short";
    EXPECT_GE(nu, 2.0 * turned * (1.0 - turned) - 0.06);
    before = nu;
    const bool said = std::ranges::any_of(result.notes, [](const std::string& note) {
      return note.find("of the examples wrong that they had not seen") != std::string::npos;
    });
    EXPECT_TRUE(said);
  }
}

TEST(Train, ObeysNu_WhereItIsGiven) {
  TrainSettings settings = quick_single();
  settings.boosting.nu = 0.15;
  const TrainingResult result = train(noisy_bags(600, 0.2), settings);
  EXPECT_EQ(result.model.parts.front().nu, 0.15);
  EXPECT_TRUE(result.notes.empty());
}

TEST(Train, KeepsTheUsualNu_WhereBagsAreFewOrAClassIs) {
  EXPECT_EQ(train(noisy_bags(499, 0.2), quick_single()).model.parts.front().nu, kNu);
  Dataset lopsided(DataKind::bags);
  Rng rng(1);
  for (int i = 0; i < 520; ++i) {
    add(lopsided, Matrix::NullaryExpr(2, 3, [&] { return rng.normal(); }), i < 9 ? "few" : "many",
        std::to_string(i));
  }
  const TrainingResult result = train(lopsided, quick_single());
  EXPECT_LT(result.model.parts.front().nu, kNu) << "by the classes' sizes";
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes.front().find("the smaller class has too few bags"), std::string::npos);
}

TEST(Train, GivesTheSameFile_WhateverTheThreadsAndTheMemory_WhereNuIsItsOwn) {
  const Dataset data = noisy_bags(600, 0.1);
  TrainSettings settings = quick_single();
  settings.boosting.refine = Refine::yes;
  settings.boosting.max_rounds = 40;
  const std::string expected = to_json(train(data, settings).model);
  settings.threads = 2;
  EXPECT_EQ(to_json(train(data, settings).model), expected);
  settings.memory = smallest_memory(data, settings);
  EXPECT_EQ(to_json(train(data, settings).model), expected);
}

}  // namespace
}  // namespace shapeboost
