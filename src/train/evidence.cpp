// SPDX-License-Identifier: MIT
#include "train/evidence.hpp"

#include <cmath>
#include <limits>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"
#include "model/pattern_reader.hpp"
#include "train/class_weights.hpp"
#include "train/relevance.hpp"

namespace shapeboost::detail {
namespace {

/// Columns whose deviation is less than this say nothing.
constexpr double kConstant = 1e-6;
/// All evidence lies between 0 and 1. What hardly varies over the training examples must not be blown up: another
/// example may well lie outside. So this is added to the deviation, as if measured with such an error.
constexpr double kFloor = 0.02;

/// At most so many examples tell how relevant the columns are.
constexpr Eigen::Index kJudges = 500;

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

}  // namespace

std::vector<std::vector<std::int64_t>> by_view(const Model& model, std::int64_t first) {
  std::vector<std::vector<std::int64_t>> of_view(model.views.size());
  for (std::int64_t j = first; j < std::ssize(model.hypotheses); ++j) {
    of_view[at(model.hypotheses[at(j)].view)].push_back(j);
  }
  return of_view;
}

Columns read_evidence(const Dataset& data, const View& view, const std::vector<const Hypothesis*>& patterns,
                      const std::vector<Evidence>& kinds) {
  const auto reader = make_reader(view, patterns);
  Columns X = Columns::Constant(data.size(), std::ssize(patterns) * std::ssize(kinds), kUnknown);
  Readings readings;
  StopMeter meter;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    meter.add(view.numbers() * data.numbers(i) * std::ssize(patterns));
    if (!reader->read(data, i, readings)) continue;
    for (std::int64_t k = 0; k < std::ssize(kinds); ++k) {
      const std::vector<float>& evidence = readings.of(kinds[at(k)]);
      for (std::int64_t p = 0; p < std::ssize(patterns); ++p)
        X(i, p * std::ssize(kinds) + k) = evidence[at(p)];
    }
  }
  return X;
}

Standard standardise(Eigen::Ref<Eigen::VectorXf> x, const Shapelet& pattern) {
  for (const Instance& z : pattern.instances) {
    if (z.example >= 0) x[z.example] = kUnknown;
  }
  double sum = 0.0;
  double seen = 0.0;
  for (const float value : x) {
    if (std::isnan(value)) continue;
    sum += static_cast<double>(value);
    seen += 1.0;
  }
  const double mean = seen > 0.0 ? sum / seen : 0.0;
  double squares = 0.0;
  for (const float value : x) {
    if (!std::isnan(value))
      squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
  }
  const double deviation = seen > 0.0 ? std::sqrt(squares / seen) : 0.0;
  const bool constant = !(deviation > kConstant);
  const Standard standard{mean, std::hypot(deviation, kFloor)};
  for (float& value : x) {
    value = std::isnan(value) || constant
                ? 0.0F
                : static_cast<float>((static_cast<double>(value) - standard.centre) / standard.scale);
  }
  return standard;
}

Eigen::MatrixXd targets_of(const Dataset& data, const std::vector<Part>& parts) {
  Eigen::MatrixXd Y = Eigen::MatrixXd::Constant(data.size(), std::ssize(parts), -1.0);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (parts[p].positive == data.label(i)) Y(i, static_cast<Eigen::Index>(p)) = 1.0;
    }
  }
  return Y;
}

std::vector<int> labels_of(const Dataset& data) {
  std::vector<int> labels;
  for (std::int64_t i = 0; i < data.size(); ++i) labels.push_back(data.label(i));
  return labels;
}

EvidenceReading::EvidenceReading(const Dataset& data, const std::vector<Evidence>& kinds,
                                 const ClassWeights& weights)
    : data_(data), kinds_(kinds) {
  for (std::int64_t i = 0; i < data.size(); ++i) numbers_ += real(data.numbers(i));
  const auto classes = static_cast<int>(data.classes().size());
  Y_ = some_rows(targets_of(data, parts_for(classes, Strategy::one_vs_rest)), kJudges);
  const Vector v = example_weights(weights, data);
  if (v.size() > 0) v_ = some_rows(Eigen::MatrixXd(v), kJudges).col(0);
}

double EvidenceReading::work(const std::vector<View>& views,
                             const std::vector<Hypothesis>& hypotheses) const {
  double work = 0.0;
  for (const Hypothesis& hypothesis : hypotheses)
    work += numbers_ * real(views[at(hypothesis.view)].numbers());
  return work;
}

MemberEvidence EvidenceReading::of(const std::vector<View>& views, std::vector<Hypothesis>& hypotheses,
                                   ThreadPool& threads) const {
  const std::int64_t kinds = std::ssize(kinds_);
  const std::int64_t count = std::ssize(hypotheses);
  Columns X(data_.size(), count * kinds);
  MemberEvidence found;
  found.relevance.resize(views.size() * at(kinds));
  threads.run(std::ssize(views), [&](std::int64_t v) {
    std::vector<std::int64_t> own;
    std::vector<const Hypothesis*> patterns;
    for (std::int64_t j = 0; j < count; ++j) {
      if (hypotheses[at(j)].view != v) continue;
      own.push_back(j);
      patterns.push_back(&hypotheses[at(j)]);
    }
    const Columns read = own.empty() ? Columns() : read_evidence(data_, views[at(v)], patterns, kinds_);
    for (std::int64_t p = 0; p < std::ssize(own); ++p) {
      Hypothesis& hypothesis = hypotheses[at(own[at(p)])];
      for (std::int64_t k = 0; k < kinds; ++k) {
        auto x = X.col(own[at(p)] * kinds + k);
        x = read.col(p * kinds + k);
        hypothesis.standard[static_cast<std::size_t>(kinds_[at(k)])] = standardise(x, hypothesis.shapelet);
      }
    }
    threads.run(kinds, [&](std::int64_t k) {
      Columns judged(Y_.rows(), std::ssize(own));
      for (std::int64_t p = 0; p < std::ssize(own); ++p) {
        judged.col(p) = some_rows(Columns(X.col(own[at(p)] * kinds + k)), kJudges);
      }
      found.relevance[at(v * kinds + k)] = relevance(judged, Y_, v_);
    });
  });
  found.X = ShortColumns(X);
  return found;
}

}  // namespace shapeboost::detail
