// SPDX-License-Identifier: MIT
// The oracle over instances in this process. Many may stand on one table, each for some of its bags.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "ground/numbers.hpp"
#include "ground/parallel.hpp"
#include "oracle/oracle.hpp"
#include "oracle/row_cache.hpp"
#include "oracle/table.hpp"

namespace shapeboost {

/// sum_k dy_k max_x |alpha| K(z, x), and the same of the minimum, of each candidate z.
struct Edges {
  Eigen::VectorXf largest;
  Eigen::VectorXf smallest;
};

/// The rows of the best candidates as Oracle::best_singles() orders them; alpha is +1 or -1, and z is not set.
[[nodiscard]] std::vector<Single> best_rows(const Edges& edges, int signs, int count);

class LocalOracle : public Oracle, public AllInstances {
 public:
  /// `bags` are those of the table that this oracle sees, ascending; empty: all. `memory` bounds what it
  /// holds beside the table (it takes at least smallest_memory(), whatever is said) and never changes an
  /// answer.
  LocalOracle(std::shared_ptr<const Table> table, std::vector<std::int64_t> bags, std::int64_t memory,
              ThreadPool& threads);

  /// Bytes an oracle of all bags needs beside its table.
  [[nodiscard]] static std::int64_t smallest_memory(const Dataset& data, const View& view, bool rows = true);

  [[nodiscard]] std::int64_t bags() const override { return std::ssize(bags_); }
  [[nodiscard]] bool has_instances(std::int64_t k) const override { return count(k) > 0; }
  [[nodiscard]] std::int64_t bag_of(Handle z) const override;
  [[nodiscard]] Instance instance(Handle z) const override { return table_->instance(z); }

  [[nodiscard]] Response respond(std::span<const Term> shapelet) override;
  [[nodiscard]] std::vector<std::vector<Peak>> peaks(std::span<const Term> shapelet,
                                                     std::int64_t count) override;
  void similarities(Handle z, std::span<const Handle> at, double* out) override;

  [[nodiscard]] Priced price(std::span<const Term> p) override;
  [[nodiscard]] Priced price_all(std::span<const Term> p) override;
  [[nodiscard]] bool partial() const override { return table_->partial(); }

  [[nodiscard]] std::vector<Single> best_singles(const Vector& dy, int signs, int count) override;
  [[nodiscard]] Vector values(const Single& single) override;

  [[nodiscard]] double seconds() const override { return seconds_; }
  [[nodiscard]] AllInstances* all_instances() override { return this; }

  [[nodiscard]] const Instances& instances() const override { return table_->instances(); }
  [[nodiscard]] std::int64_t begin(std::int64_t k) const override { return first_[at(k)]; }
  [[nodiscard]] std::vector<Handle> handles() const override;
  [[nodiscard]] const double* similarities(Handle z) override;
  [[nodiscard]] const Vector& self_similarities() override;

  // For oracles made of several of these.

  /// A handle for an instance that is not of its bags.
  [[nodiscard]] Handle take_in(const Instance& instance);
  /// sum_x p_x K(x, z) of each candidate z.
  [[nodiscard]] std::vector<double> pool_scores(std::span<const Term> p);

  /// Candidates: the table's, then those that price_all found, at most as many again.
  [[nodiscard]] std::int64_t pool_size() const { return own_size() + std::ssize(extra_); }
  /// All instances of its bags.
  [[nodiscard]] std::int64_t size() const { return first_.back(); }
  [[nodiscard]] const Table& table() const { return *table_; }
  /// Held beside the table.
  [[nodiscard]] std::int64_t bytes() const;

 private:
  using Row = RowCache::Row;
  struct Made {
    Handle z;
    Row row;
  };

  [[nodiscard]] std::int64_t count(std::int64_t k) const { return begin(k + 1) - begin(k); }
  [[nodiscard]] Run whole_bag(std::int64_t k) const { return {bags_[at(k)], 0, count(k)}; }
  [[nodiscard]] Handle first_handle(std::int64_t k) const { return instances().first(bags_[at(k)]); }
  [[nodiscard]] bool sees_all() const { return place_.empty(); }
  [[nodiscard]] const Table::Extremes& own() const { return sees_all() ? table_->extremes() : own_; }
  [[nodiscard]] std::int64_t own_size() const { return std::ssize(table_->pool()); }
  /// Place of an instance of its bags in a row.
  [[nodiscard]] std::int64_t index_of(Handle x) const;
  [[nodiscard]] Edges edges(const Vector& dy) const;
  [[nodiscard]] Probe probe(Handle z) const;
  [[nodiscard]] Handle pool(std::int64_t r) const;
  void add_extra(Handle z);
  [[nodiscard]] const Row& row(Handle z);
  void make_rows(std::span<Made> made);
  void make_bag_rows(std::int64_t k);
  /// s(x) for the instances of a run, added up term by term: from cached rows (`begin` is where the run
  /// begins in them), or afresh from probes.
  void field(std::span<const Term> terms, std::span<const Row* const> rows, std::span<const Probe> probes,
             const Run& run, std::int64_t begin, double* out) const;
  [[nodiscard]] std::vector<Probe> probes(std::span<const Term> terms) const;
  [[nodiscard]] std::vector<const Row*> cached_rows(std::span<const Term> terms);
  [[nodiscard]] bool rows_pay(std::span<const Term> terms);
  /// act(k) for every bag, in parallel where so many multiply-adds are worth it.
  void each_bag(std::int64_t work, const std::function<void(std::int64_t)>& act);
  /// visit(k, s, n) with the field over each bag that has instances.
  template <typename Visit>
  void each_field(std::span<const Term> terms, const Visit& visit);
  [[nodiscard]] const std::vector<double>& column(Handle x);

  std::shared_ptr<const Table> table_;
  ThreadPool* threads_;
  std::vector<std::int64_t> bags_;
  std::vector<std::int64_t> first_;  // of each bag's instances in a row; then their number
  std::vector<std::int64_t> place_;  // of each of the table's bags among bags_, or -1; empty: all bags
  Table::Extremes own_;              // the table's columns of these bags; empty where all are seen
  std::vector<Handle> extra_;        // candidates beyond the table's
  Table::Extremes extra_extremes_;   // and their rows
  std::vector<Probe> guests_;        // instances that others have brought

  RowCache cache_;                                           // K(z, .) over all instances of the bags
  std::unordered_map<Handle, std::vector<double>> columns_;  // K(., x) over a pool that does not lie in runs
  Vector self_;                                              // K(x, x); empty until it is asked for
  std::unordered_map<Handle, int> asked_;  // how often for a row that was not there; expensive kernels only
  std::int64_t most_columns_ = 0;
  double seconds_ = 0.0;
};

}  // namespace shapeboost
