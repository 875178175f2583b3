// SPDX-License-Identifier: MIT
// Windows under the global alignment kernel (Cuturi, Vert, Birkenes, Matsui 2007; Cuturi 2011). An alignment
// pi of x and z is a path of cells (i, j) from the first time steps to the last, by steps (1,0), (0,1), (1,1);
//
//     G(x, z) = sum_pi prod_{(i,j) in pi} kappa_ij,    kappa = t / (1 - t),
//     t_ij = omega(i - j) exp(-sigma |x_i - z_j|^2) / 2,    omega(d) = max(0, 1 - |d| / (reach + 1)),
//     K(x, z) = G(x, z) / sqrt(G(x, x) G(z, z)).
//
// With omega = 1 (band = 1) -log kappa = sigma |x_i - z_j|^2 + log(2 - exp(-sigma |x_i - z_j|^2)).
//
// Why K is positive semi-definite: kappa = t + t^2 + ..., so G sums over all paths that may also rest in a
// cell, with a factor t for each rest. Such a path of n cells is a pair: x with time steps repeated to length
// n, and z likewise. Hence G = sum_n <sum of x's stretchings to n, sum of z's> in the n-fold tensor power of
// t's feature space: t is a product of the Gaussian kernel of the values and the triangular kernel omega of
// the time steps, both positive semi-definite. t <= 1/2, so the sum is finite, and dividing by the norms keeps
// the sign. Fractional powers of K, which would temper it, carry no such promise: sigma does that here. As
// sigma falls, K tends to 1.
//
// sigma is measured against |x - z|^2, as in Cuturi's rule of thumb. No bound that would spare alignments is
// used: each pair costs its (2 reach + 1) length cells.
#include <algorithm>
#include <cmath>
#include <vector>

#include "ground/numbers.hpp"
#include "view/elastic_windows.hpp"
#include "view/instances.hpp"
#include "view/kernel_makers.hpp"
#include "view/vector_exp.hpp"

namespace shapeboost::detail {
namespace {

// Paths are counted with weight lambda for each time step they advance in either window. With
// 2 lambda + lambda^2 = 1 every cell is a weighted mean of at most 1, so nothing overflows. What underflows on
// the way is lost, which matters only where the result itself is as small.
const double kLambda = std::sqrt(2.0) - 1.0;
constexpr double kSmallest = 1e-280;

double log_sum(double a, double b, double c) {
  const double top = std::max(a, std::max(b, c));
  if (top == -kInfinity) return top;
  return top + std::log(std::exp(a - top) + std::exp(b - top) + std::exp(c - top));
}

class GakWindows final : public ElasticWindows {
 public:
  GakWindows(const Dataset& data, const View& view)
      : ElasticWindows(data, view), sigma_(view.kernel.sigma()) {
    const auto width = static_cast<double>(view.kernel.reach(view.length) + 1);
    for (std::int64_t d = -reach(); d <= reach(); ++d) {
      omega_.push_back(view.kernel.band() == 1.0 ? 1.0 : 1.0 - static_cast<double>(std::abs(d)) / width);
    }
    for (std::int64_t bag = 0; bag < bags(); ++bag) {
      std::vector<double> buffer;
      for (const Spot& spot : spots(bag)) {
        const Sequence x = sequence(spot, buffer);
        own_.push_back(log_alignments(x, x));
      }
    }
  }

  void affinities(const Probe& z, const Run& run, double* out) const override {
    const Sequence ready = sequence(z);
    const double own = log_alignments(ready, ready);
    thread_local std::vector<double> buffer;
    for (const Stretch& stretch : stretches(run)) {
      const Segment& segment = *stretch.segment;
      for (std::int64_t j = 0; j < stretch.count; ++j) {
        const Spot spot{&segment, stretch.offset + j};
        const double x_own = own_[at(segment.first + spot.offset)];
        out[j] = normalised(log_alignments(sequence(spot, buffer), ready), x_own, own);
        if (view().tau > 0.0) out[j] = placed(out[j], place(segment, run.bag, spot.offset) - z.place);
      }
      out += stretch.count;
    }
  }

  [[nodiscard]] double similarity(const Probe& z, const Probe& x) const override {
    const Sequence left = sequence(x);
    const Sequence right = sequence(z);
    double affinity =
        normalised(log_alignments(left, right), log_alignments(left, left), log_alignments(right, right));
    if (view().tau > 0.0) affinity = placed(affinity, x.place - z.place);
    return view().kernel.value(affinity);
  }

