// SPDX-License-Identifier: MIT
#include "shapeboost/view.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ground/rng.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "support/naive.hpp"
#include "support/tolerances.hpp"
#include "view/fit_view.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

using examples::plain_view;
using examples::random_bags;
using examples::random_series;
using examples::sentence;
using tolerance::kCancellation;
using tolerance::kRounding;

const std::vector<Normalisation> kNormalisations{Normalisation::raw, Normalisation::centred,
                                                 Normalisation::z};

Dataset one_series(const std::vector<double>& values) {
  Dataset data(DataKind::series);
  add(data, Eigen::Map<const Matrix>(values.data(), 1, static_cast<Eigen::Index>(values.size())), "a",
      "first");
  return data;
}

/// Every probe against its copied-out twin.
void expect_probes(const Dataset& data, const View& view, double near) {
  const auto instances = make_instances(data, view);
  const Matrix expected = naive::stacked(naive::bags_of(data, view));
  ASSERT_EQ(instances->size(), expected.rows());
  for (std::int64_t x = 0; x < instances->size(); ++x) {
    const Probe probe = instances->probe(x);
    EXPECT_LE((probe.values - expected.row(x).transpose()).cwiseAbs().maxCoeff(), near) << x;
    EXPECT_NEAR(probe.norm2, expected.row(x).squaredNorm(),
                near * std::max(1.0, expected.row(x).squaredNorm()));
  }
}

TEST(Instances, AreTheWindowsAndGivenVectors_ForEveryView) {
  for (const auto& [name, data, view] : examples::cases(3)) {
    SCOPED_TRACE(name);
    expect_probes(data, view, kRounding);
  }
}

TEST(Instances, AreNumberedBagAfterBag_WhenSizesDiffer) {
  const Dataset data = random_series(5, 11, 4);
  const auto instances = make_instances(data, plain_view(data, 6));
  EXPECT_EQ(instances->bags(), 5);
  std::int64_t number = 0;
  for (std::int64_t bag = 0; bag < 5; ++bag) {
    EXPECT_EQ(instances->first(bag), number);
    EXPECT_EQ(instances->count(bag), data.values(bag).cols() - 5);
    for (std::int64_t j = 0; j < instances->count(bag); ++j) EXPECT_EQ(instances->bag_of(number++), bag);
  }
  EXPECT_EQ(instances->size(), number);
}

TEST(Instances, AreByHand_WhenSmall) {
  const Dataset data = one_series({1.0, 3.0, 3.0, 3.0, 7.0});
  const auto raw = make_instances(data, plain_view(data, 2));
  EXPECT_EQ(raw->probe(0).values, Vector({{1.0, 3.0}}));
  EXPECT_EQ(raw->probe(0).norm2, 10.0);
  const auto centred = make_instances(data, plain_view(data, 2, Normalisation::centred));
  EXPECT_EQ(centred->probe(3).values, Vector({{-2.0, 2.0}}));
  EXPECT_EQ(centred->probe(3).norm2, 8.0);
  const auto z = make_instances(data, plain_view(data, 2, Normalisation::z));
  EXPECT_EQ(z->probe(0).values, Vector({{-1.0, 1.0}}));
  EXPECT_EQ(z->probe(0).norm2, 2.0);
  EXPECT_EQ(z->probe(1).values, Vector({{0.0, 0.0}})) << "a constant window is the zero vector";
  EXPECT_EQ(z->probe(1).norm2, 0.0);
}

TEST(Instances, ConstantWindowsAreZero_WhenTheirLevelIsNotExact) {
  // Ten times 0.1 does not add up to 1: mean and deviation of a constant window carry rounding.
  std::vector<double> values(30, 0.1);
  for (int i = 20; i < 30; ++i) values[static_cast<std::size_t>(i)] = 1e6 + 0.1;
  const Dataset data = one_series(values);
  const auto instances = make_instances(data, plain_view(data, 10, Normalisation::z));
  for (const std::int64_t x : {0, 5, 10, 20}) {
    EXPECT_EQ(instances->probe(x).values, Vector::Zero(10)) << x;
    EXPECT_EQ(instances->probe(x).norm2, 0.0) << x;
  }
  EXPECT_NEAR(instances->probe(15).norm2, 10.0, kRounding) << "half and half is not constant";
}

