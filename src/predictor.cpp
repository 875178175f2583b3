// SPDX-License-Identifier: MIT
#include "shapeboost/predictor.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "shapeboost/parallel.hpp"

namespace shapeboost {
namespace {

/// The data's file and a colon, where there is one.
std::string source_of(const Dataset& data) { return data.source().empty() ? "" : data.source() + ": "; }

/// Says what does not fit before any work is done. Views that no hypothesis uses ask nothing of the data.
void check_fits(const Model& model, const Dataset& data, const std::vector<bool>& used) {
  const bool series = model.kind == DataKind::series;
  if (data.kind() != model.kind) {
    throw InvalidInput(source_of(data) + (series ? "the model is for series, the data are bags"
                                                 : "the model is for bags, the data are series"));
  }
  const std::int64_t width = series ? 1 : model.views.front().length;
  if (data.size() > 0 && data.width() != width) {
    throw InvalidInput(source_of(data) + "the model is for " + std::to_string(width) +
                       (series       ? " channel"
                        : width == 1 ? " feature"
                                     : " features") +
                       ", the data have " + std::to_string(data.width()));
  }
  if (!series) return;
  std::int64_t longest = 0;
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (used[v]) longest = std::max(longest, model.views[v].length);
  }
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (data.values(i).cols() >= longest) continue;
    throw InvalidInput(source_of(data) + "series " + data.name(i) + " has " +
                       std::to_string(data.values(i).cols()) +
                       " values, too few for the model's windows of " + std::to_string(longest));
  }
}

}  // namespace

std::vector<double> scores(const Model& model, const Dataset& data, int threads) {
  std::vector<bool> used(model.views.size(), false);
  for (const Hypothesis& hypothesis : model.hypotheses)
    used[static_cast<std::size_t>(hypothesis.view)] = true;
  check_fits(model, data, used);

  // Examples in blocks: each block sees every view once, and memory stays that of a block.
  constexpr std::int64_t kBlock = 64;
  std::vector<double> result(static_cast<std::size_t>(data.size()), model.b);
  ThreadPool pool(threads);
  pool.run((data.size() + kBlock - 1) / kBlock, [&](std::int64_t block) {
    std::vector<std::int64_t> members(
        static_cast<std::size_t>(std::min(kBlock, data.size() - block * kBlock)));
    std::iota(members.begin(), members.end(), block * kBlock);
    const Dataset part = data.subset(members);
    for (std::size_t v = 0; v < model.views.size(); ++v) {
      if (!used[v]) continue;
      const Instances instances(part, model.views[v]);
      for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
        const Hypothesis& hypothesis = model.hypotheses[j];
        if (hypothesis.view != static_cast<int>(v)) continue;
        const Response response = respond(instances, hypothesis.shapelet);
        for (std::size_t i = 0; i < members.size(); ++i) {
          result[static_cast<std::size_t>(members[i])] += model.w[j] * hypothesis.sign * response.value[i];
        }
      }
    }
  });
  return result;
}

std::vector<int> predictions(const std::vector<double>& scores) {
  std::vector<int> result;
  result.reserve(scores.size());
  for (const double score : scores) result.push_back(score > 0.0 ? 1 : 0);
  return result;
}

std::vector<int> labels_for(const Model& model, const Dataset& data) {
  std::vector<int> index;  // of each of the data's classes
  for (const std::string& name : data.classes()) {
    const auto found = std::find(model.classes.begin(), model.classes.end(), name);
    index.push_back(found == model.classes.end() ? -2 : static_cast<int>(found - model.classes.begin()));
  }
  std::vector<int> labels;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const int label = data.label(i);
    labels.push_back(label == kUnlabelled ? kUnlabelled : index[static_cast<std::size_t>(label)]);
    if (labels.back() == -2) {
      throw InvalidInput(source_of(data) + "example " + data.name(i) + ": expected the label " +
                         model.classes[0] + " or " + model.classes[1] + ", found '" +
                         data.classes()[static_cast<std::size_t>(label)] + "'");
    }
  }
  return labels;
}

}  // namespace shapeboost
