// SPDX-License-Identifier: MIT
#include "shapeboost/record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "json_detail.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/metrics.hpp"
#include "shapeboost/predictor.hpp"
#include "text_detail.hpp"

namespace shapeboost {
namespace {

using detail::Json;
using detail::number_or_null;

const std::string& label_text(const Dataset& data, std::int64_t i) {
  static const std::string kNone;
  return data.label(i) == kUnlabelled ? kNone : data.classes()[static_cast<std::size_t>(data.label(i))];
}

bool has_labels(const Dataset& data) { return !data.classes().empty(); }

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

Json rounds_json(const std::vector<RoundRecord>& rounds) {
  Json list = Json::array();
  for (const RoundRecord& r : rounds) {
    list.push_back({{"member", r.member},
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

Json view_json(const View& view) {
  Json json{{"length", view.length}, {"normalisation", to_string(view.normalisation)}};
  json["kernel"] = to_string(view.kernel.kind);
  if (view.kernel.kind == KernelKind::gaussian) json["sigma"] = view.kernel.sigma;
  if (view.kernel.kind == KernelKind::polynomial) {
    json["c"] = view.kernel.c;
    json["p"] = view.kernel.p;
  }
  return json;
}

}  // namespace

Evaluation evaluate(const Model& model, const Dataset& data, int threads) {
  const std::vector<double> score = scores(model, data, threads);
  const std::vector<int> labels = labels_for(model, data);
  const auto unlabelled = std::find(labels.begin(), labels.end(), kUnlabelled);
  if (unlabelled != labels.end()) {
    throw InvalidInput((data.source().empty() ? "" : data.source() + ": ") + "example " +
                       data.name(unlabelled - labels.begin()) + " has no label to compare with");
  }
  Evaluation evaluation;
  evaluation.n = data.size();
  evaluation.classes = model.classes;
  evaluation.confusion = confusion_matrix(labels, predictions(score), 2);
  evaluation.accuracy = accuracy(evaluation.confusion);
  evaluation.balanced_accuracy = balanced_accuracy(evaluation.confusion);
  evaluation.auc = auc(labels, score);
  for (int k = 0; k < 2; ++k) {
    const int size = evaluation.confusion.row(k).sum();
    evaluation.recall[static_cast<std::size_t>(k)] =
        size == 0 ? std::numeric_limits<double>::quiet_NaN()
                  : evaluation.confusion(k, k) / static_cast<double>(size);
  }
  return evaluation;
}

std::string_view to_string(Claim claim) {
  switch (claim) {
    case Claim::present: return "present";
    case Claim::absent: return "absent";
    case Claim::everywhere: return "everywhere";
    case Claim::not_everywhere: return "not everywhere";
  }
  return "unknown";
}

std::vector<HypothesisSummary> summarise(const Model& model) {
  std::vector<HypothesisSummary> summaries;
  for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
    const Hypothesis& hypothesis = model.hypotheses[j];
    const std::vector<double>& alpha = hypothesis.shapelet.alpha;
    HypothesisSummary summary;
    summary.w = model.w[j];
    summary.length = model.views[static_cast<std::size_t>(hypothesis.view)].length;
    summary.instances = static_cast<std::int64_t>(alpha.size());
    const auto main = std::max_element(alpha.begin(), alpha.end(),
                                       [](double a, double b) { return std::abs(a) < std::abs(b); });
    summary.main = static_cast<std::size_t>(main - alpha.begin());
    const bool like = *main > 0.0;
    summary.claim = hypothesis.sign > 0 ? (like ? Claim::present : Claim::not_everywhere)
                                        : (like ? Claim::absent : Claim::everywhere);
    summary.speaks_for = (hypothesis.sign > 0) == like ? 1 : 0;
    summaries.push_back(summary);
  }
  return summaries;
}

std::string to_json(const TrainingResult& training, const std::string& model_path, double seconds) {
  const Model& model = training.model;
  double oracle = 0.0;
  double lp = 0.0;
  double master = 0.0;
  for (const RoundRecord& r : training.rounds) {
    oracle += r.oracle_seconds;
    lp += r.lp_seconds;
    master += r.master_seconds;
  }
  return detail::pretty({{"bags", model.provenance.bags},
                         {"instances", training.instances},
                         {"classes", model.classes},
                         {"members", training.members},
                         {"rounds", training.rounds.size()},
                         {"hypotheses", model.hypotheses.size()},
                         {"nu", model.nu},
                         {"rho", number_or_null(model.rho)},
                         {"gamma", number_or_null(model.gamma)},
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
  for (Eigen::Index a = 0; a < evaluation.confusion.rows(); ++a) {
    confusion.push_back({evaluation.confusion(a, 0), evaluation.confusion(a, 1)});
  }
  return detail::pretty(
      {{"n", evaluation.n},
       {"accuracy", number_or_null(evaluation.accuracy)},
       {"balanced_accuracy", number_or_null(evaluation.balanced_accuracy)},
       {"auc", number_or_null(evaluation.auc)},
       {"classes", evaluation.classes},
       {"recall", {number_or_null(evaluation.recall[0]), number_or_null(evaluation.recall[1])}},
       {"confusion", confusion},
       {"seconds", evaluation.seconds}});
}

std::string summary_json(const Model& model) {
  Json views = Json::array();
  for (const View& view : model.views) views.push_back(view_json(view));
  Json hypotheses = Json::array();
  const std::vector<HypothesisSummary> summaries = summarise(model);
  for (std::size_t j = 0; j < summaries.size(); ++j) {
    const HypothesisSummary& s = summaries[j];
    const Shapelet& shapelet = model.hypotheses[j].shapelet;
    hypotheses.push_back({{"w", s.w},
                          {"claim", to_string(s.claim)},
                          {"speaks_for", model.classes[static_cast<std::size_t>(s.speaks_for)]},
                          {"view", model.hypotheses[j].view},
                          {"length", s.length},
                          {"instances", s.instances},
                          {"alpha", shapelet.alpha[s.main]},
                          {"example", shapelet.instances[s.main].example},
                          {"position", shapelet.instances[s.main].position}});
  }
  const Provenance& provenance = model.provenance;
  return detail::pretty({{"kind", model.kind == DataKind::bags ? "bags" : "series"},
                         {"classes", model.classes},
                         {"nu", model.nu},
                         {"rho", model.rho},
                         {"gamma", model.gamma},
                         {"b", model.b},
                         {"views", views},
                         {"hypotheses", hypotheses},
                         {"training",
                          {{"source", provenance.source},
                           {"bags", provenance.bags},
                           {"instances", provenance.instances},
                           {"rounds", provenance.history.size()},
                           {"stopped", provenance.stopped},
                           {"settings", provenance.settings}}}});
}

std::string predictions_json(const Model& model, const Dataset& data, const std::vector<double>& scores,
                             double seconds) {
  const std::vector<int> predicted = predictions(scores);
  Json list = Json::array();
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    Json entry{{"example", data.name(i)},
               {"predicted", model.classes[static_cast<std::size_t>(predicted[at])]}};
    entry["score"] = number_or_null(scores[at]);
    if (has_labels(data)) entry["label"] = label_text(data, i);
    list.push_back(std::move(entry));
  }
  return detail::pretty(
      {{"n", data.size()}, {"classes", model.classes}, {"seconds", seconds}, {"predictions", list}});
}

std::string predictions_csv(const Model& model, const Dataset& data, const std::vector<double>& scores) {
  const std::vector<int> predicted = predictions(scores);
  std::string text = has_labels(data) ? "example,predicted,score,label\n" : "example,predicted,score\n";
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    text += csv_field(data.name(i)) + ',' +
            csv_field(model.classes[static_cast<std::size_t>(predicted[at])]) + ',';
    detail::append_number(text, scores[at]);
    if (has_labels(data)) text += ',' + csv_field(label_text(data, i));
    text += '\n';
  }
  return text;
}

}  // namespace shapeboost
