// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "ground/parallel.hpp"
#include "ground/rng.hpp"
#include "model/respond.hpp"
#include "oracle/local_oracle.hpp"
#include "oracle/table.hpp"
#include "shapeboost/synthetic.hpp"
#include "solve/kmeans.hpp"
#include "support/examples.hpp"
#include "support/naive.hpp"
#include "support/oracle_world.hpp"
#include "support/tolerances.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

using examples::best_single_edge;
using examples::kRoomy;
using examples::labels_of;
using examples::random_terms;
using examples::World;
using tolerance::kCancellation;
using tolerance::kSinglePrecision;

// ------------------------------------------------------------------------------------------- questions

TEST(Oracle, RespondIsTheDoubleLoop_ForEveryView) {
  for (const examples::Case& example : examples::cases(31)) {
    SCOPED_TRACE(example.name);
    World world(example);
    Rng rng(32);
    for (int count = 1; count <= 5; ++count) {
      const std::vector<Term> terms = random_terms(world.all.rows(), count, rng);
      const Response response = world.oracle.respond(terms);
      const Response expected =
          naive::respond(world.kernel, world.bags, world.rows(terms), World::alpha(terms));
      EXPECT_EQ(response.argmax, expected.argmax);
      for (std::size_t i = 0; i < expected.value.size(); ++i) {
        EXPECT_NEAR(response.value[i], expected.value[i],
                    kCancellation * std::max(1.0, std::abs(expected.value[i])));
      }
    }
  }
}

TEST(Oracle, PeaksAreTheHighestOfEachBag_ForEveryView) {
  for (const examples::Case& example : examples::cases(35)) {
    SCOPED_TRACE(example.name);
    World world(example);
    Rng rng(36);
    const std::vector<Term> terms = random_terms(world.all.rows(), 3, rng);
    const Response response = world.oracle.respond(terms);
    const Vector scores = world.prices(world.all, terms);
    for (const std::int64_t count : {1, 3, 1000}) {
      const std::vector<std::vector<Peak>> peaks = world.oracle.peaks(terms, count);
      ASSERT_EQ(static_cast<std::int64_t>(peaks.size()), world.oracle.bags());
      for (std::size_t i = 0; i < peaks.size(); ++i) {
        const Instances& instances = world.oracle.all_instances()->instances();
        const auto bag = static_cast<std::int64_t>(i);
        Vector own = scores.segment(instances.first(bag), instances.count(bag));
        std::sort(own.begin(), own.end(), std::greater<>());
        const std::int64_t expected = instances.expensive() ? 1 : std::min(count, instances.count(bag));
        ASSERT_EQ(static_cast<std::int64_t>(peaks[i].size()), expected);
        EXPECT_EQ(peaks[i].front().x, response.argmax[i]);
        EXPECT_EQ(peaks[i].front().value, response.value[i]);
        for (std::size_t k = 0; k < peaks[i].size(); ++k) {
          const double near = kCancellation * std::max(1.0, std::abs(own[static_cast<Eigen::Index>(k)]));
          EXPECT_NEAR(peaks[i][k].value, own[static_cast<Eigen::Index>(k)], near);
          EXPECT_NEAR(peaks[i][k].value, scores[peaks[i][k].x], near);
        }
      }
    }
  }
}

TEST(Oracle, PriceFindsTheLargestScore_ForEveryView) {
  for (const examples::Case& example : examples::cases(33)) {
    SCOPED_TRACE(example.name);
    World world(example);
    ASSERT_FALSE(world.oracle.partial());
    ASSERT_EQ(world.oracle.pool_size(), world.all.rows());
    Rng rng(34);
    for (int repeat = 0; repeat < 5; ++repeat) {
      const std::vector<Term> p = random_terms(world.all.rows(), 4, rng);
      const Vector expected = world.prices(world.all, p);
      const double near = kCancellation * std::max(1.0, expected.cwiseAbs().maxCoeff());
      for (const Priced priced : {world.oracle.price(p), world.oracle.price_all(p)}) {
        EXPECT_NEAR(std::abs(priced.score), expected.cwiseAbs().maxCoeff(), near);
        EXPECT_NEAR(priced.score, expected[priced.z], near) << "the score belongs to the candidate";
      }
    }
  }
}

