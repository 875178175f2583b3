// SPDX-License-Identifier: MIT
#include "tell/record.hpp"

#include <algorithm>
#include <cmath>

#include "ground/json.hpp"
#include "ground/names.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/evaluation.hpp"
#include "tell/metrics.hpp"

namespace shapeboost {
namespace {

constexpr Names<Claim, 4> kClaims{{{Claim::present, "present"},
                                   {Claim::absent, "absent"},
                                   {Claim::everywhere, "everywhere"},
                                   {Claim::not_everywhere, "not everywhere"}}};

using detail::Json;
using detail::number_or_null;

/// A class' name; null for the rest.
Json class_json(const Model& model, int k) {
  return k == kRest ? Json(nullptr) : Json(model.classes[static_cast<std::size_t>(k)]);
}

Json list_json(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number_or_null(value));
  return list;
}

Json parts_json(const Model& model) {
  Json list = Json::array();
  for (const Part& part : model.parts) {
    list.push_back({{"positive", class_json(model, part.positive)},
                    {"negative", class_json(model, part.negative)},
                    {"hypotheses", part.weights.size()},
                    {"nu", part.nu},
                    {"rho", number_or_null(part.rho)},
                    {"gamma", number_or_null(part.gamma)},
                    {"b", number_or_null(part.b)}});
  }
  return list;
}

Json rounds_json(const std::vector<RoundRecord>& rounds) {
  Json list = Json::array();
  for (const RoundRecord& r : rounds) {
    list.push_back({{"member", r.member},
                    {"part", r.part},
                    {"round", r.round},
                    {"refined", r.refined},
                    {"edge", number_or_null(r.edge)},
                    {"gamma", number_or_null(r.gamma)},
                    {"gap", number_or_null(r.gap)},
                    {"columns", r.columns},
                    {"oracle_seconds", r.oracle_seconds},
                    {"lp_seconds", r.lp_seconds},
                    {"master_seconds", r.master_seconds}});
  }
  return list;
}

Json optional_json(const std::optional<double>& value) {
  return value ? number_or_null(*value) : Json(nullptr);
}

Json guarantee_json(const Guarantee& guarantee) {
  if (!guarantee.bound) {
    return {{"part", guarantee.part}, {"bound", nullptr}, {"reason", guarantee.reason}};
  }
  const Bound& bound = *guarantee.bound;
  Json rows = Json::array();
  for (const BoundAtRho& row : bound.at) {
    rows.push_back({{"rho", row.rho},
                    {"loss", row.loss},
                    {"patterns", optional_json(row.patterns)},
                    {"covering", row.covering},
                    {"confidence", row.confidence},
                    {"total", row.total}});
  }
  return {{"part", guarantee.part},
          {"bound",
           {{"delta", bound.input.delta},
            {"choices", bound.input.choices},
            {"bags", bound.input.margins.size()},
            {"norm", bound.input.norm},
            {"offset", optional_json(bound.input.offset)},
            {"radius", bound.radius},
            {"log_patterns", optional_json(bound.log_patterns)},
            {"total", bound.at[bound.best].total},
            {"vacuous", bound.vacuous},
            {"bags_needed", optional_json(bound.bags_needed)},
            {"at", rows}}}};
}

Json view_json(const View& view) {
  Json json{{"length", view.length}};
  if (view.kind == DataKind::bags) {
    json["features"] = view.rows();
  } else {
    json["dilation"] = view.dilation;
    json["differences"] = view.differences;
    json["channel"] = view.channel == kAllChannels ? Json("all") : Json(view.channel);
    json["tau"] = view.tau;
    json["normalisation"] = to_string(view.normalisation);
  }
  json["kernel"] = to_string(view.kernel.kind);
  if (view.kernel.has_sigma()) json["sigma"] = view.kernel.sigma;
  if (view.kernel.has_band()) json["band"] = view.kernel.band;
  if (view.kernel.kind == KernelKind::polynomial) {
    json["c"] = view.kernel.c;
    json["p"] = view.kernel.p;
  }
  if (view.kernel.compares_strings()) json["k"] = view.kernel.k;
  if (view.kernel.kind == KernelKind::mismatch) json["mismatches"] = view.kernel.mismatches;
  if (view.kernel.kind == KernelKind::subsequence) json["lambda"] = view.kernel.lambda;
  if (view.kernel.kind == KernelKind::gram) json["matrix"] = view.kernel.gram_file;
  if (view.kernel.kind == KernelKind::custom) json["name"] = view.kernel.name;
  return json;
}

}  // namespace

