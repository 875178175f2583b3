// SPDX-License-Identifier: MIT
// Laplacian, dynamic time warping and global alignments against their naive twins.
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "ground/parallel.hpp"
#include "ground/rng.hpp"
#include "model/respond.hpp"
#include "oracle/local_oracle.hpp"
#include "oracle/table.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/view.hpp"
#include "support/matrices.hpp"
#include "support/naive_kernels.hpp"
#include "support/tolerances.hpp"
#include "support/walks.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

using examples::set_band;
using examples::walks;
using examples::window_view;
using tolerance::kCancellation;
using tolerance::kRounding;

const std::vector<KernelKind> kKinds{KernelKind::laplacian, KernelKind::dtw, KernelKind::gak};

struct Case {
  std::string name;
  Dataset data;
  View view;
};

/// Each kernel with each normalisation, one and two channels, gaps; and what a view can add to them.
std::vector<Case> cases() {
  std::vector<Case> result;
  for (const KernelKind kind : kKinds) {
    for (const Normalisation n : {Normalisation::raw, Normalisation::centred, Normalisation::z}) {
      for (const std::int64_t channels : {1, 2}) {
        const auto add = [&](const std::string& what, const auto& change) {
          Dataset data = walks(channels, 11);
          View view = window_view(data, kind, n);
          change(view);
          result.push_back({std::string(to_string(kind)) + ", " + std::string(to_string(n)) + ", " +
                                std::to_string(channels) + " channels, " + what,
                            std::move(data), view});
        };
        add("plain", [](View&) {});
        add("placed", [](View& view) { view.tau = 4.0; });
        add("dilated", [](View& view) { view.dilation = 2; });
        add("differences", [](View& view) { view.transform = Transform::differences; });
        add("no band", [](View& view) { set_band(view.kernel, 0.0); });
        add("whole band", [](View& view) { set_band(view.kernel, 1.0); });
        add("one time step", [](View& view) { view.length = 1; });
      }
    }
  }
  return result;
}

class Compared {
 public:
  explicit Compared(const Case& given)
      : view(given.view),
        instances(make_instances(given.data, given.view)),
        bags(naive::copied_bags(given.data, given.view)) {
    for (const auto& bag : bags) all.insert(all.end(), bag.begin(), bag.end());
  }
  [[nodiscard]] double affinity(std::int64_t z, std::int64_t x) const {
    return naive::affinity(view, all[static_cast<std::size_t>(x)], all[static_cast<std::size_t>(z)]);
  }

  View view;
  std::unique_ptr<Instances> instances;
  std::vector<std::vector<naive::Copied>> bags;
  std::vector<naive::Copied> all;
};

TEST(ElasticWindows, HaveTheirTwinsAffinities_ForEveryView) {
  for (const Case& given : cases()) {
    SCOPED_TRACE(given.name);
    const Compared compared(given);
    const Instances& instances = *compared.instances;
    ASSERT_EQ(instances.size(), static_cast<std::int64_t>(compared.all.size()));
    for (std::int64_t z = 0; z < instances.size(); z += 7) {
      const Probe probe = instances.probe(z);
      for (std::int64_t bag = 0; bag < instances.bags(); ++bag) {
        std::vector<double> row(static_cast<std::size_t>(instances.count(bag)));
        instances.affinities(probe, {bag, 0, instances.count(bag)}, row.data());
        for (std::int64_t j = 0; j < instances.count(bag); ++j) {
          const double expected = compared.affinity(z, instances.first(bag) + j);
          EXPECT_NEAR(row[static_cast<std::size_t>(j)], expected, kRounding * (1.0 + std::abs(expected)));
        }
        if (instances.count(bag) < 3) continue;
        double one = 0.0;  // a run of one, from within
        instances.affinities(probe, {bag, 2, 1}, &one);
        EXPECT_EQ(one, row[2]);
      }
    }
  }
}