TEST(Instances, ProbeOfValuesIsProbeOfTheWindow_WhenTheyAreTheSame) {
  for (const auto& [name, data, view] : examples::cases(5)) {
    SCOPED_TRACE(name);
    const auto instances = make_instances(data, view);
    const bool series = view.kind == DataKind::series;
    for (const std::int64_t bag : {0, 3}) {
      const std::int64_t j = instances->count(bag) - 1;
      const double* x = data.values(bag).data() + (series ? j : j * view.length);
      const Probe expected = instances->probe(instances->first(bag) + j);
      const Probe probe = instances->probe({std::vector<double>(x, x + view.length)});
      EXPECT_LE((probe.values - expected.values).cwiseAbs().maxCoeff(), kRounding);
      EXPECT_NEAR(probe.norm2, expected.norm2, kRounding);
    }
  }
}

TEST(Instances, UnmappedUndoesTheMapping_WhenRaw) {
  const Dataset data = random_bags(2, 3, 2, 6);
  View view = plain_view(data, 2);
  view.centre = {1.0, -2.0};
  view.scale = {0.5, 4.0};
  const auto instances = make_instances(data, view);
  const std::vector<double> values{3.0, 5.0};
  const std::vector<double> back = instances->unmapped(instances->probe({values}).values);
  EXPECT_NEAR(back[0], 3.0, kRounding);
  EXPECT_NEAR(back[1], 5.0, kRounding);
}

TEST(Instances, AffinitiesAndSimilaritiesAreTheKernels_ForEveryView) {
  for (const auto& [name, data, view] : examples::cases(7)) {
    SCOPED_TRACE(name);
    const auto instances = make_instances(data, view);
    const Matrix all = naive::stacked(naive::bags_of(data, view));
    const Matrix G = naive::gram(view.kernel, all, all);
    for (const std::int64_t z : {std::int64_t{0}, instances->size() / 2, instances->size() - 1}) {
      for (std::int64_t bag = 0; bag < instances->bags(); ++bag) {
        const std::int64_t skipped = std::min<std::int64_t>(2, instances->count(bag) - 1);
        const shapeboost::Run run{bag, skipped, instances->count(bag) - skipped};
        std::vector<double> affinity(static_cast<std::size_t>(run.count));
        instances->affinities(instances->probe(z), run, affinity.data());
        for (std::int64_t j = 0; j < run.count; ++j) {
          const std::int64_t x = instances->first(bag) + skipped + j;
          const double near = kCancellation * std::max(1.0, std::abs(G(z, x)));
          EXPECT_NEAR(view.kernel.value(affinity[static_cast<std::size_t>(j)]), G(z, x), near);
          EXPECT_NEAR(instances->similarity(instances->probe(z), instances->probe(x)), G(z, x), near);
        }
      }
    }
  }
}

TEST(Instances, ExtremesAreTheLargestAndSmallest_ForEveryView) {
  for (const auto& [name, data, view] : examples::cases(8)) {
    SCOPED_TRACE(name);
    const auto instances = make_instances(data, view);
    const Matrix all = naive::stacked(naive::bags_of(data, view));
    const Matrix G = naive::gram(view.kernel, all, all);
    for (std::int64_t own = 0; own < instances->bags(); ++own) {
      const std::int64_t skipped = std::min<std::int64_t>(1, instances->count(own) - 1);
      const shapeboost::Run run{own, skipped, instances->count(own) - skipped};
      std::vector<double> largest(static_cast<std::size_t>(run.count));
      std::vector<double> smallest(static_cast<std::size_t>(run.count));
      for (std::int64_t bag = 0; bag < instances->bags(); ++bag) {
        instances->extremes(run, bag, largest.data(), smallest.data());
        for (std::int64_t j = 0; j < run.count; ++j) {
          const auto row = G.row(instances->first(own) + skipped + j)
                               .segment(instances->first(bag), instances->count(bag));
          const double near = kCancellation * std::max(1.0, row.cwiseAbs().maxCoeff());
          EXPECT_NEAR(view.kernel.value(largest[static_cast<std::size_t>(j)]), row.maxCoeff(), near);
          EXPECT_NEAR(view.kernel.value(smallest[static_cast<std::size_t>(j)]), row.minCoeff(), near);
        }
      }
    }
  }
}

