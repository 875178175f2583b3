// SPDX-License-Identifier: MIT
// Models with kernels that are not functions of inner products: trained, saved, loaded, refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "shapeboost/base.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/accuracy.hpp"
#include "tell/metrics.hpp"
#include "train/plan.hpp"

namespace shapeboost {
namespace {

SyntheticData warped(std::int64_t examples, std::uint64_t seed) {
  SyntheticSettings settings;
  settings.examples = examples;
  settings.length = 80;
  settings.seed = seed;
  return warped_series(settings);
}

/// One readable model on one view.
TrainSettings single(KernelKind kind) {
  TrainSettings settings;
  settings.members = 1;
  settings.views = {ViewChoice::Kind::grid, 0};
  settings.lengths = {0.4};
  settings.candidates = Candidates{Candidates::Kind::sample, 48};
  settings.kernel.kind = kind;
  settings.kernel.band = 0.2;
  settings.threads = 1;
  return settings;
}

TEST(Warping, BeatsTheGaussianKernel_WherePatternsAreWarped) {
  const Dataset train_data = warped(40, 1).data;
  const Dataset test_data = warped(100, 101).data;
  const double gaussian = accuracy_of(train(train_data, single(KernelKind::gaussian)).model, test_data);
  const double dtw = accuracy_of(train(train_data, single(KernelKind::dtw)).model, test_data);
  EXPECT_GT(dtw, 0.88);
  EXPECT_GT(dtw, gaussian + 0.1);
}

TEST(Kernels, SurviveTheModelFile_WithTheirParameters) {
  const Dataset data = warped(14, 2).data;
  for (const KernelKind kind : {KernelKind::laplacian, KernelKind::dtw, KernelKind::gak}) {
    SCOPED_TRACE(to_string(kind));
    TrainSettings settings = single(kind);
    settings.candidates->count = 16;
    settings.boosting.max_rounds = 4;
    const Model model = train(data, settings).model;
    const Model again = model_from_json(to_json(model), "memory");
    ASSERT_EQ(again.views.size(), 1U);
    EXPECT_EQ(again.views[0].kernel.kind(), kind);
    EXPECT_EQ(again.views[0].kernel.sigma(), model.views[0].kernel.sigma());
    EXPECT_GT(again.views[0].kernel.sigma(), 0.0);
    EXPECT_EQ(again.views[0].kernel.band(), kind == KernelKind::laplacian ? 0.0 : 0.2);
    EXPECT_EQ(scores(again, data, 1).parts, scores(model, data, 2).parts);
  }
}

TEST(Kernels, AreRefused_WhenTheBandIsNoShare) {
  for (const double band : {-0.1, 1.5}) {
    TrainSettings settings = single(KernelKind::dtw);
    settings.kernel.band = band;
    EXPECT_NE(validate(settings).find("band: expected a number from 0 to 1, found"), std::string::npos);
  }
  EXPECT_EQ(validate(single(KernelKind::dtw)), "");
}

TEST(Kernels, AreRefusedByTheBall_WhenNotPositiveSemidefinite) {
  TrainSettings settings = single(KernelKind::dtw);
  settings.boosting.weak = Weak::ball;
  const std::string sentence =
      "weak: the ball needs a positive semi-definite kernel, which dtw is not; sparse takes any similarity";
  EXPECT_EQ(validate(settings), sentence);
  const Dataset data = warped(6, 3).data;
  EXPECT_THROW((void)train(data, settings), InvalidInput);
  settings.kernel.kind = KernelKind::gak;
  EXPECT_EQ(validate(settings), "");
  settings.kernel.kind = KernelKind::laplacian;
  EXPECT_EQ(validate(settings), "");
}

TEST(Kernels, AreRefusedForBags_WhenTheyAlignMoments) {
  const Dataset data = planted_bags().data;
  for (const KernelKind kind : {KernelKind::dtw, KernelKind::gak}) {
    TrainSettings settings = single(kind);
    settings.lengths.clear();
    EXPECT_THROW((void)train(data, settings), InvalidInput);
  }
}

TEST(Kernels, LaplacianLearnsBags) {
  SyntheticSettings synthetic;
  synthetic.examples = 40;
  synthetic.length = 6;
  const Dataset train_data = planted_bags(synthetic).data;
  synthetic.seed = 2;
  const Dataset test_data = planted_bags(synthetic).data;
  TrainSettings settings = single(KernelKind::laplacian);
  settings.lengths.clear();
  EXPECT_GT(accuracy_of(train(train_data, settings).model, test_data), 0.9);
}

TEST(Training, IsTheSame_WhateverTheThreadsAndMemory_WhenTimeIsWarped) {
  const Dataset data = warped(12, 4).data;
  TrainSettings settings = single(KernelKind::dtw);
  settings.candidates->count = 16;
  const TrainingResult result = train(data, settings);
  EXPECT_TRUE(
      std::any_of(result.rounds.begin(), result.rounds.end(), [](const auto& r) { return r.refined; }));
  const std::string plenty = to_json(result.model);
  settings.threads = 2;
  settings.memory = smallest_memory(data, settings);
  EXPECT_EQ(to_json(train(data, settings).model), plenty);
}

}  // namespace
}  // namespace shapeboost
