// SPDX-License-Identifier: MIT
#include "view/bag_distance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "support/naive.hpp"

namespace shapeboost {
namespace {

Matrix random_bag(Eigen::Index rows, Rng& rng, double offset = 0.0) {
  Matrix bag(rows, 3);
  for (double& value : bag.reshaped()) value = offset + rng.normal();
  return bag;
}

Matrix stacked(const std::vector<Matrix>& bags) { return naive::stacked(bags); }

TEST(BagDistance, IsTheMeanDistanceToTheNearestOneWayAndTheOther) {
  Rng rng(1);
  for (const double offset : {0.0, 1e6}) {
    std::vector<Matrix> bags;
    std::vector<std::int64_t> sizes;
    for (const Eigen::Index rows : {1, 5, 2, 130, 64}) {
      bags.push_back(random_bag(rows, rng, offset));
      sizes.push_back(rows);
    }
    const detail::BagDistances distances(stacked(bags), sizes);
    for (const Matrix& bag : bags) {
      std::vector<double> found(bags.size());
      std::vector<std::int32_t> nearest(bags.size());
      distances.of(bag, found.data(), nearest.data());
      for (std::size_t k = 0; k < bags.size(); ++k) {
        EXPECT_NEAR(found[k], naive::bag_distance(bag, bags[k]), 1e-7 + 1e-9 * offset);
        if (&bag == &bags[k]) continue;
        const auto to = [&](Eigen::Index x) { return naive::nearest_distance(bag.row(x), bags[k]); };
        for (Eigen::Index x = 0; x < bag.rows(); ++x) EXPECT_LE(to(nearest[k]), to(x) + 1e-9 + 1e-9 * offset);
      }
    }
  }
}

TEST(BagDistance, IsSymmetricAndNothingBetweenTheSameInstances) {
  Rng rng(2);
  const Matrix a = random_bag(7, rng);
  const Matrix b = random_bag(3, rng);
  double there = 0.0;
  double back = 0.0;
  detail::BagDistances(b, {3}).of(a, &there);
  detail::BagDistances(a, {7}).of(b, &back);
  EXPECT_NEAR(there, back, 1e-12);
  EXPECT_GT(there, 0.1);
  Matrix turned = a.colwise().reverse();
  detail::BagDistances(a, {7}).of(turned, &back);
  EXPECT_NEAR(back, 0.0, 1e-7);
}

TEST(BagDistance, SimilarityFallsAsTheViewSays) {
  View view;
  view.kind = DataKind::bags;
  view.kernel = kernels::Gaussian{4.0};
  view.whole = 1;
  EXPECT_DOUBLE_EQ(detail::bag_similarity(view, 0.25), std::exp(-0.5));
  view.whole = 2;
  EXPECT_DOUBLE_EQ(detail::bag_similarity(view, 0.25), std::exp(-0.25));
}

}  // namespace
}  // namespace shapeboost
