// SPDX-License-Identifier: MIT
// Find, then weigh: committees whose patterns one ridge regression weighs.
#include "train/head.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "model/interval_reader.hpp"
#include "model/pattern_reader.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "solve/multinomial.hpp"
#include "solve/ridge.hpp"
#include "support/accuracy.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "support/planted.hpp"
#include "train/plan.hpp"

namespace shapeboost {
namespace {

using examples::sentence;

Dataset noisy_series(std::uint64_t seed, std::int64_t count = 40) {
  return examples::small_series(seed, count, 0.5, 60);
}

/// `classes` classes, each with a bump of its own width, somewhere.
Dataset bumps(int classes, std::int64_t each, std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::series, "bumps");
  for (std::int64_t i = 0; i < classes * each; ++i) {
    const auto c = static_cast<int>(i) % classes;
    Matrix series(1, 50);
    for (double& value : series.reshaped()) value = 0.2 * rng.normal();
    const std::int64_t begin = rng.below(50 - 4 * (c + 1));
    for (std::int64_t t = 0; t < 4 * (c + 1); ++t) series(0, begin + t) += 2.0;
    add(data, series, std::string(1, static_cast<char>('a' + c)), std::to_string(i));
  }
  return data;
}

TrainSettings members() {
  TrainSettings settings;
  settings.members = 12;
  settings.threads = 1;
  return settings;
}

/// The columns that the ridge regression of this model has seen, from its own file: standardised evidence of the
/// training data times its factor, 0 where a pattern meets the example it was cut from; then that of intervals.
Eigen::MatrixXf columns_of(const Model& model, const Dataset& data) {
  const Responses responses = Predictor::borrow(model).responses(data, 1);
  const std::vector<Evidence>& kinds = model.head->evidence;
  const std::optional<Intervals>& intervals = model.head->intervals;
  const std::int64_t patterns = std::ssize(model.hypotheses) * std::ssize(kinds);
  Eigen::MatrixXf columns(data.size(), patterns + responses.intervals.cols());
  for (std::int64_t i = 0; i < data.size(); ++i) {
    for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
      const Hypothesis& pattern = model.hypotheses[j];
      const bool own = pattern.shapelet.instances[0].example == i;
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        const Standard& standard = pattern.standard[static_cast<std::size_t>(kinds[k])];
        const double factor = model.head->factors[at(pattern.view)][k];
        const double value = factor * (responses.of(kinds[k], i, j) - standard.centre) / standard.scale;
        columns(i, static_cast<Eigen::Index>(j * kinds.size() + k)) = own ? 0.0F : static_cast<float>(value);
      }
    }
    for (std::int64_t k = 0; k < responses.intervals.cols(); ++k) {
      const double value = detail::standardised(intervals->standard[at(k)], responses.intervals(i, k));
      columns(i, patterns + k) = static_cast<float>(intervals->factors[intervals->group(at(k))] * value);
    }
  }
  return columns;
}

TEST(Head, IsTheDefaultOfSeriesAndBags) {
  const Dataset series = noisy_series(1);
  const Dataset bags = examples::random_bags(12, 4, 3, 1);
  const auto head_of = [](const Dataset& data, TrainSettings settings) {
    return plan(data, settings).settings.head;
  };
  EXPECT_EQ(head_of(series, {}), HeadKind::ridge);
  EXPECT_EQ(head_of(bags, {}), HeadKind::both);
  TrainSettings settings;
  settings.members = 1;
  EXPECT_EQ(head_of(series, settings), HeadKind::average);
  settings = {};
  settings.strategy = Strategy::one_vs_one;
  EXPECT_EQ(head_of(series, settings), HeadKind::average);
  settings = {};
  settings.boosting.one_sided = true;
  EXPECT_EQ(head_of(series, settings), HeadKind::average);
}

