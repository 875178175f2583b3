// SPDX-License-Identifier: MIT
// What the explorer knows of each example: its numbers, and why it was classified so.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "ground/numbers.hpp"
#include "shapeboost/base.hpp"
#include "tell/json.hpp"
#include "tell/record.hpp"
#include "tell/report.hpp"

namespace shapeboost::detail {
namespace {

constexpr std::size_t kTold = 12;      // contributions of an entry, by size and by distance from the average
constexpr std::size_t kFeatures = 12;  // of the instance that counts most
constexpr std::int64_t kBins = 100;    // of evidence along a series
constexpr std::int64_t kMissing = -32768;

/// Series as 16-bit numbers between the least and the largest value of each channel; symbols as bytes.
Json values_json(const ReportWork& work) {
  if (work.data.kind() == DataKind::bags) return nullptr;
  const std::int64_t channels = work.data.width();
  if (work.data.kind() == DataKind::sequences) {
    Column<std::uint8_t> codes;
    for (const std::int64_t i : work.shown) {
      for (const double code : work.data.values(i).row(0)) codes.add(code);
    }
    return {{"codes", codes}};
  }
  std::vector<double> low(at(channels), INFINITY);
  std::vector<double> high(at(channels), -INFINITY);
  for (const std::int64_t i : work.shown) {
    const ArrayView series = work.data.values(i);
    for (std::int64_t c = 0; c < series.rows(); ++c) {
      for (const double value : series.row(c)) {
        if (std::isnan(value)) continue;
        low[at(c)] = std::min(low[at(c)], value);
        high[at(c)] = std::max(high[at(c)], value);
      }
    }
  }
  for (std::size_t c = 0; c < low.size(); ++c) {
    if (!std::isfinite(low[c])) low[c] = high[c] = 0.0;
    if (!(low[c] < high[c])) high[c] = low[c] + 1.0;
  }
  Column<std::int16_t> quantised;
  for (const std::int64_t i : work.shown) {
    const ArrayView series = work.data.values(i);
    for (std::int64_t c = 0; c < series.rows(); ++c) {
      for (const double value : series.row(c)) {
        const double share = (value - low[at(c)]) / (high[at(c)] - low[at(c)]);
        quantised.add(std::isnan(value) ? kMissing : std::lround(65534.0 * share) - 32767);
      }
    }
  }
  return {{"low", low}, {"high", high}, {"values", quantised}};
}

/// The entry's contributions that matter, as columns of flat arrays.
struct Columns {
  Column<std::int32_t> hypothesis;
  Column<float> value;
  Column<float> average;  // what the hypothesis contributes on average to the part's examples
  Column<float> response;
  Column<std::int32_t> position;
  Column<std::uint8_t> evidence;
  Column<std::int32_t> first{0};  // of each entry; then the end

  void add(const Contribution& c, double mean) {
    hypothesis.add(c.hypothesis);
    value.add(c.value);
    average.add(mean);
    response.add(c.response);
    position.add(c.position);
    evidence.add(c.evidence);
  }
  /// Without a head all evidence is the same.
  [[nodiscard]] Json json(bool head) const {
    Json json{{"hypothesis", hypothesis}, {"value", value},       {"average", average},
              {"response", response},     {"position", position}, {"first", first}};
    if (head) json["evidence"] = evidence;
    return json;
  }
};

/// What the instances of bags say, bag after bag.
struct BagColumns {
  Column<float> added;  // by an instance to the bag's score
  Column<float> score;  // of an instance by itself
  Column<std::int32_t> first{0};
  Column<std::int32_t> feature;  // those of the instance that counts most
  Column<float> credit;
  Column<std::int32_t> first_feature{0};
  Column<float> by_evidence;  // of each kind that the head weighs, what it adds to the bag's score

  void add(const ReportWork& work, const Entry& entry, const Explanation& e) {
    const std::int64_t count = work.data.rows(entry.example);
    const std::vector<double> sums = instance_contributions(work.model, work.data, entry.example, e);
    const Scores alone = work.predictor.instance_scores(work.data.subset({entry.example}), 1);
    for (std::int64_t x = 0; x < count; ++x) {
      added.add(sums[at(x)]);
      score.add(alone.parts(x, entry.part));
    }
    first.add(added.size());
    const std::vector<double> credits =
        feature_credits(work.model, work.data, entry.example, e, by_size(sums).front());
    const std::vector<std::int64_t> order = by_size(credits);
    for (std::size_t k = 0; k < std::min(kFeatures, order.size()) && credits[at(order[k])] != 0.0; ++k) {
      feature.add(order[k]);
      credit.add(credits[at(order[k])]);
    }
    first_feature.add(feature.size());
    if (!work.model.head) return;
    const std::array<double, kEvidences> of_kind = evidence_sums(e);
    for (const Evidence one : work.model.head->evidence) {
      by_evidence.add(of_kind[static_cast<std::size_t>(one)]);
    }
  }
  [[nodiscard]] Json json() const {
    return {{"added", added},
            {"score", score},
            {"first", first},
            {"feature", feature},
            {"credit", credit},
            {"first_feature", first_feature},
            {"by_evidence", by_evidence}};
  }
};

/// The `count` first in the order of size(k), from `begin`; equals as they come.
void put_largest_first(std::vector<std::size_t>& order, std::size_t begin, std::size_t count,
                       const auto& size) {
  const auto from = order.begin() + static_cast<std::ptrdiff_t>(begin);
  std::partial_sort(from, from + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      const double of_a = size(a);
                      const double of_b = size(b);
                      return of_a != of_b ? of_a > of_b : a < b;
                    });
}

/// The largest contributions, then those that set the example apart as far as they are not among the largest.
std::vector<Contribution> told_of(const std::vector<Contribution>& all, const std::vector<double>& mean) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0U);
  const std::size_t largest = std::min(kTold, all.size());
  const std::size_t apart = std::min(kTold, all.size() - largest);
  put_largest_first(order, 0, largest, [&](std::size_t k) { return std::abs(all[k].value); });
  put_largest_first(order, largest, apart, [&](std::size_t k) {
    return std::abs(all[k].value - mean[entry_of(all[k].hypothesis, all[k].evidence)]);
  });
  std::vector<Contribution> told;
  for (std::size_t k = 0; k < largest + apart; ++k) told.push_back(all[order[k]]);
  return told;
}

}  // namespace

