// SPDX-License-Identifier: MIT
#include "model/gaussian_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "ground/stop.hpp"
#include "model/seen_windows.hpp"
#include "model/window_products.hpp"
#include "view/vector_exp.hpp"

namespace shapeboost::detail {
namespace {

constexpr double kTolerance = 1e-5;

/// A double as the sum of two floats: differences of large numbers stay exact to a float's precision.
struct Pair {
  explicit Pair(double x)
      : high(static_cast<float>(x)), low(static_cast<float>(x - static_cast<double>(high))) {}
  float high;
  float low;
};

/// Single windows z under K(z, x) = exp(-sigma |z - x|^2 - tau (place_z - place_x)^2). Windows are normalised, at the
/// least centred,
///
///     |z - x|^2 = |z'|^2 + |x'|^2 - 2 z'.x' + l sum_c (mean_c(z) - mean_c(x))^2,    z' = z - mean(z),
///
/// the last term where windows are raw. Patterns are compared some at a time with the windows of a block.
class GaussianReader final : public PatternReader {
 public:
  using PatternReader::read;
  GaussianReader(const View& view, const std::vector<const Hypothesis*>& patterns)
      : view_(view),
        count_(std::ssize(patterns)),
        padded_((count_ + kFloatLanes - 1) / kFloatLanes * kFloatLanes),
        channels_(view.rows()),
        raw_(view.normalisation == Normalisation::raw),
        rate_(view.kernel.rate()),
        ratio_(static_cast<float>(view.tau / rate_)),
        length_(static_cast<float>(view.length)),
        exact_(view.numbers(), count_),
        norm2_(at(count_), 0.0F),
        reach_(at(count_), std::numeric_limits<float>::infinity()),
        place_(at(count_), 0.0F),
        mean_high_(at(raw_ ? count_ * channels_ : 0), 0.0F),
        mean_low_(mean_high_) {
    for (std::int64_t j = 0; j < count_; ++j) prepare(j, *patterns[at(j)]);
    arrange();
  }

  [[nodiscard]] bool read(const ArrayView& values, const std::string& name, Readings& out) const override {
    thread_local Sight sight;
    sight.look_at(values, name);
    return read(sight, out);
  }

  [[nodiscard]] bool read(Sight& sight, Readings& out) const override {
    thread_local SeenWindows windows;
    windows.look(sight, view_);
    if (windows.count() == 0) return false;
    thread_local Found found;
    found.resize(at(padded_));
    check_stop();
    StopMeter meter;
    for (std::int64_t first = 0; first < windows.count(); first += SeenWindows::kBlock) {
      meter.add(SeenWindows::kBlock * view_.numbers() * count_ / kFloatLanes);
      windows.take(first, farthest_);
      for (const Group& group : groups_) compare(group, windows, first == 0, found);
    }
    finish(windows, found, out);
    return true;
  }

 private:
  static constexpr int kSeveral = 2;  // channels

  /// Patterns that are multiplied at once.
  struct Group {
    std::int64_t first;
    std::int64_t count;
    std::size_t z;  // where their numbers begin: number after number, of each pattern
    WindowProducts products;
  };

  /// What has been found of each pattern, in as many lanes as a vector has.
  struct Found {
    std::vector<float> products{};  // of a group with a block
    std::vector<float> best{};
    std::vector<std::int32_t> instance{};
    std::vector<std::int32_t> reached{};
    std::vector<double> similar{};  // of each pattern
    std::vector<double> exact{};    // the numbers of a window
    void resize(std::size_t patterns) {
      products.resize(at(kPatternsAtOnce * SeenWindows::kBlock));
      best.resize(patterns * kFloatLanes);
      instance.resize(patterns * kFloatLanes);
      reached.resize(patterns * kFloatLanes);
      similar.resize(patterns);
    }
  };

  void prepare(std::int64_t j, const Hypothesis& pattern) {
    const Instance& z = pattern.shapelet.instances.front();
    const std::int64_t length = view_.length;
    double norm2 = 0.0;
    for (std::int64_t c = 0; c < channels_; ++c) {
      auto x = exact_.col(j).segment(c * length, length);
      for (std::int64_t k = 0; k < length; ++k) {
        x[k] = (z.values[at(c * length + k)] - view_.centre[at(c)]) / view_.scale[at(c)];
      }
      WindowSummary summary;
      summarise_windows(x.data(), 1, length, raw_ ? Normalisation::centred : view_.normalisation, &summary);
      x = (x.array() - summary.mean) * summary.inv_sd;
      norm2 += summary.norm2;
      if (!raw_) continue;
      const Pair mean(summary.mean);
      mean_high_[at(c * count_ + j)] = mean.high;
      mean_low_[at(c * count_ + j)] = mean.low;
    }
    norm2_[at(j)] = static_cast<float>(norm2);
    place_[at(j)] = static_cast<float>(z.place);
    const double affinity = pattern.threshold > 0.0 ? std::log(pattern.threshold) / rate_ : -kInfinity;
    reach_[at(j)] = static_cast<float>(affinity);
  }

