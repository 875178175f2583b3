// SPDX-License-Identifier: MIT
// A trained classifier, whole in itself: instances by value, views with everything they learned. It is a list
// of binary problems ("parts") over one list of hypotheses:
//
//     g(B) = b + sum_j w_j h_j(B);    for part.positive where g(B) > 0, else for part.negative.
//
// Two classes make one part; how several classes are told apart by more is a strategy. A model with a head weighs
// more than the maximum (Evidence), each standardised, and its weights may have either sign:
//
//     g(B) = b + sum_j sum_e w_je (evidence_je(B) - centre_je) / scale_je,
//
// of series perhaps also level, spread and slope of fixed intervals, standardised and weighed in the same way.
//
// The file is JSON with a version and a digest; docs/model.md describes it field by field.
//
// A shapelet is u = sum_z alpha_z Phi(z); its hypothesis is h(B) = sign * max_{x in B} sum_z alpha_z K(z, x).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shapeboost/base.hpp"
#include "shapeboost/view.hpp"

namespace shapeboost {

/// Instances travel by value: a shapelet is whole wherever it goes.
struct Shapelet {
  std::vector<Instance> instances;
  std::vector<double> alpha;

  friend bool operator==(const Shapelet&, const Shapelet&) = default;
};

/// What a pattern can say of an example. Scores are those of the example's instances x: sum_z alpha_z K(z, x).
enum class Evidence {
  best,   ///< the largest score: the paper's maximum
  share,  ///< the share of the instances whose score reaches the pattern's threshold
  place,  ///< where the largest is attained: the middle of its window as a share of the series; not of bags
  mean,   ///< bags: the mean of the scores
  least,  ///< bags: the smallest score
  bag,    ///< bags, in views of whole bags: how alike the bag is to the one that the pattern is
};
inline constexpr std::size_t kEvidences = 6;

/// "best", "share", "place", "mean", "least", "bag".
[[nodiscard]] std::string_view to_string(Evidence evidence);
template <>
[[nodiscard]] Evidence parse<Evidence>(std::string_view text);
/// What patterns can say of such data.
[[nodiscard]] std::vector<Evidence> evidence_of(DataKind kind);

/// Evidence is weighed as (evidence - centre) / scale.
struct Standard {
  double centre = 0.0;
  double scale = 1.0;  ///< > 0
};

struct Hypothesis {
  int view = 0;   ///< index into the model's views
  int sign = +1;  ///< -1: positive bags lack the pattern
  Shapelet shapelet;
  double threshold = 0.0;                       ///< of Evidence::share
  std::array<Standard, kEvidences> standard{};  ///< by evidence; of models without a head, nothing changes
};

/// One round of boosting, as the model remembers it (times are not part of a model).
struct HistoryEntry {
  double edge = 0.0;   ///< best edge found, under the weights d of the round
  double gamma = 0.0;  ///< the master's value in that round
  double gap = 0.0;    ///< (edge - gamma) relative to the margin's scale
  int columns = 0;     ///< hypotheses found so far
};

/// What the training data looked like in a view; the bound on the error needs it.
struct ViewFacts {
  std::int64_t instances = 0;    ///< |P_S|
  double radius = 0.0;           ///< R = max_x ||Phi(x)||
  std::int64_t largest_bag = 0;  ///< instances in the largest bag
};

/// Where the model came from: for the reader, never for prediction.
struct Provenance {
  std::string source;  ///< file of the training data
  std::int64_t bags = 0;
  std::int64_t instances = 0;  ///< summed over the views
  std::uint64_t seed = 0;
  std::string settings;  ///< the options, as on the command line
  std::string stopped;   ///< why training ended
  std::string tuning;    ///< how the settings were chosen; empty: given
  std::vector<HistoryEntry> history;
  std::vector<ViewFacts> views;  ///< one for each of the model's views, or empty
  std::string method = "boost";  ///< what trained it
  std::int64_t length = 0;  ///< time steps of every training series; 0 where they differ, and of other data
  std::string labels =
      {};  ///< what they were to who trained it: "text", "integer", "number", "boolean"; may be empty
};

/// w_j of one part.
struct Weight {
  int hypothesis = 0;  ///< index into the model's hypotheses
  double w = 0.0;      ///< > 0; of a head, not 0
  Evidence evidence = Evidence::best;
};

/// In place of a negative class: every class but the positive one.
inline constexpr int kRest = -1;

/// One binary problem: g(B) = b + sum_j w_j h_j(B).
struct Part {
  int positive = 1;             ///< index into the classes
  int negative = 0;             ///< index into the classes, or kRest
  std::vector<Weight> weights;  ///< largest first, and they sum to 1; of a head, in the hypotheses' order
  double b = 0.0;
  double nu = 0.0;
  double rho = 0.0;             ///< margin
  double gamma = 0.0;           ///< soft margin: rho less the mean shortfall
  std::vector<double> margins;  ///< y_i g(B_i) of the part's training bags, for the bound; may be empty
  /// What of b was added after training to move the threshold for the user's aim; rho, gamma and margins are of b - shift.
  double shift = 0.0;
  std::vector<double> intervals{};  ///< of a head with intervals: the weight of each
};

/// How more than two classes are told apart. For two classes both are the same one part.
enum class Strategy {
  one_vs_rest,  ///< a part for each class: that class against the rest
  one_vs_one,   ///< a part for each pair of classes
};

/// "ovr", "ovo".
[[nodiscard]] std::string_view to_string(Strategy strategy);
template <>
[[nodiscard]] Strategy parse<Strategy>(std::string_view text);

/// From scores to probabilities: p_c proportional to exp(slope s_c + offset_c), s_c = unit_scores().
struct Calibration {
  double slope = 0.0;           ///< at least 0
  std::vector<double> offsets;  ///< one for each class; they sum to 0
  int folds = 0;                ///< parts of the training data, each scored by a model of the others
  std::int64_t examples = 0;    ///< that were scored so
};

/// What one of several regressions counts for.
struct HeadShare {
  double alpha = 0.0;
  double share = 0.0;  ///< beta_e, at least 0
};

/// What a head may weigh of an interval of a series beside patterns, where nothing is matched.
enum class Moment {
  level,   ///< the mean
  spread,  ///< the standard deviation
  slope,   ///< by how much the least squares line rises from the first value to the last
};
inline constexpr std::size_t kMoments = 3;

/// "level", "spread", "slope".
[[nodiscard]] std::string_view to_string(Moment moment);

/// A moment of the part from `first` to `last`, shares of the series' length (of a spectrum, of its frequencies).
struct Interval {
  Transform transform = Transform::none;
  int channel = 0;
  Moment moment = Moment::level;
  double first = 0.0;
  double last = 1.0;
};

/// Moments of the halves, quarters, ... of a series, and of as long parts half way between them: depth d has 2^d parts and
/// 2^d - 1 between. In this order: transform, channel, depth, parts from left to right and those between them, moment.
/// Each is weighed as (moment - centre) / scale, kept between -kMostDeviations and kMostDeviations.
struct Intervals {
  static constexpr double kMostDeviations = 8.0;

