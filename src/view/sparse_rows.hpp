// SPDX-License-Identifier: MIT
// What a view takes of sparse bags.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ground/numbers.hpp"
#include "shapeboost/view.hpp"

namespace shapeboost::detail {

/// The place of each of the data's features among those of a view, or -1. Of few features among very many the places are
/// sought, in memory for the few.
class FeaturePlaces {
 public:
  explicit FeaturePlaces(const View& view) {
    constexpr std::int64_t kMany = 64;
    if (view.features.empty()) return;
    if (view.width > kMany * std::ssize(view.features)) {
      few_ = view.features;
      return;
    }
    place_.assign(at(view.width), -1);
    for (std::size_t f = 0; f < view.features.size(); ++f) {
      place_[at(view.features[f])] = static_cast<std::int32_t>(f);
    }
  }
  [[nodiscard]] std::int32_t operator[](std::int32_t feature) const {
    if (!place_.empty()) return place_[at(feature)];
    if (few_.empty()) return feature;
    const auto found = std::ranges::lower_bound(few_, feature);
    return found != few_.end() && *found == feature ? static_cast<std::int32_t>(found - few_.begin()) : -1;
  }

 private:
  std::vector<std::int32_t> place_;  // empty: few_ are used, or all
  std::vector<int> few_;             // rising
};

/// Leaves a view those of its features that occur and, where they are too many, of these the ones that occur in most bags.
/// What is 0 in all training bags changes no distance between them, and what is learned of it is nothing.
void drop_rare_features(View& view, const Dataset& data);

/// The deviation of each of the view's features; zeros count.
[[nodiscard]] std::vector<double> sparse_deviations(const View& view, const Dataset& data);

}  // namespace shapeboost::detail
