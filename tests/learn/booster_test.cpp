// SPDX-License-Identifier: MIT
// The loop as `train` runs it for one model of two classes.
#include "learn/booster.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "ground/parallel.hpp"
#include "ground/rng.hpp"
#include "oracle/table.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "support/naive.hpp"
#include "support/planted.hpp"
#include "support/tolerances.hpp"

namespace shapeboost {
namespace {

using examples::one_thread;
using examples::sentence;
using examples::small_bags;
using examples::small_series;
using tolerance::kLinearProgram;
using tolerance::kMarginShare;

/// Scores add up in another order than the master's columns, and weights below 1e-9 are left out.
constexpr double kScores = 1e-6;

double training_accuracy(const Model& model, const Dataset& data) {
  const std::vector<int> predicted = predictions(model, scores(model, data, 1));
  const std::vector<int> labels = labels_for(model, data);
  double right = 0.0;
  for (std::size_t i = 0; i < labels.size(); ++i) right += predicted[i] == labels[i] ? 1.0 : 0.0;
  return right / static_cast<double>(labels.size());
}

/// The model is what it says: weights, margin, and for sparse shapelets the norm.
void expect_honest(const TrainingResult& result, const Dataset& data) {
  const Model& model = result.model;
  ASSERT_EQ(model.parts.size(), 1U);
  const Part& part = model.parts.front();
  EXPECT_EQ(part.positive, 1);
  EXPECT_EQ(part.negative, 0);
  ASSERT_EQ(part.weights.size(), model.hypotheses.size());
  double total = 0.0;
  for (std::size_t j = 0; j < part.weights.size(); ++j) {
    EXPECT_EQ(part.weights[j].hypothesis, static_cast<int>(j));
    EXPECT_GT(part.weights[j].w, 0.0);
    if (j > 0) {
      EXPECT_LE(part.weights[j].w, part.weights[j - 1].w) << "largest first";
    }
    total += part.weights[j].w;
    EXPECT_FALSE(model.hypotheses[j].shapelet.alpha.empty());
    EXPECT_EQ(model.hypotheses[j].shapelet.alpha.size(), model.hypotheses[j].shapelet.instances.size());
  }
  EXPECT_NEAR(total, 1.0, kScores);
  EXPECT_LE(result.duality_gap, kLinearProgram);
  const Vector g = mapped(scores(model, data, 1).parts).col(0);
  const std::vector<int> labels = labels_for(model, data);
  double xi = 0.0;
  for (Eigen::Index i = 0; i < g.size(); ++i) {
    xi += std::max(0.0, part.rho - (labels[static_cast<std::size_t>(i)] == 1 ? g[i] : -g[i]));
  }
  const double soft = part.rho - xi / std::max(1.0, part.nu * static_cast<double>(g.size()));
  EXPECT_NEAR(soft, part.gamma, kScores) << "the margin claimed is the margin had";
}

void expect_in_sparse_ball(const Model& model) {
  for (const Hypothesis& hypothesis : model.hypotheses) {
    double norm = 0.0;
    for (const double alpha : hypothesis.shapelet.alpha) norm += std::abs(alpha);
    EXPECT_LE(norm, 1.0 + 1e-9);
  }
}

// ---------------------------------------------------------------------------------------------- the twin

naive::TwinResult twin_of(const Dataset& data, const Model& model, const TrainSettings& settings,
                          int centres) {
  naive::TwinSettings twin;
  twin.nu = model.parts.front().nu;
  twin.offset = settings.boosting.offset;
  twin.one_sided = settings.boosting.one_sided;
  for (const View& view : model.views) {
    twin.views.push_back({view, naive::representatives(data, view, centres, 1)});
  }
  const naive::TwinResult result = naive::twin_boost(data, twin);
  // The twin is honest too.
  const Model as_model = naive::twin_model(data, twin, result);
  const Vector g = mapped(scores(as_model, data, 1).parts).col(0);
  double xi = 0.0;
  for (Eigen::Index i = 0; i < g.size(); ++i) {
    xi += std::max(0.0, result.rho - (data.label(i) == 1 ? g[i] : -g[i]));
  }
  EXPECT_NEAR(result.rho - xi / std::max(1.0, twin.nu * static_cast<double>(g.size())), result.gamma,
              kScores);
  return result;
}

// gamma is what both maximise: rho less the mean shortfall. With a soft margin rho by itself is no measure,
// it may rise when gamma falls; with a hard one (nu m < 1) the two are the same number.
TEST(Train, MarginIsNotBelowTheTwins_OnGeneratedData) {
  for (const bool one_sided : {true, false}) {
    for (const bool bags : {false, true}) {
      for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
        for (const double nu : {0.2, 0.01}) {
          SCOPED_TRACE(std::string(bags ? "bags" : "series") + (one_sided ? ", one-sided" : ", signed") +
                       ", seed " + std::to_string(seed) + ", nu " + std::to_string(nu));
          const Dataset data = bags ? small_bags(seed) : small_series(seed);
          TrainSettings settings = one_thread();
          settings.boosting.one_sided = one_sided;
          settings.boosting.nu = nu;
          const TrainingResult ours = train(data, settings);
          expect_honest(ours, data);
          expect_in_sparse_ball(ours.model);
          const naive::TwinResult twin = twin_of(data, ours.model, settings, 10);
          EXPECT_GE(ours.model.parts.front().gamma, twin.gamma - kMarginShare * std::abs(twin.gamma));
          if (nu < 0.05) {
            EXPECT_GE(ours.model.parts.front().rho, twin.rho - kMarginShare * std::abs(twin.rho));
          }
        }
      }
    }
  }
}

// From 1,500 bags on single instances are sought several at a time before anything is refined. What comes of it is
// honest, and no worse than single instances alone.
TEST(Train, SeeksSeveralSinglesAtATimeBeforeItRefines_WhereBagsAreMany) {
  for (const std::int64_t bags : {1499, 1500}) {
    SCOPED_TRACE(bags);
    SyntheticSettings synthetic;
    synthetic.examples = bags;
    synthetic.length = 3;
    synthetic.features = 4;
    const Dataset data = planted_bags(synthetic).data;
    TrainSettings settings = one_thread();
    settings.candidates = Candidates::parse("sample:60");
    settings.boosting.nu = 0.3;
    settings.boosting.max_rounds = 150;
    const TrainingResult refined = train(data, settings);
    const int of_one_round = 4;  // alpha and the sign either way, of one view
    if (bags < 1500) {
      EXPECT_LE(refined.rounds.front().columns, of_one_round);
    } else {
      EXPECT_GT(refined.rounds.front().columns, of_one_round);
    }
    EXPECT_TRUE(std::ranges::any_of(refined.rounds, &RoundRecord::refined));
    EXPECT_LE(refined.duality_gap, kLinearProgram);
    settings.boosting.refine = Refine::no;
    const TrainingResult singles = train(data, settings);
    const double gamma = singles.model.parts.front().gamma;
    EXPECT_GT(gamma, 0.0) << "the case tests nothing";
    EXPECT_GE(refined.model.parts.front().gamma, gamma - kMarginShare * gamma);
  }
}

TEST(Train, MarginIsNotFarBelowTheTwins_OnTheSameCandidates) {
  for (const std::uint64_t seed : {5U, 6U, 7U}) {
    SCOPED_TRACE(seed);
    const Dataset data = small_series(seed, 16);
    TrainSettings settings = one_thread();
    settings.candidates = Candidates::parse("kmeans:8");
    const TrainingResult ours = train(data, settings);
    expect_honest(ours, data);
    naive::TwinSettings twin;
    twin.nu = ours.model.parts.front().nu;
    twin.one_sided = false;
    ThreadPool pool(1);
    for (const View& view : ours.model.views) {
      TableSettings table_settings;
      table_settings.candidates = *settings.candidates;
      table_settings.seed = settings.seed + twin.views.size();
      const Table table(data, view, examples::labels_of(data), table_settings, pool);
      naive::TwinView twin_view{view, {}};
      for (const Handle z : table.pool()) twin_view.candidates.push_back(table.instance(z).values);
      twin.views.push_back(twin_view);
    }
    const naive::TwinResult result = naive::twin_boost(data, twin);
    EXPECT_GE(ours.model.parts.front().gamma,
              result.gamma - tolerance::kLocalOptimum * std::abs(result.gamma));
  }
}

TEST(Train, MarginIsAtLeastThatOfFewerCandidates_WhenAllMayBeUsed) {
  for (const bool bags : {false, true}) {
    const Dataset data = bags ? small_bags(8) : small_series(8);
    TrainSettings settings = one_thread();
    const double all = train(data, settings).model.parts.front().gamma;
    for (const char* candidates : {"sample:100", "sample:15", "kmeans:6"}) {
      SCOPED_TRACE(candidates);
      settings.candidates = Candidates::parse(candidates);
      const TrainingResult fewer = train(data, settings);
      expect_honest(fewer, data);
      if (settings.candidates->kind == Candidates::Kind::sample) {
        EXPECT_GE(all, fewer.model.parts.front().gamma * (1.0 - kMarginShare)) << "a sample is a part of all";
      } else {
        for (const Hypothesis& h : fewer.model.hypotheses) {
          for (const Instance& instance : h.shapelet.instances) EXPECT_EQ(instance.example, -1);
        }
      }
    }
  }
}

// ------------------------------------------------------------------------------------------------- loop

TEST(Train, EndsAtItsGap_WithRecordsThatTellTheStory) {
  const Dataset data = small_series(9);
  std::vector<RoundRecord> seen;
  Observer observer;
  observer.round = [&](const RoundRecord& record) { seen.push_back(record); };
  const TrainingResult result = train(data, one_thread(), observer);
  expect_honest(result, data);
  EXPECT_EQ(result.stop, Stop::gap);
  EXPECT_LE(result.gap, one_thread().boosting.gap);
  EXPECT_GE(result.gap, 0.0);
  ASSERT_EQ(seen.size(), result.rounds.size());
  ASSERT_EQ(result.model.provenance.history.size(), result.rounds.size());
  EXPECT_GE(training_accuracy(result.model, data), 0.8);
  for (std::size_t t = 0; t < seen.size(); ++t) {
    EXPECT_EQ(seen[t].round, static_cast<int>(t) + 1);
    EXPECT_EQ(result.model.provenance.history[t].gamma, seen[t].gamma);
    if (t == 0) continue;
    EXPECT_GE(seen[t].gamma, seen[t - 1].gamma - kLinearProgram) << "gamma never falls";
    EXPECT_GE(seen[t].columns, seen[t - 1].columns);
  }
  EXPECT_TRUE(seen.back().refined) << "no end before the DC algorithm was asked";
  EXPECT_LE(seen.back().edge, seen.back().gamma * (1.0 + one_thread().boosting.gap) + 1e-9);
  EXPECT_EQ(seen.back().gamma, result.model.parts.front().gamma);
}

TEST(Train, RaisesTheMargin_WhenTheGapIsSmaller) {
  const Dataset data = small_series(10);
  TrainSettings settings = one_thread();
  settings.boosting.gap = 0.3;
  const double loose = train(data, settings).model.parts.front().gamma;
  settings.boosting.gap = 0.001;
  const double tight = train(data, settings).model.parts.front().gamma;
  EXPECT_GT(tight, loose);
}

TEST(Train, Ends_WhenRoundsAreSpent) {
  const Dataset data = small_series(11);
  TrainSettings settings = one_thread();
  settings.boosting.max_rounds = 3;
  const TrainingResult result = train(data, settings);
  EXPECT_EQ(result.stop, Stop::rounds);
  EXPECT_EQ(result.rounds.size(), 3U);
  EXPECT_EQ(result.model.provenance.stopped, to_string(Stop::rounds));
  expect_honest(result, data);
}

TEST(Train, EndsWithWhatItKnows_WhenInterrupted) {
  const Dataset data = small_series(12);
  int rounds = 0;
  Observer observer;
  observer.round = [&](const RoundRecord&) { ++rounds; };
  observer.interrupted = [&] { return rounds >= 2; };
  const TrainingResult result = train(data, one_thread(), observer);
  EXPECT_EQ(result.stop, Stop::interrupted);
  EXPECT_EQ(result.rounds.size(), 2U);
  expect_honest(result, data);
}

TEST(Train, PredictsTheLargerClass_WhenInterruptedAtOnce) {
  Dataset data = small_series(13, 21);
  Observer observer;
  observer.interrupted = [] { return true; };
  const TrainingResult result = train(data, one_thread(), observer);
  EXPECT_EQ(result.stop, Stop::interrupted);
  EXPECT_TRUE(result.model.hypotheses.empty());
  std::int64_t positive = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) positive += data.label(i);
  for (const int label : predictions(result.model, scores(result.model, data, 1)))
    EXPECT_EQ(label, positive > 10 ? 1 : 0);
}

