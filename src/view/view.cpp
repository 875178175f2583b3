// SPDX-License-Identifier: MIT
#include "shapeboost/view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "ground/names.hpp"
#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "ground/stop.hpp"
#include "view/bag_mapping.hpp"
#include "view/fit_view.hpp"
#include "view/instances.hpp"
#include "view/kernel_makers.hpp"
#include "view/sparse_rows.hpp"
#include "view/spectrum.hpp"
#include "view/windows.hpp"

namespace shapeboost {
namespace {

constexpr Names<Normalisation, 3> kNormalisations{
    {{Normalisation::raw, "raw"}, {Normalisation::centred, "centred"}, {Normalisation::z, "z"}}};

constexpr Names<Transform, 3> kTransforms{
    {{Transform::none, "none"}, {Transform::differences, "differences"}, {Transform::spectrum, "spectrum"}}};

constexpr Names<Missing, 2> kMissing{{{Missing::skip, "skip"}, {Missing::fill, "fill"}}};

constexpr Names<Scaling, 3> kScalings{
    {{Scaling::plain, "plain"}, {Scaling::rank, "rank"}, {Scaling::log, "log"}}};

constexpr Names<Aspect, 3> kAspects{
    {{Aspect::whole, "whole"}, {Aspect::direction, "direction"}, {Aspect::size, "size"}}};

/// A deviation below this share of the mean is rounding: the feature is constant.
constexpr double kConstant = 1e-10;

void check_fits(const Dataset& data, const View& view) {
  if (data.kind() != view.kind) {
    throw InvalidInput("expected " + std::string(to_string(view.kind)) + ", found " +
                       std::string(to_string(data.kind())));
  }
  if (data.size() > 0 && data.width() != view.width) {
    const std::string what = view.kind == DataKind::bags ? " feature" : " channel";
    throw InvalidInput("expected " + std::to_string(view.width) + what + (view.width == 1 ? "" : "s") +
                       ", found " + std::to_string(data.width()));
  }
  if (view.kind == DataKind::bags && view.kernel.has_band()) {
    throw InvalidInput("kernel: " + std::string(to_string(view.kernel.kind())) +
                       " aligns the time steps of series; expected series, found bags");
  }
}

/// Calls visit(row, number) for every number that the view uses and that is neither missing nor a zero left out.
template <typename Visit>
void each_number(const Dataset& data, const View& view, const Visit& visit) {
  const detail::FeaturePlaces places(view);
  StopMeter meter;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    meter.add(data.numbers(i));
    if (data.is_sparse()) {
      for (std::int64_t j = 0; j < data.rows(i); ++j) {
        const SparseView::Row x = data.sparse(i).row(j);
        for (std::size_t k = 0; k < x.columns.size(); ++k) {
          if (const std::int32_t f = places[x.columns[k]]; f >= 0) visit(f, x.values[k]);
        }
      }
      continue;
    }
    if (view.kind == DataKind::bags) {
      const ArrayView x = data.values(i);
      for (Eigen::Index j = 0; j < x.rows(); ++j) {
        for (std::int64_t f = 0; f < view.rows(); ++f) {
          visit(f, x(j, view.features.empty() ? f : view.features[at(f)]));
        }
      }
      continue;
    }
    const Matrix rows = detail::seen_channels(mapped(data.values(i)), view);
    for (Eigen::Index c = 0; c < rows.rows(); ++c) {
      for (Eigen::Index t = 0; t < rows.cols(); ++t) {
        if (!std::isnan(rows(c, t))) visit(c, rows(c, t));
      }
    }
  }
}

/// Of all numbers of a feature or channel.
struct RowMoments {
  double count = 0.0;
  double sum = 0.0;
  double squares = 0.0;  // about the mean
  [[nodiscard]] double mean() const { return count > 0.0 ? sum / count : 0.0; }
  [[nodiscard]] double deviation() const { return count > 0.0 ? std::sqrt(squares / count) : 0.0; }
};

std::vector<RowMoments> feature_moments(const Dataset& data, const View& view) {
  std::vector<RowMoments> moments(at(view.rows()));
  each_number(data, view, [&](std::int64_t r, double x) {
    moments[at(r)].sum += x;
    moments[at(r)].count += 1.0;
  });
  std::vector<double> mean;
  for (const RowMoments& of_row : moments) mean.push_back(of_row.mean());
  each_number(data, view, [&](std::int64_t r, double x) {
    moments[at(r)].squares += (x - mean[at(r)]) * (x - mean[at(r)]);
  });
  return moments;
}

/// To look at a channel takes longer than to add it up, so it is looked at once: with the n numbers of a series, whose mean is off
/// by d, those before it have squares about the common mean that are n count / (n + count) d^2 more than their own.
std::vector<RowMoments> channel_moments(const Dataset& data, const View& view) {
  std::vector<RowMoments> moments(at(view.rows()));
  StopMeter meter;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    meter.add(data.numbers(i));
    const Matrix rows = detail::seen_channels(mapped(data.values(i)), view);
    for (Eigen::Index c = 0; c < rows.rows(); ++c) {
      RowMoments own;
      for (const double x : rows.row(c)) {
        if (std::isnan(x)) continue;
        own.sum += x;
        own.count += 1.0;
      }
      if (own.count == 0.0) continue;
      const double mean = own.mean();
      for (const double x : rows.row(c)) {
        if (!std::isnan(x)) own.squares += (x - mean) * (x - mean);
      }
      RowMoments& all = moments[at(c)];
      const double off = mean - all.mean();
      const double together = all.count + own.count;
      all.squares += own.squares + off * off * all.count * own.count / together;
      all.sum += own.sum;
      all.count = together;
    }
  }
  return moments;
}

