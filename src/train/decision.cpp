// SPDX-License-Identifier: MIT
#include "train/decision.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ground/names.hpp"
#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "ground/text.hpp"
#include "model/probabilities.hpp"
#include "shapeboost/predictor.hpp"
#include "train/evidence.hpp"
#include "train/find.hpp"
#include "train/plan.hpp"
#include "train/problem.hpp"
#include "train/trainer.hpp"

namespace shapeboost {
namespace {

constexpr int kFolds = 5;
/// Committees of fewer members have scores of another size.
constexpr int kFewestMembers = 20;
/// Offsets that are tried for a class, and the share of them that lie in the neighbourhood of one, on either side.
constexpr std::int64_t kTried = 200;
constexpr double kBeside = 0.025;
constexpr int kPasses = 4;  // over the classes
/// A class of which no larger share of the examples is recognised deserves a word.
constexpr double kHardlyAny = 0.1;

constexpr Names<Optimise, 3> kAims{
    {{Optimise::accuracy, "accuracy"}, {Optimise::balanced, "balanced"}, {Optimise::f1, "f1"}}};

/// Scores of examples that their models had not seen, in the units of these models' parts.
struct LeftOut {
  Array<double> scores;  // a row an example, a column a part
  std::vector<int> labels;
};

/// The unit of each part's scores. Parts that are compared with each other share one.
std::vector<double> units_of(const Model& model) {
  std::vector<double> units;
  for (const Part& part : model.parts) units.push_back(detail::score_unit(part));
  if (model.classes.size() > 2 && model.strategy == Strategy::one_vs_rest) {
    const double mean = std::accumulate(units.begin(), units.end(), 0.0) / real(units.size());
    std::ranges::fill(units, mean);
  }
  return units;
}

Array<double> in_units(Array<double> scores, const Model& model) {
  const std::vector<double> units = units_of(model);
  for (std::int64_t i = 0; i < scores.rows(); ++i) {
    for (std::size_t p = 0; p < units.size(); ++p) scores(i, p) /= units[p];
  }
  return scores;
}

/// What a part's score gains in units.
double shift_of(const Part& part, const std::vector<double>& offsets) {
  return offsets[at(part.positive)] - (part.negative == kRest ? 0.0 : offsets[at(part.negative)]);
}

/// By models of the other folds. Without rows where it was interrupted.
LeftOut by_folds(const Dataset& data, const TrainSettings& settings, int folds, const Observer& observer) {
  const TrainSettings own = detail::fold_settings(data, settings, folds);
  const std::vector<int> fold_of = detail::dealt_folds(data, folds, 0, settings.seed);
  Observer inner;
  inner.interrupted = observer.interrupted;
  inner.abandoned = observer.abandoned;
  std::vector<Array<double>> scored;
  LeftOut left_out;
  for (int k = 0; k < folds; ++k) {
    std::vector<std::int64_t> train;
    std::vector<std::int64_t> test;
    for (std::int64_t i = 0; i < data.size(); ++i) (fold_of[at(i)] == k ? test : train).push_back(i);
    const Dataset others = data.subset(train);
    const Dataset held_out = data.subset(test);
    TrainSettings fitting = own;
    fitting.memory = std::max(own.memory, smallest_memory(others, own));  // windows may have other lengths
    const TrainingResult trained = detail::train_with(others, fitting, inner, nullptr);
    if (trained.stop == Stop::interrupted) return {};
    scored.push_back(in_units(scores(trained.model, held_out, settings.threads).parts, trained.model));
    for (const int label : detail::labels_of(held_out)) left_out.labels.push_back(label);
  }
  left_out.scores = Array<double>(left_out.labels.size(), scored.front().cols());
  std::int64_t row = 0;
  for (const Array<double>& part : scored) {
    for (std::int64_t i = 0; i < part.rows(); ++i, ++row) {
      for (std::int64_t p = 0; p < part.cols(); ++p) left_out.scores(row, p) = part(i, p);
    }
  }
  return left_out;
}

/// By how much each class is ahead of another on an example: a number for every pair of classes.
class Leads {
 public:
  Leads(const Model& model, const Array<double>& scores) : scores_(scores) {
    const auto classes = static_cast<int>(model.classes.size());
    against_rest_ = classes > 2 && model.strategy == Strategy::one_vs_rest;
    if (against_rest_) return;
    part_ = Array<int>(classes, classes);
    for (std::size_t p = 0; p < model.parts.size(); ++p) {
      part_(model.parts[p].positive, model.parts[p].negative) = static_cast<int>(p);
      part_(model.parts[p].negative, model.parts[p].positive) = static_cast<int>(p);
    }
  }
  [[nodiscard]] double of(std::int64_t i, int a, int b) const {
    if (against_rest_) return scores_(i, a) - scores_(i, b);
    // Of a pair the higher class is the positive one.
    return a > b ? scores_(i, part_(a, b)) : -scores_(i, part_(a, b));
  }