TEST(Oracle, SimilaritiesAreTheKernel_ForEveryView) {
  for (const examples::Case& example : examples::cases(35)) {
    SCOPED_TRACE(example.name);
    World world(example);
    const Matrix G = naive::gram(world.kernel, world.all, world.all);
    Rng rng(36);
    for (int repeat = 0; repeat < 5; ++repeat) {
      const Handle z = rng.below(world.all.rows());
      std::vector<Handle> at;
      for (int k = 0; k < 6; ++k) at.push_back(rng.below(world.all.rows()));
      std::vector<double> out(at.size());
      world.oracle.similarities(z, at, out.data());
      for (std::size_t k = 0; k < at.size(); ++k) {
        EXPECT_NEAR(out[k], G(z, at[k]), kCancellation * std::max(1.0, std::abs(G(z, at[k]))));
      }
    }
  }
}

TEST(Oracle, RowsAreTheKernelOverItsBags_HoweverManyAreMade) {
  for (const examples::Case& example : examples::cases(43)) {
    SCOPED_TRACE(example.name);
    World world(example);
    const auto table = std::make_shared<const Table>(example.data, example.view, labels_of(example.data),
                                                     TableSettings{}, world.pool);
    std::vector<std::int64_t> some;
    for (std::int64_t k = 0; k < table->bags(); k += 2) some.push_back(k);
    LocalOracle few(table, some, kRoomy, world.pool);
    LocalOracle cramped(table, some, 1, world.pool);  // makes rows one at a time, and forgets them
    const std::vector<Handle> handles = few.handles();
    ASSERT_EQ(static_cast<std::int64_t>(handles.size()), few.size());
    const Vector self = few.self_similarities();
    for (std::size_t i = 0; i < handles.size(); ++i) {  // the later ones come a bag at a time
      const std::vector<double> row(few.similarities(handles[i]), few.similarities(handles[i]) + few.size());
      const double* alone = cramped.similarities(handles[i]);
      EXPECT_TRUE(std::equal(row.begin(), row.end(), alone));
      for (std::size_t j = 0; j < handles.size(); ++j) {
        const double expected = naive::kernel_value(world.kernel, world.all.row(handles[i]).transpose(),
                                                    world.all.row(handles[j]).transpose());
        EXPECT_NEAR(row[j], expected, kCancellation * std::max(1.0, std::abs(expected)));
      }
      EXPECT_NEAR(self[static_cast<Eigen::Index>(i)], row[i], kCancellation * std::max(1.0, row[i]));
      const std::int64_t bag = few.bag_of(handles[i]);
      EXPECT_EQ(some[static_cast<std::size_t>(bag)], table->instances().bag_of(handles[i]));
      EXPECT_LE(few.begin(bag), static_cast<std::int64_t>(i));
    }
    for (Handle z = 0; z < table->instances().size(); ++z) {
      if (table->instances().bag_of(z) % 2 == 1) {
        EXPECT_EQ(few.bag_of(z), -1);
      }
    }
    EXPECT_EQ(few.bag_of(table->instances().size()), -1) << "a cluster's centre";
    const double* stranger = few.similarities(1);  // of a bag that it does not see, with all rows made
    EXPECT_TRUE(std::equal(stranger, stranger + few.size(), cramped.similarities(1)));
  }
}

