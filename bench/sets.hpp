// SPDX-License-Identifier: MIT
// What the benchmarks share: main(), the paper's eleven data sets, a clock, and where raw numbers go.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"
#include "train/trainer.hpp"

namespace shapeboost::bench {

/// The benchmark, a source each: prints its table and checks the answers. 1 where one is wrong.
int run(int argc, char** argv);

struct PaperSet {
  std::string name;
  double paper_accuracy = 0.0;  ///< on the test set, as the paper reports it
  bool generated = false;       ///< a stand-in of the same size: the file is not here
  Dataset train{DataKind::series};
  Dataset test{DataKind::series};
};

/// The files are looked for in ucr/ of the folder SHAPEBOOST_DATA names, else of ../shared/data beside the
/// sources. A set that is not there is generated: planted patterns, the same number of series and moments.
[[nodiscard]] std::vector<PaperSet> paper_sets();

/// Processor seconds of this process so far. Everything measured runs on one thread, so on an idle machine
/// this is the time on the wall, and on a busy one it is still the cost.
[[nodiscard]] double cpu_seconds();

/// The middle of an odd number of measurements.
[[nodiscard]] double median(std::vector<double> values);

/// Slope of log y over log x by least squares: the exponent of y ~ x^slope.
[[nodiscard]] double log_slope(const std::vector<double>& x, const std::vector<double>& y);

/// Share of the labels in `data` that the model predicts.
[[nodiscard]] double test_accuracy(const Model& model, const Dataset& data);

/// rho - 1/(nu m) sum_i xi_i of the model on its training data, from nothing but its scores.
[[nodiscard]] double soft_margin(const Model& model, const Dataset& data);

/// Writes {"context": machine, compiler and version, "results": results} to the file that the argument
/// --benchmark_out=FILE names; without one, nowhere.
void write_results(int argc, char** argv, const nlohmann::json& results);

}  // namespace shapeboost::bench