TEST(Instances, ExtremesKeepTheirDigits_WhenTheSeriesIsLong) {
  // Two thousand steps of the recurrence along a diagonal.
  Rng rng(9);
  std::vector<double> values(2064);
  for (double& v : values) v = 100.0 * rng.normal();
  const Dataset data = one_series(values);
  for (const Normalisation n : kNormalisations) {
    View view = plain_view(data, 64, n);
    const auto instances = make_instances(data, view);
    std::vector<double> largest(static_cast<std::size_t>(instances->size()));
    std::vector<double> smallest(largest.size());
    instances->extremes({0, 0, instances->size()}, 0, largest.data(), smallest.data());
    const Matrix all = naive::stacked(naive::bags_of(data, view));
    for (const std::int64_t z : {std::int64_t{0}, std::int64_t{1000}, instances->size() - 1}) {
      const auto distance = (all.rowwise() - all.row(z)).rowwise().squaredNorm().eval();
      EXPECT_NEAR(smallest[static_cast<std::size_t>(z)], -distance.maxCoeff(), 1e-10 * distance.maxCoeff());
      EXPECT_NEAR(largest[static_cast<std::size_t>(z)], 0.0, 1e-10 * distance.maxCoeff()) << "its own window";
    }
  }
}

TEST(Instances, SimilaritiesKeepTheirDigits_WhenTheOffsetIsLarge) {
  // The same series about 0 and about a million. After fit_view nothing of the offset may be left.
  const Dataset low = random_series(6, 30, 10, 0.0, 1e-3);
  const Dataset high = random_series(6, 30, 10, 1e6, 1e-3);
  for (const Normalisation n : kNormalisations) {
    SCOPED_TRACE(to_string(n));
    View view = plain_view(low, 8, n);
    view.kernel.set_sigma(0.0);
    Rng rng(1);
    const View low_view = fit_view(view, low, true, 2.0, rng);
    rng = Rng(1);
    const View high_view = fit_view(view, high, true, 2.0, rng);
    // A number near 1e6 is stored to 1e-10, that is to 1e-7 of a step: all that can be asked for.
    EXPECT_NEAR(high_view.kernel.sigma() / low_view.kernel.sigma(), 1.0, 1e-5);
    const auto a = make_instances(low, low_view);
    const auto b = make_instances(high, high_view);
    std::vector<double> ka(static_cast<std::size_t>(a->size()));
    std::vector<double> kb(ka.size());
    std::vector<double> unused(ka.size());
    for (std::int64_t z = 0; z < a->size(); z += 17) {
      for (std::int64_t x = 0; x < a->size(); x += 5) {
        EXPECT_NEAR(a->similarity(a->probe(z), a->probe(x)), b->similarity(b->probe(z), b->probe(x)), 1e-5);
      }
    }
    for (std::int64_t bag = 0; bag < a->bags(); ++bag) {
      a->extremes({0, 0, a->count(0)}, bag, ka.data(), unused.data());
      b->extremes({0, 0, b->count(0)}, bag, kb.data(), unused.data());
      for (std::size_t j = 0; j < static_cast<std::size_t>(a->count(0)); ++j) {
        EXPECT_NEAR(low_view.kernel.value(ka[j]), high_view.kernel.value(kb[j]), 1e-5);
      }
    }
  }
}

