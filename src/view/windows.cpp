// SPDX-License-Identifier: MIT
#include "view/windows.hpp"

#include "ground/stop.hpp"
#include "view/gaps.hpp"
#include "view/spectrum.hpp"

namespace shapeboost::detail {
namespace {

/// About how many take as long as a number that is copied and transformed.
constexpr std::int64_t kOperations = 10;
/// A deviation below this share of a window's largest number is rounding: the window is constant.
constexpr double kConstant = 1e-10;

/// `Width` neighbouring windows at once. Two passes: exact where running sums would cancel, and each sum is
/// taken in the order of k, wherever the window lies in memory and whichever its neighbours are.
template <int Width>
void summarise_block(const double* x, std::int64_t length, Normalisation normalisation, WindowSummary* out) {
  double sum[Width] = {};
  double largest[Width] = {};
  if (normalisation != Normalisation::raw) {
    for (std::int64_t k = 0; k < length; ++k) {
      for (int v = 0; v < Width; ++v) {
        sum[v] += x[k + v];
        largest[v] = std::max(largest[v], std::abs(x[k + v]));
      }
    }
  }
  double mean[Width];
  for (int v = 0; v < Width; ++v) mean[v] = sum[v] / static_cast<double>(length);
  double deviation2[Width] = {};
  for (std::int64_t k = 0; k < length; ++k) {
    for (int v = 0; v < Width; ++v) deviation2[v] += (x[k + v] - mean[v]) * (x[k + v] - mean[v]);
  }
  for (int v = 0; v < Width; ++v) {
    out[v] = {mean[v], 1.0, deviation2[v]};
    if (normalisation != Normalisation::z) continue;
    const double sd = std::sqrt(deviation2[v] / static_cast<double>(length));
    const bool constant = sd <= kConstant * largest[v];
    out[v] = {mean[v], constant ? 0.0 : 1.0 / sd, constant ? 0.0 : static_cast<double>(length)};
  }
}

/// The same by sums that run along, one step a window whatever its length. Where they have seen numbers so large that a window's
/// own may be lost beside them, it is summarised by itself.
void summarise_long(const double* x, std::int64_t windows, std::int64_t length, Normalisation normalisation,
                    WindowSummary* out) {
  constexpr double kTrusted = 1e-6;  // of the sum of squares: its rounding is less than 1e-10 of itself
  constexpr double kLevel = 1e-9;    // of the mean: less may be a constant window
  const bool raw = normalisation == Normalisation::raw;
  const double share = 1.0 / static_cast<double>(length);
  StopMeter meter;
  double centre = 0.0;
  double sum = 0.0;
  double square = 0.0;
  double seen = 0.0;  // the largest sum of squares since they were taken anew
  const auto anew = [&](std::int64_t j) {
    centre = sum = square = 0.0;
    for (std::int64_t k = j; !raw && k < j + length; ++k) centre += x[k] * share;
    for (std::int64_t k = j; k < j + length; ++k) {
      sum += x[k] - centre;
      square += (x[k] - centre) * (x[k] - centre);
    }
    seen = square;
  };
  for (std::int64_t j = 0; j < windows; ++j) {
    meter.add(1);
    if (j % length == 0) {
      anew(j);
    } else {
      const double leaving = x[j - 1] - centre;
      const double entering = x[j + length - 1] - centre;
      sum += entering - leaving;
      square += entering * entering - leaving * leaving;
      seen = std::max(seen, square);
    }
    const double mean = raw ? 0.0 : centre + sum * share;
    const double norm2 = raw ? square : square - sum * sum * share;
    const double level = kLevel * mean;
    if (!(norm2 > kTrusted * seen) || !(norm2 * share > level * level)) {
      summarise_block<1>(x + j, length, normalisation, out + j);
      meter.add(length);
      continue;
    }
    out[j] = {mean, 1.0, norm2};
    if (normalisation == Normalisation::z)
      out[j] = {mean, 1.0 / std::sqrt(norm2 * share), static_cast<double>(length)};
  }
}

double swing_of(const std::vector<WindowSummary>& windows, Normalisation normalisation, std::int64_t length) {
  const auto n = static_cast<double>(length);
  double seen2 = 0.0;
  double swing2 = 0.0;
  for (const WindowSummary& s : windows) {
    const double sd2 = s.inv_sd > 0.0 ? 1.0 / (s.inv_sd * s.inv_sd) : 0.0;
    const double deviation2 = normalisation == Normalisation::z ? n * sd2 : s.norm2;
    seen2 = std::max(seen2, deviation2 + n * s.mean * s.mean);
    swing2 = std::max(swing2, seen2 * s.inv_sd * s.inv_sd);
  }
  return std::sqrt(swing2);
}

}  // namespace

void summarise_windows(const double* x, std::int64_t windows, std::int64_t length,
                       Normalisation normalisation, WindowSummary* out) {
  constexpr int kWidth = 16;
  constexpr std::int64_t kLong = 512;
  if (length >= kLong && windows > kWidth) {
    summarise_long(x, windows, length, normalisation, out);
    return;
  }
  std::int64_t j = 0;
  for (; j + kWidth <= windows; j += kWidth) summarise_block<kWidth>(x + j, length, normalisation, out + j);
  for (; j < windows; ++j) summarise_block<1>(x + j, length, normalisation, out + j);
}

std::int64_t seen_steps(std::int64_t steps, const View& view) {
  if (view.transform == Transform::spectrum) return view.period / 2;
  return view.transform == Transform::differences ? std::max<std::int64_t>(0, steps - 1) : steps;
}

void see_channel(std::span<const double> x, const View& view, std::span<double> out) {
  if (view.transform == Transform::spectrum) return spectrum(x, view.period, out);  // which fills gaps itself
  if (x.empty()) return;
  std::vector<double> filled;
  if (view.missing == Missing::fill &&
      std::ranges::any_of(x, [](double value) { return std::isnan(value); })) {
    filled.assign(x.begin(), x.end());
    fill_gaps(filled);
    x = filled;
  }
  if (view.transform == Transform::none) {
    std::ranges::copy(x, out.begin());
  } else {
    for (std::size_t t = 0; t < out.size(); ++t) out[t] = x[t + 1] - x[t];
  }
}

Matrix seen_channels(const MatrixView& values, const View& view) {
  Matrix seen(view.rows(), seen_steps(values.cols(), view));
  for (std::int64_t row = 0; row < view.rows(); ++row) {
    see_channel({values.row(view.channel(row)).data(), at(values.cols())}, view,
                {seen.row(row).data(), at(seen.cols())});
  }
  return seen;
}

Windows::Windows(const Dataset& data, const View& view)
    : Instances(view), source_(&data), rate_(view.kernel.rate()) {
  bag_segment_.push_back(0);
  StopMeter meter;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    meter.add(kOperations * data.numbers(i));
    add_series(mapped(data.values(i)), data.name(i));
    bag_segment_.push_back(segments_.size());
    extent_.push_back(view.extent(data.values(i).cols()));
  }
  summarise();
}

