// SPDX-License-Identifier: MIT
// An operator new that fails when it is told to. It replaces that of the whole program.
#pragma once

#include <cstdint>
#include <functional>

namespace shapeboost::fuzz {

/// While it lives, and until stop(), the n-th allocation (from 0) of any thread throws std::bad_alloc. One at a time.
class FailingNew {
 public:
  explicit FailingNew(std::int64_t n);
  ~FailingNew() { stop(); }
  FailingNew(const FailingNew&) = delete;
  FailingNew& operator=(const FailingNew&) = delete;

  void stop() const;
  [[nodiscard]] bool failed() const;
};

[[nodiscard]] std::int64_t allocations_of(const std::function<void()>& act);

}  // namespace shapeboost::fuzz
