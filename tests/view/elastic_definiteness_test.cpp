// SPDX-License-Identifier: MIT
// Which kernels' Gram matrices have no negative eigenvalue.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <vector>

#include "shapeboost/view.hpp"
#include "support/tolerances.hpp"
#include "support/walks.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

using examples::set_band;
using examples::walks;
using examples::window_view;
using tolerance::kRounding;

/// The Gram matrix of every third window.
Eigen::MatrixXd gram(const Instances& instances) {
  std::vector<Probe> probes;
  for (std::int64_t x = 0; x < instances.size(); x += 3) probes.push_back(instances.probe(x));
  const auto n = static_cast<Eigen::Index>(probes.size());
  Eigen::MatrixXd gram(n, n);
  for (Eigen::Index a = 0; a < n; ++a) {
    for (Eigen::Index b = 0; b < n; ++b) {
      gram(a, b) =
          instances.similarity(probes[static_cast<std::size_t>(a)], probes[static_cast<std::size_t>(b)]);
    }
  }
  return gram;
}

TEST(Kernels, ArePositiveSemidefinite_WhereTheySaySo) {
  for (const KernelKind kind : {KernelKind::laplacian, KernelKind::gak}) {
    for (const std::int64_t channels : {1, 2}) {
      for (const double sigma : {0.001, 0.1, 2.0}) {
        for (const double band : {0.0, 0.25, 1.0}) {
          for (const double tau : {0.0, 4.0}) {
            const Dataset data = walks(channels, 41, false);
            View view = window_view(data, kind, Normalisation::z);
            view.kernel.set_sigma(sigma);
            set_band(view.kernel, band);
            view.tau = tau;
            ASSERT_TRUE(view.kernel.positive_semidefinite());
            const Eigen::MatrixXd k = gram(*make_instances(data, view));
            const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues();
            EXPECT_GE(values.minCoeff(), -1e-9 * values.maxCoeff())
                << to_string(kind) << ", sigma " << sigma << ", band " << band << ", tau " << tau;
            EXPECT_NEAR((k.diagonal().array() - 1.0).abs().maxCoeff(), 0.0, kRounding);
          }
        }
      }
    }
  }
}

TEST(Kernels, AreNotPositiveSemidefinite_WhenTimeIsWarped) {
  EXPECT_FALSE(Kernel(kernels::Dtw{}).positive_semidefinite());
  const Dataset data = walks(1, 41, false);
  View view = window_view(data, KernelKind::dtw, Normalisation::z);
  view.kernel.set_sigma(0.1);
  set_band(view.kernel, 1.0);
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram(*make_instances(data, view))).eigenvalues();
  EXPECT_LT(values.minCoeff(), -1e-3 * values.maxCoeff());
}

}  // namespace
}  // namespace shapeboost
