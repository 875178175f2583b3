// SPDX-License-Identifier: MIT
#include "shapeboost/selection.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "ground/numbers.hpp"
#include "ground/parallel.hpp"
#include "ground/text.hpp"
#include "select/folds.hpp"
#include "shapeboost/predictor.hpp"
#include "train/decision.hpp"
#include "train/distinct.hpp"
#include "train/find.hpp"
#include "train/plan.hpp"
#include "train/problem.hpp"
#include "train/trainer.hpp"

namespace shapeboost {
namespace {

/// "1 repeat", "2 repeats".
std::string counted(std::int64_t n, const std::string& noun) {
  return concat(n, ' ', noun, (n == 1 ? "" : "s"));
}

/// A fold's two data sets and the tables of the one to train on: made by the first cell that comes, gone with
/// the last.
class Fold {
 public:
  Fold(const Dataset& data, const std::vector<int>& fold_of, int fold, std::int64_t memory,
       std::int64_t cells)
      : data_(data), division_(fold_of, fold), memory_(memory), waiting_(cells) {}

  struct Content {
    Content(Dataset train_on, Dataset test_on, std::int64_t memory)
        : train(detail::distinct_data(std::move(train_on))), test(std::move(test_on)), store(train, memory) {}
    Dataset train;
    Dataset test;
    TableStore store;
  };
  Content& content() {
    const std::scoped_lock lock(mutex_);
    if (!content_)
      content_ =
          std::make_unique<Content>(data_.subset(division_.train), data_.subset(division_.test), memory_);
    return *content_;
  }
  void done() {
    const std::scoped_lock lock(mutex_);
    if (--waiting_ > 0 || !content_) return;
    counts_ = content_->store.counts();
    content_.reset();
  }
  /// Known when all cells are done.
  [[nodiscard]] const TableStore::Counts& counts() const { return counts_; }
  [[nodiscard]] std::int64_t tested() const { return std::ssize(division_.test); }

