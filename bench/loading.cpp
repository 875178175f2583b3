// SPDX-License-Identifier: MIT
// How fast is a model read? Files of 1, 10 and 100 MB, as they are written today and as version 2 had them: megabytes a second must not fall
// with the size, 100 MB of the old kind take 2 s at most, and what is read must write the same text. FiftyWords, trained with no options,
// is read within 0.2 s, and so is fox, whose bags make the largest model of twelve sets: 10 MB at most.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "bench.hpp"
#include "ground/json.hpp"
#include "sets.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"

namespace {

using namespace shapeboost;

constexpr double kLinear = 3.0;      // times slower a byte at most, beside the smallest
constexpr double kLeastRate = 50.0;  // megabytes a second: 100 MB within 2 s
constexpr double kFiftyWords = 0.2;  // seconds
constexpr double kFox = 0.2;
constexpr double kFoxMegabytes = 10.0;
constexpr int kTimes = 3;  // of which the median counts

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

/// The file of version 2: other fields in its views, and a blank behind every comma.
std::string as_version_2(const std::string& text) {
  detail::Json json = detail::Json::parse(text);
  json["version"] = 2;
  for (detail::Json& view : json["views"]) {
    view["differences"] = view["transform"] == "differences";
    view["channel"] = "all";  // there is one
    view.erase("transform");
    view.erase("channels");
  }
  json.erase("digest");
  json["digest"] = detail::fnv1a(detail::compact(json));
  const std::string close = detail::pretty(json);
  std::string spaced;
  spaced.reserve(close.size() * 6 / 5);
  for (std::size_t k = 0; k < close.size(); ++k) {
    spaced += close[k];
    if (close[k] == ',' &&
        (close[k + 1] == '-' || std::isdigit(static_cast<unsigned char>(close[k + 1])) != 0))
      spaced += ' ';
  }
  return spaced;
}

class Timings {
 public:
  explicit Timings(bench::Findings& findings) : findings_(findings) {
    std::printf("%-12s %10s %10s %10s\n", "model", "MB", "seconds", "MB/s");
  }

  /// Reads the text, which must come out as `expected`, within so many seconds.
  double row(const char* name, const std::string& text, const std::string& expected, double most_seconds) {
    std::vector<double> seconds;
    Model read;
    for (int k = 0; k < kTimes; ++k) {
      const bench::Stopwatch watch;
      read = model_from_json(text, "model.json");
      seconds.push_back(watch.seconds());
    }
    const double taken = bench::median(seconds);
    const double size = static_cast<double>(text.size()) / 1e6;
    std::printf("%-12s %10.1f %10.3f %10.1f\n", name, size, taken, size / taken);
    findings_.results.push_back({{"model", name}, {"megabytes", size}, {"seconds", taken}});
    if (to_json(read) != expected || taken > most_seconds) {
      std::printf("WRONG: expected the same model, read within %.2f s\n", most_seconds);
      ++findings_.faults;
    }
    return size / taken;
  }

 private:
  bench::Findings& findings_;
};

}  // namespace

bench::Findings bench::run(const std::vector<std::string>& /*arguments*/) {
  Findings findings;
  TrainSettings settings;
  settings.head = HeadKind::average;
  settings.members = 10;
  const Model model = train(planted_series({.examples = 40, .length = 200}).data, settings).model;
  const auto megabytes = [](const std::string& text) { return static_cast<double>(text.size()) / 1e6; };
  const double once = megabytes(to_json(model));
  const double more = megabytes(to_json(repeated(model, 2))) - once;  // what training tells is there once
  Timings table(findings);
  double old_rate = 0.0;
  double new_rate = 0.0;
  for (const double wanted : {1.0, 10.0, 100.0}) {
    const std::string text =
        to_json(repeated(model, 1 + static_cast<int>(std::ceil((wanted - once) / more))));
    const auto most = [&](const std::string& file, double first_rate) {
      return megabytes(file) / std::max(kLeastRate, first_rate / kLinear);
    };
    const std::string old = as_version_2(text);
    const double rate = table.row("version 2", old, text, most(old, old_rate));
    const double rate_today = table.row("today's", text, text, most(text, new_rate));
    if (old_rate == 0.0) old_rate = rate;
    if (new_rate == 0.0) new_rate = rate_today;
  }
  if (const std::optional<Dataset> words = training_part("FiftyWords")) {
    const std::string text = to_json(train(*words, {}).model);
    table.row("FiftyWords", text, text, kFiftyWords);
  } else {
    std::printf("FiftyWords: skipped, its file is not there\n");
  }
  if (const std::optional<Dataset> bags = bags_of("fox")) {
    const std::string text = to_json(train(*bags, {}).model);
    table.row("fox", text, text, kFox);
    if (megabytes(text) > kFoxMegabytes) {
      std::printf("WRONG: expected %.0f MB at most\n", kFoxMegabytes);
      ++findings.faults;
    }
  } else {
    std::printf("fox: skipped, its file is not there\n");
  }
  return findings;
}
