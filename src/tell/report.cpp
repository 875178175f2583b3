// SPDX-License-Identifier: MIT
#include "shapeboost/report.hpp"

#include <bit>

#include "shapeboost/version.hpp"
#include "tell/json.hpp"
#include "tell/record.hpp"
#include "tell/report.hpp"

namespace shapeboost {
namespace detail {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const auto byte = [&](std::size_t i) {
      return i < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) : 0U;
    };
    const std::uint32_t word = byte(k) << 16U | byte(k + 1) << 8U | byte(k + 2);
    out += kDigits[word >> 18U];
    out += kDigits[word >> 12U & 63U];
    out += k + 1 < bytes.size() ? kDigits[word >> 6U & 63U] : '=';
    out += k + 2 < bytes.size() ? kDigits[word & 63U] : '=';
  }
  return out;
}

}  // namespace detail

namespace {

using detail::Entry;
using detail::Json;
using detail::ReportWork;

/// Numbers of all the examples that a page holds: about five megabytes of it.
constexpr std::int64_t kMostNumbers = 2'000'000;

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

/// All, or where they are too many the misclassified ones (at most half) and the rest evenly.
std::vector<std::int64_t> chosen_examples(const ReportWork& work) {
  const Dataset& data = work.data;
  std::int64_t numbers = 0;
  if (data.kind() != DataKind::bags) {
    for (std::int64_t i = 0; i < data.size(); ++i) numbers += data.values(i).size();
  }
  std::int64_t most = std::min(std::max<std::int64_t>(1, work.settings.examples), data.size());
  if (numbers > kMostNumbers) {
    const double share = real(kMostNumbers) / real(numbers);
    most = std::max<std::int64_t>(1, std::min<std::int64_t>(most, std::llround(share * real(data.size()))));
  }
  std::vector<std::int64_t> all(at(data.size()));
  std::iota(all.begin(), all.end(), 0);
  if (most == data.size()) return all;
  const auto wrong = [&](std::int64_t i) {
    return work.labels[at(i)] != kUnlabelled && work.labels[at(i)] != work.predicted[at(i)];
  };
  std::vector<std::int64_t> chosen;
  std::vector<std::int64_t> rest;
  for (const std::int64_t i : all) {
    (wrong(i) && std::ssize(chosen) < (most + 1) / 2 ? chosen : rest).push_back(i);
  }
  const auto places = most - std::ssize(chosen);
  for (std::int64_t k = 0; k < places; ++k) chosen.push_back(rest[at(k * std::ssize(rest) / places)]);
  std::ranges::sort(chosen);
  return chosen;
}

/// Each example in the part that says most of it and, where another one spoke against its label, in that.
std::vector<Entry> entries_of(const ReportWork& work) {
  std::vector<Entry> entries;
  for (const std::int64_t i : work.shown) {
    entries.push_back({i, work.telling[at(i)]});
    const int label = work.labels[at(i)];
    if (label == kUnlabelled || label == work.predicted[at(i)]) continue;
    const int other = part_of(work.model, label, work.predicted[at(i)]);
    if (other != entries.back().part) entries.push_back({i, other});
  }
  return entries;
}

Json page_parts_json(const Model& model) {
  return detail::list_of(model.parts, [&](const Part& part) {
    Json json{{"positive", part.positive},
              {"negative", part.negative},
              {"hypotheses", detail::patterns_in(part)},
              {"contributions", part.weights.size() + part.intervals.size()},
              {"b", part.b}};
    if (model.head) return json;
    json["nu"] = part.nu;
    json["rho"] = part.rho;
    json["gamma"] = part.gamma;
    return json;
  });
}

Json training_json(const Provenance& p) {
  detail::Column<float> edge;
  detail::Column<float> gamma;
  detail::Column<float> gap;
  detail::Column<std::int32_t> columns;
  for (const HistoryEntry& entry : p.history) {
    edge.add(entry.edge);
    gamma.add(entry.gamma);
    gap.add(entry.gap);
    columns.add(entry.columns);
  }
  return {{"source", file_name(p.source)},
          {"bags", p.bags},
          {"instances", p.instances},
          {"seed", p.seed},
          {"settings", p.settings},
          {"stopped", p.stopped},
          {"tuning", p.tuning},
          {"method", p.method},
          {"history", {{"edge", edge}, {"gamma", gamma}, {"gap", gap}, {"columns", columns}}}};
}

/// Where only some examples are shown, neighbours are sought among these.
Json neighbours_json(const ReportWork& work) {
  constexpr std::int64_t kNeighbours = 6;
  Responses responses;
  responses.value = {work.shown.size(), work.responses.value.cols()};
  double* row = responses.value.data();
  for (const std::int64_t i : work.shown) row = std::ranges::copy(work.responses.value.row(i), row).out;
  detail::Column<std::int32_t> flat;
  const auto lists = neighbours(work.model, responses, kNeighbours, work.settings.threads);
  for (const auto& list : lists) {
    for (const std::int64_t k : list) flat.add(k);
  }
  return {{"each", lists.empty() ? 0 : lists.front().size()}, {"of", flat}};
}

}  // namespace

