// SPDX-License-Identifier: MIT
#include "oracle/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ground/numbers.hpp"
#include "ground/parallel.hpp"
#include "ground/rng.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "support/naive.hpp"
#include "support/oracle_world.hpp"
#include "support/tolerances.hpp"

namespace shapeboost {
namespace {

using examples::labels_of;
using examples::World;
using tolerance::kSinglePrecision;

TEST(Table, ExtremesAreTheTablesRows_ForAnyHandle) {
  for (const examples::Case& example : examples::cases(68)) {
    for (const char* candidates : {"all", "sample:20", "kmeans:3"}) {
      for (const bool unit_norm : {false, true}) {
        SCOPED_TRACE(example.name + ", " + candidates);
        ThreadPool threads(1);
        const Table table(example.data, example.view, labels_of(example.data),
                          {Candidates::parse(candidates), 1, unit_norm}, threads);
        for (std::size_t r = 0; r < table.pool().size(); ++r) {
          const Table::Extremes own = table.extremes(table.pool()[r]);
          const auto row = static_cast<Eigen::Index>(r);
          const double near =
              kSinglePrecision * std::max(1.0F, table.largest().row(row).cwiseAbs().maxCoeff());
          EXPECT_LE((own.largest - table.largest().row(row)).cwiseAbs().maxCoeff(), near);
          EXPECT_LE((own.smallest - table.smallest().row(row)).cwiseAbs().maxCoeff(), near);
        }
      }
    }
  }
}

TEST(Table, HoldsTheExtremesOfEveryBag_WhenCandidatesAndInstancesFillManyProducts) {
  const Dataset data = examples::random_bags(70, 30, 4, 101);  // some thousand pairs of blocks
  for (const KernelKind kind : {KernelKind::gaussian, KernelKind::linear, KernelKind::polynomial}) {
    examples::Case example{"bags", data, examples::plain_view(data, 4, Normalisation::raw, kind)};
    const World world(example);
    const Table& table = world.oracle.table();
    ASSERT_GT(table.pool().size(), 512U);
    for (std::size_t r = 0; r < table.pool().size(); r += 7) {
      const Vector z = world.all.row(table.pool()[r]).transpose();
      for (std::size_t i = 0; i < world.bags.size(); ++i) {
        double high = -kInfinity;
        double low = kInfinity;
        for (Eigen::Index x = 0; x < world.bags[i].rows(); ++x) {
          const double value = naive::kernel_value(world.kernel, z, world.bags[i].row(x).transpose());
          high = std::max(high, value);
          low = std::min(low, value);
        }
        const auto row = static_cast<Eigen::Index>(r);
        const auto bag = static_cast<Eigen::Index>(i);
        EXPECT_NEAR(table.largest()(row, bag), high, 1e-6 * std::max(1.0, std::abs(high)));
        EXPECT_NEAR(table.smallest()(row, bag), low, 1e-6 * std::max(1.0, std::abs(low)));
      }
    }
  }
}

TEST(Table, TakesNoMoreThanItSaid) {
  Dataset four(DataKind::bags);
  Rng rng(69);
  for (int i = 0; i < 24; ++i) {
    add(four, Matrix::Random(1 + rng.below(9), 4), std::string(1, static_cast<char>('a' + i % 4)), "");
  }
  std::vector<examples::Case> cases = examples::cases(70);
  cases.push_back({"four classes", four, examples::plain_view(four, 4)});
  for (const examples::Case& example : cases) {
    for (const char* text : {"all", "sample:20", "kmeans:6"}) {
      SCOPED_TRACE(example.name + ", " + text);
      const Candidates candidates = Candidates::parse(text);
      ThreadPool threads(1);
      const Table table(example.data, example.view, labels_of(example.data), {candidates, 1, false}, threads);
      EXPECT_LE(table.bytes(), Table::bytes(example.data, example.view, candidates));
    }
  }
}

}  // namespace
}  // namespace shapeboost