TEST(Head, HasMoreMembersWhereExamplesAreMany) {
  Dataset data(DataKind::series);
  const std::vector<double> values(8, 1.0);
  for (int i = 0; i < 16'000; ++i) data.borrow(values, i % 2 == 0 ? "a" : "b", "");
  EXPECT_EQ(plan(data, {}).members.size(), 200U);
  EXPECT_EQ(plan(data.subset({0, 1, 2, 3}), {}).members.size(), 150U);
}

TEST(Head, TellsPlantedPatternsApartOnNewSeries) {
  const TrainingResult training = train(noisy_series(1, 100), {});
  EXPECT_GE(accuracy_of(training.model, noisy_series(2, 200)), 0.9);
  ASSERT_TRUE(training.model.head);
  EXPECT_LT(training.model.head->residual, 1e-9);
  EXPECT_GT(training.model.head->left_out_accuracy, 0.85);
}

/// Scores of several classes as a head mixes them: all of them, and each fifth as the others say.
struct Mixed {
  Eigen::MatrixXd A;
  Vector c;
  Eigen::MatrixXd left_out;
};

Mixed mixed_by(const Eigen::MatrixXd& scores, const Dataset& data) {
  const Eigen::Index classes = scores.cols();
  Mixed mixed{Eigen::MatrixXd::Identity(classes, classes), Vector::Zero(classes), scores};
  if (classes == 1) return mixed;
  ThreadPool threads(1);
  for (std::int64_t fold = 0; fold <= 5; ++fold) {  // the last takes all
    std::vector<std::int64_t> seen;
    std::vector<int> labels;
    for (std::int64_t i = 0; i < data.size(); ++i) {
      if (i % 5 == fold) continue;
      seen.push_back(i);
      labels.push_back(data.label(i));
    }
    const MultinomialSolution found = multinomial(scores(seen, Eigen::all), labels, {}, threads);
    for (std::int64_t i = fold; fold < 5 && i < data.size(); i += 5) {
      mixed.left_out.row(i) = scores.row(i) * found.A + found.c.transpose();
    }
    mixed.A = found.A;
    mixed.c = found.c;
  }
  return mixed;
}

TEST(Head, SolvesTheRidgeProblemOfItsOwnColumns) {
  for (const int classes : {2, 4}) {
    const Dataset data = bumps(classes, 12, 3);
    const TrainingResult training = train(data, members());
    const Model& model = training.model;
    const Eigen::MatrixXf X = columns_of(model, data);
    ASSERT_EQ(model.parts.size(), classes == 2 ? 1U : 4U);
    Eigen::MatrixXd Y = Eigen::MatrixXd::Constant(data.size(), std::ssize(model.parts), -1.0);
    for (std::int64_t i = 0; i < data.size(); ++i) {
      for (std::size_t p = 0; p < model.parts.size(); ++p) {
        if (model.parts[p].positive == data.label(i)) Y(i, static_cast<Eigen::Index>(p)) = 1.0;
      }
    }
    ThreadPool threads(1);
    RidgeSettings fixed;
    fixed.smallest = fixed.largest = fixed.start = model.head->alpha;
    const RidgeSolution again = ridge(X, Y, {}, fixed, threads);
    const Mixed mixed = mixed_by(again.left_out, data);
    ASSERT_EQ(model.head->mixing.size(), classes == 2 ? 0U : 4U);
    const Eigen::MatrixXd weights = again.weights * mixed.A;
    const Vector b = mixed.A.transpose() * again.b + mixed.c;
    const std::size_t kinds = model.head->evidence.size();
    for (std::size_t p = 0; p < model.parts.size(); ++p) {
      const Part& part = model.parts[p];
      EXPECT_NEAR(part.b, b[static_cast<Eigen::Index>(p)], 1e-4);
      for (std::size_t k = 0; k < model.head->mixing.size(); ++k) {
        EXPECT_NEAR(model.head->mixing[k][p],
                    mixed.A(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(p)), 1e-4);
      }
      for (const Weight& weight : part.weights) {
        const auto kind =
            std::ranges::find(model.head->evidence, weight.evidence) - model.head->evidence.begin();
        const auto row = weight.hypothesis * static_cast<Eigen::Index>(kinds) + kind;
        const int view = model.hypotheses[at(weight.hypothesis)].view;
        const double factor = model.head->factors[at(view)][at(kind)];
        EXPECT_NEAR(weight.w, factor * weights(row, static_cast<Eigen::Index>(p)), 1e-4);
      }
    }
    EXPECT_NEAR(model.head->left_out_error, again.left_out_error, 1e-5);
    ASSERT_EQ(training.left_out.rows(), data.size());
    for (std::int64_t i = 0; i < data.size(); ++i) {
      for (std::size_t p = 0; p < model.parts.size(); ++p) {
        EXPECT_NEAR(training.left_out(i, p), mixed.left_out(i, static_cast<Eigen::Index>(p)), 1e-3);
      }
    }
  }
}

TEST(Head, IsTheSameForAnyNumberOfThreads) {
  const Dataset data = bumps(3, 8, 4);
  TrainSettings settings = members();
  const std::string one = to_json(train(data, settings).model);
  settings.threads = 3;
  EXPECT_EQ(to_json(train(data, settings).model), one);
}

TEST(Head, ComesBackFromItsFileAndPredictsTheSame) {
  const Dataset data = bumps(3, 8, 5);
  const Model model = train(data, members()).model;
  const std::string text = to_json(model);
  const Model read = model_from_json(text, "model");
  EXPECT_EQ(to_json(read), text);
  const Dataset others = bumps(3, 5, 6);
  EXPECT_EQ(scores(read, others, 1).parts, scores(model, others, 2).parts);
}

TEST(Head, ScoresAreTheSameFromResponsesAndOneByOne) {
  const Dataset data = bumps(3, 8, 7);
  const Predictor predictor(train(data, members()).model);
  const Dataset others = bumps(3, 30, 8);
  const Scores together = predictor.scores(others, 2);
  EXPECT_EQ(predictor.scores(predictor.responses(others, 1)).parts, together.parts);
  for (const std::int64_t i : {0, 41, 89}) {
    const Scores alone = predictor.scores(others.subset({i}), 1);
    for (int p = 0; p < 3; ++p) EXPECT_EQ(alone.parts(0, p), together.parts(i, p));
  }
}

TEST(Head, KeepsAsManyPatternsAsAskedForAndStillTellsClassesApart) {
  const Dataset data = bumps(4, 15, 9);
  const Dataset others = bumps(4, 50, 10);
  TrainSettings settings;
  settings.threads = 1;
  settings.members = 40;
  const double all = accuracy_of(train(data, settings).model, others);
  for (const std::int64_t patterns : {1, 8, 30}) {
    settings.patterns = patterns;
    const Model model = train(data, settings).model;
    EXPECT_EQ(std::ssize(model.hypotheses), patterns);
    std::set<int> views;
    for (const Hypothesis& pattern : model.hypotheses) views.insert(pattern.view);
    EXPECT_EQ(views.size(), model.views.size()) << "a view that no pattern uses";
    if (patterns == 30) {
      EXPECT_GE(accuracy_of(model, others), all - 0.1);
    }
  }
}

TEST(Head, DropsThePatternsThatItWouldMissLeast) {
  // Half of the patterns of a small pool, chosen by the head, fit better than as many chosen by number.
  const Dataset data = noisy_series(11, 60);
  TrainSettings settings = members();
  settings.patterns = 10;
  const double chosen = train(data, settings).model.head->left_out_error;
  settings.patterns = 0;
  settings.members = 2;  // as many patterns or more, none of them chosen
  const TrainingResult few = train(data, settings);
  ASSERT_GE(few.model.hypotheses.size(), 10U);
  EXPECT_LT(chosen, few.model.head->left_out_error);
}

TEST(Head, WeighsOnlyTheEvidenceThatIsAskedFor) {
  const Dataset data = bumps(2, 12, 12);
  TrainSettings settings = members();
  settings.evidence = {Evidence::share};
  const Model model = train(data, settings).model;
  for (const Weight& weight : model.parts[0].weights) EXPECT_EQ(weight.evidence, Evidence::share);
  EXPECT_EQ(model.head->evidence, settings.evidence);
}

TEST(Head, ClassWeightsMoveTheDecision) {
  SyntheticSettings synthetic;
  synthetic.examples = 60;
  synthetic.length = 40;
  synthetic.noise = 2.0;  // classes overlap
  const Dataset data = planted_series(synthetic).data;
  TrainSettings settings = members();
  const auto positives = [&](const char* weights) {
    settings.class_weights = ClassWeights::parse(weights);
    const Model model = train(data, settings).model;
    synthetic.seed = 77;
    synthetic.examples = 200;
    const std::vector<int> answers = predictions(model, scores(model, planted_series(synthetic).data, 1));
    return std::count(answers.begin(), answers.end(), 1);
  };
  const std::string second = data.classes()[1];
  EXPECT_LT(positives((second + "=0.1").c_str()), positives("uniform"));
  EXPECT_GT(positives((second + "=10").c_str()), positives("uniform"));
}

TEST(Head, CostsNoMoreProblemsForMoreClasses) {
  std::set<std::pair<int, int>> problems;
  Observer observer;
  observer.round = [&](const RoundRecord& record) { problems.insert({record.member, record.part}); };
  TrainSettings settings = members();
  (void)train(bumps(3, 6, 13), settings, observer);
  const std::size_t of_three = problems.size();
  problems.clear();
  (void)train(bumps(10, 6, 13), settings, observer);
  EXPECT_EQ(problems.size(), of_three);
}

TEST(Head, InterruptedWeighsWhatIsFound) {
  const Dataset data = noisy_series(14);
  Observer observer;
  int rounds = 0;
  observer.round = [&](const RoundRecord&) { ++rounds; };
  observer.interrupted = [&] { return rounds >= 6; };
  const TrainingResult training = train(data, members(), observer);
  EXPECT_EQ(training.stop, Stop::interrupted);
  EXPECT_GT(training.model.hypotheses.size(), 0U);
  EXPECT_NO_THROW((void)scores(training.model, data, 1));
}

TEST(Head, SeriesTooShortForEveryWindowAreNotCovered) {
  const Dataset data = noisy_series(15);
  const Model model = train(data, members()).model;
  Dataset tiny(DataKind::series);
  add(tiny, Matrix::Random(1, 1), "", "tiny");
  const Scores alone = scores(model, tiny, 1);
  EXPECT_EQ(uncovered(alone).size(), 1U);
  EXPECT_EQ(alone.parts(0, 0), model.parts[0].b);
}

TEST(Head, SaysWhatItCannotDo) {
  TrainSettings settings = members();
  settings.head = HeadKind::ridge;
  settings.strategy = Strategy::one_vs_one;
  EXPECT_EQ(sentence([&] { (void)train(bumps(3, 4, 1), settings); }),
            "strategy: a ridge head weighs all classes at once; expected auto, found ovo");
  settings = members();
  settings.head = HeadKind::ridge;
  settings.members = 1;
  settings.views = ViewChoice::parse("grid");
  EXPECT_EQ(sentence([&] { (void)train(bumps(3, 4, 1), settings); }),
            "head: ridge weighs the patterns of random views; expected --views auto or random:K, found grid");
  settings = members();
  settings.head = HeadKind::ridge;
  settings.method = Method::l1_svm;
  EXPECT_EQ(sentence([&] { (void)train(bumps(3, 4, 1), settings); }),
            "head: ridge weighs boosted patterns; expected the method boost, found l1-svm");
  settings = members();
  settings.patterns = -3;
  EXPECT_EQ(sentence([&] { (void)train(bumps(3, 4, 1), settings); }),
            "patterns: expected at least 1, found -3");
  settings = members();
  settings.evidence = {Evidence::best, Evidence::best};
  EXPECT_EQ(sentence([&] { (void)train(bumps(3, 4, 1), settings); }),
            "evidence: expected each kind once, found best twice");
}

}  // namespace
}  // namespace shapeboost
