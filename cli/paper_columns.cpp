// SPDX-License-Identifier: MIT
#include "paper_columns.hpp"

#include <algorithm>
#include <cmath>

#include "output.hpp"
#include "select/grid.hpp"
#include "train/plan.hpp"

namespace shapeboost::cli {
namespace {

using Choices = std::vector<Choice>;

/// What both tables have in common: one model on raw windows or instances, positive bags hold the pattern.
TrainSettings reproduction() {
  TrainSettings settings;
  settings.members = 1;
  settings.views = ViewChoice::parse("grid");
  settings.normalisations = {Normalisation::raw};
  settings.boosting.one_sided = true;
  return settings;
}

/// By the paper's text: no offset, 100 centres of k-means in all, half of them of each class.
TrainSettings by_text() {
  TrainSettings settings = reproduction();
  settings.boosting.offset = false;
  settings.candidates = Candidates::parse("kmeans:50");
  return settings;
}

/// As the authors' published program does it: -h enters beside every +h that was found, the weights are
/// solved anew at the end with an offset, and each class has 100 centres.
TrainSettings by_code() {
  TrainSettings settings = reproduction();
  settings.boosting.mirrored = true;
  settings.boosting.offset = true;
  settings.boosting.offset_last = true;
  settings.candidates = Candidates::parse("kmeans:100");
  return settings;
}

std::string listed(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + shortest(value);
  return text;
}

/// What is chosen among.
struct Grid {
  std::vector<double> lengths;  // as shares of the series
  std::vector<double> nus;
  std::vector<double> sigmas;

