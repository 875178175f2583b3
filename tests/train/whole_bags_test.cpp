// SPDX-License-Identifier: MIT
#include "train/whole_bags.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "shapeboost/predictor.hpp"
#include "support/accuracy.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "support/naive.hpp"
#include "train/plan.hpp"

namespace shapeboost {
namespace {

/// Instances along a ring of this radius: no single one, mean or feature tells classes apart as their company does.
Dataset rings(std::int64_t count, std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::bags);
  for (std::int64_t i = 0; i < count; ++i) {
    const double radius = i % 2 == 0 ? 1.0 : 2.0;
    Matrix bag(6 + rng.below(10), 2);
    for (Eigen::Index x = 0; x < bag.rows(); ++x) {
      const double angle = 6.3 * rng.uniform();
      bag.row(x) << radius * std::cos(angle) + 0.1 * rng.normal(),
          radius * std::sin(angle) + 0.1 * rng.normal();
    }
    add(data, bag, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  return data;
}

Eigen::MatrixXd targets(const Dataset& data) {
  Eigen::MatrixXd Y(data.size(), 1);
  for (std::int64_t i = 0; i < data.size(); ++i) Y(i, 0) = data.label(i) == 1 ? 1.0 : -1.0;
  return Y;
}

/// Mean over the views of exp(-(sqrt(sigma) S)^whole), by loops.
double naive_similarity(const detail::WholeBags& whole, const Dataset& data, std::int64_t a, std::int64_t b) {
  double sum = 0.0;
  for (const View& view : whole.views) {
    std::vector<Matrix> bags;
    for (const std::int64_t i : {a, b}) {
      const ArrayView values = data.values(i);
      Matrix& bag = bags.emplace_back(values.rows(), view.rows());
      for (Eigen::Index x = 0; x < bag.rows(); ++x) {
        double square = 0.0;
        for (Eigen::Index f = 0; f < bag.cols(); ++f) {
          double& value = bag(x, f);
          value = view.scaling == Scaling::log ? std::asinh(values(x, f) / view.scale[at(f)])
                                               : (values(x, f) - view.centre[at(f)]) / view.scale[at(f)];
          square += value * value;
        }
        if (view.aspect == Aspect::direction) bag.row(x) /= std::sqrt(square);
      }
    }
    const double units = std::sqrt(view.kernel.sigma()) * naive::bag_distance(bags[0], bags[1]);
    sum += std::exp(-std::pow(units, view.whole));
  }
  return sum / static_cast<double>(whole.views.size());
}

TEST(WholeBags, LeftOutScoresAreThoseOfARegressionWithoutTheBag) {
  const Dataset data = rings(24, 1);
  const Eigen::MatrixXd Y = targets(data);
  ThreadPool threads(1);
  const detail::WholeBags whole = detail::whole_bags(data, {}, Y, {}, threads);
  const std::int64_t m = data.size();
  ASSERT_EQ(std::ssize(whole.hypotheses), 4 * m);
  Eigen::MatrixXd K(m, m);
  for (std::int64_t a = 0; a < m; ++a) {
    for (std::int64_t b = 0; b < m; ++b) K(a, b) = naive_similarity(whole, data, a, b);
  }
  for (std::int64_t left = 0; left < m; ++left) {
    std::vector<Eigen::Index> others;
    for (Eigen::Index i = 0; i < m; ++i) {
      if (i != left) others.push_back(i);
    }
    // Kernel ridge regression with an offset: [K + alpha I, 1; 1', 0] [c; b] = [y; 0], neither its row nor its column there.
    Eigen::MatrixXd A = Eigen::MatrixXd::Ones(m, m);
    A.topLeftCorner(m - 1, m - 1) = K(others, others);
    A.diagonal().array() += whole.alpha;
    A(m - 1, m - 1) = 0.0;
    Vector y(m);
    y << Y(others, 0), 0.0;
    const Vector c = A.fullPivLu().solve(y);
    double said = c[m - 1];
    for (std::size_t k = 0; k < others.size(); ++k) {
      said += K(left, others[k]) * c[static_cast<Eigen::Index>(k)];
    }
    EXPECT_NEAR(whole.left_out(left, 0), said, 2e-3);
  }
}

TEST(WholeBags, LearnsNothingFromLabelsThatMeanNothing) {
  Dataset data(DataKind::bags);
  Rng rng(3);
  for (int i = 0; i < 200;
       ++i) {  // each bag is most alike to itself: leave-one-out must not take that for merit
    Matrix bag(5, 4);
    for (double& value : bag.reshaped()) value = rng.normal();
    add(data, bag, rng.below(2) == 0 ? "a" : "b", std::to_string(i));
  }
  ThreadPool threads(1);
  const Eigen::MatrixXd Y = targets(data);
  const detail::WholeBags whole = detail::whole_bags(data, {}, Y, {}, threads);
  const double right = (whole.left_out.array() * Y.array() > 0.0).cast<double>().mean();
  EXPECT_LT(right, 0.62);
}

TEST(WholeBags, SaysWhatItsModelSays) {
  const Dataset data = rings(30, 4);
  TrainSettings settings;
  settings.evidence = {Evidence::bag};
  const Model model = train(data, settings).model;
  ASSERT_TRUE(model.head);
  EXPECT_EQ(model.head->evidence, std::vector{Evidence::bag});
  EXPECT_EQ(model.head->apart.size(), 1U);
  const Dataset others = rings(100, 5);
  EXPECT_GE(accuracy_of(model, others), 0.97);
  const Model again = model_from_json(to_json(model), "again");
  const Scores before = scores(model, others, 1);
  const Scores after = scores(again, others, 2);
  for (std::int64_t i = 0; i < others.size(); ++i) EXPECT_EQ(before.parts(i, 0), after.parts(i, 0));
}

TEST(WholeBags, AreAskedForByDefaultAndLeftOutWhereSomethingElseIs) {
  const Dataset data = rings(12, 6);
  const auto asks = [&](const TrainSettings& settings) {
    const auto evidence = plan(data, settings).settings.evidence;
    return std::ranges::find(evidence, Evidence::bag) != evidence.end();
  };
  EXPECT_TRUE(asks({}));
  TrainSettings settings;
  settings.patterns = 10;
  EXPECT_FALSE(asks(settings));
  settings.evidence = {Evidence::best, Evidence::bag};
  try {
    (void)plan(data, settings);
    ADD_FAILURE();
  } catch (const InvalidInput& fault) {
    EXPECT_STREQ(fault.what(),
                 "evidence: whole bags are not counted as patterns; expected no --patterns with bag");
  }
}

TEST(WholeBags, ManyInstancesAreSharedOutFairly) {
  Dataset data(DataKind::bags);
  Rng rng(7);
  for (int i = 0; i < 20; ++i) {
    Matrix bag(i == 0 ? 3000 : 150, 2);
    for (double& value : bag.reshaped()) value = rng.normal();
    add(data, bag, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  ThreadPool threads(2);
  const detail::WholeBags whole = detail::whole_bags(data, {}, targets(data), {}, threads);
  ASSERT_EQ(whole.hypotheses.size(), 80U);
  std::int64_t first_view = 0;
  for (const Hypothesis& hypothesis : whole.hypotheses) {
    const auto count = std::ssize(hypothesis.shapelet.instances);
    EXPECT_LE(count, 150);
    EXPECT_GE(count, 90);
    if (hypothesis.view == 0) first_view += count;
  }
  EXPECT_LE(first_view, detail::kWholeInstances);
}

TEST(WholeBags, AreNoneWhereAllAreAlike) {
  Dataset data(DataKind::bags);
  for (int i = 0; i < 6; ++i) add(data, Matrix::Ones(2, 2), i % 2 == 0 ? "a" : "b", std::to_string(i));
  ThreadPool threads(1);
  EXPECT_TRUE(detail::whole_bags(data, {}, targets(data), {}, threads).hypotheses.empty());
}

}  // namespace
}  // namespace shapeboost
