// SPDX-License-Identifier: MIT
// What the report says of the model and of the whole set.
#include "shapeboost/base.hpp"
#include "tell/json.hpp"
#include "tell/metrics.hpp"
#include "tell/record.hpp"
#include "tell/report.hpp"
#include "view/bag_mapping.hpp"

namespace shapeboost::detail {
namespace {

constexpr std::size_t kCards = 60;        // hypotheses with everything that is known of them
constexpr std::size_t kPoints = 64;       // of a drawn shape
constexpr std::size_t kBehind = 4;        // training instances drawn of a card
constexpr std::size_t kCardFeatures = 8;  // drawn of an instance of a bag
constexpr std::size_t kRocPoints = 400;

/// A number to seven digits, which is what a picture needs, and shorter than the whole.
double rounded(double value) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, 6.0 - std::floor(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

/// At most kPoints of the values, evenly.
Json thinned(const std::vector<double>& values) {
  Json list = Json::array();
  const std::size_t points = std::min(values.size(), kPoints);
  for (std::size_t k = 0; k < points; ++k) {
    list.push_back(rounded(values[points == 1 ? 0 : k * (values.size() - 1) / (points - 1)]));
  }
  return list;
}

/// The features, and their numbers, that differ most from the training data's.
Json features_json(const View& view, const Instance& z) {
  View whole = view;
  whole.aspect = Aspect::whole;
  const std::vector<double> values = z.full(view.rows());
  std::vector<double> mapped(values.size());
  map_instance(whole, values.data(), mapped.data());
  std::vector<std::int64_t> order = by_size(mapped);
  order.resize(std::min(order.size(), kCardFeatures));
  Json list = Json::array();
  for (const std::int64_t f : order) {
    list.push_back(Json::array({view.features.empty() ? f : view.features[at(f)], rounded(mapped[at(f)])}));
  }
  return list;
}

/// A training instance as people may see it: a curve a channel, symbols, or features.
Json shape_json(const View& view, const Instance& z) {
  if (view.kind == DataKind::sequences) {
    return sequence_text(z.values);
  }
  if (view.kind == DataKind::bags && view.kernel.kind() == KernelKind::gram) {
    return concat("row ", std::llround(z.values.front()), " of the matrix");
  }
  if (view.kind == DataKind::bags) return features_json(view, z);
  Json curves = Json::array();
  for (std::int64_t c = 0; c < view.rows(); ++c) {
    std::vector<double> curve(z.values.begin() + c * view.length, z.values.begin() + (c + 1) * view.length);
    if (view.transform == Transform::differences) {  // summed up: the shape that has these differences
      curve.insert(curve.begin(), 0.0);
      std::partial_sum(curve.begin(), curve.end(), curve.begin());
    }
    curves.push_back(thinned(curve));
  }
  return curves;
}

Json view_json(const View& view) {
  Json json{{"length", view.length}, {"span", view.span()}, {"kernel", to_string(view.kernel.kind())}};
  if (view.kind == DataKind::bags) {
    json["scaling"] = to_string(view.scaling);
    json["aspect"] = to_string(view.aspect);
    if (view.whole != 0) json["whole"] = view.whole;
    return json;
  }
  json["dilation"] = view.dilation;
  json["transform"] = to_string(view.transform);
  if (view.transform == Transform::spectrum) json["period"] = view.period;
  if (view.rate > 0.0) json["rate"] = view.rate;
  json["channels"] = channels_json(view);
  json["normalisation"] = to_string(view.normalisation);
  return json;
}

/// How what one hypothesis adds to the score separates the sides of the part in which it weighs most.
double separation(const ReportWork& work, std::size_t j, int part) {
  const Part& of = work.model.parts[at(part)];
  std::vector<Weight> own;
  std::ranges::copy_if(of.weights, std::back_inserter(own),
                       [&](const Weight& weight) { return at(weight.hypothesis) == j; });
  std::vector<int> labels;
  std::vector<double> said;
  for (std::size_t i = 0; i < work.labels.size(); ++i) {
    const int label = work.labels[i];
    if (label == kUnlabelled || (of.negative != kRest && label != of.positive && label != of.negative))
      continue;
    labels.push_back(label == of.positive ? 1 : 0);
    double sum = 0.0;
    for (const Weight& weight : own) {
      if (work.responses.instance(i, j) < 0) continue;
      sum += contribution(work.model.hypotheses[j], weight, work.responses.of(weight.evidence, i, j));
    }
    said.push_back(sum);
  }
  return auc(labels, said);
}

/// What a hypothesis that is told of in full has besides: its uses, all its instances, where it fires.
void add_card(const ReportWork& work, std::size_t j, const HypothesisSummary& summary, Json& json) {
  const Firing& firing = work.firings[j];
  const Shapelet& shapelet = work.model.hypotheses[j].shapelet;
  const View& view = work.model.views[at(work.model.hypotheses[j].view)];
  Json behind = Json::array();
  for (const std::int64_t k : by_size(shapelet.alpha)) {
    const Instance& z = shapelet.instances[at(k)];
    Json one{{"alpha", rounded(shapelet.alpha[at(k)])}, {"example", z.example}, {"position", z.position}};
    if (behind.size() < kBehind) one["shape"] = shape_json(view, z);
    behind.push_back(std::move(one));
  }
  json["uses"] = list_of(summary.uses, [](const HypothesisUse& use) {
    return Json({{"part", use.part}, {"w", rounded(use.w)}});
  });
  json["behind"] = behind;
  json["firing"] = {
      {"threshold", rounded(firing.threshold)}, {"sought", firing.sought},     {"fired", firing.fired},
      {"sought_in", firing.sought_in},          {"fired_in", firing.fired_in}, {"places", firing.places}};
  json["auc"] = separation(work, j, summary.uses.front().part);
  Column<float> said;
  for (const std::int64_t i : work.shown) said.add(work.responses.value(i, static_cast<Eigen::Index>(j)));
  json["responses"] = said;
}

/// Sums over the examples of a class, in bins of the series' length, channel after channel.
struct ClassStory {
  ClassStory(std::int64_t channels, std::int64_t count) : bins(count), sums(at(channels * count)) {}

  struct Bin {
    double level = 0.0;
    double square = 0.0;
    double seen = 0.0;  // examples with a value here
    double evidence = 0.0;
  };
  std::int64_t bins;
  std::vector<Bin> sums;
  std::int64_t examples = 0;

  void add(const ArrayView& series, double sign, const std::vector<double>& evidence) {
    ++examples;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const auto c = static_cast<std::int64_t>(k) / bins;
      const std::int64_t b = static_cast<std::int64_t>(k) % bins;
      const std::int64_t t = bins == 1 ? 0 : std::llround(real(b * (series.cols() - 1)) / real(bins - 1));
      const double value = series(c, t);
      sums[k].evidence += sign * evidence[k];
      if (std::isnan(value)) continue;
      sums[k].level += value;
      sums[k].square += value * value;
      sums[k].seen += 1.0;
    }
  }
  [[nodiscard]] Json json(int k) const {
    Json mean = Json::array();
    Json deviation = Json::array();
    Json evidence = Json::array();
    for (const Bin& bin : sums) {
      const double average = bin.level / bin.seen;
      const double variance = std::max(0.0, bin.square / bin.seen - average * average);
      mean.push_back(rounded(average));
      deviation.push_back(rounded(std::sqrt(variance)));
      evidence.push_back(rounded(bin.evidence / real(examples)));
    }
    return {{"class", k},
            {"examples", examples},
            {"mean", mean},
            {"deviation", deviation},
            {"evidence", evidence}};
  }
};

/// False and true positive rates of "this class" by its score, from strict to lenient.
Json roc_json(const std::vector<int>& labels, const Array<double>& scores, int k) {
  std::vector<std::pair<double, bool>> order;
  double positives = 0.0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == kUnlabelled) continue;
    order.emplace_back(scores(i, k), labels[i] == k);
    positives += labels[i] == k ? 1.0 : 0.0;
  }
  const double negatives = real(order.size()) - positives;
  if (positives == 0.0 || negatives == 0.0) return nullptr;
  std::ranges::sort(order, [](const auto& a, const auto& b) { return a.first > b.first; });
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
  const std::vector<double> aucs = auc_per_class(labels, known);
  Json rocs = Json::array();
  for (int k = classes == 2 ? 1 : 0; k < classes; ++k)
    rocs.push_back({{"class", k}, {"points", roc_json(labels, known, k)}});
  // Two classes: the score. More: how far the true class is ahead of the best other.
  Column<float> ahead;
  Column<std::int16_t> of;
  for (std::int64_t i = 0; i < known.rows(); ++i) {
    const int label = labels[at(i)];
    double rival = classes == 2 ? 0.0 : -INFINITY;
    for (int k = 0; classes > 2 && k < classes; ++k) {
      if (k != label) rival = std::max(rival, known(i, k));
    }
    ahead.add(known(i, classes == 2 ? 1 : label) - rival);
    of.add(label);
  }
  return {{"n", labels.size()},
          {"accuracy", accuracy(confusion)},
          {"balanced_accuracy", balanced_accuracy(confusion)},
          {"macro_f1", macro_f1(confusion)},
          {"auc", classes == 2 ? aucs[1] : mean_of_known(aucs)},
          {"confusion", matrix_json(confusion)},
          {"recall", recall(confusion)},
          {"precision", precision(confusion)},
          {"roc", rocs},
          {"distribution", {{"value", ahead}, {"label", of}}}};
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
    Json& json = list.emplace_back(Json{{"id", j},
                                        {"w", rounded(s.w)},
                                        {"sign", hypothesis.sign},
                                        {"claim", to_string(s.claim)},
                                        {"part", s.uses.front().part},
                                        {"speaks_for", s.uses.front().speaks_for},
                                        {"view", view_json(view)},
                                        {"alpha", rounded(hypothesis.shapelet.alpha[s.main])},
                                        {"example", main.example},
                                        {"position", main.position},
                                        {"shape", shape_json(view, main)}});
    if (work.model.head) {
      json["by_evidence"] = list_of(s.by_evidence, [](double w) { return Json(rounded(w)); });
    }
    for (const Remark& remark : work.settings.hypothesis_remarks) {
      if (remark.hypothesis == static_cast<int>(j)) json["remark"] = remark.text;
    }
    if (card) add_card(work, j, s, json);
  }
  return list;
}

