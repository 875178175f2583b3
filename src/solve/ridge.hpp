// SPDX-License-Identifier: MIT
// Ridge regression of t targets on p columns, each of m examples with a weight v_i > 0:
//
//     min_{W, b}  sum_i v_i |y_i - b - W'x_i|^2 + alpha |W|^2,
//
// alpha being the one whose models, each without one example, err least on the example left out. With
// s_i = sqrt(v_i), u = s / |s|, and X~, Y~ what is left of X and Y when their v-weighted means are taken off and
// each row i is multiplied by s_i, all follows from one Gram matrix:
//
//     dual    K = X~X~' (m x m):  (K + alpha I) c = Y~,  W = X~'c
//     primal  A = X~'X~ (p x p):  (A + alpha I) W = X~'Y~
//
//     H = uu' + X~ (A + alpha I)^-1 X~',  left-out error of example i:  [Y~ - X~W]_i / (1 - H_ii) / s_i
//
// H being what maps s_i y_i to s_i times the prediction; uu' is b's part. Certificate: the largest entry of
// X~'(Y~ - X~W) - alpha W, zero at the minimum only, from the data in double.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/parallel.hpp"
#include "shapeboost/base.hpp"
#include "solve/cholesky.hpp"
#include "solve/short_columns.hpp"

namespace shapeboost {

/// Which of the two Gram matrices: by what it costs, unless told.
enum class RidgeForm { automatic, dual, primal };

/// The alphas are start * 10^(k / steps_per_decade), k whole, between smallest and largest.
struct RidgeSettings {
  double smallest = 1e-3;
  double largest = 1e7;
  double start = 0.0;  ///< 0: a hundredth of p; moved to the nearer end where it lies outside
  int steps_per_decade = 3;
};

/// Throws InvalidInput naming the first that makes no sense.
void check(const RidgeSettings& settings);

struct RidgeSolution {
  double alpha = 0.0;
  Eigen::MatrixXd weights;      ///< W, p x t
  Vector b;                     ///< t
  Eigen::MatrixXd left_out;     ///< m x t: what the model of the others predicts, with the same alpha
  double left_out_error = 0.0;  ///< its squared error, v-weighted mean over examples, mean over targets
  std::vector<std::pair<double, double>> tried;  ///< alpha and its left-out error (or infinity), increasing
  double residual = 0.0;                         ///< certificate, relative to the largest entry of X~'Y~
};

/// The examples and their Gram matrix, for any targets, one after the other. X and threads must outlive it; X is not copied.
///
/// The Gram matrix of large problems is computed in single precision, block by block; solutions are then
/// refined to double, left-out errors are not: alphas that its rounding could drown are not taken.
class Ridge {
 public:
  using Columns = Eigen::Ref<const Eigen::MatrixXf>;

  /// X is m x p; v empty means all 1. Throws InvalidInput on fewer than two examples, weights that are not
  /// positive, numbers that are not finite and sizes that do not fit; so do the others.
  Ridge(const Columns& X, const Vector& v, ThreadPool& threads, RidgeForm form = RidgeForm::automatic);
  Ridge(const ShortColumns& X, const Vector& v, ThreadPool& threads, RidgeForm form = RidgeForm::automatic);

  /// What it takes beside X, for so many targets.
  [[nodiscard]] static std::int64_t bytes(Eigen::Index m, Eigen::Index p, Eigen::Index t);

  /// Y is m x t. Walks down the left-out error by decades from start, either way until it has not fallen
  /// twice in a row, then tries the finer steps around the best decade. Of equal errors the larger alpha.
  [[nodiscard]] RidgeSolution solve(const Eigen::MatrixXd& Y, const RidgeSettings& settings = {});

  /// For each column by how much the minimum rises without it, the rest solved anew with the same alpha:
  /// |w_j|^2 / [(A + alpha I)^-1]_jj.
  [[nodiscard]] std::vector<double> removal_losses(const RidgeSolution& solution);

 private:
  struct Fit;
  class Search;

  void prepare(const Vector& v, RidgeForm form);
  void weigh(Eigen::Index m, const Vector& v);
  void lift_null_space();

  template <typename Scalar>
  void add_products();
  template <typename Scalar>
  void scaled(Eigen::Index i, Eigen::Index rows, Eigen::Index j, Eigen::Index columns,
              Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& out) const;
  [[nodiscard]] Eigen::MatrixXd times(const Eigen::MatrixXd& W) const;             // X~W
  [[nodiscard]] Eigen::MatrixXd transposed_times(const Eigen::MatrixXd& C) const;  // X~'C

  [[nodiscard]] bool factor(double alpha);

  std::optional<Columns> X_;
  const ShortColumns* short_ = nullptr;  // in its place
  Eigen::Index rows_;
  Eigen::Index cols_;
  ThreadPool* threads_;
  Vector s_;                // sqrt(v_i)
  Vector u_;                // s / |s|
  Vector mean_;             // of each column
  bool dual_ = false;       // which one gram_ is
  bool single_ = false;     // in which precision its products were taken
  double shift_ = 0.0;      // the dual's gram_ is K + shift uu'
  detail::Cholesky gram_;   // and its factor
  double factored_ = -1.0;  // the alpha whose factor it is
  bool definite_ = false;
};

/// One problem, once.
[[nodiscard]] RidgeSolution ridge(const Ridge::Columns& X, const Eigen::MatrixXd& Y, const Vector& v,
                                  const RidgeSettings& settings, ThreadPool& threads);

}  // namespace shapeboost
