// SPDX-License-Identifier: MIT
#include "train/find.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "ground/rng.hpp"
#include "learn/booster.hpp"
#include "oracle/local_oracle.hpp"
#include "train/problem.hpp"
#include "view/fit_view.hpp"

namespace shapeboost::detail {
namespace {

// Two-class problems that a member solves where there are more classes.
constexpr std::int64_t kProblems = 4;
// A problem ends after so many rounds, or a round for so many wanted patterns if these are more: the last rounds of
// column generation polish weights, which a head does not use.
constexpr std::int64_t kFewestRounds = 4;
constexpr std::int64_t kPatternsARound = 4;
// Pairs of windows whose median distance is a view's unit, shared by the views of a member: a few per cent of error matter little,
// where sigma is drawn at random from three octaves.
constexpr std::int64_t kFinderPairs = 1024;
// The threshold of Evidence::share is a quantile, drawn between these, of the pattern's scores in another example
// of its class.
constexpr double kLowestReach = 0.60;
constexpr double kHighestReach = 0.98;

/// A quantile of the scores, half way to the next below: no score is the threshold itself, where rounding would decide whether it
/// reaches it.
double quantile(std::vector<double>& score, double share) {
  const auto place = score.begin() + static_cast<std::ptrdiff_t>(share * real(std::ssize(score)));
  std::nth_element(score.begin(), place, score.end());
  return place == score.begin() ? *place : 0.5 * (*place + *std::max_element(score.begin(), place));
}

/// The classes' sides in a two-class problem: +1, -1, or 0 where a class takes no part. Of more than two classes a
/// pair, one against the rest, or one half against the other, whichever falls.
std::vector<int> drawn_sides(std::size_t classes, Rng& rng) {
  if (classes == 2) return {-1, +1};
  std::vector<std::size_t> order(classes);
  std::iota(order.begin(), order.end(), 0);
  rng.shuffle(order);
  const std::int64_t kind = rng.below(3);
  std::vector<int> sides(classes, kind == 0 ? 0 : -1);
  sides[order[0]] = +1;
  if (kind == 0) sides[order[1]] = -1;
  for (std::size_t k = 1; kind == 2 && k < classes / 2; ++k) sides[order[k]] = +1;
  return sides;
}

/// The examples of these sides.
Problem problem_of(const Dataset& data, const std::vector<int>& sides, const TrainSettings& settings) {
  Problem problem;
  std::vector<double> y;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const int side = sides[at(data.label(i))];
    if (side == 0) continue;
    problem.bags.push_back(i);
    y.push_back(side);
  }
  problem.sides.y = Eigen::Map<const Vector>(y.data(), std::ssize(y));
  problem.sides.v = bag_weights(settings.class_weights, data, problem.bags, problem.sides.y);
  return problem;
}

/// Numbers as short as they can be without changing what the window looks like: each channel to steps of a
/// ten-thousandth of its deviation. What is weighed is the pattern as it is written.
void shorten(std::vector<double>& values, std::int64_t channels) {
  constexpr double kStep = 1e-4;
  constexpr double kMostTens = 15.0;
  Eigen::Map<Matrix> rows(values.data(), channels, std::ssize(values) / channels);
  for (Eigen::Index c = 0; c < channels; ++c) {
    const auto x = rows.row(c);
    double mean = 0.0;
    for (const double value : x) mean += value / real(x.size());
    double variance = 0.0;
    for (const double value : x) variance += (value - mean) * (value - mean) / real(x.size());
    const double deviation = std::sqrt(variance);
    const double power = deviation > 0.0 ? std::floor(std::log10(kStep * deviation)) : kInfinity;
    if (std::abs(power) > kMostTens) continue;
    const double tens = std::pow(10.0, std::abs(power));
    for (double& value : rows.row(c)) {
      value = power < 0.0 ? std::round(value * tens) / tens : std::round(value / tens) * tens;
    }
  }
}

/// Of a sample; every instance, and centres, are each view's own.
Candidates share_of(Candidates candidates, double share) {
  if (candidates.kind != Candidates::Kind::sample) return candidates;
  constexpr std::int64_t kFewest = 10;
  const auto count = std::llround(share * real(candidates.count));
  candidates.count = std::min(candidates.count, std::max<std::int64_t>(kFewest, count));
  return candidates;
}

class Finder {
 public:
  Finder(const Dataset& data, const std::vector<PlannedView>& planned, const TrainSettings& settings,
         std::int64_t wanted, std::uint64_t seed, const Observer& observer, ThreadPool& threads)
      : settings_(settings),
        wanted_(wanted),
        rng_(seed),
        examples_(drawn_examples(data, *settings.member_bags, rng_)),
        data_(data.subset(examples_)),
        observer_(observer),
        threads_(threads) {
    std::vector<int> labels;
    for (std::int64_t i = 0; i < data_.size(); ++i) labels.push_back(data_.label(i));
    const std::int64_t pairs = kFinderPairs / std::ssize(planned);
    for (const PlannedView& one : planned) {
      std::unique_ptr<Instances> instances =
          fit_instances(one.view, data_, settings.standardise, one.sigma_scale, rng_, pairs);
      found_.views.push_back(instances->view());
      TableSettings table;
      table.candidates = share_of(*settings.candidates, one.candidates);
      table.unit_norm = settings.boosting.weak == Weak::ball;
      table.seed = seed + tables_.size();
      tables_.push_back(std::make_shared<const Table>(std::move(instances), labels, table, threads_));
      found_.facts.push_back(tables_.back()->facts());
    }
  }

