// SPDX-License-Identifier: MIT
// Everything in training that touches all N instances is one of two questions:
//
//   respond: for a shapelet, what is each bag's largest score and which instance attains it?
//   price:   for weights p on a few instances, which candidate z has the largest |sum_x p_x K(x, z)|?
//
// K is symmetric, so both ask for the same field s(x) = sum_z alpha_z K(z, x) over instances and differ in
// what they keep of it. Whoever asks sees m numbers, m handles and a few candidates, never N of anything.
// One oracle serves one view and one caller at a time.
#pragma once

#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shapeboost/hypothesis.hpp"
#include "shapeboost/parallel.hpp"

namespace shapeboost {

/// 0 ... N-1: a training instance. N and up: a candidate that is nobody's instance (a cluster's centre).
using Handle = std::int64_t;

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
};

/// The candidate with the largest |score|.
struct Priced {
  Handle z = -1;
  double score = 0.0;
};

/// Which instances may carry a coefficient.
struct Candidates {
  enum class Kind {
    all,     ///< every training instance
    sample,  ///< `count` of them, drawn once
    kmeans,  ///< centres of `count` clusters for each class, as in the paper's appendix
  };
  Kind kind = Kind::all;
  std::int64_t count = 0;

  /// "all", "sample:N" or "kmeans:K".
  [[nodiscard]] static Candidates parse(std::string_view text);
  [[nodiscard]] std::string text() const;
};

struct OracleSettings {
  Candidates candidates;
  std::int64_t memory = std::int64_t{1} << 30;  ///< bytes this oracle may hold; never changes an answer
  std::uint64_t seed = 1;
  bool unit_norm = false;  ///< single instances as shapelets of ||u|| = 1 (ball), not of alpha = 1 (sparse)
};

class Oracle {
 public:
  /// Bytes an oracle of this view needs at the least.
  [[nodiscard]] static std::int64_t smallest_memory(const Dataset& data, const View& view,
                                                    const Candidates& candidates);

  /// `data` must outlive the oracle. `labels` (any integers) tell k-means which bags form a class. Throws
  /// InvalidInput where `memory` is below smallest_memory().
  Oracle(const Dataset& data, const View& view, const std::vector<int>& labels,
         const OracleSettings& settings, ThreadPool& pool);

  [[nodiscard]] const Instances& instances() const { return instances_; }
  [[nodiscard]] std::int64_t bags() const { return instances_.bags(); }

  /// max_{x in B_i} sum_z alpha_z K(z, x) for every bag.
  [[nodiscard]] Response respond(std::span<const Term> shapelet);

  /// Best candidate of the pool. `price_all` asks every instance and takes the winner into the pool; it
  /// differs from `price` only where the pool is a part of all.
  [[nodiscard]] Priced price(std::span<const Term> p);
  [[nodiscard]] Priced price_all(std::span<const Term> p);
  /// True where candidates = all but the pool is only a part of them (N is large).
  [[nodiscard]] bool partial() const { return partial_; }

  /// The best single-instance hypothesis for each sign and sign of alpha, given dy_i = d_i y_i; `signs` is 1
  /// (only +h) or 2. A product with a table made once: max and min of K(z, .) over each bag.
  [[nodiscard]] std::vector<Single> best_singles(const Vector& dy, int signs);

  /// K(z, x) for each training instance x of `at`.
  void similarities(Handle z, std::span<const Handle> at, double* out);

  /// By value, in the units of the data.
  [[nodiscard]] Instance instance(Handle z) const;

  [[nodiscard]] std::int64_t pool_size() const { return static_cast<std::int64_t>(pool_.size()); }
  [[nodiscard]] std::int64_t bytes() const;
  /// Time spent answering so far.
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  using Row = std::vector<double>;
  void choose_pool(const OracleSettings& settings);
  void cluster(const std::vector<int>& labels, const OracleSettings& settings);
  void build_table(std::int64_t from);
  [[nodiscard]] Probe probe(Handle z) const;
  /// |alpha| of a single instance as a shapelet; 0 where it has no norm to speak of.
  [[nodiscard]] double single_alpha(Handle z) const;
  [[nodiscard]] const Row* row(Handle z);
  /// s(x) for the instances of a run, added up term by term: from cached rows, or afresh from probes.
  void field(std::span<const Term> terms, std::span<const Row* const> rows, std::span<const Probe> probes,
             const Run& run, double* out) const;
  [[nodiscard]] std::vector<Probe> probes(std::span<const Term> terms) const;
  [[nodiscard]] std::vector<const Row*> cached_rows(std::span<const Term> terms);
  template <typename Visit>
  void each_bag(std::span<const Term> terms, const Visit& visit);
  [[nodiscard]] Priced price_pool(std::span<const Term> p) const;

  const Dataset* data_;
  Instances instances_;
  ThreadPool* threads_;
  std::vector<Probe> centres_;  // candidates beyond N
  std::vector<Handle> pool_;    // candidates, in the order of the table's rows
  std::vector<Run> runs_;       // the pool's instances as runs, in the same order
  bool pool_is_all_ = false;
  bool partial_ = false;
  bool unit_norm_ = false;
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> largest_;   // pool x bags
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> smallest_;  // pool x bags

  // Rows K(z, .) over all N instances, least recently used out first.
  struct Cached {
    Handle z;
    Row row;
  };
  std::list<Cached> cache_;
  std::unordered_map<Handle, std::list<Cached>::iterator> cached_;
  std::int64_t memory_ = 0;
  std::int64_t cache_rows_ = 0;
  double seconds_ = 0.0;
};

}  // namespace shapeboost
