// SPDX-License-Identifier: MIT
#include "train/problem.hpp"

#include "data/magnitude.hpp"
#include "ground/rng.hpp"

namespace shapeboost::detail {
void check_training_data(const Dataset& data) {
  if (data.size() < 2) {
    throw InvalidInput("training data: expected at least two examples, found " + std::to_string(data.size()));
  }
  std::vector<std::int64_t> sizes(data.classes().size(), 0);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (data.label(i) == kUnlabelled) {
      throw InvalidInput("training data: example " + data.name(i) + " has no label");
    }
    ++sizes[at(data.label(i))];
  }
  if (sizes.size() == 1) {
    throw InvalidInput("training data: expected at least two classes, found only '" + data.classes()[0] +
                       "'");
  }
  const auto empty = std::find(sizes.begin(), sizes.end(), 0);
  if (empty != sizes.end()) {
    throw InvalidInput("training data: no example of class '" + data.classes()[at(empty - sizes.begin())] +
                       "'");
  }
  if (data.width() > kWidest) {
    throw InvalidInput("training data: expected at most " + std::to_string(kWidest) +
                       " features or channels, found " + std::to_string(data.width()));
  }
  for (const std::string& fault : {too_large(data), too_small(data)}) {
    if (!fault.empty()) throw InvalidInput("training data: " + fault);
  }
}

Problem problem_of(const Dataset& data, const Part& part, const ClassWeights& weights) {
  Problem problem;
  std::vector<double> y;
  const bool everyone = part.negative == kRest || data.classes().size() == 2;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const int label = data.label(i);
    if (!everyone && label != part.positive && label != part.negative) continue;
    if (!everyone) problem.bags.push_back(i);
    y.push_back(label == part.positive ? 1.0 : -1.0);
  }
  problem.sides.y = Eigen::Map<const Vector>(y.data(), static_cast<Eigen::Index>(y.size()));
  problem.sides.v = bag_weights(weights, data, problem.bags, problem.sides.y);
  return problem;
}

Problem drawn(const Problem& problem, std::int64_t limit, std::uint64_t seed) {
  const Sides& sides = problem.sides;
  const auto size = static_cast<std::int64_t>(sides.y.size());
  if (limit == 0 || size <= limit) return problem;
  std::vector<Eigen::Index> order(at(size));
  std::iota(order.begin(), order.end(), 0);
  Rng rng(seed);
  rng.shuffle(order);
  const auto middle =
      std::stable_partition(order.begin(), order.end(), [&](Eigen::Index i) { return sides.y[i] < 0.0; });
  const double negatives =
      static_cast<double>(middle - order.begin()) * static_cast<double>(limit) / static_cast<double>(size);
  const auto of_first = std::clamp<std::ptrdiff_t>(std::lround(negatives), 1, limit - 1);
  std::vector<Eigen::Index> chosen(order.begin(), order.begin() + of_first);
  chosen.insert(chosen.end(), middle, middle + (limit - of_first));
  std::sort(chosen.begin(), chosen.end());
  Problem part;
  part.sides.y = sides.y(chosen);
  if (sides.v.size() > 0) part.sides.v = sides.v(chosen);
  for (const Eigen::Index i : chosen) part.bags.push_back(problem.bags.empty() ? i : problem.bags[at(i)]);
  return part;
}

}  // namespace shapeboost::detail