TEST(Instances, SimilaritiesKeepTheirDigits_WhenSeriesSitAtDifferentLevels) {
  // One mean for all cannot help here: each window must lose its own.
  Rng rng(11);
  Dataset data(DataKind::series);
  for (int i = 0; i < 4; ++i) {
    Matrix series(1, 25);
    for (double& v : series.reshaped()) v = 1e5 * i + rng.normal();
    add(data, series, "a", std::to_string(i));
  }
  for (const Normalisation n : {Normalisation::centred, Normalisation::z}) {
    SCOPED_TRACE(to_string(n));
    View view = plain_view(data, 8, n);
    Rng fit_rng(1);
    view = fit_view(view, data, true, 2.0, fit_rng);
    const auto instances = make_instances(data, view);
    const Matrix all = naive::stacked(naive::bags_of(data, view));
    const Matrix G = naive::gram(view.kernel, all, all);
    std::vector<double> largest(static_cast<std::size_t>(instances->count(3)));
    std::vector<double> smallest(largest.size());
    std::vector<double> affinity(static_cast<std::size_t>(instances->count(3)));
    for (std::int64_t bag = 0; bag < 4; ++bag) {
      // Products of numbers near 1e5 are stored to 1e-6 or so: |x - z|^2 is not worth more than that.
      constexpr double kNear = 1e-4;
      instances->extremes({3, 0, instances->count(3)}, bag, largest.data(), smallest.data());
      for (std::int64_t j = 0; j < instances->count(3); ++j) {
        const auto row = G.row(instances->first(3) + j).segment(instances->first(bag), instances->count(bag));
        EXPECT_NEAR(view.kernel.value(largest[static_cast<std::size_t>(j)]), row.maxCoeff(), kNear);
        EXPECT_NEAR(view.kernel.value(smallest[static_cast<std::size_t>(j)]), row.minCoeff(), kNear);
      }
      instances->affinities(instances->probe(instances->first(bag)), {3, 0, instances->count(3)},
                            affinity.data());
      for (std::int64_t j = 0; j < instances->count(3); ++j) {
        EXPECT_NEAR(view.kernel.value(affinity[static_cast<std::size_t>(j)]),
                    G(instances->first(bag), instances->first(3) + j), kNear);
      }
    }
  }
}

TEST(Instances, Throw_WhenTheDataDoesNotFitTheView) {
  const Dataset series = random_series(2, 10, 12);
  const Dataset bags = random_bags(2, 3, 4, 12);
  const auto fault = [](const Dataset& data, const View& view) {
    return sentence([&] { (void)make_instances(data, view); });
  };
  EXPECT_EQ(fault(bags, plain_view(series, 4)), "expected series, found bags");
  EXPECT_EQ(fault(series, plain_view(bags, 4)), "expected bags, found series");
  View three = plain_view(bags, 3);
  three.width = 3;
  EXPECT_EQ(fault(bags, three), "expected 3 features, found 4");
  View two = plain_view(series, 4);
  two.width = 2;
  EXPECT_EQ(fault(series, two), "expected 2 channels, found 1");
  EXPECT_EQ(sentence([&] {
              (void)make_instances(series, plain_view(series, 4))->probe({{1.0, 2.0, 3.0}});
            }),
            "instance: expected 4 values, found 3");
  EXPECT_EQ(sentence([&] {
              (void)make_instances(bags, plain_view(bags, 4))->probe({{1.0, 2.0}});
            }),
            "instance: expected 4 values, found 2");
}

TEST(Instances, Throw_WhenANumberIsNotFinite) {
  Dataset series(DataKind::series);
  add(series, Matrix{{1.0, INFINITY, 2.0}}, "a", "first");
  EXPECT_EQ(sentence([&] { (void)make_instances(series, plain_view(series, 2)); }),
            "example first: expected finite or missing values, found an infinite one");
  Dataset bags(DataKind::bags);
  add(bags, Matrix{{1.0, NAN}}, "a", "second");
  EXPECT_EQ(sentence([&] { (void)make_instances(bags, plain_view(bags, 2)); }),
            "example second: expected finite numbers, found nan");
}

TEST(Normalisation, ParseIsTheInverseOfToString_ForEachOfThem) {
  for (const Normalisation n : kNormalisations) EXPECT_EQ(parse<Normalisation>(to_string(n)), n);
  EXPECT_EQ(sentence([] { (void)parse<Normalisation>("minmax"); }),
            "normalisation: expected raw, centred or z, found 'minmax'");
}

// ---------------------------------------------------------------------------------------------- medians

TEST(MedianDistance, IsTheMedianOfAllPairs_WhenTheyAreFew) {
  for (const auto& [name, data, view] : examples::cases(13)) {
    SCOPED_TRACE(name);
    const auto instances = make_instances(data, view);
    Rng rng(1);
    const double expected = naive::median_squared_distance(naive::stacked(naive::bags_of(data, view)));
    EXPECT_NEAR(median_distance(*instances, 1'000'000, rng), expected, kRounding * expected);
  }
}

