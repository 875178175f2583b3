// SPDX-License-Identifier: MIT
// How much each class counts: a weight v_i > 0 for every training bag. Only ratios matter. The master caps
//
//     d_i <= cap_i = v_i / (nu sum_k v_k),   so that   sum_i cap_i = 1 / nu,
//
// and a bag that falls short of the margin costs cap_i for each unit. With equal weights cap_i = 1/(nu m).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shapeboost/dataset.hpp"

namespace shapeboost {

struct ClassWeights {
  enum class Rule {
    uniform,   ///< v_i = 1: a bag is a bag
    balanced,  ///< v_i = 1 / bags of i's side: both sides weigh the same, cap_i = 1/(2 nu m_{y_i})
    by_label,  ///< v_i = the weight of i's label, 1 where it has none
  };
  struct LabelWeight {
    std::string label;  ///< as canonical_label spells it
    double weight;      ///< from kSmallest to kLargest
    bool operator==(const LabelWeight&) const = default;
  };
  static constexpr double kSmallest = 1e-6;
  static constexpr double kLargest = 1e6;

  Rule rule = Rule::uniform;
  std::vector<LabelWeight> labels;  ///< by_label only

  /// "uniform", "balanced" or LABEL=WEIGHT,LABEL=WEIGHT; a label's name may hold '=' but no comma. Throws
  /// InvalidInput.
  [[nodiscard]] static ClassWeights parse(std::string_view text);
  /// The inverse of parse.
  [[nodiscard]] std::string text() const;

  bool operator==(const ClassWeights&) const = default;
};

/// The first fault as a sentence, or empty.
[[nodiscard]] std::string validate(const ClassWeights& weights);

/// v, one a bag; labels_i is the class of bag i, y_i = -1 or +1 its side, of which balanced weights speak.
/// Throws InvalidInput where a weight's label is none of the classes.
[[nodiscard]] Vector bag_weights(const ClassWeights& weights, const std::vector<std::string>& classes,
                                 const std::vector<int>& labels, const Vector& y);

}  // namespace shapeboost
