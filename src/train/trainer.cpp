// SPDX-License-Identifier: MIT
#include "shapeboost/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>

#include "data/outliers.hpp"
#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "ground/stop.hpp"
#include "ground/text.hpp"
#include "learn/baselines.hpp"
#include "learn/booster.hpp"
#include "learn/master.hpp"
#include "model/respond.hpp"
#include "oracle/local_oracle.hpp"
#include "train/assembly.hpp"
#include "train/decision.hpp"
#include "train/distinct.hpp"
#include "train/find.hpp"
#include "train/fitted_nu.hpp"
#include "train/head.hpp"
#include "train/plan.hpp"
#include "train/problem.hpp"
#include "train/stream.hpp"
#include "train/trainer.hpp"
#include "view/fit_view.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

using detail::Problem;
using detail::Trained;

/// One member's views and their tables.
struct Member {
  std::vector<View> views;
  std::vector<ViewFacts> facts;
  std::vector<std::shared_ptr<const Table>> tables;  // until its last problem is done
};

Member made_member(const Dataset& data, const std::vector<PlannedView>& planned,
                   const TrainSettings& settings, std::uint64_t seed, TableStore* store,
                   ThreadPool& threads) {
  std::vector<int> labels = detail::labels_of(data);
  Rng rng(seed);
  Member member;
  for (const PlannedView& one : planned) {
    const bool standardise = settings.standardise;
    member.views.push_back(store != nullptr ? store->fit(one.view, standardise, one.sigma_scale, rng)
                                            : fit_view(one.view, data, standardise, one.sigma_scale, rng));
    const View& view = member.views.back();
    // A support vector machine's C is measured in the kernel's own size.
    if (settings.method != Method::boost) member.views.back().kernel.set_unit(1.0);
    TableSettings table;
    table.candidates = *settings.candidates;
    table.unit_norm = settings.method == Method::boost && settings.boosting.weak == Weak::ball;
    table.seed = seed + member.tables.size();
    member.tables.push_back(store != nullptr
                                ? store->table(view, labels, table, threads)
                                : std::make_shared<const Table>(data, view, labels, table, threads));
    member.facts.push_back(member.tables.back()->facts());
  }
  return member;
}

/// Of a member whose tables were not made before time ran out: a view that nobody asks.
Member unmade_member(const std::vector<PlannedView>& planned) {
  return {{detail::unasked(planned.front().view)}, std::vector<ViewFacts>(1), {}};
}

/// Bytes of an SVM of the instances of these bags (none: all); 0 for other methods.
std::int64_t machine_bytes(const Table& table, const std::vector<std::int64_t>& bags, Method method) {
  if (!is_instance_svm(method)) return 0;
  const Instances& instances = table.instances();
  std::int64_t n = bags.empty() ? instances.size() : 0;
  for (const std::int64_t bag : bags) n += instances.count(bag);
  return instance_svm_bytes(method, n, instances.bags(), instances.view().numbers(), false);
}

/// For libsvm's cache, out of what is left.
std::int64_t cache_bytes(std::int64_t left) {
  return std::clamp(left, std::int64_t{1} << 20, std::int64_t{1} << 28);
}

