// SPDX-License-Identifier: MIT
#include "model/pattern_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"
#include "model/whole_reader.hpp"
#include "view/instances.hpp"
#include "view/windows.hpp"

namespace shapeboost::detail {
namespace {

/// Any kernel, any shapelet: by the scores of all instances, in double precision.
class AnyReader final : public PatternReader {
 public:
  AnyReader(const View& view, std::vector<const Hypothesis*> patterns)
      : view_(view), patterns_(std::move(patterns)) {
    // What a bag's pattern looks like to the kernel does not depend on the bag.
    const bool known = view.kernel.compares_numbers() && view.kernel.kind() != KernelKind::custom;
    if (view.kind != DataKind::bags || !known) return;
    const Dataset nothing(view.kind);
    const std::unique_ptr<Instances> instances = make_instances(nothing, view);
    for (const Hypothesis* pattern : patterns_) {
      std::vector<Probe>& probes = probes_.emplace_back();
      for (const Instance& z : pattern->shapelet.instances) probes.push_back(instances->probe(z));
    }
  }

  [[nodiscard]] bool read(const ArrayView& values, const std::string& name, Readings& out) const override {
    Dataset alone(view_.kind);
    alone.borrow(values, "", name);
    return read_only(alone, values.cols(), out);
  }
  [[nodiscard]] bool read(const Dataset& data, std::int64_t i, Readings& out) const override {
    if (!data.is_sparse()) return read(data.values(i), data.name(i), out);
    return read_only(data.subset({i}), 1, out);
  }

 private:
  /// Of the only example of a data set, so many time steps long.
  [[nodiscard]] bool read_only(const Dataset& alone, std::int64_t steps, Readings& out) const {
    const std::unique_ptr<Instances> instances = make_instances(alone, view_);
    const std::int64_t n = instances->count(0);
    if (n == 0) return false;
    const std::size_t count = patterns_.size();
    out.best.resize(count);
    out.share.resize(count);
    out.place.assign(count, 0.0F);
    out.mean.assign(count, 0.0F);
    out.least.assign(count, 0.0F);
    out.bag.assign(count, 0.0F);
    out.instance.resize(count);
    out.position.resize(count);
    const bool bags = view_.kind == DataKind::bags;
    const bool spectral = view_.transform == Transform::spectrum;
    std::vector<double> score;
    std::vector<double> similar(at(n));
    for (std::size_t j = 0; j < count; ++j) {
      const Shapelet& shapelet = patterns_[j]->shapelet;
      score.assign(at(n), 0.0);
      for (std::size_t t = 0; t < shapelet.alpha.size(); ++t) {
        const bool anew = probes_.empty() || alone.is_sparse();  // sparse instances are compared otherwise
        const Probe z = anew ? instances->probe(shapelet.instances[t]) : probes_[j][t];
        instances->affinities(z, {0, 0, n}, similar.data());
        view_.kernel.values(similar.data(), n);
        for (std::size_t x = 0; x < score.size(); ++x) score[x] += shapelet.alpha[t] * similar[x];
      }
      const Pooled most = pooled(score, 0);
      const auto reached =
          std::ranges::count_if(score, [&](double s) { return s >= patterns_[j]->threshold; });
      const std::int64_t position = bags ? most.argmax : instances->instance(most.argmax).position;
      out.best[j] = static_cast<float>(most.value);
      out.share[j] = spectral ? 0.0F : static_cast<float>(real(reached) / real(n));
      out.instance[j] = static_cast<std::int32_t>(most.argmax);
      out.position[j] = position;
      if (bags) {
        out.mean[j] = static_cast<float>(std::accumulate(score.begin(), score.end(), 0.0) / real(n));
        out.least[j] = static_cast<float>(*std::ranges::min_element(score));
      } else if (!spectral) {
        const double middle = real(position) + 0.5 * real(view_.span());
        out.place[j] = static_cast<float>(middle / real(view_.extent(steps)));
      }
    }
    return true;
  }

  const View& view_;
  std::vector<const Hypothesis*> patterns_;
  std::vector<std::vector<Probe>> probes_;  // of bags: of each pattern, made once
};

using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic>;
using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A double as the sum of two floats: differences of large numbers stay exact to a float's precision.
struct Pair {
  explicit Pair(double x)
      : high(static_cast<float>(x)), low(static_cast<float>(x - static_cast<double>(high))) {}
  float high;
  float low;
};

/// summarise_windows() by sums that run along the segment, one step a window whatever its length. They are taken less
/// the segment's mean; where they have seen numbers so large that a window's deviation may be lost beside them, it is
/// summarised by itself.
struct RunningSummaries {
  std::vector<double> mean{};
  std::vector<double> inv_sd{};
  std::vector<double> norm2{};

