// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "commands.hpp"
#include "describe.hpp"
#include "ground/file.hpp"
#include "options.hpp"
#include "output.hpp"
#include "select/grid.hpp"
#include "select/journal.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/files.hpp"
#include "shapeboost/selection.hpp"
#include "tell/record.hpp"
#include "training.hpp"

namespace shapeboost::cli {
namespace {

struct TuneOptions {
  std::string train;
  std::string model;
  std::string grid;
  std::string results;
  std::string journal;
  TrainSettings fixed;
  SelectionSettings selection;
  Format format = Format::automatic;
  double time_limit = 0.0;  // seconds; 0: none
  bool probability = false;
  bool json = false;
  bool quiet = false;
};

constexpr std::size_t kShown = 10;

/// Best first; in the order of best_of().
std::vector<std::size_t> ranking(const Selection& selection) {
  std::vector<std::size_t> order(selection.results.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const ChoiceResult& one = selection.results[a];
    const ChoiceResult& other = selection.results[b];
    return one.correct != other.correct ? one.correct > other.correct : one.hypotheses < other.hypotheses;
  });
  return order;
}

std::string report(const std::vector<Choice>& choices, const Selection& selection,
                   const TrainingResult& training, const Dataset& data, const TuneOptions& options,
                   double seconds) {
  const auto each = static_cast<std::int64_t>(options.selection.folds) * options.selection.repeats;
  std::vector<std::vector<std::string>> rows{
      {"data", data.source() + ": " + describe(data)},
      {"classes", describe_classes(data)},
      {"choices",
       grouped(static_cast<std::int64_t>(choices.size())) + ", " + counted(options.selection.folds, "fold") +
           (options.selection.repeats > 1 ? " " + grouped(options.selection.repeats) + " times" : "")},
      {"best", choices[static_cast<std::size_t>(selection.best)].name},
      {"hypotheses", grouped(static_cast<std::int64_t>(training.model.hypotheses.size()))},
      {"seconds", fixed(seconds, 2)},
      {"model", options.model}};
  if (!selection.complete) {
    const std::int64_t finished = selection.results.front().cells;
    rows.push_back({"note", "the search is not done: compared on " + grouped(finished) + " of " +
                                counted(each, "fold") + "; the same command goes on from the journal"});
  }
  for (const std::string& note : training.notes) rows.push_back({"note", note});
  std::string text = aligned(rows, "ll") + '\n';
  std::vector<std::vector<std::string>> table{{"accuracy", "sd", "hypotheses", "setting"}};
  const std::vector<std::size_t> order = ranking(selection);
  for (std::size_t k = 0; k < std::min(kShown, order.size()); ++k) {
    const ChoiceResult& result = selection.results[order[k]];
    table.push_back({fixed(result.accuracy, 4), fixed(result.sd, 4), fixed(result.hypotheses, 1),
                     choices[order[k]].name});
  }
  text += aligned(table, "rrrl");
  if (order.size() > kShown) {
    text += "and " + counted(static_cast<std::int64_t>(order.size() - kShown), "choice") +
            " more; --results FILE has all\n";
  }
  return text;
}

/// select(), noting every cell in the journal and on the terminal. Faults in the words of the command line.
Selection search(const Dataset& data, const std::vector<Choice>& choices, const TuneOptions& options,
                 Journal& journal, const Stopwatch& clock, Progress& progress) {
  const auto cells =
      static_cast<std::int64_t>(choices.size()) * options.selection.folds * options.selection.repeats;
  const auto before = static_cast<std::int64_t>(journal.cells().size());
  std::int64_t now = 0;
  const double start = clock.seconds();
  const auto tell = [&] {
    std::string line = counted(cells, "training") + ", " + grouped(100 * (before + now) / cells) + " % done";
    if (now > 0) {
      const double left =
          (clock.seconds() - start) / static_cast<double>(now) * static_cast<double>(cells - before - now);
      line += ", about " + describe_seconds(left) + " left";
    }
    progress.show(line);
  };
  tell();
  SelectionObserver observer;
  observer.cell = [&](const Cell& cell, const Model&) {
    journal.add(cell);
    ++now;
    tell();
  };
  observer.interrupted = [&] {
    return stop_asked() || (options.time_limit > 0.0 && clock.seconds() > kSearchShare * options.time_limit);
  };
  return select(data, choices, options.selection, journal.cells(), observer);
}

void tune(const TuneOptions& given, const CLI::App& app) {
  TuneOptions options = given;
  read_gram_option(app, options.fixed);
  check_settings(options.fixed);
  options.selection.seed = options.fixed.seed;
  options.selection.threads = options.fixed.threads;
  options.selection.memory = options.fixed.memory;
  const bool own_journal = options.journal.empty();
  if (own_journal) options.journal = options.model + ".journal";
  std::vector<NamedFile> outputs{{options.model, "--model"}, {options.journal, "--journal"}};
  if (!options.results.empty()) outputs.push_back({options.results, "--results"});
  std::vector<NamedFile> inputs = data_files(options.train, options.format, "TRAIN");
  inputs.push_back({options.fixed.kernel.gram_file, "--gram"});
  check_files(inputs, outputs);
  const Stopwatch clock;
  Progress progress(!options.json && !options.quiet);
  progress.show("reading " + options.train);
  const Dataset data = read_in_time(options.train, options.format, options.time_limit, clock);
  check_class_names(data);
  GivenSettings given_settings;
  for (const Setting& row : settings_table()) {
    if (app.count("--" + std::string(row.name)) > 0) given_settings.insert(row.name);
  }
  const std::string grid =
      app.count("--grid") > 0 ? options.grid : default_grid(given_settings, data, options.fixed);
  const std::vector<Choice> choices = expand_grid(grid, options.fixed, given_settings, data.kind());

  const InterruptGuard guard;
  Journal journal(options.journal, journal_head(data, choices, options.selection));
  TrainingResult training;
  Selection selection;
  try {
    selection = search(data, choices, options, journal, clock, progress);
    if (selection.best >= 0) {
      progress.show("training on all data with the best choice");
      // A Ctrl-C that ended the search does not end this; the next one does.
      const InterruptGuard once_more;
      Observer observer;
      observer.interrupted = [&, before = stops_asked()] {
        return stops_asked() > before || (options.time_limit > 0.0 && clock.seconds() > options.time_limit);
      };
      training = refit(data, choices, options.selection, selection, observer);
      if (options.probability) {
        TrainSettings settings = choices[static_cast<std::size_t>(selection.best)].settings;
        settings.threads = options.selection.threads;
        settings.memory = options.selection.memory;
        add_probabilities(training, data, settings, observer, progress);
      }
    }
  } catch (const InvalidInput& fault) {
    const std::string sentence = fault.what();
    throw InvalidInput(sentence.starts_with("folds: ") ? "--" + sentence : in_words(fault, data));
  }
  if (selection.best < 0) {
    const bool some = !selection.cells.empty();
    throw InvalidInput("stopped before any fold was finished by every choice: no model" +
                       (some ? "; the same command goes on from " + options.journal : std::string()));
  }
  Provenance& provenance = training.model.provenance;
  const TrainSettings& best = choices[static_cast<std::size_t>(selection.best)].settings;
  provenance.settings = settings_text(best) + (options.probability ? " --probability" : "");
  add_notes(training, data, app, best.method);
  if (!grid.empty()) provenance.tuning += " over " + grid;
  if (!options.results.empty()) write_file(options.results, results_csv(choices, selection));
  save_model_or_end(training.model, options.model, options.selection.threads);
  if (selection.complete && training.stop != Stop::interrupted && own_journal) journal.remove();
  progress.clear();
  if (options.json) {
    print(to_json(choices, selection, training, options.model, clock.seconds()), options.model);
  } else if (!options.quiet) {
    print(report(choices, selection, training, data, options, clock.seconds()), options.model);
  }
}

}  // namespace

