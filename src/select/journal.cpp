// SPDX-License-Identifier: MIT
// The journal of a selection: whose it is, and its lines.
#include "select/journal.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "ground/json.hpp"
#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "shapeboost/version.hpp"

namespace shapeboost {
namespace {

using detail::Json;

/// Of the lines' form. Raised when it changes.
constexpr int kJournalVersion = 1;

std::string_view bytes_of(const ArrayView& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), at(numbers.size()) * sizeof(double)};
}

std::string sparse_digest(const SparseView& rows) {
  std::string bytes;
  const auto add = [&](const auto& numbers) {
    bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  };
  for (std::int64_t r = 0; r < rows.rows(); ++r) {
    add(rows.row(r).columns);
    add(rows.row(r).values);
    bytes += '\n';
  }
  return detail::fnv1a(bytes);
}

template <typename Choice>
Json names(const std::vector<Choice>& choices) {
  Json json = Json::array();
  for (const Choice choice : choices) json.push_back(to_string(choice));
  return json;
}

/// Every setting that makes a model.
Json to_json(const TrainSettings& s) {
  const KernelSettings& k = s.kernel;
  const bool boosts = s.method == Method::boost;
  Json json{{"method", to_string(s.method)},
            {"C", s.baseline.C},
            {"weak", to_string(s.boosting.weak)},
            {"refine", to_string(s.boosting.refine)},
            {"one_sided", boosts ? s.boosting.one_sided : s.baseline.one_sided},
            {"nu", s.boosting.nu},
            {"offset", boosts ? s.boosting.offset : s.baseline.offset},
            {"mirrored", s.boosting.mirrored},
            {"offset_last", s.boosting.offset_last},
            {"gap", s.boosting.gap},
            {"stall", s.boosting.stall_rounds},
            {"rounds", boosts ? s.boosting.max_rounds : s.baseline.max_rounds},
            {"members", s.members},
            {"views", s.views.text()},
            {"member_bags", s.member_bags ? Json(*s.member_bags) : Json(nullptr)},
            {"strategy", s.strategy ? Json(to_string(*s.strategy)) : Json(nullptr)},
            {"class_weights", s.class_weights.text()},
            {"optimise", to_string(s.optimise)},
            {"lengths", s.lengths},
            {"dilations", s.dilations},
            {"transforms", names(s.transforms)},
            {"rate", s.rate},
            {"missing", s.missing ? Json(to_string(*s.missing)) : Json(nullptr)},
            {"taus", s.taus},
            {"channels", s.channels},
            {"sigma_scales", s.sigma_scales},
            {"standardise", s.standardise},
            {"candidates", s.candidates ? Json(s.candidates->text()) : Json(nullptr)},
            {"seed", s.seed},
            {"kernel", to_string(k.kind)},
            {"sigma", k.sigma},
            {"c", k.c},
            {"p", k.p},
            {"band", k.band},
            {"k", k.k},
            {"mismatches", k.mismatches},
            {"alphabet", k.alphabet},
            {"lambda", k.lambda},
            {"gram", k.gram ? Json(detail::fnv1a(bytes_of(*k.gram))) : Json(nullptr)},
            {"name", k.name},
            {"claims_psd", k.claims_psd},
            {"normalisations", names(s.normalisations)},
            {"head", to_string(s.head)},
            {"patterns", s.patterns},
            {"evidence", names(s.evidence)}};
  return json;
}

Json parse(const std::string& line) { return Json::parse(line, nullptr, false); }

/// False where the line is none.
bool read_cell(const Json& json, Cell& cell) {
  const auto whole = [&](const char* name, std::int64_t most, auto& out) {
    if (!json.is_object() || !json.contains(name) || !json[name].is_number_unsigned()) return false;
    const auto value = json[name].get<std::uint64_t>();
    if (value > static_cast<std::uint64_t>(most)) return false;
    out = static_cast<std::remove_reference_t<decltype(out)>>(value);
    return true;
  };
  constexpr std::int64_t kInt = std::numeric_limits<int>::max();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return whole("choice", kInt, cell.choice) && whole("repeat", kInt, cell.repeat) &&
         whole("fold", kInt, cell.fold) && whole("examples", kMost, cell.examples) &&
         whole("correct", cell.examples, cell.correct) && whole("hypotheses", kMost, cell.hypotheses);
}

}  // namespace

