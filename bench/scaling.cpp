// SPDX-License-Identifier: MIT
// Does the cost of a round grow linearly in N, the number of instances? Synthetic series, windows of 32 time
// steps, one thread; N grows in two ways, by longer series and by more of them. Measured is the processor
// time between the reports of two rounds, separately for rounds that take single instances from the table and
// for rounds of the DC algorithm; what is done once (the tables) falls into the first round, listed as
// "first". Also measured are the oracle's two questions alone, each for a shapelet of eight instances that is
// new to it.
//
// The cost of a question must grow with an exponent near 1. A DC round also solves linear programs, whose
// size does not depend on N and whose number varies: no exponent may exceed 1.35. When the number of bags
// grows, so does the master: that part is reported, not checked.
#include <cstdio>

#include "bench.hpp"
#include "ground/parallel.hpp"
#include "ground/rng.hpp"
#include "oracle/local_oracle.hpp"
#include "oracle/table.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"

namespace {

using namespace shapeboost;

constexpr double kWindow = 32.0;
constexpr int kRounds = 60;
constexpr int kQuestions = 20;
constexpr double kLargestExponent = 1.35;

struct Cost {
  double instances = 0.0;
  double first = 0.0;
  double single = 0.0;  ///< mean over the rounds of this kind; 0 where there was none
  double refined = 0.0;
  double respond = 0.0;
  double price = 0.0;
};

Dataset series(std::int64_t examples, std::int64_t length) {
  SyntheticSettings settings;
  settings.examples = examples;
  settings.length = length;
  settings.noise = 0.6;  // enough that the DC algorithm has something to improve
  return planted_series(settings).data;
}

void measure_rounds(const Dataset& data, const TrainSettings& settings, Cost& cost) {
  bench::Stopwatch watch;
  double seconds[2] = {0.0, 0.0};
  int count[2] = {0, 0};
  Observer observer;
  observer.round = [&](const RoundRecord& record) {
    if (record.round == 1) {
      cost.first = watch.seconds();
    } else {
      seconds[record.refined ? 1 : 0] += watch.seconds();
      ++count[record.refined ? 1 : 0];
    }
    watch = bench::Stopwatch();
  };
  cost.instances = static_cast<double>(train(data, settings, observer).instances);
  if (count[0] > 0) cost.single = seconds[0] / count[0];
  if (count[1] > 0) cost.refined = seconds[1] / count[1];
}

void measure_questions(const Dataset& data, const View& view, Cost& cost) {
  ThreadPool pool(1);
  std::vector<int> labels;
  for (std::int64_t i = 0; i < data.size(); ++i) labels.push_back(data.label(i));
  constexpr std::int64_t kMemory = std::int64_t{1} << 30;
  const auto table = std::make_shared<const Table>(data, view, labels, TableSettings{}, pool);
  LocalOracle oracle(table, {}, kMemory - table->bytes(), pool);
  Rng rng(1);
  const auto ask = [&](const auto& question) {
    double seconds = 0.0;
    for (int q = 0; q < kQuestions; ++q) {
      std::vector<Term> terms;
      for (int t = 0; t < 8; ++t)
        terms.push_back({rng.below(oracle.all_instances()->instances().size()), 0.125});
      const bench::Stopwatch watch;
      question(terms);
      seconds += watch.seconds();
    }
    return seconds / kQuestions;
  };
  cost.respond = ask([&](const std::vector<Term>& terms) { (void)oracle.respond(terms); });
  cost.price = ask([&](const std::vector<Term>& terms) { (void)oracle.price_all(terms); });
}

Cost measure(std::int64_t examples, std::int64_t length) {
  const Dataset data = series(examples, length);
  TrainSettings settings;
  settings.members = 1;
  settings.lengths = {kWindow};
  settings.threads = 1;
  settings.boosting.max_rounds = kRounds;
  Cost cost;
  measure_rounds(data, settings, cost);
  settings.boosting.max_rounds = 1;
  measure_questions(data, train(data, settings).model.views[0], cost);
  return cost;
}

void report(const char* name, const std::vector<Cost>& costs, bool checked, bench::Findings& findings) {
  std::printf("%s\n%10s %10s %12s %12s %12s %12s\n", name, "N", "first s", "single ms", "DC ms", "respond ms",
              "price ms");
  std::vector<double> n;
  std::vector<double> refined;
  std::vector<double> respond;
  std::vector<double> price;
  for (const Cost& cost : costs) {
    std::printf("%10.0f %10.4f %12.4f %12.4f %12.4f %12.4f\n", cost.instances, cost.first, 1e3 * cost.single,
                1e3 * cost.refined, 1e3 * cost.respond, 1e3 * cost.price);
    n.push_back(cost.instances);
    refined.push_back(cost.refined);
    respond.push_back(cost.respond);
    price.push_back(cost.price);
    findings.results.push_back({{"sweep", name},
                                {"instances", cost.instances},
                                {"first_seconds", cost.first},
                                {"single_seconds", cost.single},
                                {"refined_seconds", cost.refined},
                                {"respond_seconds", cost.respond},
                                {"price_seconds", cost.price}});
  }
  const double exponents[] = {bench::log_slope(n, refined), bench::log_slope(n, respond),
                              bench::log_slope(n, price)};
  std::printf("exponents: DC round %.2f, respond %.2f, price %.2f\n", exponents[0], exponents[1],
              exponents[2]);
  int faults = 0;
  for (const double exponent : exponents) faults += checked && !(exponent <= kLargestExponent) ? 1 : 0;
  if (faults > 0) std::printf("WRONG: expected exponents of at most %.2f\n", kLargestExponent);
  findings.faults += faults;
}

}  // namespace

bench::Findings shapeboost::bench::run(const std::vector<std::string>& /*arguments*/) {
  Findings findings;
  std::vector<Cost> longer;
  for (std::int64_t length = 160; length <= 5120; length *= 2) longer.push_back(measure(40, length));
  std::vector<Cost> more;
  for (std::int64_t examples = 20; examples <= 640; examples *= 2) more.push_back(measure(examples, 160));
  report("40 series of growing length", longer, true, findings);
  report("a growing number of series of 160 time steps", more, false, findings);
  return findings;
}
