// SPDX-License-Identifier: MIT
#include "training.hpp"

#include <algorithm>
#include <atomic>
#include <functional>

#include "describe.hpp"
#include "ground/stop.hpp"
#include "options.hpp"
#include "shapeboost/calibration.hpp"
#include "shapeboost/model.hpp"
#include "tell/record.hpp"

namespace shapeboost::cli {
namespace {

std::atomic<int> times_asked{0};
std::atomic<int> times_left{0};  // that are heard before one ends the program
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch what needs no lock");

}  // namespace

InterruptGuard::InterruptGuard(int times) : left_before_(times_left.exchange(times)) {
  struct sigaction action {};
  action.sa_handler = [](int) {
    ++times_asked;
    if (--times_left <= 0) (void)std::signal(SIGINT, SIG_DFL);
  };
  action.sa_flags = static_cast<int>(SA_RESTART);
  sigaction(SIGINT, &action, &before_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &before_, nullptr);
  times_left = left_before_;
}

int stops_asked() { return times_asked; }

bool stop_asked() { return stops_asked() > 0; }

Dataset read_in_time(const std::string& path, Format format, double seconds, const Stopwatch& clock) {
  const std::function<bool()> over = [&] { return seconds > 0.0 && clock.seconds() > seconds; };
  try {
    const StopScope scope(over);
    return read_dataset(path, format);
  } catch (const Abandoned&) {
    throw InvalidInput("--time-limit: " + shortest(seconds) + " s were over before " + path + " was read");
  }
}

void save_model_or_end(const Model& model, const std::string& path, int threads) {
  const int heard = std::max(1, stops_asked());
  const InterruptGuard guard(heard + 1 - stops_asked());
  const std::function<bool()> again = [heard] { return stops_asked() > heard; };
  try {
    const StopScope scope(again);
    save_model(model, path, threads);
  } catch (const Abandoned&) {
    std::signal(SIGINT, SIG_DFL);
    (void)std::raise(SIGINT);  // ends as by a Ctrl-C that nobody caught
  }
}

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
