// SPDX-License-Identifier: MIT
// How a model does on labelled examples.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shapeboost/array.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost {

/// How a model does on labelled examples.
struct Evaluation {
  std::int64_t n = 0;
  std::vector<std::string> classes;
  double accuracy = 0.0;
  double balanced_accuracy = 0.0;  ///< mean recall of the classes that occur
  double macro_f1 = 0.0;           ///< mean F1 of the classes that occur or were predicted
  double auc = 0.0;                ///< two classes: of the second; more: mean of those that are defined
  Array<int> confusion;            ///< (actual, predicted)
  // Of each class; NaN where it is not defined.
  std::vector<double> recall;
  std::vector<double> precision;
  std::vector<double> f1;
  std::vector<double> auc_per_class;  ///< against the rest
  std::vector<std::int64_t>
      uncovered;         ///< examples of which the model saw nothing: too short for its windows
  double seconds = 0.0;  ///< the caller's to measure
};

/// Throws InvalidInput where the data does not fit the model, has a label the model does not know, or none.
[[nodiscard]] Evaluation evaluate(const Model& model, const Dataset& data, int threads = 0);

}  // namespace shapeboost
