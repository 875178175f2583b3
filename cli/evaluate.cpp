// SPDX-License-Identifier: MIT
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shapeboost/evaluation.hpp"
#include "shapeboost/files.hpp"
#include "tell/record.hpp"

namespace shapeboost::cli {
namespace {

struct EvaluateOptions {
  std::string data;
  std::string model;
  std::string gram;
  bool unequal = false;
  Format format = Format::automatic;
  TrainSettings settings;  // its threads
  bool json = false;
};

/// Above so many classes a table of all pairs is too wide to read.
constexpr std::size_t kCounted = 12;

std::string report(const Evaluation& e) {
  const bool two = e.classes.size() == 2;
  const bool counts = e.classes.size() <= kCounted;
  std::string text = aligned({{"examples", grouped(e.n)},
                              {"accuracy", fixed(e.accuracy, 4)},
                              {"balanced accuracy", fixed(e.balanced_accuracy, 4)},
                              {"macro F1", fixed(e.macro_f1, 4)},
                              {"AUC", fixed(e.auc, 4) + (two ? "" : ", mean of each class against the rest")},
                              {"seconds", fixed(e.seconds, 2)}},
                             "ll");
  std::vector<std::vector<std::string>> rows{{""}};
  if (!counts) rows[0].emplace_back("examples");
  for (std::size_t k = 0; counts && k < e.classes.size(); ++k) {
    rows[0].push_back((two ? "predicted " : "as ") + e.classes[k]);
  }
  for (const char* title : {"recall", "precision", "F1"}) rows[0].emplace_back(title);
  if (!two) rows[0].emplace_back("AUC");
  for (std::int64_t a = 0; a < e.confusion.rows(); ++a) {
    const auto k = static_cast<std::size_t>(a);
    std::vector<std::string> row{"actual " + e.classes[k]};
    const std::span<const int> found = e.confusion.row(a);
    if (!counts) row.push_back(grouped(std::accumulate(found.begin(), found.end(), 0)));
    for (std::int64_t b = 0; counts && b < e.confusion.cols(); ++b) {
      row.push_back(grouped(e.confusion(a, b)));
    }
    for (const auto* values : {&e.recall, &e.precision, &e.f1}) row.push_back(fixed((*values)[k], 4));
    if (!two) row.push_back(fixed(e.auc_per_class[k], 4));
    rows.push_back(std::move(row));
  }
  return text + '\n' + aligned(rows, 'l' + std::string(rows[0].size() - 1, 'r')) +
         (counts ? "" : "--json has the counts of every pair of classes\n");
}

void evaluate_data(const EvaluateOptions& options) {
  const Stopwatch clock;
  const Model model = load_model_with(options.model, options.gram);
  const Dataset data = read_dataset_for(model, options.data, options.format, options.unequal);
  Evaluation evaluation = evaluate(model, data, options.settings.threads);
  evaluation.seconds = clock.seconds();
  print(options.json ? to_json(evaluation) : report(evaluation));
  warn_too_short(data, evaluation.uncovered);
}

}  // namespace

Command evaluate_command(CLI::App& app) {
  const auto options = std::make_shared<EvaluateOptions>();
  CLI::App* sub = app.add_subcommand("evaluate", "Compare a model's answers with the labels of examples.");
  sub->add_option("DATA", options->data, "labelled series, bags or sequences")->required();
  sub->add_option("--model", options->model, "a model of shapeboost fit")->required()->type_name("FILE");
  add_gram(*sub, options->gram);
  add_unequal(*sub, options->unequal);
  add_format(*sub, options->format);
  add_settings(*sub, options->settings, {"--threads"});
  sub->add_flag("--json", options->json, "print one JSON object");
  sub->footer("Example:\n  shapeboost evaluate test.tsv --model model.json");
  return {sub, [options] { evaluate_data(*options); }};
}

}  // namespace shapeboost::cli
