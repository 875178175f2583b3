// SPDX-License-Identifier: MIT
#include "shapeboost/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <tuple>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "ground/text.hpp"
#include "learn/baselines.hpp"
#include "learn/booster.hpp"
#include "learn/master.hpp"
#include "model/respond.hpp"
#include "oracle/local_oracle.hpp"
#include "train/plan.hpp"
#include "train/problem.hpp"
#include "train/trainer.hpp"
#include "view/fit_view.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

using detail::Problem;

/// The tables of one member: made by whoever comes first, gone when the last problem is done.
class Member {
 public:
  Member(const Dataset& data, const std::vector<PlannedView>& planned, const TrainSettings& settings,
         std::uint64_t seed, std::int64_t problems, TableStore* store)
      : data_(data), planned_(planned), settings_(settings), seed_(seed), waiting_(problems), store_(store) {}

  std::vector<std::shared_ptr<const Table>> tables(ThreadPool& threads) {
    const std::scoped_lock lock(mutex_);
    if (tables_.empty()) make(threads);
    return tables_;
  }
  void done() {
    const std::scoped_lock lock(mutex_);
    if (--waiting_ == 0) tables_.clear();
  }
  /// Known once tables() was called.
  [[nodiscard]] const std::vector<View>& views() const { return views_; }
  [[nodiscard]] const std::vector<ViewFacts>& facts() const { return facts_; }

 private:
  void make(ThreadPool& threads) {
    std::vector<int> labels;
    for (std::int64_t i = 0; i < data_.size(); ++i) labels.push_back(data_.label(i));
    Rng rng(seed_);
    for (const PlannedView& planned : planned_) {
      const bool standardise = settings_.standardise;
      views_.push_back(store_ != nullptr
                           ? store_->fit(planned.view, standardise, planned.sigma_scale, rng)
                           : fit_view(planned.view, data_, standardise, planned.sigma_scale, rng));
      TableSettings table;
      table.candidates = *settings_.candidates;
      table.unit_norm = settings_.weak == Weak::ball;
      table.seed = seed_ + tables_.size();
      tables_.push_back(store_ != nullptr
                            ? store_->table(views_.back(), labels, table, threads)
                            : std::make_shared<const Table>(data_, views_.back(), labels, table, threads));
      facts_.push_back(tables_.back()->facts());
    }
  }

  const Dataset& data_;
  const std::vector<PlannedView>& planned_;
  const TrainSettings& settings_;
  std::uint64_t seed_;
  std::int64_t waiting_;
  TableStore* store_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<const Table>> tables_;
  std::vector<View> views_;
  std::vector<ViewFacts> facts_;
};

/// What one problem of one member came to, its shapelets by value.
struct Trained {
  Learned boosted;
  std::vector<Hypothesis> hypotheses;  ///< of boosted.hypotheses, in the same order
  double c = 0.0;                      ///< how much it counts
};

/// Puts the pieces together. A hypothesis that several parts use is stored once.
class Assembly {
 public:
  Assembly(const Dataset& data, const TrainSettings& settings) : data_(data) {
    Model& model = result_.model;
    model.kind = data.kind();
    model.classes = data.classes();
    model.strategy = *settings.strategy;
    model.parts = parts_for(static_cast<int>(data.classes().size()), model.strategy);
    model.provenance.source = data.source();
    model.provenance.bags = data.size();
    model.provenance.seed = settings.seed;
    model.provenance.method = to_string(settings.method);
    result_.members = settings.members;
  }

  void add_views(const Member& member) {
    first_view_.push_back(static_cast<int>(result_.model.views.size()));
    result_.model.views.insert(result_.model.views.end(), member.views().begin(), member.views().end());
    std::vector<ViewFacts>& facts = result_.model.provenance.views;
    facts.insert(facts.end(), member.facts().begin(), member.facts().end());
    for (const ViewFacts& fact : member.facts()) result_.instances += fact.instances;
  }

