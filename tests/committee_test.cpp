// SPDX-License-Identifier: MIT
#include "shapeboost/committee.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"

namespace shapeboost {
namespace {

Dataset small_series(std::uint64_t seed) {
  SyntheticSettings settings;
  settings.examples = 16;
  settings.length = 60;
  settings.noise = 0.4;
  settings.seed = seed;
  return planted_series(settings).data;
}

CommitteeSettings quick() {
  CommitteeSettings settings;
  settings.lengths = {0.2, 0.3};
  settings.threads = 1;
  return settings;
}

/// max over rho by trying every margin: the function is piecewise linear with kinks there only.
double naive_soft_margin(const std::vector<double>& margins, double d_cap) {
  double best = -1e300;
  for (const double rho : margins) {
    double value = rho;
    for (const double margin : margins) value -= d_cap * std::max(0.0, rho - margin);
    best = std::max(best, value);
  }
  return best;
}

TEST(SoftMargin, IsTheBestOverRho_WhateverTheCap) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> margins(static_cast<std::size_t>(2 + rng.below(20)));
    for (double& margin : margins) margin = round % 3 == 0 ? std::floor(3.0 * rng.normal()) : rng.normal();
    const auto m = static_cast<double>(margins.size());
    const double nu = 1.0 / m + rng.uniform() * (1.0 - 1.0 / m);
    const double d_cap = 1.0 / (nu * m);
    EXPECT_NEAR(soft_margin(margins, d_cap).gamma, naive_soft_margin(margins, d_cap), 1e-9) << "nu " << nu;
  }
  const SoftMargin hard = soft_margin({3.0, 1.0, 2.0}, 1.0);  // no bag may fall short for less than its loss
  EXPECT_DOUBLE_EQ(hard.gamma, 1.0);
}

TEST(SoftMargin, IsTheMastersValue_ForOneModel) {
  const Dataset data = small_series(5);
  BoosterSettings settings = quick();
  settings.nu = 0.3;
  const TrainingResult result = train(data, settings);
  std::vector<double> margins = scores(result.model, data, 1);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (data.label(i) == 0) margins[static_cast<std::size_t>(i)] *= -1.0;
  }
  const SoftMargin margin = soft_margin(margins, 1.0 / (0.3 * static_cast<double>(data.size())));
  EXPECT_NEAR(margin.gamma, result.model.gamma, 1e-7);
}

TEST(Committee, HasOneMemberForEachNormalisationAndScale) {
  CommitteeSettings settings;
  EXPECT_EQ(members(settings, DataKind::series).size(), 6U);
  EXPECT_EQ(members(settings, DataKind::bags).size(), 3U);
  settings.sigma = 0.1;  // given: nothing to scale
  EXPECT_EQ(members(settings, DataKind::series).size(), 3U);
  settings.sigma = 0.0;
  settings.kernel = KernelKind::linear;
  EXPECT_EQ(members(settings, DataKind::bags).size(), 1U);
  settings.kernel = KernelKind::gaussian;
  settings.over_normalisations = {Normalisation::z};
  settings.over_sigma_scales = {3.0, 5.0};
  const std::vector<BoosterSettings> two = members(settings, DataKind::series);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[1].normalisations, std::vector<Normalisation>{Normalisation::z});
  EXPECT_EQ(two[1].sigma_scale, 5.0);
  settings.single = true;
  settings.over_sigma_scales = {3.0};
  settings.over_normalisations = {Normalisation::raw, Normalisation::z};
  const std::vector<BoosterSettings> one = members(settings, DataKind::series);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].normalisations, settings.over_normalisations);
  EXPECT_EQ(one[0].sigma_scale, 3.0);
}