  FoundPatterns run() {
    const std::int64_t problems = std::min(problems_each(data_), wanted_);
    for (std::int64_t k = 0; k < problems; ++k) {
      // What earlier problems left of their shares goes to the later ones.
      room_ = wanted_ * (k + 1) / problems;
      solve(static_cast<int>(k));
    }
    return std::move(found_);
  }

 private:
  using Key = std::pair<int, std::vector<std::pair<Handle, double>>>;  // view and terms

  void solve(int number) {
    const Problem problem = problem_of(data_, drawn_sides(data_.classes().size(), rng_), settings_);
    std::vector<std::unique_ptr<Oracle>> oracles;
    for (const auto& table : tables_) {
      oracles.push_back(std::make_unique<LocalOracle>(table, problem.bags, memory(*table), threads_));
    }
    Observer own = observer_;
    if (observer_.round) {
      own.round = [&](RoundRecord record) {
        record.part = number;
        observer_.round(record);
      };
    }
    BoosterSettings boosting = settings_.boosting;
    const std::int64_t rounds =
        std::max(kFewestRounds, (room_ - std::ssize(found_.hypotheses)) / kPatternsARound);
    boosting.max_rounds = static_cast<int>(std::min<std::int64_t>(boosting.max_rounds, rounds));
    boosting.singles = std::max(1, boosting.singles / static_cast<int>(oracles.size()));
    const Learned learned = boost(oracles, problem.sides, boosting, threads_, own);
    for (const LearnedHypothesis& hypothesis : learned.hypotheses)
      take(hypothesis, *oracles[at(hypothesis.oracle)]);
    found_.gap = std::max(found_.gap, learned.gap());
    found_.duality_gap = std::max(found_.duality_gap, learned.duality_gap);
    // The bound on rounds is this search's own unless it is the caller's.
    const bool bounded = learned.stop == Stop::rounds && boosting.max_rounds < settings_.boosting.max_rounds;
    found_.stops.push_back(bounded ? Stop::gap : learned.stop);
    for (RoundRecord record : learned.rounds) {
      record.part = number;
      found_.rounds.push_back(record);
    }
  }

  [[nodiscard]] std::int64_t memory(const Table& table) const {
    return settings_.memory / std::ssize(tables_) - table.bytes();
  }

  void take(const LearnedHypothesis& learned, Oracle& oracle) {
    if (std::ssize(found_.hypotheses) >= room_) return;
    // max_x -K(z, x) asks for the instance least like z: of a single instance, no pattern that could be found.
    if (learned.terms.size() == 1 && learned.terms.front().alpha < 0.0) return;
    Key key{learned.oracle, {}};
    for (const Term& term : learned.terms) key.second.emplace_back(term.z, term.alpha);
    if (!known_.insert(std::move(key)).second) return;
    Hypothesis hypothesis{learned.oracle, +1, {}};
    std::int64_t bag = -1;
    for (const Term& term : learned.terms) {
      Instance instance = oracle.instance(term.z);
      if (instance.example >= 0) {
        bag = instance.example;
        instance.example = examples_[at(instance.example)];
      }
      if (data_.kind() == DataKind::series) shorten(instance.values, found_.views[at(learned.oracle)].rows());
      hypothesis.shapelet.instances.push_back(std::move(instance));
      hypothesis.shapelet.alpha.push_back(term.alpha);
    }
    hypothesis.threshold = threshold(hypothesis.shapelet, tables_[at(learned.oracle)]->instances(), bag);
    found_.hypotheses.push_back(std::move(hypothesis));
  }

  /// A high quantile of the scores in another example of the class of `bag`, or of any where it has no other.
  [[nodiscard]] double threshold(const Shapelet& shapelet, const Instances& instances, std::int64_t bag) {
    std::vector<std::int64_t> others;
    for (const bool same : {true, false}) {
      for (std::int64_t i = 0; i < data_.size() && (same || others.empty()); ++i) {
        const bool fits = !same || bag < 0 || data_.label(i) == data_.label(bag);
        if (i != bag && fits && instances.count(i) > 0) others.push_back(i);
      }
    }
    const double reach = kLowestReach + (kHighestReach - kLowestReach) * rng_.uniform();
    if (others.empty()) return 0.0;
    const std::int64_t other = others[at(rng_.below(std::ssize(others)))];
    const std::int64_t n = instances.count(other);
    std::vector<double> score(at(n), 0.0);
    std::vector<double> similar(at(n));
    for (std::size_t t = 0; t < shapelet.alpha.size(); ++t) {
      instances.affinities(instances.probe(shapelet.instances[t]), {other, 0, n}, similar.data());
      instances.view().kernel.values(similar.data(), n);
      for (std::size_t x = 0; x < score.size(); ++x) score[x] += shapelet.alpha[t] * similar[x];
    }
    return quantile(score, reach);
  }