TEST(Train, FindsNothing_WhenAllExamplesAreTheSame) {
  for (const double step : {0.0, 0.1}) {  // constant series, and equal ones
    Dataset data(DataKind::series);
    Matrix series(1, 30);
    for (Eigen::Index t = 0; t < 30; ++t) series(0, t) = 1.0 + step * static_cast<double>(t % 7);
    for (int i = 0; i < 6; ++i) add(data, series, i % 2 == 0 ? "a" : "b", std::to_string(i));
    for (const Normalisation n : {Normalisation::raw, Normalisation::centred, Normalisation::z}) {
      for (const Weak weak : {Weak::sparse, Weak::ball}) {
        SCOPED_TRACE(std::string(to_string(n)) + ", " + std::string(to_string(weak)));
        TrainSettings settings = one_thread();
        settings.normalisations = {n};
        settings.boosting.weak = weak;
        const TrainingResult result = train(data, settings);
        EXPECT_TRUE(result.model.hypotheses.empty() || std::abs(result.model.parts.front().gamma) < 1e-6);
        EXPECT_TRUE(mapped(scores(result.model, data, 1).parts).allFinite());
      }
    }
  }
}

TEST(Train, GivesUpOnTwins_WhenEqualBagsHaveDifferentLabels) {
  Dataset data = small_bags(14, 20);
  const Matrix copy = mapped(data.values(0));
  add(data, copy, data.classes()[static_cast<std::size_t>(1 - data.label(0))], "copy");
  TrainSettings settings = one_thread();
  settings.boosting.nu = 0.3;
  const TrainingResult result = train(data, settings);
  expect_honest(result, data);
  EXPECT_LT(training_accuracy(result.model, data), 1.0);
  EXPECT_GE(training_accuracy(result.model, data), 0.9);
}

