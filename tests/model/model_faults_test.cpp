// SPDX-License-Identifier: MIT
// What a model file that is damaged, altered or of another kind is told.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ground/rng.hpp"
#include "select/journal.hpp"
#include "shapeboost/model.hpp"
#include "support/heads.hpp"
#include "support/models.hpp"

namespace shapeboost {
namespace {

using examples::bags_model;
using examples::channels_model;
using examples::complaint;
using examples::complaint_about;
using examples::complaint_after;
using examples::complaint_with;
using examples::digest_of;
using examples::features_model;
using examples::series_model;
using examples::three_classes;
using Json = nlohmann::ordered_json;

TEST(ModelFaults, SaysWhereTheFileEnds_WhenTruncated) {
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

TEST(ModelFaults, RefusesAlteredContent) {
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

TEST(ModelFaults, RefusesEvidenceThatThereIsNotOfTheData) {
  const Model model = heads::two_classes().model;
  for (const char* other : {"mean", "least"}) {
    EXPECT_EQ(complaint_with(model, "/head/evidence/0", other),
              "M.json: head.evidence[0]: expected evidence that there is of series, found '" +
                  std::string(other) + "'");
  }
}

TEST(ModelFaults, RefusesIntervalsThatAreNone) {
  TrainSettings settings;
  settings.threads = 1;
  settings.members = 5;
  const Model model = train(heads::bands(40, 1), settings).model;
  ASSERT_TRUE(model.head->intervals);
  const auto says = [&](const std::string& field, const Json& value) {
    return complaint_with(model, "/head/intervals/" + field, value);
  };
  const std::string groups = std::to_string(model.head->intervals->groups());
  EXPECT_EQ(says("transforms/1", "none"),
            "M.json: head.intervals.transforms[1]: expected each transform once, found 'none'");
  EXPECT_EQ(says("transforms", Json::array()).substr(0, 49),
            "M.json: head.intervals.transforms: expected at le");
  EXPECT_EQ(says("channels", 3), "M.json: head.intervals.channels: expected a whole number 2 to 2, found 3");
  EXPECT_EQ(says("depth", 21), "M.json: head.intervals.depth: expected a whole number 0 to 20, found 21");
  EXPECT_EQ(says("depth", 1).substr(0, 54), "M.json: head.intervals.factors: expected 12 numbers, o");
  EXPECT_EQ(says("period", 14),
            "M.json: head.intervals.period: expected an even product of twos, threes and fives, found 14");
  EXPECT_EQ(says("factors/0", 0.0),
            "M.json: head.intervals.factors[0]: expected a number above 0, found 0.0");
  EXPECT_EQ(says("factors", Json::array({1.0})), "M.json: head.intervals.factors: expected " + groups +
                                                     " numbers, one for each group, found a list of 1");
  EXPECT_EQ(says("centre/0", "a").substr(0, 40), "M.json: head.intervals.centre: expected ");
  EXPECT_EQ(says("centre", Json::array()).substr(0, 40), "M.json: head.intervals.centre: expected ");
  EXPECT_EQ(says("scale/0", -1.0), "M.json: head.intervals.scale[0]: expected a number above 0, found -1.0");
  EXPECT_EQ(says("scale", Json::array()).substr(0, 39), "M.json: head.intervals.scale: expected ");
  EXPECT_EQ(complaint_with(model, "/parts/0/intervals", Json::array({1.0})).substr(0, 37),
            "M.json: parts[0].intervals: expected ");
  EXPECT_EQ(complaint_after(model, [](Json& json) { json["parts"][0].erase("intervals"); }),
            "M.json: parts[0].intervals: the field is missing");
}

TEST(ModelFaults, RefusesWholeBagsThatAreNone) {
  TrainSettings settings;
  settings.threads = 1;
  settings.evidence = {Evidence::bag};
  const Model model = train(planted_bags({.examples = 8, .length = 3, .features = 3}).data, settings).model;
  EXPECT_EQ(complaint_with(model, "/views/0/whole", model.views[0].whole), "");
  EXPECT_EQ(complaint_with(model, "/views/0/whole", 3),
            "M.json: views[0].whole: expected a whole number 1 to 2, found 3");
  EXPECT_EQ(complaint_with(model, "/views/0/kernel", {{"kind", "linear"}}),
            "M.json: views[0].whole: expected none but of bags under the Gaussian kernel");
  EXPECT_EQ(complaint_with(model, "/head/evidence/0", "best").substr(0, 86),
            "M.json: parts[0].w[0]: expected 0: only views of whole bags have the evidence bag, and");
  EXPECT_EQ(complaint_with(bags_model(), "/views/0/whole", 1),
            "M.json: views[0].whole: expected none but of bags under the Gaussian kernel");
}

Model model_of_whole_bags(std::int64_t bags) {
  TrainSettings settings;
  settings.threads = 1;
  settings.evidence = {Evidence::bag};
  return train(planted_bags({.examples = bags, .length = 3, .features = 3}).data, settings).model;
}

TEST(ModelFaults, RefusesNumbersThatNameNoWholeBag_AsVersion3HadThem) {
  const Model model = model_of_whole_bags(8);
  const Json json = examples::as_version_3(model);
  const auto complaint_of = [&](std::size_t j, const Json& shapelet) {
    Json changed = json;
    changed["hypotheses"][j]["shapelet"] = shapelet;
    return complaint_about(changed);
  };
  std::vector<std::size_t> naming;
  for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
    if (json["hypotheses"][j]["shapelet"].is_number()) naming.push_back(j);
  }
  ASSERT_FALSE(naming.empty());
  EXPECT_EQ(complaint_about(json), "");
  const std::string place = "hypotheses[" + std::to_string(naming.front()) + "].shapelet: expected ";
  const auto last = static_cast<std::int64_t>(naming.front()) - 1;
  EXPECT_EQ(complaint_of(0, 0), "M.json: hypotheses[0].shapelet: expected a list of instances, found 0");
  for (const std::int64_t wrong : {std::int64_t{-1}, last + 1, last + 2}) {
    EXPECT_EQ(complaint_of(naming.front(), wrong), "M.json: " + place + "a whole number 0 to " +
                                                       std::to_string(last) + ", found " +
                                                       std::to_string(wrong));
  }
  EXPECT_EQ(complaint_of(naming.back(), naming.front()),
            "M.json: hypotheses[" + std::to_string(naming.back()) +
                "].shapelet: expected the number of a hypothesis that is a whole bag of as many features, "
                "instances given, found " +
                std::to_string(naming.front()));
  EXPECT_EQ(complaint_with(bags_model(), "/hypotheses/1/shapelet", 0),
            "M.json: hypotheses[1].shapelet: expected a list of instances, found 0");
}

TEST(ModelFaults, RefusesABagThatVeryManyHypothesesName_AsVersion3HadThem) {
  const Model model = model_of_whole_bags(30);
  ASSERT_GT(model.hypotheses.size(), 17);
  Json json = examples::as_version_3(model);
  for (int j = 1; j < 18; ++j) json["hypotheses"][j]["shapelet"] = 0;
  EXPECT_EQ(complaint_about(json), "M.json: hypotheses[16].shapelet: hypotheses[0] is named by more than 15");
}

TEST(ModelFaults, BagsThatAreNamedReadAsTheyWereWritten) {
  const Model model = model_of_whole_bags(8);
  Json old = examples::as_version_3(model);
  old["digest"] = digest_of(old);
  for (const std::string& text : {to_json(model), old.dump()}) {
    const Model read = model_from_json(text, "M.json");
    ASSERT_EQ(read.hypotheses.size(), model.hypotheses.size());
    for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
      EXPECT_EQ(read.hypotheses[j].view, model.hypotheses[j].view);
      EXPECT_EQ(read.hypotheses[j].shapelet, model.hypotheses[j].shapelet) << j;
    }
    EXPECT_EQ(to_json(read), to_json(model));
  }
}

TEST(ModelFaults, RefusesOtherFiles) {
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
  EXPECT_EQ(complaint_with(series_model(), "/version", 5),
            "M.json: the file has version 5, this program knows 2 to 4: update shapeboost");
  EXPECT_EQ(complaint_with(series_model(), "/version", 1),
            "M.json: the file has version 1, this program knows 2 to 4: train the model again");
  EXPECT_EQ(complaint_with(series_model(), "/version", "1"),
            "M.json: version: expected a whole number of at least 1, found '1'");
}

TEST(ModelFaults, NamesTheField_ThatIsMissing) {
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
  EXPECT_EQ(complaint_after(series_model(), [](Json& json) { json["views"][1].erase("transform"); }),
            "M.json: views[1].transform: the field is missing");

  EXPECT_EQ(complaint_after(series_model(), [](Json& json) { json["views"][1].erase("period"); }),
            "M.json: views[1].period: the field is missing");

  Json json = Json::parse(to_json(series_model()));
  json.erase("digest");
  EXPECT_EQ(complaint(json.dump()), "M.json: digest: the field is missing");
}

TEST(ModelFaults, NamesTheField_ThatIsOutOfRange) {
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
      {"/views/0/length", 0, "views[0].length: expected a whole number 1 to 2147483648, found 0"},
      {"/views/0/length", 2.5, "views[0].length: expected a whole number 1 to 2147483648, found 2.5"},
      {"/views/0/length", 18446744073709551615U,
       "views[0].length: expected a whole number 1 to 2147483648, found 18446744073709551615"},
      {"/views/0/width", 0, "views[0].width: expected a whole number 1 to 16777216, found 0"},
      {"/views/0/width", 2147483648,
       "views[0].width: expected a whole number 1 to 16777216, found 2147483648"},
      {"/hypotheses/1/shapelet/0/position", 9223372036854775807,
       "hypotheses[1].shapelet[0].position: expected a whole number -1 to 9007199254740992, found "
       "9223372036854775807"},
      {"/hypotheses/1/shapelet/0/values/0", 1.7e308,
       "hypotheses[1].shapelet[0].values: expected numbers up to 1e+250 in size, found 1.7e+308 at 0"},
      {"/hypotheses/1/shapelet/0/alpha", -1.7e308,
       "hypotheses[1].shapelet[0].alpha: expected a number up to 1e+250 in size, found -1.7e+308"},
      {"/training/views/0/largest_bag", 9223372036854775807,
       "training.views[0].largest_bag: expected a whole number 0 to 9007199254740992, found "
       "9223372036854775807"},
      {"/views/0/dilation", 0, "views[0].dilation: expected a whole number 1 to 2147483647, found 0"},
      {"/views/0/dilation", 2147483648,
       "views[0].dilation: expected a whole number 1 to 2147483647, found 2147483648"},
      {"/views/0/transform", "cosine",
       "views[0].transform: expected none, differences or spectrum, found 'cosine'"},
      {"/views/0/missing", "ignore", "views[0].missing: expected skip or fill, found 'ignore'"},
      {"/views/1/period", 3, "views[1].period: expected a whole number 4 to 4194304, found 3"},
      {"/views/1/period", 22,
       "views[1].period: expected an even product of twos, threes and fives, found 22"},
      {"/views/1/length", 11, "views[1].length: expected a window within the spectrum, found 11"},
      {"/views/0/channels", {1}, "views[0].channels[0]: expected a whole number 0 to 0, found 1"},
      {"/views/0/channels", {-1}, "views[0].channels[0]: expected a whole number 0 to 0, found -1"},
      {"/views/0/channels", 0, "views[0].channels: expected a list of channels, found 0"},
      {"/views/0/channel", 1, "views[0].channel: expected a whole number 0 to 0, found 1"},
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
       "hypotheses[1].shapelet[0].example: expected a whole number -1 to 9007199254740992, found -2"},
      {"/training/bags", -1, "training.bags: expected a whole number 0 to 9007199254740992, found -1"},
      {"/training/seed", -1, "training.seed: expected a whole number of at least 0, found -1"},
      {"/training/views/0/radius", -0.5,
       "training.views[0].radius: expected a number of at least 0, found -0.5"},
      {"/training/views/0/instances", -1,
       "training.views[0].instances: expected a whole number 0 to 9007199254740992, found -1"},
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
  EXPECT_EQ(complaint_with(channels, "/views/1/channels", {2}),
            "M.json: views[1].channels[0]: expected a whole number 0 to 1, found 2");
  EXPECT_EQ(complaint_with(channels, "/views/1/channels", {1, 0}),
            "M.json: views[1].channels[1]: expected a number above the one before it, found 0");
  EXPECT_EQ(complaint_with(channels, "/views/0/channels", {1}),
            "M.json: views[0].centre: expected 1 number, found 2");
  EXPECT_EQ(complaint_with(channels, "/views/1/channel", "all"),
            "M.json: views[1].centre: expected 2 numbers, found 1")
      << "as earlier versions wrote it";
  EXPECT_EQ(complaint_with(channels, "/hypotheses/1/shapelet/0/length", 3),
            "M.json: hypotheses[1].shapelet[0].length: expected 6 as in views[0], found 3")
      << "three time steps of two channels";
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

TEST(ModelFaults, NamesTheField_OfAMovedThresholdOrASparseInstance) {
  EXPECT_EQ(complaint_with(bags_model(), "/parts/0/shift", 0.25), "");
  EXPECT_EQ(complaint_with(bags_model(), "/parts/0/shift", "more"),
            "M.json: parts[0].shift: expected a number, found 'more'");
  const auto spoilt = [](const Json& features, const Json& values, int length) {
    Json json = examples::as_version_3(features_model());
    Json& instance = json["hypotheses"][0]["shapelet"][0];
    instance["features"] = features;
    instance["values"] = values;
    instance["length"] = length;
    return complaint_about(json);
  };
  const std::string where = "M.json: hypotheses[0].shapelet[0].";
  EXPECT_EQ(spoilt({1}, {0.5}, 1), "");
  EXPECT_EQ(spoilt(Json::array(), Json::array(), 0), "");
  EXPECT_EQ(spoilt({2}, {0.5}, 1), where + "features[0]: expected a whole number 0 to 1, found 2");
  EXPECT_EQ(spoilt({1, 1}, {0.5, 0.5}, 2),
            where + "features[1]: expected a number above the one before it, found 1");
  EXPECT_EQ(spoilt({1}, {0.5, 0.5}, 1), where + "values: expected 1 number, found 2");
  EXPECT_EQ(spoilt({1}, {0.5}, 2), where + "length: expected 1 as features, found 2");
  EXPECT_EQ(complaint_with(series_model(), "/hypotheses/0/shapelet/0/features", Json::array()),
            where + "features: expected none, as in series and sequences");
}

TEST(ModelFaults, NamesThePart_ThatTheStrategyDoesNotWant) {
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
