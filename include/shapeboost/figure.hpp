// SPDX-License-Identifier: MIT
// The paper's two figures as SVG: what of an example the model looks at. Warm colours speak for the part's
// positive class, cold ones for the other; the strength is told by depth of colour, by thickness and in the
// legend. Every text is escaped: names are data, never markup.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shapeboost/dataset.hpp"
#include "shapeboost/explanation.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost {

/// `text` as the content of an element or an attribute: & < > " ' escaped, control characters and bytes that
/// are not UTF-8 replaced.
[[nodiscard]] std::string escape_markup(std::string_view text);

/// #rrggbb for a share of the largest value, in [-1, 1]: light to deep orange and red above 0, light to deep
/// blue below. Safe for the colour-blind.
[[nodiscard]] std::string diverging_colour(double share);

/// The values of `z`, a training instance of the view, drawn where the view matches it: as it looks at
/// `position` of channel `row` of `series`. What the view normalises away (level, scale) is taken from the
/// series; differences are summed up. One entry for each moment that the window looks at: position,
/// position + dilation, ...; of differences one more, the moment after the last.
[[nodiscard]] std::vector<double> placed_pattern(const View& view, const Instance& z, std::int64_t row,
                                                 const MatrixView& series, std::int64_t position);

struct FigureSettings {
  int part = -1;          ///< of the model; -1: the one that says most (telling_parts)
  std::int64_t top = 12;  ///< contributions or patterns drawn, the strongest
};

/// Figure (a): the maximisers drawn on the series, coloured by contribution. Of a bag: its instances by the
/// contributions they attain, and the features that make the first of them count. Of a sequence: the symbols.
/// Throws InvalidInput where there is no such example or part, or the example does not fit the model.
[[nodiscard]] std::string maximisers_svg(const Model& model, const Dataset& data, std::int64_t example,
                                         const FigureSettings& settings = {});

/// Figure (b): the model's patterns placed at their best match in the series, coloured by w_j sign_j
/// alpha_jz. Of a bag: the features of the patterns' instances beside those of their best matches. Throws as
/// above.
[[nodiscard]] std::string patterns_svg(const Model& model, const Dataset& data, std::int64_t example,
                                       const FigureSettings& settings = {});

}  // namespace shapeboost
