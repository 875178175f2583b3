// SPDX-License-Identifier: MIT
#include "train/plan.hpp"

#include <algorithm>

#include "ground/rng.hpp"
#include "ground/text.hpp"
#include "learn/baselines.hpp"
#include "train/head.hpp"
#include "train/plan_views.hpp"
#include "train/stream.hpp"

namespace shapeboost {
namespace {

// Chosen by cross-validation on the training parts of the UCR and MIL sets: docs/defaults.md.
constexpr int kMembers = 100;
constexpr int kRandomViews = 1;
constexpr double kCommitteeNu = 0.1;
// Candidates of a random view: so many for each bag or series, but between these bounds. Among very many
// candidates some tell a few examples apart by chance.
constexpr std::int64_t kSampledEach = 10;
constexpr std::int64_t kFewestSampled = 200;
constexpr std::int64_t kMostSampled = 1000;
// Comparing a member's candidates with all instances of large bags would take most of the time: with more than so many
// pairs there are fewer candidates, down to the lower bound.
constexpr std::int64_t kSampledPairs = 200'000'000;
// Comparing subsequences costs O(k l^2) a pair: a table of all candidates takes too long.
constexpr std::int64_t kSampledSubsequences = 500;
// What a member trains on. The cost of a master program grows at least with its square; accuracy does not.
constexpr std::int64_t kMemberBags = 500;
// Members that only find patterns for a head: more of them, each on so many examples and candidates, or a few for
// every class. Where examples are many, each member looks at this share of them, and there are more members: what they cost
// is little beside the weighing, and there is more to find.
constexpr int kFinders = 150;
constexpr int kMostFinders = 200;
constexpr std::int64_t kMoreFinders = 4000;  // from so many examples on
constexpr std::int64_t kFinderBags = 120;
constexpr std::int64_t kFinderBagsAClass = 4;
constexpr std::int64_t kFinderBagsOneIn = 16;
// Weighing p columns of m examples costs m p^2: from so many examples on there are fewer members, and so fewer
// patterns.
constexpr std::int64_t kManyBags = 10000;
constexpr std::int64_t kFewestFinders = 20;
// Of bags a member trains on this share of the examples where its average is weighed: what it says of the others is
// what it is weighed by.
constexpr double kMemberShare = 0.7;

/// An SVM of instances has no use for a table of candidates and sees one view: it gets the smallest table, and
/// the plainest view where the settings leave it open.
void settle_instance_svm(const Dataset& data, TrainSettings& settled) {
  settled.candidates = Candidates{Candidates::Kind::sample, 1};
  if (settled.lengths.empty()) settled.lengths = {0.2};
  if (settled.channels.empty() && data.width() > 1) settled.channels = {std::vector<int>()};
  if (settled.taus.empty()) settled.taus = {0.0};
}

/// Throws InvalidInput where the method cannot see the data through these views.
void check_views(const Plan& planned) {
  const Method method = planned.settings.method;
  if (planned.settings.candidates->kind == Candidates::Kind::kmeans) {
    for (const std::vector<PlannedView>& views : planned.members) {
      for (const PlannedView& one : views) {
        if (one.view.scaling == Scaling::plain && one.view.aspect == Aspect::whole) continue;
        throw InvalidInput(
            "candidates: centres of clusters are of instances plain and whole, found scaling " +
            std::string(to_string(one.view.scaling)) + ", aspect " + std::string(to_string(one.view.aspect)));
      }
    }
  }
  if (!is_instance_svm(method)) return;
  for (const std::vector<PlannedView>& views : planned.members) {
    if (views.size() != 1) {
      throw InvalidInput("method: " + std::string(to_string(method)) + " looks at one view, found " +
                         std::to_string(views.size()));
    }
    const std::string obstacle = instance_svm_obstacle(method, views.front().view);
    if (!obstacle.empty()) throw InvalidInput(obstacle);
  }
}

/// Rows of a matrix, and whole instances under a function, can be seen in one way only.
bool has_one_view(const Dataset& data, KernelKind kernel) {
  return kernel == KernelKind::gram || (kernel == KernelKind::custom && data.kind() == DataKind::bags);
}

Candidates default_candidates(const Dataset& data, bool random, KernelKind kernel) {
  if (random) {
    std::int64_t most = kMostSampled;
    if (data.kind() == DataKind::bags) {
      std::int64_t instances = 0;
      for (std::int64_t i = 0; i < data.size(); ++i) instances += data.rows(i);
      most = std::clamp(kSampledPairs / instances, kFewestSampled, most);
    }
    return {Candidates::Kind::sample, std::clamp(kSampledEach * data.size(), kFewestSampled, most)};
  }
  if (kernel == KernelKind::subsequence) return {Candidates::Kind::sample, kSampledSubsequences};
  return {};
}

/// Throws InvalidInput where there is no such evidence of these data.
void check_evidence(const Dataset& data, const TrainSettings& settings) {
  const std::vector<Evidence> known = evidence_of(data.kind());
  for (const Evidence one : settings.evidence) {
    if (std::ranges::find(known, one) != known.end()) continue;
    std::string all;
    for (const Evidence other : known) all += (all.empty() ? "" : ", ") + std::string(to_string(other));
    throw InvalidInput("evidence: of " + std::string(to_string(data.kind())) + " expected some of " + all +
                       ", found " + std::string(to_string(one)));
  }
}

/// What a head of bags asks for beside: patterns are drawn, and members that are averaged leave some bags out.
void settle_bags(const Dataset& data, TrainSettings& settings) {
  if (settings.patterns == 0) {
    settings.patterns = detail::bag_patterns(data) * settings.members * settings.views.count;
  }
  if (settings.head != HeadKind::both) return;
  if (std::ranges::find(settings.evidence, Evidence::best) == settings.evidence.end()) {
    throw InvalidInput("head: both weighs the best match; expected best among the evidence");
  }
  if (!settings.member_bags) {
    const auto some = static_cast<std::int64_t>(kMemberShare * static_cast<double>(data.size()));
    settings.member_bags = std::clamp<std::int64_t>(some, 2, kMemberBags);
  }
}

/// Whole bags are compared by distances, and are no part of a number of patterns.
void settle_bag_evidence(TrainSettings& settings) {
  const bool asked = std::ranges::find(settings.evidence, Evidence::bag) != settings.evidence.end();
  const bool can = settings.kernel.kind == KernelKind::gaussian && settings.patterns == 0;
  if (asked && settings.patterns > 0) {
    throw InvalidInput("evidence: whole bags are not counted as patterns; expected no --patterns with bag");
  }
  if (asked && !can) {
    throw InvalidInput("evidence: whole bags are compared under the Gaussian kernel, found " +
                       std::string(to_string(settings.kernel.kind)));
  }
  if (!settings.evidence.empty()) return;
  settings.evidence = evidence_of(DataKind::bags);
  if (!can) std::erase(settings.evidence, Evidence::bag);
}

/// Throws InvalidInput where a head that is asked for cannot be had.
void settle_head(const Dataset& data, TrainSettings& settings) {
  if (settings.head == HeadKind::average) return;
  if (data.is_sparse()) {
    throw InvalidInput("head: sparse bags have none; expected auto or average, found " +
                       std::string(to_string(settings.head)));
  }
  if (settings.head == HeadKind::both && data.kind() != DataKind::bags) {
    throw InvalidInput("head: both is for bags; expected auto, ridge or average for " +
                       std::string(to_string(data.kind())));
  }
  check_evidence(data, settings);
  if (settings.method != Method::boost) {
    throw InvalidInput("head: ridge weighs boosted patterns; expected the method boost, found " +
                       std::string(to_string(settings.method)));
  }
  if (settings.views.kind != ViewChoice::Kind::random) {
    throw InvalidInput(
        "head: ridge weighs the patterns of random views; expected --views auto or random:K, found " +
        settings.views.text());
  }
  if (settings.boosting.one_sided) {
    throw InvalidInput(
        "head: ridge weighs patterns for and against a class; expected signed patterns, found one-sided "
        "ones");
  }
  if (settings.strategy && *settings.strategy != Strategy::one_vs_rest) {
    throw InvalidInput("strategy: a ridge head weighs all classes at once; expected auto, found " +
                       std::string(to_string(*settings.strategy)));
  }
  settings.strategy = Strategy::one_vs_rest;
  settings.intervals = settings.intervals && data.kind() == DataKind::series && settings.patterns == 0 &&
                       settings.evidence.empty() && settings.transforms.empty() && settings.channels.empty();
  if (data.kind() == DataKind::bags) {
    settle_bag_evidence(settings);
    return settle_bags(data, settings);
  }
  if (settings.patterns == 0) {
    settings.patterns = std::min(detail::kPatterns, detail::kPatternsEach * settings.members);
  }
  if (settings.evidence.empty()) settings.evidence = evidence_of(data.kind());
  const bool spectral =
      !settings.transforms.empty() &&
      std::ranges::count(settings.transforms, Transform::spectrum) == std::ssize(settings.transforms);
  if (spectral && std::ranges::find(settings.evidence, Evidence::best) == settings.evidence.end()) {
    throw InvalidInput("evidence: of a spectrum only best is weighed; expected best among the list");
  }
  const std::int64_t some = std::max({kFinderBags, kFinderBagsAClass * std::ssize(data.classes()),
                                      std::min(kMemberBags, data.size() / kFinderBagsOneIn)});
  if (!settings.candidates) settings.candidates = Candidates{Candidates::Kind::sample, some};
  if (!settings.member_bags) settings.member_bags = some;
}

int finders_for(const Dataset& data, const TrainSettings& settings) {
  if (detail::is_streamed(data, settings)) return detail::kSampleFinders;
  if (data.size() <= kManyBags) return data.size() < kMoreFinders ? kFinders : kMostFinders;
  const std::int64_t fewer = kFinders * kManyBags / data.size();
  return static_cast<int>(std::max(kFewestFinders, fewer));
}

HeadKind head_for(DataKind kind, const TrainSettings& settings) {
  if (settings.head != HeadKind::automatic) return settings.head;
  const bool can = kind != DataKind::sequences && settings.kernel.kind == KernelKind::gaussian &&
                   settings.method == Method::boost && settings.members != 1 &&
                   settings.views.kind != ViewChoice::Kind::grid && !settings.boosting.one_sided &&
                   !settings.strategy;
  if (!can) return HeadKind::average;
  const bool best = settings.evidence.empty() ||
                    std::ranges::find(settings.evidence, Evidence::best) != settings.evidence.end();
  return kind == DataKind::bags && settings.patterns == 0 && best ? HeadKind::both : HeadKind::ridge;
}

/// Throws InvalidInput where sparse bags are to be seen in a way that would fill them.
void check_mapping(const Dataset& data, const TrainSettings& settings) {
  if (!data.is_sparse()) return;
  const auto other = [](const auto& list, auto only) {
    return std::ranges::count(list, only) != std::ssize(list);
  };
  if (other(settings.scalings, Scaling::plain)) {
    throw InvalidInput("scaling: zeros of sparse bags stay zeros; expected plain");
  }
  if (other(settings.aspects, Aspect::whole)) throw InvalidInput("aspect: expected whole for sparse bags");
}

/// The settings with everything chosen that they leave open.
TrainSettings settled_for(const Dataset& data, TrainSettings settings) {
  using Views = ViewChoice::Kind;
  check_mapping(data, settings);
  const bool open = settings.head == HeadKind::automatic;
  settings.head = open && data.is_sparse() ? HeadKind::average : head_for(data.kind(), settings);
  if (settings.members == 0) {
    const bool single = has_one_view(data, settings.kernel.kind) || settings.method != Method::boost ||
                        settings.views.kind == Views::grid;
    const bool finds = settings.head == HeadKind::ridge && data.kind() != DataKind::bags;
    settings.members = single ? 1 : finds ? finders_for(data, settings) : kMembers;
  }
  if (settings.views.kind == Views::automatic) {
    settings.views =
        settings.members > 1 ? ViewChoice{Views::random, kRandomViews} : ViewChoice{Views::grid, 0};
  }
  const bool random = settings.views.kind == Views::random;
  if (!random && settings.members > 1) {
    throw InvalidInput(
        "members: on a grid of views every member would be the same; expected 1 or random views");
  }
  if (is_instance_svm(settings.method)) settle_instance_svm(data, settings);
  settle_head(data, settings);
  if (!settings.missing) settings.missing = settings.head == HeadKind::ridge ? Missing::fill : Missing::skip;
  if (!settings.candidates) settings.candidates = default_candidates(data, random, settings.kernel.kind);
  if (!settings.member_bags) settings.member_bags = random ? kMemberBags : 0;
  if (!settings.strategy) settings.strategy = Strategy::one_vs_one;
  BoosterSettings& boosting = settings.boosting;
  // Of a single model nu stays open: large problems have one of their own.
  if (boosting.nu == 0.0 && random) boosting.nu = kCommitteeNu;
  if (boosting.refine == Refine::automatic) boosting.refine = random ? Refine::no : Refine::yes;
  return settings;
}

}  // namespace

bool wants_head(DataKind kind, const TrainSettings& settings) {
  return head_for(kind, settings) != HeadKind::average;
}

ViewChoice ViewChoice::parse(std::string_view text) {
  if (text == "auto") return {};
  if (text == "grid") return {Kind::grid, 0};
  if (const auto count = detail::count_after<int>("random:", text)) return {Kind::random, *count};
  throw InvalidInput("views: expected auto, grid or random:K with a whole number above 0, found '" +
                     std::string(text) + "'");
}

std::string ViewChoice::text() const {
  switch (kind) {
    case Kind::automatic: return "auto";
    case Kind::grid: return "grid";
    case Kind::random: return "random:" + std::to_string(count);
  }
  return "unknown";
}

Plan plan(const Dataset& data, const TrainSettings& settings) {
  Plan result{settled_for(data, settings), {}};
  const TrainSettings& settled = result.settings;
  if (settled.views.kind == ViewChoice::Kind::grid) {
    result.members.push_back(detail::grid_views(data, settled));
  } else {
    const detail::BagTraits traits = detail::traits_of(data);
    for (int k = 0; k < settled.members; ++k) {
      Rng rng(settled.seed * 1'000'003 + static_cast<std::uint64_t>(k));
      std::vector<PlannedView>& views = result.members.emplace_back();
      for (int v = 0; v < settled.views.count; ++v) {
        for (PlannedView& view : detail::random_views(data, traits, settled, rng)) {
          views.push_back(std::move(view));
        }
      }
    }
  }
  check_views(result);
  return result;
}

}  // namespace shapeboost
