// SPDX-License-Identifier: MIT
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shapeboost/file.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/reader.hpp"
#include "shapeboost/record.hpp"

namespace shapeboost::cli {
namespace {

struct PredictOptions {
  std::string data;
  std::string model;
  std::string out;
  Format format = Format::automatic;
  CommitteeSettings settings;  // its threads
  bool json = false;
};

void predict(const PredictOptions& options) {
  if (!options.out.empty()) {
    refuse_same_file(options.data, "DATA", options.out, "--out");
    refuse_same_file(options.model, "--model", options.out, "--out");
    check_writable(options.out);
  }
  const Stopwatch clock;
  const Model model = load_model(options.model);
  const Dataset data = read_dataset(options.data, options.format);
  const std::vector<double> score = scores(model, data, options.settings.threads);
  if (!options.out.empty()) write_file(options.out, predictions_csv(model, data, score));
  if (options.json) {
    print(predictions_json(model, data, score, clock.seconds()));
  } else if (options.out.empty()) {
    print(predictions_csv(model, data, score));
  }
}

}  // namespace

Command predict_command(CLI::App& app) {
  const auto options = std::make_shared<PredictOptions>();
  CLI::App* sub = app.add_subcommand("predict", "Classify examples; CSV of example,predicted,score.");
  sub->add_option("DATA", options->data, "series or bags, with labels or without")->required();
  sub->add_option("--model", options->model, "a model of shapeboost fit")->required()->type_name("FILE");
  sub->add_option("--out", options->out, "write the CSV there, not to standard output")->type_name("FILE");
  add_format(*sub, options->format);
  add_settings(*sub, options->settings, {"--threads"});
  sub->add_flag("--json", options->json, "print one JSON object");
  sub->footer(
      "A score above 0 means the second class; where the data has labels, they are the last column.\n\n"
      "Example:\n  shapeboost predict new.tsv --model model.json --out predictions.csv");
  return {sub, [options] { predict(*options); }};
}

}  // namespace shapeboost::cli
