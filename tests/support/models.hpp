// SPDX-License-Identifier: MIT
// Models with something of everything that a model file can hold.
#pragma once

#include <cstdint>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "shapeboost/base.hpp"
#include "shapeboost/model.hpp"
#include "support/examples.hpp"

namespace shapeboost::examples {

// Numbers that a careless text form would change.
inline constexpr double kAwkward[] = {0.1, 1.0 / 3.0, 5e-324, -0.0, 1e22, 123456789.123456789};

inline Model series_model() {
  Model model;
  model.kind = DataKind::series;
  model.classes = {"-1", "caf\u00e9 \"x\""};
  model.views = {window_view(3, Normalisation::raw, kernels::Gaussian{1.0 / 3.0}, 0.1, 2.0),
                 window_view(2, Normalisation::z, kernels::Gaussian{7.0})};
  model.views[0].dilation = 4;
  model.views[0].transform = Transform::differences;
  model.views[0].tau = 1.0 / 7.0;
  model.views[1].transform = Transform::spectrum;
  model.views[1].period = 20;
  model.hypotheses = {
      {1, -1, {{{{kAwkward[0], kAwkward[1]}, 4, 11}}, {1.0}}},
      {0,
       +1,
       {{{{kAwkward[2], kAwkward[3], kAwkward[4]}, 0, 0, 1.0 / 3.0}, {{kAwkward[5], 2.0, 3.0}, -1, -1, 0.7}},
        {0.75, -0.25}}}};
  model.parts = {{1, 0, {{0, 0.7}, {1, 0.3}}, -0.125, 0.2, 0.0291, 1e-17, {kAwkward[1], -0.5}}};
  model.provenance = {"a\\b.tsv",
                      50,
                      22700,
                      std::numeric_limits<std::uint64_t>::max(),
                      "--nu 0.2",
                      "gap",
                      "nu=0.2; the best of 2 choices",
                      {{0.5, 0.25, 1.0, 4}, {0.26, 0.25, 0.04, 9}},
                      {{11000, 1.0}, {11700, 1.0 / 3.0}}};
  return model;
}

/// Two hypotheses over the classes -1, 10 and x; the second is used by several parts.
inline Model three_classes(Strategy strategy) {
  Model model = series_model();
  model.classes = {"-1", "10", "x"};
  model.strategy = strategy;
  model.parts = parts_for(3, strategy);
  for (std::size_t p = 0; p < 3; ++p) {
    model.parts[p].nu = 0.1;
    model.parts[p].b = 0.25 * static_cast<double>(p);
    model.parts[p].weights = {{1, 1.0}};
  }
  model.parts[1].weights = {{0, 0.75}, {1, 0.25}};
  return model;
}

inline Model bags_model() {
  Model model = series_model();
  model.kind = DataKind::bags;
  model.classes = {"0", "1"};
  model.views = {bag_view(kernels::Polynomial{0.5, 3}, {0.1, -4.0}, {2.0, 1e-3}),
                 bag_view(kernels::Linear{}, {0.0, 0.0}, {1.0, 1.0})};
  model.hypotheses = {{0, +1, {{{{1.0, 2.0}, 3, 1}}, {1.0}}}, {1, -1, {{{{-1.0, 0.5}, 2, 0}}, {-1.0}}}};
  return model;
}

/// Joint windows of two channels, and bags that use two of five features.
inline Model channels_model() {
  Model model = series_model();
  for (View& view : model.views) view.width = 2;
  model.views[0].centre = {0.1, 1.0 / 3.0};
  model.views[0].scale = {2.0, 1e-3};
  model.views[1].channels = {1};
  for (Instance& instance : model.hypotheses[1].shapelet.instances) {
    instance.values.insert(instance.values.end(), {4.0, 5.0, 6.0});
  }
  return model;
}

inline Model features_model() {
  Model model = bags_model();
  for (View& view : model.views) view.width = 5;
  model.views[0].features = {1, 4};
  model.views[1].features = {0, 3};
  return model;
}

/// A file of bags as version 3 had it: instances by value with every pattern, and where hypotheses of whole bags have the
/// same, the number of the first that has them.
inline nlohmann::ordered_json as_version_3(const Model& model) {
  using Json = nlohmann::ordered_json;
  Json json = Json::parse(to_json(model));
  json["version"] = 3;
  json.erase("instances");
  for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
    const Shapelet& shapelet = model.hypotheses[j].shapelet;
    Json list = Json::array();
    for (std::size_t k = 0; k < shapelet.instances.size(); ++k) {
      const Instance& z = shapelet.instances[k];
      list.push_back({{"alpha", shapelet.alpha[k]},
                      {"example", z.example},
                      {"position", z.position},
                      {"place", z.place},
                      {"length", z.values.size()},
                      {"values", z.values}});
      if (z.features) list.back()["features"] = *z.features;
    }
    json["hypotheses"][j]["shapelet"] = list;
    if (model.views[static_cast<std::size_t>(model.hypotheses[j].view)].whole == 0) continue;
    for (std::size_t first = 0; first < j; ++first) {
      const Hypothesis& other = model.hypotheses[first];
      if (model.views[static_cast<std::size_t>(other.view)].whole == 0 || other.shapelet != shapelet)
        continue;
      json["hypotheses"][j]["shapelet"] = first;
      break;
    }
  }
  json.erase("digest");
  return json;
}

/// What loading says of this text; nothing where it is a model.
inline std::string complaint(const std::string& text) {
  try {
    (void)model_from_json(text, "M.json");
    return {};
  } catch (const InvalidInput& fault) {
    return fault.what();
  }
}

/// Documented in docs/model.md: FNV-1a of the compact text without the digest.
inline std::string digest_of(nlohmann::ordered_json json) {
  json.erase("digest");
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : json.dump()) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

/// What loading says of a file, its digest made good.
inline std::string complaint_about(nlohmann::ordered_json json) {
  json["digest"] = digest_of(json);
  return complaint(json.dump());
}

/// What loading says of a valid file in which `spoil` changed something and made the digest good again.
template <typename Spoil>
std::string complaint_after(const Model& model, const Spoil& spoil) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(to_json(model));
  spoil(json);
  return complaint_about(json);
}

inline std::string complaint_with(const Model& model, const std::string& pointer,
                                  const nlohmann::ordered_json& value) {
  return complaint_after(model, [&](nlohmann::ordered_json& json) {
    json[nlohmann::ordered_json::json_pointer(pointer)] = value;
  });
}

}  // namespace shapeboost::examples
