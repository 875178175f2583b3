// SPDX-License-Identifier: MIT
// Sequences of symbols from settings to model: views, training, the file, and a planted motif.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "shapeboost/model.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "train/plan.hpp"

namespace shapeboost {
namespace {

using examples::random_sequences;
using examples::sentence;
using examples::string_view_of;

TEST(Sequences, TrainSettings_AreValidated) {
  const auto fault = [](const std::function<void(TrainSettings&)>& spoil) {
    TrainSettings settings;
    settings.kernel.kind = KernelKind::mismatch;
    spoil(settings);
    return validate(settings);
  };
  EXPECT_EQ(fault([](TrainSettings&) {}), "");
  EXPECT_EQ(fault([](TrainSettings& s) { s.kernel.k = -1; }), "k: expected 1 to 8, found -1");
  EXPECT_EQ(fault([](TrainSettings& s) { s.kernel.mismatches = 5; }),
            "mismatches: expected 0 to k - 1 = 4, found 5");
  EXPECT_EQ(fault([](TrainSettings& s) { s.kernel.alphabet = 300; }),
            "alphabet: expected 1 to 256 symbols, found 300");
  EXPECT_EQ(fault([](TrainSettings& s) { s.kernel.lambda = 0.0; }),
            "lambda: expected a number above 0 and up to 1, found 0");
  EXPECT_EQ(fault([](TrainSettings& s) { s.candidates = Candidates::parse("kmeans:3"); }),
            "candidates: clusters have no centres under the mismatch kernel, expected all or sample:N");
  const Dataset data = random_sequences(6, 12, 2);
  TrainSettings settings;
  settings.normalisations = {Normalisation::z};
  EXPECT_EQ(sentence([&] { (void)plan(data, settings); }),
            "sequences of symbols have no normalisation, transform, dilation or channels to choose");
  const Dataset tiny = random_sequences(6, 1, 2);
  EXPECT_EQ(sentence([&] {
              TrainSettings long_k;
              long_k.kernel = {KernelKind::spectrum};
              long_k.kernel.k = 8;
              (void)plan(tiny, long_k);
            }).substr(0, 26),
            "k: the longest sequence ha");
}

TEST(Sequences, Plan_NeverCutsWindowsShorterThanK) {
  for (const std::int64_t shortest : {6, 12, 60, 300}) {
    const Dataset data = random_sequences(6, shortest, 2);
    for (const int members : {1, 10}) {
      TrainSettings settings;
      settings.members = members;
      for (const std::vector<PlannedView>& views : plan(data, settings).members) {
        EXPECT_FALSE(views.empty());
        for (const PlannedView& planned : views) {
          EXPECT_EQ(planned.view.kernel.kind(), KernelKind::mismatch);
          EXPECT_GE(planned.view.length, planned.view.kernel.k());
          EXPECT_LE(planned.view.length, data.max_length());
        }
      }
    }
  }
}

TEST(Sequences, Plan_AllowsFewerMismatchesThanSymbols_WhicheverKernelIsNamed) {
  const Dataset data = random_sequences(6, 12, 2);
  const auto with = [&](int k, int mismatches) {
    TrainSettings settings;  // the kernel is left to the data
    settings.kernel.k = k;
    settings.kernel.mismatches = mismatches;
    return plan(data, settings);
  };
  EXPECT_EQ(sentence([&] { (void)with(0, 5); }), "mismatches: expected 0 to k - 1 = 4, found 5");
  EXPECT_EQ(sentence([&] { (void)with(1, 1); }), "mismatches: expected 0 to k - 1 = 0, found 1");
  EXPECT_EQ(sentence([&] { (void)with(4, -1); }), "mismatches: expected 0 to k - 1 = 3, found -1");
  for (const std::vector<PlannedView>& views : with(0, 4).members) {
    EXPECT_GE(views.front().view.kernel.k(), 5);  // drawn around 5
  }
}

TEST(Sequences, ModelFile_KeepsSymbolsAsText) {
  const SyntheticData set = planted_sequences({.examples = 20, .length = 40});
  for (const KernelKind kind : {KernelKind::spectrum, KernelKind::mismatch, KernelKind::subsequence}) {
    SCOPED_TRACE(std::string(to_string(kind)));
    TrainSettings settings;
    settings.members = 1;
    settings.kernel.kind = kind;
    settings.kernel.lambda = 0.7;
    settings.lengths = {10};
    settings.candidates = Candidates::parse("sample:40");
    const Model model = train(set.data, settings).model;
    const std::string text = to_json(model);
    const std::vector<double>& values = model.hypotheses.front().shapelet.instances.front().values;
    EXPECT_NE(text.find("\"values\": \"" + sequence_text(values) + '"'), std::string::npos);
    const Model again = model_from_json(text, "m");
    EXPECT_EQ(to_json(again), text);
    EXPECT_EQ(scores(again, set.data, 1).parts, scores(model, set.data, 1).parts);
  }
}

TEST(Sequences, ModelFile_KeepsSymbolsThatCannotBePrintedAsNumbers) {
  Model model;
  model.kind = DataKind::sequences;
  model.classes = {"a", "b"};
  model.views.push_back(string_view_of(random_sequences(2, 8, 1), KernelKind::spectrum, 2, 3));
  Hypothesis hypothesis;
  hypothesis.shapelet = {{Instance{{65.0, 10.0, 200.0}}}, {1.0}};
  model.hypotheses.push_back(hypothesis);
  model.parts = parts_for(2, Strategy::one_vs_rest);
  model.parts[0].weights = {{0, 1.0}};
  model.parts[0].nu = 0.5;
  const Model again = model_from_json(to_json(model), "m");
  EXPECT_EQ(again.hypotheses[0].shapelet.instances[0].values, (std::vector<double>{65.0, 10.0, 200.0}));
  model.hypotheses[0].shapelet.instances[0].values = {65.0, 300.0, 1.0};
  EXPECT_EQ(sentence([&] { (void)model_from_json(to_json(model), "m"); }),
            "m: hypotheses[0].shapelet[0].values: expected codes of symbols, 0 to 255, found 300");
}

// The project's promise: a planted motif is found, and the strongest hypothesis holds it.
TEST(PlantedSequences, AreSolved_ByTheMotif) {
  SyntheticSettings settings{.examples = 80, .length = 100};
  const SyntheticData training = planted_sequences(settings);
  settings.seed = 2;
  settings.examples = 400;
  const SyntheticData test = planted_sequences(settings);
  for (const KernelKind kind : {KernelKind::spectrum, KernelKind::mismatch}) {
    SCOPED_TRACE(std::string(to_string(kind)));
    TrainSettings train_settings;
    train_settings.members = 1;
    train_settings.kernel.kind = kind;
    const Model model = train(training.data, train_settings).model;
    const std::vector<int> found = predictions(model, scores(model, test.data, 2));
    const std::vector<int> labels = labels_for(model, test.data);
    int right = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) right += found[i] == labels[i] ? 1 : 0;
    EXPECT_GE(right, 380);
    const Hypothesis& strongest = model.hypotheses.front();
    std::size_t main = 0;
    for (std::size_t t = 0; t < strongest.shapelet.alpha.size(); ++t) {
      if (std::abs(strongest.shapelet.alpha[t]) > std::abs(strongest.shapelet.alpha[main])) main = t;
    }
    const std::vector<double>& window = strongest.shapelet.instances[main].values;
    const std::vector<double>& motif = training.planted.front().values;
    EXPECT_EQ(strongest.sign, 1);
    EXPECT_NE(std::search(window.begin(), window.end(), motif.begin(), motif.end()), window.end())
        << sequence_text(window);
  }
}

TEST(PlantedSequences, HoldTheMotif_WithAsManyMutationsAsAsked) {
  for (const std::int64_t mutations : {0, 2}) {
    const SyntheticData set = planted_sequences({.examples = 30, .length = 50, .mutations = mutations});
    const Planted& motif = set.planted.front();
    ASSERT_EQ(set.data.size(), 30);
    EXPECT_EQ(set.data.classes(), (std::vector<std::string>{"none", "site"}));
    for (std::int64_t i = 0; i < set.data.size(); ++i) {
      const std::int64_t position = motif.positions[static_cast<std::size_t>(i)];
      EXPECT_EQ(position >= 0, set.data.classes()[static_cast<std::size_t>(set.data.label(i))] == "site");
      EXPECT_EQ(set.data.values(i).cols(), 50);
      if (position < 0) continue;
      std::int64_t apart = 0;
      for (std::size_t k = 0; k < motif.values.size(); ++k) {
        apart += set.data.values(i)(0, position + static_cast<std::int64_t>(k)) != motif.values[k] ? 1 : 0;
      }
      EXPECT_EQ(apart, mutations);
    }
  }
  EXPECT_EQ(sentence([] { (void)planted_sequences({.length = 9}); }),
            "synthetic data: length must be at least 10, got 9");
  EXPECT_EQ(sentence([] { (void)planted_sequences({.mutations = 6}); }),
            "synthetic data: mutations must be 0 to 5, got 6");
}

}  // namespace
}  // namespace shapeboost
