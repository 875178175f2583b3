// SPDX-License-Identifier: MIT
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "describe.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/files.hpp"
#include "tell/record.hpp"
#include "train/find.hpp"
#include "train/plan.hpp"
#include "training.hpp"

namespace shapeboost::cli {
namespace {

struct FitOptions {
  std::string train;
  std::string model;
  TrainSettings settings;
  Format format = Format::automatic;
  double time_limit = 0.0;  // seconds; 0: none
  bool probability = false;
  bool json = false;
  bool quiet = false;
};

/// What the weights were found by: the margin, or a head's leave-one-out.
std::vector<std::string> describe_weights(const TrainingResult& training, Method method) {
  const Model& model = training.model;
  if (model.head) {
    return {"head", std::string("ridge over patterns") + (model.head->intervals ? " and intervals" : "") +
                        ", alpha " + significant(model.head->alpha, 3) + "; each example by the others: " +
                        fixed(100.0 * model.head->left_out_accuracy, 1) + " % right"};
  }
  if (model.hypotheses.empty()) return {"margin", "-"};
  const Part& part = weakest_part(model);
  // Gaps are relative to at least 0.001: beside a smaller margin that must be said.
  constexpr double kSmallestMargin = 1e-3;
  const bool tiny = model.parts.size() == 1 && std::abs(part.gamma) < kSmallestMargin;
  const std::string of_what = tiny ? " % of 0.001" : " %";
  return {"margin",
          "rho " + significant(part.rho, 4) + ", soft " + significant(part.gamma, 4) +
              (is_instance_svm(method) ? "" : ", gap " + significant(100.0 * training.gap, 2) + of_what)};
}

std::string report(const TrainingResult& training, const Dataset& data, const FitOptions& options,
                   double seconds) {
  const Model& model = training.model;
  std::vector<std::vector<std::string>> rows{
      {"data", data.source() + ": " + describe(data)},
      {"classes", describe_classes(data)},
      {"instances",
       grouped(training.instances) + " in " + counted(static_cast<std::int64_t>(model.views.size()), "view")},
      {"rounds", grouped(static_cast<std::int64_t>(training.rounds.size())) +
                     (training.members > 1 ? " of " + counted(training.members, "member") : "")},
      {"stopped", describe_stop(model.provenance)},
      {"hypotheses", grouped(static_cast<std::int64_t>(model.hypotheses.size()))},
      describe_weights(training, options.settings.method),
      {"seconds", fixed(seconds, 2)},
      {"model", options.model}};
  for (const std::string& note : training.notes) rows.push_back({"note", note});
  return aligned(rows, "ll");
}

/// train(), with faults in the words of the command line: an option's name, or the file's.
TrainingResult train_on(const Dataset& data, const TrainSettings& settings, const Observer& observer,
                        Progress& progress) {
  try {
    if (!data.classes().empty()) {
      const TrainSettings settled = plan(data, settings).settings;
      const auto parts = parts_for(static_cast<int>(data.classes().size()), *settled.strategy);
      progress.expect(settled.members, settled.head == HeadKind::ridge
                                           ? detail::problems_each(data)
                                           : static_cast<std::int64_t>(parts.size()));
    }
    return train(data, settings, observer);
  } catch (const InvalidInput& fault) {
    throw InvalidInput(in_words(fault, data));
  }
}

void fit(const FitOptions& given, const CLI::App& app) {
  FitOptions options = given;
  read_gram_option(app, options.settings);
  check_settings(options.settings);
  std::vector<NamedFile> inputs = data_files(options.train, options.format, "TRAIN");
  inputs.push_back({options.settings.kernel.gram_file, "--gram"});
  check_files(inputs, {{options.model, "--model"}});
  const Stopwatch clock;
  Progress progress(!options.json && !options.quiet);
  progress.show("reading " + options.train);
  const Dataset data = read_in_time(options.train, options.format, options.time_limit, clock);
  check_class_names(data);
  progress.show("preparing " + counted(data.size(), noun_of(data.kind())));

  const InterruptGuard guard;
  std::atomic<bool> out_of_time{false};
  Observer observer;
  observer.round = [&](const RoundRecord& record) { progress.show(record); };
  observer.interrupted = [&] {
    if (options.time_limit > 0.0 && clock.seconds() > options.time_limit) out_of_time = true;
    return stop_asked() || out_of_time;
  };
  TrainingResult training = train_on(data, options.settings, observer, progress);
  if (options.probability) add_probabilities(training, data, options.settings, observer, progress);
  Provenance& provenance = training.model.provenance;
  provenance.settings = settings_text(options.settings);
  if (options.time_limit > 0.0) provenance.settings += " --time-limit " + shortest(options.time_limit);
  if (options.probability) provenance.settings += " --probability";
  if (training.stop == Stop::interrupted && out_of_time && !stop_asked()) provenance.stopped = "time limit";
  add_notes(training, data, app, options.settings.method);
  save_model_or_end(training.model, options.model, options.settings.threads);
  progress.clear();
  if (options.json) {
    print(to_json(training, options.model, clock.seconds()), options.model);
  } else if (!options.quiet) {
    print(report(training, data, options, clock.seconds()), options.model);
  }
}

}  // namespace

Command fit_command(CLI::App& app) {
  const auto options = std::make_shared<FitOptions>();
  options->settings.memory = default_memory();
  CLI::App* sub = app.add_subcommand("fit", "Train on labelled examples and write the model.");
  sub->add_option("TRAIN", options->train, "labelled series, bags or sequences of two classes or more")
      ->required();
  sub->add_option("--model", options->model, "where the model goes")->required()->type_name("FILE");
  add_format(*sub, options->format);
  sub->add_flag("--json", options->json, "print one JSON object, with a record of every round");
  sub->add_flag("--quiet", options->quiet, "print nothing");
  add_probability(*sub, options->probability);
  add_settings(*sub, options->settings);
  add_time_limit(*sub, options->time_limit);
  sub->footer(
      "Ctrl-C ends the training; the model of the patterns found so far is written.\n\n"
      "Example:\n  shapeboost fit train.tsv --model model.json");
  return {sub, [options, sub] { fit(*options, *sub); }};
}

}  // namespace shapeboost::cli
