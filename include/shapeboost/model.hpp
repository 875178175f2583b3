// SPDX-License-Identifier: MIT
// A trained classifier, whole in itself: instances by value, views with everything they learned.
//
//     g(B) = b + sum_j w_j h_j(B);    classes[1] where g(B) > 0, else classes[0].
//
// The file is JSON with a version and a digest; docs/model.md describes it field by field.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "shapeboost/hypothesis.hpp"

namespace shapeboost {

/// One round of boosting, as the model remembers it (times are not part of a model).
struct HistoryEntry {
  double edge = 0.0;   ///< best edge found, under the weights d of the round
  double gamma = 0.0;  ///< the master's value in that round
  double gap = 0.0;    ///< (edge - gamma) relative to the margin's scale
  int columns = 0;     ///< hypotheses found so far
};

/// Where the model came from: for the reader, never for prediction.
struct Provenance {
  std::string source;  ///< file of the training data
  std::int64_t bags = 0;
  std::int64_t instances = 0;  ///< summed over the views
  std::uint64_t seed = 0;
  std::string settings;  ///< the options, as on the command line
  std::string stopped;   ///< why boosting ended
  std::vector<HistoryEntry> history;
};

struct Model {
  DataKind kind = DataKind::series;
  std::array<std::string, 2> classes;  ///< negative, positive
  std::vector<View> views;
  std::vector<Hypothesis> hypotheses;
  std::vector<double> w;  ///< > 0, one a hypothesis, largest first; they sum to 1
  double b = 0.0;
  double nu = 0.0;
  double rho = 0.0;    ///< margin
  double gamma = 0.0;  ///< soft margin: rho less the mean shortfall
  Provenance provenance;
};

[[nodiscard]] std::string to_json(const Model& model);
/// `source` is what errors call the text. Checks every field it uses; throws InvalidInput.
[[nodiscard]] Model model_from_json(const std::string& text, const std::string& source);

void save_model(const Model& model, const std::string& path);
[[nodiscard]] Model load_model(const std::string& path);

}  // namespace shapeboost
