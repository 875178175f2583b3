// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "commands.hpp"
#include "ground/file.hpp"
#include "ground/numbers.hpp"
#include "info.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shapeboost/explanation.hpp"
#include "shapeboost/files.hpp"
#include "tell/figure.hpp"
#include "tell/record.hpp"

namespace shapeboost::cli {
namespace {

struct ExplainOptions {
  std::string data;
  std::string model;
  std::string gram;
  bool unequal = false;
  std::string maximisers;  // file of figure (a)
  std::string patterns;    // file of figure (b)
  Format format = Format::automatic;
  TrainSettings settings;  // its threads
  std::int64_t index = 0;  // from 1; 0: the whole set
  std::int64_t top = 12;
  bool json = false;
};

/// "values 34-63", "instance 3", "cycles of 5-12 values", "4-9 Hz".
std::string describe_maximiser(const View& view, const Contribution& c) {
  if (c.position < 0) return "no window";
  return describe_stretch(view, view.kind == DataKind::bags ? c.instance : c.position);
}

std::string describe_origin(const View& view, const Instance& z) {
  if (z.example < 0) return "a cluster's centre";
  return describe_stretch(view, z.position) + " of training example " + grouped(z.example + 1);
}

/// A table of the strongest contributions; with a head, of evidence told in words beside what is usual.
std::string contribution_table(const Model& model, const Explanation& e, std::size_t shown) {
  const std::vector<HypothesisSummary> summaries = summarise(model);
  std::vector<std::vector<std::string>> rows{
      model.head ? std::vector<std::string>{"pattern", "contribution", "what", "response", "usual", "from"}
                 : std::vector<std::string>{"hypothesis", "contribution", "w", "sign", "response", "found at",
                                            "from"}};
  for (std::size_t k = 0; k < shown; ++k) {
    const Contribution& c = e.contributions[k];
    const Hypothesis& hypothesis = model.hypotheses[at(c.hypothesis)];
    const View& view = model.views[at(hypothesis.view)];
    const std::string from =
        describe_origin(view, hypothesis.shapelet.instances[summaries[at(c.hypothesis)].main]);
    rows.push_back({grouped(c.hypothesis + 1), significant(c.value, 4)});
    std::vector<std::string>& row = rows.back();
    if (model.head) {
      const double usual = hypothesis.standard[static_cast<std::size_t>(c.evidence)].centre;
      row.insert(row.end(), {describe_evidence(model, c), c.position < 0 ? "-" : fixed(c.response, 3),
                             fixed(usual, 3), from});
    } else {
      row.insert(row.end(), {significant(c.w, 4), c.sign > 0 ? "+" : "-", significant(c.response, 4),
                             describe_maximiser(view, c), from});
    }
  }
  return aligned(rows, model.head ? "rrlrrl" : "rrrlrll");
}

/// "best 0.1, share -0.02": what each kind of evidence that the head weighs adds up to.
std::string describe_evidence_sums(const Model& model, const Explanation& e) {
  const std::array<double, kEvidences> sums = evidence_sums(e);
  std::string text;
  for (const Evidence one : model.head->evidence) {
    text += (text.empty() ? "" : ", ") + std::string(to_string(one)) + ' ' +
            significant(sums[static_cast<std::size_t>(one)], 3);
  }
  if (model.head->intervals) text += ", intervals " + significant(interval_sum(e), 3);
  return text;
}

/// What intervals add, those that add most.
std::string interval_table(const Model& model, const Explanation& e, std::int64_t length, std::size_t top) {
  std::vector<std::vector<std::string>> rows{{"contribution", "interval", "response", "usual"}};
  const std::size_t shown = std::min(top, e.intervals.size());
  double rest = interval_sum(e);
  for (std::size_t k = 0; k < shown; ++k) {
    const IntervalContribution& c = e.intervals[k];
    rest -= c.value;
    rows.push_back(
        {significant(c.value, 4), describe_interval(model, model.head->intervals->at(c.number), length),
         significant(c.moment, 4), significant(model.head->intervals->standard[c.number].centre, 4)});
  }
  std::string text = aligned(rows, "rlrr");
  if (e.intervals.size() > shown) {
    text += "and " + counted(static_cast<std::int64_t>(e.intervals.size() - shown), "interval") +
            " more, together " + significant(rest, 4) + '\n';
  }
  return text;
}

/// What the instances of a bag add, those that add most.
std::string instance_table(const Model& model, const Dataset& alone, const Explanation& e, std::size_t top) {
  const std::vector<double> added = instance_contributions(model, alone, 0, e);
  std::vector<std::size_t> order(added.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t x) { return std::abs(added[x]); });
  const Scores by_itself = Predictor::borrow(model).instance_scores(alone, 1);
  std::vector<std::vector<std::string>> rows{{"instance", "adds", "score by itself"}};
  double rest = e.score - e.b;
  for (std::size_t k = 0; k < std::min(top, order.size()); ++k) {
    rest -= added[order[k]];
    rows.push_back({grouped(static_cast<std::int64_t>(order[k]) + 1), significant(added[order[k]], 4),
                    significant(by_itself.parts(order[k], at(e.part)), 4)});
  }
  std::string text = aligned(rows, "rrr");
  if (order.size() > top) {
    text += "and " + counted(static_cast<std::int64_t>(order.size() - top), "instance") + " more, together " +
            significant(rest, 4) + '\n';
  }
  return text;
}

std::string tell_example(const Model& model, const Dataset& data, const ExplainOptions& options) {
  const std::int64_t i = options.index - 1;
  const Dataset alone = data.subset({i});
  const Scores score = scores(model, alone, 1);
  const Explanation e = explain(model, data, i, telling_parts(model, score).front());
  const int label = labels_for(model, alone).front();
  const Part& part = model.parts[at(e.part)];
  std::string text = "example " + data.name(i) + ": predicted " +
                     model.classes[at(predictions(model, score).front())] +
                     (label == kUnlabelled ? "" : ", its label is " + model.classes[at(label)]) + "\nscore " +
                     significant(e.score, 4) + " for " + describe_sides(model, part, " against ") +
                     " = offset " + significant(e.b, 4) + " + " +
                     counted(static_cast<std::int64_t>(e.contributions.size()), "contribution") +
                     (model.head ? " of " + counted(detail::patterns_in(part), "pattern") : "") + '\n';
  if (model.head) text += "by evidence: " + describe_evidence_sums(model, e) + '\n';
  text += '\n';
  if (data.kind() == DataKind::bags) text += instance_table(model, alone, e, at(options.top)) + '\n';
  const std::size_t shown = std::min(at(options.top), e.contributions.size());
  text += contribution_table(model, e, shown);
  if (e.contributions.size() > shown) {
    double rest = e.score - e.b - interval_sum(e);
    for (std::size_t k = 0; k < shown; ++k) rest -= e.contributions[k].value;
    text += "and " +
            counted(static_cast<std::int64_t>(e.contributions.size() - shown),
                    model.head ? "contribution" : "hypothesis") +
            " more, together " + significant(rest, 4) + "; --top shows more\n";
  }
  if (!e.intervals.empty()) {
    text += '\n' + interval_table(model, e, data.values(i).cols(), std::max<std::size_t>(1, shown / 2));
  }
  return text;
}

/// Where on a line of kPlaces places a pattern is mostly found; of a spectrum, which cycles it is about.
std::string describe_places(const Model& model, std::size_t j, const Firing& firing) {
  const Hypothesis& hypothesis = model.hypotheses[j];
  const View& view = model.views[at(hypothesis.view)];
  if (firing.places.empty()) return describe_stretch(view, hypothesis.shapelet.instances.front().position);
  return sparkline({firing.places.begin(), firing.places.end()}, firing.places.size());
}

std::string tell_set(const Model& model, const Dataset& data, const ExplainOptions& options) {
  const std::vector<Firing> all =
      firings(model, data, responses(model, data, options.settings.threads), labels_for(model, data));
  const std::vector<HypothesisSummary> summaries = summarise(model);
  const bool places = model.kind != DataKind::bags;
  std::vector<std::vector<std::string>> rows{{model.head ? "pattern" : "hypothesis", "weight",
                                              model.head ? "speaks for" : "its pattern is", "fires in"}};
  std::string align = "rrlr";
  for (const std::string& name : model.classes) {
    rows[0].push_back("of " + name);
    align += 'r';
  }
  if (places) rows[0].emplace_back("where, start to end");
  for (std::size_t j = 0; j < std::min(at(options.top), all.size()); ++j) {
    const Firing& firing = all[j];
    const std::string in = preposition(summaries[j].claim);
    const Part& part = model.parts[at(summaries[j].uses.front().part)];
    rows.push_back({grouped(static_cast<std::int64_t>(j) + 1), fixed(summaries[j].w, 4),
                    model.head
                        ? describe_voice(model, summaries[j])
                        : std::string(to_string(summaries[j].claim)) + in + model.classes[at(part.positive)],
                    grouped(firing.fired) + " of " + grouped(firing.sought)});
    for (std::size_t k = 0; k < model.classes.size(); ++k) {
      const auto share = static_cast<double>(firing.fired_in[k]) / static_cast<double>(firing.sought_in[k]);
      rows.back().push_back(firing.sought_in[k] == 0 ? "-" : fixed(100.0 * share, 0) + " %");
    }
    if (places) rows.back().push_back(describe_places(model, j, firing));
  }
  std::string text = aligned(rows, align + "l");
  if (all.size() > at(options.top)) {
    text +=
        "and " +
        counted(static_cast<std::int64_t>(all.size()) - options.top, model.head ? "pattern" : "hypothesis") +
        " of less weight; --top shows more\n";
  }
  return text;
}

void explain_data(const ExplainOptions& options) {
  const bool figures = !options.maximisers.empty() || !options.patterns.empty();
  if (figures && options.index == 0)
    throw InvalidInput("--svg and --patterns draw one example: --index names it");
  std::vector<NamedFile> inputs = data_files(options.data, options.format, "DATA");
  inputs.push_back({options.model, "--model"});
  inputs.push_back({options.gram, "--gram"});
  check_files(inputs, given_of({{options.maximisers, "--svg"}, {options.patterns, "--patterns"}}));
  const Model model = load_model_with(options.model, options.gram);
  const Dataset data = read_dataset_for(model, options.data, options.format, options.unequal);
  if (options.index > data.size()) {
    fail_value("--index", "1 to " + std::to_string(data.size()), std::to_string(options.index));
  }
  const std::int64_t example = options.index - 1;
  const FigureSettings figure{-1, options.top};
  if (!options.maximisers.empty()) {
    write_file(options.maximisers, maximisers_svg(model, data, example, figure));
  }
  if (!options.patterns.empty()) write_file(options.patterns, patterns_svg(model, data, example, figure));
  const std::string& written = options.patterns.empty() ? options.maximisers : options.patterns;
  if (options.json) {
    print(options.index == 0 ? firings_json(model, data, options.settings.threads)
                             : explanation_json(model, data, example, options.settings.threads),
          written);
  } else {
    print(options.index == 0 ? tell_set(model, data, options) : tell_example(model, data, options), written);
  }
}

}  // namespace

