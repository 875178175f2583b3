// SPDX-License-Identifier: MIT
// What the benchmarks share: main(), a clock, and measures of a trained model.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"
#include "train/trainer.hpp"

namespace shapeboost::bench {

/// What a benchmark found.
struct Findings {
  nlohmann::json results = nlohmann::json::array();  ///< raw numbers, one entry for each row of the table
  int faults = 0;                                    ///< wrong answers
};

/// The benchmark, defined in a source of its own: prints its table and checks the answers. main() writes
/// {"context": machine, compiler and version, "results": results} to the file named by the argument
/// --benchmark_out=FILE, if there is one, and exits with 1 if there was a fault.
[[nodiscard]] Findings run(const std::vector<std::string>& arguments);

/// Measures the processor time of this process. All benchmarks use one thread, so on an idle machine this is
/// the elapsed time, and on a busy one it is still the cost.
class Stopwatch {
 public:
  Stopwatch();
  /// Since it was constructed.
  [[nodiscard]] double seconds() const;

 private:
  double begin_;
};

/// The median of an odd number of measurements.
[[nodiscard]] double median(std::vector<double> values);

/// Slope of log y over log x by least squares: the exponent of y ~ x^slope.
[[nodiscard]] double log_slope(const std::vector<double>& x, const std::vector<double>& y);

/// Share of the labels in `data` that the model predicts.
[[nodiscard]] double test_accuracy(const Model& model, const Dataset& data);

/// rho - 1/(nu m) sum_i xi_i of the model on its training data, computed from its scores alone.
[[nodiscard]] double soft_margin(const Model& model, const Dataset& data);

}  // namespace shapeboost::bench
