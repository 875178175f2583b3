// SPDX-License-Identifier: MIT
// How much faster is the master's simplex method than a general-purpose one? LPBoost over a fixed pool of
// hypotheses, each with its negation as in training, for m = 150, 300 and 600 bags: in each round the eight
// with the largest edges are added, until none beats gamma. Once with Master, once with the same program in
// Lp (Clp, warm-started from round to round). One thread.
//
// Both must end with the same gamma.
#include "learn/master.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "bench.hpp"
#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "shapeboost/base.hpp"
#include "solve/lp.hpp"
#include "solve/status.hpp"

namespace {

using namespace shapeboost;

constexpr double kNu = 0.1;
constexpr double kOptimal = 1e-7;
constexpr double kSame = 1e-6;
constexpr int kPerRound = 8;
constexpr Eigen::Index kPoolPerBag = 3;

struct Problem {
  Vector y;
  Matrix pool;  ///< one hypothesis per row: a smooth function of a few latent features of a bag, plus noise
};

Problem make_problem(Eigen::Index m) {
  constexpr Eigen::Index kFeatures = 6;
  Rng rng(static_cast<std::uint64_t>(m));
  Problem problem{Vector(m), Matrix(2 * kPoolPerBag * m, m)};
  Matrix latent(m, kFeatures);
  for (Eigen::Index i = 0; i < m; ++i) {
    problem.y[i] = i % 2 == 0 ? 1.0 : -1.0;
    for (double& feature : latent.row(i)) feature = rng.normal() + 0.2 * problem.y[i];
  }
  for (Eigen::Index j = 0; j < problem.pool.rows(); j += 2) {
    Vector centre(kFeatures);
    for (double& feature : centre) feature = rng.normal();
    for (Eigen::Index i = 0; i < m; ++i) {
      problem.pool(j, i) =
          std::exp(-0.2 * (latent.row(i).transpose() - centre).squaredNorm()) + 0.02 * rng.normal();
    }
    problem.pool.row(j + 1) = -problem.pool.row(j);
  }
  return problem;
}

struct Answer {
  Vector d;
  double gamma = 0.0;
};

/// Adds hypotheses and returns the new optimum.
using Step = std::function<Answer(const std::vector<Eigen::Index>&)>;

struct Boosting {
  double gamma = 0.0;
  double seconds = 0.0;  ///< in `step` alone
  int rounds = 0;
};

Boosting boost(const Problem& problem, const Step& step) {
  Boosting run;
  Answer answer{Vector::Constant(problem.y.size(), 1.0 / static_cast<double>(problem.y.size())), 0.0};
  std::vector<Eigen::Index> order(static_cast<std::size_t>(problem.pool.rows()));
  while (true) {
    const Vector edges = problem.pool * answer.d.cwiseProduct(problem.y);
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + kPerRound, order.end(),
                      [&](Eigen::Index a, Eigen::Index b) { return edges[a] > edges[b]; });
    std::vector<Eigen::Index> better(order.begin(), order.begin() + kPerRound);
    std::erase_if(better, [&](Eigen::Index j) { return edges[j] <= answer.gamma + kOptimal; });
    if (better.empty()) return run;
    const bench::Stopwatch watch;
    answer = step(better);
    run.seconds += watch.seconds();
    run.gamma = answer.gamma;
    ++run.rounds;
  }
}

Boosting by_master(const Problem& problem) {
  Master master(problem.y, {.nu = kNu});
  return boost(problem, [&](const std::vector<Eigen::Index>& better) {
    for (const Eigen::Index j : better) master.add(problem.pool.row(j));
    const MasterSolution solution = master.solve();
    if (solution.status != Status::solved) throw Error("the master was not solved");
    return Answer{solution.d, solution.gamma};
  });
}

Boosting by_clp(const Problem& problem) {
  const auto m = static_cast<int>(problem.y.size());
  Lp program;
  program.add_column(1.0, -kInfinity, kInfinity);
  std::vector<LpEntry> total;
  std::vector<LpEntry> offset;
  for (int i = 0; i < m; ++i) {
    total.push_back({program.add_column(0.0, 0.0, 1.0 / (kNu * m)), 1.0});
    offset.push_back({1 + i, problem.y[i]});
  }
  program.add_row(1.0, 1.0, total);
  program.add_row(0.0, 0.0, offset);
  return boost(problem, [&](const std::vector<Eigen::Index>& better) {
    for (const Eigen::Index j : better) {
      std::vector<LpEntry> entries{{0, -1.0}};
      for (int i = 0; i < m; ++i) entries.push_back({1 + i, problem.y[i] * problem.pool(j, i)});
      program.add_row(-kInfinity, 0.0, entries);
    }
    const LpSolution solution = program.solve();
    if (solution.status != Status::solved) throw Error("Clp did not solve the program");
    return Answer{solution.x.tail(m), solution.objective};
  });
}

}  // namespace

bench::Findings shapeboost::bench::run(const std::vector<std::string>& /*arguments*/) {
  Findings findings;
  std::printf("%6s %10s %8s %10s %8s %8s %14s\n", "m", "master s", "rounds", "Clp s", "rounds", "ratio",
              "gamma");
  for (const Eigen::Index m : {150, 300, 600}) {
    const Problem problem = make_problem(m);
    const Boosting ours = by_master(problem);
    const Boosting clp = by_clp(problem);
    std::printf("%6d %10.3f %8d %10.3f %8d %8.1f %14.9f\n", static_cast<int>(m), ours.seconds, ours.rounds,
                clp.seconds, clp.rounds, clp.seconds / ours.seconds, ours.gamma);
    findings.results.push_back({{"bags", m}, {"master_seconds", ours.seconds}, {"clp_seconds", clp.seconds}});
    if (!(std::abs(ours.gamma - clp.gamma) <= kSame)) {
      std::printf("WRONG: expected Clp's gamma of %.9f\n", clp.gamma);
      ++findings.faults;
    }
  }
  return findings;
}
