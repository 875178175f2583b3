// SPDX-License-Identifier: MIT
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "ground/file.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shapeboost/files.hpp"
#include "shapeboost/predictor.hpp"
#include "tell/record.hpp"

namespace shapeboost::cli {
namespace {

struct PredictOptions {
  std::string data;
  std::string model;
  std::string gram;
  bool unequal = false;
  std::string out;
  Format format = Format::automatic;
  TrainSettings settings;  // its threads
  bool instances = false;
  bool json = false;
};

void predict(const PredictOptions& options) {
  std::vector<NamedFile> inputs = data_files(options.data, options.format, "DATA");
  inputs.push_back({options.model, "--model"});
  inputs.push_back({options.gram, "--gram"});
  check_files(inputs, given_of({{options.out, "--out"}}));
  const Stopwatch clock;
  const Predictor predictor(load_model_with(options.model, options.gram));
  const Model& model = predictor.model();
  const Dataset data = read_dataset_for(model, options.data, options.format, options.unequal);
  const int threads = options.settings.threads;
  const Scores answer =
      options.instances ? predictor.instance_scores(data, threads) : predictor.scores(data, threads);
  const auto csv = [&] {
    return options.instances ? instances_csv(model, data, answer) : predictions_csv(model, data, answer);
  };
  if (!options.out.empty()) write_file(options.out, csv());
  if (options.json) {
    print(options.instances ? instances_json(model, data, answer, clock.seconds())
                            : predictions_json(model, data, answer, clock.seconds()),
          options.out);
  } else if (options.out.empty()) {
    print(csv());
  }
  if (!options.instances) warn_too_short(data, uncovered(answer));
}

}  // namespace

Command predict_command(CLI::App& app) {
  const auto options = std::make_shared<PredictOptions>();
  CLI::App* sub = app.add_subcommand("predict", "Classify examples; CSV of example,predicted,score.");
  sub->add_option("DATA", options->data, "series, bags or sequences, with labels or without")->required();
  sub->add_option("--model", options->model, "a model of shapeboost fit")->required()->type_name("FILE");
  sub->add_option("--out", options->out, "write the CSV there, not to standard output")->type_name("FILE");
  add_gram(*sub, options->gram);
  add_unequal(*sub, options->unequal);
  add_format(*sub, options->format);
  add_settings(*sub, options->settings, {"--threads"});
  sub->add_flag("--instances", options->instances, "bags: classify every instance by itself");
  sub->add_flag("--json", options->json, "print one JSON object");
  sub->footer(
      "A score above 0 means the second class. More than two classes have a column each, score_<class>:\n"
      "of one against the rest the largest is the answer; of one against one they are means over pairs,\n"
      "and the answer comes from the pairs. A model of fit --probability adds probability_<class> for each\n"
      "class. Where the data has labels, they are the last column.\n"
      "--instances adds the number of the instance in its bag, from 1 (in JSON from 0).\n\n"
      "Example:\n  shapeboost predict new.tsv --model model.json --out predictions.csv");
  return {sub, [options] { predict(*options); }};
}

}  // namespace shapeboost::cli
