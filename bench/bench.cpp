// SPDX-License-Identifier: MIT
#include "bench.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "ground/matrix.hpp"
#include "shapeboost/predictor.hpp"
#include "tell/metrics.hpp"
#include "train/trainer.hpp"

namespace shapeboost::bench {
namespace {

double cpu_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

Stopwatch::Stopwatch() : begin_(cpu_seconds()) {}

double Stopwatch::seconds() const { return cpu_seconds() - begin_; }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<Eigen::Index>(x.size());
  const Eigen::ArrayXd u = Eigen::Map<const Eigen::ArrayXd>(x.data(), n).log();
  const Eigen::ArrayXd v = Eigen::Map<const Eigen::ArrayXd>(y.data(), n).log();
  return ((u - u.mean()) * (v - v.mean())).sum() / (u - u.mean()).square().sum();
}

double test_accuracy(const Model& model, const Dataset& data) {
  return accuracy(confusion_matrix(labels_for(model, data), predictions(model, scores(model, data, 1)),
                                   static_cast<int>(model.classes.size())));
}

double soft_margin(const Model& model, const Dataset& data) {
  const Part& part = model.parts.front();
  const Vector g = mapped(scores(model, data, 1).parts).col(0);
  const std::vector<int> labels = labels_for(model, data);
  double xi = 0.0;
  for (Eigen::Index i = 0; i < g.size(); ++i) {
    xi += std::max(0.0, part.rho - (labels[static_cast<std::size_t>(i)] == 1 ? g[i] : -g[i]));
  }
  return part.rho - xi / std::max(1.0, part.nu * static_cast<double>(g.size()));
}

}  // namespace shapeboost::bench