/// Throws InvalidInput where the kernel lacks something, or does not suit the view.
void check_kernel(const View& view) {
  const Kernel& kernel = view.kernel;
  const std::string kind(to_string(kernel.kind()));
  const bool sequences = view.kind == DataKind::sequences;
  if (sequences && !kernel.compares_strings() && kernel.kind() != KernelKind::custom) {
    throw InvalidInput(
        "kernel: sequences of symbols are compared by spectrum, mismatch, subsequence or custom, "
        "found " +
        kind);
  }
  if (!sequences && kernel.compares_strings()) {
    throw InvalidInput("kernel: " + kind + " compares sequences of symbols, the data are " +
                       std::string(to_string(view.kind)));
  }
  if (sequences &&
      (view.dilation != 1 || view.transform != Transform::none || view.normalisation != Normalisation::raw)) {
    throw InvalidInput("view: windows of symbols are neither dilated nor normalised nor transformed");
  }
  if (kernel.compares_strings()) {
    if (kernel.k() < 1 || kernel.k() > kLongestKmer) {
      throw InvalidInput("k: expected 1 to " + std::to_string(kLongestKmer) + ", found " +
                         std::to_string(kernel.k()));
    }
    if (view.length < kernel.k()) {
      throw InvalidInput("length: expected windows of at least k = " + std::to_string(kernel.k()) +
                         " symbols, found " + std::to_string(view.length));
    }
  }
  if (const auto* gram = kernel.as<kernels::Gram>()) {
    if (view.kind != DataKind::bags || view.width != 1) {
      throw InvalidInput("kernel: a Gram matrix needs bags with one feature, the number of a row, found " +
                         std::string(to_string(view.kind)) + " of " + std::to_string(view.width));
    }
    if (!gram->matrix) {
      throw InvalidInput("kernel: the Gram matrix '" + gram->file + "' is needed and not there");
    }
  }
  if (const auto* custom = kernel.as<kernels::Custom>(); custom != nullptr && !custom->similarity) {
    throw InvalidInput("kernel: the similarity '" + custom->name + "' is needed and not there");
  }
}

/// How many symbols occur.
int alphabet_of(const Dataset& data) {
  std::array<bool, 256> seen{};
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const ArrayView x = data.values(i);
    for (Eigen::Index t = 0; t < x.cols(); ++t) seen[static_cast<std::size_t>(x(0, t))] = true;
  }
  return static_cast<int>(std::count(seen.begin(), seen.end(), true));
}

}  // namespace

std::string_view to_string(Normalisation value) { return name_of(kNormalisations, value); }

