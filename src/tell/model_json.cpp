// SPDX-License-Identifier: MIT
// The JSON of trainings and models, and what a model says in words.
#include <array>
#include <map>

#include "ground/names.hpp"
#include "tell/json.hpp"
#include "tell/record.hpp"

namespace shapeboost {
namespace {

constexpr Names<Claim, 6> kClaims{{{Claim::present, "present"},
                                   {Claim::absent, "absent"},
                                   {Claim::everywhere, "everywhere"},
                                   {Claim::not_everywhere, "not everywhere"},
                                   {Claim::later, "later"},
                                   {Claim::earlier, "earlier"}}};

using detail::channels_json;
using detail::class_json;
using detail::Json;
using detail::list_of;

/// What only parts without a head have; else null.
Json margin_json(const Model& model, double value) { return model.head ? Json(nullptr) : Json(value); }

Json parts_json(const Model& model) {
  return list_of(model.parts, [&](const Part& part) {
    return Json({{"positive", class_json(model, part.positive)},
                 {"negative", class_json(model, part.negative)},
                 {"hypotheses", detail::patterns_in(part)},
                 {"nu", margin_json(model, part.nu)},
                 {"rho", margin_json(model, part.rho)},
                 {"gamma", margin_json(model, part.gamma)},
                 {"b", part.b}});
  });
}

Json rounds_json(const std::vector<RoundRecord>& rounds) {
  return list_of(rounds, [](const RoundRecord& r) {
    return Json({{"member", r.member},
                 {"part", r.part},
                 {"round", r.round},
                 {"refined", r.refined},
                 {"edge", r.edge},
                 {"gamma", r.gamma},
                 {"gap", r.gap},
                 {"columns", r.columns},
                 {"oracle_seconds", r.oracle_seconds},
                 {"lp_seconds", r.lp_seconds},
                 {"master_seconds", r.master_seconds}});
  });
}

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json guarantee_json(const Guarantee& guarantee) {
  if (!guarantee.bound) {
    return {{"part", guarantee.part}, {"bound", nullptr}, {"reason", guarantee.reason}};
  }
  const Bound& bound = *guarantee.bound;
  const Json rows = list_of(bound.at, [](const BoundAtRho& row) {
    return Json({{"rho", row.rho},
                 {"loss", row.loss},
                 {"patterns", optional_json(row.patterns)},
                 {"covering", row.covering},
                 {"confidence", row.confidence},
                 {"total", row.total}});
  });
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
    json["scaling"] = to_string(view.scaling);
    json["aspect"] = to_string(view.aspect);
    if (view.whole != 0) json["whole"] = view.whole;
  } else {
    json["dilation"] = view.dilation;
    json["transform"] = to_string(view.transform);
    if (view.transform == Transform::spectrum) json["period"] = view.period;
    if (view.rate > 0.0) json["rate"] = view.rate;
    json["channels"] = channels_json(view);
    json["tau"] = view.tau;
    json["normalisation"] = to_string(view.normalisation);
  }
  const Kernel& kernel = view.kernel;
  json["kernel"] = to_string(kernel.kind());
  if (kernel.has_sigma()) json["sigma"] = kernel.sigma();
  if (kernel.has_band()) json["band"] = kernel.band();
  if (kernel.compares_strings()) json["k"] = kernel.k();
  if (const auto* polynomial = kernel.as<kernels::Polynomial>()) {
    json["c"] = polynomial->c;
    json["p"] = polynomial->p;
  }
  if (const auto* mismatch = kernel.as<kernels::Mismatch>()) json["mismatches"] = mismatch->mismatches;
  if (const auto* subsequence = kernel.as<kernels::Subsequence>()) json["lambda"] = subsequence->lambda;
  if (const auto* gram = kernel.as<kernels::Gram>()) json["matrix"] = gram->file;
  if (const auto* custom = kernel.as<kernels::Custom>()) json["name"] = custom->name;
  return json;
}

}  // namespace

const Part& weakest_part(const Model& model) {
  return *std::ranges::min_element(model.parts,
                                   [](const Part& a, const Part& b) { return a.gamma < b.gamma; });
}

std::string_view to_string(Claim claim) { return name_of(kClaims, claim); }

namespace {

/// What a pattern says where it is weighed up or down; `like`: the alpha of its main instance is above 0.
Claim claim_of(bool weighed_up, bool like) {
  if (weighed_up) return like ? Claim::present : Claim::not_everywhere;
  return like ? Claim::absent : Claim::everywhere;
}

/// The weights of one hypothesis in one part, by evidence.
using Weighed = std::array<double, kEvidences>;

/// All but the place rise where the pattern is found; where only its place is weighed, that.
HypothesisUse use_of(const Part& part, int p, const Weighed& w, bool up, bool like, Claim& claim) {
  const double place = w[static_cast<std::size_t>(Evidence::place)];
  double found = 0.0;
  for (const Evidence one :
       {Evidence::best, Evidence::share, Evidence::mean, Evidence::least, Evidence::bag}) {
    found += w[static_cast<std::size_t>(one)];
  }
  const bool rises = (found != 0.0 ? found > 0.0 : place >= 0.0) == up;
  const bool by_place = found == 0.0 && place != 0.0;
  claim = by_place ? (rises ? Claim::later : Claim::earlier) : claim_of(rises, like);
  const bool positive = by_place ? rises : claim == Claim::present || claim == Claim::everywhere;
  return {p, by_place ? place : found, positive ? part.positive : part.negative};
}

}  // namespace