void check_finite(std::span<const double> x, const std::string& name) {
  if (std::ranges::none_of(x, [](double value) { return std::isinf(value); })) return;
  throw InvalidInput("example " + name + ": expected finite or missing values, found an infinite one");
}

void map_channels(const MatrixView& values, const View& view, const std::string& name, Matrix& rows) {
  for (std::int64_t row = 0; row < view.rows(); ++row) {
    check_finite({values.row(view.channel(row)).data(), at(values.cols())}, name);
  }
  rows = seen_channels(values, view);
  for (Eigen::Index c = 0; c < rows.rows(); ++c) {
    const double centre = view.centre[at(c)];
    const double scale = view.scale[at(c)];
    for (Eigen::Index t = 0; t < rows.cols(); ++t) rows(c, t) = (rows(c, t) - centre) / scale;
  }
}

void Windows::add_series(const MatrixView& values, const std::string& name) {
  Matrix rows;
  map_channels(values, view(), name, rows);
  const std::int64_t before = segments_.empty() ? 0 : segments_.back().first + segments_.back().windows;
  std::int64_t first = before;
  for_each_segment(rows, view(), [&](std::int64_t begin, std::int64_t count) {
    segments_.push_back({data_.size(), count, count - view().length + 1, first, begin});
    first += segments_.back().windows;
    for (Eigen::Index c = 0; c < rows.rows(); ++c) {
      for (std::int64_t k = 0; k < count; ++k) data_.push_back(rows(c, begin + k * view().dilation));
    }
  });
  add_bag(first - before);
}

void Windows::summarise() {
  const std::int64_t n = size();
  const Normalisation normalisation = view().normalisation;
  norm2_.assign(at(n), 0.0);
  if (normalisation != Normalisation::raw) mean_.resize(at(n * channels()));
  if (normalisation == Normalisation::z) inv_sd_.resize(at(n * channels()));
  std::vector<WindowSummary> summaries;
  for (Segment& segment : segments_) {
    summaries.resize(at(segment.windows));
    for (std::int64_t c = 0; c < channels(); ++c) {
      summarise_windows(numbers(segment, c), segment.windows, view().length, normalisation, summaries.data());
      segment.swing = std::max(segment.swing, swing_of(summaries, normalisation, view().length));
      for (std::int64_t j = 0; j < segment.windows; ++j) {
        const WindowSummary& s = summaries[at(j)];
        norm2_[at(segment.first + j)] += s.norm2;
        if (!mean_.empty()) mean_[at(c * n + segment.first + j)] = s.mean;
        if (!inv_sd_.empty()) inv_sd_[at(c * n + segment.first + j)] = s.inv_sd;
      }
    }
  }
}

