// SPDX-License-Identifier: MIT
#include "solve/kmeans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/rng.hpp"

namespace shapeboost {
namespace {

constexpr double kSameSums = 1e-9;  // the reference sums in another order

using Index = Eigen::Index;

KMeansSolution run(const Matrix& x, const KMeansSettings& settings, std::uint64_t seed) {
  Rng rng(seed);
  return kmeans(
      x.rows(), x.cols(), [&](std::int64_t i, double* out) { std::copy_n(x.row(i).data(), x.cols(), out); },
      settings, rng);
}

Matrix random_points(Index n, Index dimension, std::uint64_t seed) {
  Rng rng(seed);
  Matrix x(n, dimension);
  for (double& value : x.reshaped()) value = rng.normal();
  return x;
}

double squared_distance(const Matrix& a, Index i, const Matrix& b, Index j) {
  double sum = 0.0;
  for (Index t = 0; t < a.cols(); ++t) sum += (a(i, t) - b(j, t)) * (a(i, t) - b(j, t));
  return sum;
}

struct Nearest {
  Index centre = 0;
  double distance = std::numeric_limits<double>::infinity();
};

std::vector<Nearest> nearest(const Matrix& x, const Matrix& centres, Index count) {
  std::vector<Nearest> result(static_cast<std::size_t>(x.rows()));
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index c = 0; c < count; ++c) {
      const double d = squared_distance(x, i, centres, c);
      if (d < result[static_cast<std::size_t>(i)].distance) result[static_cast<std::size_t>(i)] = {c, d};
    }
  }
  return result;
}

/// The textbook: k-means++, then assign and average, one point at a time. Counts centres left empty.
KMeansSolution naive_kmeans(const Matrix& x, const KMeansSettings& settings, std::uint64_t seed,
                            int* moves = nullptr) {
  Rng rng(seed);
  const Index k = settings.k;
  KMeansSolution s;
  s.centres = Matrix::Zero(k, x.cols());
  s.centres.row(0) = x.row(rng.below(x.rows()));
  for (Index c = 1; c < k; ++c) {
    const std::vector<Nearest> near = nearest(x, s.centres, c);
    double total = 0.0;
    for (const Nearest& n : near) total += n.distance;
    double left = rng.uniform() * total;
    Index i = 0;
    while (left >= near[static_cast<std::size_t>(i)].distance)
      left -= near[static_cast<std::size_t>(i++)].distance;
    s.centres.row(c) = x.row(i);
  }
  double last = std::numeric_limits<double>::infinity();
  for (;; ++s.iterations) {
    std::vector<Nearest> near = nearest(x, s.centres, k);
    s.inertia = 0.0;
    for (const Nearest& n : near) s.inertia += n.distance;
    const bool settled = s.iterations > 0 && last - s.inertia <= settings.tolerance * last;
    if (settled || s.iterations == settings.max_iterations) return s;
    last = s.inertia;
    for (Index c = 0; c < k; ++c) {
      Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(x.cols());
      double members = 0.0;
      for (Index i = 0; i < x.rows(); ++i) {
        if (near[static_cast<std::size_t>(i)].centre != c) continue;
        sum += x.row(i);
        ++members;
      }
      if (members > 0.0) {
        s.centres.row(c) = sum / members;
      } else {
        const auto far = std::max_element(near.begin(), near.end(), [](const Nearest& a, const Nearest& b) {
          return a.distance < b.distance;
        });
        s.centres.row(c) = x.row(far - near.begin());
        far->distance = 0.0;
        if (moves != nullptr) ++*moves;
      }
    }
  }
}

TEST(KMeans, Kmeans_EqualsTheTextbook_WhenSeededAlike) {
  // 1,300 points are three blocks, the last one short.
  for (const Index n : {Index{40}, Index{512}, Index{1300}}) {
    for (const int k : {1, 5, 17}) {
      const Matrix x = random_points(n, 6, 100 + static_cast<std::uint64_t>(k));
      const KMeansSettings settings{.k = k, .max_iterations = 30};
      const KMeansSolution fast = run(x, settings, 9);
      const KMeansSolution slow = naive_kmeans(x, settings, 9);
      EXPECT_EQ(fast.iterations, slow.iterations);
      EXPECT_NEAR(fast.inertia, slow.inertia, kSameSums * slow.inertia);
      ASSERT_EQ(fast.centres.rows(), k);
      EXPECT_LT((fast.centres - slow.centres).cwiseAbs().maxCoeff(), kSameSums) << n << " points, k = " << k;
    }
  }
}