/// Trains on `own`, a part of `problem`. The result is evaluated on all bags of the problem.
Trained train_problem(const std::vector<std::shared_ptr<const Table>>& tables, const Problem& problem,
                      const Problem& own, const TrainSettings& settings, std::int64_t memory,
                      ThreadPool& threads, const Observer& observer) {
  if (settings.method == Method::boost) {
    std::int64_t refining = 0;
    for (const auto& table : tables) {
      refining =
          std::max(refining, refining_bytes(settings.boosting, table->bags(), table->instances().size()));
    }
    memory -= refining;
  }
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
  Trained trained;
  trained.bags = own.bags;
  BoosterSettings boosting = settings.boosting;
  if (settings.method == Method::boost && detail::fits_nu(own.sides, boosting)) {
    trained.fitted = detail::fitted_nu(tables, own, boosting, settings.seed, threads, observer);
    boosting.nu = trained.fitted.nu;
  }
  std::vector<std::unique_ptr<Oracle>> oracles = oracles_for(own.bags);
  if (settings.method == Method::boost) {
    trained.boosted = boost(oracles, own.sides, boosting, threads, observer);
  } else {
    const Baseline asked{settings.method, settings.baseline, cache_bytes(rest(*tables.front()) / 2)};
    trained.boosted = baseline(oracles, own.sides, asked, threads, observer);
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

/// Of a problem whose tables were not made before time ran out.
Trained nothing(const Problem& problem, const TrainSettings& settings) {
  Trained trained;
  trained.boosted.stop = Stop::interrupted;
  trained.boosted.nu = lowered_nu(problem.sides, settings.boosting);
  trained.boosted.say_larger_class(problem.sides.y);
  return trained;
}

void note_nu(const std::vector<Problem>& problems, const TrainSettings& settings,
             std::vector<std::string>& notes) {
  if (settings.method != Method::boost) return;
  const double asked = settings.boosting.nu > 0.0 ? settings.boosting.nu : kNu;
  double least = asked;
  bool hard = false;
  const double most = settings.boosting.offset ? 0.5 : 1.0;  // that one bag can weigh
  for (const Problem& problem : problems) {
    if (detail::fits_nu(problem.sides, settings.boosting)) continue;  // of its own: see nu_text()
    const double nu = lowered_nu(problem.sides, settings.boosting);
    least = std::min(least, nu);
    hard = hard || Master::caps(problem.sides.y.size(), nu, problem.sides.v).minCoeff() >= most;
  }
  if (least < asked) {
    const bool uniform = settings.class_weights.rule == ClassWeights::Rule::uniform;
    notes.push_back("nu lowered from " + detail::number(asked) + " to " + detail::number(least) +
                    (uniform ? ": the smaller class has too few bags for more"
                             : ": one class weighs too little for more"));
  }
  if (hard) {
    notes.emplace_back("nu allows less than one bag to fall short of the margin: the margin is hard");
  }
}

/// The largest examples, as many as a member that only finds patterns looks at.
Dataset largest_part(const Dataset& data, std::int64_t limit) {
  if (limit == 0 || data.size() <= limit) return data;
  std::vector<std::int64_t> order(at(data.size()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](std::int64_t i) { return data.numbers(i); });
  order.resize(at(limit));
  return data.subset(order);
}

/// Of the member that takes most.
std::int64_t member_memory(const Dataset& all, const Plan& planned, bool some) {
  const TrainSettings& settings = planned.settings;
  const bool finds = settings.head == HeadKind::ridge && all.kind() != DataKind::bags;
  const Dataset data = finds ? largest_part(all, *settings.member_bags) : all;
  // Who only compares single instances reads the table, and keeps no rows.
  const bool refines = settings.method != Method::boost || settings.boosting.refine != Refine::no;
  // Thirds of a large problem have theirs too, while its nu is sought.
  const bool thirds =
      settings.method == Method::boost && settings.boosting.nu == 0.0 && data.size() >= detail::kFittedBags;
  const bool parts = some || thirds || (*settings.member_bags > 0 && *settings.member_bags < data.size());
  std::int64_t largest = 0;
  for (const std::vector<PlannedView>& views : planned.members) {
    // A member's views share the bound in equal parts, so the largest part counts for all.
    std::int64_t of_view = 0;
    std::int64_t refining = 0;
    for (const PlannedView& v : views) {
      const std::int64_t machine = is_instance_svm(settings.method)
                                       ? instance_svm_bytes(settings.method, instances_in(data, v.view),
                                                            data.size(), v.view.numbers(), some)
                                       : 0;
      // A problem of some of the bags has their columns of the table; candidates that it finds beyond the table double them.
      const std::int64_t copies =
          ((parts ? 1 : 0) + (refines ? 1 : 0)) * Table::rows_bytes(data, v.view, *settings.candidates);
      of_view = std::max(of_view, Table::bytes(data, v.view, *settings.candidates) + copies +
                                      LocalOracle::smallest_memory(data, v.view, refines) + machine);
      if (settings.method == Method::boost) {
        refining =
            std::max(refining, refining_bytes(settings.boosting, data.size(), instances_in(data, v.view)));
      }
    }
    largest = std::max(largest, of_view * std::ssize(views) + refining);
  }
  return largest;
}

/// Of a training in which all examples are weighed at once.
std::int64_t whole_memory(const Dataset& data, const TrainSettings& settings, bool parts) {
  const Plan planned = plan(data, settings);
  // With more than two classes a problem may take only some of the data.
  const std::int64_t member = member_memory(data, planned, parts || data.classes().size() > 2);
  if (planned.settings.head != HeadKind::ridge || data.kind() == DataKind::bags) return member;
  const std::int64_t evidence = detail::evidence_bytes(data, planned.settings);
  return evidence + std::max(member, detail::weighing_bytes(data, planned.settings));
}

/// Members in the order in which they begin. At the end some threads have nothing left to do while others are at their last member:
/// the last ones begin with those that look at the longest windows.
std::vector<std::int64_t> order_of(const std::vector<std::vector<PlannedView>>& members, int threads) {
  constexpr std::int64_t kEach = 4;  // of a thread
  std::vector<std::int64_t> order(members.size());
  std::iota(order.begin(), order.end(), 0);
  const std::int64_t last = std::min(std::ssize(members), kEach * threads);
  std::ranges::stable_sort(order.end() - last, order.end(), std::greater(), [&](std::int64_t k) {
    std::int64_t numbers = 0;
    for (const PlannedView& one : members[at(k)]) numbers += one.view.numbers();
    return numbers;
  });
  return order;
}

/// Members find, as many side by side as memory allows beside what they say of all examples; the head weighs.
TrainingResult train_series_head(const Dataset& data, Plan planned, const Observer& observer) {
  TrainSettings& settings = planned.settings;
  std::vector<detail::FoundPatterns> found(planned.members.size());
  const auto members = std::ssize(planned.members);
  const std::int64_t wanted = detail::wanted_each(settings.patterns, members);
  const int wanted_threads = ThreadPool::wanted(settings.threads);
  settings.memory -= detail::evidence_bytes(data, settings);
  const std::int64_t needed =
      std::max<std::int64_t>(1, member_memory(data, planned, data.classes().size() > 2));
  ThreadPool threads(static_cast<int>(std::clamp<std::int64_t>(settings.memory / needed, 1, wanted_threads)));
  settings.memory /= threads.threads();
  std::mutex one_at_a_time;
  const detail::EvidenceReading reading(data, settings.evidence, settings.class_weights);
  const std::vector<std::int64_t> order = order_of(planned.members, threads.threads());
  threads.run(members, [&](std::int64_t turn) {
    const std::int64_t k = order[at(turn)];
    Observer own = observer;
    if (observer.round) {
      own.round = [&, k](RoundRecord record) {
        record.member = static_cast<int>(k);
        const std::scoped_lock lock(one_at_a_time);
        observer.round(record);
      };
    }
    detail::FoundPatterns& one = found[at(k)];
    const std::vector<PlannedView>& views = planned.members[at(k)];
    try {
      {
        const StopScope scope(observer.interrupted);
        check_stop();
        one = detail::find_patterns(data, views, settings, wanted, stream_seed(settings.seed, at(k)), own,
                                    threads);
      }
      // What takes a few hundredths of a second is finished: then the patterns of one member are enough for a model.
      constexpr double kBrief = 5e8;
      const std::function<bool()> never;
      const bool brief = reading.work(one.views, one.hypotheses) <= kBrief;
      const StopScope scope(brief ? never : observer.interrupted);
      one.evidence = reading.of(one.views, one.hypotheses, threads);
    } catch (const Abandoned&) {
      if (is_abandoned(observer)) throw;
      one = detail::found_nothing(views.front().view);
      one.evidence = reading.of(one.views, one.hypotheses, threads);
    }
  });
  std::optional<ThreadPool> all;  // where memory does not hold as many members
  if (threads.threads() < wanted_threads) all.emplace(settings.threads);
  return detail::weigh(data, std::move(found), settings, observer, all ? *all : threads);
}

/// On a sample, whose patterns all examples then weigh.
TrainingResult train_streamed(const Dataset& data, const TrainSettings& settings, const Observer& observer) {
  const detail::Sample sample = detail::drawn_sample(data, settings);
  TrainingResult result = train_series_head(sample.data, plan(sample.data, sample.settings), observer);
  detail::weigh_all(data, sample, observer, result);
  return result;
}

/// Patterns drawn in fitted views, those of a member after the other; the head weighs them, and beside them the average of
/// boosted members where there is one.
TrainingResult train_bag_head(const Dataset& data, const Plan& planned,
                              const std::vector<std::vector<View>>& views,
                              std::optional<detail::Averaged> averaged, const Observer& observer) {
  const TrainSettings& settings = planned.settings;
  std::vector<detail::FoundPatterns> found(views.size());
  const std::int64_t drawn = std::ssize(planned.members) * settings.views.count;
  // Few patterns are chosen from as many as are drawn by default.
  const std::int64_t wanted = std::max(detail::bag_patterns(data), (settings.patterns + drawn - 1) / drawn);
  ThreadPool threads(settings.threads);
  try {
    const StopScope scope(observer.interrupted);
    threads.run(std::ssize(views), [&](std::int64_t k) {
      found[at(k)] = detail::draw_patterns(data, views[at(k)], wanted, stream_seed(settings.seed, at(k)));
      found[at(k)].stops = {Stop::gap};
    });
  } catch (const Abandoned&) {
    if (is_abandoned(observer)) throw;
    found.clear();
  }
  if (found.empty()) found.push_back(detail::found_nothing(planned.members.front().front().view));
  return detail::weigh(data, std::move(found), settings, observer, threads, std::move(averaged));
}

/// The views of a head that weighs nothing else.
std::vector<std::vector<View>> fitted_views(const Dataset& data, const Plan& planned,
                                            const Observer& observer) {
  std::vector<std::vector<View>> views(planned.members.size());
  ThreadPool threads(planned.settings.threads);
  try {
    const StopScope scope(observer.interrupted);
    threads.run(std::ssize(views), [&](std::int64_t k) {
      Rng rng(stream_seed(planned.settings.seed, at(k)));
      for (const PlannedView& one : planned.members[at(k)]) {
        views[at(k)].push_back(fit_view(one.view, data, planned.settings.standardise, one.sigma_scale, rng));
      }
    });
  } catch (const Abandoned&) {
    if (is_abandoned(observer)) throw;
    views.clear();
  }
  return views;
}

}  // namespace

std::int64_t smallest_memory(const Dataset& data, const TrainSettings& settings, bool parts) {
  if (!detail::is_streamed(data, settings)) return whole_memory(data, settings, parts);
  const detail::Sample sample = detail::drawn_sample(data, settings);
  return std::max(detail::pass_bytes(sample), whole_memory(sample.data, sample.settings, parts));
}

TrainingResult train(const Dataset& data, const TrainSettings& settings, const Observer& observer) {
  return detail::train_with(data, settings, observer, nullptr);
}

namespace {

/// The threshold as training leaves it.
TrainingResult train_scores(const Dataset& data, const TrainSettings& settings, const Observer& observer,
                            TableStore* store) {
  const std::int64_t needed = std::max<std::int64_t>(1, smallest_memory(data, settings));
  if (settings.memory < needed) {
    throw InvalidInput(detail::too_little_memory(needed, settings.memory));
  }
  if (detail::is_streamed(data, settings)) return train_streamed(data, settings, observer);
  const Plan planned = plan(data, settings);
  const TrainSettings& settled = planned.settings;
  if (settled.head == HeadKind::ridge) {
    return data.kind() == DataKind::bags
               ? train_bag_head(data, planned, fitted_views(data, planned, observer), std::nullopt, observer)
               : train_series_head(data, planned, observer);
  }
  detail::Assembly assembly(data, settled);
  std::vector<Problem> problems;
  const std::vector<Part> parts = parts_for(static_cast<int>(data.classes().size()), *settled.strategy);
  for (const Part& part : parts) problems.push_back(detail::problem_of(data, part, settled.class_weights));
  note_nu(problems, settled, assembly.notes());

  // Every member is a task, and every problem of it: they run side by side as far as memory allows, and the result
  // does not depend on their order.
  const auto parts_each = std::ssize(problems);
  const std::int64_t tasks = parts_each * std::ssize(planned.members);
  const int wanted = ThreadPool::wanted(settled.threads);
  const auto side_by_side = static_cast<int>(
      tasks > 1 ? std::clamp<std::int64_t>(settings.memory / needed, 1, wanted) : std::int64_t{1});
  ThreadPool threads(tasks > 1 ? side_by_side : wanted);
  std::mutex one_at_a_time;
  std::vector<Member> members(planned.members.size());
  std::vector<Trained> trained(at(tasks));
  threads.run(std::ssize(members), [&](std::int64_t k) {
    Member& member = members[at(k)];
    const std::uint64_t seed = stream_seed(settled.seed, at(k));
    try {
      const StopScope scope(observer.interrupted);
      check_stop();
      member = made_member(data, planned.members[at(k)], settled, seed, store, threads);
    } catch (const Abandoned&) {
      if (is_abandoned(observer)) throw;
      member = unmade_member(planned.members[at(k)]);
    }
    threads.run(parts_each, [&](std::int64_t p) {
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
      const Problem part = detail::drawn(problem, *settled.member_bags, seed);
      Trained& one = trained[at(k * parts_each + p)];
      one = member.tables.empty() ? nothing(problem, settled)
                                  : train_problem(member.tables, problem, part, settled,
                                                  settings.memory / side_by_side, threads, own);
      one.bags = part.bags;
    });
    member.tables.clear();
  });

  if (std::ranges::any_of(trained, [](const Trained& one) { return !one.boosted.exact; })) {
    assembly.notes().emplace_back(
        "libsvm gave up before the optimum of a support vector machine, after ten million steps: a smaller "
        "--C or "
        "--standardise may let it end");
  }
  std::vector<detail::FittedNu> fitted;
  for (const Trained& one : trained) fitted.push_back(one.fitted);
  if (std::string text = detail::nu_text(fitted); !text.empty()) assembly.notes().push_back(std::move(text));
  for (const Member& member : members) assembly.add_views(member.views, member.facts);
  for (std::size_t p = 0; p < problems.size(); ++p) {
    std::vector<Trained*> of_member;
    for (std::size_t k = 0; k < members.size(); ++k) of_member.push_back(&trained[k * problems.size() + p]);
    assembly.add_part(p, of_member, problems[p]);
  }
  if (settled.head != HeadKind::both) return assembly.finish();
  std::vector<std::vector<View>> views;
  for (const Member& member : members) views.push_back(member.views);
  Eigen::MatrixXd left_out = assembly.left_out();
  return train_bag_head(data, planned, views, detail::Averaged{assembly.finish(), std::move(left_out)},
                        observer);
}

}  // namespace

TrainingResult detail::train_with(const Dataset& data, const TrainSettings& settings,
                                  const Observer& observer, TableStore* store) {
  const StopScope scope(observer.abandoned);
  if (const std::string fault = validate(settings); !fault.empty()) throw InvalidInput(fault);
  check_training_data(data);
  // Looks at all numbers, which do not wait until time has run out: where there are many, by all threads.
  constexpr std::int64_t kMany = 4'000'000;
  std::int64_t numbers = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) numbers += data.numbers(i);
  std::optional<ThreadPool> looking(std::in_place, numbers > kMany ? settings.threads : 1);
  if (const std::optional<Distinct> examples = distinct(data, *looking)) {
    looking.reset();
    TrainingResult result = train_with(examples->data, settings, observer, store);
    tell_of_given(*examples, result);
    return result;
  }
  std::string note = outlier_note(data, *looking);
  looking.reset();
  TrainingResult result = train_scores(data, settings, observer, store);
  if (!note.empty()) {
    result.notes.insert(result.notes.begin(), std::move(note));  // what comes after may follow from it
  }
  settle_decision(data, settings, observer, result);
  return result;
}

}  // namespace shapeboost
