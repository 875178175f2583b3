// SPDX-License-Identifier: MIT
#include "interruptible.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "bindings.hpp"

namespace shapeboost::python {

void run_interruptibly(const std::function<void(const Interruption&)>& work, double seconds,
                       const std::function<void()>& tick) {
  constexpr std::chrono::milliseconds kLook{50};
  Interruption interruption(seconds);
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr fault;
  std::thread worker([&] {
    try {
      work(interruption);
    } catch (...) {
      fault = std::current_exception();
    }
    const std::scoped_lock lock(mutex);
    done = true;
    ended.notify_one();
  });

  std::exception_ptr raised;
  const auto look = [&] {
    if (raised) return;
    try {
      if (PyErr_CheckSignals() != 0) nb::raise_python_error();
      if (tick) tick();
    } catch (...) {
      raised = std::current_exception();
      interruption.ask();
    }
  };
  for (bool over = false; !over; look()) {
    const nb::gil_scoped_release others_may_run;
    std::unique_lock lock(mutex);
    over = ended.wait_for(lock, kLook, [&] { return done; });
    lock.unlock();
    if (over) worker.join();
  }
  if (raised) std::rethrow_exception(raised);
  if (fault) std::rethrow_exception(fault);
}

}  // namespace shapeboost::python
