// SPDX-License-Identifier: MIT
// Every kind of window and of feature subset against copied-out twins: dilated, of differences, of one
// channel or of all together, with gaps, in series of any length, with and without a position term.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "model/respond.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "support/naive.hpp"
#include "support/tolerances.hpp"
#include "view/fit_view.hpp"
#include "view/gaps.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

using tolerance::kCancellation;
using tolerance::kRounding;

constexpr KernelKind kProductKernels[] = {KernelKind::gaussian, KernelKind::linear, KernelKind::polynomial,
                                          KernelKind::laplacian};
constexpr Normalisation kEveryNormalisation[] = {Normalisation::raw, Normalisation::centred,
                                                 Normalisation::z};

/// Series of 1 to 60 time steps. Some have gaps: single values, whole stretches, one channel only, everything.
/// The last channel of one series is constant.
Dataset gappy_series(std::int64_t channels, std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::series);
  for (const std::int64_t steps : {26, 1, 14, 9, 60, 2, 17, 12, 13, 21}) {
    Matrix series(channels, steps);
    for (double& value : series.reshaped()) value = 0.5 + rng.normal();
    switch (data.size()) {
      case 2: series(channels - 1, 5) = NAN; break;
      case 4:
        for (Eigen::Index t = 30; t < 38; ++t) series(0, t) = NAN;
        series.col(51).setConstant(NAN);
        break;
      case 6: series.setConstant(NAN); break;
      case 7:  // no stretch longer than 2
        for (Eigen::Index t = 2; t < steps; t += 3) series(rng.below(channels), t) = NAN;
        break;
      case 8: series(0, 0) = series(0, steps - 1) = NAN; break;
      case 9: series.row(channels - 1).setConstant(0.3); break;
      default: break;
    }
    add(data, series, data.size() % 2 == 0 ? "a" : "b", std::to_string(data.size()));
  }
  return data;
}

