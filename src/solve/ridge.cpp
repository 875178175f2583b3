// SPDX-License-Identifier: MIT
// For each alpha one Cholesky factor LL' of the Gram matrix plus alpha I, and H_ii from it:
//
//     dual    1 - H_ii = alpha [(K + alpha I)^-1]_ii - u_i^2,  the diagonal of the inverse being the squared norms of
//             L^-1's columns: m^3/3 multiplications each for L and L^-1, which is never stored
//     primal  1 - H_ii = 1 - u_i^2 - |L^-1 x~_i|^2
//
// In the dual Ku = 0, so u_i^2 / alpha is part of the inverse's diagonal, and all but cancels where alpha is small.
// So K + tau uu' takes K's place, tau its mean eigenvalue: c stays the same since u'Y~ = 0, and
//
//     1 - H_ii = alpha ([(K + tau uu' + alpha I)^-1]_ii - u_i^2 / (tau + alpha)).
//
// Every product is cut into tiles that do not depend on the number of threads, and Eigen's products copy
// their factors into an order of their own: the same bits for any number, wherever X lies.
#include "solve/ridge.hpp"

#include <limits>
#include <string>
#include <vector>

#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "solve/alpha_search.hpp"

namespace shapeboost {
namespace {

using detail::Cholesky;
using detail::kTile;
using detail::pieces;
using Index = Eigen::Index;
using Eigen::MatrixXd;

constexpr Index kDepth = 512;         // columns (dual) or examples (primal) of X~ that float sums up
constexpr Index kStrip = 2 * kDepth;  // and those for which a task keeps its tile of the Gram matrix
constexpr Index kSmall = 1024;        // rows of a Gram matrix of which a copy is made for every alpha
constexpr Index kMostCopies = 5;      // as many as alphas are tried at a time
constexpr Index kSlab = 128;          // examples or columns of X~ that are one task of a product in double

/// Multiplications up to which the Gram matrix is computed in double, and where it is not, the smallest alpha
/// relative to its largest entry: float's 6e-8 and what sums of kDepth numbers add to it.
constexpr double kDoubleProducts = 5e9;
constexpr double kSinglePrecision = 1e-6;

constexpr double kCertain = 1e-13;  // a certificate that needs no refinement
constexpr int kRefinements = 3;

[[noreturn]] void reject(const std::string& what, const std::string& expected, const std::string& got) {
  throw InvalidInput("ridge: " + what + ": expected " + expected + ", got " + got);
}

/// sum_i v_i x_i / sum_i v_i as x_0 and what the others are off: exact where all are equal. The order of
/// the sum is its own.
template <typename Values>
double weighted_mean(const Vector& v, double total, const Values& x) {
  constexpr Index kLanes = 8;
  double sums[kLanes] = {};
  const Index m = v.size();
  const auto off = [&](Index i) { return static_cast<double>(x[i]) - static_cast<double>(x[0]); };
  Index i = 0;
  for (; i + kLanes <= m; i += kLanes) {
    for (Index lane = 0; lane < kLanes; ++lane) sums[lane] += v[i + lane] * off(i + lane);
  }
  double sum = 0.0;
  for (const double part : sums) sum += part;
  for (; i < m; ++i) sum += v[i] * off(i);
  return static_cast<double>(x[0]) + sum / total;
}

}  // namespace

void check(const RidgeSettings& settings) {
  const auto number = [](double x) { return std::to_string(x); };
  if (!(settings.smallest > 0.0)) reject("smallest alpha", "a number > 0", number(settings.smallest));
  if (!(settings.largest >= settings.smallest) || !std::isfinite(settings.largest)) {
    reject("largest alpha", "a finite number >= the smallest", number(settings.largest));
  }
  if (!(settings.start >= 0.0)) reject("alpha to start from", "a number >= 0", number(settings.start));
  if (settings.steps_per_decade < 1) {
    reject("steps per decade", "at least 1", std::to_string(settings.steps_per_decade));
  }
}

void Ridge::weigh(Index m, const Vector& v) {
  if (m < 2) reject("X", "two examples or more", std::to_string(m));
  if (v.size() != 0 && v.size() != m) reject("v", concat(m, " entries or none"), std::to_string(v.size()));
  const Vector weight = v.size() == 0 ? Vector::Ones(m) : v;
  for (const double x : weight) {
    if (!(x > 0.0) || !std::isfinite(x)) reject("v", "finite numbers > 0", std::to_string(x));
  }
  s_ = weight.cwiseSqrt();
  u_ = s_ / std::sqrt(weight.sum());
}

/// K + tau uu' in K's place.
void Ridge::lift_null_space() {
  MatrixXd& K = gram_.lower();
  const Index m = K.rows();
  shift_ = K.trace() / real(m);
  threads_->run(m, [&](std::int64_t j) {
    for (Index i = j; i < m; ++i) K(i, j) += shift_ * u_[i] * u_[j];
  });
}

bool Ridge::factor(double alpha) {
  if (alpha != factored_) {
    factored_ = -1.0;  // an exception on the way leaves none
    definite_ = gram_.factor(alpha, *threads_);
    factored_ = alpha;
  }
  return definite_;
}

Ridge::Ridge(const Columns& X, const Vector& v, ThreadPool& threads, RidgeForm form)
    : X_(X), rows_(X.rows()), cols_(X.cols()), threads_(&threads) {
  prepare(v, form);
}

Ridge::Ridge(const ShortColumns& X, const Vector& v, ThreadPool& threads, RidgeForm form)
    : short_(&X), rows_(X.rows()), cols_(X.cols()), threads_(&threads) {
  prepare(v, form);
}

namespace {

bool dual_pays(Index m, Index p) { return 10 * p >= 7 * m; }

}  // namespace

std::int64_t Ridge::bytes(Index m, Index p, Index t) {
  const Index n = dual_pays(m, p) ? m : p;
  // The matrix with its factor; a strip and the next, and a panel; some copies of Y, W and what is left.
  const Index matrices = n <= kSmall ? 1 + kMostCopies : 1;
  return 8 * (matrices * n * n + n * (2 * kStrip + 2 * detail::kPanel) + 6 * (m + p) * t);
}

void Ridge::prepare(const Vector& v, RidgeForm form) {
  const Index m = rows_;
  const Index p = cols_;
  weigh(m, v);
  const Vector weight = s_.cwiseAbs2();
  const double total = weight.sum();
  mean_.resize(p);
  threads_->run(pieces(p, kSlab), [&](std::int64_t slab) {
    for (Index j = kSlab * slab; j < std::min(p, kSlab * (slab + 1)); ++j) {
      mean_[j] = short_ != nullptr ? weighted_mean(weight, total, short_->column(j))
                                   : weighted_mean(weight, total, X_->col(j));
    }
  });
  if (!mean_.allFinite()) reject("X", "finite numbers", "NaN or infinity");

  // An alpha costs 2/3 m^3 in the dual, m p^2 + 1/3 p^3 in the primal.
  dual_ = form == RidgeForm::automatic ? dual_pays(m, p) : form == RidgeForm::dual;
  const Index n = dual_ ? m : p;
  single_ = real(n) * real(m) * real(p) > kDoubleProducts;
  gram_.lower() = MatrixXd::Zero(n, n);
  if (single_) {
    add_products<float>();
  } else {
    add_products<double>();
  }
  if (!gram_.lower().diagonal().allFinite()) reject("X", "numbers whose squares are finite", "larger ones");
  if (dual_) lift_null_space();
}

/// X~ of some examples and columns.
template <typename Scalar>
void Ridge::scaled(Index first, Index rows, Index column, Index columns,
                   Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& out) const {
  out.resize(rows, columns);
  const double* s = s_.data() + first;
  for (Index j = 0; j < columns; ++j) {
    const double mean = mean_[column + j];
    Scalar* to = out.col(j).data();
    if (short_ != nullptr) {
      const std::int16_t* x = short_->column(column + j).numbers + first;
      const double unit = short_->column(column + j).unit;
      for (Index i = 0; i < rows; ++i)
        to[i] = static_cast<Scalar>(s[i] * (unit * static_cast<double>(x[i]) - mean));
      continue;
    }
    const float* x = X_->col(column + j).data() + first;
    for (Index i = 0; i < rows; ++i) to[i] = static_cast<Scalar>(s[i] * (static_cast<double>(x[i]) - mean));
  }
}

/// gram += X~X~' or X~'X~, a strip of columns or examples after the other.
template <typename Scalar>
void Ridge::add_products() {
  using Block = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  MatrixXd& gram = gram_.lower();
  const Index n = gram.rows();
  const Index depth = dual_ ? cols_ : rows_;
  constexpr Index kFewTiles = 8;  // in a row, for several threads where n is small
  constexpr Index kSmallTile = 64;
  const Index tiles = std::max(pieces(n, kTile), std::min(kFewTiles, pieces(n, kSmallTile)));
  const Index side = tiles > 0 ? pieces(n, tiles) : 0;  // all of one size, as far as can be
  std::vector<std::pair<Index, Index>> lower;
  for (Index i = 0; i < tiles; ++i) {
    for (Index j = 0; j <= i; ++j) lower.emplace_back(i, j);
  }
  // The rows of X~ or X~' that are multiplied by each other; beside them the next, which are made meanwhile.
  std::vector<Block> strips(at(tiles));
  std::vector<Block> next(at(tiles));
  const auto make_next = [&](Index k, Index tile) {
    const Index length = std::min(kStrip, depth - k);
    const Index first = side * tile;
    const Index rows = std::min(side, n - first);
    if (dual_) {
      scaled(first, rows, k, length, next[at(tile)]);
    } else {
      Block transposed;
      scaled(k, length, first, rows, transposed);
      next[at(tile)] = transposed.transpose();
    }
  };
  threads_->run(depth > 0 ? tiles : 0, [&](std::int64_t tile) { make_next(0, tile); });
  for (Index k = 0; k < depth; k += kStrip) {
    const Index length = std::min(kStrip, depth - k);
    strips.swap(next);
    const Index made = k + kStrip < depth ? tiles : 0;
    threads_->run(made + std::ssize(lower), [&](std::int64_t task) {
      if (task < made) {
        make_next(k + kStrip, task);
        return;
      }
      const auto [i, j] = lower[at(task - made)];
      const Block& left = strips[at(i)];
      const Block& right = strips[at(j)];
      Block product;
      for (Index part = 0; part < length; part += kDepth) {
        const Index now = std::min(kDepth, length - part);
        product.noalias() = left.middleCols(part, now) * right.middleCols(part, now).transpose();
        gram.block(side * i, side * j, left.rows(), right.rows()) += product.template cast<double>();
      }
    });
  }
}

Eigen::MatrixXd Ridge::times(const MatrixXd& W) const {
  const Index m = rows_;
  MatrixXd out = MatrixXd::Zero(m, W.cols());
  threads_->run(pieces(m, kSlab), [&](std::int64_t slab) {
    const Index i = kSlab * slab;
    const Index rows = std::min(kSlab, m - i);
    MatrixXd block;
    MatrixXd sum = MatrixXd::Zero(rows, W.cols());
    for (Index j = 0; j < W.rows(); j += kDepth) {
      const Index columns = std::min(kDepth, W.rows() - j);
      scaled(i, rows, j, columns, block);
      sum.noalias() += block * W.middleRows(j, columns);
    }
    out.middleRows(i, rows) = sum;
  });
  return out;
}

Eigen::MatrixXd Ridge::transposed_times(const MatrixXd& C) const {
  const Index p = cols_;
  MatrixXd out(p, C.cols());
  threads_->run(pieces(p, kSlab), [&](std::int64_t slab) {
    const Index j = kSlab * slab;
    const Index columns = std::min(kSlab, p - j);
    MatrixXd block;
    MatrixXd sum = MatrixXd::Zero(columns, C.cols());
    for (Index i = 0; i < C.rows(); i += kDepth) {
      const Index rows = std::min(kDepth, C.rows() - i);
      scaled(i, rows, j, columns, block);
      sum.noalias() += block.transpose() * C.middleRows(i, rows);
    }
    out.middleRows(j, columns) = sum;
  });
  return out;
}

/// What one alpha gives.
struct Ridge::Fit {
  double alpha = 0.0;
  double error = kInfinity;
  MatrixXd solution;  // c of the dual, W of the primal
  Vector own_share;   // 1 - H_ii
};

/// One Y: its fits for alpha after alpha.
class Ridge::Search {
 public:
  Search(Ridge& of, const MatrixXd& Y)
      : ridge_(of), mean_(Y.cols()), Y_(Y.rows(), Y.cols()), products_(of.cols_, Y.cols()) {
    if (Y.rows() != of.rows_) reject("Y", concat(of.rows_, " rows"), std::to_string(Y.rows()));
    if (!Y.allFinite()) reject("Y", "finite numbers", "NaN or infinity");
    const Vector weight = of.s_.cwiseAbs2();
    for (Index t = 0; t < Y.cols(); ++t) {
      mean_[t] = weighted_mean(weight, weight.sum(), Y.col(t));
      for (Index i = 0; i < Y.rows(); ++i) Y_(i, t) = of.s_[i] * (Y(i, t) - mean_[t]);
    }
    products_ = of.transposed_times(Y_);
  }

