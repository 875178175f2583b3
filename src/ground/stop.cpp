// SPDX-License-Identifier: MIT
#include "ground/stop.hpp"

#include <utility>

namespace shapeboost {
namespace {
thread_local const StopScope* innermost_scope = nullptr;
}  // namespace

StopScope::StopScope(const std::function<bool()>& stop)
    : stop_(stop), outer_(std::exchange(innermost_scope, this)) {}

StopScope::~StopScope() { innermost_scope = outer_; }

const StopScope* StopScope::innermost() { return innermost_scope; }

StopScope::On::On(const StopScope* innermost) : before_(std::exchange(innermost_scope, innermost)) {}

StopScope::On::~On() { innermost_scope = before_; }

void check_stop() {
  for (const StopScope* scope = innermost_scope; scope != nullptr; scope = scope->outer_) {
    if (scope->stop_ && scope->stop_()) throw Abandoned();
  }
}

}  // namespace shapeboost
