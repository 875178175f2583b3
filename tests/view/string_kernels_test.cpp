// SPDX-License-Identifier: MIT
// String kernels against their definitions: explicit feature maps, and every subsequence one by one.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <map>
#include <string>

#include "shapeboost/view.hpp"
#include "support/examples.hpp"
#include "support/tolerances.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

using examples::random_sequences;
using examples::sentence;
using examples::string_view_of;
using Features = std::map<std::string, double>;

/// Counts of every string of k letters that lies within `mismatches` of a k-mer of the text.
Features mismatch_features(const std::string& text, int k, int mismatches, const std::string& letters) {
  std::vector<std::string> strings{""};
  for (int i = 0; i < k; ++i) {
    std::vector<std::string> longer;
    for (const std::string& s : strings) {
      for (const char letter : letters) longer.push_back(s + letter);
    }
    strings = longer;
  }
  Features features;
  for (std::size_t t = 0; t + static_cast<std::size_t>(k) <= text.size(); ++t) {
    for (const std::string& g : strings) {
      int apart = 0;
      for (std::size_t i = 0; i < g.size(); ++i) apart += g[i] != text[t + i] ? 1 : 0;
      if (apart <= mismatches) features[g] += 1.0;
    }
  }
  return features;
}

/// lambda^span of every subsequence of k letters, by trying every set of places.
Features subsequence_features(const std::string& text, int k, double lambda) {
  Features features;
  for (unsigned set = 0; set < 1U << text.size(); ++set) {
    std::string u;
    std::size_t first = text.size();
    std::size_t last = 0;
    for (std::size_t t = 0; t < text.size(); ++t) {
      if ((set >> t & 1U) == 0) continue;
      u += text[t];
      first = std::min(first, t);
      last = t;
    }
    if (u.size() == static_cast<std::size_t>(k)) features[u] += std::pow(lambda, last - first + 1);
  }
  return features;
}

double dot(const Features& a, const Features& b) {
  double sum = 0.0;
  for (const auto& [name, value] : a) {
    if (const auto other = b.find(name); other != b.end()) sum += value * other->second;
  }
  return sum;
}

Features features_of(const std::vector<double>& values, const Kernel& kernel, const std::string& letters) {
  const std::string text = sequence_text(values);
  if (const auto* subsequence = kernel.as<kernels::Subsequence>()) {
    return subsequence_features(text, subsequence->k, subsequence->lambda);
  }
  const auto* mismatch = kernel.as<kernels::Mismatch>();
  return mismatch_features(text, kernel.k(), mismatch == nullptr ? 0 : mismatch->mismatches, letters);
}

double naive(const Instance& x, const Instance& z, const View& view, const std::string& letters = "ABC") {
  const Features a = features_of(x.values, view.kernel, letters);
  const Features b = features_of(z.values, view.kernel, letters);
  const double apart = x.place - z.place;
  return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b)) * std::exp(-view.tau * apart * apart);
}

struct StringCase {
  std::string name;
  View view;
};

std::vector<StringCase> cases(const Dataset& data) {
  std::vector<StringCase> result;
  const auto add = [&](const std::string& name, KernelKind kind, int k, std::int64_t length) -> Kernel& {
    result.push_back({name, string_view_of(data, kind, k, length)});
    return result.back().view.kernel;
  };
  add("spectrum", KernelKind::spectrum, 2, 7);
  add("spectrum of whole windows", KernelKind::spectrum, 5, 5);
  add("mismatch", KernelKind::mismatch, 3, 8);
  add("two mismatches", KernelKind::mismatch, 4, 7).as<kernels::Mismatch>()->mismatches = 2;
  add("no mismatch", KernelKind::mismatch, 3, 6).as<kernels::Mismatch>()->mismatches = 0;
  add("subsequence", KernelKind::subsequence, 3, 7);
  add("subsequence, no decay", KernelKind::subsequence, 2, 6).as<kernels::Subsequence>()->lambda = 1.0;
  add("subsequence of one", KernelKind::subsequence, 1, 5).as<kernels::Subsequence>()->lambda = 0.3;
  for (const KernelKind kind : {KernelKind::spectrum, KernelKind::subsequence}) {
    add("placed", kind, 2, 6);
    result.back().view.tau = 3.0;
  }
  return result;
}