TEST(Oracle, SharesRowsWithOraclesForOtherSigmas_ToTheLastBit) {
  int shared_some = 0;
  for (const examples::Case& example : examples::cases(44)) {
    if (!serves_every_sigma(example.view)) continue;
    SCOPED_TRACE(example.name);
    ++shared_some;
    ThreadPool pool(1);
    const TableSettings settings{Candidates::parse("kmeans:2")};
    std::int64_t room = 0;
    const auto rows =
        std::make_shared<AffinityRows>([&](std::int64_t bytes) { return (room -= bytes) >= 0; });
    std::vector<std::int64_t> some;
    for (std::int64_t k = 0; k < example.data.size(); k += 2) some.push_back(k);
    View view = example.view;
    for (const double factor : {1.0, 2.5, 0.3}) {
      view.kernel.set_sigma(factor * example.view.kernel.sigma());
      const auto own =
          std::make_shared<const Table>(example.data, view, labels_of(example.data), settings, pool);
      const auto shared =
          std::make_shared<Table>(example.data, view, labels_of(example.data), settings, pool);
      shared->share(rows);
      const std::int64_t n = own->instances().size();
      if (factor == 1.0) room = (n / 2) * n * static_cast<std::int64_t>(sizeof(double));
      for (const std::vector<std::int64_t>& bags : {std::vector<std::int64_t>{}, some}) {
        LocalOracle plain(own, bags, kRoomy, pool);
        LocalOracle sharing(shared, bags, kRoomy, pool);
        for (Handle z = n + static_cast<Handle>(own->pool().size()) - 1; z >= 0; --z) {  // centres first
          const double* expected = plain.similarities(z);
          EXPECT_TRUE(std::equal(expected, expected + plain.size(), sharing.similarities(z))) << z;
        }
      }
    }
    EXPECT_GT(rows->size(), 0);
    EXPECT_LE(rows->size(), naive::stacked(naive::bags_of(example.data, example.view)).rows() / 2);
  }
  EXPECT_GT(shared_some, 0);
}

TEST(Oracle, BestSinglesAreTheBestOfAll_ForEveryView) {
  for (const examples::Case& example : examples::cases(37)) {
    for (const bool unit_norm : {false, true}) {
      SCOPED_TRACE(example.name + (unit_norm ? ", unit norm" : ""));
      TableSettings settings;
      settings.unit_norm = unit_norm;
      World world(example, settings);
      const Vector dy = examples::random_dy(world.oracle.bags(), 38);
      const Matrix G = naive::gram(world.kernel, world.all, world.all);
      const double near = kSinglePrecision * std::max(1.0, G.cwiseAbs().maxCoeff());
      for (const int signs : {1, 2}) {
        const std::vector<Single> singles = world.oracle.best_singles(dy, signs, 1);
        ASSERT_EQ(singles.size(), static_cast<std::size_t>(2 * signs));
        std::set<std::pair<bool, int>> kinds;
        for (const Single& single : singles) {
          kinds.insert({single.alpha < 0.0, single.sign});
          EXPECT_NEAR(std::abs(single.alpha), unit_norm ? 1.0 / std::sqrt(G(single.z, single.z)) : 1.0,
                      kSinglePrecision);
          EXPECT_NEAR(single.edge, best_single_edge(world, world.all, dy, single, unit_norm), near);
          const std::vector<Term> terms{{single.z, single.alpha}};
          const Response response =
              naive::respond(world.kernel, world.bags, world.rows(terms), World::alpha(terms));
          EXPECT_NEAR(single.edge, naive::edge(response, dy, single.sign), near);
        }
        EXPECT_EQ(kinds.size(), singles.size()) << "each sign of alpha and of h once";
        // Three of each kind: the same first, the others behind it in order, none twice.
        const std::vector<Single> three = world.oracle.best_singles(dy, signs, 3);
        ASSERT_EQ(three.size(), 3 * singles.size());
        for (std::size_t k = 0; k < three.size(); ++k) {
          EXPECT_EQ(three[k].sign, singles[k / 3].sign);
          EXPECT_EQ(three[k].alpha < 0.0, singles[k / 3].alpha < 0.0);
          if (k % 3 == 0) {
            EXPECT_EQ(three[k].z, singles[k / 3].z);
          } else {
            EXPECT_LE(three[k].edge, three[k - 1].edge);
            EXPECT_NE(three[k].z, three[k - 1].z);
          }
        }
      }
    }
  }
}

