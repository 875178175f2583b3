// SPDX-License-Identifier: MIT
// What a model says of examples and of single instances, as CSV and as JSON.
#include <string>
#include <vector>

#include "ground/json.hpp"
#include "ground/text.hpp"
#include "shapeboost/predictor.hpp"
#include "tell/record.hpp"

namespace shapeboost {
namespace {

using detail::csv_field;
using detail::Json;
using detail::number_or_null;

const std::string& label_text(const Dataset& data, std::int64_t i) {
  static const std::string kNone;
  return data.label(i) == kUnlabelled ? kNone : data.classes()[static_cast<std::size_t>(data.label(i))];
}

bool has_labels(const Dataset& data) { return !data.classes().empty(); }

/// The answers to many questions, row by row.
class Answers {
 public:
  Answers(const Model& model, const Scores& scores)
      : model_(model), predicted_(predictions(model, scores)), scores_(class_scores(model, scores)) {
    if (model.calibration) probabilities_ = probabilities(model, scores);
  }

  /// ",predicted,score", or a score for each class; then probabilities, where the model has them.
  [[nodiscard]] std::string csv_header() const {
    std::string text = ",predicted";
    if (two()) {
      text += ",score";
    } else {
      for (const std::string& name : model_.classes) text += ',' + csv_field("score_" + name);
    }
    if (probabilities_.cols() > 0) {
      for (const std::string& name : model_.classes) text += ',' + csv_field("probability_" + name);
    }
    return text;
  }
  [[nodiscard]] std::string csv(std::int64_t row) const {
    std::string text = ',' + csv_field(predicted(row));
    for (std::int64_t k = two() ? 1 : 0; k < scores_.cols(); ++k) {
      text += ',';
      detail::append_number(text, scores_(row, k));
    }
    for (std::int64_t k = 0; k < probabilities_.cols(); ++k) {
      text += ',';
      detail::append_number(text, probabilities_(row, k));
    }
    return text;
  }
  void add_json(std::int64_t row, Json& entry) const {
    entry["predicted"] = predicted(row);
    if (two()) {
      entry["score"] = number_or_null(scores_(row, 1));
    } else {
      entry["scores"] = row_json(scores_, row);
    }
    if (probabilities_.cols() > 0) entry["probabilities"] = row_json(probabilities_, row);
  }

 private:
  [[nodiscard]] static Json row_json(const Array<double>& values, std::int64_t row) {
    Json list = Json::array();
    for (std::int64_t k = 0; k < values.cols(); ++k) list.push_back(number_or_null(values(row, k)));
    return list;
  }
  [[nodiscard]] bool two() const { return model_.classes.size() == 2; }
  [[nodiscard]] const std::string& predicted(std::int64_t row) const {
    return model_.classes[static_cast<std::size_t>(predicted_[static_cast<std::size_t>(row)])];
  }

  const Model& model_;
  std::vector<int> predicted_;
  Array<double> scores_;
  Array<double> probabilities_;  // no column where the model has none
};

/// Calls `visit(row, example, instance)` for every instance, bag after bag.
template <typename Visit>
void for_each_instance(const Dataset& data, const Visit& visit) {
  std::int64_t row = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    for (std::int64_t x = 0; x < data.values(i).rows(); ++x, ++row) visit(row, i, x);
  }
}

}  // namespace

std::string predictions_json(const Model& model, const Dataset& data, const Scores& scores, double seconds) {
  const Answers answers(model, scores);
  Json list = Json::array();
  for (std::int64_t i = 0; i < data.size(); ++i) {
    Json entry{{"example", data.name(i)}};
    answers.add_json(i, entry);
    if (scores.covered[static_cast<std::size_t>(i)] == 0) entry["covered"] = false;
    if (has_labels(data)) entry["label"] = label_text(data, i);
    list.push_back(std::move(entry));
  }
  return detail::pretty(
      {{"n", data.size()}, {"classes", model.classes}, {"seconds", seconds}, {"predictions", list}});
}

std::string predictions_csv(const Model& model, const Dataset& data, const Scores& scores) {
  const Answers answers(model, scores);
  std::string text = "example" + answers.csv_header() + (has_labels(data) ? ",label\n" : "\n");
  for (std::int64_t i = 0; i < data.size(); ++i) {
    text += csv_field(data.name(i)) + answers.csv(i);
    if (has_labels(data)) text += ',' + csv_field(label_text(data, i));
    text += '\n';
  }
  return text;
}

std::string instances_json(const Model& model, const Dataset& data, const Scores& scores, double seconds) {
  const Answers answers(model, scores);
  Json list = Json::array();
  for_each_instance(data, [&](std::int64_t row, std::int64_t example, std::int64_t instance) {
    Json entry{{"example", data.name(example)}, {"instance", instance}};
    answers.add_json(row, entry);
    list.push_back(std::move(entry));
  });
  return detail::pretty(
      {{"n", list.size()}, {"classes", model.classes}, {"seconds", seconds}, {"predictions", list}});
}

std::string instances_csv(const Model& model, const Dataset& data, const Scores& scores) {
  const Answers answers(model, scores);
  std::string text = "example,instance" + answers.csv_header() + '\n';
  for_each_instance(data, [&](std::int64_t row, std::int64_t example, std::int64_t instance) {
    text += csv_field(data.name(example)) + ',' + std::to_string(instance + 1) + answers.csv(row) + '\n';
  });
  return text;
}

}  // namespace shapeboost
