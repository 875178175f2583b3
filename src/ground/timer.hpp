// SPDX-License-Identifier: MIT
// Times for the record.
#pragma once

#include <chrono>

namespace shapeboost {

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
