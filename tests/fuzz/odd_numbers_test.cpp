// SPDX-License-Identifier: MIT
// Data of any scale, offset, length and number of classes, with spikes, constants and duplicates: what is trained is saved, read
// and answers as it did in training, or the data are refused in one sentence.
#include <cmath>

#include "fuzz/mutation.hpp"
#include "ground/matrix.hpp"
#include "ground/text.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/trainer.hpp"
#include "support/matrices.hpp"
#include "train/distinct.hpp"

namespace shapeboost::fuzz {
namespace {

struct Oddity {
  DataKind kind = DataKind::series;
  int examples = 0;
  int classes = 2;
  std::int64_t length = 0;  // of a series, or of a bag
  int width = 1;            // channels or features
  double scale = 1.0;
  double offset = 0.0;
  int odd = 0;  // what else is odd

  [[nodiscard]] std::string text() const {
    return concat(to_string(kind), ", ", examples, " examples, ", classes, " classes, length ", length,
                  ", width ", width, ", scale ", detail::number(scale), ", offset ", detail::number(offset),
                  ", oddity ", odd);
  }
};

template <typename List>
auto one_of(const List& list, Rng& rng) {
  return any_of(list, rng);
}

Oddity any_oddity(Rng& rng) {
  constexpr double kScales[] = {1e-150, 1e-99, 1e-30, 1e-6, 1.0, 1.0, 1.0, 1e6, 1e30, 1e99, 1e150};
  constexpr double kOffsets[] = {0.0, 0.0, 1.0, -1e3, 1e6, 1e9};
  constexpr std::int64_t kLengths[] = {1, 2, 3, 5, 8, 20, 40, 100};
  Oddity result;
  result.kind = rng.below(3) == 0 ? DataKind::bags : DataKind::series;
  result.classes = rng.below(8) == 0 ? 1 + static_cast<int>(rng.below(30)) : 2;
  result.examples = std::max(2 * result.classes, 4 + static_cast<int>(rng.below(12)));
  result.length = one_of(kLengths, rng);
  result.width = rng.below(3) == 0 ? 1 + static_cast<int>(rng.below(4)) : 1;
  result.scale = one_of(kScales, rng);
  result.offset = result.scale * one_of(kOffsets, rng);
  result.odd = static_cast<int>(rng.below(9));
  return result;
}

/// Class c has a step of c, then noise.
Dataset made(const Oddity& wanted, Rng& rng) {
  Dataset data(wanted.kind);
  const bool bags = wanted.kind == DataKind::bags;
  for (int i = 0; i < wanted.examples; ++i) {
    const std::int64_t length = wanted.odd == 8 ? 1 + rng.below(wanted.length) : wanted.length;
    Matrix values(bags ? length : wanted.width, bags ? wanted.width : length);
    for (double& x : values.reshaped()) {
      x = wanted.scale * (0.3 * rng.normal() + i % wanted.classes) + wanted.offset;
    }
    const std::int64_t any = rng.below(values.size());
    switch (wanted.odd) {
      case 0: values.setConstant(wanted.scale); break;
      case 1: values.reshaped()[any] = 1e8 * wanted.scale; break;
      case 2: values.reshaped()[any] = 3.4e38; break;
      case 3:
        if (i % 3 == 0) values.setConstant(0.0);
        break;
      case 4:
        if (!bags) values.reshaped()[any] = NAN;
        break;
      case 5:
        for (Eigen::Index k = 0; k < values.size(); ++k)
          values.reshaped()[k] += 1e6 * wanted.scale * static_cast<double>(k);
        break;
      case 6:  // all the same, whatever their class
        if (i > 0) values = mapped(data.values(0));
        break;
      default: break;
    }
    add(data, values, concat("c", i % wanted.classes), std::to_string(i));
  }
  return data;
}

void expect_answers(const Dataset& data, const TrainSettings& settings) {
  Model model;
  if (!accepted([&] { model = train(data, settings).model; })) return;
  const Model read = model_from_json(to_json(model), "m.json");
  Scores answer;
  if (!accepted([&] { answer = scores(model, data, 1); })) return;
  EXPECT_EQ(scores(read, data, 1).parts, answer.parts);
  for (std::int64_t k = 0; k < answer.parts.size(); ++k) ASSERT_TRUE(std::isfinite(answer.parts.data()[k]));
  if (model.head || model.parts.size() != 1 || model.parts[0].margins.empty()) return;
  double largest = 0.0;
  for (const double margin : model.parts[0].margins) largest = std::max(largest, std::abs(margin));
  const Dataset trained = detail::distinct_data(data);  // constants are copies
  const Scores known = scores(model, trained, 1);
  ASSERT_EQ(std::ssize(model.parts[0].margins), trained.size());
  for (std::int64_t i = 0; i < trained.size(); ++i) {
    const double g = known.parts(i, 0) - model.parts[0].shift;
    EXPECT_NEAR(model.parts[0].margins[static_cast<std::size_t>(i)], trained.label(i) == 1 ? g : -g,
                1e-4 * std::max(largest, 1e-2))  // similarities are up to 1
        << i;
  }
}

TEST(OddNumbers, AreLearnedFromOrRefused) {
  Rng rng(6);
  for (std::int64_t k = 0, all = rounds(250); k < all && !HasFailure(); ++k) {
    const Oddity wanted = any_oddity(rng);
    const Dataset data = made(wanted, rng);
    TrainSettings settings;
    settings.threads = 1;
    settings.members = rng.below(3) == 0 ? 1 : 3;
    settings.boosting.max_rounds = 20;
    if (rng.below(2) == 0) settings.head = HeadKind::average;
    SCOPED_TRACE(concat("data ", k, ": ", wanted.text(), ", ", settings.members, " members"));
    expect_answers(data, settings);
  }
}

TEST(OddNumbers, LongSeriesAndManyClassesToo) {
  Rng rng(7);
  TrainSettings settings;
  settings.threads = 1;
  settings.members = 3;
  settings.boosting.max_rounds = 5;
  expect_answers(made({.examples = 4, .length = 100'000}, rng), settings);
  expect_answers(made({.examples = 400, .classes = 200, .length = 30}, rng), settings);
  settings.head = HeadKind::average;
  expect_answers(made({.kind = DataKind::bags, .examples = 4, .length = 20'000, .width = 3}, rng), settings);
}

}  // namespace
}  // namespace shapeboost::fuzz
