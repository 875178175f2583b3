// SPDX-License-Identifier: MIT
#include "tell/figure.hpp"

#include <algorithm>
#include <cmath>

#include "ground/numbers.hpp"
#include "model/respond.hpp"
#include "shapeboost/base.hpp"
#include "view/instances.hpp"

namespace shapeboost {

using detail::Panel;
using detail::Pattern;
using detail::Point;
using detail::Subject;
using detail::Svg;

namespace {

constexpr double kWidth = 860.0;
constexpr double kLegend = 210.0;  // at the right
constexpr double kLeft = 52.0;
constexpr double kHead = 64.0;
constexpr double kLine = 17.0;          // of the legend
constexpr std::int64_t kLetters = 110;  // most symbols that are written out

/// A coloured stretch of the picture with its line of the legend.
struct Mark {
  double value = 0.0;
  std::string legend;
  std::vector<std::pair<std::int64_t, std::vector<Point>>> lines;  // channel, moments and values
};

/// One panel a channel, with room for the series and for all that is drawn on it.
std::vector<Panel> panels_for(const ArrayView& series, const std::vector<Mark>& marks, bool symbols) {
  const double height = symbols ? 90.0 : series.rows() == 1 ? 230.0 : 110.0;
  std::vector<Panel> panels;
  for (Eigen::Index c = 0; c < series.rows(); ++c) {
    double low = INFINITY;
    double high = -INFINITY;
    for (const double value : series.row(c)) {
      if (std::isnan(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    for (const Mark& mark : marks) {
      for (const auto& [channel, points] : mark.lines) {
        if (channel != c) continue;
        for (const Point& point : points) {
          low = std::min(low, point.y);
          high = std::max(high, point.y);
        }
      }
    }
    if (!(low < high) || symbols) {
      low = symbols ? 0.0 : std::isfinite(low) ? low - 1.0 : -1.0;
      high = low + 2.0;
    }
    const double room = 0.06 * (high - low);
    panels.push_back({kLeft, kHead + static_cast<double>(c) * (height + 42.0),
                      kWidth - kLegend - kLeft - 20.0, height, 1.0,
                      std::max(2.0, static_cast<double>(series.cols())), low - room, high + room});
  }
  return panels;
}

void draw_symbols(Svg& svg, const Panel& panel, const ArrayView& series) {
  if (series.cols() > kLetters) return;
  for (Eigen::Index t = 0; t < series.cols(); ++t) {
    const auto letter = sequence_text({series.data() + t, 1});
    svg.text(panel.x(static_cast<double>(t + 1)), panel.top + panel.height - 6.0, letter, 10.0,
             Svg::Anchor::middle, "#333333");
  }
}

/// Series, marks (the weakest first, so that the strongest lie on top), legend.
std::string draw(const Subject& subject, const std::string& what, std::vector<Mark> marks) {
  const ArrayView series = subject.alone.values(0);
  const bool symbols = subject.alone.kind() == DataKind::sequences;
  const std::vector<Panel> panels = panels_for(series, marks, symbols);
  const double legend_end = kHead + kLine * static_cast<double>(marks.size() + 3);
  const double height = std::max(panels.back().top + panels.back().height + 40.0, legend_end + 10.0);
  Svg svg(kWidth, height, subject.title + ": " + what, subject.verdict);
  svg.text(kLeft, 22.0, subject.title + ": " + what, 15.0);
  svg.text(kLeft, 42.0, subject.verdict, 12.0, Svg::Anchor::start, "#444444");
  double largest = 1e-300;
  for (const Mark& mark : marks) largest = std::max(largest, std::abs(mark.value));

  for (std::size_t c = 0; c < panels.size(); ++c) {
    svg.axes(panels[c], c + 1 == panels.size() ? (symbols ? "symbol" : "time step") : "", !symbols);
    if (panels.size() > 1) {
      svg.text(panels[c].left + 6.0, panels[c].top + 12.0, "channel " + std::to_string(c + 1), 11.0);
    }
    if (symbols) {
      draw_symbols(svg, panels[c], series);
      continue;
    }
    std::vector<Point> points;
    for (Eigen::Index t = 0; t < series.cols(); ++t) {
      points.push_back(
          {panels[c].x(static_cast<double>(t + 1)), panels[c].y(series(static_cast<Eigen::Index>(c), t))});
    }
    svg.line(points, "#222222", 1.2);
  }
  for (std::size_t k = marks.size(); k-- > 0;) {
    const Mark& mark = marks[k];
    const double share = mark.value / largest;
    for (const auto& [channel, points] : mark.lines) {
      const Panel& panel = panels[at(channel)];
      std::vector<Point> placed;
      for (const Point& point : points) placed.push_back({panel.x(point.x), panel.y(point.y)});
      svg.line(placed, diverging_colour(share), 1.5 + 3.5 * std::abs(share),
               mark.legend + ": " + detail::signed_number(mark.value));
    }
  }
  const double left = kWidth - kLegend;
  svg.text(left, kHead - 2.0, "warm: for " + subject.positive, 11.0, Svg::Anchor::start,
           diverging_colour(0.8));
  svg.text(left, kHead + kLine - 4.0, "cold: for " + subject.negative, 11.0, Svg::Anchor::start,
           diverging_colour(-0.8));
  for (std::size_t k = 0; k < marks.size(); ++k) {
    const double y = kHead + kLine * static_cast<double>(k + 2);
    svg.rect(left, y - 8.0, 14.0, 9.0, diverging_colour(marks[k].value / largest));
    svg.text(left + 88.0, y, detail::signed_number(marks[k].value), 11.0, Svg::Anchor::end);
    svg.text(left + 96.0, y, marks[k].legend, 11.0, Svg::Anchor::start, "#555555");
  }
  return std::move(svg).finish();
}

/// The moments that a window looks at, from 1: of differences one more than it has numbers.
std::vector<std::int64_t> moments_of(const View& view, std::int64_t position) {
  std::vector<std::int64_t> moments;
  for (std::int64_t k = 0; k < view.length; ++k) moments.push_back(position + k * view.dilation + 1);
  if (view.differences) moments.push_back(moments.back() + 1);
  return moments;
}

std::string range(const View& view, std::int64_t position) {
  return std::to_string(position + 1) + "-" + std::to_string(position + view.span()) +
         (view.dilation > 1 ? ", every " + std::to_string(view.dilation) : "");
}

std::vector<std::int64_t> channels_of(const View& view, const ArrayView& series) {
  if (view.channel != kAllChannels) return {view.channel};
  std::vector<std::int64_t> channels;
  for (std::int64_t c = 0; c < series.rows(); ++c) channels.push_back(c);
  return channels;
}

}  // namespace

std::vector<double> placed_pattern(const View& view, const Instance& z, std::int64_t row,
                                   const ArrayView& series, std::int64_t position) {
  const std::int64_t channel = view.channel == kAllChannels ? row : view.channel;
  const std::int64_t first = view.channel == kAllChannels ? row * view.length : 0;
  std::vector<double> shape(z.values.begin() + first, z.values.begin() + first + view.length);
  std::vector<double> window;
  for (std::int64_t k = 0; k < view.length; ++k) {
    const std::int64_t t = position + k * view.dilation;
    window.push_back(view.differences ? series(channel, t + 1) - series(channel, t) : series(channel, t));
  }
  const auto moments = [](const std::vector<double>& x) {
    const Eigen::Map<const Vector> v(x.data(), static_cast<Eigen::Index>(x.size()));
    const double mean = v.mean();
    return std::pair(mean, std::sqrt((v.array() - mean).square().mean()));
  };
  if (view.normalisation != Normalisation::raw) {
    const auto [mean_z, sd_z] = moments(shape);
    const auto [mean_x, sd_x] = moments(window);
    const double scale = view.normalisation == Normalisation::centred ? 1.0 : sd_z > 0.0 ? sd_x / sd_z : 0.0;
    for (double& value : shape) value = mean_x + (value - mean_z) * scale;
  }
  if (!view.differences) return shape;
  // Each difference is a slope, which holds until the next moment that the window looks at.
  std::vector<double> summed{series(channel, position)};
  for (std::int64_t k = 0; k < view.length; ++k) {
    const auto steps = static_cast<double>(k + 1 < view.length ? view.dilation : 1);
    summed.push_back(summed.back() + steps * shape[at(k)]);
  }
  return summed;
}

std::string maximisers_svg(const Model& model, const Dataset& data, std::int64_t example,
                           const FigureSettings& settings) {
  const Subject subject = detail::subject_of(model, data, example, settings);
  if (data.kind() == DataKind::bags) return detail::bag_maximisers_svg(model, subject, settings.top);
  const ArrayView series = subject.alone.values(0);
  std::vector<Mark> marks;
  for (const Contribution& c : subject.explanation.contributions) {
    if (static_cast<std::int64_t>(marks.size()) == settings.top) break;
    if (c.position < 0) continue;
    const View& view = model.views[at(model.hypotheses[at(c.hypothesis)].view)];
    Mark mark{c.value, range(view, c.position), {}};
    for (const std::int64_t channel : channels_of(view, series)) {
      std::vector<Point> points;
      // A row of its own for each mark on symbols, which have no height.
      const double level = 1.9 - 1.5 * static_cast<double>(marks.size()) / static_cast<double>(settings.top);
      for (std::int64_t t = c.position; t < c.position + view.span(); ++t) {
        points.push_back(
            {static_cast<double>(t + 1), data.kind() == DataKind::sequences ? level : series(channel, t)});
      }
      mark.lines.emplace_back(channel, std::move(points));
    }
    marks.push_back(std::move(mark));
  }
  return draw(subject, "where its patterns are found", std::move(marks));
}

std::string patterns_svg(const Model& model, const Dataset& data, std::int64_t example,
                         const FigureSettings& settings) {
  const Subject subject = detail::subject_of(model, data, example, settings);
  if (data.kind() == DataKind::bags) return detail::bag_patterns_svg(model, subject, settings.top);
  const ArrayView series = subject.alone.values(0);
  std::vector<Mark> marks;
  for (const Pattern& pattern : detail::patterns_of(model, subject.explanation.part, settings.top)) {
    const Hypothesis& hypothesis = model.hypotheses[at(pattern.hypothesis)];
    const View& view = model.views[at(hypothesis.view)];
    const Instance& z = hypothesis.shapelet.instances[pattern.z];
    const std::unique_ptr<Instances> instances = make_instances(subject.alone, view);
    const std::int64_t best = respond(*instances, {{z}, {1.0}}).argmax.front();
    if (best < 0) continue;
    const std::int64_t position = instances->instance(best).position;
    Mark mark{pattern.value, range(view, position), {}};
    const std::vector<std::int64_t> moments = moments_of(view, position);
    for (const std::int64_t channel : channels_of(view, series)) {
      std::vector<Point> points;
      const double level = 1.9 - 1.5 * static_cast<double>(marks.size()) / static_cast<double>(settings.top);
      const std::vector<double> shape = data.kind() == DataKind::sequences
                                            ? std::vector<double>(moments.size(), level)
                                            : placed_pattern(view, z, channel, series, position);
      for (std::size_t k = 0; k < moments.size(); ++k) {
        points.push_back({static_cast<double>(moments[k]), shape[k]});
      }
      mark.lines.emplace_back(channel, std::move(points));
    }
    marks.push_back(std::move(mark));
  }
  return draw(subject, "the model's patterns at their best match", std::move(marks));
}

}  // namespace shapeboost
