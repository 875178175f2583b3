// SPDX-License-Identifier: MIT
// Bags as wholes: patterns that are training bags, and one regression of how alike a bag is to each of them.
//
// A few views see all features: as they are, standardised, as directions and by logarithms. In view v the distance S_v of two
// bags (view/bag_distance.hpp) has a unit u_v, the median between the bags drawn for patterns, Z. With
//
//     K(B, Z) = mean_v exp(-q (S_v(B, Z) / u_v)^q),    q = 1 or 2,
//
// this is kernel ridge regression by the bags Z: K_ZZ = U L U', whose eigenvalues that are not clearly above 0 are left out (K
// need not be positive semi-definite), and phi(B) = L^(-1/2) U' K(Z, B) are the columns of a Ridge. Where every training
// bag is among Z, leaving a bag out of the Ridge is leaving it out of both K's sides, so that left-out scores are honest although a bag
// is most alike to itself: nothing is masked. q is the one with the smaller left-out error.
#pragma once

#include <vector>

#include "ground/matrix.hpp"
#include "ground/parallel.hpp"
#include "shapeboost/trainer.hpp"
#include "train/find.hpp"

namespace shapeboost::detail {

/// At most so many bags are patterns, with so many instances in all.
inline constexpr std::int64_t kWholeBags = 500;
inline constexpr std::int64_t kWholeInstances = 2000;

struct WholeBags {
  std::vector<View> views;
  std::vector<ViewFacts> facts;        ///< of each view
  std::vector<Hypothesis> hypotheses;  ///< weighed by Evidence::bag, which is standardised
  Eigen::MatrixXd weights;   ///< of their standardised evidence: a row a hypothesis, a column a part
  Vector b;                  ///< of each part
  Eigen::MatrixXd left_out;  ///< what the regression says of an example that it is solved without
  double alpha = 0.0;
  double residual = 0.0;
};

/// Y has a column for each part, v the examples' weights or none. No hypotheses where fewer than two bags have instances, or
/// all are alike.
[[nodiscard]] WholeBags whole_bags(const Dataset& data, const TrainSettings& settings,
                                   const Eigen::MatrixXd& Y, const Vector& v, ThreadPool& threads);

}  // namespace shapeboost::detail
