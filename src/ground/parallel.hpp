// SPDX-License-Identifier: MIT
// Threads. Work is cut into tasks whose number and results do not depend on how many threads
// run them, and each task writes only what is its own: the same bits for one thread or many.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

namespace shapeboost {

/// Thrown where nobody wants the answer any more: see ThreadPool::abandon_when.
class Abandoned : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "abandoned"; }
};

class ThreadPool {
 public:
  /// `threads` workers in all, the caller among them; 0 means one for each hardware thread. Fewer where the
  /// system does not give as many, or where they are beyond reason: see threads().
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  [[nodiscard]] int threads() const;

  /// Calls task(i) for i = 0 ... count-1, each once, in any order, and returns when all are done.
  /// Called from inside a task it runs serially. The first exception thrown is rethrown here.
  void run(std::int64_t count, const std::function<void(std::int64_t)>& task);

  /// Asked before every task, from any thread: once it says true, run() throws Abandoned. To be set before
  /// the first run().
  void abandon_when(std::function<bool()> abandoned) { abandoned_ = std::move(abandoned); }
  /// Throws Abandoned where that is so: for tasks that are long.
  void check() const {
    if (abandoned_ && abandoned_()) throw Abandoned();
  }

 private:
  std::function<bool()> abandoned_;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shapeboost
