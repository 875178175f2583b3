// SPDX-License-Identifier: MIT
#include "train/head.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "ground/numbers.hpp"
#include "model/pattern_reader.hpp"
#include "solve/ridge.hpp"
#include "train/class_weights.hpp"
#include "train/factors.hpp"

namespace shapeboost::detail {
namespace {

/// Columns whose deviation is less than this say nothing.
constexpr double kConstant = 1e-6;
/// All evidence lies between 0 and 1. What hardly varies over the training examples must not be blown up: another
/// example may well lie outside. So this is added to the deviation, as if measured with such an error.
constexpr double kFloor = 0.02;
/// What places of matches may count beside the rest; to which power the relevance of channels counts; and the most
/// examples that choose among these.
constexpr double kPlaceFactors[] = {1.0, 0.3, 0.1};
constexpr double kRelevancePowers[] = {0.0, 1.0, 2.0, 4.0};
constexpr double kLeastRelevance = 0.05;
constexpr Eigen::Index kJudges = 1000;
constexpr Eigen::Index kChannelJudges = 300;
constexpr double kGramNumbers = 4e7;  // in all channels' Gram matrices
/// Where examples are more than this, so many of them choose alpha.
constexpr Eigen::Index kMany = 8000;
constexpr Eigen::Index kSeekers = 4000;
/// The share of the patterns that each step of dropping keeps at least.
constexpr double kKept = 0.5;

/// The patterns of all members with their evidence about the training examples.
class Weighing {
 public:
  Weighing(const Dataset& data, std::vector<FoundPatterns> members, const TrainSettings& settings,
           ThreadPool& threads)
      : data_(data), settings_(settings), threads_(threads), kinds_(settings.evidence) {
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
    result_.stop = most_telling(stops);
    result_.members = static_cast<int>(members.size());
    Provenance& provenance = model.provenance;
    provenance.source = data.source();
    provenance.bags = data.size();
    provenance.instances = result_.instances;
    provenance.seed = settings.seed;
    provenance.method = to_string(settings.method);
    provenance.stopped = to_string(result_.stop);
  }

