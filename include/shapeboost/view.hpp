// SPDX-License-Identifier: MIT
// A view is a way to see an example as a bag of vectors: its given instances, or the windows of a series or
// of a sequence of symbols.
// `Instances` holds the bags of a data set as one view sees them. Windows are never copied out of their
// series: they overlap in memory, and what is kept for each is a norm (and a mean).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "shapeboost/base.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/kernel.hpp"

namespace shapeboost {

enum class Normalisation {
  raw,      ///< x
  centred,  ///< x - mean(x)
  z,        ///< (x - mean(x)) / sd(x); the zero vector where x is constant
};

[[nodiscard]] std::string_view to_string(Normalisation normalisation);
[[nodiscard]] Normalisation parse_normalisation(std::string_view text);

/// View::channel of windows that span all channels at once.
inline constexpr int kAllChannels = -1;

struct View {
  DataKind kind = DataKind::series;  ///< bags: the given instances; else: windows
  std::int64_t width = 1;            ///< channels or features of the data this view is made for

  // Windows.
  std::int64_t length = 0;    ///< moments in a window; of bags: numbers in an instance
  std::int64_t dilation = 1;  ///< a window takes every so many-th moment
  bool differences = false;   ///< of the series of first differences x(t+1) - x(t)
  int channel = 0;            ///< windows of this channel, or of kAllChannels side by side
  Normalisation normalisation = Normalisation::raw;  ///< of each channel of a window
  /// Position term: K(x, z) exp(-tau (pos_x - pos_z)^2), pos the middle of the window as a share of its
  /// series.
  double tau = 0.0;

  // Bags.
  std::vector<int> features;  ///< those that are used, in order; empty: all

  Kernel kernel;
  /// Every number is first mapped to (x - centre) / scale, one entry for each feature or channel that is
  /// used. Learned from the training data only.
  std::vector<double> centre;
  std::vector<double> scale;

  /// Channels of a window, or features of an instance: as many as centre and scale have entries.
  [[nodiscard]] std::int64_t rows() const;
  /// Numbers in an instance.
  [[nodiscard]] std::int64_t numbers() const { return kind == DataKind::bags ? rows() : rows() * length; }
  /// Moments from a window's first to its last, both included.
  [[nodiscard]] std::int64_t span() const { return (length - 1) * dilation + 1 + (differences ? 1 : 0); }
};

/// One vector in the units of the data, with where it came from. Windows of several channels lie channel
/// after channel; of differences, they hold the differences.
struct Instance {
  std::vector<double> values;
  std::int64_t example = -1;   ///< training example, or -1 where it is nobody's (a cluster's centre)
  std::int64_t position = -1;  ///< first moment of the window, or number of the instance in its bag
  double place = 0.0;          ///< middle of the window as a share of its series: for the position term
};

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
  [[nodiscard]] std::int64_t first(std::int64_t bag) const { return first_[static_cast<std::size_t>(bag)]; }
  [[nodiscard]] std::int64_t count(std::int64_t bag) const { return first(bag + 1) - first(bag); }
  [[nodiscard]] std::int64_t bag_of(std::int64_t instance) const;

  /// Instance number `instance`, by value and in the units of the data.
  [[nodiscard]] virtual Instance instance(std::int64_t instance) const = 0;
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
  /// must have one. Here one affinity after the other; where a kernel knows better it overrides this.
  virtual void extremes(const Run& run, std::int64_t bag, double* largest, double* smallest) const;
  /// The same for several runs, one after the other, and every bag: a row for each z, a column for each bag,
  /// 0 where it has no instance. `check` is called between pieces of the work and may throw.
  virtual void all_extremes(std::span<const Run> runs, const std::function<void()>& check, Matrix& largest,
                            Matrix& smallest) const;
  /// About how many z such a call should be for; 1: it is no cheaper than one run after the other.
  [[nodiscard]] virtual std::int64_t together() const { return 1; }

  /// The largest score sum_t alpha_t K(z_t, x) of the instances x of `bag`, which must have one, and the
  /// instance that attains it, the lowest number among equals. Scores are added up in the order of the terms.
  /// Here all of them; where a kernel can bound scores it overrides this and gives the same bits for less.
  virtual void best(std::span<const Probe> z, std::span<const double> alpha, std::int64_t bag, double& value,
                    std::int64_t& argmax) const;
  /// True where best() is much cheaper than the affinities of the whole bag.
  [[nodiscard]] virtual bool expensive() const { return false; }
  /// Alignments computed so far, for kernels that align windows: what pruning saves can be counted.
  [[nodiscard]] virtual std::int64_t alignments() const { return 0; }

  /// R = max_x ||Phi(x)|| = max_x sqrt(K(x, x)).
  [[nodiscard]] double radius() const;

  [[nodiscard]] virtual std::int64_t bytes() const = 0;

 protected:
  explicit Instances(View view) : view_(std::move(view)) {}
  /// To be called once for each bag, in order.
  void add_bag(std::int64_t instances) { first_.push_back(first_.back() + instances); }

 private:
  View view_;
  std::vector<std::int64_t> first_{0};  // number of each bag's first instance; then N
};

/// Throws InvalidInput where the view does not fit the data.
[[nodiscard]] std::unique_ptr<Instances> make_instances(const Dataset& data, const View& view);

/// Windows of the view in a series of so many moments without gaps.
[[nodiscard]] std::int64_t windows_in(std::int64_t moments, const View& view);

/// At most so many instances of the data: windows with gaps are counted.
[[nodiscard]] std::int64_t instances_in(const Dataset& data, const View& view);

/// Median of distance(x, x') over pairs of instances: all pairs where there are few, else `pairs` random
/// ones. Where more than half of them coincide, their mean; where all do, 1.
[[nodiscard]] double median_distance(const Instances& instances, std::int64_t pairs, Rng& rng);

/// Settles what a view takes from the training data. Bags: centre and scale standardise each feature
/// (where asked); so do they the channels of joint windows. Series: centre is the mean where the similarity
/// does not depend on it, which keeps the inner products small. Kernels with a sigma: sigma = sigma_scale /
/// median distance where sigma is 0. String kernels: k where it is 0, and the size of the alphabet.
[[nodiscard]] View fit_view(View view, const Dataset& data, bool standardise, double sigma_scale, Rng& rng);

/// fit_view in two steps, of which neither depends on sigma_scale: all but sigma, and the median distance
/// that sigma is measured against where wants_sigma(). sigma = sigma_scale / distance_unit().
[[nodiscard]] View fit_all_but_sigma(View view, const Dataset& data, bool standardise);
[[nodiscard]] bool wants_sigma(const View& view);
[[nodiscard]] double distance_unit(View view, const Dataset& data, Rng& rng);

}  // namespace shapeboost
