// SPDX-License-Identifier: MIT
#include "train/class_weights.hpp"

#include <cmath>

#include "ground/numbers.hpp"
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

namespace {

/// Of each class what it weighs by its label.
Vector of_labels(const ClassWeights& weights, const std::vector<std::string>& classes) {
  Vector of_class = Vector::Ones(std::ssize(classes));
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
  return of_class;
}

/// Each divided by the sum of its group's.
void balance(Vector& v, const std::vector<int>& group, std::int64_t groups) {
  Vector sum = Vector::Zero(groups);
  for (Eigen::Index i = 0; i < v.size(); ++i) sum[group[at(i)]] += v[i];
  for (Eigen::Index i = 0; i < v.size(); ++i) v[i] /= sum[group[at(i)]];
}

}  // namespace

Vector bag_weights(const ClassWeights& weights, const Dataset& data, const std::vector<std::int64_t>& bags,
                   const Vector& y) {
  const auto bag = [&](Eigen::Index i) { return bags.empty() ? i : bags[at(i)]; };
  Vector v = Vector::Ones(y.size());
  if (data.is_weighted()) {
    for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = data.weight(bag(i));
  }
  if (weights.rule == ClassWeights::Rule::balanced) {
    std::vector<int> side;
    for (const double one : y) side.push_back(one > 0.0 ? 1 : 0);
    balance(v, side, 2);
  } else if (weights.rule == ClassWeights::Rule::by_label) {
    const Vector of_class = of_labels(weights, data.classes());
    for (Eigen::Index i = 0; i < v.size(); ++i) v[i] *= of_class[data.label(bag(i))];
  }
  return v;
}

Vector example_weights(const ClassWeights& weights, const Dataset& data) {
  if (weights.rule == ClassWeights::Rule::uniform && !data.is_weighted()) return {};
  const bool balanced = weights.rule == ClassWeights::Rule::balanced;
  Vector v = bag_weights(balanced ? ClassWeights{} : weights, data, {}, Vector::Ones(data.size()));
  if (balanced) {
    std::vector<int> labels;
    for (std::int64_t i = 0; i < data.size(); ++i) labels.push_back(data.label(i));
    balance(v, labels, std::ssize(data.classes()));
  }
  return v / v.mean();
}

}  // namespace shapeboost
