// SPDX-License-Identifier: MIT
// The windows of series, as every kernel on windows needs them. A series is cut into *segments*: stretches
// without a gap and, where windows are dilated, of one phase (time steps t, t + dilation, t + 2 dilation, ...),
// so that within a segment every window is contiguous and neighbouring windows overlap in all but one
// number. Windows are numbered segment after segment.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shapeboost/view.hpp"
#include "view/instances.hpp"

namespace shapeboost::detail {

/// One row for each channel, each of `size` numbers.
struct Segment {
  std::size_t begin = 0;     ///< of the first channel's numbers in the store; channels follow each other
  std::int64_t size = 0;     ///< numbers of a channel
  std::int64_t windows = 0;  ///< size - length + 1, at least 1
  std::int64_t first = 0;    ///< number of its first window, among all
  std::int64_t step = 0;     ///< time step of its first number, in the series
  /// Of its windows, the largest |x| so far over the deviation that divides the present one (1 where none does): how much
  /// larger than what is compared the numbers are that a running sum has seen.
  double swing = 0.0;
};

/// Consecutive windows of one segment.
struct Stretch {
  const Segment* segment = nullptr;
  std::int64_t offset = 0;  ///< of the first window in the segment
  std::int64_t count = 0;
};

/// What normalises a channel of a window: (x - mean) factor.
struct Normaliser {
  double mean = 0.0;
  double factor = 1.0;
};

/// What is known of a normalised channel of a window.
struct WindowSummary {
  double mean = 0.0;
  double inv_sd = 1.0;
  double norm2 = 0.0;  ///< after normalisation
};

/// Of `windows` neighbouring windows, the first of which begins at x.
void summarise_windows(const double* x, std::int64_t windows, std::int64_t length,
                       Normalisation normalisation, WindowSummary* out);

class Windows : public Instances {
 public:
  Windows(const Dataset& data, const View& view);

  [[nodiscard]] Instance instance(std::int64_t instance) const override;
  [[nodiscard]] std::int64_t position(std::int64_t instance) const override;
  [[nodiscard]] Probe probe(std::int64_t instance) const override;
  [[nodiscard]] Probe probe(const Instance& instance) const override;
  [[nodiscard]] std::int64_t bytes() const override;

 protected:
  [[nodiscard]] std::int64_t channels() const { return view().rows(); }
  /// A bag's segments.
  [[nodiscard]] std::span<const Segment> segments(std::int64_t bag) const {
    const std::size_t begin = bag_segment_[at(bag)];
    return {segments_.data() + begin, bag_segment_[at(bag + 1)] - begin};
  }
  /// A run as stretches of single segments.
  [[nodiscard]] std::vector<Stretch> stretches(const Run& run) const;
  [[nodiscard]] const double* numbers(const Segment& segment, std::int64_t channel) const {
    return data_.data() + segment.begin + at(channel * segment.size);
  }
  /// norm2, means and 1 / sd of the windows from number `x` on. Means and 1 / sd of each channel lie
  /// together.
  [[nodiscard]] const double* norm2(std::int64_t x) const { return norm2_.data() + x; }
  [[nodiscard]] const double* means(std::int64_t channel, std::int64_t x) const {
    return mean_.data() + channel * size() + x;
  }
  [[nodiscard]] const double* inv_sds(std::int64_t channel, std::int64_t x) const {
    return inv_sd_.data() + channel * size() + x;
  }
  /// 0 and 1 where windows are raw.
  [[nodiscard]] Normaliser normaliser(std::int64_t channel, std::int64_t x) const {
    return {mean_.empty() ? 0.0 : *means(channel, x), inv_sd_.empty() ? 1.0 : *inv_sds(channel, x)};
  }
  /// extremes() where the windows of two segments are compared all at once: pair(rows, the run's bag, columns,
  /// bag, largest, smallest) raises `largest` and lowers `smallest` for each row.
  template <typename Pair>
  void pairwise_extremes(const Run& run, std::int64_t bag, double* largest, double* smallest,
                         const Pair& pair) const {
    std::fill(largest, largest + run.count, -kInfinity);
    std::fill(smallest, smallest + run.count, kInfinity);
    for (const Stretch& rows : stretches(run)) {
      for (const Segment& columns : segments(bag)) pair(rows, run.bag, columns, bag, largest, smallest);
      largest += rows.count;
      smallest += rows.count;
    }
  }
  /// Where a segment's window number `offset` stands in its series; the next is place_step() further on.
  [[nodiscard]] double place(const Segment& segment, std::int64_t bag, std::int64_t offset) const;
  [[nodiscard]] double place_step(std::int64_t bag) const;
  /// The affinity with the position term in it, given the distance of the places: K exp(-tau distance^2).
  [[nodiscard]] double placed(double affinity, double distance) const;
  /// The segment that holds a window.
  [[nodiscard]] const Segment& segment_of(std::int64_t instance) const;

 protected:
  /// The view's kernel has another sigma.
  void take_rate() { rate_ = view().kernel.rate(); }

 private:
  void add_series(const MatrixView& values, const std::string& name);
  void summarise();

  const Dataset* source_;
  double rate_;               // the kernel's: K = exp(rate affinity), or K = affinity where it is 0
  std::vector<double> data_;  // mapped numbers, segment after segment
  std::vector<Segment> segments_;
  std::vector<std::size_t> bag_segment_;  // number of each bag's first segment; then their count
  std::vector<std::int64_t> extent_;      // of each series, see View
  std::vector<double> norm2_;             // of each normalised window
  std::vector<double> mean_;              // centred, z: channel after channel
  std::vector<double> inv_sd_;            // z: channel after channel; 0 where the window is constant
};

/// How many numbers a view sees of so many time steps.
[[nodiscard]] std::int64_t seen_steps(std::int64_t steps, const View& view);

/// A channel's numbers x, their gaps filled and transformed as the view says, to `out`, which has seen_steps() of them.
void see_channel(std::span<const double> x, const View& view, std::span<double> out);

/// Throws InvalidInput where a value of the example, called `name`, is infinite.
void check_finite(std::span<const double> x, const std::string& name);

/// The channels of the view, their gaps filled and transformed as it says; nothing is centred or scaled.
[[nodiscard]] Matrix seen_channels(const MatrixView& values, const View& view);

/// The same, centred and scaled, to `rows`. Throws InvalidInput where a value of the example, called `name`, is
/// infinite.
void map_channels(const MatrixView& values, const View& view, const std::string& name, Matrix& rows);

/// Calls visit(first time step, numbers) for every segment of mapped rows that holds a window: phase after phase, and
/// within a phase from gap to gap.
template <typename Visit>
void for_each_segment(const Matrix& rows, const View& view, const Visit& visit) {
  bool gaps = false;
  for (Eigen::Index k = 0; k < rows.size(); ++k) gaps |= std::isnan(rows.data()[k]);
  const auto missing = [&](std::int64_t t) {
    for (Eigen::Index c = 0; gaps && c < rows.rows(); ++c) {
      if (std::isnan(rows(c, t))) return true;
    }
    return false;
  };
  for (std::int64_t phase = 0; phase < std::min<std::int64_t>(view.dilation, rows.cols()); ++phase) {
    for (std::int64_t begin = phase; begin < rows.cols();) {
      std::int64_t end = begin;  // one past the stretch without a gap
      std::int64_t count = 0;
      for (; end < rows.cols() && !missing(end); end += view.dilation) ++count;
      if (count >= view.length) visit(begin, count);
      begin = end + view.dilation;
    }
  }
}

}  // namespace shapeboost::detail
