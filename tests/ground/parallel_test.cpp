// SPDX-License-Identifier: MIT
#include "ground/parallel.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace shapeboost {
namespace {

class ThreadPoolOf : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolOf, ::testing::Values(1, 2, 8));

TEST_P(ThreadPoolOf, Run_CallsEveryIndexOnce_WhenCountVaries) {
  ThreadPool pool(GetParam());
  EXPECT_EQ(pool.threads(), GetParam());
  for (const std::int64_t count : {0, 1, 2, 7, 1000}) {
    std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
    pool.run(count, [&](std::int64_t i) { ++calls.at(static_cast<std::size_t>(i)); });
    for (std::size_t i = 0; i < calls.size(); ++i) EXPECT_EQ(calls[i].load(), 1) << i << " of " << count;
  }
}

/// Runs as its own process, which has next to no memory left for the stacks of threads.
[[noreturn]] void count_threads_in_little_memory() {
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t bytes =
      static_cast<rlim_t>(pages) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (64U << 20U);
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &limit);
  std::atomic<int> calls{0};
  ThreadPool pool(200);
  pool.run(1000, [&](std::int64_t) { ++calls; });
  std::_Exit(pool.threads() < 200 && calls == 1000 ? 0 : 1);
}

TEST(ThreadPool, DoesWithFewerThreads_WhenTheSystemGivesNoMore) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(count_threads_in_little_memory(), testing::ExitedWithCode(0), "");
}

TEST(ThreadPool, IsOfReasonableSize_WhateverIsAsked) {
  EXPECT_LE(ThreadPool(100'000'000).threads(),
            std::max(256, static_cast<int>(std::thread::hardware_concurrency())));
}

TEST_P(ThreadPoolOf, Run_CallsEveryIndexOnce_WhenCalledFromTasks) {
  ThreadPool pool(GetParam());
  std::vector<std::atomic<int>> calls(20 * 10 * 2);
  for (int round = 0; round < 50; ++round) {
    pool.run(20, [&](std::int64_t outer) {
      pool.run(10, [&](std::int64_t inner) {
        pool.run(2,
                 [&](std::int64_t k) { ++calls.at(static_cast<std::size_t>((outer * 10 + inner) * 2 + k)); });
      });
    });
  }
  EXPECT_TRUE(std::ranges::all_of(calls, [](const auto& count) { return count == 50; }));
}

TEST(ThreadPool, IdleThreadsHelp_WhenATaskRunsOthers) {
  // One task of two runs four that wait for each other: hangs unless the threads without a task of their own help.
  ThreadPool pool(4);
  std::atomic<int> arrived{0};
  pool.run(2, [&](std::int64_t i) {
    if (i == 0) return;
    pool.run(4, [&](std::int64_t) {
      ++arrived;
      while (arrived.load() < 4) std::this_thread::yield();
    });
  });
  EXPECT_EQ(arrived.load(), 4);
}

TEST(ThreadPool, AllThreadsHelp_AfterRunsThatWantedFewer) {
  // Who sleeps is counted, and woken as tasks are there: hangs where some were forgotten.
  ThreadPool pool(4);
  for (int round = 0; round < 200; ++round) {
    pool.run(2, [&](std::int64_t) { pool.run(2, [](std::int64_t) {}); });
    std::atomic<int> arrived{0};
    pool.run(4, [&](std::int64_t) {
      ++arrived;
      while (arrived.load() < 4) std::this_thread::yield();
    });
    ASSERT_EQ(arrived.load(), 4);
  }
}

TEST(ThreadPool, CallersOnSeveralThreads_DoNotWaitForEachOther) {
  ThreadPool pool(2);
  std::atomic<int> arrived{0};
  const auto meet = [&] {
    pool.run(2, [&](std::int64_t) {
      ++arrived;
      while (arrived.load() < 2) std::this_thread::yield();
    });
  };
  std::thread other(meet);
  meet();
  other.join();
  EXPECT_EQ(arrived.load(), 4);
}

TEST_P(ThreadPoolOf, Run_RethrowsWhatATaskOfATaskThrows) {
  ThreadPool pool(GetParam());
  std::atomic<int> heard{0};
  EXPECT_THROW(pool.run(8,
                        [&](std::int64_t) {
                          try {
                            pool.run(8, [](std::int64_t i) {
                              if (i == 5) throw std::logic_error("inner");
                            });
                          } catch (const std::logic_error&) {
                            ++heard;
                            throw std::runtime_error("outer");
                          }
                        }),
               std::runtime_error);
  EXPECT_GE(heard, 1);
  std::atomic<int> calls{0};
  pool.run(8, [&](std::int64_t) { ++calls; });
  EXPECT_EQ(calls, 8);
}

