// SPDX-License-Identifier: MIT
#include "train/stream.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "ground/stop.hpp"
#include "ground/text.hpp"
#include "train/class_weights.hpp"
#include "train/evidence.hpp"
#include "train/find.hpp"
#include "train/plan.hpp"
#include "train/problem.hpp"
#include "train/weights.hpp"

namespace shapeboost::detail {
namespace {

/// More examples than this are weighed in a pass.
constexpr std::int64_t kWhole = 10000;
/// Of these so many find the patterns, and more where there are many classes.
constexpr std::int64_t kSample =
    2000;  // of many patterns that members find there, those are kept that it would miss least
constexpr std::int64_t kSampleAClass = 100;
/// Columns of evidence that a pass weighs. Its products cost m p^2 and its solution some p^3: there are fewer columns where
/// examples are very many, so that m p^2 stays below this.
constexpr double kMostColumns = 6000.0;
constexpr double kFewestColumns = 1000.0;
constexpr double kMostProducts = 8e12;
/// Examples that are read at a time, and those of one view that are one task.
constexpr std::int64_t kBlock = 1024;
constexpr std::int64_t kPiece = 128;

std::int64_t columns_for(std::int64_t m) {
  return std::llround(std::clamp(std::sqrt(kMostProducts / real(m)), kFewestColumns, kMostColumns));
}

/// The square root, to eleven binary digits.
double shortened_root(double v) {
  constexpr int kDigits = 11;
  int exponent = 0;
  const double digits = std::frexp(std::sqrt(v), &exponent);
  return std::ldexp(std::round(std::ldexp(digits, kDigits)), exponent - kDigits);
}

}  // namespace

bool is_streamed(const Dataset& data, const TrainSettings& settings) {
  return data.kind() == DataKind::series && data.size() > kWhole && wants_head(data.kind(), settings);
}

std::vector<std::int64_t> sampled(const Dataset& data, const TrainSettings& settings) {
  // A stream of its own: members have the first ones.
  constexpr std::uint64_t kOwnStream = 1'000'000;
  Rng rng(stream_seed(settings.seed, kOwnStream));
  return drawn_examples(data, std::max(kSample, kSampleAClass * std::ssize(data.classes())), rng);
}

TrainSettings sample_settings(std::int64_t examples, const TrainSettings& settings) {
  TrainSettings own = settings;
  own.intervals = false;  // a pass reads patterns
  if (own.members == 0) own.members = kSampleFinders;
  if (own.patterns == 0) {
    const auto kinds = std::ssize(own.evidence.empty() ? evidence_of(DataKind::series) : own.evidence);
    own.patterns = columns_for(examples) / kinds;
  }
  return own;
}

Sample drawn_sample(const Dataset& data, const TrainSettings& settings) {
  std::vector<std::int64_t> examples = sampled(data, settings);
  Dataset some = data.subset(examples);
  return {std::move(examples), std::move(some), sample_settings(data.size(), settings)};
}

std::int64_t pass_bytes(const Sample& sample) {
  const TrainSettings& own = sample.settings;
  const auto kinds = std::ssize(own.evidence.empty() ? evidence_of(sample.data.kind()) : own.evidence);
  const Eigen::Index columns = own.patterns * kinds;
  const auto targets = static_cast<Eigen::Index>(sample.data.classes().size());
  return std::llround(NormalEquations::bytes(columns, targets, sample.data.size() + kBlock));
}

std::vector<double> roots_of_weights(const ClassWeights& weights, const Dataset& data) {
  const Vector v = example_weights(weights, data);
  std::vector<double> roots(data.classes().size(), 1.0);
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    roots[at(data.label(i))] = shortened_root(v[i] / data.weight(i));
  }
  return roots;
}

