// SPDX-License-Identifier: MIT
#include "tell/figure.hpp"

#include <numeric>

#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "model/respond.hpp"
#include "tell/record.hpp"
#include "view/instances.hpp"
#include "view/spectrum.hpp"

namespace shapeboost {

using detail::Panel;
using detail::Pattern;
using detail::Point;
using detail::Subject;
using detail::Svg;

namespace {

constexpr double kWidth = 860.0;
constexpr double kLegend = 210.0;      // at the right
constexpr double kHeadLegend = 310.0;  // where it says what counts of a pattern
constexpr double kLeft = 52.0;
constexpr double kHead = 64.0;
constexpr double kLine = 17.0;          // of the legend
constexpr std::int64_t kLetters = 110;  // most symbols that are written out

/// A coloured stretch of the picture with its line of the legend.
struct Mark {
  double value = 0.0;
  std::string legend;
  std::vector<std::pair<std::int64_t, std::vector<Point>>> lines;  // strip, time steps and values
};

/// Of the spectra that are shown: View::period, of which a model has one, and rate.
struct Frequencies {
  std::int64_t period = 0;  // 0: none is shown
  double rate = 0.0;
};

/// What is drawn in black: the channels of a series, and below them their spectra where a mark is on one.
struct Strips {
  Strips(const ArrayView& of, const Frequencies& spectral) : series(mapped(of)), frequencies(spectral) {
    if (frequencies.period > 0) spectrum = detail::spectra(series, frequencies.period);
  }
  Matrix series;
  Frequencies frequencies;
  Matrix spectrum{};  // a row a channel

