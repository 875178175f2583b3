// SPDX-License-Identifier: MIT
#include "shapeboost/explanation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "shapeboost/files.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/heads.hpp"
#include "support/matrices.hpp"
#include "support/naive.hpp"
#include "tell/record.hpp"

namespace shapeboost {
namespace {

constexpr double kRounding = 1e-9;

/// Three classes of two channels, a gap here and there, one series too short for any window.
Dataset odd_series() {
  Rng rng(3);
  Dataset data(DataKind::series, "odd.ts");
  for (int i = 0; i < 24; ++i) {
    Matrix values(2, 40 + rng.below(9));
    for (Eigen::Index t = 0; t < values.cols(); ++t) {
      values(0, t) = std::sin(0.3 * (i % 3 + 1) * static_cast<double>(t)) + 0.3 * rng.normal();
      values(1, t) = rng.normal();
    }
    if (i % 4 == 0) values(0, rng.below(30)) = std::nan("");
    add(data, values, "class " + std::to_string(i % 3), "e" + std::to_string(i));
  }
  add(data, Matrix::Zero(2, 2), "class 0", "short");
  return data;
}

Model trained(const Dataset& data, int members, Strategy strategy = Strategy::one_vs_one) {
  TrainSettings settings;
  settings.members = members;
  settings.threads = 2;
  settings.strategy = strategy;
  return train(data, settings).model;
}

struct Set {
  std::string name;
  Dataset data;
  Model model;
};

std::vector<Set> sets() {
  SyntheticSettings small;
  small.examples = 16;
  small.length = 40;
  small.features = 4;
  const Dataset series = planted_series(small).data;
  const Dataset bags = planted_bags(small).data;
  const Dataset sequences = planted_sequences(small).data;
  const Dataset odd = odd_series();
  return {{"series", series, trained(series, 4)},
          {"bags", bags, trained(bags, 3)},
          {"sequences", sequences, trained(sequences, 2)},
          {"three classes, pairs", odd, trained(odd, 3)},
          {"three classes, against the rest", odd, trained(odd, 2, Strategy::one_vs_rest)}};
}

/// max_x sum_z alpha_z K(z, x), the long way, and whether the instance we are told of attains it.
void expect_naive(const Model& model, int hypothesis, const std::vector<std::vector<Instance>>& bags,
                  const Responses& found, std::int64_t example) {
  const Hypothesis& h = model.hypotheses[at(hypothesis)];
  const std::vector<Instance>& bag = bags[at(example)];
  const std::int64_t told = found.instance(example, hypothesis);
  if (bag.empty()) {
    EXPECT_EQ(told, -1);
    EXPECT_EQ(found.position(example, hypothesis), -1);
    EXPECT_EQ(found.value(example, hypothesis), 0.0);
    return;
  }
  double best = -INFINITY;
  double at_told = NAN;
  for (std::size_t x = 0; x < bag.size(); ++x) {
    double sum = 0.0;
    for (std::size_t k = 0; k < h.shapelet.alpha.size(); ++k) {
      sum +=
          h.shapelet.alpha[k] * naive::similarity(model.views[at(h.view)], bag[x], h.shapelet.instances[k]);
    }
    best = std::max(best, sum);
    if (static_cast<std::int64_t>(x) == told) at_told = sum;
  }
  EXPECT_NEAR(found.value(example, hypothesis), best, kRounding);
  EXPECT_NEAR(at_told, best, kRounding) << "the maximiser is one";
  ASSERT_LT(told, static_cast<std::int64_t>(bag.size()));
  EXPECT_EQ(found.position(example, hypothesis), bag[at(told)].position);
}

void expect_adds_up(const Model& model, const Dataset& data, const Responses& found) {
  const Scores score = scores(model, data, 1);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    for (int p = 0; p < static_cast<int>(model.parts.size()); ++p) {
      const Explanation e = explain(model, found, i, p);
      const Part& part = model.parts[at(p)];
      ASSERT_EQ(e.contributions.size(), part.weights.size());
      double sum = 0.0;
      for (std::size_t k = 0; k < e.contributions.size(); ++k) {
        const Contribution& c = e.contributions[k];
        sum += c.value;
        EXPECT_EQ(c.value, c.w * c.sign * c.response);
        EXPECT_EQ(c.sign, model.hypotheses[at(c.hypothesis)].sign);
        EXPECT_GE(std::abs(e.contributions[k > 0 ? k - 1 : 0].value), std::abs(c.value));
      }
      EXPECT_NEAR(sum, score.parts(i, p) - part.b, kRounding);
      EXPECT_NEAR(e.score, score.parts(i, p), kRounding);
      EXPECT_EQ(e.b, part.b);
    }
  }
}

/// Two hypotheses whose responses are given, on series of ten values.
struct Given {
  Dataset data{DataKind::series};
  Model model;
  Responses found;
  std::vector<int> labels;
};

Given given() {
  Given g;
  g.model.classes = {"no", "yes"};
  g.model.parts = parts_for(2, Strategy::one_vs_rest);
  g.model.views = {examples::window_view(2, Normalisation::raw, {}),
                   examples::window_view(4, Normalisation::raw, {})};
  g.model.hypotheses = {{0, +1, {}}, {1, -1, {}}};
  g.model.parts[0].weights = {{0, 0.75}, {1, 0.25}};
  g.model.parts[0].b = 0.1;
  for (int i = 0; i < 5; ++i) add(g.data, Matrix::Zero(1, 10), i < 2 ? "yes" : "no", "e");
  g.labels = {1, 1, 0, 0, kUnlabelled};
  g.found.value = array(5, 2, {0.9, 0.5, 0.8, 0.5, 0.1, 0.5, 0.2, 0.5, 0.0, 0.0});
  g.found.instance = array<std::int64_t>(5, 2, {0, 1, 8, 1, 2, 1, 2, 1, 3, -1});
  g.found.position = g.found.instance;
  return g;
}

TEST(Explanation, ContributionsAddUpToTheScore) {
  for (const Set& set : sets()) {
    SCOPED_TRACE(set.name);
    ASSERT_FALSE(set.model.hypotheses.empty());
    expect_adds_up(set.model, set.data, responses(set.model, set.data, 2));
  }
}

TEST(Explanation, OfAHead_AddsUpToTheScore_EvidenceByEvidence) {
  for (const heads::Headed& set : heads::all()) {
    SCOPED_TRACE(set.name);
    ASSERT_TRUE(set.model.head);
    const Responses found = responses(set.model, set.data, 2);
    const Scores score = scores(set.model, set.data, 1);
    std::array<int, kEvidences> seen{};
    int negative = 0;
    for (std::int64_t i = 0; i < set.data.size(); ++i) {
      for (int p = 0; p < static_cast<int>(set.model.parts.size()); ++p) {
        const Explanation e = explain(set.model, found, i, p);
        ASSERT_EQ(e.contributions.size(), set.model.parts[at(p)].weights.size());
        double sum = e.b;
        for (std::size_t k = 0; k < e.contributions.size(); ++k) {
          const Contribution& c = e.contributions[k];
          const Standard& usual =
              set.model.hypotheses[at(c.hypothesis)].standard[static_cast<std::size_t>(c.evidence)];
          const double expected =
              c.instance < 0 ? 0.0 : c.w * c.sign * (c.response - usual.centre) / usual.scale;
          EXPECT_NEAR(c.value, expected, 1e-12);
          EXPECT_GE(std::abs(e.contributions[k > 0 ? k - 1 : 0].value), std::abs(c.value));
          sum += c.value;
          ++seen[static_cast<std::size_t>(c.evidence)];
          negative += c.w < 0.0 ? 1 : 0;
        }
        EXPECT_NEAR(sum, score.parts(i, p), kRounding);
        EXPECT_NEAR(e.score, score.parts(i, p), kRounding);
      }
    }
    EXPECT_GT(negative, 0) << "weights of either sign";
    for (const Evidence one : set.model.head->evidence) {
      EXPECT_GT(seen[static_cast<std::size_t>(one)], 0) << to_string(one);
    }
  }
}

TEST(Explanation, OfAHead_EvidenceLiesAtTheBestMatch_AndAddsUp) {
  for (const heads::Headed& set : heads::all()) {
    SCOPED_TRACE(set.name);
    const Responses found = responses(set.model, set.data, 2);
    for (int p = 0; p < static_cast<int>(set.model.parts.size()); ++p) {
      const std::vector<double> mean = mean_contributions(set.model, found, p);
      const double average = std::accumulate(mean.begin(), mean.end(), 0.0);
      for (std::int64_t i = 0; i < set.data.size(); ++i) {
        const Explanation e = explain(set.model, found, i, p);
        EXPECT_NEAR(mapped(evidence(set.model, set.data, found, i, p)).sum(), e.score - e.b, kRounding);
        if (set.data.name(i) == "short") continue;
        EXPECT_NEAR(mapped(evidence(set.model, set.data, found, i, p, mean)).sum(), e.score - e.b - average,
                    kRounding);
      }
    }
  }
}

TEST(Explanation, EvidenceInWords) {
  Given g = given();
  const auto words = [&](Evidence evidence, double response, std::int64_t position = 1) {
    return describe_evidence(g.model, {1, 0.5, 1, response, 0.1, position, position, evidence});
  };
  EXPECT_EQ(words(Evidence::best, 0.8), "best at values 2-5");
  EXPECT_EQ(words(Evidence::share, 0.12), "in 12 % of its windows");
  EXPECT_EQ(words(Evidence::share, 0.001), "in under 1 % of its windows");
  EXPECT_EQ(words(Evidence::share, 0.0), "in 0 % of its windows");
  EXPECT_EQ(words(Evidence::place, 0.83), "late (at 83 %)");
  EXPECT_EQ(words(Evidence::place, 0.5), "in the middle (at 50 %)");
  EXPECT_EQ(words(Evidence::place, 0.2), "early (at 20 %)");
  EXPECT_EQ(words(Evidence::place, 0.0, -1), "no window");
}

TEST(Explanation, MaximisersAreThoseOfTheNaiveReference) {
  for (const Set& set : sets()) {
    if (set.data.kind() == DataKind::sequences) continue;  // string_kernels_test knows theirs
    SCOPED_TRACE(set.name);
    const Responses found = responses(set.model, set.data, 2);
    for (int v = 0; v < static_cast<int>(set.model.views.size()); ++v) {
      const auto bags = naive::instances_of(set.data, set.model.views[at(v)]);
      for (int j = 0; j < static_cast<int>(set.model.hypotheses.size()); ++j) {
        if (set.model.hypotheses[at(j)].view != v) continue;
        for (std::int64_t i = 0; i < set.data.size(); ++i) expect_naive(set.model, j, bags, found, i);
      }
    }
  }
}

TEST(Explanation, OfOneExample_IsThatOfTheSet) {
  for (const Set& set : sets()) {
    const Responses all = responses(set.model, set.data, 2);
    for (const std::int64_t i : {0, 7, 15}) {
      const Explanation a = explain(set.model, all, i, 0);
      const Explanation b = explain(set.model, set.data, i, 0);
      EXPECT_EQ(a.score, b.score);
      EXPECT_EQ(b.example, i);
      ASSERT_EQ(a.contributions.size(), b.contributions.size());
      for (std::size_t k = 0; k < a.contributions.size(); ++k) {
        EXPECT_EQ(a.contributions[k].hypothesis, b.contributions[k].hypothesis);
        EXPECT_EQ(a.contributions[k].position, b.contributions[k].position);
      }
    }
  }
}

TEST(Explanation, TellingParts_AreThePredictedClassAgainstItsRival) {
  Model model;
  model.classes = {"a", "b", "c"};
  model.strategy = Strategy::one_vs_one;
  model.parts = parts_for(3, model.strategy);  // b-a, c-a, c-b
  Scores score{array(2, 3,
                     {2.0, 0.1, -1.0,      // b wins, then c
                      -1.0, -2.0, -0.3}),  // a wins, then b
               {1, 1}};
  EXPECT_EQ(telling_parts(model, score), (std::vector<int>{2, 0}));
  model.strategy = Strategy::one_vs_rest;
  model.parts = parts_for(3, model.strategy);
  score.parts = array(2, 3, {0.5, 0.1, -1.0, -1.0, -0.2, -0.1});
  EXPECT_EQ(telling_parts(model, score), (std::vector<int>{0, 2}));
  EXPECT_EQ(part_of(model, 1, 2), 1);
  EXPECT_THROW((void)part_of(model, 3, 1), InvalidInput);
}

TEST(Explanation, Firings_SplitTheResponsesIntoTwoGroups) {
  const Given g = given();
  const std::vector<Firing> told = firings(g.model, g.data, g.found, g.labels);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_DOUBLE_EQ(told[0].threshold, 0.5);
  EXPECT_DOUBLE_EQ(told[0].mean, 0.4);
  EXPECT_EQ(told[0].sought, 5);
  EXPECT_EQ(told[0].fired, 2);
  EXPECT_EQ(told[0].sought_in, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(told[0].fired_in, (std::vector<std::int64_t>{0, 2}));
  std::vector<std::int64_t> places(kPlaces, 0);
  places[2] = 1;   // (0 + 1) / 10
  places[18] = 1;  // (8 + 1) / 10
  EXPECT_EQ(told[0].places, places);
  EXPECT_EQ(told[1].sought, 4) << "the last example has no window";
  EXPECT_EQ(told[1].fired, 0) << "all alike";
  EXPECT_THROW((void)firings(g.model, g.data, g.found, {1}), InvalidInput);
}

TEST(Explanation, Evidence_LiesWhereTheMaximisersLie) {
  const Given g = given();
  Matrix expected = Matrix::Zero(1, 10);
  expected.block(0, 8, 1, 2).setConstant(0.75 * 0.8 / 2.0);
  expected.block(0, 1, 1, 4).setConstant(-0.25 * 0.5 / 4.0);
  EXPECT_TRUE(mapped(evidence(g.model, g.data, g.found, 1, 0)).isApprox(expected));
  const std::vector<double> mean = mean_contributions(g.model, g.found, 0);
  EXPECT_NEAR(mean[detail::entry_of(0, Evidence::best)], 0.75 * 0.4, 1e-15);
  EXPECT_NEAR(mean[detail::entry_of(1, Evidence::best)], -0.25 * 0.4, 1e-15);
  EXPECT_EQ(mean[detail::entry_of(1, Evidence::place)], 0.0);
  const Array<double> apart = evidence(g.model, g.data, g.found, 1, 0, mean);
  EXPECT_NEAR(apart(0, 9), 0.75 * 0.4 / 2.0, 1e-15);
  EXPECT_NEAR(apart(0, 1), -0.25 * 0.1 / 4.0, 1e-15);
}

TEST(Explanation, Evidence_AddsUpToTheScore) {
  for (const Set& set : sets()) {
    if (set.data.kind() == DataKind::bags) continue;
    const Responses found = responses(set.model, set.data, 2);
    for (std::int64_t i = 0; i < set.data.size(); ++i) {
      const Explanation e = explain(set.model, found, i, 0);
      EXPECT_NEAR(mapped(evidence(set.model, set.data, found, i, 0)).sum(), e.score - e.b, kRounding)
          << set.name;
    }
  }
}

TEST(Explanation, Neighbours_AreTheNearestByWeightedResponses) {
  for (const Set& set : sets()) {
    const Responses found = responses(set.model, set.data, 2);
    const auto told = neighbours(set.model, found, 3, 2);
    std::vector<double> w(set.model.hypotheses.size(), 0.0);
    for (const Part& part : set.model.parts) {
      for (const Weight& weight : part.weights) w[at(weight.hypothesis)] += weight.w;
    }
    const auto distance = [&](std::int64_t a, std::int64_t b) {
      double sum = 0.0;
      for (std::size_t j = 0; j < w.size(); ++j) {
        const auto c = static_cast<Eigen::Index>(j);
        const double difference = w[j] * (found.value(a, c) - found.value(b, c));
        sum += difference * difference;
      }
      return sum;
    };
    for (std::int64_t i = 0; i < set.data.size(); ++i) {
      ASSERT_EQ(told[at(i)].size(), 3U);
      std::vector<double> all;
      for (std::int64_t k = 0; k < set.data.size(); ++k) {
        if (k != i) all.push_back(distance(i, k));
      }
      std::sort(all.begin(), all.end());
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NE(told[at(i)][k], i);
        EXPECT_NEAR(distance(i, told[at(i)][k]), all[k], 1e-12) << set.name;
      }
    }
  }
  const Given g = given();
  EXPECT_EQ(neighbours(g.model, g.found, 9)[2].size(), 4U) << "no more than there are";
}

TEST(Explanation, FeatureCredits_CompareWithInstancesOnAverage) {
  Rng rng(8);
  const Dataset data = examples::random_bags(4, 5, 3, 2);
  Model model;
  model.kind = DataKind::bags;
  model.classes = {"a", "b"};
  model.parts = parts_for(2, model.strategy);
  for (const KernelKind kind : {KernelKind::gaussian, KernelKind::laplacian, KernelKind::linear}) {
    model.views = {examples::bag_view(KernelSettings{.kind = kind, .sigma = 0.3}.kernel(), {0.5, -0.5, 0.1},
                                      {1.0, 2.0, 0.5})};
    const Instance z{{rng.normal(), rng.normal(), rng.normal()}, 0, 0};
    model.hypotheses = {{0, -1, {{z}, {0.8}}}};
    model.parts[0].weights = {{0, 1.0}};
    const Contribution c = explain(model, data, 2, 0).contributions.front();
    const std::vector<double> credits = feature_credits(model, data, 2, c);
    ASSERT_EQ(credits.size(), 3U);
    Instance x;
    for (int f = 0; f < 3; ++f) x.values.push_back(data.values(2)(c.instance, f));
    const double k = naive::similarity(model.views[0], x, z);
    double share = k;
    if (kind != KernelKind::linear) {
      // E log K(z, X) of instances X with the view's centre and scale, by many of them.
      Rng normal(1);
      double mean = 0.0;
      constexpr int kDraws = 20000;
      for (int n = 0; n < kDraws; ++n) {
        Instance other;
        for (std::size_t f = 0; f < 3; ++f) {
          other.values.push_back(model.views[0].centre[f] + model.views[0].scale[f] * normal.normal());
        }
        mean += std::log(naive::similarity(model.views[0], other, z)) / kDraws;
      }
      share = std::log(k) - mean;
    }
    EXPECT_NEAR(credits[0] + credits[1] + credits[2], -0.8 * k * share,
                kind == KernelKind::linear ? kRounding : 0.02)
        << to_string(kind);
  }
}

TEST(Explanation, FeatureCredits_LieOnTheViewsFeatures) {
  const Dataset data = examples::random_bags(4, 5, 3, 2);
  Model model;
  model.kind = DataKind::bags;
  model.classes = {"a", "b"};
  model.parts = parts_for(2, model.strategy);
  View view = examples::bag_view({}, {0.0}, {1.0});
  view.width = 3;
  view.features = {2};
  model.views = {view};
  model.hypotheses = {{0, +1, {{Instance{{0.7}, 0, 0}}, {1.0}}}};
  model.parts[0].weights = {{0, 1.0}};
  const std::vector<double> credits =
      feature_credits(model, data, 1, explain(model, data, 1, 0).contributions.front());
  EXPECT_EQ(credits[0], 0.0);
  EXPECT_EQ(credits[1], 0.0);
  EXPECT_NE(credits[2], 0.0);
}

TEST(Explanation, SaysWhatIsWrong) {
  const Given g = given();
  const auto told = [&](const std::function<void()>& act) { return examples::sentence(act); };
  EXPECT_EQ(told([&] { (void)explain(g.model, g.found, 5, 0); }), "example: expected 0 to 4, found 5");
  EXPECT_EQ(told([&] { (void)explain(g.model, g.data, -1, 0); }), "example: expected 0 to 4, found -1");
  EXPECT_EQ(told([&] { (void)explain(g.model, g.found, 0, 1); }), "part: expected 0 to 0, found 1");
  EXPECT_EQ(told([&] { (void)responses(g.model, examples::random_bags(2, 3, 4, 1)); }),
            "the model is for series, the data are bags");
  EXPECT_EQ(told([&] { (void)feature_credits(g.model, g.data, 0, {}); }),
            "data: only the instances of bags have features");
}

TEST(Explanation, AddsUpOnRealSets) {
  const char* named = std::getenv("SHAPEBOOST_DATA");
  const std::filesystem::path folder = named != nullptr ? named : SHAPEBOOST_SOURCE_DIR "/../shared/data";
  if (!std::filesystem::is_directory(folder)) {
    GTEST_SKIP() << "no benchmark data; set SHAPEBOOST_DATA to its folder";
  }
  for (const std::string name : {"GunPoint", "ItalyPowerDemand", "BME"}) {
    SCOPED_TRACE(name);
    const std::string stem = (folder / "ucr" / name / name).string();
    const Model model = trained(read_dataset(stem + "_TRAIN.tsv"), 20);
    const Dataset data = read_dataset(stem + "_TEST.tsv");
    const Responses found = responses(model, data, 2);
    expect_adds_up(model, data, found);
    // The reference implementation is slow: every hypothesis on a few examples.
    const Dataset few = data.subset({0, data.size() / 2, data.size() - 1});
    const Responses of_few = responses(model, few, 1);
    for (int j = 0; j < static_cast<int>(model.hypotheses.size()); ++j) {
      const auto bags = naive::instances_of(few, model.views[at(model.hypotheses[at(j)].view)]);
      for (std::int64_t i = 0; i < few.size(); ++i) expect_naive(model, j, bags, of_few, i);
    }
  }
}

}  // namespace
}  // namespace shapeboost