TEST(ElasticWindows, AgreeOnSimilarityAndStoredInstances_ForEveryView) {
  for (const Case& given : cases()) {
    SCOPED_TRACE(given.name);
    const Compared compared(given);
    const Instances& instances = *compared.instances;
    for (std::int64_t z = 3; z < instances.size(); z += 17) {
      const Probe stored = instances.probe(instances.instance(z));
      const Probe probe = instances.probe(z);
      EXPECT_NEAR(instances.similarity(stored, probe), 1.0, kRounding);
      for (std::int64_t x = 0; x < instances.size(); x += 5) {
        const double expected = given.view.kernel.value(compared.affinity(z, x));
        EXPECT_NEAR(instances.similarity(stored, instances.probe(x)), expected, kRounding);
      }
    }
  }
}

TEST(ElasticWindows, MeasureSigmaAgainstTheirOwnDistance) {
  for (const Case& given : cases()) {
    SCOPED_TRACE(given.name);
    const Compared compared(given);
    for (std::int64_t x = 0; x < compared.instances->size(); x += 9) {
      const Matrix& a = compared.all[static_cast<std::size_t>(x)].values;
      const Matrix& b = compared.all[4].values;
      const Kernel& kernel = given.view.kernel;
      const double expected = kernel.kind() == KernelKind::laplacian ? naive::absolute_distance(a, b)
                              : kernel.kind() == KernelKind::dtw
                                  ? naive::warped_distance(a, b, kernel.reach(given.view.length))
                                  : (a - b).squaredNorm();
      EXPECT_NEAR(compared.instances->distance(x, 4), expected, kRounding * (1.0 + expected));
    }
  }
}

TEST(ElasticWindows, FindTheTwinsExtremes_ForEveryView) {
  for (const Case& given : cases()) {
    SCOPED_TRACE(given.name);
    const Compared compared(given);
    const Instances& instances = *compared.instances;
    for (std::int64_t of = 0; of < instances.bags(); ++of) {
      if (instances.count(of) < 3) continue;
      const shapeboost::Run run{of, 1, instances.count(of) - 2};
      std::vector<double> high(static_cast<std::size_t>(run.count));
      std::vector<double> low(high);
      for (const std::int64_t bag : {0, 1, 3}) {
        instances.extremes(run, bag, high.data(), low.data());
        for (std::int64_t r = 0; r < run.count; r += 3) {
          double largest = -std::numeric_limits<double>::infinity();
          double smallest = -largest;
          for (std::int64_t x = instances.first(bag); x < instances.first(bag + 1); ++x) {
            const double a = compared.affinity(instances.first(of) + 1 + r, x);
            largest = std::max(largest, a);
            smallest = std::min(smallest, a);
          }
          EXPECT_NEAR(high[static_cast<std::size_t>(r)], largest, kCancellation);
          EXPECT_NEAR(low[static_cast<std::size_t>(r)], smallest, kCancellation);
        }
      }
    }
  }
}

/// Random terms of both signs; every third shapelet has positive ones only.
struct Terms {
  std::vector<Probe> z;
  std::vector<double> alpha;
};
Terms random_terms(const Instances& instances, int number, Rng& rng) {
  Terms terms;
  for (int t = 0; t <= number % 5; ++t) {
    terms.z.push_back(instances.probe(rng.below(instances.size())));
    terms.alpha.push_back(number % 3 == 0 ? rng.uniform() : rng.normal());
  }
  return terms;
}

TEST(ElasticWindows, GiveTheSameBitsForTheBest_AsTheWholeField) {
  for (const Case& given : cases()) {
    SCOPED_TRACE(given.name);
    Rng rng(5);
    const auto instances = make_instances(given.data, given.view);
    for (int repeat = 0; repeat < 30; ++repeat) {
      const Terms terms = random_terms(*instances, repeat, rng);
      for (const std::int64_t bag : {0, 1, 3, 4}) {
        const Pooled found = instances->best(terms.z, terms.alpha, bag);
        const Pooled expected = instances->Instances::best(terms.z, terms.alpha, bag);
        EXPECT_EQ(found.value, expected.value);
        EXPECT_EQ(found.argmax, expected.argmax);
      }
    }
  }
}

