// SPDX-License-Identifier: MIT
// With the weights' sum V and the means x^ and y^, all from S,
//
//     A = X~'X~ = sum_i v_i x_i'x_i - V x^'x^,    X~'Y~ = sum_i v_i x_i'y_i - V x^'y^.
//
// Columns are standardised roughly before they are added, so that little cancels.
#include "solve/normal_equations.hpp"

#include <string>
#include <vector>

#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "solve/alpha_search.hpp"
#include "solve/cholesky.hpp"

namespace shapeboost {
namespace {

using detail::Cholesky;
using detail::kTile;
using detail::pieces;
using Index = Eigen::Index;
using Eigen::MatrixXd;

[[noreturn]] void reject_sums(const std::string& what, const std::string& expected, const std::string& got) {
  throw InvalidInput("normal equations: " + what + ": expected " + expected + ", got " + got);
}

/// Judges that say which alpha is best. Asking one is p^2 products, as many as p / 3 of them cost a factorisation, and
/// the error is flat around its minimum: some hundred tell what all would.
constexpr Index kAsked = 600;

/// Judges so many rows apart.
MatrixXd every(const MatrixXd& judges, Index step) {
  return judges(Eigen::seqN(0, pieces(judges.rows(), step), step), Eigen::all);
}

/// What one alpha gives.
struct SumFit {
  double alpha = 0.0;
  double error = kInfinity;
  MatrixXd W{};
  MatrixXd left_out{};  // of the judges
};

/// Centred sums, and the judges with them.
class Equations {
 public:
  Equations(const MatrixXd& S, Index p, Index t, ThreadPool& threads)
      : threads_(threads), p_(p), t_(t), total_(S(p + t, p + t)) {
    const Eigen::RowVectorXd mean = S.row(p + t).head(p + t) / total_;
    x_mean_ = mean.head(p);
    y_mean_ = mean.tail(t);
    products_ = S.block(p, 0, t, p).transpose() - total_ * x_mean_.transpose() * y_mean_;
    MatrixXd& A = equations_.lower();
    A.resize(p, p);
    threads_.run(pieces(p, kTile), [&](std::int64_t tile) {
      for (Index j = kTile * tile; j < std::min(p, kTile * (tile + 1)); ++j) {
        for (Index i = j; i < p; ++i) A(i, j) = S(i, j) - total_ * x_mean_[i] * x_mean_[j];
      }
    });
  }

  /// Its error is the judges'.
  [[nodiscard]] SumFit fit(double alpha, const MatrixXd& judges) {
    SumFit result{.alpha = alpha};
    if (!equations_.factor(alpha, threads_)) return result;
    MatrixXd W = equations_.solve(products_, threads_);
    W += equations_.solve(products_ - alpha * W - times(W), threads_);  // what rounding left
    result.W = std::move(W);
    judge(judges, result);
    return result;
  }

  [[nodiscard]] Vector offset(const MatrixXd& W) const { return (y_mean_ - x_mean_ * W).transpose(); }

  /// Largest entry of X~'(Y~ - X~W) - alpha W, relative to that of X~'Y~.
  [[nodiscard]] double residual(const SumFit& fit) const {
    const double size = std::max(products_.lpNorm<Eigen::Infinity>(), std::numeric_limits<double>::min());
    return (products_ - fit.alpha * fit.W - times(fit.W)).lpNorm<Eigen::Infinity>() / size;
  }

 private:
  [[nodiscard]] MatrixXd times(const MatrixXd& W) const { return equations_.times(W, threads_); }

  void judge(const MatrixXd& judges, SumFit& fit) const {
    fit.left_out.resize(judges.rows(), t_);
    Vector errors(judges.rows());
    Vector shares(judges.rows());
    threads_.run(pieces(judges.rows(), kTile), [&](std::int64_t tile) {
      const Index first = kTile * tile;
      const auto z = judges.middleRows(first, std::min(kTile, judges.rows() - first));
      const Vector s = z.col(p_ + t_);
      MatrixXd x = z.leftCols(p_) - s * x_mean_;
      const MatrixXd error = z.middleCols(p_, t_) - s * y_mean_ - x * fit.W;
      x.transposeInPlace();
      equations_.forward(x);
      for (Index k = 0; k < s.size(); ++k) {
        const double share = 1.0 - s[k] * s[k] / total_ - x.col(k).squaredNorm();
        const Eigen::RowVectorXd left = error.row(k) / share;
        shares[first + k] = share;
        errors[first + k] = left.squaredNorm();
        fit.left_out.row(first + k) = (z.row(k).segment(p_, t_) - left) / s[k];
      }
    });
    const double weight = judges.col(p_ + t_).squaredNorm() * real(std::max<Index>(1, t_));
    const double error = errors.sum() / weight;
    if (shares.minCoeff() > 0.0 && std::isfinite(error)) fit.error = error;
  }