  /// Side by side where copies of the Gram matrix are small, else one after the other in its place.
  [[nodiscard]] std::vector<Fit> fits(const std::vector<double>& alphas) {
    std::vector<Fit> fits(alphas.size());
    const bool apart = ridge_.gram_.lower().rows() <= kSmall;
    const auto fit = [&](std::int64_t k) {
      Fit& own = fits[at(k)];
      own.alpha = alphas[at(k)];
      if (ridge_.single_ && own.alpha < kSinglePrecision * ridge_.gram_.lower().diagonal().maxCoeff()) return;
      if (!apart) {
        if (ridge_.factor(own.alpha)) solve(own, ridge_.gram_);
        return;
      }
      Cholesky copy(ridge_.gram_.lower());
      if (copy.factor(own.alpha, *ridge_.threads_)) solve(own, copy);
    };
    if (apart) {
      ridge_.threads_->run(std::ssize(alphas), fit);
    } else {
      for (std::int64_t k = 0; k < std::ssize(alphas); ++k) fit(k);
    }
    return fits;
  }

  /// The fit's solution, refined with its factor until X~'(Y~ - X~W) = alpha W as far as double can tell.
  [[nodiscard]] RidgeSolution refined(Fit fit) {
    RidgeSolution best;
    best.alpha = fit.alpha;
    best.residual = kInfinity;
    MatrixXd errors;
    const double size = std::max(products_.lpNorm<Eigen::Infinity>(), std::numeric_limits<double>::min());
    for (int refinement = 0; refinement <= kRefinements; ++refinement) {
      const MatrixXd W = ridge_.dual_ ? ridge_.transposed_times(fit.solution) : fit.solution;
      const MatrixXd left = Y_ - ridge_.times(W);
      const MatrixXd gradient = ridge_.transposed_times(left) - fit.alpha * W;
      const double residual = gradient.lpNorm<Eigen::Infinity>() / size;
      const bool worth_another = residual < 0.5 * best.residual && residual > kCertain;
      if (refinement == 0 || residual < best.residual) {
        best.residual = residual;
        best.weights = W;
        errors = ridge_.dual_ ? fit.alpha * fit.solution : left;
      }
      if (!worth_another || refinement == kRefinements || !ridge_.factor(fit.alpha)) break;
      fit.solution +=
          ridge_.gram_.solve(ridge_.dual_ ? left - fit.alpha * fit.solution : gradient, *ridge_.threads_);
    }
    best.b = mean_ - best.weights.transpose() * ridge_.mean_;
    best.left_out_error = left_out_error(errors, fit.own_share);
    best.left_out.resize(errors.rows(), errors.cols());
    for (Index t = 0; t < errors.cols(); ++t) {
      for (Index i = 0; i < errors.rows(); ++i) {
        const double y = Y_(i, t) / ridge_.s_[i] + mean_[t];
        best.left_out(i, t) = y - errors(i, t) / fit.own_share[i] / ridge_.s_[i];
      }
    }
    return best;
  }

