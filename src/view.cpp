// SPDX-License-Identifier: MIT
#include "shapeboost/view.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "sliding_detail.hpp"

namespace shapeboost {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Below this share of its largest number a window's deviation is rounding: the window is constant.
constexpr double kConstant = 1e-10;

struct WindowSummary {
  double mean;
  double inv_sd;
  double norm2;
};

/// Two passes over one window: exact where running sums would cancel. Plain loops: the order of the additions
/// must not depend on where the window lies in memory.
WindowSummary summarise_window(const double* x, std::int64_t length, Normalisation normalisation) {
  double sum = 0.0;
  double largest = 0.0;
  if (normalisation != Normalisation::raw) {
    for (std::int64_t k = 0; k < length; ++k) {
      sum += x[k];
      largest = std::max(largest, std::abs(x[k]));
    }
  }
  const double mean = sum / static_cast<double>(length);
  double deviation2 = 0.0;
  for (std::int64_t k = 0; k < length; ++k) deviation2 += (x[k] - mean) * (x[k] - mean);
  if (normalisation != Normalisation::z) return {mean, 1.0, deviation2};
  const double sd = std::sqrt(deviation2 / static_cast<double>(length));
  if (sd <= kConstant * largest) return {mean, 0.0, 0.0};
  return {mean, 1.0 / sd, static_cast<double>(length)};
}

std::string dimensions(std::int64_t found, std::int64_t expected, const char* what) {
  return std::string("expected ") + std::to_string(expected) + " " + what + ", found " +
         std::to_string(found);
}

}  // namespace

std::string_view to_string(Normalisation normalisation) {
  switch (normalisation) {
    case Normalisation::raw: return "raw";
    case Normalisation::centred: return "centred";
    case Normalisation::z: return "z";
  }
  return "unknown";
}

Normalisation parse_normalisation(std::string_view text) {
  for (const Normalisation n : {Normalisation::raw, Normalisation::centred, Normalisation::z}) {
    if (text == to_string(n)) return n;
  }
  throw InvalidInput("normalisation: expected raw, centred or z, found '" + std::string(text) + "'");
}

Instances::Instances(const Dataset& data, const View& view) : view_(view) {
  if (data.kind() != view.kind) {
    throw InvalidInput(data.kind() == DataKind::bags ? "expected series, found bags"
                                                     : "expected bags, found series");
  }
  const bool series = view.kind == DataKind::series;
  const std::int64_t width = series ? 1 : view.length;
  if (data.size() > 0 && data.width() != width) {
    throw InvalidInput(dimensions(data.width(), width, series ? "channel" : "features"));
  }
  first_.push_back(0);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const MatrixView values = data.values(i);
    const std::int64_t count = series ? values.cols() - view.length + 1 : values.rows();
    if (count < 1) {
      throw InvalidInput("example " + data.name(i) + " has " + std::to_string(values.cols()) +
                         " values: too short for a window of " + std::to_string(view.length));
    }
    begin_.push_back(data_.size());
    first_.push_back(first_.back() + count);
    data_.reserve(data_.size() + at(values.size()));
    for (std::int64_t k = 0; k < values.size(); ++k) {
      const std::size_t f = series ? 0 : at(k % width);
      if (!std::isfinite(values.data()[k])) {
        throw InvalidInput("example " + data.name(i) + ": expected finite numbers, found " +
                           std::to_string(values.data()[k]));
      }
      data_.push_back((values.data()[k] - view.centre[f]) / view.scale[f]);
    }
  }
  summarise();
}

