// SPDX-License-Identifier: MIT
#include "shapeboost/selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ground/numbers.hpp"
#include "ground/parallel.hpp"
#include "oracle/table.hpp"
#include "shapeboost/predictor.hpp"
#include "support/matrices.hpp"
#include "support/selections.hpp"
#include "train/plan.hpp"

namespace shapeboost {
namespace {

using examples::choices_from;
using examples::committee;
using examples::noisy_series;
using examples::quick;
using examples::sentence;
using examples::three_classes;

std::string model_text(const Model& model) { return to_json(model); }

struct Outcome {
  Selection selection;
  std::map<std::tuple<int, int, int>, std::string> models;  // of each choice, repeat, fold
};

Outcome run(const Dataset& data, const std::vector<Choice>& choices, const SelectionSettings& settings,
            const std::vector<Cell>& known = {}) {
  Outcome result;
  SelectionObserver observer;
  observer.cell = [&](const Cell& cell, const Model& model) {
    result.models[{cell.choice, cell.repeat, cell.fold}] = model_text(model);
  };
  result.selection = select(data, choices, settings, known, observer);
  return result;
}

/// The reference implementation: plain loops over train and predict.
Outcome naive_run(const Dataset& data, const std::vector<Choice>& choices,
                  const SelectionSettings& settings) {
  Outcome result;
  for (int r = 0; r < settings.repeats; ++r) {
    const std::vector<int> fold_of = stratified_folds(data, settings.folds, r, settings.seed);
    for (int f = 0; f < settings.folds; ++f) {
      std::vector<std::int64_t> train_on;
      std::vector<std::int64_t> test_on;
      for (std::int64_t i = 0; i < data.size(); ++i) (fold_of[at(i)] == f ? test_on : train_on).push_back(i);
      const Dataset test = data.subset(test_on);
      for (std::size_t c = 0; c < choices.size(); ++c) {
        const Model model = train(data.subset(train_on), choices[c].settings).model;
        Cell cell{static_cast<int>(c), r, f,
                  test.size(),         0, static_cast<std::int64_t>(model.hypotheses.size())};
        const std::vector<int> predicted = predictions(model, scores(model, test));
        for (std::int64_t i = 0; i < test.size(); ++i) cell.correct += predicted[at(i)] == test.label(i);
        result.selection.cells.push_back(cell);
        result.models[{cell.choice, r, f}] = model_text(model);
      }
    }
  }
  return result;
}

TEST(SelectionSettings, TryFewerMembers_WhenExamplesAreMany) {
  SelectionSettings settings;
  EXPECT_EQ(trial_members_of(settings, 999), 20);
  EXPECT_EQ(trial_members_of(settings, 1000), 10);
  settings.trial_members = 0;
  EXPECT_EQ(trial_members_of(settings, 1000), 0);
  settings.trial_members = -1;
  EXPECT_EQ(validate(settings), "trial-members: expected at least 0, found -1");
}

TEST(Folds, DifferByOneExampleAtMost_OfEachClassAndInAll) {
  const Dataset data = three_classes();
  for (const int folds : {2, 3, 5, 7}) {
    const std::vector<int> fold_of = stratified_folds(data, folds, 0, 9);
    std::vector<int> all(at(folds), 0);
    std::vector<std::vector<int>> of_class(3, std::vector<int>(at(folds), 0));
    for (std::int64_t i = 0; i < data.size(); ++i) {
      ASSERT_GE(fold_of[at(i)], 0);
      ASSERT_LT(fold_of[at(i)], folds);
      ++all[at(fold_of[at(i)])];
      ++of_class[at(data.label(i))][at(fold_of[at(i)])];
    }
    of_class.push_back(all);
    for (const std::vector<int>& counts : of_class) {
      const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
      EXPECT_LE(*most - *least, 1) << folds;
    }
  }
}

TEST(Folds, ChangeWithRepeatAndSeed_AndAreOtherwiseTheSame) {
  const Dataset data = three_classes();
  EXPECT_EQ(stratified_folds(data, 3, 0, 1), stratified_folds(data, 3, 0, 1));
  EXPECT_NE(stratified_folds(data, 3, 0, 1), stratified_folds(data, 3, 1, 1));
  EXPECT_NE(stratified_folds(data, 3, 0, 1), stratified_folds(data, 3, 0, 2));
}

TEST(Folds, NeverTestAnExampleThatIsAloneInItsClass) {
  Dataset data = three_classes();
  add(data, Matrix::Zero(1, 30), "only", "only");
  const std::vector<int> fold_of = stratified_folds(data, 3, 0, 1);
  EXPECT_EQ(std::count(fold_of.begin(), fold_of.end(), kAlwaysTrained), 1);
  EXPECT_EQ(fold_of.back(), kAlwaysTrained);
  SelectionSettings settings = quick();
  settings.repeats = 1;
  const Selection selection = select(data, {{"only", committee()}}, settings);
  EXPECT_EQ(selection.results[0].examples, data.size() - 1);
}

TEST(Folds, AreRefused_WhereThereAreTooFewExamplesOrLabels) {
  EXPECT_EQ(sentence([] { (void)stratified_folds(three_classes(), 24, 0, 1); }),
            "folds: expected at most as many as examples whose class has another one, 23, found 24");
  Dataset data = three_classes();
  add(data, Matrix::Zero(1, 30), "", "new");
  EXPECT_EQ(sentence([&] { (void)stratified_folds(data, 3, 0, 1); }),
            "training data: example new has no label");
}

TEST(Tables, RemadeForAnotherSigmaAreTheTablesMadeForIt) {
  ThreadPool threads(1);
  const Dataset series = examples::random_series(6, 25, 4);
  const Dataset bags = examples::random_bags(9, 5, 3, 4);
  struct Kind {
    const Dataset* data;
    KernelKind kernel;
    Normalisation normalisation;
  };
  for (const Kind& kind : {Kind{&series, KernelKind::gaussian, Normalisation::raw},
                           Kind{&series, KernelKind::gaussian, Normalisation::z},
                           Kind{&series, KernelKind::laplacian, Normalisation::centred},
                           Kind{&series, KernelKind::dtw, Normalisation::raw},
                           Kind{&bags, KernelKind::gaussian, Normalisation::raw},
                           Kind{&bags, KernelKind::laplacian, Normalisation::raw}}) {
    const Dataset& data = *kind.data;
    View view =
        examples::plain_view(data, data.kind() == DataKind::bags ? 3 : 6, kind.normalisation, kind.kernel);
    View other = view;
    other.kernel.set_sigma(1.3 * view.kernel.sigma());
    ASSERT_TRUE(serves_every_sigma(view));
    for (const char* candidates : {"all", "sample:40", "kmeans:2"}) {
      for (const bool unit_norm : {false, true}) {
        TableSettings settings{Candidates::parse(candidates), 7, unit_norm};
        const std::vector<int> labels = examples::labels_of(data);
        TableExtremes kept;
        const Table made(data, view, labels, settings, threads, &kept);
        const Table plain(data, view, labels, settings, threads);
        const Table remade(data, other, kept, unit_norm, threads);
        const Table fresh(data, other, labels, settings, threads);
        EXPECT_EQ(made.largest(), plain.largest());
        EXPECT_EQ(remade.pool(), fresh.pool());
        EXPECT_EQ(remade.largest(), fresh.largest()) << to_string(kind.kernel) << candidates;
        EXPECT_EQ(remade.smallest(), fresh.smallest()) << to_string(kind.kernel) << candidates;
        EXPECT_NE(remade.largest(), made.largest());
      }
    }
  }
}

TEST(Tables, ServeOneSigmaOnly_WithAPositionTermOrWhereSigmaIsInTheAffinity) {
  const Dataset series = examples::random_series(6, 25, 4);
  View view = examples::plain_view(series, 6);
  view.tau = 1.0;
  EXPECT_FALSE(serves_every_sigma(view));
  EXPECT_FALSE(serves_every_sigma(examples::plain_view(series, 6, Normalisation::raw, KernelKind::gak)));
  EXPECT_FALSE(serves_every_sigma(examples::plain_view(series, 6, Normalisation::raw, KernelKind::linear)));
}

TEST(Select, GivesEveryCellWhatTrainAndPredictGive) {
  TrainSettings placed = committee();
  placed.taus = {2.0};
  TrainSettings grid = examples::single();
  grid.lengths = {0.2, 0.3};
  grid.boosting.max_rounds = 15;
  TrainSettings warped = grid;
  warped.kernel.kind = KernelKind::laplacian;
  const Dataset bags = examples::random_bags(18, 4, 3, 2);
  struct Case {
    Dataset data;
    TrainSettings base;
  };
  for (const Case& example :
       {Case{noisy_series(), committee()}, Case{three_classes(), committee()}, Case{noisy_series(), placed},
        Case{noisy_series(), grid}, Case{noisy_series(), warped}, Case{bags, committee()}}) {
    const std::vector<Choice> choices = choices_from(example.base);
    const Outcome fast = run(example.data, choices, quick());
    const Outcome slow = naive_run(example.data, choices, quick());
    EXPECT_EQ(fast.selection.cells, slow.selection.cells);
    EXPECT_EQ(fast.models, slow.models);
    EXPECT_TRUE(fast.selection.complete);
  }
}

TEST(Select, DoesNotDependOnThreadsMemoryOrOrder) {
  const Dataset data = noisy_series();
  const std::vector<Choice> choices = choices_from(committee());
  const Outcome one = run(data, choices, quick(1));
  const Outcome many = run(data, choices, quick(4));
  EXPECT_EQ(one.selection.cells, many.selection.cells);
  EXPECT_EQ(one.models, many.models);
  EXPECT_EQ(one.selection.best, many.selection.best);
  const auto scarce = [&](const std::vector<Choice>& list) {
    SelectionSettings settings = quick(3);
    settings.memory = 0;
    for (const Choice& choice : list) {
      settings.memory = std::max(settings.memory, smallest_memory(data, choice.settings, true));
    }
    return settings;
  };
  EXPECT_EQ(run(data, choices, scarce(choices)).models, one.models);
  // Single models refine, and ask for rows of affinities that others of their fold have computed.
  TrainSettings refined = examples::single();
  refined.lengths = {0.2};
  const std::vector<Choice> alone = choices_from(refined);
  const Outcome first = run(data, alone, quick(1));
  EXPECT_EQ(first.models, naive_run(data, alone, quick(1)).models);
  EXPECT_EQ(run(data, alone, quick(4)).models, first.models);
  EXPECT_EQ(run(data, alone, scarce(alone)).models, first.models);
  // The same choices backwards: each result stays with its choice.
  const std::vector<Choice> backwards(choices.rbegin(), choices.rend());
  const Selection turned = run(data, backwards, quick()).selection;
  for (std::size_t c = 0; c < choices.size(); ++c) {
    EXPECT_EQ(turned.results[choices.size() - 1 - c].correct, one.selection.results[c].correct);
  }
}

TEST(Select, TriesTheFirstMembersOfTheSameCommittee) {
  const Dataset data = noisy_series();
  for (const int members : {1, 2}) {
    SelectionSettings settings = quick();
    settings.repeats = 1;
    settings.trial_members = members;
    TrainSettings smaller = committee();
    smaller.members = members;
    smaller.views = ViewChoice::parse("random:1");
    EXPECT_EQ(run(data, {{"whole", committee()}}, settings).models,
              naive_run(data, {{"smaller", smaller}}, settings).models)
        << members;
  }
}

TEST(Select, MakesATableOnceForAllThatCanUseIt) {
  const Dataset data = noisy_series();
  TrainSettings settings = committee();
  settings.taus = {0.0};
  std::vector<Choice> choices = choices_from(settings);
  choices.resize(4);  // two sigma scales, each with two nu
  const int folds = 6;
  for (const int threads : {1, 4}) {
    const Selection selection = select(data, choices, quick(threads));
    EXPECT_EQ(selection.tables_made, settings.members * folds);
    EXPECT_EQ(selection.tables_remade, settings.members * folds);
  }
  for (Choice& choice : choices) choice.settings.taus = {1.0};  // sigma is in the affinities now
  const Selection placed = select(data, choices, quick());
  EXPECT_EQ(placed.tables_made, 2 * settings.members * folds);
  EXPECT_EQ(placed.tables_remade, 0);
}

TEST(Select, SumsUpTheCells) {
  const Selection selection = run(noisy_series(), choices_from(committee()), quick()).selection;
  ASSERT_EQ(selection.results.size(), 7U);
  for (std::size_t c = 0; c < selection.results.size(); ++c) {
    std::vector<double> accuracies;
    double hypotheses = 0.0;
    std::int64_t correct = 0;
    for (const Cell& cell : selection.cells) {
      if (cell.choice != static_cast<int>(c)) continue;
      accuracies.push_back(static_cast<double>(cell.correct) / static_cast<double>(cell.examples));
      hypotheses += static_cast<double>(cell.hypotheses) / 6.0;
      correct += cell.correct;
    }
    ASSERT_EQ(accuracies.size(), 6U);
    double mean = 0.0;
    for (const double accuracy : accuracies) mean += accuracy / 6.0;
    double variance = 0.0;
    for (const double accuracy : accuracies) variance += (accuracy - mean) * (accuracy - mean) / 5.0;
    const ChoiceResult& result = selection.results[c];
    EXPECT_EQ(result.correct, correct);
    EXPECT_EQ(result.examples, 40);  // every example once a repeat
    EXPECT_EQ(result.accuracy, static_cast<double>(correct) / 40.0);
    EXPECT_NEAR(result.sd, std::sqrt(variance), 1e-12);
    EXPECT_NEAR(result.hypotheses, hypotheses, 1e-9);
  }
}

TEST(Select, TrainsOnNothingOfTheTestFold) {
  const Dataset data = noisy_series();
  const Dataset bags = examples::random_bags(18, 4, 3, 2);
  const std::vector<Choice> choices = choices_from(committee());
  SelectionSettings settings = quick();
  settings.repeats = 1;
  for (const Dataset* given : {&data, &bags}) {
    const Outcome clean = run(*given, choices, settings);
    const std::vector<int> fold_of = stratified_folds(*given, settings.folds, 0, settings.seed);
    for (int f = 0; f < settings.folds; ++f) {
      Dataset poisoned(given->kind());
      for (std::int64_t i = 0; i < given->size(); ++i) {
        Matrix values = mapped(given->values(i));
        if (fold_of[at(i)] == f) values.array() += 1e12;
        add(poisoned, values, given->classes()[at(given->label(i))], given->name(i));
      }
      const Outcome spoiled = run(poisoned, choices, settings);
      int same = 0;
      for (const auto& [cell, model] : clean.models) {
        const bool tested_here = std::get<2>(cell) == f;
        EXPECT_TRUE(!tested_here || model == spoiled.models.at(cell));
        same += model == spoiled.models.at(cell) ? 1 : 0;
      }
      EXPECT_EQ(same, static_cast<int>(choices.size()));  // every other cell trains on the poison
    }
  }
}

TEST(Select, PrefersAccuracyThenFewHypothesesThenTheFirst) {
  const auto result = [](std::int64_t correct, double hypotheses) {
    return ChoiceResult{5, 100, correct, static_cast<double>(correct) / 100.0, 0.0, hypotheses};
  };
  EXPECT_EQ(best_of({result(90, 1.0), result(91, 50.0), result(89, 1.0)}), 1);
  EXPECT_EQ(best_of({result(90, 9.0), result(90, 8.0), result(90, 8.5)}), 1);
  EXPECT_EQ(best_of({result(90, 8.0), result(90, 8.0)}), 0);
  EXPECT_EQ(best_of({ChoiceResult{}, ChoiceResult{}}), -1);
  EXPECT_EQ(best_of({}), -1);
}

TEST(Select, ComparesOnFoldsThatEveryChoiceHasFinished_WhenInterrupted) {
  const Dataset data = noisy_series();
  const std::vector<Choice> choices = choices_from(committee());
  const Selection whole = run(data, choices, quick()).selection;
  for (const std::size_t wanted : {0U, 3U, 7U, 10U, 41U}) {
    std::size_t cells = 0;
    SelectionObserver observer;
    observer.cell = [&](const Cell&, const Model&) { ++cells; };
    observer.interrupted = [&] { return cells >= wanted; };
    const Selection part = select(data, choices, quick(), {}, observer);
    EXPECT_EQ(part.cells.size(), wanted);
    EXPECT_FALSE(part.complete);
    EXPECT_EQ(part.best >= 0, wanted >= choices.size());
    for (const ChoiceResult& result : part.results) {
      EXPECT_EQ(result.cells, static_cast<std::int64_t>(wanted / choices.size()));
    }
    EXPECT_EQ(run(data, choices, quick(), part.cells).selection.cells, whole.cells);
    if (part.best < 0) {
      EXPECT_EQ(sentence([&] { (void)refit(data, choices, quick(), part); }),
                "selection: expected a fold that every choice has finished, found none");
    }
  }
}

TEST(Select, RefitEndsWhenTold_WithAModelThatSaysHowItWasChosen) {
  const Dataset data = noisy_series();
  const std::vector<Choice> choices = choices_from(committee());
  const Selection selection = run(data, choices, quick()).selection;
  std::int64_t asked = 0;
  Observer observer;
  observer.interrupted = [&] { return ++asked > 5; };
  const TrainingResult result = refit(data, choices, quick(), selection, observer);
  EXPECT_EQ(result.stop, Stop::interrupted);
  EXPECT_GT(asked, 5);
  EXPECT_FALSE(result.model.provenance.tuning.empty());
}

TEST(Select, RefitsTheBestOnAllData) {
  const Dataset data = noisy_series();
  const std::vector<Choice> choices = choices_from(committee());
  const Selection selection = run(data, choices, quick()).selection;
  Model tuned = refit(data, choices, quick(), selection).model;
  EXPECT_TRUE(
      tuned.provenance.tuning.starts_with(choices[at(selection.best)].name + "; the best of 7 choices"))
      << tuned.provenance.tuning;
  const Model read = model_from_json(to_json(tuned), "model");
  EXPECT_EQ(read.provenance.tuning, tuned.provenance.tuning);
  tuned.provenance.tuning.clear();
  EXPECT_EQ(to_json(tuned), to_json(train(data, choices[at(selection.best)].settings).model));
}

TEST(Select, NamesWhatIsWrong) {
  const Dataset data = noisy_series();
  const std::vector<Choice> one{{"good", committee()}};
  const auto told = [&](const std::vector<Choice>& choices, const SelectionSettings& settings,
                        const std::vector<Cell>& known = {}) {
    return sentence([&] { (void)select(data, choices, settings, known); });
  };
  SelectionSettings bad = quick();
  bad.folds = 1;
  EXPECT_EQ(told(one, bad), "folds: expected at least 2, found 1");
  bad = quick();
  bad.repeats = 0;
  EXPECT_EQ(told(one, bad), "repeats: expected at least 1, found 0");
  bad = quick();
  bad.threads = -1;
  EXPECT_EQ(told(one, bad), "threads: expected at least 0, found -1");
  bad = quick();
  bad.memory = 1;
  EXPECT_TRUE(told(one, bad).starts_with("memory: this data needs at least 1M")) << told(one, bad);
  EXPECT_EQ(told({}, quick()), "choices: expected at least one, found none");
  std::vector<Choice> faulty = one;
  faulty.push_back({"too much", committee()});
  faulty.back().settings.boosting.nu = 2.0;
  EXPECT_TRUE(told(faulty, quick()).starts_with("choice 'too much': nu: ")) << told(faulty, quick());
  faulty.back().settings = committee();
  faulty.back().settings.lengths = {41.0};
  EXPECT_TRUE(told(faulty, quick()).starts_with("choice 'too much': lengths: ")) << told(faulty, quick());
  EXPECT_TRUE(told(one, quick(), {{1, 0, 0, 7, 7, 1}}).starts_with("known cells: "));
  EXPECT_TRUE(told(one, quick(), {{0, 0, 0, 7, 7, 1}, {0, 0, 0, 7, 6, 1}}).ends_with("is there twice"));
  EXPECT_TRUE(told(one, quick(), {{0, 0, 0, 100, 7, 1}}).starts_with("known cells: expected 7 examples"));
}

TEST(Select, NamesTheFold_WhereOnlyAPartOfTheDataIsAtFault) {
  Dataset data(DataKind::series);
  for (int i = 0; i < 8; ++i) add(data, Matrix::Random(1, i == 3 ? 30 : 10), i % 2 == 0 ? "a" : "b", "");
  TrainSettings settings = committee();
  settings.lengths = {20.0};  // only example 3 is as long: without it no window fits
  EXPECT_TRUE(sentence([&] {
                (void)select(data, {{"long", settings}}, quick());
              }).starts_with("choice 'long', repeat 1, fold "));
}

}  // namespace
}  // namespace shapeboost
