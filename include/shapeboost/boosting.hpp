// SPDX-License-Identifier: MIT
// Settings and records of one binary problem: LPBoost over shapelets, or a method it is compared with.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "shapeboost/base.hpp"

namespace shapeboost {

enum class Method {
  boost,   ///< LPBoost over shapelets: booster.hpp
  mi_svm,  ///< labels of instances imputed
  MI_svm,  ///< one instance a positive bag; NOLINT(readability-identifier-naming): its name
  l1_svm,  ///< 1-norm SVM over candidates
};

/// "boost", "mi-svm", "MI-svm", "l1-svm".
[[nodiscard]] std::string_view to_string(Method method);
template <>
[[nodiscard]] Method parse<Method>(std::string_view text);

/// mi-SVM or MI-SVM: support vector machines of instances, which see one view.
[[nodiscard]] constexpr bool is_instance_svm(Method method) {
  return method == Method::mi_svm || method == Method::MI_svm;
}

enum class Weak {
  sparse,  ///< ||alpha||_1 <= 1 (OP 2)
  ball,    ///< ||u|| <= 1 (OP 1)
};

[[nodiscard]] std::string_view to_string(Weak weak);
template <>
[[nodiscard]] Weak parse<Weak>(std::string_view text);

/// Whether the DC algorithm combines instances to better shapelets once no single instance helps.
enum class Refine {
  automatic,  ///< yes; the trainer says no for committees, which gain nothing by it
  no,
  yes,
};

/// "auto", "no", "yes".
[[nodiscard]] std::string_view to_string(Refine refine);
template <>
[[nodiscard]] Refine parse<Refine>(std::string_view text);

/// nu where none is given and bags are few.
inline constexpr double kNu = 0.2;

struct BoosterSettings {
  Weak weak = Weak::sparse;
  Refine refine = Refine::automatic;
  bool one_sided = false;  ///< only +h: positive bags hold the pattern
  /// With one_sided: weak learning seeks +h only, but -h of what it finds enters the master as well. The
  /// program that the paper's authors published does the same.
  bool mirrored = false;
  /// In (0, 1]; 0: kNu, or what the trainer finds right for the data: 0.1 for committees, and where a single
  /// model's problem has 500 bags or more, by what quick models get wrong that they have not seen.
  double nu = 0.0;
  bool offset = true;
  /// With offset: there is none while hypotheses are sought; at the end the master is solved anew with one.
  bool offset_last = false;
  double gap = 0.01;  ///< stop when no hypothesis beats gamma by more than this share
  /// Stop when so many refined rounds together raise gamma by less than the gap; 0: never. The tail of column
  /// generation is long: every new hypothesis beats gamma and none moves it. Thirty times as many while gamma
  /// is not above 0: many hypotheses together may still raise it.
  int stall_rounds = 3;
  int max_rounds = 1000;
  /// Where nothing is refined, or bags are many: single instances that enter at once, of each view, alpha and sign.
  int singles = 8;
};

/// The first fault as a sentence, or empty.
[[nodiscard]] std::string validate(const BoosterSettings& settings);

/// Settings of the methods that boosting is compared with.
struct BaselineSettings {
  double C = 1.0;          ///< cost of a unit short of the margin: > 0
  int max_rounds = 1000;   ///< trainings, or rounds of column generation
  bool one_sided = false;  ///< 1-norm SVM: only +h
  bool offset = true;      ///< 1-norm SVM: has a b
};

/// The first fault as a sentence, or empty.
[[nodiscard]] std::string validate(const BaselineSettings& settings);

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
  int part = 0;    ///< binary problem of the model
  int round = 0;
  bool refined = false;  ///< by the DC algorithm; else single instances from the table
  double edge = 0.0;
  double gamma = 0.0;
  /// How far the round is from done: (edge - gamma) relative to the margin's scale; for SVMs of instances, the
  /// share of labels or choices that still change.
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
  /// Asked far more often; true: nothing is wanted any more, and train() throws Abandoned at once.
  std::function<bool()> abandoned;
};

}  // namespace shapeboost
