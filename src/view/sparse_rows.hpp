// SPDX-License-Identifier: MIT
// What a view takes of sparse bags.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/numbers.hpp"
#include "shapeboost/view.hpp"

namespace shapeboost::detail {

/// The place of each of the data's features among those of a view, or -1.
class FeaturePlaces {
 public:
  explicit FeaturePlaces(const View& view) {
    if (view.features.empty()) return;
    place_.assign(at(view.width), -1);
    for (std::size_t f = 0; f < view.features.size(); ++f) {
      place_[at(view.features[f])] = static_cast<std::int32_t>(f);
    }
  }
  [[nodiscard]] std::int32_t operator[](std::int32_t feature) const {
    return place_.empty() ? feature : place_[at(feature)];
  }

 private:
  std::vector<std::int32_t> place_;  // empty: all are used
};

/// Leaves a view those of its features that occur and, where they are too many, of these the ones that occur in most bags.
/// What is 0 in all training bags changes no distance between them, and what is learned of it is nothing.
void drop_rare_features(View& view, const Dataset& data);

/// The deviation of each of the view's features; zeros count.
[[nodiscard]] std::vector<double> sparse_deviations(const View& view, const Dataset& data);

}  // namespace shapeboost::detail
