// SPDX-License-Identifier: MIT
// Weighing more series than are held as evidence. Patterns are found, chosen and standardised on a sample: that is an
// ordinary training, of an ordinary model. Then one pass over all examples reads the evidence of the patterns it kept,
// block after block, adds each to the normal equations and forgets it; their solution takes the place of the sample's
// weights. What a pass holds depends on the number of columns alone.
//
// The pass is a pure function of the sample's model and of some examples; sums of parts of the data, in any order, are
// the sum of all to the last bit (normal_equations.hpp). So it may run wherever the examples lie.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/pattern_reader.hpp"
#include "shapeboost/trainer.hpp"
#include "solve/normal_equations.hpp"

namespace shapeboost::detail {

/// Members that find patterns on a sample.
inline constexpr int kSampleFinders = 200;

/// Whether so many examples are weighed in a pass: series with a head, more than some thousand.
[[nodiscard]] bool is_streamed(const Dataset& data, const TrainSettings& settings);

/// The examples that patterns are found on, the same share of every class, and what is settled for them and for so many
/// examples as there are in all.
struct Sample {
  std::vector<std::int64_t> examples;  ///< their numbers among all, ascending
  Dataset data;
  TrainSettings settings;
};
[[nodiscard]] Sample drawn_sample(const Dataset& data, const TrainSettings& settings);
/// The numbers of these examples; of the data it looks at the labels alone.
[[nodiscard]] std::vector<std::int64_t> sampled(const Dataset& data, const TrainSettings& settings);
/// What is settled for the training on a sample of so many examples.
[[nodiscard]] TrainSettings sample_settings(std::int64_t examples, const TrainSettings& settings);

/// Bytes that weighing so many examples by the patterns of such settings takes beside the data.
[[nodiscard]] std::int64_t pass_bytes(const Sample& sample);

/// Square roots of what an example of each class counts beside its own weight, to eleven binary digits.
[[nodiscard]] std::vector<double> roots_of_weights(const ClassWeights& weights, const Dataset& data);

/// Examples as rows of a regression on what a model with a head weighs: evidence standardised, times its view's factor.
/// What a pattern says of the example that it was cut from, and evidence that there is none of, is 0.
class EvidenceRows {
 public:
  /// `model` must outlive it; `roots` as above; `weighted`: some examples, of all that there are, weigh more than others.
  EvidenceRows(const Model& model, std::vector<double> roots, bool weighted = false);

  /// Numbered so in the whole data: `first`, first + 1, ...
  void add(const Dataset& data, std::int64_t first, NormalEquations& sums, ThreadPool& threads) const;
  /// Numbered as these are.
  void add(const Dataset& data, const std::vector<std::int64_t>& numbers, NormalEquations& sums,
           ThreadPool& threads) const;
  /// One row of NormalEquations an example; `numbers` are the examples' in the whole data.
  [[nodiscard]] NormalEquations::Block rows(const Dataset& data, const std::vector<std::int64_t>& numbers,
                                            ThreadPool& threads) const;
  [[nodiscard]] NormalEquations none() const { return {columns_, targets_}; }

  /// The model with the weights that these sums ask for; `judges` and their labels tell how strong the penalty is and how
  /// well it does.
  [[nodiscard]] Model weighed(const NormalEquations& sums, const NormalEquations::Block& judges,
                              const std::vector<int>& labels, ThreadPool& threads) const;

 private:
  struct Column {
    std::int64_t hypothesis;
    std::size_t kind;
    std::int64_t pattern;  // of its view
    double centre;
    double unit;  // what evidence less its centre is multiplied by
  };
  struct View {
    std::unique_ptr<PatternReader> reader;
    std::vector<std::pair<Eigen::Index, Column>> columns;
  };
  /// The square root of what example i counts.
  [[nodiscard]] double root(const Dataset& data, std::int64_t i) const;
  void fill(const Dataset& data, std::int64_t begin, std::int64_t end,
            const std::vector<std::int64_t>& numbers, NormalEquations::Block& Z, ThreadPool& threads) const;

  const Model& model_;
  std::vector<double> roots_;
  bool weighted_;
  Eigen::Index columns_ = 0;
  Eigen::Index targets_;
  std::vector<View> views_;
  std::map<std::int64_t, std::vector<Eigen::Index>>
      own_;  // columns of patterns that were cut from an example
};

/// The sample's training in terms of the whole, of so many examples and of this common length (0: none): patterns are cut from
/// these of them.
void tell_of_whole(const std::vector<std::int64_t>& sample, std::int64_t examples, std::int64_t length,
                   TrainingResult& result);

/// Weighs the sample's model anew by all examples. Where it is interrupted the sample's weights stay, and a note says so.
void weigh_all(const Dataset& data, const Sample& sample, const Observer& observer, TrainingResult& result);

}  // namespace shapeboost::detail
