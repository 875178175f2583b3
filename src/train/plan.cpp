// SPDX-License-Identifier: MIT
#include "train/plan.hpp"

#include <algorithm>

#include "ground/rng.hpp"
#include "ground/text.hpp"
#include "learn/baselines.hpp"
#include "train/head.hpp"
#include "train/plan_views.hpp"

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
// every class.
constexpr int kFinders = 150;
constexpr std::int64_t kFinderBags = 120;
constexpr std::int64_t kFinderBagsAClass = 4;
// Weighing p columns of m examples costs m p^2: from so many examples on there are fewer members, and so fewer
// patterns.
constexpr std::int64_t kManyBags = 8000;
constexpr std::int64_t kFewestFinders = 20;

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

/// Throws InvalidInput where a head that is asked for cannot be had.
void settle_head(const Dataset& data, TrainSettings& settings) {
  if (settings.head != HeadKind::ridge) return;
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
  if (settings.patterns == 0) {
    settings.patterns = std::min(detail::kPatterns, detail::kPatternsEach * settings.members);
  }
  if (settings.evidence.empty()) settings.evidence = detail::default_evidence(data.kind());
  const bool spectral =
      !settings.transforms.empty() &&
      std::ranges::count(settings.transforms, Transform::spectrum) == std::ssize(settings.transforms);
  if (spectral && std::ranges::find(settings.evidence, Evidence::best) == settings.evidence.end()) {
    throw InvalidInput("evidence: of a spectrum only best is weighed; expected best among the list");
  }
  const std::int64_t some = std::max(kFinderBags, kFinderBagsAClass * std::ssize(data.classes()));
  if (!settings.candidates) settings.candidates = Candidates{Candidates::Kind::sample, some};
  if (!settings.member_bags) settings.member_bags = some;
}

int finders_for(const Dataset& data) {
  const std::int64_t fewer = kFinders * kManyBags / std::max(kManyBags, data.size());
  return static_cast<int>(std::max(kFewestFinders, fewer));
}

/// The settings with everything chosen that they leave open.
TrainSettings settled_for(const Dataset& data, TrainSettings settings) {
  using Views = ViewChoice::Kind;
  settings.head = wants_head(data.kind(), settings) ? HeadKind::ridge : HeadKind::average;
  if (settings.members == 0) {
    const bool single = has_one_view(data, settings.kernel.kind) || settings.method != Method::boost ||
                        settings.views.kind == Views::grid;
    settings.members = single ? 1 : settings.head == HeadKind::ridge ? finders_for(data) : kMembers;
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
  if (!settings.candidates) settings.candidates = default_candidates(data, random, settings.kernel.kind);
  if (!settings.member_bags) settings.member_bags = random ? kMemberBags : 0;
  if (!settings.strategy) settings.strategy = Strategy::one_vs_one;
  BoosterSettings& boosting = settings.boosting;
  if (boosting.nu == 0.0) boosting.nu = random ? kCommitteeNu : kNu;
  if (boosting.refine == Refine::automatic) boosting.refine = random ? Refine::no : Refine::yes;
  return settings;
}

}  // namespace

bool wants_head(DataKind kind, const TrainSettings& settings) {
  if (settings.head != HeadKind::automatic) return settings.head == HeadKind::ridge;
  return kind == DataKind::series && settings.kernel.kind == KernelKind::gaussian &&
         settings.method == Method::boost && settings.members != 1 &&
         settings.views.kind != ViewChoice::Kind::grid && !settings.boosting.one_sided && !settings.strategy;
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
    for (int k = 0; k < settled.members; ++k) {
      Rng rng(settled.seed * 1'000'003 + static_cast<std::uint64_t>(k));
      std::vector<PlannedView>& views = result.members.emplace_back();
      for (int v = 0; v < settled.views.count; ++v) {
        for (PlannedView& view : detail::random_views(data, settled, rng)) views.push_back(std::move(view));
      }
    }
  }
  check_views(result);
  return result;
}

}  // namespace shapeboost
