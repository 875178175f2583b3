// SPDX-License-Identifier: MIT
#include "info.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "describe.hpp"
#include "options.hpp"
#include "output.hpp"
#include "tell/record.hpp"

namespace shapeboost::cli {
namespace {

struct InfoOptions {
  std::string model;
  std::string gram;
  double delta = 0.05;
  bool bound = false;
  bool all = false;
  bool json = false;
};

// What fits a screen together with the rest.
constexpr std::size_t kHypothesesShown = 20;
constexpr std::size_t kPartsShown = 10;

/// The binary problems of a model of more than two classes.
std::string describe_parts(const Model& model, bool all) {
  const std::size_t shown = all ? model.parts.size() : std::min(kPartsShown, model.parts.size());
  std::vector<std::vector<std::string>> rows{{"part", "tells", "hypotheses", "rho", "soft", "nu", "b"}};
  for (std::size_t p = 0; p < shown; ++p) {
    const Part& part = model.parts[p];
    rows.push_back({std::to_string(rows.size()), describe_sides(model, part),
                    grouped(static_cast<std::int64_t>(part.weights.size())), significant(part.rho, 4),
                    significant(part.gamma, 4), significant(part.nu, 4), significant(part.b, 4)});
  }
  std::string text = aligned(rows, "rlrrrrr");
  if (shown < model.parts.size()) {
    text += "and " + counted(static_cast<std::int64_t>(model.parts.size() - shown), "part") +
            " more; --all shows them\n";
  }
  return text;
}

/// "--nu 0.2 --offset" as "--nu 0.2" and "--offset".
std::vector<std::string> split_options(const std::string& settings) {
  std::vector<std::string> options;
  for (std::size_t begin = 0; begin < settings.size();) {
    const std::size_t end = std::min(settings.find(" --", begin), settings.size());
    options.push_back(settings.substr(begin, end - begin));
    begin = end + 1;
  }
  return options;
}

/// The options, a few to a line; unless `all` are wanted, those that are not as by default.
std::vector<std::string> wrap_options(const std::string& settings, bool all) {
  constexpr std::size_t kWidth = 86;
  const std::vector<std::string> defaults = split_options(settings_text({}));
  std::vector<std::string> lines{""};
  for (const std::string& option : split_options(settings)) {
    if (!all && std::find(defaults.begin(), defaults.end(), option) != defaults.end()) continue;
    if (!lines.back().empty() && lines.back().size() + 1 + option.size() > kWidth) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + option;
  }
  if (!all && !settings.empty()) {
    lines.back() += lines.back().empty() ? "all by default" : " (all others by default)";
  }
  return lines;
}

/// How the weights were found, and how well they do on examples left out.
void add_head(const Head& head, std::vector<std::vector<std::string>>& rows) {
  std::string evidence;
  for (std::size_t k = 0; k < head.evidence.size(); ++k) {
    evidence += (k == 0 ? "" : ", ") + std::string(to_string(head.evidence[k]));
    if (!head.apart.empty()) evidence += " (times " + fixed(head.apart[k].share, 2) + ')';
  }
  if (head.intervals) {
    evidence +=
        " and " + grouped(static_cast<std::int64_t>(head.intervals->size())) + " moments of intervals";
  }
  if (head.averaged > 0.0) evidence += "; boosted members (times " + fixed(head.averaged, 2) + ')';
  rows.push_back({"head", "ridge over " + evidence + ", alpha " + significant(head.alpha, 4) + ", residual " +
                              significant(head.residual, 2)});
  rows.push_back({"left out", "each training example by the weights of the others: accuracy " +
                                  fixed(100.0 * head.left_out_accuracy, 1) + " %, mean squared error " +
                                  significant(head.left_out_error, 3)});
}

std::string report(const Model& model, const std::string& path, bool all) {
  const Provenance& p = model.provenance;
  const std::string source = p.source.empty() ? "" : p.source + ": ";
  const auto rounds = static_cast<std::int64_t>(p.history.size());
  std::vector<std::vector<std::string>> rows{{"model", path},
                                             {"trained on", source + counted(p.bags, noun_of(model.kind)) +
                                                                ", " + counted(p.instances, "instance")}};
  for (const std::string& line : wrap_options(p.settings, all))
    rows.push_back({rows.size() == 2 ? "settings" : "", line});
  if (p.method != to_string(Method::boost)) rows.push_back({"method", p.method});
  if (!p.tuning.empty()) rows.push_back({"tuned", p.tuning});
  if (model.head) {
    add_head(*model.head, rows);
    if (p.stopped != to_string(Stop::gap)) rows.push_back({"stopped", describe_stop(p)});
  } else {
    rows.push_back({"stopped", describe_stop(p) + ", after " + counted(rounds, "round")});
  }
  if (model.classes.size() > 2) {
    std::string names;
    for (const std::string& name : model.classes) names += (names.empty() ? "" : ", ") + name;
    rows.push_back({"classes", names});
    rows.push_back({"strategy", model.strategy == Strategy::one_vs_rest
                                    ? "ovr: each class against the rest, the largest score wins"
                                    : "ovo: each pair of classes, losers leave until one is left"});
    return aligned(rows, "ll") + (model.head ? "" : '\n' + describe_parts(model, all));
  }
  const Part& part = model.parts.front();
  rows.push_back({"classes", model.classes[0] + " (score below 0), " + model.classes[1] + " (above)"});
  if (!model.head)
    rows.push_back({"margin", "rho " + significant(part.rho, 4) + ", soft " + significant(part.gamma, 4) +
                                  ", at nu " + significant(part.nu, 4)});
  rows.push_back({"offset", "b " + significant(part.b, 4)});
  return aligned(rows, "ll");
}

/// What a model without hypotheses answers.
const std::string& only_answer(const Model& model) {
  Scores offsets{Array<double>(1, model.parts.size()), {1}};
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    offsets.parts(0, p) = model.parts[p].b;
  }
  return model.classes[static_cast<std::size_t>(predictions(model, offsets).front())];
}

void info(const InfoOptions& options) {
  // What a matrix holds matters to the guarantee alone.
  const Model model = options.bound || !options.gram.empty() ? load_model_with(options.model, options.gram)
                                                             : load_model(options.model);
  const std::vector<Guarantee> known =
      options.bound ? guarantees(model, options.delta) : std::vector<Guarantee>{};
  if (options.json) return print(summary_json(model, known));
  std::string text = report(model, options.model, options.all) + '\n';
  if (options.bound) return print(text + describe_guarantees(model, known, options.delta, options.all));
  text += describe_views(model, options.all) + '\n';
  if (model.hypotheses.empty()) {
    print(text + "no hypotheses: the answer is always " + only_answer(model) + '\n');
    return;
  }
  const auto count = static_cast<std::int64_t>(model.hypotheses.size());
  const bool several = model.parts.size() > 1;
  print(text + counted(count, model.head ? "pattern" : "hypothesis") +
        "; each told by its main instance, the one with the largest |alpha|" +
        (model.head ? std::string("\nweights: |w|, ") + (several ? "summed over the classes, " : "") +
                          "of what is weighed of a pattern: its best match, " +
                          (model.kind == DataKind::bags
                               ? "its share of the instances, its mean and its least match\n"
                               : "its share of the windows, its place\n")
         : several ? "; weights sum to 1 in each part\n"
                   : "\n") +
        describe_hypotheses(model, several && !model.head ? kPartsShown : kHypothesesShown, options.all));
}

}  // namespace

