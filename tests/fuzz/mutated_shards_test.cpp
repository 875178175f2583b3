// SPDX-License-Identifier: MIT
// What travels between the steps of a training whose examples lie in several places, changed at random but the same in
// every run: taken or refused.
#include "fuzz/mutated_json.hpp"
#include "fuzz/questions.hpp"
#include "shapeboost/shards.hpp"
#include "support/examples.hpp"
#include "support/heads.hpp"

namespace shapeboost::fuzz {
namespace {

constexpr std::string_view kBytes[] = {
    std::string_view("\0\0\0\0\0\0\0\0", 8),     "\xff\xff\xff\xff\xff\xff\xff\xff",
    std::string_view("\1\0\0\0\0\0\0\0", 8),     "\xff\xff\xff\xff\xff\xff\xff\x7f",
    std::string_view("\0\0\0\0\0\0\xf8\x7f", 8), std::string_view("\0\0\0\0\0\0\xf0\x7f", 8),
    std::string_view("\0\0\0\0\0\0\0\x80", 8),   "\xff\xff\xff\xff\xff\xff\xef\x7f"};

/// A training in steps that was looked at between them.
struct Steps {
  Dataset data = heads::three_classes().data;
  TrainSettings settings;
  ShardPlan plan;
  std::vector<std::string> found;

  Steps() {
    settings.members = 3;
    settings.patterns = 12;
    settings.threads = 1;
    plan.classes = data.classes();
    plan.examples = data.size();
    plan.length = data.max_length();
    plan.roots.assign(plan.classes.size(), 1.0);
    for (std::int64_t i = 0; i < data.size(); ++i) {
      plan.sample.push_back(i);
      plan.sample_weights.push_back(1.0);
    }
    for (std::int64_t k = 0, all = finders(data, plan, settings); k < all; ++k) {
      found.push_back(find(data, plan, settings, k));
    }
  }

  [[nodiscard]] Model draft() const { return weigh_sample(data, plan, settings, found).model; }
};

/// Asked everything, as a model file would be.
void ask(const Model& model, const Dataset& data) {
  if (accepted([&] { (void)model_from_json(to_json(model), "m.json"); })) {
    ask_everything(model, data.subset({0, 1}), accepted);
  }
}

TEST(MutatedShards, Rolls) {
  const Steps steps;
  const std::string good = Roll(steps.data).bytes();
  bound_memory();
  Rng rng(11);
  for (std::int64_t k = 0, all = rounds(3'000); k < all && !HasFailure(); ++k) {
    std::string bytes = good;
    mutate(bytes, kBytes, rng);
    SCOPED_TRACE(k);
    (void)accepted([&] {
      Roll roll = Roll::from_bytes(bytes);
      roll.append(Roll(steps.data));
      (void)plan_shards(roll, steps.settings);
    });
  }
}

TEST(MutatedShards, Plans) {
  const Steps steps;
  const Model draft = steps.draft();
  const Json good = Json::parse(steps.plan.text());
  bound_memory();
  Rng rng(12);
  std::int64_t read = 0;
  const std::int64_t all = rounds(200);
  for (std::int64_t k = 0; k < all && !HasFailure(); ++k) {
    Json json = good;
    mutate_json(json, rng);
    SCOPED_TRACE(concat(k, ": ", Json::diff(good, json).dump()));
    ShardPlan plan;
    if (!accepted([&] { plan = ShardPlan::from_text(json.dump()); })) continue;
    ++read;
    (void)accepted([&] { (void)finders(steps.data, plan, steps.settings); });
    (void)accepted([&] { (void)find(steps.data, plan, steps.settings, 1); });
    (void)accepted(
        [&] { ask(weigh_sample(steps.data, plan, steps.settings, steps.found).model, steps.data); });
    (void)accepted([&] {
      const ShardWeigher weigher(draft, plan);
      EvidenceSums sums = weigher.none();
      (void)weigher.add(steps.data, 0, {}, sums);
      ask(weigher.finish(sums, steps.data), steps.data);
    });
  }
  EXPECT_GT(read, all / 20) << "too few mutations leave a plan that can be read";
}

TEST(MutatedShards, WhatMembersFound) {
  const Steps steps;
  const Json good = Json::parse(steps.found[1]);
  const Json patterns = Json::parse(good["patterns"].get<std::string>());
  bound_memory();
  Rng rng(13);
  for (std::int64_t k = 0, all = rounds(500); k < all && !HasFailure(); ++k) {
    Json json = good;
    Json changed = patterns;
    if (rng.below(4) == 0) mutate_json(json, rng);
    mutate_json(changed, rng);
    if (json.is_object()) json["patterns"] = sealed(changed);
    SCOPED_TRACE(concat(k, ": ", Json::diff(patterns, changed).dump()));
    std::vector<std::string> found = steps.found;
    found[1] = json.dump();
    (void)accepted(
        [&] { ask(weigh_sample(steps.data, steps.plan, steps.settings, found).model, steps.data); });
  }
}

TEST(MutatedShards, Sums) {
  const Steps steps;
  const Model draft = steps.draft();
  const ShardWeigher weigher(draft, steps.plan);
  EvidenceSums sums = weigher.none();
  ASSERT_TRUE(weigher.add(steps.data, 0, {}, sums));
  const std::string good = sums.bytes();
  bound_memory();
  Rng rng(14);
  for (std::int64_t k = 0, all = rounds(300); k < all && !HasFailure(); ++k) {
    std::string bytes = good;
    const std::size_t size = bytes.size();
    mutate(bytes, kBytes, rng);
    if (rng.below(2) == 0) bytes.resize(size);  // else nearly all are refused for their size
    SCOPED_TRACE(k);
    (void)accepted([&] {
      EvidenceSums changed = EvidenceSums::from_bytes(bytes);
      changed.add(sums);
      ask(weigher.finish(changed, steps.data), steps.data);
    });
  }
}

}  // namespace
}  // namespace shapeboost::fuzz
