// SPDX-License-Identifier: MIT
#include "learn/booster.hpp"

#include <array>
#include <atomic>

#include "ground/names.hpp"
#include "ground/stop.hpp"
#include "ground/text.hpp"
#include "ground/timer.hpp"
#include "learn/master.hpp"
#include "learn/weak_learner.hpp"

namespace shapeboost {
namespace {

constexpr Names<Weak, 2> kWeak{{{Weak::sparse, "sparse"}, {Weak::ball, "ball"}}};
constexpr Names<Refine, 3> kRefine{{{Refine::automatic, "auto"}, {Refine::no, "no"}, {Refine::yes, "yes"}}};
constexpr Names<Stop, 5> kStops{{{Stop::gap, "gap"},
                                 {Stop::stalled, "stalled"},
                                 {Stop::rounds, "rounds"},
                                 {Stop::interrupted, "interrupted"},
                                 {Stop::nothing, "nothing found"}}};

/// Below this the margin is nothing: gaps are taken relative to at least as much.
constexpr double kSmallestMargin = 1e-3;
/// Views refined side by side. Fixed, so that the model does not depend on the number of threads.
constexpr std::size_t kViewsAtOnce = 2;
/// How exactly weak learning is done while it pays, and before it may say that nothing is left.
constexpr double kQuick = 3e-2;
constexpr double kThorough = 3e-3;
/// A hypothesis far above the threshold enters the master whether it is the best one or not.
constexpr double kSpare = 0.25;
/// Edges below this are rounding.
constexpr double kNoEdge = 1e-7;
/// Share of the best d so far in the d at which single instances are sought: it and BoosterSettings::singles are the quickest of
/// shares from 0 to 0.92 and counts from 1 to 20 on 600 and 1800 bags.
constexpr double kSmoothing = 0.7;
/// From so many bags on this is done before refining too: fewer rounds, each of which has a master to solve that
/// grows with the bags. With fewer of them it made no difference.
constexpr Eigen::Index kSmoothedBags = 1500;
/// Share of the last d used in the d at which mixtures are sought: see refined().
constexpr double kInertia = 0.8;
/// Where the margin is not above 0, many hypotheses together may still open one: patience is so much longer.
constexpr double kNoMargin = 1e-5;
constexpr int kPlateau = 30;

void add_candidate(std::vector<Term>& terms, Handle z) {
  if (std::ranges::find(terms, z, &Term::z) == terms.end()) terms.push_back({z, 0.0});
}

/// A hypothesis in the master: which view it belongs to, and what it is.
struct Found {
  int view;
  WeakHypothesis hypothesis;
};

class Boosting {
 public:
  Boosting(const Oracles& oracles, const Sides& sides, const BoosterSettings& settings, ThreadPool& threads,
           const Observer& observer)
      : oracles_(oracles),
        y_(sides.y),
        settings_(settings),
        threads_(threads),
        observer_(observer),
        quick_(learner(kQuick)),
        thorough_(learner(kThorough)),
        last_(oracles.size()) {
    result_.nu = lowered_nu(sides, settings);
    master_ = make_master(settings.offset && !settings.offset_last, sides.v);
    if (settings.offset && settings.offset_last) last_master_ = make_master(true, sides.v);
  }

  Learned run() {
    try {
      return boosted();
    } catch (const Abandoned&) {  // in the middle of a round: what came before it stands
      if (is_abandoned(observer_)) throw;
      return finish(Stop::interrupted);
    }
  }

 private:
  enum class Effort { quick, thorough };

  Learned boosted() {
    const StopScope scope(observer_.interrupted);
    current_ = master_->solve();
    if (interrupted()) return finish(Stop::interrupted);
    while (std::ssize(result_.rounds) < settings_.max_rounds) {
      RoundRecord record = result_.next_round();
      Effort used = Effort::quick;
      std::vector<Found> found = search(record, used);
      if (found.empty() && interrupted()) return finish(Stop::interrupted);
      if (!found.empty()) {
        const ScopedTimer timer(record.master_seconds);
        for (Found& f : found) add(std::move(f));
        current_ = solved();
      }
      record.columns = master_->hypotheses();
      result_.keep(record, observer_);
      if (found.empty()) return finish(columns_.empty() ? Stop::nothing : Stop::gap);
      if (interrupted()) return finish(Stop::interrupted);
      if (record.refined && stalled()) {
        if (used == Effort::thorough) return finish(Stop::stalled);
        insist_ = true;  // no end before every start and every instance was asked
      }
    }
    return finish(Stop::rounds);
  }

