// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "commands.hpp"
#include "ground/file.hpp"
#include "options.hpp"
#include "output.hpp"
#include "paper_columns.hpp"
#include "paper_figures.hpp"
#include "paper_journal.hpp"
#include "paper_output.hpp"
#include "paper_run.hpp"
#include "shapeboost/base.hpp"
#include "training.hpp"
#include "view/instances.hpp"

namespace shapeboost::cli {
namespace {

struct PaperOptions {
  std::string table;
  std::string data;
  std::string out;
  std::string sets;
  std::string columns;
  int seeds = 0;  // 0: as the columns have it
  int runs = 0;
  TrainSettings running;  // seed, threads, memory
  bool quick = false;
  bool whole_grid = false;
  bool json = false;
  bool quiet = false;
};

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names{""};
  for (const char c : text) {
    if (c == ',') {
      names.emplace_back();
    } else if (c != ' ') {
      names.back() += c;
    }
  }
  return names;
}

/// Which of `items` are named; all where nothing is. `names_of` says what an item may be called.
template <typename Item, typename NamesOf>
std::vector<bool> chosen(const std::string& option, const std::string& text, const std::vector<Item>& items,
                         const NamesOf& names_of) {
  std::vector<bool> taken(items.size(), text.empty());
  if (text.empty()) return taken;
  for (const std::string& name : split_names(text)) {
    bool found = false;
    std::string known;
    for (std::size_t k = 0; k < items.size(); ++k) {
      for (const std::string& own : names_of(items[k])) {
        if (own == name) taken[k] = found = true;
        if ((", " + known + ", ").find(", " + own + ", ") == std::string::npos) {
          known += (known.empty() ? "" : ", ") + own;
        }
      }
    }
    if (!found) fail_value(option, "some of " + known, name);
  }
  return taken;
}

std::vector<PaperColumn> columns_of(const PaperOptions& options) {
  std::vector<PaperColumn> columns = paper_columns(options.table, options.whole_grid);
  if (options.quick) columns = quick_columns(std::move(columns));
  return columns;
}

/// The command as it would be typed again; where data and results lie does not matter to it.
std::string command_text(const PaperOptions& options) {
  const auto option = [](const std::string& name, const std::string& value) {
    return value.empty() || value == "0" ? "" : ' ' + name + ' ' + value;
  };
  return "shapeboost paper " + options.table + " --data DIR --out DIR" + option("--sets", options.sets) +
         option("--columns", options.columns) + option("--seeds", std::to_string(options.seeds)) +
         option("--runs", std::to_string(options.runs)) +
         (options.running.seed == 1 ? "" : " --seed " + std::to_string(options.running.seed)) +
         (options.whole_grid ? " --whole-grid" : "") + (options.quick ? " --quick" : "");
}

void make_folder(const std::string& folder) {
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault) throw InvalidInput("--out: cannot make the folder " + folder + ": " + fault.message());
}

