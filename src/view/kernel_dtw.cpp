// SPDX-License-Identifier: MIT
// Windows under dynamic time warping, K(x, z) = exp(-sigma DTW(x, z)^2). Extremes are found without aligning
// every window: those are skipped whose bounds (warping.hpp) say that they cannot be extreme. The bounds add
// up in another order than DTW does, so they count only where they differ by more than rounding: what is
// skipped could not have changed a bit of the answer.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "ground/numbers.hpp"
#include "view/instances.hpp"
#include "view/kernel_makers.hpp"
#include "view/warping.hpp"

namespace shapeboost::detail {
namespace {

constexpr double kRounding = 1e-9;     // relative, of sums of squares; far above what they need
constexpr double kExpRounding = 1e-7;  // the same after exp, whose exponent is 700 at most

class DtwWindows final : public WarpedWindows {
 public:
  using WarpedWindows::WarpedWindows;

  void affinities(const Probe& z, const Run& run, double* out) const override {
    const Sequence ready = sequence(z);
    thread_local std::vector<double> buffer;
    for (const Stretch& stretch : stretches(run)) {
      for (std::int64_t j = 0; j < stretch.count; ++j) {
        const Spot spot{stretch.segment, stretch.offset + j};
        out[j] = affinity(warped(sequence(spot, buffer), ready), apart(spot, run.bag, z));
      }
      out += stretch.count;
    }
  }

  [[nodiscard]] double similarity(const Probe& z, const Probe& x) const override {
    return view().kernel.value(affinity(warped(sequence(x), sequence(z)), x.place - z.place));
  }

  [[nodiscard]] double distance(std::int64_t x, std::int64_t y) const override {
    const Probe left = probe(x);
    const Probe right = probe(y);
    return warped(sequence(left), sequence(right));
  }

  [[nodiscard]] bool expensive() const override { return true; }

  void extremes(const Run& run, std::int64_t bag, double* largest, double* smallest) const override {
    const std::vector<Spot> windows = spots(bag);
    std::int64_t closest = -1;
    for (std::int64_t r = 0; r < run.count; ++r) {
      const Probe z = probe(first(run.bag) + run.first + r);
      std::vector<double> known(windows.size(), -1.0);  // DTW^2 where it was computed to the end
      // A neighbour's closest window moves along with it.
      const std::int64_t guess = closest + 1 < count(bag) ? closest + 1 : 0;
      largest[r] = closest_affinity(z, bag, windows, guess, known, closest);
      smallest[r] = farthest_affinity(z, bag, windows, known);
    }
  }

  /// Windows in the order of an upper bound on their score, until it falls below the best score found:
  ///     sum_{alpha_t > 0} alpha_t exp(-sigma Keogh) + sum_{alpha_t < 0} alpha_t exp(-sigma Euclid).
  [[nodiscard]] Pooled best(std::span<const Probe> z, std::span<const double> alpha,
                            std::int64_t bag) const override {
    const std::vector<Spot> windows = spots(bag);
    std::vector<Envelope> envelopes;
    for (const Probe& probe : z) envelopes.push_back(envelope(probe));
    std::vector<double> bounds(z.size() * windows.size());  // of alpha_t K_t; those of a window lie together
    std::vector<double> total(windows.size(), 0.0);
    std::vector<double> buffer;
    std::vector<double> parts(at(length() + 1));
    for (std::size_t x = 0; x < windows.size(); ++x) {
      const Sequence window = sequence(windows[x], buffer);
      double* bound = bounds.data() + x * z.size();
      for (std::size_t t = 0; t < z.size(); ++t) {
        const double cost = alpha[t] > 0.0 ? keogh(window, sequence(z[t]), envelopes[t], parts.data())
                                           : squared_distance(window, sequence(z[t]), parts.data());
        bound[t] = affinity(cost, apart(windows[x], bag, z[t]));
      }
      view().kernel.values(bound, static_cast<long>(z.size()));
      for (std::size_t t = 0; t < z.size(); ++t) {
        bound[t] = alpha[t] * bound[t] + kExpRounding * std::abs(alpha[t] * bound[t]);
        total[x] += bound[t];
      }
    }
    double value = -kInfinity;
    std::int64_t argmax = -1;
    for (const std::int64_t x : in_order(total, [](double a, double b) { return a > b; })) {
      if (total[at(x)] < value) break;
      const double* bound = bounds.data() + at(x) * z.size();
      const Sequence window = sequence(windows[at(x)], buffer);
      double score = 0.0;
      bool beaten = false;
      for (std::size_t t = 0; t < z.size() && !beaten; ++t) {
        const double rest = std::accumulate(bound + t + 1, bound + z.size(), 0.0);  // of the remaining terms
        const double slack = kExpRounding * (std::abs(value) + std::abs(score) + std::abs(rest));
        const double distance = apart(windows[at(x)], bag, z[t]);
        double limit = kInfinity;
        if (alpha[t] > 0.0) {  // from here on x cannot win: alpha K + score + rest < value
          limit = limit_of((value - score - rest - slack) / alpha[t], distance);
          (void)keogh(window, sequence(z[t]), envelopes[t], parts.data());
          suffix_sums(parts);
        }
        const double cost = warped(window, sequence(z[t]), alpha[t] > 0.0 ? parts.data() : nullptr, limit);
        double similarity = affinity(cost, distance);
        view().kernel.values(&similarity, 1);
        score += alpha[t] * similarity;
        beaten = cost > limit || score + rest + slack < value;
      }
      if (beaten) continue;
      const std::int64_t number = first(bag) + x;
      if (score > value || (score == value && number < argmax)) {
        value = score;
        argmax = number;
      }
    }
    return {value, argmax};
  }