TEST_P(ThreadPoolOf, Run_RethrowsAndStaysUsable_WhenATaskThrows) {
  ThreadPool pool(GetParam());
  for (int round = 0; round < 50; ++round) {
    try {
      pool.run(100, [&](std::int64_t i) {
        if (i == round) throw std::runtime_error("task " + std::to_string(i));
      });
      FAIL() << "round " << round;
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), "task " + std::to_string(round));
    }
    std::atomic<std::int64_t> sum{0};
    pool.run(100, [&](std::int64_t i) { sum += i; });
    EXPECT_EQ(sum.load(), 4950);
  }
}

TEST_P(ThreadPoolOf, Run_ThrowsOneException_WhenEveryTaskThrows) {
  ThreadPool pool(GetParam());
  EXPECT_THROW(pool.run(64, [](std::int64_t) { throw std::logic_error("all"); }), std::logic_error);
}

TEST_P(ThreadPoolOf, Run_LosesNothing_WhenRunsAreManyAndShort) {
  ThreadPool pool(GetParam());
  std::array<std::int64_t, 3> sums{};  // each task writes only what is its own
  for (std::int64_t round = 0; round < 20000; ++round) {
    pool.run(3, [&](std::int64_t i) { sums[static_cast<std::size_t>(i)] += round + i; });
  }
  const std::int64_t base = std::int64_t{20000} * 19999 / 2;
  EXPECT_EQ(sums, (std::array<std::int64_t, 3>{base, base + 20000, base + 40000}));
}

TEST(ThreadPool, Run_SharesTheWork_WhenTasksWaitForEachOther) {
  // Every task waits until as many are running as there are threads: hangs unless all threads work.
  ThreadPool pool(4);
  std::atomic<int> arrived{0};
  pool.run(4, [&](std::int64_t) {
    ++arrived;
    while (arrived.load() < 4) std::this_thread::yield();
  });
  EXPECT_EQ(arrived.load(), 4);
}

TEST(ThreadPool, Run_TakesTurns_WhenCalledFromSeveralThreads) {
  ThreadPool pool(3);
  std::atomic<int> calls{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) pool.run(5, [&](std::int64_t) { ++calls; });
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(calls.load(), 4 * 200 * 5);
}

TEST(ThreadPool, Threads_IsTheHardwares_WhenNotToldOtherwise) {
  const ThreadPool pool;
  EXPECT_EQ(pool.threads(), std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

TEST(ThreadPool, Throws_WhenAbandoned) {
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    std::atomic<int> done{0};
    const std::function<bool()> enough = [&] { return done >= 5; };
    {
      const StopScope scope(enough);
      EXPECT_THROW(pool.run(1000, [&](std::int64_t) { ++done; }), Abandoned);
      EXPECT_GE(done, 5);
      EXPECT_LT(done, 5 + threads);
      EXPECT_THROW(check_stop(), Abandoned);
    }
    EXPECT_NO_THROW(check_stop());
    pool.run(3, [&](std::int64_t) { check_stop(); });  // still of use
  }
}

TEST(StopScope, IsAsked_InsideTasks_OfAnyThread_AndBehindInnerOnes) {
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    static thread_local bool stop =
        false;  // tasks on other threads may begin meanwhile, and would be abandoned
    const std::function<bool()> outer = [] { return stop; };
    const std::function<bool()> inner = [] { return false; };
    const std::function<bool()> none;
    const StopScope first(outer);
    const StopScope second(inner);
    const StopScope third(none);
    std::atomic<int> stopped{0};
    pool.run(20, [&](std::int64_t i) {
      if (i != 10) return;
      stop = true;
      ThreadPool other(1);  // of its own, as members of a committee have
      EXPECT_THROW(other.run(2, [](std::int64_t) {}), Abandoned);
      EXPECT_THROW(check_stop(), Abandoned);
      stop = false;
      ++stopped;
    });
    EXPECT_EQ(stopped, 1);
  }
}

}  // namespace
}  // namespace shapeboost
