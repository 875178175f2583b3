// SPDX-License-Identifier: MIT
#include "train/class_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ground/rng.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "tell/metrics.hpp"

namespace shapeboost {
namespace {

using examples::sentence;
using Rule = ClassWeights::Rule;

/// Bags of three vectors, one in `every` of class "rare", which lies 1.2 deviations further up.
Dataset imbalanced(int bags, int every, std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::bags);
  for (int i = 0; i < bags; ++i) {
    const bool rare = i % every == 0;
    Matrix bag(3, 2);
    for (double& value : bag.reshaped()) value = rng.normal() + (rare ? 1.2 : 0.0);
    add(data, bag, rare ? "rare" : "common", std::to_string(i));
  }
  return data;
}

Vector signs(const Dataset& data) {
  Vector y(data.size());
  for (std::int64_t i = 0; i < data.size(); ++i) y[i] = data.label(i) == 1 ? 1.0 : -1.0;
  return y;
}

TEST(ClassWeights, ParseIsTheInverseOfText) {
  EXPECT_EQ(ClassWeights{}.rule, Rule::uniform);
  EXPECT_EQ(ClassWeights::parse("uniform"), ClassWeights{});
  EXPECT_EQ(ClassWeights::parse(" balanced ").rule, Rule::balanced);
  const ClassWeights given = ClassWeights::parse("rare=14, 1.0 = 0.5,a=b=2");
  EXPECT_EQ(given, (ClassWeights{Rule::by_label, {{"rare", 14.0}, {"1", 0.5}, {"a=b", 2.0}}}));
  for (const char* text : {"uniform", "balanced", "rare=14,1=0.5,a=b=2"}) {
    EXPECT_EQ(ClassWeights::parse(text).text(), text);
  }
}

TEST(ClassWeights, ParseNamesTheFault) {
  const auto fault = [](const char* text) { return sentence([&] { (void)ClassWeights::parse(text); }); };
  const std::string expected =
      "class-weights: expected uniform, balanced or LABEL=WEIGHT,LABEL=WEIGHT, found ";
  EXPECT_EQ(fault(""), expected + "''");
  EXPECT_EQ(fault("balancd"), expected + "'balancd'");
  EXPECT_EQ(fault("a=1,"), expected + "'a=1,'");
  EXPECT_EQ(fault("=1"), "class-weights: no label before '=' in '=1'");
  EXPECT_EQ(fault("a=x"), "class-weights: expected a number as the weight of 'a', found 'x'");
  EXPECT_EQ(fault("a="), "class-weights: expected a number as the weight of 'a', found ''");
  EXPECT_EQ(fault("a=inf"), "class-weights: expected a number as the weight of 'a', found 'inf'");
  EXPECT_EQ(fault("a=0"), "class-weights: expected a weight from 1e-06 to 1e+06 for 'a', found 0");
  EXPECT_EQ(fault("a=1e7"), "class-weights: expected a weight from 1e-06 to 1e+06 for 'a', found 1e+07");
  EXPECT_EQ(fault("1=2,b=1,1.0=3"), "class-weights: expected each label once, found '1' twice");
}

TEST(ClassWeights, ValidateNamesTheFault_AndTrainRefusesTheSame) {
  EXPECT_EQ(validate(ClassWeights{}), "");
  EXPECT_EQ(validate(ClassWeights{Rule::by_label, {}}),
            "class-weights: expected the weight of at least one label, found none");
  TrainSettings settings;
  settings.class_weights = {Rule::by_label, {{"a", NAN}}};
  EXPECT_EQ(validate(settings), validate(settings.class_weights));
  EXPECT_EQ(sentence([&] { (void)train(imbalanced(6, 3, 1), settings); }), validate(settings));
  EXPECT_NE(validate(settings), "");
}

TEST(BagWeights, FollowTheRule) {
  const Dataset data = imbalanced(6, 3, 1);  // bags 0 and 3 are rare
  const Vector y = signs(data);
  EXPECT_EQ(bag_weights({}, data, {}, y), Vector::Ones(6));
  const double half = 0.5;
  const double quarter = 0.25;
  EXPECT_EQ(bag_weights(ClassWeights::parse("balanced"), data, {}, y),
            Vector({{half, quarter, quarter, half, quarter, quarter}}));
  EXPECT_EQ(bag_weights(ClassWeights::parse("rare=3"), data, {}, y), Vector({{3.0, 1.0, 1.0, 3.0, 1.0, 1.0}}))
      << "a label not named weighs 1";
  EXPECT_EQ(bag_weights(ClassWeights::parse("common=0.5,rare=2"), data, {}, y),
            Vector({{2.0, 0.5, 0.5, 2.0, 0.5, 0.5}}));
  EXPECT_EQ(sentence([&] { (void)bag_weights(ClassWeights::parse("rare=2,odd=3"), data, {}, y); }),
            "class-weights: expected labels among 'common', 'rare', found 'odd'");
}

double mean_recall(const Model& model, const Dataset& data) {
  return balanced_accuracy(
      confusion_matrix(labels_for(model, data), predictions(model, scores(model, data, 1)), 2));
}

TEST(ClassWeights, KeepNuAndTheRareClass_WhenBalanced) {
  const Dataset data = imbalanced(150, 15, 10);
  const Dataset fresh = imbalanced(600, 15, 11);
  TrainSettings settings = examples::single();
  settings.boosting.nu = 0.5;
  const TrainingResult uniform = train(data, settings);
  EXPECT_NEAR(uniform.model.parts.front().nu, 2.0 / 15.0, 1e-12);
  ASSERT_EQ(uniform.notes.size(), 1U);
  EXPECT_EQ(uniform.notes[0].substr(0, 20), "nu lowered from 0.5 ");
  settings.class_weights.rule = Rule::balanced;
  const TrainingResult balanced = train(data, settings);
  EXPECT_EQ(balanced.model.parts.front().nu, 0.5);
  EXPECT_TRUE(balanced.notes.empty());
  EXPECT_LE(balanced.duality_gap, 1e-7);
  EXPECT_GT(mean_recall(balanced.model, fresh), mean_recall(uniform.model, fresh) + 0.1);
  // Fourteen times the weight for a fourteenth of the bags is balance under another name.
  settings.class_weights = ClassWeights::parse("rare=14");
  const TrainingResult given = train(data, settings);
  EXPECT_EQ(given.model.parts.front().nu, 0.5);
  EXPECT_NEAR(given.model.parts.front().gamma, balanced.model.parts.front().gamma,
              0.02 * balanced.model.parts.front().gamma);
}

TEST(ClassWeights, LowerNuAndSaySo_WhenOneClassWeighsTooLittle) {
  const Dataset data = imbalanced(20, 2, 5);
  TrainSettings settings = examples::single();
  settings.class_weights = ClassWeights::parse("rare=0.05");
  const TrainingResult result = train(data, settings);
  EXPECT_NEAR(result.model.parts.front().nu, 0.1 / 1.05, 1e-12);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes[0].find("one class weighs too little for more"), std::string::npos);
}

TEST(ClassWeights, CountInACommitteesMargin) {
  const Dataset data = imbalanced(60, 6, 6);
  TrainSettings settings;
  settings.members = 3;
  settings.head = HeadKind::average;
  settings.threads = 1;
  settings.class_weights.rule = Rule::balanced;
  settings.boosting.nu = 0.4;
  const TrainingResult result = train(data, settings);
  const Vector g = mapped(scores(result.model, data, 1).parts).col(0);
  double soft = result.model.parts.front().rho;  // less what falls short costs: 1/(2 nu 10), 1/(2 nu 50)
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const bool rare = data.label(i) == 1;
    const double margin = (rare ? 1.0 : -1.0) * g[i];
    soft -= std::max(0.0, result.model.parts.front().rho - margin) / (2.0 * 0.4 * (rare ? 10.0 : 50.0));
  }
  EXPECT_NEAR(result.model.parts.front().gamma, soft, 1e-6);
  EXPECT_EQ(result.members, 3);
}

}  // namespace
}  // namespace shapeboost
