// SPDX-License-Identifier: MIT
#include "shapeboost/selection.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

#include "ground/numbers.hpp"
#include "ground/parallel.hpp"
#include "ground/rng.hpp"
#include "ground/text.hpp"
#include "shapeboost/predictor.hpp"
#include "train/plan.hpp"
#include "train/problem.hpp"
#include "train/trainer.hpp"

namespace shapeboost {
namespace {

/// "1 repeat", "2 repeats".
std::string counted(std::int64_t n, const std::string& noun) {
  return std::to_string(n) + ' ' + noun + (n == 1 ? "" : "s");
}

/// A fold's two data sets and the tables of the one to train on: made by the first cell that comes, gone with
/// the last.
class Fold {
 public:
  Fold(const Dataset& data, const std::vector<int>& fold_of, int fold, std::int64_t memory,
       std::int64_t cells)
      : data_(data), memory_(memory), waiting_(cells) {
    for (std::int64_t i = 0; i < data.size(); ++i) {
      (fold_of[at(i)] == fold ? test_ : train_).push_back(i);
    }
  }

  struct Content {
    Content(Dataset train_on, Dataset test_on, std::int64_t memory)
        : train(std::move(train_on)), test(std::move(test_on)), store(train, memory) {}
    Dataset train;
    Dataset test;
    detail::TableStore store;
  };
  Content& content() {
    const std::scoped_lock lock(mutex_);
    if (!content_) {
      content_ = std::make_unique<Content>(data_.subset(train_), data_.subset(test_), memory_);
    }
    return *content_;
  }
  void done() {
    const std::scoped_lock lock(mutex_);
    if (--waiting_ > 0 || !content_) return;
    counts_ = content_->store.counts();
    content_.reset();
  }
  /// Known when all cells are done.
  [[nodiscard]] const detail::TableStore::Counts& counts() const { return counts_; }
  [[nodiscard]] std::int64_t tested() const { return static_cast<std::int64_t>(test_.size()); }

 private:
  const Dataset& data_;
  std::int64_t memory_;
  std::int64_t waiting_;
  std::vector<std::int64_t> train_;
  std::vector<std::int64_t> test_;
  std::mutex mutex_;
  std::unique_ptr<Content> content_;
  detail::TableStore::Counts counts_;
};

/// Where a cell stands in Selection::cells.
auto place_of(const Cell& cell) { return std::tuple(cell.repeat, cell.fold, cell.choice); }

std::string name_of(const Choice& choice) { return "choice '" + choice.name + "'"; }

/// Faults that can be seen before anything is trained. Returns the largest need of memory.
std::int64_t check_choices(const Dataset& data, const std::vector<Choice>& choices,
                           const SelectionSettings& settings) {
  if (choices.empty()) throw InvalidInput("choices: expected at least one, found none");
  std::int64_t needed = 1;
  for (const Choice& choice : choices) {
    try {
      if (const std::string fault = validate(choice.settings); !fault.empty()) throw InvalidInput(fault);
      needed = std::max(needed, smallest_memory(data, choice.settings, true));
    } catch (const InvalidInput& fault) {
      throw InvalidInput(name_of(choice) + ": " + fault.what());
    }
  }
  if (settings.memory < needed) {
    throw InvalidInput(detail::too_little_memory(needed, settings.memory));
  }
  return needed;
}

/// Every known cell stands for one that is asked for, and no other does.
void check_known(const std::vector<Cell>& cells, std::int64_t choices, const SelectionSettings& settings) {
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const Cell& cell = cells[k];
    const auto within = [](int value, std::int64_t count) { return value >= 0 && value < count; };
    if (!within(cell.choice, choices) || !within(cell.repeat, settings.repeats) ||
        !within(cell.fold, settings.folds) || cell.correct < 0 || cell.correct > cell.examples) {
      throw InvalidInput("known cells: expected cells of these choices, repeats and folds, found choice " +
                         std::to_string(cell.choice) + ", repeat " + std::to_string(cell.repeat) + ", fold " +
                         std::to_string(cell.fold));
    }
    if (k > 0 && place_of(cells[k - 1]) == place_of(cell)) {
      throw InvalidInput("known cells: choice " + std::to_string(cell.choice) + ", repeat " +
                         std::to_string(cell.repeat) + ", fold " + std::to_string(cell.fold) +
                         " is there twice");
    }
  }
}

/// Trains and tests one cell; false where it was interrupted.
bool run_cell(Fold::Content& fold, const Choice& choice, int trial_members, std::int64_t memory,
              const SelectionObserver& observer, Cell& cell, Model& model) {
  TrainSettings own = choice.settings;
  own.threads = 1;
  if (TrainSettings settled = plan(fold.train, own).settings;
      trial_members > 0 && settled.members > trial_members) {
    own = std::move(settled);  // a committee's, which one member alone would not be given
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
  cell.hypotheses = static_cast<std::int64_t>(model.hypotheses.size());
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
      result.hypotheses += static_cast<double>(cell.hypotheses);
      accuracies[at(cell.choice)].push_back(static_cast<double>(cell.correct) /
                                            static_cast<double>(cell.examples));
    }
  }
  for (std::size_t c = 0; c < choices; ++c) {
    ChoiceResult& result = results[c];
    if (result.cells == 0) continue;
    const auto n = static_cast<double>(result.cells);
    result.accuracy = static_cast<double>(result.correct) / static_cast<double>(result.examples);
    result.hypotheses /= n;
    double mean = 0.0;
    for (const double accuracy : accuracies[c]) mean += accuracy / n;
    double sum = 0.0;
    for (const double accuracy : accuracies[c]) sum += (accuracy - mean) * (accuracy - mean);
    if (result.cells > 1) result.sd = std::sqrt(sum / (n - 1.0));
  }
  return results;
}

}  // namespace

