// SPDX-License-Identifier: MIT
// Training in steps, where the examples lie.
#include "shapeboost/shards.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "ground/rng.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"

namespace shapeboost {
namespace {

using examples::sentence;

/// Noise with a bump somewhere, as wide as the class says; of `steps` time steps or up to `spread` more.
Dataset bumps_of_classes(std::int64_t count, int classes, std::uint64_t seed, std::int64_t spread = 0) {
  constexpr std::int64_t kSteps = 20;
  Rng rng(seed);
  Dataset data(DataKind::series);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto c = static_cast<int>(rng.below(classes));
    const std::int64_t length = kSteps + (spread > 0 ? rng.below(spread) : 0);
    Matrix series(1, length);
    for (double& value : series.reshaped()) value = 0.4 * rng.normal();
    const std::int64_t width = 4 + 4 * c;
    series.row(0).segment(rng.below(length - width), width).array() += 2.0;
    add(data, series, std::to_string(10 - c), std::to_string(i));
  }
  return data;
}

TrainSettings three_members() {
  TrainSettings settings;
  settings.members = 3;
  settings.patterns = 20;
  settings.threads = 1;
  return settings;
}

/// The data cut at these places; labels are those of each part alone, as if read from a file of its own.
std::vector<Dataset> cut(const Dataset& data, const std::vector<std::int64_t>& ends) {
  std::vector<Dataset> shards;
  std::int64_t first = 0;
  for (const std::int64_t end : ends) {
    Dataset shard(data.kind());
    std::vector<double> weights;
    for (; first < end; ++first) {
      shard.add(data.values(first), data.classes()[at(data.label(first))], data.name(first));
      weights.push_back(data.weight(first));
    }
    // A shard in which nothing weighs anything tells its weights beside.
    if (std::ranges::any_of(weights, [](double weight) { return weight > 0.0; })) shard.set_weights(weights);
    shards.push_back(std::move(shard));
  }
  return shards;
}

/// By the steps, everything between them passed on as text or bytes, sums added up from the last shard to the first.
Model trained_in_steps(const Dataset& data, const std::vector<std::int64_t>& ends,
                       const TrainSettings& settings) {
  const std::vector<Dataset> shards = cut(data, ends);
  Roll roll;
  std::int64_t first = 0;
  for (const Dataset& shard : shards) {
    std::vector<double> weights;
    for (std::int64_t i = 0; i < shard.size(); ++i) weights.push_back(data.weight(first++));
    roll.append(Roll::from_bytes(Roll(shard, weights).bytes()));
  }
  EXPECT_EQ(roll.size(), data.size());
  EXPECT_EQ(roll.classes(), data.classes());
  const std::optional<Sharding> sharding = plan_shards(Roll::from_bytes(roll.bytes()), settings);
  if (!sharding) throw Error("not sharded");
  const ShardPlan plan = ShardPlan::from_text(sharding->plan.text());
  Dataset sample(DataKind::series);
  for (const std::int64_t i : plan.sample) {
    sample.add(data.values(i), data.classes()[at(data.label(i))], "");
  }
  sample.set_weights(plan.sample_weights);
  std::vector<std::string> found(at(finders(sample, plan, settings)));
  for (std::int64_t k = std::ssize(found) - 1; k >= 0; --k) found[at(k)] = find(sample, plan, settings, k);
  const Model draft = model_from_json(to_json(weigh_sample(sample, plan, settings, found).model), "draft");
  const ShardWeigher weigher(draft, plan);
  EvidenceSums sums = weigher.none();
  for (std::size_t s = shards.size(); s-- > 0;) {
    const std::int64_t begin = ends[s] - shards[s].size();
    std::span<const double> weights = sharding->weights;
    if (!weights.empty()) weights = weights.subspan(at(begin), at(shards[s].size()));
    EvidenceSums own = weigher.none();
    EXPECT_TRUE(weigher.add(shards[s], begin, weights, own));
    sums.add(EvidenceSums::from_bytes(own.bytes()));
  }
  return weigher.finish(sums, sample);
}

TEST(Shards, GiveTheModelOfOneDataSetHoweverItIsCut) {
  const Dataset data = bumps_of_classes(10300, 2, 1);
  const std::string expected = to_json(train(data, three_members()).model);
  EXPECT_EQ(to_json(trained_in_steps(data, {10300}, three_members())), expected);
  EXPECT_EQ(to_json(trained_in_steps(data, {0, 1, 2, 2, 5000, 10299, 10300}, three_members())), expected);
}

TEST(Shards, GiveTheModelOfOneDataSetOfSeveralClassesUnequalLengthsAndClassWeights) {
  const Dataset data = bumps_of_classes(10300, 3, 2, 5);
  TrainSettings settings = three_members();
  settings.class_weights = ClassWeights::parse("9=3");
  settings.evidence = {Evidence::best, Evidence::place};
  EXPECT_EQ(to_json(trained_in_steps(data, {1000, 10300}, settings)), to_json(train(data, settings).model));
}

TEST(Shards, GiveTheModelOfOneDataSetWithCopiesAndWeights) {
  Dataset data = bumps_of_classes(10600, 2, 3);
  std::vector<std::int64_t> order(at(data.size()));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = 0; i < 100; ++i) order[4000 + i] = static_cast<std::int64_t>(i);  // copies, far away
  data = data.subset(order);
  const std::string copies = to_json(train(data, three_members()).model);
  EXPECT_EQ(to_json(trained_in_steps(data, {3000, 4050, 10600}, three_members())), copies);