  TrainingResult run() {
    read();
    standardise();
    targets();
    for (;;) {
      solve();
      if (count() <= settings_.patterns) break;
      drop();
    }
    store();
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::int64_t count() const { return std::ssize(result_.model.hypotheses); }
  [[nodiscard]] std::int64_t kinds() const { return std::ssize(kinds_); }

  /// Evidence of pattern j: columns j kinds() ... of X.
  void read() {
    const std::vector<Hypothesis>& hypotheses = result_.model.hypotheses;
    const auto views = static_cast<std::int64_t>(result_.model.views.size());
    std::vector<std::vector<std::int64_t>> of_view(at(views));
    for (std::int64_t j = 0; j < count(); ++j) of_view[at(hypotheses[at(j)].view)].push_back(j);
    X_ = Columns::Constant(data_.size(), count() * kinds(), std::numeric_limits<float>::quiet_NaN());
    threads_.run(views, [&](std::int64_t v) {
      if (of_view[at(v)].empty()) return;
      std::vector<const Hypothesis*> patterns;
      for (const std::int64_t j : of_view[at(v)]) patterns.push_back(&hypotheses[at(j)]);
      const auto reader = make_reader(result_.model.views[at(v)], patterns);
      Readings readings;
      for (std::int64_t i = 0; i < data_.size(); ++i) {
        if (!reader->read(data_, i, readings)) continue;
        for (std::int64_t k = 0; k < kinds(); ++k) {
          const std::vector<float>& evidence = readings.of(kinds_[at(k)]);
          for (std::size_t p = 0; p < patterns.size(); ++p)
            X_(i, of_view[at(v)][p] * kinds() + k) = evidence[p];
        }
      }
    });
  }

  /// To mean 0 and deviation 1 over the examples that have an instance in the view and that the pattern was not cut
  /// from; 0 for the others.
  void standardise() {
    std::vector<Hypothesis>& hypotheses = result_.model.hypotheses;
    threads_.run(count(), [&](std::int64_t j) {
      Hypothesis& hypothesis = hypotheses[at(j)];
      for (std::int64_t k = 0; k < kinds(); ++k) {
        auto x = X_.col(j * kinds() + k);
        for (const Instance& z : hypothesis.shapelet.instances) {
          if (z.example >= 0) x[z.example] = std::numeric_limits<float>::quiet_NaN();
        }
        double sum = 0.0;
        double seen = 0.0;
        for (const float value : x) {
          if (std::isnan(value)) continue;
          sum += static_cast<double>(value);
          seen += 1.0;
        }
        const double mean = seen > 0.0 ? sum / seen : 0.0;
        double squares = 0.0;
        for (const float value : x) {
          if (!std::isnan(value))
            squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
        }
        const double deviation = seen > 0.0 ? std::sqrt(squares / seen) : 0.0;
        const bool constant = !(deviation > kConstant);
        const Standard standard{mean, std::hypot(deviation, kFloor)};
        for (float& value : x) {
          value = std::isnan(value) || constant
                      ? 0.0F
                      : static_cast<float>((static_cast<double>(value) - standard.centre) / standard.scale);
        }
        hypothesis.standard[static_cast<std::size_t>(kinds_[at(k)])] = standard;
      }
    });
  }

  /// +1 for the example's class, -1 for others; two classes need one target.
  void targets() {
    const auto parts = static_cast<Eigen::Index>(result_.model.parts.size());
    Y_ = Eigen::MatrixXd::Constant(data_.size(), parts, -1.0);
    std::vector<int> labels;
    for (std::int64_t i = 0; i < data_.size(); ++i) {
      labels.push_back(data_.label(i));
      for (Eigen::Index p = 0; p < parts; ++p) {
        if (result_.model.parts[at(p)].positive == labels.back()) Y_(i, p) = 1.0;
      }
    }
    v_ = example_weights(settings_.class_weights, data_.classes(), labels);
  }

  void solve() {
    RidgeSettings settings;
    settings.start = scale_columns();
    if (X_.rows() > kMany) {
      // Each alpha would cost as much as the whole solution: it is sought on some of the examples.
      const double alpha =
          ridge(some_rows(X_, kSeekers), some_rows(Y_, kSeekers), some_weights(kSeekers), settings, threads_)
              .alpha;
      settings.smallest = settings.start = alpha;  // a decade or two above are tried, should it be too small
      settings.steps_per_decade = 1;
    }
    const Ridge ridge(X_, v_, threads_);
    solution_ = ridge.solve(Y_, settings);
    losses_.clear();
    if (count() > settings_.patterns) losses_ = ridge.removal_losses(solution_);
  }

  /// Multiplies the columns by what their groups count. Returns the alpha that went with it, 0 where nothing was chosen.
  double scale_columns() {
    multiply_columns([](float factor) { return 1.0F / factor; });
    factors_.assign(at(X_.cols()), 1.0F);
    double alpha = 0.0;
    if (std::ranges::find(kinds_, Evidence::place) != kinds_.end() && kinds() > 1) alpha = weigh_places();
    if (data_.kind() == DataKind::series && data_.width() > 1) alpha = weigh_channels();
    return alpha;
  }

  /// Places tell much where series are aligned, and are noise where they are not.
  double weigh_places() {
    std::vector<int> group;
    for (std::int64_t column = 0; column < X_.cols(); ++column) {
      group.push_back(kinds_[at(column % kinds())] == Evidence::place ? 1 : 0);
    }
    std::vector<Factors> alternatives;
    for (const double factor : kPlaceFactors) alternatives.push_back({1.0, factor});
    return scale_groups(judges(kJudges, group, 2).choose(alternatives), group);
  }

  /// The windows of each channel, of several and of all count by their relevance to some power.
  double weigh_channels() {
    const std::int64_t several = data_.width();
    const std::int64_t groups = several + 2;
    std::vector<int> group;
    for (std::int64_t column = 0; column < X_.cols(); ++column) {
      const View& view = view_of(column / kinds());
      const std::int64_t rows = view.rows();
      group.push_back(static_cast<int>(rows == 1                ? view.channel(0)
                                       : rows == data_.width() ? several + 1
                                                               : several));
    }
    const auto most = static_cast<Eigen::Index>(std::sqrt(kGramNumbers / real(groups)));
    const Judges judged = judges(std::min(kChannelJudges, most), group, static_cast<int>(groups));
    std::vector<double> telling = judged.relevance();
    const double largest = *std::ranges::max_element(telling);
    for (double& one : telling) one = largest > 0.0 ? std::max(kLeastRelevance, one / largest) : 1.0;
    std::vector<Factors> alternatives;
    for (const double power : kRelevancePowers) {
      Factors& factors = alternatives.emplace_back();
      for (const double one : telling) factors.push_back(std::pow(one, power));
    }
    return scale_groups(judged.choose(alternatives), group);
  }

  /// By the chosen factors of the columns' groups. Returns the alpha that was chosen with them.
  double scale_groups(const std::pair<Factors, double>& chosen, const std::vector<int>& group) {
    for (std::size_t column = 0; column < group.size(); ++column) {
      const auto factor = static_cast<float>(chosen.first[at(group[column])]);
      if (factor == 1.0F) continue;
      X_.col(static_cast<Eigen::Index>(column)) *= factor;
      factors_[column] *= factor;
    }
    return chosen.second;
  }

  [[nodiscard]] const View& view_of(std::int64_t j) const {
    return result_.model.views[at(result_.model.hypotheses[at(j)].view)];
  }

  /// At most so many examples, evenly over the data.
  [[nodiscard]] Judges judges(Eigen::Index most, const std::vector<int>& group, int groups) const {
    return {some_rows(X_, most), some_rows(Y_, most), some_weights(most), group, groups, threads_};
  }

  template <typename Of>
  void multiply_columns(const Of& of) {
    for (std::size_t column = 0; column < factors_.size(); ++column) {
      if (factors_[column] != 1.0F) X_.col(static_cast<Eigen::Index>(column)) *= of(factors_[column]);
    }
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
        factors_[at(column)] = factors_[at(from * kinds() + k)];
      }
    }
    hypotheses.resize(order.size());
    X_.conservativeResize(Eigen::NoChange, std::ssize(order) * kinds());
    factors_.resize(at(X_.cols()));
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
    const Eigen::MatrixXd& W = solution_.weights;
    std::vector<double> total(at(count()), 0.0);
    for (std::int64_t j = 0; j < count(); ++j) {
      total[at(j)] = W.middleRows(j * kinds(), kinds()).cwiseAbs().sum();
    }
    std::vector<std::int64_t> order(total.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(), [&](std::int64_t j) { return total[at(j)]; });
    std::vector<Hypothesis> sorted;
    for (const std::int64_t j : order) sorted.push_back(std::move(model.hypotheses[at(j)]));
    model.hypotheses = std::move(sorted);
    for (std::size_t to = 0; to < order.size(); ++to) {
      for (std::int64_t k = 0; k < kinds(); ++k) {
        model.hypotheses[to].standard[static_cast<std::size_t>(kinds_[at(k)])].scale /=
            static_cast<double>(factors_[at(order[to] * kinds() + k)]);
      }
    }
    for (std::size_t p = 0; p < model.parts.size(); ++p) {
      Part& part = model.parts[p];
      part.b = solution_.b[static_cast<Eigen::Index>(p)];
      for (std::size_t to = 0; to < order.size(); ++to) {
        for (std::int64_t k = 0; k < kinds(); ++k) {
          const double w = shortened(W(order[to] * kinds() + k, static_cast<Eigen::Index>(p)));
          if (w != 0.0) part.weights.push_back({static_cast<int>(to), w, kinds_[at(k)]});
        }
      }
    }
    drop_idle_views();
    model.head = Head{kinds_, solution_.alpha, solution_.left_out_error, 0.0, solution_.residual};
    result_.left_out = array_of(solution_.left_out);
    model.head->left_out_accuracy = left_out_accuracy();
  }

