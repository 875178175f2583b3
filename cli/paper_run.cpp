// SPDX-License-Identifier: MIT
#include "paper_run.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "ground/parallel.hpp"
#include "options.hpp"
#include "select/journal.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/files.hpp"
#include "training.hpp"

namespace shapeboost::cli {
namespace {

bool is_of(const PaperRecord& record, const PaperTask& task) {
  return record.set == task.data->set.name && record.column == task.column->id && record.of == task.of;
}

/// The task's trials that are done.
std::vector<Trial> trials_of(const PaperTask& task, const PaperJournal& journal) {
  std::vector<Trial> trials;
  for (const PaperRecord& record : journal.records()) {
    if (is_of(record, task) && !record.selection) trials.push_back(record.trial);
  }
  return trials;
}

/// Those of them that its protocol asks for.
std::vector<Trial> asked_trials_of(const PaperTask& task, const PaperJournal& journal) {
  std::vector<Trial> trials = trials_of(task, journal);
  std::erase_if(trials, [&](const Trial& trial) { return trial.run >= task.column->protocol.runs; });
  return trials;
}

const PaperRecord* selection_of(const PaperTask& task, const PaperJournal& journal) {
  for (const PaperRecord& record : journal.records()) {
    if (is_of(record, task) && record.selection) return &record;
  }
  return nullptr;
}

SelectionSettings selection_settings(const PaperTask& task, std::uint64_t seed) {
  SelectionSettings settings;
  settings.folds = task.column->protocol.inner_folds;
  settings.repeats = task.column->protocol.repeats;
  settings.seed = seed;
  return settings;
}

/// The value behind `key` in a file of "key<separator>value" lines, or empty.
std::string value_in(const char* file, const std::string& key, char separator) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    std::string value = line.substr(std::min(line.size(), line.find(separator) + 1));
    std::erase(value, '"');
    return value.substr(std::min(value.size(), value.find_first_not_of(" \t")));
  }
  return "";
}

}  // namespace

std::string machine_text(int threads) {
  struct utsname system {};
  uname(&system);
  const std::string cpu = value_in("/proc/cpuinfo", "model name", ':');
  const std::string name = value_in("/etc/os-release", "PRETTY_NAME", '=');
  return (cpu.empty() ? std::string(system.machine) : cpu) + ", " +
         counted(std::thread::hardware_concurrency(), "core") + ", " + (name.empty() ? "" : name + ", ") +
         system.sysname + ' ' + system.release + ", " + counted(ThreadPool(threads).threads(), "thread");
}

PaperData read_paper_data(const std::string& folder, const std::string& table, const PaperSet& set) {
  if (table == "table2") return {set, read_dataset(folder + "/mil/" + set.name + ".csv", Format::mil), {}};
  const std::string stem = folder + "/ucr/" + set.name + '/' + set.name;
  return {set, read_dataset(stem + "_TRAIN.tsv", Format::ucr), read_dataset(stem + "_TEST.tsv", Format::ucr)};
}

PaperTask paper_task(const PaperData& data, const PaperColumn& column, std::uint64_t seed) {
  PaperTask task{&data, &column, column.choices(data.train), ""};
  for (Choice& choice : task.choices) choice.settings.seed = seed;
  const Protocol& protocol = column.protocol;
  task.of = digest_of(data.train) + '-' +
            (data.test ? digest_of(*data.test) : std::to_string(protocol.folds)) + '-' +
            digest_of(task.choices) + '-' + std::to_string(protocol.inner_folds) + 'x' +
            std::to_string(protocol.repeats);
  return task;
}

PaperCell paper_cell(const PaperTask& task, const PaperJournal& journal) {
  const Protocol& protocol = task.column->protocol;
  PaperCell cell;
  cell.set = task.data->set.name;
  cell.column = task.column;
  cell.spread = spread_of(trials_of(task, journal), protocol.nested ? protocol.folds : 1);
  std::int64_t trials = 0;
  for (const PaperRecord& record : journal.records()) {
    if (!is_of(record, task)) continue;
    cell.trainings += record.trial.trainings;
    if (std::find(cell.machines.begin(), cell.machines.end(), record.machine) == cell.machines.end()) {
      cell.machines.push_back(record.machine);
    }
    if (record.selection) {
      cell.chosen = record.chosen;
    } else {
      cell.seconds += record.seconds;
      ++trials;
    }
  }
  if (trials > 0) cell.seconds /= static_cast<double>(trials);
  return cell;
}

PaperWork::PaperWork(std::string stem, std::uint64_t seed, int threads, std::int64_t memory,
                     PaperJournal& journal, Progress& progress)
    : stem_(std::move(stem)),
      seed_(seed),
      machine_(machine_text(threads)),
      journal_(journal),
      progress_(progress) {
  settings_.seed = seed;
  settings_.threads = threads;
  settings_.memory = memory;
}

std::string PaperWork::cells_path(const PaperTask& task) const {
  return stem_ + '.' + task.data->set.name + '.' + task.column->id + ".journal";
}