void Instances::summarise() {
  const auto n = at(size());
  const bool series = view_.kind == DataKind::series;
  norm2_.resize(n);
  if (series && view_.normalisation != Normalisation::raw) mean_.resize(n);
  if (series && view_.normalisation == Normalisation::z) inv_sd_.resize(n);
  for (std::int64_t bag = 0; bag < bags(); ++bag) {
    for (std::int64_t j = 0; j < count(bag); ++j) {
      const double* x = bag_data(bag) + (series ? j : j * view_.length);
      const WindowSummary s =
          summarise_window(x, view_.length, series ? view_.normalisation : Normalisation::raw);
      const std::size_t index = at(first(bag) + j);
      norm2_[index] = s.norm2;
      if (!mean_.empty()) mean_[index] = s.mean;
      if (!inv_sd_.empty()) inv_sd_[index] = s.inv_sd;
    }
  }
}

std::int64_t Instances::bag_of(std::int64_t instance) const {
  return std::upper_bound(first_.begin(), first_.end(), instance) - first_.begin() - 1;
}

const double* Instances::numbers(std::int64_t instance) const {
  const std::int64_t bag = bag_of(instance);
  const std::int64_t j = instance - first(bag);
  return bag_data(bag) + (view_.kind == DataKind::series ? j : j * view_.length);
}

Probe Instances::probe(std::int64_t instance) const {
  Probe probe{Eigen::Map<const Vector>(numbers(instance), view_.length), norm2_[at(instance)]};
  if (!mean_.empty()) probe.values.array() -= mean_[at(instance)];
  if (!inv_sd_.empty()) probe.values *= inv_sd_[at(instance)];
  return probe;
}

Probe Instances::probe(const std::vector<double>& values) const {
  if (static_cast<std::int64_t>(values.size()) != view_.length) {
    throw InvalidInput("instance: " +
                       dimensions(static_cast<std::int64_t>(values.size()), view_.length, "values"));
  }
  const bool series = view_.kind == DataKind::series;
  Vector x(view_.length);
  for (std::int64_t k = 0; k < view_.length; ++k) {
    const std::size_t f = series ? 0 : at(k);
    x[k] = (values[at(k)] - view_.centre[f]) / view_.scale[f];
  }
  const WindowSummary s =
      summarise_window(x.data(), view_.length, series ? view_.normalisation : Normalisation::raw);
  x = (x.array() - s.mean) * s.inv_sd;
  return {std::move(x), s.norm2};
}

std::vector<double> Instances::unmapped(const Vector& values) const {
  std::vector<double> x(at(values.size()));
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::size_t f = view_.kind == DataKind::series ? 0 : k;
    x[k] = values[static_cast<Eigen::Index>(k)] * view_.scale[f] + view_.centre[f];
  }
  return x;
}

void Instances::affinities(const Probe& z, const Run& run, double* out) const {
  const std::int64_t n = run.count;
  const std::size_t begin = at(first(run.bag) + run.first);
  if (view_.kind == DataKind::series) {
    detail::sliding_products(bag_data(run.bag) + run.first, n, z.values.data(), view_.length, out);
    // z sums to 0 where it is normalised, so x.z = (x - mean(x)).z already.
    if (!inv_sd_.empty()) {
      for (std::int64_t j = 0; j < n; ++j) out[j] *= inv_sd_[begin + at(j)];
    }
  } else {
    const MatrixView x(bag_data(run.bag) + run.first * view_.length, n, view_.length);
    Eigen::Map<Vector>(out, n).noalias() = x * z.values;
  }
  const Kernel& kernel = view_.kernel;
  if (kernel.kind == KernelKind::linear) return;
  const double* norm2 = norm2_.data() + begin;
  for (std::int64_t j = 0; j < n; ++j) out[j] = kernel.affinity(norm2[j], z.norm2, out[j]);
}

double Instances::similarity(const Probe& z, const Probe& x) const {
  return view_.kernel(x.norm2, z.norm2, x.values.dot(z.values));
}