TEST(Train, TellsConstantSeriesApart_WhenTheirLevelsDiffer) {
  Dataset data(DataKind::series);
  for (int i = 0; i < 8; ++i)
    add(data, Matrix::Constant(1, 20, i % 2 == 0 ? 1.0 : 2.0), i % 2 == 0 ? "a" : "b", "");
  const TrainingResult result = train(data, one_thread());
  expect_honest(result, data);
  EXPECT_EQ(training_accuracy(result.model, data), 1.0);
}

TEST(Train, LowersNuAndSaysSo_WhenOneClassIsSmall) {
  Dataset data(DataKind::bags);
  Rng rng(15);
  for (int i = 0; i < 15; ++i) {
    Matrix bag(3, 2);
    for (double& v : bag.reshaped()) v = rng.normal() + (i == 0 ? 6.0 : 0.0);
    add(data, bag, i == 0 ? "b" : "a", std::to_string(i));
  }
  const TrainingResult result = train(data, one_thread());
  EXPECT_NEAR(result.model.parts.front().nu, 2.0 / 15.0, 1e-12);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes[0].find("nu lowered from 0.2"), std::string::npos) << result.notes[0];
  expect_honest(result, data);
}

TEST(Train, HasAHardMarginAndSaysSo_WhenNuAllowsNoBag) {
  const Dataset data = small_bags(16, 12);
  TrainSettings settings = one_thread();
  settings.boosting.nu = 0.05;
  const TrainingResult result = train(data, settings);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_NE(result.notes[0].find("hard"), std::string::npos);
  EXPECT_NEAR(result.model.parts.front().rho, result.model.parts.front().gamma, kLinearProgram);
  EXPECT_EQ(training_accuracy(result.model, data), 1.0);
  expect_honest(result, data);
}

