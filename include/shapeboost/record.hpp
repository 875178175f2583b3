// SPDX-License-Identifier: MIT
// What happened, as data and as text: trainings, evaluations, predictions, and what a model says in words.
// Tables, reports and other languages read the JSON made here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shapeboost/booster.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/matrix.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost {

/// How a model does on labelled examples.
struct Evaluation {
  std::int64_t n = 0;
  std::array<std::string, 2> classes;
  double accuracy = 0.0;
  double balanced_accuracy = 0.0;  ///< mean recall of the classes that occur
  double auc = 0.0;                ///< NaN where a class does not occur
  Eigen::MatrixXi confusion;       ///< (actual, predicted)
  std::array<double, 2> recall{};  ///< of each class; NaN where it does not occur
  double seconds = 0.0;            ///< the caller's to measure
};

/// Throws InvalidInput where the data does not fit the model, has a label the model does not know, or none.
[[nodiscard]] Evaluation evaluate(const Model& model, const Dataset& data, int threads = 0);

/// What a hypothesis says of the examples of the positive class, told by its main instance z:
///
///     sign  alpha_z   h(B)
///      +1     > 0     max K(z, x)    the pattern is present
///      -1     > 0    -max K(z, x)    the pattern is absent
///      -1     < 0     min K(z, x)    the pattern is everywhere
///      +1     < 0    -min K(z, x)    the pattern is not everywhere
enum class Claim { present, absent, everywhere, not_everywhere };

[[nodiscard]] std::string_view to_string(Claim claim);

/// A hypothesis at a glance.
struct HypothesisSummary {
  double w = 0.0;
  Claim claim = Claim::present;
  /// Index into the classes: for which of the two the main instance speaks where it is found.
  int speaks_for = 1;
  std::int64_t length = 0;
  std::int64_t instances = 0;
  std::size_t main = 0;  ///< the instance with the largest |alpha|
};

/// In the model's order.
[[nodiscard]] std::vector<HypothesisSummary> summarise(const Model& model);

/// `fit --json`: sizes, margin, why it stopped, and every round's record. `seconds` is the caller's clock.
[[nodiscard]] std::string to_json(const TrainingResult& training, const std::string& model_path,
                                  double seconds);

/// `evaluate --json`.
[[nodiscard]] std::string to_json(const Evaluation& evaluation);

/// `info --json`: the model without its numbers' lists.
[[nodiscard]] std::string summary_json(const Model& model);

/// `predict --json`.
[[nodiscard]] std::string predictions_json(const Model& model, const Dataset& data,
                                           const std::vector<double>& scores, double seconds);

/// example,predicted,score and, where the data has labels, label; quoted as RFC 4180 says, lines end with \n.
[[nodiscard]] std::string predictions_csv(const Model& model, const Dataset& data,
                                          const std::vector<double>& scores);

}  // namespace shapeboost