template <>
Normalisation parse<Normalisation>(std::string_view text) {
  return choice_of(kNormalisations, "normalisation", text);
}

std::string_view to_string(Transform value) { return name_of(kTransforms, value); }

template <>
Transform parse<Transform>(std::string_view text) {
  return choice_of(kTransforms, "transform", text);
}

std::string_view to_string(Missing value) { return name_of(kMissing, value); }

template <>
Missing parse<Missing>(std::string_view text) {
  return choice_of(kMissing, "missing", text);
}

std::string_view to_string(Scaling value) { return name_of(kScalings, value); }

template <>
Scaling parse<Scaling>(std::string_view text) {
  return choice_of(kScalings, "scaling", text);
}

std::string_view to_string(Aspect value) { return name_of(kAspects, value); }

template <>
Aspect parse<Aspect>(std::string_view text) {
  return choice_of(kAspects, "aspect", text);
}

std::int64_t View::rows() const {
  const std::vector<int>& seen = kind == DataKind::bags ? features : channels;
  return seen.empty() ? width : static_cast<std::int64_t>(seen.size());
}

std::int64_t View::channel(std::int64_t row) const { return channels.empty() ? row : channels[at(row)]; }

std::vector<double> Instance::full(std::int64_t numbers) const {
  if (!features) return values;
  std::vector<double> all(at(numbers), 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) all[at((*features)[k])] = values[k];
  return all;
}

std::int64_t windows_in(std::int64_t steps, const View& view) {
  if (view.transform == Transform::spectrum && steps < detail::kFewestForSpectrum) return 0;
  return std::max<std::int64_t>(0, view.extent(steps) - view.span() + 1);
}

std::int64_t instances_in(const Dataset& data, const View& view) {
  std::int64_t n = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    n += view.kind == DataKind::bags ? data.rows(i) : windows_in(data.values(i).cols(), view);
  }
  return n;
}

std::int64_t Instances::bag_of(std::int64_t instance) const {
  return std::upper_bound(first_.begin(), first_.end(), instance) - first_.begin() - 1;
}

std::vector<double> Instances::unmapped(const Vector& values) const {
  const auto each = static_cast<std::size_t>(values.size()) / at(view_.rows());
  std::vector<double> x(at(values.size()));
  for (std::size_t k = 0; k < x.size(); ++k) {
    x[k] = values[static_cast<Eigen::Index>(k)] * view_.scale[k / each] + view_.centre[k / each];
  }
  return x;
}

void Instances::extremes(const Run& run, std::int64_t bag, double* largest, double* smallest) const {
  std::vector<double> affinity(at(count(bag)));
  for (std::int64_t r = 0; r < run.count; ++r) {
    check_stop();
    affinities(probe(first(run.bag) + run.first + r), {bag, 0, count(bag)}, affinity.data());
    const auto [low, high] = std::minmax_element(affinity.begin(), affinity.end());
    largest[r] = *high;
    smallest[r] = *low;
  }
}

void Instances::all_extremes(std::span<const Run> runs, Matrix& largest, Matrix& smallest) const {
  std::int64_t rows = 0;
  for (const Run& run : runs) rows += run.count;
  largest.setZero(rows, bags());
  smallest.setZero(rows, bags());
  std::int64_t begin = 0;
  for (const Run& run : runs) {
    Vector high(run.count);
    Vector low(run.count);
    for (std::int64_t bag = 0; bag < bags(); ++bag) {
      check_stop();
      if (count(bag) == 0) continue;
      extremes(run, bag, high.data(), low.data());
      largest.col(bag).segment(begin, run.count) = high;
      smallest.col(bag).segment(begin, run.count) = low;
    }
    begin += run.count;
  }
}

Pooled Instances::best(std::span<const Probe> z, std::span<const double> alpha, std::int64_t bag) const {
  const std::int64_t n = count(bag);
  thread_local std::vector<double> score;
  thread_local std::vector<double> term;
  score.assign(at(n), 0.0);
  term.resize(at(n));
  for (std::size_t t = 0; t < z.size(); ++t) {
    affinities(z[t], {bag, 0, n}, term.data());
    view_.kernel.values(term.data(), n);
    for (std::size_t j = 0; j < score.size(); ++j) score[j] += alpha[t] * term[j];
  }
  return pooled(score, first(bag));
}

