// SPDX-License-Identifier: MIT
// One model from the results of all members' binary problems.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "learn/booster.hpp"
#include "shapeboost/trainer.hpp"
#include "train/fitted_nu.hpp"
#include "train/problem.hpp"

namespace shapeboost::detail {

/// The result of one problem of one member, with its shapelets by value.
struct Trained {
  Learned boosted;
  std::vector<Hypothesis> hypotheses;  ///< of boosted.hypotheses, in the same order
  std::vector<std::int64_t> bags{};    ///< that it was trained on; empty: all
  FittedNu fitted{};                   ///< where the problem has a nu of its own
};

/// Puts the pieces together. A hypothesis that several parts use is stored once.
class Assembly {
 public:
  Assembly(const Dataset& data, const TrainSettings& settings);

  /// Of one member after the other.
  void add_views(const std::vector<View>& views, const std::vector<ViewFacts>& facts);
  /// `of_member` has one entry for each member; hypotheses are moved out of it.
  void add_part(std::size_t p, const std::vector<Trained*>& of_member, const Problem& problem);
  [[nodiscard]] TrainingResult finish();
  /// What the members that know nothing of an example, neither it nor a pattern cut from it, say of it on average, an example a row, a part a column; 0
  /// where there are none. Of parts that all examples take part in.
  [[nodiscard]] const Eigen::MatrixXd& left_out() const { return left_out_; }

  std::vector<std::string>& notes() { return result_.notes; }

 private:
  void leave_out(std::size_t p, const std::vector<Trained*>& of_member, const std::vector<double>& shares);
  int place_of(std::size_t member, const LearnedHypothesis& found, Hypothesis hypothesis);
  void record(int member, std::size_t part, const Learned& boosted);
  void sort_hypotheses();

  TrainingResult result_;
  std::vector<int> first_view_;  // of each member
  std::map<std::tuple<int, int, std::vector<std::pair<Handle, double>>>, int> known_;
  std::vector<Stop> stops_;
  Eigen::MatrixXd left_out_;
  int fewest_left_ = std::numeric_limits<int>::max();  // members that know nothing of an example
};

}  // namespace shapeboost::detail
