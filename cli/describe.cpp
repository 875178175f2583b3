// SPDX-License-Identifier: MIT
#include "describe.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ground/matrix.hpp"
#include "learn/baselines.hpp"
#include "output.hpp"
#include "view/instances.hpp"
#include "view/spectrum.hpp"
#include "view/windows.hpp"

namespace shapeboost::cli {
namespace {

/// Whether the window that begins at `start` has no gap.
bool complete(const Matrix& seen, const View& view, std::int64_t start) {
  for (std::int64_t j = 0; j < view.length; ++j) {
    if (seen.col(start + j * view.dilation).hasNaN()) return false;
  }
  return true;
}

/// Whether all channels of the view have enough numbers for one.
bool has_spectrum(const ArrayView& x, const View& view) {
  for (std::int64_t row = 0; row < view.rows(); ++row) {
    const auto known =
        std::ranges::count_if(x.row(view.channel(row)), [](double value) { return !std::isnan(value); });
    if (known < detail::kFewestForSpectrum) return false;
  }
  return true;
}

bool has_window(const ArrayView& x, bool gaps, const View& view) {
  if (view.transform == Transform::spectrum) return has_spectrum(x, view);
  const std::int64_t windows = windows_in(x.cols(), view);
  if (!gaps) return windows > 0;
  const Matrix seen = detail::seen_channels(mapped(x), view);
  for (std::int64_t start = 0; start < windows; ++start) {
    if (complete(seen, view, start)) return true;
  }
  return false;
}

}  // namespace

std::string describe_classes(const Dataset& data) {
  std::vector<std::int64_t> sizes(data.classes().size(), 0);
  for (std::int64_t i = 0; i < data.size(); ++i) ++sizes[static_cast<std::size_t>(data.label(i))];
  std::string text;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    text += (k > 0 ? ", " : "") + data.classes()[k] + " (" + grouped(sizes[k]) + ')';
  }
  return text;
}

std::string noun_of(DataKind kind) {
  return kind == DataKind::bags ? "bag" : kind == DataKind::series ? "series" : "sequence";
}

std::string describe(const Dataset& data) {
  const std::string lengths =
      data.min_length() == data.max_length() ? "" : grouped(data.min_length()) + " to ";
  const std::string many = counted(data.size(), noun_of(data.kind())) + " of " + lengths;
  if (data.kind() == DataKind::bags) {
    return many + counted(data.max_length(), "instance") + " with " + counted(data.width(), "feature");
  }
  std::string text = many + counted(data.max_length(), data.kind() == DataKind::series ? "value" : "symbol");
  if (data.width() > 1) text += " in " + counted(data.width(), "channel");
  if (data.has_missing()) text += ", some missing";
  return text;
}

std::string note_unseen(const Dataset& data, const std::vector<View>& views) {
  if (data.kind() == DataKind::bags) return "";
  std::int64_t some = 0;
  std::int64_t all = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const ArrayView x = data.values(i);
    const bool gaps = mapped(x).hasNaN();
    const auto seen = std::count_if(views.begin(), views.end(),
                                    [&](const View& view) { return has_window(x, gaps, view); });
    if (seen == 0) ++all;
    if (seen < static_cast<std::ptrdiff_t>(views.size())) ++some;
  }
  if (some == 0) return "";
  const std::string why = data.has_missing() ? "too short or too full of gaps" : "too short";
  const std::string noun = noun_of(data.kind());
  if (all == some) return counted(all, noun) + " " + why + " for every window: nothing was learned from them";
  return counted(some, noun) + " " + why + " for some of the windows" +
         (all > 0 ? ", " + grouped(all) + " for every one" : "");
}

std::string describe_stop(const Provenance& provenance) {
  const auto by = [&](Method method) { return provenance.method == to_string(method); };
  const auto stopped = [&](Stop stop) { return provenance.stopped == to_string(stop); };
  if (by(Method::mi_svm) || by(Method::MI_svm)) {
    const std::string chosen =
        by(Method::mi_svm) ? "the labels of instances" : "the instance chosen from each example";
    if (stopped(Stop::gap)) return "no change of " + chosen;
    if (stopped(Stop::stalled)) return chosen + " would change in a circle";
  }
  if (by(Method::l1_svm) && stopped(Stop::gap)) {
    return "no candidate left that improves the machine: the optimum";
  }
  if (stopped(Stop::gap)) {
    const std::string option = "--gap ";
    const std::size_t at = provenance.settings.find(option);
    if (at == std::string::npos) return "no pattern found that beats the margin";
    double gap = 0.0;
    std::from_chars(provenance.settings.data() + at + option.size(),
                    provenance.settings.data() + provenance.settings.size(), gap);
    return "no pattern found that beats the margin by more than " + significant(100.0 * gap, 3) + " %";
  }
  if (stopped(Stop::stalled)) return "the margin no longer rises, though patterns still beat it";
  if (stopped(Stop::nothing)) return "no pattern tells the classes apart";
  return provenance.stopped;
}

}  // namespace shapeboost::cli