/// Everything a view's instances say, against the twin.
void expect_twin(const Dataset& data, const View& view, Rng& rng) {
  const auto instances = make_instances(data, view);
  const std::vector<std::vector<Instance>> bags = naive::instances_of(data, view);
  std::vector<Instance> all;
  ASSERT_EQ(instances->bags(), data.size());
  for (std::int64_t bag = 0; bag < data.size(); ++bag) {
    ASSERT_EQ(instances->first(bag), static_cast<std::int64_t>(all.size()));
    ASSERT_EQ(instances->count(bag), static_cast<std::int64_t>(bags[at(bag)].size()));
    all.insert(all.end(), bags[at(bag)].begin(), bags[at(bag)].end());
  }
  const auto n = static_cast<std::int64_t>(all.size());
  ASSERT_EQ(instances->size(), n);

  std::vector<Vector> ready;
  for (std::int64_t x = 0; x < n; ++x) {
    ready.push_back(naive::prepared(view, all[at(x)].values));
    const Instance instance = instances->instance(x);
    const Vector apart = Eigen::Map<const Vector>(instance.values.data(), std::ssize(instance.values)) -
                         Eigen::Map<const Vector>(all[at(x)].values.data(), std::ssize(all[at(x)].values));
    EXPECT_LE(apart.cwiseAbs().maxCoeff(), view.transform == Transform::spectrum ? kRounding : 0.0);
    EXPECT_EQ(instance.example, all[at(x)].example);
    EXPECT_EQ(instance.position, all[at(x)].position);
    EXPECT_EQ(instances->position(x), all[at(x)].position);
    EXPECT_NEAR(instance.place, all[at(x)].place, kRounding);
    for (const Probe& probe : {instances->probe(x), instances->probe(instance)}) {
      ASSERT_EQ(probe.values.size(), ready.back().size());
      EXPECT_LE((probe.values - ready.back()).cwiseAbs().maxCoeff(), kRounding);
      EXPECT_NEAR(probe.norm2, ready.back().squaredNorm(), kRounding * (1.0 + ready.back().squaredNorm()));
      if (view.tau > 0.0) {
        EXPECT_NEAR(probe.place, all[at(x)].place, kRounding);
      }
    }
  }

  Matrix G(n, n);
  for (std::int64_t a = 0; a < n; ++a) {
    for (std::int64_t b = 0; b < n; ++b) {
      const double apart = all[at(a)].place - all[at(b)].place;
      G(a, b) =
          naive::kernel_value(view.kernel, ready[at(a)], ready[at(b)]) * std::exp(-view.tau * apart * apart);
    }
  }
  const auto near = [](double value) { return kCancellation * std::max(1.0, std::abs(value)); };
  const auto any_run = [&](std::int64_t bag) {
    const std::int64_t first = rng.below(instances->count(bag));
    return shapeboost::Run{bag, first, 1 + rng.below(instances->count(bag) - first)};
  };
  for (int repeat = 0; repeat < 4 && n > 0; ++repeat) {
    const std::int64_t z = rng.below(n);
    const std::int64_t y = rng.below(n);
    const Vector apart = ready[at(z)] - ready[at(y)];
    EXPECT_NEAR(instances->distance(z, y),
                view.kernel.kind() == KernelKind::laplacian ? apart.lpNorm<1>() : apart.squaredNorm(),
                kCancellation);
    EXPECT_NEAR(instances->similarity(instances->probe(z), instances->probe(y)), G(z, y), near(G(z, y)));
    EXPECT_NEAR(naive::similarity(view, all[at(z)], all[at(y)]), G(z, y), near(G(z, y)));
    for (std::int64_t bag = 0; bag < data.size(); ++bag) {
      if (instances->count(bag) == 0) continue;
      const shapeboost::Run run = any_run(bag);
      std::vector<double> affinity(at(run.count));
      instances->affinities(instances->probe(all[at(z)]), run, affinity.data());
      for (std::int64_t j = 0; j < run.count; ++j) {
        const double expected = G(z, instances->first(bag) + run.first + j);
        EXPECT_NEAR(view.kernel.value(affinity[at(j)]), expected, near(expected));
      }
    }
  }
  for (std::int64_t own = 0; own < data.size(); ++own) {
    if (instances->count(own) == 0) continue;
    const shapeboost::Run run = any_run(own);
    std::vector<double> largest(at(run.count));
    std::vector<double> smallest(at(run.count));
    for (std::int64_t bag = 0; bag < data.size(); ++bag) {
      if (instances->count(bag) == 0) continue;
      instances->extremes(run, bag, largest.data(), smallest.data());
      for (std::int64_t j = 0; j < run.count; ++j) {
        const auto row = G.row(instances->first(own) + run.first + j)
                             .segment(instances->first(bag), instances->count(bag));
        EXPECT_NEAR(view.kernel.value(largest[at(j)]), row.maxCoeff(), near(row.cwiseAbs().maxCoeff()));
        EXPECT_NEAR(view.kernel.value(smallest[at(j)]), row.minCoeff(), near(row.cwiseAbs().maxCoeff()));
      }
    }
  }

  if (n == 0) return;
  const std::int64_t z[2] = {rng.below(n), rng.below(n)};
  const Response response = respond(*instances, {{all[at(z[0])], all[at(z[1])]}, {0.7, -0.3}});
  for (std::int64_t bag = 0; bag < data.size(); ++bag) {
    if (instances->count(bag) == 0) {
      EXPECT_EQ(response.value[at(bag)], 0.0);
      EXPECT_EQ(response.argmax[at(bag)], -1);
      continue;
    }
    const auto score =
        (0.7 * G.row(z[0]) - 0.3 * G.row(z[1])).segment(instances->first(bag), instances->count(bag));
    EXPECT_NEAR(response.value[at(bag)], score.maxCoeff(), near(score.cwiseAbs().maxCoeff()));
    EXPECT_NEAR(score[response.argmax[at(bag)] - instances->first(bag)], score.maxCoeff(),
                near(score.cwiseAbs().maxCoeff()));
  }
}