std::string digest_of(const Dataset& data) {
  std::string text(to_string(data.kind()));
  for (const std::string& name : data.classes()) text += concat(' ', name.size(), ':', name);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (data.is_sparse()) {
      text += concat('\n', data.rows(i), ' ', data.label(i), ' ', sparse_digest(data.sparse(i)));
      continue;
    }
    const ArrayView values = data.values(i);
    text += concat('\n', values.rows(), 'x', values.cols(), ' ', data.label(i), ' ',
                   detail::fnv1a(bytes_of(values)));
  }
  return detail::fnv1a(text);
}

std::string digest_of(const std::vector<Choice>& choices) {
  Json list = Json::array();
  for (const Choice& choice : choices) list.push_back({choice.name, to_json(choice.settings)});
  return detail::fnv1a(detail::compact(list));
}

std::string journal_head(const Dataset& data, const std::vector<Choice>& choices,
                         const SelectionSettings& settings) {
  return detail::compact({{"journal", kJournalVersion},
                          {"version", kVersion},
                          {"data", digest_of(data)},
                          {"choices", digest_of(choices)},
                          {"folds", settings.folds},
                          {"repeats", settings.repeats},
                          {"trial_members", trial_members_of(settings, data.size())},
                          {"seed", settings.seed}});
}

void claim(LineLog& log, const JournalHead& head) {
  log.claim(head.fields, [&](const std::string& first) {
    const Json found = parse(first);
    if (!found.is_object() || !found.contains(head.words.front().first)) {
      throw InvalidInput(
          concat(log.path(), ": expected a journal of shapeboost ", head.command, ", found something else"));
    }
    const Json expected = parse(head.fields);
    const auto differs = std::ranges::find_if(head.words, [&](const auto& field) {
      return !found.contains(field.first) || found[field.first] != expected[field.first];
    });
    throw InvalidInput(concat(log.path(), ": the journal is of another run, its ",
                              differs == head.words.end() ? "head" : differs->second, " is not the same; ",
                              head.advice));
  });
}

Journal::Journal(std::string path, const std::string& head) : log_(std::move(path)) {
  claim(log_, {head,
               "tune",
               {{"journal", "form"},
                {"version", "version of shapeboost"},
                {"data", "data"},
                {"choices", "settings"},
                {"folds", "number of folds"},
                {"repeats", "number of repeats"},
                {"trial_members", "number of members tried"},
                {"seed", "seed"}},
               "remove it or name another"});
  std::set<std::tuple<int, int, int>> seen;
  for (std::size_t k = 1; k < log_.lines().size(); ++k) {
    const std::string where = concat(log_.path(), ", line ", k + 1, ": ");
    Cell cell;
    if (!read_cell(parse(log_.lines()[k]), cell)) {
      throw InvalidInput(where + "expected a finished cell, found " + detail::quote(log_.lines()[k]));
    }
    if (!seen.insert({cell.choice, cell.repeat, cell.fold}).second) {
      throw InvalidInput(where + "this cell is there twice");
    }
    cells_.push_back(cell);
  }
  empty_ = cells_.empty();
}

Journal::~Journal() {
  if (empty_ && !removed_) log_.remove();
}

void Journal::add(const Cell& cell) {
  log_.add(detail::compact({{"choice", cell.choice},
                            {"repeat", cell.repeat},
                            {"fold", cell.fold},
                            {"examples", cell.examples},
                            {"correct", cell.correct},
                            {"hypotheses", cell.hypotheses}}));
  empty_ = false;
}

void Journal::remove() {
  log_.remove();
  removed_ = true;
}

}  // namespace shapeboost
