// SPDX-License-Identifier: MIT
// The work behind a table of the paper: a task for each data set and column, done from where the journal
// ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "output.hpp"
#include "paper_columns.hpp"
#include "paper_figures.hpp"
#include "paper_journal.hpp"
#include "select/experiment.hpp"
#include "shapeboost/dataset.hpp"

namespace shapeboost::cli {

struct PaperData {
  PaperSet set;
  Dataset train;
  std::optional<Dataset> test;  ///< none where examples are tested by cross-validation
};

/// Reads DIR/ucr/NAME/NAME_TRAIN.tsv and _TEST.tsv, or DIR/mil/NAME.csv. Throws InvalidInput.
[[nodiscard]] PaperData read_paper_data(const std::string& folder, const std::string& table,
                                        const PaperSet& set);

/// A column on a data set.
struct PaperTask {
  const PaperData* data;
  const PaperColumn* column;
  std::vector<Choice> choices;
  std::string of;  ///< whose records these are
};
[[nodiscard]] PaperTask paper_task(const PaperData& data, const PaperColumn& column, std::uint64_t seed);

/// What is known of a task.
struct PaperCell {
  std::string set;
  const PaperColumn* column = nullptr;
  Spread spread;
  double seconds = 0.0;        ///< of one trial, in the mean
  std::int64_t trainings = 0;  ///< of everything
  std::string chosen;          ///< the choice, where one was made for all runs
  std::vector<std::string> machines;
};
[[nodiscard]] PaperCell paper_cell(const PaperTask& task, const PaperJournal& journal);

/// Processor, cores, system and threads in words.
[[nodiscard]] std::string machine_text(int threads);

/// Does tasks one after the other.
class PaperWork {
 public:
  /// `stem` is what its files in `out` begin with.
  PaperWork(std::string stem, std::uint64_t seed, int threads, std::int64_t memory, PaperJournal& journal,
            Progress& progress);

  /// Trainings to come; for how long it will take.
  void expect(const PaperTask& task);
  /// Returns early, with what is done in the journal, when asked to stop. Throws InvalidInput naming the
  /// task.
  void run(const PaperTask& task);

  /// Of this run.
  [[nodiscard]] std::int64_t trainings() const { return done_; }
  [[nodiscard]] double seconds() const { return clock_.seconds(); }

 private:
  [[nodiscard]] std::string cells_path(const PaperTask& task) const;
  std::optional<int> choose(const PaperTask& task);
  void holdout_runs(const PaperTask& task);
  void nested_runs(const PaperTask& task);
  [[nodiscard]] PaperRecord record_of(const PaperTask& task, const Trial& trial, double seconds) const;
  void trained(const PaperTask& task);

  std::string stem_;
  std::uint64_t seed_;
  ExperimentSettings settings_;
  std::string machine_;
  PaperJournal& journal_;
  Progress& progress_;
  Stopwatch clock_;
  std::int64_t expected_ = 0;
  std::int64_t done_ = 0;
};

}  // namespace shapeboost::cli
