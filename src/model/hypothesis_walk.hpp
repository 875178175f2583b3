// SPDX-License-Identifier: MIT
// Every hypothesis over every view: the walk that scores, responses and explanations share.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/respond.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost::detail {

/// The hypotheses of a model by their views, made ready once. `model` must outlive it.
class Walk {
 public:
  explicit Walk(const Model& model);

  /// Numbers of the hypotheses of each view, in order.
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& of_view() const { return of_view_; }

  /// Calls visit(j, instances, response) for the hypotheses j in the order of of_view().
  using Visit = std::function<void(std::size_t, const Instances&, const Response&)>;
  void each(const Dataset& block, const Visit& visit) const;

 private:
  const Model& model_;
  std::vector<std::vector<std::size_t>> of_view_;
  std::vector<SharedInstances> shared_;  // of each view
};

/// Data that a model can be asked about: as they are or, where they leave their width open, with the model's. Says what
/// does not fit before any work is done: throws InvalidInput. `data` must outlive it.
class Fitted {
 public:
  Fitted(const Model& model, const Dataset& data);
  [[nodiscard]] const Dataset& data() const { return copy_ ? *copy_ : *given_; }

 private:
  const Dataset* given_;
  std::optional<Dataset> copy_;
};

/// Every instance of these bags as a bag of its own. The bags must outlive them, unless they are sparse.
[[nodiscard]] Dataset single_instances(const Dataset& bags);

/// Calls `task(first, examples)` for each block of the data, on several threads. Examples are seen in blocks: each
/// block sees every view once, and memory stays that of a block, which has fewer examples where they are long.
void for_each_block(const Model& model, const Dataset& data, int threads,
                    const std::function<void(std::int64_t, const Dataset&)>& task);

}  // namespace shapeboost::detail
