// SPDX-License-Identifier: MIT
#include "shapeboost/synthetic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ground/matrix.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost {
namespace {

using RowVector = Eigen::RowVectorXd;

RowVector shape_of(const Planted& planted) {
  return Eigen::Map<const RowVector>(planted.values.data(), static_cast<Eigen::Index>(planted.values.size()));
}

double correlation(RowVector a, RowVector b) {
  a.array() -= a.mean();
  b.array() -= b.mean();
  return a.dot(b) / (a.norm() * b.norm());
}

// Squared distance of the series' nearest window to the shape: what a shapelet sees.
double nearest_window(const MatrixView& series, const RowVector& shape) {
  double best = std::numeric_limits<double>::infinity();
  for (Eigen::Index t = 0; t + shape.size() <= series.cols(); ++t) {
    best = std::min(best, (series.row(0).segment(t, shape.size()) - shape).squaredNorm());
  }
  return best;
}

int nearest_neighbour(const Dataset& train, const MatrixView& series) {
  double best = std::numeric_limits<double>::infinity();
  int label = kUnlabelled;
  for (std::int64_t j = 0; j < train.size(); ++j) {
    const double distance = (series - mapped(train.values(j))).squaredNorm();
    if (distance >= best) continue;
    best = distance;
    label = train.label(j);
  }
  return label;
}

std::int64_t count(const Dataset& data, int label) {
  std::int64_t result = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) result += data.label(i) == label ? 1 : 0;
  return result;
}

bool same(const SyntheticData& a, const SyntheticData& b) {
  if (a.data.size() != b.data.size()) return false;
  for (std::int64_t i = 0; i < a.data.size(); ++i) {
    if (a.data.values(i).rows() != b.data.values(i).rows() ||
        mapped(a.data.values(i)) != mapped(b.data.values(i)))
      return false;
    if (a.data.label(i) != b.data.label(i)) return false;
  }
  return true;
}

TEST(PlantedSeries, HoldsItsPattern_WhereSaid) {
  const SyntheticData made = planted_series();
  ASSERT_EQ(made.planted.size(), 2U);
  for (std::int64_t i = 0; i < made.data.size(); ++i) {
    const auto own = static_cast<std::size_t>(made.data.label(i));
    const Planted& planted = made.planted[own];
    EXPECT_EQ(planted.label, made.data.classes()[own]);
    const std::int64_t position = planted.positions.at(static_cast<std::size_t>(i));
    ASSERT_GE(position, 0);
    const RowVector shape = shape_of(planted);
    EXPECT_GT(correlation(mapped(made.data.values(i)).row(0).segment(position, shape.size()), shape), 0.8)
        << i;
    EXPECT_EQ(made.planted[1 - own].positions.at(static_cast<std::size_t>(i)), -1);
  }
}

TEST(PlantedSeries, HasSizes_AsAsked) {
  const SyntheticData made = planted_series({.examples = 31, .length = 100});
  EXPECT_EQ(made.data.size(), 31);
  EXPECT_EQ(made.data.width(), 1);
  EXPECT_EQ(made.data.min_length(), 100);
  EXPECT_EQ(made.data.max_length(), 100);
  EXPECT_EQ(made.data.classes(), (std::vector<std::string>{"gesture", "rest"}));
  EXPECT_EQ(count(made.data, 0), 16);
  EXPECT_EQ(count(made.data, 1), 15);
  EXPECT_EQ(made.planted[0].values.size(), 20U);
}

TEST(PlantedSeries, IsEasyForShapesAlone_WhenNeighboursFail) {
  const SyntheticData train = planted_series({.seed = 1});
  const SyntheticData test = planted_series({.examples = 400, .seed = 2});
  int by_shape = 0;
  int by_neighbour = 0;
  for (std::int64_t i = 0; i < test.data.size(); ++i) {
    const MatrixView series = mapped(test.data.values(i));
    const bool rest =
        nearest_window(series, shape_of(test.planted[0])) > nearest_window(series, shape_of(test.planted[1]));
    by_shape += (rest ? 1 : 0) == test.data.label(i) ? 1 : 0;
    by_neighbour += nearest_neighbour(train.data, series) == test.data.label(i) ? 1 : 0;
  }
  EXPECT_GE(by_shape, 396);
  EXPECT_LT(by_neighbour, 300);
}

TEST(PlantedSeries, Fits_WhenShortest) {
  const SyntheticData made = planted_series({.examples = 200, .length = 20});
  for (const Planted& planted : made.planted) {
    for (const std::int64_t position : planted.positions) {
      EXPECT_LE(position + static_cast<std::int64_t>(planted.values.size()), 20);
    }
  }
}