 private:
  const Array<double>& scores_;
  bool against_rest_ = false;
  Array<int> part_;
};

/// How many of a class' own examples are ahead in it: only the parts that a class takes part in are asked.
std::int64_t recognised(int c, const Leads& leads, const std::vector<int>& labels, int classes) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < std::ssize(labels); ++i) {
    if (labels[at(i)] != c) continue;
    bool wins = true;
    for (int k = 0; k < classes && wins; ++k) wins = k == c || leads.of(i, c, k) > 0.0;
    if (wins) ++count;
  }
  return count;
}

/// g of the training examples in the parts that they are of, from the margins. Without rows where there are none.
Array<double> training_scores(const Dataset& data, const Model& model) {
  Array<double> scores(data.size(), model.parts.size());
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    const Part& part = model.parts[p];
    std::size_t next = 0;
    for (std::int64_t i = 0; i < data.size(); ++i) {
      const int label = data.label(i);
      const bool everyone = part.negative == kRest || model.classes.size() == 2;
      if (!everyone && label != part.positive && label != part.negative) continue;
      if (next == part.margins.size()) return {};
      scores(i, p) = (label == part.positive ? 1.0 : -1.0) * part.margins[next++] + part.shift;
    }
  }
  return scores;
}

void note_unrecognised(const Array<double>& scores, const std::vector<int>& labels, bool unseen, Optimise aim,
                       TrainingResult& result) {
  const Model& model = result.model;
  const auto classes = static_cast<int>(model.classes.size());
  const Leads leads(model, scores);
  for (int c = 0; c < classes; ++c) {
    const std::int64_t examples = std::ranges::count(labels, c);
    const std::int64_t right = recognised(c, leads, labels, classes);
    if (examples == 0 || real(right) > kHardlyAny * real(examples)) continue;
    result.notes.push_back(
        concat("class ", detail::quote(model.classes[at(c)]), " is hardly ever predicted: ", right,
               " of its ", examples, examples == 1 ? " example is" : " examples are", " recognised",
               unseen ? " by what was learned from others" : ", though all were trained on",
               aim == Optimise::accuracy ? "; --optimise balanced or f1 moves the threshold"
                                         : "; --class-weights balanced may find patterns of it"));
  }
}

}  // namespace

std::string_view to_string(Optimise value) { return name_of(kAims, value); }

template <>
Optimise parse<Optimise>(std::string_view text) {
  return choice_of(kAims, "optimise", text);
}

namespace detail {

std::vector<int> dealt_folds(const Dataset& data, int folds, int repeat, std::uint64_t seed) {
  std::vector<std::vector<std::int64_t>> classes(data.classes().size());
  for (std::int64_t i = 0; i < data.size(); ++i) classes[at(data.label(i))].push_back(i);
  std::vector<int> fold_of(at(data.size()), kAlwaysTrained);
  Rng rng(seed * 1'000'003 + static_cast<std::uint64_t>(repeat));
  std::int64_t dealt = 0;
  for (std::vector<std::int64_t>& members : classes) {
    if (members.size() < 2) continue;
    rng.shuffle(members);
    for (const std::int64_t i : members) fold_of[at(i)] = static_cast<int>(dealt++ % folds);
  }
  return fold_of;
}

int possible_folds(const Dataset& data, int folds) {
  std::vector<std::int64_t> count(data.classes().size(), 0);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (data.label(i) != kUnlabelled) ++count[at(data.label(i))];
  }
  std::int64_t testable = 0;
  for (const std::int64_t n : count) testable += n > 1 ? n : 0;
  return static_cast<int>(std::min<std::int64_t>(folds, testable));
}

