// SPDX-License-Identifier: MIT
#include "model/instance_store.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "ground/json.hpp"
#include "ground/numbers.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/models.hpp"
#include "support/sparse_bags.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

using detail::InstanceStore;
using detail::kMostMade;
using detail::seen_in;
using detail::StoredInstance;
using examples::bags_model;
using examples::complaint;
using examples::complaint_about;
using examples::complaint_after;
using examples::complaint_with;
using examples::digest_of;
using examples::features_model;
using Json = nlohmann::ordered_json;

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> result;
  for (const double value : values) result.push_back(std::bit_cast<std::uint64_t>(value));
  return result;
}

std::pair<std::int64_t, std::int64_t> origin(const StoredInstance& z) { return {z.example, z.position}; }

void expect_same(const Instance& a, const Instance& b) {
  EXPECT_EQ(a.example, b.example);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(bits(a.values), bits(b.values));
  EXPECT_EQ(bits({a.place}), bits({b.place}));
}

void expect_same_shapelets(const Model& a, const Model& b) {
  ASSERT_EQ(a.hypotheses.size(), b.hypotheses.size());
  for (std::size_t j = 0; j < a.hypotheses.size(); ++j) {
    const Shapelet& one = a.hypotheses[j].shapelet;
    const Shapelet& other = b.hypotheses[j].shapelet;
    ASSERT_EQ(one.instances.size(), other.instances.size());
    for (std::size_t k = 0; k < one.instances.size(); ++k) expect_same(one.instances[k], other.instances[k]);
  }
}

/// Numbers that a careless text form would change, and many that are equal.
Dataset awkward_bags() {
  Rng rng(11);
  Dataset data(DataKind::bags);
  for (std::int64_t i = 0; i < 6; ++i) {
    Matrix values(1 + rng.below(4), 5);
    for (double& value : values.reshaped()) {
      const std::int64_t which = rng.below(9);
      value = which < 6 ? examples::kAwkward[which] : static_cast<double>(which - 7);
    }
    add(data, values, i % 2 == 0 ? "0" : "1", std::to_string(i));
  }
  return data;
}

View of_features(const Dataset& data, std::vector<int> features) {
  View view;
  view.kind = DataKind::bags;
  view.width = data.width();
  view.features = std::move(features);
  view.length = view.rows();
  view.kernel = kernels::Gaussian{0.5};
  view.centre.assign(at(view.rows()), 0.25);
  view.scale.assign(at(view.rows()), 2.0);
  return view;
}

/// Every training instance as a pattern of every view that may see it, `times` over.
Model model_of(const Dataset& data, const std::vector<View>& views, int times = 1) {
  Model model = bags_model();
  model.views = views;
  model.provenance.views.clear();
  model.hypotheses.clear();
  for (int time = 0; time < times; ++time) {
    for (std::size_t v = 0; v < views.size(); ++v) {
      const std::unique_ptr<Instances> instances = make_instances(data, views[v]);
      for (std::int64_t x = 0; x < instances->size(); ++x) {
        if ((x + static_cast<std::int64_t>(v)) % 3 == 0) continue;  // no view has all
        Hypothesis& hypothesis = model.hypotheses.emplace_back();
        hypothesis.view = static_cast<int>(v);
        hypothesis.shapelet = {{instances->instance(x)}, {0.5 + 0.25 * static_cast<double>(v)}};
      }
    }
  }
  model.parts[0].weights.clear();
  const double w = 1.0 / static_cast<double>(model.hypotheses.size());
  for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
    model.parts[0].weights.push_back({static_cast<int>(j), w});
  }
  return model;
}

std::vector<View> some_views(const Dataset& data) {
  return {of_features(data, {0, 3}), of_features(data, {}), of_features(data, {1, 2, 3}),
          of_features(data, {4}), of_features(data, {3})};
}