  /// Hypotheses that are worth a column: single instances, and where these are not, what the DC algorithm
  /// makes of them, with as little effort as yields any.
  std::vector<Found> search(RoundRecord& record, Effort& used) {
    const double oracle_before = oracle_seconds();
    lp_seconds_ = 0.0;
    best_edge_ = current_.gamma;
    std::vector<Found> found = singles();
    keep_better(found);
    for (const Effort effort : {Effort::quick, Effort::thorough}) {
      if (settings_.refine == Refine::no || !found.empty() || (effort == Effort::quick && insist_)) continue;
      record.refined = true;
      used = effort;
      found = refined(effort);
    }
    record.oracle_seconds = oracle_seconds() - oracle_before;
    record.lp_seconds = lp_seconds_;
    record.edge = best_edge_;
    record.gamma = current_.gamma;
    record.gap = (best_edge_ - current_.gamma) / scale();
    return found;
  }

  [[nodiscard]] std::unique_ptr<Master> make_master(bool offset, const Vector& weights) const {
    return std::make_unique<Master>(y_,
                                    MasterSettings{.nu = result_.nu, .offset = offset, .weights = weights});
  }
  [[nodiscard]] std::unique_ptr<WeakLearner> learner(double tolerance) const {
    WeakLearnerSettings weak;
    weak.tolerance = tolerance;
    weak.spare = kSpare;
    weak.dc_tolerance = tolerance;
    weak.interrupted = [this] { return interrupted(); };
    if (settings_.weak == Weak::ball) return std::make_unique<BallLearner>(weak);
    return std::make_unique<SparseLearner>(weak);
  }
  /// Once true, always true.
  [[nodiscard]] bool interrupted() const {
    if (is_interrupted(observer_)) interrupted_ = true;
    return interrupted_;
  }
  [[nodiscard]] double scale() const { return std::max(std::abs(current_.gamma), kSmallestMargin); }
  /// An edge must pass this to be worth a column.
  [[nodiscard]] double threshold() const {
    return columns_.empty() ? kNoEdge : current_.gamma + std::max(settings_.gap * scale(), kNoEdge);
  }
  [[nodiscard]] int signs() const { return settings_.one_sided ? 1 : 2; }
  void drop_useless(std::vector<Found>& found) const {
    std::erase_if(found, [&](const Found& f) { return !(f.hypothesis.edge > threshold()); });
  }
  /// Edges at the master's d, of what may have been found at another.
  void price_here(std::vector<Found>& found) const {
    const Vector dy = current_.d.cwiseProduct(y_);
    for (auto& [view, h] : found) h.edge = edge_of(h.response, dy, h.sign);
  }
  void keep_better(std::vector<Found>& found) {
    for (const Found& f : found) best_edge_ = std::max(best_edge_, f.hypothesis.edge);
    drop_useless(found);
  }

  [[nodiscard]] bool stalled() {
    refined_gammas_.push_back(current_.gamma);
    const auto last =
        static_cast<std::size_t>(settings_.stall_rounds) * (current_.gamma < kNoMargin ? kPlateau : 1);
    if (last == 0 || refined_gammas_.size() <= last) return false;
    return current_.gamma - refined_gammas_[refined_gammas_.size() - 1 - last] < settings_.gap * scale();
  }

  [[nodiscard]] double oracle_seconds() const {
    return std::transform_reduce(oracles_.begin(), oracles_.end(), 0.0, std::plus(),
                                 [](const auto& oracle) { return oracle->seconds(); });
  }

  /// The best single instances of every view. An optimal d of a restricted program is an extreme one, and
  /// what is best there is often of no use later. Where nothing but single instances is asked for, or bags are
  /// many, they are sought at a d most of the way back to the best one so far instead (Wentges' smoothing), several at once;
  /// the rest of the way is taken only where none of them beats gamma at d itself. The largest edge at any d
  /// is a bound: no mixture of single instances has a larger margin. The lowest of these bounds may end the search
  /// where nothing is refined; what is, starts from the best at d itself.
  std::vector<Found> singles() {
    const bool refines = settings_.refine != Refine::no;
    if (refines && y_.size() < kSmoothedBags) return priced(current_.d, 1);
    if (best_d_.size() == 0) return priced(current_.d, settings_.singles);
    std::vector<Found> found =
        priced(kSmoothing * best_d_ + (1.0 - kSmoothing) * current_.d, settings_.singles);
    price_here(found);
    drop_useless(found);
    if (refines) return found.empty() ? priced(current_.d, 1) : found;
    if (found.empty() && ceiling_ > threshold()) found = priced(current_.d, settings_.singles);
    if (ceiling_ > threshold()) return found;
    best_edge_ = std::max(best_edge_, ceiling_);
    return {};
  }

