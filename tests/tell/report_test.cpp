// SPDX-License-Identifier: MIT
#include "shapeboost/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "ground/numbers.hpp"
#include "shapeboost/evaluation.hpp"
#include "shapeboost/explanation.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/heads.hpp"
#include "support/matrices.hpp"
#include "tell/record.hpp"
#include "tell/report.hpp"

namespace shapeboost {
namespace {

using Json = nlohmann::ordered_json;

/// The numbers of a packed array, as the page reads them.
std::vector<double> unpacked(const Json& packed) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : packed.at("data").get<std::string>()) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<std::uint32_t>(digits.find(c));
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> static_cast<unsigned>(count) & 255U);
    }
  }
  const std::string type = packed.at("type");
  const auto size = static_cast<std::size_t>(type[1] - '0');
  const auto read = [&]<typename Number>(Number number, std::size_t k) {
    std::memcpy(&number, bytes.data() + k, sizeof number);
    return static_cast<double>(number);
  };
  EXPECT_EQ(bytes.size() % size, 0U);
  std::vector<double> numbers;
  for (std::size_t k = 0; k < bytes.size(); k += size) {
    numbers.push_back(type == "f4"   ? read(float{}, k)
                      : type == "f8" ? read(double{}, k)
                      : type == "i2" ? read(std::int16_t{}, k)
                      : type == "i4" ? read(std::int32_t{}, k)
                                     : read(std::uint8_t{}, k));
  }
  return numbers;
}

struct ReportSet {
  Dataset data;
  Model model;
};

std::vector<ReportSet> report_sets() {
  SyntheticSettings small;
  small.examples = 20;
  small.length = 45;
  small.features = 6;
  TrainSettings settings;
  settings.members = 3;
  settings.threads = 2;
  settings.head = HeadKind::average;
  std::vector<ReportSet> result;
  for (const SyntheticData& source : {planted_series(small), planted_bags(small), planted_sequences(small)}) {
    result.push_back({source.data, train(source.data, settings).model});
  }
  Dataset three(DataKind::series, "three.ts");
  const Dataset two = planted_series(small).data;
  for (std::int64_t i = 0; i < two.size(); ++i) {
    Matrix values(2, two.values(i).cols());
    const Matrix own = mapped(two.values(i));
    values << own, i % 3 == 0 ? Matrix(-own) : own;
    if (i == 4) values(0, 3) = std::nan("");
    add(three, values, "c" + std::to_string(i % 3), "e" + std::to_string(i));
  }
  result.push_back({three, train(three, settings).model});
  for (heads::Headed& set : heads::all()) result.push_back({std::move(set.data), std::move(set.model)});
  return result;
}

