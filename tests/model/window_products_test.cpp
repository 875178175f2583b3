// SPDX-License-Identifier: MIT
// Products and largest numbers in vectors against loops over single numbers.
#include "model/window_products.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "ground/rng.hpp"

namespace shapeboost::detail {
namespace {

std::vector<float> random_floats(std::size_t count, Rng& rng) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(rng.normal());
  return values;
}

TEST(WindowProducts, AreTheLoops_ForEveryNumberOfPatterns) {
  Rng rng(1);
  constexpr std::int64_t kLength = 9;
  constexpr std::int64_t kTiles = 2;
  constexpr std::int64_t kWindows = kTiles * kTile;
  for (std::int64_t patterns = 1; patterns <= kPatternsAtOnce; ++patterns) {
    for (const std::int64_t stride : {1, 3}) {
      const std::vector<float> x = random_floats(at(kWindows + (kLength - 1) * stride), rng);
      const std::vector<float> shift = random_floats(at(kWindows), rng);
      const std::vector<float> factor = random_floats(at(kWindows), rng);
      const std::vector<float> minus = random_floats(at(kWindows), rng);
      const std::vector<float> z = random_floats(at(patterns * kLength), rng);
      WindowBlock block{kTiles, kLength, stride, x.data(), shift.data(), factor.data(), minus.data()};
      std::vector<float> out(at(patterns * kWindows));
      window_products_of(patterns)(block, z.data(), kWindows, out.data());
      block.minus = nullptr;  // the same channel once more
      window_products_of(patterns)(block, z.data(), kWindows, out.data());
      for (std::int64_t q = 0; q < patterns; ++q) {
        for (std::int64_t v = 0; v < kWindows; ++v) {
          double sum = 0.0;
          for (std::int64_t k = 0; k < kLength; ++k) {
            sum += static_cast<double>(z[at(k * patterns + q)]) *
                   (static_cast<double>(x[at(k * stride + v)]) - static_cast<double>(shift[at(v)]));
          }
          const double want =
              2.0 * static_cast<double>(factor[at(v)]) * sum - static_cast<double>(minus[at(v)]);
          EXPECT_NEAR(static_cast<double>(out[at(q * kWindows + v)]), want, 1e-4)
              << patterns << ", " << q << ", " << v;
        }
      }
    }
  }
}

TEST(WindowProducts, TheLargestOfLanesIsTheFirstAmongEquals) {
  Rng rng(2);
  std::vector<float> value(kFloatLanes * kFloatLanes);
  std::vector<std::int32_t> where(value.size());
  std::vector<std::int32_t> reached(value.size());
  for (int trial = 0; trial < 20; ++trial) {
    for (std::size_t k = 0; k < value.size(); ++k) {
      value[k] = static_cast<float>(rng.below(4));
      where[k] = static_cast<std::int32_t>(rng.below(100));
      reached[k] = static_cast<std::int32_t>(rng.below(9));
    }
    const Largest found = largest_of_lanes(value.data(), where.data(), reached.data());
    for (std::size_t row = 0; row < at(kFloatLanes); ++row) {
      const std::size_t first = row * at(kFloatLanes);
      float best = -1.0F;
      std::int32_t there = 0;
      std::int32_t sum = 0;
      for (std::size_t k = first; k < first + at(kFloatLanes); ++k) {
        sum += reached[k];
        if (value[k] < best || (value[k] == best && where[k] >= there)) continue;
        best = value[k];
        there = where[k];
      }
      EXPECT_EQ(found.value[row], best);
      EXPECT_EQ(found.where[row], there);
      EXPECT_EQ(found.reached[row], sum);
    }
  }
}

}  // namespace
}  // namespace shapeboost::detail
