// SPDX-License-Identifier: MIT
#include "training.hpp"

#include <atomic>

#include "options.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost::cli {
namespace {

std::atomic<bool> asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch what needs no lock");

}  // namespace

InterruptGuard::InterruptGuard() {
  struct sigaction action {};
  action.sa_handler = [](int) { asked = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, &before_);
}

InterruptGuard::~InterruptGuard() { sigaction(SIGINT, &before_, nullptr); }

bool stop_asked() { return asked; }

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

}  // namespace shapeboost::cli