TEST(Report, TellsScoresAndContributions_AsExplainDoes) {
  for (const ReportSet& set : report_sets()) {
    SCOPED_TRACE(to_string(set.data.kind()));
    const Json json = Json::parse(report_json(set.model, set.data));
    const Responses found = responses(set.model, set.data, 1);
    const Json& entries = json["entries"];
    const std::vector<double> part = unpacked(entries["part"]);
    const std::vector<double> score = unpacked(entries["score"]);
    const std::vector<double> first = unpacked(json["examples"]["first_entry"]);
    const std::vector<double> begin = unpacked(entries["contributions"]["first"]);
    const std::vector<double> hypothesis = unpacked(entries["contributions"]["hypothesis"]);
    const std::vector<double> value = unpacked(entries["contributions"]["value"]);
    const std::vector<double> position = unpacked(entries["contributions"]["position"]);
    const std::vector<double> evidence = set.model.head ? unpacked(entries["contributions"]["evidence"])
                                                        : std::vector<double>(hypothesis.size(), 0.0);
    ASSERT_EQ(evidence.size(), hypothesis.size());
    ASSERT_EQ(first.size(), at(set.data.size()) + 1);
    const Scores plain = scores(set.model, set.data, 1);
    const std::vector<int> telling = telling_parts(set.model, plain);
    const std::vector<double> shown = unpacked(json["examples"]["score"]);
    for (std::int64_t i = 0; i < set.data.size(); ++i) {
      EXPECT_EQ(shown[at(i)], plain.parts(i, telling[at(i)])) << "bit for bit what predict says";
    }
    ASSERT_EQ(first.back(), static_cast<double>(part.size()));
    for (std::int64_t i = 0; i < set.data.size(); ++i) {
      for (auto n = at(std::lround(first[at(i)])); n < at(std::lround(first[at(i) + 1])); ++n) {
        const Explanation e = explain(set.model, found, i, static_cast<int>(part[n]));
        EXPECT_EQ(score[n], e.score);
        const auto from = at(std::lround(begin[n]));
        ASSERT_GE(begin[n + 1] - begin[n], std::min<double>(12, static_cast<double>(e.contributions.size())));
        for (std::size_t k = 0; k < std::min<std::size_t>(12, e.contributions.size()); ++k) {
          EXPECT_EQ(hypothesis[from + k], e.contributions[k].hypothesis);
          EXPECT_EQ(evidence[from + k], static_cast<double>(e.contributions[k].evidence));
          EXPECT_FLOAT_EQ(static_cast<float>(value[from + k]), static_cast<float>(e.contributions[k].value));
          EXPECT_EQ(position[from + k], static_cast<double>(e.contributions[k].position));
        }
      }
    }
  }
}

TEST(Report, Evidence_AddsUpToTheScoreBeyondTheAverage) {
  for (const ReportSet& set : report_sets()) {
    if (set.data.kind() == DataKind::bags) continue;
    const Json json = Json::parse(report_json(set.model, set.data));
    const std::vector<double> part = unpacked(json["entries"]["part"]);
    const std::vector<double> score = unpacked(json["entries"]["score"]);
    const std::vector<double> share = unpacked(json["entries"]["evidence"]["share"]);
    const std::vector<double> unit = unpacked(json["entries"]["evidence"]["unit"]);
    const std::size_t each = share.size() / part.size();
    for (std::size_t n = 0; n < part.size(); ++n) {
      if (unit[n] == 0.0) continue;  // too short for any window: nothing has a place
      double sum = 0.0;
      for (std::size_t k = 0; k < each; ++k) sum += share[n * each + k] / 32767.0 * unit[n];
      const auto p = static_cast<std::int64_t>(part[n]);
      const double average = json["entries"]["averages"][std::to_string(p)];
      EXPECT_NEAR(sum, score[n] - set.model.parts[at(p)].b - average,
                  1e-4 * unit[n] * static_cast<double>(each));
    }
  }
}

TEST(Report, OfAHead_NumbersAreConsistent) {
  const heads::Headed set = heads::three_classes();
  const Json json = Json::parse(report_json(set.model, set.data));
  EXPECT_EQ(json["head"]["alpha"], set.model.head->alpha);
  EXPECT_EQ(json["head"]["left_out_accuracy"], set.model.head->left_out_accuracy);
  for (std::size_t p = 0; p < set.model.parts.size(); ++p) {
    EXPECT_EQ(json["parts"][p]["contributions"], set.model.parts[p].weights.size());
    EXPECT_LE(json["parts"][p]["hypotheses"], set.model.hypotheses.size());
    EXPECT_FALSE(json["parts"][p].contains("rho"));
  }
  const Responses found = responses(set.model, set.data, 1);
  const Json& told = json["entries"]["contributions"];
  const std::vector<double> part = unpacked(json["entries"]["part"]);
  const std::vector<double> first = unpacked(told["first"]);
  const std::vector<double> average = unpacked(told["average"]);
  const std::vector<double> hypothesis = unpacked(told["hypothesis"]);
  const std::vector<double> kind = unpacked(told["evidence"]);
  for (std::size_t n = 0; n < part.size(); ++n) {
    const std::vector<double> mean = mean_contributions(set.model, found, static_cast<int>(part[n]));
    for (auto k = at(std::lround(first[n])); k < at(std::lround(first[n + 1])); ++k) {
      EXPECT_NEAR(average[k], mean[at(std::lround(hypothesis[k])) * kEvidences + at(std::lround(kind[k]))],
                  1e-6);
    }
  }
  for (const Json& one : json["hypotheses"]) {
    double sum = 0.0;
    for (const Json& w : one["by_evidence"]) sum += w.get<double>();
    EXPECT_NEAR(sum, one["w"].get<double>(), 1e-6 * sum);
    if (one.contains("auc") && one["claim"] == "present") {
      EXPECT_EQ(one["speaks_for"], json["parts"][one["part"].get<std::size_t>()]["positive"]);
    }
  }
}

