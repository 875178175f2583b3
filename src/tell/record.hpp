// SPDX-License-Identifier: MIT
// What happened, as data and as text: trainings, evaluations, predictions, and what a model says in words.
// Tables, reports and other languages read the JSON made here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ground/matrix.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/evaluation.hpp"
#include "shapeboost/explanation.hpp"
#include "shapeboost/guarantee.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/selection.hpp"
#include "shapeboost/trainer.hpp"

namespace shapeboost {

namespace detail {
/// Throws InvalidInput unless there is such an example.
void check_example(std::int64_t examples, std::int64_t example);

/// explain(), with the contributions in the order of the part's weights.
[[nodiscard]] Explanation unsorted_explanation(const Model& model, const Responses& responses,
                                               std::int64_t example, int part);

/// Where mean_contributions() has a hypothesis' evidence.
[[nodiscard]] inline std::size_t entry_of(int hypothesis, Evidence evidence) {
  return static_cast<std::size_t>(hypothesis) * kEvidences + static_cast<std::size_t>(evidence);
}

/// How many hypotheses the part weighs, each counted once however much of its evidence is weighed.
[[nodiscard]] std::int64_t patterns_in(const Part& part);
}  // namespace detail

/// Where the view's window at `position` lies, counted from 1: "values 34-63", "symbols 3-9", "instance 3"; of a
/// spectrum "cycles of 5-12 values".
[[nodiscard]] std::string describe_stretch(const View& view, std::int64_t position);

/// What was found, in words: "best at values 96-110", "in 12 % of its windows", "late (at 83 %)"; "no window".
[[nodiscard]] std::string describe_evidence(const Model& model, const Contribution& contribution);

/// "level of values 1-64", "spread of differences 65-128 of channel 2", "slope of cycles of 4-8 values". Of series of this length.
[[nodiscard]] std::string describe_interval(const Model& model, const Interval& interval,
                                            std::int64_t length);

/// What a hypothesis says of the examples of a part's positive class, told by its main instance z:
///
///     sign  alpha_z   h(B)
///      +1     > 0     max K(z, x)    the pattern is present
///      -1     > 0    -max K(z, x)    the pattern is absent
///      -1     < 0     min K(z, x)    the pattern is everywhere
///      +1     < 0    -min K(z, x)    the pattern is not everywhere
///
/// Of a head, sign is that of w sign. Where the place alone is weighed, positive examples have it later or earlier.
enum class Claim { present, absent, everywhere, not_everywhere, later, earlier };

[[nodiscard]] std::string_view to_string(Claim claim);

/// What a hypothesis does in one part.
struct HypothesisUse {
  int part = 0;
  /// Of a head: the weights of all evidence together that rises where the pattern is found; of place, the one that
  /// does not, where these are 0. May be negative.
  double w = 0.0;
  /// Index into the classes, or kRest: for which side of the part the main instance speaks where it is found.
  int speaks_for = 1;
};

/// A hypothesis at a glance.
struct HypothesisSummary {
  double w = 0.0;                                ///< |w| summed over the parts and the evidence
  std::array<double, kEvidences> by_evidence{};  ///< |w| summed over the parts
  Claim claim = Claim::present;                  ///< in the first use's part
  std::vector<HypothesisUse> uses;               ///< one a part, the largest w first; at least one
  std::int64_t length = 0;
  std::int64_t instances = 0;
  std::size_t main = 0;  ///< the instance with the largest |alpha|
};

/// In the model's order.
[[nodiscard]] std::vector<HypothesisSummary> summarise(const Model& model);

/// The part with the smallest soft margin, which speaks for the whole; the first among equals.
[[nodiscard]] const Part& weakest_part(const Model& model);

/// `fit --json`: sizes, margin (of all parts, and of the one with the smallest soft margin), why it stopped,
/// and every round's record. `seconds` is the caller's clock.
[[nodiscard]] std::string to_json(const TrainingResult& training, const std::string& model_path,
                                  double seconds);

/// `evaluate --json`.
[[nodiscard]] std::string to_json(const Evaluation& evaluation);

/// `info --json`: the model without its numbers' lists, and with guarantees where they were asked for.
[[nodiscard]] std::string summary_json(const Model& model, const std::vector<Guarantee>& guarantees = {});

/// `predict --json`. "covered" stands, as false, with the examples of which the model saw nothing.
[[nodiscard]] std::string predictions_json(const Model& model, const Dataset& data, const Scores& scores,
                                           double seconds);

/// example,predicted,score (for more than two classes score_<class> for each) and, where the data has labels,
/// label; quoted as RFC 4180 says, lines end with \n.
[[nodiscard]] std::string predictions_csv(const Model& model, const Dataset& data, const Scores& scores);

/// `predict --instances`: the same for every instance, of instance_scores(); instances are counted from 0 in
/// JSON, from 1 in CSV, where their column follows the example's. The labels are the bags' and are left out.
[[nodiscard]] std::string instances_json(const Model& model, const Dataset& data, const Scores& scores,
                                         double seconds);
[[nodiscard]] std::string instances_csv(const Model& model, const Dataset& data, const Scores& scores);

/// `explain --index --json`: the example's prediction; of every part its score, its offset b and each
/// hypothesis' contribution (they add up to the score less b), the largest first, with the maximiser, where
/// it lies, and the training instances behind the shapelet; of a bag also a score for every instance. Of a head
/// which evidence it is, its centre and its scale, and what each kind adds up to; of a bag what each instance adds; of parts other than the telling one the 100 largest
/// contributions, and under "others" what the rest adds. Throws InvalidInput where there is no such example, or it
/// does not fit the model.
[[nodiscard]] std::string explanation_json(const Model& model, const Dataset& data, std::int64_t example,
                                           int threads = 0);

/// `explain --json`: of every hypothesis how often it fires, in which classes, and where.
[[nodiscard]] std::string firings_json(const Model& model, const Dataset& data, int threads = 0);

/// `tune --results`: setting,accuracy,sd,hypotheses,folds; a line for each choice, the same however often the
/// search was cut off and resumed.
[[nodiscard]] std::string results_csv(const std::vector<Choice>& choices, const Selection& selection);

/// `tune --json`. There must be a best choice.
[[nodiscard]] std::string to_json(const std::vector<Choice>& choices, const Selection& selection,
                                  const TrainingResult& training, const std::string& model_path,
                                  double seconds);

}  // namespace shapeboost
