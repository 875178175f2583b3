// SPDX-License-Identifier: MIT
#include "shapeboost/guarantee.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "shapeboost/base.hpp"
#include "tell/bound.hpp"

namespace shapeboost {
namespace {

/// 100 bags of one or two instances in the plane; two hypotheses of two instances and of one.
Model small_model(const Kernel& kernel) {
  Model model;
  model.kind = DataKind::bags;
  model.classes = {"a", "b"};
  View view;
  view.kind = DataKind::bags;
  view.width = view.length = 2;
  view.kernel = kernel;
  view.centre = {0.0, 0.0};
  view.scale = {1.0, 1.0};
  model.views = {view};
  model.hypotheses = {{0, +1, {{{{1.0, 0.0}, 0, 0}, {{0.0, 2.0}, 1, 0}}, {0.75, -0.25}}},
                      {0, -1, {{{{3.0, 4.0}, 2, 0}}, {1.0}}}};
  Part part;
  part.weights = {{0, 0.6}, {1, 0.4}};
  part.b = -0.1;
  part.nu = 0.2;
  part.margins.assign(100, 0.25);
  model.parts = {part};
  model.provenance.bags = 100;
  model.provenance.views = {{150, kernel.has_sigma() ? 1.0 : 5.0, 2}};
  return model;
}

Kernel gaussian() { return kernels::Gaussian{0.5}; }

std::string fault_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const InvalidInput& fault) {
    return fault.what();
  }
  return "no fault";
}

TEST(Guarantee, NormIsThatOfTheFeatureSpace) {
  // |z - z'|^2 = 5: ||u||^2 = 0.75^2 + 0.25^2 - 2 * 0.75 * 0.25 exp(-2.5); the other shapelet has norm 1.
  const Model model = small_model(gaussian());
  const double first = std::sqrt(0.5625 + 0.0625 - 0.375 * std::exp(-2.5));
  EXPECT_NEAR(norm_of(model, model.parts[0]), 0.6 * first + 0.4, 1e-14);
  // u = (0.75, -0.5) and (3, 4).
  const Model linear = small_model(kernels::Linear{});
  EXPECT_NEAR(norm_of(linear, linear.parts[0]), 0.6 * std::hypot(0.75, 0.5) + 0.4 * 5.0, 1e-14);
}

TEST(Guarantee, NormSeesMappingAndPlaces) {
  Model model = small_model(kernels::Linear{});
  model.views[0].centre = {1.0, 0.0};
  model.views[0].scale = {1.0, 2.0};
  // (0, 0), (-1, 1): u = (0.25, -0.25); and (2, 2).
  EXPECT_NEAR(norm_of(model, model.parts[0]), 0.6 * std::hypot(0.25, 0.25) + 0.4 * std::hypot(2.0, 2.0),
              1e-14);

  // The same window at two places: ||u||^2 = 0.75^2 + 0.25^2 - 2 * 0.75 * 0.25 exp(-tau d^2).
  Model placed = small_model(gaussian());
  placed.kind = placed.views[0].kind = DataKind::series;
  placed.views[0].width = 1;
  placed.views[0].centre = {0.0};
  placed.views[0].scale = {1.0};
  placed.views[0].tau = 4.0;
  placed.hypotheses = {{0, +1, {{{{1.0, 2.0}, 0, 0, 0.25}, {{1.0, 2.0}, 1, 0, 0.75}}, {0.75, -0.25}}}};
  placed.parts[0].weights = {{0, 1.0}};
  EXPECT_NEAR(norm_of(placed, placed.parts[0]), std::sqrt(0.625 - 0.375 * std::exp(-1.0)), 1e-12);
}

TEST(Guarantee, InputsAreTheModels) {
  const Model model = small_model(gaussian());
  const BoundInput input = bound_input(model, model.parts[0], 0.01);
  EXPECT_EQ(input.margins, model.parts[0].margins);
  EXPECT_EQ(input.offset, -0.1);
  EXPECT_EQ(input.delta, 0.01);
  EXPECT_TRUE(input.radius_known);
  ASSERT_EQ(input.views.size(), 1U);
  EXPECT_EQ(input.views[0].instances, 150);
  EXPECT_EQ(input.views[0].largest_bag, 2);
  EXPECT_EQ(input.views[0].radius, 1.0);
  EXPECT_EQ(input.views[0].patterns, Patterns::unknown);
  EXPECT_EQ(input.choices, 2);  // single or not was seen after training

  const std::vector<Guarantee> all = guarantees(model, 0.01);
  ASSERT_EQ(all.size(), 1U);
  ASSERT_TRUE(all[0].bound);
  EXPECT_EQ(all[0].bound->at[0].total, generalisation_bound(input).at[0].total);
  EXPECT_NEAR(all[0].bound->scale, input.norm + 0.1, 1e-15);
}

TEST(Guarantee, AHeadHasNone_AndSaysWhatWouldHave) {
  Model model = small_model(gaussian());
  model.head = Head{{Evidence::best, Evidence::share}, 1.0, 0.1, 0.9, 0.0};
  model.parts[0].weights = {{0, -3.0, Evidence::best}, {1, 2.0, Evidence::share}};
  const std::vector<Guarantee> all = guarantees(model);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_FALSE(all[0].bound);
  for (const char* word :
       {"no convex combination", "share and place", "nothing is promised", "--head average", "--members 1"}) {
    EXPECT_NE(all[0].reason.find(word), std::string::npos) << word;
  }
  EXPECT_THROW((void)bound_input(model, model.parts[0]), InvalidInput);
}