TEST(InstanceStore, HasEachTrainingInstanceOnce_AsViewsSawIt) {
  const Dataset dense = awkward_bags();
  for (const Dataset& data : {dense, examples::without_zeros(dense)}) {
    const Model model = model_of(data, some_views(data));
    const InstanceStore store(model);
    std::set<std::pair<std::int64_t, std::int64_t>> origins;
    for (const StoredInstance& z : store.instances()) origins.insert(origin(z));
    EXPECT_EQ(origins.size(), store.instances().size());
    EXPECT_EQ(origins.size(), at(instances_in(data, model.views[0])));
    for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
      const auto place = store.place(j, 0);
      ASSERT_TRUE(place) << j;
      const View& view = model.views[at(model.hypotheses[j].view)];
      EXPECT_FALSE(detail::lacking(store.instances()[*place], view));
      expect_same(seen_in(view, store.instances()[*place]), model.hypotheses[j].shapelet.instances[0]);
    }
  }
}

TEST(InstanceStore, IsReadBackAsItWas) {
  const Dataset dense = awkward_bags();
  for (const Dataset& data : {dense, examples::without_zeros(dense)}) {
    for (const int times : {1, 7}) {
      const Model model = model_of(data, some_views(data), times);
      const std::string text = to_json(model);
      const Model read = model_from_json(text, "M.json");
      expect_same_shapelets(read, model);
      EXPECT_EQ(to_json(read), text);
      EXPECT_EQ(to_json(model, 4), text);
      // As version 3 had it, it is the same model.
      Json old = examples::as_version_3(model);
      old["digest"] = digest_of(old);
      const Model old_read = model_from_json(old.dump(), "M.json");
      expect_same_shapelets(old_read, model);
      EXPECT_EQ(to_json(old_read), text);
    }
  }
}

TEST(InstanceStore, HasOnlyWhatIsLookedAt) {
  const Dataset data = awkward_bags();
  const InstanceStore store(model_of(data, {of_features(data, {0, 3}), of_features(data, {2, 3})}));
  std::set<std::vector<std::int32_t>> seen;
  for (const StoredInstance& z : store.instances()) {
    ASSERT_TRUE(z.features);
    EXPECT_EQ(z.features->size(), z.values.size());
    seen.insert(*z.features);
    for (std::size_t k = 0; k < z.values.size(); ++k) {
      EXPECT_EQ(bits({z.values[k]}), bits({data.values(z.example)(z.position, (*z.features)[k])}));
    }
  }
  EXPECT_EQ(seen, (std::set<std::vector<std::int32_t>>{{0, 3}, {0, 2, 3}, {2, 3}}));
}

TEST(InstanceStore, IsNotLongerThanVersion3) {
  const Dataset data = awkward_bags();
  for (const std::vector<View>& views : {some_views(data), {of_features(data, {1, 2})}}) {
    const Model model = model_of(data, views);
    EXPECT_LT(to_json(model).size(), detail::pretty(examples::as_version_3(model)).size());
  }
}

TEST(InstanceStore, HasAnInstanceAgain_BeforeTooMuchIsMadeOfIt) {
  const Dataset data = awkward_bags();
  const Model model = model_of(data, some_views(data), 30);
  const InstanceStore store(model);
  std::vector<std::int64_t> made(store.instances().size(), 0);
  for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
    made[store.place(j, 0).value()] += std::ssize(model.hypotheses[j].shapelet.instances[0].values);
  }
  int again = 0;
  for (std::size_t k = 0; k < made.size(); ++k) {
    const StoredInstance& z = store.instances()[k];
    const std::int64_t most = kMostMade * std::ssize(z.values);
    EXPECT_GT(made[k], 0);
    EXPECT_LE(made[k], most);
    if (k + 1 == made.size() || origin(z) != origin(store.instances()[k + 1])) continue;
    ++again;
    EXPECT_GT(made[k] + std::ssize(z.values), most);  // no sooner than it had to be
  }
  EXPECT_GT(again, 0);
  EXPECT_EQ(complaint(to_json(model)), "");
}

