// SPDX-License-Identifier: MIT
// What cross-validations share: data cut in two, choices checked, accuracies summed up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shapeboost/dataset.hpp"
#include "shapeboost/selection.hpp"

namespace shapeboost::detail {

/// The examples outside a fold, then those in it.
struct Division {
  Division(const std::vector<int>& fold_of, int fold);
  std::vector<std::int64_t> train;
  std::vector<std::int64_t> test;
};

/// Memory enough for any of the choices. Throws InvalidInput with the first fault, naming the choice.
[[nodiscard]] std::int64_t memory_needed(const Dataset& data, const std::vector<Choice>& choices);

/// "runs: expected at least 1, found 0", or empty.
[[nodiscard]] std::string below(const char* name, std::int64_t value, std::int64_t least);

struct MeanAndSd {
  double mean = 0.0;
  double sd = 0.0;  ///< with n - 1 below; 0 where there is only one number
};
[[nodiscard]] MeanAndSd mean_and_sd(const std::vector<double>& numbers);

}  // namespace shapeboost::detail
