// SPDX-License-Identifier: MIT
#include "train/plan_views.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "train/trainer.hpp"
#include "view/spectrum.hpp"

namespace shapeboost {
namespace {

using detail::BagTraits;

// The share of a series that a random window spans lies between these, its logarithm uniform; and a window has
// at least so many time steps, where that is not too large a share of a short series. Windows of so many time steps may
// span all of it.
constexpr double kShortestSpan = 0.02;
constexpr double kLongestSpan = 0.5;
constexpr double kWholeSteps = 15.0;
constexpr double kFewestSteps = 7.0;
constexpr double kFewestStepsSpan = 0.3;
// One random view in so many is of the spectrum where a head will weigh it, its windows bound to their frequencies.
constexpr std::int64_t kOneSpectral = 4;
constexpr std::int64_t kFewestSpectral = 8;  // time steps
constexpr double kSpectralTau = 40.0;

// The sigma scale of a random view of series is 1 or up to so many octaves above; a head chooses, so some may be narrow.
constexpr double kOctaves = 2.0;
constexpr double kHeadOctaves = 3.0;

// The share of random views that look at the size of instances where most numbers are 0, and the octaves of their sigma
// scale: sizes spread over decades, and what tells classes apart may be at either end.
constexpr double kSizes = 0.4;
constexpr double kWidestSize = -3.0;

/// The length below which this share of the series are.
std::int64_t length_quantile(const Dataset& data, double share) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = 0; i < data.size(); ++i) lengths.push_back(data.values(i).cols());
  const auto middle =
      lengths.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(lengths.size() - 1) + 0.5);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

std::int64_t median_length(const Dataset& data) { return length_quantile(data, 0.5); }

/// What a random window's length is a share of: where lengths differ, a third of the views fit nearly all series, and the
/// others are made for one as likely as another.
std::int64_t drawn_length(const Dataset& data, Rng& rng) {
  constexpr double kShort = 0.05;
  const bool shortest = rng.below(3) == 0;
  const double quantile = rng.uniform();
  return length_quantile(data, shortest ? kShort : quantile);
}

std::int64_t window_length(double length, std::int64_t median, std::int64_t longest) {
  const double steps = length <= 1.0 ? std::round(length * static_cast<double>(median)) : length;
  if (steps > static_cast<double>(longest)) {
    throw InvalidInput("lengths: the longest series has " + std::to_string(longest) +
                       " values, too few for a window of " +
                       std::to_string(static_cast<std::int64_t>(steps)));
  }
  return std::max<std::int64_t>(2, static_cast<std::int64_t>(steps));
}

template <typename T>
std::vector<T> or_else(const std::vector<T>& given, std::vector<T> otherwise) {
  return given.empty() ? otherwise : given;
}

View pattern_of(const Dataset& data, const TrainSettings& settings) {
  View view;
  view.kind = data.kind();
  view.width = data.width();
  view.kernel = settings.kernel.kernel();
  if (view.kind == DataKind::bags) view.length = data.width();
  if (view.kind == DataKind::series) view.missing = settings.missing.value_or(Missing::skip);
  return view;
}

void check_channels(const Dataset& data, const TrainSettings& settings) {
  for (const std::vector<int>& channels : settings.channels) {
    if (channels.empty() || channels.back() < data.width()) continue;
    throw InvalidInput("channels: the data have " + std::to_string(data.width()) + ", found channel " +
                       std::to_string(channels.back() + 1));
  }
}

/// Each channel, and all of them together.
std::vector<std::vector<int>> each_and_all(const Dataset& data) {
  std::vector<std::vector<int>> channels(1);
  for (int channel = 0; data.width() > 1 && channel < data.width(); ++channel) channels.push_back({channel});
  return channels;
}

