// SPDX-License-Identifier: MIT
#include "shapeboost/calibration.hpp"

#include <algorithm>
#include <cmath>

#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "model/probabilities.hpp"
#include "select/calibration.hpp"
#include "select/folds.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/selection.hpp"
#include "train/decision.hpp"

namespace shapeboost {
namespace {

/// t: one row an example, one column a class; rows sum to 1.
Eigen::MatrixXd targets(const std::vector<int>& labels, Eigen::Index classes) {
  std::vector<double> count(at(classes), 0.0);
  for (const int label : labels) count[at(label)] += 1.0;
  Eigen::MatrixXd t(std::ssize(labels), classes);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double n = count[at(labels[i])];
    t.row(static_cast<Eigen::Index>(i)).setConstant(1.0 / (n + 2.0) / real(classes - 1));
    t(static_cast<Eigen::Index>(i), labels[i]) = (n + 1.0) / (n + 2.0);
  }
  return t;
}

double loss(const Calibration& calibration, const Eigen::MatrixXd& scores, const Eigen::MatrixXd& t) {
  const Eigen::Map<const Vector> offsets(calibration.offsets.data(), scores.cols());
  double sum = 0.0;
  for (Eigen::Index i = 0; i < scores.rows(); ++i) {
    const Vector z = calibration.slope * scores.row(i).transpose() + offsets;
    const double top = z.maxCoeff();
    sum += top + std::log((z.array() - top).exp().sum()) - t.row(i).dot(z);
  }
  return sum;
}

/// Newton's method, each step shortened until it helps. The first offset stays 0, as only differences count;
/// `with_slope` false: the slope stays as it is.
void minimise(Calibration& calibration, const Eigen::MatrixXd& scores, const Eigen::MatrixXd& t,
              bool with_slope) {
  constexpr int kMostSteps = 100;
  constexpr double kFlat = 1e-10;    // of the gradient, relative to the number of examples
  constexpr double kSteady = 1e-12;  // added to the Hessian, relative to its trace
  const Eigen::Index classes = scores.cols();
  const Eigen::Index first = with_slope ? 0 : 1;
  for (int step = 0; step < kMostSteps; ++step) {
    // Of (a, b_1, ..., b_{K-1}): dz_c/da = s_c, dz_c/db_k = [c = k].
    Vector gradient = Vector::Zero(classes);
    Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(classes, classes);
    const Eigen::MatrixXd p = detail::probabilities(calibration, scores);
    for (Eigen::Index i = 0; i < scores.rows(); ++i) {
      Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(classes, classes);
      jacobian.col(0) = scores.row(i).transpose();
      for (Eigen::Index k = 1; k < classes; ++k) jacobian(k, k) = 1.0;
      const Vector own = p.row(i).transpose();
      gradient += jacobian.transpose() * (own - t.row(i).transpose());
      const Eigen::MatrixXd curvature = Eigen::MatrixXd(own.asDiagonal()) - own * own.transpose();
      hessian += jacobian.transpose() * curvature * jacobian;
    }
    const Vector g = gradient.tail(classes - first);
    if (g.cwiseAbs().maxCoeff() <= kFlat * real(scores.rows())) return;
    Eigen::MatrixXd h = hessian.bottomRightCorner(classes - first, classes - first);
    h.diagonal().array() += kSteady * h.trace() + std::numeric_limits<double>::min();
    const Vector direction = h.ldlt().solve(-g);
    const double before = loss(calibration, scores, t);
    const Calibration old = calibration;
    double length = 1.0;
    do {
      for (Eigen::Index k = first; k < classes; ++k) {
        const double moved = length * direction[k - first];
        if (k == 0) {
          calibration.slope = old.slope + moved;
        } else {
          calibration.offsets[at(k)] = old.offsets[at(k)] + moved;
        }
      }
      length /= 2.0;
    } while (!(loss(calibration, scores, t) < before) && length > kFlat);
    if (length <= kFlat) {
      calibration = old;
      return;
    }
  }
}

}  // namespace

double calibration_loss(const Calibration& calibration, const Eigen::MatrixXd& scores,
                        const std::vector<int>& labels) {
  return loss(calibration, scores, targets(labels, scores.cols()));
}

Calibration fit_calibration(const Eigen::MatrixXd& scores, const std::vector<int>& labels) {
  const Eigen::MatrixXd t = targets(labels, scores.cols());
  Calibration calibration;
  calibration.offsets.assign(at(scores.cols()), 0.0);
  calibration.examples = std::ssize(labels);
  minimise(calibration, scores, t, true);
  if (!(calibration.slope >= 0.0)) {
    calibration.slope = 0.0;
    std::ranges::fill(calibration.offsets, 0.0);
    minimise(calibration, scores, t, false);
  }
  double mean = 0.0;
  for (const double offset : calibration.offsets) mean += offset / real(scores.cols());
  for (double& offset : calibration.offsets) offset -= mean;
  return calibration;
}

std::optional<Calibration> calibrate(const Dataset& data, const TrainSettings& settings, int folds,
                                     const Observer& observer) {
  const int parts = detail::possible_folds(data, folds);
  if (parts < 2) {
    throw InvalidInput("probability: expected two examples of some class to test models on, found none");
  }
  const TrainSettings own = detail::fold_settings(data, settings, parts);
  const std::vector<int> fold = stratified_folds(data, parts, 0, settings.seed);
  std::vector<Eigen::MatrixXd> scored;
  std::vector<int> labels;
  Eigen::Index rows = 0;
  for (int k = 0; k < parts; ++k) {
    if (observer.interrupted && observer.interrupted()) break;
    const detail::Division division(fold, k);
    const TrainingResult training = train(data.subset(division.train), own, observer);
    if (training.stop == Stop::interrupted) break;
    const Model& model = training.model;
    const Dataset held_out = data.subset(division.test);
    scored.emplace_back(mapped(unit_scores(model, scores(model, held_out, settings.threads))));
    rows += scored.back().rows();
    for (std::int64_t i = 0; i < held_out.size(); ++i) labels.push_back(held_out.label(i));
  }
  if (scored.empty()) return std::nullopt;
  Eigen::MatrixXd all(rows, std::ssize(data.classes()));
  Eigen::Index first = 0;
  for (const Eigen::MatrixXd& part : scored) {
    all.middleRows(first, part.rows()) = part;
    first += part.rows();
  }
  Calibration calibration = fit_calibration(all, labels);
  calibration.folds = static_cast<int>(scored.size());
  return calibration;
}

void add_calibration(TrainingResult& training, const Dataset& data, const TrainSettings& settings,
                     const Observer& observer) {
  std::optional<Calibration>& calibration = training.model.calibration;
  calibration = calibrate(data, settings, kCalibrationFolds, observer);
  const int wanted = detail::possible_folds(data, kCalibrationFolds);
  if (!calibration) {
    training.notes.emplace_back("stopped before probabilities were learned: the model answers without them");
  } else if (calibration->folds < wanted) {
    training.notes.push_back("stopped early: probabilities were learned from " +
                             std::to_string(calibration->folds) + " of " + std::to_string(wanted) + " folds");
  }
}

}  // namespace shapeboost
