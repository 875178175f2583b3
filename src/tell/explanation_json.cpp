// SPDX-License-Identifier: MIT
// What decided predictions, as JSON.
#include <cmath>

#include "tell/json.hpp"
#include "tell/record.hpp"

namespace shapeboost {
namespace {

using detail::channels_json;
using detail::class_json;
using detail::index_json;
using detail::Json;
using detail::row_json;

/// Where in an example a view's window at `position` lies; of bags, the instance says it.
void add_place(const View& view, std::int64_t position, Json& json) {
  json["position"] = index_json(position);
  if (view.kind == DataKind::bags) return;
  json["span"] = view.span();
  json["transform"] = to_string(view.transform);
  if (view.transform == Transform::spectrum) json["period"] = view.period;
  if (view.rate > 0.0) json["rate"] = view.rate;
  json["dilation"] = view.dilation;
  json["channels"] = channels_json(view);
}

/// The training instances (z, alpha) behind a shapelet, and where they were cut.
Json shapelet_json(const Shapelet& shapelet) {
  Json list = Json::array();
  for (std::size_t k = 0; k < shapelet.alpha.size(); ++k) {
    const Instance& z = shapelet.instances[k];
    list.push_back({{"alpha", shapelet.alpha[k]},
                    {"example", index_json(z.example)},
                    {"position", index_json(z.position)}});
  }
  return list;
}

Json contribution_json(const Model& model, const Contribution& c) {
  const Hypothesis& hypothesis = model.hypotheses[at(c.hypothesis)];
  Json json{{"hypothesis", c.hypothesis}, {"contribution", c.value},           {"w", c.w}, {"sign", c.sign},
            {"response", c.response},     {"instance", index_json(c.instance)}};
  if (model.head) {
    const Standard& standard = hypothesis.standard[static_cast<std::size_t>(c.evidence)];
    json["evidence"] = to_string(c.evidence);
    json["centre"] = standard.centre;
    json["scale"] = standard.scale;
  }
  add_place(model.views[at(hypothesis.view)], c.position, json);
  json["view"] = hypothesis.view;
  json["shapelet"] = shapelet_json(hypothesis.shapelet);
  return json;
}

/// What the interval is, the share of the series (of a spectrum, of its frequencies) that it is, and what it adds.
Json interval_json(const Model& model, const IntervalContribution& c) {
  const Interval interval = model.head->intervals->at(c.number);
  const Standard& standard = model.head->intervals->standard[c.number];
  return {{"interval", c.number},
          {"transform", to_string(interval.transform)},
          {"channel", interval.channel},
          {"first", interval.first},
          {"last", interval.last},
          {"moment", to_string(interval.moment)},
          {"contribution", c.value},
          {"w", c.w},
          {"response", std::isnan(c.moment) ? Json(nullptr) : Json(c.moment)},
          {"centre", standard.centre},
          {"scale", standard.scale}};
}

/// Of parts of a head that do not tell the prediction: each weighs all patterns, and a model may have many parts.
constexpr std::size_t kOfOtherParts = 100;

/// What each kind of evidence adds to the score, of those that the head weighs.
Json evidence_sums_json(const Model& model, const Explanation& explanation) {
  const std::array<double, kEvidences> sums = evidence_sums(explanation);
  Json json = Json::object();
  for (const Evidence one : model.head->evidence) {
    json[std::string(to_string(one))] = sums[static_cast<std::size_t>(one)];
  }
  return json;
}

Json explained_part_json(const Model& model, const Dataset& alone, const Explanation& explanation,
                         int telling) {
  const Part& part = model.parts[at(explanation.part)];
  std::span<const Contribution> shown = explanation.contributions;
  if (model.head && explanation.part != telling) shown = shown.first(std::min(kOfOtherParts, shown.size()));
  const auto told = [&](const Contribution& c) { return contribution_json(model, c); };
  Json json{{"part", explanation.part},
            {"positive", class_json(model, part.positive)},
            {"negative", class_json(model, part.negative)},
            {"score", explanation.score},
            {"b", explanation.b},
            {"contributions", detail::list_of(shown, told)}};
  if (model.head) json["by_evidence"] = evidence_sums_json(model, explanation);
  if (model.head && model.head->intervals) {
    std::span<const IntervalContribution> told_of = explanation.intervals;
    if (explanation.part != telling) told_of = told_of.first(std::min(kOfOtherParts, told_of.size()));
    json["by_evidence"]["intervals"] = interval_sum(explanation);
    json["intervals"] =
        detail::list_of(told_of, [&](const IntervalContribution& c) { return interval_json(model, c); });
  }
  if (alone.kind() == DataKind::bags) {
    json["by_instance"] = instance_contributions(model, alone, 0, explanation);
  }
  if (shown.size() < explanation.contributions.size()) {
    double rest = explanation.score - explanation.b - interval_sum(explanation);
    for (const Contribution& c : shown) rest -= c.value;
    json["others"] = {{"contributions", explanation.contributions.size() - shown.size()}, {"sum", rest}};
  }
  return json;
}

}  // namespace

std::string explanation_json(const Model& model, const Dataset& data, std::int64_t example, int threads) {
  detail::check_example(data.size(), example);
  const Dataset alone = data.subset({example});
  const Predictor predictor = Predictor::borrow(model);
  const Responses found = predictor.responses(alone, threads);
  const Scores score = predictor.scores(found);
  const int telling = telling_parts(model, score).front();
  Json parts = Json::array();
  for (int p = 0; p < static_cast<int>(model.parts.size()); ++p) {
    parts.push_back(explained_part_json(model, alone, explain(model, found, 0, p), telling));
  }
  Json json{{"example", example},
            {"name", data.name(example)},
            {"label", class_json(model, labels_for(model, alone).front())},
            {"predicted", class_json(model, predictions(model, score).front())},
            {"classes", model.classes},
            {"class_scores", row_json(class_scores(model, score), 0)},
            {"telling_part", telling},
            {"parts", std::move(parts)}};
  if (data.kind() == DataKind::bags) {
    const Scores each = predictor.instance_scores(alone, threads);
    Json instances = Json::array();
    for (std::int64_t x = 0; x < each.parts.rows(); ++x) {
      instances.push_back({{"instance", x}, {"scores", row_json(each.parts, x)}});
    }
    json["instances"] = instances;
  }
  return detail::pretty(json);
}

std::string firings_json(const Model& model, const Dataset& data, int threads) {
  const std::vector<Firing> all =
      firings(model, data, responses(model, data, threads), labels_for(model, data));
  const std::vector<HypothesisSummary> summaries = summarise(model);
  Json list = Json::array();
  for (std::size_t j = 0; j < all.size(); ++j) {
    const Firing& firing = all[j];
    const Hypothesis& hypothesis = model.hypotheses[j];
    Json by_class = Json::array();
    for (std::size_t k = 0; k < model.classes.size(); ++k) {
      by_class.push_back(
          {{"class", model.classes[k]}, {"sought", firing.sought_in[k]}, {"fired", firing.fired_in[k]}});
    }
    Json json{{"hypothesis", j},         {"w", summaries[j].w},
              {"sign", hypothesis.sign}, {"claim", to_string(summaries[j].claim)},
              {"view", hypothesis.view}, {"threshold", firing.threshold},
              {"mean", firing.mean},     {"sought", firing.sought},
              {"fired", firing.fired},   {"by_class", by_class}};
    if (!firing.places.empty()) json["places"] = firing.places;
    json["shapelet"] = shapelet_json(hypothesis.shapelet);
    list.push_back(std::move(json));
  }
  return detail::pretty({{"n", data.size()}, {"classes", model.classes}, {"hypotheses", list}});
}

}  // namespace shapeboost