  Rng rng(4);
  std::vector<double> weights;
  for (std::int64_t i = 0; i < data.size(); ++i) weights.push_back(i < 50 ? 0.0 : 0.5 + rng.uniform());
  data.set_weights(weights);
  const std::string weighted = to_json(train(data, three_members()).model);
  EXPECT_NE(weighted, copies);
  EXPECT_EQ(to_json(trained_in_steps(data, {50, 4050, 10600}, three_members())), weighted);
}

TEST(Shards, AreNotWantedWhereAllIsTrainedOnTogether) {
  const Dataset data = bumps_of_classes(10001, 2, 5);
  const Roll roll(data);
  EXPECT_TRUE(plan_shards(roll, three_members()));
  TrainSettings single;
  single.members = 1;
  EXPECT_FALSE(plan_shards(roll, single));
  EXPECT_FALSE(plan_shards(Roll(cut(data, {10000, 10001})[0]), three_members()));
  std::vector<double> weights(10001, 1.0);
  weights[7] = 0.0;
  EXPECT_FALSE(plan_shards(Roll(data, weights), three_members())) << "one of them does not count";
}

TEST(Shards, AreRefusedWithASentence) {
  Dataset bags(DataKind::bags);
  const Roll few_series(bumps_of_classes(10, 2, 6));
  EXPECT_EQ(sentence([&] { const Roll roll(bags); }), "roll: expected series, found bags");
  Dataset unlabelled(DataKind::series);
  add(unlabelled, Matrix::Ones(1, 4), "", "s7");
  EXPECT_EQ(sentence([&] { const Roll roll(unlabelled); }), "training data: example s7 has no label");
  Dataset huge(DataKind::series);
  add(huge, Matrix::Constant(1, 4, 1e200), "a", "s8");
  EXPECT_NE(sentence([&] { const Roll roll(huge); }).find("example s8: expected numbers up to"),
            std::string::npos);
  Dataset two(DataKind::series);
  add(two, Matrix::Ones(2, 4), "a", "s9");
  Roll roll = few_series;
  EXPECT_EQ(sentence([&] { roll.append(Roll(two)); }),
            "training data: expected 1 channels as in the first series, found 2");
  EXPECT_EQ(sentence([&] {
              const Roll one(two, std::vector<double>{1.0, 2.0});
            }),
            "weights: expected one for each of 1 examples, found 2");

  const Dataset data = bumps_of_classes(10100, 2, 7);
  TrainSettings balanced = three_members();
  balanced.optimise = Optimise::balanced;
  EXPECT_EQ(
      sentence([&] { (void)plan_shards(Roll(data), balanced); }),
      "optimise: expected accuracy where examples lie in shards, found balanced; a threshold of its own "
      "takes trainings of parts of all examples");
  Dataset alone(DataKind::series);
  for (int i = 0; i < 10001; ++i) add(alone, Matrix::Constant(1, 2, i), "a", "");
  EXPECT_EQ(sentence([&] { (void)plan_shards(Roll(alone), three_members()); }),
            "training data: expected at least two classes, found only 'a'");
  const ShardPlan plan = plan_shards(Roll(data), three_members())->plan;
  EXPECT_EQ(sentence([&] { (void)finders(data, plan, three_members()); }),
            "sample: expected the plan's 2000 examples, found 10100");
  const Dataset sample = data.subset(plan.sample);
  TrainSettings little = three_members();
  little.memory = 1000;
  EXPECT_EQ(sentence([&] { (void)finders(sample, plan, little); }).find("memory: this data needs at least"),
            0U);
  EXPECT_EQ(sentence([&] { (void)find(sample, plan, three_members(), 3); }),
            "member: expected 0 to 2, found 3");
  EXPECT_EQ(sentence([&] { (void)weigh_sample(sample, plan, three_members(), {}); }),
            "found: expected what 3 members found, got 0");
}

