// SPDX-License-Identifier: MIT
#include "learn/baselines.hpp"

#include <gtest/gtest.h>
#if SHAPEBOOST_LIBSVM
#include <svm.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "ground/stop.hpp"
#include "model/respond.hpp"
#include "shapeboost/guarantee.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/baselines.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "train/plan.hpp"
#include "train/trainer.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

using examples::bags_of_numbers;
using examples::noisy_bags;
using examples::settings_for;

#if SHAPEBOOST_LIBSVM
constexpr Method kBaselines[] = {Method::mi_svm, Method::MI_svm, Method::l1_svm};
#else
constexpr Method kBaselines[] = {Method::l1_svm};
#endif

class InstanceSvm : public testing::Test {
 protected:
  void SetUp() override {
    if (!SHAPEBOOST_LIBSVM) GTEST_SKIP() << "built without libsvm";
  }
};
using MiSvm = InstanceSvm;

// ------------------------------------------------------------------------------------------- known answers

/// Between the largest negative instance, 0, and what every positive bag has, 2: g(x) = x - 1, the widest
/// margin. The instances below 0 of positive bags are no matter.
TEST_F(InstanceSvm, FindsTheWidestMargin_ByChoosingInstances) {
  const Dataset data = bags_of_numbers({{"n", {0.0, -4.0}},
                                        {"n", {-1.0, -2.0}},
                                        {"n", {0.0, -3.0, -5.0}},
                                        {"p", {2.0, -1.0}},
                                        {"p", {-0.5, 2.0}}});
  for (const Method method : {Method::mi_svm, Method::MI_svm}) {
    TrainSettings settings = settings_for(method, 50.0, KernelKind::linear);
    settings.standardise = false;
    const TrainingResult result = train(data, settings);
    EXPECT_EQ(result.stop, Stop::gap) << to_string(method);
    const Scores scored =
        Predictor(result.model).instance_scores(bags_of_numbers({{"n", {0.0, 2.0, 5.0, -3.0}}}));
    EXPECT_NEAR(scored.parts(0, 0), -1.0, 1e-3) << to_string(method);
    EXPECT_NEAR(scored.parts(1, 0), 1.0, 1e-3);
    EXPECT_NEAR(scored.parts(2, 0), 4.0, 1e-3);
    EXPECT_NEAR(scored.parts(3, 0), -4.0, 1e-3);
    const Part& part = result.model.parts.front();
    ASSERT_EQ(part.weights.size(), 1U);
    EXPECT_EQ(part.weights.front().w, 1.0);
    EXPECT_NEAR(part.rho, 1.0, 1e-3);
  }
}

// ------------------------------------------------------------------------------------------- the fixed point

#if SHAPEBOOST_LIBSVM
/// libsvm itself on these vectors, and its decision values for `asked`.
std::vector<double> by_libsvm(const Kernel& kernel, const std::vector<Vector>& x,
                              const std::vector<double>& y, double positive_cost, double negative_cost,
                              const std::vector<Vector>& asked) {
  const auto nodes_of = [](const Vector& values) {
    std::vector<svm_node> nodes;
    for (Eigen::Index f = 0; f < values.size(); ++f) nodes.push_back({static_cast<int>(f) + 1, values[f]});
    nodes.push_back({-1, 0.0});
    return nodes;
  };
  std::vector<std::vector<svm_node>> rows;
  std::vector<svm_node*> pointers;
  for (const Vector& values : x) rows.push_back(nodes_of(values));
  for (auto& row : rows) pointers.push_back(row.data());
  std::vector<double> labels(y);
  svm_problem problem{static_cast<int>(rows.size()), labels.data(), pointers.data()};
  int sides[2] = {1, -1};
  double costs[2] = {positive_cost, negative_cost};
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  const auto* polynomial = kernel.as<kernels::Polynomial>();
  parameter.kernel_type = kernel.has_sigma() ? RBF : polynomial == nullptr ? LINEAR : POLY;
  parameter.gamma = kernel.has_sigma() ? kernel.sigma() : 1.0;
  parameter.degree = polynomial == nullptr ? 0 : polynomial->p;
  parameter.coef0 = polynomial == nullptr ? 0.0 : polynomial->c;
  parameter.cache_size = 10.0;
  parameter.eps = 1e-4;
  parameter.C = 1.0;
  parameter.nr_weight = 2;
  parameter.weight_label = sides;
  parameter.weight = costs;
  parameter.shrinking = 1;
  svm_model* model = svm_train(&problem, &parameter);
  std::vector<double> values;
  for (const Vector& one : asked) {
    const std::vector<svm_node> nodes = nodes_of(one);
    double value = 0.0;
    svm_predict_values(model, nodes.data(), &value);
    values.push_back(model->label[0] > 0 ? value : -value);
  }
  svm_free_and_destroy_model(&model);
  return values;
}
#else
std::vector<double> by_libsvm(const Kernel&, const std::vector<Vector>&, const std::vector<double>&, double,
                              double, const std::vector<Vector>&) {
  throw Error("built without libsvm");
}
#endif