/// One channel, a few or all, as often; several such sets that have no channel in common, where there are so many. Where
/// channels are very many, some stand for all of them: what a window costs must not grow with their number.
std::vector<std::vector<int>> drawn_channels(const Dataset& data, Rng& rng) {
  constexpr double kMostChannels = 8.0;
  constexpr std::int64_t kSets = 3;
  const std::int64_t width = data.width();
  const double most = std::min(static_cast<double>(width), kMostChannels);
  const std::int64_t kind = rng.below(3);
  const double few = std::round(2.0 * std::pow(most / 2.0, rng.uniform()));
  const auto count = static_cast<std::int64_t>(kind == 0 ? 1.0 : kind == 1 ? std::min(few, most) : most);
  if (count == width) return {{}};
  std::vector<int> order(at(width));
  std::iota(order.begin(), order.end(), 0);
  rng.shuffle(order);
  std::vector<std::vector<int>> sets;
  for (std::int64_t k = 0; k < std::min(kSets, width / count); ++k) {
    const auto first = order.begin() + k * count;
    std::sort(first, first + count);
    sets.emplace_back(first, first + count);
  }
  return sets;
}

[[noreturn]] void fail_dilation(const Dataset& data) {
  throw InvalidInput("dilation: no window of these lengths fits a series of " +
                     std::to_string(data.max_length()) + " values");
}

/// Those at which two time steps of the longest series can be compared; 1 fits always.
std::vector<std::int64_t> fitting_dilations(const Dataset& data, const TrainSettings& settings, View view) {
  std::vector<std::int64_t> fitting;
  view.length = 2;
  for (const std::int64_t dilation : settings.dilations) {
    view.dilation = dilation;
    if (dilation == 1 || view.span() <= view.extent(data.max_length())) fitting.push_back(dilation);
  }
  if (fitting.empty()) fail_dilation(data);
  return fitting;
}

void set_transform(View& view, Transform transform, const Dataset& data, const TrainSettings& settings) {
  view.transform = transform;
  if (transform == Transform::spectrum && data.max_length() > detail::kLongestPeriod) {
    throw InvalidInput(concat("transform: spectra are of at most ", detail::kLongestPeriod,
                              " values, the longest series has ", data.max_length()));
  }
  view.period = transform == Transform::spectrum ? detail::quick_period(data.max_length()) : 0;
  view.rate = transform == Transform::spectrum ? settings.rate : 0.0;
}

double default_scale(const Dataset& data) { return data.kind() == DataKind::bags ? 1.0 : 2.0; }

/// Sets `view` to every combination of the lists for windows, and calls visit() for each that fits.
template <typename Visit>
void each_window_view(const Dataset& data, const TrainSettings& settings, View& view, const Visit& visit) {
  const std::int64_t median = median_length(data);
  for (const std::vector<int>& channels : or_else(settings.channels, each_and_all(data))) {
    for (const Transform transform : or_else(settings.transforms, {Transform::none})) {
      for (const Normalisation normalisation : or_else(settings.normalisations, {Normalisation::raw})) {
        for (const double tau : or_else(settings.taus, {0.0})) {
          for (const std::int64_t dilation : or_else<std::int64_t>(settings.dilations, {1})) {
            for (const double length : or_else(settings.lengths, {0.1, 0.2, 0.3, 0.4})) {
              view.channels = channels;
              set_transform(view, transform, data, settings);
              view.normalisation = normalisation;
              view.tau = tau;
              view.dilation = dilation;
              view.length = window_length(length, view.extent(median), view.extent(data.max_length()));
              if (view.span() <= view.extent(data.max_length())) visit();
            }
          }
        }
      }
    }
  }
}

/// Every combination. A view that would be there twice (two lengths may round to one) is there once.
std::vector<PlannedView> grid(const Dataset& data, const TrainSettings& settings) {
  std::vector<PlannedView> planned;
  View view = pattern_of(data, settings);
  const auto add = [&](double scale) {
    const auto same = [&](const PlannedView& other) {
      return other.sigma_scale == scale && other.view.length == view.length &&
             other.view.dilation == view.dilation && other.view.normalisation == view.normalisation &&
             other.view.transform == view.transform && other.view.channels == view.channels &&
             other.view.tau == view.tau && other.view.scaling == view.scaling &&
             other.view.aspect == view.aspect;
    };
    if (std::none_of(planned.begin(), planned.end(), same)) planned.push_back({view, scale});
  };
  for (const double scale : or_else(settings.sigma_scales, {default_scale(data)})) {
    if (data.kind() == DataKind::bags) {
      for (const Scaling scaling : or_else(settings.scalings, {Scaling::plain})) {
        for (const Aspect aspect : or_else(settings.aspects, {Aspect::whole})) {
          view.scaling = scaling;
          view.aspect = aspect;
          add(scale);
        }
      }
    } else {
      each_window_view(data, settings, view, [&] { add(scale); });
    }
  }
  if (planned.empty()) fail_dilation(data);
  return planned;
}

