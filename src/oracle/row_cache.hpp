// SPDX-License-Identifier: MIT
// Rows K(z, .) over all instances, the least recently used out first.
#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>
#include <utility>
#include <vector>

#include "oracle/oracle.hpp"

namespace shapeboost {

class RowCache {
 public:
  using Row = std::vector<double>;

  /// How many rows it holds at the most.
  void set_capacity(std::int64_t rows) { capacity_ = rows; }
  [[nodiscard]] std::int64_t capacity() const { return capacity_; }
  [[nodiscard]] std::int64_t size() const { return std::ssize(rows_); }
  [[nodiscard]] bool contains(Handle z) const { return place_.contains(z); }

  /// nullptr where it is not there. Valid until as many others as it holds were kept.
  [[nodiscard]] const Row* find(Handle z) {
    const auto found = place_.find(z);
    if (found == place_.end()) return nullptr;
    rows_.splice(rows_.begin(), rows_, found->second);
    return &rows_.front().second;
  }
  /// Makes room for one more; the memory of a row that had to go may be used again.
  [[nodiscard]] Row make_room() {
    Row row;
    while (size() >= capacity_) {
      place_.erase(rows_.back().first);
      row = std::move(rows_.back().second);
      rows_.pop_back();
    }
    return row;
  }
  const Row& keep(Handle z, Row row) {
    rows_.emplace_front(z, std::move(row));
    place_[z] = rows_.begin();
    return rows_.front().second;
  }

 private:
  std::int64_t capacity_ = 0;
  std::list<std::pair<Handle, Row>> rows_;
  std::unordered_map<Handle, std::list<std::pair<Handle, Row>>::iterator> place_;
};

}  // namespace shapeboost