TEST(Shards, SumsOfAnotherDraftAreRefused) {
  const Dataset data = bumps_of_classes(60, 2, 8);
  Model draft = train(data, three_members()).model;
  const ShardPlan plan{
      .classes = data.classes(), .sample = {0}, .sample_weights = {1.0}, .roots = {1.0, 1.0}};
  EvidenceSums sums = ShardWeigher(draft, plan).none();
  draft.parts[0].weights.pop_back();
  const EvidenceSums fewer = ShardWeigher(draft, plan).none();
  EXPECT_EQ(sentence([&] { sums.add(fewer); }).find("normal equations: other sums: expected"), 0U);
  TrainSettings single;
  single.members = 1;
  single.threads = 1;
  const Model headless = train(data, single).model;
  EXPECT_EQ(sentence([&] { const ShardWeigher weigher(headless, plan); }),
            "draft: expected a model with a ridge head, of the plan's classes and with patterns");
}

TEST(Shards, WhatComesBackFromBytesIsLookedAt) {
  const Dataset data = bumps_of_classes(30, 2, 9);
  const Model draft = train(data, three_members()).model;
  const ShardPlan plan{
      .classes = data.classes(), .sample = {0}, .sample_weights = {1.0}, .roots = {1.0, 1.0}};
  const ShardWeigher weigher(draft, plan);
  EvidenceSums sums = weigher.none();
  EXPECT_TRUE(weigher.add(data, 0, {}, sums));
  const std::string of_sums = sums.bytes();
  const std::string of_roll = Roll(data).bytes();
  EXPECT_EQ(EvidenceSums::from_bytes(of_sums).bytes(), of_sums);
  EXPECT_EQ(Roll::from_bytes(of_roll).bytes(), of_roll);
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{18}, std::size_t{40}}) {
    EXPECT_EQ(sentence([&] { (void)EvidenceSums::from_bytes(of_sums.substr(0, size)); }),
              "sums: these bytes are none, or not of this version");
    EXPECT_EQ(sentence([&] { (void)Roll::from_bytes(of_roll.substr(0, size)); }),
              "roll: these bytes are none, or not of this version");
  }
  EXPECT_EQ(sentence([&] { (void)Roll::from_bytes(of_roll + "x"); }),
            "roll: these bytes are none, or not of this version");
  std::string negative = of_sums;
  negative[25] = '\xFF';  // of the number of columns, its highest byte
  EXPECT_EQ(sentence([&] { (void)EvidenceSums::from_bytes(negative); }),
            "sums: these bytes are none, or not of this version");
  EXPECT_EQ(sentence([] { (void)ShardPlan::from_text("{}"); }),
            "plan: this text is none, or not of this version");
}

}  // namespace
}  // namespace shapeboost
