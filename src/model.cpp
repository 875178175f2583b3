// SPDX-License-Identifier: MIT
// The model as a file; reading it back, with all its checks, is in model_reader.cpp.
#include "shapeboost/model.hpp"

#include <cmath>

#include "json_detail.hpp"
#include "model_detail.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/file.hpp"
#include "shapeboost/version.hpp"
#include "text_detail.hpp"

namespace shapeboost {
namespace {

using detail::Json;

/// A number that is not finite is a fault of training, and JSON has no word for it.
double finite(double value, const char* what) {
  if (!std::isfinite(value)) throw Error(std::string("the model's ") + what + " is not finite");
  return value;
}

const std::vector<double>& finite(const std::vector<double>& values, const char* what) {
  for (const double value : values) (void)finite(value, what);
  return values;
}

/// Class names must read back byte for byte, or no label of the data would equal them.
std::string utf8(const std::string& name) {
  try {
    (void)Json(name).dump();
  } catch (const Json::exception&) {
    throw InvalidInput("the class name " + detail::quote(name) +
                       " is not UTF-8 text, which a model file needs");
  }
  return name;
}

Json to_json(const Kernel& kernel) {
  Json json{{"kind", to_string(kernel.kind)}};
  if (kernel.kind == KernelKind::gaussian) json["sigma"] = finite(kernel.sigma, "sigma");
  if (kernel.kind == KernelKind::polynomial) {
    json["c"] = finite(kernel.c, "c");
    json["p"] = kernel.p;
  }
  return json;
}

Json to_json(const View& view) {
  return {{"length", view.length},
          {"normalisation", to_string(view.normalisation)},
          {"kernel", to_json(view.kernel)},
          {"centre", finite(view.centre, "centre")},
          {"scale", finite(view.scale, "scale")}};
}

Json to_json(const Hypothesis& hypothesis, double w) {
  Json shapelet = Json::array();
  for (std::size_t k = 0; k < hypothesis.shapelet.instances.size(); ++k) {
    const Instance& instance = hypothesis.shapelet.instances[k];
    shapelet.push_back({{"alpha", finite(hypothesis.shapelet.alpha[k], "alpha")},
                        {"example", instance.example},
                        {"position", instance.position},
                        {"length", instance.values.size()},
                        {"values", finite(instance.values, "instance")}});
  }
  return {
      {"view", hypothesis.view}, {"sign", hypothesis.sign}, {"w", finite(w, "w")}, {"shapelet", shapelet}};
}

Json to_json(const Provenance& provenance) {
  Json history = Json::array();
  for (const HistoryEntry& entry : provenance.history) {
    history.push_back({{"edge", finite(entry.edge, "edge")},
                       {"gamma", finite(entry.gamma, "gamma")},
                       {"gap", finite(entry.gap, "gap")},
                       {"columns", entry.columns}});
  }
  return {
      {"source", provenance.source}, {"bags", provenance.bags},         {"instances", provenance.instances},
      {"seed", provenance.seed},     {"settings", provenance.settings}, {"stopped", provenance.stopped},
      {"history", history}};
}

}  // namespace

std::string to_json(const Model& model) {
  Json views = Json::array();
  for (const View& view : model.views) views.push_back(to_json(view));
  Json hypotheses = Json::array();
  for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
    hypotheses.push_back(to_json(model.hypotheses[j], model.w[j]));
  }
  Json json{{"format", detail::kModelFormat},
            {"version", detail::kModelVersion},
            {"shapeboost", kVersion},
            {"kind", model.kind == DataKind::bags ? "bags" : "series"},
            {"classes", {utf8(model.classes[0]), utf8(model.classes[1])}},
            {"nu", finite(model.nu, "nu")},
            {"rho", finite(model.rho, "rho")},
            {"gamma", finite(model.gamma, "gamma")},
            {"b", finite(model.b, "b")},
            {"views", views},
            {"hypotheses", hypotheses},
            {"training", to_json(model.provenance)}};
  json["digest"] = detail::fnv1a(detail::compact(json));
  return detail::pretty(json);
}

void save_model(const Model& model, const std::string& path) { write_file(path, to_json(model)); }

Model load_model(const std::string& path) { return model_from_json(read_file(path), path); }

}  // namespace shapeboost
