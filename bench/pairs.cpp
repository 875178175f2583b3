// SPDX-License-Identifier: MIT
// What do answers of many classes cost, that were trained in pairs? Scores of 25 to 400 classes, made up: there are some C^2
// pairs, and an answer may take time in proportion to them, but not to their square.
//
// Answers must be those that are counted pair by pair, and time must grow by less than C^3.
#include <cstdio>
#include <vector>

#include "bench.hpp"
#include "ground/rng.hpp"
#include "shapeboost/predictor.hpp"

namespace {

using namespace shapeboost;

constexpr std::int64_t kExamples = 20;

Model model_of(int classes) {
  Model model;
  model.kind = DataKind::series;
  model.strategy = Strategy::one_vs_one;
  for (int k = 0; k < classes; ++k) model.classes.push_back("c" + std::to_string(k));
  model.parts = parts_for(classes, model.strategy);
  return model;
}

/// Class `right` wins all of its pairs, the others some.
Scores scores_of(const Model& model, int right, Rng& rng) {
  Scores scores;
  scores.parts = Array<double>(kExamples, std::ssize(model.parts));
  for (std::int64_t i = 0; i < kExamples; ++i) {
    for (std::size_t p = 0; p < model.parts.size(); ++p) {
      const double x = std::abs(rng.normal()) + 0.1;
      const Part& part = model.parts[p];
      const bool positive = part.positive == right || (part.negative != right && rng.below(2) == 0);
      scores.parts(i, static_cast<std::int64_t>(p)) = positive ? x : -x;
    }
  }
  return scores;
}

}  // namespace

bench::Findings shapeboost::bench::run(const std::vector<std::string>& /*arguments*/) {
  constexpr int kTimes = 5;
  constexpr double kSteepest = 3.0;
  Findings findings;
  std::vector<double> sizes;
  std::vector<double> costs;
  Rng rng(1);
  std::printf("%8s %9s %12s\n", "classes", "pairs", "ms");
  for (const int classes : {25, 50, 100, 200, 400}) {
    const Model model = model_of(classes);
    const Scores scores = scores_of(model, classes / 2, rng);
    std::vector<double> seconds;
    for (int k = 0; k < kTimes; ++k) {
      const Stopwatch watch;
      const std::vector<int> answers = predictions(model, scores);
      seconds.push_back(watch.seconds());
      for (const int answer : answers) findings.faults += answer == classes / 2 ? 0 : 1;
    }
    sizes.push_back(classes);
    costs.push_back(median(seconds));
    std::printf("%8d %9zu %12.3f\n", classes, model.parts.size(), 1e3 * costs.back());
    findings.results.push_back(
        {{"classes", classes}, {"pairs", model.parts.size()}, {"seconds", costs.back()}});
  }
  const double slope = log_slope(sizes, costs);
  std::printf("time grows by C^%.2f\n", slope);
  findings.results.push_back({{"slope", slope}});
  if (slope > kSteepest) {
    std::printf("WRONG: time grows by more than C^%.0f\n", kSteepest);
    ++findings.faults;
  }
  if (findings.faults > 0) std::printf("WRONG: %d faults\n", findings.faults);
  return findings;
}