/// Rebuilds the last training from the model's own scores: labels or selectors that they imply, trained by
/// libsvm, must give the same scores. Returns how many positive bags have no instance above 0.
int check_fixed_point(const Dataset& data, const TrainSettings& settings, double positive_cost,
                      double negative_cost) {
  const TrainingResult result = train(data, settings);
  EXPECT_EQ(result.stop, Stop::gap);
  const Model& model = result.model;
  const std::unique_ptr<Instances> seen = make_instances(data, model.views.front());
  const Shapelet& shapelet = model.hypotheses.front().shapelet;
  std::vector<Probe> support;
  for (const Instance& z : shapelet.instances) support.push_back(seen->probe(z));

  std::vector<Vector> all;
  std::vector<double> f;
  for (std::int64_t x = 0; x < seen->size(); ++x) {
    all.push_back(seen->probe(x).values);
    double score = model.parts.front().b;
    for (std::size_t k = 0; k < support.size(); ++k) {
      score += shapelet.alpha[k] * seen->similarity(support[k], seen->probe(x));
    }
    f.push_back(score);
  }
  std::vector<Vector> vectors;
  std::vector<double> labels;
  std::vector<Vector> negatives;
  int rescued = 0;
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  for (std::int64_t bag = 0; bag < seen->bags(); ++bag) {
    const std::int64_t first = seen->first(bag);
    std::int64_t best = first;
    for (std::int64_t x = first; x < seen->first(bag + 1); ++x) {
      if (f[at(x)] > f[at(best)]) best = x;
    }
    const bool positive = data.label(bag) == 1;
    if (positive && f[at(best)] <= 0.0) ++rescued;
    if (settings.method == Method::MI_svm) {
      if (positive) vectors.push_back(all[at(best)]);
      for (std::int64_t x = first; !positive && x < seen->first(bag + 1); ++x)
        negatives.push_back(all[at(x)]);
      continue;
    }
    for (std::int64_t x = first; x < seen->first(bag + 1); ++x) {
      vectors.push_back(all[at(x)]);
      labels.push_back(positive && (f[at(x)] > 0.0 || x == best) ? 1.0 : -1.0);
    }
  }
  if (settings.method == Method::MI_svm) labels.assign(vectors.size(), 1.0);
  vectors.insert(vectors.end(), negatives.begin(), negatives.end());
  labels.resize(vectors.size(), -1.0);
  const std::vector<double> wanted =
      by_libsvm(model.views.front().kernel, vectors, labels, positive_cost, negative_cost, all);
  double size = 1.0;
  for (const double value : wanted) size = std::max(size, std::abs(value));
  // Both end within a violation of 1e-4, and by other steps where kernel values round differently.
  for (std::size_t x = 0; x < f.size(); ++x) EXPECT_NEAR(f[x], wanted[x], 1e-3 * size);

  // And the predictor's score of a bag is its best instance's.
  const Scores scored = scores(model, data);
  for (std::int64_t bag = 0; bag < seen->bags(); ++bag) {
    const auto begin = f.begin() + seen->first(bag);
    EXPECT_NEAR(scored.parts(bag, 0), *std::max_element(begin, begin + seen->count(bag)), 1e-9 * size);
  }
  return rescued;
}