  void take(std::span<const double> x, std::int64_t length, Normalisation normalisation) {
    constexpr double kTrusted = 1e-6;  // of the sum of squares: its rounding is less than 1e-13 of itself
    constexpr double kLevel = 1e-9;    // of the mean: less may be a constant window
    const double centre = std::accumulate(x.begin(), x.end(), 0.0) / real(x.size());
    sum_.assign(1, 0.0);
    square_.assign(1, 0.0);
    for (const double value : x) {
      sum_.push_back(sum_.back() + (value - centre));
      square_.push_back(square_.back() + (value - centre) * (value - centre));
    }
    const std::size_t count = x.size() - at(length) + 1;
    mean.resize(count);
    inv_sd.assign(count, 1.0);
    norm2.resize(count);
    const double share = 1.0 / real(length);
    for (std::size_t j = 0; j < count; ++j) {
      const double sum = sum_[j + at(length)] - sum_[j];
      mean[j] = centre + sum * share;
      norm2[j] = square_[j + at(length)] - square_[j] - sum * sum * share;
    }
    for (std::size_t j = 0; j < count; ++j) {
      const double level = kLevel * mean[j];
      if (norm2[j] > kTrusted * square_[j + at(length)] && norm2[j] * share > level * level) {
        if (normalisation != Normalisation::z) continue;
        inv_sd[j] = 1.0 / std::sqrt(norm2[j] * share);
        norm2[j] = real(length);
        continue;
      }
      WindowSummary alone;
      summarise_windows(x.data() + j, 1, length, normalisation, &alone);
      mean[j] = alone.mean;
      inv_sd[j] = alone.inv_sd;
      norm2[j] = alone.norm2;
    }
  }

 private:
  std::vector<double> sum_{};  // of the numbers before each
  std::vector<double> square_{};
};

/// Single windows z under K(z, x) = exp(-sigma |z - x|^2 - tau (place_z - place_x)^2). Windows are normalised, at the
/// least centred, in double precision and only then rounded, so that the offset of a series costs no accuracy:
///
///     |z - x|^2 = |z'|^2 + |x'|^2 - 2 z'.x' + l sum_c (mean_c(z) - mean_c(x))^2,    z' = z - mean(z),
///
/// the last term where windows are raw. All products z'.x' of a series are one matrix product.
class GaussianReader final : public PatternReader {
 public:
  using PatternReader::read;
  GaussianReader(const View& view, const std::vector<const Hypothesis*>& patterns)
      : view_(view),
        count_(std::ssize(patterns)),
        padded_((count_ + kLane - 1) / kLane * kLane),
        normalisation_(view.normalisation == Normalisation::raw ? Normalisation::centred
                                                                : view.normalisation),
        raw_(view.normalisation == Normalisation::raw),
        rate_(view.kernel.rate()),
        z_(FloatMatrix::Zero(padded_, view.numbers())),
        exact_(view.numbers(), padded_),
        norm2_(at(padded_), 0.0F),
        reach_(at(padded_), std::numeric_limits<float>::infinity()),
        place_(at(padded_), 0.0F),
        mean_high_(at(raw_ ? padded_ * view.rows() : 0), 0.0F),
        mean_low_(mean_high_) {
    exact_.setZero();
    for (std::int64_t j = 0; j < count_; ++j) prepare(j, *patterns[at(j)]);
  }

  [[nodiscard]] bool read(const ArrayView& values, const std::string& name, Readings& out) const override {
    thread_local Seen seen;
    look(values, name, seen);
    if (seen.count() == 0) return false;
    begin(out);
    thread_local FloatMatrix products;
    const std::int64_t most = std::max(kFewestWindows, kNumbersAtOnce / std::max(view_.numbers(), padded_));
    for (std::int64_t first = 0; first < seen.count(); first += most) {
      check_stop();
      const std::int64_t count = std::min(most, seen.count() - first);
      write_windows(seen, first, count);
      products.resize(padded_, count);
      products.noalias() = z_ * Eigen::Map<const FloatRows>(seen.windows.data(), view_.numbers(), count);
      reduce(products, first, seen, out);
    }
    finish(seen, real(view_.extent(values.cols())), out);
    return true;
  }