Command tune_command(CLI::App& app) {
  const auto options = std::make_shared<TuneOptions>();
  options->fixed.memory = default_memory();
  CLI::App* sub = app.add_subcommand(
      "tune", "Choose the settings of fit by cross-validation, train with the best and write the model.");
  sub->add_option("TRAIN", options->train, "labelled series, bags or sequences of two classes or more")
      ->required();
  sub->add_option("--model", options->model, "where the model goes")->required()->type_name("FILE");
  const auto set_grid = [options](const std::string& text) {
    if (text.empty()) fail_value("--grid", "OPTION=VALUE,VALUE and ; between axes", text);
    options->grid = text;
  };
  sub->add_option_function<std::string>(
         "--grid", set_grid,
         "what to choose among, every combination of it: options of fit with their alternatives, as "
         "\"nu=0.1,0.2; sigma-scale=1,4\"; alternatives that are lists are separated by |, as "
         "\"lengths=0.1|0.1,0.2\", a single one ends in | (default: a grid for the kind of data and the "
         "method)")
      ->type_name("TEXT");
  add_count(*sub, "--folds", options->selection.folds, 2, "parts of the data, each of which is tested once");
  add_count(*sub, "--repeats", options->selection.repeats, 1, "how often the data are divided anew");
  const auto set_trial_members = [options](const std::string& text) {
    if (text == "auto") return options->selection.trial_members.reset();
    const int members = parse_value<int>("--trial-members", text);
    if (members < 0) fail_value("--trial-members", "auto or at least 0", text);
    options->selection.trial_members = members;
  };
  sub->add_option_function<std::string>(
         "--trial-members", set_trial_members,
         "most members of a committee while choices are compared, or 0 for all; the one chosen has all "
         "(default auto: 20, or 10 from 1000 examples on)")
      ->type_name("N");
  sub->add_option("--results", options->results, "CSV with a line for every choice")->type_name("FILE");
  sub->add_option(
         "--journal", options->journal,
         "finished trainings, from which the same command goes on after it was cut off (default: the "
         "model's name and .journal, gone when all is done; one that is named stays)")
      ->type_name("FILE");
  add_format(*sub, options->format);
  sub->add_flag("--json", options->json, "print one JSON object");
  sub->add_flag("--quiet", options->quiet, "print nothing");
  add_probability(*sub, options->probability);
  add_settings(*sub, options->fixed);
  add_time_limit(*sub, options->time_limit);
  sub->footer(
      "Ctrl-C ends the search; the best choice of the folds done so far is trained and written. Once\n"
      "more, and the training ends with the patterns found so far. A time limit leaves a quarter of it\n"
      "to that training.\n"
      "The options of fit hold for every choice.\n\n"
      "Example:\n  shapeboost tune train.tsv --model model.json --grid \"nu=0.1,0.2; sigma-scale=1,2,4\"");
  return {sub, [options, sub] { tune(*options, *sub); }};
}

}  // namespace shapeboost::cli