double uniform(Rng& rng, double low, double high) { return low + (high - low) * rng.uniform(); }

bool takes_centres(const TrainSettings& settings) {
  return settings.candidates && settings.candidates->kind == Candidates::Kind::kmeans;
}

template <typename T>
T pick(const std::vector<T>& list, Rng& rng) {
  return list[at(rng.below(static_cast<std::int64_t>(list.size())))];
}

/// Scaling and aspect of a view, and the sigma scale of a size. What nobody asks for is drawn where a head will weigh it.
/// Every draw is made, whatever the settings.
void draw_mapping(const BagTraits& traits, const TrainSettings& settings, Rng& rng, PlannedView& planned) {
  const bool turned = rng.below(2) == 0;
  const bool ranked = rng.below(2) == 0;
  const bool measured = rng.uniform() < kSizes;
  const double octave = uniform(rng, kWidestSize, 0.0);
  View& view = planned.view;
  const bool drawn = settings.head != HeadKind::average && settings.kernel.kind == KernelKind::gaussian &&
                     !takes_centres(settings);
  if (drawn) {
    view.scaling = traits.sparse ? Scaling::log : traits.heavy && ranked ? Scaling::rank : Scaling::plain;
    view.aspect = turned ? Aspect::direction : Aspect::whole;
    if (traits.sparse && measured) {
      view.scaling = Scaling::plain;
      view.aspect = Aspect::size;
    }
  }
  if (!settings.scalings.empty()) view.scaling = pick(settings.scalings, rng);
  if (!settings.aspects.empty()) view.aspect = pick(settings.aspects, rng);
  if (view.aspect == Aspect::size && settings.sigma_scales.empty()) planned.sigma_scale = std::exp2(octave);
}

/// Views of a committee would hold a number for every feature that a line could have named; those that never occur are
/// dropped sooner or later (drop_rare_features). One stays.
void keep_occurring(const BagTraits& traits, std::vector<int>& features) {
  if (traits.occurs.empty()) return;
  const int first = features.front();
  std::erase_if(features, [&](int f) { return traits.occurs[at(f)] == 0; });
  if (features.empty()) features.push_back(first);
}

PlannedView random_bag_view(const Dataset& data, const BagTraits& traits, const TrainSettings& settings,
                            Rng& rng) {
  PlannedView planned{pattern_of(data, settings), 1.0};
  const double octave = uniform(rng, -1.0, 1.0);
  planned.sigma_scale = settings.sigma_scales.empty() ? std::exp2(octave) : pick(settings.sigma_scales, rng);
  std::vector<int> features(at(data.width()));
  std::iota(features.begin(), features.end(), 0);
  rng.shuffle(features);
  const double share = uniform(rng, 0.2, 0.8);
  features.resize(at(std::max<std::int64_t>(1, std::llround(share * static_cast<double>(data.width())))));
  std::sort(features.begin(), features.end());
  if (planned.view.kernel.compares_numbers()) keep_occurring(traits, features);
  planned.view.features = {features.begin(), features.end()};  // and no room for those that were left out
  planned.view.length = std::ssize(features);
  draw_mapping(traits, settings, rng, planned);
  return planned;
}

/// Whether a head will weigh windows of spectra: their best matches are all that is asked of them.
bool shows_spectra(const Dataset& data, const TrainSettings& settings) {
  const bool best = std::ranges::find(settings.evidence, Evidence::best) != settings.evidence.end();
  return settings.head == HeadKind::ridge && best && settings.kernel.kind == KernelKind::gaussian &&
         median_length(data) >= kFewestSpectral && data.max_length() <= detail::kLongestPeriod;
}