 private:
  [[nodiscard]] double affinity(double cost, double distance) const {
    return view().tau > 0.0 ? placed(-cost, distance) : -cost;
  }
  [[nodiscard]] double apart(const Spot& spot, std::int64_t bag, const Probe& z) const {
    return view().tau > 0.0 ? place(*spot.segment, bag, spot.offset) - z.place : 0.0;
  }
  /// DTW^2 above which K falls below `similarity`, given the distance of the places.
  [[nodiscard]] double limit_of(double similarity, double distance) const {
    if (!(similarity > 0.0)) return kInfinity;
    const double limit = -std::log(similarity) / view().kernel.sigma() + affinity(0.0, distance);
    return limit + kRounding * std::abs(limit);
  }

  template <typename Before>
  [[nodiscard]] static std::vector<std::int64_t> in_order(const std::vector<double>& key,
                                                          const Before& before) {
    std::vector<std::int64_t> order(key.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return key[at(a)] == key[at(b)] ? a < b : before(key[at(a)], key[at(b)]);
    });
    return order;
  }

  [[nodiscard]] double closest_affinity(const Probe& z, std::int64_t bag, const std::vector<Spot>& windows,
                                        std::int64_t guess, std::vector<double>& known,
                                        std::int64_t& closest) const {
    const Sequence ready = sequence(z);
    const Envelope around = envelope(z);
    thread_local std::vector<double> buffer;
    std::vector<double> parts(at(length() + 1));
    std::vector<double> ends(windows.size());
    for (std::size_t x = 0; x < windows.size(); ++x) {
      ends[x] = -affinity(kim(windows[x], ready), apart(windows[x], bag, z));
    }
    double least = kInfinity;  // minus the largest affinity
    const auto visit = [&](std::int64_t number) {
      const Spot& spot = windows[at(number)];
      const double distance = apart(spot, bag, z);
      const Sequence x = sequence(spot, buffer);
      const double bound = -affinity(keogh(x, ready, around, parts.data()), distance);
      if (bound * (1.0 - kRounding) > least) return;
      suffix_sums(parts);
      const double limit = least + kRounding * least + affinity(0.0, distance);
      const double cost = warped(x, ready, parts.data(), limit);
      if (cost > limit) return;
      known[at(number)] = cost;
      const double found = -affinity(cost, distance);
      if (found < least || (found == least && number < closest)) {
        least = found;
        closest = number;
      }
    };
    visit(guess);
    for (const std::int64_t number : in_order(ends, [](double a, double b) { return a < b; })) {
      if (ends[at(number)] * (1.0 - kRounding) > least) break;
      if (number != guess) visit(number);
    }
    return -least;
  }

  [[nodiscard]] double farthest_affinity(const Probe& z, std::int64_t bag, const std::vector<Spot>& windows,
                                         const std::vector<double>& known) const {
    const Sequence ready = sequence(z);
    thread_local std::vector<double> buffer;
    std::vector<double> parts(at(length() + 1));
    std::vector<double> bounds(windows.size());
    double most = 0.0;  // minus the smallest affinity
    for (std::size_t x = 0; x < windows.size(); ++x) {
      const double distance = apart(windows[x], bag, z);
      bounds[x] = -affinity(squared_distance(sequence(windows[x], buffer), ready, parts.data()), distance);
      if (known[x] >= 0.0) most = std::max(most, -affinity(known[x], distance));
    }
    for (const std::int64_t number : in_order(bounds, [](double a, double b) { return a > b; })) {
      if (bounds[at(number)] * (1.0 + kRounding) <= most) break;
      if (known[at(number)] >= 0.0) continue;
      const double distance = apart(windows[at(number)], bag, z);
      const Sequence x = sequence(windows[at(number)], buffer);
      (void)squared_distance(x, ready, parts.data());
      suffix_sums(parts);
      const double floor = (most + affinity(0.0, distance)) - kRounding * most;
      most = std::max(most, -affinity(warped_above(x, ready, parts.data(), floor), distance));
    }
    return -most;
  }
};

}  // namespace

std::unique_ptr<Instances> dtw_windows(const Dataset& data, const View& view) {
  return std::make_unique<DtwWindows>(data, view);
}

}  // namespace shapeboost::detail
