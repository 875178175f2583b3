// SPDX-License-Identifier: MIT
// Which settings to train with: stratified k-fold cross-validation over a list of choices, and a journal from
// which a run that was cut off goes on.
//
// A cell is one training: a choice, on all folds of a repeat but one, tested on that one. What a cell trains
// on is a data set of its own, so nothing of the test fold can reach it. Cells of one fold share what does
// not depend on the choice (src/oracle/table_store.hpp); each gives the model that train() gives.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shapeboost/trainer.hpp"

namespace shapeboost {

/// Settings under a name. `threads` and `memory` are those of SelectionSettings.
struct Choice {
  std::string name;
  TrainSettings settings;
};

struct SelectionSettings {
  int folds = 5;    ///< at least 2, at most the number of examples
  int repeats = 1;  ///< at least 1; each divides the examples anew
  /// Most members of a committee while choices are compared; 0: all; none: 20, or 10 from 1,000 examples on.
  /// The first few of its members tell choices apart almost as well as all of them, in a part of the time.
  std::optional<int> trial_members;
  std::uint64_t seed = 1;
  int threads = 0;                              ///< 0: one for each hardware thread
  std::int64_t memory = std::int64_t{1} << 30;  ///< bytes for tables and caches; never changes the answer
};

/// The first fault as a sentence, or empty.
[[nodiscard]] std::string validate(const SelectionSettings& settings);

/// What trial_members comes to for so many examples.
[[nodiscard]] int trial_members_of(const SelectionSettings& settings, std::int64_t examples);

/// The fold of each example in one repeat. Every class is dealt out in random order, each beginning where the
/// last one ended: of each class, and in all, folds differ by one example at most. An example that is alone
/// in its class is kAlwaysTrained, or the class would be unknown to its fold's model. Throws InvalidInput
/// where an example has no label, or fewer than `folds` can be tested.
[[nodiscard]] std::vector<int> stratified_folds(const Dataset& data, int folds, int repeat,
                                                std::uint64_t seed);

/// What came of one training. All counted from 0.
struct Cell {
  int choice = 0;
  int repeat = 0;
  int fold = 0;
  std::int64_t examples = 0;    ///< in the test fold
  std::int64_t correct = 0;     ///< of them, classified rightly
  std::int64_t hypotheses = 0;  ///< of the model

  auto operator<=>(const Cell&) const = default;
};

/// A choice over the folds that count.
struct ChoiceResult {
  std::int64_t cells = 0;
  std::int64_t examples = 0;
  std::int64_t correct = 0;
  double accuracy = 0.0;    ///< correct / examples
  double sd = 0.0;          ///< of the cells' accuracies; 0 where there is only one
  double hypotheses = 0.0;  ///< mean over the cells
};

struct Selection {
  std::vector<Cell> cells;  ///< all that are known: by repeat, then fold, then choice
  /// One for each choice, over the folds that every choice has finished: others would be compared on other
  /// examples.
  std::vector<ChoiceResult> results;
  int best = -1;          ///< index of the choice, or -1 where no fold was finished by all
  bool complete = false;  ///< every cell is known
  // Of the cells trained now, for the record: tables made from instances, and from what others had left.
  std::int64_t tables_made = 0;
  std::int64_t tables_remade = 0;
};

/// The largest accuracy; among equals the fewest hypotheses in the mean, then the first. -1 where none has a
/// cell.
[[nodiscard]] int best_of(const std::vector<ChoiceResult>& results);

struct SelectionObserver {
  /// After each cell that was trained now, one at a time, in any order.
  std::function<void(const Cell&, const Model&)> cell;
  /// Asked between pieces of work, from any thread; true ends the search with the cells that are known.
  std::function<bool()> interrupted;
  /// As in Observer.
  std::function<bool()> abandoned;
};

/// Trains every cell that is not among `known`. The answer does not depend on threads, memory, or which cells
/// were known. Throws InvalidInput: the first fault of the settings, of the data, of a choice (by its name).
[[nodiscard]] Selection select(const Dataset& data, const std::vector<Choice>& choices,
                               const SelectionSettings& settings, const std::vector<Cell>& known = {},
                               const SelectionObserver& observer = {});

/// Of a limit on time, what programs give select(); the rest is for refit().
inline constexpr double kSearchShare = 0.75;

/// The best choice trained on all data; the model's provenance says how it was chosen. Throws InvalidInput
/// where there is no best one.
[[nodiscard]] TrainingResult refit(const Dataset& data, const std::vector<Choice>& choices,
                                   const SelectionSettings& settings, const Selection& selection,
                                   const Observer& observer = {});

}  // namespace shapeboost
