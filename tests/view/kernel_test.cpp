// SPDX-License-Identifier: MIT
#include "shapeboost/kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ground/rng.hpp"
#include "shapeboost/base.hpp"
#include "support/naive.hpp"
#include "support/tolerances.hpp"
#include "view/product_affinity.hpp"

namespace shapeboost {
namespace {

using tolerance::kRounding;

const std::vector<Kernel> kKernels{kernels::Gaussian{0.3}, kernels::Linear{}, kernels::Polynomial{0.5, 3}};

double similarity(const Kernel& kernel, double xx, double zz, double xz) {
  return kernel.value(detail::ProductAffinity(kernel)(xx, zz, xz));
}

TEST(Kernel, IsItsFormula_WhenGivenThreeInnerProducts) {
  Rng rng(1);
  for (const Kernel& kernel : kKernels) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      Vector x(5), z(5);
      for (double& v : x) v = rng.normal();
      for (double& v : z) v = rng.normal();
      const double expected = naive::kernel_value(kernel, x, z);
      EXPECT_NEAR(similarity(kernel, x.dot(x), z.dot(z), x.dot(z)), expected,
                  kRounding * std::max(1.0, std::abs(expected)))
          << to_string(kernel.kind());
    }
  }
}

TEST(Kernel, KnownAnswers_WhenByHand) {
  // x = (1, 2), z = (3, 1): |x - z|^2 = 5, x.z = 5.
  EXPECT_DOUBLE_EQ(similarity(kernels::Gaussian{0.2}, 5.0, 10.0, 5.0), std::exp(-1.0));
  EXPECT_DOUBLE_EQ(similarity(kernels::Linear{}, 5.0, 10.0, 5.0), 5.0);
  EXPECT_DOUBLE_EQ(similarity(kernels::Polynomial{1.0, 2}, 5.0, 10.0, 5.0), 36.0);
}

TEST(Kernel, GaussianStaysAtMostOne_WhenRoundingTurnsADistanceNegative) {
  EXPECT_EQ(similarity(kernels::Gaussian{1e6}, 1.0, 1.0, 1.0 + 1e-15), 1.0);
}

TEST(Kernel, ValueNeverDecreases_WhenAffinityGrows) {
  for (const Kernel& kernel : kKernels) {
    double last = kernel.value(-20.0);
    for (double a = -19.5; a <= 0.0; a += 0.5) {
      EXPECT_GT(kernel.value(a), last) << to_string(kernel.kind());
      last = kernel.value(a);
    }
  }
}

TEST(Kernel, ValuesAreTheSameBits_WhereverTheirArrayLies) {
  Rng rng(2);
  std::vector<double> affinity(64);
  for (double& a : affinity) a = -5.0 * rng.uniform();
  for (const Kernel& kernel : kKernels) {
    std::vector<double> expected = affinity;
    kernel.values(expected.data(), 64);
    for (std::size_t i = 0; i < affinity.size(); ++i) {
      EXPECT_NEAR(expected[i], kernel.value(affinity[i]), 1e-15 * std::max(1.0, std::abs(expected[i])));
    }
    for (std::size_t begin = 0; begin < 9; ++begin) {
      for (const std::size_t n : {0U, 1U, 7U, 8U, 9U, 31U}) {
        std::vector<double> moved(64, -1.0);
        std::copy_n(affinity.begin(), n, moved.begin() + static_cast<std::ptrdiff_t>(begin));
        kernel.values(moved.data() + begin, static_cast<long>(n));
        for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(moved[begin + i], expected[i]);
        EXPECT_EQ(moved[begin + n], -1.0) << "wrote beyond the end";
      }
    }
  }
}

TEST(Kernel, IntegerPowerIsPow_ForEveryDegree) {
  for (int p = 0; p <= 10; ++p) {
    for (const double x : {-1.7, -1.0, 0.0, 0.3, 2.5}) {
      EXPECT_NEAR(detail::integer_power(x, p), std::pow(x, p),
                  kRounding * std::max(1.0, std::abs(std::pow(x, p))));
    }
  }
}

TEST(KernelKind, ParseIsTheInverseOfToString_ForEveryKind) {
  for (const KernelKind kind : {KernelKind::gaussian, KernelKind::linear, KernelKind::polynomial}) {
    EXPECT_EQ(parse<KernelKind>(to_string(kind)), kind);
  }
}

TEST(KernelKind, IsTheKindOfItsStruct) {
  EXPECT_EQ(Kernel(kernels::Gaussian{}).kind(), KernelKind::gaussian);
  EXPECT_EQ(Kernel(kernels::Linear{}).kind(), KernelKind::linear);
  EXPECT_EQ(Kernel(kernels::Polynomial{}).kind(), KernelKind::polynomial);
  EXPECT_EQ(Kernel(kernels::Laplacian{}).kind(), KernelKind::laplacian);
  EXPECT_EQ(Kernel(kernels::Dtw{}).kind(), KernelKind::dtw);
  EXPECT_EQ(Kernel(kernels::Gak{}).kind(), KernelKind::gak);
  EXPECT_EQ(Kernel(kernels::Spectrum{}).kind(), KernelKind::spectrum);
  EXPECT_EQ(Kernel(kernels::Mismatch{}).kind(), KernelKind::mismatch);
  EXPECT_EQ(Kernel(kernels::Subsequence{}).kind(), KernelKind::subsequence);
  EXPECT_EQ(Kernel(kernels::Gram{}).kind(), KernelKind::gram);
  EXPECT_EQ(Kernel(kernels::Custom{}).kind(), KernelKind::custom);
}

TEST(Kernel, HasWhatItsStructHas) {
  Kernel kernel = kernels::Gak{0.5, 0.25};
  kernel.set_sigma(0.75);
  kernel.set_k(4);  // of no use
  EXPECT_EQ(kernel.sigma(), 0.75);
  EXPECT_EQ(kernel.band(), 0.25);
  EXPECT_EQ(kernel.k(), 0);
  EXPECT_EQ(kernel.rate(), 1.0);
  kernel = kernels::Spectrum{3};
  kernel.set_k(4);
  EXPECT_EQ(kernel.k(), 4);
  EXPECT_EQ(kernel.sigma(), 0.0);
  EXPECT_EQ(kernel.as<kernels::Gak>(), nullptr);
}

TEST(KernelKind, ParseNamesTheChoices_WhenUnknown) {
  try {
    (void)parse<KernelKind>("rbf");
    FAIL() << "accepted rbf";
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(),
                 "kernel: expected gaussian, linear, polynomial, laplacian, dtw, gak, spectrum, mismatch, "
                 "subsequence, gram or custom, found 'rbf'");
  }
}

}  // namespace
}  // namespace shapeboost
