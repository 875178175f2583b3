// SPDX-License-Identifier: MIT
#include "shapeboost/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "examples.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/file.hpp"

namespace shapeboost {
namespace {

using examples::bag_view;
using examples::window_view;
using Json = nlohmann::ordered_json;

// Numbers that a careless text form would change.
constexpr double kAwkward[] = {0.1, 1.0 / 3.0, 5e-324, -0.0, 1e22, 123456789.123456789};

Model series_model() {
  Model model;
  model.kind = DataKind::series;
  model.classes = {"-1", "caf\u00e9 \"x\""};
  model.views = {window_view(3, Normalisation::raw, {KernelKind::gaussian, 1.0 / 3.0, 1.0, 2}, 0.1, 2.0),
                 window_view(2, Normalisation::z, {KernelKind::gaussian, 7.0, 1.0, 2})};
  model.views[0].dilation = 4;
  model.views[0].differences = true;
  model.views[0].tau = 1.0 / 7.0;
  model.hypotheses = {
      {1, -1, {{{{kAwkward[0], kAwkward[1]}, 4, 11}}, {1.0}}},
      {0,
       +1,
       {{{{kAwkward[2], kAwkward[3], kAwkward[4]}, 0, 0, 1.0 / 3.0}, {{kAwkward[5], 2.0, 3.0}, -1, -1, 0.7}},
        {0.75, -0.25}}}};
  model.parts = {{1, 0, {{0, 0.7}, {1, 0.3}}, -0.125, 0.2, 0.0291, 1e-17, {kAwkward[1], -0.5}}};
  model.provenance = {"a\\b.tsv",
                      50,
                      22700,
                      std::numeric_limits<std::uint64_t>::max(),
                      "--nu 0.2",
                      "gap",
                      "nu=0.2; the best of 2 choices",
                      {{0.5, 0.25, 1.0, 4}, {0.26, 0.25, 0.04, 9}},
                      {{11000, 1.0}, {11700, 1.0 / 3.0}}};
  return model;
}

/// Two hypotheses over the classes -1, 10 and x; the second is used by several parts.
Model three_classes(Strategy strategy) {
  Model model = series_model();
  model.classes = {"-1", "10", "x"};
  model.strategy = strategy;
  model.parts = parts_for(3, strategy);
  for (std::size_t p = 0; p < 3; ++p) {
    model.parts[p].nu = 0.1;
    model.parts[p].b = 0.25 * static_cast<double>(p);
    model.parts[p].weights = {{1, 1.0}};
  }
  model.parts[1].weights = {{0, 0.75}, {1, 0.25}};
  return model;
}

Model bags_model() {
  Model model = series_model();
  model.kind = DataKind::bags;
  model.classes = {"0", "1"};
  model.views = {bag_view({KernelKind::polynomial, 1.0, 0.5, 3}, {0.1, -4.0}, {2.0, 1e-3}),
                 bag_view({KernelKind::linear, 1.0, 1.0, 2}, {0.0, 0.0}, {1.0, 1.0})};
  model.hypotheses = {{0, +1, {{{{1.0, 2.0}, 3, 1}}, {1.0}}}, {1, -1, {{{{-1.0, 0.5}, 2, 0}}, {-1.0}}}};
  return model;
}

/// Joint windows of two channels, and bags that use two of five features.
Model channels_model() {
  Model model = series_model();
  for (View& view : model.views) view.width = 2;
  model.views[0].channel = kAllChannels;
  model.views[0].centre = {0.1, 1.0 / 3.0};
  model.views[0].scale = {2.0, 1e-3};
  model.views[1].channel = 1;
  for (Instance& instance : model.hypotheses[1].shapelet.instances) {
    instance.values.insert(instance.values.end(), {4.0, 5.0, 6.0});
  }
  return model;
}

Model features_model() {
  Model model = bags_model();
  for (View& view : model.views) view.width = 5;
  model.views[0].features = {1, 4};
  model.views[1].features = {0, 3};
  return model;
}

/// Documented in docs/model.md: FNV-1a of the compact text without the digest.
std::string digest_of(Json json) {
  json.erase("digest");
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : json.dump()) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

std::string complaint(const std::string& text) {
  try {
    (void)model_from_json(text, "M.json");
    return {};
  } catch (const InvalidInput& fault) {
    return fault.what();
  }
}

/// What loading says of a valid file in which `spoil` changed something and made the digest good again.
template <typename Spoil>
std::string complaint_after(const Model& model, const Spoil& spoil) {
  Json json = Json::parse(to_json(model));
  spoil(json);
  json["digest"] = digest_of(json);
  return complaint(json.dump());
}

std::string complaint_with(const Model& model, const std::string& pointer, const Json& value) {
  return complaint_after(model, [&](Json& json) { json[Json::json_pointer(pointer)] = value; });
}

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
    EXPECT_EQ(parse_strategy(to_string(strategy)), strategy);
  }
  EXPECT_EQ(pairs(3, Strategy::one_vs_rest), (Pairs{{0, kRest}, {1, kRest}, {2, kRest}}));
  EXPECT_EQ(pairs(4, Strategy::one_vs_one), (Pairs{{1, 0}, {2, 0}, {3, 0}, {2, 1}, {3, 1}, {3, 2}}));
  EXPECT_THROW((void)parse_strategy("all"), InvalidInput);
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
      EXPECT_EQ(loaded.views[v].kernel.kind, model.views[v].kernel.kind);
      EXPECT_EQ(loaded.views[v].width, model.views[v].width);
      EXPECT_EQ(loaded.views[v].length, model.views[v].length);
      EXPECT_EQ(loaded.views[v].dilation, model.views[v].dilation);
      EXPECT_EQ(loaded.views[v].differences, model.views[v].differences);
      EXPECT_EQ(loaded.views[v].channel, model.views[v].channel);
      EXPECT_EQ(loaded.views[v].features, model.views[v].features);
      expect_same_bits(loaded.views[v].tau, model.views[v].tau);
      EXPECT_EQ(loaded.views[v].normalisation, model.views[v].normalisation);
      expect_same_bits(loaded.views[v].kernel.sigma, model.views[v].kernel.sigma);
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

TEST(Model, SaysWhereTheFileEnds_WhenTruncated) {
  const std::string text = to_json(series_model());
  for (std::size_t size = 1; size + 2 < text.size(); ++size) {
    const std::string sentence = complaint(text.substr(0, size));
    ASSERT_NE(sentence, "") << size;
    ASSERT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    ASSERT_TRUE(sentence.starts_with("M.json, line ")) << sentence;
  }
  EXPECT_EQ(complaint(text.substr(0, 40)),
            "M.json, line 3, byte 40: the file ends too early, as if cut short");
  EXPECT_EQ(complaint(""), "M.json: the file is empty; expected a shapeboost model");
  EXPECT_EQ(complaint(" \n"), "M.json: the file is empty; expected a shapeboost model");
}

TEST(Model, RefusesAlteredContent) {
  const std::string text = to_json(series_model());
  std::string altered = text;
  altered.replace(altered.find("0.0291"), 6, "0.0292");
  EXPECT_EQ(complaint(altered),
            "M.json: the content does not match the file's digest: it was altered or damaged");

  // Any byte: either the damage is told in one sentence, or nothing that counts has changed.
  Rng rng(3);
  for (int trial = 0; trial < 3000; ++trial) {
    altered = text;
    altered[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(text.size())))] =
        static_cast<char>(rng.below(256));
    const std::string sentence = complaint(altered);
    ASSERT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    if (!sentence.empty()) continue;
    ASSERT_EQ(to_json(model_from_json(altered, "M.json")), text);
  }
}

