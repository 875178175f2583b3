// SPDX-License-Identifier: MIT
// Giving up. Whoever wants an answer only as long as something holds says so once, for all that is called while a
// StopScope lives; long loops ask check_stop() between pieces of work that take milliseconds. Threads of a pool ask what the
// thread that runs them would: see parallel.hpp.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>

namespace shapeboost {

/// Thrown where nobody wants the answer any more.
class Abandoned : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "abandoned"; }
};

/// As long as it lives, check_stop() on this thread asks `stop`, and what outer scopes ask. Asked from any thread; empty: never
/// stop. `stop` must outlive it.
class StopScope {
 public:
  explicit StopScope(const std::function<bool()>& stop);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  /// The innermost one of this thread; nullptr where there is none.
  [[nodiscard]] static const StopScope* innermost();

  /// The scopes of another thread, which must outlive it, on this one.
  class On {
   public:
    explicit On(const StopScope* innermost);
    ~On();
    On(const On&) = delete;
    On& operator=(const On&) = delete;

   private:
    const StopScope* before_;
  };

 private:
  friend void check_stop();
  const std::function<bool()>& stop_;
  const StopScope* outer_;
};

/// Throws Abandoned where a scope says so.
void check_stop();

/// For loops whose steps are too short to ask each time: asks after so many operations as take milliseconds.
class StopMeter {
 public:
  void add(std::int64_t operations) {
    done_ += operations;
    if (done_ < kBetween) return;
    done_ = 0;
    check_stop();
  }

 private:
  static constexpr std::int64_t kBetween = 10'000'000;
  std::int64_t done_ = 0;
};

}  // namespace shapeboost