TEST(Oracle, InstanceIsInTheUnitsOfTheData_WithWhereItCameFrom) {
  for (const examples::Case& example : examples::cases(39)) {
    SCOPED_TRACE(example.name);
    World world(example);
    const Instances& instances = world.oracle.all_instances()->instances();
    for (const std::int64_t bag : {0, 4}) {
      const Handle z = instances.first(bag) + instances.count(bag) - 1;
      const Instance instance = world.oracle.instance(z);
      EXPECT_EQ(instance.example, bag);
      EXPECT_EQ(instance.position, instances.count(bag) - 1);
      EXPECT_EQ(instances.position(z), instance.position);
      const Vector prepared = naive::prepared(example.view, instance.values);
      EXPECT_LE((prepared - world.all.row(z).transpose()).cwiseAbs().maxCoeff(), tolerance::kRounding);
    }
  }
}

// ------------------------------------------------------------------------- memory, threads, same answers

/// Everything an oracle answers, as numbers to compare bit for bit.
std::vector<double> answers(LocalOracle& oracle, std::uint64_t seed) {
  std::vector<double> out;
  Rng rng(seed);
  for (int repeat = 0; repeat < 6; ++repeat) {
    const std::vector<Term> terms =
        random_terms(oracle.all_instances()->instances().size(), 3 + 6 * repeat, rng);
    const Response response = oracle.respond(terms);
    out.insert(out.end(), response.value.begin(), response.value.end());
    for (const std::int64_t x : response.argmax) out.push_back(static_cast<double>(x));
    for (const std::vector<Peak>& highest : oracle.peaks(terms, 4)) {
      for (const Peak& peak : highest) {
        out.push_back(static_cast<double>(peak.x));
        out.push_back(peak.value);
      }
    }
    for (const Priced priced : {oracle.price(terms), oracle.price_all(terms)}) {
      out.push_back(static_cast<double>(priced.z));
      out.push_back(priced.score);
    }
    std::vector<double> k(response.argmax.size());
    oracle.similarities(terms[0].z, response.argmax, k.data());
    out.insert(out.end(), k.begin(), k.end());
    for (const Single& single : oracle.best_singles(examples::random_dy(oracle.bags(), seed), 2, 1)) {
      out.push_back(static_cast<double>(single.z));
      out.push_back(single.edge);
    }
  }
  return out;
}

TEST(Oracle, AnswersAreTheSameBits_WhateverTheMemoryAndThreads) {
  for (const examples::Case& example : examples::cases(41)) {
    for (const char* candidates : {"all", "sample:20", "kmeans:3"}) {
      SCOPED_TRACE(example.name + ", " + candidates);
      TableSettings settings;
      settings.candidates = Candidates::parse(candidates);
      World roomy(example, settings);
      const std::vector<double> expected = answers(roomy.oracle, 42);
      World tight(example, settings, 1, 0);
      EXPECT_EQ(answers(tight.oracle, 42), expected);
      // A few rows, and as many candidates beyond the table's as it has.
      EXPECT_LE(tight.oracle.bytes(), LocalOracle::smallest_memory(example.data, example.view) +
                                          Table::rows_bytes(example.data, example.view, settings.candidates));
      EXPECT_GT(roomy.oracle.bytes(), tight.oracle.bytes()) << "the bound must bind somewhere";
      World threaded(example, settings, 2, 0);
      EXPECT_EQ(answers(threaded.oracle, 42), expected);
    }
  }
}

