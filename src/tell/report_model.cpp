// SPDX-License-Identifier: MIT
// What the report says of the model and of the whole set.
#include <algorithm>
#include <cmath>

#include "ground/numbers.hpp"
#include "shapeboost/base.hpp"
#include "tell/metrics.hpp"
#include "tell/record.hpp"
#include "tell/report.hpp"

namespace shapeboost::detail {
namespace {

constexpr std::size_t kCards = 60;        // hypotheses with everything that is known of them
constexpr std::size_t kPoints = 64;       // of a drawn shape
constexpr std::size_t kBehind = 4;        // training instances drawn of a card
constexpr std::size_t kCardFeatures = 8;  // drawn of an instance of a bag
constexpr std::size_t kRocPoints = 400;

Json list_json(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number_or_null(value));
  return list;
}

/// A number to seven digits, which is what a picture needs, and shorter than the whole.
double rounded(double value) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, 6.0 - std::floor(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

/// At most kPoints of the values, evenly.
Json thinned(const double* begin, std::int64_t count) {
  Json list = Json::array();
  const std::int64_t points = std::min<std::int64_t>(count, kPoints);
  for (std::int64_t k = 0; k < points; ++k) {
    const std::int64_t t = points == 1 ? 0 : k * (count - 1) / (points - 1);
    list.push_back(rounded(begin[t]));
  }
  return list;
}

/// A training instance as people may see it: a curve a channel, symbols, or the features, and their numbers,
/// that differ most from the training data's.
Json shape_json(const View& view, const Instance& z) {
  if (view.kind == DataKind::sequences) {
    return sequence_text(z.values);
  }
  Json curves = Json::array();
  if (view.kind == DataKind::bags) {
    if (view.kernel.kind == KernelKind::gram) {
      return "row " + std::to_string(std::llround(z.values.front())) + " of the matrix";
    }
    std::vector<double> seen;
    for (std::size_t f = 0; f < z.values.size(); ++f) {
      seen.push_back((z.values[f] - view.centre[f]) / view.scale[f]);
    }
    for (const std::int64_t f : by_size(seen)) {
      if (curves.size() == kCardFeatures) break;
      const auto feature = view.features.empty() ? static_cast<int>(f) : view.features[at(f)];
      curves.push_back(Json::array({feature, rounded(seen[at(f)])}));
    }
    return curves;
  }
  for (std::int64_t c = 0; c < view.rows(); ++c) {
    std::vector<double> curve(z.values.begin() + c * view.length, z.values.begin() + (c + 1) * view.length);
    if (view.differences) {  // summed up: the shape that has these differences
      curve.insert(curve.begin(), 0.0);
      for (std::size_t k = 1; k < curve.size(); ++k) curve[k] += curve[k - 1];
    }
    curves.push_back(thinned(curve.data(), static_cast<std::int64_t>(curve.size())));
  }
  return curves;
}

Json view_json(const View& view) {
  Json json{{"length", view.length}, {"span", view.span()}, {"kernel", to_string(view.kernel.kind)}};
  if (view.kind == DataKind::bags) return json;
  json["dilation"] = view.dilation;
  json["differences"] = view.differences;
  json["channel"] = view.channel;
  json["normalisation"] = to_string(view.normalisation);
  return json;
}

/// How the responses of one hypothesis separate the sides of the part in which it weighs most.
double separation(const ReportWork& work, std::size_t j, int part) {
  const Part& of = work.model.parts[at(part)];
  std::vector<int> labels;
  std::vector<double> said;
  for (std::size_t i = 0; i < work.labels.size(); ++i) {
    const int label = work.labels[i];
    if (label == kUnlabelled || (of.negative != kRest && label != of.positive && label != of.negative))
      continue;
    labels.push_back(label == of.positive ? 1 : 0);
    said.push_back(work.model.hypotheses[j].sign * work.responses.value(i, j));
  }
  return auc(labels, said);
}

/// False and true positive rates of "this class" by its score, from strict to lenient.
Json roc_json(const std::vector<int>& labels, const Array<double>& scores, int k) {
  std::vector<std::pair<double, bool>> order;
  double positives = 0.0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == kUnlabelled) continue;
    order.emplace_back(scores(i, k), labels[i] == k);
    positives += labels[i] == k ? 1.0 : 0.0;
  }
  const double negatives = static_cast<double>(order.size()) - positives;
  if (positives == 0.0 || negatives == 0.0) return nullptr;
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::pair<double, double>> points{{0.0, 0.0}};
  double hits = 0.0;
  double false_alarms = 0.0;
  for (std::size_t n = 0; n < order.size(); ++n) {
    (order[n].second ? hits : false_alarms) += 1.0;
    if (n + 1 < order.size() && order[n + 1].first == order[n].first) continue;
    points.emplace_back(false_alarms / negatives, hits / positives);
  }
  Json list = Json::array();
  const std::size_t step = std::max<std::size_t>(1, points.size() / kRocPoints);
  for (std::size_t n = 0; n < points.size(); n += step) {
    list.push_back(Json::array({rounded(points[n].first), rounded(points[n].second)}));
  }
  list.push_back(Json::array({1.0, 1.0}));
  return list;
}

}  // namespace

