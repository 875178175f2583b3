// SPDX-License-Identifier: MIT
#include "shapeboost/synthetic.hpp"

#include <algorithm>
#include <numbers>
#include <numeric>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "ground/text.hpp"

namespace shapeboost {
namespace {

constexpr double kPatternShare = 0.2;   // of a series' length
constexpr double kSwayShare = 0.3;      // of a series' length
constexpr double kWarpedShare = 0.4;    // of a series' length
constexpr double kSmoothness = 0.3;     // correlation of neighbouring noise
constexpr std::int64_t kShortest = 20;  // three periods or peaks need a few points
constexpr double kConceptHeight = 1.5;  // of every coordinate, in standard deviations of the other instances

void demand(bool good, const std::string& what, const std::string& expected, const std::string& got) {
  if (!good) throw InvalidInput(concat("synthetic data: ", what, " must be ", expected, ", got ", got));
}

void check(const SyntheticSettings& settings, std::int64_t shortest) {
  demand(settings.examples >= 2, "examples", "at least 2", std::to_string(settings.examples));
  demand(settings.features >= 1, "features", "at least 1", std::to_string(settings.features));
  demand(std::isfinite(settings.noise) && settings.noise >= 0.0, "noise", "finite and not negative",
         std::to_string(settings.noise));
  demand(settings.length >= shortest, "length", concat("at least ", shortest),
         std::to_string(settings.length));
}

// Half the examples each, in random order; 1 for the first class.
std::vector<char> balanced_classes(std::int64_t examples, Rng& rng) {
  std::vector<char> classes(at(examples));
  for (std::size_t i = 0; i < classes.size(); ++i) classes[i] = i % 2 == 0 ? 1 : 0;
  rng.shuffle(classes);
  return classes;
}

// Two humps: 1.2 (exp(-((u - 0.28)/0.1)^2) + exp(-((u - 0.72)/0.1)^2)), u in [0, 1].
double bump(double u) {
  const auto hump = [u](double centre) { return std::exp(-std::pow((u - centre) / 0.1, 2.0)); };
  return 1.2 * (hump(0.28) + hump(0.72));
}

// Three periods under an arch: 1.2 sin(6 pi u) sqrt(sin(pi u)).
double sine_burst(double u) {
  const double arch = std::max(0.0, std::sin(std::numbers::pi * u));  // rounding makes it negative at u = 1
  return 1.2 * std::sin(6.0 * std::numbers::pi * u) * std::sqrt(arch);
}

// Narrow peaks up, down, up.
double peaks(double u) {
  const auto peak = [u](double centre) { return std::exp(-std::pow((u - centre) / 0.05, 2.0)); };
  return 1.2 * (peak(0.25) - peak(0.5) + peak(0.75));
}

// A monotone map of [0, 1] onto itself, linear in pieces: each fifth of the time runs through a share of the
// pattern of its own.
class Warp {
 public:
  explicit Warp(Rng& rng) {
    double sum = 0.0;
    for (int k = 0; k < kPieces; ++k) {
      sum += 0.3 + 1.4 * rng.uniform();
      reached_[k + 1] = sum;
    }
    for (double& share : reached_) share /= sum;
  }
  double operator()(double u) const {
    const int k = std::min(static_cast<int>(u * kPieces), kPieces - 1);
    return reached_[k] + (u * kPieces - k) * (reached_[k + 1] - reached_[k]);
  }