TEST(Oracle, AnswersAreTheSameBits_WhenTheWorkIsWorthThreads) {
  SyntheticSettings synthetic;
  synthetic.examples = 16;
  synthetic.length = 1101;
  const Dataset data = planted_series(synthetic).data;
  for (const Normalisation n : {Normalisation::raw, Normalisation::z}) {
    const examples::Case example{"long", data, examples::plain_view(data, 151, n)};
    World one(example);
    ASSERT_GT(one.all.rows() * 151, 2'000'000);
    World two(example, {}, 2);
    EXPECT_EQ(answers(one.oracle, 43), answers(two.oracle, 43));
  }
}

// ------------------------------------------------------------------------------------------- some bags

TEST(Oracle, OfSomeBags_AnswersAsOneOfTheSubset) {
  const std::vector<std::int64_t> bags{0, 2, 3, 6};
  for (const examples::Case& example : examples::cases(61)) {
    SCOPED_TRACE(example.name);
    ThreadPool threads(1);
    const auto whole = std::make_shared<const Table>(example.data, example.view, labels_of(example.data),
                                                     TableSettings{}, threads);
    const Dataset data = example.data.subset(bags);
    const auto part =
        std::make_shared<const Table>(data, example.view, labels_of(data), TableSettings{}, threads);
    LocalOracle some(whole, bags, kRoomy, threads);
    LocalOracle alone(part, {}, kRoomy, threads);
    LocalOracle tight(whole, bags, 0, threads);
    ASSERT_EQ(some.bags(), 4);
    // Handles of the subset's instances in the whole.
    const auto in_whole = [&](Handle z) {
      const std::int64_t bag = alone.instances().bag_of(z);
      return some.instances().first(bags[static_cast<std::size_t>(bag)]) + z - alone.instances().first(bag);
    };
    Rng rng(62);
    for (int repeat = 0; repeat < 6; ++repeat) {
      const std::vector<Term> terms = random_terms(alone.instances().size(), 1 + 5 * repeat, rng);
      std::vector<Term> moved = terms;
      for (Term& term : moved) term.z = in_whole(term.z);
      const Response expected = alone.respond(terms);
      for (Oracle* oracle : {&some, &tight}) {
        const Response response = oracle->respond(moved);
        EXPECT_EQ(response.value, expected.value);
        for (std::size_t i = 0; i < expected.argmax.size(); ++i) {
          EXPECT_EQ(response.argmax[i], in_whole(expected.argmax[i]));
        }
        for (const bool every : {false, true}) {
          const Priced priced = every ? oracle->price_all(moved) : oracle->price(moved);
          const Priced wanted = every ? alone.price_all(terms) : alone.price(terms);
          EXPECT_EQ(priced.z, in_whole(wanted.z));
          EXPECT_EQ(priced.score, wanted.score);
        }
        std::vector<double> k(4);
        std::vector<double> expected_k(4);
        oracle->similarities(moved[0].z, response.argmax, k.data());
        alone.similarities(terms[0].z, expected.argmax, expected_k.data());
        EXPECT_EQ(k, expected_k);
      }
    }
  }
}

