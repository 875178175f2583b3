// SPDX-License-Identifier: MIT
#include "train/head.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"
#include "ground/text.hpp"
#include "learn/binary_problem.hpp"
#include "solve/ridge.hpp"
#include "train/class_weights.hpp"
#include "train/evidence.hpp"
#include "train/intervals.hpp"
#include "train/problem.hpp"
#include "train/relevance.hpp"
#include "train/weights.hpp"

namespace shapeboost::detail {
namespace {

/// Where examples are more than this, as many of them choose alpha: each that is tried costs 2/3 m^3 multiplications.
constexpr Eigen::Index kSeekers = 2500;
/// Where time runs out so many examples weigh so many columns, in a fraction of a second.
constexpr Eigen::Index kHurriedExamples = 600;
constexpr std::int64_t kHurriedColumns = 1800;
/// The share of the patterns that each step of dropping keeps at least.
constexpr double kKept = 0.5;

/// The patterns of all members with their evidence about the training examples.
class Weighing {
 public:
  Weighing(const Dataset& data, std::vector<FoundPatterns> members, const TrainSettings& settings,
           ThreadPool& threads, const Observer& observer, std::optional<Averaged> averaged)
      : data_(data), settings_(settings), threads_(threads), observer_(observer), kinds_(settings.evidence) {
    weighs_whole_bags_ = std::erase(kinds_, Evidence::bag) > 0;
    Model& model = result_.model;
    model.kind = data.kind();
    model.classes = data.classes();
    model.strategy = Strategy::one_vs_rest;
    model.parts = parts_for(static_cast<int>(data.classes().size()), model.strategy);
    std::vector<Stop> stops;
    for (std::size_t k = 0; k < members.size(); ++k) {
      FoundPatterns& member = members[k];
      for (Hypothesis& hypothesis : member.hypotheses) {
        hypothesis.view += static_cast<int>(model.views.size());
        model.hypotheses.push_back(std::move(hypothesis));
      }
      model.views.insert(model.views.end(), member.views.begin(), member.views.end());
      model.provenance.views.insert(model.provenance.views.end(), member.facts.begin(), member.facts.end());
      for (const ViewFacts& fact : member.facts) result_.instances += fact.instances;
      result_.gap = std::max(result_.gap, member.gap);
      result_.duality_gap = std::max(result_.duality_gap, member.duality_gap);
      for (RoundRecord record : member.rounds) {
        record.member = static_cast<int>(k);
        result_.rounds.push_back(record);
      }
      stops.insert(stops.end(), member.stops.begin(), member.stops.end());
      X_.append(std::move(member.evidence.X));
      relevance_.insert(relevance_.end(), member.evidence.relevance.begin(), member.evidence.relevance.end());
    }
    if (averaged) {
      const TrainingResult& other = averaged->result;
      result_.gap = other.gap;
      result_.duality_gap = other.duality_gap;
      result_.rounds = other.rounds;
      result_.notes = other.notes;
      stops = {other.stop};
    }
    result_.stop = most_telling(stops);
    result_.members = static_cast<int>(members.size());
    Provenance& provenance = model.provenance;
    provenance.source = data.source();
    provenance.bags = data.size();
    provenance.length = common_length(data);
    provenance.instances = result_.instances;
    provenance.seed = settings.seed;
    provenance.method = to_string(settings.method);
    provenance.stopped = to_string(result_.stop);
    if (data.kind() == DataKind::bags) bags_.emplace(data, settings, std::move(averaged), threads);
  }

