// SPDX-License-Identifier: MIT
// The part of a view that never changes while models are trained: its instances, the candidates among them,
// and for each candidate z and bag B_i the largest and the smallest K(z, x). Made once and never altered, so
// all classes, members and threads read the same table.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <shared_mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ground/parallel.hpp"
#include "oracle/oracle.hpp"
#include "view/instances.hpp"

namespace shapeboost {

inline constexpr std::int64_t kDouble = sizeof(double);
inline constexpr std::int64_t kFloat = sizeof(float);

struct TableSettings {
  Candidates candidates;
  std::uint64_t seed = 1;
  bool unit_norm = false;  ///< single instances as shapelets of ||u|| = 1 (ball), not of alpha = 1 (sparse)
};

/// The candidates of a table.
struct Pool {
  std::vector<Probe> centres;   ///< those that are nobody's instance: of clusters, or from elsewhere
  std::vector<Handle> handles;  ///< of all, in the order of the table's rows
  std::vector<Run> runs;  ///< the same instances as runs, in the same order; empty where they are centres
  bool is_all = false;    ///< every instance is a candidate
  bool partial = false;   ///< every instance may be one, but these are a part of them (N is large)
};

/// The part of a table that does not depend on sigma, for views where serves_every_sigma(): the candidates,
/// and for each (row) and bag (column) the largest and smallest affinity.
struct TableExtremes {
  Pool pool;
  Eigen::MatrixXd largest;
  Eigen::MatrixXd smallest;

  [[nodiscard]] std::int64_t bytes() const { return (largest.size() + smallest.size()) * kDouble; }
};

/// Affinities are distances in which sigma does not occur: K = exp(-sigma distance), and no position term.
[[nodiscard]] bool serves_every_sigma(const View& view);

/// Affinities of a handle and all N instances, kept by whoever computed them first for tables that differ in
/// nothing but sigma. Any number of threads may ask.
class AffinityRows {
 public:
  /// `take` says whether so many bytes more may be kept.
  explicit AffinityRows(std::function<bool(std::int64_t)> take) : take_(std::move(take)) {}

  /// N numbers that stay where they are; nullptr where there are none.
  [[nodiscard]] const double* find(Handle z) const;
  /// Keeps a copy where it may.
  void offer(Handle z, std::span<const double> row);
  [[nodiscard]] std::int64_t size() const;

 private:
  std::function<bool(std::int64_t)> take_;
  mutable std::shared_mutex mutex_;  // of what follows
  std::unordered_map<Handle, std::vector<double>> rows_;
};

class Table {
 public:
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  /// |alpha| max_{x in B_i} K(z, x) and |alpha| min_{x in B_i} K(z, x): a row for each candidate, a column
  /// for each bag; 0 where the bag has no instance. |alpha| is alpha_of(z).
  struct Extremes {
    Rows largest{};
    Rows smallest{};
    [[nodiscard]] const Rows& of(bool most) const { return most ? largest : smallest; }
    [[nodiscard]] std::int64_t bytes() const { return (largest.size() + smallest.size()) * kFloat; }
  };

  /// `data` must outlive the table. `labels` (any integers) tell k-means which bags form a class. `keep`,
  /// where it is given, gets what tables for other sigmas can be made from.
  Table(const Dataset& data, const View& view, const std::vector<int>& labels, const TableSettings& settings,
        ThreadPool& threads, TableExtremes* keep = nullptr);
  /// The same of instances that are there already.
  Table(std::unique_ptr<Instances> instances, const std::vector<int>& labels, const TableSettings& settings,
        ThreadPool& threads, TableExtremes* keep = nullptr);
  /// The table, to the last bit, that the first constructor makes of the data, the settings and the view from
  /// which `kept` came but for another sigma: O(|Z| m), not O(|Z| N).
  Table(const Dataset& data, const View& view, const TableExtremes& kept, bool unit_norm,
        ThreadPool& threads);
  /// Candidates that came from elsewhere, in the units of the data.
  Table(const Dataset& data, const View& view, const std::vector<Instance>& candidates, bool unit_norm,
        ThreadPool& threads);

  [[nodiscard]] const Instances& instances() const { return *instances_; }
  /// What the model remembers of the training data in this view.
  [[nodiscard]] ViewFacts facts() const;
  [[nodiscard]] std::int64_t bags() const { return instances_->bags(); }

  /// Affinities that tables for other sigmas have computed, or will: they change no answer. Of views where
  /// serves_every_sigma(), and of tables with the same candidates.
  void share(std::shared_ptr<AffinityRows> rows) { shared_ = std::move(rows); }
  [[nodiscard]] AffinityRows* shared() const { return shared_.get(); }

  /// Handles are below this: 0 ... N-1 are the training instances, then come the centres.
  [[nodiscard]] Handle handles() const { return instances_->size() + std::ssize(pool_.centres); }
  /// The candidates, in the order of the rows below.
  [[nodiscard]] const std::vector<Handle>& pool() const { return pool_.handles; }
  [[nodiscard]] const std::vector<Run>& runs() const { return pool_.runs; }
  [[nodiscard]] bool pool_is_all() const { return pool_.is_all; }
  [[nodiscard]] bool partial() const { return pool_.partial; }

  [[nodiscard]] const Extremes& extremes() const { return extremes_; }
  [[nodiscard]] const Rows& largest() const { return extremes_.largest; }
  [[nodiscard]] const Rows& smallest() const { return extremes_.smallest; }
  /// One row for any handle.
  [[nodiscard]] Extremes extremes(Handle z) const;

  /// |alpha| of a single instance as a shapelet: 1, or 1 / ||Phi(z)|| where shapelets have unit norm, 0 where
  /// z has no norm to speak of.
  [[nodiscard]] double alpha_of(Handle z) const;
  [[nodiscard]] Probe probe(Handle z) const;
  /// By value, in the units of the data.
  [[nodiscard]] Instance instance(Handle z) const;

  [[nodiscard]] std::int64_t bytes() const { return instances_->bytes() + extremes_.bytes(); }
  /// At most as many bytes as a table of this view would take, without making it.
  [[nodiscard]] static std::int64_t bytes(const Dataset& data, const View& view,
                                          const Candidates& candidates);
  /// Those of its candidates' rows among them: a copy for some of the bags takes as many at most.
  [[nodiscard]] static std::int64_t rows_bytes(const Dataset& data, const View& view,
                                               const Candidates& candidates);

 private:
  /// Candidates that are looked at together: some runs, or one centre.
  struct Batch {
    std::span<const Run> runs;
    std::int64_t row = 0;
    std::int64_t rows = 0;
  };

  Table(const Dataset& data, const View& view, bool unit_norm);
  void choose(const std::vector<int>& labels, const TableSettings& settings);
  void draw_runs(std::int64_t count, std::uint64_t seed);
  void cluster(const std::vector<int>& labels, const TableSettings& settings);
  void add_centre(const Instance& centre);
  [[nodiscard]] std::vector<Batch> batches() const;
  /// From `from` where it is given, else from the instances; the affinities go to `to` where it is given.
  void fill(ThreadPool& threads, const TableExtremes* from, TableExtremes* to);
  void check_size() const;  // throws InvalidInput where similarities are too large to learn from
  void affinity_extremes(Handle z, Matrix& largest, Matrix& smallest) const;
  void set_row(Rows& rows, std::int64_t row, double alpha, double* values, bool as_vector) const;

  std::unique_ptr<Instances> instances_;
  std::shared_ptr<AffinityRows> shared_;
  Pool pool_;
  bool unit_norm_ = false;
  Extremes extremes_;
};

}  // namespace shapeboost