TEST(Model, RefusesOtherFiles) {
  const std::string other =
      "M.json: not a shapeboost model: it does not begin with \"format\": \"shapeboost model\"";
  EXPECT_EQ(complaint("{}"), other);
  EXPECT_EQ(complaint("[1, 2]"), other);
  EXPECT_EQ(complaint("3"), other);
  EXPECT_EQ(complaint(R"({"format": "something else"})"), other);
  EXPECT_EQ(complaint("1\t0.5\t0.25\n"),
            "M.json, line 1, byte 5: not a shapeboost model: the text is not JSON");
  EXPECT_EQ(complaint(std::string(100000, '[')), "M.json: not a shapeboost model: nested too deeply");
  EXPECT_EQ(complaint("[1e999]"), "M.json: not a shapeboost model: a number is too large");
  EXPECT_EQ(complaint_with(series_model(), "/version", 3),
            "M.json: the file has version 3, this program knows 2: update shapeboost");
  EXPECT_EQ(complaint_with(series_model(), "/version", 1),
            "M.json: the file has version 1, this program knows 2: train the model again");
  EXPECT_EQ(complaint_with(series_model(), "/version", "1"),
            "M.json: version: expected a whole number of at least 1, found '1'");
}

TEST(Model, NamesTheField_ThatIsMissing) {
  const std::vector<std::string> series_fields{"version",
                                               "kind",
                                               "classes",
                                               "strategy",
                                               "views",
                                               "hypotheses",
                                               "parts",
                                               "training",
                                               "views[1].width",
                                               "views[1].length",
                                               "views[1].dilation",
                                               "views[1].channel",
                                               "views[1].normalisation",
                                               "views[1].tau",
                                               "views[1].kernel",
                                               "views[1].kernel.kind",
                                               "views[1].kernel.sigma",
                                               "views[1].centre",
                                               "views[1].scale",
                                               "hypotheses[0].view",
                                               "hypotheses[0].sign",
                                               "hypotheses[0].shapelet",
                                               "hypotheses[1].shapelet[1].alpha",
                                               "hypotheses[1].shapelet[1].example",
                                               "hypotheses[1].shapelet[1].position",
                                               "hypotheses[1].shapelet[1].place",
                                               "hypotheses[1].shapelet[1].length",
                                               "hypotheses[1].shapelet[1].values",
                                               "parts[0].positive",
                                               "parts[0].negative",
                                               "parts[0].nu",
                                               "parts[0].rho",
                                               "parts[0].gamma",
                                               "parts[0].b",
                                               "parts[0].w",
                                               "parts[0].margins",
                                               "training.source",
                                               "training.bags",
                                               "training.instances",
                                               "training.seed",
                                               "training.settings",
                                               "training.stopped",
                                               "training.views",
                                               "training.views[1].instances",
                                               "training.views[1].radius",
                                               "training.history",
                                               "training.history[1].edge",
                                               "training.history[1].gamma",
                                               "training.history[1].gap",
                                               "training.history[1].columns"};
  const auto check = [](const Model& model, const std::string& field) {
    std::string pointer = "/" + field;
    for (char& c : pointer) c = c == '.' || c == '[' ? '/' : c;
    std::erase(pointer, ']');
    const Json::json_pointer place(pointer);
    const auto erase = [&](Json& json) { json[place.parent_pointer()].erase(place.back()); };
    EXPECT_EQ(complaint_after(model, erase), "M.json: " + field + ": the field is missing");
    const auto spoil = [&](Json& json) { json[place] = true; };
    const std::string sentence = complaint_after(model, spoil);
    EXPECT_TRUE(sentence.starts_with("M.json: " + field + ": expected ")) << sentence;
    EXPECT_TRUE(sentence.ends_with(", found true")) << sentence;
  };
  for (const std::string& field : series_fields) check(series_model(), field);
  for (const std::string field : {"views[0].kernel.c", "views[0].kernel.p"}) check(bags_model(), field);
  EXPECT_EQ(complaint_after(series_model(), [](Json& json) { json["views"][1].erase("differences"); }),
            "M.json: views[1].differences: the field is missing");

  Json json = Json::parse(to_json(series_model()));
  json.erase("digest");
  EXPECT_EQ(complaint(json.dump()), "M.json: digest: the field is missing");
}