Json evaluation_json(const ReportWork& work) {
  const auto classes = static_cast<int>(work.model.classes.size());
  const Array<double> by_class = class_scores(work.model, work.scores);
  std::vector<int> labels;
  std::vector<int> predicted;
  std::vector<double> said;
  for (std::size_t i = 0; i < work.labels.size(); ++i) {
    if (work.labels[i] == kUnlabelled) continue;
    labels.push_back(work.labels[i]);
    predicted.push_back(work.predicted[i]);
    const std::span<const double> row = by_class.row(i);
    said.insert(said.end(), row.begin(), row.end());
  }
  if (labels.empty()) return nullptr;
  Array<double> known(labels.size(), classes);
  std::ranges::copy(said, known.data());
  const Array<int> confusion = confusion_matrix(labels, predicted, classes);
  Json counts = Json::array();
  for (int a = 0; a < classes; ++a) {
    Json row = Json::array();
    for (int b = 0; b < classes; ++b) row.push_back(confusion(a, b));
    counts.push_back(row);
  }
  const std::vector<double> aucs = auc_per_class(labels, known);
  Json rocs = Json::array();
  for (int k = classes == 2 ? 1 : 0; k < classes; ++k)
    rocs.push_back({{"class", k}, {"points", roc_json(labels, known, k)}});
  // Two classes: the score. More: how far the true class is ahead of the best other.
  std::vector<float> ahead;
  std::vector<std::int16_t> of;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    double value = known(i, classes == 2 ? 1 : labels[i]);
    if (classes > 2) {
      double rival = -INFINITY;
      for (int k = 0; k < classes; ++k) {
        if (k != labels[i]) rival = std::max(rival, known(i, k));
      }
      value -= rival;
    }
    ahead.push_back(static_cast<float>(value));
    of.push_back(static_cast<std::int16_t>(labels[i]));
  }
  return {{"n", labels.size()},
          {"accuracy", number_or_null(accuracy(confusion))},
          {"balanced_accuracy", number_or_null(balanced_accuracy(confusion))},
          {"macro_f1", number_or_null(macro_f1(confusion))},
          {"auc", number_or_null(classes == 2 ? aucs[1] : mean_of_known(aucs))},
          {"confusion", counts},
          {"recall", list_json(recall(confusion))},
          {"precision", list_json(precision(confusion))},
          {"roc", rocs},
          {"distribution", {{"value", packed(ahead)}, {"label", packed(of)}}}};
}

