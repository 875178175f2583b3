// SPDX-License-Identifier: MIT
#include "shapeboost/booster.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>

#include "shapeboost/master.hpp"
#include "shapeboost/weak_learner.hpp"
#include "text_detail.hpp"

namespace shapeboost {
namespace {

/// Below this the margin is nothing: gaps are taken relative to at least as much.
constexpr double kSmallestMargin = 1e-3;
/// Views refined side by side. Fixed, so that the model does not depend on the number of threads.
constexpr std::size_t kViewsAtOnce = 2;
/// How exactly weak learning is done while it pays, and before it may say that nothing is left.
constexpr double kQuick = 3e-2;
constexpr double kThorough = 3e-3;
/// Weights and edges below these are rounding.
constexpr double kNoWeight = 1e-9;
constexpr double kNoEdge = 1e-7;

Vector signs_of(const Dataset& data) {
  if (data.size() < 2) {
    throw InvalidInput("training data: expected at least two examples, found " + std::to_string(data.size()));
  }
  Vector y(data.size());
  std::int64_t positive = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (data.label(i) == kUnlabelled) {
      throw InvalidInput("training data: example " + data.name(i) + " has no label");
    }
    y[i] = data.label(i) == 1 ? 1.0 : -1.0;
    positive += data.label(i) == 1 ? 1 : 0;
  }
  if (data.classes().size() > 2) {
    throw InvalidInput("training data: expected two classes, found " + std::to_string(data.classes().size()));
  }
  if (positive == 0 || positive == data.size()) {
    throw InvalidInput("training data: expected two classes, found only '" +
                       data.classes()[static_cast<std::size_t>(data.label(0))] + "'");
  }
  return y;
}

std::int64_t window_length(double length, std::int64_t shortest) {
  const double moments = length <= 1.0 ? std::round(length * static_cast<double>(shortest)) : length;
  if (moments > static_cast<double>(shortest)) {
    throw InvalidInput("lengths: the shortest series has " + std::to_string(shortest) +
                       " values, too few for a window of " +
                       std::to_string(static_cast<std::int64_t>(moments)));
  }
  return std::max<std::int64_t>(2, static_cast<std::int64_t>(moments));
}

/// One view for each length and normalisation, not yet fitted to the data.
std::vector<View> plan_views(const Dataset& data, const BoosterSettings& settings) {
  View pattern;
  pattern.kind = data.kind();
  pattern.kernel = {settings.kernel, settings.sigma, settings.c, settings.degree};
  if (data.kind() == DataKind::bags) {
    pattern.length = data.width();
    return {pattern};
  }
  std::vector<View> views;
  for (const Normalisation normalisation : settings.normalisations) {
    for (const double length : settings.lengths) {
      pattern.length = window_length(length, data.min_length());
      pattern.normalisation = normalisation;
      const auto same = [&](const View& view) {
        return view.length == pattern.length && view.normalisation == normalisation;
      };
      if (std::none_of(views.begin(), views.end(), same)) views.push_back(pattern);
    }
  }
  return views;
}

std::vector<View> fit_views(const Dataset& data, const BoosterSettings& settings) {
  const double automatic = data.kind() == DataKind::bags ? 1.0 : 2.0;
  const double scale = settings.sigma_scale > 0.0 ? settings.sigma_scale : automatic;
  Rng rng(settings.seed);
  std::vector<View> views = plan_views(data, settings);
  for (View& view : views) view = fit_view(view, data, settings.standardise, scale, rng);
  return views;
}

void add_candidate(std::vector<Term>& terms, Handle z) {
  const auto same = [&](const Term& term) { return term.z == z; };
  if (std::none_of(terms.begin(), terms.end(), same)) terms.push_back({z, 0.0});
}

/// A hypothesis in the master: which view it belongs to, and what it is.
struct Found {
  int view;
  WeakHypothesis hypothesis;
};

class Boosting {
 public:
  Boosting(const Dataset& data, const BoosterSettings& settings, const Observer& observer)
      : data_(data),
        settings_(settings),
        observer_(observer),
        threads_(settings.threads),
        y_(signs_of(data)) {
    double nu = settings.nu;
    if (settings.offset && nu > Master::largest_nu(y_)) {
      nu = Master::largest_nu(y_);
      result_.notes.push_back("nu lowered from " + detail::number(settings.nu) + " to " + detail::number(nu) +
                              ": the smaller class has too few bags for more");
    }
    if (nu * static_cast<double>(y_.size()) < 1.0) {
      result_.notes.emplace_back(
          "nu allows less than one bag to fall short of the margin: the margin is hard");
    }
    master_ = std::make_unique<Master>(y_, MasterSettings{nu, settings.offset});
    result_.model.nu = nu;
    result_.model.kind = data.kind();
    result_.model.classes = {data.classes()[0], data.classes()[1]};
    result_.model.views = fit_views(data, settings);
    quick_ = learner(kQuick);
    thorough_ = learner(kThorough);
  }