  const TrainSettings& settings_;
  std::int64_t wanted_;
  std::int64_t room_ = 0;  // patterns that there may be after the problem at hand
  Rng rng_;
  std::vector<std::int64_t> examples_;
  Dataset data_;  // these examples
  const Observer& observer_;
  ThreadPool& threads_;
  std::vector<std::shared_ptr<const Table>> tables_;
  std::set<Key> known_;
  FoundPatterns found_;
};

}  // namespace

std::vector<std::int64_t> drawn_examples(const Dataset& data, std::int64_t limit, Rng& rng) {
  constexpr std::int64_t kFewest = 2;
  std::vector<std::vector<std::int64_t>> of_class(data.classes().size());
  for (std::int64_t i = 0; i < data.size(); ++i) of_class[at(data.label(i))].push_back(i);
  std::vector<std::int64_t> drawn;
  for (std::vector<std::int64_t>& members : of_class) {
    if (limit > 0 && limit < data.size()) {
      rng.shuffle(members);
      const double part = real(std::ssize(members)) * real(limit) / real(data.size());
      const std::int64_t count = std::max<std::int64_t>(kFewest, std::llround(part));
      if (count < std::ssize(members)) members.resize(at(count));
    }
    drawn.insert(drawn.end(), members.begin(), members.end());
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

View unasked(View view) {
  view.centre.assign(at(view.rows()), 0.0);
  view.scale.assign(at(view.rows()), 1.0);
  if (wants_sigma(view)) view.kernel.set_sigma(1.0);
  if (view.kernel.compares_strings() && view.kernel.k() == 0)
    view.kernel.set_k(default_k(view.kernel.kind()));
  if (auto* mismatch = view.kernel.as<kernels::Mismatch>())
    mismatch->alphabet = std::max(1, mismatch->alphabet);
  return view;
}

FoundPatterns found_nothing(const View& view) {
  FoundPatterns found;
  found.views = {unasked(view)};
  found.facts.resize(1);
  found.stops = {Stop::interrupted};
  return found;
}

std::int64_t bag_patterns(const Dataset& data) {
  constexpr std::int64_t kMost = 40;
  constexpr std::int64_t kFewest = 4;
  constexpr std::int64_t kManyBags = 8000;
  return std::max(kFewest, kMost * kManyBags / std::max(kManyBags, data.size()));
}

FoundPatterns draw_patterns(const Dataset& data, const std::vector<View>& views, std::int64_t wanted,
                            std::uint64_t seed) {
  // A pattern's threshold is a quantile, drawn between these, of its scores of instances of any bags: what is common
  // and what is rare are both worth counting.
  constexpr double kLowest = 0.5;
  constexpr double kHighest = 0.97;
  constexpr std::int64_t kAsked = 300;
  FoundPatterns found;
  found.views = views;
  Rng rng(seed);
  std::vector<std::int64_t> filled;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (data.values(i).rows() > 0) filled.push_back(i);
  }
  for (std::size_t v = 0; v < views.size(); ++v) {
    const std::unique_ptr<Instances> instances = make_instances(data, views[v]);
    found.facts.push_back({instances->size(), instances->radius(), 0});
    for (std::int64_t i = 0; i < data.size(); ++i) {
      found.facts.back().largest_bag = std::max(found.facts.back().largest_bag, instances->count(i));
    }
    std::vector<Probe> asked;
    for (std::int64_t k = 0; k < std::min(kAsked, instances->size()); ++k) {
      asked.push_back(instances->probe(rng.below(instances->size())));
    }
    std::set<std::int64_t> taken;
    for (std::int64_t k = 0; k < wanted && !filled.empty(); ++k) {
      const std::int64_t bag = filled[at(rng.below(std::ssize(filled)))];
      const std::int64_t x = instances->first(bag) + rng.below(instances->count(bag));
      const double reach = kLowest + (kHighest - kLowest) * rng.uniform();
      if (!taken.insert(x).second) continue;
      Hypothesis& hypothesis = found.hypotheses.emplace_back();
      hypothesis.view = static_cast<int>(v);
      hypothesis.shapelet = {{instances->instance(x)}, {1.0}};
      const Probe z = instances->probe(x);
      std::vector<double> score;
      for (const Probe& other : asked) score.push_back(instances->similarity(z, other));
      hypothesis.threshold = quantile(score, reach);
    }
  }
  return found;
}

std::int64_t problems_each(const Dataset& data) { return data.classes().size() == 2 ? 1 : kProblems; }

FoundPatterns find_patterns(const Dataset& data, const std::vector<PlannedView>& planned,
                            const TrainSettings& settings, std::int64_t wanted, std::uint64_t seed,
                            const Observer& observer, ThreadPool& threads) {
  return Finder(data, planned, settings, wanted, seed, observer, threads).run();
}

}  // namespace shapeboost::detail