std::vector<HypothesisSummary> summarise(const Model& model) {
  const std::size_t parts = model.parts.size();
  std::vector<std::map<int, Weighed>> weighed(model.hypotheses.size());  // by part
  for (std::size_t p = 0; p < parts; ++p) {
    for (const Weight& weight : model.parts[p].weights) {
      weighed[at(weight.hypothesis)][static_cast<int>(p)][static_cast<std::size_t>(weight.evidence)] =
          weight.w;
    }
  }
  std::vector<HypothesisSummary> summaries;
  for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
    const Hypothesis& hypothesis = model.hypotheses[j];
    const std::vector<double>& alpha = hypothesis.shapelet.alpha;
    HypothesisSummary summary;
    summary.length = model.views[at(hypothesis.view)].length;
    summary.instances = std::ssize(alpha);
    const auto main =
        std::ranges::max_element(alpha, [](double a, double b) { return std::abs(a) < std::abs(b); });
    summary.main = at(main - alpha.begin());
    if (weighed[j].empty()) weighed[j][0] = {};  // a head may give a pattern no weight at all
    double most = -INFINITY;
    for (const auto& [p, w] : weighed[j]) {
      for (std::size_t e = 0; e < kEvidences; ++e) {
        summary.by_evidence[e] += std::abs(w[e]);
        summary.w += std::abs(w[e]);
      }
      Claim claim{};
      summary.uses.push_back(use_of(model.parts[at(p)], p, w, hypothesis.sign > 0, *main > 0.0, claim));
      if (summary.uses.back().w > most) summary.claim = claim;
      most = std::max(most, summary.uses.back().w);
    }
    std::ranges::stable_sort(summary.uses,
                             [](const HypothesisUse& a, const HypothesisUse& b) { return a.w > b.w; });
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

std::int64_t detail::patterns_in(const Part& part) {
  std::vector<int> used;
  for (const Weight& weight : part.weights) used.push_back(weight.hypothesis);
  std::ranges::sort(used);
  return std::ranges::unique(used).begin() - used.begin();
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
  Json json{{"method", model.provenance.method},
            {"bags", model.provenance.bags},
            {"instances", training.instances},
            {"classes", model.classes},
            {"members", training.members},
            {"rounds", training.rounds.size()},
            {"hypotheses", model.hypotheses.size()},
            {"strategy", to_string(model.strategy)},
            {"nu", margin_json(model, weakest.nu)},
            {"rho", margin_json(model, weakest.rho)},
            {"gamma", margin_json(model, weakest.gamma)},
            {"parts", parts_json(model)},
            {"gap", training.gap},
            {"certificate", training.duality_gap},
            {"stopped", model.provenance.stopped},
            {"seconds", seconds},
            {"oracle_seconds", oracle},
            {"lp_seconds", lp},
            {"master_seconds", master},
            {"model", model_path},
            {"settings", model.provenance.settings},
            {"notes", training.notes},
            {"records", rounds_json(training.rounds)}};
  if (model.head) json["head"] = detail::head_json(*model.head);
  return detail::pretty(json);
}

std::string summary_json(const Model& model, const std::vector<Guarantee>& guarantees) {
  Json hypotheses = Json::array();
  const std::vector<HypothesisSummary> summaries = summarise(model);
  for (std::size_t j = 0; j < summaries.size(); ++j) {
    const HypothesisSummary& s = summaries[j];
    const Shapelet& shapelet = model.hypotheses[j].shapelet;
    const Json uses = list_of(s.uses, [&](const HypothesisUse& use) {
      return Json({{"part", use.part}, {"w", use.w}, {"speaks_for", class_json(model, use.speaks_for)}});
    });
    Json& json = hypotheses.emplace_back(Json{{"w", s.w},
                                              {"claim", to_string(s.claim)},
                                              {"uses", uses},
                                              {"view", model.hypotheses[j].view},
                                              {"length", s.length},
                                              {"instances", s.instances},
                                              {"alpha", shapelet.alpha[s.main]},
                                              {"example", shapelet.instances[s.main].example},
                                              {"position", shapelet.instances[s.main].position}});
    if (!model.head) continue;
    for (const Evidence one : model.head->evidence) {
      json["by_evidence"][std::string(to_string(one))] = s.by_evidence[static_cast<std::size_t>(one)];
    }
  }
  const Provenance& provenance = model.provenance;
  Json json{{"kind", to_string(model.kind)},
            {"classes", model.classes},
            {"strategy", to_string(model.strategy)},
            {"parts", parts_json(model)},
            {"views", list_of(model.views, view_json)},
            {"hypotheses", hypotheses},
            {"training",
             {{"method", provenance.method},
              {"source", provenance.source},
              {"bags", provenance.bags},
              {"instances", provenance.instances},
              {"rounds", provenance.history.size()},
              {"stopped", provenance.stopped},
              {"settings", provenance.settings}}}};
  if (model.head) json["head"] = detail::head_json(*model.head);
  if (!provenance.tuning.empty()) json["training"]["tuning"] = provenance.tuning;
  for (const Guarantee& guarantee : guarantees) json["guarantees"].push_back(guarantee_json(guarantee));
  return detail::pretty(json);
}

}  // namespace shapeboost
