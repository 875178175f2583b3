// SPDX-License-Identifier: MIT
// Sparse bags against the same bags with their zeros.
#include <gtest/gtest.h>

#include "support/examples.hpp"
#include "support/naive.hpp"
#include "support/sparse_bags.hpp"
#include "support/tolerances.hpp"
#include "view/fit_view.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

using examples::mostly_zeros;
using examples::plain_view;
using examples::without_zeros;
using tolerance::kRounding;

std::vector<View> views_of(const Dataset& data) {
  std::vector<View> views;
  for (const KernelKind kernel :
       {KernelKind::gaussian, KernelKind::linear, KernelKind::polynomial, KernelKind::laplacian}) {
    View view = plain_view(data, data.width(), Normalisation::raw, kernel);
    for (std::size_t f = 0; f < view.scale.size(); ++f) view.scale[f] = 1.0 + 0.1 * static_cast<double>(f);
    views.push_back(view);
    view.features = {0, 2, 5, 6};
    view.length = 4;
    view.centre.assign(4, 0.0);
    view.scale = {1.0, 0.5, 2.0, 3.0};
    views.push_back(view);
    view.centre = {0.1, 0.0, -0.4, 1.0};  // which fills the zeros in
    views.push_back(view);
  }
  return views;
}

TEST(SparseVectors, AreTheNaiveInstances) {
  const Dataset dense = mostly_zeros(6, 9, 1);
  const Dataset sparse = without_zeros(dense);
  for (const View& view : views_of(dense)) {
    const auto instances = make_instances(sparse, view);
    const auto expected = naive::instances_of(dense, view);
    const Matrix all = naive::stacked(naive::bags_of(dense, view));
    const std::vector<std::int64_t> first = naive::first_of(naive::bags_of(dense, view));
    ASSERT_EQ(instances->size(), all.rows());
    std::vector<double> affinity(static_cast<std::size_t>(all.rows()));
    for (std::int64_t z = 0; z < instances->size(); ++z) {
      const Instance own = instances->instance(z);
      const std::int64_t bag = instances->bag_of(z);
      EXPECT_EQ(own.full(view.rows()), expected[at(bag)][at(z - first[at(bag)])].values);
      const Probe probe = instances->probe(z);
      EXPECT_LE((probe.values - all.row(z).transpose()).cwiseAbs().maxCoeff(), kRounding);
      EXPECT_LE((instances->probe(own).values - probe.values).cwiseAbs().maxCoeff(), kRounding);
      for (std::int64_t b = 0; b < instances->bags(); ++b) {
        instances->affinities(probe, {b, 0, instances->count(b)}, affinity.data());
        view.kernel.values(affinity.data(), instances->count(b));
        for (std::int64_t x = 0; x < instances->count(b); ++x) {
          const double k =
              naive::kernel_value(view.kernel, all.row(z).transpose(), all.row(first[at(b)] + x).transpose());
          EXPECT_NEAR(affinity[at(x)], k, kRounding * std::max(1.0, std::abs(k)));
        }
      }
      if (view.kernel.kind() == KernelKind::laplacian) continue;  // whose distance is another
      for (std::int64_t x = 0; x < instances->size(); ++x) {
        EXPECT_NEAR(instances->distance(z, x), (all.row(z) - all.row(x)).squaredNorm(), 1e-9);
      }
    }
  }
}

TEST(SparseVectors, HaveTheExtremesOfTheirAffinities) {
  const Dataset dense = mostly_zeros(7, 9, 2);
  const Dataset sparse = without_zeros(dense);
  for (const View& view : views_of(dense)) {
    const auto instances = make_instances(sparse, view);
    std::vector<shapeboost::Run> runs;
    for (std::int64_t b = 0; b < instances->bags(); b += 2) runs.push_back({b, 0, instances->count(b)});
    Matrix largest;
    Matrix smallest;
    instances->all_extremes(runs, largest, smallest);
    std::int64_t row = 0;
    for (const shapeboost::Run& run : runs) {
      for (std::int64_t j = 0; j < run.count; ++j, ++row) {
        for (std::int64_t b = 0; b < instances->bags(); ++b) {
          std::vector<double> affinity(at(instances->count(b)));
          instances->affinities(instances->probe(instances->first(run.bag) + j), {b, 0, instances->count(b)},
                                affinity.data());
          EXPECT_NEAR(largest(row, b), *std::ranges::max_element(affinity), 1e-9);
          EXPECT_NEAR(smallest(row, b), *std::ranges::min_element(affinity), 1e-9);
        }
      }
    }
  }
}

TEST(Vectors, HaveTheExtremesOfTheirAffinities_WhenABagIsLarge) {
  Rng rng(4);
  Dataset data(DataKind::bags);  // larger than a block, smaller, two at once, and larger than two blocks
  for (const std::int64_t size : {700, 3, 300, 300, 1200, 1}) {
    Matrix bag(size, 3);
    for (double& value : bag.reshaped()) value = rng.normal();
    add(data, bag, "a", std::to_string(data.size()));
  }
  const auto instances = make_instances(data, plain_view(data, 3));
  const std::vector<shapeboost::Run> runs{{0, 690, 5}, {4, 0, 2}};
  Matrix largest;
  Matrix smallest;
  instances->all_extremes(runs, largest, smallest);
  std::int64_t row = 0;
  for (const shapeboost::Run& run : runs) {
    for (std::int64_t j = 0; j < run.count; ++j, ++row) {
      for (std::int64_t b = 0; b < instances->bags(); ++b) {
        std::vector<double> affinity(at(instances->count(b)));
        instances->affinities(instances->probe(instances->first(run.bag) + run.first + j),
                              {b, 0, instances->count(b)}, affinity.data());
        EXPECT_NEAR(largest(row, b), *std::ranges::max_element(affinity), 1e-9);
        EXPECT_NEAR(smallest(row, b), *std::ranges::min_element(affinity), 1e-9);
      }
    }
  }
}

TEST(FitView, OfSparseBagsScalesWhatOccurs) {
  const Dataset dense = mostly_zeros(10, 9, 3);
  const Dataset sparse = without_zeros(dense);
  View view = plain_view(dense, 9);
  view.kernel = kernels::Gaussian{0.0};
  Rng rng(1);
  Rng same(1);
  const View of_dense = fit_view(view, dense, true, 1.0, rng);
  const View of_sparse = fit_view(view, sparse, true, 1.0, same);
  EXPECT_EQ(of_sparse.features, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7})) << "the last never occurs";
  EXPECT_EQ(of_sparse.length, 8);
  EXPECT_EQ(of_sparse.centre, std::vector<double>(8, 0.0));
  for (std::size_t f = 0; f < 8; ++f) EXPECT_NEAR(of_sparse.scale[f], of_dense.scale[f], kRounding);
  EXPECT_NEAR(of_sparse.kernel.sigma(), of_dense.kernel.sigma(), 1e-9) << "distances do not feel the centre";
}

}  // namespace
}  // namespace shapeboost
