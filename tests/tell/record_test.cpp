// SPDX-License-Identifier: MIT
#include "tell/record.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "ground/numbers.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/evaluation.hpp"
#include "shapeboost/predictor.hpp"
#include "support/examples.hpp"
#include "support/heads.hpp"
#include "support/matrices.hpp"

namespace shapeboost {
namespace {

using Json = nlohmann::ordered_json;

/// One window of one value: the score is 2 K(0, x) - 1 with x the value nearest to 0.
Model near_zero_model() {
  Model model;
  model.kind = DataKind::series;
  model.classes = {"far", "near"};
  model.views = {examples::window_view(1, Normalisation::raw, kernels::Gaussian{1.0})};
  model.hypotheses = {{0, +1, {{{{0.0}, 3, 7}}, {1.0}}}};
  model.parts = parts_for(2, model.strategy);
  model.parts[0].weights = {{0, 1.0}};
  model.parts[0].b = -0.5;
  model.parts[0].nu = 0.2;
  return model;
}

/// The same pattern at 0, 5 and 10, one for each class: the nearest wins. Windows of two values.
Model nearest_model(Strategy strategy) {
  Model model = near_zero_model();
  model.classes = {"zero", "five, or so", "ten"};
  model.strategy = strategy;
  model.views[0].length = 2;
  model.hypotheses = {{0, +1, {{{{0.0, 0.0}, 0, 0}}, {1.0}}},
                      {0, +1, {{{{5.0, 5.0}, 1, 0}}, {1.0}}},
                      {0, +1, {{{{10.0, 10.0}, 2, 0}}, {1.0}}}};
  model.parts = parts_for(3, strategy);
  for (Part& part : model.parts) {
    part.nu = 0.2;
    part.weights = {{part.positive, 1.0}};
    part.b = -0.5;
  }
  if (strategy == Strategy::one_vs_one) {  // 1 from 0 by 1, 2 from 0 by 0 (absent), 2 from 1 by 2
    model.hypotheses[0].sign = -1;
    model.parts[1].weights = {{0, 0.75}, {2, 0.25}};
    model.parts[1].b = 0.25;
  }
  return model;
}

Scores given(const std::vector<double>& g) {
  Scores scores{Array<double>(static_cast<std::int64_t>(g.size()), 1), std::vector<char>(g.size(), 1)};
  std::copy(g.begin(), g.end(), scores.parts.data());
  return scores;
}

Dataset values(const std::vector<std::pair<double, std::string>>& examples) {
  Dataset data(DataKind::series, "d.tsv");
  for (const auto& [value, label] : examples) {
    add(data, Matrix::Constant(1, 2, value), label, "e" + std::to_string(data.size() + 1));
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
  EXPECT_EQ(e.auc_per_class, (std::vector<double>{e.auc, e.auc}));
  EXPECT_EQ(e.precision, (std::vector<double>{0.5, 2.0 / 3.0}));
  EXPECT_EQ(e.f1, (std::vector<double>{0.5, 2.0 / 3.0}));
  EXPECT_DOUBLE_EQ(e.macro_f1, 0.5 * (0.5 + 2.0 / 3.0));
  EXPECT_TRUE(e.uncovered.empty());
}

TEST(Evaluation, CountsThreeClassesByHand) {
  Dataset data = values({{0.0, "zero"}, {5.0, "five, or so"}, {10.0, "ten"}, {9.8, "ten"}, {0.1, "ten"}});
  add(data, Matrix::Constant(1, 1, 5.0), "five, or so", "short");
  const Evaluation e = evaluate(nearest_model(Strategy::one_vs_rest), data, 1);
  EXPECT_EQ(e.confusion, array(3, 3, {1, 0, 0, 1, 1, 0, 1, 0, 2}))
      << "the short one has only offsets, all equal: the first class";
  EXPECT_DOUBLE_EQ(e.accuracy, 4.0 / 6.0);
  EXPECT_EQ(e.recall, (std::vector<double>{1.0, 0.5, 2.0 / 3.0}));
  EXPECT_EQ(e.precision, (std::vector<double>{1.0 / 3.0, 1.0, 1.0}));
  EXPECT_EQ(e.f1, (std::vector<double>{0.5, 2.0 / 3.0, 0.8}));
  EXPECT_DOUBLE_EQ(e.macro_f1, (0.5 + 2.0 / 3.0 + 0.8) / 3.0);
  EXPECT_EQ(e.uncovered, (std::vector<std::int64_t>{5}));
  EXPECT_EQ(e.auc_per_class[0], 1.0);
  EXPECT_DOUBLE_EQ(e.auc, (e.auc_per_class[0] + e.auc_per_class[1] + e.auc_per_class[2]) / 3.0);
  const Json json = Json::parse(to_json(e));
  EXPECT_EQ(json["confusion"].dump(), "[[1,0,0],[1,1,0],[1,0,2]]");
  EXPECT_EQ(json["uncovered"], 1);
  EXPECT_EQ(json["f1"].dump(), "[0.5,0.6666666666666666,0.8]");
  EXPECT_EQ(json["auc_per_class"].size(), 3U);
}

TEST(Evaluation, FindsTheNearest_ByPairs) {
  const Dataset data = values({{0.0, "zero"}, {5.0, "five, or so"}, {10.0, "ten"}, {9.8, "ten"}});
  const Evaluation e = evaluate(nearest_model(Strategy::one_vs_one), data, 1);
  EXPECT_EQ(e.accuracy, 1.0);
  EXPECT_EQ(e.macro_f1, 1.0);
  EXPECT_EQ(e.auc_per_class[2], 1.0);
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
  EXPECT_EQ(json["precision"].dump(), "[0.0,1.0]");
  EXPECT_EQ(json["f1"].dump(), "[0.0,0.6666666666666666]");
  EXPECT_EQ(json["auc_per_class"].dump(), "[null,null]");
  EXPECT_EQ(json["uncovered"], 0);
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
  EXPECT_EQ(
      json["parts"].dump(),
      R"([{"positive":"near","negative":"far","hypotheses":1,"nu":0.2,"rho":0.0,"gamma":0.0,"b":-0.5}])");
  EXPECT_EQ(json["stopped"], "time limit");
  EXPECT_EQ(json["seconds"], 7.5);
  EXPECT_EQ(json["lp_seconds"], 4.0);
  EXPECT_EQ(json["model"], "m.json");
  EXPECT_EQ(json["records"].size(), 2U);
  EXPECT_EQ(
      json["records"][0].dump(),
      R"({"member":0,"part":0,"round":1,"refined":true,"edge":0.25,"gamma":0.0,"gap":0.0,"columns":3,"oracle_seconds":1.0,)"
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
  EXPECT_EQ(claim(+1, {0.9, -0.1}).uses[0].speaks_for, 1);
  EXPECT_EQ(claim(-1, {0.9, -0.1}).uses[0].speaks_for, 0);
  EXPECT_EQ(claim(-1, {0.1, -0.9}).uses[0].speaks_for, 1);
  EXPECT_EQ(claim(+1, {0.1, -0.9}).uses[0].speaks_for, 0);
}

TEST(Record, UsesSayForWhichClassOfWhichPart) {
  Model model = nearest_model(Strategy::one_vs_rest);
  model.parts[2].weights = {{2, 0.75}, {1, 0.25}};
  model.hypotheses[2].sign = -1;
  const std::vector<HypothesisSummary> summaries = summarise(model);
  ASSERT_EQ(summaries[1].uses.size(), 2U);
  EXPECT_DOUBLE_EQ(summaries[1].w, 1.25);
  EXPECT_EQ(summaries[1].uses[0].part, 1);
  EXPECT_EQ(summaries[1].uses[0].w, 1.0);
  EXPECT_EQ(summaries[1].uses[0].speaks_for, 1);
  EXPECT_EQ(summaries[1].uses[1].part, 2);
  EXPECT_EQ(summaries[1].uses[1].speaks_for, 2);
  ASSERT_EQ(summaries[2].uses.size(), 1U);
  EXPECT_EQ(summaries[2].uses[0].speaks_for, kRest);
  EXPECT_EQ(Json::parse(summary_json(model))["hypotheses"][2]["uses"].dump(),
            R"([{"part":2,"w":0.75,"speaks_for":null}])");
  // By pairs, what is absent from the positive class speaks for the negative one.
  EXPECT_EQ(summarise(nearest_model(Strategy::one_vs_one))[0].uses[0].speaks_for, 0);
}

/// The three patterns of nearest_model() weighed by a head, each for all classes.
Model headed_model() {
  Model model = nearest_model(Strategy::one_vs_rest);
  model.head = Head{{Evidence::best, Evidence::share, Evidence::place}, 2.0, 0.25, 0.9, 1e-10};
  model.parts[0].weights = {{0, 0.5, Evidence::best}, {0, 0.25, Evidence::share}, {0, -1.0, Evidence::place}};
  model.parts[1].weights = {
      {0, -0.5, Evidence::best}, {1, 0.25, Evidence::best}, {1, -0.75, Evidence::share}};
  model.parts[2].weights = {
      {0, 0.125, Evidence::best}, {1, 0.125, Evidence::share}, {2, -0.5, Evidence::place}};
  return model;
}

TEST(Record, OfAHead_EvidenceOfAPatternIsOneUseOfAPart) {
  const std::vector<HypothesisSummary> told = summarise(headed_model());
  ASSERT_EQ(told[0].uses.size(), 3U) << "not one for each evidence";
  EXPECT_EQ(told[0].uses[0].part, 0);
  EXPECT_DOUBLE_EQ(told[0].uses[0].w, 0.75) << "best and share; place says nothing of whether it is there";
  EXPECT_EQ(told[0].uses[0].speaks_for, 0);
  EXPECT_EQ(told[0].claim, Claim::present);
  EXPECT_DOUBLE_EQ(told[0].uses[2].w, -0.5);
  EXPECT_EQ(told[0].uses[2].speaks_for, kRest);
  EXPECT_DOUBLE_EQ(told[0].w, 0.5 + 0.25 + 1.0 + 0.5 + 0.125);
  EXPECT_DOUBLE_EQ(told[0].by_evidence[0], 1.125);
  EXPECT_DOUBLE_EQ(told[0].by_evidence[2], 1.0);
  EXPECT_EQ(told[1].uses[0].part, 2) << "of part 1 share outweighs best: it is absent there";
  EXPECT_EQ(told[1].claim, Claim::present);
  EXPECT_EQ(told[2].claim, Claim::earlier) << "only its place is weighed";
  EXPECT_EQ(told[2].uses[0].speaks_for, kRest);
  for (const HypothesisSummary& summary : summarise(heads::two_classes().model)) {
    ASSERT_EQ(summary.uses.size(), 1U);
    EXPECT_EQ(summary.uses[0].speaks_for, summary.uses[0].w > 0.0 ? 1 : 0);
    EXPECT_EQ(summary.claim, summary.uses[0].w > 0.0 ? Claim::present : Claim::absent);
  }
}

TEST(Record, OfAHead_TheHeaviestAreThePlantedPatterns_AndSpeakForTheirClass) {
  const SyntheticData source = planted_series({});
  const Model model = heads::trained(source.data, 400, 8);
  const std::vector<HypothesisSummary> told = summarise(model);
  int planted = 0;
  int own = 0;      // speak for the class they were cut from
  int told_of = 0;  // of time; a spectrum has no place where a pattern lies
  for (std::size_t j = 0; told_of < 10; ++j) {
    if (model.views[at(model.hypotheses[j].view)].transform == Transform::spectrum) continue;
    ++told_of;
    const Instance& z = model.hypotheses[j].shapelet.instances[told[j].main];
    const int label = source.data.label(z.example);
    own += told[j].uses[0].speaks_for == label ? 1 : 0;
    for (const Planted& pattern : source.planted) {
      const std::int64_t begin = pattern.positions[at(z.example)];
      if (begin < 0) continue;
      const std::int64_t span = model.views[at(model.hypotheses[j].view)].span();
      const auto length = static_cast<std::int64_t>(pattern.values.size());
      const std::int64_t common = std::min(begin + length, z.position + span) - std::max(begin, z.position);
      planted += 2 * common >= std::min(span, length) ? 1 : 0;
    }
  }
  EXPECT_GE(planted, 6);  // windows cut at random would be about two
  EXPECT_GE(own, 8);
}

TEST(Record, OfAHead_APatternWithoutWeightIsToldToo) {
  Model model = headed_model();
  model.parts[2].weights.pop_back();
  ASSERT_EQ(summarise(model)[2].uses.size(), 1U);
  EXPECT_EQ(summarise(model)[2].w, 0.0);
}

TEST(Record, OfAHead_JsonHasNoMargins_AndCountsPatternsOnce) {
  const Json json = Json::parse(summary_json(headed_model()));
  EXPECT_EQ(json["parts"][0]["hypotheses"], 1);
  EXPECT_EQ(json["parts"][2]["hypotheses"], 3);
  for (const char* name : {"nu", "rho", "gamma"}) EXPECT_TRUE(json["parts"][0][name].is_null()) << name;
  EXPECT_EQ(json["head"].dump(),
            R"({"kind":"ridge","evidence":["best","share","place"],"alpha":2.0,"left_out_accuracy":0.9,)"
            R"("left_out_error":0.25,"residual":1e-10})");
  EXPECT_EQ(json["hypotheses"][1]["by_evidence"].dump(), R"({"best":0.25,"share":0.875,"place":0.0})");
}

TEST(Record, OfAHead_ExplanationSaysTheEvidence_AndAllOfTheTellingPart) {
  const heads::Headed set = heads::three_classes();
  const Json json = Json::parse(explanation_json(set.model, set.data, 4, 1));
  for (std::size_t p = 0; p < set.model.parts.size(); ++p) {
    const Json& part = json["parts"][p];
    const std::size_t all = set.model.parts[p].weights.size();
    ASSERT_GT(all, 100U);
    EXPECT_EQ(part["contributions"].size(), json["telling_part"] == p ? all : 100U);
    double sum = part["b"];
    if (json["telling_part"] != p) {
      EXPECT_EQ(part["others"]["contributions"], all - 100U);
      sum += part["others"]["sum"].get<double>();
    }
    for (const Json& c : part["contributions"]) {
      const auto& hypothesis = set.model.hypotheses[c["hypothesis"].get<std::size_t>()];
      const auto kind = static_cast<std::size_t>(parse<Evidence>(c["evidence"].get<std::string>()));
      EXPECT_EQ(c["centre"], hypothesis.standard[kind].centre);
      EXPECT_NEAR(c["contribution"].get<double>(),
                  c["w"].get<double>() * c["sign"].get<int>() *
                      (c["response"].get<double>() - c["centre"].get<double>()) / c["scale"].get<double>(),
                  1e-12);
      sum += c["contribution"].get<double>();
    }
    EXPECT_NEAR(sum, part["score"].get<double>(), 1e-9);
  }
  const Json plain = Json::parse(explanation_json(near_zero_model(), values({{0.5, "near"}}), 0, 1));
  EXPECT_FALSE(plain["parts"][0]["contributions"][0].contains("evidence"));
}

TEST(Record, TheWeakestPartSpeaksForTheWhole) {
  TrainingResult training;
  training.model = nearest_model(Strategy::one_vs_rest);
  for (std::size_t p = 0; p < 3; ++p) {
    training.model.parts[p].gamma = p == 1 ? 0.25 : 0.5;
    training.model.parts[p].rho = static_cast<double>(p);
  }
  EXPECT_EQ(&weakest_part(training.model), &training.model.parts[1]);
  const Json json = Json::parse(to_json(training, "m.json", 0.0));
  EXPECT_EQ(json["gamma"], 0.25);
  EXPECT_EQ(json["rho"], 1.0);
  EXPECT_EQ(json["parts"].size(), 3U);
  EXPECT_TRUE(json["parts"][0]["negative"].is_null());
}

// What "speaks for" says must hold of the score itself: an example that holds the pattern in every window
// against one that holds it nowhere.
TEST(Record, SpeaksFor_IsTheClassThatThePatternRaises) {
  Model model = near_zero_model();
  for (const int sign : {+1, -1}) {
    for (const double alpha : {1.0, -1.0}) {
      model.hypotheses[0].sign = sign;
      model.hypotheses[0].shapelet.alpha = {alpha};
      const Array<double> score = scores(model, values({{0.0, ""}, {9.0, ""}}), 1).parts;
      EXPECT_EQ(summarise(model)[0].uses[0].speaks_for, score(0, 0) > score(1, 0) ? 1 : 0)
          << sign << ' ' << alpha;
    }
  }
}

TEST(Record, SummaryJsonTellsTheMainInstance) {
  const Json json = Json::parse(summary_json(near_zero_model()));
  EXPECT_EQ(json["kind"], "series");
  EXPECT_EQ(
      json["hypotheses"][0].dump(),
      R"({"w":1.0,"claim":"present","uses":[{"part":0,"w":1.0,"speaks_for":"near"}],"view":0,"length":1,)"
      R"("instances":1,"alpha":1.0,"example":3,"position":7})");
  EXPECT_EQ(json["parts"][0]["positive"], "near");
}

TEST(Record, PredictionsCsvQuotesNames) {
  Model model = near_zero_model();
  model.classes = {"far, away", "near"};
  Dataset data(DataKind::series);
  add(data, Matrix::Constant(1, 1, 0.0), "", "plain");
  add(data, Matrix::Constant(1, 1, 9.0), "", "a \"b\",\nc");
  EXPECT_EQ(predictions_csv(model, data, given({0.5, -0.5})),
            "example,predicted,score\nplain,near,0.5\n\"a \"\"b\"\",\nc\",\"far, away\",-0.5\n");
  add(data, Matrix::Constant(1, 1, 9.0), "hot", "x");
  EXPECT_EQ(predictions_csv(model, data, given({0.5, -0.5, 0.1})),
            "example,predicted,score,label\nplain,near,0.5,\n\"a \"\"b\"\",\nc\",\"far, "
            "away\",-0.5,\nx,near,0.1,hot\n");
}

TEST(Record, PredictionsJsonHasAnEntryForEachExample) {
  const Dataset data = values({{0.0, "near"}, {9.0, ""}});
  const Json json = Json::parse(predictions_json(near_zero_model(), data, given({0.5, -0.5}), 0.0));
  EXPECT_EQ(json["n"], 2);
  EXPECT_EQ(json["predictions"][0].dump(),
            R"({"example":"e1","predicted":"near","score":0.5,"label":"near"})");
  EXPECT_EQ(json["predictions"][1].dump(), R"({"example":"e2","predicted":"far","score":-0.5,"label":""})");
}

TEST(Record, PredictionsHaveAScoreForEachOfSeveralClasses) {
  const Model model = nearest_model(Strategy::one_vs_rest);
  const Dataset data = values({{0.0, ""}, {9.0, ""}});
  const Scores score{array(2, 3, {0.5, -0.25, -1.0, -0.5, -0.125, -0.75}), {1, 0}};
  EXPECT_EQ(predictions_csv(model, data, score),
            "example,predicted,score_zero,\"score_five, or so\",score_ten\n"
            "e1,zero,0.5,-0.25,-1\n"
            "e2,\"five, or so\",-0.5,-0.125,-0.75\n");
  const Json json = Json::parse(predictions_json(model, data, score, 0.0));
  EXPECT_EQ(json["predictions"][0].dump(),
            R"({"example":"e1","predicted":"zero","scores":[0.5,-0.25,-1.0]})");
  EXPECT_EQ(json["predictions"][1].dump(),
            R"({"example":"e2","predicted":"five, or so","scores":[-0.5,-0.125,-0.75],"covered":false})");
}

TEST(Record, InstancesFollowTheirBags) {
  Model model = near_zero_model();
  model.kind = DataKind::bags;
  Dataset data(DataKind::bags);
  add(data, Matrix::Zero(2, 1), "near", "a,b");
  add(data, Matrix::Zero(1, 1), "far", "c");
  const Scores score = given({0.5, -0.5, 0.25});
  EXPECT_EQ(instances_csv(model, data, score),
            "example,instance,predicted,score\n\"a,b\",1,near,0.5\n\"a,b\",2,far,-0.5\nc,1,near,0.25\n");
  const Json json = Json::parse(instances_json(model, data, score, 0.0));
  EXPECT_EQ(json["n"], 3);
  EXPECT_EQ(json["predictions"][1].dump(),
            R"({"example":"a,b","instance":1,"predicted":"far","score":-0.5})");
}

}  // namespace
}  // namespace shapeboost
