// SPDX-License-Identifier: MIT
// What a model says of examples and of single instances: the columns of `predict`'s CSV, and its JSON.
#include "ground/text.hpp"
#include "shapeboost/predictor.hpp"
#include "tell/json.hpp"
#include "tell/record.hpp"

namespace shapeboost {
namespace {

using detail::csv_field;
using detail::Json;

/// What was asked about: an example, or one instance of it.
struct Subject {
  std::int64_t example = 0;
  std::int64_t instance = 0;
};

/// In the order of the scores' rows.
std::vector<Subject> subjects_of(const Dataset& data, bool instances) {
  std::vector<Subject> subjects;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const std::int64_t count = instances ? data.rows(i) : 1;
    for (std::int64_t x = 0; x < count; ++x) subjects.push_back({i, x});
  }
  return subjects;
}

/// The answers to many questions, row by row.
class Answers {
 public:
  Answers(const Model& model, const Dataset& data, const Scores& scores, bool instances)
      : model_(model),
        data_(data),
        covered_(scores.covered),
        instances_(instances),
        labelled_(!instances && !data.classes().empty()),
        predicted_(predictions(model, scores)),
        scores_(class_scores(model, scores)) {
    if (model.calibration) probabilities_ = probabilities(model, scores);
  }

  [[nodiscard]] std::string csv() const {
    std::string text = instances_ ? "example,instance,predicted" : "example,predicted";
    if (two()) text += ",score";
    for (std::size_t k = 0; !two() && k < model_.classes.size(); ++k) {
      text += ',' + csv_field("score_" + model_.classes[k]);
    }
    for (std::int64_t k = 0; k < probabilities_.cols(); ++k) {
      text += ',' + csv_field("probability_" + model_.classes[at(k)]);
    }
    text += labelled_ ? ",label\n" : "\n";
    std::int64_t row = 0;
    for (const Subject& subject : subjects_of(data_, instances_)) {
      text += csv_field(data_.name(subject.example));
      if (instances_) text += concat(',', subject.instance + 1);
      text += ',' + csv_field(predicted(row));
      append(text, scores_, row, two() ? 1 : 0);
      append(text, probabilities_, row, 0);
      if (labelled_) text += ',' + csv_field(label(subject.example));
      text += '\n';
      ++row;
    }
    return text;
  }

  [[nodiscard]] std::string json(double seconds) const {
    Json list = Json::array();
    std::int64_t row = 0;
    for (const Subject& subject : subjects_of(data_, instances_)) {
      Json& entry = list.emplace_back(Json{{"example", data_.name(subject.example)}});
      if (instances_) entry["instance"] = subject.instance;
      entry["predicted"] = predicted(row);
      if (two()) {
        entry["score"] = scores_(row, 1);
      } else {
        entry["scores"] = detail::row_json(scores_, row);
      }
      if (probabilities_.cols() > 0) entry["probabilities"] = detail::row_json(probabilities_, row);
      if (!instances_ && covered_[at(row)] == 0) entry["covered"] = false;
      if (labelled_) entry["label"] = label(subject.example);
      ++row;
    }
    return detail::pretty(
        {{"n", list.size()}, {"classes", model_.classes}, {"seconds", seconds}, {"predictions", list}});
  }

 private:
  static void append(std::string& text, const Array<double>& values, std::int64_t row, std::int64_t first) {
    for (std::int64_t k = first; k < values.cols(); ++k) {
      text += ',';
      detail::append_number(text, values(row, k));
    }
  }
  [[nodiscard]] bool two() const { return model_.classes.size() == 2; }
  [[nodiscard]] const std::string& predicted(std::int64_t row) const {
    return model_.classes[at(predicted_[at(row)])];
  }
  [[nodiscard]] std::string label(std::int64_t i) const {
    return data_.label(i) == kUnlabelled ? "" : data_.classes()[at(data_.label(i))];
  }

  const Model& model_;
  const Dataset& data_;
  const std::vector<char>& covered_;
  bool instances_;
  bool labelled_;  // the labels are the bags', not the instances'
  std::vector<int> predicted_;
  Array<double> scores_;
  Array<double> probabilities_;  // no column where the model has none
};

}  // namespace

std::string predictions_json(const Model& model, const Dataset& data, const Scores& scores, double seconds) {
  return Answers(model, data, scores, false).json(seconds);
}

std::string predictions_csv(const Model& model, const Dataset& data, const Scores& scores) {
  return Answers(model, data, scores, false).csv();
}

std::string instances_json(const Model& model, const Dataset& data, const Scores& scores, double seconds) {
  return Answers(model, data, scores, true).json(seconds);
}

std::string instances_csv(const Model& model, const Dataset& data, const Scores& scores) {
  return Answers(model, data, scores, true).csv();
}

}  // namespace shapeboost