  [[nodiscard]] std::string text() const {
    return (lengths.empty() ? "" : "one length of " + listed(lengths) + " of the series; ") + "nu " +
           listed(nus) + "; sigma " + listed(sigmas);
  }
};

/// Where `whole` the paper's grid, else every second or so of its values: the whole takes hours.
Grid series_values(bool whole) {
  if (!whole) return {{0.1, 0.2, 0.3, 0.4}, {0.1, 0.2}, {0.005, 0.01, 0.02, 0.05, 0.1}};
  Grid grid{{}, {0.1, 0.2}, {}};
  for (int k = 2; k <= 8; ++k) grid.lengths.push_back(k / 20.0);
  for (int k = 1; k <= 20; ++k) grid.sigmas.push_back(k / 200.0);  // sums of 0.005 would drift
  return grid;
}
Grid bags_values(bool whole) {
  if (!whole) return {{}, {0.5, 0.2, 0.1}, {0.005, 0.01, 0.05, 0.5}};
  return {{}, {0.5, 0.3, 0.2, 0.15, 0.1}, {0.005, 0.01, 0.05, 0.1, 0.5, 1.0}};
}

/// The grid of table 1. `by_length`: sigma is divided by the number of a window's values.
Choices series_grid(const TrainSettings& base, const Grid& grid, const Dataset& data, bool by_length) {
  Choices choices;
  for (const double length : grid.lengths) {
    TrainSettings settings = base;
    settings.lengths = {length};
    const auto values = static_cast<double>(plan(data, settings).members.front().front().view.length);
    for (const double nu : grid.nus) {
      for (const double sigma : grid.sigmas) {
        settings.boosting.nu = nu;
        settings.kernel.sigma = by_length ? sigma / values : sigma;
        choices.push_back({"length " + shortest(length) + ", nu " + shortest(nu) + ", sigma " +
                               shortest(sigma) + (by_length ? " / length" : ""),
                           settings});
      }
    }
  }
  return choices;
}

/// The grid of table 2.
Choices bags_grid(const TrainSettings& base, const Grid& grid) {
  Choices choices;
  for (const double nu : grid.nus) {
    for (const double sigma : grid.sigmas) {
      TrainSettings settings = base;
      settings.boosting.nu = nu;
      settings.kernel.sigma = sigma;
      choices.push_back({"nu " + shortest(nu) + ", sigma " + shortest(sigma), settings});
    }
  }
  return choices;
}

/// Every kernel of `kernels`, each with its name, and every C.
Choices machine_grid(Method method, const std::vector<std::pair<std::string, KernelSettings>>& kernels,
                     const std::vector<double>& costs) {
  Choices choices;
  for (const auto& [name, kernel] : kernels) {
    for (const double C : costs) {
      TrainSettings settings;
      settings.method = method;
      settings.kernel = kernel;
      settings.baseline.C = C;
      choices.push_back({name + "C " + shortest(C), settings});
    }
  }
  return choices;
}

/// The three kernels of one machine, a column each. Where `whole` the paper's grid.
std::vector<PaperColumn> machine_columns(Method method, const std::string& figure, const Protocol& protocol,
                                         bool whole) {
  const std::vector<double> degrees = whole ? std::vector{2.0, 3.0, 4.0, 5.0} : std::vector{2.0, 3.0};
  const std::vector<double> sigmas =
      whole ? std::vector{0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0} : std::vector{0.005, 0.01, 0.05, 0.5};
  const std::vector<double> costs =
      whole ? std::vector{1.0, 10.0, 100.0, 1000.0, 10000.0} : std::vector{1.0, 10.0, 100.0};
  std::vector<std::pair<std::string, KernelSettings>> polynomial;
  polynomial.reserve(degrees.size());
  for (const double p : degrees) {
    polynomial.push_back(
        {"degree " + shortest(p) + ", ", {.kind = KernelKind::polynomial, .p = static_cast<int>(p)}});
  }
  std::vector<std::pair<std::string, KernelSettings>> gaussian;
  gaussian.reserve(sigmas.size());
  for (const double sigma : sigmas) {
    gaussian.push_back({"sigma " + shortest(sigma) + ", ", {KernelKind::gaussian, sigma}});
  }
  const std::string name(to_string(method));
  std::vector<PaperColumn> columns;
  const auto add = [&](const std::string& kernel, const auto& kernels, const std::string& grid,
                       const std::vector<double>& own_costs) {
    columns.push_back({name + "-" + kernel, name, kernel,
                       figure + " with the " + kernel + " kernel: " + grid + "C " + listed(own_costs), figure,
                       false, protocol, [method, kernels, own_costs](const Dataset&) {
                         return machine_grid(method, kernels, own_costs);
                       }});
  };
  using Kernels = std::vector<std::pair<std::string, KernelSettings>>;
  // Where a linear machine cannot tell instances apart and slack is dear, libsvm gives up after 10^7 steps.
  add("linear", Kernels{{"", {KernelKind::linear}}}, "", whole ? costs : std::vector{1.0, 10.0});
  add("polynomial", polynomial, "degree " + listed(degrees) + "; ", costs);
  add("gaussian", gaussian, "sigma " + listed(sigmas) + "; ", costs);
  return columns;
}

Choices default_choice(const Dataset&) { return {{"defaults", TrainSettings{}}}; }

/// What `tune` searches where nothing is said.
Choices tune_choices(const Dataset& data) {
  const TrainSettings settings;
  return expand_grid(default_grid({}, data, settings), settings, {}, data.kind());
}

std::vector<PaperColumn> table1_columns(bool whole) {
  Protocol five_times;  // five runs of 5-fold cross-validation
  five_times.repeats = 5;
  Protocol tuned;
  tuned.runs = 5;
  const Grid values = series_values(whole);
  const std::string grid = values.text() +
                           " chosen by five runs of 5-fold cross-validation on the training part; sparse, "
                           "one-sided, the larger label positive";
  return {
      {"text", "text", "",
       "the reproduction by the paper's text: " + grid + "; no offset, 50 centres of k-means a class", "ours",
       true, five_times,
       [values](const Dataset& data) { return series_grid(by_text(), values, data, false); }},
      {"code", "code", "",
       "the reproduction by the authors' program: the same choices, but -h enters beside every +h, the "
       "weights are solved anew at the end with an offset, 100 centres a class, sigma divided by the "
       "window's length",
       "ours", false, five_times,
       [values](const Dataset& data) { return series_grid(by_code(), values, data, true); }},
      {"default", "default", "", "`shapeboost fit` with no options: nothing is chosen on the data", "", true,
       Protocol{}, default_choice},
      {"tuned", "tuned", "", "`shapeboost tune` with no options: its default grid, 5-fold cross-validation",
       "", false, tuned, tune_choices},
  };
}

std::vector<PaperColumn> table2_columns(bool whole) {
  Protocol nested;
  nested.nested = true;
  const Grid values = bags_values(whole);
  const std::string grid = values.text();
  std::vector<PaperColumn> columns{
      {"sparse", "sparse", "",
       "the reproduction by the paper's text: " + grid +
           "; one-sided, no offset, 50 centres of k-means a class",
       "ours", false, nested, [values](const Dataset&) { return bags_grid(by_text(), values); }},
      {"ball", "ball", "",
       "the same over the ball of all patterns (OP 1), of which the paper says only that it was worse", "",
       false, nested,
       [values](const Dataset&) {
         TrainSettings settings = by_text();
         settings.boosting.weak = Weak::ball;
         return bags_grid(settings, values);
       }},
      {"code", "code", "",
       "the reproduction by the authors' program: the same choices, but -h enters beside every +h, the "
       "weights are solved anew at the end with an offset, 100 centres a class",
       "ours", false, nested, [values](const Dataset&) { return bags_grid(by_code(), values); }},
      {"default", "default", "",
       "`shapeboost fit` with no options: nothing is chosen in a fold (what the defaults for bags are was "
       "settled by cross-validation on musk1, elephant, fox and tiger, among others)",
       "", false, nested, default_choice},
  };
  for (const auto& [method, figure] :
       {std::pair(Method::mi_svm, "mi-SVM"), std::pair(Method::MI_svm, "MI-SVM")}) {
    const std::vector<PaperColumn> machines = machine_columns(method, figure, nested, whole);
    columns.insert(columns.end(), machines.begin(), machines.end());
  }
  return columns;
}

/// At most so many, evenly spread.
Choices thinned(const Choices& choices, std::size_t most) {
  if (choices.size() <= most) return choices;
  Choices kept;
  for (std::size_t k = 0; k < most; ++k) kept.push_back(choices[(2 * k + 1) * choices.size() / (2 * most)]);
  return kept;
}

}  // namespace

std::vector<PaperColumn> paper_columns(const std::string& table, bool whole_grid) {
  return table == "table1" ? table1_columns(whole_grid) : table2_columns(whole_grid);
}

std::string quick_sets(const std::string& table) {
  return table == "table1" ? "Coffee,ItalyPowerDemand" : "musk1";
}

std::vector<PaperColumn> quick_columns(std::vector<PaperColumn> columns) {
  constexpr std::size_t kChoices = 3;
  for (PaperColumn& column : columns) {
    Protocol& protocol = column.protocol;
    protocol.runs = protocol.nested ? 1 : 2;
    protocol.folds = 3;
    protocol.inner_folds = 2;
    protocol.repeats = 1;
    column.choices = [all = column.choices](const Dataset& data) { return thinned(all(data), kChoices); };
  }
  return columns;
}

}  // namespace shapeboost::cli