TEST(Guarantee, PatternsAreCountedWhereTheProofCountsThem) {
  const auto view = [](const Model& model) { return bound_input(model, model.parts[0]).views[0]; };
  const Model linear = small_model(kernels::Linear{});
  EXPECT_EQ(view(linear).patterns, Patterns::linear);
  EXPECT_EQ(view(linear).dimension, 2);
  EXPECT_FALSE(bound_input(linear, linear.parts[0]).radius_known);
  EXPECT_EQ(bound_input(linear, linear.parts[0]).choices, 1);

  const Model quadratic = small_model(kernels::Polynomial{1.0, 2});
  EXPECT_EQ(view(quadratic).patterns, Patterns::linear);
  EXPECT_EQ(view(quadratic).dimension, 5);  // x, y, x^2, xy, y^2

  Model single = small_model(gaussian());
  single.hypotheses[0].shapelet = {{single.hypotheses[0].shapelet.instances[0]}, {1.0}};
  EXPECT_EQ(view(single).patterns, Patterns::nearest);
  EXPECT_EQ(view(single).dimension, 2);
  EXPECT_EQ(bound_input(single, single.parts[0]).choices, 2);
  EXPECT_NEAR(bound_input(single, single.parts[0]).norm, 1.0, 1e-15);

  // A position term bends the cells, and |x - z|_1 has others.
  single.views[0].tau = 1.0;
  EXPECT_EQ(view(single).patterns, Patterns::unknown);
  single.views[0].tau = 0.0;
  single.views[0].kernel = kernels::Laplacian{0.5};
  EXPECT_EQ(view(single).patterns, Patterns::unknown);
  Model placed = linear;
  placed.views[0].tau = 1.0;
  EXPECT_EQ(view(placed).patterns, Patterns::unknown);
}

TEST(Guarantee, SeriesWithoutWindowsCountAsInstances) {
  Model model = small_model(gaussian());
  model.kind = model.views[0].kind = DataKind::series;
  model.views[0].width = 1;
  model.views[0].centre = {0.0};
  model.views[0].scale = {1.0};
  // 60 windows, at most 2 a series: 30 series have one at least, the other 70 may have none.
  model.provenance.views = {{60, 1.0, 2}};
  EXPECT_EQ(bound_input(model, model.parts[0]).views[0].instances, 130);
  model.provenance.views = {{200, 1.0, 2}};
  EXPECT_EQ(bound_input(model, model.parts[0]).views[0].instances, 200);
}

TEST(Guarantee, SeveralPartsShareDelta) {
  Model model = small_model(kernels::Linear{});
  model.classes = {"a", "b", "c"};
  const Part part = model.parts[0];
  model.parts = parts_for(3, Strategy::one_vs_rest);
  for (Part& each : model.parts) {
    each.weights = part.weights;
    each.b = part.b;
    each.margins = part.margins;
  }
  const std::vector<Guarantee> all = guarantees(model);
  ASSERT_EQ(all.size(), 3U);
  for (const Guarantee& one : all) EXPECT_EQ(one.bound->input.choices, 3);
}

TEST(Guarantee, OffsetIsLeftOutOnlyWhereThereWasNone) {
  Model model = small_model(gaussian());
  model.parts[0].b = 0.0;
  EXPECT_EQ(bound_input(model, model.parts[0]).offset, 0.0);
  model.provenance.settings = "--nu 0.2 --no-offset --gap 0.01";
  EXPECT_FALSE(bound_input(model, model.parts[0]).offset);
}

TEST(Guarantee, DoctoredMarginsAreNoticed) {
  Model model = small_model(gaussian());
  const double most = norm_of(model, model.parts[0]) + 0.1;
  model.parts[0].margins[7] = most - 1e-9;
  EXPECT_TRUE(guarantees(model)[0].bound);
  model.parts[0].margins[7] = most + 1e-3;
  EXPECT_NE(fault_of([&] { (void)guarantees(model); }).find("margin 7"), std::string::npos);
}

TEST(Guarantee, SaysWhyThereIsNone) {
  const auto reason = [](const std::function<void(Model&)>& spoil) {
    Model model = small_model(gaussian());
    spoil(model);
    const Guarantee guarantee = guarantees(model)[0];
    EXPECT_FALSE(guarantee.bound);
    EXPECT_EQ(fault_of([&] { (void)bound_input(model, model.parts[0]); }), "bound: " + guarantee.reason);
    return guarantee.reason;
  };
  EXPECT_EQ(reason([](Model& m) { m.views[0].kernel = kernels::Dtw{}; }),
            "it holds for positive semi-definite kernels, and dtw is none");
  EXPECT_EQ(reason([](Model& m) {
              m.views[0].kernel = kernels::Gram{nullptr, "s.csv"};
            }),
            "the Gram matrix 's.csv' is needed and not there");
  EXPECT_EQ(reason([](Model& m) {
              m.views[0].kernel = kernels::Custom{{}, "f"};
            }),
            "the similarity 'f' is needed and not there");
  EXPECT_EQ(reason([](Model& m) { m.parts[0].margins.clear(); }),
            "the model does not hold the margins of its training bags");
  EXPECT_EQ(reason([](Model& m) { m.provenance.views.clear(); }),
            "the model does not hold what its views looked like in training");
  EXPECT_EQ(reason([](Model& m) {
              m.parts[0].weights.clear();
              m.parts[0].b = 0.0;
            }),
            "nothing was learned");
}

TEST(Guarantee, RefusesADeltaOutOfRange) {
  const Model model = small_model(gaussian());
  for (const double delta : {0.0, 1.0, -1.0}) {
    EXPECT_NE(fault_of([&] { (void)guarantees(model, delta); }).find("delta"), std::string::npos);
  }
}

}  // namespace
}  // namespace shapeboost