TEST(InstanceStore, LeavesWhatItCannotGiveBackToTheBit) {
  Model model = features_model();  // views of the features 1, 4 and 0, 3
  const auto shapelet = [](const std::vector<double>& values, std::int64_t example) {
    return Shapelet{{{values, example, 2}}, {1.0}};
  };
  const Hypothesis one = model.hypotheses[0];
  model.hypotheses.assign(5, one);
  model.hypotheses[0].shapelet = shapelet({1.0, 0.0}, 7);
  model.hypotheses[1].shapelet = shapelet({1.0, 2.0}, 7);   // says otherwise
  model.hypotheses[2].shapelet = shapelet({1.0, -0.0}, 7);  // to the bit
  model.hypotheses[3].shapelet = shapelet({5.0, 6.0}, -1);  // a centre
  model.hypotheses[4].shapelet = shapelet({1.0, 0.0}, 7);
  model.hypotheses[4].shapelet.instances[0].place = 0.5;
  model.parts[0].weights.clear();
  for (int j = 0; j < 5; ++j) model.parts[0].weights.push_back({j, 0.2});
  const InstanceStore store(model);
  ASSERT_EQ(store.instances().size(), 1);
  EXPECT_EQ(store.place(0, 0), 0);
  for (std::size_t j = 1; j < 5; ++j) EXPECT_FALSE(store.place(j, 0)) << j;
  expect_same_shapelets(model_from_json(to_json(model), "M.json"), model);
}

TEST(InstanceStore, IsEmptyOfSeriesAndRowsOfAMatrix) {
  EXPECT_TRUE(InstanceStore(examples::series_model()).instances().empty());
  EXPECT_FALSE(Json::parse(to_json(examples::series_model())).contains("instances"));
  Model model = bags_model();
  model.views = {examples::bag_view(kernels::Gram{nullptr, "matrix"}, {0.0}, {1.0})};
  for (Hypothesis& hypothesis : model.hypotheses) {
    hypothesis.view = 0;
    hypothesis.shapelet = {{{{4.0}, 3, 1}}, {1.0}};
  }
  model.provenance.views.clear();
  EXPECT_TRUE(InstanceStore(model).instances().empty());
  expect_same_shapelets(model_from_json(to_json(model), "M.json"), model);
}

TEST(InstanceStore, NamesTheFieldThatIsWrong) {
  struct Fault {
    std::string pointer;
    Json value;
    std::string sentence;
  };
  const std::string counted = "expected a whole number 0 to 9007199254740992, found ";
  const std::vector<Fault> faults{
      {"/instances", 3, "instances: expected a list of instances, found 3"},
      {"/instances/0", 3, "instances[0]: expected an object, found 3"},
      {"/instances/0/example", -1, "instances[0].example: " + counted + "-1"},
      {"/instances/0/position", 0.5, "instances[0].position: " + counted + "0.5"},
      {"/instances/0", Json::object({{"example", 1}, {"position", 2}}),
       "instances[0].values: the field is missing"},
      {"/instances/0/values", {1.0}, "instances[0].values: expected 2 numbers, found 1"},
      {"/instances/0/values", {1.0, "x"}, "instances[0].values: expected 2 numbers, found 'x' at 1"},
      {"/instances/0/values",
       {1.0, 1.7e308},
       "instances[0].values: expected numbers up to 1e+250 in size, found 1.7e+308 at 1"},
      {"/instances/0/features",
       {0, 0},
       "instances[0].features[1]: expected a number above the one before it, found 0"},
      {"/instances/0/features", {0, 2}, "instances[0].features[1]: expected a whole number 0 to 1, found 2"},
      {"/instances/0/features", Json::array(),
       "instances[0].features: expected at least one of the features"},
      {"/instances/0/features", {1}, "instances[0].values: expected 1 number, found 2"},
      {"/instances/0/nonzero", {0, 2}, "instances[0].nonzero[1]: expected a whole number 0 to 1, found 2"},
      {"/instances/0/nonzero", {1}, "instances[0].values: expected 1 number, found 2"},
      {"/instances/0", Json{{"example", 1}, {"position", 2}, {"features", {1}}, {"values", {0.5}}},
       "hypotheses[1].shapelet[0]: instances[0] lacks feature 0, which views[1] looks at"},
      {"/instances/0", Json{{"example", 1}, {"position", 2}, {"features", {1}}, {"nonzero", {1}}},
       "instances[0].features: expected none beside nonzero"},
      {"/instances", Json::array(), "hypotheses[0].shapelet[0]: expected an object, found a list of 2"},
      {"/hypotheses/0/shapelet/0/0", 2,
       "hypotheses[0].shapelet[0][0]: expected a whole number 0 to 1, found 2"},
      {"/hypotheses/0/shapelet/0/0", -1,
       "hypotheses[0].shapelet[0][0]: expected a whole number 0 to 1, found -1"},
      {"/hypotheses/0/shapelet/0/1", "x", "hypotheses[0].shapelet[0][1]: expected a number, found 'x'"},
      {"/hypotheses/0/shapelet/0",
       {1},
       "hypotheses[0].shapelet[0]: expected an instance and its alpha, found a list of 1"},
      {"/hypotheses/0/shapelet/0", 1, "hypotheses[0].shapelet[0]: expected an object, found 1"},
      {"/views/0/kernel",
       {{"kind", "gram"}, {"matrix", "G"}},
       "hypotheses[0].shapelet[0]: expected an instance of its own, as under a Gram matrix"},
  };
  for (const Fault& fault : faults) {
    EXPECT_EQ(complaint_with(bags_model(), fault.pointer, fault.value), "M.json: " + fault.sentence);
  }
  EXPECT_EQ(complaint_with(examples::series_model(), "/instances", Json::array()),
            "M.json: instances: expected none, as in series and sequences");
  const Json sparse{{"example", 1}, {"position", 2}, {"nonzero", Json::array()}, {"values", Json::array()}};
  EXPECT_EQ(complaint_with(bags_model(), "/instances/0", sparse), "");
}