  TrainingResult run() {
    labels_ = labels_of(data_);
    Y_ = targets_of(data_, result_.model.parts);
    v_ = example_weights(settings_.class_weights, data_);
    try {
      const StopScope scope(observer_.interrupted);
      if (bags_) {
        if (weighs_whole_bags_) weigh_whole_bags();
        X_ = bags_->read(result_.model, kinds_);
      } else {
        scale_columns();
      }
      if (!bags_ && settings_.intervals && count() <= settings_.patterns) {
        solve_with_intervals();
      } else {
        solve();
      }
      while (count() > settings_.patterns) {
        drop();
        check_stop();
        solve();
      }
      solved_ = true;
      if (!bags_ && Y_.cols() > 1) mix();
    } catch (const Abandoned&) {
      if (is_abandoned(observer_)) throw;
      result_.stop = Stop::interrupted;
      result_.model.provenance.stopped = to_string(result_.stop);
      if (bags_ && bags_->averaged()) return bags_->average_alone();
      if (!solved_) hurry();
    }
    store();
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::int64_t count() const { return std::ssize(result_.model.hypotheses); }
  [[nodiscard]] std::int64_t kinds() const { return std::ssize(kinds_); }

  /// The columns of these patterns.
  [[nodiscard]] std::vector<Eigen::Index> columns_of(const std::vector<std::int64_t>& patterns) const {
    std::vector<Eigen::Index> columns;
    for (const std::int64_t j : patterns) {
      for (std::int64_t k = 0; k < kinds(); ++k) columns.push_back(j * kinds() + k);
    }
    return columns;
  }

  /// Some patterns, evenly, as some examples weigh them.
  void hurry() {
    if (bags_) bags_->forget_whole_bags();
    forget_intervals();
    if (kinds_.empty()) kinds_ = {Evidence::best};
    if (X_.cols() < count() * kinds()) result_.model.hypotheses.clear();  // nobody has read what they say
    std::vector<std::int64_t> some;
    const std::int64_t most =
        std::min(settings_.patterns, std::max<std::int64_t>(1, kHurriedColumns / kinds()));
    const std::int64_t kept = std::min(count(), most);
    for (std::int64_t j = 0; j < kept; ++j) some.push_back(j * count() / kept);
    keep(some);
    const Eigen::MatrixXd Y = some_rows(Y_, kHurriedExamples);
    const Vector v = some_weights(kHurriedExamples);
    solution_ = {};
    if (count() > 0) {
      solution_ = ridge(X_.some_rows(kHurriedExamples), Y, v, {}, threads_);
    } else {
      solution_.alpha = 1.0;  // of nothing
      solution_.weights = Eigen::MatrixXd(0, Y.cols());
      solution_.b =
          v.size() > 0 ? Vector(Y.transpose() * v / v.sum()) : Vector(Y.colwise().mean().transpose());
      solution_.left_out = solution_.b.transpose().replicate(Y.rows(), 1);
    }
    Eigen::VectorXi labels(std::ssize(labels_));
    std::ranges::copy(labels_, labels.begin());
    labels = some_rows(labels, Y.rows());
    labels_.assign(labels.begin(), labels.end());
    result_.notes.push_back(count() == 0
                                ? "stopped before any pattern was weighed"
                                : concat("stopped early: ", count(), count() == 1 ? " pattern" : " patterns",
                                         " of those found, weighed by ", Y.rows(), " examples"));
  }

  void weigh_whole_bags() {
    bags_->weigh_whole_bags(Y_, v_);
    if (!kinds_.empty()) return;
    if (bags_->has_whole_bags()) {
      result_.model.hypotheses.clear();  // nothing else is asked for
    } else {
      kinds_ = {Evidence::best};  // a head weighs something
    }
  }

  /// The losses of the patterns' removal too, where some will be dropped.
  void solve() {
    KindRegression all = bags_ ? bags_->blend(of_each_kind(), Y_, v_) : regression(X_, kinds());
    solution_ = std::move(all.solution);
    losses_ = std::move(all.losses);
  }

  [[nodiscard]] std::vector<KindRegression> of_each_kind() const {
    std::vector<KindRegression> regressions;
    for (std::int64_t k = 0; k < kinds(); ++k) {
      std::vector<Eigen::Index> columns;
      for (std::int64_t j = 0; j < count(); ++j) columns.push_back(j * kinds() + k);
      regressions.push_back(regression(X_.of(columns), 1));
    }
    return regressions;
  }

  /// Of so many columns a pattern.
  [[nodiscard]] KindRegression regression(const ShortColumns& X, std::int64_t each) const {
    RidgeSettings settings;
    if (X.rows() > kSeekers) {
      const double alpha =
          ridge(X.some_rows(kSeekers), some_rows(Y_, kSeekers), some_weights(kSeekers), settings, threads_)
              .alpha;
      settings.smallest = settings.start = alpha;
      settings.largest = 10.0 * alpha;  // is tried too, should it be too small
      settings.steps_per_decade = 1;
    }
    Ridge ridge(X, v_, threads_);
    KindRegression found{ridge.solve(Y_, settings), {}};
    if (count() <= settings_.patterns) return found;
    const std::vector<double> of_column = ridge.removal_losses(found.solution);
    found.losses.assign(at(count()), 0.0);
    for (std::size_t j = 0; j < of_column.size(); ++j) found.losses[j / at(each)] += of_column[j];
    return found;
  }

  /// The columns of each view and kind of evidence are a group, which counts by its relevance.
  void scale_columns() {
    const std::vector<double> factors = factors_of(relevance_);
    factors_.clear();
    for (auto first = factors.begin(); first != factors.end(); first += kinds()) {
      factors_.emplace_back(first, first + kinds());
    }
    for (Eigen::Index column = 0; column < X_.cols(); ++column) X_.multiply(column, factor(column));
  }

  /// Where there are threads for it the patterns are weighed alone while intervals are sought, which most often do not pay.
  void solve_with_intervals() {
    constexpr int kThreads = 4;
    const bool meanwhile = threads_.threads() >= kThreads;
    std::optional<WeighedIntervals> found;
    threads_.run(meanwhile ? 2 : 1, [&](std::int64_t k) {
      if (k == 0) {
        found = weighed_intervals(data_, X_, Y_, v_, threads_);
      } else {
        solve();
      }
    });
    if (found) add(std::move(*found));
    if (found || !meanwhile) solve();
  }

  /// Behind the columns of the patterns.
  void add(WeighedIntervals found) {
    intervals_ = std::move(found);
    const std::int64_t first = X_.cols();
    X_.append(ShortColumns(intervals_->X));
    intervals_->X = {};
    for (Eigen::Index column = first; column < X_.cols(); ++column) X_.multiply(column, factor(column));
  }

  void forget_intervals() {
    if (!intervals_) return;
    intervals_.reset();
    std::vector<Eigen::Index> of_patterns(at(count() * kinds()));
    std::iota(of_patterns.begin(), of_patterns.end(), 0);
    X_ = X_.of(of_patterns);
  }

  /// What a column of X was multiplied by.
  [[nodiscard]] double factor(std::int64_t column) const {
    if (column >= count() * kinds()) {
      const Intervals& intervals = intervals_->intervals;
      return intervals.factors[intervals.group(at(column - count() * kinds()))];
    }
    if (factors_.empty()) return 1.0;
    const Hypothesis& hypothesis = result_.model.hypotheses[at(column / kinds())];
    return factors_[at(hypothesis.view)][at(column % kinds())];
  }

  /// The scores of several classes.
  void mix() {
    Mixing mixing = mixing_of(solution_.left_out, labels_, v_, threads_);
    mixing.apply(solution_.weights, solution_.b);
    solution_.left_out = std::move(mixing.left_out);
    mixing_ = rows_of(mixing.A);
  }

  [[nodiscard]] Vector some_weights(Eigen::Index most) const {
    return v_.size() > 0 ? Vector(some_rows(Eigen::MatrixXd(v_), most).col(0)) : Vector();
  }

  /// The patterns that the head would miss least.
  void drop() {
    const auto kept = std::max(settings_.patterns, static_cast<std::int64_t>(kKept * real(count())));
    keep_largest(losses_, kept);
  }

  void keep_largest(const std::vector<double>& value, std::int64_t kept) {
    std::vector<std::int64_t> order(value.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(), [&](std::int64_t j) { return value[at(j)]; });
    order.resize(at(kept));
    std::ranges::sort(order);
    keep(order);
  }

  /// These patterns, ascending.
  void keep(const std::vector<std::int64_t>& patterns) {
    if (X_.cols() == count() * kinds()) X_ = X_.of(columns_of(patterns));
    std::vector<Hypothesis>& hypotheses = result_.model.hypotheses;
    for (std::size_t to = 0; to < patterns.size(); ++to) {
      if (at(patterns[to]) != to) hypotheses[to] = std::move(hypotheses[at(patterns[to])]);
    }
    hypotheses.resize(patterns.size());
  }

  static Stop most_telling(const std::vector<Stop>& stops) {
    for (const Stop stop : {Stop::interrupted, Stop::rounds, Stop::stalled, Stop::gap}) {
      if (std::ranges::find(stops, stop) != stops.end()) return stop;
    }
    return Stop::nothing;
  }

  /// Weights to so many digits as change no score by 1e-6, patterns and views in the order of what they weigh.
  void store() {
    Model& model = result_.model;
    if (bags_) bags_->add_to(model, solution_, kinds_);
    result_.instances = model.provenance.instances;
    Eigen::MatrixXd& W = solution_.weights;
    if (!factors_.empty()) {
      Vector factors(W.rows());
      for (Eigen::Index column = 0; column < W.rows(); ++column) factors[column] = factor(column);
      W.array().colwise() *= factors.array();
    }
    const std::int64_t patterns = count() * kinds();
    set_weights(model, kinds_, W.topRows(patterns), solution_.b, threads_);
    if (intervals_) set_interval_weights(model, W.bottomRows(W.rows() - patterns));
    drop_idle_views();
    model.head = Head{kinds_,
                      solution_.alpha,
                      solution_.left_out_error,
                      accuracy_of(solution_.left_out, labels_),
                      solution_.residual,
                      bags_ ? bags_->shares() : std::vector<HeadShare>{},
                      bags_ ? bags_->averaged_share() : 0.0,
                      mixing_,
                      factors_,
                      intervals_ ? std::optional(std::move(intervals_->intervals)) : std::nullopt};
    if (count() > 0 && solution_.left_out.rows() == data_.size())
      result_.left_out = array_of(solution_.left_out);
  }

  void drop_idle_views() {
    Model& model = result_.model;
    std::vector<int> place(model.views.size(), -1);
    for (const Hypothesis& hypothesis : model.hypotheses) place[at(hypothesis.view)] = 0;
    if (model.hypotheses.empty()) place.front() = 0;  // a model has a view
    std::vector<View> views;
    std::vector<ViewFacts> facts;
    std::vector<std::vector<double>> factors;
    for (std::size_t v = 0; v < place.size(); ++v) {
      if (place[v] < 0) continue;
      place[v] = static_cast<int>(views.size());
      views.push_back(std::move(model.views[v]));
      facts.push_back(model.provenance.views[v]);
      if (!factors_.empty()) factors.push_back(std::move(factors_[v]));
    }
    for (Hypothesis& hypothesis : model.hypotheses) hypothesis.view = place[at(hypothesis.view)];
    model.views = std::move(views);
    model.provenance.views = std::move(facts);
    factors_ = std::move(factors);
  }

  const Dataset& data_;
  const TrainSettings& settings_;
  ThreadPool& threads_;
  const Observer& observer_;
  std::vector<Evidence> kinds_;
  std::vector<int> labels_;
  ShortColumns X_;                 // examples x evidence
  std::vector<double> relevance_;  // of each view, of each kind of evidence
  Eigen::MatrixXd Y_;              // examples x parts
  Vector v_;                       // of each example
  RidgeSolution solution_;
  bool solved_ = false;          // it is what was asked for
  std::optional<BagHead> bags_;  // where examples are bags
  bool weighs_whole_bags_ = false;
  std::optional<WeighedIntervals> intervals_;  // beside the patterns; their columns are the last
  std::vector<std::vector<double>> mixing_;    // of several classes' scores; empty: as they are
  std::vector<std::vector<double>> factors_;   // of each view, of each kind of evidence; empty: 1
  std::vector<double> losses_;                 // of each pattern's removal
  TrainingResult result_;
};

}  // namespace

namespace {

/// Columns of evidence, at most.
std::int64_t columns_for(const TrainSettings& settings) {
  const std::int64_t found = std::max(settings.patterns, kPatternsEach * settings.members);
  return found * std::ssize(settings.evidence);
}

}  // namespace

std::int64_t evidence_bytes(const Dataset& data, const TrainSettings& settings) {
  const std::int64_t patterns =
      data.size() * columns_for(settings) * static_cast<std::int64_t>(sizeof(std::int16_t));
  return patterns + (settings.intervals ? interval_bytes(data) : 0);
}

std::int64_t weighing_bytes(const Dataset& data, const TrainSettings& settings) {
  const std::int64_t columns = columns_for(settings);
  const std::int64_t classes = std::ssize(data.classes());
  const std::int64_t all = Ridge::bytes(data.size(), columns, classes);
  if (data.size() <= kSeekers) return all;
  const std::int64_t copy = kSeekers * columns * static_cast<std::int64_t>(sizeof(float));
  return std::max(all, copy + Ridge::bytes(kSeekers, columns, classes));
}

TrainingResult weigh(const Dataset& data, std::vector<FoundPatterns> members, const TrainSettings& settings,
                     const Observer& observer, ThreadPool& threads, std::optional<Averaged> averaged) {
  return Weighing(data, std::move(members), settings, threads, observer, std::move(averaged)).run();
}

}  // namespace shapeboost::detail