Evaluation evaluate(const Model& model, const Dataset& data, int threads) {
  const Scores score = scores(model, data, threads);
  const std::vector<int> labels = labels_for(model, data);
  const auto unlabelled = std::find(labels.begin(), labels.end(), kUnlabelled);
  if (unlabelled != labels.end()) {
    throw InvalidInput((data.source().empty() ? "" : data.source() + ": ") + "example " +
                       data.name(unlabelled - labels.begin()) + " has no label to compare with");
  }
  Evaluation evaluation;
  evaluation.n = data.size();
  evaluation.classes = model.classes;
  evaluation.confusion =
      confusion_matrix(labels, predictions(model, score), static_cast<int>(model.classes.size()));
  evaluation.accuracy = accuracy(evaluation.confusion);
  evaluation.balanced_accuracy = balanced_accuracy(evaluation.confusion);
  evaluation.macro_f1 = macro_f1(evaluation.confusion);
  evaluation.recall = recall(evaluation.confusion);
  evaluation.precision = precision(evaluation.confusion);
  evaluation.f1 = f1(evaluation.confusion);
  evaluation.auc_per_class = auc_per_class(labels, class_scores(model, score));
  evaluation.auc = mean_of_known(evaluation.auc_per_class);  // two classes have the same
  evaluation.uncovered = uncovered(score);
  return evaluation;
}

const Part& weakest_part(const Model& model) {
  return *std::min_element(model.parts.begin(), model.parts.end(),
                           [](const Part& a, const Part& b) { return a.gamma < b.gamma; });
}

std::string_view to_string(Claim claim) { return name_of(kClaims, claim); }

std::vector<HypothesisSummary> summarise(const Model& model) {
  std::vector<HypothesisSummary> summaries;
  for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
    const Hypothesis& hypothesis = model.hypotheses[j];
    const std::vector<double>& alpha = hypothesis.shapelet.alpha;
    HypothesisSummary summary;
    summary.length = model.views[static_cast<std::size_t>(hypothesis.view)].length;
    summary.instances = static_cast<std::int64_t>(alpha.size());
    const auto main = std::max_element(alpha.begin(), alpha.end(),
                                       [](double a, double b) { return std::abs(a) < std::abs(b); });
    summary.main = static_cast<std::size_t>(main - alpha.begin());
    const bool like = *main > 0.0;
    summary.claim = hypothesis.sign > 0 ? (like ? Claim::present : Claim::not_everywhere)
                                        : (like ? Claim::absent : Claim::everywhere);
    summaries.push_back(summary);
  }
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    const Part& part = model.parts[p];
    for (const Weight& weight : part.weights) {
      HypothesisSummary& summary = summaries[static_cast<std::size_t>(weight.hypothesis)];
      const bool positive = summary.claim == Claim::present || summary.claim == Claim::everywhere;
      summary.w += weight.w;
      summary.uses.push_back({static_cast<int>(p), weight.w, positive ? part.positive : part.negative});
    }
  }
  for (HypothesisSummary& summary : summaries) {
    std::stable_sort(summary.uses.begin(), summary.uses.end(),
                     [](const HypothesisUse& a, const HypothesisUse& b) { return a.w > b.w; });
  }
  return summaries;
}

