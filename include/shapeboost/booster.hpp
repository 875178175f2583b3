// SPDX-License-Identifier: MIT
// LPBoost over shapelets (Algorithm 1 of the paper), with the cheap questions asked first: single instances
// priced from a table while they still beat gamma, and only then the DC algorithm.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/oracle.hpp"

namespace shapeboost {

enum class Weak {
  sparse,  ///< ||alpha||_1 <= 1 (OP 2)
  ball,    ///< ||u|| <= 1 (OP 1)
};

[[nodiscard]] std::string_view to_string(Weak weak);
[[nodiscard]] Weak parse_weak(std::string_view text);

struct BoosterSettings {
  /// Window lengths of series: a fraction of the shortest series up to 1, or a whole number of moments above.
  std::vector<double> lengths{0.1, 0.2, 0.3, 0.4};
  std::vector<Normalisation> normalisations{Normalisation::raw};
  KernelKind kernel = KernelKind::gaussian;
  double sigma = 0.0;        ///< gaussian, absolute; 0: sigma_scale / median squared distance of the view
  double sigma_scale = 0.0;  ///< 0: 2 for series, 1 for bags
  double c = 1.0;            ///< polynomial
  int degree = 2;            ///< polynomial
  bool standardise = true;   ///< bags: features to mean 0 and deviation 1 over the training instances
  Weak weak = Weak::sparse;
  Candidates candidates;
  bool one_sided = false;  ///< only +h: positive bags hold the pattern
  double nu = 0.2;
  bool offset = true;
  double gap = 0.01;  ///< stop when no hypothesis beats gamma by more than this share
  /// Stop when so many refined rounds together raise gamma by less than the gap; 0: never. The tail of column
  /// generation is long: every new hypothesis beats gamma and none moves it.
  int stall_rounds = 3;
  int max_rounds = 1000;
  std::uint64_t seed = 1;
  int threads = 0;                              ///< 0: one for each hardware thread
  std::int64_t memory = std::int64_t{1} << 30;  ///< bytes for tables and caches; never changes the model
};

/// The first fault as a sentence, or empty.
[[nodiscard]] std::string validate(const BoosterSettings& settings);

/// Bytes that BoosterSettings::memory must allow at the least for this data.
[[nodiscard]] std::int64_t smallest_memory(const Dataset& data, const BoosterSettings& settings);

enum class Stop {
  gap,          ///< no hypothesis beats gamma by more than the gap
  stalled,      ///< hypotheses still beat gamma, but it no longer rises: see stall_rounds
  rounds,       ///< max_rounds
  interrupted,  ///< asked to stop
  nothing,      ///< no hypothesis tells the classes apart at all
};

[[nodiscard]] std::string_view to_string(Stop stop);

struct RoundRecord {
  int member = 0;  ///< of a committee
  int round = 0;
  bool refined = false;  ///< by the DC algorithm; else single instances from the table
  double edge = 0.0;
  double gamma = 0.0;
  double gap = 0.0;
  int columns = 0;
  double oracle_seconds = 0.0;  ///< summed over threads
  double lp_seconds = 0.0;      ///< weak learning's programs, summed over threads
  double master_seconds = 0.0;
};

struct Observer {
  /// After each round.
  std::function<void(const RoundRecord&)> round;
  /// Asked between pieces of work, from any thread; true ends the training with what is known. The library
  /// itself never looks at the clock: a time limit is the caller's.
  std::function<bool()> interrupted;
};

struct TrainingResult {
  Model model;
  std::vector<RoundRecord> rounds;
  Stop stop = Stop::gap;
  double gap = 0.0;                ///< of the last round
  double certificate = 0.0;        ///< |primal - dual| of the last master
  std::int64_t instances = 0;      ///< summed over the views
  int members = 1;                 ///< of a committee
  std::vector<std::string> notes;  ///< what a user should know: nu was lowered, ...
};

/// Trains on a data set of two classes; classes()[1] is the positive one. Throws InvalidInput.
[[nodiscard]] TrainingResult train(const Dataset& data, const BoosterSettings& settings,
                                   const Observer& observer = {});

}  // namespace shapeboost