TEST(ElasticWindows, TakeTheFirstOfEqualBests) {
  Dataset data(DataKind::series);
  Matrix series(1, 40);
  for (Eigen::Index t = 0; t < 40; ++t) series(0, t) = static_cast<double>(t % 10 == 3);
  add(data, series, "a", "periodic");
  for (const Normalisation n : {Normalisation::raw, Normalisation::z}) {
    for (const double sigma : {0.3, 1e-12, 1e6}) {  // as it is; all K nearly 1; most K 0
      View view = window_view(data, KernelKind::dtw, n);
      view.kernel.set_sigma(sigma);
      const auto instances = make_instances(data, view);
      for (std::int64_t z = 0; z < instances->size(); z += 3) {
        for (const double sign : {1.0, -1.0}) {
          const std::vector<Probe> probes{instances->probe(z)};
          const Pooled found = instances->best(probes, std::vector<double>{sign}, 0);
          const Pooled expected = instances->Instances::best(probes, std::vector<double>{sign}, 0);
          EXPECT_EQ(found.value, expected.value);
          EXPECT_EQ(found.argmax, expected.argmax);
        }
      }
    }
  }
}

TEST(DtwWindows, TakeTheFirstOfEqualBests_WhenTheSecondPromisesMore) {
  // DTW^2 to z is 1 for both windows. The bound of Keogh sees it for the first alone, so the second is
  // visited first.
  const double gap = std::numeric_limits<double>::quiet_NaN();
  Dataset data(DataKind::series);
  add(data, Matrix{{0, 0, 1, 0, 0, 0, -1, 0, gap, 0, 0, 0, 0, 0, 0, 0, 0}}, "a", "x");
  add(data, Matrix{{0, 0, 1, 0, 0, 0, 0, 0}}, "b", "z");
  View view = window_view(data, KernelKind::dtw, Normalisation::raw);
  view.centre = {0.0};
  view.scale = {1.0};
  const auto instances = make_instances(data, view);
  ASSERT_EQ(instances->size(), 3);
  ASSERT_EQ(instances->distance(0, 2), 1.0);
  ASSERT_EQ(instances->distance(1, 2), 1.0);
  const Pooled found = instances->best(std::vector<Probe>{instances->probe(2)}, std::vector<double>{0.7}, 0);
  EXPECT_NEAR(found.value, 0.7 * std::exp(-0.3), kRounding);
  EXPECT_EQ(found.argmax, 0);
}