PlannedView random_window_view(const Dataset& data, const TrainSettings& settings, Rng& rng) {
  PlannedView planned{pattern_of(data, settings), 1.0};
  View& view = planned.view;
  // Every draw is made, whatever the settings: what one list says changes nothing drawn for the others.
  const std::int64_t look = rng.below(4);
  const bool differences = rng.below(3) == 0;
  const double size = rng.uniform();
  const bool dilated = rng.below(2) == 0;
  const std::int64_t points = 9 + rng.below(6);
  const bool placed = rng.below(3) == 0;
  const double octave = uniform(rng, 0.0, settings.head == HeadKind::ridge ? kHeadOctaves : kOctaves);
  if (!settings.channels.empty()) view.channels = pick(settings.channels, rng);
  const bool spectral = rng.below(kOneSpectral) == 0 && shows_spectra(data, settings);
  Transform transform = spectral      ? Transform::spectrum
                        : differences ? Transform::differences
                                      : Transform::none;
  if (!settings.transforms.empty()) transform = pick(settings.transforms, rng);
  set_transform(view, transform, data, settings);
  const std::int64_t drawn_for = view.extent(drawn_length(data, rng));
  const std::int64_t longest = view.extent(data.max_length());
  const auto steps = static_cast<double>(drawn_for);
  const double most = std::clamp(kWholeSteps / steps, kLongestSpan, 1.0);
  const double least = std::max(kShortestSpan, std::min(kFewestSteps / steps, kFewestStepsSpan));
  const double share = least * std::pow(most / least, size);
  view.normalisation = look == 0 ? Normalisation::raw : look == 1 ? Normalisation::centred : Normalisation::z;
  view.tau = placed ? 4.0 : 0.0;
  planned.sigma_scale = std::exp2(octave);
  if (transform ==
      Transform::spectrum) {  // each frequency means something else, and its amplitude is what counts
    view.tau = kSpectralTau;
    view.normalisation = Normalisation::raw;
  }
  view.length = window_length(share, drawn_for, longest);
  if (!settings.normalisations.empty()) view.normalisation = pick(settings.normalisations, rng);
  if (!settings.taus.empty()) view.tau = pick(settings.taus, rng);
  if (!settings.sigma_scales.empty()) planned.sigma_scale = pick(settings.sigma_scales, rng);
  if (!settings.lengths.empty()) {
    view.length = window_length(pick(settings.lengths, rng), view.extent(median_length(data)), longest);
  }
  if (!settings.dilations.empty()) {
    view.dilation = pick(fitting_dilations(data, settings, view), rng);
    view.length = std::max<std::int64_t>(2, std::min(view.length, (longest - 1) / view.dilation));
  } else if (dilated && settings.lengths.empty() && view.length >= 2 * points &&
             transform != Transform::spectrum) {
    view.dilation = (view.length - 1) / (points - 1);
    view.length = points;
  }
  if (view.span() > longest) {  // differences are one time step shorter
    view.length = std::max<std::int64_t>(1, view.length - 1);
  }
  // Two time steps less their mean are the same pair of numbers everywhere, up to a factor.
  constexpr std::int64_t kLeast = 3;
  const bool drawn = settings.lengths.empty() && settings.dilations.empty();
  if (drawn && view.normalisation != Normalisation::raw && longest > kLeast) {
    view.length = std::max(view.length, kLeast);
  }
  return planned;
}

/// The view of each of some sets of channels, which share its candidates; of one where no head can choose among them.
std::vector<PlannedView> through_channels(const PlannedView& planned, const Dataset& data,
                                          const TrainSettings& settings, Rng& rng) {
  if (data.width() == 1 || !settings.channels.empty()) return {planned};
  std::vector<std::vector<int>> sets = drawn_channels(data, rng);
  if (settings.head != HeadKind::ridge) sets.resize(1);
  std::vector<PlannedView> views(sets.size(), planned);
  for (std::size_t k = 0; k < sets.size(); ++k) {
    views[k].view.channels = std::move(sets[k]);
    views[k].candidates = 1.0 / static_cast<double>(views.size());
  }
  return views;
}

// A pattern of symbols is short whatever the sequence, so fractions of long ones are of this many.
constexpr std::int64_t kSequence = 100;
constexpr std::int64_t kBeyondK = 3;  // symbols of a chosen window beyond k: fewer k-mers tell little

