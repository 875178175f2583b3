// SPDX-License-Identifier: MIT
#include "shapeboost/model.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "ground/file.hpp"
#include "ground/json.hpp"
#include "shapeboost/base.hpp"
#include "support/models.hpp"

namespace shapeboost {
namespace {

using examples::bags_model;
using examples::channels_model;
using examples::complaint;
using examples::features_model;
using examples::series_model;
using examples::three_classes;
using Json = nlohmann::ordered_json;

void expect_same_bits(double a, double b) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b)) << a << " and " << b;
}

void expect_same_parts(const std::vector<Part>& loaded, const std::vector<Part>& parts) {
  ASSERT_EQ(loaded.size(), parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    EXPECT_EQ(loaded[p].positive, parts[p].positive);
    EXPECT_EQ(loaded[p].negative, parts[p].negative);
    expect_same_bits(loaded[p].b, parts[p].b);
    expect_same_bits(loaded[p].nu, parts[p].nu);
    expect_same_bits(loaded[p].rho, parts[p].rho);
    expect_same_bits(loaded[p].gamma, parts[p].gamma);
    ASSERT_EQ(loaded[p].weights.size(), parts[p].weights.size());
    for (std::size_t k = 0; k < parts[p].weights.size(); ++k) {
      EXPECT_EQ(loaded[p].weights[k].hypothesis, parts[p].weights[k].hypothesis);
      expect_same_bits(loaded[p].weights[k].w, parts[p].weights[k].w);
    }
    EXPECT_EQ(loaded[p].margins, parts[p].margins);
  }
}

TEST(Model, PartsAreThoseOfTheStrategy) {
  using Pairs = std::vector<std::pair<int, int>>;
  const auto pairs = [](int classes, Strategy strategy) {
    Pairs list;
    for (const Part& part : parts_for(classes, strategy)) list.emplace_back(part.positive, part.negative);
    return list;
  };
  for (const Strategy strategy : {Strategy::one_vs_rest, Strategy::one_vs_one}) {
    EXPECT_EQ(pairs(2, strategy), (Pairs{{1, 0}}));
    EXPECT_EQ(parse<Strategy>(to_string(strategy)), strategy);
  }
  EXPECT_EQ(pairs(3, Strategy::one_vs_rest), (Pairs{{0, kRest}, {1, kRest}, {2, kRest}}));
  EXPECT_EQ(pairs(4, Strategy::one_vs_one), (Pairs{{1, 0}, {2, 0}, {3, 0}, {2, 1}, {3, 1}, {3, 2}}));
  EXPECT_THROW((void)parse<Strategy>("all"), InvalidInput);
}

TEST(Model, RoundTrips_EveryBit) {
  for (const Model& model : {series_model(), bags_model(), channels_model(), features_model(),
                             three_classes(Strategy::one_vs_rest), three_classes(Strategy::one_vs_one)}) {
    const std::string text = to_json(model);
    const Model loaded = model_from_json(text, "M.json");
    EXPECT_EQ(to_json(loaded), text);
    EXPECT_EQ(loaded.kind, model.kind);
    EXPECT_EQ(loaded.classes, model.classes);
    EXPECT_EQ(loaded.strategy, model.strategy);
    expect_same_parts(loaded.parts, model.parts);
    ASSERT_EQ(loaded.provenance.views.size(), model.provenance.views.size());
    for (std::size_t v = 0; v < model.provenance.views.size(); ++v) {
      EXPECT_EQ(loaded.provenance.views[v].instances, model.provenance.views[v].instances);
      expect_same_bits(loaded.provenance.views[v].radius, model.provenance.views[v].radius);
    }
    EXPECT_EQ(loaded.provenance.seed, model.provenance.seed);
    EXPECT_EQ(loaded.provenance.tuning, model.provenance.tuning);
    EXPECT_EQ(loaded.provenance.history.size(), 2U);
    ASSERT_EQ(loaded.hypotheses.size(), model.hypotheses.size());
    for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
      EXPECT_EQ(loaded.hypotheses[j].sign, model.hypotheses[j].sign);
      const Shapelet& a = loaded.hypotheses[j].shapelet;
      const Shapelet& b = model.hypotheses[j].shapelet;
      ASSERT_EQ(a.instances.size(), b.instances.size());
      for (std::size_t k = 0; k < b.instances.size(); ++k) {
        expect_same_bits(a.alpha[k], b.alpha[k]);
        EXPECT_EQ(a.instances[k].example, b.instances[k].example);
        EXPECT_EQ(a.instances[k].position, b.instances[k].position);
        expect_same_bits(a.instances[k].place, b.instances[k].place);
        ASSERT_EQ(a.instances[k].values.size(), b.instances[k].values.size());
        for (std::size_t t = 0; t < b.instances[k].values.size(); ++t) {
          expect_same_bits(a.instances[k].values[t], b.instances[k].values[t]);
        }
      }
    }
    for (std::size_t v = 0; v < model.views.size(); ++v) {
      EXPECT_EQ(loaded.views[v].kind, model.kind);
      EXPECT_EQ(loaded.views[v].kernel.kind(), model.views[v].kernel.kind());
      EXPECT_EQ(loaded.views[v].width, model.views[v].width);
      EXPECT_EQ(loaded.views[v].length, model.views[v].length);
      EXPECT_EQ(loaded.views[v].dilation, model.views[v].dilation);
      EXPECT_EQ(loaded.views[v].transform, model.views[v].transform);
      EXPECT_EQ(loaded.views[v].period, model.views[v].period);
      EXPECT_EQ(loaded.views[v].channels, model.views[v].channels);
      EXPECT_EQ(loaded.views[v].features, model.views[v].features);
      expect_same_bits(loaded.views[v].tau, model.views[v].tau);
      EXPECT_EQ(loaded.views[v].normalisation, model.views[v].normalisation);
      expect_same_bits(loaded.views[v].kernel.sigma(), model.views[v].kernel.sigma());
      EXPECT_EQ(loaded.views[v].centre, model.views[v].centre);
      EXPECT_EQ(loaded.views[v].scale, model.views[v].scale);
    }
  }
}

