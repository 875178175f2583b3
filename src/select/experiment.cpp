// SPDX-License-Identifier: MIT
#include "select/experiment.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "ground/numbers.hpp"
#include "ground/parallel.hpp"
#include "ground/text.hpp"
#include "select/folds.hpp"
#include "shapeboost/predictor.hpp"
#include "train/plan.hpp"

namespace shapeboost {
namespace {

bool in_order(const Trial& a, const Trial& b) { return std::tie(a.run, a.fold) < std::tie(b.run, b.fold); }

/// The known trials in order; each stands for one that is asked for, and no other does.
std::vector<Trial> checked(std::vector<Trial> known, int runs, int folds, std::int64_t choices) {
  std::ranges::sort(known, in_order);
  for (std::size_t k = 0; k < known.size(); ++k) {
    const Trial& trial = known[k];
    const std::string name = concat("run ", trial.run, ", fold ", trial.fold);
    if (trial.run < 0 || trial.run >= runs || trial.fold < 0 || trial.fold >= folds || trial.choice < 0 ||
        trial.choice >= choices || trial.correct < 0 || trial.correct > trial.examples) {
      throw InvalidInput(concat("known trials: expected trials of these runs, folds and choices, found ",
                                name, ", choice ", trial.choice));
    }
    if (k > 0 && !in_order(known[k - 1], trial)) {
      throw InvalidInput("known trials: " + name + " is there twice");
    }
  }
  return known;
}

std::int64_t count_correct(const Model& model, const Dataset& test, int threads) {
  const std::vector<int> predicted = predictions(model, scores(model, test, threads));
  const std::vector<int> labels = labels_for(model, test);
  std::int64_t correct = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) correct += predicted[i] == labels[i] ? 1 : 0;
  return correct;
}

/// Speaks to an observer, one thread at a time.
class Teller {
 public:
  explicit Teller(const TrialObserver& observer) : observer_(observer) {}

  void begin(const Trial& trial) { tell(observer_.begin, trial); }
  void trained(const Trial& trial, const Model& model) { tell(observer_.trained, trial, model); }
  void selecting() { tell(observer_.selecting); }
  void done(const Trial& trial) { tell(observer_.done, trial); }
  [[nodiscard]] bool interrupted() const { return observer_.interrupted && observer_.interrupted(); }

 private:
  template <typename Call, typename... What>
  void tell(const Call& call, const What&... what) {
    const std::scoped_lock lock(mutex_);
    if (call) call(what...);
  }

  const TrialObserver& observer_;
  std::mutex mutex_;
};

/// Trains and tests; false where it was interrupted.
bool run_trial(const Dataset& train_on, const Dataset& test_on, const TrainSettings& settings, Teller& teller,
               Trial& trial) {
  Observer observer;
  observer.interrupted = [&] { return teller.interrupted(); };
  const TrainingResult training = train(train_on, settings, observer);
  if (training.stop == Stop::interrupted) return false;
  trial.hypotheses = std::ssize(training.model.hypotheses);
  ++trial.trainings;
  teller.trained(trial, training.model);
  trial.examples = test_on.size();
  trial.correct = count_correct(training.model, test_on, settings.threads);
  return true;
}

/// The choice that the inner selection finds best; false where it was interrupted.
bool select_inside(const Dataset& data, const std::vector<Choice>& choices, const SelectionSettings& settings,
                   Teller& teller, Trial& trial) {
  if (choices.size() == 1) return true;
  SelectionObserver observer;
  observer.cell = [&](const Cell&, const Model&) { teller.selecting(); };
  observer.interrupted = [&] { return teller.interrupted(); };
  const Selection selection = select(data, choices, settings, {}, observer);
  if (!selection.complete) return false;
  trial.choice = selection.best;
  trial.trainings = std::ssize(selection.cells);
  return true;
}

}  // namespace

std::string validate(const ExperimentSettings& settings) {
  using detail::below;
  for (const std::string& fault :
       {below("runs", settings.runs, 1), below("folds", settings.folds, 2),
        below("inner folds", settings.inner_folds, 2), below("threads", settings.threads, 0),
        below("memory", settings.memory, 1)}) {
    if (!fault.empty()) return fault;
  }
  return "";
}