TEST(Committee, IsTheMembersAverage_EachScaledByItsMeanScore) {
  const Dataset data = small_series(7);
  const Dataset fresh = small_series(8);
  const CommitteeSettings settings = quick();
  const Model model = train_committee(data, settings).model;
  std::vector<double> expected(static_cast<std::size_t>(fresh.size()), 0.0);
  double parts = 0.0;
  for (const BoosterSettings& member : members(settings, data.kind())) {
    const Model one = train(data, member).model;
    double size = 0.0;
    for (const double score : scores(one, data, 1))
      size += std::abs(score) / static_cast<double>(data.size());
    const std::vector<double> own = scores(one, fresh, 1);
    for (std::size_t i = 0; i < own.size(); ++i) expected[i] += own[i] / size;
    parts += 1.0 / size;
  }
  const std::vector<double> found = scores(model, fresh, 1);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i] / parts, 1e-12);
  double sum = 0.0;
  for (const double w : model.w) sum += w;
  EXPECT_NEAR(sum, 1.0, 1e-9);
  EXPECT_TRUE(std::is_sorted(model.w.rbegin(), model.w.rend()));
}

TEST(Committee, IsTheSameModel_ForAnyThreadsAndMemory) {
  const Dataset data = small_series(9);
  CommitteeSettings settings = quick();
  const std::string expected = to_json(train_committee(data, settings).model);
  settings.threads = 2;
  EXPECT_EQ(to_json(train_committee(data, settings).model), expected);
  settings.memory = smallest_memory(data, settings);
  EXPECT_EQ(to_json(train_committee(data, settings).model), expected) << "least memory";
}

TEST(Committee, IsTheSameModel_WhereverItsMemoryLies) {
  // Vector code may treat the ends of an array apart, and where the ends lie depends on the address.
  const Dataset data = small_series(10);
  const std::string expected = to_json(train_committee(data, quick()).model);
  std::vector<std::vector<char>> wedges;
  for (std::size_t size = 16; size <= 112; size += 16) {
    for (int copies = 0; copies < 50; ++copies)
      wedges.emplace_back(size + static_cast<std::size_t>(copies) * 128);
    EXPECT_EQ(to_json(train_committee(data, quick()).model), expected);
  }
}

TEST(Committee, ReportsEveryMember) {
  const Dataset data = small_series(11);
  CommitteeSettings settings = quick();
  settings.over_normalisations = {Normalisation::raw};
  settings.over_sigma_scales = {1.0, 2.0, 4.0};
  std::vector<int> rounds_seen(3, 0);
  Observer observer;
  observer.round = [&](const RoundRecord& record) { ++rounds_seen[static_cast<std::size_t>(record.member)]; };
  const TrainingResult result = train_committee(data, settings, observer);
  EXPECT_EQ(result.members, 3);
  for (int k = 0; k < 3; ++k) {
    EXPECT_GT(rounds_seen[static_cast<std::size_t>(k)], 0) << "member " << k;
    EXPECT_EQ(rounds_seen[static_cast<std::size_t>(k)],
              std::count_if(result.rounds.begin(), result.rounds.end(),
                            [&](const RoundRecord& record) { return record.member == k; }));
  }
}

TEST(Committee, IsTheBooster_WhenSingle) {
  const Dataset data = small_series(12);
  CommitteeSettings settings = quick();
  settings.single = true;
  EXPECT_EQ(to_json(train_committee(data, settings).model),
            to_json(train(data, static_cast<const BoosterSettings&>(settings)).model));
}

TEST(Committee, EndsWithWhatIsKnown_WhenInterrupted) {
  Observer observer;
  observer.interrupted = [] { return true; };
  const TrainingResult result = train_committee(small_series(13), quick(), observer);
  EXPECT_EQ(result.stop, Stop::interrupted);
  EXPECT_EQ(result.model.provenance.stopped, "interrupted");
}

TEST(Committee, RefusesBadScales_OneAtATime) {
  CommitteeSettings settings;
  settings.over_sigma_scales = {1.0, -2.0};
  EXPECT_EQ(validate(settings), "sigma-scale: expected a number above 0, found -2");
  settings.over_sigma_scales = {1.0, 2.0};
  settings.single = true;
  EXPECT_EQ(validate(settings), "sigma-scale: a single model takes one, found 2");
  settings.over_sigma_scales.clear();
  settings.nu = 2.0;
  EXPECT_EQ(validate(settings), "nu: expected a number above 0 and at most 1, found 2");
}

}  // namespace
}  // namespace shapeboost