Json hypotheses_json(const ReportWork& work, const std::vector<char>& used) {
  const std::vector<HypothesisSummary> summaries = summarise(work.model);
  Json list = Json::array();
  for (std::size_t j = 0; j < summaries.size(); ++j) {
    const bool card = j < kCards;
    if (!card && used[j] == 0) continue;
    const HypothesisSummary& s = summaries[j];
    const Hypothesis& hypothesis = work.model.hypotheses[j];
    const View& view = work.model.views[at(hypothesis.view)];
    const Instance& main = hypothesis.shapelet.instances[s.main];
    Json json{{"id", j},
              {"w", rounded(s.w)},
              {"sign", hypothesis.sign},
              {"claim", to_string(s.claim)},
              {"part", s.uses.front().part},
              {"speaks_for", s.uses.front().speaks_for},
              {"view", view_json(view)},
              {"alpha", rounded(hypothesis.shapelet.alpha[s.main])},
              {"example", main.example},
              {"position", main.position},
              {"shape", shape_json(view, main)}};
    for (const Remark& remark : work.settings.hypothesis_remarks) {
      if (remark.hypothesis == static_cast<int>(j)) json["remark"] = remark.text;
    }
    if (card) {
      const Firing& firing = work.firings[j];
      Json uses = Json::array();
      for (const HypothesisUse& use : s.uses) uses.push_back({{"part", use.part}, {"w", rounded(use.w)}});
      Json behind = Json::array();
      for (const std::int64_t k : by_size(hypothesis.shapelet.alpha)) {
        const Instance& z = hypothesis.shapelet.instances[at(k)];
        Json one{{"alpha", rounded(hypothesis.shapelet.alpha[at(k)])},
                 {"example", z.example},
                 {"position", z.position}};
        if (behind.size() < kBehind) one["shape"] = shape_json(view, z);
        behind.push_back(std::move(one));
      }
      json["uses"] = uses;
      json["behind"] = behind;
      json["firing"] = {
          {"threshold", rounded(firing.threshold)}, {"sought", firing.sought},     {"fired", firing.fired},
          {"sought_in", firing.sought_in},          {"fired_in", firing.fired_in}, {"places", firing.places}};
      json["auc"] = number_or_null(separation(work, j, s.uses.front().part));
      std::vector<float> said;
      for (const std::int64_t i : work.shown) {
        said.push_back(static_cast<float>(work.responses.value(i, j)));
      }
      json["responses"] = packed(said);
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json story_json(const ReportWork& work) {
  if (work.data.kind() != DataKind::series || work.data.size() == 0) return nullptr;
  const std::int64_t bins = evidence_bins(work.data);
  const auto classes = static_cast<int>(work.model.classes.size());
  const std::int64_t channels = work.data.width();
  std::vector<std::vector<double>> means;  // of the contributions, part by part
  means.reserve(work.model.parts.size());
  for (int p = 0; p < static_cast<int>(work.model.parts.size()); ++p) {
    means.push_back(mean_contributions(work.model, work.responses, p, concerned(work, p)));
  }
  Json list = Json::array();
  for (int k = 0; k < classes; ++k) {
    Vector level = Vector::Zero(channels * bins);
    Vector square = Vector::Zero(channels * bins);
    Vector seen = Vector::Zero(channels * bins);
    Vector weight = Vector::Zero(channels * bins);
    std::int64_t examples = 0;
    for (std::int64_t i = 0; i < work.data.size(); ++i) {
      const int known = work.labels[at(i)] == kUnlabelled ? work.predicted[at(i)] : work.labels[at(i)];
      if (known != k) continue;
      ++examples;
      const ArrayView series = work.data.values(i);
      for (std::int64_t c = 0; c < channels; ++c) {
        for (std::int64_t b = 0; b < bins; ++b) {
          const std::int64_t t = bins == 1 ? 0
                                           : std::llround(static_cast<double>(b * (series.cols() - 1)) /
                                                          static_cast<double>(bins - 1));
          const double value = series(c, t);
          if (std::isnan(value)) continue;
          level[c * bins + b] += value;
          square[c * bins + b] += value * value;
          seen[c * bins + b] += 1.0;
        }
      }
      // Two classes: towards the second. More: towards the class itself, in the part that says most.
      int part = work.telling[at(i)];
      double sign = 1.0;
      if (classes > 2) {
        const Part& of = work.model.parts[at(part)];
        if (of.positive != k && of.negative != k) part = part_of(work.model, k, work.predicted[at(i)]);
        sign = work.model.parts[at(part)].positive == k ? 1.0 : -1.0;
      }
      const std::vector<double> curve = binned_evidence(work, i, part, means[at(part)], bins);
      for (std::size_t b = 0; b < curve.size(); ++b) weight[static_cast<std::int64_t>(b)] += sign * curve[b];
    }
    if (examples == 0) continue;
    Json mean = Json::array();
    Json deviation = Json::array();
    Json weighted = Json::array();
    for (Eigen::Index b = 0; b < level.size(); ++b) {
      const double average = level[b] / seen[b];
      mean.push_back(number_or_null(rounded(average)));
      deviation.push_back(
          number_or_null(rounded(std::sqrt(std::max(0.0, square[b] / seen[b] - average * average)))));
      weighted.push_back(number_or_null(rounded(weight[b] / static_cast<double>(examples))));
    }
    list.push_back({{"class", k},
                    {"examples", examples},
                    {"mean", mean},
                    {"deviation", deviation},
                    {"evidence", weighted}});
  }
  return {{"bins", bins}, {"channels", channels}, {"classes", list}};
}

}  // namespace shapeboost::detail