  /// To as many places as change no score by more than 1e-6: scores are sums of some thousand numbers of size 1.
  static double shortened(double w) {
    constexpr double kPlaces = 1e8;
    return std::round(w * kPlaces) / kPlaces;
  }

  [[nodiscard]] double left_out_accuracy() const {
    std::int64_t right = 0;
    for (std::int64_t i = 0; i < data_.size(); ++i) {
      Eigen::Index best = 0;
      if (solution_.left_out.cols() == 1) {
        best = solution_.left_out(i, 0) > 0.0 ? 1 : 0;
      } else {
        solution_.left_out.row(i).maxCoeff(&best);
      }
      if (best == data_.label(i)) ++right;
    }
    return real(right) / real(data_.size());
  }

  void drop_idle_views() {
    Model& model = result_.model;
    std::vector<int> place(model.views.size(), -1);
    for (const Hypothesis& hypothesis : model.hypotheses) place[at(hypothesis.view)] = 0;
    if (model.hypotheses.empty()) place.front() = 0;  // a model has a view
    std::vector<View> views;
    std::vector<ViewFacts> facts;
    for (std::size_t v = 0; v < place.size(); ++v) {
      if (place[v] < 0) continue;
      place[v] = static_cast<int>(views.size());
      views.push_back(std::move(model.views[v]));
      facts.push_back(model.provenance.views[v]);
    }
    for (Hypothesis& hypothesis : model.hypotheses) hypothesis.view = place[at(hypothesis.view)];
    model.views = std::move(views);
    model.provenance.views = std::move(facts);
  }

  const Dataset& data_;
  const TrainSettings& settings_;
  ThreadPool& threads_;
  std::vector<Evidence> kinds_;
  Columns X_;          // examples x evidence
  Eigen::MatrixXd Y_;  // examples x parts
  Vector v_;           // of each example
  RidgeSolution solution_;
  std::vector<float> factors_;  // what each column of X was multiplied by
  std::vector<double> losses_;  // of each column
  TrainingResult result_;
};

}  // namespace

std::vector<Evidence> default_evidence(DataKind kind) {
  if (kind == DataKind::bags) return {Evidence::best, Evidence::share};  // which have no places
  return {Evidence::best, Evidence::share, Evidence::place};
}

TrainingResult weigh(const Dataset& data, std::vector<FoundPatterns> members, const TrainSettings& settings,
                     const Observer& observer) {
  ThreadPool threads(settings.threads);
  threads.abandon_when(observer.abandoned);
  return Weighing(data, std::move(members), settings, threads).run();
}

}  // namespace shapeboost::detail