TEST(Model, RoundTrips_WithoutHypotheses) {
  Model model = series_model();
  model.hypotheses.clear();
  model.parts[0].weights.clear();
  model.parts[0].margins.clear();
  model.provenance.views.clear();
  EXPECT_EQ(to_json(model_from_json(to_json(model), "M.json")), to_json(model));
}

TEST(Model, IsReadable_NumbersOnOneLine) {
  const std::string text = to_json(series_model());
  EXPECT_NE(text.find("\n  \"classes\": [\"-1\", \"café \\\"x\\\"\"],\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\"kernel\": {\"kind\": \"gaussian\", \"sigma\": 7.0},\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\"values\": [0.1, 0.3333333333333333]\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("seconds"), std::string::npos);
}

TEST(Model, IsTheSameText_ForAnyNumberOfThreads) {
  Model model = series_model();
  const Hypothesis one = model.hypotheses.front();
  for (const std::size_t count : {0U, 1U, 2U, 127U, 128U, 129U, 500U}) {
    model.hypotheses.assign(count, one);
    for (std::size_t j = 0; j < count; ++j)
      model.hypotheses[j].shapelet.alpha.front() = 0.5 + static_cast<double>(j);
    model.parts.front().weights.clear();
    model.parts.front().margins.clear();
    const double equal = 1.0 / static_cast<double>(std::max<std::size_t>(count, 1));
    for (std::size_t j = 0; j < count; ++j)
      model.parts.front().weights.push_back({static_cast<int>(j), equal});
    const std::string text = to_json(model, 1);
    EXPECT_EQ(to_json(model, 8), text);
    EXPECT_EQ(model_from_json(text, "text").hypotheses.size(), count);  // whose digest is right
    // What the parser makes of it is written back as it was.
    EXPECT_EQ(detail::pretty(detail::Json::parse(text)), text);
  }
}

TEST(Model, LoadsReformattedText) {
  const std::string text = to_json(series_model());
  EXPECT_EQ(complaint(Json::parse(text).dump()), "");
  EXPECT_EQ(complaint(Json::parse(text).dump(8)), "");
}

TEST(Model, SavesAndLoads) {
  const std::string path = testing::TempDir() + "shapeboost_model_test.json";
  save_model(bags_model(), path);
  EXPECT_EQ(read_file(path), to_json(bags_model()));
  EXPECT_EQ(to_json(load_model(path)), to_json(bags_model()));
  std::filesystem::remove(path);
  EXPECT_THROW((void)load_model(path), InvalidInput);
  EXPECT_THROW((void)load_model(testing::TempDir()), InvalidInput);
  EXPECT_THROW(save_model(bags_model(), testing::TempDir()), InvalidInput);
}

TEST(Model, RefusesToWrite_WhatCannotBeReadBack) {
  Model model = series_model();
  model.classes[1] = "caf\xe9";
  EXPECT_THROW((void)to_json(model), InvalidInput);
  model = series_model();
  model.parts[0].rho = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)to_json(model), Error);
  model = series_model();
  model.parts[0].margins[1] = -std::numeric_limits<double>::infinity();
  EXPECT_THROW((void)to_json(model), Error);
  model = series_model();
  model.hypotheses[0].shapelet.instances[0].values[1] = std::numeric_limits<double>::infinity();
  EXPECT_THROW((void)to_json(model), Error);
}

TEST(Model, ForgivesProvenance_ThatIsNotUtf8) {
  Model model = series_model();
  model.provenance.source = "caf\xe9.tsv";
  EXPECT_EQ(complaint(to_json(model)), "");
}

}  // namespace
}  // namespace shapeboost
