// SPDX-License-Identifier: MIT
#include "select/experiment.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ground/numbers.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/selection.hpp"
#include "support/matrices.hpp"
#include "support/planted.hpp"
#include "train/plan.hpp"

namespace shapeboost {
namespace {

using examples::sentence;

Dataset series(std::uint64_t seed, std::int64_t count = 18) {
  return examples::small_series(seed, count, 0.9, 40);
}

/// k-means, which the seed moves, and widths so different that the choice matters.
std::vector<Choice> some_choices() {
  std::vector<Choice> choices;
  for (const double sigma : {1e-6, 0.05, 2.0}) {
    TrainSettings settings = examples::single();
    settings.lengths = {0.2};
    settings.kernel.sigma = sigma;
    settings.candidates = Candidates::parse("kmeans:4");
    settings.boosting.max_rounds = 8;
    settings.seed = 3;
    choices.push_back({"sigma " + std::to_string(sigma), settings});
  }
  return choices;
}

ExperimentSettings small(int threads = 1) {
  ExperimentSettings settings;
  settings.runs = 2;
  settings.folds = 3;
  settings.inner_folds = 2;
  settings.seed = 5;
  settings.threads = threads;
  return settings;
}

struct Result {
  std::vector<Trial> trials;
  std::map<std::pair<int, int>, std::string> models;  // of each run and fold
  int begun = 0;
  int done = 0;
  int selecting = 0;
};

TrialObserver watch(Result& result) {
  TrialObserver observer;
  observer.begin = [&](const Trial&) { ++result.begun; };
  observer.trained = [&](const Trial& trial, const Model& model) {
    result.models[{trial.run, trial.fold}] = to_json(model);
  };
  observer.done = [&](const Trial&) { ++result.done; };
  observer.selecting = [&] { ++result.selecting; };
  return observer;
}

Result nested(const Dataset& data, const std::vector<Choice>& choices, const ExperimentSettings& settings,
              const std::vector<Trial>& known = {}) {
  Result result;
  result.trials = nested_cross_validation(data, choices, settings, known, watch(result));
  return result;
}

Result held_out(const Choice& choice, const ExperimentSettings& settings,
                const std::vector<Trial>& known = {}) {
  Result result;
  result.trials = holdout(series(1), series(2, 30), choice, settings, known, watch(result));
  return result;
}

std::pair<Dataset, Dataset> split(const Dataset& data, const std::vector<int>& fold_of, int fold) {
  std::vector<std::int64_t> inside;
  std::vector<std::int64_t> outside;
  for (std::int64_t i = 0; i < data.size(); ++i) (fold_of[at(i)] == fold ? inside : outside).push_back(i);
  return {data.subset(outside), data.subset(inside)};
}

std::int64_t naive_correct(const Model& model, const Dataset& test) {
  const std::vector<int> predicted = predictions(model, scores(model, test));
  std::int64_t correct = 0;
  for (std::int64_t i = 0; i < test.size(); ++i) {
    correct += model.classes[at(predicted[at(i)])] == test.classes()[at(test.label(i))];
  }
  return correct;
}

/// The reference implementation: every loop written out, by train and predict alone.
Result naive_nested(const Dataset& data, const std::vector<Choice>& choices,
                    const ExperimentSettings& settings) {
  Result result;
  for (int run = 0; run < settings.runs; ++run) {
    const auto moved = static_cast<std::uint64_t>(run);
    std::vector<Choice> own = choices;
    for (Choice& choice : own) choice.settings.seed += moved;
    for (int fold = 0; fold < settings.folds; ++fold) {
      const auto [outside, inside] =
          split(data, stratified_folds(data, settings.folds, run, settings.seed), fold);
      int best = 0;
      if (own.size() > 1) {
        const std::vector<int> inner =
            stratified_folds(outside, settings.inner_folds, 0, settings.seed + moved);
        std::vector<std::int64_t> correct(own.size(), 0);
        std::vector<std::int64_t> hypotheses(own.size(), 0);
        for (std::size_t c = 0; c < own.size(); ++c) {
          for (int f = 0; f < settings.inner_folds; ++f) {
            const auto [rest, tested] = split(outside, inner, f);
            const Model model = train(rest, own[c].settings).model;
            correct[c] += naive_correct(model, tested);
            hypotheses[c] += static_cast<std::int64_t>(model.hypotheses.size());
          }
          const std::size_t b = at(best);
          if (correct[c] > correct[b] || (correct[c] == correct[b] && hypotheses[c] < hypotheses[b])) {
            best = static_cast<int>(c);
          }
        }
      }
      const Model model = train(outside, own[at(best)].settings).model;
      const std::int64_t inner_trainings =
          own.size() > 1 ? static_cast<std::int64_t>(own.size()) * settings.inner_folds : 0;
      result.trials.push_back({run, fold, best, inside.size(), naive_correct(model, inside),
                               static_cast<std::int64_t>(model.hypotheses.size()), inner_trainings + 1});
      result.models[{run, fold}] = to_json(model);
    }
  }
  return result;
}

TEST(Nested, IsTheLoopWrittenOut) {
  const Dataset bags = examples::random_bags(18, 4, 3, 2);
  std::vector<Choice> single = some_choices();
  single.erase(single.begin() + 1, single.end());
  std::vector<Choice> of_bags = some_choices();
  for (Choice& choice : of_bags) choice.settings.lengths.clear();
  std::vector<int> chosen(3, 0);
  struct Case {
    Dataset data;
    std::vector<Choice> choices;
  };
  for (const Case& example :
       {Case{series(1), some_choices()}, Case{series(1), single}, Case{bags, of_bags}}) {
    const Result fast = nested(example.data, example.choices, small());
    const Result slow = naive_nested(example.data, example.choices, small());
    EXPECT_EQ(fast.trials, slow.trials);
    EXPECT_EQ(fast.models, slow.models);
    EXPECT_EQ(fast.begun, 6);
    EXPECT_EQ(fast.done, 6);
    EXPECT_EQ(fast.selecting, example.choices.size() > 1 ? 6 * 3 * 2 : 0);
    for (const Trial& trial : fast.trials) ++chosen[at(trial.choice)];
  }
  EXPECT_GT(chosen[1] + chosen[2], 0);  // else the selection was not tested
}

TEST(Nested, DoesNotDependOnThreadsMemoryOrWhatWasKnown) {
  const Dataset data = series(1);
  const Result one = nested(data, some_choices(), small(1));
  const Result many = nested(data, some_choices(), small(4));
  EXPECT_EQ(one.trials, many.trials);
  EXPECT_EQ(one.models, many.models);
  ExperimentSettings scarce = small(4);
  scarce.memory = smallest_memory(data, some_choices()[0].settings);
  EXPECT_EQ(nested(data, some_choices(), scarce).models, one.models);
  const std::vector<Trial> some{one.trials[4], one.trials[1]};
  const Result resumed = nested(data, some_choices(), small(), some);
  EXPECT_EQ(resumed.trials, one.trials);
  EXPECT_EQ(resumed.done, 4);
  ExperimentSettings more = small();
  more.runs = 3;
  const Result longer = nested(data, some_choices(), more, one.trials);
  EXPECT_EQ(longer.done, 3);
  EXPECT_EQ(std::vector<Trial>(longer.trials.begin(), longer.trials.begin() + 6), one.trials);
}

TEST(Nested, ChoosesAndTrainsOnNothingOfTheTestFold) {
  const Dataset bags = examples::random_bags(18, 4, 3, 2);
  std::vector<Choice> of_bags = some_choices();
  for (Choice& choice : of_bags) choice.settings.lengths.clear();
  ExperimentSettings settings = small();
  settings.runs = 1;
  struct Case {
    Dataset data;
    std::vector<Choice> choices;
  };
  for (const Case& example : {Case{series(1), some_choices()}, Case{bags, of_bags}}) {
    const Dataset& data = example.data;
    const Result clean = nested(data, example.choices, settings);
    const std::vector<int> fold_of = stratified_folds(data, settings.folds, 0, settings.seed);
    for (int f = 0; f < settings.folds; ++f) {
      Dataset poisoned(data.kind());
      for (std::int64_t i = 0; i < data.size(); ++i) {
        Matrix values = mapped(data.values(i));
        if (fold_of[at(i)] == f) values.array() += 1e12;
        add(poisoned, values, data.classes()[at(data.label(i))], data.name(i));
      }
      const Result spoiled = nested(poisoned, example.choices, settings);
      int same = 0;
      for (const auto& [trial, model] : clean.models) same += model == spoiled.models.at(trial) ? 1 : 0;
      EXPECT_EQ(same, 1);  // every other trial trains on the poison
      EXPECT_EQ(clean.models.at({0, f}), spoiled.models.at({0, f}));
      EXPECT_EQ(clean.trials[at(f)].choice, spoiled.trials[at(f)].choice);
    }
  }
}

TEST(Nested, EndsWithWhatIsDone_WhenInterrupted) {
  const Dataset data = series(1);
  const Result whole = nested(data, some_choices(), small());
  for (const int wanted : {0, 1, 4}) {
    int done = 0;
    TrialObserver observer;
    observer.done = [&](const Trial&) { ++done; };
    observer.interrupted = [&] { return done >= wanted; };
    const std::vector<Trial> part = nested_cross_validation(data, some_choices(), small(), {}, observer);
    EXPECT_EQ(part.size(), at(wanted));
    EXPECT_EQ(nested(data, some_choices(), small(), part).trials, whole.trials);
  }
  int trainings = 0;  // in the midst of a selection: that trial is lost
  TrialObserver observer;
  observer.selecting = [&] { ++trainings; };
  observer.interrupted = [&] { return trainings >= 8; };
  EXPECT_EQ(nested_cross_validation(data, some_choices(), small(), {}, observer).size(), 1U);
}

TEST(HoldOut, TrainsWithEverySeedAndTestsOnTheTestSet) {
  const Choice choice = some_choices()[1];
  ExperimentSettings settings = small();
  settings.runs = 3;
  const Result result = held_out(choice, settings);
  ASSERT_EQ(result.trials.size(), 3U);
  for (int run = 0; run < 3; ++run) {
    TrainSettings own = choice.settings;
    own.seed = 3 + static_cast<std::uint64_t>(run);
    const Model model = train(series(1), own).model;
    EXPECT_EQ(result.models.at({run, 0}), to_json(model));
    EXPECT_EQ(result.trials[at(run)], (Trial{run, 0, 0, 30, naive_correct(model, series(2, 30)),
                                             static_cast<std::int64_t>(model.hypotheses.size()), 1}));
  }
  EXPECT_NE(result.models.at({0, 0}), result.models.at({1, 0}));  // the seed moves k-means
  settings.threads = 4;
  EXPECT_EQ(held_out(choice, settings).models, result.models);
  const Result resumed = held_out(choice, settings, {result.trials[1]});
  EXPECT_EQ(resumed.trials, result.trials);
  EXPECT_EQ(resumed.done, 2);
}

TEST(HoldOut, KnowsLabelsByNameNotByPlace) {
  const Dataset train = series(1);
  const Dataset plain = series(2, 30);
  // Only the second class occurs: there it is the first.
  Dataset test(DataKind::series);
  std::int64_t expected = 0;
  const Choice choice = some_choices()[1];
  const Model model = shapeboost::train(train, choice.settings).model;
  const std::vector<int> predicted = predictions(model, scores(model, plain));
  for (std::int64_t i = 0; i < plain.size(); ++i) {
    if (plain.label(i) != 1) continue;
    test.add(plain.values(i), plain.classes()[1], plain.name(i));
    expected += predicted[at(i)] == 1;
  }
  ASSERT_NE(2 * expected, test.size());
  ExperimentSettings settings = small();
  settings.runs = 1;
  EXPECT_EQ(holdout(train, test, choice, settings)[0].correct, expected);
}

TEST(Experiment, NamesWhatIsWrong) {
  const Dataset data = series(1);
  const auto told = [&](const ExperimentSettings& settings, const std::vector<Trial>& known = {}) {
    return sentence([&] { (void)nested_cross_validation(data, some_choices(), settings, known); });
  };
  ExperimentSettings bad = small();
  bad.runs = 0;
  EXPECT_EQ(told(bad), "runs: expected at least 1, found 0");
  bad = small();
  bad.folds = 1;
  EXPECT_EQ(told(bad), "folds: expected at least 2, found 1");
  bad = small();
  bad.inner_folds = 1;
  EXPECT_EQ(told(bad), "inner folds: expected at least 2, found 1");
  bad = small();
  bad.threads = -1;
  EXPECT_EQ(told(bad), "threads: expected at least 0, found -1");
  bad = small();
  bad.memory = 1;
  EXPECT_TRUE(told(bad).starts_with("memory: this data needs at least 11M")) << told(bad);
  EXPECT_TRUE(told(small(), {{2, 0}}).starts_with("known trials: expected trials of these runs"))
      << told(bad);
  EXPECT_TRUE(told(small(), {{0, 0, 3}}).starts_with("known trials: expected trials of these runs"));
  EXPECT_EQ(told(small(), {{0, 1}, {0, 1}}), "known trials: run 0, fold 1 is there twice");
  EXPECT_EQ(sentence([&] { (void)nested_cross_validation(data, {}, small()); }),
            "choices: expected at least one, found none");
  std::vector<Choice> faulty = some_choices();
  faulty[1].settings.boosting.nu = 2.0;
  EXPECT_TRUE(sentence([&] {
                (void)nested_cross_validation(data, faulty, small());
              }).starts_with("choice 'sigma 0.050000': nu: "));
  Dataset test = series(2);
  add(test, Matrix::Zero(1, 40), "what", "new");
  EXPECT_EQ(sentence([&] { (void)holdout(data, test, some_choices()[0], small()); }),
            "test data: expected a label of the training data, found 'what', example new");
}

TEST(Spread, IsOverWholeRuns) {
  const Spread spread =
      spread_of({{0, 0, 0, 10, 9}, {0, 1, 0, 10, 8}, {1, 0, 0, 10, 7}, {1, 1, 0, 5, 5}, {2, 1, 0, 10, 0}}, 2);
  EXPECT_EQ(spread.runs, 2);
  EXPECT_NEAR(spread.mean, (0.85 + 0.8) / 2.0, 1e-15);
  EXPECT_NEAR(spread.sd, 0.05 / std::sqrt(2.0), 1e-15);
  EXPECT_EQ(spread_of({}, 1).runs, 0);
  const Spread equal = spread_of({{0, 0, 0, 180, 179}, {1, 0, 0, 180, 179}, {2, 0, 0, 180, 179}}, 1);
  EXPECT_EQ(equal.mean, 179.0 / 180.0);
  EXPECT_EQ(equal.sd, 0.0);
}

}  // namespace
}  // namespace shapeboost