  [[nodiscard]] std::int64_t count() const { return series.rows() + spectrum.rows(); }
  [[nodiscard]] std::int64_t strip_of(const View& view, std::int64_t row) const {
    return view.channel(row) + (view.transform == Transform::spectrum ? series.rows() : 0);
  }
  /// One number a time step or frequency.
  [[nodiscard]] std::vector<double> values(std::int64_t strip) const {
    const bool in_time = strip < series.rows();
    const auto row = in_time ? series.row(strip) : spectrum.row(strip - series.rows());
    return {row.begin(), row.end()};
  }
  [[nodiscard]] std::string title(std::int64_t strip) const {
    const std::string channel = series.rows() > 1 ? concat("channel ", strip % series.rows() + 1) : "";
    if (strip < series.rows()) return channel;
    return channel + (channel.empty() ? "" : ": ") + "its spectrum, log(1 + amplitude)";
  }
  /// Below the last strip of a kind.
  [[nodiscard]] std::string axis(std::int64_t strip, bool symbols) const {
    if (strip + 1 == series.rows()) return symbols ? "symbol" : "time step";
    if (strip + 1 < count()) return "";
    const auto [period, rate] = frequencies;
    if (rate > 0.0) return concat("cycles in ", detail::short_number(real(period) / rate), " s");
    return concat("cycles in ", period, " values");
  }
};

/// One panel a strip, with room for its numbers and for all that is drawn on it.
std::vector<Panel> panels_for(const Strips& strips, const std::vector<Mark>& marks, bool symbols,
                              double legend) {
  const double height = symbols ? 90.0 : strips.series.rows() == 1 ? 230.0 : 110.0;
  std::vector<Panel> panels;
  for (std::int64_t c = 0; c < strips.count(); ++c) {
    const std::vector<double> numbers = strips.values(c);
    double low = INFINITY;
    double high = -INFINITY;
    const auto include = [&](double value) {
      low = std::fmin(low, value);
      high = std::fmax(high, value);
    };
    for (const double value : numbers) include(value);
    for (const Mark& mark : marks) {
      for (const auto& [strip, points] : mark.lines) {
        if (strip != c) continue;
        for (const Point& point : points) include(point.y);
      }
    }
    if (!(low < high) || symbols) {
      low = symbols ? 0.0 : std::isfinite(low) ? low - 1.0 : -1.0;
      high = low + 2.0;
    }
    const double room = 0.06 * (high - low);
    panels.push_back({kLeft, kHead + real(c) * (height + 42.0), kWidth - legend - kLeft - 20.0, height, 1.0,
                      std::max(2.0, real(numbers.size())), low - room, high + room});
  }
  return panels;
}

void draw_symbols(Svg& svg, const Panel& panel, const ArrayView& series) {
  if (series.cols() > kLetters) return;
  for (Eigen::Index t = 0; t < series.cols(); ++t) {
    const auto letter = sequence_text({series.data() + t, 1});
    svg.text(panel.x(real(t + 1)), panel.top + panel.height - 6.0, letter, 10.0, Svg::Anchor::middle,
             "#333333");
  }
}

/// Series, marks (the weakest first, so that the strongest lie on top), legend.
std::string draw(const Subject& subject, const Strips& strips, const std::string& what,
                 const std::vector<Mark>& marks, bool head) {
  const double legend = head ? kHeadLegend : kLegend;
  const bool symbols = subject.alone.kind() == DataKind::sequences;
  const std::vector<Panel> panels = panels_for(strips, marks, symbols, legend);
  const double legend_end = kHead + kLine * real(marks.size() + 3);
  const double height = std::max(panels.back().top + panels.back().height + 40.0, legend_end + 10.0);
  Svg svg(kWidth, height, subject.title + ": " + what, subject.verdict);
  svg.text(kLeft, 22.0, subject.title + ": " + what, 15.0);
  svg.text(kLeft, 42.0, subject.verdict, 12.0, Svg::Anchor::start, "#444444");
  double largest = 1e-300;
  for (const Mark& mark : marks) largest = std::max(largest, std::abs(mark.value));

  for (std::int64_t c = 0; c < strips.count(); ++c) {
    const Panel& panel = panels[at(c)];
    svg.axes(panel, strips.axis(c, symbols), !symbols);
    svg.text(panel.left + 6.0, panel.top + 12.0, strips.title(c), 11.0);
    if (symbols) {
      draw_symbols(svg, panel, subject.alone.values(0));
      continue;
    }
    std::vector<Point> points;
    const std::vector<double> numbers = strips.values(c);
    for (std::size_t t = 0; t < numbers.size(); ++t) {
      points.push_back({panel.x(real(t + 1)), panel.y(numbers[t])});
    }
    svg.line(points, "#222222", 1.2);
  }
  for (std::size_t k = marks.size(); k-- > 0;) {
    const Mark& mark = marks[k];
    const double share = mark.value / largest;
    for (const auto& [strip, points] : mark.lines) {
      const Panel& panel = panels[at(strip)];
      std::vector<Point> placed;
      for (const Point& point : points) placed.push_back({panel.x(point.x), panel.y(point.y)});
      svg.line(placed, diverging_colour(share), 1.5 + 3.5 * std::abs(share),
               mark.legend + ": " + detail::signed_number(mark.value));
    }
  }
  const double left = kWidth - legend;
  svg.text(left, kHead - 2.0, "warm: for " + subject.positive, 11.0, Svg::Anchor::start,
           diverging_colour(0.8));
  svg.text(left, kHead + kLine - 4.0, "cold: for " + subject.negative, 11.0, Svg::Anchor::start,
           diverging_colour(-0.8));
  for (std::size_t k = 0; k < marks.size(); ++k) {
    const double y = kHead + kLine * real(k + 2);
    svg.rect(left, y - 8.0, 14.0, 9.0, diverging_colour(marks[k].value / largest));
    svg.text(left + 88.0, y, detail::signed_number(marks[k].value), 11.0, Svg::Anchor::end);
    svg.text(left + 96.0, y, marks[k].legend, 11.0, Svg::Anchor::start, "#555555");
  }
  return std::move(svg).finish();
}

/// The time steps that a window looks at, from 1: of differences one more than it has numbers.
std::vector<std::int64_t> steps_of(const View& view, std::int64_t position) {
  std::vector<std::int64_t> steps;
  for (std::int64_t k = 0; k < view.length; ++k) steps.push_back(position + k * view.dilation + 1);
  if (view.transform == Transform::differences) steps.push_back(steps.back() + 1);
  return steps;
}

/// Where a window lies: "96-110, every 2".
std::string where(const View& view, std::int64_t position) {
  if (view.transform == Transform::spectrum) return describe_stretch(view, position);
  return concat(position + 1, '-', position + view.span()) +
         (view.dilation > 1 ? concat(", every ", view.dilation) : "");
}

/// Of a head also what counts: "in 12 % of its windows, 96-110".
std::string legend_of(const Model& model, const Contribution& c) {
  const View& view = model.views[at(model.hypotheses[at(c.hypothesis)].view)];
  if (!model.head) return where(view, c.position);
  if (view.transform == Transform::spectrum) return where(view, c.position);
  if (c.evidence == Evidence::best) return "best at " + where(view, c.position);
  return describe_evidence(model, c) + concat(", ", c.position + 1, '-', c.position + view.span());
}

/// What a head weighs most of a pattern.
std::string_view what_counts(Evidence evidence) {
  switch (evidence) {
    case Evidence::share: return "how often";
    case Evidence::place: return "how late";
    case Evidence::mean: return "how alike on average";
    case Evidence::least: return "how alike at the least";
    case Evidence::bag: return "how alike as a whole";
    case Evidence::best: break;
  }
  return "how alike";
}

/// What is drawn on a series, the strongest first.
class Marks {
 public:
  Marks(const Subject& subject, const Strips& strips, std::int64_t most)
      : subject_(subject), strips_(strips), most_(most) {}

