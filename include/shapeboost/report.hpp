// SPDX-License-Identifier: MIT
// One HTML file that shows a model at work on a set of examples: self-contained, opened from disk without a
// network. The page itself is written in TypeScript (folder report/), bundled when the library is built; here
// it is given its data, as JSON that cannot become markup.
//
// The paper's two figures as SVG: what of an example the model looks at. Warm colours speak for the part's
// positive class, cold ones for the other; the strength is told by depth of colour, by thickness and in the
// legend. Every text is escaped: names are data, never markup.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost {

/// Something the caller knows of a hypothesis: "the planted bump".
struct Remark {
  int hypothesis = 0;
  std::string text;
};

struct ReportSettings {
  std::string model_path;                  ///< what the page calls the model; may be empty
  std::string remark;                      ///< a sentence at the top of the page; may be empty
  std::vector<Remark> hypothesis_remarks;  ///< shown on the hypotheses' cards
  std::int64_t examples = 2000;            ///< most that the explorer holds; the figures count all
  int threads = 0;
};

/// What the page shows, as one JSON object; docs/report.md describes it. Examples may lack labels. Throws
/// InvalidInput where the data does not fit the model.
[[nodiscard]] std::string report_json(const Model& model, const Dataset& data,
                                      const ReportSettings& settings = {});

/// The page. Throws as report_json does; Error where the library was built without the page.
[[nodiscard]] std::string report_html(const Model& model, const Dataset& data,
                                      const ReportSettings& settings = {});

/// Whether the library was built with the page.
[[nodiscard]] bool has_report_page();

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
