// SPDX-License-Identifier: MIT
// Numbers for the page: arrays as base64 of little-endian bytes, and what each part of the report adds.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ground/json.hpp"
#include "ground/text.hpp"
#include "shapeboost/explanation.hpp"
#include "shapeboost/report.hpp"

namespace shapeboost {

/// `json` in a page: no byte of it can end a script element or begin a comment.
[[nodiscard]] std::string escape_json_in_page(std::string_view json);

}  // namespace shapeboost

namespace shapeboost::detail {

/// The page, with kDataMark where its data belong; empty where the library was built without it.
[[nodiscard]] std::string_view report_template();
inline constexpr std::string_view kDataMark = "@SHAPEBOOST_DATA@";

[[nodiscard]] std::string base64(std::string_view bytes);

/// Numbers that the page reads as a typed array; in JSON "f4", "i2", ... and their bytes.
template <typename Number>
class Column {
 public:
  Column(std::initializer_list<Number> numbers = {}) : numbers_(numbers) {}

  void add(auto number) { numbers_.push_back(static_cast<Number>(number)); }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }

  friend void to_json(Json& json, const Column& column) {
    const std::string_view bytes(reinterpret_cast<const char*>(column.numbers_.data()),
                                 column.numbers_.size() * sizeof(Number));
    const char kind = std::is_floating_point_v<Number> ? 'f' : std::is_signed_v<Number> ? 'i' : 'u';
    json = {{"type", concat(kind, sizeof(Number))}, {"data", base64(bytes)}};
  }

 private:
  std::vector<Number> numbers_;
};

/// Everything that was computed once and several parts of the report use.
struct ReportWork {
  const Model& model;
  const Predictor& predictor;
  const Dataset& data;
  const ReportSettings& settings;
  std::vector<int> labels;
  Scores scores;
  std::vector<int> predicted;
  std::vector<int> telling;
  Responses responses;
  std::vector<Firing> firings;
  std::vector<std::int64_t> shown;                   ///< examples that the explorer holds
  mutable std::map<int, std::vector<double>> means;  ///< of parts, by mean_of()
};

/// Of an example and a part that the explorer can show.
struct Entry {
  std::int64_t example;
  int part;
};

[[nodiscard]] Json evaluation_json(const ReportWork& work);
[[nodiscard]] Json examples_json(const ReportWork& work, const std::vector<Entry>& entries);
/// Contributions, evidence, instances; adds to `used` the hypotheses it speaks of.
[[nodiscard]] Json entries_json(const ReportWork& work, const std::vector<Entry>& entries,
                                std::vector<char>& used);
/// Spectra of the shown examples, and the entries' evidence along them; null where no view is of spectra.
[[nodiscard]] Json spectra_json(const ReportWork& work, const std::vector<Entry>& entries);
[[nodiscard]] Json hypotheses_json(const ReportWork& work, const std::vector<char>& used);
/// What marks each class: its mean series and where the evidence lies; null for other kinds of data.
[[nodiscard]] Json story_json(const ReportWork& work);

/// The evidence of an example in a part, against the average of the part's examples, in so many bins of the
/// series' length, channel after channel.
[[nodiscard]] std::vector<double> binned_evidence(const ReportWork& work, std::int64_t example, int part,
                                                  std::int64_t bins);
/// mean_contributions() to a part of the examples that it is about, computed once.
[[nodiscard]] const std::vector<double>& mean_of(const ReportWork& work, int part);
/// Examples whose class, or else prediction, the part is about.
[[nodiscard]] std::vector<char> concerned(const ReportWork& work, int part);
[[nodiscard]] std::int64_t evidence_bins(const Dataset& data);

}  // namespace shapeboost::detail
