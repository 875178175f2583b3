// SPDX-License-Identifier: MIT
// Threads. Work is cut into tasks whose number and results do not depend on how many threads
// run them, and each task writes only what is its own: the same bits for one thread or many.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "ground/stop.hpp"

namespace shapeboost {

class ThreadPool {
 public:
  /// `threads` workers in all, the caller among them; 0 means one for each hardware thread. Fewer where the
  /// system does not give as many, or where they are beyond reason: see threads().
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  [[nodiscard]] int threads() const;
  /// That a pool of so many asks the system for: what threads() is where it gives them all.
  [[nodiscard]] static int wanted(int threads);

  /// Calls task(i) for i = 0 ... count-1, each once, in any order, and returns when all are done.
  /// A task may call it too: threads that have nothing else to do help, so a task must hold no lock meanwhile that another
  /// of its tasks asks for. The first exception thrown is rethrown here. Before every task the caller's scopes are asked
  /// whether to stop (stop.hpp), and inside a task as on the caller's own thread.
  void run(std::int64_t count, const std::function<void(std::int64_t)>& task);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shapeboost
