// SPDX-License-Identifier: MIT
#include "view/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <unsupported/Eigen/FFT>
#include <utility>
#include <vector>

#include "ground/numbers.hpp"
#include "view/gaps.hpp"

namespace shapeboost::detail {
namespace {

/// To mean 0 and deviation 1; to zeros where all numbers are the same.
void standardise(std::vector<double>& x) {
  constexpr double kSmallestDeviation = 1e-10;  // a deviation below this share of the largest number
  double largest = 0.0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  if (largest > 0.0) {
    for (double& value : x) value /= largest;  // no square overflows
  }
  double mean = 0.0;
  for (const double value : x) mean += value / real(x.size());
  double variance = 0.0;
  for (const double value : x) variance += (value - mean) * (value - mean) / real(x.size());
  const double deviation = std::sqrt(variance);
  for (double& value : x) value = deviation > kSmallestDeviation ? (value - mean) / deviation : 0.0;
}

}  // namespace

void spectrum(std::span<const double> row, std::int64_t period, std::span<double> out) {
  // It keeps tables for every period that it was asked for, as large as the transforms; a model has one period.
  thread_local Eigen::FFT<double> fft;
  thread_local std::int64_t tables_of = 0;
  if (std::exchange(tables_of, period) != period) fft = Eigen::FFT<double>();
  std::ranges::fill(out, std::numeric_limits<double>::quiet_NaN());
  std::vector<double> x(row.begin(), row.end());
  const auto known = std::ranges::count_if(x, [](double value) { return !std::isnan(value); });
  if (known < kFewestForSpectrum) return;
  fill_gaps(x);
  fill_ends(x);
  standardise(x);
  // exp(-2 pi i k t / period) repeats itself: a longer series can be folded.
  std::vector<double> folded(at(period), 0.0);
  for (std::size_t first = 0; first < x.size(); first += at(period)) {
    const std::size_t count = std::min(at(period), x.size() - first);
    for (std::size_t t = 0; t < count; ++t) folded[t] += x[first + t];
  }
  std::vector<std::complex<double>> transformed;
  fft.fwd(transformed, folded);
  const double scale = std::sqrt(real(period) / real(x.size()));
  const Eigen::Map<const Eigen::ArrayXcd> of_frequency(transformed.data() + 1, std::ssize(out));
  const Eigen::ArrayXd amplitude = (1.0 + scale * of_frequency.abs2().sqrt()).log();  // aligned, unlike `out`
  std::ranges::copy(amplitude, out.begin());
}

Matrix spectra(const Matrix& rows, std::int64_t period) {
  Matrix result(rows.rows(), period / 2);
  for (Eigen::Index c = 0; c < rows.rows(); ++c) {
    spectrum({rows.row(c).data(), at(rows.cols())}, period, {result.row(c).data(), at(result.cols())});
  }
  return result;
}

std::int64_t quick_period(std::int64_t steps) {
  for (std::int64_t period = std::max<std::int64_t>(4, steps + steps % 2);; period += 2) {
    std::int64_t rest = period;
    for (const std::int64_t factor : {2, 3, 5}) {
      while (rest % factor == 0) rest /= factor;
    }
    if (rest == 1) return period;
  }
}

}  // namespace shapeboost::detail
