// SPDX-License-Identifier: MIT
#include "train/evidence.hpp"

#include <cmath>
#include <limits>

#include "ground/numbers.hpp"
#include "model/pattern_reader.hpp"

namespace shapeboost::detail {
namespace {

/// Columns whose deviation is less than this say nothing.
constexpr double kConstant = 1e-6;
/// All evidence lies between 0 and 1. What hardly varies over the training examples must not be blown up: another
/// example may well lie outside. So this is added to the deviation, as if measured with such an error.
constexpr double kFloor = 0.02;

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

}  // namespace

std::vector<std::vector<std::int64_t>> by_view(const Model& model, std::int64_t first) {
  std::vector<std::vector<std::int64_t>> of_view(model.views.size());
  for (std::int64_t j = first; j < std::ssize(model.hypotheses); ++j) {
    of_view[at(model.hypotheses[at(j)].view)].push_back(j);
  }
  return of_view;
}

Columns read_evidence(const Dataset& data, const Model& model, std::int64_t v,
                      const std::vector<std::int64_t>& hypotheses, const std::vector<Evidence>& kinds) {
  std::vector<const Hypothesis*> patterns;
  for (const std::int64_t j : hypotheses) patterns.push_back(&model.hypotheses[at(j)]);
  const auto reader = make_reader(model.views[at(v)], patterns);
  Columns X = Columns::Constant(data.size(), std::ssize(patterns) * std::ssize(kinds), kUnknown);
  Readings readings;
  for (std::int64_t i = 0; i < data.size(); ++i) {
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

}  // namespace shapeboost::detail
