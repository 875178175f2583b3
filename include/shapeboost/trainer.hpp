// SPDX-License-Identifier: MIT
// Data to model. Three loops around the booster: over the members of a committee, over the binary problems
// that tell several classes apart, and over the views a member looks at. Tables are made once a member and
// serve all its problems.
//
// A committee averages its members, part by part:
//
//     g(B) = sum_k c_k g_k(B),   c_k proportional to 1 / mean_i |g_k(B_i)|,   sum_k c_k = 1.
//
// An average of convex combinations is one too: the result is a model like any other, one weighted sum of
// hypotheses for each part, and the paper's bound holds for it.
//
// A ridge head weighs the members' patterns anew, all classes at once (Head in model.hpp). Members then only find
// patterns: each looks at a few two-class problems, drawn at random, so that many classes cost little. Of bags the
// patterns are instances drawn at random, and the average of boosted members may be weighed beside them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shapeboost/boosting.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost {

/// How much each class counts.
struct ClassWeights {
  enum class Rule {
    uniform,   ///< v_i = 1: a bag is a bag
    balanced,  ///< v_i = 1 / bags of i's side: both sides weigh the same, cap_i = 1/(2 nu m_{y_i})
    by_label,  ///< v_i = the weight of i's label, 1 where it has none
  };
  struct LabelWeight {
    std::string label;  ///< as canonical_label spells it
    double weight;      ///< from kSmallest to kLargest
    bool operator==(const LabelWeight&) const = default;
  };
  static constexpr double kSmallest = 1e-6;
  static constexpr double kLargest = 1e6;

  Rule rule = Rule::uniform;
  std::vector<LabelWeight> labels;  ///< by_label only

  /// "uniform", "balanced" or LABEL=WEIGHT,LABEL=WEIGHT; a label's name may hold '=' but no comma. Throws
  /// InvalidInput.
  [[nodiscard]] static ClassWeights parse(std::string_view text);
  /// The inverse of parse.
  [[nodiscard]] std::string text() const;

  bool operator==(const ClassWeights&) const = default;
};

/// How a member's views are found.
struct ViewChoice {
  enum class Kind {
    automatic,  ///< random for a committee, else grid
    grid,       ///< every combination of lengths, normalisations, ...
    random,     ///< `count` of them, each drawn anew
  };
  Kind kind = Kind::automatic;
  int count = 0;

  /// "auto", "grid" or "random:K".
  [[nodiscard]] static ViewChoice parse(std::string_view text);
  [[nodiscard]] std::string text() const;
};

/// How the members' patterns become one classifier.
enum class HeadKind {
  automatic,  ///< for a committee under the Gaussian kernel ridge of series, both of bags; else average
  ridge,      ///< ridge regression over the evidence of all patterns
  average,    ///< the average of the members
  both,       ///< bags: the two added, by how well each does on examples left out
};

/// "auto", "ridge", "average", "both".
[[nodiscard]] std::string_view to_string(HeadKind head);
template <>
[[nodiscard]] HeadKind parse<HeadKind>(std::string_view text);

/// What the threshold between classes is chosen for.
enum class Optimise {
  accuracy,  ///< as training leaves it
  balanced,  ///< the mean recall of the classes
  f1,        ///< their mean F1
};

/// "accuracy", "balanced", "f1".
[[nodiscard]] std::string_view to_string(Optimise optimise);
template <>
[[nodiscard]] Optimise parse<Optimise>(std::string_view text);

/// The kernel that is chosen, and the parameters of all, so that they are known whichever is chosen last.
struct KernelSettings {
  KernelKind kind = KernelKind::gaussian;
  double sigma = 0.0;  ///< gaussian, laplacian, dtw, gak; 0: from sigma_scales
  double c = kernels::Polynomial{}.c;
  int p = kernels::Polynomial{}.p;
  double band = kernels::Dtw{}.band;  ///< dtw, gak
  int k = 0;                          ///< spectrum, mismatch, subsequence; 0: default_k()
  int mismatches = kernels::Mismatch{}.mismatches;
  int alphabet = kernels::Mismatch{}.alphabet;
  double lambda = kernels::Subsequence{}.lambda;
  GramMatrix gram{};
  std::string gram_file{};
  Similarity similarity{};  ///< custom
  std::string name{};       ///< custom
  bool claims_psd = false;  ///< custom