Json story_json(const ReportWork& work) {
  if (work.data.kind() != DataKind::series || work.data.size() == 0) return nullptr;
  const std::int64_t bins = evidence_bins(work.data);
  const auto classes = static_cast<int>(work.model.classes.size());
  std::vector<ClassStory> stories(at(classes), ClassStory(work.data.width(), bins));
  for (std::int64_t i = 0; i < work.data.size(); ++i) {
    const int k = work.labels[at(i)] == kUnlabelled ? work.predicted[at(i)] : work.labels[at(i)];
    // Two classes: towards the second. More: towards the class itself, in the part that says most.
    int part = work.telling[at(i)];
    double sign = 1.0;
    if (classes > 2) {
      const Part& of = work.model.parts[at(part)];
      if (of.positive != k && of.negative != k) part = part_of(work.model, k, work.predicted[at(i)]);
      sign = work.model.parts[at(part)].positive == k ? 1.0 : -1.0;
    }
    stories[at(k)].add(work.data.values(i), sign, binned_evidence(work, i, part, bins));
  }
  Json list = Json::array();
  for (int k = 0; k < classes; ++k) {
    if (stories[at(k)].examples > 0) list.push_back(stories[at(k)].json(k));
  }
  return {{"bins", bins}, {"channels", work.data.width()}, {"classes", list}};
}

}  // namespace shapeboost::detail