std::string to_json(const TrainingResult& training, const std::string& model_path, double seconds) {
  const Model& model = training.model;
  const Part& weakest = weakest_part(model);
  double oracle = 0.0;
  double lp = 0.0;
  double master = 0.0;
  for (const RoundRecord& r : training.rounds) {
    oracle += r.oracle_seconds;
    lp += r.lp_seconds;
    master += r.master_seconds;
  }
  return detail::pretty({{"method", model.provenance.method},
                         {"bags", model.provenance.bags},
                         {"instances", training.instances},
                         {"classes", model.classes},
                         {"members", training.members},
                         {"rounds", training.rounds.size()},
                         {"hypotheses", model.hypotheses.size()},
                         {"strategy", to_string(model.strategy)},
                         {"nu", weakest.nu},
                         {"rho", number_or_null(weakest.rho)},
                         {"gamma", number_or_null(weakest.gamma)},
                         {"parts", parts_json(model)},
                         {"gap", number_or_null(training.gap)},
                         {"certificate", number_or_null(training.certificate)},
                         {"stopped", model.provenance.stopped},
                         {"seconds", seconds},
                         {"oracle_seconds", oracle},
                         {"lp_seconds", lp},
                         {"master_seconds", master},
                         {"model", model_path},
                         {"settings", model.provenance.settings},
                         {"notes", training.notes},
                         {"records", rounds_json(training.rounds)}});
}

std::string to_json(const Evaluation& evaluation) {
  Json confusion = Json::array();
  for (std::int64_t a = 0; a < evaluation.confusion.rows(); ++a) {
    confusion.push_back(
        Json(std::vector<int>(evaluation.confusion.row(a).begin(), evaluation.confusion.row(a).end())));
  }
  return detail::pretty({{"n", evaluation.n},
                         {"accuracy", number_or_null(evaluation.accuracy)},
                         {"balanced_accuracy", number_or_null(evaluation.balanced_accuracy)},
                         {"macro_f1", number_or_null(evaluation.macro_f1)},
                         {"auc", number_or_null(evaluation.auc)},
                         {"classes", evaluation.classes},
                         {"recall", list_json(evaluation.recall)},
                         {"precision", list_json(evaluation.precision)},
                         {"f1", list_json(evaluation.f1)},
                         {"auc_per_class", list_json(evaluation.auc_per_class)},
                         {"confusion", confusion},
                         {"uncovered", evaluation.uncovered.size()},
                         {"seconds", evaluation.seconds}});
}

std::string summary_json(const Model& model, const std::vector<Guarantee>& guarantees) {
  Json views = Json::array();
  for (const View& view : model.views) views.push_back(view_json(view));
  Json hypotheses = Json::array();
  const std::vector<HypothesisSummary> summaries = summarise(model);
  for (std::size_t j = 0; j < summaries.size(); ++j) {
    const HypothesisSummary& s = summaries[j];
    const Shapelet& shapelet = model.hypotheses[j].shapelet;
    Json uses = Json::array();
    for (const HypothesisUse& use : s.uses) {
      uses.push_back({{"part", use.part}, {"w", use.w}, {"speaks_for", class_json(model, use.speaks_for)}});
    }
    hypotheses.push_back({{"w", s.w},
                          {"claim", to_string(s.claim)},
                          {"uses", uses},
                          {"view", model.hypotheses[j].view},
                          {"length", s.length},
                          {"instances", s.instances},
                          {"alpha", shapelet.alpha[s.main]},
                          {"example", shapelet.instances[s.main].example},
                          {"position", shapelet.instances[s.main].position}});
  }
  const Provenance& provenance = model.provenance;
  Json json{{"kind", to_string(model.kind)},
            {"classes", model.classes},
            {"strategy", to_string(model.strategy)},
            {"parts", parts_json(model)},
            {"views", views},
            {"hypotheses", hypotheses},
            {"training",
             {{"method", provenance.method},
              {"source", provenance.source},
              {"bags", provenance.bags},
              {"instances", provenance.instances},
              {"rounds", provenance.history.size()},
              {"stopped", provenance.stopped},
              {"settings", provenance.settings}}}};
  if (!provenance.tuning.empty()) json["training"]["tuning"] = provenance.tuning;
  if (!guarantees.empty()) {
    for (const Guarantee& guarantee : guarantees) json["guarantees"].push_back(guarantee_json(guarantee));
  }
  return detail::pretty(json);
}

}  // namespace shapeboost
