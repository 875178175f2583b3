// SPDX-License-Identifier: MIT
// What views share of a series against what each sees by itself, and the sums along it against sums written out.
#include "view/sight.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ground/matrix.hpp"
#include "ground/rng.hpp"
#include "support/examples.hpp"
#include "view/windows.hpp"

namespace shapeboost::detail {
namespace {

using examples::window_view;

Matrix noise(std::int64_t channels, std::int64_t steps, Rng& rng) {
  Matrix values(channels, steps);
  for (double& value : values.reshaped()) value = rng.normal();
  return values;
}

/// Every channel as the view by itself would see it.
void expect_seen(Sight& sight, const View& view) {
  const Matrix want = seen_channels(mapped(sight.values()), view);
  for (Eigen::Index row = 0; row < want.rows(); ++row) {
    const std::vector<double>& found = sight.channel(view, row).numbers();
    ASSERT_EQ(std::ssize(found), want.cols());
    for (Eigen::Index t = 0; t < want.cols(); ++t) {
      EXPECT_TRUE(found[at(t)] == want(row, t) || (std::isnan(found[at(t)]) && std::isnan(want(row, t))));
    }
  }
}

TEST(Sight, ShowsEachViewWhatItWouldSeeAlone_SeriesAfterSeries) {
  Rng rng(1);
  Sight sight;
  for (const std::int64_t steps : {40, 25}) {
    Matrix values = noise(3, steps, rng);
    values(1, 4) = values(2, 9) = std::numeric_limits<double>::quiet_NaN();
    const std::string name = std::to_string(steps);
    sight.look_at(viewed(values), name);
    for (const bool again : {false, true}) {
      for (const Transform transform : {Transform::none, Transform::differences, Transform::spectrum}) {
        for (const Missing missing : {Missing::skip, Missing::fill}) {
          for (const std::int64_t period : {60, 32}) {
            View view = window_view(5, again ? Normalisation::z : Normalisation::raw, kernels::Gaussian{0.1});
            view.width = 3;
            view.channels = {0, 2};
            view.centre = {0.0, 0.0};
            view.scale = {1.0, 1.0};
            view.transform = transform;
            view.missing = missing;
            view.period = transform == Transform::spectrum ? period : 0;
            expect_seen(sight, view);
          }
        }
      }
    }
  }
}

TEST(Sight, SumsAreThoseOfEveryWindow) {
  Rng rng(2);
  Matrix values = noise(1, 50, rng).array() + 1e6;
  const View view = window_view(4, Normalisation::z, kernels::Gaussian{0.1});
  const std::string name = "x";
  for (const bool gap : {false, true}) {
    if (gap) values(0, 20) = std::numeric_limits<double>::quiet_NaN();
    Sight sight;
    sight.look_at(viewed(values), name);
    SeenChannel& channel = sight.channel(view, 0);
    EXPECT_EQ(channel.has_gaps(), gap);
    for (const std::int64_t d : {1, 7, 3, 1}) {
      const StridedSums& sums = channel.sums(d);
      for (std::int64_t t = 0; t + 3 * d < 50; ++t) {
        double sum = 0.0;
        double square = 0.0;
        for (std::int64_t k = 0; k < 4; ++k) {
          const double x = values(0, t + k * d);
          if (std::isnan(x)) continue;
          sum += x - channel.level();
          square += (x - channel.level()) * (x - channel.level());
        }
        EXPECT_NEAR(sums.sum[at(t + 4 * d)] - sums.sum[at(t)], sum, 1e-9) << d << ", " << t;
        EXPECT_NEAR(sums.square[at(t + 4 * d)] - sums.square[at(t)], square, 1e-9) << d << ", " << t;
      }
    }
  }
}

TEST(Sight, CountsHowManyNumbersAreEqual) {
  const Matrix values{{1.0, 2.0, 1.0, 2.0, 2.0, 2.0, 1.0}};
  const View view = window_view(2, Normalisation::raw, kernels::Gaussian{0.1});
  const std::string name = "x";
  Sight sight;
  sight.look_at(viewed(values), name);
  EXPECT_EQ(sight.channel(view, 0).equal(1), (std::vector<std::int32_t>{1, 1, 1, 1, 2, 3, 1}));
  EXPECT_EQ(sight.channel(view, 0).equal(2), (std::vector<std::int32_t>{1, 1, 2, 2, 1, 3, 1}));
}

}  // namespace
}  // namespace shapeboost::detail
