// SPDX-License-Identifier: MIT
// Explanations of whole sets: where hypotheses fire, where the evidence lies, which examples are alike.
#include <algorithm>
#include <numeric>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "ground/parallel.hpp"
#include "ground/text.hpp"
#include "model/interval_reader.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/explanation.hpp"
#include "tell/record.hpp"

namespace shapeboost {
namespace {

/// Between the two groups of numbers that have the least variance within them, which is the same as the
/// largest n_1 n_2 (mean_1 - mean_2)^2: half way from the largest of the lower to the smallest of the upper.
/// Where all are equal, that number.
double two_groups(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::ranges::sort(values);
  const double total = std::accumulate(values.begin(), values.end(), 0.0);
  const auto n = real(values.size());
  double threshold = values.back();
  double best = 0.0;
  double below = 0.0;
  for (std::size_t k = 1; k < values.size(); ++k) {
    below += values[k - 1];
    if (values[k] == values[k - 1]) continue;
    const auto lower = real(k);
    const double difference = below / lower - (total - below) / (n - lower);
    const double between = lower * (n - lower) * difference * difference;
    if (between > best) {
      best = between;
      // Half way, and never the upper number itself, which has to lie above.
      threshold = std::min(0.5 * (values[k - 1] + values[k]), std::nextafter(values[k], values[k - 1]));
    }
  }
  return threshold;
}

/// Weights of a hypothesis' best match summed over the parts, in units of the response.
Vector total_weights(const Model& model) {
  Vector w = Vector::Zero(std::ssize(model.hypotheses));
  for (const Part& part : model.parts) {
    for (const Weight& weight : part.weights) {
      if (weight.evidence != Evidence::best) continue;
      w[weight.hypothesis] +=
          std::abs(weight.w) /
          model.hypotheses[at(weight.hypothesis)].standard[static_cast<std::size_t>(Evidence::best)].scale;
    }
  }
  return w;
}

}  // namespace

std::vector<Firing> firings(const Model& model, const Dataset& data, const Responses& responses,
                            const std::vector<int>& labels) {
  if (responses.value.rows() != data.size() || std::ssize(labels) != data.size()) {
    throw InvalidInput(concat("expected responses and labels of the ", data.size(), " examples"));
  }
  std::vector<Firing> result;
  for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
    const View& view = model.views[at(model.hypotheses[j].view)];
    std::vector<double> known;
    for (std::int64_t i = 0; i < data.size(); ++i) {
      if (responses.instance(i, j) >= 0) known.push_back(responses.value(i, j));
    }
    Firing firing;
    firing.sought = std::ssize(known);
    if (!known.empty()) firing.mean = std::accumulate(known.begin(), known.end(), 0.0) / real(known.size());
    firing.threshold = two_groups(std::move(known));
    firing.sought_in.assign(model.classes.size(), 0);
    firing.fired_in.assign(model.classes.size(), 0);
    if (data.kind() != DataKind::bags && view.transform != Transform::spectrum)
      firing.places.assign(kPlaces, 0);
    for (std::int64_t i = 0; i < data.size(); ++i) {
      if (responses.instance(i, j) < 0) continue;
      const bool fires = responses.value(i, j) > firing.threshold;
      if (labels[at(i)] != kUnlabelled) ++firing.sought_in[at(labels[at(i)])];
      if (!fires) continue;
      ++firing.fired;
      if (labels[at(i)] != kUnlabelled) ++firing.fired_in[at(labels[at(i)])];
      if (firing.places.empty()) continue;
      const double middle = real(responses.position(i, j)) + 0.5 * real(view.span());
      const double share = middle / real(data.values(i).cols());
      ++firing.places[at(std::min<std::int64_t>(kPlaces - 1, static_cast<std::int64_t>(kPlaces * share)))];
    }
    result.push_back(std::move(firing));
  }
  return result;
}