Command explain_command(CLI::App& app) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App* sub = app.add_subcommand("explain", "Show what decided predictions, as numbers or as figures.");
  sub->add_option("DATA", options->data, "series, bags or sequences, with labels or without")->required();
  sub->add_option("--model", options->model, "a model of shapeboost fit")->required()->type_name("FILE");
  const auto whole = [](const char* name, std::int64_t& value) {
    return [name, &value](const std::string& text) {
      value = parse_value<std::int64_t>(name, text);
      if (value < 1) fail_value(name, "a number from 1", text);
    };
  };
  sub->add_option_function<std::string>("--index", whole("--index", options->index),
                                        "the example to explain, counted from 1; else the whole set")
      ->type_name("N");
  sub->add_option_function<std::string>("--top", whole("--top", options->top),
                                        "how many contributions or hypotheses to show (default 12)")
      ->type_name("N");
  sub->add_option("--svg", options->maximisers,
                  "draw the example and where the model finds its patterns, coloured by contribution")
      ->type_name("FILE");
  sub->add_option("--patterns", options->patterns,
                  "draw the model's patterns at their best match in the example, coloured by weight")
      ->type_name("FILE");
  add_gram(*sub, options->gram);
  add_unequal(*sub, options->unequal);
  add_format(*sub, options->format);
  add_settings(*sub, options->settings, {"--threads"});
  sub->add_flag("--json", options->json, "print one JSON object, with everything");
  sub->footer(
      "A score is the offset b plus the contributions of the hypotheses, w * sign * response; each is\n"
      "attained at one place of the example. Of a model with a head it is w * (response - usual) / scale\n"
      "of several things: how alike the best match is, in how many windows or instances the pattern is\n"
      "found, and where, or, of bags, how alike their instances are on average and at least.\n"
      "Of a bag it says what each instance adds: of a mean or a share, its part in it.\n"
      "A hypothesis fires where its response is in the upper of two groups.\n"
      "Of more than two classes the text tells of the part that says most, JSON of all.\n"
      "Examples, values and instances are counted from 1 here, from 0 in JSON.\n\n"
      "Example:\n  shapeboost explain new.tsv --model model.json --index 3 --svg third.svg");
  return {sub, [options] { explain_data(*options); }};
}

}  // namespace shapeboost::cli