/// What is asked for, the data of it, and what the journal has beside.
class Paper {
 public:
  explicit Paper(const PaperOptions& options)
      : options_(options), table_(paper_table(options.table)), columns_(columns_of(options)) {
    const std::string sets = options.quick && options.sets.empty() ? quick_sets(options.table) : options.sets;
    asked_sets_ = chosen("--sets", sets, table_.sets,
                         [](const PaperSet& set) { return std::vector<std::string>{set.name}; });
    asked_columns_ = chosen("--columns", options.columns, columns_, [](const PaperColumn& column) {
      return std::vector<std::string>{column.shown, column.id};
    });
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      if (const int given = std::max(options.seeds, options.runs); given > 0 && asked_columns_[k]) {
        columns_[k].protocol.runs = given;
      }
    }
    for (std::size_t k = 0; k < table_.sets.size(); ++k) {
      if (asked_sets_[k]) data_.push_back(read_paper_data(options.data, options.table, table_.sets[k]));
    }
  }

  void run() {
    make_folder(options_.out);
    const std::string stem = options_.out + '/' + options_.table + (options_.quick ? "_quick" : "");
    for (const char* ending : {".md", ".csv", ".json"}) check_writable(stem + ending);
    PaperJournal journal(stem + ".journal", options_.table, options_.running.seed, options_.quick);
    add_known(journal);
    Progress progress(!options_.json && !options_.quiet);
    PaperWork work(stem, options_.running.seed, options_.running.threads, options_.running.memory, journal,
                   progress);
    for (const PaperTask& task : tasks_) work.expect(task);
    const InterruptGuard guard;
    for (const PaperTask& task : tasks_) {
      if (stop_asked()) break;
      work.run(task);
      write(stem, journal);
    }
    write(stem, journal);
    progress.clear();
    tell(stem, journal, work);
  }

 private:
  /// Tasks in the order of columns: a whole column first, slow ones last. What the journal knows of other
  /// sets and columns is shown too, where the data are still there.
  void add_known(const PaperJournal& journal) {
    const auto known = [&](const std::string& set, const PaperColumn* column) {
      return std::any_of(journal.records().begin(), journal.records().end(), [&](const PaperRecord& record) {
        return record.set == set && (column == nullptr || record.column == column->id);
      });
    };
    shown_sets_ = asked_sets_;
    for (std::size_t k = 0; k < table_.sets.size(); ++k) {
      if (asked_sets_[k] || !known(table_.sets[k].name, nullptr)) continue;
      try {
        data_.push_back(read_paper_data(options_.data, options_.table, table_.sets[k]));
        shown_sets_[k] = true;
      } catch (const InvalidInput&) {  // not asked for, and not there
      }
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      for (const PaperData& data : data_) {
        const bool asked = asked_columns_[c] && is_asked(data.set.name);
        if (!asked && !known(data.set.name, &columns_[c])) continue;
        (asked ? tasks_ : others_).push_back(paper_task(data, columns_[c], options_.running.seed));
      }
    }
  }

  [[nodiscard]] bool is_asked(const std::string& set) const {
    for (std::size_t k = 0; k < table_.sets.size(); ++k) {
      if (table_.sets[k].name == set) return asked_sets_[k];
    }
    return false;
  }

  [[nodiscard]] PaperReport report(const PaperJournal& journal) const {
    PaperReport report;
    report.table = table_;
    report.table.sets.clear();
    for (std::size_t k = 0; k < table_.sets.size(); ++k) {
      if (shown_sets_[k]) report.table.sets.push_back(table_.sets[k]);
    }
    for (const auto* list : {&tasks_, &others_}) {
      for (const PaperTask& task : *list) report.cells.push_back(paper_cell(task, journal));
    }
    std::stable_sort(report.cells.begin(), report.cells.end(),
                     [](const PaperCell& a, const PaperCell& b) { return a.column < b.column; });
    for (const PaperColumn& column : columns_) {
      int known = 0;  // runs of its cells at the most; more than were asked for, perhaps
      bool some = false;
      for (const PaperCell& cell : report.cells) {
        if (cell.column != &column) continue;
        some = true;
        known = std::max(known, cell.spread.runs);
      }
      if (!some) continue;
      report.columns.push_back(column);
      report.columns.back().protocol.runs = std::max(column.protocol.runs, known);
    }
    report.command = command_text(options_);
    report.seed = options_.running.seed;
    report.quick = options_.quick;
    return report;
  }

  void write(const std::string& stem, const PaperJournal& journal) const {
    const PaperReport known = report(journal);
    write_file(stem + ".md", paper_markdown(known));
    write_file(stem + ".csv", paper_csv(known));
    write_file(stem + ".json", paper_json(known).dump(2) + '\n');
  }

  /// Records of sets and columns that are shown, but of other data or settings.
  [[nodiscard]] std::int64_t stale(const PaperJournal& journal) const {
    return std::count_if(journal.records().begin(), journal.records().end(), [&](const PaperRecord& record) {
      for (const auto* list : {&tasks_, &others_}) {
        for (const PaperTask& task : *list) {
          if (task.data->set.name == record.set && task.column->id == record.column)
            return task.of != record.of;
        }
      }
      return false;
    });
  }

  void tell(const std::string& stem, const PaperJournal& journal, const PaperWork& work) const {
    const double rate = static_cast<double>(work.trainings()) / std::max(work.seconds(), 1e-9);
    const bool stopped = stop_asked();
    if (options_.json) {
      nlohmann::ordered_json json = paper_json(report(journal));
      json["this_run"] = {{"trainings", work.trainings()},
                          {"seconds", work.seconds()},
                          {"trainings_per_second", rate},
                          {"finished", !stopped},
                          {"records_of_other_settings", stale(journal)}};
      print(json.dump(2) + '\n');
    } else if (!options_.quiet) {
      std::string text = paper_text(report(journal)) + '\n';
      if (const std::int64_t old = stale(journal); old > 0) {
        text += "note: " + counted(old, "record") + " of the journal not used: of other data or settings\n";
      }
      if (stopped) text += "note: stopped before the end; the same command goes on\n";
      text += counted(work.trainings(), "training") + " in " + describe_seconds(work.seconds()) + ", " +
              significant(rate, 3) + " a second\nwritten to " + stem + ".md, .csv, .json\n";
      print(text);
    }
  }

  const PaperOptions& options_;
  PaperTable table_;
  std::vector<PaperColumn> columns_;
  std::vector<bool> asked_sets_;
  std::vector<bool> asked_columns_;
  std::vector<bool> shown_sets_;
  std::vector<PaperData> data_;
  std::vector<PaperTask> tasks_;   // to be done
  std::vector<PaperTask> others_;  // only shown
};

