// SPDX-License-Identifier: MIT
// Model files whose fields were changed and whose digest is right nevertheless: read or refused, and what is read can
// be asked everything.
#include <limits>
#include <nlohmann/json.hpp>

#include "fuzz/mutation.hpp"
#include "fuzz/questions.hpp"
#include "shapeboost/calibration.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"

namespace shapeboost::fuzz {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<Json>& hostile_values() {
  static const std::vector<Json> kValues{0,
                                         1,
                                         2,
                                         -1,
                                         -2,
                                         7,
                                         1000,
                                         16777216,
                                         2147483647,
                                         2147483648,
                                         9007199254740992,
                                         9223372036854775807,
                                         18446744073709551615U,
                                         0.5,
                                         -0.5,
                                         1e-300,
                                         5e-324,
                                         1e100,
                                         -1e100,
                                         1e250,
                                         -1e250,
                                         1.7e308,
                                         nullptr,
                                         true,
                                         false,
                                         "",
                                         "x",
                                         "none",
                                         "spectrum",
                                         "differences",
                                         "z",
                                         "raw",
                                         "linear",
                                         "gaussian",
                                         "polynomial",
                                         "dtw",
                                         "gak",
                                         "ovo",
                                         "ovr",
                                         Json::array(),
                                         Json::object(),
                                         Json::array({0}),
                                         Json::array({1e250, -1e250})};
  return kValues;
}

/// A place in the document, each as likely as another at its depth.
Json& any_place(Json& json, Rng& rng) {
  Json* place = &json;
  while (place->is_structured() && !place->empty()) {
    auto member = place->begin();
    std::advance(member, rng.below(static_cast<std::int64_t>(place->size())));
    place = &*member;
    if (rng.below(12) == 0) break;
  }
  return *place;
}

void mutate(Json& json, Rng& rng) {
  for (std::int64_t changes = 1 + rng.below(3); changes > 0; --changes) {
    Json& place = any_place(json, rng);
    switch (rng.below(6)) {
      case 0:
      case 1: place = any_of(hostile_values(), rng); break;
      case 2:
        if (place.is_number())
          place = place.get<double>() * std::pow(10.0, static_cast<double>(rng.below(400) - 200));
        break;
      case 3:
        if (place.is_number_integer()) place = place.get<std::int64_t>() + rng.below(5) - 2;
        break;
      case 4:
        if (place.is_array() && !place.empty()) place.erase(place.size() - 1);
        break;
      default: {
        const Json other = any_place(json, rng);
        any_place(json, rng) = other;
      }
    }
  }
}

struct Subject {
  Dataset data;
  Json model;
};

Subject subject_of(Dataset data, const TrainSettings& settings, bool probability = false) {
  TrainingResult training = train(data, settings);
  if (probability) add_calibration(training, data, settings);
  return {std::move(data), Json::parse(to_json(training.model))};
}

/// Small models of every sort.
std::vector<Subject> subjects() {
  const Dataset series = planted_series({.examples = 8, .length = 24}).data;
  const Dataset bags = planted_bags({.examples = 8, .length = 3, .features = 3}).data;
  const Dataset sequences = planted_sequences({.examples = 8, .length = 24}).data;
  TrainSettings settings;
  settings.threads = 1;
  settings.members = 3;
  settings.patterns = 6;
  std::vector<Subject> result;
  result.push_back(subject_of(series, settings, true));
  result.push_back(subject_of(bags, settings));
  settings.patterns = 0;
  settings.evidence = {Evidence::best, Evidence::bag};
  result.push_back(subject_of(bags, settings));
  settings.evidence = {};
  settings.head = HeadKind::average;
  settings.boosting.max_rounds = 4;
  result.push_back(subject_of(series, settings));
  result.push_back(subject_of(bags, settings));
  result.push_back(subject_of(sequences, settings));
  settings.members = 1;
  settings.kernel.kind = KernelKind::polynomial;
  result.push_back(subject_of(bags, settings));
  settings.kernel.kind = KernelKind::dtw;
  settings.lengths = {0.3};
  result.push_back(subject_of(series, settings));
  return result;
}

TEST(MutatedModels, AreReadOrRefused_AndAnswer) {
  const std::vector<Subject> all_subjects = subjects();
  for (const Subject& subject : all_subjects) {  // as they are, they say something
    const Model model = model_from_json(sealed(subject.model), "m.json");
    ASSERT_TRUE(accepted([&] { (void)scores(model, subject.data, 1); }));
  }
  bound_memory();
  Rng rng(4);
  std::int64_t read = 0;
  const std::int64_t all = rounds(3'000);
  for (std::int64_t k = 0; k < all && !testing::Test::HasFailure(); ++k) {
    const Subject& subject = any_of(all_subjects, rng);
    Json changed = subject.model;
    mutate(changed, rng);
    SCOPED_TRACE("model " + std::to_string(k) + ": " + Json::diff(subject.model, changed).dump());
    Model model;
    const std::string text = sealed(changed);
    if (!accepted([&] { model = model_from_json(text, "m.json"); })) continue;
    ++read;
    ask_everything(model, subject.data, accepted);
  }
  EXPECT_GT(read, all / 20) << "too few mutations leave a model that can be read";
}

}  // namespace
}  // namespace shapeboost::fuzz