 private:
  const Dataset& data_;
  detail::Division division_;
  std::int64_t memory_;
  std::int64_t waiting_;
  std::mutex mutex_;
  std::unique_ptr<Content> content_;
  TableStore::Counts counts_;
};

/// Where a cell stands in Selection::cells.
auto place_of(const Cell& cell) { return std::tuple(cell.repeat, cell.fold, cell.choice); }

/// Every known cell stands for one that is asked for, and no other does.
void check_known(const std::vector<Cell>& cells, std::int64_t choices, const SelectionSettings& settings) {
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const Cell& cell = cells[k];
    const auto within = [](int value, std::int64_t count) { return value >= 0 && value < count; };
    if (!within(cell.choice, choices) || !within(cell.repeat, settings.repeats) ||
        !within(cell.fold, settings.folds) || cell.correct < 0 || cell.correct > cell.examples) {
      throw InvalidInput(
          concat("known cells: expected cells of these choices, repeats and folds, found choice ",
                 cell.choice, ", repeat ", cell.repeat, ", fold ", cell.fold));
    }
    if (k > 0 && place_of(cells[k - 1]) == place_of(cell)) {
      throw InvalidInput(concat("known cells: choice ", cell.choice, ", repeat ", cell.repeat, ", fold ",
                                cell.fold, " is there twice"));
    }
  }
}

/// By repeat and fold.
using Folds = std::map<std::pair<int, int>, std::unique_ptr<Fold>>;

/// The cells that are not known, fold after fold, and the folds; known cells must fit these.
std::vector<Cell> missing_cells(const Dataset& data, const std::vector<Choice>& choices,
                                const SelectionSettings& settings, const std::vector<Cell>& known,
                                std::int64_t side_by_side, Folds& folds) {
  // Cells run in the order of folds: so many of these are open at once.
  const std::int64_t open = std::min<std::int64_t>(std::int64_t{settings.folds} * settings.repeats,
                                                   side_by_side / std::ssize(choices) + 2);
  std::vector<Cell> missing;
  for (int r = 0; r < settings.repeats; ++r) {
    const std::vector<int> fold_of = stratified_folds(data, settings.folds, r, settings.seed);
    for (int f = 0; f < settings.folds; ++f) {
      const auto before = std::ssize(missing);
      for (int c = 0; c < static_cast<int>(choices.size()); ++c) {
        const Cell cell{c, r, f};
        if (!std::ranges::binary_search(known, place_of(cell), {}, place_of)) missing.push_back(cell);
      }
      folds[{r, f}] =
          std::make_unique<Fold>(data, fold_of, f, settings.memory / 2 / open, std::ssize(missing) - before);
    }
  }
  for (const Cell& cell : known) {
    const std::int64_t tested = folds[{cell.repeat, cell.fold}]->tested();
    if (cell.examples == tested) continue;
    throw InvalidInput(concat("known cells: expected ", counted(tested, "example"), " in repeat ",
                              cell.repeat, ", fold ", cell.fold, ", found ", cell.examples));
  }
  return missing;
}

/// Trains and tests one cell; false where it was interrupted.
bool run_cell(Fold::Content& fold, const Choice& choice, int trial_members, std::int64_t memory,
              const SelectionObserver& observer, Cell& cell, Model& model) {
  TrainSettings own = choice.settings;
  own.threads = 1;
  if (TrainSettings settled = plan(fold.train, own).settings;
      trial_members > 0 && settled.members > trial_members) {
    own = std::move(settled);  // a committee's, which one member alone would not be given
    own.patterns = std::min(own.patterns, detail::kPatternsEach * trial_members);
    own.members = trial_members;
  }
  // On a part of the data windows may have other lengths, and need a little more than was allowed for.
  own.memory = std::max(memory, smallest_memory(fold.train, own));
  Observer inner;
  inner.interrupted = observer.interrupted;
  inner.abandoned = observer.abandoned;
  TrainingResult training = detail::train_with(fold.train, own, inner, &fold.store);
  if (training.stop == Stop::interrupted) return false;
  model = std::move(training.model);
  const std::vector<int> predicted = predictions(model, scores(model, fold.test, 1));
  cell.examples = fold.test.size();
  cell.correct = 0;
  for (std::int64_t i = 0; i < fold.test.size(); ++i) {
    if (predicted[at(i)] == fold.test.label(i)) ++cell.correct;
  }
  cell.hypotheses = std::ssize(model.hypotheses);
  return true;
}

/// Sums up the folds, neighbours in `cells`, that every choice has finished.
std::vector<ChoiceResult> sum_up(const std::vector<Cell>& cells, std::size_t choices) {
  std::vector<ChoiceResult> results(choices);
  std::vector<std::vector<double>> accuracies(choices);
  for (std::size_t begin = 0, end = 0; begin < cells.size(); begin = end) {
    while (end < cells.size() && cells[end].repeat == cells[begin].repeat &&
           cells[end].fold == cells[begin].fold) {
      ++end;
    }
    if (end - begin < choices) continue;
    for (std::size_t k = begin; k < end; ++k) {
      const Cell& cell = cells[k];
      ChoiceResult& result = results[at(cell.choice)];
      ++result.cells;
      result.examples += cell.examples;
      result.correct += cell.correct;
      result.hypotheses += real(cell.hypotheses);
      accuracies[at(cell.choice)].push_back(real(cell.correct) / real(cell.examples));
    }
  }
  for (std::size_t c = 0; c < choices; ++c) {
    ChoiceResult& result = results[c];
    if (result.cells == 0) continue;
    result.accuracy = real(result.correct) / real(result.examples);
    result.hypotheses /= real(result.cells);
    result.sd = detail::mean_and_sd(accuracies[c]).sd;
  }
  return results;
}

}  // namespace

int trial_members_of(const SelectionSettings& settings, std::int64_t examples) {
  constexpr std::int64_t kMany = 1000;
  return settings.trial_members.value_or(examples < kMany ? 20 : 10);
}

std::string validate(const SelectionSettings& settings) {
  for (const std::string& fault :
       {detail::below("folds", settings.folds, 2), detail::below("repeats", settings.repeats, 1),
        detail::below("trial-members", settings.trial_members.value_or(0), 0),
        detail::below("threads", settings.threads, 0)}) {
    if (!fault.empty()) return fault;
  }
  if (settings.memory < 1) return concat("memory: expected a number above 0, found ", settings.memory);
  return "";
}

detail::Division::Division(const std::vector<int>& fold_of, int fold) {
  for (std::int64_t i = 0; i < std::ssize(fold_of); ++i) (fold_of[at(i)] == fold ? test : train).push_back(i);
}

std::int64_t detail::memory_needed(const Dataset& data, const std::vector<Choice>& choices) {
  if (choices.empty()) throw InvalidInput("choices: expected at least one, found none");
  std::int64_t needed = 1;
  for (const Choice& choice : choices) {
    try {
      if (const std::string fault = validate(choice.settings); !fault.empty()) throw InvalidInput(fault);
      needed = std::max(needed, smallest_memory(data, choice.settings, true));
    } catch (const InvalidInput& fault) {
      throw InvalidInput(concat("choice '", choice.name, "': ", fault.what()));
    }
  }
  return needed;
}

std::string detail::below(const char* name, std::int64_t value, std::int64_t least) {
  return value >= least ? "" : concat(name, ": expected at least ", least, ", found ", value);
}

