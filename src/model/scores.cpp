// SPDX-License-Identifier: MIT
// What follows from the scores of all parts: predictions, scores of classes, probabilities.
#include <algorithm>
#include <cmath>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "model/probabilities.hpp"
#include "shapeboost/predictor.hpp"

namespace shapeboost {
namespace {

/// How soon a vote between two classes is as good as certain: at scores about their mean size, divided by
/// this. Of 1/2, 1, 2, 4 and 100 the best by cross-validation on nine sets of three to fifteen classes.
constexpr double kVote = 4.0;

/// "a, b or c"; where there are many, how many.
std::string any_of(const std::vector<std::string>& classes) {
  constexpr std::size_t kListed = 10;
  if (classes.size() > kListed) return "of one of the model's " + std::to_string(classes.size()) + " classes";
  std::string text;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == classes.size() ? " or " : ", ") + classes[k];
  }
  return text;
}

/// "FILE: example NAME".
std::string about_example(const Dataset& data, std::int64_t i) {
  return concat(data.source().empty() ? "" : data.source() + ": ", "example ", data.name(i));
}

}  // namespace

std::vector<std::int64_t> uncovered(const Scores& scores) {
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < scores.covered.size(); ++i) {
    if (scores.covered[i] == 0) rows.push_back(static_cast<std::int64_t>(i));
  }
  return rows;
}

std::vector<int> predictions(const Model& model, const Scores& scores) {
  const auto classes = static_cast<int>(model.classes.size());
  std::vector<int> result;
  result.reserve(at(scores.parts.rows()));
  if (classes > 2 && model.strategy == Strategy::one_vs_rest) {
    for (std::int64_t i = 0; i < scores.parts.rows(); ++i) {
      int best = 0;
      for (int c = 1; c < classes; ++c) {
        if (scores.parts(i, c) > scores.parts(i, best)) best = c;
      }
      result.push_back(best);
    }
    return result;
  }
  Array<int> part(classes, classes);
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    part(model.parts[p].negative, model.parts[p].positive) = static_cast<int>(p);
  }
  for (std::int64_t i = 0; i < scores.parts.rows(); ++i) {
    int a = 0;
    int b = classes - 1;
    while (a < b) {  // what is left are the classes a ... b
      if (scores.parts(i, part(a, b)) > 0.0) {
        ++a;
      } else {
        --b;
      }
    }
    result.push_back(a);
  }
  return result;
}

Array<double> class_scores(const Model& model, const Scores& scores) {
  const auto classes = static_cast<Eigen::Index>(model.classes.size());
  if (classes > 2 && model.strategy == Strategy::one_vs_rest) return scores.parts;
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(scores.parts.rows(), classes);
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    const Part& part = model.parts[p];
    // Of two classes the score itself; of more a vote between -1 and 1: a class that an example is far from
    // must not decide between two that it is near to.
    Vector g = mapped(scores.parts).col(static_cast<Eigen::Index>(p));
    if (classes > 2)
      g = (kVote * g.array() / detail::score_unit(part)).tanh() / static_cast<double>(classes - 1);
    result.col(part.positive) += g;
    result.col(part.negative) -= g;
  }
  return array_of(result);
}

Array<double> unit_scores(const Model& model, const Scores& scores) {
  Scores unmoved = scores;
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    for (std::int64_t i = 0; i < unmoved.parts.rows(); ++i) unmoved.parts(i, p) -= model.parts[p].shift;
  }
  Array<double> result = class_scores(model, unmoved);
  const bool two = model.classes.size() == 2;
  if (!two && model.strategy == Strategy::one_vs_one) return result;  // votes are in units already
  for (std::int64_t c = 0; c < result.cols(); ++c) {
    const double unit = detail::score_unit(model.parts[two ? 0 : at(c)]);
    for (std::int64_t i = 0; i < result.rows(); ++i) result(i, c) /= unit;
  }
  return result;
}

double detail::score_unit(const Part& part) {
  double sum = 0.0;
  for (const double margin : part.margins) sum += std::abs(margin);
  return sum > 0.0 ? sum / static_cast<double>(part.margins.size()) : 1.0;
}

Eigen::MatrixXd detail::probabilities(const Calibration& calibration, const Eigen::MatrixXd& scores) {
  Eigen::MatrixXd result(scores.rows(), scores.cols());
  const Eigen::Map<const Vector> offsets(calibration.offsets.data(), scores.cols());
  for (Eigen::Index i = 0; i < scores.rows(); ++i) {
    Vector z = calibration.slope * scores.row(i).transpose() + offsets;
    z = (z.array() - z.maxCoeff()).exp();
    result.row(i) = z.transpose() / z.sum();
  }
  return result;
}

Array<double> probabilities(const Model& model, const Scores& scores) {
  if (!model.calibration) {
    throw InvalidInput("the model has no probabilities: train it with --probability");
  }
  return array_of(detail::probabilities(*model.calibration, mapped(unit_scores(model, scores))));
}

void check_length(const Model& model, const Dataset& data) {
  const std::int64_t expected = model.provenance.length;
  if (expected == 0 || data.kind() != DataKind::series) return;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const std::int64_t found = data.values(i).cols();
    if (found == expected) continue;
    throw InvalidInput(concat(about_example(data, i), ": expected ", expected,
                              " time steps, as in all series that the model was trained on, found ", found,
                              "; --unequal lets it be classified all the same"));
  }
}

std::vector<int> labels_for(const Model& model, const Dataset& data) {
  std::vector<int> index;  // of each of the data's classes
  for (const std::string& name : data.classes()) {
    const auto found = std::find(model.classes.begin(), model.classes.end(), name);
    index.push_back(found == model.classes.end() ? -2 : static_cast<int>(found - model.classes.begin()));
  }
  std::vector<int> labels;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const int label = data.label(i);
    labels.push_back(label == kUnlabelled ? kUnlabelled : index[at(label)]);
    if (labels.back() == -2) {
      throw InvalidInput(concat(about_example(data, i), ": expected the label ", any_of(model.classes),
                                ", found '", data.classes()[at(label)], "'"));
    }
  }
  return labels;
}

}  // namespace shapeboost