TEST(Model, NamesTheField_ThatIsOutOfRange) {
  struct Fault {
    std::string pointer;
    Json value;
    std::string sentence;
  };
  const std::vector<Fault> faults{
      {"/kind", "trees", "kind: expected bags, series or sequences, found 'trees'"},
      {"/classes", {"a"}, "classes: expected a list of at least 2 class names, found a list of 1"},
      {"/classes", {"-1", "x", "y"}, "parts: expected 3 parts for 3 classes by ovr, found 1"},
      {"/strategy", "all", "strategy: expected ovr or ovo, found 'all'"},
      {"/classes/1", "-1", "classes[1]: expected another name than classes[0], found '-1'"},
      {"/classes/0", "", "classes[0]: expected a class name, found nothing"},
      {"/parts", Json::array(), "parts: expected 1 part for 2 classes by ovr, found 0"},
      {"/parts/0/positive", "-1", "parts[0].positive: expected 'caf\u00e9 \"x\"', found '-1'"},
      {"/parts/0/positive", nullptr, "parts[0].positive: expected 'caf\u00e9 \"x\"', found null"},
      {"/parts/0/negative", nullptr, "parts[0].negative: expected '-1', found null"},
      {"/parts/0/nu", 0.0, "parts[0].nu: expected a number above 0, found 0.0"},
      {"/parts/0/nu", 1.5, "parts[0].nu: expected a number of at most 1, found 1.5"},
      {"/parts/0/w/0/1", 0.0, "parts[0].w[0][1]: expected a number above 0, found 0.0"},
      {"/parts/0/w/0/1", 0.8, "parts[0].w: expected weights that sum to 1, found 1.1"},
      {"/parts/0/w/1/0", 2, "parts[0].w[1][0]: expected a whole number 0 to 1, found 2"},
      {"/parts/0/w/1/0", -1, "parts[0].w[1][0]: expected a whole number 0 to 1, found -1"},
      {"/parts/0/w/1/0", 0, "parts[0].w[1][0]: expected another hypothesis than those before it, found 0"},
      {"/parts/0/w/1", {1, 0.3, 5}, "parts[0].w[1]: expected a hypothesis and its weight, found a list of 3"},
      {"/parts/0/w/1", 1, "parts[0].w[1]: expected a hypothesis and its weight, found 1"},
      {"/parts/0/w", Json::array({{0, 1.0}}),
       "hypotheses[1]: expected a part that gives it a weight, found none"},
      {"/parts/0/margins/1", "x", "parts[0].margins[1]: expected a number, found 'x'"},
      {"/views", Json::array(), "views: expected at least one of the views"},
      {"/views/0/length", 0, "views[0].length: expected a whole number of at least 1, found 0"},
      {"/views/0/length", 2.5, "views[0].length: expected a whole number of at least 1, found 2.5"},
      {"/views/0/length", 18446744073709551615U,
       "views[0].length: expected a whole number of at least 1, found 18446744073709551615"},
      {"/views/0/width", 0, "views[0].width: expected a whole number of at least 1, found 0"},
      {"/views/0/dilation", 0, "views[0].dilation: expected a whole number 1 to 2147483647, found 0"},
      {"/views/0/dilation", 2147483648,
       "views[0].dilation: expected a whole number 1 to 2147483647, found 2147483648"},
      {"/views/0/differences", 1, "views[0].differences: expected true or false, found 1"},
      {"/views/0/channel", 1, "views[0].channel: expected a whole number 0 to 0, found 1"},
      {"/views/0/channel", -1, "views[0].channel: expected a whole number 0 to 0, found -1"},
      {"/views/0/channel", "both", "views[0].channel: expected a channel's number or \"all\", found 'both'"},
      {"/views/0/tau", -0.5, "views[0].tau: expected a number of at least 0, found -0.5"},
      {"/hypotheses/1/shapelet/0/place", "x",
       "hypotheses[1].shapelet[0].place: expected a number, found 'x'"},
      {"/views/0/normalisation", "y", "views[0].normalisation: expected raw, centred or z, found 'y'"},
      {"/views/0/kernel/kind", "cubic",
       "views[0].kernel.kind: expected gaussian, linear, polynomial, laplacian, dtw, gak, spectrum, "
       "mismatch, "
       "subsequence, gram or custom, found 'cubic'"},
      {"/views/0/kernel/sigma", -1, "views[0].kernel.sigma: expected a number above 0, found -1"},
      {"/views/0/centre", {1.0, 2.0}, "views[0].centre: expected 1 number, found 2"},
      {"/views/0/centre", {"x"}, "views[0].centre: expected 1 number, found 'x' at 0"},
      {"/views/0/scale", {0.0}, "views[0].scale[0]: expected a number above 0, found 0.0"},
      {"/hypotheses/0/view", 2, "hypotheses[0].view: expected a whole number 0 to 1, found 2"},
      {"/hypotheses/0/view", -1, "hypotheses[0].view: expected a whole number 0 to 1, found -1"},
      {"/hypotheses/0/sign", 0, "hypotheses[0].sign: expected 1 or -1, found 0"},
      {"/hypotheses/0/sign", 2, "hypotheses[0].sign: expected a whole number -1 to 1, found 2"},
      {"/hypotheses", Json::array(), "parts[0].w: expected no weights where there are no hypotheses"},
      {"/hypotheses/0/shapelet", Json::array(),
       "hypotheses[0].shapelet: expected at least one of the instances"},
      {"/hypotheses/1/shapelet/0/values",
       {1.0, 2.0},
       "hypotheses[1].shapelet[0].values: expected 3 numbers, found 2"},
      {"/hypotheses/1/shapelet/0/values/2", nullptr,
       "hypotheses[1].shapelet[0].values: expected 3 numbers, found null at 2"},
      {"/hypotheses/1/shapelet/0/length", 4,
       "hypotheses[1].shapelet[0].length: expected 3 as in views[0], found 4"},
      {"/hypotheses/1/shapelet/0/example", -2,
       "hypotheses[1].shapelet[0].example: expected a whole number of at least -1, found -2"},
      {"/training/bags", -1, "training.bags: expected a whole number of at least 0, found -1"},
      {"/training/seed", -1, "training.seed: expected a whole number of at least 0, found -1"},
      {"/training/views/0/radius", -0.5,
       "training.views[0].radius: expected a number of at least 0, found -0.5"},
      {"/training/views/0/instances", -1,
       "training.views[0].instances: expected a whole number of at least 0, found -1"},
      {"/training/views", Json::array({{{"instances", 1}, {"radius", 1.0}}}),
       "training.views: expected none, or as many as the model's views: 2, found a list of 1"},
      {"/training/history", {1}, "training.history[0]: expected an object, found 1"},
  };
  for (const Fault& fault : faults) {
    EXPECT_EQ(complaint_with(series_model(), fault.pointer, fault.value), "M.json: " + fault.sentence);
  }
  EXPECT_EQ(complaint_with(bags_model(), "/views/0/centre", {1.0}),
            "M.json: views[0].centre: expected 2 numbers, found 1");
  const Model channels = channels_model();
  EXPECT_EQ(complaint_with(channels, "/views/1/channel", 2),
            "M.json: views[1].channel: expected a whole number 0 to 1, found 2");
  EXPECT_EQ(complaint_with(channels, "/views/0/channel", 1),
            "M.json: views[0].centre: expected 1 number, found 2");
  EXPECT_EQ(complaint_with(channels, "/views/1/channel", "all"),
            "M.json: views[1].centre: expected 2 numbers, found 1");
  EXPECT_EQ(complaint_with(channels, "/hypotheses/1/shapelet/0/length", 3),
            "M.json: hypotheses[1].shapelet[0].length: expected 6 as in views[0], found 3")
      << "three moments of two channels";
  const Model features = features_model();
  EXPECT_EQ(complaint_with(features, "/views/0/features", {4, 1}),
            "M.json: views[0].features[1]: expected a number above the one before it, found 1");
  EXPECT_EQ(complaint_with(features, "/views/0/features", {1, 1}),
            "M.json: views[0].features[1]: expected a number above the one before it, found 1");
  EXPECT_EQ(complaint_with(features, "/views/0/features", {1, 5}),
            "M.json: views[0].features[1]: expected a whole number 0 to 4, found 5");
  EXPECT_EQ(complaint_with(features, "/views/0/features", {-1, 2}),
            "M.json: views[0].features[0]: expected a whole number 0 to 4, found -1");
  EXPECT_EQ(complaint_with(features, "/views/0/features", Json::array()),
            "M.json: views[0].features: expected at least one of the features");
  EXPECT_EQ(complaint_with(features, "/views/0/features", {1, 2, 4}),
            "M.json: views[0].length: expected 3, found 2");
  EXPECT_EQ(complaint_with(features, "/views/0/width", 4),
            "M.json: views[0].features[1]: expected a whole number 0 to 3, found 4");
  EXPECT_EQ(complaint_after(features, [](Json& json) { json["views"][0].erase("features"); }),
            "M.json: views[0].length: expected 5, found 2");
  EXPECT_EQ(complaint_with(channels, "/views/1/width", 3),
            "M.json: views[1].width: expected 2 as in views[0], found 3");
  EXPECT_EQ(complaint_with(bags_model(), "/views/0/kernel/p", 11),
            "M.json: views[0].kernel.p: expected a whole number 1 to 10, found 11");
  EXPECT_EQ(complaint_with(bags_model(), "/views/0/kernel/c", -0.5),
            "M.json: views[0].kernel.c: expected a number of at least 0, found -0.5");
}

