// SPDX-License-Identifier: MIT
#include <atomic>
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "describe.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/reader.hpp"
#include "shapeboost/record.hpp"

namespace shapeboost::cli {
namespace {

struct FitOptions {
  std::string train;
  std::string model;
  TrainSettings settings;
  Format format = Format::automatic;
  double time_limit = 0.0;  // seconds; 0: none
  bool json = false;
  bool quiet = false;
};

std::atomic<bool> stop_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch what needs no lock");

/// The first Ctrl-C asks training to end, the second ends the program.
class InterruptGuard {
 public:
  InterruptGuard() {
    struct sigaction action {};
    action.sa_handler = [](int) { stop_asked = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(SIGINT, &action, &before_);
  }
  ~InterruptGuard() { sigaction(SIGINT, &before_, nullptr); }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction before_ {};
};

std::string describe_classes(const Dataset& data) {
  std::vector<std::int64_t> sizes(data.classes().size(), 0);
  for (std::int64_t i = 0; i < data.size(); ++i) ++sizes[static_cast<std::size_t>(data.label(i))];
  std::string text;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    text += (k > 0 ? ", " : "") + data.classes()[k] + " (" + grouped(sizes[k]) + ')';
  }
  return text;
}

std::string describe_stop(const Provenance& provenance, const TrainSettings& settings) {
  const std::string& stopped = provenance.stopped;
  if (is_instance_svm(settings.method)) {
    const std::string chosen = settings.method == Method::mi_svm ? "the labels of instances"
                                                                 : "the instance chosen from each example";
    if (stopped == to_string(Stop::gap)) return "no change of " + chosen;
    if (stopped == to_string(Stop::stalled)) return chosen + " would change in a circle";
  }
  if (settings.method == Method::l1_svm && stopped == to_string(Stop::gap)) {
    return "no candidate left that improves the machine: the optimum";
  }
  if (stopped == to_string(Stop::gap)) {
    return "no pattern found that beats the margin by more than " + significant(100.0 * settings.gap, 3) +
           " %";
  }
  if (stopped == to_string(Stop::stalled)) return "the margin no longer rises";
  if (stopped == to_string(Stop::nothing)) return "no pattern tells the classes apart";
  return stopped;
}

std::string describe_margin(const TrainingResult& training, Method method) {
  const Model& model = training.model;
  if (model.hypotheses.empty()) return "-";
  const Part& part = weakest_part(model);
  return "rho " + significant(part.rho, 4) + ", soft " + significant(part.gamma, 4) +
         (is_instance_svm(method) ? "" : ", gap " + significant(100.0 * training.gap, 2) + " %");
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
      {"stopped", describe_stop(model.provenance, options.settings)},
      {"hypotheses", grouped(static_cast<std::int64_t>(model.hypotheses.size()))},
      {"margin", describe_margin(training, options.settings.method)},
      {"seconds", fixed(seconds, 2)},
      {"model", options.model}};
  for (const std::string& note : training.notes) rows.push_back({"note", note});
  return aligned(rows, "ll");
}

/// A name that no model file can hold is better found before the training than after it.
void check_class_names(const Dataset& data) {
  Model names;
  names.classes = data.classes();
  try {
    (void)to_json(names);
  } catch (const InvalidInput& fault) {
    throw InvalidInput(data.source() + ": " + fault.what());
  }
}

/// train(), with faults in the words of the command line: an option's name, or the file's.
TrainingResult train_on(const Dataset& data, const TrainSettings& settings, const Observer& observer,
                        Progress& progress) {
  try {
    if (!data.classes().empty()) {
      const TrainSettings settled = plan(data, settings).settings;
      const auto parts = parts_for(static_cast<int>(data.classes().size()), *settled.strategy);
      progress.expect(settled.members, static_cast<std::int64_t>(parts.size()));
    }
    return train(data, settings, observer);
  } catch (const InvalidInput& fault) {
    const std::string sentence = in_option_words(fault.what());
    if (sentence.starts_with("--")) throw InvalidInput(sentence);
    const std::string subject = "training data: ";
    throw InvalidInput(data.source() + ": " +
                       (sentence.starts_with(subject) ? sentence.substr(subject.size()) : sentence));
  }
}

void add_notes(TrainingResult& training, const Dataset& data, const CLI::App& app, Method method) {
  const Model& model = training.model;
  const Kernel& kernel = model.views.front().kernel;
  const IdleOptions idle = idle_options(app, data.kind(), kernel, method);
  if (!idle.for_data.empty()) {
    training.notes.push_back("no use for " + idle.for_data + ": the data are " +
                             std::string(to_string(data.kind())));
  }
  if (!idle.for_kernel.empty()) {
    training.notes.push_back("no use for " + idle.for_kernel + ": the kernel is " +
                             std::string(to_string(kernel.kind)));
  }
  if (!idle.for_method.empty()) {
    training.notes.push_back("no use for " + idle.for_method + ": the method is " +
                             std::string(to_string(method)));
  }
  if (const std::string unseen = note_unseen(data, model.views); !unseen.empty()) {
    training.notes.push_back(unseen);
  }
  constexpr double kNoMargin = 1e-9;
  if (model.hypotheses.empty()) {
    training.notes.emplace_back("nothing was learned: the model answers with the larger class");
  } else if (method == Method::boost && weakest_part(model).gamma < kNoMargin) {
    training.notes.emplace_back(
        "the soft margin is not above 0: the patterns leave more than a share of nu on the wrong side");
  }
}

void fit(const FitOptions& given, const CLI::App& app) {
  FitOptions options = given;
  read_gram_option(app, options.settings);
  check_settings(options.settings);
  refuse_same_file(options.train, "TRAIN", options.model, "--model");
  check_writable(options.model);
  const Stopwatch clock;
  Progress progress(!options.json && !options.quiet);
  progress.show("reading " + options.train);
  const Dataset data = read_dataset(options.train, options.format);
  check_class_names(data);
  progress.show("preparing " + counted(data.size(), noun_of(data.kind())));

  const InterruptGuard guard;
  std::atomic<bool> out_of_time{false};
  Observer observer;
  observer.round = [&](const RoundRecord& record) { progress.show(record); };
  observer.interrupted = [&] {
    if (options.time_limit > 0.0 && clock.seconds() > options.time_limit) out_of_time = true;
    return stop_asked || out_of_time;
  };
  TrainingResult training = train_on(data, options.settings, observer, progress);
  Provenance& provenance = training.model.provenance;
  provenance.settings = settings_text(options.settings);
  if (options.time_limit > 0.0) provenance.settings += " --time-limit " + shortest(options.time_limit);
  if (training.stop == Stop::interrupted && out_of_time && !stop_asked) provenance.stopped = "time limit";
  add_notes(training, data, app, options.settings.method);
  save_model(training.model, options.model);
  progress.clear();
  if (options.json) {
    print(to_json(training, options.model, clock.seconds()));
  } else if (!options.quiet) {
    print(report(training, data, options, clock.seconds()));
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
  add_settings(*sub, options->settings);
  add_time_limit(*sub, options->time_limit);
  sub->footer(
      "Ctrl-C ends the training; the model of the patterns found so far is written.\n\n"
      "Example:\n  shapeboost fit train.tsv --model model.json");
  return {sub, [options, sub] { fit(*options, *sub); }};
}

}  // namespace shapeboost::cli
