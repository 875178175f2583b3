// SPDX-License-Identifier: MIT
#include "tell/figure.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ground/matrix.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/heads.hpp"

namespace shapeboost {
namespace {

std::int64_t count(const std::string& text, const std::string& word) {
  std::int64_t n = 0;
  for (std::size_t k = text.find(word); k != std::string::npos; k = text.find(word, k + 1)) ++n;
  return n;
}

TEST(Figure, Escape_LeavesNoMarkup) {
  EXPECT_EQ(escape_markup("a<b>&\"c\"'d'"), "a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;");
  EXPECT_EQ(escape_markup("Zürich €"), "Zürich €");
  EXPECT_EQ(escape_markup(std::string("\0\n\x1b", 3)), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(escape_markup("\xFF\xC3(\xED\xA0\x80"), "\uFFFD\uFFFD(\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(escape_markup("\xF0\x9F\x98\x80\xE2\x82"), "\xF0\x9F\x98\x80\uFFFD\uFFFD");
}

TEST(Figure, Colours_AreWarmAboveZero_ColdBelow_AndDeeperTheStronger) {
  const auto channel = [](const std::string& colour, std::size_t k) {
    return std::stoi(colour.substr(1 + 2 * k, 2), nullptr, 16);
  };
  int before = 3 * 256;
  for (const double share : {0.0, 0.3, 0.5, 0.8, 1.0}) {
    const std::string warm = diverging_colour(share);
    ASSERT_EQ(warm.size(), 7U);
    EXPECT_GT(channel(warm, 0), channel(warm, 2));
    const int sum = channel(warm, 0) + channel(warm, 1) + channel(warm, 2);
    EXPECT_LT(sum, before);
    before = sum;
    EXPECT_GT(channel(diverging_colour(-share - 1e-9), 2), channel(diverging_colour(-share - 1e-9), 0));
  }
  EXPECT_EQ(diverging_colour(7.0), diverging_colour(1.0));
}

TEST(Figure, PlacedPattern_TakesFromTheSeriesWhatTheViewIgnores) {
  Matrix series(1, 6);
  series << 0.0, 10.0, 20.0, 30.0, 20.0, 10.0;
  const Instance z{{1.0, 2.0, 3.0}, 0, 0};
  View view = examples::window_view(3, Normalisation::raw, {});
  const auto placed = [&] { return placed_pattern(view, z, 0, ArrayView(series.data(), 1, 6), 1); };
  EXPECT_EQ(placed(), (std::vector<double>{1.0, 2.0, 3.0}));
  view.normalisation = Normalisation::centred;
  EXPECT_EQ(placed(), (std::vector<double>{19.0, 20.0, 21.0}));
  view.normalisation = Normalisation::z;
  EXPECT_NEAR(placed()[0], 10.0, 1e-9);
  EXPECT_NEAR(placed()[2], 30.0, 1e-9);
  view.normalisation = Normalisation::raw;
  view.transform = Transform::differences;
  EXPECT_EQ(placed(), (std::vector<double>{10.0, 11.0, 13.0, 16.0}));
  view.transform = Transform::none;
  view.dilation = 2;
  view.normalisation = Normalisation::centred;  // values 10, 30, 10
  EXPECT_NEAR(placed()[1], 50.0 / 3.0, 1e-9);
  view.dilation = 1;
  view.width = 2;
  view.normalisation = Normalisation::raw;
  view.centre = {0.0, 0.0};
  view.scale = {1.0, 1.0};
  Matrix two(2, 6);
  two << series, series;
  const Instance both{{1.0, 2.0, 3.0, 7.0, 8.0, 9.0}, 0, 0};
  EXPECT_EQ(placed_pattern(view, both, 1, ArrayView(two.data(), 2, 6), 0),
            (std::vector<double>{7.0, 8.0, 9.0}));
}

/// A training and its data with names that would like to be markup.
struct Hostile {
  Dataset data;
  Model model;
};

Hostile hostile(const SyntheticData& source) {
  Dataset data(source.data.kind(), "x/<script>alert(1)</script>.tsv");
  for (std::int64_t i = 0; i < source.data.size(); ++i) {
    data.add(source.data.values(i), source.data.label(i) == 0 ? "\"><svg onload=alert(1)>" : "b&amp;'",
             "</title><script>" + std::to_string(i));
  }
  Model model = train(data, examples::single()).model;
  return {std::move(data), std::move(model)};
}

TEST(Figure, DrawsEveryKind_WithHostileNamesHarmless) {
  SyntheticSettings small;
  small.examples = 12;
  small.length = 40;
  small.features = 5;
  for (const Hostile& h :
       {hostile(planted_series(small)), hostile(planted_bags(small)), hostile(planted_sequences(small))}) {
    ASSERT_FALSE(h.model.hypotheses.empty());
    for (const std::string& svg : {maximisers_svg(h.model, h.data, 1), patterns_svg(h.model, h.data, 1)}) {
      EXPECT_EQ(count(svg, "<svg"), 1);
      EXPECT_EQ(count(svg, "</svg>"), 1);
      EXPECT_EQ(count(svg, "<script"), 0);
      EXPECT_EQ(count(svg, "onload=alert(1)>"), 0);
      EXPECT_GT(count(svg, "&lt;script&gt;"), 0) << "the name is shown, as text";
      EXPECT_EQ(count(svg, "nan"), 0);
      EXPECT_EQ(count(svg, "inf\""), 0);
    }
  }
}

TEST(Figure, Legend_TellsTheContributions) {
  const SyntheticData source = planted_series({});
  const Model model = train(source.data, examples::single()).model;
  const Explanation e = explain(model, source.data, 2, 0);
  FigureSettings settings;
  settings.top = 3;
  const std::string svg = maximisers_svg(model, source.data, 2, settings);
  for (std::size_t k = 0; k < 3; ++k) {
    char number[32];
    std::snprintf(number, sizeof number, "%+.4g", e.contributions[k].value);
    EXPECT_EQ(count(svg, std::string(">") + number + "</text>"), 1) << number;
    const View& view = model.views[static_cast<std::size_t>(
        model.hypotheses[static_cast<std::size_t>(e.contributions[k].hypothesis)].view)];
    EXPECT_GE(count(svg, std::to_string(e.contributions[k].position + 1) + "-" +
                             std::to_string(e.contributions[k].position + view.span())),
              1);
  }
  EXPECT_EQ(count(svg, "<path"), 2 + 3) << "axes, series, three maximisers";
}

TEST(Figure, OfAHead_LegendsTellTheEvidenceApart) {
  const heads::Headed set = heads::two_classes();
  FigureSettings all;
  all.top = 1000;
  const std::string found = maximisers_svg(set.model, set.data, 1, all);
  for (const char* words : {"best at ", " % of its windows, ", "(at "})
    EXPECT_GT(count(found, words), 0) << words;
  const std::string patterns = patterns_svg(set.model, set.data, 1, all);
  std::size_t instances = 0;
  for (const Hypothesis& hypothesis : set.model.hypotheses) instances += hypothesis.shapelet.alpha.size();
  const std::int64_t marks = count(patterns, ": how alike</text>") + count(patterns, ": how often</text>") +
                             count(patterns, ": how late</text>");
  EXPECT_EQ(marks, static_cast<std::int64_t>(instances)) << "each once, whatever its evidence";
  EXPECT_EQ(count(found + patterns, "nan"), 0);
}

TEST(Figure, SaysWhatIsWrong) {
  const SyntheticData source = planted_series({});
  const Model model = train(source.data, examples::single()).model;
  EXPECT_EQ(examples::sentence([&] { (void)maximisers_svg(model, source.data, 60); }),
            "example: expected 0 to 59, found 60");
  EXPECT_EQ(examples::sentence([&] {
              (void)patterns_svg(model, source.data, 0, {-1, 0});
            }),
            "top: expected at least 1, found 0");
  EXPECT_EQ(examples::sentence([&] {
              (void)patterns_svg(model, source.data, 0, {3, 1});
            }),
            "part: expected 0 to 0, found 3");
}

}  // namespace
}  // namespace shapeboost