  /// `of_member` has one entry for each member.
  void add_part(std::size_t p, std::vector<Trained*> of_member, const Problem& problem) {
    Part& part = result_.model.parts[p];
    // A member that finds no margin above 0 may mix a pattern with its opposite, and what is left of its
    // scores is rounding: brought to the size of the others', it would drown them.
    constexpr double kVain = 1e-6;  // of the largest scores
    double largest = 0.0;
    for (const Trained* trained : of_member) {
      if (!trained->hypotheses.empty()) largest = std::max(largest, trained->boosted.g.cwiseAbs().mean());
    }
    double sum = 0.0;
    for (Trained* trained : of_member) {
      const double size = trained->boosted.g.cwiseAbs().mean();
      trained->c = trained->hypotheses.empty() || size <= kVain * largest ? 0.0 : 1.0 / size;
      sum += trained->c;
    }
    if (sum <= 0.0) {  // nothing learned by any: the larger class
      of_member.front()->c = sum = 1.0;
    }
    Vector g = Vector::Zero(problem.sides.y.size());
    for (std::size_t k = 0; k < of_member.size(); ++k) {
      Trained& trained = *of_member[k];
      trained.c /= sum;
      g += trained.c * trained.boosted.g;
      part.b += trained.c * trained.boosted.b;
      part.nu = trained.boosted.nu;
      for (std::size_t j = 0; j < trained.hypotheses.size(); ++j) {
        const double w = trained.c * trained.boosted.hypotheses[j].w;
        if (w > 0.0) {
          part.weights.push_back(
              {place_of(k, trained.boosted.hypotheses[j], std::move(trained.hypotheses[j])), w});
        }
      }
    }
    const Vector margins = problem.sides.y.cwiseProduct(g);
    part.margins.assign(margins.begin(), margins.end());
    if (of_member.size() == 1) {
      part.rho = of_member.front()->boosted.rho;
      part.gamma = of_member.front()->boosted.gamma;
    } else {
      const SoftMargin margin =
          soft_margin(part.margins, Master::caps(problem.sides.y.size(), part.nu, problem.sides.v));
      part.rho = margin.rho;
      part.gamma = margin.gamma;
    }
    for (std::size_t k = 0; k < of_member.size(); ++k) record(static_cast<int>(k), p, of_member[k]->boosted);
  }

  TrainingResult finish() {
    sort_hypotheses();
    Provenance& provenance = result_.model.provenance;
    provenance.instances = result_.instances;
    for (const Stop stop : {Stop::interrupted, Stop::rounds, Stop::stalled, Stop::gap, Stop::nothing}) {
      if (std::find(stops_.begin(), stops_.end(), stop) == stops_.end()) continue;
      result_.stop = stop;
      break;
    }
    provenance.stopped = to_string(result_.stop);
    for (const RoundRecord& r : result_.rounds) {
      provenance.history.push_back({r.edge, r.gamma, r.gap, r.columns});
    }
    return std::move(result_);
  }

  std::vector<std::string>& notes() { return result_.notes; }

 private:
  int place_of(std::size_t member, const LearnedHypothesis& found, Hypothesis hypothesis) {
    std::vector<std::pair<Handle, double>> terms;
    for (const Term& term : found.terms) terms.emplace_back(term.z, term.alpha);
    hypothesis.view += first_view_[member];
    const auto [place, fresh] = known_.try_emplace({hypothesis.view, found.sign, std::move(terms)},
                                                   static_cast<int>(result_.model.hypotheses.size()));
    if (fresh) result_.model.hypotheses.push_back(std::move(hypothesis));
    return place->second;
  }

  void record(int member, std::size_t part, const Learned& boosted) {
    result_.gap = std::max(result_.gap, boosted.gap());
    result_.duality_gap = std::max(result_.duality_gap, boosted.duality_gap);
    stops_.push_back(boosted.stop);
    for (RoundRecord r : boosted.rounds) {
      r.member = member;
      r.part = static_cast<int>(part);
      result_.rounds.push_back(r);
    }
  }

  /// By total weight, largest first; and each part's weights too.
  void sort_hypotheses() {
    Model& model = result_.model;
    std::vector<double> total(model.hypotheses.size(), 0.0);
    for (const Part& part : model.parts) {
      for (const Weight& weight : part.weights) total[at(weight.hypothesis)] += weight.w;
    }
    std::vector<std::size_t> order(total.size());
    for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return total[a] > total[b]; });
    std::vector<int> place(order.size());
    std::vector<Hypothesis> sorted;
    for (std::size_t j = 0; j < order.size(); ++j) {
      place[order[j]] = static_cast<int>(j);
      sorted.push_back(std::move(model.hypotheses[order[j]]));
    }
    model.hypotheses = std::move(sorted);
    for (Part& part : model.parts) {
      for (Weight& weight : part.weights) weight.hypothesis = place[at(weight.hypothesis)];
      std::stable_sort(part.weights.begin(), part.weights.end(), [](const Weight& a, const Weight& b) {
        return a.w != b.w ? a.w > b.w : a.hypothesis < b.hypothesis;
      });
    }
  }

  const Dataset& data_;
  TrainingResult result_;
  std::vector<int> first_view_;  // of each member
  std::map<std::tuple<int, int, std::vector<std::pair<Handle, double>>>, int> known_;
  std::vector<Stop> stops_;
};

