// SPDX-License-Identifier: MIT
#include "train/intervals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"
#include "model/interval_reader.hpp"
#include "train/relevance.hpp"
#include "view/spectrum.hpp"

namespace shapeboost::detail {
namespace {

// Halvings, columns, and values of the longest series in the shortest part: so many at most, and at least.
constexpr int kDeepestParts = 5;
constexpr std::size_t kMostMoments = 2000;
constexpr std::int64_t kFewestValues = 3;
constexpr std::int64_t kFewestForSpectra = 8;
/// What is added to the deviation, as a share of that of all values of the channel: as of patterns' evidence.
constexpr double kIntervalFloor = 0.02;
constexpr double kConstantMoment = 1e-6;

/// The alphas that are tried, where a Gram matrix has trace m.
constexpr double kLeastAlpha = 1e-5;
constexpr int kAlphaDecades = 9;
constexpr int kAlphaSteps = 3;

/// None where there are too many channels.
std::optional<Intervals> intervals_for(const Dataset& data) {
  Intervals intervals;
  intervals.channels = static_cast<int>(data.width());
  intervals.transforms = {Transform::none, Transform::differences};
  if (data.max_length() >= kFewestForSpectra && data.max_length() <= kLongestPeriod) {
    intervals.transforms.push_back(Transform::spectrum);
    intervals.period = quick_period(data.max_length());
  }
  const auto fits = [&](int depth) {
    Intervals deeper = intervals;
    deeper.depth = depth;
    return deeper.size() <= kMostMoments && data.max_length() >= kFewestValues << depth;
  };
  if (!fits(0)) return std::nullopt;
  while (intervals.depth < kDeepestParts && fits(intervals.depth + 1)) ++intervals.depth;
  intervals.standard.resize(intervals.size());
  return intervals;
}

double mean_of(const Eigen::VectorXd& x) {
  double sum = 0.0;
  double seen = 0.0;
  for (const double value : x) {
    if (std::isnan(value)) continue;
    sum += value;
    seen += 1.0;
  }
  return seen > 0.0 ? sum / seen : 0.0;
}

double variance_of(const Eigen::VectorXd& x, double mean) { return mean_of((x.array() - mean).square()); }

/// Columns of one transform and channel are measured in units of the deviation of all its values.
void standardise(Intervals& intervals, const Eigen::MatrixXd& moments, Columns& X, ThreadPool& threads) {
  const auto each = static_cast<Eigen::Index>(interval_parts(intervals.depth) * kMoments);
  threads.run(moments.cols() / each, [&](std::int64_t group) {
    const Eigen::Index first = each * group;
    const auto level = moments.col(first + static_cast<Eigen::Index>(Moment::level));
    const auto spread = moments.col(first + static_cast<Eigen::Index>(Moment::spread));
    const double unit = std::sqrt(variance_of(level, mean_of(level)) + mean_of(spread.array().square()));
    for (Eigen::Index k = first; k < first + each; ++k) {
      const double mean = mean_of(moments.col(k));
      const double deviation = std::sqrt(variance_of(moments.col(k), mean));
      const bool constant = !(deviation > kConstantMoment * unit);
      Standard& standard = intervals.standard[at(k)];
      standard = {mean, constant ? 1.0 : std::hypot(deviation, kIntervalFloor * unit)};
      for (Eigen::Index i = 0; i < moments.rows(); ++i) {
        X(i, k) = constant ? 0.0F : static_cast<float>(standardised(standard, moments(i, k)));
      }
    }
  });
}

/// Of every example, whose numbers lie beside those of the next: a task has some, so that threads do not write side by side.
Eigen::MatrixXd moments_of(const Dataset& data, const Intervals& intervals, ThreadPool& threads) {
  constexpr std::int64_t kEach = 16;
  const auto columns = static_cast<Eigen::Index>(intervals.size());
  Eigen::MatrixXd moments(data.size(), columns);
  threads.run((data.size() + kEach - 1) / kEach, [&](std::int64_t piece) {
    std::vector<double> row(at(columns));
    for (std::int64_t i = kEach * piece; i < std::min(data.size(), kEach * (piece + 1)); ++i) {
      check_stop();
      read_intervals(intervals, data.values(i), row);
      moments.row(i) = Eigen::Map<const Eigen::RowVectorXd>(row.data(), columns);
    }
  });
  return moments;
}

/// How much each group counts, by its relevance.
std::vector<double> group_factors(const Intervals& intervals, const Columns& X, const Eigen::MatrixXd& Y,
                                  const Vector& v, ThreadPool& threads) {
  std::vector<std::vector<Eigen::Index>> columns(intervals.groups());
  for (Eigen::Index k = 0; k < X.cols(); ++k) columns[intervals.group(at(k))].push_back(k);
  std::vector<double> relevances(columns.size());
  threads.run(std::ssize(columns), [&](std::int64_t g) {
    check_stop();
    relevances[at(g)] = relevance(X(Eigen::all, columns[at(g)]), Y, v);
  });
  return factors_of(relevances);
}

/// X~X~', X~ being X less its v-weighted means, row i times the root of v_i. X has p columns, of which some(first, width) gives
/// `width`. Strips of them side by side, added in their order.
template <typename Some>
Eigen::MatrixXd gram_of(Eigen::Index p, const Some& some, const Vector& v, ThreadPool& threads) {
  constexpr Eigen::Index kStrip = 512;
  const Eigen::Index strips = (p + kStrip - 1) / kStrip;
  const Eigen::RowVectorXf shares = (v.transpose() / v.sum()).cast<float>();
  const Eigen::VectorXf roots = v.cwiseSqrt().cast<float>();
  std::vector<Columns> parts(at(strips));
  threads.run(strips, [&](std::int64_t strip) {
    const Eigen::Index first = kStrip * strip;
    Columns X = some(first, std::min(kStrip, p - first));
    X.rowwise() -= (shares * X).eval();
    X.array().colwise() *= roots.array();
    parts[at(strip)] = Columns::Zero(X.rows(), X.rows());
    parts[at(strip)].selfadjointView<Eigen::Lower>().rankUpdate(X);
  });
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(v.size(), v.size());
  for (const Columns& part : parts) K += part.cast<double>();
  return K.selfadjointView<Eigen::Lower>();
}

/// A Gram matrix of trace m, and by what it was divided.
struct Judged {
  Eigen::MatrixXd K;
  double size = 0.0;
};

Judged judged(Eigen::MatrixXd K) {
  Judged result{std::move(K), 0.0};
  result.size = result.K.trace() / real(result.K.rows());
  if (result.size > 0.0) result.K /= result.size;
  return result;
}

/// The least left-out error over all alphas.
double left_out_error(const Eigen::MatrixXd& K, const Eigen::MatrixXd& Y, const Vector& v) {
  const Eigen::Index m = K.rows();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(K);
  if (eigen.info() != Eigen::Success) return kInfinity;
  const Vector lambda = eigen.eigenvalues().cwiseMax(0.0);
  const Eigen::MatrixXd& U = eigen.eigenvectors();
  const Eigen::RowVectorXd mean = v.transpose() / v.sum() * Y;
  const Eigen::MatrixXd centred = v.cwiseSqrt().asDiagonal() * (Y.rowwise() - mean);
  const Eigen::MatrixXd UY = U.transpose() * centred;
  const Eigen::MatrixXd squares = U.cwiseAbs2();
  double least = kInfinity;
  for (int step = 0; step <= kAlphaDecades * kAlphaSteps; ++step) {
    check_stop();
    const double alpha = kLeastAlpha * std::pow(10.0, static_cast<double>(step) / kAlphaSteps);
    const Vector kept = lambda.array() / (lambda.array() + alpha);
    const Eigen::MatrixXd errors = centred - U * (kept.asDiagonal() * UY);
    const Vector own = squares * kept + v / v.sum();  // H_ii
    double sum = 0.0;
    for (Eigen::Index i = 0; i < m; ++i) {
      const double rest = 1.0 - own[i];
      sum = rest > 0.0 ? sum + errors.row(i).squaredNorm() / (rest * rest) : kInfinity;
    }
    if (std::isfinite(sum)) least = std::min(least, sum);
  }
  return least;
}

}  // namespace

std::int64_t interval_bytes(const Dataset& data) {
  const std::optional<Intervals> planned = intervals_for(data);
  const auto each = static_cast<std::int64_t>(sizeof(double) + sizeof(float) + sizeof(std::int16_t));
  return planned ? data.size() * static_cast<std::int64_t>(planned->size()) * each : 0;
}

std::optional<WeighedIntervals> weighed_intervals(const Dataset& data, const ShortColumns& X,
                                                  const Eigen::MatrixXd& Y, const Vector& v,
                                                  ThreadPool& threads) {
  const std::optional<Intervals> planned = intervals_for(data);
  if (!planned || X.cols() == 0) return std::nullopt;
  WeighedIntervals result{*planned, {}};
  Intervals& intervals = result.intervals;
  const auto columns = static_cast<Eigen::Index>(planned->size());
  const Eigen::MatrixXd targets = some_rows(Y, kIntervalJudges);
  const Vector weights = v.size() > 0 ? Vector(some_rows(Eigen::MatrixXd(v), kIntervalJudges).col(0))
                                      : Vector(Vector::Ones(targets.rows()));
  constexpr std::array kKappas{0.0, 0.3, 0.1, 1.0, 3.0};
  std::array<double, kKappas.size()> errors{};

  Judged of_patterns;
  Judged of_intervals;
  const auto judge_patterns = [&] {
    const auto some = [&](Eigen::Index first, Eigen::Index width) {
      return X.some_rows(kIntervalJudges, first, width);
    };
    of_patterns = judged(gram_of(X.cols(), some, weights, threads));
    errors[0] = left_out_error(of_patterns.K, targets, weights);
  };
  const auto judge_intervals = [&] {
    standardise(intervals, moments_of(data, intervals, threads), result.X, threads);
    const Columns asked = some_rows(result.X, kIntervalJudges);
    intervals.factors = group_factors(intervals, asked, targets, weights, threads);
    Eigen::VectorXf factors(columns);
    for (Eigen::Index k = 0; k < columns; ++k) {
      factors[k] = static_cast<float>(intervals.factors[intervals.group(at(k))]);
    }
    const auto some = [&](Eigen::Index first, Eigen::Index width) -> Columns {
      return asked.middleCols(first, width) * factors.segment(first, width).asDiagonal();
    };
    of_intervals = judged(gram_of(columns, some, weights, threads));
  };
  result.X.resize(data.size(), columns);
  threads.run(2, [&](std::int64_t k) { k == 0 ? judge_patterns() : judge_intervals(); });
  if (!(of_patterns.size > 0.0) || !(of_intervals.size > 0.0)) return std::nullopt;

  // Of most data the second kappa says enough.
  const auto ask = [&](std::int64_t first, std::int64_t last) {
    threads.run(last - first, [&](std::int64_t k) {
      errors[at(first + k)] =
          left_out_error(of_patterns.K + kKappas[at(first + k)] * of_intervals.K, targets, weights);
    });
  };
  ask(1, 2);
  if (!(errors[1] < (1.0 - kProbedGain) * errors[0])) return std::nullopt;
  ask(2, std::ssize(kKappas));
  const auto best = std::ranges::min_element(errors) - errors.begin();
  if (!(errors[at(best)] < (1.0 - kIntervalGain) * errors[0])) return std::nullopt;
  const double common = std::sqrt(kKappas[at(best)] * of_patterns.size / of_intervals.size);
  for (double& factor : intervals.factors) factor *= common;
  return result;
}

}  // namespace shapeboost::detail