/// A view of sequences, except for its length.
View sequence_pattern(const Dataset& data, const TrainSettings& settings) {
  const auto other = [](const auto& list, auto only) {
    return std::any_of(list.begin(), list.end(), [&](const auto& entry) { return entry != only; });
  };
  if (other(settings.normalisations, Normalisation::raw) || other(settings.transforms, Transform::none) ||
      other(settings.dilations, std::int64_t{1}) || other(settings.channels, std::vector<int>{0})) {
    throw InvalidInput(
        "sequences of symbols have no normalisation, transform, dilation or channels to choose");
  }
  View view = pattern_of(data, settings);
  KernelSettings kernel = settings.kernel;
  if (kernel.kind == KernelKind::gaussian) kernel.kind = KernelKind::mismatch;
  if (kernel.k == 0) kernel.k = default_k(kernel.kind);
  if (const std::string fault = detail::validate_strings(kernel); !fault.empty()) throw InvalidInput(fault);
  view.kernel = kernel.kernel();
  return view;
}

/// At a time.
int symbols_compared(const Kernel& kernel) { return kernel.compares_strings() ? kernel.k() : 1; }

/// At least as many symbols as the kernel compares at a time.
std::int64_t sequence_window(double length, const Dataset& data, const Kernel& kernel) {
  const std::int64_t least = symbols_compared(kernel);
  if (data.max_length() < least) {
    throw InvalidInput("k: the longest sequence has " + std::to_string(data.max_length()) +
                       " symbols, fewer than k = " + std::to_string(least));
  }
  return std::max(least, window_length(length, median_length(data), data.max_length()));
}

/// The same for a fraction that is chosen, not given.
std::int64_t chosen_sequence_window(double share, const Dataset& data, const Kernel& kernel) {
  const auto symbols = static_cast<double>(std::min(kSequence, median_length(data)));
  const std::int64_t least = std::min(data.max_length(), kBeyondK + symbols_compared(kernel));
  const auto wanted = std::max(least, static_cast<std::int64_t>(std::round(share * symbols)));
  return wanted == 1 ? 1 : sequence_window(static_cast<double>(wanted), data, kernel);
}

std::vector<PlannedView> sequence_grid(const Dataset& data, const TrainSettings& settings) {
  std::vector<PlannedView> planned;
  View view = sequence_pattern(data, settings);
  std::vector<std::int64_t> lengths;
  for (const double length : settings.lengths) lengths.push_back(sequence_window(length, data, view.kernel));
  if (lengths.empty()) {
    for (const double share : {0.1, 0.15, 0.2, 0.3}) {
      lengths.push_back(chosen_sequence_window(share, data, view.kernel));
    }
  }
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  for (const double tau : or_else(settings.taus, {0.0})) {
    for (const std::int64_t length : lengths) {
      view.tau = tau;
      view.length = length;
      planned.push_back({view, 1.0});
    }
  }
  return planned;
}

PlannedView random_sequence_view(const Dataset& data, const TrainSettings& settings, Rng& rng) {
  PlannedView planned{sequence_pattern(data, settings), 1.0};
  View& view = planned.view;
  const double share = uniform(rng, 0.05, 0.4);
  const auto beside = static_cast<int>(rng.below(3)) - 1;
  const bool placed = rng.below(3) == 0;
  if (view.kernel.compares_strings() && settings.kernel.k == 0) {
    const auto* mismatch = view.kernel.as<kernels::Mismatch>();
    const int least = mismatch != nullptr ? mismatch->mismatches + 1 : 1;
    view.kernel.set_k(std::max(least, view.kernel.k() + beside));
  }
  view.length = settings.lengths.empty() ? chosen_sequence_window(share, data, view.kernel)
                                         : sequence_window(pick(settings.lengths, rng), data, view.kernel);
  view.tau = settings.taus.empty() ? (placed ? 4.0 : 0.0) : pick(settings.taus, rng);
  return planned;
}

}  // namespace

std::vector<PlannedView> detail::grid_views(const Dataset& data, const TrainSettings& settings) {
  check_channels(data, settings);
  return data.kind() == DataKind::sequences ? sequence_grid(data, settings) : grid(data, settings);
}

std::vector<PlannedView> detail::random_views(const Dataset& data, const BagTraits& traits,
                                              const TrainSettings& settings, Rng& rng) {
  check_channels(data, settings);
  switch (data.kind()) {
    case DataKind::bags: return {random_bag_view(data, traits, settings, rng)};
    case DataKind::sequences: return {random_sequence_view(data, settings, rng)};
    case DataKind::series: break;
  }
  return through_channels(random_window_view(data, settings, rng), data, settings, rng);
}

}  // namespace shapeboost