  [[nodiscard]] bool full() const { return std::ssize(marks_) == most_; }
  [[nodiscard]] const std::vector<Mark>& all() const { return marks_; }
  /// A window at these time steps; `values(row)` has its numbers there, which symbols do not need.
  template <typename Values>
  void add(double value, std::string legend, const View& view, const std::vector<std::int64_t>& steps,
           const Values& values) {
    Mark mark{value, std::move(legend), {}};
    for (std::int64_t row = 0; row < view.rows(); ++row) {
      // A row of its own for each mark on symbols, which have no height.
      const double level = 1.9 - 1.5 * real(marks_.size()) / real(most_);
      const bool symbols = subject_.alone.kind() == DataKind::sequences;
      const std::vector<double> heights = symbols ? std::vector<double>(steps.size(), level) : values(row);
      std::vector<Point>& points =
          mark.lines.emplace_back(strips_.strip_of(view, row), std::vector<Point>()).second;
      for (std::size_t k = 0; k < steps.size(); ++k) points.push_back({real(steps[k]), heights[k]});
    }
    marks_.push_back(std::move(mark));
  }

 private:
  const Subject& subject_;
  const Strips& strips_;
  std::int64_t most_;
  std::vector<Mark> marks_;
};

/// Of the spectra among the views of these hypotheses.
template <typename List>
Frequencies frequencies_among(const Model& model, const List& list, std::int64_t most) {
  Frequencies result;
  for (std::int64_t k = 0; k < std::min<std::int64_t>(most, std::ssize(list)); ++k) {
    const View& view = model.views[at(model.hypotheses[at(list[at(k)].hypothesis)].view)];
    result = {std::max(result.period, view.period), std::max(result.rate, view.rate)};
  }
  return result;
}

}  // namespace

std::vector<double> placed_pattern(const View& view, const Instance& z, std::int64_t row,
                                   const ArrayView& series, std::int64_t position) {
  const std::int64_t channel = view.channel(row);
  const std::int64_t first = row * view.length;
  std::vector<double> shape(z.values.begin() + first, z.values.begin() + first + view.length);
  std::vector<double> window;
  for (std::int64_t k = 0; k < view.length; ++k) {
    const std::int64_t t = position + k * view.dilation;
    const bool differences = view.transform == Transform::differences;
    window.push_back(differences ? series(channel, t + 1) - series(channel, t) : series(channel, t));
  }
  const auto mean_and_sd = [](const std::vector<double>& x) {
    const Eigen::Map<const Vector> v(x.data(), std::ssize(x));
    const double mean = v.mean();
    return std::pair(mean, std::sqrt((v.array() - mean).square().mean()));
  };
  if (view.normalisation != Normalisation::raw) {
    const auto [mean_z, sd_z] = mean_and_sd(shape);
    const auto [mean_x, sd_x] = mean_and_sd(window);
    const double scale = view.normalisation == Normalisation::centred ? 1.0 : sd_z > 0.0 ? sd_x / sd_z : 0.0;
    for (double& value : shape) value = mean_x + (value - mean_z) * scale;
  }
  if (view.transform != Transform::differences) return shape;
  // Each difference is a slope, which holds until the next time step that the window looks at.
  std::vector<double> summed{series(channel, position)};
  for (std::int64_t k = 0; k < view.length; ++k) {
    const auto steps = real(k + 1 < view.length ? view.dilation : 1);
    summed.push_back(summed.back() + steps * shape[at(k)]);
  }
  return summed;
}

std::string maximisers_svg(const Model& model, const Dataset& data, std::int64_t example,
                           const FigureSettings& settings) {
  const Subject subject = detail::subject_of(model, data, example, settings);
  if (data.kind() == DataKind::bags) return detail::bag_maximisers_svg(model, subject, settings.top);
  const Strips strips(subject.alone.values(0),
                      frequencies_among(model, subject.explanation.contributions, settings.top));
  Marks marks(subject, strips, settings.top);
  for (const Contribution& c : subject.explanation.contributions) {
    if (marks.full()) break;
    if (c.position < 0) continue;
    const View& view = model.views[at(model.hypotheses[at(c.hypothesis)].view)];
    std::vector<std::int64_t> steps(at(view.span()));
    std::iota(steps.begin(), steps.end(), c.position + 1);
    marks.add(c.value, legend_of(model, c), view, steps, [&](std::int64_t row) {
      const std::vector<double> all = strips.values(strips.strip_of(view, row));
      return std::vector<double>(all.begin() + c.position, all.begin() + c.position + view.span());
    });
  }
  return draw(subject, strips, "where its patterns are found", marks.all(), model.head.has_value());
}

std::string patterns_svg(const Model& model, const Dataset& data, std::int64_t example,
                         const FigureSettings& settings) {
  const Subject subject = detail::subject_of(model, data, example, settings);
  if (data.kind() == DataKind::bags) return detail::bag_patterns_svg(model, subject, settings.top);
  const std::vector<Pattern> patterns = detail::patterns_of(model, subject.explanation.part, settings.top);
  const Strips strips(subject.alone.values(0), frequencies_among(model, patterns, settings.top));
  Marks marks(subject, strips, settings.top);
  for (const Pattern& pattern : patterns) {
    const Hypothesis& hypothesis = model.hypotheses[at(pattern.hypothesis)];
    const View& view = model.views[at(hypothesis.view)];
    const Instance& z = hypothesis.shapelet.instances[pattern.z];
    const std::unique_ptr<Instances> instances = make_instances(subject.alone, view);
    const std::int64_t best = respond(*instances, {{z}, {1.0}}).argmax.front();
    if (best < 0) continue;
    const std::int64_t position = instances->position(best);
    std::string legend = where(view, position);
    if (model.head) legend += concat(": ", what_counts(pattern.evidence));
    marks.add(pattern.value, std::move(legend), view, steps_of(view, position), [&](std::int64_t row) {
      const Matrix& seen = view.transform == Transform::spectrum ? strips.spectrum : strips.series;
      return placed_pattern(view, z, row, {seen.data(), seen.rows(), seen.cols()}, position);
    });
  }
  return draw(subject, strips, "the model's patterns at their best match", marks.all(),
              model.head.has_value());
}

}  // namespace shapeboost
