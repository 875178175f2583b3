// SPDX-License-Identifier: MIT
#include "learn/weak_learner.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "ground/parallel.hpp"
#include "ground/rng.hpp"
#include "model/respond.hpp"
#include "oracle/local_oracle.hpp"
#include "oracle/table.hpp"
#include "solve/status.hpp"
#include "support/examples.hpp"
#include "support/naive.hpp"
#include "support/tolerances.hpp"

namespace shapeboost {
namespace {

using tolerance::kBall;
using tolerance::kCancellation;
using tolerance::kSparse;

const SparseLearner kSparseLearner;
const BallLearner kBallLearner;
const BallLearner kGrowingBall(WeakLearnerSettings{.whole = 0});

/// An oracle with its twin: all instances, the candidates, and the Gram matrices.
struct World {
  World(const examples::Case& example, const char* candidates, bool unit_norm = false)
      : pool(1),
        oracle(
            std::make_shared<const Table>(example.data, example.view, examples::labels_of(example.data),
                                          TableSettings{Candidates::parse(candidates), 1, unit_norm}, pool),
            {}, std::int64_t{1} << 30, pool),
        bags(naive::bags_of(example.data, example.view)),
        all(naive::stacked(bags)),
        kernel(example.view.kernel),
        centres(Candidates::parse(candidates).kind == Candidates::Kind::kmeans) {
    z = all;
    if (centres) {
      z.resize(oracle.pool_size(), all.cols());
      for (Eigen::Index k = 0; k < z.rows(); ++k) {
        z.row(k) = naive::prepared(example.view, oracle.instance(all.rows() + k).values).transpose();
      }
    }
    K = naive::gram(kernel, z, all);
    for (std::int64_t i = 0; i <= oracle.bags(); ++i) {
      first.push_back(i < oracle.bags() ? oracle.all_instances()->instances().first(i)
                                        : oracle.all_instances()->instances().size());
    }
    scale = std::max(1.0, K.cwiseAbs().maxCoeff());
  }

  ThreadPool pool;
  LocalOracle oracle;
  std::vector<Matrix> bags;
  Matrix all;
  Kernel kernel;
  bool centres;
  Matrix z;  // candidates
  Matrix K;  // candidates x N
  std::vector<std::int64_t> first;
  double scale;  // of the kernel's values: tolerances are relative to it

