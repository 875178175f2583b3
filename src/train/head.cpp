// SPDX-License-Identifier: MIT
#include "train/head.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"
#include "ground/text.hpp"
#include "solve/ridge.hpp"
#include "train/blend.hpp"
#include "train/class_weights.hpp"
#include "train/evidence.hpp"
#include "train/relevance.hpp"
#include "train/weights.hpp"
#include "train/whole_bags.hpp"

namespace shapeboost::detail {
namespace {

/// Where examples are more than this, so many of them choose alpha.
constexpr Eigen::Index kMany = 8000;
constexpr Eigen::Index kSeekers = 4000;
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
      : data_(data),
        settings_(settings),
        threads_(threads),
        observer_(observer),
        kinds_(settings.evidence),
        averaged_(std::move(averaged)) {
    weighs_bags_ = std::erase(kinds_, Evidence::bag) > 0;
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
    if (averaged_) {
      const TrainingResult& other = averaged_->result;
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
  }

  TrainingResult run() {
    labels_ = labels_of(data_);
    Y_ = targets_of(data_, result_.model.parts);
    v_ = example_weights(settings_.class_weights, data_);
    const bool bags = data_.kind() == DataKind::bags;
    try {
      const StopScope scope(observer_.interrupted);
      if (bags) weigh_whole_bags();
      if (bags) read();
      if (!bags) scale_columns();
      for (;;) {
        check_stop();
        solve();
        if (count() <= settings_.patterns) break;
        drop();
      }
      solved_ = true;
      if (!bags && Y_.cols() > 1) mix();
    } catch (const Abandoned&) {
      if (is_abandoned(observer_)) throw;
      result_.stop = Stop::interrupted;
      result_.model.provenance.stopped = to_string(result_.stop);
      if (averaged_) return average_alone();
      if (!solved_) hurry();
    }
    store();
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::int64_t count() const { return std::ssize(result_.model.hypotheses); }
  [[nodiscard]] std::int64_t kinds() const { return std::ssize(kinds_); }

  /// Evidence of pattern j: columns j kinds() ... of X.
  void read() {
    const std::vector<std::vector<std::int64_t>> of_view = by_view(result_.model);
    std::vector<ShortColumns> read(of_view.size());
    threads_.run(std::ssize(of_view), [&](std::int64_t v) {
      const std::vector<std::int64_t>& own = of_view[at(v)];
      if (own.empty()) return;
      Columns X = read_evidence(data_, result_.model.views[at(v)], these(own), kinds_);
      for (std::int64_t p = 0; p < std::ssize(own); ++p) {
        Hypothesis& hypothesis = result_.model.hypotheses[at(own[at(p)])];
        for (std::int64_t k = 0; k < kinds(); ++k) {
          hypothesis.standard[static_cast<std::size_t>(kinds_[at(k)])] =
              standardise(X.col(p * kinds() + k), hypothesis.shapelet);
        }
      }
      read[at(v)] = ShortColumns(X);
    });
    ShortColumns all(Columns(data_.size(), 0));
    std::vector<Eigen::Index> place(at(count() * kinds()));
    Eigen::Index next = 0;
    for (std::size_t v = 0; v < read.size(); ++v) {
      all.append(std::move(read[v]));
      for (const std::int64_t j : of_view[v]) {
        for (std::int64_t k = 0; k < kinds(); ++k) place[at(j * kinds() + k)] = next++;
      }
    }
    X_ = all.of(place);
  }

  [[nodiscard]] std::vector<const Hypothesis*> these(const std::vector<std::int64_t>& own) const {
    std::vector<const Hypothesis*> patterns;
    for (const std::int64_t j : own) patterns.push_back(&result_.model.hypotheses[at(j)]);
    return patterns;
  }

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
    whole_.reset();
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

  /// Bags, where nothing else is ready.
  [[nodiscard]] TrainingResult average_alone() {
    TrainingResult& alone = averaged_->result;
    alone.stop = Stop::interrupted;
    alone.model.provenance.stopped = to_string(alone.stop);
    alone.notes.emplace_back("stopped before the head was weighed: the members' average answers alone");
    return std::move(alone);
  }

  void weigh_whole_bags() {
    if (!weighs_bags_) return;
    whole_ = whole_bags(data_, settings_, Y_, v_, threads_);
    if (whole_->hypotheses.empty()) whole_.reset();
    if (!kinds_.empty()) return;
    if (whole_) {
      result_.model.hypotheses.clear();  // nothing else is asked for
    } else {
      kinds_ = {Evidence::best};  // a head weighs something
    }
  }

  void solve() {
    if (data_.kind() == DataKind::bags) {
      solve_apart();
      return;
    }
    solution_ = solve(X_, {}, losses_);
  }

  /// The losses of the columns' removal too, where patterns will be dropped.
  [[nodiscard]] RidgeSolution solve(const ShortColumns& X, RidgeSettings settings,
                                    std::vector<double>& losses) const {
    if (X.rows() > kMany) {
      // Each alpha would cost as much as the whole solution: it is sought on some of the examples.
      const double alpha =
          ridge(X.some_rows(kSeekers), some_rows(Y_, kSeekers), some_weights(kSeekers), settings, threads_)
              .alpha;
      settings.smallest = settings.start = alpha;  // a decade or two above are tried, should it be too small
      settings.steps_per_decade = 1;
    }
    Ridge ridge(X, v_, threads_);
    RidgeSolution solution = ridge.solve(Y_, settings);
    losses.clear();
    if (count() > settings_.patterns) losses = ridge.removal_losses(solution);
    return solution;
  }

  /// A regression for each kind of evidence, and how much each counts. The kinds of the drawn instances, the boosted members and
  /// whole bags are expected to count alike.
  void solve_apart() {
    std::vector<RidgeSolution> of_kind;
    std::vector<std::vector<double>> losses(at(kinds()));
    std::vector<Eigen::MatrixXd> left_out;
    for (std::int64_t k = 0; k < kinds(); ++k) {
      std::vector<Eigen::Index> columns;
      for (std::int64_t j = 0; j < count(); ++j) columns.push_back(j * kinds() + k);
      of_kind.push_back(solve(X_.of(columns), {}, losses[at(k)]));
      left_out.push_back(of_kind.back().left_out);
    }
    std::vector<double> prior(at(kinds()), 1.0 / real(std::max<std::int64_t>(1, kinds())));
    if (averaged_) {
      left_out.push_back(averaged_->left_out * average_unit());
      prior.push_back(1.0);
    }
    if (whole_) {
      left_out.push_back(whole_->left_out);
      prior.push_back(1.0);
    }
    Vector expected = Eigen::Map<const Vector>(prior.data(), std::ssize(prior));
    expected /= expected.sum();
    const Shares shares = blended(left_out, expected, Y_, v_);
    solution_ = {};
    solution_.weights = Eigen::MatrixXd::Zero(X_.cols(), Y_.cols());
    solution_.b = shares.offset;
    solution_.left_out = shares.offset.transpose().replicate(Y_.rows(), 1);
    losses_.assign(count() > settings_.patterns ? at(X_.cols()) : 0, 0.0);
    apart_.clear();
    for (std::int64_t k = 0; k < kinds(); ++k) {
      const RidgeSolution& one = of_kind[at(k)];
      const double share = shares.beta[k];
      for (std::int64_t j = 0; j < count(); ++j) {
        solution_.weights.row(j * kinds() + k) = share * one.weights.row(j);
        if (!losses_.empty()) losses_[at(j * kinds() + k)] = share * share * losses[at(k)][at(j)];
      }
      solution_.b += share * one.b;
      solution_.alpha = std::max(solution_.alpha, one.alpha);
      solution_.residual = std::max(solution_.residual, one.residual);
      apart_.push_back({one.alpha, share});
    }
    for (std::size_t k = 0; k < left_out.size(); ++k) {
      solution_.left_out += shares.beta[static_cast<Eigen::Index>(k)] * left_out[k];
    }
    averaged_share_ = averaged_ ? shares.beta[kinds()] : 0.0;
    if (whole_) {
      const double share = shares.beta[shares.beta.size() - 1];
      apart_.push_back({whole_->alpha, share});
      solution_.alpha = std::max(solution_.alpha, whole_->alpha);
      solution_.residual = std::max(solution_.residual, whole_->residual);
    }
    solution_.left_out_error = left_out_error();
  }

  /// What brings the average's scores to size 1.
  [[nodiscard]] double average_unit() const {
    const double size = averaged_->left_out.cwiseAbs().mean();
    return size > 0.0 ? 1.0 / size : 0.0;
  }

  /// Of the labels that the blend expects: weighted mean over the examples, mean over the parts.
  [[nodiscard]] double left_out_error() const {
    const Eigen::MatrixXd expected = solution_.left_out.array().tanh();
    const Vector squares = (Y_ - expected).rowwise().squaredNorm() / real(Y_.cols());
    return v_.size() > 0 ? v_.dot(squares) / v_.sum() : squares.mean();
  }

  /// Hypotheses of the average beside the patterns. Their best matches are standardised as the patterns' are, which
  /// changes no score: weights can be compared, and an explanation tells what is unusual.
  void add_average() {
    if (averaged_share_ <= 0.0) return;
    Model& model = result_.model;
    Model& other = averaged_->result.model;
    const double factor = averaged_share_ * average_unit();
    const auto best = std::ranges::find(kinds_, Evidence::best) - kinds_.begin();
    const std::int64_t first = count();
    for (Hypothesis& hypothesis : other.hypotheses) model.hypotheses.push_back(std::move(hypothesis));
    standardise_best(first);
    Eigen::MatrixXd& W = solution_.weights;
    const Eigen::Index before = W.rows();
    W.conservativeResize(count() * kinds(), Eigen::NoChange);
    W.bottomRows(W.rows() - before).setZero();
    for (std::size_t p = 0; p < other.parts.size(); ++p) {
      double& b = solution_.b[static_cast<Eigen::Index>(p)];
      b += factor * other.parts[p].b;
      for (const Weight& weight : other.parts[p].weights) {
        const std::int64_t j = first + weight.hypothesis;
        const Hypothesis& hypothesis = model.hypotheses[at(j)];
        const Standard& standard = hypothesis.standard[static_cast<std::size_t>(Evidence::best)];
        W(j * kinds() + best, static_cast<Eigen::Index>(p)) = factor * weight.w * standard.scale;
        b += factor * weight.w * hypothesis.sign * standard.centre;
      }
    }
  }

  /// Whole bags beside the patterns, in views of their own.
  void add_whole_bags() {
    Model& model = result_.model;
    const auto before = count();
    const auto views = static_cast<int>(model.views.size());
    for (Hypothesis& hypothesis : whole_->hypotheses) {
      hypothesis.view += views;
      model.hypotheses.push_back(std::move(hypothesis));
    }
    model.views.insert(model.views.end(), whole_->views.begin(), whole_->views.end());
    model.provenance.views.insert(model.provenance.views.end(), whole_->facts.begin(), whole_->facts.end());
    for (const ViewFacts& fact : whole_->facts) result_.instances += fact.instances;
    model.provenance.instances = result_.instances;
    const double share = apart_.back().share;
    const Eigen::MatrixXd found = std::move(solution_.weights);
    const std::int64_t each = kinds() + 1;
    Eigen::MatrixXd& W = solution_.weights;
    W = Eigen::MatrixXd::Zero(count() * each, found.cols());
    for (std::int64_t j = 0; j < before; ++j) {
      W.middleRows(j * each, kinds()) = found.middleRows(j * kinds(), kinds());
    }
    for (std::int64_t j = before; j < count(); ++j) {
      W.row(j * each + kinds()) = share * whole_->weights.row(j - before);
    }
    solution_.b += share * whole_->b;
    kinds_.push_back(Evidence::bag);
  }

  /// Mean and deviation of the best matches of hypotheses from `first` on.
  void standardise_best(std::int64_t first) {
    Model& model = result_.model;
    const std::vector<std::vector<std::int64_t>> of_view = by_view(model, first);
    threads_.run(std::ssize(of_view), [&](std::int64_t v) {
      const std::vector<std::int64_t>& own = of_view[at(v)];
      if (own.empty()) return;
      Columns X = read_evidence(data_, model.views[at(v)], these(own), {Evidence::best});
      for (std::int64_t p = 0; p < std::ssize(own); ++p) {
        Hypothesis& hypothesis = model.hypotheses[at(own[at(p)])];
        hypothesis.standard[static_cast<std::size_t>(Evidence::best)] =
            standardise(X.col(p), hypothesis.shapelet);
      }
    });
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

  /// What a column of X was multiplied by.
  [[nodiscard]] double factor(std::int64_t column) const {
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
    std::vector<double> loss(at(count()), 0.0);
    for (std::int64_t j = 0; j < count(); ++j) {
      for (std::int64_t k = 0; k < kinds(); ++k) loss[at(j)] += losses_[at(j * kinds() + k)];
    }
    const auto kept = std::max(settings_.patterns, static_cast<std::int64_t>(kKept * real(count())));
    keep_largest(loss, kept);
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
    add_average();
    if (whole_ && (apart_.back().share > 0.0 || kinds_.empty())) {
      add_whole_bags();
    } else if (whole_) {
      apart_.pop_back();  // they count for nothing, and a model would be large for it
    }
    Model& model = result_.model;
    Eigen::MatrixXd& W = solution_.weights;
    for (Eigen::Index column = 0; column < W.rows(); ++column) W.row(column) *= factor(column);
    set_weights(model, kinds_, W, solution_.b);
    drop_idle_views();
    model.head = Head{kinds_,
                      solution_.alpha,
                      solution_.left_out_error,
                      accuracy_of(solution_.left_out, labels_),
                      solution_.residual,
                      apart_,
                      averaged_share_,
                      mixing_,
                      factors_};
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
  bool solved_ = false;  // it is what was asked for
  std::optional<Averaged> averaged_;
  std::vector<HeadShare> apart_;  // bags: of each kind
  double averaged_share_ = 0.0;
  bool weighs_bags_ = false;
  std::optional<WholeBags> whole_;            // of their regression
  std::vector<std::vector<double>> mixing_;   // of several classes' scores; empty: as they are
  std::vector<std::vector<double>> factors_;  // of each view, of each kind of evidence; empty: 1
  std::vector<double> losses_;                // of each column
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
  return data.size() * columns_for(settings) * static_cast<std::int64_t>(sizeof(std::int16_t));
}

std::int64_t weighing_bytes(const Dataset& data, const TrainSettings& settings) {
  return Ridge::bytes(data.size(), columns_for(settings), std::ssize(data.classes()));
}

TrainingResult weigh(const Dataset& data, std::vector<FoundPatterns> members, const TrainSettings& settings,
                     const Observer& observer, std::optional<Averaged> averaged) {
  ThreadPool threads(settings.threads);
  return Weighing(data, std::move(members), settings, threads, observer, std::move(averaged)).run();
}

}  // namespace shapeboost::detail