 private:
  // Windows of long series are compared some at a time: as many as have so many numbers, of their own or in common with patterns.
  static constexpr std::int64_t kNumbersAtOnce = 4'000'000;
  static constexpr std::int64_t kFewestWindows = 64;
  // Patterns are looked at so many at a time, in the compiler's own vectors: whatever registers there are.
  static constexpr std::int64_t kLane = 16;
  using Floats = float __attribute__((vector_size(kLane * sizeof(float))));
  using Ints = std::int32_t __attribute__((vector_size(kLane * sizeof(std::int32_t))));
  static Floats loaded(const float* from) {
    Floats values;
    std::memcpy(&values, from, sizeof(values));
    return values;
  }

  /// Numbers without a gap between them, and the first of their windows.
  struct Piece {
    std::size_t numbers;  // where they begin, channel after channel
    std::size_t size;
    std::size_t first;
    std::size_t count;
  };

  /// The windows of one series.
  struct Seen {
    Matrix rows{};  // mapped, a row a channel
    std::vector<Piece> pieces{};
    std::vector<double> numbers{};  // of the pieces
    std::vector<double> mean{};     // of each channel, a number a window
    std::vector<double> inv_sd{};
    std::vector<float> norm2{};      // of each window
    std::vector<float> place{};      // of each, where the view has a position term
    std::vector<float> mean_high{};  // raw: of each channel, a number a window
    std::vector<float> mean_low{};
    std::vector<std::int64_t> step{};  // first time step of each
    std::vector<float> windows{};      // some of them, normalised: a row a number, a column a window
    RunningSummaries summaries{};      // of one channel of a piece
    [[nodiscard]] std::int64_t count() const { return std::ssize(norm2); }
  };

  void prepare(std::int64_t j, const Hypothesis& pattern) {
    const Instance& z = pattern.shapelet.instances.front();
    const std::int64_t length = view_.length;
    double norm2 = 0.0;
    for (std::int64_t c = 0; c < view_.rows(); ++c) {
      auto x = exact_.col(j).segment(c * length, length);
      for (std::int64_t k = 0; k < length; ++k) {
        x[k] = (z.values[at(c * length + k)] - view_.centre[at(c)]) / view_.scale[at(c)];
      }
      WindowSummary summary;
      summarise_windows(x.data(), 1, length, normalisation_, &summary);
      x = (x.array() - summary.mean) * summary.inv_sd;
      norm2 += summary.norm2;
      if (!raw_) continue;
      const Pair mean(summary.mean);
      mean_high_[at(c * padded_ + j)] = mean.high;
      mean_low_[at(c * padded_ + j)] = mean.low;
    }
    z_.row(j) = exact_.col(j).transpose().cast<float>();
    norm2_[at(j)] = static_cast<float>(norm2);
    place_[at(j)] = static_cast<float>(z.place);
    const double affinity = pattern.threshold > 0.0 ? std::log(pattern.threshold) / rate_ : -kInfinity;
    reach_[at(j)] = static_cast<float>(affinity);
  }

  void look(const ArrayView& values, const std::string& name, Seen& seen) const {
    map_channels(mapped(values), view_, name, seen.rows);
    seen.step.clear();
    seen.pieces.clear();
    seen.numbers.clear();
    for_each_segment(seen.rows, view_, [&](std::int64_t begin, std::int64_t size) {
      const auto windows = at(size - view_.length + 1);
      seen.pieces.push_back({seen.numbers.size(), at(size), seen.step.size(), windows});
      for (std::size_t j = 0; j < windows; ++j) {
        seen.step.push_back(begin + static_cast<std::int64_t>(j) * view_.dilation);
      }
      for (std::int64_t c = 0; c < view_.rows(); ++c) {
        for (std::int64_t k = 0; k < size; ++k) {
          seen.numbers.push_back(seen.rows(c, begin + k * view_.dilation));
        }
      }
    });
    const auto n = seen.step.size();
    seen.norm2.assign(n, 0.0F);
    seen.mean.resize(n * at(view_.rows()));
    seen.inv_sd.resize(seen.mean.size());
    seen.mean_high.resize(raw_ ? n * at(view_.rows()) : 0);
    seen.mean_low.resize(seen.mean_high.size());
    seen.place.clear();
    for (std::size_t j = 0; view_.tau > 0.0 && j < n; ++j) {
      seen.place.push_back(static_cast<float>((real(seen.step[j]) + 0.5 * real(view_.span())) /
                                              real(view_.extent(values.cols()))));
    }
    for (const Piece& piece : seen.pieces) {
      for (std::size_t c = 0; c < at(view_.rows()); ++c) summarise(seen, piece, c);
    }
  }

