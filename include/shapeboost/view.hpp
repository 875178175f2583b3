// SPDX-License-Identifier: MIT
// A view is a way to see an example as a bag of vectors: its given instances, or the windows of a series.
// `Instances` holds the bags of a data set as one view sees them. Windows are never copied out of their
// series: they overlap in memory, and what is kept for each is a norm (and a mean).
#pragma once

#include <cstdint>
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

struct View {
  DataKind kind = DataKind::series;  ///< bags: the given instances; series: windows
  std::int64_t length = 0;           ///< numbers in an instance: window length, or features
  Normalisation normalisation = Normalisation::raw;
  Kernel kernel;
  /// Every number is first mapped to (x - centre) / scale, feature by feature; one entry serves all
  /// moments of a series. Learned from the training data only.
  std::vector<double> centre;
  std::vector<double> scale;
};

/// One vector in the units of the data, with where it came from.
struct Instance {
  std::vector<double> values;
  std::int64_t example = -1;   ///< training example, or -1 where it is nobody's (a cluster's centre)
  std::int64_t position = -1;  ///< first moment of the window, or number of the instance in its bag
};

/// A vector made ready for comparison: mapped, normalised, with its squared norm.
struct Probe {
  Vector values;
  double norm2 = 0.0;
};

/// Consecutive instances of one bag.
struct Run {
  std::int64_t bag = 0;
  std::int64_t first = 0;  ///< position in the bag
  std::int64_t count = 0;
};

class Instances {
 public:
  /// Keeps a mapped copy of the data (the size of the data) and three numbers an instance.
  /// Throws InvalidInput where the view does not fit the data or a bag would be empty.
  Instances(const Dataset& data, const View& view);

  [[nodiscard]] const View& view() const { return view_; }
  [[nodiscard]] std::int64_t bags() const { return static_cast<std::int64_t>(first_.size()) - 1; }
  /// All instances, N = |P_S|. They are numbered bag after bag.
  [[nodiscard]] std::int64_t size() const { return first_.back(); }
  [[nodiscard]] std::int64_t first(std::int64_t bag) const { return first_[static_cast<std::size_t>(bag)]; }
  [[nodiscard]] std::int64_t count(std::int64_t bag) const { return first(bag + 1) - first(bag); }
  [[nodiscard]] std::int64_t bag_of(std::int64_t instance) const;

  /// Instance number `instance`, ready for comparison.
  [[nodiscard]] Probe probe(std::int64_t instance) const;
  /// Any vector in the units of the data, ready for comparison.
  [[nodiscard]] Probe probe(const std::vector<double>& values) const;
  /// A probe's numbers back in the units of the data (normalisation is not undone).
  [[nodiscard]] std::vector<double> unmapped(const Vector& values) const;

  /// out[x] = affinity of z and instance x, for every x of the run.  Cost: count * length.
  void affinities(const Probe& z, const Run& run, double* out) const;
  /// K(z, x).
  [[nodiscard]] double similarity(const Probe& z, const Probe& x) const;
  /// |x - x'|^2 of two instances, without a copy of either.
  [[nodiscard]] double squared_distance(std::int64_t x, std::int64_t y) const;

  /// For each z of the run: the largest and the smallest affinity of z with the instances of `bag`.
  /// Windows cost O(1) a pair, whatever their length: along a diagonal of the table of inner products
  ///     x(j+1).z(k+1) = x(j).z(k) - a_j b_k + a_{j+l} b_{k+l}.
  void extremes(const Run& run, std::int64_t bag, double* largest, double* smallest) const;

  [[nodiscard]] std::int64_t bytes() const;

 private:
  template <Normalisation, KernelKind>
  void window_extremes(const Run& run, std::int64_t bag, double* largest, double* smallest) const;
  void instance_extremes(const Run& run, std::int64_t bag, double* largest, double* smallest) const;
  void summarise();
  [[nodiscard]] const double* numbers(std::int64_t instance) const;
  [[nodiscard]] const double* bag_data(std::int64_t bag) const {
    return data_.data() + begin_[static_cast<std::size_t>(bag)];
  }

  View view_;
  std::vector<double> data_;         // mapped numbers, bag after bag
  std::vector<std::size_t> begin_;   // where each bag's numbers begin
  std::vector<std::int64_t> first_;  // number of each bag's first instance; then N
  std::vector<double> norm2_;        // of each normalised instance
  std::vector<double> mean_;         // centred, z: of each window
  std::vector<double> inv_sd_;       // z: of each window; 0 where it is constant
};

/// Median of |x - x'|^2 over pairs of instances: all pairs where there are few, else `pairs` random ones.
/// Where more than half of them coincide, their mean; where all do, 1.
[[nodiscard]] double median_squared_distance(const Instances& instances, std::int64_t pairs, Rng& rng);

/// Settles what a view takes from the training data. Bags: centre and scale standardise each feature
/// (where asked). Series: centre is the mean where the similarity does not depend on it, which keeps the
/// inner products small. Gaussian: sigma = sigma_scale / median squared distance where sigma is 0.
[[nodiscard]] View fit_view(View view, const Dataset& data, bool standardise, double sigma_scale, Rng& rng);

}  // namespace shapeboost