  /// The patterns' numbers in groups, as equal as can be.
  void arrange() {
    const std::int64_t groups = (count_ + kPatternsAtOnce - 1) / kPatternsAtOnce;
    for (std::int64_t g = 0; g < groups; ++g) {
      const std::int64_t first = count_ * g / groups;
      const std::int64_t count = count_ * (g + 1) / groups - first;
      groups_.push_back({first, count, z_.size(), window_products_of(count)});
      for (std::int64_t k = 0; k < view_.numbers(); ++k) {
        for (std::int64_t q = 0; q < count; ++q) z_.push_back(static_cast<float>(exact_(k, first + q)));
      }
    }
    // A number x - centre is rounded by at most 2^-24 of it, which is little more than |shift|: together, by chance, the numbers
    // change rate 2 z'.x' by about rate |z'| factor 2^-24 |shift|. Half the tolerance is left to all else.
    const float largest = norm2_.empty() ? 0.0F : *std::ranges::max_element(norm2_);
    farthest_ =
        static_cast<float>(0.5 * kTolerance * 0x1p24 / (rate_ * std::sqrt(static_cast<double>(largest))));
  }

  /// The largest affinity, the first window that attains it and the windows that reach the threshold, of a block.
  void compare(const Group& group, const SeenWindows& windows, bool anew, Found& found) const {
    for (std::int64_t c = 0; c < channels_; ++c) {
      const float* const z = z_.data() + at(c * view_.length * group.count) + group.z;
      group.products(windows.block(c), z, SeenWindows::kBlock, found.products.data());
    }
    const auto with = [&]<int Raw, bool Placed>() {
      for (std::int64_t q = 0; q < group.count; ++q) {
        const float* const products = found.products.data() + q * SeenWindows::kBlock;
        if (windows.is_numbered()) {
          reduce<Raw, Placed, true>(group.first + q, products, windows, anew, found);
        } else {
          reduce<Raw, Placed, false>(group.first + q, products, windows, anew, found);
        }
      }
    };
    const auto placed = [&]<int Raw>() {
      return view_.tau > 0.0 ? with.template operator()<Raw, true>() : with.template operator()<Raw, false>();
    };
    if (!raw_) return placed.template operator()<0>();
    return channels_ == 1 ? placed.template operator()<1>() : placed.template operator()<kSeveral>();
  }

  /// `products` are 2 z'.x' - |x'|^2. Raw: of how many channels the means are compared. Where windows are numbered in another order
  /// than that of time, the one with the lowest number is the first.
  template <int Raw, bool Placed, bool Numbered>
  void reduce(std::int64_t j, const float* products, const SeenWindows& windows, bool anew,
              Found& found) const {
    const std::int64_t channels = Raw == kSeveral ? channels_ : Raw;
    const float length = length_;
    const float ratio = ratio_;
    const float norm2 = norm2_[at(j)];
    const float reach = reach_[at(j)];
    const float place = place_[at(j)];
    const float* const mean_high = mean_high_.data() + j;
    const float* const mean_low = mean_low_.data() + j;
    const float* const high = windows.mean_high();
    const float* const low = windows.mean_low();
    const float* const places = windows.place();
    const std::int32_t* const order = windows.order();
    const std::int64_t end = windows.tiles() * kTile;
    Floats best = Floats{} - std::numeric_limits<float>::infinity();
    Ints instance{};
    Ints reached{};
    if (!anew) {
      best = loaded<Floats>(found.best.data() + j * kFloatLanes);
      instance = loaded<Ints>(found.instance.data() + j * kFloatLanes);
      reached = loaded<Ints>(found.reached.data() + j * kFloatLanes);
    }
    for (std::int64_t v = 0; v < end; v += kFloatLanes) {
      Floats affinity = loaded<Floats>(products + v) - norm2;
      for (std::int64_t c = 0; c < channels; ++c) {
        const Floats apart = (mean_high[c * count_] - loaded<Floats>(high + c * SeenWindows::kBlock + v)) +
                             (mean_low[c * count_] - loaded<Floats>(low + c * SeenWindows::kBlock + v));
        affinity -= length * apart * apart;
      }
      if constexpr (Placed) {
        const Floats apart = place - loaded<Floats>(places + v);
        affinity -= ratio * apart * apart;
      }
      const auto number = loaded<Ints>(order + v);
      reached -= affinity >= reach;  // true is -1
      Ints better = affinity > best;
      if constexpr (Numbered) better |= (affinity == best) & (number < instance);
      best = better ? affinity : best;
      instance = better ? number : instance;
    }
    store(best, found.best.data() + j * kFloatLanes);
    store(instance, found.instance.data() + j * kFloatLanes);
    store(reached, found.reached.data() + j * kFloatLanes);
  }

