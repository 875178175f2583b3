// SPDX-License-Identifier: MIT
#include "paper_figures.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace shapeboost::cli {

extern const char* const kPaperFigures;  // paper_figures_text.cpp

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

const nlohmann::ordered_json& figures_json() {
  static const auto kJson = nlohmann::ordered_json::parse(kPaperFigures);
  return kJson;
}

}  // namespace

PaperTable paper_table(const std::string& name) {
  const nlohmann::ordered_json& json = figures_json().at(name);
  PaperTable table;
  table.name = name;
  table.from = json.at("from");
  for (const auto& [key, heading] : json.at("figures").items()) table.figures.emplace_back(key, heading);
  for (const auto& entry : json.at("sets")) {
    PaperSet& set = table.sets.emplace_back();
    set.name = entry.at("name");
    set.seconds = entry.value("seconds", kNone);
    for (const auto& [key, heading] : table.figures) {
      const auto& numbers = entry.at(key);
      set.figures[key] = {numbers.at(0), numbers.size() > 1 ? numbers.at(1).get<double>() : kNone};
    }
  }
  return table;
}

std::string paper_source() {
  const auto& source = figures_json().at("source");
  return source.at("authors").get<std::string>() + ": " + source.at("title").get<std::string>() + " (" +
         source.at("where").get<std::string>() + ")";
}

bool differs(double mean, const Figure& figure) {
  return std::abs(mean - figure.mean) > 2.0 * figure.sd + kPrinted;  // false where sd is NaN
}

}  // namespace shapeboost::cli
