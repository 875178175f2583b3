// SPDX-License-Identifier: MIT
// docs/bound.md, the statement as a whole. Its steps are in bound_steps_test.cpp.
#include "tell/bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ground/rng.hpp"
#include "shapeboost/base.hpp"
#include "support/examples.hpp"
#include "support/sphere_bags.hpp"

namespace shapeboost {
namespace {

using examples::Bags;
using examples::direction;
using examples::sentence;
using examples::sphere_bags;
using examples::view_of;

/// m bags of five in the plane, the linear kernel; half of the margins 0.9, half 0.6.
BoundInput plane_input(std::size_t m) {
  BoundInput input;
  for (std::size_t i = 0; i < m; ++i) input.margins.push_back(i % 2 == 0 ? 0.9 : 0.6);
  BoundView view;
  view.instances = static_cast<std::int64_t>(5 * m);
  view.largest_bag = 5;
  view.patterns = Patterns::linear;
  view.dimension = 2;
  input.views = {view};
  return input;
}

TEST(Bound, IsTheSumByHand_WhenThereIsOneView) {
  const Bound bound = generalisation_bound(plane_input(1000));
  ASSERT_EQ(bound.at.size(), 3U) << "1, 0.707, 0.5: the last is below every margin";
  const double logarithm = std::log(2.0 * 1000.0 * 10.0);  // 2 P
  EXPECT_NEAR(*bound.log_patterns, logarithm, 1e-9);
  const BoundAtRho& row = bound.at[1];
  EXPECT_DOUBLE_EQ(row.rho, std::sqrt(0.5));
  EXPECT_EQ(row.loss, 0.5);
  EXPECT_NEAR(*row.patterns, 2.0 / std::sqrt(0.5) * pattern_complexity(logarithm, 1000), 1e-9);
  EXPECT_NEAR(row.covering, 2.0 / std::sqrt(0.5) * covering_complexity(5000, 1, 1000), 1e-12);
  EXPECT_NEAR(row.confidence, 3.0 * std::sqrt(std::log(2.0 * 6.0 / 0.05) / 2000.0), 1e-12);
  EXPECT_DOUBLE_EQ(row.total, row.loss + std::min(*row.patterns, row.covering) + row.confidence);
  EXPECT_EQ(bound.at[0].loss, 1.0);
  EXPECT_EQ(bound.at[2].loss, 0.0);
  EXPECT_EQ(bound.best, 2U);
}

TEST(Bound, IsStrictAboutMargins_WhenOneEqualsRho) {
  BoundInput input = plane_input(2);
  input.margins = {1.0, 0.5};
  const Bound bound = generalisation_bound(input);
  EXPECT_EQ(bound.at[0].loss, 0.5) << "y g = rho is no loss";
}

TEST(Bound, FallsWithBagsAndWithRho) {
  double before = 1e300;
  for (const std::size_t m : {50U, 500U, 5000U, 50000U}) {
    const Bound bound = generalisation_bound(plane_input(m));
    EXPECT_LT(bound.at[bound.best].total, before);
    before = bound.at[bound.best].total;
    for (std::size_t k = 1; k < bound.at.size(); ++k) {
      EXPECT_LT(bound.at[k].rho, bound.at[k - 1].rho);
      EXPECT_LE(bound.at[k].loss, bound.at[k - 1].loss);
      EXPECT_GT(bound.at[k].complexity, bound.at[k - 1].complexity);
      EXPECT_GT(bound.at[k].confidence, bound.at[k - 1].confidence);
    }
  }
}

TEST(Bound, IsVacuousOnFewBags_AndNotOnMany) {
  const Bound few = generalisation_bound(plane_input(50));
  EXPECT_TRUE(few.vacuous);
  EXPECT_GE(few.at[few.best].total, 1.0);
  ASSERT_TRUE(few.bags_needed.has_value());
  EXPECT_GT(*few.bags_needed, 50.0);
  EXPECT_FALSE(generalisation_bound(plane_input(static_cast<std::size_t>(*few.bags_needed))).vacuous);
  EXPECT_TRUE(generalisation_bound(plane_input(static_cast<std::size_t>(*few.bags_needed / 2.0))).vacuous);

  const Bound many = generalisation_bound(plane_input(20000));
  EXPECT_FALSE(many.vacuous);
  EXPECT_LT(many.at[many.best].total, 0.5);
  EXPECT_EQ(*many.bags_needed, 20000.0);
}

TEST(Bound, UsesTheCovering_WhenPatternsAreUnknownOrTooMany) {
  BoundInput input = plane_input(2000000);
  input.views[0].patterns = Patterns::unknown;
  const Bound unknown = generalisation_bound(input);
  EXPECT_FALSE(unknown.log_patterns.has_value());
  EXPECT_FALSE(unknown.at[0].patterns.has_value());
  EXPECT_FALSE(unknown.vacuous);
  input.views[0].patterns = Patterns::linear;
  input.views[0].dimension = 500000;
  const Bound high = generalisation_bound(input);
  EXPECT_GT(*high.at[0].patterns, high.at[0].covering);
  EXPECT_EQ(high.at[0].complexity, unknown.at[0].complexity);
}

// Scores of twice the size from shapelets of twice the norm, or from instances twice as long, are the same
// classifier.
TEST(Bound, DoesNotChange_WhenScoresAreScaled) {
  BoundInput input = plane_input(300);
  input.offset = 0.25;
  const Bound plain = generalisation_bound(input);
  BoundInput longer = input;
  for (double& margin : longer.margins) margin *= 2.0;
  longer.offset = 0.5;
  BoundInput normed = longer;
  longer.views[0].radius = 2.0;
  normed.norm = 2.0;
  for (const BoundInput& other : {longer, normed}) {
    const Bound scaled = generalisation_bound(other);
    ASSERT_EQ(scaled.at.size(), plain.at.size());
    for (std::size_t k = 0; k < plain.at.size(); ++k) {
      EXPECT_NEAR(scaled.at[k].rho, 2.0 * plain.at[k].rho, 1e-12);
      EXPECT_NEAR(scaled.at[k].total, plain.at[k].total, 1e-12);
    }
  }
}

TEST(Bound, CostsMore_WhenLessIsFixedBeforehand) {
  const BoundInput input = plane_input(3000);
  const Bound plain = generalisation_bound(input);
  const auto best = [](const Bound& bound) { return bound.at[bound.best].total; };

  BoundInput offset = input;
  offset.offset = 0.3;
  EXPECT_GT(best(generalisation_bound(offset)), best(plain));
  const Bound shifted = generalisation_bound(offset);
  EXPECT_DOUBLE_EQ(shifted.at[0].rho, 1.3) << "T s = A R + |b|";
  EXPECT_NEAR(std::exp(*shifted.log_patterns), std::exp(*plain.log_patterns) + 1.0, 1e-6);
  EXPECT_NEAR(shifted.at[0].covering, 2.0 * covering_complexity(15000, 2, 3000), 1e-12);

  BoundInput views = input;
  views.views.assign(24, input.views[0]);
  EXPECT_NEAR(*generalisation_bound(views).log_patterns, *plain.log_patterns + std::log(24.0), 1e-9);
  views.views[3].radius = 0.5;
  EXPECT_EQ(generalisation_bound(views).radius, 1.0);

  BoundInput chosen = input;
  chosen.choices = 2;
  EXPECT_NEAR(generalisation_bound(chosen).at[0].confidence,
              3.0 * std::sqrt(std::log(2.0 * 2.0 * 2.0 / 0.05) / 6000.0), 1e-12);

  BoundInput seen = input;  // R = 3 lies between 2 and 4: s = 2, k = 1, share 2 / (3 * 2 * 3)
  seen.views[0].radius = 3.0;
  seen.radius_known = false;
  const Bound read_off = generalisation_bound(seen);
  EXPECT_DOUBLE_EQ(read_off.scale, 2.0);
  EXPECT_NEAR(read_off.at[0].confidence, 3.0 * std::sqrt(std::log(2.0 * 2.0 * 9.0 / 0.05) / 6000.0), 1e-12);
  EXPECT_NEAR(*read_off.at[0].patterns, 2.0 / 2.0 * 3.0 * pattern_complexity(*plain.log_patterns, 3000),
              1e-9);
}

// Bags of three in the plane: some instance of a positive bag lies to the right, all of a negative one to the
// left; one label in ten is flipped. The learner takes the best of 32 directions, both signs and 9 offsets on
// its own sample; its true error is known from a large second one. The total must hold at every rho at once.
struct Classifier {
  Eigen::VectorXd u;
  double sign = 1.0;
  double b = 0.0;
};

struct Sample {
  Bags bags;
  std::vector<int> labels;
};

Sample draw(Rng& rng, std::int64_t m) {
  Sample sample;
  sample.bags = sphere_bags(rng, m, 3, 2);
  for (Eigen::MatrixXd& bag : sample.bags) {
    const int label = rng.below(2) == 0 ? 1 : -1;
    bag.col(0) = -bag.col(0).cwiseAbs();
    if (label > 0) bag.row(rng.below(3)) = direction(0.6 * (rng.uniform() - 0.5)).transpose();
    sample.labels.push_back(rng.uniform() < 0.1 ? -label : label);
  }
  return sample;
}

std::vector<double> margins(const Classifier& g, const Sample& sample) {
  std::vector<double> result;
  for (std::size_t i = 0; i < sample.bags.size(); ++i) {
    result.push_back(sample.labels[i] * (g.sign * (sample.bags[i] * g.u).maxCoeff() + g.b));
  }
  return result;
}

double error(const std::vector<double>& list) {
  const auto wrong = std::count_if(list.begin(), list.end(), [](double margin) { return margin <= 0.0; });
  return static_cast<double>(wrong) / static_cast<double>(list.size());
}

Classifier best_of_all(const Sample& sample) {
  Classifier best;
  double fewest = 2.0;
  for (int angle = 0; angle < 32; ++angle) {
    for (const double sign : {-1.0, 1.0}) {
      for (int step = -4; step <= 4; ++step) {
        const Classifier g{direction(angle * std::numbers::pi / 16.0), sign, 0.2 * step};
        const double found = error(margins(g, sample));
        if (found >= fewest) continue;
        fewest = found;
        best = g;
      }
    }
  }
  return best;
}

TEST(Bound, Holds_WhenSamplesAreDrawnAgainAndAgain) {
  Rng rng(8);
  const Sample world = draw(rng, 50000);
  for (int trial = 0; trial < 10; ++trial) {
    const Sample sample = draw(rng, 8000);
    const Classifier g = best_of_all(sample);
    BoundInput input;
    input.margins = margins(g, sample);
    input.views = {view_of(sample.bags, Patterns::linear, 2)};
    input.offset = g.b;
    const Bound bound = generalisation_bound(input);
    EXPECT_FALSE(bound.vacuous) << "a bound above 1 would hold of itself";
    const double truth = error(margins(g, world));
    EXPECT_GT(truth, 0.09) << "a tenth is noise";
    for (const BoundAtRho& row : bound.at) EXPECT_LE(truth, row.total);
  }
}

TEST(BoundText, SaysWhatHolds) {
  const std::string many = to_text(generalisation_bound(plane_input(20000)));
  EXPECT_NE(many.find("With probability at least 0.95"), std::string::npos) << many;
  EXPECT_NE(many.find("% of new bags are classified wrongly"), std::string::npos) << many;
  EXPECT_NE(many.find("|P_S| = 100,000 in one view, at most 5 a bag"), std::string::npos) << many;
  EXPECT_NE(many.find("d* is at most 2;"), std::string::npos) << many;
  EXPECT_EQ(many.find("vacuous"), std::string::npos) << many;

  BoundInput input = plane_input(50);
  input.views[0].patterns = Patterns::unknown;
  input.views.push_back(input.views[0]);
  input.offset = -0.125;
  const std::string few = to_text(generalisation_bound(input));
  EXPECT_NE(few.find("the guarantee is vacuous"), std::string::npos) << few;
  EXPECT_NE(few.find("d* is not known"), std::string::npos) << few;
  EXPECT_NE(few.find("the largest of 2 views"), std::string::npos) << few;
  EXPECT_NE(few.find("b = -0.125"), std::string::npos) << few;
  EXPECT_NE(few.find("would begin to say something at about"), std::string::npos) << few;
}

TEST(Bound, Complains_WhenInputIsWrong) {
  const auto spoiled = [](auto spoil) {
    BoundInput input = plane_input(10);
    spoil(input);
    return sentence([&] { (void)generalisation_bound(input); });
  };
  EXPECT_EQ(spoiled([](BoundInput& i) { i.margins.clear(); }),
            "bound: expected margins of training bags, found none");
  EXPECT_EQ(spoiled([](BoundInput& i) { i.views.clear(); }), "bound: expected at least one view, found none");
  EXPECT_EQ(spoiled([](BoundInput& i) { i.margins[3] = 1.5; }),
            "bound: expected at most 1 in size for margin 3, found 1.5");
  EXPECT_EQ(spoiled([](BoundInput& i) { i.margins[3] = std::nan(""); }),
            "bound: expected at most 1 in size for margin 3, found nan");
  EXPECT_EQ(spoiled([](BoundInput& i) { i.views[0].instances = 9; }),
            "bound: expected at least 10 for the instances of view 0, found 9");
  EXPECT_EQ(spoiled([](BoundInput& i) { i.views[0].largest_bag = 0; }),
            "bound: expected 1 ... 50 for the largest bag of view 0, found 0");
  EXPECT_EQ(spoiled([](BoundInput& i) { i.views[0].radius = 0.0; }),
            "bound: expected a positive number for the radius of view 0, found 0");
  EXPECT_EQ(spoiled([](BoundInput& i) { i.views[0].dimension = 0; }),
            "bound: expected at least 1 for the dimension of view 0, found 0");
  EXPECT_EQ(spoiled([](BoundInput& i) { i.norm = -1.0; }),
            "bound: expected a number >= 0 for the norm, found -1");
  EXPECT_EQ(spoiled([](BoundInput& i) { i.norm = 0.0; }),
            "bound: expected more than 0 for the norm where there is no offset, found 0");
  EXPECT_EQ(spoiled([](BoundInput& i) { i.offset = std::nan(""); }),
            "bound: expected a finite number for the offset, found nan");
  EXPECT_EQ(spoiled([](BoundInput& i) { i.choices = 0; }),
            "bound: expected at least 1 for the choices, found 0");
  EXPECT_EQ(spoiled([](BoundInput& i) { i.delta = 1.0; }),
            "bound: expected a number in (0, 1) for delta, found 1");
}

}  // namespace
}  // namespace shapeboost