  std::vector<Transform> transforms;  ///< each once
  int channels = 1;                   ///< all of the data
  int depth = 0;                      ///< the last, from 0 on
  std::int64_t period = 0;            ///< of spectra, as a view's; else 0
  std::vector<Standard> standard;     ///< of each
  std::vector<double> factors;        ///< of each group, > 0: the regression penalises (w / factor)^2

  /// How many moments there are.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] Interval at(std::size_t k) const;
  /// Moments of one transform, channel and depth are a group.
  [[nodiscard]] std::size_t groups() const;
  [[nodiscard]] std::size_t group(std::size_t k) const;
};

/// One ridge regression for all classes: min_{w, b} sum_i v_i |y_i - g(B_i)|^2 + alpha sum_je |w_je / f_je|^2, y_i = +1 for
/// the example's class and -1 elsewhere; f is the relevance of the pattern's view and the evidence. Of bags, one for each kind of evidence, and g = sum_e beta_e g_e, to which the average
/// of boosted members may be added: beta minimises the squared error of what each says of examples left out.
struct Head {
  std::vector<Evidence> evidence;  ///< what is weighed of each pattern
  double alpha = 0.0;              ///< chosen by leave-one-out; of several regressions the largest
  double left_out_error = 0.0;     ///< mean square of y - g of each example left out
  double left_out_accuracy = 0.0;
  double residual = 0.0;           ///< of the normal equations, relative: how exactly they are solved
  std::vector<HeadShare> apart{};  ///< bags: the regression of each evidence; empty: one for all
  double averaged = 0.0;           ///< bags: beta of the boosted members' average, at least 0
  /// A, class by class: several classes' scores are A'g + c of what the regressions say, by logistic regression on what
  /// they say of examples left out; weights and offsets have it in them. Empty: the identity.
  std::vector<std::vector<double>> mixing{};
  /// f of each view, of each evidence, in (0, 1]: how telling they are by themselves, relative to the most telling ones.
  /// Empty: all 1.
  std::vector<std::vector<double>> factors{};
  /// Series: what is weighed beside the patterns, where that lowers the left-out error.
  std::optional<Intervals> intervals{};
};

struct Model {
  DataKind kind = DataKind::series;
  std::vector<std::string> classes;  ///< at least two
  Strategy strategy = Strategy::one_vs_rest;
  std::vector<View> views;
  std::vector<Hypothesis>
      hypotheses;  ///< each used by some part, without a head; by total weight over the parts, largest first
  std::vector<Part> parts;                 ///< in the order of parts_for()
  std::optional<Head> head;                ///< where the weights of all parts were found together
  std::optional<Calibration> calibration;  ///< where probabilities were asked for
  Provenance provenance;
};

/// The parts of a model of so many classes, nothing learned yet. Two classes: 1 against 0. More,
/// one_vs_rest: part c is class c against the rest. one_vs_one: b against a for a = 0, 1, ... and b = a + 1,
/// ...
[[nodiscard]] std::vector<Part> parts_for(int classes, Strategy strategy);

/// A large model's text is made faster by several threads (0: one for each of the processor's); it is the same for any number.
[[nodiscard]] std::string to_json(const Model& model, int threads = 1);
/// `source` is what errors call the text. Checks every field it uses; throws InvalidInput.
[[nodiscard]] Model model_from_json(const std::string& text, const std::string& source);

void save_model(const Model& model, const std::string& path, int threads = 1);
[[nodiscard]] Model load_model(const std::string& path);

// What a model file names but does not hold, a matrix of similarities or a function. Until it is attached such a
// model scores nothing and says what it wants.

/// Gives every view that compares by a Gram matrix this one. Throws InvalidInput where no view does, where
/// the matrix is not square, or where it lacks a row that a shapelet names.
void attach_gram(Model& model, GramMatrix gram);

/// Gives every view that compares by the similarity of this name this function. Throws InvalidInput where no
/// view does.
void attach_similarity(Model& model, const std::string& name, const Similarity& similarity);

}  // namespace shapeboost
