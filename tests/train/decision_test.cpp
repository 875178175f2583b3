// SPDX-License-Identifier: MIT
#include "train/decision.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ground/rng.hpp"
#include "shapeboost/calibration.hpp"
#include "shapeboost/predictor.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "tell/metrics.hpp"
#include "train/trainer.hpp"

namespace shapeboost {
namespace {

using detail::best_offsets;
using detail::worth;
using examples::labels_of;

/// Bags of three vectors, one in `every` of class "rare", whose first feature lies `up` deviations further up.
Dataset rare_bags(int bags, int every, std::uint64_t seed, double up = 1.5) {
  Rng rng(seed);
  Dataset data(DataKind::bags);
  for (int i = 0; i < bags; ++i) {
    const bool rare = i % every == 0;
    Matrix bag(3, 4);
    for (double& value : bag.reshaped()) value = rng.normal();
    if (rare) bag.col(0).array() += up;
    add(data, bag, rare ? "rare" : "common", std::to_string(i));
  }
  return data;
}

/// Series of noise, one in `every` with a hump lower than some of the noise.
Dataset rare_series(int count, int every, std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::series);
  for (int i = 0; i < count; ++i) {
    Matrix series(1, 40);
    for (double& value : series.reshaped()) value = rng.normal();
    const std::int64_t begin = rng.below(30);
    if (i % every == 0) series.block(0, begin, 1, 10).array() += 1.5;
    add(data, series, i % every == 0 ? "rare" : "common", std::to_string(i));
  }
  return data;
}

double fresh_recall(const Model& model, const Dataset& data) {
  return balanced_accuracy(confusion_matrix(labels_for(model, data),
                                            predictions(model, scores(model, data, 1)),
                                            static_cast<int>(model.classes.size())));
}

Model model_of(int classes, Strategy strategy) {
  Model model;
  for (int c = 0; c < classes; ++c) model.classes.push_back(std::to_string(c));
  model.strategy = strategy;
  model.parts = parts_for(classes, strategy);
  return model;
}

TEST(Worth, IsWhatEvaluationReports) {
  Rng rng(3);
  std::vector<int> labels;
  std::vector<int> predicted;
  for (int i = 0; i < 200; ++i) {
    labels.push_back(static_cast<int>(rng.below(3)));
    predicted.push_back(rng.below(2) == 0 ? labels.back() : static_cast<int>(rng.below(3)));
  }
  const Array<int> confusion = confusion_matrix(labels, predicted, 3);
  EXPECT_DOUBLE_EQ(worth(Optimise::accuracy, labels, predicted, 3), accuracy(confusion));
  EXPECT_DOUBLE_EQ(worth(Optimise::balanced, labels, predicted, 3), balanced_accuracy(confusion));
  EXPECT_DOUBLE_EQ(worth(Optimise::f1, labels, predicted, 3), macro_f1(confusion));
}

TEST(BestOffsets, FindTheGap_WhenScoresSeparateTheClassesElsewhere) {
  const Model model = model_of(2, Strategy::one_vs_rest);
  Rng rng(1);
  Array<double> scores(300, 1);
  std::vector<int> labels;
  for (std::int64_t i = 0; i < 300; ++i) {
    labels.push_back(i % 10 == 0 ? 1 : 0);
    scores(i, 0) = rng.uniform() + (labels.back() == 1 ? -1.5 : -3.0);  // the gap lies at -2 to -1.5
  }
  for (const Optimise aim : {Optimise::balanced, Optimise::f1}) {
    const std::vector<double> offsets = best_offsets(model, scores, labels, aim);
    EXPECT_EQ(offsets[0], 0.0);
    EXPECT_GT(offsets[1], 1.5);
    EXPECT_LT(offsets[1], 2.0);
  }
}

TEST(BestOffsets, StayZero_WhenNothingIsBetter) {
  const Model model = model_of(2, Strategy::one_vs_rest);
  const Array<double> scores = array(4, 1, {-1.0, -0.5, 0.2, 3.0});
  EXPECT_EQ(best_offsets(model, scores, {0, 0, 1, 1}, Optimise::balanced), (std::vector<double>{0.0, 0.0}));
}

TEST(BestOffsets, UndoWhatHidesAClass_OfSeveral) {
  // Class scores that decide rightly, less 2 for class 2: nobody is given it until that is undone.
  for (const Strategy strategy : {Strategy::one_vs_rest, Strategy::one_vs_one}) {
    const Model model = model_of(3, strategy);
    Rng rng(5);
    Array<double> scores(240, 3);
    std::vector<int> labels;
    for (std::int64_t i = 0; i < 240; ++i) {
      labels.push_back(i % 12 == 0 ? 2 : static_cast<int>(i % 2));
      double s[3];
      for (int c = 0; c < 3; ++c)
        s[c] = 0.2 * rng.uniform() + (labels.back() == c ? 1.0 : 0.0) - (c == 2 ? 2.0 : 0.0);
      for (std::size_t p = 0; p < 3; ++p) {
        const Part& part = model.parts[p];
        scores(i, p) = s[part.positive] - (part.negative == kRest ? 0.0 : s[part.negative]);
      }
    }
    const std::vector<double> offsets = best_offsets(model, scores, labels, Optimise::balanced);
    EXPECT_NEAR(offsets[2] - 0.5 * (offsets[0] + offsets[1]), 2.0, 1.0) << to_string(strategy);
    Scores moved{scores, std::vector<char>(240, 1)};
    for (std::int64_t i = 0; i < 240; ++i) {
      for (std::size_t p = 0; p < 3; ++p) {
        const Part& part = model.parts[p];
        moved.parts(i, p) +=
            offsets[at(part.positive)] - (part.negative == kRest ? 0.0 : offsets[at(part.negative)]);
      }
    }
    EXPECT_EQ(predictions(model, moved), labels) << to_string(strategy);
  }
}

struct Trial {
  std::string name;
  Dataset data;
  Dataset fresh;
  TrainSettings settings;
  double gain = 0.1;  ///< at least
};

std::vector<Trial> trials() {
  TrainSettings single = examples::single();
  TrainSettings committee;
  committee.members = 25;
  committee.threads = 1;
  TrainSettings both = committee;
  committee.head = HeadKind::average;
  TrainSettings drawn = committee;  // members that leave examples out
  drawn.member_bags = 100;
  TrainSettings head = committee;
  head.head = HeadKind::ridge;
  head.patterns = 300;
  return {
      {"a single model of bags", rare_bags(200, 15, 1), rare_bags(600, 15, 2), single},
      {"an average", rare_bags(200, 15, 1), rare_bags(600, 15, 2), committee},
      {"an average of members that leave examples out", rare_bags(300, 15, 3), rare_bags(600, 15, 2), drawn},
      // Heads of bags recognise them anyway.
      {"a head for bags", rare_bags(200, 15, 1), rare_bags(600, 15, 2), head, -0.05},
      {"a head for bags beside an average", rare_bags(200, 15, 1), rare_bags(600, 15, 2), both, -0.05},
      {"a head for series", rare_series(200, 15, 4), rare_series(600, 15, 5), head}};
}

TEST(Decision, ServesWhatIsAskedFor_OnNewData) {
  for (auto& [name, data, fresh, settings, gain] : trials()) {
    SCOPED_TRACE(name);
    const Model plain = train(data, settings).model;
    settings.optimise = Optimise::balanced;
    const Model moved = train(data, settings).model;
    EXPECT_GT(fresh_recall(moved, fresh), fresh_recall(plain, fresh) + gain);
    // Nothing but the threshold has moved, and the file knows by how much.
    const Part& part = moved.parts.front();
    EXPECT_NE(part.shift, 0.0);
    EXPECT_NEAR(part.b - part.shift, plain.parts.front().b, 1e-12);
    EXPECT_EQ(part.rho, plain.parts.front().rho);
    EXPECT_EQ(part.margins, plain.parts.front().margins);
    const Model read = model_from_json(to_json(moved), "file");
    EXPECT_EQ(read.parts.front().shift, part.shift);
    // Probabilities are of the classes, not of the user's aim.
    const Array<double> before = unit_scores(plain, scores(plain, fresh, 1));
    const Array<double> after = unit_scores(moved, scores(moved, fresh, 1));
    for (std::int64_t i = 0; i < before.rows(); ++i) EXPECT_NEAR(before(i, 1), after(i, 1), 1e-9);
  }
}

TEST(Decision, OfSeveralClassesIsMovedForEach) {
  Rng rng(8);
  const auto data_of = [&](int bags) {
    Dataset data(DataKind::bags);
    for (int i = 0; i < bags; ++i) {
      const int label = i % 10 == 0 ? 2 : i % 2;
      Matrix bag(3, 3);
      for (double& value : bag.reshaped()) value = rng.normal();
      bag.col(label).array() += 1.3;
      add(data, bag, std::to_string(label), std::to_string(i));
    }
    return data;
  };
  const Dataset data = data_of(150);
  const Dataset fresh = data_of(500);
  for (const Strategy strategy : {Strategy::one_vs_rest, Strategy::one_vs_one}) {
    TrainSettings settings;
    settings.members = 10;
    settings.candidates = Candidates{Candidates::Kind::sample, 100};
    settings.threads = 1;
    settings.strategy = strategy;
    const Model plain = train(data, settings).model;
    settings.optimise = Optimise::balanced;
    const Model moved = train(data, settings).model;
    EXPECT_GT(fresh_recall(moved, fresh), fresh_recall(plain, fresh) + 0.02) << to_string(strategy);
  }
}

TEST(Decision, IsTheSameForAnyNumberOfThreads) {
  const Dataset data = rare_bags(120, 10, 6);
  TrainSettings settings;
  settings.members = 4;
  settings.optimise = Optimise::f1;
  settings.threads = 1;
  const std::string one = to_json(train(data, settings).model);
  settings.threads = 3;
  EXPECT_EQ(to_json(train(data, settings).model), one);
}

TEST(LeftOut, ScoresOfNoiseSayNothing_WhereThoseOfTrainingDo) {
  const Dataset data = rare_bags(300, 2, 7, 0.0);
  TrainSettings settings;
  settings.members = 30;
  settings.member_bags = 40;
  settings.threads = 1;
  settings.head = HeadKind::average;
  const TrainingResult result = train(data, settings);
  ASSERT_EQ(result.left_out.rows(), 300);
  std::vector<double> left_out;
  std::vector<double> trained;
  const Scores all = scores(result.model, data, 1);
  for (std::int64_t i = 0; i < 300; ++i) {
    left_out.push_back(result.left_out(i, 0));
    trained.push_back(all.parts(i, 0));
  }
  EXPECT_GT(auc(labels_of(data), trained), 0.7);
  EXPECT_NEAR(auc(labels_of(data), left_out), 0.5, 0.1);
  settings.member_bags = 0;
  settings.members = 2;
  EXPECT_EQ(train(data, settings).left_out.rows(), 0);
}

TEST(Decision, IsNoted_WhenAClassIsHardlyEverPredicted) {
  const Dataset data = rare_bags(300, 15, 9, 0.3);
  TrainSettings settings;
  settings.members = 25;
  settings.member_bags = 100;
  settings.threads = 1;
  const auto note_of = [&] {
    for (const std::string& note : train(data, settings).notes) {
      if (note.find("hardly ever predicted") != std::string::npos) return note;
    }
    return std::string();
  };
  const std::string note = note_of();
  EXPECT_EQ(note.substr(0, 39), "class 'rare' is hardly ever predicted: ") << note;
  EXPECT_NE(note.find("of its 20 examples"), std::string::npos) << note;
  EXPECT_NE(note.find("--optimise balanced or f1"), std::string::npos) << note;
  settings.optimise = Optimise::balanced;
  EXPECT_EQ(note_of(), "");
}

TEST(Decision, SaysSo_WhenItCannotBeChosen) {
  Dataset data(DataKind::bags);
  add(data, Matrix::Constant(1, 2, 0.0), "a", "0");
  add(data, Matrix::Constant(1, 2, 1.0), "b", "1");
  TrainSettings settings = examples::single();
  settings.optimise = Optimise::balanced;
  const TrainingResult result = train(data, settings);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_EQ(result.notes.back(),
            "the threshold is that of --optimise accuracy: no two examples of one class to try others on");
}

TEST(Decision, ProbabilitiesOfARareClassAreReliable) {
  // One in twenty; examples among those that are given 10 % or more are of the class about as often as is said.
  const Dataset data = rare_bags(600, 20, 11, 1.2);
  const Dataset fresh = rare_bags(4000, 20, 12, 1.2);
  TrainSettings settings;
  settings.members = 20;
  settings.threads = 1;
  for (const Optimise aim : {Optimise::accuracy, Optimise::balanced}) {
    settings.optimise = aim;
    Model model = train(data, settings).model;
    model.calibration = calibrate(data, settings);
    const Array<double> p = probabilities(model, scores(model, fresh, 1));
    double said[2] = {0.0, 0.0};
    double true_of[2] = {0.0, 0.0};
    double count[2] = {0.0, 0.0};
    for (std::int64_t i = 0; i < fresh.size(); ++i) {
      const int bin = p(i, 1) < 0.1 ? 0 : 1;
      said[bin] += p(i, 1);
      true_of[bin] += fresh.label(i) == 1 ? 1.0 : 0.0;
      count[bin] += 1.0;
    }
    EXPECT_NEAR(said[0] / count[0], true_of[0] / count[0], 0.015);
    ASSERT_GT(count[1], 50.0);
    EXPECT_NEAR(said[1] / count[1], true_of[1] / count[1], 0.1);
  }
}

}  // namespace
}  // namespace shapeboost