TEST(Train, WorksWithoutAnOffset) {
  const Dataset data = small_bags(17);
  TrainSettings settings = one_thread();
  settings.boosting.offset = false;
  const TrainingResult result = train(data, settings);
  EXPECT_EQ(result.model.parts.front().b, 0.0);
  expect_honest(result, data);
  const naive::TwinResult twin = twin_of(data, result.model, settings, 6);
  EXPECT_GE(result.model.parts.front().gamma, twin.gamma - kMarginShare * std::abs(twin.gamma));
}

TEST(Train, MayCountPatternsAgainstTheClass_WhenMirrored) {
  const Dataset data = small_series(19);
  TrainSettings settings = one_thread();
  settings.boosting.one_sided = true;
  settings.boosting.offset = false;
  const TrainingResult plain = train(data, settings);
  settings.boosting.mirrored = true;
  const TrainingResult mirrored = train(data, settings);
  expect_honest(mirrored, data);
  const auto against = [](const Hypothesis& hypothesis) { return hypothesis.sign < 0; };
  EXPECT_TRUE(std::none_of(plain.model.hypotheses.begin(), plain.model.hypotheses.end(), against));
  EXPECT_TRUE(std::any_of(mirrored.model.hypotheses.begin(), mirrored.model.hypotheses.end(), against));
  EXPECT_EQ(mirrored.rounds.front().columns, 2 * plain.rounds.front().columns) << "-h for every +h";
}