double Instances::radius() const {
  if (view_.kernel.unit_diagonal()) return 1.0;
  double largest = 0.0;
  for (std::int64_t x = 0; x < size(); ++x) {
    const Probe z = probe(x);
    largest = std::max(largest, similarity(z, z));
  }
  return std::sqrt(largest);
}

std::unique_ptr<Instances> make_instances(const Dataset& data, const View& view) {
  check_fits(data, view);
  check_kernel(view);
  const bool bags = view.kind == DataKind::bags;
  switch (view.kernel.kind()) {
    case KernelKind::gaussian:
    case KernelKind::linear:
    case KernelKind::polynomial: break;
    case KernelKind::laplacian:
      return bags ? detail::laplacian_vectors(data, view) : detail::laplacian_windows(data, view);
    case KernelKind::dtw: return detail::dtw_windows(data, view);
    case KernelKind::gak: return detail::gak_windows(data, view);
    case KernelKind::spectrum:
    case KernelKind::mismatch: return detail::kmer_windows(data, view);
    case KernelKind::subsequence: return detail::subsequence_windows(data, view);
    case KernelKind::gram: return detail::gram_bags(data, view);
    case KernelKind::custom: return detail::custom_instances(data, view);
  }
  if (!bags) return detail::product_windows(data, view);
  const bool centred = std::ranges::any_of(view.centre, [](double centre) { return centre != 0.0; });
  const bool plain = !centred && view.scaling == Scaling::plain && view.aspect == Aspect::whole;
  return data.is_sparse() && plain ? detail::sparse_vectors(data, view) : detail::product_vectors(data, view);
}