  void summarise(Seen& seen, const Piece& piece, std::size_t c) const {
    RunningSummaries& summaries = seen.summaries;
    summaries.take({seen.numbers.data() + piece.numbers + c * piece.size, piece.size}, view_.length,
                   normalisation_);
    const std::size_t n = seen.norm2.size();
    std::ranges::copy(summaries.mean, seen.mean.begin() + static_cast<std::ptrdiff_t>(c * n + piece.first));
    std::ranges::copy(summaries.inv_sd,
                      seen.inv_sd.begin() + static_cast<std::ptrdiff_t>(c * n + piece.first));
    for (std::size_t j = 0; j < piece.count; ++j) {
      seen.norm2[piece.first + j] += static_cast<float>(summaries.norm2[j]);
      if (!raw_) continue;
      const Pair pair(summaries.mean[j]);
      seen.mean_high[c * n + piece.first + j] = pair.high;
      seen.mean_low[c * n + piece.first + j] = pair.low;
    }
  }

  /// Windows first ... first + count - 1, normalised: neighbours are written side by side.
  void write_windows(Seen& seen, std::int64_t first, std::int64_t count) const {
    seen.windows.resize(at(count * view_.numbers()));
    const std::size_t n = seen.norm2.size();
    for (const Piece& piece : seen.pieces) {
      const std::size_t from = std::max(at(first), piece.first);
      const std::size_t to = std::min(at(first + count), piece.first + piece.count);
      if (from >= to) continue;
      for (std::size_t c = 0; c < at(view_.rows()); ++c) {
        const double* const mean = seen.mean.data() + c * n + from;
        const double* const inv_sd = seen.inv_sd.data() + c * n + from;
        const double* const numbers =
            seen.numbers.data() + piece.numbers + c * piece.size + (from - piece.first);
        for (std::size_t k = 0; k < at(view_.length); ++k) {
          const double* const x = numbers + k;
          float* const out =
              seen.windows.data() + (c * at(view_.length) + k) * at(count) + (from - at(first));
#pragma omp simd
          for (std::size_t j = 0; j < to - from; ++j)
            out[j] = static_cast<float>((x[j] - mean[j]) * inv_sd[j]);
        }
      }
    }
  }

  /// Before the first window.
  void begin(Readings& out) const {
    out.best.assign(at(padded_), -std::numeric_limits<float>::infinity());
    out.share.assign(at(padded_), 0.0F);
    out.place.resize(at(padded_));
    out.instance.assign(at(padded_), 0);
  }

  /// The largest affinity, the first window that attains it and the windows that reach the threshold, of those from `window` on:
  /// kLane patterns at a time, window after window, in registers.
  void reduce(const FloatMatrix& products, std::int64_t window, const Seen& seen, Readings& out) const {
    const auto with = [&]<bool Raw, bool Placed>() {
      for (std::int64_t first = 0; first < padded_; first += kLane) {
        reduce_lane<Raw, Placed>(first, products, window, seen, out);
      }
    };
    const bool placed = view_.tau > 0.0;
    if (raw_)
      return placed ? with.template operator()<true, true>() : with.template operator()<true, false>();
    return placed ? with.template operator()<false, true>() : with.template operator()<false, false>();
  }

  template <bool Raw, bool Placed>
  void reduce_lane(std::int64_t first, const FloatMatrix& products, std::int64_t window, const Seen& seen,
                   Readings& out) const {
    const std::int64_t n = seen.count();
    const std::int64_t end = window + products.cols();
    const std::int64_t channels = view_.rows();
    const auto ratio = static_cast<float>(view_.tau / rate_);
    const auto length = static_cast<float>(view_.length);
    const Floats norm2 = loaded(norm2_.data() + first);
    const Floats reach = loaded(reach_.data() + first);
    const Floats place = loaded(place_.data() + first);
    Floats best = loaded(out.best.data() + first);
    Ints instance;
    std::memcpy(&instance, out.instance.data() + first, sizeof(instance));
    Ints reached{};
    const float* product = products.data() + first;
    for (std::int64_t j = window; j < end; ++j, product += padded_) {
      Floats affinity = 2.0F * loaded(product) - (norm2 + seen.norm2[at(j)]);
      for (std::int64_t c = 0; Raw && c < channels; ++c) {
        const auto own = at(c * n + j);
        const auto theirs = c * padded_ + first;
        const Floats apart = (loaded(mean_high_.data() + theirs) - seen.mean_high[own]) +
                             (loaded(mean_low_.data() + theirs) - seen.mean_low[own]);
        affinity -= length * apart * apart;
      }
      if constexpr (Placed) {
        const Floats apart = place - seen.place[at(j)];
        affinity -= ratio * apart * apart;
      }
      reached -= affinity >= reach;  // true is -1
      const Ints better = affinity > best;
      best = better ? affinity : best;
      instance = better ? instance * 0 + static_cast<std::int32_t>(j) : instance;
    }
    for (std::int64_t p = 0; p < kLane; ++p) {
      out.best[at(first + p)] = best[p];
      out.instance[at(first + p)] = instance[p];
      out.share[at(first + p)] += static_cast<float>(reached[p]);
    }
  }

