// SPDX-License-Identifier: MIT
// Views and patterns are written as a model has them, one that weighs none of them: its file is checked as any other is.
#include "train/found_text.hpp"

#include <algorithm>
#include <array>

#include "ground/json.hpp"
#include "ground/numbers.hpp"

namespace shapeboost::detail {
namespace {

constexpr std::array kStops{Stop::gap, Stop::stalled, Stop::rounds, Stop::interrupted, Stop::nothing};

}  // namespace

std::string to_text(const FoundPatterns& found, const std::vector<std::string>& classes) {
  Model model;
  model.kind = found.views.front().kind;
  model.classes = classes;
  model.views = found.views;
  model.hypotheses = found.hypotheses;
  model.parts = parts_for(static_cast<int>(classes.size()), model.strategy);
  model.head = Head{.evidence = {Evidence::best}, .alpha = 1.0};  // for the patterns' thresholds
  model.provenance.views = found.facts;
  Json stops = Json::array();
  for (const Stop stop : found.stops) stops.push_back(to_string(stop));
  return compact(Json{{"patterns", to_json(model)},
                      {"stops", stops},
                      {"gap", found.gap},
                      {"duality_gap", found.duality_gap}});
}

FoundPatterns found_from_text(const std::string& text) {
  FoundPatterns found;
  try {
    const Json json = Json::parse(text);
    Model model = model_from_json(json.at("patterns").get<std::string>(), "found patterns");
    found.views = std::move(model.views);
    found.hypotheses = std::move(model.hypotheses);
    found.facts = std::move(model.provenance.views);
    found.gap = json.at("gap");
    found.duality_gap = json.at("duality_gap");
    for (const Json& word : json.at("stops")) {
      const auto stop = std::ranges::find(kStops, word.get<std::string>(),
                                          [](Stop one) { return std::string(to_string(one)); });
      if (stop == kStops.end()) throw InvalidInput("found patterns: no member stops so: " + compact(word));
      found.stops.push_back(*stop);
    }
  } catch (const Json::exception&) {
    throw InvalidInput("found patterns: this text is none, or not of this version");
  }
  return found;
}

}  // namespace shapeboost::detail
