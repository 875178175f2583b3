// SPDX-License-Identifier: MIT
#include "train/class_weights.hpp"

#include <cmath>

#include "ground/text.hpp"

namespace shapeboost {
namespace {

constexpr const char* kExpected =
    "class-weights: expected uniform, balanced or LABEL=WEIGHT,LABEL=WEIGHT, found ";

ClassWeights::LabelWeight parse_pair(std::string_view pair, std::string_view whole) {
  const std::size_t equals = pair.rfind('=');
  if (equals == std::string_view::npos) throw InvalidInput(kExpected + detail::quote(whole));
  const std::string label = canonical_label(pair.substr(0, equals));
  if (label.empty()) throw InvalidInput("class-weights: no label before '=' in " + detail::quote(whole));
  const std::string_view number = detail::trim(pair.substr(equals + 1));
  double weight = 0.0;
  if (detail::parse_number(number, weight) != detail::NumberFault::none) {
    throw InvalidInput("class-weights: expected a number as the weight of " + detail::quote(label) +
                       ", found " + detail::quote(number));
  }
  return {label, weight};
}

}  // namespace

ClassWeights ClassWeights::parse(std::string_view text) {
  const std::string_view whole = detail::trim(text);
  if (whole == "uniform") return {Rule::uniform, {}};
  if (whole == "balanced") return {Rule::balanced, {}};
  ClassWeights weights{Rule::by_label, {}};
  for (std::string_view rest = whole;;) {
    const std::size_t comma = rest.find(',');
    weights.labels.push_back(parse_pair(rest.substr(0, comma), whole));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (const std::string fault = validate(weights); !fault.empty()) throw InvalidInput(fault);
  return weights;
}

std::string ClassWeights::text() const {
  if (rule == Rule::uniform) return "uniform";
  if (rule == Rule::balanced) return "balanced";
  std::string text;
  for (const LabelWeight& pair : labels) {
    text += (text.empty() ? "" : ",") + pair.label + '=' + detail::number(pair.weight);
  }
  return text;
}

std::string validate(const ClassWeights& weights) {
  if (weights.rule != ClassWeights::Rule::by_label) return {};
  if (weights.labels.empty()) return "class-weights: expected the weight of at least one label, found none";
  for (auto pair = weights.labels.begin(); pair != weights.labels.end(); ++pair) {
    if (!(pair->weight >= ClassWeights::kSmallest && pair->weight <= ClassWeights::kLargest)) {
      return "class-weights: expected a weight from " + detail::number(ClassWeights::kSmallest) + " to " +
             detail::number(ClassWeights::kLargest) + " for " + detail::quote(pair->label) + ", found " +
             detail::number(pair->weight);
    }
    const auto same = [&](const ClassWeights::LabelWeight& other) { return other.label == pair->label; };
    if (std::any_of(weights.labels.begin(), pair, same)) {
      return "class-weights: expected each label once, found " + detail::quote(pair->label) + " twice";
    }
  }
  return {};
}

Vector bag_weights(const ClassWeights& weights, const std::vector<std::string>& classes,
                   const std::vector<int>& labels, const Vector& y) {
  const Eigen::Index m = y.size();
  if (weights.rule == ClassWeights::Rule::uniform) return Vector::Ones(m);
  if (weights.rule == ClassWeights::Rule::balanced) {
    const auto positive = static_cast<double>((y.array() > 0.0).count());
    const double negative = static_cast<double>(m) - positive;
    return y.unaryExpr([&](double side) { return 1.0 / (side > 0.0 ? positive : negative); });
  }
  Vector of_class = Vector::Ones(static_cast<Eigen::Index>(classes.size()));
  for (const ClassWeights::LabelWeight& pair : weights.labels) {
    const auto found = std::find(classes.begin(), classes.end(), canonical_label(pair.label));
    if (found == classes.end()) {
      std::string known;
      for (const std::string& name : classes) known += (known.empty() ? "" : ", ") + detail::quote(name);
      throw InvalidInput("class-weights: expected labels among " + known + ", found " +
                         detail::quote(pair.label));
    }
    of_class[found - classes.begin()] = pair.weight;
  }
  Vector v(m);
  for (Eigen::Index i = 0; i < m; ++i) v[i] = of_class[labels[static_cast<std::size_t>(i)]];
  return v;
}

Vector example_weights(const ClassWeights& weights, const std::vector<std::string>& classes,
                       const std::vector<int>& labels) {
  if (weights.rule == ClassWeights::Rule::uniform) return {};
  Vector v;
  if (weights.rule == ClassWeights::Rule::balanced) {
    Vector count = Vector::Zero(std::ssize(classes));
    for (const int label : labels) count[label] += 1.0;
    v = Vector::NullaryExpr(std::ssize(labels), [&](Eigen::Index i) { return 1.0 / count[labels[at(i)]]; });
  } else {
    v = bag_weights(weights, classes, labels, Vector::Ones(std::ssize(labels)));
  }
  return v / v.mean();
}

}  // namespace shapeboost
