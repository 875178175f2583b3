// SPDX-License-Identifier: MIT
// One HTML file that shows a model at work on a set of examples: self-contained, opened from disk without a
// network. The page itself is written in TypeScript (folder report/), bundled when the library is built; here
// it is given its data, as JSON that cannot become markup.
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

/// `json` in a page: no byte of it can end a script element or begin a comment.
[[nodiscard]] std::string escape_json_in_page(std::string_view json);

}  // namespace shapeboost