std::vector<Trial> holdout(const Dataset& train, const Dataset& test, const Choice& choice,
                           const ExperimentSettings& settings, const std::vector<Trial>& known,
                           const TrialObserver& observer) {
  if (const std::string fault = validate(settings); !fault.empty()) throw InvalidInput(fault);
  std::vector<Trial> trials = checked(known, settings.runs, 1, 1);
  for (std::int64_t i = 0; i < test.size(); ++i) {
    const bool labelled = test.label(i) != kUnlabelled;
    const std::string label = labelled ? test.classes()[at(test.label(i))] : "";
    if (labelled && std::count(train.classes().begin(), train.classes().end(), label) > 0) continue;
    throw InvalidInput("test data: expected a label of the training data, found " +
                       (labelled ? "'" + label + "'" : std::string("none")) + ", example " + test.name(i));
  }
  Teller teller(observer);
  for (int run = 0; run < settings.runs && !teller.interrupted(); ++run) {
    Trial trial{run};
    if (std::ranges::binary_search(trials, trial, in_order)) continue;
    TrainSettings own = choice.settings;
    own.seed += static_cast<std::uint64_t>(run);
    own.threads = settings.threads;
    own.memory = settings.memory;
    teller.begin(trial);
    if (!run_trial(train, test, own, teller, trial)) break;
    trials.insert(std::ranges::upper_bound(trials, trial, in_order), trial);
    teller.done(trial);
  }
  return trials;
}

std::vector<Trial> nested_cross_validation(const Dataset& data, const std::vector<Choice>& choices,
                                           const ExperimentSettings& settings,
                                           const std::vector<Trial>& known, const TrialObserver& observer) {
  if (const std::string fault = validate(settings); !fault.empty()) throw InvalidInput(fault);
  std::vector<Trial> trials = checked(known, settings.runs, settings.folds, std::ssize(choices));
  std::vector<Trial> missing;
  std::vector<std::vector<int>> fold_of;  // of each run
  for (int run = 0; run < settings.runs; ++run) {
    fold_of.push_back(stratified_folds(data, settings.folds, run, settings.seed));
    for (int fold = 0; fold < settings.folds; ++fold) {
      const Trial trial{run, fold};
      if (!std::ranges::binary_search(trials, trial, in_order)) missing.push_back(trial);
    }
  }
  const std::int64_t needed = detail::memory_needed(data, choices);
  const std::int64_t side_by_side =
      std::clamp<std::int64_t>(settings.memory / 2 / needed, 1, ThreadPool(settings.threads).threads());
  const std::int64_t share = settings.memory / side_by_side;

  Teller teller(observer);
  std::mutex adding;
  ThreadPool(static_cast<int>(side_by_side)).run(std::ssize(missing), [&](std::int64_t k) {
    if (teller.interrupted()) return;
    Trial trial = missing[at(k)];
    const auto moved = static_cast<std::uint64_t>(trial.run);
    const detail::Division division(fold_of[at(trial.run)], trial.fold);
    const Dataset outside = data.subset(division.train);
    SelectionSettings inner;
    inner.folds = settings.inner_folds;
    inner.seed = settings.seed + moved;
    inner.threads = 1;
    // A part of the data may need a little more than the whole of it, which was allowed for.
    inner.memory =
        settings.memory < needed ? share : std::max(share, detail::memory_needed(outside, choices));
    std::vector<Choice> own = choices;
    for (Choice& choice : own) {
      choice.settings.seed += moved;
      choice.settings.threads = 1;
      choice.settings.memory = inner.memory;
    }
    teller.begin(trial);
    if (!select_inside(outside, own, inner, teller, trial)) return;
    if (!run_trial(outside, data.subset(division.test), own[at(trial.choice)].settings, teller, trial))
      return;
    teller.done(trial);
    const std::scoped_lock lock(adding);
    trials.push_back(trial);
  });
  std::ranges::sort(trials, in_order);
  return trials;
}

Spread spread_of(const std::vector<Trial>& trials, int folds) {
  struct Sum {
    int folds = 0;
    std::int64_t examples = 0;
    std::int64_t correct = 0;
  };
  std::map<int, Sum> runs;
  for (const Trial& trial : trials) {
    Sum& sum = runs[trial.run];
    ++sum.folds;
    sum.examples += trial.examples;
    sum.correct += trial.correct;
  }
  std::vector<double> accuracies;
  for (const auto& [run, sum] : runs) {
    if (sum.folds == folds && sum.examples > 0) accuracies.push_back(real(sum.correct) / real(sum.examples));
  }
  if (accuracies.empty()) return {};
  const detail::MeanAndSd all = detail::mean_and_sd(accuracies);
  const auto runs_done = static_cast<int>(accuracies.size());
  // Accuracies that are all the same have no deviation, though their mean may be off by rounding.
  const bool same = std::ranges::count(accuracies, accuracies.front()) == std::ssize(accuracies);
  return same ? Spread{runs_done, accuracies.front(), 0.0} : Spread{runs_done, all.mean, all.sd};
}

}  // namespace shapeboost
