// SPDX-License-Identifier: MIT
// The weights of a head, as a model holds them.
#pragma once

#include <vector>

#include "ground/matrix.hpp"
#include "ground/parallel.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost::detail {

/// Gives the model's parts these weights of its hypotheses' standardised evidence (row j |kinds| + k is hypothesis j's k-th
/// kind, a column a part) and offsets. Hypotheses come to be in the order of what they weigh, the heaviest first.
void set_weights(Model& model, const std::vector<Evidence>& kinds, const Eigen::MatrixXd& W, const Vector& b,
                 ThreadPool& threads);

/// How the scores of several classes are mixed, g' = A'g + c, by what they say of examples left out (solve/multinomial.hpp).
struct Mixing {
  Eigen::MatrixXd A;  ///< to six places
  Vector c;
  Eigen::MatrixXd left_out;  ///< mixed scores, each fifth of the examples by what the others settle

  /// Of the weights and offsets that gave the scores.
  void apply(Eigen::MatrixXd& W, Vector& b) const;
};
[[nodiscard]] Mixing mixing_of(const Eigen::MatrixXd& scores, const std::vector<int>& labels, const Vector& v,
                               ThreadPool& threads);

/// A matrix as a model's file has it.
[[nodiscard]] std::vector<std::vector<double>> rows_of(const Eigen::MatrixXd& A);

/// The weights of intervals, a row each.
void set_interval_weights(Model& model, const Eigen::MatrixXd& W);

/// The share of the examples whose label is what such scores predict: a row an example, a column a part.
[[nodiscard]] double accuracy_of(const Eigen::MatrixXd& scores, const std::vector<int>& labels);

}  // namespace shapeboost::detail