EvidenceRows::EvidenceRows(const Model& model, std::vector<double> roots, bool weighted)
    : model_(model),
      roots_(std::move(roots)),
      weighted_(weighted),
      targets_(static_cast<Eigen::Index>(model.parts.size())),
      views_(model.views.size()) {
  const std::vector<Evidence>& kinds = model.head->evidence;
  std::vector<char> weighed(model.hypotheses.size() * kinds.size(), 0);
  for (const Part& part : model.parts) {
    for (const Weight& weight : part.weights) {
      const auto kind = std::ranges::find(kinds, weight.evidence) - kinds.begin();
      weighed[at(weight.hypothesis) * kinds.size() + at(kind)] = 1;
    }
  }
  const std::vector<std::vector<std::int64_t>> of_view = by_view(model);
  for (std::size_t v = 0; v < views_.size(); ++v) {
    std::vector<const Hypothesis*> patterns;
    for (const std::int64_t j : of_view[v]) {
      const Hypothesis& hypothesis = model.hypotheses[at(j)];
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (weighed[at(j) * kinds.size() + k] == 0) continue;
        const Standard& standard = hypothesis.standard[static_cast<std::size_t>(kinds[k])];
        const double factor = model.head->factors.empty() ? 1.0 : model.head->factors[v][k];
        views_[v].columns.push_back(
            {columns_, {j, k, std::ssize(patterns), standard.centre, factor / standard.scale}});
        for (const Instance& z : hypothesis.shapelet.instances) {
          if (z.example >= 0) own_[z.example].push_back(columns_);
        }
        ++columns_;
      }
      patterns.push_back(&hypothesis);
    }
    if (!patterns.empty()) views_[v].reader = make_reader(model.views[v], patterns);
  }
}

void EvidenceRows::fill(const Dataset& data, std::int64_t begin, std::int64_t end,
                        const std::vector<std::int64_t>& numbers, NormalEquations::Block& Z,
                        ThreadPool& threads) const {
  const std::vector<Evidence>& kinds = model_.head->evidence;
  Z.resize(end - begin, columns_ + targets_ + 1);
  const std::int64_t pieces = (end - begin + kPiece - 1) / kPiece;
  threads.run(pieces * std::ssize(views_), [&](std::int64_t task) {
    const View& view = views_[at(task / pieces)];
    if (view.columns.empty()) return;
    const std::int64_t first = begin + kPiece * (task % pieces);
    Readings readings;
    for (std::int64_t i = first; i < std::min(first + kPiece, end); ++i) {
      const bool says = view.reader->read(data, i, readings);
      const double root = this->root(data, i);
      for (const auto& [place, column] : view.columns) {
        if (!says) {
          Z(i - begin, place) = 0.0;
          continue;
        }
        const auto evidence = static_cast<double>(readings.of(kinds[column.kind])[at(column.pattern)]);
        Z(i - begin, place) = NormalEquations::rounded(root * column.unit * (evidence - column.centre));
      }
    }
  });
  for (std::int64_t i = begin; i < end; ++i) {
    auto z = Z.row(i - begin);
    if (const auto own = own_.find(numbers[at(i)]); own != own_.end()) {
      for (const Eigen::Index place : own->second) z[place] = 0.0;
    }
    const int label = data.label(i);
    const double root = this->root(data, i);
    for (Eigen::Index p = 0; p < targets_; ++p) {
      z[columns_ + p] = model_.parts[at(p)].positive == label ? root : -root;
    }
    z[columns_ + targets_] = root;
  }
}

double EvidenceRows::root(const Dataset& data, std::int64_t i) const {
  const double of_class = roots_[at(data.label(i))];
  return weighted_ ? shortened_root(of_class * of_class * data.weight(i)) : of_class;
}

void EvidenceRows::add(const Dataset& data, std::int64_t first, NormalEquations& sums,
                       ThreadPool& threads) const {
  std::vector<std::int64_t> numbers(at(data.size()));
  std::iota(numbers.begin(), numbers.end(), first);
  add(data, numbers, sums, threads);
}

