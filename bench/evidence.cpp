// SPDX-License-Identifier: MIT
// How fast is evidence read? All patterns of a head over the test series of the paper's eleven sets, by matrix products in single
// precision, against the same patterns' scores in double precision, window by window; and one series at a time through a
// prepared predictor. One thread. Answers must agree to 1e-5.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bench.hpp"
#include "model/pattern_reader.hpp"
#include "sets.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/trainer.hpp"

namespace {

using namespace shapeboost;

constexpr double kTolerance = 1e-5;
constexpr std::int64_t kSeries = 20;  // of the test part, for the slow reading

/// Patterns of two equal halves say the same, but are no single instances: they are read by their scores.
std::vector<Hypothesis> halved(const std::vector<Hypothesis>& patterns) {
  std::vector<Hypothesis> result = patterns;
  for (Hypothesis& pattern : result) {
    pattern.shapelet.instances.push_back(pattern.shapelet.instances.front());
    pattern.shapelet.alpha = {0.5, 0.5};
  }
  return result;
}

/// Seconds, and the best matches of all patterns in all series.
struct Reading {
  double seconds = 0.0;
  std::vector<float> best;
};

Reading read(const Model& model, const std::vector<Hypothesis>& patterns, const Dataset& data) {
  std::vector<std::unique_ptr<detail::PatternReader>> readers;
  std::vector<std::size_t> count;
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    std::vector<const Hypothesis*> own;
    for (const Hypothesis& pattern : patterns) {
      if (static_cast<std::size_t>(pattern.view) == v) own.push_back(&pattern);
    }
    count.push_back(own.size());
    readers.push_back(detail::make_reader(model.views[v], own));
  }
  Reading reading;
  detail::Readings readings;
  const bench::Stopwatch watch;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    for (std::size_t v = 0; v < readers.size(); ++v) {
      if (!readers[v]->read(data.values(i), data.name(i), readings)) continue;
      reading.best.insert(reading.best.end(), readings.best.begin(),
                          readings.best.begin() + static_cast<std::ptrdiff_t>(count[v]));
    }
  }
  reading.seconds = watch.seconds();
  return reading;
}

}  // namespace

bench::Findings shapeboost::bench::run(const std::vector<std::string>& /*arguments*/) {
  Findings findings;
  TrainSettings settings;
  settings.threads = 1;
  std::printf("%-22s %9s %12s %12s %7s %12s %10s\n", "data", "patterns", "products, s", "scores, s", "ratio",
              "difference", "one, ms");
  for (const PaperSet& set : paper_sets()) {
    const Predictor predictor(train(set.train, settings).model);
    const Model& model = predictor.model();
    std::vector<std::int64_t> first(static_cast<std::size_t>(std::min(kSeries, set.test.size())));
    for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<std::int64_t>(i);
    const Dataset some = set.test.subset(first);
    const Reading fast = read(model, model.hypotheses, some);
    const Reading slow = read(model, halved(model.hypotheses), some);
    double difference = fast.best.size() == slow.best.size() ? 0.0 : 1.0;
    for (std::size_t k = 0; k < std::min(fast.best.size(), slow.best.size()); ++k) {
      difference = std::max(difference,
                            std::abs(static_cast<double>(fast.best[k]) - static_cast<double>(slow.best[k])));
    }
    std::vector<double> alone;
    for (std::int64_t i = 0; i < some.size(); ++i) {
      const Dataset one = some.subset({i});
      const Stopwatch watch;
      (void)predictor.scores(one, 1);
      alone.push_back(1e3 * watch.seconds());
    }
    std::printf("%-22s %9zu %12.4f %12.4f %7.1f %12.1e %10.3f%s\n", set.name.c_str(), model.hypotheses.size(),
                fast.seconds, slow.seconds, slow.seconds / fast.seconds, difference, median(alone),
                set.generated ? "  (generated)" : "");
    findings.results.push_back({{"data", set.name},
                                {"patterns", model.hypotheses.size()},
                                {"products_seconds", fast.seconds},
                                {"scores_seconds", slow.seconds},
                                {"difference", difference},
                                {"one_series_ms", median(alone)}});
    if (!(difference <= kTolerance)) {
      std::printf("WRONG: expected best matches that agree to %.0e\n", kTolerance);
      ++findings.faults;
    }
  }
  return findings;
}
