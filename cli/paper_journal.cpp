// SPDX-License-Identifier: MIT
#include "paper_journal.hpp"

#include <nlohmann/json.hpp>

#include "select/journal.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/version.hpp"

namespace shapeboost::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Of the lines' form. Raised when it changes.
constexpr int kPaperJournal = 1;

Json parse(const std::string& line) { return Json::parse(line, nullptr, false); }

Json to_json(const PaperRecord& record) {
  const Trial& trial = record.trial;
  Json json{{"set", record.set}, {"column", record.column}, {"of", record.of}};
  if (record.selection) {
    json.update({{"selection", true}, {"choice", trial.choice}, {"chosen", record.chosen}});
  } else {
    json.update({{"run", trial.run},
                 {"fold", trial.fold},
                 {"choice", trial.choice},
                 {"chosen", record.chosen},
                 {"examples", trial.examples},
                 {"correct", trial.correct},
                 {"hypotheses", trial.hypotheses}});
  }
  json.update({{"trainings", trial.trainings}, {"seconds", record.seconds}, {"machine", record.machine}});
  return json;
}

/// Throws nlohmann's exceptions where something is missing or of another kind.
PaperRecord from_json(const Json& json) {
  PaperRecord record;
  record.set = json.at("set");
  record.column = json.at("column");
  record.of = json.at("of");
  record.selection = json.value("selection", false);
  Trial& trial = record.trial;
  trial.choice = json.at("choice");
  trial.trainings = json.at("trainings");
  if (!record.selection) {
    trial.run = json.at("run");
    trial.fold = json.at("fold");
    trial.examples = json.at("examples");
    trial.correct = json.at("correct");
    trial.hypotheses = json.at("hypotheses");
  }
  record.chosen = json.at("chosen");
  record.seconds = json.at("seconds");
  record.machine = json.at("machine");
  return record;
}

}  // namespace

PaperJournal::PaperJournal(const std::string& path, const std::string& table, std::uint64_t seed, bool quick)
    : log_(path) {
  const Json expected{
      {"paper", kPaperJournal}, {"table", table}, {"version", kVersion}, {"seed", seed}, {"quick", quick}};
  claim(log_, {expected.dump(),
               "paper",
               {{"paper", "form"},
                {"table", "table"},
                {"version", "version of shapeboost"},
                {"seed", "seed"},
                {"quick", "kind"}},
               "remove it or give another --out"});
  for (std::size_t k = 1; k < log_.lines().size(); ++k) {
    try {
      records_.push_back(from_json(parse(log_.lines()[k])));
    } catch (const Json::exception&) {
      throw InvalidInput(path + ", line " + std::to_string(k + 1) +
                         ": expected a finished piece of work, found '" + log_.lines()[k].substr(0, 40) +
                         "'");
    }
  }
}

PaperJournal::~PaperJournal() {
  if (records_.empty()) log_.remove();
}

void PaperJournal::add(const PaperRecord& record) {
  log_.add(to_json(record).dump(-1, ' ', false, Json::error_handler_t::replace));
  records_.push_back(record);
}

}  // namespace shapeboost::cli