  [[nodiscard]] double distance(std::int64_t x, std::int64_t y) const override {
    const Probe left = probe(x);
    const Probe right = probe(y);
    std::vector<double> parts(at(length()));
    return squared_distance(sequence(left), sequence(right), parts.data());
  }

  [[nodiscard]] std::int64_t bytes() const override {
    return Windows::bytes() + static_cast<std::int64_t>(sizeof(double) * own_.size());
  }

 private:
  /// log K is at most 0, except for rounding.
  [[nodiscard]] static double normalised(double both, double x, double z) {
    return std::min(0.0, both - 0.5 * (x + z));
  }

  /// log G(x, z).
  [[nodiscard]] double log_alignments(const Sequence& x, const Sequence& z) const {
    const double sum = scaled_sum(x, z);
    if (sum < kSmallest) return log_sum_of_paths(x, z);
    return std::log(sum) - 2.0 * static_cast<double>(length() - 1) * std::log(kLambda);
  }

  /// lambda^(2 (length - 1)) G(x, z), cell by cell: row i holds the sums over the paths that end in
  /// (i, j). Entry j + 1 of a row belongs to column j; whatever lies outside the band stays 0.
  [[nodiscard]] double scaled_sum(const Sequence& x, const Sequence& z) const {
    thread_local std::vector<double> rows[2];
    thread_local std::vector<double> kappa;
    thread_local std::vector<double> entering;
    for (std::vector<double>& row : rows) row.assign(at(length() + 1), 0.0);
    kappa.resize(at(length()));
    entering.resize(at(length()));
    double* before = rows[0].data() + 1;
    double* now = rows[1].data() + 1;
    before[-1] = 1.0 / (kLambda * kLambda);  // every path begins with a step to (0, 0)
    for (std::int64_t i = 0; i < length(); ++i) {
      const std::int64_t from = std::max<std::int64_t>(0, i - reach());
      const std::int64_t cells = std::min(length() - 1, i + reach()) - from + 1;
      step_costs(x, i, z, from, from + cells - 1, kappa.data());
      scaled_exp(-sigma_, kappa.data(), static_cast<long>(cells));
      const double* omega = omega_.data() + reach() + from - i;
      double* in = entering.data();
      double* k = kappa.data();
      for (std::int64_t j = 0; j < cells; ++j) {
        const double twice_t = omega[j] * k[j];
        k[j] = twice_t / (2.0 - twice_t);
        in[j] = k[j] * (kLambda * before[from + j] + kLambda * kLambda * before[from + j - 1]);
      }
      double left = 0.0;
      for (std::int64_t j = 0; j < cells; ++j) {
        left = in[j] + kLambda * k[j] * left;
        now[from + j] = left;
      }
      before[-1] = 0.0;
      std::swap(before, now);
    }
    return before[length() - 1];
  }

  /// log G(x, z) by sums of logarithms: slower, and safe where G would underflow.
  [[nodiscard]] double log_sum_of_paths(const Sequence& x, const Sequence& z) const {
    std::vector<double> before(at(length() + 1), -kInfinity);
    std::vector<double> now(before);
    for (std::int64_t i = 0; i < length(); ++i) {
      const std::int64_t from = std::max<std::int64_t>(0, i - reach());
      const std::int64_t to = std::min(length() - 1, i + reach());
      now[at(from)] = -kInfinity;
      for (std::int64_t j = from; j <= to; ++j) {
        const double omega = omega_[at(reach() + j - i)];
        const double exponent = -sigma_ * step_cost(x, i, z, j);
        const double log_kappa = std::log(omega) + exponent - std::log(2.0 - omega * std::exp(exponent));
        const double paths = i == 0 && j == 0 ? 0.0 : log_sum(before[at(j + 1)], now[at(j)], before[at(j)]);
        now[at(j + 1)] = log_kappa + paths;
      }
      std::swap(before, now);
    }
    return before.back();
  }

  double sigma_;
  std::vector<double> omega_;  // of j - i = -reach ... reach
  std::vector<double> own_;    // log G(x, x) of each window
};

}  // namespace

std::unique_ptr<Instances> gak_windows(const Dataset& data, const View& view) {
  return std::make_unique<GakWindows>(data, view);
}

}  // namespace shapeboost::detail