  TrainingResult run() {
    make_oracles();
    current_ = master_->solve();
    if (interrupted()) return finish(Stop::interrupted);
    while (true) {
      if (static_cast<int>(result_.rounds.size()) >= settings_.max_rounds) return finish(Stop::rounds);
      RoundRecord record;
      record.round = static_cast<int>(result_.rounds.size()) + 1;
      const double oracle_before = oracle_seconds();
      lp_seconds_ = 0.0;
      best_edge_ = current_.gamma;
      std::vector<Found> found = singles();
      keep_better(found);
      Effort used = Effort::quick;
      for (const Effort effort : {Effort::quick, Effort::thorough}) {
        if (!found.empty() || (effort == Effort::quick && insist_)) continue;
        record.refined = true;
        used = effort;
        found = refined(effort);
      }
      if (found.empty() && interrupted()) return finish(Stop::interrupted);
      record.oracle_seconds = oracle_seconds() - oracle_before;
      record.lp_seconds = lp_seconds_;
      record.edge = best_edge_;
      record.gamma = current_.gamma;
      record.gap = result_.gap = (best_edge_ - current_.gamma) / scale();
      if (found.empty()) {
        record.columns = master_->hypotheses();
        result_.rounds.push_back(record);
        if (observer_.round) observer_.round(record);
        return finish(columns_.empty() ? Stop::nothing : Stop::gap);
      }
      {
        const ScopedTimer timer(record.master_seconds);
        for (Found& f : found) add(std::move(f));
        current_ = master_->solve();
      }
      if (current_.status != Status::solved) {
        throw Error("the master program ended as '" + std::string(to_string(current_.status)) + "'");
      }
      record.columns = master_->hypotheses();
      result_.rounds.push_back(record);
      if (observer_.round) observer_.round(record);
      if (interrupted()) return finish(Stop::interrupted);
      if (record.refined && stalled()) {
        if (used == Effort::thorough) return finish(Stop::stalled);
        insist_ = true;  // no end before every start and every instance was asked
      }
    }
  }

 private:
  enum class Effort { quick, thorough };

  [[nodiscard]] std::unique_ptr<WeakLearner> learner(double tolerance) const {
    WeakLearnerSettings weak;
    weak.tolerance = tolerance;
    weak.dc_tolerance = tolerance;
    weak.interrupted = [this] { return interrupted(); };
    if (settings_.weak == Weak::ball) return std::make_unique<BallLearner>(weak);
    return std::make_unique<SparseLearner>(weak);
  }
  /// Once true, always true.
  [[nodiscard]] bool interrupted() const {
    if (observer_.interrupted && observer_.interrupted()) interrupted_ = true;
    return interrupted_;
  }
  [[nodiscard]] double scale() const { return std::max(std::abs(current_.gamma), kSmallestMargin); }
  /// An edge must pass this to be worth a column.
  [[nodiscard]] double threshold() const {
    return columns_.empty() ? kNoEdge : current_.gamma + std::max(settings_.gap * scale(), kNoEdge);
  }
  [[nodiscard]] int signs() const { return settings_.one_sided ? 1 : 2; }
  [[nodiscard]] Vector dy() const { return current_.d.cwiseProduct(y_); }