  [[nodiscard]] Vector dense(std::span<const Term> terms) const {
    Vector alpha = Vector::Zero(z.rows());
    for (const Term& term : terms) alpha[centres ? term.z - all.rows() : term.z] += term.alpha;
    return alpha;
  }
  [[nodiscard]] Response respond(std::span<const Term> terms) const {
    return naive::respond(kernel, bags, z, dense(terms));
  }
  [[nodiscard]] Start start(const Vector& dy, int sign) {
    Single best;
    best.edge = -kInfinity;
    for (const Single& single : oracle.best_singles(dy, 2, 1)) {
      if (single.sign == sign && single.edge > best.edge) best = single;
    }
    return start_at(oracle, {{best.z, best.alpha}});
  }
  /// f(u) of the problem, by definition.
  [[nodiscard]] double value(const naive::SubProblem& problem, std::span<const Term> terms) const {
    const Vector score = K.transpose() * dense(terms);
    double f = 0.0;
    for (Eigen::Index i = 0; i < problem.weight.size(); ++i) {
      const auto bag = static_cast<std::size_t>(i);
      if (problem.weight[i] > 0.0) f -= problem.weight[i] * score[problem.maximisers[bag]];
      if (problem.weight[i] >= 0.0) continue;
      f -= problem.weight[i] * score.segment(first[bag], first[bag + 1] - first[bag]).maxCoeff();
    }
    return f;
  }
  /// One instance of every bag, at random.
  [[nodiscard]] std::vector<std::int64_t> random_maximisers(Rng& rng) const {
    std::vector<std::int64_t> x;
    for (std::size_t i = 0; i + 1 < first.size(); ++i)
      x.push_back(first[i] + rng.below(first[i + 1] - first[i]));
    return x;
  }
};

/// Weights with both signs and zeros; and the two ends, no negative bag and no positive bag.
std::vector<Vector> weights(std::int64_t bags) {
  std::vector<Vector> result;
  for (const std::uint64_t seed : {61U, 62U, 63U}) result.push_back(examples::random_dy(bags, seed));
  result.push_back(result[0].cwiseMax(0.0));
  result.push_back(result[0].cwiseMin(0.0));
  return result;
}

void expect_certified(const World& world, const naive::SubProblem& problem, const ConvexSolution& solution,
                      double optimum, double near) {
  ASSERT_EQ(solution.status, Status::solved);
  EXPECT_NEAR(solution.optimum, optimum, near);
  EXPECT_NEAR(world.value(problem, solution.terms), solution.optimum, near) << "f at its own terms";
  EXPECT_GE(solution.duality_gap, -near);
  EXPECT_LE(solution.duality_gap, near);
  EXPECT_LE(solution.optimum - solution.duality_gap, optimum + near) << "the bound lies below the optimum";
}

// ------------------------------------------------------------------------------------------------ sparse

TEST(SparseLearner, ConvexOptimumIsTheProgramsWithEveryRow_ForEveryView) {
  for (const examples::Case& example : examples::cases(71)) {
    for (const char* candidates : {"all", "kmeans:4"}) {
      SCOPED_TRACE(example.name + ", " + candidates);
      World world(example, candidates);
      Rng rng(72);
      for (const Vector& dy : weights(world.oracle.bags())) {
        for (const int sign : {1, -1}) {
          const std::unique_ptr<ConvexProblem> problem =
              kSparseLearner.convex_problem(world.oracle, dy, sign, world.start(dy, sign), true);
          for (int step = 0; step < 2; ++step) {  // the second solve reuses rows and columns of the first
            const naive::SubProblem twin{world.first, sign * dy, world.random_maximisers(rng)};
            const naive::Optimum optimum = naive::sparse_optimum(world.K, twin);
            ASSERT_EQ(optimum.status, Status::solved);
            const ConvexSolution solution =
                problem->solve(twin.maximisers, {.tolerance = 1e-8 * world.scale});
            expect_certified(world, twin, solution, optimum.value, kSparse * world.scale);
            EXPECT_LE(world.dense(solution.terms).lpNorm<1>(), 1.0 + 1e-9);
          }
        }
      }
    }
  }
}

TEST(SparseLearner, GapIsACertificate_WhenTheToleranceIsLoose) {
  for (const examples::Case& example : examples::cases(73)) {
    SCOPED_TRACE(example.name);
    World world(example, "all");
    Rng rng(74);
    const Vector dy = examples::random_dy(world.oracle.bags(), 75);
    for (const double tolerance : {0.1, 0.01}) {
      const naive::SubProblem twin{world.first, dy, world.random_maximisers(rng)};
      const double optimum = naive::sparse_optimum(world.K, twin).value;
      const ConvexSolution solution =
          kSparseLearner.convex_problem(world.oracle, dy, 1, world.start(dy, 1), true)
              ->solve(twin.maximisers, {.tolerance = tolerance * world.scale});
      ASSERT_EQ(solution.status, Status::solved);
      EXPECT_LE(solution.duality_gap, tolerance * world.scale);
      EXPECT_GE(solution.optimum, optimum - kSparse * world.scale);
      EXPECT_LE(solution.optimum - solution.duality_gap, optimum + kSparse * world.scale);
    }
  }
}

TEST(SparseLearner, StopsEarlyOnlyWhenTheTargetIsOutOfReach) {
  const std::vector<examples::Case> cases = examples::cases(76);
  World world(cases[0], "all");
  Rng rng(77);
  const Vector dy = examples::random_dy(world.oracle.bags(), 78);
  const naive::SubProblem twin{world.first, dy, world.random_maximisers(rng)};
  const double optimum = naive::sparse_optimum(world.K, twin).value;
  ASSERT_LT(optimum, -1e-3);
  for (const double share : {0.5, 0.9, 0.99}) {  // within reach: it must be reached
    const ConvexSolution solution =
        kSparseLearner.convex_problem(world.oracle, dy, 1, world.start(dy, 1), true)
            ->solve(twin.maximisers, {.tolerance = 1e-8, .target = -share * optimum});
    EXPECT_NEAR(solution.optimum, optimum, kSparse);
  }
  const ConvexSolution hopeless =
      kSparseLearner.convex_problem(world.oracle, dy, 1, world.start(dy, 1), true)
          ->solve(twin.maximisers, {.tolerance = 1e-8, .target = -2.0 * optimum});
  EXPECT_GE(hopeless.optimum, optimum - kSparse);
  EXPECT_LE(hopeless.optimum - hopeless.duality_gap, optimum + kSparse) << "a bound is still a bound";
}

TEST(SparseLearner, EndsWithAnHonestGap_WhereItsProgramMayNotGrow) {
  bool cut_short = false;
  for (const examples::Case& example : examples::cases(75)) {
    SCOPED_TRACE(example.name);
    World world(example, "all");
    Rng rng(76);
    const Vector dy = examples::random_dy(world.oracle.bags(), 77);
    const naive::SubProblem twin{world.first, dy, world.random_maximisers(rng)};
    const naive::Optimum optimum = naive::sparse_optimum(world.K, twin);
    const SparseLearner small(WeakLearnerSettings{.entries = 40});
    const ConvexSolution solution = small.convex_problem(world.oracle, dy, 1, world.start(dy, 1), true)
                                        ->solve(twin.maximisers, {.tolerance = 1e-8 * world.scale});
    cut_short |= solution.status == Status::iteration_limit;
    EXPECT_GE(solution.optimum, optimum.value - kSparse * world.scale);
    EXPECT_LE(solution.optimum - solution.duality_gap, optimum.value + kSparse * world.scale);
  }
  EXPECT_TRUE(cut_short);
}

// -------------------------------------------------------------------------------------------------- ball

TEST(BallLearner, ConvexOptimumIsTheInteriorPointMethods_ForEveryView) {
  for (const examples::Case& example : examples::cases(81)) {
    SCOPED_TRACE(example.name);
    World world(example, "all", true);
    Rng rng(82);
    for (const Vector& dy : weights(world.oracle.bags())) {
      for (const int which : {0, 1, 2, 3}) {
        const int sign = which % 2 == 0 ? 1 : -1;
        const std::unique_ptr<ConvexProblem> problem =
            (which < 2 ? kBallLearner : kGrowingBall)
                .convex_problem(world.oracle, dy, sign, world.start(dy, sign), true);
        for (int step = 0; step < 2; ++step) {
          const naive::SubProblem twin{world.first, sign * dy, world.random_maximisers(rng)};
          const naive::Optimum optimum = naive::ball_optimum(world.K, twin);
          ASSERT_LE(optimum.gap, 0.1 * kBall * world.scale) << "the referee itself";
          const ConvexSolution solution = problem->solve(twin.maximisers, {.tolerance = 1e-6 * world.scale});
          expect_certified(world, twin, solution, optimum.value, kBall * world.scale);
          const Vector alpha = world.dense(solution.terms);
          EXPECT_LE(alpha.dot(world.K * alpha), 1.0 + kBall) << "||u||^2";
        }
      }
    }
  }
}

/// Under a kernel this narrow instances are all but orthogonal, and the nearest point spreads a bag's mass over all that it has.
struct NarrowKernel {
  NarrowKernel() {
    Rng rng(85);
    twin = {world.first, dy, world.random_maximisers(rng)};
    optimum = naive::ball_optimum(world.K, twin);
  }
  [[nodiscard]] ConvexSolution solved(const BallLearner& ball) {
    return ball.convex_problem(world.oracle, dy, 1, world.start(dy, 1), true)
        ->solve(twin.maximisers, {.tolerance = 1e-6 * world.scale});
  }
  static examples::Case narrow() {
    const Dataset data = examples::random_bags(8, 40, 6, 83);
    examples::Case example{"narrow", data, examples::plain_view(data, 6)};
    example.view.kernel.set_sigma(5.0);
    return example;
  }