TEST(Train, SolvesForTheWeightsAnew_WhenTheOffsetComesLast) {
  const Dataset data = small_series(23);
  TrainSettings settings = one_thread();
  settings.boosting.offset = false;
  const TrainingResult without = train(data, settings);
  settings.boosting.offset = true;
  settings.boosting.offset_last = true;
  const TrainingResult last = train(data, settings);
  expect_honest(last, data);
  ASSERT_EQ(last.rounds.size(), without.rounds.size());
  for (std::size_t r = 0; r < last.rounds.size(); ++r) {
    EXPECT_EQ(last.rounds[r].edge, without.rounds[r].edge) << "the same hypotheses, round " << r;
  }
  EXPECT_NE(last.model.parts.front().b, 0.0);
  EXPECT_GT(last.model.parts.front().gamma, without.model.parts.front().gamma) << "b = 0 was possible too";
}

TEST(Train, SaysWhatIsWrong_WithMirrorsAndLateOffsets) {
  const Dataset data = small_series(23);
  TrainSettings settings = one_thread();
  settings.boosting.mirrored = true;
  EXPECT_EQ(sentence([&] { (void)train(data, settings); }),
            "mirrored: expected one-sided patterns, found signed ones");
  settings.boosting.mirrored = false;
  settings.boosting.offset = false;
  settings.boosting.offset_last = true;
  EXPECT_EQ(sentence([&] { (void)train(data, settings); }), "offset-last: expected an offset, found none");
}