TEST(Model, NamesThePart_ThatTheStrategyDoesNotWant) {
  const Model rest = three_classes(Strategy::one_vs_rest);
  const Model pairs = three_classes(Strategy::one_vs_one);
  EXPECT_EQ(complaint_with(rest, "/parts/1/negative", "x"),
            "M.json: parts[1].negative: expected null for the rest, found 'x'");
  EXPECT_EQ(complaint_with(rest, "/parts/1/positive", "x"),
            "M.json: parts[1].positive: expected '10', found 'x'");
  EXPECT_EQ(complaint_with(rest, "/strategy", "ovo"), "M.json: parts[0].positive: expected '10', found '-1'");
  EXPECT_EQ(complaint_with(pairs, "/strategy", "ovr"),
            "M.json: parts[0].positive: expected '-1', found '10'");
  EXPECT_EQ(complaint_with(pairs, "/parts/2/negative", "-1"),
            "M.json: parts[2].negative: expected '10', found '-1'");
  EXPECT_EQ(complaint_after(pairs, [](Json& json) { json["parts"].erase(2); }),
            "M.json: parts: expected 3 parts for 3 classes by ovo, found 2");
  EXPECT_EQ(complaint_after(pairs, [](Json& json) { std::swap(json["parts"][0], json["parts"][1]); }),
            "M.json: parts[0].positive: expected '10', found 'x'");
  EXPECT_EQ(complaint_with(rest, "/classes/2", "10"),
            "M.json: classes[2]: expected another name than classes[1], found '10'");
  // A part that learned nothing is none the worse for it.
  EXPECT_EQ(complaint_with(rest, "/parts/2/w", Json::array()), "");
}

}  // namespace
}  // namespace shapeboost