std::string described(const View& view) {
  return std::string(to_string(view.kernel.kind())) + ", " + std::string(to_string(view.normalisation)) +
         ", " + std::to_string(view.rows()) + " channels from " + std::to_string(view.channel(0)) + " of " +
         std::to_string(view.width) + ", length " + std::to_string(view.length) + ", dilation " +
         std::to_string(view.dilation) + ", " + std::string(to_string(view.transform)) + ", tau " +
         std::to_string(view.tau);
}

/// `check(data, view)` for every combination of what a view of windows may be.
template <typename Check>
void each_view(const Check& check) {
  for (const std::int64_t channels : {1, 3}) {
    const Dataset data = gappy_series(channels, 5);
    std::vector<std::vector<int>> sets{{}};
    if (channels == 3) sets = {{}, {0}, {1}, {2}, {0, 2}};
    for (const std::vector<int>& set : sets) {
      View view;
      view.width = channels;
      view.channels = set;
      view.centre.assign(at(view.rows()), 0.4);
      view.scale.assign(at(view.rows()), 1.0);
      for (std::size_t r = 0; r < view.scale.size(); ++r) view.scale[r] = 0.5 + static_cast<double>(r);
      for (const Normalisation n : kEveryNormalisation) {
        for (const std::int64_t dilation : {1, 2, 5}) {
          for (const Transform transform : {Transform::none, Transform::differences, Transform::spectrum}) {
            for (const double tau : {0.0, 3.0}) {
              for (const std::int64_t length : {1, 4}) {
                for (const KernelKind kernel : kProductKernels) {
                  view.kernel = KernelSettings{.kind = kernel, .sigma = 0.15, .c = 0.5, .p = 2}.kernel();
                  view.normalisation = n;
                  view.dilation = dilation;
                  view.transform = transform;
                  view.period = transform == Transform::spectrum ? 40 : 0;
                  view.tau = tau;
                  view.length = length;
                  check(data, view);
                }
              }
            }
          }
        }
      }
    }
  }
}

TEST(Windows, AreTheirTwins_ForEveryView) {
  Rng rng(6);
  int empty_bags = 0;
  each_view([&](const Dataset& data, const View& view) {
    SCOPED_TRACE(described(view));
    expect_twin(data, view, rng);
    for (const auto& bag : naive::instances_of(data, view)) empty_bags += bag.empty() ? 1 : 0;
  });
  EXPECT_GT(empty_bags, 1000) << "too few series without a window: the case is not tested";
}

