// SPDX-License-Identifier: MIT
// A small writer of SVG: shapes in one coordinate system, every text escaped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ground/matrix.hpp"
#include "shapeboost/explanation.hpp"
#include "shapeboost/report.hpp"

namespace shapeboost {

/// `text` as the content of an element or an attribute: & < > " ' escaped, control characters and bytes that
/// are not UTF-8 replaced.
[[nodiscard]] std::string escape_markup(std::string_view text);

/// #rrggbb for a share of the largest value, in [-1, 1]: light to deep orange and red above 0, light to deep
/// blue below. Safe for the colour-blind.
[[nodiscard]] std::string diverging_colour(double share);

/// The values of `z`, a training instance of the view, drawn where the view matches it: as it looks at
/// `position` of channel `row` of `series`. What the view normalises away (level, scale) is taken from the
/// series; differences are summed up. One entry for each time step that the window looks at:
/// position, position + dilation, ...; of differences one more, the step after the last.
[[nodiscard]] std::vector<double> placed_pattern(const View& view, const Instance& z, std::int64_t row,
                                                 const ArrayView& series, std::int64_t position);

}  // namespace shapeboost

namespace shapeboost::detail {

/// A rectangle of the picture and the range of numbers that it shows.
struct Panel {
  double left = 0.0;
  double top = 0.0;
  double width = 0.0;
  double height = 0.0;
  double x_min = 0.0;
  double x_max = 1.0;
  double y_min = 0.0;
  double y_max = 1.0;

  [[nodiscard]] double x(double value) const { return left + width * (value - x_min) / (x_max - x_min); }
  [[nodiscard]] double y(double value) const {
    return top + height * (1.0 - (value - y_min) / (y_max - y_min));
  }
};

struct Point {
  double x;
  double y;  ///< NaN: the line is broken here
};

class Svg {
 public:
  Svg(double width, double height, const std::string& title, const std::string& description);

  enum class Anchor { start, middle, end };
  void text(double x, double y, std::string_view words, double size = 12.0, Anchor anchor = Anchor::start,
            std::string_view colour = "#1a1a1a");
  void line(const std::vector<Point>& points, std::string_view colour, double width,
            std::string_view tooltip = {});
  void rect(double x, double y, double width, double height, std::string_view colour,
            std::string_view tooltip = {});
  void dot(double x, double y, double radius, std::string_view fill, std::string_view stroke);
  /// Frame, a few numbers at each axis; none at the upright one where it means nothing.
  void axes(const Panel& panel, std::string_view x_label, bool upright = true);
  /// The document.
  [[nodiscard]] std::string finish() &&;

 private:
  void close(std::string_view tooltip, std::string_view element);
  std::string text_;
};

/// A coordinate, to a hundredth.
[[nodiscard]] std::string coordinate(double value);
/// "+0.0123", four digits that matter.
[[nodiscard]] std::string signed_number(double value);
/// So many digits that matter.
[[nodiscard]] std::string short_number(double value, int digits = 4);

/// What figures of one example are about.
struct Subject {
  Dataset alone;  ///< the example by itself
  Explanation explanation;
  std::string title;    ///< "GunPoint_TEST.tsv, example 3"
  std::string verdict;  ///< "score +0.0451: class 2, not class 1 (its label is 2)"
  std::string positive;
  std::string negative;  ///< "the rest" where the part has no negative class
};
[[nodiscard]] Subject subject_of(const Model& model, const Dataset& data, std::int64_t example,
                                 const FigureSettings& settings);

/// Figures of bags, which have instances and features in place of time steps.
[[nodiscard]] std::string bag_maximisers_svg(const Model& model, const Subject& subject, std::int64_t top);
[[nodiscard]] std::string bag_patterns_svg(const Model& model, const Subject& subject, std::int64_t top);

/// A training instance of a hypothesis, and what it counts for.
struct Pattern {
  int hypothesis;
  std::size_t z;
  double value;  ///< w_j sign_j alpha_jz; of a head, w_je of the evidence e that weighs most
  Evidence evidence = Evidence::best;
};
/// Those of the part, the largest |value| first; at most `top`.
[[nodiscard]] std::vector<Pattern> patterns_of(const Model& model, int part, std::int64_t top);

}  // namespace shapeboost::detail