void EvidenceRows::add(const Dataset& data, const std::vector<std::int64_t>& numbers, NormalEquations& sums,
                       ThreadPool& threads) const {
  NormalEquations::Block Z;
  for (std::int64_t begin = 0; begin < data.size(); begin += kBlock) {
    fill(data, begin, std::min(begin + kBlock, data.size()), numbers, Z, threads);
    sums.add(Z, threads);
  }
}

NormalEquations::Block EvidenceRows::rows(const Dataset& data, const std::vector<std::int64_t>& numbers,
                                          ThreadPool& threads) const {
  NormalEquations::Block Z;
  fill(data, 0, data.size(), numbers, Z, threads);
  return Z;
}

Model EvidenceRows::weighed(const NormalEquations& sums, const NormalEquations::Block& judges,
                            const std::vector<int>& labels, ThreadPool& threads) const {
  RidgeSettings settings;
  // The sample's is near: alpha is what noise is relative to weights, however many examples there are.
  settings.start = model_.head->alpha;
  settings.smallest = settings.start / 10.0;
  settings.largest = settings.start * 10.0;
  settings.steps_per_decade = 2;  // each costs p^3 / 3, and the error is flat around its minimum
  RidgeSolution solution = sums.solve(judges, settings, threads);
  Model model = model_;
  if (targets_ > 1) {
    Mixing mixing = mixing_of(solution.left_out, labels, judges.rightCols(1).cwiseAbs2(), threads);
    mixing.apply(solution.weights, solution.b);
    solution.left_out = std::move(mixing.left_out);
    model.head->mixing = rows_of(mixing.A);
  }
  const std::vector<Evidence>& kinds = model.head->evidence;
  const std::int64_t rows = std::ssize(model.hypotheses) * std::ssize(kinds);
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(rows, targets_);
  for (const View& view : views_) {
    for (const auto& [place, column] : view.columns) {
      const Hypothesis& hypothesis = model.hypotheses[at(column.hypothesis)];
      const double scale = hypothesis.standard[static_cast<std::size_t>(kinds[column.kind])].scale;
      W.row(column.hypothesis * std::ssize(kinds) + static_cast<Eigen::Index>(column.kind)) =
          column.unit * scale * solution.weights.row(place);
    }
  }
  set_weights(model, kinds, W, solution.b, threads);
  model.head->alpha = solution.alpha;
  model.head->left_out_error = solution.left_out_error;
  model.head->left_out_accuracy = accuracy_of(solution.left_out, labels);
  model.head->residual = solution.residual;
  return model;
}

void tell_of_whole(const std::vector<std::int64_t>& sample, std::int64_t examples, std::int64_t length,
                   TrainingResult& result) {
  for (Hypothesis& hypothesis : result.model.hypotheses) {
    for (Instance& z : hypothesis.shapelet.instances) {
      if (z.example >= 0) z.example = sample[at(z.example)];
    }
  }
  result.model.provenance.bags = examples;
  result.model.provenance.length = length;
  result.left_out = {};
}

void weigh_all(const Dataset& data, const Sample& sample, const Observer& observer, TrainingResult& result) {
  Model& model = result.model;
  tell_of_whole(sample.examples, data.size(), common_length(data), result);
  if (model.hypotheses.empty()) return;
  ThreadPool threads(sample.settings.threads);
  const EvidenceRows rows(model, roots_of_weights(sample.settings.class_weights, data), data.is_weighted());
  try {
    const StopScope scope(observer.interrupted);
    NormalEquations sums = rows.none();
    rows.add(data, 0, sums, threads);
    const NormalEquations::Block judges = rows.rows(sample.data, sample.examples, threads);
    model = rows.weighed(sums, judges, labels_of(sample.data), threads);
  } catch (const Abandoned&) {
    if (is_abandoned(observer)) throw;
    result.stop = Stop::interrupted;
    model.provenance.stopped = to_string(result.stop);
    result.notes.push_back(concat("stopped before all examples were weighed: the weights are those of ",
                                  sample.examples.size(), " of the ", data.size()));
  }
}

}  // namespace shapeboost::detail
