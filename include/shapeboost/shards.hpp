// SPDX-License-Identifier: MIT
// Training where the examples lie. More series than some thousand are trained on in steps (docs/evidence.md): patterns are
// found on a sample, and one pass over all adds up what weighs them. Here are the steps one by one, so that each may run
// wherever the caller likes, on other machines or file after file. A shard is the examples at one place, in their order;
// numbers are those of examples counted through all shards, from 0.
//
//     Roll roll;
//     for (shard) roll.append(Roll(shard));                          // some 50 bytes an example
//     std::optional<Sharding> sharding = plan_shards(roll, settings);
//     if (!sharding) ...                                             // few, or no head: train() wants them together
//     const ShardPlan& plan = sharding->plan;
//     Dataset sample = ...;                                          // gathered: the examples plan.sample, in this order
//     sample.set_weights(plan.sample_weights);
//     for (k < finders(sample, plan, settings)) found[k] = find(sample, plan, settings, k);            // anywhere
//     Model draft = weigh_sample(sample, plan, settings, found).model;
//     const ShardWeigher weigher(draft, plan);
//     EvidenceSums sums = weigher.none();
//     for (shard) weigher.add(shard, first, weights of the shard, sums);                               // anywhere
//     Model model = weigher.finish(sums, sample);
//
// The model is the one that train() makes of all shards in one data set, to the last bit on processors of the same kind,
// whatever the shards, in whatever order sums are added. All that travels between steps (rolls, plans, what a member
// found, models, sums) has a text or bytes that it comes back from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shapeboost/boosting.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/trainer.hpp"

namespace shapeboost {

/// Who is there: of every example its label, its weight, its size, and a digest that tells copies.
class Roll {
 public:
  Roll();
  /// Of a shard, which may be empty. `weights`: of each example, in place of the data's own, and all may be 0 here. Throws
  /// InvalidInput where the examples are no series, have no label, or hold numbers that train() refuses.
  explicit Roll(const Dataset& shard, std::span<const double> weights = {});
  Roll(const Roll& other);
  Roll& operator=(const Roll& other);
  Roll(Roll&&) noexcept;
  Roll& operator=(Roll&&) noexcept;
  ~Roll();

  /// The next shard's examples behind these. Throws InvalidInput where they have another number of channels.
  void append(const Roll& next);

  [[nodiscard]] std::int64_t size() const;
  /// The distinct labels, in the order in which a Dataset has them.
  [[nodiscard]] const std::vector<std::string>& classes() const;

  [[nodiscard]] std::string bytes() const;
  /// Throws InvalidInput where these are no roll's.
  [[nodiscard]] static Roll from_bytes(std::string_view bytes);

 private:
  friend struct RollReader;
  struct State;
  std::unique_ptr<State> state_;
};

/// What the steps must know of the whole. Small: it goes wherever a step runs.
struct ShardPlan {
  std::vector<std::string> classes;
  std::vector<std::int64_t>
      sample;  ///< numbers of the examples that patterns are found on, in the order they are wanted in
  std::vector<double> sample_weights;  ///< of each of them
  std::int64_t examples = 0;           ///< that differ from each other and weigh something
  std::int64_t length = 0;             ///< time steps of every series; 0 where they differ
  std::vector<double> roots;  ///< square roots of what an example of each class counts beside its own weight
  bool weighted = false;      ///< whether some examples weigh more than others

  [[nodiscard]] std::string text() const;
  /// Throws InvalidInput where it is no plan's.
  [[nodiscard]] static ShardPlan from_text(const std::string& text);
};

struct Sharding {
  ShardPlan plan;
  /// What each example counts. 0: it does not, since it weighs nothing or is a copy of an earlier one, which has its weight.
  /// Empty: all count 1.
  std::vector<double> weights;
};

/// nullopt where all examples are to be trained on together: train() looks at each more than once, since they are at most
/// 10,000 or the settings ask for a model without a ridge head. Throws InvalidInput as train() does of settings, classes and
/// weights, and where `optimise` asks for a threshold of its own, which takes trainings of parts of the whole.
[[nodiscard]] std::optional<Sharding> plan_shards(const Roll& roll, const TrainSettings& settings);

/// Members that look for patterns in the sample. Throws InvalidInput where the sample is not the plan's, or settings.memory is
/// too little.
[[nodiscard]] std::int64_t finders(const Dataset& sample, const ShardPlan& plan,
                                   const TrainSettings& settings);

/// What member k finds, for weigh_sample().
[[nodiscard]] std::string find(const Dataset& sample, const ShardPlan& plan, const TrainSettings& settings,
                               std::int64_t member, const Observer& observer = {});

/// The model whose patterns are weighed by the sample alone. `found`: of all members in order. There are no records of rounds.
[[nodiscard]] TrainingResult weigh_sample(const Dataset& sample, const ShardPlan& plan,
                                          const TrainSettings& settings,
                                          const std::vector<std::string>& found,
                                          const Observer& observer = {});

/// What shards say of a draft's patterns, added up: normal equations, whose size depends on the number of patterns alone.
/// Sums are exact, and so the same in whatever order they are added.
class EvidenceSums {
 public:
  EvidenceSums(const EvidenceSums& other);
  EvidenceSums& operator=(const EvidenceSums& other);
  EvidenceSums(EvidenceSums&&) noexcept;
  EvidenceSums& operator=(EvidenceSums&&) noexcept;
  ~EvidenceSums();

  /// Those of other shards. Throws InvalidInput where they are of another draft.
  void add(const EvidenceSums& other);

  [[nodiscard]] std::string bytes() const;
  /// Throws InvalidInput where these are no sums'.
  [[nodiscard]] static EvidenceSums from_bytes(std::string_view bytes);

 private:
  friend class ShardWeigher;
  struct State;
  explicit EvidenceSums(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

class ShardWeigher {
 public:
  /// `draft`, weigh_sample()'s model, must outlive it.
  ShardWeigher(const Model& draft, const ShardPlan& plan, int threads = 1);
  ShardWeigher(const ShardWeigher&) = delete;
  ShardWeigher& operator=(const ShardWeigher&) = delete;
  ~ShardWeigher();

  /// Of no example.
  [[nodiscard]] EvidenceSums none() const;

  /// Adds a shard whose first example has this number; `weights` are its own of Sharding's. False where it was interrupted: sums
  /// are of no use then.
  bool add(const Dataset& shard, std::int64_t first, std::span<const double> weights, EvidenceSums& sums,
           const Observer& observer = {}) const;

  /// The draft with the weights that the sums ask for.
  [[nodiscard]] Model finish(const EvidenceSums& sums, const Dataset& sample) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shapeboost
