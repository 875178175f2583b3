// SPDX-License-Identifier: MIT
#include "paper_output.hpp"

#include <algorithm>
#include <cmath>

#include "output.hpp"
#include "shapeboost/version.hpp"

namespace shapeboost::cli {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

constexpr int kDecimals = 3;

/// The cell that stands in the table: of several under a heading the one with the best mean.
struct Shown {
  const PaperCell* cell = nullptr;
  int run = 0;  // cells under the heading that have a run
};

Shown shown(const PaperReport& report, const std::string& set, const std::string& heading) {
  Shown best;
  for (const PaperCell& cell : report.cells) {
    if (cell.set != set || cell.column->shown != heading || cell.spread.runs == 0) continue;
    ++best.run;
    if (best.cell == nullptr || cell.spread.mean > best.cell->spread.mean) best.cell = &cell;
  }
  return best;
}

struct Heading {
  std::string name;
  std::string figure;  // of the paper that it reproduces
  bool seconds;
};

std::vector<Heading> headings(const PaperReport& report) {
  std::vector<Heading> list;
  for (const PaperColumn& column : report.columns) {
    if (!list.empty() && list.back().name == column.shown) continue;
    list.push_back({column.shown, column.figure, column.seconds});
  }
  return list;
}

std::string accuracy_text(double mean, double sd) {
  return fixed(mean, kDecimals) + (std::isnan(sd) ? "" : " ± " + fixed(sd, kDecimals));
}

/// How many columns there are under a heading, run or not.
std::ptrdiff_t variants(const PaperReport& report, const std::string& heading) {
  const std::vector<PaperColumn> all = paper_columns(report.table.name);
  return std::count_if(all.begin(), all.end(),
                       [&](const PaperColumn& column) { return column.shown == heading; });
}

std::string cell_text(const PaperReport& report, const Shown& shown) {
  if (shown.cell == nullptr) return "";
  const PaperCell& cell = *shown.cell;
  std::string text = cell.spread.runs > 1 ? accuracy_text(cell.spread.mean, cell.spread.sd)
                                          : fixed(cell.spread.mean, kDecimals);
  if (!cell.column->variant.empty()) {
    text += " (" + cell.column->variant;
    if (const std::ptrdiff_t all = variants(report, cell.column->shown); shown.run < all) {
      text += ", " + std::to_string(shown.run) + " of " + std::to_string(all) + " kernels";
    }
    text += ")";
  }
  if (cell.spread.runs < cell.column->protocol.runs) {
    text += " (" + std::to_string(cell.spread.runs) + " of " +
            counted(cell.column->protocol.runs, cell.column->protocol.nested ? "run" : "seed") + ")";
  }
  return text;
}

/// The mean of a column, or nothing where a row lacks it.
class Mean {
 public:
  void add(double value) {
    sum_ += value;
    ++count_;
  }
  void add(const Shown& shown) {
    if (shown.cell != nullptr) add(shown.cell->spread.mean);
  }
  [[nodiscard]] std::string text(std::size_t rows, int decimals) const {
    return rows > 0 && count_ == rows ? fixed(sum_ / static_cast<double>(count_), decimals) : "";
  }