TEST_F(InstanceSvm, IsAFixedPoint_WithLibsvmsOwnDecisionValues) {
  for (const Method method : {Method::mi_svm, Method::MI_svm}) {
    for (const KernelKind kernel : {KernelKind::gaussian, KernelKind::linear, KernelKind::polynomial}) {
      SCOPED_TRACE(std::string(to_string(method)) + ", " + std::string(to_string(kernel)));
      check_fixed_point(noisy_bags(3), settings_for(method, 0.7, kernel), 0.7, 0.7);
    }
  }
}

TEST_F(InstanceSvm, IsAFixedPoint_WhereNoMatrixIsKept) {
  Rng rng(2);
  Dataset data(DataKind::bags);
  for (int i = 0; i < 16; ++i) {
    const bool positive = i % 2 == 1;
    Matrix bag(positive ? 4 : 800, 3);  // 6,432 instances
    for (double& value : bag.reshaped()) value = rng.normal();
    if (positive) bag.row(i % 4).array() += 3.0;
    add(data, bag, positive ? "p" : "n", std::to_string(i));
  }
  for (const Method method : {Method::mi_svm, Method::MI_svm}) {
    SCOPED_TRACE(to_string(method));
    check_fixed_point(data, settings_for(method, 0.7), 0.7, 0.7);
  }
}

TEST_F(InstanceSvm, CountsTheMatrixThatItKeeps) {
  const auto bytes = [](Method method, std::int64_t instances, bool parts) {
    return instance_svm_bytes(method, instances, 50, 10, parts);
  };
  EXPECT_GE(bytes(Method::mi_svm, 1000, false), 1000 * 1000 * 16);
  EXPECT_GE(bytes(Method::MI_svm, 1000, false), 1050 * 1050 * 16) << "the means of bags";
  EXPECT_LT(bytes(Method::mi_svm, 7000, false), 6000 * 6000 * 16) << "none is kept of so many";
  EXPECT_GE(bytes(Method::mi_svm, 7000, true), bytes(Method::mi_svm, 6000, false)) << "but of a part of them";
}

TEST_F(InstanceSvm, SeesWindowsAsInstances) {
  SyntheticSettings synthetic;
  synthetic.examples = 10;
  synthetic.length = 30;
  const Dataset data = planted_series(synthetic).data;
  for (const Method method : {Method::mi_svm, Method::MI_svm}) {
    TrainSettings settings = settings_for(method, 2.0);
    settings.normalisations = {Normalisation::z};
    SCOPED_TRACE(to_string(method));
    check_fixed_point(data, settings, 2.0, 2.0);
  }
}

TEST_F(MiSvm, LeavesEveryPositiveBagAPositiveInstance) {
  // Where bags are told apart badly some have no instance above 0; the check above wants their best as
  // positive all the same.
  int rescued = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    rescued +=
        check_fixed_point(examples::random_bags(24, 5, 3, seed), settings_for(Method::mi_svm, 0.3), 0.3, 0.3);
  }
  EXPECT_GT(rescued, 0);
}

TEST_F(MiSvm, StopsWhereLabelsWouldGoRoundInACircle) {
  int stalled = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const TrainingResult result =
        train(examples::random_bags(12, 4, 1, seed), settings_for(Method::mi_svm, 0.1, KernelKind::linear));
    if (result.stop != Stop::stalled) continue;
    ++stalled;
    EXPECT_GE(result.rounds.size(), 2U) << "a circle has two stations at the least";
    EXPECT_GT(result.gap, 0.0);
    EXPECT_EQ(result.model.hypotheses.size(), 1U);
  }
  EXPECT_GT(stalled, 0);
}