  [[nodiscard]] bool stalled() {
    refined_gammas_.push_back(current_.gamma);
    const auto last = static_cast<std::size_t>(settings_.stall_rounds);
    if (last == 0 || refined_gammas_.size() <= last) return false;
    return current_.gamma - refined_gammas_[refined_gammas_.size() - 1 - last] < settings_.gap * scale();
  }

  [[nodiscard]] double oracle_seconds() const {
    double sum = 0.0;
    for (const auto& oracle : oracles_) sum += oracle->seconds();
    return sum;
  }

  void make_oracles() {
    std::vector<int> labels(static_cast<std::size_t>(data_.size()));
    for (std::int64_t i = 0; i < data_.size(); ++i) labels[static_cast<std::size_t>(i)] = data_.label(i);
    OracleSettings oracle_settings;
    oracle_settings.candidates = settings_.candidates;
    oracle_settings.unit_norm = settings_.weak == Weak::ball;
    const auto views = static_cast<std::int64_t>(result_.model.views.size());
    oracle_settings.memory = settings_.memory / views;
    for (const View& view : result_.model.views) {
      if (interrupted()) return;
      oracle_settings.seed = settings_.seed + oracles_.size();
      oracles_.push_back(std::make_unique<Oracle>(data_, view, labels, oracle_settings, threads_));
      result_.instances += oracles_.back()->instances().size();
    }
    last_.resize(oracles_.size());
  }

  /// The best single instance of every view for each alpha and sign.
  std::vector<Found> singles() {
    const Vector weights = dy();
    starts_.assign(oracles_.size(), {});
    std::vector<Found> found;
    for (std::size_t v = 0; v < oracles_.size(); ++v) {
      starts_[v] = oracles_[v]->best_singles(weights, signs());
      for (const Single& single : starts_[v]) {
        if (single.edge <= threshold()) continue;
        WeakHypothesis hypothesis;
        hypothesis.terms = {{single.z, single.alpha}};
        hypothesis.sign = single.sign;
        hypothesis.response = oracles_[v]->respond(hypothesis.terms);
        hypothesis.edge = edge_of(hypothesis.response, weights, single.sign);
        found.push_back({static_cast<int>(v), std::move(hypothesis)});
      }
    }
    return found;
  }