  /// Affinities to similarities, counts to shares.
  void finish(const SeenWindows& windows, Found& found, Readings& out) const {
    constexpr double kRounding = 0x1p-22;
    const bool spectrum = view_.transform == Transform::spectrum;
    out.best.resize(at(padded_));
    out.share.resize(at(padded_));
    out.place.resize(at(padded_));
    out.instance.resize(at(padded_));
    out.position.resize(at(padded_));
    for (std::int64_t j = 0; j < padded_; j += kFloatLanes) {
      const Largest largest =
          largest_of_lanes(found.best.data() + j * kFloatLanes, found.instance.data() + j * kFloatLanes,
                           found.reached.data() + j * kFloatLanes);
      store(largest.value, out.best.data() + j);
      store(largest.where, out.instance.data() + j);
      store(__builtin_convertvector(largest.reached, Floats), out.share.data() + j);
    }
    for (std::int64_t j = 0; j < count_; ++j) {
      const std::int64_t step = windows.step_of(out.instance[at(j)]);
      out.position[at(j)] = step;
      out.place[at(j)] = spectrum ? 0.0F : static_cast<float>(windows.place_of(step));
      double best = static_cast<double>(out.best[at(j)]);
      if (kRounding * (static_cast<double>(norm2_[at(j)]) + windows.norm2(step)) * rate_ > kTolerance) {
        best = affinity(j, step, windows, found.exact);
        if (static_cast<float>(best) >= reach_[at(j)]) out.share[at(j)] = std::max(1.0F, out.share[at(j)]);
      }
      found.similar[at(j)] = std::min(0.0, best);
    }
    scaled_exp(rate_, found.similar.data(), count_);
    const auto all = static_cast<float>(windows.count());
    for (std::int64_t j = 0; j < count_; ++j) {
      out.best[at(j)] = static_cast<float>(found.similar[at(j)]);
      out.share[at(j)] = spectrum ? 0.0F : out.share[at(j)] / all;
    }
  }

  /// Of pattern j and the window that begins at a step, in double precision.
  [[nodiscard]] double affinity(std::int64_t j, std::int64_t step, const SeenWindows& windows,
                                std::vector<double>& x) const {
    const std::int64_t length = view_.length;
    double distance2 = 0.0;
    for (std::int64_t c = 0; c < channels_; ++c) {
      const WindowSummary summary = windows.summary(c, step, x);
      const double* const z = exact_.col(j).data() + c * length;
      for (std::int64_t k = 0; k < length; ++k) {
        const double apart = (x[at(k)] - summary.mean) * summary.inv_sd - z[k];
        distance2 += apart * apart;
      }
      if (!raw_) continue;
      const auto p = at(c * count_ + j);
      const double mean = static_cast<double>(mean_high_[p]) + static_cast<double>(mean_low_[p]);
      distance2 += real(length) * (mean - summary.mean) * (mean - summary.mean);
    }
    if (view_.tau > 0.0) {
      const double apart = static_cast<double>(place_[at(j)]) - windows.place_of(step);
      distance2 += view_.tau / rate_ * apart * apart;
    }
    return -distance2;
  }

  const View& view_;
  std::int64_t count_;
  std::int64_t padded_;
  std::int64_t channels_;
  bool raw_;
  double rate_;
  float ratio_;  // of the position term in an affinity
  float length_;
  Eigen::MatrixXd exact_;  // a column a pattern, normalised
  std::vector<Group> groups_{};
  std::vector<float> z_{};  // the same, group after group
  std::vector<float> norm2_;
  std::vector<float> reach_;  // the threshold as an affinity
  std::vector<float> place_;
  std::vector<float> mean_high_;  // raw: of each channel, a number a pattern
  std::vector<float> mean_low_;
  float farthest_ = 0.0F;  // see SeenWindows::take()
};

}  // namespace

std::unique_ptr<PatternReader> make_gaussian_reader(const View& view,
                                                    const std::vector<const Hypothesis*>& patterns) {
  return std::make_unique<GaussianReader>(view, patterns);
}

}  // namespace shapeboost::detail