/// Where the evidence of the story lies most, all classes together.
std::int64_t strongest_bin(const Json& story) {
  std::vector<double> strength(story["bins"].get<std::size_t>(), 0.0);
  for (const Json& of : story["classes"]) {
    for (std::size_t k = 0; k < of["evidence"].size(); ++k) {
      strength[k % strength.size()] += std::abs(of["evidence"][k].get<double>());
    }
  }
  return std::max_element(strength.begin(), strength.end()) - strength.begin();
}

TEST(Report, Story_NamesTheStretchThatDiffers) {
  Rng rng(9);
  Dataset data(DataKind::series);
  for (int i = 0; i < 30; ++i) {
    Matrix values(1, 100);
    for (Eigen::Index t = 0; t < 100; ++t) {
      const double away = (static_cast<double>(t) - 70.0) / 5.0;
      values(0, t) = (i % 2 == 0 ? 1.5 : -1.5) * std::exp(-away * away) + 0.2 * rng.normal();
    }
    add(data, values, i % 2 == 0 ? "up" : "down", "e");
  }
  const Json story = Json::parse(report_json(heads::trained(data, 200), data))["story"];
  EXPECT_NEAR(static_cast<double>(strongest_bin(story)), 70.0, 12.0);
}

TEST(Report, TellsTheEvaluation_AsEvaluateDoes) {
  for (const ReportSet& set : report_sets()) {
    const Json json = Json::parse(report_json(set.model, set.data))["evaluation"];
    const Evaluation expected = evaluate(set.model, set.data, 1);
    EXPECT_EQ(json["accuracy"], expected.accuracy);
    EXPECT_EQ(json["auc"], expected.auc);
    for (Eigen::Index a = 0; a < expected.confusion.rows(); ++a) {
      for (Eigen::Index b = 0; b < expected.confusion.cols(); ++b) {
        EXPECT_EQ(json["confusion"][at(a)][at(b)], expected.confusion(a, b));
      }
    }
    for (const Json& roc : json["roc"]) {
      double area = 0.0;  // under the curve
      const Json& points = roc["points"];
      for (std::size_t k = 1; k < points.size(); ++k) {
        area += (points[k][0].get<double>() - points[k - 1][0].get<double>()) * 0.5 *
                (points[k][1].get<double>() + points[k - 1][1].get<double>());
      }
      EXPECT_NEAR(area, expected.auc_per_class[roc["class"].get<std::size_t>()], 1e-5);
    }
  }
}

TEST(Report, KeepsTheSeries_ToSixteenBits) {
  const ReportSet set = report_sets()[3];
  const Json json = Json::parse(report_json(set.model, set.data))["examples"];
  const std::vector<double> values = unpacked(json["values"]["values"]);
  std::size_t k = 0;
  for (std::int64_t i = 0; i < set.data.size(); ++i) {
    const MatrixView series = mapped(set.data.values(i));
    for (Eigen::Index c = 0; c < 2; ++c) {
      const double low = json["values"]["low"][at(c)];
      const double high = json["values"]["high"][at(c)];
      for (Eigen::Index t = 0; t < series.cols(); ++t, ++k) {
        if (std::isnan(series(c, t))) {
          EXPECT_EQ(values[k], -32768.0);
        } else {
          EXPECT_NEAR(low + (values[k] + 32767.0) / 65534.0 * (high - low), series(c, t),
                      (high - low) / 65000.0);
        }
      }
    }
  }
  EXPECT_EQ(k, values.size());
}