TEST(WarpedSeries, HoldsItsEventsInOrder_WhereSaid) {
  const SyntheticData made = warped_series({.noise = 0.0});
  for (std::int64_t i = 0; i < made.data.size(); ++i) {
    const bool early = made.data.classes()[static_cast<std::size_t>(made.data.label(i))] == "early";
    const Planted& planted = made.planted[early ? 0 : 1];
    const std::int64_t position = planted.positions.at(static_cast<std::size_t>(i));
    ASSERT_GE(position, 0);
    EXPECT_EQ(made.planted[early ? 1 : 0].positions.at(static_cast<std::size_t>(i)), -1);
    const auto width = static_cast<Eigen::Index>(planted.values.size());
    const RowVector pattern =
        (early ? 1.0 : -1.0) * mapped(made.data.values(i)).row(0).segment(position, width);
    Eigen::Index low = 0;
    EXPECT_LT(pattern.minCoeff(&low), -0.5) << i;
    EXPECT_GT(pattern.head(low).maxCoeff(), 0.5) << i;
    EXPECT_GT(pattern.tail(width - low).maxCoeff(), 0.5) << i;
  }
}

TEST(WarpedSeries, WarpsEachExampleAnew) {
  const SyntheticData made = warped_series({.noise = 0.0});
  int alike = 0;
  for (std::int64_t i = 0; i < made.data.size(); ++i) {
    const Planted& planted = made.planted[made.planted[0].positions[static_cast<std::size_t>(i)] < 0 ? 1 : 0];
    const RowVector shape = shape_of(planted);
    const RowVector here = mapped(made.data.values(i))
                               .row(0)
                               .segment(planted.positions[static_cast<std::size_t>(i)], shape.size());
    alike += correlation(here, shape) > 0.9 ? 1 : 0;
  }
  EXPECT_LT(alike, 15) << "of 60 that differ from the unwarped pattern in timing alone";
}

TEST(PlantedBags, HoldTheConcept_WhereSaid) {
  const SyntheticData made = planted_bags({.examples = 40, .length = 30});
  ASSERT_EQ(made.planted.size(), 1U);
  const RowVector centre = shape_of(made.planted[0]);
  for (std::int64_t i = 0; i < made.data.size(); ++i) {
    const std::int64_t position = made.planted[0].positions.at(static_cast<std::size_t>(i));
    const bool active = made.data.classes()[static_cast<std::size_t>(made.data.label(i))] == "active";
    EXPECT_EQ(active, position >= 0);
    if (!active) continue;
    const RowVector instance = mapped(made.data.values(i)).row(position);
    EXPECT_GT(correlation(instance, centre), 0.8);
    EXPECT_LT((instance - centre).norm(), 4.0 * 0.2 * std::sqrt(static_cast<double>(centre.size())));
  }
}

TEST(PlantedBags, HaveSizes_AsAsked) {
  const SyntheticData made = planted_bags({.examples = 400, .length = 11, .features = 3});
  EXPECT_EQ(made.data.kind(), DataKind::bags);
  EXPECT_EQ(made.data.width(), 3);
  EXPECT_EQ(made.data.min_length(), 6);
  EXPECT_EQ(made.data.max_length(), 16);
  EXPECT_EQ(count(made.data, 0), 200);
  double instances = 0.0;
  for (std::int64_t i = 0; i < made.data.size(); ++i)
    instances += static_cast<double>(made.data.values(i).rows());
  EXPECT_NEAR(instances / 400.0, 11.0, 0.6);  // four standard errors of a uniform mean
}

TEST(PlantedBags, ShareTheConcept_WhenSeedsDiffer) {
  EXPECT_EQ(planted_bags({.seed = 1}).planted[0].values, planted_bags({.seed = 2}).planted[0].values);
}

TEST(Synthetic, Repeats_WhenSeedIsTheSame) {
  EXPECT_TRUE(same(planted_series({.seed = 5}), planted_series({.seed = 5})));
  EXPECT_FALSE(same(planted_series({.seed = 5}), planted_series({.seed = 6})));
  EXPECT_TRUE(same(warped_series({.seed = 5}), warped_series({.seed = 5})));
  EXPECT_FALSE(same(warped_series({.seed = 5}), warped_series({.seed = 6})));
  EXPECT_TRUE(same(planted_bags({.seed = 5}), planted_bags({.seed = 5})));
  EXPECT_FALSE(same(planted_bags({.seed = 5}), planted_bags({.seed = 6})));
}

TEST(Synthetic, ShufflesClasses_WhenMade) {
  const SyntheticData made = planted_series();
  int changes = 0;
  for (std::int64_t i = 1; i < made.data.size(); ++i)
    changes += made.data.label(i) != made.data.label(i - 1) ? 1 : 0;
  EXPECT_GT(changes, 15);  // 1 where sorted
  EXPECT_LT(changes, 45);  // 59 where alternating
}

TEST(Synthetic, Throws_WhenSettingsMakeNoSense) {
  EXPECT_THROW((void)planted_series({.examples = 1}), InvalidInput);
  EXPECT_THROW((void)planted_series({.length = 19}), InvalidInput);
  EXPECT_THROW((void)planted_series({.noise = -1.0}), InvalidInput);
  EXPECT_THROW((void)warped_series({.examples = 1}), InvalidInput);
  EXPECT_THROW((void)warped_series({.length = 19}), InvalidInput);
  EXPECT_THROW((void)planted_bags({.length = 0}), InvalidInput);
  EXPECT_THROW((void)planted_bags({.features = 0}), InvalidInput);
  EXPECT_THROW((void)planted_bags({.noise = std::nan("")}), InvalidInput);
}

}  // namespace
}  // namespace shapeboost
