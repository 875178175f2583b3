// SPDX-License-Identifier: MIT
// How a model does on labelled examples, and that as JSON.
#include "shapeboost/evaluation.hpp"

#include "shapeboost/predictor.hpp"
#include "tell/json.hpp"
#include "tell/metrics.hpp"
#include "tell/record.hpp"

namespace shapeboost {

Evaluation evaluate(const Model& model, const Dataset& data, int threads) {
  const Scores score = scores(model, data, threads);
  const std::vector<int> labels = labels_for(model, data);
  const auto unlabelled = std::ranges::find(labels, kUnlabelled);
  if (unlabelled != labels.end()) {
    throw InvalidInput((data.source().empty() ? "" : data.source() + ": ") + "example " +
                       data.name(unlabelled - labels.begin()) + " has no label to compare with");
  }
  Evaluation e;
  e.n = data.size();
  e.classes = model.classes;
  e.confusion = confusion_matrix(labels, predictions(model, score), static_cast<int>(model.classes.size()));
  e.accuracy = accuracy(e.confusion);
  e.balanced_accuracy = balanced_accuracy(e.confusion);
  e.macro_f1 = macro_f1(e.confusion);
  e.recall = recall(e.confusion);
  e.precision = precision(e.confusion);
  e.f1 = f1(e.confusion);
  e.auc_per_class = auc_per_class(labels, class_scores(model, score));
  e.auc = mean_of_known(e.auc_per_class);  // two classes have the same
  e.uncovered = uncovered(score);
  return e;
}

std::string to_json(const Evaluation& e) {
  return detail::pretty({{"n", e.n},
                         {"accuracy", e.accuracy},
                         {"balanced_accuracy", e.balanced_accuracy},
                         {"macro_f1", e.macro_f1},
                         {"auc", e.auc},
                         {"classes", e.classes},
                         {"recall", e.recall},
                         {"precision", e.precision},
                         {"f1", e.f1},
                         {"auc_per_class", e.auc_per_class},
                         {"confusion", detail::matrix_json(e.confusion)},
                         {"uncovered", e.uncovered.size()},
                         {"seconds", e.seconds}});
}

}  // namespace shapeboost
