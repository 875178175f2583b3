// SPDX-License-Identifier: MIT
// Everything in training that touches all N instances is one of two questions:
//
//   respond: for a shapelet, what is each bag's largest score and which instance attains it?
//   price:   for weights p on a few instances, which candidate z has the largest |sum_x p_x K(x, z)|?
//
// K is symmetric, so both ask for the same field s(x) = sum_z alpha_z K(z, x) over instances and differ in
// what they keep of it. Whoever asks sees m numbers, m handles and a few candidates, never N of anything.
// One oracle serves one view and one caller at a time; many may stand on one table, each for some of its
// bags.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "ground/parallel.hpp"
#include "model/respond.hpp"
#include "oracle/table.hpp"
#include "view/instances.hpp"

namespace shapeboost {

/// One summand of a shapelet, or of a field's weights.
struct Term {
  Handle z = 0;
  double alpha = 0.0;
};

/// The best hypothesis of a single instance, sign * max_x alpha K(z, x) with |alpha| = 1, or 1 / ||Phi(z)||
/// where shapelets have unit norm.
struct Single {
  Handle z = 0;
  double alpha = 1.0;
  int sign = +1;
  double edge = 0.0;
  std::int64_t row = 0;  ///< of the candidate in the pool
};

/// The candidate with the largest |score|.
struct Priced {
  Handle z = -1;
  double score = 0.0;
};

/// An instance and its score.
struct Peak {
  Handle x = -1;
  double value = 0.0;
};

class Oracle {
 public:
  /// `bags` are those of the table that this oracle sees, ascending; empty: all. `memory` bounds what it
  /// holds beside the table (it takes at least smallest_memory(), whatever is said) and never changes an
  /// answer.
  Oracle(std::shared_ptr<const Table> table, std::vector<std::int64_t> bags, std::int64_t memory,
         ThreadPool& threads);

  /// Bytes an oracle of all bags needs beside its table.
  [[nodiscard]] static std::int64_t smallest_memory(const Dataset& data, const View& view);

  [[nodiscard]] const Table& table() const { return *table_; }
  [[nodiscard]] const Instances& instances() const { return table_->instances(); }
  /// The bags it sees. Answers are in their order.
  [[nodiscard]] std::int64_t bags() const { return static_cast<std::int64_t>(bags_.size()); }
  /// The table's number of its k-th bag.
  [[nodiscard]] std::int64_t bag(std::int64_t k) const { return bags_[static_cast<std::size_t>(k)]; }
  /// Which of its bags an instance belongs to; -1: none, as of a cluster's centre.
  [[nodiscard]] std::int64_t bag_of(Handle z) const;
  /// False where bag k has no instance in this view: every shapelet says 0 of it.
  [[nodiscard]] bool has_instances(std::int64_t k) const { return count(k) > 0; }

  /// max_{x in B_i} sum_z alpha_z K(z, x) for every bag.
  [[nodiscard]] Response respond(std::span<const Term> shapelet);

  /// The `count` highest instances of every bag, the highest first and the lower number first among equals.
  /// Where the kernel is expensive, and the highest is found by pruning, no more than that one.
  [[nodiscard]] std::vector<std::vector<Peak>> peaks(std::span<const Term> shapelet, std::int64_t count);

  /// Best candidate of the pool. `price_all` asks every instance of the bags and takes the winner into the
  /// pool; it differs from `price` only where the pool is a part of all.
  [[nodiscard]] Priced price(std::span<const Term> p);
  [[nodiscard]] Priced price_all(std::span<const Term> p);
  [[nodiscard]] bool partial() const { return table_->partial(); }

  /// The best single-instance hypotheses, `count` for each sign and sign of alpha and the largest edge first,
  /// given dy_i = d_i y_i; `signs` is 1 (only +h) or 2. A product with a table made once: max and min of K(z,
  /// .) over each bag. None where no bag has an instance.
  [[nodiscard]] std::vector<Single> best_singles(const Vector& dy, int signs, int count = 1);

