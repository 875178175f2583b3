// SPDX-License-Identifier: MIT
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shapeboost/reader.hpp"
#include "shapeboost/record.hpp"

namespace shapeboost::cli {
namespace {

struct EvaluateOptions {
  std::string data;
  std::string model;
  Format format = Format::automatic;
  CommitteeSettings settings;  // its threads
  bool json = false;
};

std::string report(const Evaluation& e) {
  std::string text = aligned({{"examples", grouped(e.n)},
                              {"accuracy", fixed(e.accuracy, 4)},
                              {"balanced accuracy", fixed(e.balanced_accuracy, 4)},
                              {"AUC", fixed(e.auc, 4)},
                              {"seconds", fixed(e.seconds, 2)}},
                             "ll");
  std::vector<std::vector<std::string>> rows{
      {"", "predicted " + e.classes[0], "predicted " + e.classes[1], "recall"}};
  for (int a = 0; a < 2; ++a) {
    const auto k = static_cast<std::size_t>(a);
    rows.push_back({"actual " + e.classes[k], grouped(e.confusion(a, 0)), grouped(e.confusion(a, 1)),
                    fixed(e.recall[k], 4)});
  }
  return text + '\n' + aligned(rows, "lrrr");
}

void evaluate_data(const EvaluateOptions& options) {
  const Stopwatch clock;
  const Model model = load_model(options.model);
  Evaluation evaluation =
      evaluate(model, read_dataset(options.data, options.format), options.settings.threads);
  evaluation.seconds = clock.seconds();
  print(options.json ? to_json(evaluation) : report(evaluation));
}

}  // namespace

Command evaluate_command(CLI::App& app) {
  const auto options = std::make_shared<EvaluateOptions>();
  CLI::App* sub = app.add_subcommand("evaluate", "Compare a model's answers with the labels of examples.");
  sub->add_option("DATA", options->data, "labelled series or bags")->required();
  sub->add_option("--model", options->model, "a model of shapeboost fit")->required()->type_name("FILE");
  add_format(*sub, options->format);
  add_settings(*sub, options->settings, {"--threads"});
  sub->add_flag("--json", options->json, "print one JSON object");
  sub->footer("Example:\n  shapeboost evaluate test.tsv --model model.json");
  return {sub, [options] { evaluate_data(*options); }};
}

}  // namespace shapeboost::cli