TEST(StringKernels, AffinitiesAre_TheFeatureMapsProducts) {
  const Dataset data = random_sequences(4, 9, 11);
  for (const StringCase& c : cases(data)) {
    SCOPED_TRACE(c.name);
    const auto instances = make_instances(data, c.view);
    for (std::int64_t z = 0; z < instances->size(); z += 5) {
      for (std::int64_t bag = 0; bag < instances->bags(); ++bag) {
        std::vector<double> affinity(static_cast<std::size_t>(instances->count(bag)));
        instances->affinities(instances->probe(z), {bag, 0, instances->count(bag)}, affinity.data());
        for (std::int64_t j = 0; j < instances->count(bag); ++j) {
          const std::int64_t x = instances->first(bag) + j;
          const double expected = naive(instances->instance(x), instances->instance(z), c.view);
          ASSERT_NEAR(affinity[static_cast<std::size_t>(j)], expected, tolerance::kRounding);
          // As the booster asks, and as the predictor does, from the stored symbols.
          ASSERT_NEAR(instances->similarity(instances->probe(z), instances->probe(x)), expected,
                      tolerance::kRounding);
          ASSERT_NEAR(instances->similarity(instances->probe(instances->instance(z)), instances->probe(x)),
                      expected, tolerance::kRounding);
        }
      }
    }
  }
}

TEST(StringKernels, PartOfABag_GivesTheSameBits) {
  const Dataset data = random_sequences(2, 40, 3);
  for (const StringCase& c : cases(data)) {
    SCOPED_TRACE(c.name);
    const auto instances = make_instances(data, c.view);
    const std::int64_t n = instances->count(1);
    std::vector<double> whole(static_cast<std::size_t>(n));
    std::vector<double> part(static_cast<std::size_t>(n));
    const Probe z = instances->probe(3);
    instances->affinities(z, {1, 0, n}, whole.data());
    for (const std::int64_t count : {1, 3, 8, 13}) {
      instances->affinities(z, {1, 5, count}, part.data());
      for (std::int64_t j = 0; j < count; ++j) {
        EXPECT_EQ(part[static_cast<std::size_t>(j)], whole[static_cast<std::size_t>(5 + j)]) << count;
      }
    }
  }
}

TEST(StringKernels, ExtremesAre_ThoseOfAllAffinities) {
  const Dataset data = random_sequences(4, 12, 7);
  for (const StringCase& c : cases(data)) {
    SCOPED_TRACE(c.name);
    const auto instances = make_instances(data, c.view);
    const shapeboost::Run run{1, 1, instances->count(1) - 2};
    for (std::int64_t bag = 0; bag < instances->bags(); ++bag) {
      std::vector<double> high(static_cast<std::size_t>(run.count));
      std::vector<double> low(high);
      instances->extremes(run, bag, high.data(), low.data());
      for (std::int64_t r = 0; r < run.count; ++r) {
        double most = -2.0;
        double least = 2.0;
        for (std::int64_t j = 0; j < instances->count(bag); ++j) {
          const double k = naive(instances->instance(instances->first(bag) + j),
                                 instances->instance(instances->first(1) + 1 + r), c.view);
          most = std::max(most, k);
          least = std::min(least, k);
        }
        ASSERT_NEAR(high[static_cast<std::size_t>(r)], most, tolerance::kRounding);
        ASSERT_NEAR(low[static_cast<std::size_t>(r)], least, tolerance::kRounding);
      }
    }
  }
}

