// SPDX-License-Identifier: MIT
#include "view/bag_mapping.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ground/rng.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "view/fit_view.hpp"

namespace shapeboost {
namespace {

using detail::map_instance;
using detail::mapped_size;

View view_of(const Dataset& data, Scaling scaling, Aspect aspect) {
  View view;
  view.kind = DataKind::bags;
  view.width = view.length = data.width();
  view.scaling = scaling;
  view.aspect = aspect;
  Rng rng(1);
  return fit_view(view, data, true, 1.0, rng);
}

/// One feature, the numbers 0, 1, ... 160, a bag each.
Dataset numbers() {
  Dataset data(DataKind::bags);
  for (int i = 0; i <= 160; ++i) {
    add(data, Matrix::Constant(1, 1, i), i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  return data;
}

std::vector<double> mapped_by(const View& view, std::vector<double> x) {
  std::vector<double> out(x.size());
  map_instance(view, x.data(), out.data());
  out.resize(static_cast<std::size_t>(mapped_size(view)));
  return out;
}

TEST(BagMapping, RanksAreTheShareOfSmallerNumbers) {
  const View view = view_of(numbers(), Scaling::rank, Aspect::whole);
  for (const double x : {0.0, 10.0, 37.0, 80.0, 123.0, 160.0}) {
    EXPECT_NEAR(mapped_by(view, {x})[0], std::sqrt(12.0) * (x / 160.0 - 0.5), 1e-12) << x;
  }
  EXPECT_NEAR(mapped_by(view, {1e9})[0], std::sqrt(3.0), 1e-12) << "outliers are no further than the largest";
  EXPECT_NEAR(mapped_by(view, {-1e9})[0], -std::sqrt(3.0), 1e-12);
}

TEST(BagMapping, EqualNumbersHaveTheMiddleOfTheirRanks) {
  Dataset data(DataKind::bags);
  for (int i = 0; i < 100; ++i)
    add(data, Matrix::Constant(1, 1, i < 75 ? 0.0 : i), i % 2 == 0 ? "a" : "b", std::to_string(i));
  const View view = view_of(data, Scaling::rank, Aspect::whole);
  EXPECT_NEAR(mapped_by(view, {0.0})[0], std::sqrt(12.0) * (0.375 - 0.5), 0.15);
}

TEST(BagMapping, LogarithmsHaveOneUnitForAllFeatures) {
  Dataset data(DataKind::bags);
  Matrix x(3, 2);
  x << 0.0, 2.0, 4.0, 0.0, 8.0, 0.0;
  add(data, x, "a", "1");
  add(data, x, "b", "2");
  const View view = view_of(data, Scaling::log, Aspect::whole);
  EXPECT_EQ(view.scale, std::vector<double>({4.0, 4.0})) << "the median of what is not 0";
  EXPECT_EQ(mapped_by(view, {8.0, 0.0}), std::vector<double>({std::asinh(2.0), 0.0}));
}

TEST(BagMapping, DirectionsHaveLengthOne) {
  const Dataset data = examples::random_bags(12, 4, 3, 1);
  const View view = view_of(data, Scaling::plain, Aspect::direction);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const ArrayView bag = data.values(i);
    const std::vector<double> y = mapped_by(view, {bag(0, 0), bag(0, 1), bag(0, 2)});
    EXPECT_NEAR(y[0] * y[0] + y[1] * y[1] + y[2] * y[2], 1.0, 1e-12);
  }
  EXPECT_EQ(mapped_by(view, view.centre), std::vector<double>(3, 0.0)) << "nothing has no direction";
}

TEST(BagMapping, SizeIsTheLogarithmOfTheLength) {
  const Dataset data = examples::random_bags(12, 4, 3, 1);
  const View view = view_of(data, Scaling::plain, Aspect::size);
  EXPECT_EQ(mapped_size(view), 1);
  EXPECT_GT(view.smallest, 0.0);
  EXPECT_NEAR(mapped_by(view, {2.0, 3.0, 6.0})[0], std::log(7.0 + view.smallest), 1e-12);
}

TEST(BagMapping, InstancesCompareWhatIsMapped) {
  const Dataset data = examples::random_bags(12, 4, 3, 1);
  for (const Scaling scaling : {Scaling::plain, Scaling::rank, Scaling::log}) {
    for (const Aspect aspect : {Aspect::whole, Aspect::direction, Aspect::size}) {
      const View view = view_of(data, scaling, aspect);
      const auto instances = make_instances(data, view);
      const Instance z = instances->instance(2);
      const std::vector<double> a = mapped_by(view, z.values);
      const std::vector<double> b = mapped_by(view, instances->instance(5).values);
      double distance = 0.0;
      for (std::size_t f = 0; f < a.size(); ++f) distance += (a[f] - b[f]) * (a[f] - b[f]);
      EXPECT_NEAR(instances->distance(2, 5), distance, 1e-12);
      EXPECT_NEAR(instances->similarity(instances->probe(z), instances->probe(5)),
                  std::exp(-view.kernel.sigma() * distance), 1e-12);
    }
  }
}

}  // namespace
}  // namespace shapeboost