  ThreadPool& threads_;
  Index p_;
  Index t_;
  double total_;
  Eigen::RowVectorXd x_mean_;
  Eigen::RowVectorXd y_mean_;
  Cholesky equations_;  // A and its factor
  MatrixXd products_;   // X~'Y~
};

}  // namespace

NormalEquations::NormalEquations(Index columns, Index targets)
    : NormalEquations(columns, targets, MatrixXd::Zero(columns + targets + 1, columns + targets + 1)) {}

NormalEquations::NormalEquations(Index columns, Index targets, MatrixXd sum)
    : columns_(columns), targets_(targets), sum_(std::move(sum)) {
  const Index n = columns + targets + 1;
  if (columns < 1 || targets < 1)
    reject_sums("sizes", "a column and a target or more", concat(columns, " and ", targets));
  if (sum_.rows() != n || sum_.cols() != n) {
    reject_sums("sum", concat(n, " x ", n), concat(sum_.rows(), " x ", sum_.cols()));
  }
  if (!sum_.allFinite()) reject_sums("sum", "finite numbers", "NaN or infinity");
}

void NormalEquations::add(const Block& Z, ThreadPool& threads) {
  if (Z.cols() != sum_.cols()) {
    reject_sums("block", concat(sum_.cols(), " columns"), std::to_string(Z.cols()));
  }
  const Index tiles = pieces(Z.cols(), kTile);
  std::vector<std::pair<Index, Index>> lower;
  for (Index i = 0; i < tiles; ++i) {
    for (Index j = 0; j <= i; ++j) lower.emplace_back(kTile * i, kTile * j);
  }
  threads.run(std::ssize(lower), [&](std::int64_t task) {
    const auto [i, j] = lower[at(task)];
    const Index rows = std::min(kTile, Z.cols() - i);
    const Index columns = std::min(kTile, Z.cols() - j);
    sum_.block(i, j, rows, columns).noalias() += Z.middleCols(i, rows).transpose() * Z.middleCols(j, columns);
  });
}

void NormalEquations::add(const NormalEquations& other) {
  if (other.columns_ != columns_ || other.targets_ != targets_) {
    reject_sums("other sums", concat(columns_, " columns and ", targets_, " targets"),
                concat(other.columns_, " and ", other.targets_));
  }
  sum_ += other.sum_;
}

double NormalEquations::bytes(Index columns, Index targets, Index judges) {
  const double n = real(columns + targets + 1);
  // S, and A with its factor; the judges twice, as given and as some are asked, block by block.
  return 8.0 * (2.0 * n * n + 2.0 * n * real(judges));
}

RidgeSolution NormalEquations::solve(const Block& judges, const RidgeSettings& settings,
                                     ThreadPool& threads) const {
  if (!(sum_(sum_.rows() - 1, sum_.cols() - 1) > 0.0)) reject_sums("sum", "examples", "none");
  if (!sum_.allFinite()) reject_sums("sum", "finite numbers", "NaN or infinity");
  if (judges.cols() != sum_.cols() || judges.rows() < 1) {
    reject_sums("judges", concat("rows of ", sum_.cols(), " columns"),
                concat(judges.rows(), " of ", judges.cols()));
  }
  Equations equations(sum_, columns_, targets_, threads);
  const MatrixXd asked = every(judges, std::max<Index>(1, judges.rows() / kAsked));
  auto [fit, tried] = detail::best_fit(settings, columns_, [&](const std::vector<double>& alphas) {
    std::vector<SumFit> fits;
    for (const double alpha : alphas) fits.push_back(equations.fit(alpha, asked));
    return fits;
  });
  if (asked.rows() < judges.rows()) fit = equations.fit(fit.alpha, judges);
  RidgeSolution solution;
  solution.alpha = fit.alpha;
  solution.b = equations.offset(fit.W);
  solution.residual = equations.residual(fit);
  solution.left_out_error = fit.error;
  solution.weights = std::move(fit.W);
  solution.left_out = std::move(fit.left_out);
  solution.tried = std::move(tried);
  return solution;
}

}  // namespace shapeboost