  /// Affinities to similarities, counts to shares.
  void finish(const Seen& seen, double extent, Readings& out) const {
    constexpr double kTolerance = 1e-5;
    constexpr double kRounding = 0x1p-22;
    const auto windows = static_cast<float>(seen.norm2.size());
    out.position.resize(at(padded_));
    for (std::int64_t j = 0; j < count_; ++j) {
      const auto x = at(out.instance[at(j)]);
      const double size = static_cast<double>(norm2_[at(j)]) + static_cast<double>(seen.norm2[x]);
      float& best = out.best[at(j)];
      if (kRounding * size * rate_ > kTolerance) {
        best = static_cast<float>(affinity(j, x, seen));
        if (best >= reach_[at(j)]) out.share[at(j)] = std::max(1.0F, out.share[at(j)]);
      }
      best = static_cast<float>(std::exp(rate_ * std::min(0.0, static_cast<double>(best))));
      out.position[at(j)] = seen.step[x];
      if (view_.transform == Transform::spectrum) {
        out.share[at(j)] = 0.0F;
        out.place[at(j)] = 0.0F;
        continue;
      }
      out.share[at(j)] /= windows;
      out.place[at(j)] = static_cast<float>((real(seen.step[x]) + 0.5 * real(view_.span())) / extent);
    }
  }

  /// Of pattern j and a window, in double precision.
  [[nodiscard]] double affinity(std::int64_t j, std::size_t window, const Seen& seen) const {
    const std::int64_t length = view_.length;
    double distance2 = 0.0;
    std::vector<double> x(at(length));
    for (std::int64_t c = 0; c < view_.rows(); ++c) {
      for (std::int64_t k = 0; k < length; ++k)
        x[at(k)] = seen.rows(c, seen.step[window] + k * view_.dilation);
      WindowSummary summary;
      summarise_windows(x.data(), 1, length, normalisation_, &summary);
      const double* z = exact_.col(j).data() + c * length;
      for (std::int64_t k = 0; k < length; ++k) {
        const double apart = (x[at(k)] - summary.mean) * summary.inv_sd - z[k];
        distance2 += apart * apart;
      }
      if (!raw_) continue;
      const auto p = at(c * padded_ + j);
      const double mean = static_cast<double>(mean_high_[p]) + static_cast<double>(mean_low_[p]);
      distance2 += real(length) * (mean - summary.mean) * (mean - summary.mean);
    }
    if (view_.tau > 0.0) {
      const double apart = static_cast<double>(place_[at(j)]) - static_cast<double>(seen.place[window]);
      distance2 += view_.tau / rate_ * apart * apart;
    }
    return -distance2;
  }

  const View& view_;
  std::int64_t count_;
  std::int64_t padded_;
  Normalisation normalisation_;  // of what is multiplied
  bool raw_;
  double rate_;
  FloatMatrix z_;          // a row a pattern, normalised
  Eigen::MatrixXd exact_;  // a column a pattern
  std::vector<float> norm2_;
  std::vector<float> reach_;  // the threshold as an affinity
  std::vector<float> place_;
  std::vector<float> mean_high_;  // raw: of each channel, a number a pattern
  std::vector<float> mean_low_;
};

}  // namespace

std::unique_ptr<PatternReader> make_reader(const View& view, const std::vector<const Hypothesis*>& patterns) {
  if (view.whole != 0) return make_whole_reader(view, patterns);
  const bool single = std::ranges::all_of(patterns, [](const Hypothesis* pattern) {
    return pattern->shapelet.alpha.size() == 1 && pattern->shapelet.alpha.front() == 1.0;
  });
  // Windows that differ by a millionth of their size are all the same to floats.
  const bool alike = view.normalisation == Normalisation::z &&
                     0x1p-22 * static_cast<double>(view.numbers()) * view.kernel.rate() > 1.0;
  if (view.kind == DataKind::series && view.kernel.kind() == KernelKind::gaussian && single && !alike) {
    return std::make_unique<GaussianReader>(view, patterns);
  }
  return std::make_unique<AnyReader>(view, patterns);
}

}  // namespace shapeboost::detail