TEST(MedianDistance, IsNearTheMedian_WhenPairsAreDrawn) {
  const Dataset data = random_bags(40, 20, 3, 14);
  const View view = plain_view(data, 3);
  const double expected = naive::median_squared_distance(naive::stacked(naive::bags_of(data, view)));
  Rng rng(2);
  // 4096 draws: the median's standard error is below 2% of it.
  EXPECT_NEAR(median_distance(*make_instances(data, view), 4096, rng), expected, 0.08 * expected);
}

TEST(MedianDistance, FallsBackToMeanThenOne_WhenInstancesCoincide) {
  Dataset mostly(DataKind::bags);
  Matrix bag = Matrix::Zero(10, 1);
  bag(9, 0) = 3.0;
  add(mostly, bag, "a", "0");
  Rng rng(1);
  // 9 of the 45 pairs are 9 apart.
  EXPECT_NEAR(median_distance(*make_instances(mostly, plain_view(mostly, 1)), 1000, rng), 9.0 * 9.0 / 45.0,
              kRounding);
  Dataset same(DataKind::bags);
  add(same, Matrix::Constant(4, 1, 2.0), "a", "0");
  EXPECT_EQ(median_distance(*make_instances(same, plain_view(same, 1)), 1000, rng), 1.0);
  Dataset alone(DataKind::bags);
  add(alone, Matrix::Constant(1, 1, 2.0), "a", "0");
  EXPECT_EQ(median_distance(*make_instances(alone, plain_view(alone, 1)), 1000, rng), 1.0);
}

// ---------------------------------------------------------------------------------------------- fitting

TEST(FitView, StandardisesEachFeature_WhenAsked) {
  Rng rng(15);
  Dataset data(DataKind::bags);
  for (int i = 0; i < 6; ++i) {
    Matrix bag(3 + i, 3);
    for (Eigen::Index r = 0; r < bag.rows(); ++r) {
      bag.row(r) << 5.0 + 2.0 * rng.normal(), 1e7 + 1e-2 * rng.normal(), 4.0;
    }
    add(data, bag, "a", std::to_string(i));
  }
  View view = plain_view(data, 3);
  view.kernel.set_sigma(0.0);
  const View fitted = fit_view(view, data, true, 1.0, rng);
  const Matrix all = naive::stacked(naive::bags_of(data, fitted));
  for (const Eigen::Index f : {0, 1}) {
    EXPECT_NEAR(all.col(f).mean(), 0.0, 1e-6) << f;  // 1e7 is stored to 1e-9, a tenth of a millionth of 1e-2
    EXPECT_NEAR(all.col(f).squaredNorm() / static_cast<double>(all.rows()), 1.0, 1e-6) << f;
  }
  EXPECT_EQ(fitted.scale[2], 1.0) << "a constant feature";
  EXPECT_EQ(all.col(2).cwiseAbs().maxCoeff(), 0.0);
  EXPECT_NEAR(fitted.kernel.sigma(), 1.0 / naive::median_squared_distance(all), 1e-6 * fitted.kernel.sigma());
}

TEST(FitView, StandardisesEachChannel_WhateverItsLevelAndLengths) {
  Rng rng(21);
  Dataset data(DataKind::series);
  std::vector<std::vector<double>> known(3);
  for (int i = 0; i < 7; ++i) {
    Matrix values(3, 9 + 4 * i);
    for (Eigen::Index t = 0; t < values.cols(); ++t) {
      values.col(t) << 3.0 * rng.normal() + i, 1e7 + 1e-2 * rng.normal(), -2.0;
      if (rng.below(5) == 0) values(rng.below(3), t) = std::nan("");
    }
    if (i == 4) values.row(0).setConstant(std::nan(""));
    for (Eigen::Index c = 0; c < 3; ++c) {
      for (const double x : values.row(c)) {
        if (!std::isnan(x)) known[static_cast<std::size_t>(c)].push_back(x);
      }
    }
    add(data, values, "a", std::to_string(i));
  }
  const View fitted = fit_view(plain_view(data, 4), data, true, 1.0, rng);
  for (const std::size_t c : {0U, 1U}) {
    const Eigen::Map<const Vector> all(known[c].data(), std::ssize(known[c]));
    const double deviation = std::sqrt((all.array() - all.mean()).square().mean());
    EXPECT_NEAR(fitted.centre[c], all.mean(), 1e-9 * std::abs(all.mean())) << c;
    EXPECT_NEAR(fitted.scale[c], deviation, 1e-6 * deviation) << c;
  }
  EXPECT_EQ(fitted.scale[2], 1.0) << "a constant channel";
}

