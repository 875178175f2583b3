// SPDX-License-Identifier: MIT
// What the commands that train have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <csignal>
#include <string>

#include "output.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/trainer.hpp"

namespace shapeboost::cli {

/// The first Ctrl-C, or as many, asks training to end; one more ends the program.
class InterruptGuard {
 public:
  explicit InterruptGuard(int times = 1);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction before_ {};
  int left_before_;
};

/// How often Ctrl-C was pressed under InterruptGuards; whether it was.
[[nodiscard]] int stops_asked();
[[nodiscard]] bool stop_asked();

/// read_dataset(), as long as this many seconds of `clock` (0: no limit) are not over: throws InvalidInput where they end first, which a
/// file that is read in a few hundredths of a second does not notice. Ctrl-C ends the program meanwhile.
[[nodiscard]] Dataset read_in_time(const std::string& path, Format format, double seconds,
                                   const Stopwatch& clock);

/// save_model(). Ctrl-C has ended the training by now, or it comes too late for that: one more ends the program, with nothing
/// written.
void save_model_or_end(const Model& model, const std::string& path, int threads);

/// A name that no model file can hold is better found before the training than after it: throws InvalidInput.
void check_class_names(const Dataset& data);

/// A fault of training in the words of the command line: an option's name, or the file's.
[[nodiscard]] std::string in_words(const InvalidInput& fault, const Dataset& data);

/// --probability: what the model needs to answer with probabilities, learned from this data. The settings are
/// those it was trained with.
void add_probabilities(TrainingResult& training, const Dataset& data, const TrainSettings& settings,
                       const Observer& observer, Progress& progress);

/// Adds what a user should know: options without use for the data, the kernel or the method, examples without
/// a window, a model that learned nothing or has no margin.
void add_notes(TrainingResult& training, const Dataset& data, const CLI::App& app, Method method);

}  // namespace shapeboost::cli
