// SPDX-License-Identifier: MIT
// Tables of one data set, made once for trainings that differ in settings. Four things are kept, each for
// whatever does not change it:
//
//   centre, scale and median distance of a view     for every sigma scale, nu, weak learner, ...
//   affinity extremes of a view's candidates        for every sigma (serves_every_sigma)
//   affinities of instances, where N is small       for every sigma
//   tables                                          for every nu, stopping rule, weak learner of one norm
//
// What is handed out is what would have been made afresh, to the last bit. When the memory is full, what does
// not fit any more is made and not kept: an older entry is as likely to be asked for again as a newer one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "ground/rng.hpp"
#include "oracle/table.hpp"

namespace shapeboost {

class TableStore {
 public:
  /// `data` must outlive the store, and the store every use of its tables, which ask it for room. `memory`
  /// bounds what is kept, in bytes.
  TableStore(const Dataset& data, std::int64_t memory)
      : data_(data), memory_(memory), memory_of_rows_(memory / 2) {}

  /// fit_view() of the data, and `rng` as it would leave it.
  [[nodiscard]] View fit(const View& view, bool standardise, double sigma_scale, Rng& rng);

  /// A table of the data. Whoever asks first makes it; others who ask meanwhile wait.
  [[nodiscard]] std::shared_ptr<const Table> table(const View& view, const std::vector<int>& labels,
                                                   const TableSettings& settings, ThreadPool& threads);

  /// Tables made from instances, and tables remade from kept extremes, so far.
  struct Counts {
    std::int64_t made = 0;
    std::int64_t remade = 0;
  };
  [[nodiscard]] Counts counts() const;

 private:
  struct Fit {
    std::mutex mutex;
    bool ready = false;
    View view;
    double unit = 0.0;
    Rng after{0};
  };
  struct Extremes {
    std::mutex mutex;
    std::shared_ptr<const TableExtremes> kept;
    std::shared_ptr<AffinityRows> rows;
  };
  struct Entry {
    std::mutex mutex;
    std::shared_ptr<const Table> table;
  };

  template <typename Key, typename Value>
  std::shared_ptr<Value> find_or_add(std::map<Key, std::shared_ptr<Value>>& map, const Key& key);
  /// True, and counted, where so many bytes more may be kept, also of a part of the memory.
  bool take(std::int64_t bytes, std::int64_t* part = nullptr);
  [[nodiscard]] std::shared_ptr<const Table> make(const View& view, const std::vector<int>& labels,
                                                  const TableSettings& settings, ThreadPool& threads);

  const Dataset& data_;
  mutable std::mutex mutex_;  // of what follows
  std::int64_t memory_;
  std::int64_t memory_of_rows_;
  Counts counts_;
  std::map<std::pair<std::string, Rng>, std::shared_ptr<Fit>> fits_;
  std::map<std::string, std::shared_ptr<Extremes>> extremes_;
  std::map<std::string, std::shared_ptr<Entry>> tables_;
};

}  // namespace shapeboost