  /// The best single instances at d, `count` for each view, alpha and sign.
  std::vector<Found> priced(const Vector& d, int count) {
    const Vector weights = d.cwiseProduct(y_);
    starts_.assign(oracles_.size(), {});
    std::vector<Found> found;
    double largest = -kInfinity;
    for (std::size_t v = 0; v < oracles_.size(); ++v) {
      starts_[v] = oracles_[v]->best_singles(weights, signs(), count);
      for (const Single& single : starts_[v]) {
        largest = std::max(largest, single.edge);
        if (single.edge <= threshold()) continue;
        WeakHypothesis hypothesis;
        hypothesis.terms = {{single.z, single.alpha}};
        hypothesis.sign = single.sign;
        const Vector values = oracles_[v]->values(single);
        hypothesis.response.value.assign(values.begin(), values.end());
        hypothesis.edge = edge_of(hypothesis.response, weights, single.sign);
        found.push_back({static_cast<int>(v), std::move(hypothesis)});
      }
    }
    if (largest < ceiling_) {
      ceiling_ = largest;
      best_d_ = d;
    }
    return found;
  }

  /// What the DC algorithm finds that is of use at d. As in singles(), a quick search is done at a d that
  /// follows the master's slowly, and at the master's own where that yields nothing.
  std::vector<Found> refined(Effort effort) {
    if (effort == Effort::quick) {
      const bool first = slow_d_.size() == 0;
      slow_d_ = first ? current_.d : Vector(kInertia * slow_d_ + (1.0 - kInertia) * current_.d);
      if (!first) {
        const double best_edge = best_edge_;
        std::vector<Found> found = refined_at(slow_d_, effort);
        best_edge_ = best_edge;  // the other was at another d
        price_here(found);
        keep_better(found);
        if (!found.empty()) return found;
      }
    }
    return refined_at(current_.d, effort);
  }

  /// The DC algorithm for each view and sign, the most promising views first, until some view yields.
  std::vector<Found> refined_at(const Vector& d, Effort effort) {
    const Vector weights = d.cwiseProduct(y_);
    std::vector<std::size_t> order(oracles_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t v) {
      return starts_[v].empty() ? -kInfinity : std::ranges::max(starts_[v], {}, &Single::edge).edge;
    });
    std::vector<Found> found;
    for (std::size_t begin = 0; begin < order.size() && found.empty(); begin += kViewsAtOnce) {
      std::vector<std::vector<Found>> of_view(std::min(kViewsAtOnce, order.size() - begin));
      threads_.run(std::ssize(of_view), [&](std::int64_t t) {
        of_view[at(t)] = refined_view(order[begin + at(t)], weights, effort);
      });
      for (auto& list : of_view) std::ranges::move(list, std::back_inserter(found));
      for (const Found& f : found) lp_seconds_ += f.hypothesis.solver_seconds;
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
      std::vector<std::pair<double, Start>> starts;
      for (const Single& single : starts_[v]) {
        if (single.sign == sign) starts.push_back({single.edge, {{{single.z, single.alpha}}, {}}});
      }
      Start& last = last_[v][sign > 0 ? 0 : 1];
      if (!last.terms.empty()) starts.emplace_back(edge_of(last.response, weights, sign), last);
      if (starts.empty()) continue;  // no bag has an instance in this view
      std::ranges::stable_sort(starts, std::greater(), &std::pair<double, Start>::first);
      if (effort == Effort::quick) {
        // One run from the best start; the others' instances come along without a coefficient, as candidates.
        for (std::size_t k = 1; k < starts.size(); ++k) {
          for (const Term& term : starts[k].second.terms) add_candidate(starts.front().second.terms, term.z);
        }
        starts.resize(1);
      }
      WeakHypothesis best;
      best.edge = -kInfinity;
      for (std::size_t k = 0; k < starts.size() && !(best.edge > threshold()); ++k) {
        if (interrupted()) return found;
        Start& start = starts[k].second;
        if (start.response.value.empty()) start.response = oracle.respond(start.terms);
        const WeakLearner& learner = effort == Effort::thorough && k == 0 ? *thorough_ : *quick_;
        WeakHypothesis hypothesis =
            learner.learn(oracle, weights, sign, start, threshold(), effort == Effort::thorough);
        const double seconds = best.solver_seconds + hypothesis.solver_seconds;
        if (hypothesis.edge > best.edge) best = std::move(hypothesis);
        best.solver_seconds = seconds;
      }
      last = {best.terms, best.response};
      found.push_back({static_cast<int>(v), std::move(best)});
    }
    return found;
  }

  MasterSolution solved() {
    MasterSolution solution = master_->solve();
    if (solution.status != Status::solved) {
      throw Error("the master program ended as '" + std::string(to_string(solution.status)) + "'");
    }
    return solution;
  }

