// SPDX-License-Identifier: MIT
#include "fuzz/failing_new.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace shapeboost::fuzz {
namespace {

constexpr std::int64_t kNone = -1;
constexpr std::int64_t kMany = std::int64_t{1} << 40;
std::atomic<std::int64_t> left{kNone};  // allocations before the one that fails
std::atomic<bool> has_failed{false};

void* allocated(std::size_t size, std::size_t alignment) {
  if (left.load(std::memory_order_relaxed) > kNone && left.fetch_sub(1) == 0) {
    has_failed = true;
    throw std::bad_alloc();
  }
  const std::size_t whole = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
  if (void* const memory = std::aligned_alloc(alignment, whole)) return memory;
  throw std::bad_alloc();
}

}  // namespace

FailingNew::FailingNew(std::int64_t n) {
  has_failed = false;
  left = n;
}
void FailingNew::stop() const { left = kNone; }
bool FailingNew::failed() const { return has_failed; }

std::int64_t allocations_of(const std::function<void()>& act) {
  left = kMany;
  act();
  return kMany - left.exchange(kNone);
}

}  // namespace shapeboost::fuzz

void* operator new(std::size_t size) { return shapeboost::fuzz::allocated(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return shapeboost::fuzz::allocated(size, static_cast<std::size_t>(alignment));
}
// As std::stable_sort asks. Left out, under the address sanitizer it would be the sanitizer's own, whose memory is not free()'s.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