 private:
  double sum_ = 0.0;
  std::size_t count_ = 0;
};

/// The table with its header, and the means in the last row.
Rows table_rows(const PaperReport& report) {
  const auto seconds_text = [](double seconds) { return fixed(seconds, seconds < 10.0 ? 2 : 1); };
  const auto& sets = report.table.sets;
  const std::vector<Heading> ours = headings(report);
  const bool paper_seconds = !sets.empty() && !std::isnan(sets.front().seconds);
  Rows rows(sets.size() + 2);
  rows.front() = {"data"};
  rows.back() = {"mean"};
  for (std::size_t k = 0; k < sets.size(); ++k) rows[k + 1] = {sets[k].name};
  for (const auto& [key, heading] : report.table.figures) {
    Mean mean;
    rows.front().push_back(heading);
    for (std::size_t k = 0; k < sets.size(); ++k) {
      const Figure& figure = sets[k].figures.at(key);
      rows[k + 1].push_back(accuracy_text(figure.mean, figure.sd));
      mean.add(figure.mean);
    }
    rows.back().push_back(mean.text(sets.size(), kDecimals));
  }
  for (const Heading& heading : ours) {
    Mean mean;
    rows.front().push_back(heading.name);
    for (std::size_t k = 0; k < sets.size(); ++k) {
      const Shown best = shown(report, sets[k].name, heading.name);
      rows[k + 1].push_back(cell_text(report, best));
      mean.add(best);
    }
    rows.back().push_back(mean.text(sets.size(), kDecimals));
  }
  if (paper_seconds) {
    Mean mean;
    rows.front().emplace_back("the paper, s");
    for (std::size_t k = 0; k < sets.size(); ++k) {
      rows[k + 1].push_back(fixed(sets[k].seconds, 1));
      mean.add(sets[k].seconds);
    }
    rows.back().push_back(mean.text(sets.size(), 1));
  }
  for (const Heading& heading : ours) {
    if (!heading.seconds) continue;
    Mean mean;
    rows.front().push_back(heading.name + ", s");
    for (std::size_t k = 0; k < sets.size(); ++k) {
      const Shown best = shown(report, sets[k].name, heading.name);
      rows[k + 1].push_back(best.cell == nullptr ? "" : seconds_text(best.cell->seconds));
      if (best.cell != nullptr) mean.add(best.cell->seconds);
    }
    rows.back().push_back(mean.text(sets.size(), 2));
  }
  return rows;
}

/// Where a reproduced figure is more than two of the paper's standard deviations off, a sentence each.
std::vector<std::string> differences(const PaperReport& report) {
  std::vector<std::string> sentences;
  for (const PaperSet& set : report.table.sets) {
    for (const Heading& heading : headings(report)) {
      const Shown best = shown(report, set.name, heading.name);
      if (heading.figure.empty() || best.cell == nullptr) continue;
      const Figure& figure = set.figures.at(heading.figure);
      const double mean = best.cell->spread.mean;
      if (!differs(mean, figure)) continue;
      const double off = mean - figure.mean;
      sentences.push_back(set.name + ", " + heading.name + ": " + cell_text(report, best) +
                          " against the paper's " + accuracy_text(figure.mean, figure.sd) + ", " +
                          (off > 0.0 ? "+" : "-") + fixed(std::abs(off), kDecimals) +
                          (figure.sd > 0.0 ? ", " + fixed(std::abs(off) / figure.sd, 1) + " of its deviations"
                                           : ", whose deviation is 0"));
    }
  }
  return sentences;
}

std::string differences_title(const PaperReport& report) {
  const std::vector<Heading> list = headings(report);
  const bool any = std::any_of(list.begin(), list.end(), [&](const Heading& heading) {
    return !heading.figure.empty() &&
           std::any_of(report.table.sets.begin(), report.table.sets.end(), [&](const PaperSet& set) {
             return shown(report, set.name, heading.name).cell != nullptr;
           });
  });
  if (!any) return "Nothing of the paper has been reproduced yet.";
  return differences(report).empty()
             ? "No reproduced figure differs from the paper's by more than two of its standard deviations."
             : "More than two of the paper's standard deviations (and its rounding, 0.0005) off:";
}

/// The paper says that sparse weak learning beat the ball on every set; empty where one of them is missing.
std::string sparse_and_ball(const PaperReport& report) {
  int both = 0;
  int better = 0;
  for (const PaperSet& set : report.table.sets) {
    const Shown sparse = shown(report, set.name, "sparse");
    const Shown ball = shown(report, set.name, "ball");
    if (sparse.cell == nullptr || ball.cell == nullptr) continue;
    ++both;
    better += sparse.cell->spread.mean > ball.cell->spread.mean ? 1 : 0;
  }
  if (both == 0) return "";
  return "The paper says that sparse weak learning beat the ball on every set; here it does on " +
         std::to_string(better) + " of " + std::to_string(both) + ".";
}

std::vector<std::string> machines(const PaperReport& report) {
  std::vector<std::string> names;
  for (const PaperCell& cell : report.cells) {
    for (const std::string& name : cell.machines) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::int64_t trainings(const PaperReport& report) {
  std::int64_t sum = 0;
  for (const PaperCell& cell : report.cells) sum += cell.trainings;
  return sum;
}

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

std::string protocol_text(const PaperColumn& column) {
  const Protocol& protocol = column.protocol;
  if (!protocol.nested) return counted(protocol.runs, "seed");
  return counted(protocol.runs, "run") + " of " + std::to_string(protocol.folds) + "-fold cross-validation";
}

std::string quick_warning(const PaperReport& report) {
  return report.quick ? "QUICK: a look at whether everything works, with few sets, choices, folds and runs. "
                        "These are not the paper's tables."
                      : "";
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

Json number_or_null(double value) { return std::isnan(value) ? Json(nullptr) : Json(value); }

}  // namespace

std::string paper_text(const PaperReport& report) {
  const Rows rows = table_rows(report);
  std::string text = report.quick ? quick_warning(report) + "\n\n" : "";
  text += aligned(rows, "l" + std::string(rows.front().size() - 1, 'r'));
  text += '\n' + differences_title(report) + '\n';
  for (const std::string& sentence : differences(report)) text += "  " + sentence + '\n';
  if (const std::string note = sparse_and_ball(report); !note.empty()) text += note + '\n';
  return text;
}

std::string paper_markdown(const PaperReport& report) {
  const std::string number = report.table.name.substr(report.table.name.size() - 1);
  const bool nested = report.table.name == "table2";
  std::string text = "# The paper's Table " + number + (report.quick ? " (quick)" : "") + "\n\n";
  if (report.quick) text += "**" + quick_warning(report) + "**\n\n";
  text += "Figures of the paper: " + paper_source() + ", " + report.table.from + ".\n\n";
  text += std::string("Accuracies are means over ") +
          (nested ? "runs of cross-validation, each of all its folds together; settings are chosen by "
                    "cross-validation inside each fold's training part. "
                  : "seeds, which move k-means and random views; settings are chosen once, on the training "
                    "part, and tested on the test part. ") +
          "Behind ± stands the standard deviation" +
          (nested ? ". Of the machines' kernels the one with the best mean is shown, as in the paper; it was "
                    "not chosen inside the folds.\n\n"
                  : "; seconds (s) are of one training with the chosen settings, in the mean over the "
                    "seeds.\n\n");
  const Rows rows = table_rows(report);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    text += "| " + joined(rows[k], " | ") + " |\n";
    if (k > 0) continue;
    text += '|';
    for (std::size_t c = 0; c < rows[k].size(); ++c) text += "---|";
    text += '\n';
  }
  text += "\n## Where the reproduction differs\n\n" + differences_title(report) + "\n\n";
  for (const std::string& sentence : differences(report)) text += "- " + sentence + '\n';
  if (!differences(report).empty()) text += '\n';
  if (const std::string note = sparse_and_ball(report); !note.empty()) text += note + "\n\n";
  text += "## Our columns\n\n";
  for (const PaperColumn& column : report.columns) {
    text += "- `" + column.id + "`: " + column.meaning + "; " + protocol_text(column) + ".\n";
  }
  text += "\n## The run\n\n- `" + report.command + "`\n- shapeboost " + std::string(kVersion) + ", seed " +
          std::to_string(report.seed) + '\n';
  for (const std::string& machine : machines(report)) text += "- " + machine + '\n';
  return text + "- " + counted(trainings(report), "training") + '\n';
}

std::string paper_csv(const PaperReport& report) {
  std::string text = "set,column,mean,sd,runs,asked,seconds,trainings,chosen,seed,version,machine,quick\n";
  const auto number = [](double value) { return std::isnan(value) ? std::string() : shortest(value); };
  const std::string quick = report.quick ? ",yes\n" : ",no\n";
  for (const PaperSet& set : report.table.sets) {
    for (const auto& [key, heading] : report.table.figures) {
      const Figure& figure = set.figures.at(key);
      text += csv_field(set.name) + ",paper:" + key + ',' + number(figure.mean) + ',' + number(figure.sd) +
              ",,," + (key == "ours" ? number(set.seconds) : "") + ",,,,," + quick;
    }
    for (const PaperCell& cell : report.cells) {
      if (cell.set != set.name || cell.spread.runs == 0) continue;
      text += csv_field(set.name) + ',' + cell.column->id + ',' + number(cell.spread.mean) + ',' +
              number(cell.spread.sd) + ',' + std::to_string(cell.spread.runs) + ',' +
              std::to_string(cell.column->protocol.runs) + ',' + number(cell.seconds) + ',' +
              std::to_string(cell.trainings) + ',' + csv_field(cell.chosen) + ',' +
              std::to_string(report.seed) + ',' + std::string(kVersion) + ',' +
              csv_field(joined(cell.machines, "; ")) + quick;
    }
  }
  return text;
}

Json paper_json(const PaperReport& report) {
  Json columns = Json::array();
  for (const PaperColumn& column : report.columns) {
    const Protocol& protocol = column.protocol;
    Json entry{{"id", column.id}, {"shown", column.shown}, {"meaning", column.meaning}};
    if (!column.variant.empty()) entry["variant"] = column.variant;
    if (!column.figure.empty()) entry["reproduces"] = column.figure;
    entry["runs"] = protocol.runs;
    if (protocol.nested) entry["folds"] = protocol.folds;
    entry.update({{"inner_folds", protocol.inner_folds}, {"repeats", protocol.repeats}});
    columns.push_back(std::move(entry));
  }
  Json sets = Json::array();
  for (const PaperSet& set : report.table.sets) {
    Json paper = Json::object();
    for (const auto& [key, heading] : report.table.figures) {
      const Figure& figure = set.figures.at(key);
      paper[key] = {{"mean", figure.mean}, {"sd", number_or_null(figure.sd)}};
    }
    if (!std::isnan(set.seconds)) paper["seconds"] = set.seconds;
    Json cells = Json::array();
    for (const PaperCell& cell : report.cells) {
      if (cell.set != set.name || cell.spread.runs == 0) continue;
      const PaperColumn& column = *cell.column;
      Json entry{{"column", column.id},        {"mean", cell.spread.mean},      {"sd", cell.spread.sd},
                 {"runs", cell.spread.runs},   {"asked", column.protocol.runs}, {"seconds", cell.seconds},
                 {"trainings", cell.trainings}};
      if (!cell.chosen.empty()) entry["chosen"] = cell.chosen;
      entry["shown"] = shown(report, set.name, column.shown).cell == &cell;
      if (!column.figure.empty()) entry["differs"] = differs(cell.spread.mean, set.figures.at(column.figure));
      cells.push_back(std::move(entry));
    }
    sets.push_back({{"name", set.name}, {"paper", std::move(paper)}, {"cells", std::move(cells)}});
  }
  return {
      {"table", report.table.name},    {"quick", report.quick},        {"source", paper_source()},
      {"from", report.table.from},     {"command", report.command},    {"version", kVersion},
      {"seed", report.seed},           {"machines", machines(report)}, {"trainings", trainings(report)},
      {"columns", std::move(columns)}, {"sets", std::move(sets)},      {"differences", differences(report)}};
}

}  // namespace shapeboost::cli
