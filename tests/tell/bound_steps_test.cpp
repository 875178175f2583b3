// SPDX-License-Identifier: MIT
// docs/bound.md, steps 3 to 5: patterns and complexities, on cases small enough to enumerate.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "ground/rng.hpp"
#include "shapeboost/base.hpp"
#include "support/sphere_bags.hpp"
#include "tell/bound.hpp"

namespace shapeboost {
namespace {

using examples::Bags;
using examples::direction;
using examples::sphere_bags;
using examples::view_of;
using Pattern = std::vector<Eigen::Index>;

Pattern pattern_of(const Bags& bags, const Eigen::VectorXd& u) {
  Pattern pattern;
  for (const Eigen::MatrixXd& bag : bags) (bag * u).maxCoeff(&pattern.emplace_back());
  return pattern;
}

/// Angles at which two instances of a bag change places: between neighbours every maximiser stays.
std::vector<double> walls(const Bags& bags) {
  std::vector<double> angles;
  for (const Eigen::MatrixXd& bag : bags) {
    for (Eigen::Index a = 0; a < bag.rows(); ++a) {
      for (Eigen::Index b = a + 1; b < bag.rows(); ++b) {
        const Eigen::Vector2d v = (bag.row(a) - bag.row(b)).transpose();
        const double angle = std::atan2(v(0), -v(1));
        angles.push_back(angle);
        angles.push_back(angle > 0.0 ? angle - std::numbers::pi : angle + std::numbers::pi);
      }
    }
  }
  std::sort(angles.begin(), angles.end());
  angles.push_back(angles.front() + 2.0 * std::numbers::pi);
  return angles;
}

/// All patterns of the linear kernel in the plane, exactly.
std::set<Pattern> plane_patterns(const Bags& bags) {
  std::set<Pattern> patterns;
  const std::vector<double> angles = walls(bags);
  for (std::size_t k = 0; k + 1 < angles.size(); ++k) {
    patterns.insert(pattern_of(bags, direction(0.5 * (angles[k] + angles[k + 1]))));
  }
  return patterns;
}

/// sup over the unit disc and both signs of sum_i coin_i h_u(B_i), exactly: within a cell the sum is v.u for
/// one v, so it is extreme along v or at a wall.
double plane_supremum(const Bags& bags, const std::vector<double>& angles, const std::vector<int>& coins) {
  const auto sum = [&](const Eigen::VectorXd& u) {
    double total = 0.0;
    for (std::size_t i = 0; i < bags.size(); ++i) total += coins[i] * (bags[i] * u).maxCoeff();
    return std::abs(total);
  };
  double largest = 0.0;
  for (std::size_t k = 0; k + 1 < angles.size(); ++k) {
    largest = std::max(largest, sum(direction(angles[k])));
    const Pattern pattern = pattern_of(bags, direction(0.5 * (angles[k] + angles[k + 1])));
    Eigen::VectorXd v = Eigen::VectorXd::Zero(2);
    for (std::size_t i = 0; i < bags.size(); ++i) v += coins[i] * bags[i].row(pattern[i]).transpose();
    if (v.norm() > 0.0) largest = std::max({largest, sum(v.normalized()), sum(-v.normalized())});
  }
  return largest;
}

/// The mean of `value` over all 2^m coin tosses.
template <class Value>
double over_coins(std::size_t m, Value value) {
  std::vector<int> coins(m);
  double total = 0.0;
  for (std::size_t toss = 0; toss < (std::size_t{1} << m); ++toss) {
    for (std::size_t i = 0; i < m; ++i) coins[i] = ((toss >> i) & 1U) != 0 ? 1 : -1;
    total += value(coins);
  }
  return total / static_cast<double>(std::size_t{1} << m);
}

// Patterns (step 4) ----------------------------------------------------------------------------------------

TEST(LogPatterns, CountsExactly_WhenBagsOfTwoLieInThePlane) {
  Rng rng(1);
  for (const std::int64_t m : {1, 2, 5, 9}) {
    const Bags bags = sphere_bags(rng, m, 2, 2);
    const std::size_t patterns = plane_patterns(bags).size();
    EXPECT_EQ(patterns, static_cast<std::size_t>(2 * m));
    EXPECT_NEAR(*log_patterns(view_of(bags, Patterns::linear, 2), m), std::log(patterns), 1e-12);
  }
}

TEST(LogPatterns, IsNotExceeded_WhenBagsAreLargerInThePlane) {
  Rng rng(2);
  for (const std::int64_t size : {3, 4, 6}) {
    const Bags bags = sphere_bags(rng, 6, size, 2);
    const double most = std::exp(*log_patterns(view_of(bags, Patterns::linear, 2), 6));
    EXPECT_LE(static_cast<double>(plane_patterns(bags).size()), most);
    EXPECT_NEAR(most, 6.0 * static_cast<double>(size * (size - 1)), 1e-6) << "2 P";
  }
}

TEST(LogPatterns, CountsExactly_WhenBagsOfTwoLieInSpace) {
  Rng rng(3);
  const std::int64_t m = 5;
  const Bags bags = sphere_bags(rng, m, 2, 3);
  std::set<Pattern> seen;
  for (int draw = 0; draw < 100000; ++draw) {
    seen.insert(pattern_of(bags, Eigen::Vector3d(rng.normal(), rng.normal(), rng.normal())));
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(m * m - m + 2));
  EXPECT_NEAR(*log_patterns(view_of(bags, Patterns::linear, 3), m), std::log(seen.size()), 1e-12);
}

// On a line m pairs have m midpoints, so m + 1 patterns of nearest points and as many of farthest ones: more
// than the two that a linear kernel has there.
TEST(LogPatterns, CountsExactly_WhenNearestPointsLieOnALine) {
  Rng rng(4);
  const std::int64_t m = 7;
  Bags bags;
  std::vector<double> middles;
  for (std::int64_t i = 0; i < m; ++i) {
    bags.emplace_back(Eigen::Vector2d(rng.normal(), rng.normal()));
    middles.push_back(bags.back().mean());
  }
  std::sort(middles.begin(), middles.end());
  middles.insert(middles.begin(), middles.front() - 2.0);
  middles.push_back(middles.back() + 2.0);
  std::set<Pattern> nearest;
  std::set<Pattern> farthest;
  for (std::size_t k = 0; k + 1 < middles.size(); ++k) {
    const double z = 0.5 * (middles[k] + middles[k + 1]);
    Pattern near;
    Pattern far;
    for (const Eigen::MatrixXd& bag : bags) {
      (bag.col(0).array() - z).abs().minCoeff(&near.emplace_back());
      (bag.col(0).array() - z).abs().maxCoeff(&far.emplace_back());
    }
    nearest.insert(near);
    farthest.insert(far);
  }
  EXPECT_EQ(nearest.size(), static_cast<std::size_t>(m + 1));
  EXPECT_NEAR(*log_patterns(view_of(bags, Patterns::nearest, 1), m),
              std::log(nearest.size() + farthest.size()), 1e-12);
  EXPECT_NEAR(*log_patterns(view_of(bags, Patterns::linear, 1), m), std::log(2.0), 1e-12);
}

// Why the paper's form says nothing about general Gaussian shapelets: u = sum_z alpha_z Phi(z) can pick any
// instance.
TEST(LogPatterns, IsTheProductOfBagSizes_WhenShapeletsAreGaussianAndGeneral) {
  Rng rng(5);
  const Bags bags = sphere_bags(rng, 4, 3, 2);
  Eigen::MatrixXd all(12, 2);
  for (int i = 0; i < 4; ++i) all.middleRows(3 * i, 3) = bags[static_cast<std::size_t>(i)];
  Eigen::MatrixXd gram(12, 12);
  for (int a = 0; a < 12; ++a) {
    for (int b = 0; b < 12; ++b) gram(a, b) = std::exp(-20.0 * (all.row(a) - all.row(b)).squaredNorm());
  }
  Bags columns;  // <u, Phi(x)> = (gram alpha)_x: the kernel as a linear one
  for (int i = 0; i < 4; ++i) columns.emplace_back(gram.middleRows(3 * i, 3));
  std::set<Pattern> seen;
  for (int choice = 0; choice < 81; ++choice) {
    Eigen::VectorXd wanted = Eigen::VectorXd::Zero(12);
    for (int i = 0, rest = choice; i < 4; ++i, rest /= 3) wanted(3 * i + rest % 3) = 1.0;
    seen.insert(pattern_of(columns, gram.fullPivLu().solve(wanted)));
  }
  EXPECT_EQ(seen.size(), 81U);
  EXPECT_NEAR(*log_patterns(view_of(bags, Patterns::linear, 1000), 4), 4.0 * std::log(3.0), 1e-12);
  EXPECT_FALSE(log_patterns(view_of(bags, Patterns::unknown, 0), 4).has_value());
}

TEST(PolynomialDimension, CountsMonomials) {
  EXPECT_EQ(polynomial_dimension(2, 2, 1.0), 5) << "x, y, xx, xy, yy";
  EXPECT_EQ(polynomial_dimension(2, 2, 0.0), 3);
  EXPECT_EQ(polynomial_dimension(7, 1, 0.0), 7);
  EXPECT_EQ(polynomial_dimension(7, 1, 1.0), 7);
  EXPECT_EQ(polynomial_dimension(1000000, 10, 1.0), std::nullopt);
  EXPECT_THROW((void)polynomial_dimension(0, 2, 1.0), InvalidInput);
  EXPECT_THROW((void)polynomial_dimension(2, 0, 1.0), InvalidInput);
  EXPECT_THROW((void)polynomial_dimension(2, 2, -1.0), InvalidInput);
}

// Complexity (steps 3 and 5) -------------------------------------------------------------------------------

// All coin tosses, the supremum over the disc exact: nothing is sampled.
TEST(PatternComplexity, LiesAboveRademacher_WhenAllTossesAreEnumerated) {
  Rng rng(6);
  for (const std::int64_t size : {2, 3, 5}) {
    const std::size_t m = 10;
    const Bags bags = sphere_bags(rng, m, size, 2);
    const std::vector<double> angles = walls(bags);
    const std::set<Pattern> patterns = plane_patterns(bags);
    const double exact = over_coins(m, [&](const std::vector<int>& coins) {
      return plane_supremum(bags, angles, coins) / static_cast<double>(m);
    });
    const double squared = over_coins(m, [&](const std::vector<int>& coins) {
      double largest = 0.0;
      for (const Pattern& pattern : patterns) {
        Eigen::VectorXd v = Eigen::VectorXd::Zero(2);
        for (std::size_t i = 0; i < m; ++i) v += coins[i] * bags[i].row(pattern[i]).transpose();
        largest = std::max(largest, v.squaredNorm());
      }
      return largest;
    });
    const double counted = pattern_complexity(std::log(patterns.size()), m);
    const double claimed = pattern_complexity(*log_patterns(view_of(bags, Patterns::linear, 2), m), m);
    EXPECT_LE(exact, std::sqrt(squared) / static_cast<double>(m)) << "a norm for each pattern is more";
    EXPECT_LE(std::sqrt(squared) / static_cast<double>(m), counted);
    EXPECT_LE(counted, claimed);
    EXPECT_LE(claimed, 4.0 * exact) << "far from the truth: a constant is wrong";
  }
}

// One instance a bag, all the same: Rad = E|sum of coins| / m, about 0.8 / sqrt(m).
TEST(PatternComplexity, IsCloseToRademacher_WhenThereIsOnePattern) {
  const std::size_t m = 16;
  const double exact = over_coins(m, [&](const std::vector<int>& coins) {
    double sum = 0.0;
    for (const int coin : coins) sum += coin;
    return std::abs(sum) / static_cast<double>(m);
  });
  EXPECT_EQ(pattern_complexity(0.0, m), 0.25);
  EXPECT_LE(exact, 0.25);
  EXPECT_GE(exact, 0.75 * 0.25);
}

// psi is its formula at one x; every x in (0, 1) is allowed, and the best one is hardly better.
TEST(PatternComplexity, IsNearlyTheBest_WhenAllXAreTried) {
  for (const double logarithm : {0.01, 0.7, 3.0, 40.0, 500.0}) {
    double best = 1e300;
    for (double x = 1e-4; x < 1.0; x += 1e-4) {
      best = std::min(best, 2.0 / x * (logarithm - 0.5 * std::log1p(-x)));
    }
    const double psi = 100.0 * std::pow(pattern_complexity(logarithm, 100), 2);
    EXPECT_GE(psi, best * (1.0 - 1e-4));
    EXPECT_LE(psi, best * 1.01);
  }
}

// The chain's sum over covers as docs/bound.md writes it, every ratio and length tried.
TEST(CoveringComplexity, EqualsTheBestChain_WhenRatiosAreTried) {
  const std::int64_t instances = 5000;
  const std::int64_t classes = 3;
  for (const std::int64_t m : {5000, 200000, 100000000}) {
    double best = 1.0;
    for (int links = 1; links <= 12; ++links) {
      for (double ratio = 1.01; ratio < 60.0; ratio *= 1.01) {
        double sum = std::pow(ratio, -links);
        for (int j = 1; j <= links; ++j) {
          const double cover = std::pow(ratio, 2 * j) * (4.0 * std::log(2.0 * 5000.0) + std::log(2.0));
          const double tosses = cover + std::pow(ratio, 2 * j) * std::log(2.0 * 3.0);
          sum += std::pow(ratio, 1 - j) * std::sqrt(2.0 * tosses / static_cast<double>(m));
        }
        best = std::min(best, sum);
      }
    }
    const double closed = covering_complexity(instances, classes, m);
    EXPECT_LE(closed, best * (1.0 + 1e-12));
    EXPECT_GE(closed, best * (1.0 - 1e-3));
  }
  EXPECT_EQ(covering_complexity(instances, classes, 50), 1.0) << "|h| <= R";
}

// The size of a cover: a greedy packing of the disc, its norm the largest |u.x|.
TEST(CoveringComplexity, CountsEnough_WhenTheDiscIsPacked) {
  Rng rng(7);
  const Eigen::MatrixXd points = sphere_bags(rng, 1, 3, 2)[0];
  for (const double eps : {1.0, 0.7, 0.5}) {
    std::vector<Eigen::Vector2d> packed;
    for (double x = -1.0; x <= 1.0; x += 0.02) {
      for (double y = -1.0; y <= 1.0; y += 0.02) {
        const Eigen::Vector2d u(x, y);
        if (u.norm() > 1.0) continue;
        const bool apart = std::all_of(packed.begin(), packed.end(), [&](const Eigen::Vector2d& other) {
          return (points * (u - other)).cwiseAbs().maxCoeff() > eps;
        });
        if (apart) packed.push_back(u);
      }
    }
    EXPECT_GE(packed.size(), 2U);
    EXPECT_LE(std::log(packed.size()), std::log(2.0) + 4.0 * std::log(2.0 * 3.0) / (eps * eps));
  }
}

}  // namespace
}  // namespace shapeboost
