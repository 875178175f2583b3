// SPDX-License-Identifier: MIT
// Figures of bags: which instances, which features.
#include "ground/text.hpp"
#include "model/respond.hpp"
#include "shapeboost/base.hpp"
#include "tell/figure.hpp"
#include "tell/json.hpp"
#include "tell/record.hpp"
#include "view/instances.hpp"

namespace shapeboost::detail {
namespace {

constexpr double kWidth = 860.0;
constexpr double kHead = 84.0;
constexpr double kRow = 20.0;

struct Bar {
  std::string name;
  double value = 0.0;
};

/// The `top` largest in size, largest first.
std::vector<Bar> strongest(const std::vector<double>& values, const std::string& noun, std::int64_t top) {
  std::vector<Bar> bars;
  for (const std::int64_t k : by_size(values)) {
    if (std::ssize(bars) == top || values[at(k)] == 0.0) break;
    bars.push_back({concat(noun, ' ', k + 1), values[at(k)]});
  }
  return bars;
}

/// Bars to the right for the positive class and to the left for the other, with names and numbers.
void draw_bars(Svg& svg, double left, double width, const std::string& title, const std::vector<Bar>& bars) {
  svg.text(left, kHead - 10.0, title, 12.0);
  double largest = 1e-300;
  for (const Bar& bar : bars) largest = std::max(largest, std::abs(bar.value));
  const double names = 90.0;
  const double numbers = 80.0;
  const double middle = left + names + (width - names - numbers) / 2.0;
  for (std::size_t k = 0; k < bars.size(); ++k) {
    const double share = bars[k].value / largest;
    const double length = std::abs(share) * (width - names - numbers) / 2.0;
    const double y = kHead + kRow * real(k);
    svg.text(left, y + 12.0, bars[k].name, 11.0);
    svg.rect(share > 0.0 ? middle : middle - length, y + 3.0, length, kRow - 8.0, diverging_colour(share),
             bars[k].name + ": " + signed_number(bars[k].value));
    svg.text(left + width, y + 12.0, signed_number(bars[k].value), 11.0, Svg::Anchor::end);
  }
  svg.line({{middle, kHead}, {middle, kHead + kRow * real(std::max<std::size_t>(1, bars.size()))}}, "#8a8a8a",
           1.0);
}

void draw_head(Svg& svg, const Subject& subject, const std::string& what) {
  svg.text(20.0, 22.0, subject.title + ": " + what, 15.0);
  svg.text(20.0, 42.0,
           subject.verdict + "; warm: for " + subject.positive + ", cold: for " + subject.negative, 12.0,
           Svg::Anchor::start, "#444444");
}

}  // namespace

Subject subject_of(const Model& model, const Dataset& data, std::int64_t example,
                   const FigureSettings& settings) {
  check_example(data.size(), example);
  if (settings.top < 1) throw InvalidInput(concat("top: expected at least 1, found ", settings.top));
  Dataset alone = data.subset({example});
  const Scores score = scores(model, alone, 1);
  const int part = settings.part < 0 ? telling_parts(model, score).front() : settings.part;
  Explanation explanation = explain(model, alone, 0, part);
  const Part& of = model.parts[at(part)];
  const std::string source = data.source().substr(data.source().find_last_of('/') + 1);
  const int label = labels_for(model, alone).front();
  const auto name = [&](int k) { return k == kRest ? "the rest" : "class " + model.classes[at(k)]; };
  return {std::move(alone),
          explanation,
          (source.empty() ? "" : source + ", ") + "example " + data.name(example),
          "score " + signed_number(explanation.score) + ": " +
              name(explanation.score > 0.0 ? of.positive : of.negative) + ", not " +
              name(explanation.score > 0.0 ? of.negative : of.positive) +
              (label == kUnlabelled ? "" : " (its label is " + model.classes[at(label)] + ")"),
          name(of.positive),
          name(of.negative)};
}

std::vector<Pattern> patterns_of(const Model& model, int part, std::int64_t top) {
  std::vector<const Weight*> heaviest(model.hypotheses.size(), nullptr);  // of each hypothesis' evidence
  for (const Weight& weight : model.parts[at(part)].weights) {
    const Weight*& known = heaviest[at(weight.hypothesis)];
    if (known == nullptr || std::abs(weight.w) > std::abs(known->w)) known = &weight;
  }
  std::vector<Pattern> patterns;
  for (const Weight& weight : model.parts[at(part)].weights) {
    if (heaviest[at(weight.hypothesis)] != &weight) continue;
    const Hypothesis& hypothesis = model.hypotheses[at(weight.hypothesis)];
    for (std::size_t z = 0; z < hypothesis.shapelet.alpha.size(); ++z) {
      patterns.push_back(
          {weight.hypothesis, z, weight.w * hypothesis.sign * hypothesis.shapelet.alpha[z], weight.evidence});
    }
  }
  std::ranges::stable_sort(patterns, std::ranges::greater{},
                           [](const Pattern& p) { return std::abs(p.value); });
  if (std::ssize(patterns) > top) patterns.resize(at(top));
  return patterns;
}

std::string bag_maximisers_svg(const Model& model, const Subject& subject, std::int64_t top) {
  const std::vector<double> added = instance_contributions(model, subject.alone, 0, subject.explanation);
  const std::int64_t first = by_size(added).front();
  const std::vector<double> features = feature_credits(model, subject.alone, 0, subject.explanation, first);
  const std::vector<Bar> instances = strongest(added, "instance", top);
  const std::vector<Bar> credits = strongest(features, "feature", top);
  const double height =
      kHead + kRow * real(std::max({instances.size(), credits.size(), std::size_t{1}})) + 20.0;
  const std::string what = "which instances, which features";
  Svg svg(kWidth, height, subject.title + ": " + what, subject.verdict);
  draw_head(svg, subject, what);
  draw_bars(svg, 20.0, 390.0, "what each instance adds to the score", instances);
  draw_bars(svg, 450.0, 390.0,
            credits.empty() ? "its kernel knows no features"
                            : "features that make instance " + std::to_string(first + 1) + " count",
            credits);
  return std::move(svg).finish();
}

std::string bag_patterns_svg(const Model& model, const Subject& subject, std::int64_t top) {
  constexpr std::size_t kFeatures = 8;  // of each pattern
  constexpr double kPanel = 270.0;
  constexpr double kPanelHeight = kRow * real(kFeatures) + 56.0;
  const std::vector<Pattern> patterns = patterns_of(model, subject.explanation.part, top);
  double largest = 1e-300;
  for (const Pattern& pattern : patterns) largest = std::max(largest, std::abs(pattern.value));
  const std::string what = "the model's patterns beside their best match";
  const double rows = std::ceil(real(std::max<std::size_t>(1, patterns.size())) / 3.0);
  Svg svg(kWidth, kHead + rows * kPanelHeight, subject.title + ": " + what, subject.verdict);
  draw_head(svg, subject, what);
  svg.text(20.0, 60.0,
           "filled: the pattern; hollow: its best match in the bag; in units of the training data", 11.0,
           Svg::Anchor::start, "#444444");
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    const Hypothesis& hypothesis = model.hypotheses[at(patterns[k].hypothesis)];
    const View& view = model.views[at(hypothesis.view)];
    const Instance& z = hypothesis.shapelet.instances[patterns[k].z];
    const std::unique_ptr<Instances> instances = make_instances(subject.alone, view);
    const std::int64_t best = respond(*instances, {{z}, {1.0}}).argmax.front();
    if (best < 0) continue;
    const Probe pattern = instances->probe(z);
    const Probe match = instances->probe(best);
    const double left = 20.0 + kPanel * real(k % 3);
    const std::size_t row = k / 3;
    const double up = kHead + kPanelHeight * real(row);
    svg.rect(left, up, 10.0, 10.0, diverging_colour(patterns[k].value / largest));
    svg.text(left + 16.0, up + 9.0,
             concat(signed_number(patterns[k].value), ", matched by instance ", best + 1), 11.0);
    std::vector<std::int64_t> order = by_size({pattern.values.data(), at(pattern.values.size())});
    order.resize(std::min(order.size(), kFeatures));
    double reach = 1e-300;
    for (const std::int64_t f : order) {
      reach = std::max({reach, std::abs(pattern.values[f]), std::abs(match.values[f])});
    }
    const Panel panel{left + 70.0, up + 18.0, kPanel - 100.0, kRow * real(kFeatures), -reach, reach,
                      0.0,         1.0};
    svg.line({{panel.x(0.0), panel.top}, {panel.x(0.0), panel.top + panel.height}}, "#c4c4c4", 1.0);
    for (std::size_t r = 0; r < order.size(); ++r) {
      const std::int64_t f = order[r];
      const double y = panel.top + kRow * (real(r) + 0.5);
      const std::int64_t feature = view.features.empty() ? f : view.features[at(f)];
      svg.text(left, y + 4.0, concat("feature ", feature + 1), 11.0, Svg::Anchor::start, "#555555");
      svg.line({{panel.x(pattern.values[f]), y}, {panel.x(match.values[f]), y}}, "#9a9a9a", 1.0);
      svg.dot(panel.x(match.values[f]), y, 4.5, "#ffffff", "#333333");
      svg.dot(panel.x(pattern.values[f]), y, 4.0, diverging_colour(patterns[k].value / largest), "none");
    }
  }
  return std::move(svg).finish();
}

}  // namespace shapeboost::detail
