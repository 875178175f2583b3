// SPDX-License-Identifier: MIT
// How much each class, and each example, counts: a weight v_i > 0 for every training bag, that of its class times its own. Only ratios matter. The master caps
//
//     d_i <= cap_i = v_i / (nu sum_k v_k),   so that   sum_i cap_i = 1 / nu,
//
// and a bag that falls short of the margin costs cap_i for each unit. With equal weights cap_i = 1/(nu m).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ground/matrix.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/trainer.hpp"

namespace shapeboost {

/// The first fault as a sentence, or empty.
[[nodiscard]] std::string validate(const ClassWeights& weights);

/// v of these bags of the data (all, where none are named); y_i = -1 or +1 is the side of a bag: balanced weights make both
/// weigh the same. Throws InvalidInput where a weight's label is none of the classes.
[[nodiscard]] Vector bag_weights(const ClassWeights& weights, const Dataset& data,
                                 const std::vector<std::int64_t>& bags, const Vector& y);

/// v of all examples without sides: balanced weights make all classes weigh the same. Their mean is 1; empty where all are
/// the same.
[[nodiscard]] Vector example_weights(const ClassWeights& weights, const Dataset& data);

}  // namespace shapeboost