/// Of an SVM of the instances of these bags (none: all); nothing of other methods.
std::int64_t machine_bytes(const Table& table, const std::vector<std::int64_t>& bags, Method method) {
  if (!is_instance_svm(method)) return 0;
  const Instances& instances = table.instances();
  std::int64_t n = bags.empty() ? instances.size() : 0;
  for (const std::int64_t bag : bags) n += instances.count(bag);
  return instance_svm_bytes(method, n, instances.bags(), instances.view().numbers(), false);
}

/// `memory` is for libsvm's cache.
BaselineSettings baseline_settings(const TrainSettings& settings, std::int64_t memory) {
  constexpr std::int64_t kLeastCache = std::int64_t{1} << 20;
  constexpr std::int64_t kMostCache = std::int64_t{1} << 28;
  return {.method = settings.method,
          .C = settings.C,
          .max_rounds = settings.max_rounds,
          .one_sided = settings.one_sided,
          .offset = settings.offset,
          .memory = std::clamp(memory, kLeastCache, kMostCache)};
}

/// Trains on `own`, a part of `problem`. What comes of it is seen by all bags of the problem.
Trained train_problem(const std::vector<std::shared_ptr<const Table>>& tables, const Problem& problem,
                      const Problem& own, const TrainSettings& settings, std::int64_t memory,
                      ThreadPool& threads, const Observer& observer) {
  const auto rest = [&](const Table& table) {
    return memory / static_cast<std::int64_t>(tables.size()) - table.bytes() -
           machine_bytes(table, own.bags, settings.method);
  };
  const bool machine = is_instance_svm(settings.method);  // whose cache has the other half
  const auto oracles_for = [&](const std::vector<std::int64_t>& bags) {
    std::vector<std::unique_ptr<Oracle>> oracles;
    for (const auto& table : tables) {
      oracles.push_back(
          std::make_unique<LocalOracle>(table, bags, rest(*table) / (machine ? 2 : 1), threads));
    }
    return oracles;
  };
  std::vector<std::unique_ptr<Oracle>> oracles = oracles_for(own.bags);
  Trained trained;
  if (settings.method == Method::boost) {
    trained.boosted = boost(oracles, own.sides, settings, threads, observer);
  } else {
    trained.boosted = baseline(oracles, own.sides, baseline_settings(settings, rest(*tables.front()) / 2),
                               threads, observer);
  }
  for (const LearnedHypothesis& found : trained.boosted.hypotheses) {
    Hypothesis hypothesis{found.oracle, found.sign, {}};
    for (const Term& term : found.terms) {
      hypothesis.shapelet.instances.push_back(oracles[at(found.oracle)]->instance(term.z));
      hypothesis.shapelet.alpha.push_back(term.alpha);
    }
    trained.hypotheses.push_back(std::move(hypothesis));
  }
  if (own.sides.y.size() < problem.sides.y.size()) {
    oracles = oracles_for(problem.bags);
    Vector& g = trained.boosted.g;
    g = Vector::Constant(problem.sides.y.size(), trained.boosted.b);
    for (const LearnedHypothesis& found : trained.boosted.hypotheses) {
      const Response response = oracles[at(found.oracle)]->respond(found.terms);
      g += found.w * found.sign * Eigen::Map<const Vector>(response.value.data(), g.size());
    }
  }
  return trained;
}

void note_nu(const std::vector<Problem>& problems, const TrainSettings& settings,
             std::vector<std::string>& notes) {
  if (settings.method != Method::boost) return;
  double least = settings.nu;
  bool hard = false;
  const double most = settings.offset ? 0.5 : 1.0;  // that one bag can weigh
  for (const Problem& problem : problems) {
    const double nu = lowered_nu(problem.sides, settings);
    least = std::min(least, nu);
    hard = hard || Master::caps(problem.sides.y.size(), nu, problem.sides.v).minCoeff() >= most;
  }
  if (least < settings.nu) {
    const bool uniform = settings.class_weights.rule == ClassWeights::Rule::uniform;
    notes.push_back("nu lowered from " + detail::number(settings.nu) + " to " + detail::number(least) +
                    (uniform ? ": the smaller class has too few bags for more"
                             : ": one class weighs too little for more"));
  }
  if (hard) {
    notes.emplace_back("nu allows less than one bag to fall short of the margin: the margin is hard");
  }
}

}  // namespace