TEST(KMeans, Inertia_IsThatOfTheCentresReturned_WhenStoppedByEither) {
  const Matrix x = random_points(300, 4, 5);
  double last = std::numeric_limits<double>::infinity();
  for (const int limit : {0, 1, 2, 100}) {
    const KMeansSolution s = run(x, {.k = 8, .max_iterations = limit}, 2);
    EXPECT_LE(s.iterations, limit);
    double inertia = 0.0;
    for (const Nearest& n : nearest(x, s.centres, 8)) inertia += n.distance;
    EXPECT_NEAR(s.inertia, inertia, kSameSums * inertia);
    EXPECT_LT(s.inertia, last);  // every round goes down
    last = s.inertia;
  }
}

TEST(KMeans, Kmeans_FindsPlantedClusters_WhenFarApart) {
  // Far from the origin too: |x|^2 + |c|^2 - 2 x.c alone would drown the differences in rounding.
  Matrix planted = random_points(6, 3, 7) * 100.0;
  planted.array() += 1e6;
  Matrix x = random_points(600, 3, 8) * 0.1;
  for (Index i = 0; i < x.rows(); ++i) x.row(i) += planted.row(i % 6);
  const KMeansSolution s = run(x, {.k = 6}, 3);
  for (const Nearest& n : nearest(planted, s.centres, 6)) EXPECT_LT(n.distance, 0.01);
  EXPECT_NEAR(s.inertia, 600.0 * 3.0 * 0.01, 3.0);
}

TEST(KMeans, EmptyCentre_MovesToFarthestPoint_WhenItLosesItsPoints) {
  // Rare from k-means++ seeds: of twelve thousand tried, these two need the rule, as the reference counts.
  for (const std::uint64_t seed : {1357U, 1394U}) {
    const Matrix x = random_points(40, 2, seed);
    const KMeansSettings settings{.k = 20};
    int moves = 0;
    const KMeansSolution slow = naive_kmeans(x, settings, seed, &moves);
    const KMeansSolution fast = run(x, settings, seed);
    EXPECT_EQ(moves, 1);
    EXPECT_EQ(fast.iterations, slow.iterations);
    EXPECT_LT((fast.centres - slow.centres).cwiseAbs().maxCoeff(), kSameSums) << "seed " << seed;
  }
}

TEST(KMeans, Kmeans_GivesTheSameBits_WhenSeedIsTheSame) {
  const Matrix x = random_points(700, 5, 1);
  const KMeansSolution a = run(x, {.k = 10}, 4);
  const KMeansSolution b = run(x, {.k = 10}, 4);
  const KMeansSolution c = run(x, {.k = 10}, 5);
  EXPECT_EQ(a.centres, b.centres);
  EXPECT_EQ(a.inertia, b.inertia);
  EXPECT_NE(a.centres, c.centres);
}

TEST(KMeans, Kmeans_ReturnsThePoints_WhenTheyAreNoMoreThanK) {
  const Matrix x = random_points(7, 3, 2);
  for (const int k : {7, 8, 100}) {
    const KMeansSolution s = run(x, {.k = k}, 1);
    EXPECT_EQ(s.centres, x);
    EXPECT_EQ(s.inertia, 0.0);
  }
}

TEST(KMeans, Kmeans_Finishes_WhenAllPointsCoincide) {
  const Matrix x = Matrix::Constant(20, 2, 3.0);
  const KMeansSolution s = run(x, {.k = 4}, 1);
  EXPECT_EQ(s.centres, Matrix::Constant(4, 2, 3.0));
  EXPECT_EQ(s.inertia, 0.0);
}

TEST(KMeans, Kmeans_Refuses_WhenACountIsNotPositive) {
  Rng rng(1);
  const auto point = [](std::int64_t, double* out) { *out = 0.0; };
  EXPECT_THROW((void)kmeans(0, 1, point, {}, rng), InvalidInput);
  EXPECT_THROW((void)kmeans(1, 0, point, {}, rng), InvalidInput);
  EXPECT_THROW((void)kmeans(1, 1, point, {.k = 0}, rng), InvalidInput);
}

}  // namespace
}  // namespace shapeboost