TEST(Report, HoldsTheMisclassified_WhereExamplesAreTooMany) {
  ReportSet set = report_sets().front();
  Dataset mislabelled(DataKind::series);
  for (std::int64_t i = 0; i < set.data.size(); ++i) {
    const int label = i == 7 || i == 13 ? 1 - set.data.label(i) : set.data.label(i);
    mislabelled.add(set.data.values(i), set.data.classes()[at(label)], std::to_string(i));
  }
  ASSERT_EQ(evaluate(set.model, mislabelled, 1).accuracy, 0.9);
  ReportSettings settings;
  settings.examples = 6;
  const Json json = Json::parse(report_json(set.model, mislabelled, settings));
  const std::vector<double> index = unpacked(json["examples"]["index"]);
  ASSERT_EQ(index.size(), 6U);
  EXPECT_TRUE(std::is_sorted(index.begin(), index.end()));
  for (const double wrong : {7.0, 13.0}) EXPECT_EQ(std::count(index.begin(), index.end(), wrong), 1);
  EXPECT_EQ(json["evaluation"]["n"], 20) << "the figures count all";
  for (const double k : unpacked(json["neighbours"]["of"])) EXPECT_LT(k, 6.0);
}

TEST(Report, NeedsNoLabels) {
  for (const ReportSet& set : report_sets()) {
    Dataset unlabelled(set.data.kind());
    for (std::int64_t i = 0; i < 3; ++i) unlabelled.add(set.data.values(i), "", "x");
    const Json json = Json::parse(report_json(set.model, unlabelled));
    EXPECT_TRUE(json["evaluation"].is_null());
    EXPECT_EQ(json["examples"]["name"].size(), 3U);
  }
}

TEST(Report, Remarks_StandWithTheirHypotheses) {
  const ReportSet set = report_sets().front();
  ReportSettings settings;
  settings.remark = "planted";
  settings.hypothesis_remarks = {{1, "the bump"}};
  const Json json = Json::parse(report_json(set.model, set.data, settings));
  EXPECT_EQ(json["remark"], "planted");
  EXPECT_EQ(json["hypotheses"][1]["remark"], "the bump");
  EXPECT_FALSE(json["hypotheses"][0].contains("remark"));
}

TEST(Report, NamesAreDataAndNeverMarkup) {
  const std::string evil = "</script><script>alert(1)</script><!--<script>&amp;\u2028";
  const ReportSet set = report_sets().front();
  Dataset data(DataKind::series, "a/" + evil);
  for (std::int64_t i = 0; i < set.data.size(); ++i) {
    data.add(set.data.values(i), set.data.label(i) == 0 ? evil : "\"'\\", evil + std::to_string(i));
  }
  const Model model = train(data, examples::single()).model;
  const std::string text = report_json(model, data);
  const std::string escaped = escape_json_in_page(text);
  for (const char c : {'<', '>', '&'}) EXPECT_EQ(escaped.find(c), std::string::npos) << c;
  EXPECT_EQ(Json::parse(escaped), Json::parse(text)) << "nothing is lost";
  EXPECT_EQ(Json::parse(escaped)["classes"][1], evil);
  if (!has_report_page()) GTEST_SKIP() << "built without the page";
  const std::string html = report_html(model, data);
  const std::size_t begin = html.find(escaped);
  ASSERT_NE(begin, std::string::npos);
  EXPECT_EQ(html.find(evil), std::string::npos);
  EXPECT_EQ(html.find("alert(1)</script>"), std::string::npos);
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
}

TEST(Report, SaysWhatDoesNotFit) {
  const std::vector<ReportSet> all = report_sets();
  EXPECT_EQ(examples::sentence([&] { (void)report_json(all[0].model, all[1].data); }),
            "the model is for series, the data are bags");
}

}  // namespace
}  // namespace shapeboost