double median_distance(const Instances& instances, std::int64_t pairs, Rng& rng) {
  const std::int64_t n = instances.size();
  std::vector<double> distances;
  StopMeter meter;
  const auto add = [&](std::int64_t a, std::int64_t b) {
    distances.push_back(instances.distance(a, b));
    meter.add(instances.view().numbers());
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
  const double sum = std::accumulate(distances.begin(), distances.end(), 0.0);
  const double mean = sum / static_cast<double>(distances.size());
  constexpr double kRounding = 1e-12;  // a median of this size is rounding, and counts as 0
  if (median > kRounding * mean) return median;
  return mean > 0.0 ? mean : 1.0;
}

namespace {

/// Inner products grow with the square of the numbers, and what is learned from them must not depend on the unit
/// of the data: their largest is brought to 1 or above, below 2, by a power of two, which changes no digit.
void settle_unit(View& view, const Dataset& data) {
  const KernelKind kernel = view.kernel.kind();
  if (kernel != KernelKind::linear && kernel != KernelKind::polynomial) return;
  if (view.kind == DataKind::series && view.normalisation == Normalisation::z) return;
  double largest = 0.0;
  each_number(data, view, [&](std::int64_t r, double x) {
    largest = std::max(largest, std::abs((x - view.centre[at(r)]) / view.scale[at(r)]));
  });
  if (!(largest > 0.0) || !std::isfinite(largest)) return;
  const double unit = std::ldexp(1.0, std::ilogb(largest));
  for (double& scale : view.scale) scale *= unit;
}

/// Similarities that a caller brings, or high powers, may have any size, but linear programs know what is nothing and
/// what is infinite: where the largest K(x, x), or entry of a given matrix, is far from 1 the kernel's unit brings it there.
void settle_kernel_unit(View& view, const Dataset& data) {
  constexpr double kSmall = 1e-3;
  constexpr double kLarge = 1e6;
  double largest = 0.0;
  if (const auto* gram = view.kernel.as<kernels::Gram>()) {
    largest = mapped(ArrayView(*gram->matrix)).cwiseAbs().maxCoeff();
  } else if (view.kernel.kind() == KernelKind::polynomial || view.kernel.kind() == KernelKind::custom) {
    const double radius = make_instances(data, view)->radius();
    largest = radius * radius;
  }
  if (!(largest > 0.0) || !std::isfinite(largest) || (largest >= kSmall && largest <= kLarge)) return;
  view.kernel.set_unit(std::ldexp(1.0, -std::ilogb(largest)));
}

}  // namespace

View fit_all_but_sigma(View view, const Dataset& data, bool standardise) {
  const bool sparse = data.is_sparse() && view.kernel.compares_numbers();
  if (sparse) detail::drop_rare_features(view, data);
  const bool bags = view.kind == DataKind::bags;
  const std::int64_t rows = view.rows();
  view.centre.assign(at(rows), 0.0);
  view.scale.assign(at(rows), 1.0);
  if (view.kernel.compares_strings() && view.kernel.k() == 0) {
    view.kernel.set_k(default_k(view.kernel.kind()));
  }
  if (auto* mismatch = view.kernel.as<kernels::Mismatch>(); mismatch != nullptr && mismatch->alphabet == 0) {
    mismatch->alphabet = alphabet_of(data);
  }
  // Symbols and rows of a matrix are names, not numbers.
  if (view.kind == DataKind::sequences || !view.kernel.compares_numbers()) return view;
  if (sparse) {  // whose zeros stay zeros: scaled, not centred, which distances do not feel
    const std::vector<double> deviations =
        standardise ? detail::sparse_deviations(view, data) : std::vector<double>(at(view.rows()), 1.0);
    for (std::size_t f = 0; f < deviations.size(); ++f) {
      if (deviations[f] > 0.0) view.scale[f] = deviations[f];
    }
    if (!standardise) settle_unit(view, data);
    return view;
  }
  // The mean drops out of distances (which kernels with a sigma measure) and of normalised windows; only raw
  // inner products feel it.
  const bool free_shift = view.kernel.has_sigma() || view.normalisation != Normalisation::raw;
  const bool scaled = standardise && (bags || rows > 1);
  // Ranks have no use for centre and scale; lengths are those of the numbers as they are.
  const bool standard = standardise && view.scaling == Scaling::plain && view.aspect != Aspect::size;
  if (bags ? standard : free_shift || scaled) {
    const std::vector<RowMoments> moments = bags ? feature_moments(data, view) : channel_moments(data, view);
    for (std::size_t r = 0; r < moments.size(); ++r) {
      view.centre[r] = moments[r].mean();
      const double sd = moments[r].deviation();
      if (scaled && sd > kConstant * std::abs(view.centre[r]) && sd > 0.0) view.scale[r] = sd;
    }
  }
  if (bags) detail::fit_mapping(view, data);
  const bool as_it_is = view.scaling == Scaling::plain && view.aspect == Aspect::whole;
  if (!scaled && as_it_is) settle_unit(view, data);
  return view;
}

bool wants_sigma(const View& view) {
  return view.kind != DataKind::sequences && view.kernel.has_sigma() && view.kernel.sigma() == 0.0;
}

double distance_unit(View view, const Dataset& data, Rng& rng, std::int64_t pairs) {
  view.kernel.set_sigma(1.0);
  return median_distance(*make_instances(data, view), pairs, rng);
}

View fit_view(View view, const Dataset& data, bool standardise, double sigma_scale, Rng& rng,
              std::int64_t pairs) {
  view = fit_all_but_sigma(std::move(view), data, standardise);
  if (wants_sigma(view)) view.kernel.set_sigma(sigma_scale / distance_unit(view, data, rng, pairs));
  settle_kernel_unit(view, data);
  return view;
}

std::unique_ptr<Instances> fit_instances(View view, const Dataset& data, bool standardise, double sigma_scale,
                                         Rng& rng, std::int64_t pairs) {
  view = fit_all_but_sigma(std::move(view), data, standardise);
  if (!wants_sigma(view)) {
    settle_kernel_unit(view, data);
    return make_instances(data, view);
  }
  view.kernel.set_sigma(1.0);
  std::unique_ptr<Instances> instances = make_instances(data, view);
  const double sigma = sigma_scale / median_distance(*instances, pairs, rng);
  if (instances->set_sigma(sigma)) return instances;
  view.kernel.set_sigma(sigma);
  return make_instances(data, view);
}

}  // namespace shapeboost
