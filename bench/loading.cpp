// SPDX-License-Identifier: MIT
// How fast is a model read? Files of 1, 10 and 100 MB: megabytes a second must not fall with the size, and what is read must
// write the same text.
#include <algorithm>
#include <cstdio>

#include "bench.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"

namespace {

using namespace shapeboost;

constexpr double kLinear = 3.0;      // times slower a byte at most, beside the smallest
constexpr double kLeastRate = 50.0;  // megabytes a second: 100 MB within 2 s

/// The model with its hypotheses so many times, each with its share of the weight.
Model repeated(const Model& model, int times) {
  Model result = model;
  for (Part& part : result.parts) part.weights.clear();
  result.hypotheses.clear();
  for (int k = 0; k < times; ++k) {
    const auto first = static_cast<int>(result.hypotheses.size());
    result.hypotheses.insert(result.hypotheses.end(), model.hypotheses.begin(), model.hypotheses.end());
    for (std::size_t p = 0; p < model.parts.size(); ++p) {
      for (Weight weight : model.parts[p].weights) {
        weight.hypothesis += first;
        weight.w /= times;
        result.parts[p].weights.push_back(weight);
      }
    }
  }
  return result;
}

}  // namespace

bench::Findings bench::run(const std::vector<std::string>& /*arguments*/) {
  Findings findings;
  TrainSettings settings;
  settings.head = HeadKind::average;
  settings.members = 10;
  const Model model = train(planted_series({.examples = 40, .length = 200}).data, settings).model;
  const double own = static_cast<double>(to_json(model).size()) / 1e6;
  double first_rate = 0.0;
  std::printf("%10s %10s %10s\n", "MB", "seconds", "MB/s");
  for (const double wanted : {1.0, 10.0, 100.0}) {
    const std::string text = to_json(repeated(model, 1 + static_cast<int>(wanted / own)));
    const Stopwatch watch;
    const Model read = model_from_json(text, "model.json");
    const double seconds = watch.seconds();
    const double size = static_cast<double>(text.size()) / 1e6;
    std::printf("%10.1f %10.3f %10.1f\n", size, seconds, size / seconds);
    findings.results.push_back({{"megabytes", size}, {"seconds", seconds}});
    if (first_rate == 0.0) first_rate = size / seconds;
    if (to_json(read) != text || size / seconds < std::max(kLeastRate, first_rate / kLinear)) {
      std::printf(
          "WRONG: expected the same text, read at %.0f MB/s or more and a rate that does not fall with its "
          "size\n",
          kLeastRate);
      ++findings.faults;
    }
  }
  return findings;
}
