// SPDX-License-Identifier: MIT
// What does sharing work save in cross-validation? Three sigma scales and two values of nu, five folds, on
// some of the paper's sets and on synthetic bags: select() against plain loops over train and predict. One
// thread.
//
// Both must count the same correct predictions.
#include "shapeboost/selection.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include "bench.hpp"
#include "sets.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"

namespace {

using namespace shapeboost;

struct Example {
  std::string name;
  Dataset data;
  bool generated;
  int members;
  Weak weak = Weak::sparse;
};

std::vector<Example> examples() {
  constexpr std::int64_t kMostValues = 9'000;  // in a training set; larger ones take minutes
  std::vector<Example> list;
  for (const bench::PaperSet& set : bench::paper_sets()) {
    if (set.train.size() * set.train.max_length() > kMostValues) continue;
    for (const int members : {1, 100}) list.push_back({set.name, set.train, set.generated, members});
  }
  SyntheticSettings settings;
  settings.examples = 60;
  settings.length = 50;
  settings.features = 100;
  settings.noise = 1.0;
  const Dataset bags = planted_bags(settings).data;
  for (const Weak weak : {Weak::sparse, Weak::ball}) {
    list.push_back({"bags, " + std::string(to_string(weak)), bags, true, 1, weak});
  }
  return list;
}

std::vector<Choice> choices_of(int members, Weak weak) {
  std::vector<Choice> choices;
  for (const double scale : {1.0, 2.0, 4.0}) {
    for (const double nu : {0.1, 0.2}) {
      Choice& choice = choices.emplace_back();
      choice.name = "choice " + std::to_string(choices.size());
      choice.settings.members = members;
      choice.settings.boosting.weak = weak;
      choice.settings.threads = 1;
      choice.settings.sigma_scales = {scale};
      choice.settings.boosting.nu = nu;
    }
  }
  return choices;
}

std::vector<Cell> separately(const Dataset& data, const std::vector<Choice>& choices,
                             const SelectionSettings& settings) {
  std::vector<Cell> cells;
  const std::vector<int> fold_of = stratified_folds(data, settings.folds, 0, settings.seed);
  for (int f = 0; f < settings.folds; ++f) {
    std::vector<std::int64_t> train_on;
    std::vector<std::int64_t> test_on;
    for (std::int64_t i = 0; i < data.size(); ++i) {
      (fold_of[static_cast<std::size_t>(i)] == f ? test_on : train_on).push_back(i);
    }
    const Dataset test = data.subset(test_on);
    for (std::size_t c = 0; c < choices.size(); ++c) {
      const Model model = train(data.subset(train_on), choices[c].settings).model;
      const std::vector<int> predicted = predictions(model, scores(model, test, 1));
      Cell cell{static_cast<int>(c), 0, f,
                test.size(),         0, static_cast<std::int64_t>(model.hypotheses.size())};
      for (std::int64_t i = 0; i < test.size(); ++i) {
        if (predicted[static_cast<std::size_t>(i)] == test.label(i)) ++cell.correct;
      }
      cells.push_back(cell);
    }
  }
  return cells;
}

}  // namespace

bench::Findings shapeboost::bench::run(const std::vector<std::string>& /*arguments*/) {
  Findings findings;
  SelectionSettings settings;
  settings.threads = 1;
  settings.trial_members = 0;  // full committees, as the plain loops train them
  std::printf("%-22s %8s %9s %9s %6s %9s\n", "data", "members", "separate", "shared", "ratio", "accuracy");
  for (const auto& [name, data, generated, members, weak] : examples()) {
    const std::vector<Choice> choices = choices_of(members, weak);
    const Stopwatch shared_watch;
    const Selection selection = select(data, choices, settings);
    const double shared = shared_watch.seconds();
    const Stopwatch separate_watch;
    const std::vector<Cell> cells = separately(data, choices, settings);
    const double separate = separate_watch.seconds();
    const double accuracy = selection.results[static_cast<std::size_t>(selection.best)].accuracy;
    std::printf("%-22s %8d %9.2f %9.2f %6.2f %9.3f%s\n", name.c_str(), members, separate, shared,
                separate / shared, accuracy, generated ? "  (generated)" : "");
    std::fflush(stdout);
    findings.results.push_back({{"data", name},
                                {"generated", generated},
                                {"members", members},
                                {"separate", separate},
                                {"shared", shared},
                                {"tables_made", selection.tables_made},
                                {"tables_remade", selection.tables_remade}});
    if (cells != selection.cells) {
      std::printf("WRONG: sharing changed a prediction\n");
      ++findings.faults;
    }
  }
  return findings;
}
