// SPDX-License-Identifier: MIT
// Model files whose fields were changed and whose digest is right nevertheless: read or refused, and what is read can
// be asked everything.
#include <nlohmann/json.hpp>

#include "fuzz/mutated_json.hpp"
#include "fuzz/questions.hpp"
#include "model/hypothesis_walk.hpp"
#include "shapeboost/calibration.hpp"
#include "shapeboost/files.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/heads.hpp"
#include "support/models.hpp"
#include "support/sparse_bags.hpp"

namespace shapeboost::fuzz {
namespace {

struct Subject {
  std::string name;
  Dataset data;  // that it is asked about: little, as much as there can be time for
  Json model;
};

Subject subject_of(const std::string& name, const Dataset& data, const TrainSettings& settings,
                   bool probability = false) {
  TrainingResult training = train(data, settings);
  if (probability) add_calibration(training, data, settings);
  return {name, data.subset({0, 1, 2, data.size() - 1}), Json::parse(to_json(training.model))};
}

/// Three classes of bags: instances near one point of three.
Dataset three_kinds_of_bags() {
  Rng rng(5);
  Dataset data(DataKind::bags);
  for (int i = 0; i < 12; ++i) {
    Matrix values(3, 2);
    for (double& value : values.reshaped()) value = rng.normal();
    values.row(1).array() += 3.0 * (i % 3);
    add(data, values, std::string(1, static_cast<char>('a' + i % 3)), std::to_string(i));
  }
  return data;
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
  const auto add_subject = [&](const std::string& name, const Dataset& data, bool probability = false) {
    result.push_back(subject_of(name, data, settings, probability));
  };
  add_subject("series", series, true);
  add_subject("bags", bags);
  add_subject("channels and gaps, three classes", heads::three_classes().data);
  settings.transforms = {Transform::spectrum};
  settings.rate = 50.0;
  add_subject("spectra", series);
  settings.transforms = {};
  settings.rate = 0.0;
  settings.patterns = 0;
  settings.members = 6;
  add_subject("intervals", heads::bands(40, 1));
  settings.members = 3;
  settings.evidence = {Evidence::best, Evidence::bag};
  add_subject("whole bags", bags);
  Subject old = result.back();
  old.name += ", as version 3 had them";
  old.model = examples::as_version_3(model_from_json(sealed(old.model), "m.json"));
  result.push_back(std::move(old));
  settings.evidence = {};
  settings.patterns = 6;
  add_subject("bags, three classes", three_kinds_of_bags());
  settings.head = HeadKind::average;
  settings.boosting.max_rounds = 4;
  add_subject("series, average", series);
  add_subject("bags, average", bags);
  add_subject("sparse bags", examples::without_zeros(examples::mostly_zeros(12, 9, 9)));
  add_subject("sequences", sequences);
  settings.members = 1;
  settings.kernel.kind = KernelKind::subsequence;
  add_subject("subsequences", sequences);
  settings.kernel.kind = KernelKind::polynomial;
  add_subject("polynomial", bags);
  settings.lengths = {0.3};
  for (const KernelKind kind : {KernelKind::dtw, KernelKind::gak, KernelKind::laplacian}) {
    settings.kernel.kind = kind;
    add_subject(std::string(to_string(kind)), series);
  }
  return result;
}

TEST(MutatedModels, AreReadOrRefused_AndAnswer) {
  const std::vector<Subject> all_subjects = subjects();
  const auto has = [&](const char* field) {
    const Json::json_pointer place(concat("/head/", field));
    return std::ranges::any_of(all_subjects,
                               [&](const Subject& subject) { return subject.model.contains(place); });
  };
  for (const char* field : {"mixing", "apart", "factors", "intervals"}) EXPECT_TRUE(has(field)) << field;
  for (const char* field : {"rate", "missing", "channels", "period", "features"}) {
    const auto some = [&](const Json& view) { return view.contains(field); };
    EXPECT_TRUE(std::ranges::any_of(all_subjects, [&](const Subject& subject) {
      return std::ranges::any_of(subject.model["views"], some);
    })) << field;
  }
  for (const Subject& subject : all_subjects) {  // as they are, they say something
    const Model model = model_from_json(sealed(subject.model), "m.json");
    ASSERT_TRUE(accepted([&] { (void)scores(model, subject.data, 1); }));
  }
  bound_memory();
  Rng rng(4);
  std::int64_t read = 0;
  const std::int64_t all = rounds(3'000);
  for (std::int64_t k = 0; k < all; ++k) {
    const Subject& subject = any_of(all_subjects, rng);
    Json changed = subject.model;
    mutate_json(changed, rng);
    Model model;
    const std::string text = sealed(changed);
    if (accepted([&] { model = model_from_json(text, "m.json"); })) {
      ++read;
      ask_everything(model, subject.data, accepted);
    }
    // Told afterwards: what has changed takes longer to find than all answers.
    ASSERT_FALSE(HasFailure()) << "model " << k << ", " << subject.name << ": "
                               << Json::diff(subject.model, changed);
  }
  EXPECT_GT(read, all / 20) << "too few mutations leave a model that can be read";
}

TEST(MutatedModels, ThatNameFewOfVeryManyFeatures_TakeNoMemoryForTheOthers) {
  const std::int64_t kWidth = std::int64_t{1} << 24;
  const Dataset bags = planted_bags({.examples = 40, .length = 3, .features = 3}).data;
  TrainSettings settings;
  settings.threads = 1;
  settings.members = 40;  // views, and for each of them would be 64 MB, or for each instance 128 MB
  settings.head = HeadKind::average;
  const Model trained = train(bags, settings).model;
  Json json = Json::parse(to_json(trained));
  for (Json& view : json["views"]) {
    view["width"] = kWidth;
    if (!view.contains("features")) view["features"] = {0, 1, 2};
  }
  for (Json& instance : json["instances"]) {
    if (!instance.contains("features")) instance["features"] = {0, 1, 2};
  }
  ASSERT_GT(json["views"].size(), 10U);
  Dataset open = bags;
  open.set_open_width(true);
  bound_memory();
  const Model model = model_from_json(sealed(json), "m.json");
  const Array<double> expected = scores(trained, bags, 1).parts;
  const Array<double> found = scores(model, open, 1).parts;
  for (std::int64_t i = 0; i < bags.size(); ++i) EXPECT_NEAR(found(i, 0), expected(i, 0), 1e-9);
  const Dataset sparse = parse_dataset("1 1:1 2:1\n2 16777:1\n", "x", Format::svmlight);
  EXPECT_EQ(scores(model, sparse, 1).parts.rows(), 2);
}

TEST(MutatedModels, OfLongSpectra_TakeLittleMemoryOfShortSeries) {
  const Dataset data = heads::three_classes().data;
  TrainSettings settings;
  settings.threads = 1;
  settings.members = 2;
  settings.patterns = 6;
  settings.transforms = {Transform::spectrum};
  Json json = Json::parse(to_json(train(data, settings).model));
  constexpr std::int64_t kPeriod = std::int64_t{1} << 22;
  for (Json& view : json["views"]) view["period"] = kPeriod;
  const Model model = model_from_json(sealed(json), "m.json");
  std::vector<std::int64_t> together;  // examples whose spectra are held
  detail::for_each_block(model, data, 1,
                         [&](std::int64_t, const Dataset& block) { together.push_back(block.size()); });
  EXPECT_LE(std::ranges::max(together), 2);

  // Of sixty channels even one example's would be a gigabyte.
  constexpr std::int64_t kChannels = 60;
  std::vector<std::int64_t> times;
  for (Json& view : json["views"]) {
    const std::int64_t rows = view.contains("channels") ? std::ssize(view["channels"]) : data.width();
    times.push_back(kChannels / rows);
    view.erase("channels");
    view["width"] = kChannels;
    for (const char* field : {"centre", "scale"}) view[field] = std::vector<double>(kChannels, 1.0);
  }
  for (Json& hypothesis : json["hypotheses"]) {
    for (Json& part : hypothesis["shapelet"]) {
      const std::int64_t length =
          times[hypothesis["view"].get<std::size_t>()] * part["length"].get<std::int64_t>();
      part["length"] = length;
      part["values"] = std::vector<double>(static_cast<std::size_t>(length), 0.5);
    }
  }
  const Model wide_model = model_from_json(sealed(json), "m.json");
  Dataset wide(DataKind::series);
  add(wide, Matrix::Random(kChannels, 20), "class 0", "short");
  EXPECT_EQ(examples::sentence([&] { (void)scores(wide_model, wide, 1); }),
            "the model looks at spectra of 4194304 values, expected series that are not as much shorter, "
            "found at most 20");
}

}  // namespace
}  // namespace shapeboost::fuzz