/// Noise, to which `disturb` adds something large.
template <typename Disturb>
Dataset disturbed(const Disturb& disturb) {
  Rng rng(11);
  Dataset data(DataKind::series);
  for (std::int64_t i = 0; i < 6; ++i) {
    Matrix series(1, 60);
    for (Eigen::Index t = 0; t < 60; ++t) series(0, t) = rng.normal() + disturb(i, t);
    add(data, series, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  return data;
}

TEST(Windows, KeepTheirDigits_BesideSpikesRampsAndOffsets) {
  struct Disturbed {
    Dataset data;
    double tolerance;
  };
  const Disturbed cases[] = {
      {disturbed([](std::int64_t i, Eigen::Index t) { return i == 1 && t == 20 ? 1e8 : 0.0; }), 1e-6},
      {disturbed([](std::int64_t, Eigen::Index t) { return t == 20 || t == 45 ? 1e8 : 0.0; }), 1e-6},
      {disturbed([](std::int64_t i, Eigen::Index) { return 1e6 * static_cast<double>(i); }), 1e-6},
      // Noise of a millionth of a window's deviation: distances of 1e-12 between windows of norm 1.
      {disturbed([](std::int64_t, Eigen::Index t) { return 1e6 * static_cast<double>(t); }), 1e-6}};
  for (const Disturbed& each : cases) {
    for (const Normalisation normalisation : {Normalisation::centred, Normalisation::z}) {
      View view;
      view.length = 8;
      view.normalisation = normalisation;
      view.kernel = KernelSettings{.kind = KernelKind::gaussian, .sigma = 0.0}.kernel();
      Rng rng(12);
      view = fit_view(view, each.data, true, 1.0, rng);
      SCOPED_TRACE(described(view) + ", case " + std::to_string(&each - cases));
      const auto instances = make_instances(each.data, view);
      const std::vector<std::vector<Instance>> bags = naive::instances_of(each.data, view);
      for (std::int64_t own = 0; own < each.data.size(); ++own) {
        std::vector<double> largest(at(instances->count(own)));
        std::vector<double> smallest(largest);
        for (std::int64_t bag = 0; bag < each.data.size(); ++bag) {
          instances->extremes({own, 0, instances->count(own)}, bag, largest.data(), smallest.data());
          for (std::size_t j = 0; j < largest.size(); ++j) {
            double most = 0.0;
            double least = 1.0;
            for (const Instance& x : bags[at(bag)]) {
              const double k = naive::similarity(view, bags[at(own)][j], x);
              most = std::max(most, k);
              least = std::min(least, k);
            }
            ASSERT_NEAR(view.kernel.value(largest[j]), most, each.tolerance);
            ASSERT_NEAR(view.kernel.value(smallest[j]), least, each.tolerance);
          }
        }
      }
    }
  }
}

TEST(Windows, AreNone_WhenEverySeriesIsTooShortOrFullOfGaps) {
  const Dataset data = gappy_series(2, 7).subset({1, 5, 6, 7});
  View view = examples::plain_view(data, 4);
  view.centre.assign(2, 0.0);
  view.scale.assign(2, 1.0);
  const auto instances = make_instances(data, view);
  EXPECT_EQ(instances->size(), 0);
  EXPECT_EQ(instances->bags(), 4);
  Instance stranger;
  stranger.values.assign(8, 0.5);
  const Response response = respond(*instances, {{stranger}, {1.0}});
  EXPECT_EQ(response.value, std::vector<double>(4, 0.0));
  EXPECT_EQ(response.argmax, std::vector<std::int64_t>(4, -1));
  Rng rng(1);
  EXPECT_EQ(median_distance(*instances, 100, rng), 1.0);
}

TEST(Windows, AreAsManyAsWindowsIn_WithoutGaps) {
  for (const std::int64_t steps : {1, 2, 5, 12, 31}) {
    Dataset data(DataKind::series);
    add(data, Matrix::Random(1, steps), "a", "");
    for (const std::int64_t length : {1, 2, 5}) {
      for (const std::int64_t dilation : {1, 2, 7}) {
        for (const Transform transform : {Transform::none, Transform::differences, Transform::spectrum}) {
          View view = examples::plain_view(data, length);
          view.dilation = dilation;
          view.transform = transform;
          view.period = transform == Transform::spectrum ? 12 : 0;
          EXPECT_EQ(windows_in(steps, view),
                    static_cast<std::int64_t>(naive::instances_of(data, view)[0].size()));
        }
      }
    }
  }
}

TEST(Windows, AreByHand_WhenDilatedWithAGap) {
  Dataset data(DataKind::series);
  add(data, Matrix{{0.0, 1.0, 2.0, NAN, 4.0, 5.0, 6.0, 7.0}}, "a", "");
  View view = examples::plain_view(data, 2);
  view.dilation = 2;
  const auto instances = make_instances(data, view);
  // Even time steps 0 2 4 6, then odd ones 1 | 5 7.
  const std::vector<std::vector<double>> expected{{0.0, 2.0}, {2.0, 4.0}, {4.0, 6.0}, {5.0, 7.0}};
  const std::vector<std::int64_t> positions{0, 2, 4, 5};
  ASSERT_EQ(instances->size(), 4);
  for (std::int64_t x = 0; x < 4; ++x) {
    EXPECT_EQ(instances->instance(x).values, expected[at(x)]);
    EXPECT_EQ(instances->instance(x).position, positions[at(x)]);
    EXPECT_EQ(instances->instance(x).place, (static_cast<double>(positions[at(x)]) + 1.5) / 8.0);
  }
  view.dilation = 1;
  view.transform = Transform::differences;
  const auto steps = make_instances(data, view);  // 1 1 . . 1 1 1
  ASSERT_EQ(steps->size(), 3);
  EXPECT_EQ(steps->instance(1).values, (std::vector<double>{1.0, 1.0}));
  EXPECT_EQ(steps->instance(1).position, 4);
  EXPECT_EQ(steps->instance(1).place, 5.5 / 8.0) << "steps 4, 5 and 6";
}

// ------------------------------------------------------------------------------------------------ gaps

/// Each missing value with a number before and after it is read off the line between the two.
Dataset filled(const Dataset& data) {
  Dataset result(DataKind::series);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    Matrix series = mapped(data.values(i));
    const Matrix given = series;
    for (Eigen::Index c = 0; c < series.rows(); ++c) {
      for (Eigen::Index t = 0; t < series.cols(); ++t) {
        if (!std::isnan(given(c, t))) continue;
        Eigen::Index before = t;
        Eigen::Index after = t;
        while (before >= 0 && std::isnan(given(c, before))) --before;
        while (after < given.cols() && std::isnan(given(c, after))) ++after;
        if (before < 0 || after == given.cols()) continue;
        const double share = static_cast<double>(t - before) / static_cast<double>(after - before);
        series(c, t) = (1.0 - share) * given(c, before) + share * given(c, after);
      }
    }
    add(result, series, data.classes()[at(data.label(i))], data.name(i));
  }
  return result;
}

TEST(Windows, AreThoseOfFilledSeries_WhereGapsAreFilled) {
  Rng rng(8);
  int views = 0;
  std::int64_t more = 0;
  each_view([&](const Dataset& data, View view) {
    if (++views % 7 != 0) return;
    SCOPED_TRACE(described(view));
    const Dataset whole = filled(data);
    const auto twin = make_instances(whole, view);
    more += twin->size() - make_instances(data, view)->size();
    view.missing = Missing::fill;
    const auto instances = make_instances(data, view);
    ASSERT_EQ(instances->size(), twin->size());
    for (std::int64_t x = 0; x < twin->size(); ++x) {
      EXPECT_EQ(instances->instance(x).values, twin->instance(x).values);
      EXPECT_EQ(instances->instance(x).position, twin->instance(x).position);
    }
  });
  EXPECT_GT(more, 1000) << "too few windows over gaps: the case is not tested";
}

TEST(Gaps, AreFilledBetweenNumbersOnly) {
  std::vector<double> x{NAN, NAN, 1.0, NAN, NAN, 4.0, 4.0, NAN};
  detail::fill_gaps(x);
  EXPECT_TRUE(std::isnan(x[0]) && std::isnan(x[1]) && std::isnan(x[7]));
  EXPECT_EQ(std::vector<double>(x.begin() + 2, x.begin() + 7),
            (std::vector<double>{1.0, 2.0, 3.0, 4.0, 4.0}));
  detail::fill_ends(x);
  EXPECT_EQ(x, (std::vector<double>{1.0, 1.0, 1.0, 2.0, 3.0, 4.0, 4.0, 4.0}));

  std::vector<double> none{NAN, NAN};
  detail::fill_gaps(none);
  detail::fill_ends(none);
  EXPECT_TRUE(std::isnan(none[0]) && std::isnan(none[1]));

  std::vector<double> large{-1.7e308, NAN, 1.7e308};
  detail::fill_gaps(large);
  EXPECT_EQ(large[1], 0.0) << "no overflow";
}

// --------------------------------------------------------------------------------------------- fitting

TEST(FitView, TakesCentreAndScaleFromWhatTheViewSees) {
  each_view([&](const Dataset& data, View view) {
    if (view.length == 1) return;
    SCOPED_TRACE(described(view));
    view.kernel.set_sigma(0.0);
    view.centre.clear();
    view.scale.clear();
    for (const bool standardise : {false, true}) {
      Rng rng(1);
      const View fitted = fit_view(view, data, standardise, 2.0, rng);
      const bool products =
          view.kernel.kind() == KernelKind::linear || view.kernel.kind() == KernelKind::polynomial;
      const bool raw_products = products && view.normalisation == Normalisation::raw;
      const bool scaled = view.rows() > 1 && standardise;
      double largest = 0.0;  // of all channels
      for (std::int64_t r = 0; r < view.rows(); ++r) {
        std::vector<double> numbers;  // of this channel, as windows of one time step
        View alone = view;
        alone.channels = {static_cast<int>(view.channel(r))};
        alone.length = 1;
        for (const auto& bag : naive::instances_of(data, alone)) {
          for (const Instance& x : bag) numbers.push_back(x.values[0]);
        }
        double mean = 0.0;
        for (const double x : numbers) mean += x / static_cast<double>(numbers.size());
        double variance = 0.0;
        for (const double x : numbers)
          variance += (x - mean) * (x - mean) / static_cast<double>(numbers.size());
        EXPECT_NEAR(fitted.centre[at(r)], raw_products && !scaled ? 0.0 : mean, kRounding);
        for (const double x : numbers) largest = std::max(largest, std::abs(x - fitted.centre[at(r)]));
        if (scaled) {
          EXPECT_NEAR(fitted.scale[at(r)], std::sqrt(variance), kRounding);
        }
      }
      const bool in_units = products && view.normalisation != Normalisation::z;
      const double unit = in_units ? std::exp2(std::floor(std::log2(largest))) : 1.0;
      for (const double scale : fitted.scale) {
        if (!scaled) {
          EXPECT_EQ(scale, unit);
        }
      }
      if (view.kernel.kind() != KernelKind::gaussian) continue;
      const double median = naive::median_squared_distance(naive::stacked(naive::bags_of(data, fitted)));
      EXPECT_NEAR(fitted.kernel.sigma() * median, 2.0, kCancellation);
    }
  });
}

// ------------------------------------------------------------------------------------- feature subsets

TEST(Vectors, AreTheirTwins_ForEverySubsetOfFeatures) {
  const Dataset data = examples::random_bags(6, 9, 5, 8);
  Rng rng(9);
  const std::vector<std::vector<int>> subsets{{}, {0}, {4}, {1, 3}, {0, 2, 4}, {0, 1, 2, 3, 4}};
  for (const std::vector<int>& features : subsets) {
    for (const KernelKind kernel : kProductKernels) {
      View view = examples::plain_view(data, 5, Normalisation::raw, kernel);
      view.features = features;
      view.length = view.rows();
      view.centre.assign(at(view.rows()), 0.0);
      view.scale.assign(at(view.rows()), 1.0);
      for (std::size_t f = 0; f < view.centre.size(); ++f) {
        view.centre[f] = 0.1 * static_cast<double>(f);
        view.scale[f] = 1.0 + 0.5 * static_cast<double>(f);
      }
      SCOPED_TRACE(std::string(to_string(kernel)) + ", " + std::to_string(features.size()) + " features");
      expect_twin(data, view, rng);
      view.kernel.set_sigma(0.0);
      const View fitted = fit_view(view, data, true, 1.0, rng);
      const Matrix all = naive::stacked(naive::bags_of(data, fitted));
      EXPECT_LE(all.colwise().mean().cwiseAbs().maxCoeff(), kRounding);
      EXPECT_NEAR(all.squaredNorm() / static_cast<double>(all.size()), 1.0, kRounding);
    }
  }
}

}  // namespace
}  // namespace shapeboost