 private:
  /// With the factor of the Gram matrix for the fit's alpha.
  void solve(Fit& fit, const Cholesky& gram) const {
    ThreadPool& threads = *ridge_.threads_;
    const Index m = Y_.rows();
    fit.own_share.resize(m);
    MatrixXd errors(m, Y_.cols());
    if (ridge_.dual_) {
      MatrixXd& c = fit.solution;
      c.resize(m, Y_.cols());
      MatrixXd half = Y_;
      gram.forward(half, threads);
      gram.for_each_inverse(threads, [&](Index first, const MatrixXd& Z) {
        c.middleRows(first, Z.cols()).noalias() = Z.transpose() * half.bottomRows(Z.rows());
        for (Index k = 0; k < Z.cols(); ++k) {
          const double u = ridge_.u_[first + k];
          fit.own_share[first + k] =
              fit.alpha * (Z.col(k).squaredNorm() - u * u / (ridge_.shift_ + fit.alpha));
        }
      });
      errors = fit.alpha * c;
    } else {
      MatrixXd& W = fit.solution;
      W = gram.solve(products_, threads);
      threads.run(pieces(m, kTile), [&](std::int64_t tile) {
        const Index first = kTile * tile;
        const Index rows = std::min(kTile, m - first);
        MatrixXd x;
        ridge_.scaled(first, rows, 0, W.rows(), x);
        errors.middleRows(first, rows) = Y_.middleRows(first, rows) - x * W;
        MatrixXd Z = x.transpose();
        gram.forward(Z);
        for (Index k = 0; k < rows; ++k) {
          const double u = ridge_.u_[first + k];
          fit.own_share[first + k] = 1.0 - u * u - Z.col(k).squaredNorm();
        }
      });
    }
    fit.error = left_out_error(errors, fit.own_share);
  }