TEST(StringKernels, AreOfUnitDiagonal_AndPositiveSemidefinite) {
  const Dataset data = random_sequences(5, 10, 5);
  for (const StringCase& c : cases(data)) {
    SCOPED_TRACE(c.name);
    EXPECT_TRUE(c.view.kernel.positive_semidefinite());
    EXPECT_TRUE(c.view.kernel.unit_diagonal());
    const auto instances = make_instances(data, c.view);
    Eigen::MatrixXd gram(instances->size(), instances->size());
    for (std::int64_t x = 0; x < instances->size(); ++x) {
      for (std::int64_t z = 0; z < instances->size(); ++z) {
        gram(x, z) = instances->similarity(instances->probe(z), instances->probe(x));
      }
    }
    EXPECT_LT((gram.diagonal().array() - 1.0).abs().maxCoeff(), tolerance::kRounding);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram, Eigen::EigenvaluesOnly);
    EXPECT_GT(solver.eigenvalues().minCoeff(), -tolerance::kRounding * static_cast<double>(gram.rows()));
    EXPECT_NEAR(instances->distance(0, 4),
                std::max(0.0, 2.0 - 2.0 * naive(instances->instance(0), instances->instance(4),
                                                [&] {
                                                  View v = c.view;
                                                  v.tau = 0.0;
                                                  return v;
                                                }())),
                tolerance::kRounding);
  }
}

TEST(StringKernels, FitView_CountsTheAlphabetAndSettlesK) {
  const Dataset data = random_sequences(3, 12, 2, "ABCDE");
  EXPECT_EQ(string_view_of(data, KernelKind::mismatch, 3, 8).kernel.as<kernels::Mismatch>()->alphabet, 5);
  EXPECT_EQ(string_view_of(data, KernelKind::mismatch, 0, 8).kernel.k(), 5);
  EXPECT_EQ(string_view_of(data, KernelKind::spectrum, 0, 8).kernel.k(), 3);
  const View view = string_view_of(data, KernelKind::subsequence, 0, 8);
  EXPECT_EQ(view.centre, std::vector<double>{0.0});
  EXPECT_EQ(view.scale, std::vector<double>{1.0});
}

TEST(StringKernels, SequencesShorterThanTheWindow_AreEmptyBags) {
  Dataset data(DataKind::sequences);
  data.add(sequence_values("ABCABC"), "a", "1");
  data.add(sequence_values("AB"), "b", "2");
  for (const KernelKind kind : {KernelKind::spectrum, KernelKind::mismatch, KernelKind::subsequence}) {
    const auto instances = make_instances(data, string_view_of(data, kind, 2, 4));
    EXPECT_EQ(instances->count(0), 3);
    EXPECT_EQ(instances->count(1), 0);
  }
}

TEST(StringKernels, Refuse_WhatTheyCannotCompare) {
  const Dataset data = random_sequences(3, 12, 2);
  const auto complaint = [&](const std::function<void(View&)>& spoil) {
    View view = string_view_of(data, KernelKind::spectrum, 3, 8);
    spoil(view);
    return sentence([&] { (void)make_instances(data, view); });
  };
  EXPECT_EQ(complaint([](View& v) { v.kernel = kernels::Gaussian{}; }),
            "kernel: sequences of symbols are compared by spectrum, mismatch, subsequence or custom, found "
            "gaussian");
  EXPECT_EQ(complaint([](View& v) { v.length = 2; }),
            "length: expected windows of at least k = 3 symbols, found 2");
  EXPECT_EQ(complaint([](View& v) { v.kernel.set_k(9); }), "k: expected 1 to 8, found 9");
  EXPECT_EQ(complaint([](View& v) { v.kernel.set_k(0); }), "k: expected 1 to 8, found 0");
  EXPECT_EQ(complaint([](View& v) { v.dilation = 2; }),
            "view: windows of symbols are neither dilated nor normalised nor transformed");
  const auto instances = make_instances(data, string_view_of(data, KernelKind::spectrum, 3, 4));
  EXPECT_EQ(sentence([&] {
              (void)instances->probe(Instance{{65.0, 65.5, 66.0, 67.0}});
            }),
            "instance: expected codes of symbols, 0 to 255, found 65.500000");
  const Dataset series = examples::random_series(2, 12, 1);
  View view;
  view.length = 5;
  view.kernel = kernels::Spectrum{};
  EXPECT_EQ(sentence([&] { (void)make_instances(series, view); }),
            "kernel: spectrum compares sequences of symbols, the data are series");
}

}  // namespace
}  // namespace shapeboost
