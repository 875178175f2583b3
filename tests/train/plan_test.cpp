// SPDX-License-Identifier: MIT
// What settings mean before anything is trained: their faults, and the views they plan.
#include "train/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ground/rng.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"

namespace shapeboost {
namespace {

using examples::sentence;

TEST(TrainSettings, ValidateNamesTheFirstFault) {
  const auto fault = [](const std::function<void(TrainSettings&)>& spoil) {
    TrainSettings settings;
    spoil(settings);
    return validate(settings);
  };
  EXPECT_EQ(validate(TrainSettings{}), "");
  EXPECT_EQ(fault([](auto& s) { s.members = -1; }), "members: expected at least 1, found -1");
  EXPECT_EQ(fault([](auto& s) {
              s.views = {ViewChoice::Kind::random, 0};
            }),
            "views: expected at least 1, found 0");
  for (const double length :
       {0.0, -0.5, 2.5, 1e10, static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
    EXPECT_TRUE(fault([&](auto& s) {
                  s.lengths = {0.5, length};
                }).starts_with("lengths: expected fractions up to 1 or whole numbers above, found "))
        << length;
  }
  EXPECT_EQ(fault([](auto& s) { s.dilations = {1, 0}; }), "dilation: expected 1 to 1000000000, found 0");
  EXPECT_EQ(fault([](auto& s) { s.dilations = {2'000'000'000}; }),
            "dilation: expected 1 to 1000000000, found 2000000000");
  EXPECT_EQ(fault([](auto& s) { s.taus = {0.0, -1.0}; }), "tau: expected a number of at least 0, found -1");
  EXPECT_EQ(fault([](auto& s) { s.taus = {NAN}; }), "tau: expected a number of at least 0, found nan");
  EXPECT_EQ(fault([](auto& s) { s.channels = {{0}, {-2}}; }), "channels: expected at least 1, found -1");
  EXPECT_EQ(fault([](auto& s) {
              s.channels = {{0, 2, 2}};
            }),
            "channels: expected each once, ascending, found 3");
  EXPECT_EQ(fault([](auto& s) {
              s.sigma_scales = {1.0, -2.0};
            }),
            "sigma-scale: expected a number above 0, found -2");
  EXPECT_EQ(fault([](auto& s) { s.sigma_scales = {NAN}; }),
            "sigma-scale: expected a number above 0, found nan");
  EXPECT_EQ(fault([](auto& s) {
              s.class_weights = {ClassWeights::Rule::by_label, {{"a", 0.0}}};
            }),
            "class-weights: expected a weight from 1e-06 to 1e+06 for 'a', found 0");
  EXPECT_EQ(fault([](auto& s) { s.kernel.sigma = -1.0; }), "sigma: expected a number above 0, found -1");
  EXPECT_EQ(fault([](auto& s) { s.kernel.sigma = INFINITY; }), "sigma: expected a number above 0, found inf");
  EXPECT_EQ(fault([](auto& s) { s.kernel.p = 0; }), "degree: expected 1 to 10, found 0");
  EXPECT_EQ(fault([](auto& s) { s.kernel.p = 11; }), "degree: expected 1 to 10, found 11");
  EXPECT_EQ(fault([](auto& s) { s.kernel.c = -1.0; }), "c: expected a number of at least 0, found -1");
  EXPECT_EQ(fault([](auto& s) { s.threads = -1; }), "threads: expected at least 0, found -1");
  EXPECT_EQ(fault([](auto& s) { s.memory = 0; }), "memory: expected a number above 0, found 0");
  EXPECT_EQ(fault([](auto& s) { s.boosting.nu = -0.5; }),
            "nu: expected a number above 0 and at most 1, found -0.5");
  EXPECT_EQ(fault([](auto& s) { s.boosting.nu = 1.5; }),
            "nu: expected a number above 0 and at most 1, found 1.5");
  EXPECT_EQ(fault([](auto& s) { s.boosting.gap = -0.1; }),
            "gap: expected a number of at least 0, found -0.1");
  EXPECT_EQ(fault([](auto& s) { s.boosting.stall_rounds = -1; }), "stall: expected at least 0, found -1");
  EXPECT_EQ(fault([](auto& s) { s.boosting.max_rounds = 0; }), "rounds: expected at least 1, found 0");
  TrainSettings bad;
  bad.boosting.nu = 2.0;
  EXPECT_EQ(sentence([&] { (void)train(planted_series().data, bad); }), validate(bad))
      << "train refuses the same";
}

TEST(Weak, ParseIsTheInverseOfToString) {
  for (const Weak weak : {Weak::sparse, Weak::ball}) EXPECT_EQ(parse<Weak>(to_string(weak)), weak);
  EXPECT_EQ(sentence([] { (void)parse<Weak>("cone"); }), "weak: expected sparse or ball, found 'cone'");
}

TEST(ViewChoice, ParseIsTheInverseOfText) {
  for (const char* text : {"auto", "grid", "random:1", "random:40"}) {
    EXPECT_EQ(ViewChoice::parse(text).text(), text);
  }
  for (const char* text : {"", "Grid", "random", "random:", "random:0", "random:-1", "random:2x",
                           "random:1.5", "random:99999999999"}) {
    EXPECT_EQ(sentence([&] { (void)ViewChoice::parse(text); }),
              "views: expected auto, grid or random:K with a whole number above 0, found '" +
                  std::string(text) + "'");
  }
}

// ----------------------------------------------------------------------------------------------- plans

/// Everything that tells planned views apart.
using Key = std::tuple<std::int64_t, std::int64_t, Transform, std::vector<int>, Normalisation, double, double,
                       std::vector<int>>;
Key key(const PlannedView& planned) {
  const View& view = planned.view;
  return {view.length,        view.dilation, view.transform,      view.channels,
          view.normalisation, view.tau,      planned.sigma_scale, view.features};
}

std::vector<Key> keys(const Plan& planned) {
  std::vector<Key> list;
  for (const auto& member : planned.members) {
    for (const PlannedView& view : member) list.push_back(key(view));
  }
  return list;
}

/// Series of `channels` channels and 30 to 50 time steps, 40 in the middle.
Dataset some_series(std::int64_t channels) {
  Dataset data(DataKind::series);
  Rng rng(1);
  for (const std::int64_t steps : {40, 30, 40, 50, 40, 36}) {
    Matrix values(channels, steps);
    for (double& v : values.reshaped()) v = rng.normal();
    add(data, values, data.size() % 2 == 0 ? "a" : "b", "");
  }
  return data;
}

TEST(Plan, GridIsEveryCombinationOnce) {
  TrainSettings settings = examples::single();
  settings.lengths = {0.1, 4.0, 0.5};  // a tenth of 40 is 4: there once
  settings.normalisations = {Normalisation::raw, Normalisation::z};
  settings.dilations = {1, 2};
  settings.transforms = {Transform::none, Transform::differences};
  settings.taus = {0.0, 2.0};
  settings.channels = {{0}, {1, 2}, {}};
  settings.sigma_scales = {1.0, 3.0};
  const std::vector<Key> planned = keys(plan(some_series(3), settings));
  std::set<Key> expected;
  for (const std::int64_t length : {4, 20}) {
    for (const Normalisation n : settings.normalisations) {
      for (const std::int64_t dilation : settings.dilations) {
        for (const Transform transform : {Transform::none, Transform::differences}) {
          for (const double tau : settings.taus) {
            for (const std::vector<int>& channels : settings.channels) {
              for (const double scale : settings.sigma_scales) {
                expected.insert({length, dilation, transform, channels, n, tau, scale, {}});
              }
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(planned.size(), expected.size()) << "no doubles";
  EXPECT_EQ(std::set<Key>(planned.begin(), planned.end()), expected);
  EXPECT_EQ(plan(some_series(3), settings).members.size(), 1U);
}

TEST(Plan, GridLeavesOutWindowsThatFitNoSeries) {
  TrainSettings settings = examples::single();
  settings.lengths = {0.5};
  settings.dilations = {1, 2, 3};  // 20 time steps, every third: 58 of 50
  const std::vector<Key> planned = keys(plan(some_series(1), settings));
  ASSERT_EQ(planned.size(), 2U);
  settings.dilations = {3};
  EXPECT_EQ(sentence([&] { (void)plan(some_series(1), settings); }),
            "dilation: no window of these lengths fits a series of 50 values");
  settings.dilations = {};
  settings.lengths = {51.0};
  EXPECT_EQ(sentence([&] { (void)plan(some_series(1), settings); }),
            "lengths: the longest series has 50 values, too few for a window of 51");
  settings.lengths = {50.0};
  EXPECT_EQ(keys(plan(some_series(1), settings)).size(), 1U);
}

TEST(Plan, TakesEveryChannelAndAllTogether_WhenNoneIsNamed) {
  TrainSettings settings = examples::single();
  settings.lengths = {0.5};
  std::set<std::vector<int>> channels;
  for (const Key& key : keys(plan(some_series(3), settings))) channels.insert(std::get<3>(key));
  EXPECT_EQ(channels, (std::set<std::vector<int>>{{}, {0}, {1}, {2}}));
  settings.channels = {{0, 3}};
  EXPECT_EQ(sentence([&] { (void)plan(some_series(3), settings); }),
            "channels: the data have 3, found channel 4");
}

TEST(Plan, RefusesACommitteeOfOneGrid) {
  TrainSettings settings;
  settings.members = 2;
  settings.views = ViewChoice::parse("grid");
  EXPECT_EQ(sentence([&] { (void)plan(some_series(1), settings); }),
            "members: on a grid of views every member would be the same; expected 1 or random views");
  settings.members = 0;
  EXPECT_EQ(plan(some_series(1), settings).settings.members, 1);
}

TEST(Plan, RandomViewsDependOnTheSeedOnly) {
  for (const bool bags : {false, true}) {
    SCOPED_TRACE(bags ? "bags" : "series");
    const Dataset data = bags ? examples::random_bags(8, 5, 7, 3) : some_series(2);
    TrainSettings settings;
    settings.members = 4;
    settings.views = ViewChoice::parse("random:3");
    const std::vector<Key> first = keys(plan(data, settings));
    EXPECT_GE(first.size(), 12U) << "of some channels there are several sets";
    settings.threads = 2;
    settings.memory = 1;
    settings.boosting.nu = 0.4;
    settings.boosting.weak = Weak::ball;
    settings.boosting.gap = 0.1;
    EXPECT_EQ(keys(plan(data, settings)), first);
    settings.members = 2;
    const std::vector<Key> fewer = keys(plan(data, settings));
    EXPECT_GE(fewer.size(), 6U);
    EXPECT_LT(fewer.size(), first.size());
    EXPECT_EQ(fewer, std::vector<Key>(first.begin(), first.begin() + std::ssize(fewer)))
        << "a smaller committee is the beginning of a larger one";
    settings.members = 4;
    settings.seed = 2;
    EXPECT_NE(keys(plan(data, settings)), first);
    EXPECT_GT(std::set<Key>(first.begin(), first.end()).size(), 8U) << "views differ";
  }
}

TEST(Plan, RandomViewsFitTheLongestSeriesAndDrawFromTheLists) {
  TrainSettings settings;
  settings.members = 60;
  settings.views = ViewChoice::parse("random:2");
  for (const std::int64_t steps : {1, 2, 3, 7, 50, 400}) {
    SCOPED_TRACE(steps);
    Dataset data(DataKind::series);
    for (int i = 0; i < 4; ++i) add(data, Matrix::Random(2, steps), i % 2 == 0 ? "a" : "b", "");
    for (const std::vector<std::int64_t>& dilations : {std::vector<std::int64_t>{}, {1, 3}, {1, 500}}) {
      settings.dilations = dilations;
      for (const auto& member : plan(data, settings).members) {
        for (const PlannedView& planned : member) {
          EXPECT_GE(planned.view.length, 1);
          EXPECT_LE(planned.view.span(), std::max<std::int64_t>(2, steps));
          EXPECT_GT(planned.sigma_scale, 0.0);
          EXPECT_EQ(planned.view.width, 2);
          if (!dilations.empty()) {
            EXPECT_EQ(std::count(dilations.begin(), dilations.end(), planned.view.dilation), 1);
            EXPECT_TRUE(planned.view.dilation == 1 || planned.view.length > 1) << "nothing to compare";
          }
        }
      }
    }
  }
  settings.dilations = {500, 600};
  EXPECT_EQ(examples::sentence([&] { (void)plan(some_series(2), settings); }),
            "dilation: no window of these lengths fits a series of 50 values");
  settings.dilations = {};
  settings.lengths = {0.3};
  settings.taus = {5.0};
  settings.channels = {{1}};
  settings.normalisations = {Normalisation::centred};
  settings.transforms = {Transform::differences};
  settings.sigma_scales = {0.25};
  for (const Key& key : keys(plan(some_series(2), settings))) {
    EXPECT_EQ(key, (Key{12, 1, Transform::differences, {1}, Normalisation::centred, 5.0, 0.25, {}}));
  }
}

TEST(Plan, RandomBagViewsUseAShareOfTheFeatures) {
  TrainSettings settings;
  settings.members = 60;
  settings.views = ViewChoice::parse("random:1");
  std::set<int> used;
  std::set<std::size_t> sizes;
  for (const auto& member : plan(examples::random_bags(6, 4, 10, 2), settings).members) {
    const View& view = member.front().view;
    EXPECT_EQ(view.length, static_cast<std::int64_t>(view.features.size()));
    EXPECT_EQ(view.width, 10);
    EXPECT_TRUE(std::is_sorted(view.features.begin(), view.features.end()));
    EXPECT_EQ(std::set<int>(view.features.begin(), view.features.end()).size(), view.features.size());
    EXPECT_LT(view.features.back(), 10);
    EXPECT_GE(member.front().sigma_scale, 0.5);
    EXPECT_LE(member.front().sigma_scale, 2.0);
    used.insert(view.features.begin(), view.features.end());
    sizes.insert(view.features.size());
  }
  EXPECT_EQ(used.size(), 10U) << "every feature is somebody's";
  EXPECT_EQ(sizes, (std::set<std::size_t>{2, 3, 4, 5, 6, 7, 8}));
  settings.members = 1;
  EXPECT_EQ(plan(examples::random_bags(6, 4, 1, 2), settings).members[0][0].view.features.size(), 1U);
}

TEST(Plan, CandidatesGrowWithTheExamples_WithinBounds) {
  const auto sampled = [](int examples) {
    const Plan planned = plan(examples::random_bags(examples, 1, 2, 2), {});
    EXPECT_EQ(planned.settings.members, 100);
    EXPECT_EQ(planned.settings.candidates->kind, Candidates::Kind::sample);
    return planned.settings.candidates->count;
  };
  EXPECT_EQ(sampled(6), 200);
  EXPECT_EQ(sampled(50), 500);
  EXPECT_EQ(sampled(500), 1000);
}

}  // namespace
}  // namespace shapeboost
