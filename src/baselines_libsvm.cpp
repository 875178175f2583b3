// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>

#include "baselines_libsvm_detail.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost::detail {
namespace {

/// Largest violation of the optimality conditions; a tenth of libsvm's own, for labels hang on signs.
constexpr double kTolerance = 1e-4;

struct Destroy {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

/// libsvm prints unless told otherwise, and can only be told for the whole process.
void be_quiet() {
  static const bool kQuiet = [] {
    svm_set_print_string_function([](const char*) {});
    return true;
  }();
  (void)kQuiet;
}

}  // namespace

bool libsvm_knows(const Kernel& kernel) {
  return kernel.kind == KernelKind::gaussian || kernel.kind == KernelKind::linear ||
         kernel.kind == KernelKind::polynomial;
}

std::int64_t libsvm_bytes(std::int64_t numbers) {
  return (numbers + 1) * static_cast<std::int64_t>(sizeof(svm_node));
}

Libsvm::Libsvm(const Kernel& kernel, double positive_cost, double negative_cost, std::int64_t memory)
    : weights_{positive_cost, negative_cost} {
  constexpr double kMega = 1 << 20;
  parameter_.svm_type = C_SVC;
  parameter_.kernel_type = kernel.kind == KernelKind::gaussian ? RBF
                           : kernel.kind == KernelKind::linear ? LINEAR
                                                               : POLY;
  parameter_.degree = kernel.p;
  parameter_.gamma = kernel.kind == KernelKind::gaussian ? kernel.sigma : 1.0;
  parameter_.coef0 = kernel.c;
  parameter_.cache_size = std::max(1.0, static_cast<double>(memory) / kMega);
  parameter_.eps = kTolerance;
  parameter_.C = 1.0;  // times the weights
  parameter_.nr_weight = 2;
  parameter_.shrinking = 1;
  be_quiet();
}

std::int64_t Libsvm::add(const Vector& x) {
  std::vector<svm_node>& nodes = nodes_.emplace_back();
  nodes.reserve(static_cast<std::size_t>(x.size()) + 1);
  for (Eigen::Index f = 0; f < x.size(); ++f) nodes.push_back({static_cast<int>(f) + 1, x[f]});
  nodes.push_back({-1, 0.0});
  return static_cast<std::int64_t>(nodes_.size()) - 1;
}

Svm Libsvm::train(std::span<const std::int64_t> vectors, std::span<const int> y) const {
  // libsvm takes pointers to what it only reads.
  std::vector<svm_node*> x;
  for (const std::int64_t k : vectors) {
    x.push_back(const_cast<svm_node*>(nodes_[static_cast<std::size_t>(k)].data()));
  }
  std::vector<double> labels(y.begin(), y.end());
  const svm_problem problem{static_cast<int>(x.size()), labels.data(), x.data()};
  svm_parameter parameter = parameter_;
  parameter.weight_label = const_cast<int*>(sides_);
  parameter.weight = const_cast<double*>(weights_);
  if (const char* fault = svm_check_parameter(&problem, &parameter); fault != nullptr) {
    throw Error(std::string("libsvm: ") + fault);
  }
  const std::unique_ptr<svm_model, Destroy> model(svm_train(&problem, &parameter));
  // Its score is for whichever label came first.
  const double sign = model->label[0] > 0 ? 1.0 : -1.0;
  Svm svm;
  svm.b = -sign * model->rho[0];
  for (int k = 0; k < model->l; ++k) {
    svm.support.push_back(vectors[static_cast<std::size_t>(model->sv_indices[k]) - 1]);
    svm.alpha.push_back(sign * model->sv_coef[0][k]);
  }
  if (!std::isfinite(svm.b)) throw Error("libsvm: the offset is not finite");
  return svm;
}

}  // namespace shapeboost::detail
