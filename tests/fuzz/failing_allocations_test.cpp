// SPDX-License-Identifier: MIT
// Memory that runs out anywhere: the n-th allocation of a small training, prediction or explanation fails, for one n after
// the other. std::bad_alloc must come out, from whichever thread, and what was asked must be answered as ever the next
// time. JSON is left out: nlohmann's values allocate when they are destroyed, where nothing may be thrown, so the program has
// a way to end then (cli/main.cpp).
#include <functional>
#include <memory>
#include <new>

#include "fuzz/failing_new.hpp"
#include "fuzz/mutation.hpp"
#include "shapeboost/explanation.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "view/instances.hpp"

namespace shapeboost::fuzz {
namespace {

struct Act {
  std::string name;
  std::function<std::vector<double>()> run;  // says what it found
};

std::vector<double> answers(const Model& model, const Dataset& data, int threads) {
  const Array<double> parts = scores(model, data, threads).parts;
  return {parts.data(), parts.data() + parts.size()};
}

/// Everything with two threads too; which of them fails is then chance.
std::vector<Act> acts() {
  static const Dataset kSeries = planted_series({.examples = 8, .length = 20}).data;
  static const Dataset kBags = planted_bags({.examples = 8, .length = 3, .features = 2}).data;
  static const Dataset kSequences = planted_sequences({.examples = 8, .length = 20}).data;
  TrainSettings settings;
  settings.members = 2;
  settings.patterns = 4;
  settings.boosting.max_rounds = 3;
  std::vector<Act> result;
  for (const int threads : {1, 2}) {
    settings.threads = threads;
    const std::string with = threads == 1 ? "" : " by two threads";
    const auto add = [&](const std::string& name, std::function<std::vector<double>()> run) {
      result.push_back({name + with, std::move(run)});
    };
    const auto fit = [](const Dataset& data, const TrainSettings& how) {
      return answers(train(data, how).model, data, 1);
    };
    TrainSettings average = settings;
    average.head = HeadKind::average;
    TrainSettings single = settings;
    single.members = 1;
    single.lengths = {0.3};
    add("fit series", [=] { return fit(kSeries, settings); });
    add("fit bags", [=] { return fit(kBags, settings); });
    add("fit an average", [=] { return fit(kSeries, average); });
    add("fit sequences", [=] { return fit(kSequences, average); });
    add("fit a single model", [=] { return fit(kSeries, single); });
    for (const Dataset* data : {&kSeries, &kBags}) {
      const auto model = std::make_shared<const Model>(train(*data, settings).model);
      add("predict", [=] { return answers(*model, *data, threads); });
      add("explain", [=] {
        std::vector<double> found;
        for (const Contribution& each : explain(*model, *data, 1, 0).contributions)
          found.push_back(each.value);
        return found;
      });
    }
  }
  return result;
}

TEST(FailingAllocations, AreToldAndLeaveNothingBehind) {
  const bool every = std::getenv("SHAPEBOOST_FUZZ") != nullptr;
  constexpr std::int64_t kTries =
      150;  // of each act in a run of the tests; make fuzz lets every allocation fail
  for (const Act& act : acts()) {
    SCOPED_TRACE(act.name);
    const std::vector<double> expected = act.run();
    const std::int64_t all = allocations_of([&] { (void)act.run(); });
    ASSERT_GT(all, 40);
    const std::int64_t step = every ? 1 : std::max<std::int64_t>(1, all / kTries);
    for (std::int64_t n = 0; n < all; n += step) {
      SCOPED_TRACE(n);
      const FailingNew failing(n);
      try {
        const std::vector<double> found = act.run();
        failing.stop();
        EXPECT_EQ(found, expected);
      } catch (const std::bad_alloc&) {
        failing.stop();
        EXPECT_TRUE(failing.failed());
      }
      ASSERT_FALSE(HasFailure());
    }
    EXPECT_EQ(act.run(), expected);
  }
}

TEST(FailingAllocations, CannotHitAPosition) {
  // Of a window it is known without a copy of its series, however long that is.
  const Dataset data = planted_series({.examples = 4, .length = 500}).data;
  View view;
  view.kind = DataKind::series;
  view.width = 1;
  view.length = 10;
  view.centre = {0.0};
  view.scale = {1.0};
  const std::unique_ptr<Instances> windows = make_instances(data, view);
  std::int64_t position = 0;
  EXPECT_EQ(allocations_of([&] { position = windows->position(windows->first(2) + 300); }), 0);
  EXPECT_EQ(position, 300);
}

}  // namespace
}  // namespace shapeboost::fuzz
