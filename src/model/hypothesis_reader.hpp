// SPDX-License-Identifier: MIT
// Views and hypotheses of a model's file.
#pragma once

#include <cstdint>
#include <vector>

#include "model/instance_store.hpp"
#include "model/model_node.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost::detail {

/// Bags, instances, places: bounded, so that no sum or product of them overflows, and as JavaScript counts.
inline constexpr std::int64_t kMostCounted = std::int64_t{1} << 53;

/// Throws InvalidInput.
[[nodiscard]] View read_view(const Node& node, DataKind kind);

/// The `period` of spectra. Throws InvalidInput.
[[nodiscard]] std::int64_t read_period(const Node& node);

/// Hypotheses in their order, for a model that has its views and head. Instances of bags are stored ones or stand where they
/// are used; in version 3 the shapelet of a whole bag may be the number of an earlier hypothesis with the same.
class HypothesisReader {
 public:
  explicit HypothesisReader(Model& model) : model_(model) {}

  /// The stored ones, before any hypothesis. Throws InvalidInput.
  void read_instances(const Node& node);

  /// Appends the next one. Throws InvalidInput.
  void read(const Node& node);

 private:
  [[nodiscard]] Shapelet shapelet(const Node& node, const View& view, int number);
  [[nodiscard]] Instance stored(const Node& node, const View& view, int number);
  [[nodiscard]] Shapelet named_by(const Node& node, const View& view);

  Model& model_;
  std::vector<StoredInstance> instances_;
  std::vector<std::int64_t> made_;  // numbers, of each of them
  std::vector<bool> written_;       // instances and all
  std::vector<int> times_;          // named by others
};

}  // namespace shapeboost::detail