std::vector<double> mean_contributions(const Model& model, const Responses& responses, int part,
                                       const std::vector<char>& among) {
  const std::int64_t examples = responses.value.rows();
  Vector share = Vector::Zero(examples);  // of each example in the mean
  for (std::int64_t i = 0; i < examples; ++i) share[i] = among.empty() || among[at(i)] != 0 ? 1.0 : 0.0;
  if (share.sum() > 0.0) share /= share.sum();
  const Part& of = model.parts.at(at(part));
  const std::size_t patterns = model.hypotheses.size() * kEvidences;
  std::vector<double> mean(patterns + of.intervals.size(), 0.0);
  for (std::int64_t i = 0; i < examples; ++i) {  // a row of the responses lies together
    if (share[i] == 0.0) continue;
    for (const Weight& weight : of.weights) {
      if (responses.instance(i, weight.hypothesis) < 0) continue;
      mean[detail::entry_of(weight.hypothesis, weight.evidence)] +=
          share[i] * contribution(model.hypotheses[at(weight.hypothesis)], weight,
                                  responses.of(weight.evidence, i, weight.hypothesis));
    }
    for (std::size_t k = 0; k < of.intervals.size(); ++k) {
      mean[patterns + k] += share[i] * contribution(*model.head->intervals, of, k, responses.intervals(i, k));
    }
  }
  return mean;
}

Array<double> evidence(const Model& model, const Dataset& data, const Responses& responses,
                       std::int64_t example, int part, std::span<const double> offset) {
  if (data.kind() == DataKind::bags) throw InvalidInput("data: only series and sequences have time steps");
  const std::int64_t channels = data.values(example).rows();
  Array<double> result(channels, data.values(example).cols());
  const Explanation explanation = detail::unsorted_explanation(model, responses, example, part);
  for (const IntervalContribution& c : explanation.intervals) {
    const Interval interval = model.head->intervals->at(c.number);
    const bool everywhere = interval.transform == Transform::spectrum;
    const auto [first, last] = detail::interval_steps(interval, result.cols());
    const double value =
        c.value - (offset.empty() ? 0.0 : offset[model.hypotheses.size() * kEvidences + c.number]);
    const std::int64_t from = everywhere ? 0 : first;
    const std::int64_t to = everywhere ? result.cols() : last;
    for (std::int64_t t = from; t < to; ++t) result(interval.channel, t) += value / real(to - from);
  }
  for (const Contribution& c : explanation.contributions) {
    if (c.position < 0) continue;
    const View& view = model.views[at(model.hypotheses[at(c.hypothesis)].view)];
    const std::int64_t rows = view.rows();
    const double value =
        c.value - (offset.empty() ? 0.0 : offset[detail::entry_of(c.hypothesis, c.evidence)]);
    for (std::int64_t row = 0; row < rows; ++row) {
      const bool everywhere = view.transform == Transform::spectrum;  // a frequency has no place in time
      const std::int64_t first = everywhere ? 0 : c.position;
      const std::int64_t count = everywhere ? result.cols() : view.span();
      for (std::int64_t t = first; t < first + count; ++t) {
        result(view.channel(row), t) += value / real(rows * count);
      }
    }
  }
  return result;
}

std::vector<std::vector<std::int64_t>> neighbours(const Model& model, const Responses& responses,
                                                  std::int64_t count, int threads) {
  constexpr Eigen::Index kRows = 64;  // of examples compared with all others at once
  const Eigen::MatrixXd value = mapped(responses.value);
  const Eigen::Index n = value.rows();
  const Eigen::RowVectorXd mean = n > 0 ? Eigen::RowVectorXd(value.colwise().mean()) : Eigen::RowVectorXd();
  // Centred, so that |a|^2 + |b|^2 - 2 a.b loses little.
  const Eigen::MatrixXd said =
      n > 0 ? Eigen::MatrixXd((value.rowwise() - mean) * total_weights(model).asDiagonal())
            : Eigen::MatrixXd();
  const Vector norm2 = n > 0 ? Vector(said.rowwise().squaredNorm()) : Vector();
  std::vector<std::vector<std::int64_t>> result(at(n));
  ThreadPool pool(threads);
  pool.run((n + kRows - 1) / kRows, [&](std::int64_t block) {
    const Eigen::Index first = block * kRows;
    const Eigen::Index rows = std::min(kRows, n - first);
    Eigen::MatrixXd distance = -2.0 * said * said.middleRows(first, rows).transpose();
    distance.colwise() += norm2;
    for (Eigen::Index r = 0; r < rows; ++r) {
      std::vector<std::int64_t> order(at(n));
      std::iota(order.begin(), order.end(), 0);
      order.erase(order.begin() + first + r);
      const auto wanted = std::min<std::int64_t>(count, n - 1);
      std::partial_sort(order.begin(), order.begin() + wanted, order.end(),
                        [&](std::int64_t a, std::int64_t b) {
                          return distance(a, r) != distance(b, r) ? distance(a, r) < distance(b, r) : a < b;
                        });
      order.resize(at(wanted));
      result[at(first + r)] = std::move(order);
    }
  });
  return result;
}

}  // namespace shapeboost
