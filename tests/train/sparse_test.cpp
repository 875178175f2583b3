// SPDX-License-Identifier: MIT
// Training and prediction on bags whose zeros are left out.
#include <gtest/gtest.h>

#include "shapeboost/files.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/sparse_bags.hpp"
#include "train/plan.hpp"
#include "view/fit_view.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

using examples::mostly_zeros;
using examples::plain_view;
using examples::without_zeros;

TEST(SparseTraining, OnSparseBagsIsThatOnTheSameBagsWithZeros) {
  const Dataset dense = mostly_zeros(40, 12, 5);
  const Dataset sparse = without_zeros(dense);
  const Dataset fresh = mostly_zeros(20, 12, 6);
  TrainSettings settings;
  settings.members = 4;
  settings.threads = 1;
  settings.head = HeadKind::average;
  const Model of_dense = train(dense, settings).model;
  const Model of_sparse = train(sparse, settings).model;
  const Scores expected = scores(of_dense, fresh, 1);
  for (const Dataset& asked : {fresh, without_zeros(fresh)}) {
    const Scores found = scores(of_sparse, asked, 1);
    const Scores other = scores(of_dense, asked, 1);
    for (std::int64_t i = 0; i < fresh.size(); ++i) {
      EXPECT_NEAR(found.parts(i, 0), expected.parts(i, 0), 1e-5);
      EXPECT_NEAR(other.parts(i, 0), expected.parts(i, 0), 1e-5);
    }
  }
  EXPECT_EQ(Predictor(of_sparse).instance_scores(without_zeros(fresh), 1).parts.rows(),
            Predictor(of_sparse).instance_scores(fresh, 1).parts.rows());
}

TEST(SparseTraining, HasNoHeadOfItsOwn_ButAHeadAnswersSparseBags) {
  const Dataset dense = mostly_zeros(40, 12, 5);
  const Dataset fresh = mostly_zeros(20, 12, 6);
  TrainSettings settings;
  settings.members = 4;
  settings.threads = 1;
  EXPECT_FALSE(train(without_zeros(dense), settings).model.head);
  const Model model = train(dense, settings).model;
  ASSERT_TRUE(model.head);
  const Scores full = scores(model, fresh, 1);
  const Scores found = scores(model, without_zeros(fresh), 1);
  for (std::int64_t i = 0; i < fresh.size(); ++i) EXPECT_NEAR(found.parts(i, 0), full.parts(i, 0), 1e-5);
  settings.head = HeadKind::ridge;
  EXPECT_THROW((void)train(without_zeros(dense), settings), InvalidInput);
}

TEST(SparseTraining, OnVeryManySparseFeaturesHoldsOnlyWhatIsNotZero) {
  constexpr std::int64_t kFeatures = 100'000;
  const Dataset data = examples::text_bags(120, 6, 15, kFeatures, 7);
  std::int64_t numbers = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) numbers += data.numbers(i);
  View view = plain_view(data, kFeatures);
  view.kernel = kernels::Linear{};
  Rng rng(1);
  view = fit_view(view, data, false, 1.0, rng);
  EXPECT_LE(view.rows(), 5000);
  EXPECT_LE(make_instances(data, view)->bytes(), 24 * numbers + 16 * 120 * 6);

  TrainSettings settings;
  settings.members = 1;
  settings.kernel.kind = KernelKind::linear;
  settings.standardise = false;
  settings.threads = 1;
  settings.memory = std::int64_t{1} << 26;  // the bags with their zeros would be 576 MB
  const Model model = train(data, settings).model;
  const Dataset fresh = examples::text_bags(80, 6, 15, kFeatures, 8);
  const std::vector<int> predicted = predictions(model, scores(model, fresh, 1));
  int right = 0;
  for (std::int64_t i = 0; i < fresh.size(); ++i) right += predicted[at(i)] == fresh.label(i) ? 1 : 0;
  EXPECT_GE(right, 72);
}

TEST(SparseTraining, PlansOnlyFeaturesThatOccur) {
  // Four short lines may name a feature of a million: a committee's views would hold half of them each.
  const Dataset data = parse_dataset("a 1:1 1048576:2\nb 2:1\na 1:1 3:2\nb 2:2 3:1\n", "x", Format::svmlight);
  ASSERT_TRUE(data.is_sparse());
  TrainSettings settings;
  settings.members = 12;
  const Plan planned = plan(data, settings);
  ASSERT_EQ(planned.members.size(), 12U);
  for (const std::vector<PlannedView>& member : planned.members) {
    for (const PlannedView& planned_view : member) {
      EXPECT_LE(planned_view.view.features.capacity(), 4U);
      EXPECT_EQ(planned_view.view.length, std::ssize(planned_view.view.features));
      EXPECT_EQ(planned_view.view.width, 1'048'576);
    }
  }
}

TEST(SparsePrediction, LeavesOutFeaturesThatTheModelDoesNotKnow_WhereWidthsAreOpen) {
  const Dataset data = without_zeros(mostly_zeros(20, 9, 9));
  const Model model = train(data, examples::single()).model;
  const Scores expected = scores(model, data, 1);
  Dataset wider = data.with_width(2000);
  EXPECT_EQ(examples::sentence([&] { (void)scores(model, wider, 1); }),
            "the model is for 9 features, the data have 2000");
  wider.set_open_width(true);
  EXPECT_EQ(scores(model, wider, 1).parts, expected.parts);
}

}  // namespace
}  // namespace shapeboost