TEST(Train, EndsEarlier_WhenTheMarginStalls) {
  const Dataset data = small_series(9);
  TrainSettings settings = one_thread();
  const TrainingResult whole = train(data, settings);
  settings.boosting.stall_rounds = 1;
  const TrainingResult part = train(data, settings);
  EXPECT_EQ(part.stop, Stop::stalled);
  EXPECT_LT(part.rounds.size(), whole.rounds.size());
  EXPECT_LE(part.model.parts.front().gamma, whole.model.parts.front().gamma);
  expect_honest(part, data);
}

TEST(Train, GoesOn_WhereOnlyManyHypothesesTogetherOpenAMargin) {
  // One-sided and without an offset the margin may rest below 0 for rounds before it rises.
  TrainSettings settings = one_thread();
  settings.boosting.one_sided = true;
  settings.boosting.offset = false;
  settings.boosting.nu = 0.2;
  settings.kernel.sigma = 0.01;
  settings.candidates = Candidates::parse("kmeans:10");
  settings.boosting.stall_rounds = 1;
  for (const std::uint64_t seed : {7U, 8U, 20U, 24U}) {
    SCOPED_TRACE(seed);
    const Dataset data = examples::random_bags(60, 7, 60, seed);
    const TrainingResult result = train(data, settings);
    EXPECT_GT(result.model.parts.front().gamma, 1e-5);
    expect_honest(result, data);
  }
}

TEST(Train, StaysInTheUnitBall_WhenWeakIsBall) {
  for (const bool bags : {true, false}) {
    const Dataset data = bags ? small_bags(18, 20) : small_series(18, 12);
    TrainSettings settings = one_thread();
    settings.boosting.weak = Weak::ball;
    const TrainingResult result = train(data, settings);
    EXPECT_EQ(result.stop, Stop::gap);
    expect_honest(result, data);
    EXPECT_GE(training_accuracy(result.model, data), 0.9);
    for (const Hypothesis& hypothesis : result.model.hypotheses) {
      const View& view = result.model.views[static_cast<std::size_t>(hypothesis.view)];
      const auto n = static_cast<Eigen::Index>(hypothesis.shapelet.alpha.size());
      Matrix z(n, view.numbers());
      for (Eigen::Index k = 0; k < n; ++k) {
        z.row(k) = naive::prepared(view, hypothesis.shapelet.instances[static_cast<std::size_t>(k)].values)
                       .transpose();
      }
      const Eigen::Map<const Vector> alpha(hypothesis.shapelet.alpha.data(), n);
      EXPECT_LE(alpha.dot(naive::gram(view.kernel, z, z) * alpha), 1.0 + 1e-6);
    }
    // The sparse ball lies inside the unit ball when K(x, x) = 1: its margin cannot be larger.
    settings.boosting.weak = Weak::sparse;
    EXPECT_GE(result.model.parts.front().gamma,
              train(data, settings).model.parts.front().gamma * (1.0 - 2.0 * kMarginShare));
  }
}

TEST(Train, WorksWithEveryKernelAndNormalisation) {
  for (const KernelKind kernel : {KernelKind::gaussian, KernelKind::linear, KernelKind::polynomial}) {
    for (const Weak weak : {Weak::sparse, Weak::ball}) {
      SCOPED_TRACE(std::string(to_string(kernel)) + ", " + std::string(to_string(weak)));
      const Dataset data = small_series(19, 14);
      TrainSettings settings = one_thread();
      settings.kernel.kind = kernel;
      settings.boosting.weak = weak;
      settings.normalisations = {Normalisation::raw, Normalisation::centred, Normalisation::z};
      const TrainingResult result = train(data, settings);
      EXPECT_EQ(result.model.views.size(), 6U);
      expect_honest(result, data);
      EXPECT_GE(training_accuracy(result.model, data), 0.9);
    }
  }
}

}  // namespace
}  // namespace shapeboost