  /// The DC algorithm for each view and sign, the most promising views first, until some view yields.
  std::vector<Found> refined(Effort effort) {
    const Vector weights = dy();
    std::vector<std::size_t> order(oracles_.size());
    std::iota(order.begin(), order.end(), 0);
    const auto promise = [&](std::size_t v) {
      double best = -kInfinity;
      for (const Single& single : starts_[v]) best = std::max(best, single.edge);
      return best;
    };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return promise(a) > promise(b); });
    std::vector<Found> found;
    for (std::size_t begin = 0; begin < order.size() && found.empty(); begin += kViewsAtOnce) {
      const std::size_t views = std::min(kViewsAtOnce, order.size() - begin);
      std::vector<std::vector<Found>> of_view(views);
      threads_.run(static_cast<std::int64_t>(views), [&](std::int64_t task) {
        const auto t = static_cast<std::size_t>(task);
        of_view[t] = refined_view(order[begin + t], weights, effort);
      });
      for (auto& list : of_view) {
        for (Found& f : list) {
          lp_seconds_ += f.hypothesis.solver_seconds;
          found.push_back(std::move(f));
        }
      }
      keep_better(found);
    }
    return found;
  }

  /// Starts are the best single instances, alpha above and below 0, and where the last run for this view and
  /// sign ended. A quick run takes the best of them; a thorough one solves more exactly, prices every
  /// instance and tries each until one yields: the start with the largest edge need not lead to the largest.
  std::vector<Found> refined_view(std::size_t v, const Vector& weights, Effort effort) {
    std::vector<Found> found;
    Oracle& oracle = *oracles_[v];
    for (int sign = 1; sign >= (signs() == 2 ? -1 : 1); sign -= 2) {
      std::vector<std::pair<double, std::vector<Term>>> starts;
      for (const Single& single : starts_[v]) {
        if (single.sign == sign) starts.push_back({single.edge, {{single.z, single.alpha}}});
      }
      std::vector<Term>& last = last_[v][sign > 0 ? 0 : 1];
      if (!last.empty()) starts.emplace_back(edge_of(oracle.respond(last), weights, sign), last);
      std::stable_sort(starts.begin(), starts.end(), [](auto& a, auto& b) { return a.first > b.first; });
      if (effort == Effort::quick) {
        // One run from the best start; the others' instances come along without a coefficient, as candidates.
        for (std::size_t k = 1; k < starts.size(); ++k) {
          for (const Term& term : starts[k].second) add_candidate(starts.front().second, term.z);
        }
        starts.resize(1);
      }
      WeakHypothesis best;
      best.edge = -kInfinity;
      for (std::size_t k = 0; k < starts.size() && !(best.edge > threshold()); ++k) {
        if (interrupted()) return found;
        const WeakLearner& learner = effort == Effort::thorough && k == 0 ? *thorough_ : *quick_;
        WeakHypothesis hypothesis =
            learner.learn(oracle, weights, sign, starts[k].second, threshold(), effort == Effort::thorough);
        const double seconds = best.solver_seconds + hypothesis.solver_seconds;
        if (hypothesis.edge > best.edge) best = std::move(hypothesis);
        best.solver_seconds = seconds;
      }
      last = best.terms;
      found.push_back({static_cast<int>(v), std::move(best)});
    }
    return found;
  }

  void keep_better(std::vector<Found>& found) {
    for (const Found& f : found) best_edge_ = std::max(best_edge_, f.hypothesis.edge);
    std::erase_if(found, [&](const Found& f) { return !(f.hypothesis.edge > threshold()); });
  }

  void add(Found found) {
    const auto m = static_cast<Eigen::Index>(found.hypothesis.response.value.size());
    master_->add(found.hypothesis.sign * Eigen::Map<const Vector>(found.hypothesis.response.value.data(), m));
    found.hypothesis.response = {};
    columns_.push_back(std::move(found));
  }

  TrainingResult finish(Stop stop) {
    Model& model = result_.model;
    result_.stop = stop;
    result_.certificate = current_.gap;
    model.rho = current_.rho;
    model.gamma = current_.gamma;
    model.b = current_.b;
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      if (current_.w[static_cast<Eigen::Index>(j)] > kNoWeight) order.push_back(j);
    }
    if (order.empty()) {  // nothing learned: the larger class
      model.b = y_.sum() > 0.0 ? 1.0 : -1.0;
      model.rho = model.gamma = 0.0;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return current_.w[static_cast<Eigen::Index>(a)] > current_.w[static_cast<Eigen::Index>(b)];
    });
    for (const std::size_t j : order) {
      const Found& found = columns_[j];
      Hypothesis hypothesis{found.view, found.hypothesis.sign, {}};
      for (const Term& term : found.hypothesis.terms) {
        hypothesis.shapelet.instances.push_back(
            oracles_[static_cast<std::size_t>(found.view)]->instance(term.z));
        hypothesis.shapelet.alpha.push_back(term.alpha);
      }
      model.hypotheses.push_back(std::move(hypothesis));
      model.w.push_back(current_.w[static_cast<Eigen::Index>(j)]);
    }
    model.provenance.source = data_.source();
    model.provenance.bags = data_.size();
    model.provenance.instances = result_.instances;
    model.provenance.seed = settings_.seed;
    model.provenance.stopped = to_string(stop);
    for (const RoundRecord& r : result_.rounds) {
      model.provenance.history.push_back({r.edge, r.gamma, r.gap, r.columns});
    }
    return std::move(result_);
  }

  const Dataset& data_;
  const BoosterSettings& settings_;
  const Observer& observer_;
  ThreadPool threads_;
  Vector y_;
  std::unique_ptr<Master> master_;
  std::unique_ptr<WeakLearner> quick_;
  std::unique_ptr<WeakLearner> thorough_;
  std::vector<std::unique_ptr<Oracle>> oracles_;
  std::vector<std::vector<Single>> starts_;             // of the last call of singles()
  std::vector<std::array<std::vector<Term>, 2>> last_;  // where the DC algorithm ended, by view and sign
  std::vector<Found> columns_;
  MasterSolution current_;
  std::vector<double> refined_gammas_;  // after each refined round
  bool insist_ = false;                 // refine thoroughly from now on
  mutable std::atomic<bool> interrupted_{false};
  double best_edge_ = 0.0;
  double lp_seconds_ = 0.0;
  TrainingResult result_;
};

}  // namespace

