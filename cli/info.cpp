// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shapeboost/record.hpp"

namespace shapeboost::cli {
namespace {

struct InfoOptions {
  std::string model;
  bool all = false;
  bool json = false;
};

constexpr std::size_t kShown = 20;

std::string describe_kernel(const Kernel& kernel) {
  std::string kind(to_string(kernel.kind));
  if (kernel.kind == KernelKind::gaussian) return kind + ", sigma " + significant(kernel.sigma, 4);
  if (kernel.kind == KernelKind::polynomial) {
    return kind + ", c " + significant(kernel.c, 4) + ", degree " + std::to_string(kernel.p);
  }
  return kind;
}

std::string describe_views(const Model& model) {
  const bool series = model.kind == DataKind::series;
  std::vector<std::vector<std::string>> rows{
      {"view", series ? "window" : "features", "normalisation", "kernel"}};
  if (!series) rows[0][2] = "standardised";
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    const View& view = model.views[v];
    const bool scaled = std::any_of(view.scale.begin(), view.scale.end(), [](double s) { return s != 1.0; });
    rows.push_back({std::to_string(v + 1), grouped(view.length),
                    series   ? std::string(to_string(view.normalisation))
                    : scaled ? "yes"
                             : "no",
                    describe_kernel(view.kernel)});
  }
  return aligned(rows, "rrll");
}

/// Where the main instance was found: "34-63 of example 12", counting from 1.
std::string describe_place(const Instance& instance, DataKind kind) {
  if (instance.example < 0) return "a cluster's centre";
  const std::int64_t first = instance.position + 1;
  const std::string example = " of example " + grouped(instance.example + 1);
  if (kind == DataKind::bags) return "instance " + std::to_string(first) + example;
  const auto last = first + static_cast<std::int64_t>(instance.values.size()) - 1;
  return "values " + std::to_string(first) + '-' + std::to_string(last) + example;
}

std::string describe_hypotheses(const Model& model, bool all) {
  const bool series = model.kind == DataKind::series;
  const std::vector<HypothesisSummary> summaries = summarise(model);
  const std::size_t shown = all ? summaries.size() : std::min(kShown, summaries.size());
  std::vector<std::vector<std::string>> rows{
      {"weight", "its pattern is", "length", "instances", "alpha", "from"}};
  if (series) rows[0].emplace_back("shape");
  for (std::size_t j = 0; j < shown; ++j) {
    const HypothesisSummary& s = summaries[j];
    const Shapelet& shapelet = model.hypotheses[j].shapelet;
    rows.push_back(
        {fixed(s.w, 4),
         std::string(to_string(s.claim)) + (s.claim == Claim::absent ? " from " : " in ") + model.classes[1],
         grouped(s.length), grouped(s.instances), fixed(shapelet.alpha[s.main], 3),
         describe_place(shapelet.instances[s.main], model.kind)});
    if (series) rows.back().push_back(sparkline(shapelet.instances[s.main].values, 24));
  }
  std::string text = aligned(rows, "rlrrrll");
  if (shown < summaries.size()) {
    text += "and " + counted(static_cast<std::int64_t>(summaries.size() - shown), "hypothesis") +
            " of less weight; --all shows them\n";
  }
  return text;
}

/// The options, a few to a line.
std::vector<std::string> wrap_options(const std::string& settings) {
  constexpr std::size_t kColumns = 86;
  std::vector<std::string> lines{""};
  for (std::size_t begin = 0; begin < settings.size();) {
    const std::size_t end = std::min(settings.find(" --", begin), settings.size());
    const std::string option = settings.substr(begin, end - begin);
    if (!lines.back().empty() && lines.back().size() + 1 + option.size() > kColumns) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + option;
    begin = end + 1;
  }
  return lines;
}

std::string report(const Model& model, const std::string& path) {
  const bool series = model.kind == DataKind::series;
  const Provenance& p = model.provenance;
  const std::string source = p.source.empty() ? "" : p.source + ": ";
  const auto rounds = static_cast<std::int64_t>(p.history.size());
  std::vector<std::vector<std::string>> rows{
      {"model", path},
      {"trained on",
       source + counted(p.bags, series ? "series" : "bag") + ", " + counted(p.instances, "instance")}};
  for (const std::string& line : wrap_options(p.settings))
    rows.push_back({rows.size() == 2 ? "settings" : "", line});
  rows.push_back({"stopped", p.stopped + ", after " + counted(rounds, "round")});
  rows.push_back({"classes", model.classes[0] + " (score below 0), " + model.classes[1] + " (above)"});
  rows.push_back({"margin", "rho " + significant(model.rho, 4) + ", soft " + significant(model.gamma, 4) +
                                ", at nu " + significant(model.nu, 4)});
  rows.push_back({"offset", "b " + significant(model.b, 4)});
  return aligned(rows, "ll");
}

void info(const InfoOptions& options) {
  const Model model = load_model(options.model);
  if (options.json) return print(summary_json(model));
  std::string text = report(model, options.model) + '\n' + describe_views(model) + '\n';
  if (model.hypotheses.empty()) {
    print(text + "no hypotheses: the answer is always " + model.classes[model.b > 0.0 ? 1 : 0] + '\n');
    return;
  }
  print(text + counted(static_cast<std::int64_t>(model.hypotheses.size()), "hypothesis") +
        "; each told by its main instance, the one with the largest |alpha|\n" +
        describe_hypotheses(model, options.all));
}

}  // namespace

Command info_command(CLI::App& app) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App* sub = app.add_subcommand("info", "Show what a model has learned.");
  sub->add_option("MODEL", options->model, "a model of shapeboost fit")->required();
  sub->add_flag("--all", options->all,
                "every hypothesis, not only the " + std::to_string(kShown) + " heaviest");
  sub->add_flag("--json", options->json, "print one JSON object");
  sub->footer(
      "A pattern present in a class raises the score of series that hold it; one absent from it lowers it.\n"
      "Examples, values and instances are counted from 1 here, from 0 in JSON.\n\n"
      "Example:\n  shapeboost info model.json");
  return {sub, [options] { info(*options); }};
}

}  // namespace shapeboost::cli