TEST_F(InstanceSvm, CostsFollowTheClassWeights) {
  const Dataset data = noisy_bags(4);  // as many bags of either class
  TrainSettings settings = settings_for(Method::MI_svm, 1.0);
  settings.class_weights = ClassWeights::parse("active=3,inactive=1");
  const double active = data.classes()[1] == "active" ? 1.5 : 0.5;
  check_fixed_point(data, settings, active, 2.0 - active);
}

/// Costs and numbers so large that ten million steps do not do.
struct Endless {
  Dataset data{DataKind::bags};
  TrainSettings settings = settings_for(Method::MI_svm, 1e8, KernelKind::linear);

  Endless() {
    Rng rng(1);
    for (int i = 0; i < 8; ++i) {
      Matrix bag(3, 3);
      for (double& value : bag.reshaped()) value = 1e3 * rng.normal();
      add(data, bag, i % 2 == 0 ? "no" : "yes", std::to_string(i));
    }
    settings.standardise = false;
  }
};

/// The library's user finds a note; what others write on stderr meanwhile comes out.
TEST_F(InstanceSvm, ThatGivesUpIsNoted_AndPrintsNothing) {
  const auto [data, settings] = Endless();
  testing::internal::CaptureStderr();
  std::atomic<bool> done = false;
  std::thread other([&] {
    while (!done) {
      std::fputs("another thread\n", stderr);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  const TrainingResult result = train(data, settings);
  done = true;
  other.join();
  const std::string printed = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(std::ranges::any_of(result.notes, [](const std::string& note) {
    return note.starts_with("libsvm gave up before the optimum");
  }));
#ifdef __GLIBC__
  EXPECT_EQ(printed.find("WARNING"), std::string::npos) << printed;
#endif
  EXPECT_NE(printed.find("another thread\n"), std::string::npos);
}

TEST_F(InstanceSvm, IsStoppedInTheMiddleOfATraining) {
  const auto [data, settings] = Endless();
  constexpr std::int64_t kEnough = 1000;  // all steps would ask 400 times as often
  std::int64_t asked = 0;
  Observer observer;
  observer.interrupted = [&] { return ++asked > kEnough; };
  const TrainingResult result = train(data, settings, observer);
  EXPECT_EQ(result.stop, Stop::interrupted);
  EXPECT_GT(asked, kEnough);
  EXPECT_LT(asked, kEnough + 100);
  EXPECT_NO_THROW((void)model_from_json(to_json(result.model), "stopped"));

  asked = 0;
  Observer hasty;
  hasty.abandoned = observer.interrupted;
  EXPECT_THROW((void)train(data, settings, hasty), Abandoned);
  EXPECT_LT(asked, kEnough + 100);
}

// ------------------------------------------------------------------------------------------- as any model

TEST(Baselines, LearnAndRoundTrip_ForTwoClassesAndMore) {
  Rng rng(5);
  Dataset three(DataKind::bags);
  for (int i = 0; i < 30; ++i) {
    Matrix bag(4, 2);
    for (double& value : bag.reshaped()) value = 0.3 * rng.normal();
    if (i % 3 > 0) bag(i % 4, i % 3 - 1) += 4.0;
    add(three, bag, std::string(1, static_cast<char>('a' + i % 3)), std::to_string(i));
  }
  for (const Method method : kBaselines) {
    for (const Strategy strategy : {Strategy::one_vs_one, Strategy::one_vs_rest}) {
      TrainSettings settings = settings_for(method, 10.0);
      settings.strategy = strategy;
      const Model model = train(three, settings).model;
      EXPECT_EQ(model.provenance.method, to_string(method));
      const Model again = model_from_json(to_json(model), "again");
      EXPECT_EQ(to_json(again), to_json(model));
      const std::vector<int> predicted = predictions(again, scores(again, three));
      int right = 0;
      for (std::int64_t i = 0; i < three.size(); ++i) {
        right += predicted[static_cast<std::size_t>(i)] == three.label(i) ? 1 : 0;
      }
      // Against the rest, one maximum cannot say "neither of both" of class a.
      EXPECT_GE(right, strategy == Strategy::one_vs_one ? 26 : 19) << to_string(method);
      for (const Guarantee& guarantee : guarantees(again)) {
        EXPECT_TRUE(guarantee.bound.has_value()) << guarantee.reason;
      }
    }
  }
}

TEST(Baselines, DoNotDependOnThreadsOrMemory) {
  const Dataset data = noisy_bags(2, 40);
  for (const Method method : kBaselines) {
    TrainSettings settings = settings_for(method);
    const std::string one = to_json(train(data, settings).model);
    settings.threads = 3;
    settings.memory = smallest_memory(data, settings);
    EXPECT_EQ(to_json(train(data, settings).model), one) << to_string(method);
  }
}

TEST(Baselines, StopWhenTold_WithAWorkingModel) {
  const Dataset data = examples::random_bags(30, 6, 3, 2);
  for (const Method method : kBaselines) {
    TrainSettings settings = settings_for(method, 3.0);
    ASSERT_GT(train(data, settings).rounds.size(), 2U) << to_string(method);
    Observer hurried;
    hurried.interrupted = [] { return true; };
    const TrainingResult interrupted = train(data, settings, hurried);
    EXPECT_EQ(interrupted.stop, Stop::interrupted) << to_string(method);
    EXPECT_LE(interrupted.rounds.size(), 1U) << "none where the table was not ready";
    EXPECT_FALSE(Predictor::borrow(interrupted.model).scores(data, 1).parts.data() == nullptr);
    settings.baseline.max_rounds = 2;
    const TrainingResult stopped = train(data, settings);
    EXPECT_EQ(stopped.stop, Stop::rounds) << to_string(method);
    EXPECT_EQ(stopped.rounds.size(), 2U);
    EXPECT_FALSE(stopped.model.hypotheses.empty());
    EXPECT_NO_THROW((void)model_from_json(to_json(stopped.model), "stopped"));
  }
}

TEST(Baselines, RefuseWhatTheyCannotDo_WithOneSentence) {
  const Dataset data = noisy_bags(1);
  const auto fault = [&](const Dataset& on, const std::function<void(TrainSettings&)>& spoil) {
    TrainSettings settings = settings_for(Method::mi_svm);
    spoil(settings);
    return examples::sentence([&] { (void)train(on, settings); });
  };
  EXPECT_EQ(fault(data, [](TrainSettings& s) { s.baseline.C = 0.0; }),
            "C: expected a number above 0 and at most 1e+15, found 0");
  EXPECT_EQ(fault(data, [](TrainSettings& s) { s.baseline.C = kInfinity; }),
            "C: expected a number above 0 and at most 1e+15, found inf");
  EXPECT_EQ(fault(data,
                  [](TrainSettings& s) {
                    s.sigma_scales = {1.0, 2.0};
                  }),
            "method: mi-svm looks at one view, found 2");
#if SHAPEBOOST_LIBSVM
  EXPECT_EQ(fault(data, [](TrainSettings& s) { s.kernel.kind = KernelKind::laplacian; }),
            "method: mi-svm compares by linear, polynomial or gaussian kernels, found laplacian");
  EXPECT_EQ(fault(examples::random_series(6, 20, 1), [](TrainSettings& s) { s.taus = {2.0}; }),
            "method: mi-svm knows no position term, found tau 2");
  EXPECT_EQ(fault(data, [](TrainSettings& s) { s.memory = 1; }).substr(0, 8), "memory: ");
#else
  EXPECT_EQ(
      fault(data, [](TrainSettings&) {}),
      "method: mi-svm needs libsvm, which this build lacks: install it (Debian: libsvm-dev) and build again");
#endif
  EXPECT_EQ(examples::sentence([] { (void)parse<Method>("MI-SVM"); }),
            "method: expected boost, mi-svm, MI-svm or l1-svm, found 'MI-SVM'");
  for (const Method method : {Method::boost, Method::mi_svm, Method::MI_svm, Method::l1_svm}) {
    EXPECT_EQ(parse<Method>(to_string(method)), method);
  }
}

}  // namespace
}  // namespace shapeboost
