// SPDX-License-Identifier: MIT
// What every other header may use: the two errors, and named choices from text.
#pragma once

#include <stdexcept>
#include <string_view>

namespace shapeboost {

/// A fault of our own: a broken invariant, a solver that failed. The command line exits with 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A fault of the input: one sentence that says where, what was expected and what was found.
/// The command line exits with 2.
class InvalidInput : public Error {
 public:
  using Error::Error;
};

/// A named choice from its name: parse<Format>("ts"). The inverse of to_string(); throws InvalidInput naming the
/// choices.
template <typename Choice>
[[nodiscard]] Choice parse(std::string_view text);

}  // namespace shapeboost
