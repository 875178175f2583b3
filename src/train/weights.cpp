// SPDX-License-Identifier: MIT
#include "train/weights.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "ground/numbers.hpp"
#include "solve/multinomial.hpp"

namespace shapeboost::detail {
namespace {

/// To as many places as change no score by more than 1e-6: scores are sums of some thousand numbers of size 1.
double shortened(double w) {
  constexpr double kPlaces = 1e8;
  return std::round(w * kPlaces) / kPlaces;
}

/// What these examples settle.
MultinomialSolution settled(const Eigen::MatrixXd& scores, const std::vector<int>& labels, const Vector& v,
                            const std::vector<std::int64_t>& examples, ThreadPool& threads) {
  std::vector<int> own;
  for (const std::int64_t i : examples) own.push_back(labels[at(i)]);
  return multinomial(scores(examples, Eigen::all), own, v.size() > 0 ? Vector(v(examples)) : Vector(),
                     threads);
}

}  // namespace

Mixing mixing_of(const Eigen::MatrixXd& scores, const std::vector<int>& labels, const Vector& v,
                 ThreadPool& threads) {
  constexpr std::int64_t kFolds = 5;
  constexpr double kPlaces = 1e6;
  Mixing mixing;
  mixing.left_out.resize(scores.rows(), scores.cols());
  threads.run(kFolds + 1, [&](std::int64_t fold) {  // the last takes all
    std::vector<std::int64_t> others;
    for (std::int64_t i = 0; i < scores.rows(); ++i) {
      if (i % kFolds != fold) others.push_back(i);
    }
    MultinomialSolution found = settled(scores, labels, v, others, threads);
    for (std::int64_t i = fold; fold < kFolds && i < scores.rows(); i += kFolds) {
      mixing.left_out.row(i) = scores.row(i) * found.A + found.c.transpose();
    }
    if (fold < kFolds) return;
    mixing.A = (kPlaces * found.A).array().round() / kPlaces;
    mixing.c = std::move(found.c);
  });
  return mixing;
}

void Mixing::apply(Eigen::MatrixXd& W, Vector& b) const {
  W = (W * A).eval();
  b = (A.transpose() * b + c).eval();
}

std::vector<std::vector<double>> rows_of(const Eigen::MatrixXd& A) {
  std::vector<std::vector<double>> rows;
  for (const auto row : A.rowwise()) rows.emplace_back(row.begin(), row.end());
  return rows;
}

void set_weights(Model& model, const std::vector<Evidence>& kinds, const Eigen::MatrixXd& W, const Vector& b,
                 ThreadPool& threads) {
  const auto each = std::ssize(kinds);
  std::vector<double> total(model.hypotheses.size(), 0.0);
  for (std::int64_t j = 0; j < std::ssize(total); ++j) {
    total[at(j)] = W.middleRows(j * each, each).cwiseAbs().sum();
  }
  std::vector<std::int64_t> order(total.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](std::int64_t j) { return total[at(j)]; });
  std::vector<Hypothesis> sorted;
  for (const std::int64_t j : order) sorted.push_back(std::move(model.hypotheses[at(j)]));
  model.hypotheses = std::move(sorted);
  threads.run(std::ssize(model.parts), [&](std::int64_t p) {
    Part& part = model.parts[at(p)];
    part.b = b[p];
    part.weights.clear();
    part.weights.reserve(order.size() * at(each));
    for (std::size_t to = 0; to < order.size(); ++to) {
      for (std::int64_t k = 0; k < each; ++k) {
        const double w = shortened(W(order[to] * each + k, p));
        if (w != 0.0) part.weights.push_back({static_cast<int>(to), w, kinds[at(k)]});
      }
    }
  });
}

void set_interval_weights(Model& model, const Eigen::MatrixXd& W) {
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    std::vector<double>& weights = model.parts[p].intervals;
    for (const double w : W.col(static_cast<Eigen::Index>(p))) weights.push_back(shortened(w));
  }
}

double accuracy_of(const Eigen::MatrixXd& scores, const std::vector<int>& labels) {
  std::int64_t right = 0;
  for (Eigen::Index i = 0; i < scores.rows(); ++i) {
    Eigen::Index best = 0;
    if (scores.cols() == 1) {
      best = scores(i, 0) > 0.0 ? 1 : 0;
    } else {
      scores.row(i).maxCoeff(&best);
    }
    if (best == labels[at(i)]) ++right;
  }
  return real(right) / real(scores.rows());
}

}  // namespace shapeboost::detail