  void add(Found found) {
    const Vector column = found.hypothesis.sign * mapped(found.hypothesis.response);
    found.hypothesis.response = {};
    if (settings_.mirrored) {
      Found mirrored = found;
      mirrored.hypothesis.sign = -found.hypothesis.sign;
      enter(std::move(mirrored), -column);
    }
    enter(std::move(found), column);
  }
  void enter(Found found, const Vector& column) {
    master_->add(column);
    if (last_master_) last_master_->add(column);
    columns_.push_back(std::move(found));
  }

  Learned finish(Stop stop) {
    if (last_master_ && !columns_.empty()) {
      master_ = std::move(last_master_);
      current_ = solved();
    }
    // Columns that came after the last master was solved have no weight.
    if (current_.w.size() < std::ssize(columns_)) {
      current_.w.conservativeResizeLike(Vector::Zero(std::ssize(columns_)));
    }
    result_.stop = stop;
    result_.duality_gap = current_.duality_gap;
    result_.rho = current_.rho;
    result_.gamma = current_.gamma;
    result_.b = current_.b;
    for (Eigen::Index j = 0; j < std::ssize(columns_); ++j) {
      if (current_.w[j] <= kNoWeight) continue;
      auto& [view, hypothesis] = columns_[at(j)];
      result_.hypotheses.push_back({view, hypothesis.sign, std::move(hypothesis.terms), current_.w[j]});
    }
    result_.sort_hypotheses();
    if (result_.hypotheses.empty()) {
      result_.say_larger_class(y_);
    } else {
      result_.g = master_->scores(current_);
    }
    return std::move(result_);
  }

  const Oracles& oracles_;
  const Vector& y_;
  const BoosterSettings& settings_;
  ThreadPool& threads_;
  const Observer& observer_;
  std::unique_ptr<WeakLearner> quick_;
  std::unique_ptr<WeakLearner> thorough_;
  std::unique_ptr<Master> master_;
  std::unique_ptr<Master> last_master_;      // where the offset comes last: the same hypotheses
  std::vector<std::vector<Single>> starts_;  // of the last call of singles()
  std::vector<std::array<Start, 2>> last_;   // where the DC algorithm ended, by view and sign
  std::vector<Found> columns_;
  MasterSolution current_;
  Vector slow_d_;                       // see refined()
  Vector best_d_;                       // with the lowest bound: see singles()
  double ceiling_ = kInfinity;          // the bound
  std::vector<double> refined_gammas_;  // after each refined round
  bool insist_ = false;                 // refine thoroughly from now on
  mutable std::atomic<bool> interrupted_{false};
  double best_edge_ = 0.0;
  double lp_seconds_ = 0.0;
  Learned result_;
};

}  // namespace

std::string_view to_string(Weak value) { return name_of(kWeak, value); }

template <>
Weak parse<Weak>(std::string_view text) {
  return choice_of(kWeak, "weak", text);
}

std::string_view to_string(Refine value) { return name_of(kRefine, value); }

template <>
Refine parse<Refine>(std::string_view text) {
  return choice_of(kRefine, "refine", text);
}

std::string_view to_string(Stop stop) { return name_of(kStops, stop); }

std::string validate(const BoosterSettings& settings) {
  if (!(settings.nu >= 0.0 && settings.nu <= 1.0))
    return "nu: expected a number above 0 and at most 1, found " + detail::number(settings.nu);
  if (!(settings.gap >= 0.0) || !std::isfinite(settings.gap))
    return "gap: expected a number of at least 0, found " + detail::number(settings.gap);
  if (settings.stall_rounds < 0) {
    return "stall: expected at least 0, found " + std::to_string(settings.stall_rounds);
  }
  if (settings.mirrored && !settings.one_sided)
    return "mirrored: expected one-sided patterns, found signed ones";
  if (settings.offset_last && !settings.offset) return "offset-last: expected an offset, found none";
  if (settings.max_rounds < 1)
    return "rounds: expected at least 1, found " + std::to_string(settings.max_rounds);
  if (settings.singles < 1) return "singles: expected at least 1, found " + std::to_string(settings.singles);
  return {};
}

double lowered_nu(const Sides& sides, const BoosterSettings& settings) {
  const double nu = settings.nu > 0.0 ? settings.nu : kNu;
  return settings.offset ? std::min(nu, Master::largest_nu(sides.y, sides.v)) : nu;
}

std::int64_t refining_bytes(const BoosterSettings& settings, std::int64_t bags, std::int64_t instances) {
  if (settings.refine == Refine::no) return 0;
  return static_cast<std::int64_t>(kViewsAtOnce) *
         (settings.weak == Weak::ball ? BallLearner::bytes(bags, instances) : SparseLearner::bytes(bags));
}

Learned boost(const Oracles& oracles, const Sides& sides, const BoosterSettings& settings,
              ThreadPool& threads, const Observer& observer) {
  return Boosting(oracles, sides, settings, threads, observer).run();
}

}  // namespace shapeboost
