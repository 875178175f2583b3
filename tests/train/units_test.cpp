// SPDX-License-Identifier: MIT
// Numbers at the edge of what can be computed with: whatever the unit, the same model or one sentence.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "shapeboost/explanation.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"

namespace shapeboost {
namespace {

using examples::sentence;

/// unit * x + offset of every number.
Dataset in_unit(const Dataset& data, double unit, double offset = 0.0) {
  Dataset result(data.kind(), data.source());
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const Matrix values = (unit * mapped(data.values(i))).array() + offset;
    add(result, values, data.classes()[static_cast<std::size_t>(data.label(i))], data.name(i));
  }
  return result;
}

Dataset some_series() { return planted_series({.examples = 16, .length = 40, .noise = 0.2}).data; }
Dataset some_bags() { return planted_bags({.examples = 16, .length = 4, .features = 3, .noise = 0.3}).data; }

TrainSettings settings_for(KernelKind kernel, int members = 1) {
  TrainSettings settings;
  settings.members = members;
  settings.threads = 1;
  settings.standardise = false;
  settings.kernel.kind = kernel;
  settings.lengths = {0.3};
  settings.normalisations = {Normalisation::raw};
  return settings;
}

double accuracy(const Model& model, const Dataset& data) {
  const std::vector<int> predicted = predictions(model, scores(model, data, 1));
  const std::vector<int> labels = labels_for(model, data);
  double right = 0.0;
  for (std::size_t i = 0; i < labels.size(); ++i) right += predicted[i] == labels[i] ? 1.0 : 0.0;
  return right / static_cast<double>(labels.size());
}

TEST(Units, ModelsAreTheSame_WhenTheUnitIsAnother) {
  for (const Dataset& data : {some_series(), some_bags()}) {
    for (const KernelKind kernel : {KernelKind::linear, KernelKind::polynomial}) {
      const Model model = train(data, settings_for(kernel)).model;
      EXPECT_GT(accuracy(model, data), 0.9);
      for (const int exponent : {-300, -40, -1, 20, 300}) {
        const Dataset other = in_unit(data, std::ldexp(1.0, exponent));
        const Model same = train(other, settings_for(kernel)).model;
        EXPECT_EQ(scores(same, other, 1).parts, scores(model, data, 1).parts)
            << to_string(kernel) << ' ' << exponent;
      }
    }
  }
}

TEST(Units, ModelsOfAGramMatrixAnswerTheSame_WhateverItsSize) {
  Rng rng(5);
  Matrix features(40, 3);
  for (double& value : features.reshaped()) value = rng.normal();
  const Matrix gram = features * features.transpose();
  Dataset data(DataKind::bags);
  for (Eigen::Index i = 0; i < gram.rows(); ++i) {
    add(data, Matrix::Constant(1, 1, static_cast<double>(i)), features(i, 0) > 0.0 ? "a" : "b",
        std::to_string(i));
  }
  const auto model_of = [&](double size) {
    TrainSettings settings = settings_for(KernelKind::gram);
    settings.kernel.gram = std::make_shared<const SymmetricMatrix>(array_of(size * gram));
    Model model = model_from_json(to_json(train(data, settings).model), "memory");
    attach_gram(model, settings.kernel.gram);
    return model;
  };
  const Model model = model_of(1.0);
  EXPECT_GT(accuracy(model, data), 0.9);
  for (const int exponent : {-300, -60, -30, 30, 60, 300}) {
    const Model other = model_of(std::ldexp(1.0, exponent));
    EXPECT_EQ(predictions(other, scores(other, data, 1)), predictions(model, scores(model, data, 1)))
        << exponent;
  }
}

TEST(Units, HighPowersAreLearnedFrom) {
  TrainSettings settings = settings_for(KernelKind::polynomial);
  settings.kernel.p = 10;
  EXPECT_GT(accuracy(train(some_series(), settings).model, some_series()), 0.9);
}

TEST(Units, ANumberThatCannotBeMeant_IsToldOf) {
  Dataset data(DataKind::series);
  const Dataset good = some_series();
  for (std::int64_t i = 0; i < good.size(); ++i) {
    Matrix values = mapped(good.values(i));
    if (i == 3) values(0, 7) = 3.4e38;
    add(data, values, good.classes()[static_cast<std::size_t>(good.label(i))], "s" + std::to_string(i));
  }
  TrainSettings settings = settings_for(KernelKind::gaussian);
  EXPECT_TRUE(std::ranges::none_of(train(good, settings).notes, [](const std::string& note) {
    return note.find("million") != std::string::npos;
  }));
  EXPECT_EQ(
      train(data, settings).notes.front(),
      "example s3 holds 3.4e+38, more than a million times what numbers usually differ by; if that means a "
      "missing value, write NaN or ? for it");
}

TEST(Units, SomethingIsLearned_WhateverTheUnitOrOffset) {
  for (const Dataset& data : {some_series(), some_bags()}) {
    for (const KernelKind kernel : {KernelKind::gaussian, KernelKind::linear, KernelKind::polynomial,
                                    KernelKind::laplacian, KernelKind::dtw, KernelKind::gak}) {
      if (data.kind() == DataKind::bags && kernel >= KernelKind::dtw) continue;
      for (const auto& [unit, offset] : {std::pair(1e-98, 0.0), std::pair(1e-6, 0.0), std::pair(1e6, 0.0),
                                         std::pair(1e98, 0.0), std::pair(1.0, 1e6)}) {
        const Dataset other = in_unit(data, unit, offset);
        const Model model = model_from_json(to_json(train(other, settings_for(kernel)).model), "memory");
        // Beside a large offset raw inner products are all alike: a model then, but not a good one.
        const bool alike = offset != 0.0 && !model.views.front().kernel.has_sigma();
        EXPECT_GT(accuracy(model, other), alike ? 0.4 : 0.8)
            << to_string(kernel) << ' ' << unit << " + " << offset;
      }
    }
  }
}

TEST(Units, NumbersTooLargeOrTooSmall_AreRefused) {
  const std::vector<std::pair<double, std::string>> refusals{
      {1e101, "expected numbers up to 1e+100 in size, found "},
      {1e154, "expected numbers up to 1e+100 in size, found "},
      {1e300, "expected numbers up to 1e+100 in size, found "},
      {1e-110, "training data: expected numbers of at least 1e-100 in size, found none above "},
      {1e-300, "training data: expected numbers of at least 1e-100 in size, found none above "}};
  for (const Dataset& data : {some_series(), some_bags()}) {
    for (const int members : {1, 2}) {
      for (const auto& [unit, says] : refusals) {
        const std::string told =
            sentence([&] { (void)train(in_unit(data, unit), settings_for(KernelKind::gaussian, members)); });
        EXPECT_NE(told.find(says), std::string::npos) << told;
      }
    }
  }
  TrainSettings steep =
      settings_for(KernelKind::custom);  // each like itself, and beyond measure like all others
  steep.kernel.similarity = [](std::span<const double> x, std::span<const double> z) {
    return std::ranges::equal(x, z) ? 1.0 : 1e30;
  };
  EXPECT_TRUE(sentence([&] {
                (void)train(some_series(), steep);
              }).starts_with("kernel: expected similarities up to 1e+20 in size, found "));
}

TEST(Units, MoreFeaturesThanAModelMayHave_AreRefused) {
  Dataset data(DataKind::bags);
  const std::vector<std::int64_t> starts{0, 1};
  const std::vector<std::int32_t> columns{1 << 24};
  const std::vector<double> values{1.0};
  for (const char* label : {"a", "b"}) {
    data.add(SparseView(starts, columns.data(), values.data(), (1 << 24) + 1), label, label);
  }
  EXPECT_EQ(sentence([&] { (void)train(data, TrainSettings{}); }),
            "training data: expected at most 16777216 features or channels, found 16777217");
}

TEST(Units, NoAnswerIsNaN) {
  TrainSettings settings = settings_for(KernelKind::polynomial);
  settings.kernel.p = 4;
  for (const Dataset& data : {some_series(), some_bags()}) {
    const Model model = train(data, settings).model;
    for (const auto& [unit, says] :
         {std::pair(1e200, "expected numbers up to 1e+100 in size, found "),
          std::pair(1e99, "its numbers are too large for the model, whose answer is not a finite one")}) {
      Dataset other = in_unit(data, unit);
      const auto refused = [&, wanted = std::string(says)](const std::function<void()>& ask) {
        const std::string told = sentence(ask);
        EXPECT_TRUE(told.starts_with("example ")) << told;
        EXPECT_NE(told.find(wanted), std::string::npos) << told;
      };
      refused([&] { (void)scores(model, other, 1); });
      refused([&] { (void)responses(model, other, 1); });
      refused([&] { (void)explain(model, other, 0, 0); });
      if (data.kind() == DataKind::bags) refused([&] { (void)Predictor(model).instance_scores(other, 1); });
    }
  }
}

}  // namespace
}  // namespace shapeboost