  /// The chosen one with its own parameters.
  [[nodiscard]] Kernel kernel() const;
};

/// Lists left empty are chosen for the data; given, a grid takes all their combinations and random views
/// draw from them.
struct TrainSettings {
  Method method = Method::boost;
  BoosterSettings boosting;   ///< where the method is boost
  BaselineSettings baseline;  ///< where it is another
  int members = 0;            ///< of the committee; 0: chosen for the data, 1: a single readable model
  HeadKind head = HeadKind::automatic;
  std::int64_t patterns = 0;       ///< of a ridge head, at most; 0: chosen for the data
  std::vector<Evidence> evidence;  ///< that a ridge head weighs of each pattern; empty: all
  /// Whether a ridge head of series may weigh intervals too: where they lower its left-out error, and where neither
  /// patterns, evidence, transforms nor channels are chosen.
  bool intervals = true;
  ViewChoice views;
  /// Most bags that a member trains on in one binary problem, drawn anew for each member; 0: all. What
  /// is left out still counts where members are averaged.
  std::optional<std::int64_t> member_bags;
  std::optional<Strategy> strategy;  ///< for more than two classes
  ClassWeights class_weights;
  Optimise optimise = Optimise::accuracy;

  /// Window lengths: a fraction of the median series or sequence up to 1, or a whole number of time steps or
  /// symbols above.
  std::vector<double> lengths;
  std::vector<Normalisation> normalisations;
  std::vector<std::int64_t> dilations;
  std::optional<Missing> missing;     ///< none: filled under a ridge head, else windows over them left out
  std::vector<Transform> transforms;  ///< what windows are cut from
  double rate = 0.0;                  ///< time steps a second; frequencies are told in Hz then. 0: not known
  std::vector<double> taus;           ///< of the position term; 0: none
  std::vector<std::vector<int>> channels;  ///< that windows show side by side, ascending; an empty list: all
  std::vector<Scaling> scalings;           ///< of the features of bags
  std::vector<Aspect> aspects;             ///< of their instances
  /// Gaussian: sigma = scale / median squared distance of the view, where kernel.sigma is 0.
  std::vector<double> sigma_scales;
  /// Sequences of symbols, which the Gaussian kernel cannot compare, meet the mismatch kernel in its place.
  KernelSettings kernel;
  bool standardise = true;  ///< bags: features to mean 0 and deviation 1 over the training instances
  std::optional<Candidates> candidates;

  std::uint64_t seed = 1;
  int threads = 0;                              ///< 0: one for each hardware thread
  std::int64_t memory = std::int64_t{1} << 30;  ///< bytes for tables and caches; never changes the model
};

/// The first fault as a sentence, or empty.
[[nodiscard]] std::string validate(const TrainSettings& settings);

struct TrainingResult {
  Model model;
  std::vector<RoundRecord> rounds;
  Stop stop = Stop::gap;       ///< the most telling of all members and parts
  double gap = 0.0;            ///< the largest of all last rounds
  double duality_gap = 0.0;    ///< the largest |primal - dual| of the last masters
  std::int64_t instances = 0;  ///< summed over the views
  int members = 1;
  /// g of each example (row) and part by what had not seen it, the threshold as training left it: of a ridge head,
  /// the head of all other examples; of an average, the members that neither trained on the example nor hold a pattern
  /// cut from it. Without rows where there are no such, or too few.
  Array<double> left_out;
  std::vector<std::string> notes;  ///< what a user should know: nu was lowered, ...
};

/// In place of a fold: an example that is in none, and always trained on.
inline constexpr int kAlwaysTrained = -1;

/// Trains on a data set of two classes, of which classes()[1] is the positive one, or of more. Throws
/// InvalidInput.
[[nodiscard]] TrainingResult train(const Dataset& data, const TrainSettings& settings,
                                   const Observer& observer = {});

}  // namespace shapeboost
