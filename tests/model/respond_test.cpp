// SPDX-License-Identifier: MIT
#include "model/respond.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "ground/rng.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "support/naive.hpp"
#include "support/tolerances.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

TEST(Respond, IsTheDoubleLoop_ForEveryView) {
  for (const auto& [name, data, view] : examples::cases(21)) {
    SCOPED_TRACE(name);
    const std::vector<Matrix> bags = naive::bags_of(data, view);
    const Matrix all = naive::stacked(bags);
    Rng rng(22);
    Shapelet shapelet;
    Matrix z(3, view.length);
    Vector alpha(3);
    for (Eigen::Index k = 0; k < 3; ++k) {
      Instance instance;
      for (std::int64_t f = 0; f < view.length; ++f) instance.values.push_back(rng.normal());
      z.row(k) = naive::prepared(view, instance.values).transpose();
      alpha[k] = rng.normal();
      shapelet.instances.push_back(instance);
      shapelet.alpha.push_back(alpha[k]);
    }
    const Response expected = naive::respond(view.kernel, bags, z, alpha);
    const Response response = respond(*make_instances(data, view), shapelet);
    EXPECT_EQ(response.argmax, expected.argmax);
    for (std::size_t i = 0; i < bags.size(); ++i) {
      EXPECT_NEAR(response.value[i], expected.value[i],
                  tolerance::kCancellation * std::max(1.0, std::abs(expected.value[i])));
    }
  }
}

TEST(SharedInstances, GiveTheSameBits_ForEveryView) {
  for (const auto& [name, data, view] : examples::cases(23)) {
    SCOPED_TRACE(name);
    const std::unique_ptr<Instances> instances = make_instances(data, view);
    Rng rng(24);
    std::vector<Shapelet> shapelets(6);  // of ten instances in all, some of them twice in one
    for (Shapelet& shapelet : shapelets) {
      for (int t = 0; t < 8; ++t) {
        shapelet.instances.push_back(
            instances->instance(rng.below(std::min<std::int64_t>(10, instances->size()))));
        shapelet.alpha.push_back(rng.normal());
      }
    }
    shapelets[1].instances[3].values[0] += 0.5;  // says where it came from, but is another
    std::vector<const Shapelet*> listed;
    for (const Shapelet& shapelet : shapelets) listed.push_back(&shapelet);
    const SharedInstances shared(listed);
    EXPECT_EQ(shared.pays(*instances), !instances->expensive());
    const std::vector<Response> responses = shared.respond(*instances);
    for (std::size_t j = 0; j < shapelets.size(); ++j) {
      const Response alone = respond(*instances, shapelets[j]);
      EXPECT_EQ(responses[j].value, alone.value);
      EXPECT_EQ(responses[j].argmax, alone.argmax);
    }
  }
}

/// Features that never occur change nothing but the way: nine instances of 2^20 numbers are not held at once.
TEST(Respond, GivesTheSameBits_WhenInstancesHaveVeryManyFeatures) {
  constexpr std::int64_t kFew = 300;
  constexpr std::int64_t kMany = std::int64_t{1} << 20;
  const auto response_of = [](std::int64_t features, bool shares) {
    Dataset data(DataKind::bags);
    Rng rng(5);
    for (int i = 0; i < 4; ++i) {
      std::vector<std::int64_t> starts{0};
      std::vector<std::int32_t> columns;
      std::vector<double> values;
      for (int r = 0; r < 3; ++r) {
        for (std::int32_t f = static_cast<std::int32_t>(rng.below(3)); f < kFew; f += 7) {
          columns.push_back(f);
          values.push_back(rng.normal());
        }
        starts.push_back(std::ssize(values));
      }
      data.add(SparseView(starts, columns.data(), values.data(), features), "a", std::to_string(i));
    }
    View view = examples::plain_view(data, features);
    view.kernel.set_sigma(0.01);
    const std::unique_ptr<Instances> instances = make_instances(data, view);
    Shapelet shapelet;
    for (std::int64_t x = 0; x < instances->size(); ++x) {
      shapelet.instances.push_back(instances->instance(x));
      shapelet.alpha.push_back(rng.normal());
    }
    const SharedInstances shared({&shapelet, &shapelet, &shapelet});
    EXPECT_EQ(shared.pays(*instances), shares);
    return respond(*instances, shapelet);
  };
  const Response expected = response_of(kFew, true);
  const Response found = response_of(kMany, false);
  EXPECT_EQ(found.value, expected.value);
  EXPECT_EQ(found.argmax, expected.argmax);
}

TEST(SharedInstances, DoNotPay_WhenNoneIsSharedOrABagIsTooLarge) {
  Dataset data(DataKind::bags);
  add(data, Matrix{{0.0}, {2.0}}, "a", "0");
  const View view = examples::plain_view(data, 1);
  const std::unique_ptr<Instances> small = make_instances(data, view);
  const Shapelet a{{{{1.0}, 0, 0}, {{2.0}, 0, 1}}, {1.0, -1.0}};
  const Shapelet b{{{{3.0}, 1, 0}}, {1.0}};
  EXPECT_FALSE(SharedInstances({&a, &b}).pays(*small));
  EXPECT_FALSE(SharedInstances({}).pays(*small));
  const SharedInstances same({&a, &a, &a});
  EXPECT_TRUE(same.pays(*small));
  add(data, Matrix::Zero((1 << 21) + 1, 1), "b", "1");
  EXPECT_FALSE(same.pays(*make_instances(data, view)));
}

TEST(Respond, TakesTheLowestNumber_WhenInstancesAreEqual) {
  Dataset data(DataKind::bags);
  add(data, Matrix{{0.0}, {2.0}, {2.0}}, "a", "0");
  const View view = examples::plain_view(data, 1);
  const Response response = respond(*make_instances(data, view), {{{{2.0}, -1, -1}}, {1.0}});
  EXPECT_EQ(response.argmax[0], 1);
  EXPECT_EQ(response.value[0], 1.0);
}

TEST(Respond, LooksAtTheLeastSimilarInstance_WhenAlphaIsNegative) {
  Dataset data(DataKind::bags);
  add(data, Matrix{{2.0}, {9.0}, {4.0}}, "a", "0");
  const View view = examples::plain_view(data, 1);
  const Response response = respond(*make_instances(data, view), {{{{2.0}, -1, -1}}, {-1.0}});
  EXPECT_EQ(response.argmax[0], 1);
  EXPECT_NEAR(response.value[0], -std::exp(-0.15 * 49.0), tolerance::kRounding);
}

}  // namespace
}  // namespace shapeboost
