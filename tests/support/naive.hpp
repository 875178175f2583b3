// SPDX-License-Identifier: MIT
// Dull slow twins: what the fast code means, written out. Everything is materialised, every maximum is a
// loop, distances are sums of squared differences. Below them the literal twin of the paper: its Algorithms 1
// and 2 with representatives given from outside, one lambda for each negative bag and one row for every
// instance of every negative bag.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ground/matrix.hpp"
#include "model/respond.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/view.hpp"
#include "solve/lp.hpp"
#include "solve/status.hpp"

namespace shapeboost::naive {

// ------------------------------------------------------------------------------------------- instances

/// The instances of every example in the units of the data. Windows: of every phase t = 0, 1, ... below the
/// dilation those that begin at t, t + dilation, t + 2 dilation, ..., as long as all their numbers are there.
[[nodiscard]] std::vector<std::vector<Instance>> instances_of(const Dataset& data, const View& view);

/// A vector in the units of the data as the view compares it: mapped, then normalised, each channel by
/// itself.
[[nodiscard]] Vector prepared(const View& view, const std::vector<double>& values);

/// The instances of every example, copied out: one row each, prepared.
[[nodiscard]] std::vector<Matrix> bags_of(const Dataset& data, const View& view);

/// Number of each bag's first instance, counted through all bags; then N.
[[nodiscard]] std::vector<std::int64_t> first_of(const std::vector<Matrix>& bags);

/// The rows of all bags one below the other: instance number x is row x.
[[nodiscard]] Matrix stacked(const std::vector<Matrix>& bags);

/// min over the rows z of |x - z|.
[[nodiscard]] double nearest_distance(const Vector& x, const Matrix& bag);

/// Half the mean of that over the rows of a to b, and half of b to a.
[[nodiscard]] double bag_distance(const Matrix& a, const Matrix& b);

/// K(x, z) by the formula of kernel.hpp.
[[nodiscard]] double kernel_value(const Kernel& kernel, const Vector& x, const Vector& z);

/// What the view says of two instances in the units of the data: the kernel of the two as the view compares
/// them, times exp(-tau (place_x - place_z)^2).
[[nodiscard]] double similarity(const View& view, const Instance& x, const Instance& z);

/// G(a, b) = K(row a of z, row b of x).
[[nodiscard]] Matrix gram(const Kernel& kernel, const Matrix& z, const Matrix& x);

/// Of |x - x'|^2 over all pairs.
[[nodiscard]] double median_squared_distance(const Matrix& x);

/// max_{x in B_i} sum_z alpha_z K(z, x) and the first maximiser, z the rows of `z`.
[[nodiscard]] Response respond(const Kernel& kernel, const std::vector<Matrix>& bags, const Matrix& z,
                               const Vector& alpha);

/// sum_i dy_i sign value_i.
[[nodiscard]] double edge(const Response& response, const Vector& dy, int sign);

// ------------------------------------------------------------------------------------ weak learning

/// One convex problem of the DC algorithm: min over u of
///     sum_{weight_r < 0} |weight_r| max_{x in B_r} <u, Phi(x)> - sum_{weight_k > 0} weight_k <u, Phi(x_k*)>.
struct SubProblem {
  std::vector<std::int64_t> first;       ///< number of each bag's first instance; then N
  Vector weight;                         ///< sign * d_i y_i
  std::vector<std::int64_t> maximisers;  ///< x_k* of the bags with weight > 0; others are ignored
};

struct Optimum {
  Status status = Status::failed;
  double value = 0.0;
  double gap = 0.0;  ///< |primal - dual|, recomputed
  Vector alpha;      ///< sparse: one a candidate; ball: one an instance
};

/// u = sum_z alpha_z Phi(z), ||alpha||_1 <= 1, over the candidates z: K(z, x) = candidates x N. One linear
/// program with all its rows.
[[nodiscard]] Optimum sparse_optimum(const Matrix& K, const SubProblem& problem);

/// ||u|| <= 1, G the N x N Gram matrix. By minimax the optimum is minus the distance from c to a sum of
/// convex hulls, a quadratic program over all N instances; a primal-dual interior point method solves it.
[[nodiscard]] Optimum ball_optimum(const Matrix& G, const SubProblem& problem);

/// The linear program of one view: alpha = plus - minus, a lambda for each negative bag, a row for each of
/// their instances. Only its costs depend on d and on the maximisers, so one program serves a whole run and
/// every solve starts from the last basis.
class SparseProgram {
 public:
  /// negative[i]: bag i has a lambda.
  SparseProgram(const Matrix& K, const std::vector<std::int64_t>& first, const std::vector<bool>& negative);
  /// weight_i < 0 only where negative[i].
  [[nodiscard]] Optimum solve(const SubProblem& problem);