void paper(const PaperOptions& options) {
  if (options.seeds > 0 && options.table == "table2") {
    throw InvalidInput("--seeds: table2 is run by cross-validation; give --runs");
  }
  if (options.runs > 0 && options.table == "table1") {
    throw InvalidInput("--runs: table1 is run with several seeds; give --seeds");
  }
  Paper(options).run();
}

}  // namespace

Command paper_command(CLI::App& app) {
  const auto options = std::make_shared<PaperOptions>();
  options->running.memory = default_memory();
  CLI::App* sub = app.add_subcommand(
      "paper", "Run the experiments of the paper's tables again, and show its figures beside ours.");
  const auto set_table = [options](const std::string& text) {
    if (text != "table1" && text != "table2") fail_value("TABLE", "table1 or table2", text);
    options->table = text;
  };
  sub->add_option_function<std::string>("TABLE", set_table, "table1 (time series) or table2 (bags)")
      ->required();
  sub->add_option("--data", options->data,
                  "folder with ucr/NAME/NAME_TRAIN.tsv and NAME_TEST.tsv (table1), mil/NAME.csv (table2)")
      ->required()
      ->type_name("DIR");
  sub->add_option("--out", options->out,
                  "folder for the table as .md, .csv and .json, and for the journal from which it goes on")
      ->required()
      ->type_name("DIR");
  sub->add_option("--sets", options->sets, "data sets, separated by commas (default all)")->type_name("LIST");
  sub->add_option("--columns", options->columns,
                  "columns: of table1 text, code, default, tuned; of table2 sparse, ball, code, default, "
                  "mi-svm, MI-svm, or one kernel of these, as mi-svm-linear (default all)")
      ->type_name("LIST");
  add_count(*sub, "--seeds", options->seeds, 1,
            "table1: trainings of each choice that was made (default 10, of tuned 5)");
  add_count(*sub, "--runs", options->runs, 1, "table2: repetitions of the cross-validation (default 10)");
  sub->add_flag("--whole-grid", options->whole_grid,
                "let the reproduction choose among all values that the paper names; without it among fewer, "
                "which the table names");
  sub->add_flag("--quick", options->quick, "a minute's look at whether everything works");
  sub->add_flag("--json", options->json, "print one JSON object");
  sub->add_flag("--quiet", options->quiet, "print nothing");
  add_settings(*sub, options->running, {"--seed", "--threads", "--memory"});
  sub->footer(
      "On two cores table 1 takes less than an hour, table 2 one and a half, its machines hours more.\n"
      "Killed at any moment, the same command goes on; Ctrl-C ends it with the tables of what is known.\n"
      "Sets, columns, seeds and runs can be added later.\n\n"
      "Example:\n  shapeboost paper table1 --data data --out results --columns text,default");
  return {sub, [options] { paper(*options); }};
}

}  // namespace shapeboost::cli
