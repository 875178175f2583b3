// SPDX-License-Identifier: MIT
// A view is a way to see an example as a bag of vectors: its given instances, or the windows of a series or
// of a sequence of symbols.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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
template <>
[[nodiscard]] Normalisation parse<Normalisation>(std::string_view text);

/// What windows are cut from.
enum class Transform {
  none,         ///< the series x
  differences,  ///< its first differences x(t+1) - x(t)
  spectrum,     ///< what is in it of each frequency, low to high
};

[[nodiscard]] std::string_view to_string(Transform transform);
template <>
[[nodiscard]] Transform parse<Transform>(std::string_view text);

/// What becomes of windows over missing values.
enum class Missing {
  skip,  ///< they are left out
  fill,  ///< a straight line between the values around a gap; at the ends of a series they are left out
};

[[nodiscard]] std::string_view to_string(Missing missing);
template <>
[[nodiscard]] Missing parse<Missing>(std::string_view text);

/// How the numbers of a bag's instances are taken, feature by feature.
enum class Scaling {
  plain,  ///< (x - centre) / scale
  rank,   ///< sqrt(12) (the share of the training data's numbers that are smaller, less 1/2): spread evenly,
          ///< deviation 1, wherever outliers lie
  log,    ///< asinh(x / scale): counts of many sizes
};

[[nodiscard]] std::string_view to_string(Scaling scaling);
template <>
[[nodiscard]] Scaling parse<Scaling>(std::string_view text);

/// What is seen of an instance's scaled numbers x.
enum class Aspect {
  whole,      ///< x
  direction,  ///< x / |x|: between two of them |x - z|^2 = 2 - 2 cos(x, z); 0 where x is
  size,       ///< log(|x| + smallest), one number
};

[[nodiscard]] std::string_view to_string(Aspect aspect);
template <>
[[nodiscard]] Aspect parse<Aspect>(std::string_view text);

struct View {
  DataKind kind = DataKind::series;  ///< bags: the given instances; else: windows
  std::int64_t width = 1;            ///< channels or features of the data this view is made for

  // Windows.
  std::int64_t length = 0;    ///< time steps in a window; of bags: numbers in an instance
  std::int64_t dilation = 1;  ///< a window takes every dilation-th time step
  Transform transform = Transform::none;
  /// Spectrum: frequencies are 1 / period, 2 / period, ... 1/2 cycles a time step. Series shorter than this are
  /// taken to be followed by zeros.
  std::int64_t period = 0;
  double rate = 0.0;  ///< spectrum: time steps a second, for telling frequencies in Hz; 0: not known
  Missing missing = Missing::skip;
  std::vector<int> channels{};  ///< that windows show side by side, ascending; empty: all
  Normalisation normalisation = Normalisation::raw;  ///< of each channel of a window
  /// Position term: K(x, z) exp(-tau (pos_x - pos_z)^2), pos the middle of the window as a share of its
  /// series or spectrum.
  double tau = 0.0;

  // Bags.
  std::vector<int> features;  ///< those that are used, in order; empty: all
  Scaling scaling = Scaling::plain;
  Aspect aspect = Aspect::whole;
  /// Rank: of each feature the training data's quantiles, as many for each, evenly spaced from the least to the
  /// largest, one feature after the other.
  std::vector<double> quantiles;
  double smallest = 0.0;  ///< size: above 0
  /// 0: bags are seen instance by instance; 1 or 2: as wholes, alike by exp(-(sqrt(sigma) S)^whole), S half the mean distance of
  /// an instance to the nearest one of the other bag, one way and the other (Evidence::bag).
  int whole = 0;

  Kernel kernel;
  /// Every number is first mapped to (x - centre) / scale (of bags, as Scaling says), one entry for each feature
  /// or channel that is used. Learned from the training data only.
  std::vector<double> centre;
  std::vector<double> scale;

  /// Channels of a window, or features of an instance: as many as centre and scale have entries.
  [[nodiscard]] std::int64_t rows() const;
  /// The channel that a window's row shows.
  [[nodiscard]] std::int64_t channel(std::int64_t row) const;
  /// Numbers in an instance.
  [[nodiscard]] std::int64_t numbers() const { return kind == DataKind::bags ? rows() : rows() * length; }
  /// Time steps, or frequencies of a spectrum, from a window's first to its last, both included.
  [[nodiscard]] std::int64_t span() const {
    return (length - 1) * dilation + 1 + (transform == Transform::differences ? 1 : 0);
  }
  /// What positions are counted along: the time steps of a series of so many, or the frequencies of its spectrum.
  [[nodiscard]] std::int64_t extent(std::int64_t steps) const {
    return transform == Transform::spectrum ? period / 2 : steps;
  }
};

/// One vector in the units of the data, with where it came from. Windows of several channels lie channel
/// after channel; of differences or of a spectrum, they hold these.
struct Instance {
  std::vector<double> values;
  std::int64_t example = -1;  ///< training example, or -1 where it is nobody's (a cluster's centre)
  std::int64_t position =
      -1;              ///< first time step or frequency of the window, or number of the instance in its bag
  double place = 0.0;  ///< middle of the window as a share of its series or spectrum: for the position term
  /// Of sparse bags: which of the view's features the values are of, rising; the others are 0. None: all are given.
  std::optional<std::vector<std::int32_t>> features{};

  /// The values of all the view's features, of which there are so many.
  [[nodiscard]] std::vector<double> full(std::int64_t numbers) const;

  friend bool operator==(const Instance&, const Instance&) = default;
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

}  // namespace shapeboost
