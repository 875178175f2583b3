// SPDX-License-Identifier: MIT
#include "shapeboost/report.hpp"

#include <memory>
#include <string>

#include "commands.hpp"
#include "ground/file.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shapeboost/files.hpp"

namespace shapeboost::cli {
namespace {

struct ReportOptions {
  std::string data;
  std::string model;
  std::string gram;
  bool unequal = false;
  std::string out = "report.html";
  Format format = Format::automatic;
  TrainSettings settings;  // its threads
  ReportSettings report;
  bool json = false;
};

void write_report(const ReportOptions& options) {
  std::vector<NamedFile> inputs = data_files(options.data, options.format, "DATA");
  inputs.push_back({options.model, "--model"});
  inputs.push_back({options.gram, "--gram"});
  if (!options.json) check_files(inputs, {{options.out, "--out"}});
  const Model model = load_model_with(options.model, options.gram);
  const Dataset data = read_dataset_for(model, options.data, options.format, options.unequal);
  ReportSettings settings = options.report;
  settings.model_path = options.model;
  settings.threads = options.settings.threads;
  if (options.json) return print(report_json(model, data, settings) + '\n');
  const std::string page = report_html(model, data, settings);
  write_file(options.out, page);
  print(options.out + ": " + grouped((static_cast<std::int64_t>(page.size()) + 1023) / 1024) + " KiB, " +
            counted(data.size(), "example") + "; open it in any browser\n",
        options.out);
}

}  // namespace

Command report_command(CLI::App& app) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* sub =
      app.add_subcommand("report", "Write one HTML page that shows the model at work on the data.");
  sub->add_option("DATA", options->data, "series, bags or sequences, with labels or without")->required();
  sub->add_option("--model", options->model, "a model of shapeboost fit")->required()->type_name("FILE");
  sub->add_option("--out", options->out, "the page (default " + options->out + ")")->type_name("FILE");
  const auto set_examples = [options](const std::string& text) {
    options->report.examples = parse_value<std::int64_t>("--examples", text);
    if (options->report.examples < 1) fail_value("--examples", "a number from 1", text);
  };
  sub->add_option_function<std::string>("--examples", set_examples,
                                        "most examples to hold for looking at one by one (default 2000)")
      ->type_name("N");
  add_gram(*sub, options->gram);
  add_unequal(*sub, options->unequal);
  add_format(*sub, options->format);
  add_settings(*sub, options->settings, {"--threads"});
  sub->add_flag("--json", options->json, "print what the page shows as JSON, and write none");
  sub->footer(
      "The page needs no network and no other file: send it to a colleague. It shows how good the model is,\n"
      "its patterns, each example with what decided its class, and how training went.\n\n"
      "Example:\n  shapeboost report test.tsv --model model.json --out report.html");
  return {sub, [options] { write_report(*options); }};
}

}  // namespace shapeboost::cli