TEST(InstanceStore, RefusesAnInstanceThatStandsForVeryMuch) {
  Json json = Json::parse(to_json(features_model()));
  const Json one = json["hypotheses"][0]["shapelet"][0];
  json["hypotheses"][0]["shapelet"] = Json::array();
  for (int k = 0; k < 17; ++k) json["hypotheses"][0]["shapelet"].push_back(one);
  const std::string place = one[0].dump();
  EXPECT_EQ(complaint_about(json),
            "M.json: hypotheses[0].shapelet[16]: more than 16 times the numbers of instances[" + place +
                "] are made of it");
  json["hypotheses"][0]["shapelet"].erase(0);
  EXPECT_EQ(complaint_about(json), "");
}

TEST(InstanceStore, RefusesZerosThatAreNotWritten_WhereAHeadWouldHoldThem) {
  TrainSettings settings;
  settings.threads = 1;
  settings.members = 2;
  settings.patterns = 4;
  const Model model = train(planted_bags({.examples = 8, .length = 3, .features = 3}).data, settings).model;
  ASSERT_TRUE(model.head);
  const std::string sentence =
      ": expected an instance with all features of its view: there is no head for sparse bags";
  const Json stored{{"example", 1}, {"position", 2}, {"nonzero", {1}}, {"values", {0.5}}};
  const Json one = Json::array({0, 1.0});
  EXPECT_EQ(complaint_after(model,
                            [&](Json& json) {
                              json["instances"][0] = stored;
                              json["hypotheses"][0]["shapelet"][0] = one;
                            }),
            "M.json: hypotheses[0].shapelet[0]" + sentence);
  Json old = examples::as_version_3(model);
  Json& instance = old["hypotheses"][1]["shapelet"][0];
  instance["features"] = instance["values"] = Json::array();
  instance["length"] = 0;
  EXPECT_EQ(complaint_about(old), "M.json: hypotheses[1].shapelet[0]" + sentence);
}

TEST(InstanceStore, RefusesARowOfAMatrixWithoutItsNumber) {
  Json json = examples::as_version_3(bags_model());
  json["views"][0]["kernel"] = {{"kind", "gram"}, {"matrix", "G"}};
  Json& instance = json["hypotheses"][0]["shapelet"][0];
  instance["features"] = instance["values"] = Json::array();
  instance["length"] = 0;
  EXPECT_EQ(complaint_about(json),
            "M.json: hypotheses[0].shapelet[0].features: expected none, as under a Gram matrix");
}

}  // namespace
}  // namespace shapeboost
