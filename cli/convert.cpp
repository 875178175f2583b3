// SPDX-License-Identifier: MIT
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.hpp"
#include "describe.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shapeboost/files.hpp"

namespace shapeboost::cli {
namespace {

struct ConvertOptions {
  std::string in;
  std::string out;
  Format from = Format::automatic;
  Format to = Format::automatic;
  bool json = false;
  bool quiet = false;
};

std::string to_json(const ConvertOptions& options, const Dataset& data, Format format) {
  const nlohmann::ordered_json record{{"in", options.in},
                                      {"out", options.out},
                                      {"format", to_string(format)},
                                      {"kind", to_string(data.kind())},
                                      {"examples", data.size()},
                                      {"classes", data.classes()},
                                      {"width", data.width()},
                                      {"min_length", data.min_length()},
                                      {"max_length", data.max_length()},
                                      {"missing", data.has_missing()}};
  return record.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

void convert(const ConvertOptions& options) {
  const std::vector<NamedFile> inputs = data_files(options.in, options.from, "IN");
  for (const NamedFile& kept : inputs) refuse_same_file(kept, {options.out, "OUT"});
  const Dataset data = read_dataset(options.in, options.from);
  const Format format = options.to == Format::automatic ? format_for(options.out, data.kind()) : options.to;
  for (const NamedFile& written : data_files(options.out, format, "OUT")) {
    for (const NamedFile& kept : inputs) refuse_same_file(kept, written);
  }
  write_dataset(data, options.out, format);
  if (options.json) {
    print(to_json(options, data, format), options.out);
  } else if (!options.quiet) {
    print(options.out + ": " + describe(data) + ", as " + std::string(to_string(format)) + '\n', options.out);
  }
}

}  // namespace

Command convert_command(CLI::App& app) {
  const auto options = std::make_shared<ConvertOptions>();
  CLI::App* sub = app.add_subcommand("convert", "Write data in another format.");
  sub->add_option("IN", options->in, "series, bags or sequences in any format")->required();
  sub->add_option("OUT", options->out, "where they go; .gz at the end compresses")->required();
  add_format(*sub, options->from, "--from", "of IN");
  add_format(*sub, options->to, "--to", "of OUT", "from the name");
  sub->add_flag("--json", options->json, "print one JSON object");
  sub->add_flag("--quiet", options->quiet, "print nothing");
  sub->footer(
      "Without --to the ending of OUT tells the format: .tsv, .csv and .txt (ucr for series, mil for bags,\n"
      "tab for sequences), .ts, .arff, .data (c45, with .names beside it), .svm, .svmlight, .libsvm, .tab,\n"
      ".fasta, .fa; each with .gz behind it or not. What a format cannot hold is refused.\n\n"
      "Example:\n  shapeboost convert clean1.data musk1.csv");
  return {sub, [options] { convert(*options); }};
}

}  // namespace shapeboost::cli