double Instances::squared_distance(std::int64_t x, std::int64_t y) const {
  const double* a = numbers(x);
  const double* b = numbers(y);
  const double a_mean = mean_.empty() ? 0.0 : mean_[at(x)];
  const double b_mean = mean_.empty() ? 0.0 : mean_[at(y)];
  const double a_factor = inv_sd_.empty() ? 1.0 : inv_sd_[at(x)];
  const double b_factor = inv_sd_.empty() ? 1.0 : inv_sd_[at(y)];
  const auto term = [&](std::int64_t k) {
    const double difference = (a[k] - a_mean) * a_factor - (b[k] - b_mean) * b_factor;
    return difference * difference;
  };
  constexpr int kLanes = 8;  // sums side by side: one would wait for itself at every step
  double sums[kLanes] = {};
  std::int64_t k = 0;
  for (; k + kLanes <= view_.length; k += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) sums[lane] += term(k + lane);
  }
  for (; k < view_.length; ++k) sums[0] += term(k);
  return std::accumulate(sums, sums + kLanes, 0.0);
}

std::int64_t Instances::bytes() const {
  const std::size_t numbers = data_.size() + norm2_.size() + mean_.size() + inv_sd_.size() + first_.size();
  return static_cast<std::int64_t>(sizeof(double) * numbers);
}

double median_squared_distance(const Instances& instances, std::int64_t pairs, Rng& rng) {
  const std::int64_t n = instances.size();
  std::vector<double> distances;
  const auto add = [&](std::int64_t a, std::int64_t b) {
    distances.push_back(instances.squared_distance(a, b));
  };
  if (n * (n - 1) / 2 <= pairs) {
    for (std::int64_t a = 0; a < n; ++a) {
      for (std::int64_t b = a + 1; b < n; ++b) add(a, b);
    }
  } else {
    for (std::int64_t k = 0; k < pairs; ++k) {
      const std::int64_t a = rng.below(n);
      const std::int64_t b = rng.below(n - 1);
      add(a, b < a ? b : b + 1);
    }
  }
  if (distances.empty()) return 1.0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  double median = *middle;
  if (distances.size() % 2 == 0) median = 0.5 * (median + *std::max_element(distances.begin(), middle));
  if (median > 0.0) return median;
  const double sum = std::accumulate(distances.begin(), distances.end(), 0.0);
  return sum > 0.0 ? sum / static_cast<double>(distances.size()) : 1.0;
}

View fit_view(View view, const Dataset& data, bool standardise, double sigma_scale, Rng& rng) {
  const bool series = view.kind == DataKind::series;
  const std::int64_t width = series ? 1 : view.length;
  view.centre.assign(at(width), 0.0);
  view.scale.assign(at(width), 1.0);
  // A window's mean drops out of |x - z| and of normalised windows; only raw inner products feel it.
  const bool free_shift =
      view.kernel.kind == KernelKind::gaussian || view.normalisation != Normalisation::raw;
  if (series ? free_shift : standardise) {
    Vector sum = Vector::Zero(width);
    Vector sum2 = Vector::Zero(width);
    double count = 0.0;
    const auto each_row = [&](const auto& visit) {
      for (std::int64_t i = 0; i < data.size(); ++i) {
        const MatrixView x = data.values(i);
        const MatrixView rows(x.data(), x.size() / width, width);
        for (std::int64_t r = 0; r < rows.rows(); ++r) visit(rows.row(r).transpose());
      }
    };
    each_row([&](const auto& x) {
      sum += x;
      count += 1.0;
    });
    const Vector mean = sum / count;
    each_row([&](const auto& x) { sum2 += (x - mean).cwiseAbs2(); });
    for (std::int64_t f = 0; f < width; ++f) {
      view.centre[at(f)] = mean[f];
      const double sd = std::sqrt(sum2[f] / count);
      if (!series && sd > kConstant * std::abs(mean[f]) && sd > 0.0) view.scale[at(f)] = sd;
    }
  }
  if (view.kernel.kind == KernelKind::gaussian && view.kernel.sigma == 0.0) {
    view.kernel.sigma = 1.0;
    constexpr std::int64_t kPairs = 8192;
    view.kernel.sigma = sigma_scale / median_squared_distance(Instances(data, view), kPairs, rng);
  }
  return view;
}

}  // namespace shapeboost
