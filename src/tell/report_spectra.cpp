// SPDX-License-Identifier: MIT
// The spectrum of each series that the explorer shows, and where in it the evidence lies.
#include <algorithm>
#include <cmath>

#include "ground/numbers.hpp"
#include "tell/json.hpp"
#include "tell/report.hpp"

namespace shapeboost::detail {
namespace {

constexpr std::int64_t kMostBins = 120;
constexpr double kLevels = 255.0;

}  // namespace

Json spectra_json(const ReportWork& work, const std::vector<Entry>& entries) {
  const std::int64_t period = spectral_period(work.model);
  if (period == 0) return nullptr;
  const std::int64_t frequencies = period / 2;
  const std::int64_t step = (frequencies + kMostBins - 1) / kMostBins;  // frequencies in a bin
  const std::int64_t bins = (frequencies + step - 1) / step;
  std::vector<double> highest;  // amplitude in each bin, example after example, channel after channel
  for (const std::int64_t i : work.shown) {
    const Array<double> amplitudes = spectrum_of(work.data, i, period);
    for (std::int64_t c = 0; c < amplitudes.rows(); ++c) {
      for (std::int64_t k = 0; k < frequencies; ++k) {
        if (k % step == 0) highest.push_back(0.0);
        if (amplitudes(c, k) > highest.back()) highest.back() = amplitudes(c, k);  // none where it is missing
      }
    }
  }
  const double top = highest.empty() ? 0.0 : *std::ranges::max_element(highest);
  Column<std::uint8_t> amplitude;
  for (const double one : highest) amplitude.add(top > 0.0 ? std::lround(kLevels * one / top) : 0);

  Column<std::int16_t> share;
  Column<float> unit;
  for (const Entry& entry : entries) {
    const Array<double> each = spectral_evidence(work.model, work.data, work.responses, entry.example,
                                                 entry.part, mean_of(work, entry.part));
    std::vector<double> curve(at(each.rows() * bins), 0.0);
    for (std::int64_t c = 0; c < each.rows(); ++c) {
      for (std::int64_t k = 0; k < each.cols(); ++k) curve[at(c * bins + k / step)] += each(c, k);
    }
    double most = 1e-300;
    for (const double value : curve) most = std::max(most, std::abs(value));
    for (const double value : curve) share.add(std::lround(32767.0 * value / most));
    unit.add(most);
  }
  double rate = 0.0;
  for (const View& view : work.model.views) rate = std::max(rate, view.rate);
  return {{"rate", rate}, {"period", period},       {"step", step},   {"bins", bins},
          {"top", top},   {"amplitude", amplitude}, {"share", share}, {"unit", unit}};
}

}  // namespace shapeboost::detail