std::string_view to_string(Weak weak) { return weak == Weak::sparse ? "sparse" : "ball"; }

Weak parse_weak(std::string_view text) {
  if (text == "sparse") return Weak::sparse;
  if (text == "ball") return Weak::ball;
  throw InvalidInput("weak: expected sparse or ball, found '" + std::string(text) + "'");
}

std::string_view to_string(Stop stop) {
  switch (stop) {
    case Stop::gap: return "gap";
    case Stop::stalled: return "stalled";
    case Stop::rounds: return "rounds";
    case Stop::interrupted: return "interrupted";
    case Stop::nothing: return "nothing found";
  }
  return "unknown";
}

std::string validate(const BoosterSettings& settings) {
  for (const double length : settings.lengths) {
    if (!(length > 0.0) || length > 1e9 || (length > 1.0 && length != std::floor(length))) {
      return "lengths: expected fractions up to 1 or whole numbers above, found " + detail::number(length);
    }
  }
  if (settings.lengths.empty()) return "lengths: expected at least one";
  if (settings.normalisations.empty()) return "normalisation: expected at least one";
  if (!(settings.sigma >= 0.0) || !std::isfinite(settings.sigma))
    return "sigma: expected a number above 0, found " + detail::number(settings.sigma);
  if (!(settings.sigma_scale >= 0.0) || !std::isfinite(settings.sigma_scale)) {
    return "sigma-scale: expected a number above 0, found " + detail::number(settings.sigma_scale);
  }
  if (!(settings.nu > 0.0 && settings.nu <= 1.0))
    return "nu: expected a number above 0 and at most 1, found " + detail::number(settings.nu);
  if (!(settings.gap >= 0.0) || !std::isfinite(settings.gap))
    return "gap: expected a number of at least 0, found " + detail::number(settings.gap);
  if (settings.stall_rounds < 0) {
    return "stall: expected at least 0, found " + std::to_string(settings.stall_rounds);
  }
  if (settings.max_rounds < 1)
    return "rounds: expected at least 1, found " + std::to_string(settings.max_rounds);
  if (settings.degree < 1 || settings.degree > 10)
    return "degree: expected 1 to 10, found " + std::to_string(settings.degree);
  if (!(settings.c >= 0.0) || !std::isfinite(settings.c))
    return "c: expected a number of at least 0, found " + detail::number(settings.c);
  if (settings.threads < 0) return "threads: expected at least 0, found " + std::to_string(settings.threads);
  if (settings.memory < 1)
    return "memory: expected a number above 0, found " + std::to_string(settings.memory);
  return {};
}

std::int64_t smallest_memory(const Dataset& data, const BoosterSettings& settings) {
  // Views share the bound in equal parts, so the largest part counts for all.
  std::int64_t largest = 0;
  const std::vector<View> views = plan_views(data, settings);
  for (const View& view : views) {
    largest = std::max(largest, Oracle::smallest_memory(data, view, settings.candidates));
  }
  return largest * static_cast<std::int64_t>(views.size());
}

TrainingResult train(const Dataset& data, const BoosterSettings& settings, const Observer& observer) {
  if (const std::string fault = validate(settings); !fault.empty()) throw InvalidInput(fault);
  if (const std::int64_t needed = smallest_memory(data, settings); settings.memory < needed) {
    constexpr std::int64_t kMega = 1 << 20;
    throw InvalidInput("memory: this data needs at least " + std::to_string(needed / kMega + 1) +
                       "M, found " + detail::number(static_cast<double>(settings.memory) / kMega) + "M");
  }
  return Boosting(data, settings, observer).run();
}

}  // namespace shapeboost
