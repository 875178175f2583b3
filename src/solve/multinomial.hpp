// SPDX-License-Identifier: MIT
// Multinomial logistic regression on scores: which class, when a regression of every class has said its number? Ridge
// regressions on +1 and -1 take each class for itself; where classes are many, one that lies between others is
// drowned, and one number of theirs tells of another class too. With scores g_i in R^C of example i of class y_i,
//
//     min_{A, c}  f = sum_i v_i (log sum_k exp z_ik - z_{i, y_i}) + lambda |A - s I|^2 + mu |c|^2,    z_i = A'g_i + c,
//
// s being the best of all A = s I with c = 0 (a temperature, at most 10). Few examples leave A there; many may mix the
// scores.
//
// The curvature of f in z_i is at most v_i / 2 (Boehning 1992), so that with the rows (g_i, 1) of G
//
//     Q = G'VG / 2 + 2 diag(lambda, ..., lambda, mu)
//
// gives a quadratic above f that touches it anywhere: steps Q^-1 grad f, accelerated (Nesterov), started anew when a step
// goes uphill (O'Donoghue and Candes 2015). Certificate: f is strongly convex, so it lies above its minimum by at most
// |grad_A f|^2 / (4 lambda) + |grad_c f|^2 / (4 mu).
#pragma once

#include <vector>

#include "ground/matrix.hpp"
#include "ground/parallel.hpp"

namespace shapeboost {

struct MultinomialSettings {
  double lambda = 10.0;
  double mu = 1.0;
  double tolerance = 1e-9;  ///< of the gap, relative to sum_i v_i
  int max_steps = 20000;
};

struct MultinomialSolution {
  double temperature = 1.0;  ///< s, at least 0
  Eigen::MatrixXd A;         ///< C x C
  Vector c;                  ///< C
  double loss = 0.0;         ///< f
  double gap = 0.0;          ///< certificate, relative to sum_i v_i
  int steps = 0;
};

/// G is m x C, y in 0 ... C - 1, v empty means all 1.
[[nodiscard]] MultinomialSolution multinomial(const Eigen::MatrixXd& G, const std::vector<int>& y,
                                              const Vector& v, ThreadPool& threads,
                                              const MultinomialSettings& settings = {});

}  // namespace shapeboost