void PaperWork::expect(const PaperTask& task) {
  const Protocol& protocol = task.column->protocol;
  const auto done = static_cast<std::int64_t>(asked_trials_of(task, journal_).size());
  const auto choices = static_cast<std::int64_t>(task.choices.size());
  const std::int64_t search = choices > 1 ? choices * protocol.inner_folds * protocol.repeats : 0;
  if (protocol.nested) {
    expected_ += (std::int64_t{protocol.runs} * protocol.folds - done) * (search + 1);
  } else {
    expected_ += protocol.runs - done + (selection_of(task, journal_) == nullptr ? search : 0);
  }
}

void PaperWork::trained(const PaperTask& task) {
  ++done_;
  expected_ = std::max(expected_, done_);
  const double left = clock_.seconds() / static_cast<double>(done_) * static_cast<double>(expected_ - done_);
  progress_.show(task.data->set.name + ", " + task.column->id + ": " + grouped(done_) + " of " +
                 counted(expected_, "training") + ", about " + describe_seconds(left) + " left");
}

PaperRecord PaperWork::record_of(const PaperTask& task, const Trial& trial, double seconds) const {
  return {task.data->set.name,
          task.column->id,
          task.of,
          false,
          trial,
          task.choices[static_cast<std::size_t>(trial.choice)].name,
          seconds,
          machine_};
}

/// The best choice: the only one, the one that is known, or the one that is found now; none where that was
/// interrupted. Cells of the search are kept in a journal of their own until it is done.
std::optional<int> PaperWork::choose(const PaperTask& task) {
  if (task.choices.size() == 1) return 0;
  if (const PaperRecord* known = selection_of(task, journal_); known != nullptr) {
    const int choice = known->trial.choice;
    if (choice >= 0 && choice < static_cast<int>(task.choices.size())) return choice;
    throw InvalidInput("the journal names choice " + std::to_string(choice) + " of " +
                       std::to_string(task.choices.size()));
  }
  SelectionSettings settings = selection_settings(task, seed_);
  settings.threads = settings_.threads;
  settings.memory = settings_.memory;
  Journal cells(cells_path(task), journal_head(task.data->train, task.choices, settings));
  expected_ -= static_cast<std::int64_t>(cells.cells().size());
  const double begin = clock_.seconds();
  SelectionObserver observer;
  observer.cell = [&](const Cell& cell, const Model&) {
    cells.add(cell);
    trained(task);
  };
  observer.interrupted = stop_asked;
  const Selection selection = select(task.data->train, task.choices, settings, cells.cells(), observer);
  if (!selection.complete) return {};
  Trial found;
  found.choice = selection.best;
  found.trainings = static_cast<std::int64_t>(selection.cells.size());
  PaperRecord record = record_of(task, found, clock_.seconds() - begin);
  record.selection = true;
  journal_.add(record);
  cells.remove();
  return selection.best;
}

void PaperWork::holdout_runs(const PaperTask& task) {
  std::vector<Trial> known = asked_trials_of(task, journal_);
  const int runs = task.column->protocol.runs;
  if (static_cast<int>(known.size()) == runs) return;
  const std::optional<int> choice = choose(task);
  if (!choice) return;
  for (Trial& trial : known) trial.choice = 0;  // holdout() knows one choice
  ExperimentSettings settings = settings_;
  settings.runs = runs;
  double begin = 0.0;
  double seconds = 0.0;
  TrialObserver observer;
  observer.begin = [&](const Trial&) { begin = clock_.seconds(); };
  observer.trained = [&](const Trial&, const Model&) {
    seconds = clock_.seconds() - begin;
    trained(task);
  };
  observer.done = [&](Trial trial) {
    trial.choice = *choice;
    journal_.add(record_of(task, trial, seconds));
  };
  observer.interrupted = stop_asked;
  (void)holdout(task.data->train, *task.data->test, task.choices[static_cast<std::size_t>(*choice)], settings,
                known, observer);
}

void PaperWork::nested_runs(const PaperTask& task) {
  ExperimentSettings settings = settings_;
  settings.runs = task.column->protocol.runs;
  settings.folds = task.column->protocol.folds;
  settings.inner_folds = task.column->protocol.inner_folds;
  std::map<std::pair<int, int>, double> begins;  // of trials that run side by side
  TrialObserver observer;
  observer.begin = [&](const Trial& trial) { begins[{trial.run, trial.fold}] = clock_.seconds(); };
  observer.trained = [&](const Trial&, const Model&) { trained(task); };
  observer.selecting = [&] { trained(task); };
  observer.done = [&](const Trial& trial) {
    journal_.add(record_of(task, trial, clock_.seconds() - begins.at({trial.run, trial.fold})));
  };
  observer.interrupted = stop_asked;
  (void)nested_cross_validation(task.data->train, task.choices, settings, asked_trials_of(task, journal_),
                                observer);
}

void PaperWork::run(const PaperTask& task) {
  try {
    if (task.column->protocol.nested) {
      nested_runs(task);
    } else {
      holdout_runs(task);
    }
  } catch (const InvalidInput& fault) {
    throw InvalidInput(task.data->set.name + ", column " + task.column->id + ": " +
                       in_option_words(fault.what()));
  }
}

}  // namespace shapeboost::cli