Command info_command(CLI::App& app) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App* sub = app.add_subcommand("info", "Show what a model has learned.");
  sub->add_option("MODEL", options->model, "a model of shapeboost fit")->required();
  sub->add_flag("--all", options->all,
                "every option, part, view and hypothesis, not only what fits a screen");
  sub->add_flag("--bound", options->bound,
                "what the margins promise about new examples, in place of views and hypotheses");
  const auto set_delta = [options](const std::string& text) {
    options->delta = parse_value<double>("--delta", text);
    if (!(options->delta > 0.0 && options->delta < 1.0)) fail_value("--delta", "a number in (0, 1)", text);
  };
  sub->add_option_function<std::string>(
         "--delta", set_delta,
         "probability with which the promise may fail (default " + shortest(options->delta) + ")")
      ->type_name("X")
      ->needs("--bound");
  add_gram(*sub, options->gram);
  sub->add_flag("--json", options->json, "print one JSON object");
  sub->footer(
      "A pattern present in a class raises the score of series that hold it; one absent from it lowers it.\n"
      "More than two classes are told apart by several parts: one class against the rest, or a pair each.\n"
      "Examples, values and instances are counted from 1 here, from 0 in JSON.\n"
      "--bound is derived in docs/bound.md; from small data it promises nothing, and says so.\n\n"
      "Example:\n  shapeboost info model.json");
  return {sub, [options] { info(*options); }};
}

}  // namespace shapeboost::cli
