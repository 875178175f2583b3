// SPDX-License-Identifier: MIT
// What the commands that train have in common.
#pragma once

#include <csignal>
#include <string>

#include "shapeboost/base.hpp"
#include "shapeboost/dataset.hpp"

namespace shapeboost::cli {

/// The first Ctrl-C asks training to end, the second ends the program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction before_ {};
};

/// Whether Ctrl-C was pressed under an InterruptGuard.
[[nodiscard]] bool stop_asked();

/// A name that no model file can hold is better found before the training than after it: throws InvalidInput.
void check_class_names(const Dataset& data);

/// A fault of training in the words of the command line: an option's name, or the file's.
[[nodiscard]] std::string in_words(const InvalidInput& fault, const Dataset& data);

}  // namespace shapeboost::cli