  /// max_x alpha K(z, x) of each bag, from the table: to the precision of a float.
  [[nodiscard]] Vector values(const Single& single) const;

  /// K(z, x) for each training instance x of `at`, all of them of its bags; 0 for -1, which is none.
  void similarities(Handle z, std::span<const Handle> at, double* out);

  /// All instances of its bags, bag after bag: how many, where bag k begins, which one stands where.
  [[nodiscard]] std::int64_t size() const { return first_.back(); }
  [[nodiscard]] std::int64_t begin(std::int64_t k) const { return first_[static_cast<std::size_t>(k)]; }
  [[nodiscard]] std::vector<Handle> handles() const;
  /// K(z, x) of each of them, z any handle, valid until two others were asked for; and K(x, x).
  [[nodiscard]] const double* similarities(Handle z);
  [[nodiscard]] const Vector& self_similarities();

  /// By value, in the units of the data.
  [[nodiscard]] Instance instance(Handle z) const { return table_->instance(z); }

  /// Candidates: the table's, then those that price_all found.
  [[nodiscard]] std::int64_t pool_size() const {
    return static_cast<std::int64_t>(table_->pool().size() + extra_.size());
  }
  /// Held beside the table.
  [[nodiscard]] std::int64_t bytes() const;
  /// Time spent answering so far.
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  using Row = std::vector<double>;
  [[nodiscard]] std::int64_t count(std::int64_t k) const {
    return first_[static_cast<std::size_t>(k) + 1] - first_[static_cast<std::size_t>(k)];
  }
  [[nodiscard]] Handle pool(std::int64_t r) const;
  void add_extra(Handle z);
  [[nodiscard]] const Row* row(Handle z);
  [[nodiscard]] Row make_room();
  const Row* keep(Handle z, Row row);
  struct Made {
    Handle z;
    Row row;
  };
  void make_rows(std::span<Made> made);
  void make_bag_rows(std::int64_t k);
  /// s(x) for the instances of a run, added up term by term: from cached rows (`begin` is where the run
  /// begins in them), or afresh from probes.
  void field(std::span<const Term> terms, std::span<const Row* const> rows, std::span<const Probe> probes,
             const Run& run, std::int64_t begin, double* out) const;
  [[nodiscard]] std::vector<Probe> probes(std::span<const Term> terms) const;
  [[nodiscard]] std::vector<const Row*> cached_rows(std::span<const Term> terms);
  [[nodiscard]] bool rows_pay(std::span<const Term> terms);
  template <typename Visit>
  void each_bag(std::span<const Term> terms, const Visit& visit);
  [[nodiscard]] Priced price_pool(std::span<const Term> p);
  [[nodiscard]] const std::vector<double>& column(Handle x);

  std::shared_ptr<const Table> table_;
  ThreadPool* threads_;
  std::vector<std::int64_t> bags_;
  std::vector<std::int64_t> first_;  // of each bag's instances in a row; then their number
  std::vector<std::int64_t> place_;  // of each of the table's bags among bags_, or -1; empty: all bags
  Table::Rows largest_;              // the table's columns of these bags; empty where all are seen
  Table::Rows smallest_;
  std::vector<Handle> extra_;  // candidates beyond the table's, with rows of their own
  Table::Rows extra_largest_;
  Table::Rows extra_smallest_;

  // Rows K(z, .) over all instances of the bags, least recently used out first.
  struct Cached {
    Handle z;
    Row row;
  };
  std::list<Cached> cache_;
  std::unordered_map<Handle, std::list<Cached>::iterator> cached_;
  std::unordered_map<Handle, std::vector<double>> columns_;  // K(., x) over a pool that does not lie in runs
  Vector self_;                                              // K(x, x); empty until it is asked for
  std::unordered_map<Handle, int> asked_;  // how often for a row that was not there; expensive kernels only
  std::int64_t memory_ = 0;
  std::int64_t cache_rows_ = 0;
  std::int64_t most_columns_ = 0;
  double seconds_ = 0.0;
};

}  // namespace shapeboost
