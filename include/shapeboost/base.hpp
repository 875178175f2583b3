// SPDX-License-Identifier: MIT
// The ground every other header stands on: errors, solver endings, random numbers, times for the record.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <stdexcept>
#include <string>
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

/// How a solver ended. Never an exception: callers must look.
enum class Status { solved, iteration_limit, infeasible, unbounded, failed };

[[nodiscard]] std::string_view to_string(Status status);

/// xoshiro256** seeded by splitmix64. The standard library's distributions differ between
/// implementations; ours do not: a seed means the same numbers everywhere.
class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  [[nodiscard]] std::uint64_t next();
  /// Uniform in [0, 1).
  [[nodiscard]] double uniform();
  /// Uniform in {0, ..., n-1}; n > 0.
  [[nodiscard]] std::int64_t below(std::int64_t n);
  /// Standard normal (Box-Muller).
  [[nodiscard]] double normal();

  /// Equal ones give the same numbers from here on.
  auto operator<=>(const Rng&) const = default;  // NOLINT(modernize-use-nullptr): of what it expands to

 private:
  std::uint64_t state_[4];
};

/// Adds the time between its making and its end to a sum. For records only: nothing is decided by it.
class ScopedTimer {
 public:
  explicit ScopedTimer(double& seconds) : seconds_(&seconds), start_(std::chrono::steady_clock::now()) {}
  ~ScopedTimer() {
    *seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  double* seconds_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace shapeboost
