// SPDX-License-Identifier: MIT
#include "train/head.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "ground/numbers.hpp"
#include "solve/ridge.hpp"
#include "train/blend.hpp"
#include "train/class_weights.hpp"
#include "train/evidence.hpp"
#include "train/relevance.hpp"
#include "train/weights.hpp"
#include "train/whole_bags.hpp"

namespace shapeboost::detail {
namespace {

/// At most so many examples tell how relevant the columns are.
constexpr Eigen::Index kJudges = 500;
/// Where examples are more than this, so many of them choose alpha.
constexpr Eigen::Index kMany = 8000;
constexpr Eigen::Index kSeekers = 4000;
/// The share of the patterns that each step of dropping keeps at least.
constexpr double kKept = 0.5;

/// The patterns of all members with their evidence about the training examples.
class Weighing {
 public:
  Weighing(const Dataset& data, std::vector<FoundPatterns> members, const TrainSettings& settings,
           ThreadPool& threads, std::optional<Averaged> averaged)
      : data_(data),
        settings_(settings),
        threads_(threads),
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
    targets();
    weigh_whole_bags();
    read();
    standardise_all();
    if (data_.kind() != DataKind::bags) scale_columns();
    for (;;) {
      solve();
      if (count() <= settings_.patterns) break;
      drop();
    }
    if (data_.kind() != DataKind::bags && Y_.cols() > 1) mix();
    store();
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::int64_t count() const { return std::ssize(result_.model.hypotheses); }
  [[nodiscard]] std::int64_t kinds() const { return std::ssize(kinds_); }

  /// Evidence of pattern j: columns j kinds() ... of X.
  void read() {
    const std::vector<std::vector<std::int64_t>> of_view = by_view(result_.model);
    X_.resize(data_.size(), count() * kinds());
    threads_.run(std::ssize(of_view), [&](std::int64_t v) {
      const std::vector<std::int64_t>& own = of_view[at(v)];
      if (own.empty()) return;
      const Columns X = read_evidence(data_, result_.model, v, own, kinds_);
      for (std::int64_t p = 0; p < std::ssize(own); ++p) {
        X_.middleCols(own[at(p)] * kinds(), kinds()) = X.middleCols(p * kinds(), kinds());
      }
    });
  }

  void standardise_all() {
    threads_.run(count(), [&](std::int64_t j) {
      Hypothesis& hypothesis = result_.model.hypotheses[at(j)];
      for (std::int64_t k = 0; k < kinds(); ++k) {
        hypothesis.standard[static_cast<std::size_t>(kinds_[at(k)])] =
            standardise(X_.col(j * kinds() + k), hypothesis.shapelet);
      }
    });
  }

  /// +1 for the example's class, -1 for others; two classes need one target.
  void targets() {
    const auto parts = static_cast<Eigen::Index>(result_.model.parts.size());
    Y_ = Eigen::MatrixXd::Constant(data_.size(), parts, -1.0);
    for (std::int64_t i = 0; i < data_.size(); ++i) {
      labels_.push_back(data_.label(i));
      for (Eigen::Index p = 0; p < parts; ++p) {
        if (result_.model.parts[at(p)].positive == labels_.back()) Y_(i, p) = 1.0;
      }
    }
    v_ = example_weights(settings_.class_weights, data_);
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
  [[nodiscard]] RidgeSolution solve(const Columns& X, RidgeSettings settings,
                                    std::vector<double>& losses) const {
    if (X.rows() > kMany) {
      // Each alpha would cost as much as the whole solution: it is sought on some of the examples.
      const double alpha =
          ridge(some_rows(X, kSeekers), some_rows(Y_, kSeekers), some_weights(kSeekers), settings, threads_)
              .alpha;
      settings.smallest = settings.start = alpha;  // a decade or two above are tried, should it be too small
      settings.steps_per_decade = 1;
    }
    const Ridge ridge(X, v_, threads_);
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
      Columns X(X_.rows(), count());
      for (std::int64_t j = 0; j < count(); ++j) X.col(j) = X_.col(j * kinds() + k);
      of_kind.push_back(solve(X, {}, losses[at(k)]));
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
      Columns X = read_evidence(data_, model, v, own, {Evidence::best});
      for (std::int64_t p = 0; p < std::ssize(own); ++p) {
        Hypothesis& hypothesis = model.hypotheses[at(own[at(p)])];
        hypothesis.standard[static_cast<std::size_t>(Evidence::best)] =
            standardise(X.col(p), hypothesis.shapelet);
      }
    });
  }

  /// The columns of each view and kind of evidence are a group, which counts by its relevance.
  void scale_columns() {
    const std::vector<std::vector<std::int64_t>> of_view = by_view(result_.model);
    const Eigen::MatrixXd Y = some_rows(Y_, kJudges);
    const Vector v = some_weights(kJudges);
    std::vector<double> found(of_view.size() * kinds_.size(), 0.0);
    threads_.run(std::ssize(found), [&](std::int64_t g) {
      const std::vector<std::int64_t>& own = of_view[at(g / kinds())];
      Columns X(X_.rows(), std::ssize(own));
      for (Eigen::Index p = 0; p < X.cols(); ++p) X.col(p) = X_.col(own[at(p)] * kinds() + g % kinds());
      found[at(g)] = relevance(some_rows(X, kJudges), Y, v);
    });
    const std::vector<double> factors = factors_of(found);
    factors_.clear();
    for (auto first = factors.begin(); first != factors.end(); first += kinds()) {
      factors_.emplace_back(first, first + kinds());
    }
    for (Eigen::Index column = 0; column < X_.cols(); ++column) {
      X_.col(column) *= static_cast<float>(factor(column));
    }
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

  /// At most so many examples, evenly over the data.
  template <typename M>
  [[nodiscard]] M some_rows(const M& all, Eigen::Index most) const {
    const Eigen::Index rows = std::min<Eigen::Index>(all.rows(), most);
    M some(rows, all.cols());
    for (Eigen::Index i = 0; i < rows; ++i) some.row(i) = all.row(i * all.rows() / rows);
    return some;
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
    std::vector<Hypothesis>& hypotheses = result_.model.hypotheses;
    for (std::size_t to = 0; to < order.size(); ++to) {
      const std::int64_t from = order[to];
      if (static_cast<std::int64_t>(to) == from) continue;
      hypotheses[to] = std::move(hypotheses[at(from)]);
      for (std::int64_t k = 0; k < kinds(); ++k) {
        const std::int64_t column = static_cast<std::int64_t>(to) * kinds() + k;
        X_.col(column) = X_.col(from * kinds() + k);
      }
    }
    hypotheses.resize(order.size());
    X_.conservativeResize(Eigen::NoChange, std::ssize(order) * kinds());
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
  std::vector<Evidence> kinds_;
  std::vector<int> labels_;
  Columns X_;          // examples x evidence
  Eigen::MatrixXd Y_;  // examples x parts
  Vector v_;           // of each example
  RidgeSolution solution_;
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

TrainingResult weigh(const Dataset& data, std::vector<FoundPatterns> members, const TrainSettings& settings,
                     const Observer& observer, std::optional<Averaged> averaged) {
  ThreadPool threads(settings.threads);
  threads.abandon_when(observer.abandoned);
  return Weighing(data, std::move(members), settings, threads, std::move(averaged)).run();
}

}  // namespace shapeboost::detail