std::int64_t evidence_bins(const Dataset& data) {
  return std::min(kBins, std::max<std::int64_t>(1, data.max_length()));
}

std::vector<char> concerned(const ReportWork& work, int part) {
  const Part& of = work.model.parts[at(part)];
  std::vector<char> result(work.labels.size(), 0);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const int known = work.labels[i] == kUnlabelled ? work.predicted[i] : work.labels[i];
    result[i] = of.negative == kRest || known == of.positive || known == of.negative ? 1 : 0;
  }
  return result;
}

const std::vector<double>& mean_of(const ReportWork& work, int part) {
  const auto [known, fresh] = work.means.try_emplace(part);
  if (fresh) known->second = mean_contributions(work.model, work.responses, part, concerned(work, part));
  return known->second;
}

std::vector<double> binned_evidence(const ReportWork& work, std::int64_t example, int part,
                                    std::int64_t bins) {
  const Array<double> each =
      evidence(work.model, work.data, work.responses, example, part, mean_of(work, part));
  std::vector<double> binned(at(each.rows() * bins), 0.0);
  for (std::int64_t c = 0; c < each.rows(); ++c) {
    for (std::int64_t t = 0; t < each.cols(); ++t) {
      // A time step is spread over the bins that it covers: bins and steps need not match.
      const double begin = real(t * bins) / real(each.cols());
      const double end = real((t + 1) * bins) / real(each.cols());
      for (auto b = static_cast<std::int64_t>(begin); b < bins && real(b) < end; ++b) {
        const double common = std::min(end, real(b + 1)) - std::max(begin, real(b));
        if (common > 0.0) binned[at(c * bins + b)] += each(c, t) * common / (end - begin);
      }
    }
  }
  return binned;
}

Json examples_json(const ReportWork& work, const std::vector<Entry>& entries) {
  Column<std::int32_t> index;
  Column<std::int32_t> length;
  Column<std::int16_t> label;
  Column<std::int16_t> predicted;
  Column<double> score;
  Column<std::int32_t> first_entry;
  Json names = Json::array();
  std::size_t entry = 0;
  for (const std::int64_t i : work.shown) {
    index.add(i);
    length.add(work.data.kind() == DataKind::bags ? work.data.rows(i) : work.data.values(i).cols());
    label.add(work.labels[at(i)]);
    predicted.add(work.predicted[at(i)]);
    score.add(work.scores.parts(i, work.telling[at(i)]));
    names.push_back(work.data.name(i));
    first_entry.add(entry);
    while (entry < entries.size() && entries[entry].example == i) ++entry;
  }
  first_entry.add(entry);
  return {{"index", index},
          {"name", names},
          {"length", length},
          {"label", label},
          {"predicted", predicted},
          {"score", score},
          {"first_entry", first_entry},
          {"values", values_json(work)}};
}

Json entries_json(const ReportWork& work, const std::vector<Entry>& entries, std::vector<char>& used) {
  const bool bags = work.data.kind() == DataKind::bags;
  const std::int64_t bins = bags ? 0 : evidence_bins(work.data);
  Column<std::int16_t> part;
  Column<double> score;
  Column<std::int16_t> evidence_share;
  Column<float> evidence_unit;
  Column<float> intervals;  // of a head with intervals, what they add
  Columns columns;
  BagColumns bag_columns;
  for (const Entry& entry : entries) {
    const Explanation e = unsorted_explanation(work.model, work.responses, entry.example, entry.part);
    part.add(entry.part);
    score.add(e.score);
    if (bags) bag_columns.add(work, entry, e);
    if (work.model.head && work.model.head->intervals) intervals.add(interval_sum(e));
    const std::vector<double>& mean = mean_of(work, entry.part);
    for (const Contribution& c : told_of(e.contributions, mean)) {
      columns.add(c, mean[entry_of(c.hypothesis, c.evidence)]);
      used[at(c.hypothesis)] = 1;
    }
    columns.first.add(columns.hypothesis.size());
    if (bags) continue;
    const std::vector<double> curve = binned_evidence(work, entry.example, entry.part, bins);
    double unit = 1e-300;
    for (const double value : curve) unit = std::max(unit, std::abs(value));
    for (const double value : curve) evidence_share.add(std::lround(32767.0 * value / unit));
    evidence_unit.add(unit);
  }
  Json averages = Json::object();  // the sum over all hypotheses, for the rest of the waterfall
  for (const auto& [p, mean] : work.means) {
    averages[std::to_string(p)] = std::accumulate(mean.begin(), mean.end(), 0.0);
  }
  Json json{{"part", part},
            {"score", score},
            {"largest", kTold},
            {"averages", averages},
            {"contributions", columns.json(work.model.head.has_value())}};
  if (work.model.head && work.model.head->intervals) json["intervals"] = intervals;
  if (bags) {
    json["bags"] = bag_columns.json();
  } else {
    json["evidence"] = {{"bins", bins}, {"share", evidence_share}, {"unit", evidence_unit}};
  }
  return json;
}

}  // namespace shapeboost::detail