 private:
  const Matrix& K_;
  std::vector<bool> negative_;
  Lp lp_;
};

// -------------------------------------------------------------------------------------------- boosting

/// max rho - sum_i caps_i xi_i  s.t.  y_i (sum_j w_j h_j(B_i) + b) >= rho - xi_i,  sum_j w_j = 1:
/// the master in its primal form, hypotheses as columns.
class PrimalMaster {
 public:
  PrimalMaster(Vector y, const Vector& caps, bool offset);
  void add(const Vector& h);

  struct Solution {
    Status status = Status::failed;
    Vector d;
    Vector w;
    double b = 0.0;
    double rho = 0.0;
    double gamma = 0.0;
  };
  [[nodiscard]] Solution solve();

 private:
  Vector y_;
  Lp lp_;
  int rho_ = 0;
  int b_ = -1;
  int total_ = 0;
  std::vector<int> w_;
};

struct TwinView {
  View view;                                    ///< fitted
  std::vector<std::vector<double>> candidates;  ///< representatives, in the units of the data
};

/// How long one of the twin's linear programs lives.
enum class Programs {
  each_problem,  ///< as Algorithm 2 is printed: every convex problem is solved for itself
  each_call,  ///< one call of the weak learner: only costs change from one DC step to the next, warm starts
  whole_run,  ///< the whole run, warm from round to round
};

struct TwinSettings {
  std::vector<TwinView> views;
  double nu = 0.2;
  bool offset = true;
  bool one_sided = true;
  double dc_tolerance = 1e-8;  ///< stop the DC algorithm when f falls by no more
  int max_dc_steps = 50;
  double edge_tolerance = 1e-7;  ///< Algorithm 1 ends when edge <= gamma; simplex answers are this exact
  int max_rounds = 500;
  Programs programs = Programs::each_problem;
};

struct TwinHypothesis {
  int view = 0;
  int sign = +1;
  Vector alpha;  ///< one a candidate of the view
};

struct TwinRound {
  double edge = 0.0;
  double gamma = 0.0;    ///< before the round's hypothesis
  double seconds = 0.0;  ///< of the processor, since the beginning
};

struct TwinResult {
  std::vector<TwinHypothesis> hypotheses;
  std::vector<double> w;
  double b = 0.0;
  double rho = 0.0;
  double gamma = 0.0;
  std::vector<TwinRound> rounds;
  int programs = 0;  ///< linear programs of the weak learner
};

/// Algorithm 1 with Algorithm 2 as its weak learner: from the best one-hot alpha, DC steps until f falls by
/// no more than the tolerance. Every view (and sign) learns in every round; the largest edge enters.
[[nodiscard]] TwinResult twin_boost(const Dataset& data, const TwinSettings& settings);

/// The twin's answer as a model, so that the predictor can judge it.
[[nodiscard]] Model twin_model(const Dataset& data, const TwinSettings& settings, const TwinResult& result);

/// Centres of `k` clusters for each class, in the units of the data: the paper's representatives.
[[nodiscard]] std::vector<std::vector<double>> representatives(const Dataset& data, const View& view, int k,
                                                               std::uint64_t seed);

}  // namespace shapeboost::naive