std::int64_t smallest_memory(const Dataset& data, const TrainSettings& settings, bool parts) {
  std::int64_t largest = 0;
  // Of more than two classes a problem may be a part of the data.
  const bool some = parts || data.classes().size() > 2;
  const Plan planned = plan(data, settings);
  for (const std::vector<PlannedView>& views : planned.members) {
    // A member's views share the bound in equal parts, so the largest part counts for all.
    std::int64_t of_view = 0;
    for (const PlannedView& v : views) {
      const std::int64_t machine = is_instance_svm(settings.method)
                                       ? instance_svm_bytes(settings.method, instances_in(data, v.view),
                                                            data.size(), v.view.numbers(), some)
                                       : 0;
      of_view = std::max(of_view, Table::bytes(data, v.view, *planned.settings.candidates) +
                                      LocalOracle::smallest_memory(data, v.view) + machine);
    }
    largest = std::max(largest, of_view * static_cast<std::int64_t>(views.size()));
  }
  return largest;
}

TrainingResult train(const Dataset& data, const TrainSettings& settings, const Observer& observer) {
  return detail::train_with(data, settings, observer, nullptr);
}

TrainingResult detail::train_with(const Dataset& data, const TrainSettings& settings,
                                  const Observer& observer, TableStore* store) {
  if (const std::string fault = validate(settings); !fault.empty()) throw InvalidInput(fault);
  detail::check_labels(data);
  const std::int64_t needed = std::max<std::int64_t>(1, smallest_memory(data, settings));
  if (settings.memory < needed) {
    throw InvalidInput(detail::too_little_memory(needed, settings.memory));
  }
  const Plan planned = plan(data, settings);
  const TrainSettings& settled = planned.settings;
  Assembly assembly(data, settled);
  std::vector<Problem> problems;
  const std::vector<Part> parts = parts_for(static_cast<int>(data.classes().size()), *settled.strategy);
  for (const Part& part : parts) problems.push_back(detail::problem_of(data, part, settled.class_weights));
  note_nu(problems, settled, assembly.notes());

  // Every problem of every member is a task; a member's problems follow each other, so that its tables can go
  // early. Tasks run side by side as far as memory allows, and which runs when matters to none of them.
  std::vector<std::unique_ptr<Member>> members;
  const auto parts_each = static_cast<std::int64_t>(problems.size());
  for (std::size_t k = 0; k < planned.members.size(); ++k) {
    members.push_back(std::make_unique<Member>(data, planned.members[k], settled, settled.seed + 1000 * k,
                                               parts_each, store));
  }
  const std::int64_t tasks = parts_each * static_cast<std::int64_t>(members.size());
  ThreadPool inner(tasks > 1 ? 1 : settled.threads);
  const int wanted = tasks > 1 ? ThreadPool(settled.threads).threads() : 1;
  const auto side_by_side = static_cast<int>(std::clamp<std::int64_t>(settings.memory / needed, 1, wanted));
  ThreadPool outer(side_by_side);
  inner.abandon_when(observer.abandoned);
  outer.abandon_when(observer.abandoned);
  std::mutex one_at_a_time;
  std::vector<Trained> trained(at(tasks));
  outer.run(tasks, [&](std::int64_t task) {
    const std::int64_t k = task / parts_each;
    const std::int64_t p = task % parts_each;
    Observer own = observer;
    if (observer.round) {
      own.round = [&, k, p](RoundRecord record) {
        record.member = static_cast<int>(k);
        record.part = static_cast<int>(p);
        const std::scoped_lock lock(one_at_a_time);
        observer.round(record);
      };
    }
    const Problem& problem = problems[at(p)];
    const Problem part = detail::drawn(problem, *settled.member_bags, settled.seed + 1000 * at(k));
    trained[at(task)] = train_problem(members[at(k)]->tables(inner), problem, part, settled,
                                      settings.memory / side_by_side, inner, own);
    members[at(k)]->done();
  });

  for (const auto& member : members) assembly.add_views(*member);
  for (std::size_t p = 0; p < problems.size(); ++p) {
    std::vector<Trained*> of_member;
    for (std::size_t k = 0; k < members.size(); ++k) of_member.push_back(&trained[k * problems.size() + p]);
    assembly.add_part(p, of_member, problems[p]);
  }
  return assembly.finish();
}

SoftMargin soft_margin(const std::vector<double>& margins, const Vector& caps) {
  // Concave and piecewise linear in rho: its slope, 1 less the caps of the margins below rho, turns at the
  // first margin whose cap brings the sum to 1.
  constexpr double kRounding = 1e-9;
  std::vector<std::size_t> order(margins.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return margins[a] < margins[b]; });
  double rho = 0.0;
  double sum = 0.0;
  for (const std::size_t i : order) {
    rho = margins[i];
    sum += caps[static_cast<Eigen::Index>(i)];
    if (sum >= 1.0 - kRounding) break;
  }
  double cost = 0.0;
  for (const std::size_t i : order) {
    cost += caps[static_cast<Eigen::Index>(i)] * std::max(0.0, rho - margins[i]);
  }
  return {rho, rho - cost};
}

}  // namespace shapeboost