TEST(Oracle, OfSomeBags_IsTheDoubleLoop_ForEveryKindOfCandidates) {
  const std::vector<std::int64_t> bags{1, 2, 4, 5};
  for (const examples::Case& example : examples::cases(63)) {
    for (const char* candidates : {"all", "sample:20", "kmeans:3"}) {
      SCOPED_TRACE(example.name + ", " + candidates);
      TableSettings settings;
      settings.candidates = Candidates::parse(candidates);
      const World world(example, settings);
      ThreadPool threads(1);
      const auto table = std::make_shared<const Table>(example.data, example.view, labels_of(example.data),
                                                       settings, threads);
      LocalOracle some(table, bags, kRoomy, threads);
      std::vector<Matrix> own;
      for (const std::int64_t bag : bags) own.push_back(world.bags[static_cast<std::size_t>(bag)]);
      Matrix pool(static_cast<Eigen::Index>(table->pool().size()), example.view.numbers());
      for (std::size_t r = 0; r < table->pool().size(); ++r) {
        pool.row(static_cast<Eigen::Index>(r)) =
            naive::prepared(example.view, table->instance(table->pool()[r]).values).transpose();
      }
      const double scale = std::max(1.0, naive::gram(world.kernel, pool, world.all).cwiseAbs().maxCoeff());

      // Candidates may be anybody's; only the bags are some.
      Rng rng(64);
      for (int repeat = 0; repeat < 4; ++repeat) {
        const auto r = static_cast<Eigen::Index>(rng.below(pool.rows()));
        const Response response =
            some.respond(std::vector<Term>{{table->pool()[static_cast<std::size_t>(r)], -0.7}});
        const Response expected = naive::respond(world.kernel, own, pool.row(r), Vector::Constant(1, -0.7));
        for (std::size_t i = 0; i < bags.size(); ++i) {
          EXPECT_NEAR(response.value[i], expected.value[i], kCancellation * scale);
          EXPECT_EQ(table->instances().bag_of(response.argmax[i]), bags[i]);
        }
      }
      const Vector dy = examples::random_dy(4, 65);
      for (const Single& single : some.best_singles(dy, 2, 1)) {
        double best = -kInfinity;
        for (Eigen::Index r = 0; r < pool.rows(); ++r) {
          const Response response =
              naive::respond(world.kernel, own, pool.row(r), Vector::Constant(1, single.alpha));
          best = std::max(best, naive::edge(response, dy, single.sign));
        }
        EXPECT_NEAR(single.edge, best, kSinglePrecision * scale);
        EXPECT_EQ(table->pool()[static_cast<std::size_t>(single.row)], single.z);
        const Vector values = some.values(single);
        const Response exact = some.respond(std::vector<Term>{{single.z, single.alpha}});
        ASSERT_EQ(values.size(), 4);
        for (Eigen::Index i = 0; i < 4; ++i) {
          EXPECT_NEAR(values[i], exact.value[static_cast<std::size_t>(i)], kSinglePrecision * scale);
        }
      }
      if (settings.candidates.kind == Candidates::Kind::all) continue;  // see above
      // The weights p lie on instances of its bags; the price is over the whole pool.
      std::vector<Term> p;
      for (const std::int64_t bag : bags) p.push_back({table->instances().first(bag), rng.normal()});
      const Vector prices = world.prices(pool, p);
      const Priced priced = some.price(p);
      EXPECT_NEAR(std::abs(priced.score), prices.cwiseAbs().maxCoeff(), kCancellation * scale);
      const auto place =
          std::find(table->pool().begin(), table->pool().end(), priced.z) - table->pool().begin();
      EXPECT_NEAR(priced.score, prices[place], kCancellation * scale);
    }
  }
}

TEST(Oracle, HasNothingToOffer_WhenNoBagHasAnInstance) {
  const Dataset data = examples::random_series(4, 5, 66);
  for (const char* candidates : {"all", "sample:5", "kmeans:2"}) {
    TableSettings settings;
    settings.candidates = Candidates::parse(candidates);
    ThreadPool threads(1);
    const auto table = std::make_shared<const Table>(data, examples::plain_view(data, 50), labels_of(data),
                                                     settings, threads);
    LocalOracle oracle(table, {}, kRoomy, threads);
    EXPECT_EQ(oracle.pool_size(), 0);
    EXPECT_FALSE(oracle.has_instances(2));
    EXPECT_TRUE(oracle.best_singles(examples::random_dy(4, 67), 2, 1).empty());
    EXPECT_EQ(oracle.respond({}).value, std::vector<double>(4, 0.0));
    EXPECT_EQ(oracle.respond({}).argmax, std::vector<std::int64_t>(4, -1));
  }
}

}  // namespace
}  // namespace shapeboost