  /// From Y~ - X~W.
  [[nodiscard]] double left_out_error(const MatrixXd& errors, const Vector& own_share) const {
    double sum = 0.0;
    for (Index i = 0; i < errors.rows(); ++i) {
      if (!(own_share[i] > 0.0)) return kInfinity;
      for (Index t = 0; t < errors.cols(); ++t) {
        const double error = errors(i, t) / own_share[i];
        sum += error * error;
      }
    }
    const double mean = sum / ridge_.s_.squaredNorm() / real(std::max<Index>(1, errors.cols()));
    return std::isfinite(mean) ? mean : kInfinity;
  }

  Ridge& ridge_;
  Vector mean_;        // of each target
  MatrixXd Y_;         // Y~
  MatrixXd products_;  // X~'Y~
};

RidgeSolution Ridge::solve(const MatrixXd& Y, const RidgeSettings& settings) {
  Search search(*this, Y);
  auto [fit, tried] = detail::best_fit(
      settings, cols_, [&](const std::vector<double>& alphas) { return search.fits(alphas); });
  RidgeSolution solution = search.refined(std::move(fit));
  solution.tried = std::move(tried);
  return solution;
}

std::vector<double> Ridge::removal_losses(const RidgeSolution& solution) {
  const Index p = cols_;
  if (solution.weights.rows() != p) {
    reject("weights", concat(p, " rows"), std::to_string(solution.weights.rows()));
  }
  const double alpha = solution.alpha;
  if (!(alpha > 0.0)) reject("alpha", "a number > 0", std::to_string(alpha));
  if (!factor(alpha)) reject("alpha", "one that was solved for", std::to_string(alpha));
  Vector inverse(p);  // [(A + alpha I)^-1]_jj; in the dual (1 - x~_j'(K + alpha I)^-1 x~_j) / alpha
  if (dual_) {
    threads_->run(pieces(p, kTile), [&](std::int64_t tile) {
      const Index first = kTile * tile;
      MatrixXd x;
      scaled(0, rows_, first, std::min(kTile, p - first), x);
      gram_.forward(x);
      for (Index k = 0; k < x.cols(); ++k) inverse[first + k] = (1.0 - x.col(k).squaredNorm()) / alpha;
    });
  } else {
    gram_.for_each_inverse(*threads_, [&](Index first, const MatrixXd& Z) {
      for (Index k = 0; k < Z.cols(); ++k) inverse[first + k] = Z.col(k).squaredNorm();
    });
  }
  std::vector<double> losses(at(p));
  for (Index j = 0; j < p; ++j) {
    const double weight = solution.weights.row(j).squaredNorm();
    // Rounding may leave nothing of a column that the others cannot replace.
    const double least = std::numeric_limits<double>::epsilon() / alpha;
    losses[at(j)] = weight > 0.0 ? weight / std::max(inverse[j], least) : 0.0;
  }
  return losses;
}

RidgeSolution ridge(const Ridge::Columns& X, const MatrixXd& Y, const Vector& v,
                    const RidgeSettings& settings, ThreadPool& threads) {
  return Ridge(X, v, threads).solve(Y, settings);
}

}  // namespace shapeboost
