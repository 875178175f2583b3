// SPDX-License-Identifier: MIT
// What patterns of spectra say, told along the frequencies.
#include <algorithm>
#include <cmath>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "model/interval_reader.hpp"
#include "shapeboost/explanation.hpp"
#include "tell/record.hpp"
#include "view/spectrum.hpp"

namespace shapeboost {

std::int64_t spectral_period(const Model& model) {
  std::int64_t period = model.head && model.head->intervals ? model.head->intervals->period : 0;
  for (const View& view : model.views) {
    if (view.transform == Transform::spectrum) period = std::max(period, view.period);
  }
  return period;
}

Array<double> spectrum_of(const Dataset& data, std::int64_t example, std::int64_t period) {
  if (data.kind() != DataKind::series) throw InvalidInput("data: only series have spectra");
  if (period < 4 || period % 2 != 0) {
    throw InvalidInput("period: expected an even number of at least 4, found " + std::to_string(period));
  }
  return array_of(detail::spectra(Matrix(mapped(data.values(example))), period));
}

Array<double> spectral_evidence(const Model& model, const Dataset& data, const Responses& responses,
                                std::int64_t example, int part, std::span<const double> offset) {
  if (data.kind() != DataKind::series) throw InvalidInput("data: only series have spectra");
  const std::int64_t period = spectral_period(model);
  Array<double> result(data.values(example).rows(), period / 2);
  const Explanation explanation = detail::unsorted_explanation(model, responses, example, part);
  for (const IntervalContribution& c : explanation.intervals) {
    const Interval interval = model.head->intervals->at(c.number);
    if (interval.transform != Transform::spectrum) continue;
    const double value =
        c.value - (offset.empty() ? 0.0 : offset[model.hypotheses.size() * kEvidences + c.number]);
    const auto [first, last] = detail::interval_steps(interval, result.cols());
    for (std::int64_t k = first; k < last; ++k) result(interval.channel, k) += value / real(last - first);
  }
  for (const Contribution& c : explanation.contributions) {
    const View& view = model.views[at(model.hypotheses[at(c.hypothesis)].view)];
    if (c.position < 0 || view.transform != Transform::spectrum) continue;
    const double value =
        c.value - (offset.empty() ? 0.0 : offset[detail::entry_of(c.hypothesis, c.evidence)]);
    // Frequency k of a view is k / its period; views of members may have periods of their own.
    const double ratio = real(period) / real(view.period);
    const auto first = std::llround(ratio * real(c.position + 1)) - 1;
    const auto last =
        std::min<std::int64_t>(std::llround(ratio * real(c.position + view.span())), result.cols()) - 1;
    const double count = real(view.rows() * (last - first + 1));
    for (std::int64_t row = 0; row < view.rows(); ++row) {
      for (std::int64_t k = first; k <= last; ++k) result(view.channel(row), k) += value / count;
    }
  }
  return result;
}

}  // namespace shapeboost
