// SPDX-License-Identifier: MIT
// How good settings are on examples that no model has seen: on a test set, over several seeds; or by nested
// cross-validation, where the settings too are chosen without the examples they are tested on.
//
// A trial is one model, trained and tested. The answer of a trial depends on nothing but the data, the
// settings and its own numbers: trials may be run in any order, side by side, or today and tomorrow.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/selection.hpp"

namespace shapeboost {

/// What came of one model. Runs and folds are counted from 0.
struct Trial {
  int run = 0;
  int fold = 0;                 ///< of nested cross-validation; else 0
  int choice = 0;               ///< the one that was trained
  std::int64_t examples = 0;    ///< tested
  std::int64_t correct = 0;     ///< of them, classified rightly
  std::int64_t hypotheses = 0;  ///< of the model
  std::int64_t trainings = 0;   ///< that it took: those of the inner selection, and its own

  auto operator<=>(const Trial&) const = default;
};

/// Who wants to know. Everything but `interrupted` is called by one thread at a time. The library has no
/// clock: who wants to know how long a training takes looks at his own in `begin` and `trained`.
struct TrialObserver {
  std::function<void(const Trial&)> begin;                  ///< its run and fold; the rest is yet to come
  std::function<void(const Trial&, const Model&)> trained;  ///< but not yet tested
  std::function<void(const Trial&)> done;
  std::function<void()> selecting;  ///< after each training of an inner selection
  /// Asked between pieces of work, from any thread; true ends the experiment with the trials that are done.
  std::function<bool()> interrupted;
};

struct ExperimentSettings {
  int runs = 10;                                ///< at least 1
  int folds = 10;                               ///< nested cross-validation: at least 2
  int inner_folds = 5;                          ///< of the selection inside a fold: at least 2
  std::uint64_t seed = 1;                       ///< of the folds, in nested cross-validation
  int threads = 0;                              ///< 0: one for each hardware thread
  std::int64_t memory = std::int64_t{1} << 30;  ///< bytes for tables and caches; never changes the answer
};

/// The first fault as a sentence, or empty.
[[nodiscard]] std::string validate(const ExperimentSettings& settings);

/// Trains on `train` and tests on `test`, once for each run that is not among `known`, one after the other
/// and each on all threads: what is timed is a training that has the machine to itself. Run r trains with the
/// choice's seed + r. Returns all runs that are done, in order. Throws InvalidInput: the first fault of the
/// settings, of the data (a label of `test` that `train` does not have), of the choice.
[[nodiscard]] std::vector<Trial> holdout(const Dataset& train, const Dataset& test, const Choice& choice,
                                         const ExperimentSettings& settings,
                                         const std::vector<Trial>& known = {},
                                         const TrialObserver& observer = {});

/// For every run r and fold f of stratified_folds(data, folds, r, seed): select() on the examples outside f,
/// trains the best choice on them, tests it on f. A single choice needs no selection. Run r selects with
/// seed + r and trains with the choices' seeds + r: whatever is random is drawn anew. Trials run side by
/// side, each on one thread. Returns all that are done, by run, then fold. Throws InvalidInput as select()
/// does.
[[nodiscard]] std::vector<Trial> nested_cross_validation(const Dataset& data,
                                                         const std::vector<Choice>& choices,
                                                         const ExperimentSettings& settings,
                                                         const std::vector<Trial>& known = {},
                                                         const TrialObserver& observer = {});

/// Accuracies of several runs.
struct Spread {
  int runs = 0;
  double mean = 0.0;
  double sd = 0.0;  ///< with runs - 1 below; 0 where there is only one
};

/// A run's accuracy is that of all its folds together; it counts where it has `folds` of them.
[[nodiscard]] Spread spread_of(const std::vector<Trial>& trials, int folds);

}  // namespace shapeboost
