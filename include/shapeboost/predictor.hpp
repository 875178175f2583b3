// SPDX-License-Identifier: MIT
// Scores of new examples. Knows the model and the data, nothing of how the model was trained.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <vector>

#include "shapeboost/array.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost {

/// What the model's parts say of examples.
struct Scores {
  Array<double> parts;        ///< g(B_i) of each part; one row an example, one column a part
  std::vector<char> covered;  ///< 0 where no view that the model uses has an instance of the example
};

/// What every hypothesis says of every example: one row an example, one column a hypothesis.
struct Responses {
  Array<double> value;  ///< max_{x in B} sum_z alpha_z K(z, x), without the sign; 0 where B is empty
  /// The maximiser's number among the instances of its view, the lowest among equals; -1 where B is empty.
  Array<std::int64_t> instance;
  /// Its first time step; of bags, its row. -1 where B is empty.
  Array<std::int64_t> position;
  // Of models with a head; else without rows.
  Array<double> share;  ///< Evidence::share
  Array<double> place;  ///< Evidence::place; of bags, without rows
  // Of bags and models with a head; else without rows.
  Array<double> mean;   ///< Evidence::mean
  Array<double> least;  ///< Evidence::least
  Array<double> bag;    ///< Evidence::bag
  /// Of models that weigh intervals, one column a moment, not standardised (NaN where a series has none); else without rows.
  Array<double> intervals;

  [[nodiscard]] double of(Evidence evidence, std::integral auto example,
                          std::integral auto hypothesis) const {
    switch (evidence) {
      case Evidence::best: break;
      case Evidence::share: return share(example, hypothesis);
      case Evidence::place: return place(example, hypothesis);
      case Evidence::mean: return mean(example, hypothesis);
      case Evidence::least: return least(example, hypothesis);
      case Evidence::bag: return bag(example, hypothesis);
    }
    return value(example, hypothesis);
  }
};

/// What a weight adds to the score of an example whose bag is not empty: w sign (evidence - centre) / scale.
[[nodiscard]] double contribution(const Hypothesis& hypothesis, const Weight& weight, double evidence);

/// The same of moment k of a part that weighs intervals.
[[nodiscard]] double contribution(const Intervals& intervals, const Part& part, std::size_t k, double moment);

/// A model made ready once and asked many times, by any number of threads at once. In every question
/// `threads` 0 means one for each hardware thread; an example's answer depends neither on the other examples
/// nor on the number of threads. All throw InvalidInput where the data does not fit the model.
class Predictor {
 public:
  explicit Predictor(Model model);
  /// The same without a copy: `model` must outlive it.
  [[nodiscard]] static Predictor borrow(const Model& model);

  [[nodiscard]] const Model& model() const;

  /// g(B_i) = b + sum_j w_j h_j(B_i) for every example and part. h_j(B) = 0 where the bag is empty in the
  /// hypothesis' view, as a series shorter than its windows is.
  [[nodiscard]] Scores scores(const Dataset& data, int threads = 0) const;
  /// The same to the last bit, from responses to the data.
  [[nodiscard]] Scores scores(const Responses& responses) const;

  /// The same for every instance x by itself, as the bag {x}: one row an instance, bag after bag. For bags
  /// only; throws InvalidInput where the data are series or sequences.
  [[nodiscard]] Scores instance_scores(const Dataset& data, int threads = 0) const;

  [[nodiscard]] Responses responses(const Dataset& data, int threads = 0) const;

  /// h_j(B_i), the sign included: one row an example, one column a hypothesis, in the model's order (with a head,
  /// one column for each evidence of a hypothesis); 0 where the bag is empty in the hypothesis' view. Behind them what intervals
  /// say, within kMostDeviations of their centres. What a linear model on top may weigh anew.
  [[nodiscard]] Array<double> transformed(const Dataset& data, int threads = 0) const;

 private:
  struct Prepared;
  struct OfHypotheses;
  struct OfHead;
  explicit Predictor(std::shared_ptr<const Model> model);

  std::shared_ptr<const Prepared> prepared_;
};

/// For a single question.
[[nodiscard]] inline Scores scores(const Model& model, const Dataset& data, int threads = 0) {
  return Predictor::borrow(model).scores(data, threads);
}
[[nodiscard]] inline Responses responses(const Model& model, const Dataset& data, int threads = 0) {
  return Predictor::borrow(model).responses(data, threads);
}

/// The rows that are not covered.
[[nodiscard]] std::vector<std::int64_t> uncovered(const Scores& scores);

/// Index into model.classes for each row. Two classes: 1 where g > 0, else 0. One against the rest: the class
/// with the largest g, the first among equals. One against one, the decision DAG of Platt, Cristianini and
/// Shawe-Taylor (2000): of all classes in order the first and the last are compared and the loser leaves,
/// until one is left.
[[nodiscard]] std::vector<int> predictions(const Model& model, const Scores& scores);

/// One row an example, one column a class; larger speaks for the class. Two classes: -g, g. One against the
/// rest: the class' own g. One against one: the mean over the class' pairs of the vote tanh(4 g) (of -g where
/// it is the negative class), g in units of its mean size over the pair's training bags, where the model
/// knows them: between -1 and 1.
/// All pairs of a class count here, the DAG asks a few: the largest need not be its answer.
[[nodiscard]] Array<double> class_scores(const Model& model, const Scores& scores);

/// What calibration sees: class_scores() without the parts' shifts, with every part's g in units of its mean size over the part's
/// training bags, so that models of more or fewer examples speak alike.
[[nodiscard]] Array<double> unit_scores(const Model& model, const Scores& scores);

/// One row an example, one column a class; rows sum to 1: softmax over each row of slope s_c + offset_c,
/// s = unit_scores(). Throws InvalidInput where the model has no calibration.
[[nodiscard]] Array<double> probabilities(const Model& model, const Scores& scores);

/// Throws InvalidInput naming an example whose length is not that of all series the model was trained on, where they had one:
/// windows would be found in it all the same, but what they say was learned from others. Whoever means it does not ask.
void check_length(const Model& model, const Dataset& data);

/// For each example the index of its label in model.classes, or kUnlabelled. Throws InvalidInput naming the
/// example whose label the model does not know.
[[nodiscard]] std::vector<int> labels_for(const Model& model, const Dataset& data);

}  // namespace shapeboost
