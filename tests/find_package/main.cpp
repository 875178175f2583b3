// SPDX-License-Identifier: MIT
// Uses the installed library as a stranger would: trains, predicts, explains, saves and loads.
#include <cmath>
#include <iostream>
#include <shapeboost/shapeboost.hpp>

namespace {

using namespace shapeboost;

/// Waves, every other one with a bump somewhere.
Dataset waves_and_bumps() {
  Dataset data(DataKind::series);
  for (int i = 0; i < 20; ++i) {
    std::vector<double> series;
    for (int t = 0; t < 50; ++t) {
      const double from_bump = (t - 10 - (7 * i) % 30) / 3.0;
      series.push_back(std::sin(0.3 * t + i) + (i % 2 == 0 ? 3.0 * std::exp(-from_bump * from_bump) : 0.0));
    }
    data.add(series, i % 2 == 0 ? "bump" : "wave", "series " + std::to_string(i + 1));
  }
  return data;
}

int fail(const char* what) {
  std::cerr << what << '\n';
  return 1;
}

}  // namespace

int main() {
  const Dataset data = waves_and_bumps();
  TrainSettings settings;
  settings.members = 1;
  const Model model = train(data, settings).model;
  const Predictor predictor(model);
  const Scores found = predictor.scores(data);
  if (predictions(model, found) != labels_for(model, data))
    return fail("a training example is misclassified");

  const Explanation why = explain(model, data, 0, 0);
  double sum = why.b;
  for (const Contribution& c : why.contributions) sum += c.value;
  if (!(std::abs(sum - found.parts(0, 0)) <= 1e-12)) return fail("the contributions miss the score");

  save_model(model, "model.json");
  if (scores(load_model("model.json"), data).parts != found.parts) return fail("the loaded model differs");
  try {
    (void)predictor.scores(Dataset(DataKind::bags));
    return fail("bags are taken for series");
  } catch (const InvalidInput& fault) {
    std::cout << "shapeboost " << kVersion << ": " << fault.what() << '\n';
  }
  return 0;
}