/// Slow waves of several speeds: neighbouring windows are alike, far ones are not.
Dataset smooth_series() {
  Dataset data(DataKind::series);
  for (int i = 0; i < 4; ++i) {
    Matrix series(1, 300);
    for (Eigen::Index t = 0; t < series.cols(); ++t) {
      const double u = static_cast<double>(t) * (0.05 + 0.01 * i);
      series(0, t) = std::sin(u) + 0.7 * std::sin(0.37 * u + i) + 0.4 * std::sin(0.11 * u * u);
    }
    add(data, series, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  return data;
}

/// Of this thread, so that other work on the machine does not count.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The CPU time of `few` as a share of that of `all`, the least of three runs each.
double share_of_work(const std::function<void()>& few, const std::function<void()>& all) {
  const auto least = [](const std::function<void()>& work) {
    double seconds = kInfinity;
    for (int run = 0; run < 3; ++run) {
      const double begin = cpu_seconds();
      work();
      seconds = std::min(seconds, cpu_seconds() - begin);
    }
    return seconds;
  };
  return least(few) / least(all);
}

constexpr double kSpared = 0.5;  // measured: about a tenth

TEST(DtwWindows, AlignFewWindows_WhenOnlyExtremesAreAsked) {
  const Dataset data = smooth_series();
  for (const Normalisation n : {Normalisation::raw, Normalisation::z}) {
    View view = window_view(data, KernelKind::dtw, n);
    view.length = 40;
    set_band(view.kernel, 0.1);
    const auto instances = make_instances(data, view);
    std::vector<double> high(20);
    std::vector<double> low(20);
    const shapeboost::Run run{0, 50, 20};
    EXPECT_LT(share_of_work([&] { instances->extremes(run, 1, high.data(), low.data()); },
                            [&] { instances->Instances::extremes(run, 1, high.data(), low.data()); }),
              kSpared)
        << to_string(n);
  }
}

TEST(DtwWindows, AlignFewWindows_WhenOnlyTheBestIsAsked) {
  const Dataset data = smooth_series();
  View view = window_view(data, KernelKind::dtw, Normalisation::raw);
  view.length = 40;
  view.kernel.set_sigma(0.05);
  const auto instances = make_instances(data, view);
  std::vector<Probe> z;
  for (const std::int64_t x : {30, 90, 400}) z.push_back(instances->probe(x));
  const std::vector<double> alpha{0.5, 0.3, -0.2};
  EXPECT_LT(share_of_work([&] { (void)instances->best(z, alpha, 2); },
                          [&] { (void)instances->Instances::best(z, alpha, 2); }),
            kSpared);
}

TEST(DtwWindows, AreTheSameBitsInTheOracle_WhetherRowsAreCachedOrNot) {
  const Dataset data = walks(1, 21, false);
  ThreadPool threads(2);
  View view = window_view(data, KernelKind::dtw, Normalisation::raw);
  const std::vector<int> labels{0, 1, 0, 1, 0};
  const auto table = std::make_shared<const Table>(data, view, labels, TableSettings{}, threads);
  LocalOracle oracle(table, {}, std::int64_t{1} << 24, threads);
  const std::vector<Term> terms{{3, 0.4}, {20, -0.3}, {57, 0.2}};
  const std::vector<Handle> at{5, -1, 33, 70};
  const Response pruned = oracle.respond(terms);
  std::vector<double> few(at.size());
  oracle.similarities(20, at, few.data());
  (void)oracle.price_all(terms);  // its rows are now cached
  const Response whole = oracle.respond(terms);
  std::vector<double> from_row(at.size());
  oracle.similarities(20, at, from_row.data());
  EXPECT_EQ(pruned.value, whole.value);
  EXPECT_EQ(pruned.argmax, whole.argmax);
  EXPECT_EQ(few, from_row);
  EXPECT_EQ(few[1], 0.0);
}

TEST(DtwWindows, KnownAnswer_WhenOneStepIsRepeated) {
  // x = 0 0 1 2, z = 0 1 2 2 align without cost inside a band of one; without warping they cost 2.
  Dataset data(DataKind::series);
  const Matrix x{{0.0, 0.0, 1.0, 2.0}};
  const Matrix z{{0.0, 1.0, 2.0, 2.0}};
  add(data, x, "a", "x");
  add(data, z, "b", "z");
  View view = window_view(data, KernelKind::dtw, Normalisation::raw);
  view.length = 4;
  view.centre = {0.0};
  view.scale = {1.0};
  set_band(view.kernel, 0.25);
  EXPECT_EQ(make_instances(data, view)->distance(0, 1), 0.0);
  set_band(view.kernel, 0.0);
  EXPECT_EQ(make_instances(data, view)->distance(0, 1), 2.0);
}

TEST(GakWindows, AreRightWhereTheSumIsTooSmallForANumber) {
  Case given{"steep", walks(1, 31), {}};
  given.view = window_view(given.data, KernelKind::gak, Normalisation::raw);
  given.view.kernel.set_sigma(2000.0);
  const Compared compared(given);
  double least = 0.0;
  for (std::int64_t x = 0; x < compared.instances->size(); ++x) {
    const std::int64_t bag = compared.instances->bag_of(x);
    double found = 0.0;
    compared.instances->affinities(compared.instances->probe(2), {bag, x - compared.instances->first(bag), 1},
                                   &found);
    const double expected = compared.affinity(2, x);
    EXPECT_NEAR(found, expected, kRounding * (1.0 + std::abs(expected)));
    least = std::min(least, expected);
  }
  EXPECT_LT(least, -1000.0) << "exp of it is 0: the case is the one meant";
}

TEST(GakWindows, CountAlignments_WhenEverythingIsEqual) {
  // Constant windows: every kappa is 1 without a band, so G is the number of paths, a Delannoy number: D(2)
  // = 13.
  Matrix x = Matrix::Zero(1, 3);
  EXPECT_NEAR(naive::log_alignments(x, x, 1.0, 1.0), std::log(13.0), kRounding);
  Dataset data(DataKind::series);
  add(data, x, "a", "flat");
  Matrix y = Matrix::Constant(1, 3, 1e3);
  add(data, y, "b", "far");
  View view = window_view(data, KernelKind::gak, Normalisation::raw);
  view.length = 3;
  view.centre = {0.0};
  view.scale = {1.0};
  set_band(view.kernel, 1.0);
  view.kernel.set_sigma(1e-3);
  // Each path of n cells weighs (e / (2 - e))^n, e = exp(-1000) = 0 next to 2: three cells dominate.
  const auto instances = make_instances(data, view);
  double found = 0.0;
  instances->affinities(instances->probe(0), {1, 0, 1}, &found);
  EXPECT_NEAR(found, 3.0 * (-1000.0 - std::log(2.0)) - std::log(13.0), 1e-9);
}

TEST(Kernels, LaplacianIsItsFormula_OnBags) {
  Rng rng(3);
  Case given{"bags", Dataset(DataKind::bags), {}};
  for (int i = 0; i < 4; ++i) {
    Matrix bag(1 + rng.below(6), 3);
    for (double& value : bag.reshaped()) value = rng.normal();
    add(given.data, bag, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  given.view.kind = DataKind::bags;
  given.view.width = 3;
  given.view.length = 3;
  given.view.kernel = kernels::Laplacian{0.4};
  given.view.centre = {0.1, 0.2, 0.3};
  given.view.scale = {1.0, 2.0, 0.5};
  const Compared compared(given);
  const Instances& instances = *compared.instances;
  for (std::int64_t z = 0; z < instances.size(); ++z) {
    for (std::int64_t bag = 0; bag < instances.bags(); ++bag) {
      double high = 0.0;
      double low = 0.0;
      instances.extremes({instances.bag_of(z), z - instances.first(instances.bag_of(z)), 1}, bag, &high,
                         &low);
      double largest = -1e300;
      double smallest = 1e300;
      for (std::int64_t x = instances.first(bag); x < instances.first(bag + 1); ++x) {
        const double expected = compared.affinity(z, x);
        EXPECT_NEAR(instances.similarity(instances.probe(z), instances.probe(x)), std::exp(0.4 * expected),
                    kRounding);
        EXPECT_NEAR(instances.distance(z, x), -expected, kRounding);
        largest = std::max(largest, expected);
        smallest = std::min(smallest, expected);
      }
      EXPECT_NEAR(high, largest, kRounding);
      EXPECT_NEAR(low, smallest, kRounding);
    }
  }
}

TEST(Kernels, RefuseBags_WhenTheyAlignMoments) {
  Dataset data(DataKind::bags);
  add(data, Matrix::Zero(2, 3), "a", "x");
  View view;
  view.kind = DataKind::bags;
  view.width = 3;
  view.length = 3;
  view.centre.assign(3, 0.0);
  view.scale.assign(3, 1.0);
  for (const KernelKind kind : {KernelKind::dtw, KernelKind::gak}) {
    view.kernel = KernelSettings{.kind = kind}.kernel();
    try {
      (void)make_instances(data, view);
      FAIL() << "nothing was thrown";
    } catch (const InvalidInput& fault) {
      EXPECT_EQ(std::string(fault.what()),
                "kernel: " + std::string(to_string(kind)) +
                    " aligns the time steps of series; expected series, found bags");
    }
  }
}

}  // namespace
}  // namespace shapeboost