 private:
  static constexpr int kPieces = 5;
  double reached_[kPieces + 1] = {};
};

std::vector<double> sample(double (*shape)(double), std::int64_t length) {
  std::vector<double> values;
  for (std::int64_t t = 0; t < length; ++t) values.push_back(shape(real(t) / real(length - 1)));
  return values;
}

// e_t = a e_{t-1} + sqrt(1 - a^2) z_t keeps the standard deviation at `noise` whatever a is.
Array<double> smooth_noise(std::int64_t length, double noise, Rng& rng) {
  Array<double> series(1, length);
  const double fresh = std::sqrt(1.0 - kSmoothness * kSmoothness);
  double e = rng.normal();
  for (std::int64_t t = 0; t < length; ++t) {
    series(0, t) = noise * e;
    e = kSmoothness * e + fresh * rng.normal();
  }
  return series;
}

// One slow wave, up or down, higher than the patterns and the same in both classes: it rules the distance
// between whole series (nearest neighbours are right on about two thirds only) and says nothing.
void add_sway(Array<double>& series, std::int64_t begin, std::int64_t width, Rng& rng) {
  const double sign = rng.below(2) == 0 ? 1.0 : -1.0;
  const double height = sign * (1.0 + rng.uniform());
  for (std::int64_t t = 0; t < width; ++t) {
    const double u = (real(t) + 0.5) / real(width);
    series(0, begin + t) += height * std::pow(std::sin(std::numbers::pi * u), 2.0);
  }
}

}  // namespace

SyntheticData planted_series(const SyntheticSettings& settings) {
  check(settings, kShortest);
  const auto width = std::max<std::int64_t>(8, std::llround(kPatternShare * real(settings.length)));
  const auto sway = std::llround(kSwayShare * real(settings.length));
  const std::int64_t slack = settings.length - width - sway;
  Rng rng(settings.seed);
  const std::vector<char> is_gesture = balanced_classes(settings.examples, rng);
  SyntheticData result{
      Dataset(DataKind::series),
      {{"bump", "gesture", sample(bump, width), {}}, {"sine burst", "rest", sample(sine_burst, width), {}}}};
  for (std::size_t i = 0; i < is_gesture.size(); ++i) {
    Array<double> series = smooth_noise(settings.length, settings.noise, rng);
    // Pattern and sway in either order, never over one another.
    std::int64_t early = rng.below(slack + 1);
    std::int64_t late = rng.below(slack + 1);
    if (early > late) std::swap(early, late);
    const bool pattern_first = rng.below(2) == 0;
    const std::int64_t position = pattern_first ? early : late + sway;
    add_sway(series, pattern_first ? late + width : early, sway, rng);
    Planted& here = result.planted[is_gesture[i] != 0 ? 0 : 1];
    Planted& absent = result.planted[is_gesture[i] != 0 ? 1 : 0];
    for (std::int64_t t = 0; t < width; ++t) series(0, position + t) += here.values[at(t)];
    here.positions.push_back(position);
    absent.positions.push_back(-1);
    result.data.add(series, here.label, std::to_string(i + 1));
  }
  return result;
}

SyntheticData warped_series(const SyntheticSettings& settings) {
  check(settings, kShortest);
  const auto width = std::llround(kWarpedShare * real(settings.length));
  Rng rng(settings.seed);
  const std::vector<char> is_early = balanced_classes(settings.examples, rng);
  const auto early = [](double u) { return peaks(u); };
  const auto late = [](double u) { return -peaks(u); };
  SyntheticData result{Dataset(DataKind::series),
                       {{"up, down, up", "early", sample(early, width), {}},
                        {"down, up, down", "late", sample(late, width), {}}}};
  for (std::size_t i = 0; i < is_early.size(); ++i) {
    Array<double> series = smooth_noise(settings.length, settings.noise, rng);
    const std::int64_t position = rng.below(settings.length - width + 1);
    const Warp warp(rng);
    for (std::int64_t t = 0; t < width; ++t) {
      const double u = warp(real(t) / real(width - 1));
      series(0, position + t) += is_early[i] != 0 ? early(u) : late(u);
    }
    result.planted[0].positions.push_back(is_early[i] != 0 ? position : -1);
    result.planted[1].positions.push_back(is_early[i] != 0 ? -1 : position);
    result.data.add(series, is_early[i] != 0 ? "early" : "late", std::to_string(i + 1));
  }
  return result;
}

SyntheticData planted_bags(const SyntheticSettings& settings) {
  check(settings, 1);
  // The same concept for every seed, so that two seeds are a training and a test set.
  Planted centre{"concept", "active", {}, {}};
  for (std::int64_t f = 0; f < settings.features; ++f)
    centre.values.push_back(f % 2 == 0 ? kConceptHeight : -kConceptHeight);

  Rng rng(settings.seed);
  const std::vector<char> is_active = balanced_classes(settings.examples, rng);
  Dataset data(DataKind::bags);
  const std::int64_t smallest = (settings.length + 1) / 2;
  const std::int64_t largest = 2 * settings.length - smallest;  // so that the mean is settings.length
  for (std::size_t i = 0; i < is_active.size(); ++i) {
    Array<double> bag(smallest + rng.below(largest - smallest + 1), settings.features);
    for (std::int64_t k = 0; k < bag.size(); ++k) bag.data()[k] = rng.normal();
    std::int64_t position = -1;
    if (is_active[i] != 0) {
      position = rng.below(bag.rows());
      for (std::int64_t f = 0; f < bag.cols(); ++f) {
        bag(position, f) = centre.values[at(f)] + settings.noise * rng.normal();
      }
    }
    centre.positions.push_back(position);
    data.add(bag, is_active[i] != 0 ? "active" : "inactive", std::to_string(i + 1));
  }
  return {std::move(data), {std::move(centre)}};
}

SyntheticData planted_sequences(const SyntheticSettings& settings) {
  constexpr std::string_view kLetters = "ACGT";
  constexpr std::string_view kMotif = "TGACTCAGCA";
  const auto width = std::ssize(kMotif);
  check(settings, width);
  demand(settings.mutations >= 0 && settings.mutations <= width / 2, "mutations", concat("0 to ", width / 2),
         std::to_string(settings.mutations));
  Planted motif{"motif", "site", {}, {}};
  for (const char letter : kMotif) motif.values.push_back(static_cast<unsigned char>(letter));
  Rng rng(settings.seed);
  const auto letter = [&](std::int64_t i) { return kLetters[at(i)]; };
  const std::vector<char> is_site = balanced_classes(settings.examples, rng);
  Dataset data(DataKind::sequences);
  for (std::size_t i = 0; i < is_site.size(); ++i) {
    std::string text;
    for (std::int64_t t = 0; t < settings.length; ++t) text += letter(rng.below(4));
    const std::int64_t position = rng.below(settings.length - width + 1);
    std::string planted(kMotif);
    if (is_site[i] != 0) {
      std::vector<std::size_t> places(kMotif.size());
      std::iota(places.begin(), places.end(), std::size_t{0});
      rng.shuffle(places);
      places.resize(at(settings.mutations));
      for (const std::size_t place : places) {  // to one of the three other letters
        const auto now = static_cast<std::int64_t>(kLetters.find(planted[place]));
        planted[place] = letter((now + 1 + rng.below(3)) % 4);
      }
    } else {
      rng.shuffle(planted);
    }
    text.replace(at(position), kMotif.size(), planted);
    motif.positions.push_back(is_site[i] != 0 ? position : -1);
    data.add(sequence_values(text), is_site[i] != 0 ? "site" : "none", std::to_string(i + 1));
  }
  return {std::move(data), {std::move(motif)}};
}

}  // namespace shapeboost