int trial_members_of(const SelectionSettings& settings, std::int64_t examples) {
  constexpr std::int64_t kMany = 1000;
  return settings.trial_members.value_or(examples < kMany ? 20 : 10);
}

std::string validate(const SelectionSettings& settings) {
  if (settings.folds < 2) return "folds: expected at least 2, found " + std::to_string(settings.folds);
  if (settings.repeats < 1) return "repeats: expected at least 1, found " + std::to_string(settings.repeats);
  if (settings.trial_members && *settings.trial_members < 0) {
    return "trial-members: expected at least 0, found " + std::to_string(*settings.trial_members);
  }
  if (settings.threads < 0) return "threads: expected at least 0, found " + std::to_string(settings.threads);
  if (settings.memory < 1) {
    return "memory: expected a number above 0, found " + std::to_string(settings.memory);
  }
  return "";
}

std::vector<int> stratified_folds(const Dataset& data, int folds, int repeat, std::uint64_t seed) {
  detail::check_labels(data);
  std::vector<std::vector<std::int64_t>> classes(data.classes().size());
  for (std::int64_t i = 0; i < data.size(); ++i) classes[at(data.label(i))].push_back(i);
  std::vector<int> fold_of(at(data.size()), kAlwaysTrained);
  Rng rng(seed * 1'000'003 + static_cast<std::uint64_t>(repeat));
  std::int64_t dealt = 0;
  for (std::vector<std::int64_t>& members : classes) {
    if (members.size() < 2) continue;
    shuffle(members, rng);
    for (const std::int64_t i : members) fold_of[at(i)] = static_cast<int>(dealt++ % folds);
  }
  if (dealt < folds) {
    throw InvalidInput("folds: expected at most as many as examples whose class has another one, " +
                       std::to_string(dealt) + ", found " + std::to_string(folds));
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
  detail::check_labels(data);
  const std::int64_t needed = check_choices(data, choices, settings);
  Selection selection;
  selection.cells = known;
  const auto in_order = [](const Cell& a, const Cell& b) { return place_of(a) < place_of(b); };
  std::sort(selection.cells.begin(), selection.cells.end(), in_order);
  check_known(selection.cells, static_cast<std::int64_t>(choices.size()), settings);

  // Half of the memory is for the tables that cells share, half for the cells themselves.
  const int wanted = ThreadPool(settings.threads).threads();
  const auto side_by_side = std::clamp<std::int64_t>(settings.memory / 2 / needed, 1, wanted);
  const auto each = static_cast<std::int64_t>(choices.size());
  // Cells run in the order of folds: so many of these are open at once.
  const std::int64_t open =
      std::min<std::int64_t>(std::int64_t{settings.folds} * settings.repeats, side_by_side / each + 2);
  std::map<std::pair<int, int>, std::unique_ptr<Fold>> folds;
  std::vector<Cell> missing;
  for (int r = 0; r < settings.repeats; ++r) {
    const std::vector<int> fold_of = stratified_folds(data, settings.folds, r, settings.seed);
    for (int f = 0; f < settings.folds; ++f) {
      const std::size_t before = missing.size();
      for (int c = 0; c < static_cast<int>(choices.size()); ++c) {
        const Cell cell{c, r, f};
        if (!std::binary_search(selection.cells.begin(), selection.cells.end(), cell, in_order)) {
          missing.push_back(cell);
        }
      }
      folds[{r, f}] = std::make_unique<Fold>(data, fold_of, f, settings.memory / 2 / open,
                                             static_cast<std::int64_t>(missing.size() - before));
    }
  }
  for (const Cell& cell : selection.cells) {
    const std::int64_t tested = folds[{cell.repeat, cell.fold}]->tested();
    if (cell.examples != tested) {
      throw InvalidInput("known cells: expected " + counted(tested, "example") + " in repeat " +
                         std::to_string(cell.repeat) + ", fold " + std::to_string(cell.fold) + ", found " +
                         std::to_string(cell.examples));
    }
  }
  const int trial_members = trial_members_of(settings, data.size());
  std::mutex one_at_a_time;
  ThreadPool(static_cast<int>(side_by_side))
      .run(static_cast<std::int64_t>(missing.size()), [&](std::int64_t k) {
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
            throw InvalidInput(name_of(choice) + ", repeat " + std::to_string(cell.repeat + 1) + ", fold " +
                               std::to_string(cell.fold + 1) + ": " + fault.what());
          }
        }
        fold.done();
        if (!finished) return;
        const std::scoped_lock lock(one_at_a_time);
        selection.cells.push_back(cell);
        if (observer.cell) observer.cell(cell, model);
      });
  std::sort(selection.cells.begin(), selection.cells.end(), in_order);
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
      best.name + "; the best of " + counted(static_cast<std::int64_t>(choices.size()), "choice") +
      " with an accuracy of " + detail::number(result.accuracy) + " over " + counted(result.cells, "fold") +
      (selection.complete ? "" : ", before the search was done") + " (" + std::to_string(settings.folds) +
      "-fold cross-validation, " + counted(settings.repeats, "repeat") + ", seed " +
      std::to_string(settings.seed) + ')';
  return training;
}

}  // namespace shapeboost
