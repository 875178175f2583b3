// SPDX-License-Identifier: MIT
#include "training.hpp"

#include <atomic>

#include "describe.hpp"
#include "options.hpp"
#include "shapeboost/calibration.hpp"
#include "shapeboost/model.hpp"
#include "tell/record.hpp"

namespace shapeboost::cli {
namespace {

std::atomic<int> times_asked{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch what needs no lock");

}  // namespace

InterruptGuard::InterruptGuard() {
  struct sigaction action {};
  action.sa_handler = [](int) { ++times_asked; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, &before_);
}

InterruptGuard::~InterruptGuard() { sigaction(SIGINT, &before_, nullptr); }

int stops_asked() { return times_asked; }

bool stop_asked() { return stops_asked() > 0; }

void check_class_names(const Dataset& data) {
  Model names;
  names.classes = data.classes();
  try {
    (void)to_json(names);
  } catch (const InvalidInput& fault) {
    throw InvalidInput(data.source() + ": " + fault.what());
  }
}

std::string in_words(const InvalidInput& fault, const Dataset& data) {
  const std::string sentence = in_option_words(fault.what());
  if (sentence.starts_with("--")) return sentence;
  const std::string subject = "training data: ";
  return data.source() + ": " + (sentence.starts_with(subject) ? sentence.substr(subject.size()) : sentence);
}

void add_probabilities(TrainingResult& training, const Dataset& data, const TrainSettings& settings,
                       const Observer& observer, Progress& progress) {
  progress.show("training on parts of the data, for probabilities");
  Observer quiet;
  quiet.interrupted = observer.interrupted;
  try {
    add_calibration(training, data, settings, quiet);
  } catch (const InvalidInput& fault) {
    throw InvalidInput(in_words(fault, data));
  }
}

void add_notes(TrainingResult& training, const Dataset& data, const CLI::App& app, Method method) {
  const Model& model = training.model;
  const KernelKind kernel = model.views.front().kernel.kind();
  const IdleOptions idle = idle_options(app, data.kind(), kernel, method);
  if (!idle.for_data.empty()) {
    training.notes.push_back("no use for " + idle.for_data + ": the data are " +
                             std::string(to_string(data.kind())));
  }
  if (!idle.for_kernel.empty()) {
    training.notes.push_back("no use for " + idle.for_kernel + ": the kernel is " +
                             std::string(to_string(kernel)));
  }
  if (!idle.for_method.empty()) {
    training.notes.push_back("no use for " + idle.for_method + ": the method is " +
                             std::string(to_string(method)));
  }
  for (const char* option : {"--patterns", "--evidence"}) {
    if (!model.head && app.count(option) > 0) {
      training.notes.push_back("no use for " + std::string(option) + ": the model has no head");
    }
  }
  if (const std::string unseen = note_unseen(data, model.views); !unseen.empty()) {
    training.notes.push_back(unseen);
  }
  constexpr double kNoMargin = 1e-9;
  if (model.hypotheses.empty()) {
    training.notes.emplace_back("nothing was learned: the model answers with the larger class");
  } else if (method == Method::boost && !model.head && weakest_part(model).gamma < kNoMargin) {
    training.notes.emplace_back(
        "the soft margin is not above 0: the patterns leave more than a share of nu on the wrong side");
  }
}

}  // namespace shapeboost::cli