TEST(FitInstances, AreThoseOfTheFittedView_ForEveryKernel) {
  const Dataset data = random_series(5, 24, 22, 3.0);
  for (const KernelKind kind : {KernelKind::gaussian, KernelKind::laplacian, KernelKind::gak, KernelKind::dtw,
                                KernelKind::linear, KernelKind::polynomial}) {
    View view = plain_view(data, 6, Normalisation::centred, kind);
    if (view.kernel.has_sigma()) view.kernel.set_sigma(0.0);
    view.tau = 2.0;
    Rng one(3);
    Rng other(3);
    const View fitted = fit_view(view, data, true, 1.5, one, 50);
    const auto expected = make_instances(data, fitted);
    const auto found = fit_instances(view, data, true, 1.5, other, 50);
    EXPECT_EQ(one.below(1000000), other.below(1000000)) << "rng";
    ASSERT_EQ(found->size(), expected->size());
    EXPECT_EQ(found->view().kernel.rate(), fitted.kernel.rate());
    const Probe z = expected->probe(7);
    std::vector<double> a(24);
    std::vector<double> b(24);
    for (std::int64_t bag = 0; bag < expected->bags(); ++bag) {
      expected->affinities(z, {bag, 0, expected->count(bag)}, a.data());
      found->affinities(found->probe(7), {bag, 0, found->count(bag)}, b.data());
      EXPECT_EQ(a, b) << to_string(kind);
    }
    EXPECT_EQ(found->similarity(found->probe(1), found->probe(30)),
              expected->similarity(expected->probe(1), expected->probe(30)));
  }
}

TEST(FitView, LeavesFeaturesAlone_WhenNotAsked) {
  const Dataset data = random_bags(4, 5, 2, 16);
  Rng rng(1);
  const View fitted = fit_view(plain_view(data, 2), data, false, 1.0, rng);
  EXPECT_EQ(fitted.centre, std::vector<double>({0.0, 0.0}));
  EXPECT_EQ(fitted.scale, std::vector<double>({1.0, 1.0}));
}

TEST(FitView, KeepsSigma_WhenItIsGiven) {
  const Dataset data = random_series(2, 20, 17);
  View view = plain_view(data, 5);
  view.kernel.set_sigma(0.7);
  Rng rng(1);
  EXPECT_EQ(fit_view(view, data, true, 2.0, rng).kernel.sigma(), 0.7);
  view.kernel.set_sigma(0.0);
  const View fitted = fit_view(view, data, true, 2.0, rng);
  const double median = naive::median_squared_distance(naive::stacked(naive::bags_of(data, fitted)));
  EXPECT_NEAR(fitted.kernel.sigma(), 2.0 / median, kRounding / median);
}

TEST(FitView, CentresSeriesOnlyWhereItDoesNotMatter) {
  const Dataset data = random_series(4, 20, 18, 5.0);
  Rng rng(1);
  const auto centre = [&](Normalisation n, KernelKind kernel) {
    return fit_view(plain_view(data, 5, n, kernel), data, true, 1.0, rng).centre[0];
  };
  EXPECT_NE(centre(Normalisation::raw, KernelKind::gaussian), 0.0);
  EXPECT_NE(centre(Normalisation::z, KernelKind::linear), 0.0);
  EXPECT_EQ(centre(Normalisation::raw, KernelKind::linear), 0.0) << "x.z would change";
  EXPECT_EQ(centre(Normalisation::raw, KernelKind::polynomial), 0.0) << "x.z would change";
}

}  // namespace
}  // namespace shapeboost