TrainSettings fold_settings(const Dataset& data, const TrainSettings& settings, int folds) {
  TrainSettings own = settings;
  own.optimise = Optimise::accuracy;
  TrainSettings settled = plan(data, own).settings;
  const int members = std::max(kFewestMembers, settled.members / folds);
  if (members >= settled.members) return own;
  if (data.kind() == DataKind::bags && settled.head != HeadKind::average) {
    own.head = settled.head;  // what follows from the number of bags is settled fold by fold
    own.members = members;
    return own;
  }
  settled.patterns = std::min(settled.patterns, kPatternsEach * members);
  settled.members = members;
  return settled;
}

double worth(Optimise aim, const std::vector<int>& labels, const std::vector<int>& predictions,
             std::size_t classes) {
  std::vector<double> right(classes, 0.0);
  std::vector<double> examples(classes, 0.0);
  std::vector<double> predicted(classes, 0.0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    examples[at(labels[i])] += 1.0;
    predicted[at(predictions[i])] += 1.0;
    if (labels[i] == predictions[i]) right[at(labels[i])] += 1.0;
  }
  if (aim == Optimise::accuracy)
    return std::accumulate(right.begin(), right.end(), 0.0) / real(labels.size());
  double sum = 0.0;
  double counted = 0.0;
  for (std::size_t c = 0; c < classes; ++c) {
    if (examples[c] == 0.0) continue;
    sum += aim == Optimise::balanced ? right[c] / examples[c] : 2.0 * right[c] / (examples[c] + predicted[c]);
    counted += 1.0;
  }
  return sum / counted;
}

namespace {

class OffsetSearch {
 public:
  OffsetSearch(const Model& model, const Array<double>& scores, const std::vector<int>& labels, Optimise aim)
      : model_(model),
        scores_(scores),
        labels_(labels),
        aim_(aim),
        leads_(model, scores),
        offsets_(model.classes.size(), 0.0),
        size_(model.classes.size(), 0.0) {
    for (const int label : labels) size_[at(label)] += 1.0;
    shifted_ = {scores, std::vector<char>(at(scores.rows()), 1)};
  }

  std::vector<double> run() {
    const auto classes = static_cast<int>(offsets_.size());
    double best = value(offsets_);
    for (int pass = 0; pass < kPasses; ++pass) {
      bool moved = false;
      for (int c = classes == 2 ? 1 : 0; c < classes; ++c) {
        std::vector<double> trial = offsets_;
        trial[at(c)] = best_of(c);
        const double reached = value(trial);
        if (!(reached > best)) continue;
        best = reached;
        offsets_ = std::move(trial);
        moved = true;
      }
      if (!moved || classes == 2) break;
    }
    return offsets_;
  }

 private:
  double value(const std::vector<double>& offsets) {
    for (std::size_t p = 0; p < model_.parts.size(); ++p) {
      const double shift = shift_of(model_.parts[p], offsets);
      for (std::int64_t i = 0; i < scores_.rows(); ++i) shifted_.parts(i, p) = scores_(i, p) + shift;
    }
    return worth(aim_, labels_, predictions(model_, shifted_), offsets_.size());
  }

  /// Between the offsets at which one example more is ahead in class c: those that every class has the same share of
  /// count as neighbours.
  [[nodiscard]] std::vector<double> tried(int c) const {
    std::vector<std::pair<double, double>> turns;  // the offset, and what the example weighs
    for (std::int64_t i = 0; i < scores_.rows(); ++i) {
      double turn = -kInfinity;
      for (int k = 0; k < static_cast<int>(offsets_.size()); ++k) {
        if (k != c) turn = std::max(turn, offsets_[at(k)] - leads_.of(i, c, k));
      }
      turns.emplace_back(turn, 1.0 / size_[at(labels_[at(i)])]);
    }
    std::ranges::sort(turns);
    double total = 0.0;
    for (const auto& [turn, weight] : turns) total += weight;
    std::vector<double> result;
    double passed = 0.0;
    double next = 0.0;
    double widest = 0.0;  // gap since the last one
    for (std::size_t i = 0; i + 1 < turns.size(); ++i) {
      passed += turns[i].second;
      const double gap = turns[i + 1].first - turns[i].first;
      if (!(gap > 0.0)) continue;
      const double middle = turns[i].first + 0.5 * gap;
      if (passed >= next) {
        result.push_back(middle);
        next = passed + total / real(kTried);
        widest = gap;
      } else if (gap > widest) {
        result.back() = middle;
        widest = gap;
      }
    }
    return result;
  }

