// SPDX-License-Identifier: MIT
#include "train/fitted_nu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "ground/rng.hpp"
#include "ground/text.hpp"
#include "oracle/local_oracle.hpp"

namespace shapeboost::detail {
namespace {

constexpr int kThirds = 3;
constexpr std::int64_t kMostTrained = 1000;
constexpr Eigen::Index kFewestOfClass = 10;
constexpr double kLeastNu = 0.02;
/// Quick models end at the first gap below this or after so many rounds: what they get wrong changes little after
/// it. Where the margin under kNu is 0 rounds would pile up, each dearer than the one before.
constexpr double kQuickGap = 0.05;
constexpr int kQuickRounds = 20;

/// The bags that are not of this third.
Problem others(const Problem& problem, const std::vector<int>& third, int left_out) {
  std::vector<Eigen::Index> chosen;
  for (Eigen::Index i = 0; i < problem.sides.y.size(); ++i) {
    if (third[at(i)] != left_out) chosen.push_back(i);
  }
  Problem part;
  part.sides.y = problem.sides.y(chosen);
  if (problem.sides.v.size() > 0) part.sides.v = problem.sides.v(chosen);
  for (const Eigen::Index i : chosen) part.bags.push_back(problem.bags.empty() ? i : problem.bags[at(i)]);
  return part;
}

/// Rows of a table by their candidates.
using Rows = std::unordered_map<Handle, Eigen::Index>;

/// g of every bag of the problem, of single instances alone: their similarities are in the tables.
Vector scores_from(const std::vector<std::shared_ptr<const Table>>& tables, const std::vector<Rows>& rows,
                   const Problem& problem, const Learned& learned) {
  Vector g = Vector::Constant(problem.sides.y.size(), learned.b);
  for (const LearnedHypothesis& hypothesis : learned.hypotheses) {
    const Term& term = hypothesis.terms.front();
    const bool most = term.alpha > 0.0;
    const auto row =
        tables[at(hypothesis.oracle)]->extremes().of(most).row(rows[at(hypothesis.oracle)].at(term.z));
    const double factor = hypothesis.w * hypothesis.sign * (most ? 1.0 : -1.0);
    for (Eigen::Index i = 0; i < g.size(); ++i) {
      g[i] += factor * static_cast<double>(row[problem.bags.empty() ? i : problem.bags[at(i)]]);
    }
  }
  return g;
}

}  // namespace

bool fits_nu(const Sides& sides, const BoosterSettings& settings) {
  const Eigen::Index positive = (sides.y.array() > 0.0).count();
  return settings.nu == 0.0 && sides.y.size() >= kFittedBags &&
         std::min(positive, sides.y.size() - positive) >= kFewestOfClass;
}

double nu_for(double wrong) {
  const double e = std::min(wrong, 0.5);
  return std::max(kLeastNu, std::round(200.0 * e * (1.0 - e)) / 100.0);
}

std::vector<int> thirds(const Vector& y, std::uint64_t seed) {
  std::vector<Eigen::Index> order(at(y.size()));
  std::iota(order.begin(), order.end(), 0);
  Rng rng(seed);
  rng.shuffle(order);
  std::vector<int> third(order.size());
  std::array<int, 2> turn{0, 0};
  for (const Eigen::Index i : order) third[at(i)] = turn[y[i] > 0.0 ? 1 : 0]++ % kThirds;
  return third;
}

FittedNu fitted_nu(const std::vector<std::shared_ptr<const Table>>& tables, const Problem& problem,
                   const BoosterSettings& settings, std::uint64_t seed, ThreadPool& threads,
                   const Observer& observer) {
  BoosterSettings quick = settings;
  quick.refine = Refine::no;
  quick.nu = kNu;
  quick.gap = std::max(quick.gap, kQuickGap);
  quick.max_rounds = kQuickRounds;
  Observer silent;
  silent.interrupted = observer.interrupted;
  silent.abandoned = observer.abandoned;
  std::vector<Rows> rows(tables.size());
  for (std::size_t v = 0; v < tables.size(); ++v) {
    const std::vector<Handle>& pool = tables[v]->pool();
    for (std::size_t r = 0; r < pool.size(); ++r) rows[v].emplace(pool[r], static_cast<Eigen::Index>(r));
  }
  const Vector& y = problem.sides.y;
  const Vector v = problem.sides.v.size() > 0 ? problem.sides.v : Vector(Vector::Ones(y.size()));
  const std::vector<int> third = thirds(y, seed);
  double wrong = 0.0;
  for (int k = 0; k < kThirds; ++k) {
    const Problem part = drawn(others(problem, third, k), kMostTrained, seed + static_cast<std::uint64_t>(k));
    Oracles oracles;
    for (const auto& table : tables) {
      oracles.push_back(std::make_unique<LocalOracle>(table, part.bags, 0, threads));
    }
    const Learned learned = boost(oracles, part.sides, quick, threads, silent);
    if (learned.stop == Stop::interrupted) return {};
    const Vector g = scores_from(tables, rows, problem, learned);
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      if (third[at(i)] == k && (g[i] > 0.0) != (y[i] > 0.0)) wrong += v[i];
    }
  }
  const double share = wrong / v.sum();
  quick.nu = nu_for(share);
  return {lowered_nu(problem.sides, quick), share};
}

std::string nu_text(const std::vector<FittedNu>& fitted) {
  const FittedNu* least = nullptr;
  const FittedNu* most = nullptr;
  for (const FittedNu& one : fitted) {
    if (one.nu == 0.0) continue;
    if (least == nullptr || one.nu < least->nu) least = &one;
    if (most == nullptr || one.nu > most->nu) most = &one;
  }
  if (least == nullptr) return {};
  const auto percent = [](double share) { return number(std::round(1000.0 * share) / 10.0) + " %"; };
  if (least->nu == most->nu) {
    const std::string how = least->nu > kNu ? "raised" : least->nu < kNu ? "lowered" : "stays";
    return "nu " + how + (how == "stays" ? " " : " to ") + number(least->nu) + ": quick models got " +
           percent(least->wrong) + " of the examples wrong that they had not seen";
  }
  return "nu between " + number(least->nu) + " and " + number(most->nu) +
         " by how much quick models got wrong of what they had not seen: " + percent(least->wrong) + " to " +
         percent(most->wrong);
}

}  // namespace shapeboost::detail
