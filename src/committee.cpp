// SPDX-License-Identifier: MIT
#include "shapeboost/committee.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "shapeboost/predictor.hpp"
#include "text_detail.hpp"

namespace shapeboost {
namespace {

// Chosen by cross-validation on the training parts of the UCR sets: docs/defaults.md.
const std::vector<Normalisation> kNormalisations{Normalisation::raw, Normalisation::centred,
                                                 Normalisation::z};
const std::vector<double> kSeriesScales{1.0, 4.0};
const std::vector<double> kBagScales{0.5, 1.0, 2.0};

/// A member that learned something, and how much its scores count.
struct Weighted {
  const Model* model;
  double c;
};

/// Members in parts that add up to 1, each scaled to the same mean score over the training bags.
std::vector<Weighted> weigh(const std::vector<TrainingResult>& trained, const Dataset& data, int threads) {
  std::vector<Weighted> parts;
  double sum = 0.0;
  for (const TrainingResult& result : trained) {
    if (result.model.hypotheses.empty()) continue;
    double size = 0.0;
    for (const double score : scores(result.model, data, threads)) size += std::abs(score);
    if (size <= 0.0) continue;
    parts.push_back({&result.model, static_cast<double>(data.size()) / size});
    sum += parts.back().c;
  }
  for (Weighted& part : parts) part.c /= sum;
  return parts;
}

Model average(const std::vector<Weighted>& parts) {
  Model model = *parts.front().model;
  model.views.clear();
  model.hypotheses.clear();
  model.w.clear();
  model.b = 0.0;
  std::vector<std::pair<double, Hypothesis>> all;
  for (const Weighted& part : parts) {
    const auto first_view = static_cast<int>(model.views.size());
    model.views.insert(model.views.end(), part.model->views.begin(), part.model->views.end());
    model.b += part.c * part.model->b;
    for (std::size_t j = 0; j < part.model->hypotheses.size(); ++j) {
      all.emplace_back(part.c * part.model->w[j], part.model->hypotheses[j]);
      all.back().second.view += first_view;
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [w, hypothesis] : all) {
    model.w.push_back(w);
    model.hypotheses.push_back(std::move(hypothesis));
  }
  return model;
}

/// What ended the whole: asked to stop beats a limit, a limit beats the gap; nothing only where all found
/// nothing.
Stop worst(const std::vector<TrainingResult>& trained) {
  for (const Stop stop : {Stop::interrupted, Stop::rounds, Stop::stalled, Stop::gap}) {
    if (std::any_of(trained.begin(), trained.end(), [&](const auto& t) { return t.stop == stop; }))
      return stop;
  }
  return Stop::nothing;
}

TrainingResult combine(std::vector<TrainingResult> trained, const Dataset& data, int threads) {
  TrainingResult result;
  const std::vector<Weighted> parts = weigh(trained, data, threads);
  result.model = parts.empty() ? trained.front().model : average(parts);
  result.members = static_cast<int>(trained.size());
  result.stop = worst(trained);
  result.notes = trained.front().notes;  // the same for all: they speak of nu and the classes
  Provenance& provenance = result.model.provenance;
  provenance.history.clear();
  for (std::size_t k = 0; k < trained.size(); ++k) {
    result.gap = std::max(result.gap, trained[k].gap);
    result.certificate = std::max(result.certificate, trained[k].certificate);
    result.instances += trained[k].instances;
    for (RoundRecord& record : trained[k].rounds) {
      record.member = static_cast<int>(k);
      result.rounds.push_back(record);
    }
    const std::vector<HistoryEntry>& history = trained[k].model.provenance.history;
    provenance.history.insert(provenance.history.end(), history.begin(), history.end());
  }
  provenance.instances = result.instances;
  provenance.stopped = to_string(result.stop);
  std::vector<double> margins = scores(result.model, data, threads);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (data.label(i) == 0) margins[static_cast<std::size_t>(i)] *= -1.0;
  }
  const double d_cap = std::min(1.0, 1.0 / (result.model.nu * static_cast<double>(data.size())));
  const SoftMargin margin = soft_margin(margins, d_cap);
  result.model.rho = margin.rho;
  result.model.gamma = margin.gamma;
  return result;
}

}  // namespace

std::string validate(const CommitteeSettings& settings) {
  for (const double scale : settings.over_sigma_scales) {
    if (!(scale > 0.0) || !std::isfinite(scale)) {
      return "sigma-scale: expected a number above 0, found " + detail::number(scale);
    }
  }
  if (settings.single && settings.over_sigma_scales.size() > 1) {
    return "sigma-scale: a single model takes one, found " +
           std::to_string(settings.over_sigma_scales.size());
  }
  return validate(static_cast<const BoosterSettings&>(settings));
}

std::vector<BoosterSettings> members(const CommitteeSettings& settings, DataKind kind) {
  const bool series = kind == DataKind::series;
  BoosterSettings one = settings;
  if (settings.single) {
    if (!settings.over_normalisations.empty()) one.normalisations = settings.over_normalisations;
    if (!settings.over_sigma_scales.empty()) one.sigma_scale = settings.over_sigma_scales.front();
    return {one};
  }
  std::vector<Normalisation> normalisations = settings.over_normalisations;
  if (normalisations.empty()) normalisations = kNormalisations;
  if (!series) normalisations.resize(1);  // of no meaning for bags
  std::vector<double> scales = settings.over_sigma_scales;
  if (scales.empty()) scales = series ? kSeriesScales : kBagScales;
  if (one.kernel != KernelKind::gaussian || one.sigma > 0.0) scales.resize(1);  // of no meaning either
  std::vector<BoosterSettings> result;
  for (const Normalisation normalisation : normalisations) {
    for (const double scale : scales) {
      one.normalisations = {normalisation};
      one.sigma_scale = scale;
      result.push_back(one);
    }
  }
  return result;
}

TrainingResult train_committee(const Dataset& data, const CommitteeSettings& settings,
                               const Observer& observer) {
  if (const std::string fault = validate(settings); !fault.empty()) throw InvalidInput(fault);
  std::vector<BoosterSettings> each = members(settings, data.kind());
  if (each.size() == 1) return train(data, each.front(), observer);
  // Members side by side, each on one thread, as many as memory allows; which runs when matters to none of
  // them.
  const std::int64_t needed = std::max<std::int64_t>(1, smallest_memory(data, each.front()));
  const auto side_by_side = static_cast<int>(
      std::clamp<std::int64_t>(settings.memory / needed, 1, ThreadPool(settings.threads).threads()));
  ThreadPool pool(side_by_side);
  std::mutex one_at_a_time;
  std::vector<TrainingResult> trained(each.size());
  pool.run(static_cast<std::int64_t>(each.size()), [&](std::int64_t task) {
    const auto k = static_cast<std::size_t>(task);
    Observer own = observer;
    if (observer.round) {
      own.round = [&, k](const RoundRecord& record) {
        RoundRecord tagged = record;
        tagged.member = static_cast<int>(k);
        const std::scoped_lock lock(one_at_a_time);
        observer.round(tagged);
      };
    }
    each[k].threads = 1;
    each[k].memory = settings.memory / side_by_side;
    trained[k] = train(data, each[k], own);
  });
  return combine(std::move(trained), data, settings.threads);
}

SoftMargin soft_margin(std::vector<double> margins, double d_cap) {
  // Concave and piecewise linear in rho: its slope 1 - d_cap #{margins < rho} turns at the first margin that
  // has, itself included, at least 1 / d_cap margins at or below it.
  std::sort(margins.begin(), margins.end());
  const auto count = static_cast<std::size_t>(std::ceil(1.0 / d_cap - 1e-9));
  const double rho = margins[std::min(std::max<std::size_t>(count, 1), margins.size()) - 1];
  double shortfall = 0.0;
  for (const double margin : margins) shortfall += std::max(0.0, rho - margin);
  return {rho, rho - d_cap * shortfall};
}

}  // namespace shapeboost