detail::MeanAndSd detail::mean_and_sd(const std::vector<double>& numbers) {
  MeanAndSd result;
  const double n = real(numbers.size());
  for (const double number : numbers) result.mean += number / n;
  double sum = 0.0;
  for (const double number : numbers) sum += (number - result.mean) * (number - result.mean);
  if (numbers.size() > 1) result.sd = std::sqrt(sum / (n - 1.0));
  return result;
}

std::vector<int> stratified_folds(const Dataset& data, int folds, int repeat, std::uint64_t seed) {
  detail::check_training_data(data);
  const std::vector<int> fold_of = detail::dealt_folds(data, folds, repeat, seed);
  const auto dealt = std::ssize(fold_of) - std::ranges::count(fold_of, kAlwaysTrained);
  if (dealt < folds) {
    throw InvalidInput(concat("folds: expected at most as many as examples whose class has another one, ",
                              dealt, ", found ", folds));
  }
  return fold_of;
}

int best_of(const std::vector<ChoiceResult>& results) {
  int best = -1;
  for (std::size_t c = 0; c < results.size(); ++c) {
    if (results[c].cells == 0) continue;
    if (best >= 0) {
      // All have been tested on the same examples: counts compare exactly where means would round.
      const ChoiceResult& other = results[at(best)];
      if (results[c].correct < other.correct) continue;
      if (results[c].correct == other.correct && results[c].hypotheses >= other.hypotheses) continue;
    }
    best = static_cast<int>(c);
  }
  return best;
}

Selection select(const Dataset& data, const std::vector<Choice>& choices, const SelectionSettings& settings,
                 const std::vector<Cell>& known, const SelectionObserver& observer) {
  if (const std::string fault = validate(settings); !fault.empty()) throw InvalidInput(fault);
  detail::check_training_data(data);
  const std::int64_t needed = detail::memory_needed(data, choices);
  if (settings.memory < needed) throw InvalidInput(detail::too_little_memory(needed, settings.memory));
  Selection selection;
  selection.cells = known;
  std::ranges::sort(selection.cells, {}, place_of);
  check_known(selection.cells, std::ssize(choices), settings);

  // Half of the memory is for the tables that cells share, half for the cells themselves.
  const int wanted = ThreadPool(settings.threads).threads();
  const auto side_by_side = std::clamp<std::int64_t>(settings.memory / 2 / needed, 1, wanted);
  Folds folds;
  const std::vector<Cell> missing =
      missing_cells(data, choices, settings, selection.cells, side_by_side, folds);
  const int trial_members = trial_members_of(settings, data.size());
  std::mutex one_at_a_time;
  ThreadPool(static_cast<int>(side_by_side)).run(std::ssize(missing), [&](std::int64_t k) {
    Cell cell = missing[at(k)];
    Fold& fold = *folds.at({cell.repeat, cell.fold});
    const Choice& choice = choices[at(cell.choice)];
    Model model;
    bool finished = false;
    if (!observer.interrupted || !observer.interrupted()) {
      try {
        finished = run_cell(fold.content(), choice, trial_members, settings.memory / 2 / side_by_side,
                            observer, cell, model);
      } catch (const InvalidInput& fault) {
        throw InvalidInput(concat("choice '", choice.name, "', repeat ", cell.repeat + 1, ", fold ",
                                  cell.fold + 1, ": ", fault.what()));
      }
    }
    fold.done();
    if (!finished) return;
    const std::scoped_lock lock(one_at_a_time);
    selection.cells.push_back(cell);
    if (observer.cell) observer.cell(cell, model);
  });
  std::ranges::sort(selection.cells, {}, place_of);
  for (const auto& [place, fold] : folds) {
    selection.tables_made += fold->counts().made;
    selection.tables_remade += fold->counts().remade;
  }
  selection.results = sum_up(selection.cells, choices.size());
  selection.best = best_of(selection.results);
  selection.complete = selection.cells.size() == choices.size() * at(settings.folds) * at(settings.repeats);
  return selection;
}

TrainingResult refit(const Dataset& data, const std::vector<Choice>& choices,
                     const SelectionSettings& settings, const Selection& selection,
                     const Observer& observer) {
  if (selection.best < 0) {
    throw InvalidInput("selection: expected a fold that every choice has finished, found none");
  }
  const Choice& best = choices[at(selection.best)];
  TrainSettings own = best.settings;
  own.threads = settings.threads;
  own.memory = settings.memory;
  TrainingResult training = train(data, own, observer);
  const ChoiceResult& result = selection.results[at(selection.best)];
  training.model.provenance.tuning =
      concat(best.name, "; the best of ", counted(std::ssize(choices), "choice"), " with an accuracy of ",
             detail::number(result.accuracy), " over ", counted(result.cells, "fold"),
             (selection.complete ? "" : ", before the search was done"), " (", settings.folds,
             "-fold cross-validation, ", counted(settings.repeats, "repeat"), ", seed ", settings.seed, ')');
  return training;
}

}  // namespace shapeboost
