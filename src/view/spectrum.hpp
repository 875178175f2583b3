// SPDX-License-Identifier: MIT
// How much of each frequency is in a series.
#pragma once

#include <cstdint>
#include <span>

#include "ground/matrix.hpp"

namespace shapeboost::detail {

inline constexpr std::int64_t kFewestForSpectrum = 4;
/// A transform takes some 50 bytes a time step, however short the series is that it is of.
inline constexpr std::int64_t kLongestPeriod = std::int64_t{1} << 22;

/// For each row x of n time steps, its gaps filled by straight lines, its mean 0 and its deviation 1: the amplitudes
///
///     log(1 + sqrt(period / n) |sum_t x(t) exp(-2 pi i k t / period)|),    k = 1 ... period / 2,
///
/// of k / period cycles a time step. The frequencies are the same for series of any length, and so is the amplitude of
/// noise. All are 0 where x is constant, and missing where x has fewer than
/// kFewestForSpectrum numbers.
[[nodiscard]] Matrix spectra(const Matrix& rows, std::int64_t period);

/// The same of one row, to `out`, which has period / 2 numbers.
void spectrum(std::span<const double> row, std::int64_t period, std::span<double> out);

/// The smallest period that is at least `steps`, even, and a product of twos, threes and fives: quick to transform.
[[nodiscard]] std::int64_t quick_period(std::int64_t steps);

}  // namespace shapeboost::detail