  examples::Case example = narrow();
  World world{example, "all", true};
  Vector dy = examples::random_dy(world.oracle.bags(), 84);
  naive::SubProblem twin;
  naive::Optimum optimum;
};

TEST(BallLearner, TakesInMostOfABag_WhenTheKernelIsNarrow) {
  NarrowKernel narrow;  // bags of up to 40 must not take 40 trials
  for (const BallLearner* ball : {&kBallLearner, &kGrowingBall}) {
    const ConvexSolution solution = narrow.solved(*ball);
    expect_certified(narrow.world, narrow.twin, solution, narrow.optimum.value, kBall * narrow.world.scale);
    EXPECT_LE(solution.trials, 20);
    EXPECT_GE(solution.terms.size(), 100U);
  }
}

TEST(BallLearner, EndsWithAnHonestGap_WhereItMayTakeInNoMore) {
  NarrowKernel narrow;
  const ConvexSolution solution = narrow.solved(BallLearner(WeakLearnerSettings{.whole = 0, .points = 24}));
  EXPECT_EQ(solution.status, Status::iteration_limit);
  EXPECT_LE(std::ssize(solution.terms), 24 + narrow.world.oracle.bags());
  EXPECT_GT(solution.duality_gap, 1e-3);
  EXPECT_GE(solution.optimum, narrow.optimum.value - kBall);
  EXPECT_LE(solution.optimum - solution.duality_gap, narrow.optimum.value + kBall);
  EXPECT_NEAR(narrow.world.value(narrow.twin, solution.terms), solution.optimum, kBall);
}

TEST(BallLearner, GoesOnFromTheMixtureOfItsStart) {
  // Begun where it ended, the convex problem is solved at once.
  for (const examples::Case& example : examples::cases(86)) {
    SCOPED_TRACE(example.name);
    World world(example, "all", true);
    Rng rng(87);
    const Vector dy = examples::random_dy(world.oracle.bags(), 88);
    const std::vector<Handle> maximisers = world.random_maximisers(rng);
    const Goal goal{.tolerance = 1e-6 * world.scale};
    for (const BallLearner* ball : {&kBallLearner, &kGrowingBall}) {
      const ConvexSolution first =
          ball->convex_problem(world.oracle, dy, 1, world.start(dy, 1), true)->solve(maximisers, goal);
      ASSERT_EQ(first.status, Status::solved);
      if (first.optimum > -10.0 * goal.tolerance) continue;  // u = 0: there is no mixture
      const Start start = start_at(world.oracle, first.terms);
      const ConvexSolution again =
          ball->convex_problem(world.oracle, dy, 1, start, true)->solve(maximisers, goal);
      EXPECT_NEAR(again.optimum, first.optimum, 2.0 * goal.tolerance);
      EXPECT_LE(again.trials, 3);
    }
  }
}

TEST(ConvexSolution, SaysOfTheBagsWhatItsTermsSay) {
  for (const examples::Case& example : examples::cases(89)) {
    SCOPED_TRACE(example.name);
    World world(example, "all", true);
    Rng rng(90);
    const Vector dy = examples::random_dy(world.oracle.bags(), 91);
    const std::vector<Handle> maximisers = world.random_maximisers(rng);
    for (const WeakLearner* learner :
         {static_cast<const WeakLearner*>(&kSparseLearner), static_cast<const WeakLearner*>(&kBallLearner),
          static_cast<const WeakLearner*>(&kGrowingBall)}) {
      const ConvexSolution solution = learner->convex_problem(world.oracle, dy, 1, world.start(dy, 1), true)
                                          ->solve(maximisers, {.tolerance = 1e-4 * world.scale});
      if (solution.response.value.empty()) continue;  // u = 0
      const Response expected = world.respond(solution.terms);
      for (std::size_t i = 0; i < expected.value.size(); ++i) {
        EXPECT_NEAR(solution.response.value[i], expected.value[i], kCancellation * world.scale);
      }
    }
  }
}

TEST(Goal, AllowsAShareOfTheEdgeAndOfWhatIsAboveTheTarget) {
  const Goal goal{.tolerance = 1e-3, .relative = 0.1, .spare = 0.5, .target = 0.2};
  EXPECT_DOUBLE_EQ(goal.allowed(0.0), 1e-3);
  EXPECT_DOUBLE_EQ(goal.allowed(kInfinity), 1e-3);
  EXPECT_DOUBLE_EQ(goal.allowed(-0.2), 0.02);
  EXPECT_DOUBLE_EQ(goal.allowed(-1.0), 0.4);
  EXPECT_DOUBLE_EQ((Goal{.spare = 0.5, .target = -1.0}.allowed(0.0)), 0.0) << "u = 0 is above no target";
  EXPECT_DOUBLE_EQ((Goal{.tolerance = 1e-3}.allowed(-1.0)), 1e-3);
}

// ------------------------------------------------------------------------------------------ DC algorithm

struct Kind {
  const char* name;
  bool ball;
};
constexpr Kind kKinds[] = {{"sparse", false}, {"ball", true}};

std::unique_ptr<WeakLearner> learner(const Kind& kind, const WeakLearnerSettings& settings) {
  if (kind.ball) return std::make_unique<BallLearner>(settings);
  return std::make_unique<SparseLearner>(settings);
}

TEST(WeakLearner, EdgeNeverFalls_FromOneDcStepToTheNext) {
  for (const Kind& kind : kKinds) {
    for (const examples::Case& example : examples::cases(91)) {
      SCOPED_TRACE(example.name + ", " + kind.name);
      World world(example, "all", kind.ball);
      for (const int sign : {1, -1}) {
        const Vector dy = examples::random_dy(world.oracle.bags(), 92);
        const Start start = world.start(dy, sign);
        double last = naive::edge(world.respond(start.terms), dy, sign);
        for (int steps = 1; steps <= 6; ++steps) {
          WeakLearnerSettings settings;
          settings.tolerance = 1e-6;
          settings.dc_tolerance = 1e-9;
          settings.max_dc_steps = steps;
          const WeakHypothesis learned =
              learner(kind, settings)->learn(world.oracle, dy, sign, start, 0.0, true);
          EXPECT_EQ(learned.sign, sign);
          EXPECT_GE(learned.edge, last - 1e-5 * world.scale);
          const Response response = world.respond(learned.terms);
          EXPECT_NEAR(learned.edge, naive::edge(response, dy, sign), kCancellation * world.scale);
          for (std::size_t i = 0; i < response.value.size(); ++i) {
            EXPECT_NEAR(learned.response.value[i], response.value[i], kCancellation * world.scale);
          }
          const Vector alpha = world.dense(learned.terms);
          EXPECT_LE(kind.ball ? alpha.dot(world.K * alpha) : alpha.lpNorm<1>(), 1.0 + 1e-6);
          last = learned.edge;
        }
      }
    }
  }
}

TEST(WeakLearner, EndsWhereTheDcAlgorithmHasNothingToGain) {
  for (const Kind& kind : kKinds) {
    bool many_steps = false;  // did any run need more than two?
    for (const examples::Case& example : examples::cases(93)) {
      SCOPED_TRACE(example.name + ", " + kind.name);
      World world(example, "all", kind.ball);
      for (const std::uint64_t seed : {94U, 95U, 96U, 97U, 98U, 99U}) {
        const Vector dy = examples::random_dy(world.oracle.bags(), seed);
        WeakLearnerSettings settings;
        settings.tolerance = 1e-6;
        settings.dc_tolerance = 1e-6;
        const Start start = world.start(dy, 1);
        const WeakHypothesis learned = learner(kind, settings)->learn(world.oracle, dy, 1, start, 0.0, true);
        // Linearised where it ended, the convex problem's optimum is the edge it has.
        const naive::SubProblem twin{world.first, dy, world.respond(learned.terms).argmax};
        const naive::Optimum next =
            kind.ball ? naive::ball_optimum(world.K, twin) : naive::sparse_optimum(world.K, twin);
        EXPECT_GE(next.value, -learned.edge - 1e-4 * world.scale);
        settings.max_dc_steps = 2;
        const WeakHypothesis hasty = learner(kind, settings)->learn(world.oracle, dy, 1, start, 0.0, true);
        many_steps = many_steps || hasty.edge < learned.edge - 1e-4 * world.scale;
      }
    }
    EXPECT_TRUE(many_steps) << "the cases are too easy";
  }
}

TEST(WeakLearner, StaysWithItsStart_WhenNoStepIsAllowed) {
  const std::vector<examples::Case> cases = examples::cases(95);
  World world(cases[0], "all");
  const Vector dy = examples::random_dy(world.oracle.bags(), 96);
  WeakLearnerSettings settings;
  settings.max_dc_steps = 0;
  const Start start = world.start(dy, 1);
  const WeakHypothesis learned = SparseLearner(settings).learn(world.oracle, dy, 1, start, 0.0, true);
  ASSERT_EQ(learned.terms.size(), 1U);
  EXPECT_EQ(learned.terms[0].z, start.terms[0].z);
  EXPECT_EQ(std::abs(learned.terms[0].alpha), 1.0) << "a one-hot alpha";
  EXPECT_NEAR(learned.edge, naive::edge(world.respond(start.terms), dy, 1), kCancellation);
}

TEST(WeakLearner, BeatsEverySingleInstance_WhenItRefines) {
  double largest_gain = 0.0;
  for (const examples::Case& example : examples::cases(97)) {
    SCOPED_TRACE(example.name);
    World world(example, "all");
    const Vector dy = examples::random_dy(world.oracle.bags(), 98);
    const Start start = world.start(dy, 1);
    const double single = naive::edge(world.respond(start.terms), dy, 1);
    const WeakHypothesis learned = SparseLearner().learn(world.oracle, dy, 1, start, 0.0, true);
    EXPECT_GE(learned.edge, single - kCancellation * world.scale);
    largest_gain = std::max(largest_gain, learned.edge / single - 1.0);
  }
  EXPECT_GT(largest_gain, 0.1) << "the DC algorithm gained nothing anywhere";
}

TEST(EdgeOf, IsTheSum_ForEitherSign) {
  const Response response{{1.0, 2.0, -3.0}, {0, 1, 2}};
  const Vector dy{{0.5, -0.25, 0.25}};
  EXPECT_DOUBLE_EQ(edge_of(response, dy, 1), 0.5 - 0.5 - 0.75);
  EXPECT_DOUBLE_EQ(edge_of(response, dy, -1), 0.75);
}

}  // namespace
}  // namespace shapeboost
