// SPDX-License-Identifier: MIT
#include "ground/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace shapeboost {
namespace {
constexpr int kMostThreads = 256;  // unless the machine has more: what a slip of the finger may start

/// Some dozens of cycles in which a thread leaves its core to the other one on it.
void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}
}  // namespace

struct ThreadPool::State {
  /// One call of run(), as long as it lasts.
  struct Job {
    const std::function<void(std::int64_t)>& task;
    std::int64_t count;
    Job* outer;  // whose task made the call
    std::atomic<std::int64_t> next{0};
    std::atomic<int> helpers{0};  // threads other than the caller's that have tasks of it
    bool waiting = false;         // the caller sleeps until `changed`
    std::condition_variable changed;
    std::exception_ptr failure;

    [[nodiscard]] bool is_part_of(const Job& other) const {
      for (const Job* job = this; job != nullptr; job = job->outer) {
        if (job == &other) return true;
      }
      return false;
    }
  };

  static inline thread_local Job* current = nullptr;  // whose task this thread runs

  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake;
  std::int64_t idle = 0;   // workers that sleep, without those that are being woken
  std::vector<Job*> jobs;  // the earliest first: what a task runs comes after what the task is part of
  bool stopping = false;

  void drain(Job& job) {
    Job* const before = std::exchange(current, &job);
    for (std::int64_t i = job.next.fetch_add(1); i < job.count; i = job.next.fetch_add(1)) {
      try {
        job.task(i);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!job.failure) job.failure = std::current_exception();
        job.next.store(job.count);
      }
    }
    current = before;
  }

  /// The first that has tasks left; below: of those that are part of it.
  [[nodiscard]] Job* open(const Job* below = nullptr) const {
    const auto job = std::ranges::find_if(jobs, [&](const Job* one) {
      return one->next.load() < one->count && (below == nullptr || one->is_part_of(*below));
    });
    return job == jobs.end() ? nullptr : *job;
  }

  void help(Job& job, std::unique_lock<std::mutex>& lock) {
    ++job.helpers;
    lock.unlock();
    drain(job);
    lock.lock();
    if (--job.helpers == 0 && job.waiting) job.changed.notify_one();
  }

  void work() {
    std::unique_lock lock(mutex);
    while (!stopping) {
      if (Job* const job = open(); job != nullptr) {
        help(*job, lock);
      } else {
        ++idle;
        wake.wait(lock);
      }
    }
  }

  /// As many of those that sleep as there are tasks for: to wake one costs more than many a task, and takes time from those that
  /// work. Who wakes counts them out of `idle`; a worker that wakes of itself and finds nothing is in it twice, and is woken in vain.
  void call(const Job& job, std::unique_lock<std::mutex>& lock) {
    std::int64_t wanted = job.count - 1;
    const std::int64_t called = std::min(wanted, idle);
    const bool all = called == idle;
    idle -= called;
    wanted -= called;
    // Who waits for the end of what this is part of may help too: it holds nothing that its own tasks ask for.
    for (Job* outer = job.outer; outer != nullptr && wanted > 0; outer = outer->outer) {
      if (!outer->waiting) continue;
      outer->waiting = false;
      outer->changed.notify_one();
      --wanted;
    }
    lock.unlock();
    if (called > 0 && all) wake.notify_all();
    for (std::int64_t k = 0; k < called && !all; ++k) wake.notify_one();
  }

  void start(std::size_t count) {
    try {
      workers.reserve(count);
      while (workers.size() < count) workers.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
  }

  void stop() {
    {
      const std::scoped_lock lock(mutex);
      stopping = true;
    }
    wake.notify_all();
    for (std::thread& worker : workers) worker.join();
    workers.clear();
    stopping = false;
    idle = 0;
  }

  void run(Job& job) {
    std::unique_lock lock(mutex);
    jobs.push_back(&job);
    call(job, lock);
    drain(job);
    // What others still have of it is often less than it takes to sleep and be woken.
    constexpr int kPatience = 64;
    for (int k = 0; k < kPatience && job.helpers.load(std::memory_order_relaxed) > 0; ++k) pause();
    lock.lock();
    while (job.helpers > 0) {
      if (Job* const part = open(&job); part != nullptr) {
        help(*part, lock);
      } else {
        job.waiting = true;
        job.changed.wait(lock);
        job.waiting = false;
      }
    }
    std::erase(jobs, &job);
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  const auto asked = static_cast<std::size_t>(wanted(threads));
  // Answers do not depend on their number: what the system does not give, we do without. Where memory for stacks is what ended,
  // half of them make room for the work: a thread whose first variables of its own find none ends the process.
  state_->start(asked - 1);
  const std::size_t had = state_->workers.size();
  if (had + 1 < asked) {
    state_->stop();
    state_->start(had / 2);
  }
}

int ThreadPool::wanted(int threads) {
  const int hardware = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return threads <= 0 ? hardware : std::min(threads, std::max(kMostThreads, hardware));
}

ThreadPool::~ThreadPool() { state_->stop(); }

int ThreadPool::threads() const { return static_cast<int>(state_->workers.size()) + 1; }

void ThreadPool::run(std::int64_t count, const std::function<void(std::int64_t)>& task) {
  const StopScope* const scope = StopScope::innermost();
  const std::function<void(std::int64_t)> checked = [&](std::int64_t i) {
    const StopScope::On on(scope);
    check_stop();
    task(i);
  };
  if (count <= 1 || state_->workers.empty()) {
    for (std::int64_t i = 0; i < count; ++i) checked(i);
    return;
  }
  State::Job job{checked, count, State::current, {}, {}, false, {}, {}};
  state_->run(job);
  if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace shapeboost
