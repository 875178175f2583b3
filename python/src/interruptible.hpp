// SPDX-License-Identifier: MIT
// Long work beside a living interpreter: others may use it meanwhile, and Ctrl-C is heard.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>

namespace shapeboost::python {

/// Asked by the work, from any of its threads.
class Interruption {
 public:
  /// `seconds` 0: no limit.
  explicit Interruption(double seconds = 0.0) : seconds_(seconds) {}

  void ask() { asked_ = true; }
  /// By Ctrl-C.
  [[nodiscard]] bool asked() const { return asked_; }
  /// Whether so large a share of the limit is over.
  [[nodiscard]] bool out_of_time(double share = 1.0) const {
    return seconds_ > 0.0 &&
           std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() >
               share * seconds_;
  }

 private:
  std::atomic<bool> asked_{false};
  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Runs `work` on a thread of its own, the interpreter's lock released. Meanwhile the calling thread looks
/// for signals, as only it may, and calls `tick`, where given, holding the lock, a few times a second and
/// once at the end. What a signal's handler or `tick` raises asks the work to end and is then thrown,
/// whatever the work came to; else what the work threw.
void run_interruptibly(const std::function<void(const Interruption&)>& work, double seconds = 0.0,
                       const std::function<void()>& tick = {});

}  // namespace shapeboost::python
