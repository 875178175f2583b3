// SPDX-License-Identifier: MIT
// Training instances of bags as a model's file has them: each once, for the patterns of all views.
//
// A pattern holds those of an instance's features that its view looks at, in the units of the data. The same instance is a
// pattern in many views, and a whole bag that it is one of in several. The store has the union of all features that are looked
// at, so that what a view sees of it is what it was trained with, to the bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "shapeboost/model.hpp"

namespace shapeboost::detail {

struct StoredInstance {
  std::int64_t example = 0;   // of the training data, from 0
  std::int64_t position = 0;  // in its bag, from 0
  /// Features of the data that the values are of, rising; none: all.
  std::optional<std::vector<std::int32_t>> features{};
  bool sparse = false;  // the other features are 0; else no pattern asks for them
  std::vector<double> values;
};

/// Patterns may make so many times as many numbers of a stored instance as it has: a small file cannot stand for much memory.
inline constexpr std::int64_t kMostMade = 16;

/// A feature that the view looks at and the instance, which is not sparse, lacks; none: there is none.
[[nodiscard]] std::optional<std::int32_t> lacking(const StoredInstance& z, const View& view);

/// What a view of bags looks at, of an instance that lacks nothing: as Instances::instance() has it of the training data.
[[nodiscard]] Instance seen_in(const View& view, const StoredInstance& z);

/// The stored instances of a model of bags, of others none. An instance is there again where patterns would make more than
/// kMostMade times its numbers.
class InstanceStore {
 public:
  explicit InstanceStore(const Model& model);

  /// By example and position.
  [[nodiscard]] const std::vector<StoredInstance>& instances() const { return instances_; }

  /// Where in instances() the k-th instance of hypothesis j is; none: it would not be the same to the bit, or is no
  /// training instance's, and is written where it is used.
  [[nodiscard]] std::optional<std::size_t> place(std::size_t j, std::size_t k) const;

 private:
  std::vector<StoredInstance> instances_;
  std::vector<std::vector<std::optional<std::size_t>>> places_;  // of each hypothesis
};

}  // namespace shapeboost::detail