const Segment& Windows::segment_of(std::int64_t instance) const {
  const auto after = std::upper_bound(segments_.begin(), segments_.end(), instance,
                                      [](std::int64_t x, const Segment& s) { return x < s.first; });
  return *(after - 1);
}

std::vector<Stretch> Windows::stretches(const Run& run) const {
  std::vector<Stretch> result;
  const std::int64_t begin = first(run.bag) + run.first;
  const std::int64_t end = begin + run.count;
  for (const Segment& segment : segments(run.bag)) {
    const std::int64_t from = std::max(begin, segment.first);
    const std::int64_t to = std::min(end, segment.first + segment.windows);
    if (from < to) result.push_back({&segment, from - segment.first, to - from});
  }
  return result;
}

double Windows::place_step(std::int64_t bag) const {
  return static_cast<double>(view().dilation) / static_cast<double>(extent_[at(bag)]);
}

double Windows::place(const Segment& segment, std::int64_t bag, std::int64_t offset) const {
  const auto start = static_cast<double>(segment.step + offset * view().dilation);
  return (start + 0.5 * static_cast<double>(view().span())) / static_cast<double>(extent_[at(bag)]);
}

double Windows::placed(double affinity, double distance) const {
  const double exponent = view().tau * distance * distance;
  return rate_ > 0.0 ? affinity - exponent / rate_ : affinity * std::exp(-exponent);
}

std::int64_t Windows::position(std::int64_t instance) const {
  const Segment& segment = segment_of(instance);
  return segment.step + (instance - segment.first) * view().dilation;
}

Instance Windows::instance(std::int64_t instance) const {
  const std::int64_t bag = bag_of(instance);
  const Segment& segment = segment_of(instance);
  const std::int64_t start = position(instance);
  const Matrix rows = seen_channels(mapped(source_->values(bag)), view());
  std::vector<double> values;
  for (Eigen::Index c = 0; c < rows.rows(); ++c) {
    for (std::int64_t k = 0; k < view().length; ++k) values.push_back(rows(c, start + k * view().dilation));
  }
  return {std::move(values), bag, start, place(segment, bag, instance - segment.first)};
}

Probe Windows::probe(std::int64_t instance) const {
  const Segment& segment = segment_of(instance);
  const std::int64_t offset = instance - segment.first;
  const std::int64_t length = view().length;
  Probe probe{Vector(channels() * length), norm2_[at(instance)],
              view().tau > 0.0 ? place(segment, bag_of(instance), offset) : 0.0};
  for (std::int64_t c = 0; c < channels(); ++c) {
    auto part = probe.values.segment(c * length, length);
    part = Eigen::Map<const Vector>(numbers(segment, c) + offset, length);
    if (!mean_.empty()) part.array() -= *means(c, instance);
    if (!inv_sd_.empty()) part *= *inv_sds(c, instance);
  }
  return probe;
}

Probe Windows::probe(const Instance& instance) const {
  const std::int64_t length = view().length;
  if (static_cast<std::int64_t>(instance.values.size()) != channels() * length) {
    throw InvalidInput("instance: expected " + std::to_string(channels() * length) + " values, found " +
                       std::to_string(instance.values.size()));
  }
  Probe probe{Vector(channels() * length), 0.0, instance.place};
  for (std::int64_t c = 0; c < channels(); ++c) {
    double* x = probe.values.data() + c * length;
    for (std::int64_t k = 0; k < length; ++k) {
      x[k] = (instance.values[at(c * length + k)] - view().centre[at(c)]) / view().scale[at(c)];
    }
    WindowSummary s;
    summarise_windows(x, 1, length, view().normalisation, &s);
    if (view().normalisation != Normalisation::raw) {
      for (std::int64_t k = 0; k < length; ++k) x[k] = (x[k] - s.mean) * s.inv_sd;
    }
    probe.norm2 += s.norm2;
  }
  return probe;
}

std::int64_t Windows::bytes() const {
  const std::size_t numbers = data_.size() + norm2_.size() + mean_.size() + inv_sd_.size();
  return static_cast<std::int64_t>(sizeof(double) * numbers + sizeof(Segment) * segments_.size());
}

}  // namespace shapeboost::detail
