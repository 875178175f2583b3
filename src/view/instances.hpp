// SPDX-License-Identifier: MIT
// The bags of a data set as one view sees them. Windows are never copied out of their series: they overlap in
// memory, and what is kept for each is a norm (and a mean).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "shapeboost/view.hpp"
#include "view/pooling.hpp"

namespace shapeboost {

/// A vector made ready for comparison: mapped, normalised, with its squared norm (that of its features where
/// the kernel compares strings).
struct Probe {
  Vector values;
  double norm2 = 0.0;
  double place = 0.0;
  std::vector<std::uint64_t> words{};  ///< of symbols: the k-mers, packed, where the kernel compares those
};

/// Consecutive instances of one bag.
struct Run {
  std::int64_t bag = 0;
  std::int64_t first = 0;  ///< number in the bag
  std::int64_t count = 0;
};

/// The bags of a data set as one view sees them. An example may have no instance at all: a series shorter
/// than the window, or one with too many gaps. `data` must outlive it.
class Instances {
 public:
  virtual ~Instances() = default;
  Instances(const Instances&) = delete;
  Instances& operator=(const Instances&) = delete;

  [[nodiscard]] const View& view() const { return view_; }
  [[nodiscard]] std::int64_t bags() const { return static_cast<std::int64_t>(first_.size()) - 1; }
  /// All instances, N = |P_S|. They are numbered bag after bag.
  [[nodiscard]] std::int64_t size() const { return first_.back(); }
  [[nodiscard]] std::int64_t first(std::int64_t bag) const { return first_[at(bag)]; }
  [[nodiscard]] std::int64_t count(std::int64_t bag) const { return first(bag + 1) - first(bag); }
  [[nodiscard]] std::int64_t bag_of(std::int64_t instance) const;

  /// Instance number `instance`, by value and in the units of the data.
  [[nodiscard]] virtual Instance instance(std::int64_t instance) const = 0;
  /// Its position alone: of an instance its number in the bag.
  [[nodiscard]] virtual std::int64_t position(std::int64_t instance) const {
    return instance - first(bag_of(instance));
  }
  /// The same, ready for comparison.
  [[nodiscard]] virtual Probe probe(std::int64_t instance) const = 0;
  /// Any vector in the units of the data, ready for comparison.
  [[nodiscard]] virtual Probe probe(const Instance& instance) const = 0;
  /// A probe's numbers back in the units of the data (normalisation is not undone).
  [[nodiscard]] std::vector<double> unmapped(const Vector& values) const;

  /// out[x] = affinity of z and instance x, for every x of the run.
  virtual void affinities(const Probe& z, const Run& run, double* out) const = 0;
  /// K(z, x).
  [[nodiscard]] virtual double similarity(const Probe& z, const Probe& x) const = 0;
  /// What sigma is measured against: |x - x'|^2 for the Gaussian kernel, the kernel's own distance elsewhere.
  [[nodiscard]] virtual double distance(std::int64_t x, std::int64_t y) const = 0;

  /// For each z of the run: the largest and the smallest affinity of z with the instances of `bag`, which
  /// must have one. By default one affinity after the other; a kernel that knows a faster way overrides this.
  virtual void extremes(const Run& run, std::int64_t bag, double* largest, double* smallest) const;
  /// The same for several runs, one after the other, and every bag: a row for each z, a column for each bag,
  /// 0 where it has no instance.
  virtual void all_extremes(std::span<const Run> runs, Matrix& largest, Matrix& smallest) const;
  /// About how many z such a call is best made for; 1: it is no cheaper than one run after the other.
  [[nodiscard]] virtual std::int64_t together() const { return 1; }

  /// The largest score sum_t alpha_t K(z_t, x) of the instances x of `bag`, which must have one, and the
  /// instance that attains it, the lowest number among equals. Scores are added up in the order of the terms.
  /// By default all scores are computed; a kernel that can bound them overrides this and gives the same bits
  /// for less work.
  [[nodiscard]] virtual Pooled best(std::span<const Probe> z, std::span<const double> alpha,
                                    std::int64_t bag) const;
  /// True where best() is much cheaper than the affinities of the whole bag.
  [[nodiscard]] virtual bool expensive() const { return false; }

  /// R = max_x ||Phi(x)|| = max_x sqrt(K(x, x)).
  [[nodiscard]] double radius() const;

  [[nodiscard]] virtual std::int64_t bytes() const = 0;

  /// Takes this sigma in place of its own, where nothing that is kept depends on it. False: it must be made anew.
  [[nodiscard]] virtual bool set_sigma(double) { return false; }

 protected:
  explicit Instances(View view) : view_(std::move(view)) {}
  [[nodiscard]] Kernel& kernel() { return view_.kernel; }
  /// To be called once for each bag, in order.
  void add_bag(std::int64_t instances) { first_.push_back(first_.back() + instances); }

 private:
  View view_;
  std::vector<std::int64_t> first_{0};  // number of each bag's first instance; then N
};

/// Throws InvalidInput where the view does not fit the data.
[[nodiscard]] std::unique_ptr<Instances> make_instances(const Dataset& data, const View& view);

/// Windows of the view in a series of so many time steps without gaps.
[[nodiscard]] std::int64_t windows_in(std::int64_t steps, const View& view);

/// An upper bound on the number of instances of the data: windows with gaps are counted too.
[[nodiscard]] std::int64_t instances_in(const Dataset& data, const View& view);

}  // namespace shapeboost