std::string escape_json_in_page(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    // Only strings can hold these, and there \u00.. means the same.
    out += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : c == '&' ? "\\u0026" : std::string_view(&c, 1);
  }
  return out;
}

std::string report_json(const Model& model, const Dataset& data, const ReportSettings& settings) {
  const Predictor predictor = Predictor::borrow(model);
  Responses found = predictor.responses(data, settings.threads);  // the first to say what does not fit
  Scores score = predictor.scores(found);
  ReportWork work{
      model, predictor, data, settings, labels_for(model, data), std::move(score), {}, {}, std::move(found),
      {},    {},        {}};
  work.predicted = predictions(model, work.scores);
  work.telling = telling_parts(model, work.scores);
  work.firings = firings(model, data, work.responses, work.labels);
  work.shown = chosen_examples(work);
  const std::vector<Entry> entries = entries_of(work);
  std::vector<char> used(model.hypotheses.size(), 0);
  Json told = detail::entries_json(work, entries, used);
  const Json json{
      {"format", "shapeboost report"},
      {"version", 1},
      {"shapeboost", kVersion},
      {"remark", settings.remark},
      {"kind", to_string(model.kind)},
      {"classes", model.classes},
      {"strategy", to_string(model.strategy)},
      {"model",
       {{"file", file_name(settings.model_path)},
        {"hypotheses", model.hypotheses.size()},
        {"views", model.views.size()}}},
      {"parts", page_parts_json(model)},
      {"head", model.head ? detail::head_json(*model.head) : Json(nullptr)},
      {"training", training_json(model.provenance)},
      {"data",
       {{"source", file_name(data.source())},
        {"examples", data.size()},
        {"width", data.width()},
        {"shortest", data.min_length()},
        {"longest", data.max_length()},
        {"missing", data.has_missing()},
        {"uncovered", uncovered(work.scores).size()}}},
      {"evaluation", detail::evaluation_json(work)},
      {"story", detail::story_json(work)},
      {"examples", detail::examples_json(work, entries)},
      {"spectra", detail::spectra_json(work, entries)},
      {"neighbours", neighbours_json(work)},
      {"entries", std::move(told)},
      {"hypotheses", detail::hypotheses_json(work, used)},
  };
  return detail::compact(json);
}

bool has_report_page() { return detail::report_template().find(detail::kDataMark) != std::string_view::npos; }

std::string report_html(const Model& model, const Dataset& data, const ReportSettings& settings) {
  const std::string_view page = detail::report_template();
  const std::size_t mark = page.find(detail::kDataMark);
  if (mark == std::string_view::npos) throw Error("the library was built without the report's page");
  std::string html(page.substr(0, mark));
  html += escape_json_in_page(report_json(model, data, settings));
  html += page.substr(mark + detail::kDataMark.size());
  return html;
}

}  // namespace shapeboost
