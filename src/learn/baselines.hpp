// SPDX-License-Identifier: MIT
// What boosting is compared with, for one binary problem. Each yields what boosting yields, a weighted sum of
// hypotheses and an offset, so that a model of any of them is read and used the same way.
//
// mi-SVM and MI-SVM (Andrews, Tsochantaridis, Hofmann: Support Vector Machines for Multiple-Instance
// Learning, 2003) are one shapelet, the normal of a support vector machine of instances:
//
//     g(B) = max_{x in B} <u, Phi(x)> + b,   u = sum_z alpha_z Phi(z) over the support vectors z, w = 1.
//
//   mi-SVM  Instances of negative bags are negative; those of positive bags begin as positive. Train; give
//           every instance of a positive bag the sign of its score, and where a bag is left without a
//           positive one, its best instance is; until no label changes.
//   MI-SVM  A positive bag is its best instance, at the start its mean; instances of negative bags are
//           negative. Train, choose each bag's instance of the largest score; until no choice changes.
//
// The 1-norm SVM has every candidate z as a shapelet of its own, h_z(B) = max_{x in B} K(z, x) (the features
// of MILES: Chen, Bi, Wang, 2006):
//
//     min  sum_j w_j + sum_i C_i xi_i   s.t.   y_i (sum_j w_j h_j(B_i) + b) + xi_i >= 1,   w, xi >= 0,
//
// over +h_z and -h_z, columns generated. Its optimum S and d, the multipliers of the rows, solve LPBoost's
// program over the same hypotheses: w / sum w and d / S at nu = S / (C m), of soft margin 1 / S and margin
// 1 / sum w. It is reported in that form: weights sum to 1.
//
// C_i = C v_i / mean v, v the class weights. libsvm has one cost for each side: v_i is then the mean over the
// bags of its side.
#pragma once

#include <cstdint>
#include <string>

#include "learn/booster.hpp"

namespace shapeboost {

/// A method, and what it is given.
struct Baseline {
  Method method = Method::mi_svm;
  BaselineSettings settings;
  std::int64_t memory = std::int64_t{1} << 27;  ///< bytes for libsvm's cache; never changes the answer
};

/// Why an SVM of instances cannot use this view, as a sentence; or empty. libsvm knows three kernels, and
/// no position term; and it may be missing from this build.
[[nodiscard]] std::string instance_svm_obstacle(Method method, const View& view);

/// Bytes that an SVM of so many instances, in so many bags and of so many numbers each, holds; with `parts`,
/// the most that an SVM of some of them holds: the kernel matrix is kept of few, not of many.
[[nodiscard]] std::int64_t instance_svm_bytes(Method method, std::int64_t instances, std::int64_t bags,
                                              std::int64_t numbers, bool parts);

/// An SVM of instances has one oracle.
///
/// SVMs of instances: `nu` is the share of the bags' weight with a margin below 1, rho = 1 (where no bag
/// falls short, the smallest margin and the least weight); a round is a training, its `gap` the share of
/// labels or choices that change after it, its `columns` the support vectors. Stop::stalled: labels that
/// were there before come again, and would do so for ever.
/// 1-norm SVM: a round's edge, gamma and gap are those of LPBoost's program; `gap` at the end is how much
/// the best candidate exceeds what optimality allows.
[[nodiscard]] Learned baseline(const Oracles& oracles, const Sides& sides, const Baseline& asked,
                               ThreadPool& threads, const Observer& observer = {});

/// mi-SVM or MI-SVM.
[[nodiscard]] Learned instance_svm(Oracle& oracle, AllInstances& all, const Sides& sides,
                                   const Baseline& asked, ThreadPool& threads, const Observer& observer);

[[nodiscard]] Learned l1_svm(const Oracles& oracles, const Sides& sides, const BaselineSettings& settings,
                             const Observer& observer);

}  // namespace shapeboost
