// SPDX-License-Identifier: MIT
// The head of bags: a regression for each kind of evidence, the average of boosted members and a regression of whole bags,
// added as blend.hpp says.
#pragma once

#include <optional>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/parallel.hpp"
#include "shapeboost/trainer.hpp"
#include "solve/ridge.hpp"
#include "solve/short_columns.hpp"
#include "train/whole_bags.hpp"

namespace shapeboost::detail {

/// The average of boosted members whose views are those of the members that found patterns.
struct Averaged {
  TrainingResult result;
  Eigen::MatrixXd left_out;  ///< an example a row, a part a column: what members trained without it say of it
};

/// What all patterns say of the examples in one way.
struct KindRegression {
  RidgeSolution solution;
  std::vector<double> losses;  ///< of each pattern's removal; empty where none will be removed
};

/// Rows of weights and columns of evidence are those of set_weights: j |kinds| + k is hypothesis j's k-th kind.
class BagHead {
 public:
  /// What it is given must outlive it.
  BagHead(const Dataset& data, const TrainSettings& settings, std::optional<Averaged> averaged,
          ThreadPool& threads);

  [[nodiscard]] const std::optional<Averaged>& averaged() const { return averaged_; }
  [[nodiscard]] bool has_whole_bags() const { return whole_.has_value(); }
  void weigh_whole_bags(const Eigen::MatrixXd& Y, const Vector& v);
  void forget_whole_bags() { whole_.reset(); }

  /// What the model's patterns say, in these ways; they learn their standards.
  [[nodiscard]] ShortColumns read(Model& model, const std::vector<Evidence>& kinds) const;

  /// How much each kind counts, from now on; the sum of their regressions, without the average and whole bags, but with what
  /// all of them say of examples left out. Y has a column for each part, v the examples' weights or none.
  [[nodiscard]] KindRegression blend(const std::vector<KindRegression>& of_kind, const Eigen::MatrixXd& Y,
                                     const Vector& v);

  /// Gives the model the hypotheses of the average and whole bags, and the solution and kinds what they weigh.
  void add_to(Model& model, RidgeSolution& solution, std::vector<Evidence>& kinds);
  [[nodiscard]] const std::vector<HeadShare>& shares() const { return shares_; }
  [[nodiscard]] double averaged_share() const { return averaged_share_; }

  /// Where time ran out and nothing else is ready.
  [[nodiscard]] TrainingResult average_alone();

 private:
  [[nodiscard]] double average_unit() const;
  void add_average(Model& model, RidgeSolution& solution, const std::vector<Evidence>& kinds);
  void add_whole_bags(Model& model, RidgeSolution& solution, std::vector<Evidence>& kinds);
  void standardise_best(Model& model, std::int64_t first) const;

  const Dataset& data_;
  const TrainSettings& settings_;
  ThreadPool& threads_;
  std::optional<Averaged> averaged_;
  std::optional<WholeBags> whole_;
  std::vector<HeadShare> shares_;  // of each kind, and of whole bags
  double averaged_share_ = 0.0;
};

}  // namespace shapeboost::detail
