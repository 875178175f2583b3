// SPDX-License-Identifier: MIT
#include "train/bag_head.hpp"

#include <algorithm>

#include "ground/numbers.hpp"
#include "train/blend.hpp"
#include "train/evidence.hpp"

namespace shapeboost::detail {
namespace {

std::vector<const Hypothesis*> these(const Model& model, const std::vector<std::int64_t>& own) {
  std::vector<const Hypothesis*> patterns;
  for (const std::int64_t j : own) patterns.push_back(&model.hypotheses[at(j)]);
  return patterns;
}

/// Of the labels that the blend expects: weighted mean over the examples, mean over the parts.
double left_out_error_of(const Eigen::MatrixXd& left_out, const Eigen::MatrixXd& Y, const Vector& v) {
  const Eigen::MatrixXd expected = left_out.array().tanh();
  const Vector squares = (Y - expected).rowwise().squaredNorm() / real(Y.cols());
  return v.size() > 0 ? v.dot(squares) / v.sum() : squares.mean();
}

}  // namespace

BagHead::BagHead(const Dataset& data, const TrainSettings& settings, std::optional<Averaged> averaged,
                 ThreadPool& threads)
    : data_(data), settings_(settings), threads_(threads), averaged_(std::move(averaged)) {}

void BagHead::weigh_whole_bags(const Eigen::MatrixXd& Y, const Vector& v) {
  whole_ = whole_bags(data_, settings_, Y, v, threads_);
  if (whole_->hypotheses.empty()) whole_.reset();
}

ShortColumns BagHead::read(Model& model, const std::vector<Evidence>& kinds) const {
  const std::vector<std::vector<std::int64_t>> of_view = by_view(model);
  const auto each = std::ssize(kinds);
  std::vector<ShortColumns> read(of_view.size());
  threads_.run(std::ssize(of_view), [&](std::int64_t v) {
    const std::vector<std::int64_t>& own = of_view[at(v)];
    if (own.empty()) return;
    Columns X = read_evidence(data_, model.views[at(v)], these(model, own), kinds);
    for (std::int64_t p = 0; p < std::ssize(own); ++p) {
      Hypothesis& hypothesis = model.hypotheses[at(own[at(p)])];
      for (std::int64_t k = 0; k < each; ++k) {
        hypothesis.standard[static_cast<std::size_t>(kinds[at(k)])] =
            standardise(X.col(p * each + k), hypothesis.shapelet);
      }
    }
    read[at(v)] = ShortColumns(X);
  });
  ShortColumns all(Columns(data_.size(), 0));
  std::vector<Eigen::Index> place(model.hypotheses.size() * kinds.size());
  Eigen::Index next = 0;
  for (std::size_t v = 0; v < read.size(); ++v) {
    all.append(std::move(read[v]));
    for (const std::int64_t j : of_view[v]) {
      for (std::int64_t k = 0; k < each; ++k) place[at(j * each + k)] = next++;
    }
  }
  return all.of(place);
}

/// The kinds of the drawn instances, the boosted members and whole bags are expected to count alike.
KindRegression BagHead::blend(const std::vector<KindRegression>& of_kind, const Eigen::MatrixXd& Y,
                              const Vector& v) {
  const auto kinds = std::ssize(of_kind);
  std::vector<Eigen::MatrixXd> left_out;
  for (const KindRegression& one : of_kind) left_out.push_back(one.solution.left_out);
  std::vector<double> prior(of_kind.size(), 1.0 / real(std::max<std::int64_t>(1, kinds)));
  if (averaged_) {
    left_out.push_back(averaged_->left_out * average_unit());
    prior.push_back(1.0);
  }
  if (whole_) {
    left_out.push_back(whole_->left_out);
    prior.push_back(1.0);
  }
  Vector expected = Eigen::Map<const Vector>(prior.data(), std::ssize(prior));
  expected /= expected.sum();
  const Shares blend = blended(left_out, expected, Y, v);
  const std::int64_t patterns = of_kind.empty() ? 0 : of_kind.front().solution.weights.rows();
  KindRegression all;
  RidgeSolution& sum = all.solution;
  sum.weights = Eigen::MatrixXd::Zero(patterns * kinds, Y.cols());
  sum.b = blend.offset;
  sum.left_out = blend.offset.transpose().replicate(Y.rows(), 1);
  if (!of_kind.empty()) all.losses.assign(of_kind.front().losses.size(), 0.0);
  shares_.clear();
  for (std::int64_t k = 0; k < kinds; ++k) {
    const RidgeSolution& one = of_kind[at(k)].solution;
    const double share = blend.beta[k];
    for (std::int64_t j = 0; j < patterns; ++j) sum.weights.row(j * kinds + k) = share * one.weights.row(j);
    for (std::size_t j = 0; j < all.losses.size(); ++j) {
      all.losses[j] += share * share * of_kind[at(k)].losses[j];
    }
    sum.b += share * one.b;
    sum.alpha = std::max(sum.alpha, one.alpha);
    sum.residual = std::max(sum.residual, one.residual);
    shares_.push_back({one.alpha, share});
  }
  for (std::size_t k = 0; k < left_out.size(); ++k) {
    sum.left_out += blend.beta[static_cast<Eigen::Index>(k)] * left_out[k];
  }
  averaged_share_ = averaged_ ? blend.beta[kinds] : 0.0;
  if (whole_) {
    shares_.push_back({whole_->alpha, blend.beta[blend.beta.size() - 1]});
    sum.alpha = std::max(sum.alpha, whole_->alpha);
    sum.residual = std::max(sum.residual, whole_->residual);
  }
  sum.left_out_error = left_out_error_of(sum.left_out, Y, v);
  return all;
}

void BagHead::add_to(Model& model, RidgeSolution& solution, std::vector<Evidence>& kinds) {
  add_average(model, solution, kinds);
  if (whole_ && (shares_.back().share > 0.0 || kinds.empty())) {
    add_whole_bags(model, solution, kinds);
  } else if (whole_) {
    shares_.pop_back();  // they count for nothing, and a model would be large for it
  }
}

TrainingResult BagHead::average_alone() {
  TrainingResult& alone = averaged_->result;
  alone.stop = Stop::interrupted;
  alone.model.provenance.stopped = to_string(alone.stop);
  alone.notes.emplace_back("stopped before the head was weighed: the members' average answers alone");
  return std::move(alone);
}

/// What brings the average's scores to size 1.
double BagHead::average_unit() const {
  const double size = averaged_->left_out.cwiseAbs().mean();
  return size > 0.0 ? 1.0 / size : 0.0;
}

/// Hypotheses of the average beside the patterns. Their best matches are standardised as the patterns' are, which
/// changes no score: weights can be compared, and an explanation tells what is unusual.
void BagHead::add_average(Model& model, RidgeSolution& solution, const std::vector<Evidence>& kinds) {
  if (averaged_share_ <= 0.0) return;
  Model& other = averaged_->result.model;
  const double factor = averaged_share_ * average_unit();
  const auto each = std::ssize(kinds);
  const auto best = std::ranges::find(kinds, Evidence::best) - kinds.begin();
  const auto first = std::ssize(model.hypotheses);
  for (Hypothesis& hypothesis : other.hypotheses) model.hypotheses.push_back(std::move(hypothesis));
  standardise_best(model, first);
  Eigen::MatrixXd& W = solution.weights;
  const Eigen::Index before = W.rows();
  W.conservativeResize(std::ssize(model.hypotheses) * each, Eigen::NoChange);
  W.bottomRows(W.rows() - before).setZero();
  for (std::size_t p = 0; p < other.parts.size(); ++p) {
    double& b = solution.b[static_cast<Eigen::Index>(p)];
    b += factor * other.parts[p].b;
    for (const Weight& weight : other.parts[p].weights) {
      const std::int64_t j = first + weight.hypothesis;
      const Hypothesis& hypothesis = model.hypotheses[at(j)];
      const Standard& standard = hypothesis.standard[static_cast<std::size_t>(Evidence::best)];
      W(j * each + best, static_cast<Eigen::Index>(p)) = factor * weight.w * standard.scale;
      b += factor * weight.w * hypothesis.sign * standard.centre;
    }
  }
}

/// Mean and deviation of the best matches of hypotheses from `first` on.
void BagHead::standardise_best(Model& model, std::int64_t first) const {
  const std::vector<std::vector<std::int64_t>> of_view = by_view(model, first);
  threads_.run(std::ssize(of_view), [&](std::int64_t v) {
    const std::vector<std::int64_t>& own = of_view[at(v)];
    if (own.empty()) return;
    Columns X = read_evidence(data_, model.views[at(v)], these(model, own), {Evidence::best});
    for (std::int64_t p = 0; p < std::ssize(own); ++p) {
      Hypothesis& hypothesis = model.hypotheses[at(own[at(p)])];
      hypothesis.standard[static_cast<std::size_t>(Evidence::best)] =
          standardise(X.col(p), hypothesis.shapelet);
    }
  });
}

/// Whole bags beside the patterns, in views of their own.
void BagHead::add_whole_bags(Model& model, RidgeSolution& solution, std::vector<Evidence>& kinds) {
  const auto before = std::ssize(model.hypotheses);
  const auto views = static_cast<int>(model.views.size());
  for (Hypothesis& hypothesis : whole_->hypotheses) {
    hypothesis.view += views;
    model.hypotheses.push_back(std::move(hypothesis));
  }
  model.views.insert(model.views.end(), whole_->views.begin(), whole_->views.end());
  Provenance& provenance = model.provenance;
  provenance.views.insert(provenance.views.end(), whole_->facts.begin(), whole_->facts.end());
  for (const ViewFacts& fact : whole_->facts) provenance.instances += fact.instances;
  const double share = shares_.back().share;
  const auto found = std::ssize(kinds);
  const auto all = std::ssize(model.hypotheses);
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(all * (found + 1), solution.weights.cols());
  for (std::int64_t j = 0; j < before; ++j) {
    W.middleRows(j * (found + 1), found) = solution.weights.middleRows(j * found, found);
  }
  for (std::int64_t j = before; j < all; ++j) {
    W.row(j * (found + 1) + found) = share * whole_->weights.row(j - before);
  }
  solution.weights = std::move(W);
  solution.b += share * whole_->b;
  kinds.push_back(Evidence::bag);
}

}  // namespace shapeboost::detail
