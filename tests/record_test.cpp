// SPDX-License-Identifier: MIT
#include "shapeboost/record.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "shapeboost/base.hpp"
#include "shapeboost/predictor.hpp"

namespace shapeboost {
namespace {

using Json = nlohmann::ordered_json;

/// One window of one value: the score is 2 K(0, x) - 1 with x the value nearest to 0.
Model near_zero_model() {
  Model model;
  model.kind = DataKind::series;
  model.classes = {"far", "near"};
  model.views = {
      {DataKind::series, 1, Normalisation::raw, {KernelKind::gaussian, 1.0, 1.0, 2}, {0.0}, {1.0}}};
  model.hypotheses = {{0, +1, {{{{0.0}, 3, 7}}, {1.0}}}};
  model.w = {1.0};
  model.b = -0.5;
  model.nu = 0.2;
  return model;
}

Dataset values(const std::vector<std::pair<double, std::string>>& examples) {
  Dataset data(DataKind::series, "d.tsv");
  for (const auto& [value, label] : examples) {
    data.add(Matrix::Constant(1, 2, value), label, "e" + std::to_string(data.size() + 1));
  }
  return data;
}

TEST(Evaluation, CountsByHand) {
  const Dataset data = values({{0.0, "near"}, {0.1, "near"}, {3.0, "near"}, {2.0, "far"}, {0.05, "far"}});
  const Evaluation e = evaluate(near_zero_model(), data, 1);
  EXPECT_EQ(e.n, 5);
  EXPECT_EQ(e.confusion(1, 1), 2);
  EXPECT_EQ(e.confusion(1, 0), 1);
  EXPECT_EQ(e.confusion(0, 0), 1);
  EXPECT_EQ(e.confusion(0, 1), 1);
  EXPECT_DOUBLE_EQ(e.accuracy, 0.6);
  EXPECT_DOUBLE_EQ(e.recall[0], 0.5);
  EXPECT_DOUBLE_EQ(e.recall[1], 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(e.balanced_accuracy, 0.5 * (0.5 + 2.0 / 3.0));
  // near beats far in (0.0: both), (0.1: 2.0 only), (3.0: none) of six pairs.
  EXPECT_DOUBLE_EQ(e.auc, 3.0 / 6.0);
}

TEST(Evaluation, JsonHasItsKeys_AndNullForWhatIsUndefined) {
  Evaluation e = evaluate(near_zero_model(), values({{0.0, "near"}, {9.0, "near"}}), 1);
  e.seconds = 0.25;
  const Json json = Json::parse(to_json(e));
  EXPECT_EQ(json["n"], 2);
  EXPECT_EQ(json["accuracy"], 0.5);
  EXPECT_EQ(json["balanced_accuracy"], 0.5);
  EXPECT_TRUE(json["auc"].is_null());
  EXPECT_EQ(json["recall"].dump(), "[null,0.5]");
  EXPECT_EQ(json["classes"].dump(), R"(["far","near"])");
  EXPECT_EQ(json["confusion"].dump(), "[[0,0],[1,1]]");
  EXPECT_EQ(json["seconds"], 0.25);
}

TEST(Evaluation, NeedsEveryLabel) {
  const auto complaint = [](const Dataset& data) -> std::string {
    try {
      (void)evaluate(near_zero_model(), data, 1);
      return {};
    } catch (const InvalidInput& fault) {
      return fault.what();
    }
  };
  EXPECT_EQ(complaint(values({{0.0, "near"}, {1.0, ""}})), "d.tsv: example e2 has no label to compare with");
  EXPECT_EQ(complaint(values({{0.0, "near"}, {1.0, "hot"}})),
            "d.tsv: example e2: expected the label far or near, found 'hot'");
}

TEST(Record, TrainingJsonHasItsKeys) {
  TrainingResult training;
  training.model = near_zero_model();
  training.model.provenance.bags = 5;
  training.model.provenance.stopped = "time limit";
  training.instances = 10;
  training.gap = 0.5;
  training.notes = {"a note"};
  RoundRecord record;
  record.round = 1;
  record.refined = true;
  record.edge = 0.25;
  record.columns = 3;
  record.oracle_seconds = 1.0;
  record.lp_seconds = 2.0;
  record.master_seconds = 3.0;
  training.rounds = {record, record};
  const Json json = Json::parse(to_json(training, "m.json", 7.5));
  for (const char* key : {"bags", "instances", "classes", "members", "rounds", "hypotheses", "rho", "gap",
                          "stopped", "seconds", "model", "notes"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["rounds"], 2);
  EXPECT_EQ(json["hypotheses"], 1);
  EXPECT_EQ(json["stopped"], "time limit");
  EXPECT_EQ(json["seconds"], 7.5);
  EXPECT_EQ(json["lp_seconds"], 4.0);
  EXPECT_EQ(json["model"], "m.json");
  EXPECT_EQ(json["records"].size(), 2U);
  EXPECT_EQ(
      json["records"][0].dump(),
      R"({"member":0,"round":1,"refined":true,"edge":0.25,"gamma":0.0,"gap":0.0,"columns":3,"oracle_seconds":1.0,)"
      R"("lp_seconds":2.0,"master_seconds":3.0})");
}

TEST(Record, ClaimsFollowTheSigns) {
  Model model = near_zero_model();
  const auto claim = [&](int sign, std::vector<double> alpha) {
    model.hypotheses[0].sign = sign;
    model.hypotheses[0].shapelet.alpha = std::move(alpha);
    return summarise(model)[0];
  };
  model.hypotheses[0].shapelet.instances = {{{0.0}, 3, 7}, {{1.0}, 2, 1}};
  EXPECT_EQ(claim(+1, {0.9, -0.1}).claim, Claim::present);
  EXPECT_EQ(claim(-1, {0.9, -0.1}).claim, Claim::absent);
  EXPECT_EQ(claim(-1, {0.1, -0.9}).claim, Claim::everywhere);
  EXPECT_EQ(claim(+1, {0.1, -0.9}).claim, Claim::not_everywhere);
  EXPECT_EQ(claim(+1, {0.1, -0.9}).main, 1U);
  EXPECT_EQ(claim(+1, {0.9, -0.1}).speaks_for, 1);
  EXPECT_EQ(claim(-1, {0.9, -0.1}).speaks_for, 0);
  EXPECT_EQ(claim(-1, {0.1, -0.9}).speaks_for, 1);
  EXPECT_EQ(claim(+1, {0.1, -0.9}).speaks_for, 0);
}

// What "speaks for" says must hold of the score itself: an example that holds the pattern in every window
// against one that holds it nowhere.
TEST(Record, SpeaksFor_IsTheClassThatThePatternRaises) {
  Model model = near_zero_model();
  for (const int sign : {+1, -1}) {
    for (const double alpha : {1.0, -1.0}) {
      model.hypotheses[0].sign = sign;
      model.hypotheses[0].shapelet.alpha = {alpha};
      const std::vector<double> score = scores(model, values({{0.0, ""}, {9.0, ""}}), 1);
      EXPECT_EQ(summarise(model)[0].speaks_for, score[0] > score[1] ? 1 : 0) << sign << ' ' << alpha;
    }
  }
}

TEST(Record, SummaryJsonTellsTheMainInstance) {
  const Json json = Json::parse(summary_json(near_zero_model()));
  EXPECT_EQ(json["kind"], "series");
  EXPECT_EQ(json["hypotheses"][0].dump(),
            R"({"w":1.0,"claim":"present","speaks_for":"near","view":0,"length":1,"instances":1,"alpha":1.0,)"
            R"("example":3,"position":7})");
}

TEST(Record, PredictionsCsvQuotesNames) {
  Model model = near_zero_model();
  model.classes = {"far, away", "near"};
  Dataset data(DataKind::series);
  data.add(Matrix::Constant(1, 1, 0.0), "", "plain");
  data.add(Matrix::Constant(1, 1, 9.0), "", "a \"b\",\nc");
  EXPECT_EQ(predictions_csv(model, data, {0.5, -0.5}),
            "example,predicted,score\nplain,near,0.5\n\"a \"\"b\"\",\nc\",\"far, away\",-0.5\n");
  data.add(Matrix::Constant(1, 1, 9.0), "hot", "x");
  EXPECT_EQ(predictions_csv(model, data, {0.5, -0.5, 0.1}),
            "example,predicted,score,label\nplain,near,0.5,\n\"a \"\"b\"\",\nc\",\"far, "
            "away\",-0.5,\nx,near,0.1,hot\n");
}

TEST(Record, PredictionsJsonHasAnEntryForEachExample) {
  const Dataset data = values({{0.0, "near"}, {9.0, ""}});
  const Json json = Json::parse(predictions_json(near_zero_model(), data, {0.5, -0.5}, 0.0));
  EXPECT_EQ(json["n"], 2);
  EXPECT_EQ(json["predictions"][0].dump(),
            R"({"example":"e1","predicted":"near","score":0.5,"label":"near"})");
  EXPECT_EQ(json["predictions"][1].dump(), R"({"example":"e2","predicted":"far","score":-0.5,"label":""})");
}

}  // namespace
}  // namespace shapeboost
