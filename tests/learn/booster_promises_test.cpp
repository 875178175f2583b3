// SPDX-License-Identifier: MIT
// What training promises whatever it finds: the same file, and a clear refusal.
#include <gtest/gtest.h>

#include <string>

#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "support/planted.hpp"
#include "train/plan.hpp"

namespace shapeboost {
namespace {

using examples::one_thread;
using examples::sentence;
using examples::small_bags;
using examples::small_series;

// ------------------------------------------------------------------------------------------------- same

TEST(Train, GivesTheSameFile_WhateverTheThreadsAndTheMemory) {
  for (const bool bags : {false, true}) {
    for (const char* candidates : {"all", "sample:60", "kmeans:5"}) {
      for (const Weak weak : {Weak::sparse, Weak::ball}) {
        SCOPED_TRACE(std::string(bags ? "bags, " : "series, ") + candidates + ", " +
                     std::string(to_string(weak)));
        const Dataset data = bags ? small_bags(20, 20) : small_series(20, 14);
        TrainSettings settings = one_thread();
        settings.candidates = Candidates::parse(candidates);
        settings.boosting.weak = weak;
        const std::string expected = to_json(train(data, settings).model);
        EXPECT_EQ(to_json(train(data, settings).model), expected) << "the same again";
        settings.threads = 2;
        EXPECT_EQ(to_json(train(data, settings).model), expected) << "two threads";
        settings.memory = smallest_memory(data, settings);
        EXPECT_EQ(to_json(train(data, settings).model), expected) << "little memory";
      }
    }
  }
}

TEST(Train, GivesTheSameFile_WhenThreadsShareTheWork) {
  SyntheticSettings synthetic;
  synthetic.examples = 16;
  synthetic.length = 700;
  const Dataset data = planted_series(synthetic).data;
  TrainSettings settings = one_thread();
  settings.boosting.max_rounds = 12;
  const std::string expected = to_json(train(data, settings).model);
  settings.threads = 2;
  EXPECT_EQ(to_json(train(data, settings).model), expected);
}

TEST(Train, KeepsTheSeed_ForSamplesAndMedians) {
  const Dataset data = small_series(21);
  TrainSettings settings = one_thread();
  settings.candidates = Candidates::parse("sample:30");
  const TrainingResult one = train(data, settings);
  settings.seed = 2;
  const TrainingResult two = train(data, settings);
  EXPECT_EQ(one.model.provenance.seed, 1U);
  EXPECT_EQ(two.model.provenance.seed, 2U);
  EXPECT_NE(one.model.parts.front().gamma, two.model.parts.front().gamma);
}

// ---------------------------------------------------------------------------------------------- refusals

TEST(Train, SaysWhatIsWrong_WithTheData) {
  const TrainSettings settings = one_thread();
  Dataset data(DataKind::series);
  EXPECT_EQ(sentence([&] { (void)train(data, settings); }),
            "training data: expected at least two examples, found 0");
  add(data, Matrix::Random(1, 20), "a", "first");
  EXPECT_EQ(sentence([&] { (void)train(data, settings); }),
            "training data: expected at least two examples, found 1");
  add(data, Matrix::Random(1, 20), "a", "second");
  EXPECT_EQ(sentence([&] { (void)train(data, settings); }),
            "training data: expected at least two classes, found only 'a'");
  add(data, Matrix::Random(1, 20), "b", "third");
  EXPECT_EQ(sentence([&] { (void)train(data, settings); }), "nothing was thrown");
  Dataset unlabelled = data;
  add(unlabelled, Matrix::Random(1, 20), "", "fourth");
  EXPECT_EQ(sentence([&] { (void)train(unlabelled, settings); }),
            "training data: example fourth has no label");
  add(data, Matrix::Random(1, 20), "c", "fifth");
  EXPECT_EQ(sentence([&] { (void)train(data, settings); }), "nothing was thrown") << "three classes are fine";
  EXPECT_EQ(sentence([&] {
              (void)train(data.subset({0, 1, 2}), settings);
            }),
            "training data: no example of class 'c'");
}

TEST(Train, SaysWhatIsWrong_WhenAWindowIsTooLong) {
  const Dataset data = small_series(22);
  TrainSettings settings = one_thread();
  settings.lengths = {61.0};
  EXPECT_EQ(sentence([&] { (void)train(data, settings); }),
            "lengths: the longest series has 60 values, too few for a window of 61");
  settings.lengths = {60.0, 1.0};
  const TrainingResult result = train(data, settings);
  EXPECT_EQ(result.model.views.size(), 1U) << "the same length twice is one view";
  EXPECT_EQ(result.model.views[0].length, 60);
}

TEST(Train, SaysHowMuchMemoryItNeeds_WhenThereIsTooLittle) {
  TrainSettings settings = one_thread();
  settings.memory = 1000;
  EXPECT_NE(sentence([&] { (void)train(small_series(23), settings); }).find("memory: "), std::string::npos);
}

}  // namespace
}  // namespace shapeboost
