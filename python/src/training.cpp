// SPDX-License-Identifier: MIT
// fit and tune, as the command line has them, with progress told to a Python function.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "bindings.hpp"
#include "interruptible.hpp"
#include "select/grid.hpp"
#include "select/journal.hpp"
#include "shapeboost/calibration.hpp"
#include "shapeboost/selection.hpp"
#include "shapeboost/trainer.hpp"
#include "train/find.hpp"
#include "train/plan.hpp"
#include "train/settings.hpp"

namespace shapeboost::python {
namespace {

/// (done, total) to a Python function, where there is one.
class Told {
 public:
  Told(nb::object function, std::int64_t total) : function_(std::move(function)), total_(total) {}
  void at_least(std::int64_t done) {
    std::int64_t before = done_;
    while (before < done && !done_.compare_exchange_weak(before, done)) {
    }
  }
  void one_more() { ++done_; }
  [[nodiscard]] std::function<void()> tick() {
    if (function_.is_none()) return {};
    return [this] { function_(done_.load(), total_); };
  }

 private:
  nb::object function_;
  std::int64_t total_;
  std::atomic<std::int64_t> done_{0};
};

/// Members, and the binary problems of each.
struct Work {
  std::int64_t members = 0;
  std::int64_t problems = 0;
};

Work work_of(const Dataset& data, const TrainSettings& settings) {
  if (data.classes().size() < 2) return {};  // train() says what is wrong
  const TrainSettings settled = plan(data, settings).settings;
  const auto parts = std::ssize(parts_for(static_cast<int>(data.classes().size()), *settled.strategy));
  return {settled.members, settled.head == HeadKind::ridge ? detail::problems_each(data) : parts};
}

nb::tuple fit(const Data& data, const TrainSettings& settings, double time_limit, bool probability,
              nb::object progress) {
  const Dataset& examples = data.dataset;
  if (const std::string fault = validate(settings); !fault.empty()) throw InvalidInput(fault);
  const bool wanted = !progress.is_none();
  const Work work = wanted ? work_of(examples, settings) : Work{};
  Told told(std::move(progress), work.members * work.problems);
  TrainingResult result;
  bool out_of_time = false;
  run_interruptibly(
      [&](const Interruption& interruption) {
        Observer observer;
        if (wanted) {
          observer.round = [&](const RoundRecord& r) {
            told.at_least(r.member * work.problems + r.part + 1);
          };
        }
        observer.interrupted = [&] { return interruption.out_of_time(); };
        observer.abandoned = [&] { return interruption.asked(); };
        result = train(examples, settings, observer);
        out_of_time = interruption.out_of_time();
        if (probability) {
          observer.round = {};
          add_calibration(result, examples, settings, observer);
        }
      },
      time_limit, told.tick());
  Provenance& provenance = result.model.provenance;
  provenance.settings = settings_text(settings);
  if (time_limit > 0.0)
    provenance.settings += " --time-limit " + std::string(nb::str(nb::float_(time_limit)).c_str());
  if (probability) provenance.settings += " --probability";
  if (result.stop == Stop::interrupted && out_of_time) {
    provenance.stopped = "time limit";
    result.notes.push_back("time_limit: training stopped after " +
                           std::string(nb::str(nb::float_(time_limit)).c_str()) +
                           " s, before it was complete; the model is what had been found by then");
  }
  return nb::make_tuple(std::move(result.model), result.notes);
}

nb::list results_of(const std::vector<Choice>& choices, const Selection& selection) {
  nb::list list;
  for (std::size_t k = 0; k < choices.size(); ++k) {
    const ChoiceResult& result = selection.results[k];
    nb::dict row;
    row["setting"] = choices[k].name;
    row["accuracy"] = result.accuracy;
    row["sd"] = result.sd;
    row["hypotheses"] = result.hypotheses;
    row["folds"] = result.cells;
    list.append(row);
  }
  return list;
}

struct Search {
  std::string grid;  // empty: the default one
  GivenSettings given;
  int folds;
  int repeats;
  std::optional<int> trial_members;
  std::string journal;  // empty: none
  bool probability;
};

nb::tuple tune(const Data& data, const TrainSettings& fixed, const Search& search, double time_limit,
               nb::object progress) {
  const Dataset& examples = data.dataset;
  if (const std::string fault = validate(fixed); !fault.empty()) throw InvalidInput(fault);
  const std::string grid = search.grid.empty() ? default_grid(search.given, examples, fixed) : search.grid;
  const std::vector<Choice> choices = expand_grid(grid, fixed, search.given, examples.kind());
  SelectionSettings settings;
  settings.folds = search.folds;
  settings.repeats = search.repeats;
  settings.trial_members = search.trial_members;
  settings.seed = fixed.seed;
  settings.threads = fixed.threads;
  settings.memory = fixed.memory;
  std::unique_ptr<Journal> journal;
  if (!search.journal.empty()) {
    journal = std::make_unique<Journal>(search.journal, journal_head(examples, choices, settings));
  }
  const std::vector<Cell> known = journal ? journal->cells() : std::vector<Cell>{};
  Told told(std::move(progress),
            static_cast<std::int64_t>(choices.size()) * settings.folds * settings.repeats);
  told.at_least(static_cast<std::int64_t>(known.size()));
  Selection selection;
  TrainingResult result;
  run_interruptibly(
      [&](const Interruption& interruption) {
        SelectionObserver observer;
        observer.cell = [&](const Cell& cell, const Model&) {
          if (journal) journal->add(cell);
          told.one_more();
        };
        observer.interrupted = [&] { return interruption.out_of_time(kSearchShare); };
        observer.abandoned = [&] { return interruption.asked(); };
        selection = select(examples, choices, settings, known, observer);
        Observer refitting;
        refitting.interrupted = [&] { return interruption.out_of_time(); };
        refitting.abandoned = [&] { return interruption.asked(); };
        if (selection.best >= 0) {
          result = refit(examples, choices, settings, selection, refitting);
          if (search.probability) {
            TrainSettings best = choices[static_cast<std::size_t>(selection.best)].settings;
            best.threads = settings.threads;
            best.memory = settings.memory;
            add_calibration(result, examples, best, refitting);
          }
        }
      },
      time_limit, told.tick());
  if (selection.best < 0) {
    throw InvalidInput("time_limit: stopped before any fold was finished by every choice; give it longer");
  }
  const std::size_t best = static_cast<std::size_t>(selection.best);
  Provenance& provenance = result.model.provenance;
  provenance.settings = settings_text(choices[best].settings) + (search.probability ? " --probability" : "");
  if (!grid.empty()) provenance.tuning += " over " + grid;
  if (!selection.complete) {
    result.notes.push_back(
        "time_limit: not every choice was tried on every fold; tuning_results_ has the folds");
  }
  return nb::make_tuple(std::move(result.model), result.notes, results_of(choices, selection), best);
}

}  // namespace

void bind_training(nb::module_& module) {
  module.def(
      "fit", &fit, nb::arg("data"), nb::arg("settings"), nb::arg("time_limit"), nb::arg("probability"),
      nb::arg("progress").none(), "Trains: (model, notes). Ctrl-C raises KeyboardInterrupt.",
      nb::sig("def fit(data: Data, settings: Settings, time_limit: float, probability: bool, "
              "progress: collections.abc.Callable[[int, int], object] | None) -> tuple[Model, list[str]]"));
  module.def(
      "tune",
      [](const Data& data, const TrainSettings& fixed, const std::string& grid, const GivenSettings& given,
         int folds, int repeats, std::optional<int> trial_members, const std::string& journal,
         double time_limit, bool probability, nb::object progress) {
        return tune(data, fixed, {grid, given, folds, repeats, trial_members, journal, probability},
                    time_limit, std::move(progress));
      },
      nb::arg("data"), nb::arg("fixed"), nb::arg("grid"), nb::arg("given"), nb::arg("folds"),
      nb::arg("repeats"), nb::arg("trial_members").none(), nb::arg("journal"), nb::arg("time_limit"),
      nb::arg("probability"), nb::arg("progress").none(),
      "Chooses settings by cross-validation and trains: (model, notes, results, the best one's index).",
      nb::sig("def tune(data: Data, fixed: Settings, grid: str, given: collections.abc.Set[str], folds: int, "
              "repeats: int, "
              "trial_members: int | None, journal: str, time_limit: float, probability: bool, "
              "progress: collections.abc.Callable[[int, int], object] | None) -> "
              "tuple[Model, list[str], list[dict[str, typing.Any]], int]"));
}

}  // namespace shapeboost::python