  double best_of(int c) {
    const std::vector<double> offsets = tried(c);
    std::vector<double> sums{0.0};
    std::vector<double> trial = offsets_;
    for (const double offset : offsets) {
      trial[at(c)] = offset;
      sums.push_back(sums.back() + value(trial));
    }
    const auto beside = static_cast<std::int64_t>(kBeside * real(offsets.size()));
    const auto from = [&](std::int64_t j) { return std::max<std::int64_t>(0, j - beside); };
    const auto to = [&](std::int64_t j) { return std::min(std::ssize(offsets), j + beside + 1); };
    std::int64_t middle = -1;
    double best = -kInfinity;
    for (std::int64_t j = 0; j < std::ssize(offsets); ++j) {
      const double mean = (sums[at(to(j))] - sums[at(from(j))]) / real(to(j) - from(j));
      if (!(mean > best)) continue;
      best = mean;
      middle = j;
    }
    double chosen = offsets_[at(c)];
    best = -kInfinity;
    for (std::int64_t j = middle < 0 ? 0 : from(middle); middle >= 0 && j < to(middle); ++j) {
      const double own = sums[at(j) + 1] - sums[at(j)];
      if (!(own > best)) continue;
      best = own;
      chosen = offsets[at(j)];
    }
    return chosen;
  }

  const Model& model_;
  const Array<double>& scores_;
  const std::vector<int>& labels_;
  Optimise aim_;
  Leads leads_;
  std::vector<double> offsets_;
  std::vector<double> size_;  // of each class
  Scores shifted_;
};

}  // namespace

std::vector<double> best_offsets(const Model& model, const Array<double>& scores,
                                 const std::vector<int>& labels, Optimise aim) {
  return OffsetSearch(model, scores, labels, aim).run();
}

void settle_decision(const Dataset& data, const TrainSettings& settings, const Observer& observer,
                     TrainingResult& result) {
  Model& model = result.model;
  LeftOut left_out;
  if (result.left_out.rows() > 0) left_out = {in_units(result.left_out, model), detail::labels_of(data)};
  if (settings.optimise == Optimise::accuracy) {
    const bool unseen = left_out.scores.rows() > 0;
    const Array<double> known = unseen ? left_out.scores : training_scores(data, model);
    if (known.rows() > 0)
      note_unrecognised(known, detail::labels_of(data), unseen, settings.optimise, result);
    return;
  }
  // Where a head's patterns were found or kept with all labels in sight, its left-out scores flatter rare classes as training
  // scores do. Those of bags are drawn.
  const bool flattered = model.head && (data.kind() != DataKind::bags || settings.patterns > 0);
  const std::string without = "the threshold is that of --optimise accuracy: ";
  if (left_out.scores.rows() == 0 || flattered) {
    left_out = {};
    const int folds = possible_folds(data, kFolds);
    if (folds < 2) {
      result.notes.push_back(without + "no two examples of one class to try others on");
      return;
    }
    if (result.stop != Stop::interrupted) left_out = by_folds(data, settings, folds, observer);
    if (left_out.scores.rows() == 0) {
      result.notes.push_back(without + "training was interrupted");
      return;
    }
  }
  const std::vector<double> offsets =
      best_offsets(model, left_out.scores, left_out.labels, settings.optimise);
  const std::vector<double> units = units_of(model);
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    Part& part = model.parts[p];
    const double shift = shift_of(part, offsets);
    part.shift = units[p] * shift;
    part.b += part.shift;
    for (std::int64_t i = 0; i < left_out.scores.rows(); ++i) left_out.scores(i, p) += shift;
  }
  note_unrecognised(left_out.scores, left_out.labels, true, settings.optimise, result);
}

}  // namespace detail

}  // namespace shapeboost
