// SPDX-License-Identifier: MIT
#include "ground/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace shapeboost {
namespace {
thread_local bool inside_task = false;
constexpr unsigned kMostThreads = 256;  // unless the machine has more: what a slip of the finger may start
}  // namespace

struct ThreadPool::State {
  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable done;
  std::mutex one_run;  // callers on different threads take turns
  const std::function<void(std::int64_t)>* task = nullptr;
  std::int64_t count = 0;
  std::atomic<std::int64_t> next{0};
  std::uint64_t generation = 0;
  int busy = 0;
  bool stopping = false;
  std::exception_ptr failure;

  void drain() {
    inside_task = true;
    for (std::int64_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      try {
        (*task)(i);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!failure) failure = std::current_exception();
        next.store(count);
      }
    }
    inside_task = false;
  }

  void work() {
    std::uint64_t seen = 0;
    while (true) {
      {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return stopping || generation != seen; });
        if (stopping) return;
        seen = generation;
      }
      drain();
      const std::scoped_lock lock(mutex);
      if (--busy == 0) done.notify_one();
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  const unsigned hardware = std::max(1U, std::thread::hardware_concurrency());
  const unsigned wanted =
      threads <= 0 ? hardware : std::min(static_cast<unsigned>(threads), std::max(kMostThreads, hardware));
  // Answers do not depend on their number: what the system does not give, we do without.
  try {
    state_->workers.reserve(wanted - 1);
    for (unsigned t = 1; t < wanted; ++t) state_->workers.emplace_back([this] { state_->work(); });
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::scoped_lock lock(state_->mutex);
    state_->stopping = true;
  }
  state_->wake.notify_all();
  for (std::thread& worker : state_->workers) worker.join();
}

int ThreadPool::threads() const { return static_cast<int>(state_->workers.size()) + 1; }

void ThreadPool::run(std::int64_t count, const std::function<void(std::int64_t)>& task) {
  const StopScope* const scope = StopScope::innermost();
  const std::function<void(std::int64_t)> checked = [&](std::int64_t i) {
    const StopScope::On on(scope);
    check_stop();
    task(i);
  };
  if (inside_task || count <= 1 || state_->workers.empty()) {
    for (std::int64_t i = 0; i < count; ++i) checked(i);
    return;
  }
  const std::scoped_lock turn(state_->one_run);
  {
    const std::scoped_lock lock(state_->mutex);
    state_->task = &checked;
    state_->count = count;
    state_->next.store(0);
    state_->failure = nullptr;
    state_->busy = static_cast<int>(state_->workers.size());
    ++state_->generation;
  }
  state_->wake.notify_all();
  state_->drain();
  std::unique_lock lock(state_->mutex);
  state_->done.wait(lock, [&] { return state_->busy == 0; });
  if (state_->failure) std::rethrow_exception(state_->failure);
}

}  // namespace shapeboost
