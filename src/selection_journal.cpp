// SPDX-License-Identifier: MIT
// The journal of a selection: whose it is, and its lines.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <limits>
#include <set>
#include <system_error>
#include <tuple>

#include "json_detail.hpp"
#include "shapeboost/file.hpp"
#include "shapeboost/selection.hpp"
#include "shapeboost/version.hpp"
#include "text_detail.hpp"

namespace shapeboost {
namespace {

using detail::Json;

/// Of the lines' form. Raised when it changes.
constexpr int kJournalVersion = 1;

template <typename Derived>
std::string bytes_of(const Eigen::DenseBase<Derived>& numbers) {
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(numbers.size()) * sizeof(double));
  for (Eigen::Index r = 0; r < numbers.rows(); ++r) {
    for (Eigen::Index c = 0; c < numbers.cols(); ++c) {
      const double number = numbers(r, c);
      bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
  }
  return bytes;
}

std::string digest_of(const Dataset& data) {
  std::string text(to_string(data.kind()));
  for (const std::string& name : data.classes()) text += ' ' + std::to_string(name.size()) + ':' + name;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const MatrixView values = data.values(i);
    text += '\n' + std::to_string(values.rows()) + 'x' + std::to_string(values.cols()) + ' ' +
            std::to_string(data.label(i)) + ' ' + detail::fnv1a(bytes_of(values));
  }
  return detail::fnv1a(text);
}

/// Every setting that makes a model.
Json to_json(const TrainSettings& s) {
  const Kernel& k = s.kernel;
  Json json{{"method", to_string(s.method)},
            {"C", s.C},
            {"weak", to_string(s.weak)},
            {"refine", to_string(s.refine)},
            {"one_sided", s.one_sided},
            {"nu", s.nu},
            {"offset", s.offset},
            {"mirrored", s.mirrored},
            {"offset_last", s.offset_last},
            {"gap", s.gap},
            {"stall", s.stall_rounds},
            {"rounds", s.max_rounds},
            {"members", s.members},
            {"views", s.views.text()},
            {"member_bags", s.member_bags ? Json(*s.member_bags) : Json(nullptr)},
            {"strategy", s.strategy ? Json(to_string(*s.strategy)) : Json(nullptr)},
            {"class_weights", s.class_weights.text()},
            {"lengths", s.lengths},
            {"dilations", s.dilations},
            {"differences", s.differences},
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
            {"claims_psd", k.claims_psd}};
  Json normalisations = Json::array();
  for (const Normalisation n : s.normalisations) normalisations.push_back(to_string(n));
  json["normalisations"] = std::move(normalisations);
  return json;
}

std::string digest_of(const std::vector<Choice>& choices) {
  Json list = Json::array();
  for (const Choice& choice : choices) list.push_back({choice.name, to_json(choice.settings)});
  return detail::fnv1a(detail::compact(list));
}

Json parse(const std::string& line) { return Json::parse(line, nullptr, false); }

/// In what a journal differs from the run it is given to.
std::string difference(const Json& found, const Json& expected) {
  constexpr std::array<std::pair<const char*, const char*>, 7> kWords{{{"journal", "form"},
                                                                       {"version", "version of shapeboost"},
                                                                       {"data", "data"},
                                                                       {"choices", "settings"},
                                                                       {"folds", "number of folds"},
                                                                       {"repeats", "number of repeats"},
                                                                       {"seed", "seed"}}};
  for (const auto& [field, word] : kWords) {
    if (!found.contains(field) || found[field] != expected[field]) return word;
  }
  return "head";
}

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

std::string journal_head(const Dataset& data, const std::vector<Choice>& choices,
                         const SelectionSettings& settings) {
  return detail::compact({{"journal", kJournalVersion},
                          {"version", kVersion},
                          {"data", digest_of(data)},
                          {"choices", digest_of(choices)},
                          {"folds", settings.folds},
                          {"repeats", settings.repeats},
                          {"seed", settings.seed}});
}

Journal::Journal(std::string path, const std::string& head) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const auto fail = [&](const std::string& sentence) {
    if (descriptor_ >= 0) ::close(descriptor_);
    throw InvalidInput(sentence);
  };
  if (descriptor_ < 0) fail("cannot write " + path_ + ": " + std::generic_category().message(errno));
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    fail("cannot write " + path_ + ": expected a plain file for the journal");
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) fail(path_ + ": another run is writing this journal");
  try {
    read(head);
  } catch (const InvalidInput&) {
    ::close(descriptor_);
    throw;
  }
}

Journal::~Journal() {
  if (descriptor_ < 0) return;
  if (empty_) ::unlink(path_.c_str());
  ::close(descriptor_);
}

void Journal::read(const std::string& head) {
  std::string text = read_file(path_);
  const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  const std::string torn = text.substr(whole);
  text.resize(whole);
  const std::string no_journal = path_ + ": expected a journal of shapeboost tune, found something else";
  if (whole == 0 && !(head + '\n').starts_with(torn)) throw InvalidInput(no_journal);
  std::set<std::tuple<int, int, int>> seen;
  std::size_t line = 0;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = text.find('\n', begin);
    const std::string content = text.substr(begin, end - begin);
    begin = end + 1;
    if (line == 0) {
      if (content == head) continue;
      const Json found = parse(content);
      if (!found.is_object() || !found.contains("journal")) throw InvalidInput(no_journal);
      throw InvalidInput(path_ + ": the journal is of another run, its " + difference(found, parse(head)) +
                         " is not the same; remove it or name another");
    }
    Cell cell;
    if (!read_cell(parse(content), cell)) {
      throw InvalidInput(path_ + ", line " + std::to_string(line + 1) + ": expected a finished cell, found " +
                         detail::quote(content));
    }
    if (!seen.insert({cell.choice, cell.repeat, cell.fold}).second) {
      throw InvalidInput(path_ + ", line " + std::to_string(line + 1) + ": this cell is there twice");
    }
    cells_.push_back(cell);
  }
  empty_ = cells_.empty();
  if (!torn.empty() && ::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) {
    throw InvalidInput("cannot write " + path_ + ": " + std::generic_category().message(errno));
  }
  if (whole == 0) write(head + '\n');
}

void Journal::add(const Cell& cell) {
  write(detail::compact({{"choice", cell.choice},
                         {"repeat", cell.repeat},
                         {"fold", cell.fold},
                         {"examples", cell.examples},
                         {"correct", cell.correct},
                         {"hypotheses", cell.hypotheses}}) +
        '\n');
  empty_ = false;
}

void Journal::remove() {
  ::unlink(path_.c_str());
  ::close(descriptor_);
  descriptor_ = -1;
}

void Journal::write(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t put = ::write(descriptor_, text.data() + done, text.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw InvalidInput("cannot write " + path_ + ": " + std::generic_category().message(errno));
    done += static_cast<std::size_t>(put);
  }
}

}  // namespace shapeboost
