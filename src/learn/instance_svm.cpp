// SPDX-License-Identifier: MIT
// mi-SVM and MI-SVM: training and choosing in turn. What is chosen (labels, or one instance a bag) decides
// the training and the training the next choice, so a choice that comes twice comes for ever.
#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"
#include "ground/text.hpp"
#include "ground/timer.hpp"
#include "learn/baselines.hpp"
#include "learn/libsvm.hpp"

namespace shapeboost {
namespace {

using Choice = std::vector<std::int64_t>;

/// Cost of one side: the mean of its bags'. Exactly C where all weigh the same.
double cost_of(const Sides& sides, double C, double side) {
  if (sides.v.size() == 0) return C;
  const Eigen::ArrayXd members = (sides.y.array() * side > 0.0).cast<double>();
  return C * ((members * sides.v.array()).sum() / (members.sum() * sides.v.mean()));
}

/// What both methods share: the vectors, and scores of the instances of positive bags.
class InstanceSvm {
 public:
  InstanceSvm(AllInstances& all, const Sides& sides, const Baseline& asked, ThreadPool& threads)
      : instances_(all.instances()),
        threads_(threads),
        solver_(instances_.view().kernel, cost_of(sides, asked.settings.C, +1.0),
                cost_of(sides, asked.settings.C, -1.0), asked.memory),
        handles_(all.handles()) {
    for (Eigen::Index k = 0; k < sides.y.size(); ++k) {
      const bool positive = sides.y[k] > 0.0;
      for (std::int64_t i = all.begin(k); i < all.begin(k + 1); ++i) {
        (positive ? members_ : negative_).push_back(solver_.add(instances_.probe(handles_[at(i)]).values));
      }
      const std::int64_t count = all.begin(k + 1) - all.begin(k);
      if (positive && count > 0) positive_.push_back({all.begin(k), count});
    }
  }
  virtual ~InstanceSvm() = default;
  InstanceSvm(const InstanceSvm&) = delete;
  InstanceSvm& operator=(const InstanceSvm&) = delete;

  [[nodiscard]] bool has_both_sides() const { return !positive_.empty() && !negative_.empty(); }
  [[nodiscard]] std::vector<Term> terms(const Svm& svm) const {
    std::vector<Term> terms;
    for (std::size_t k = 0; k < svm.support.size(); ++k) {
      terms.push_back({handles_[at(svm.support[k])], svm.alpha[k]});
    }
    return terms;
  }

  [[nodiscard]] virtual Choice start() = 0;
  [[nodiscard]] virtual Svm train(const Choice& choice) = 0;
  [[nodiscard]] Choice choose(const Svm& svm) const {
    Choice choice;
    const Vector f = solver_.scores(svm, members_, threads_);
    const double* score = f.data();
    for (const Bag& bag : positive_) {
      choose(bag, {score, at(bag.count)}, choice);
      score += bag.count;
    }
    return choice;
  }

 protected:
  struct Bag {
    std::int64_t begin;  // number of its first vector
    std::int64_t count;
  };

  /// A positive bag's part of the choice, from the scores of its instances.
  virtual void choose(const Bag& bag, std::span<const double> scores, Choice& choice) const = 0;

  const Instances& instances_;
  ThreadPool& threads_;
  Libsvm solver_;
  std::vector<Handle> handles_;  // of each vector
  std::vector<Bag> positive_;
  std::vector<std::int64_t> members_;   // vectors of positive bags
  std::vector<std::int64_t> negative_;  // and of negative ones
};

/// A choice is a label, +1 or -1, for each instance of the positive bags.
class Imputed final : public InstanceSvm {
 public:
  using InstanceSvm::InstanceSvm;

  Choice start() override { return Choice(members_.size(), +1); }

  [[nodiscard]] Svm train(const Choice& choice) override {
    std::vector<std::int64_t> vectors(handles_.size());
    std::iota(vectors.begin(), vectors.end(), 0);
    std::vector<int> y(handles_.size(), -1);
    for (std::size_t k = 0; k < choice.size(); ++k) y[at(members_[k])] = static_cast<int>(choice[k]);
    return solver_.train(vectors, y);
  }

 private:
  void choose(const Bag& /*bag*/, std::span<const double> scores, Choice& labels) const override {
    const double* const best = &*std::ranges::max_element(scores);
    for (const double& score : scores) labels.push_back(score > 0.0 || &score == best ? +1 : -1);
  }
};

/// A choice is an instance of each positive bag, by its vector. The first is made by a machine that knows
/// the bags by their means.
class Selected final : public InstanceSvm {
 public:
  using InstanceSvm::InstanceSvm;

  Choice start() override {
    Choice means;
    for (const Bag& bag : positive_) {
      Vector mean = Vector::Zero(instances_.view().numbers());
      for (std::int64_t j = 0; j < bag.count; ++j) {
        mean += instances_.probe(handles_[at(bag.begin + j)]).values;
      }
      means.push_back(solver_.add(mean / static_cast<double>(bag.count)));
    }
    return InstanceSvm::choose(train(means));
  }

  [[nodiscard]] Svm train(const Choice& choice) override {
    std::vector<std::int64_t> vectors(choice);
    std::vector<int> y(choice.size(), +1);
    vectors.insert(vectors.end(), negative_.begin(), negative_.end());
    y.resize(vectors.size(), -1);
    return solver_.train(vectors, y);
  }

 private:
  void choose(const Bag& bag, std::span<const double> scores, Choice& choice) const override {
    choice.push_back(bag.begin + (std::ranges::max_element(scores) - scores.begin()));
  }
};

/// nu, rho and gamma of scores that were made for a margin of 1.
void measure_margin(const Sides& sides, Learned& result) {
  const Vector v = sides.v.size() > 0 ? sides.v : Vector(Vector::Ones(sides.y.size()));
  const Vector margins = sides.y.cwiseProduct(result.g);
  double weight = 0.0;
  double sum = 0.0;
  for (Eigen::Index i = 0; i < margins.size(); ++i) {
    if (margins[i] >= 1.0) continue;
    weight += v[i];
    sum += v[i] * margins[i];
  }
  // cap_i = v_i / (nu V) sums to 1 over the bags that fall short: what they cost is their mean shortfall.
  result.rho = weight > 0.0 ? 1.0 : margins.minCoeff();
  result.gamma = weight > 0.0 ? sum / weight : result.rho;
  result.nu = std::min(1.0, (weight > 0.0 ? weight : v.minCoeff()) / v.sum());
}

std::unique_ptr<InstanceSvm> make_machine(AllInstances& all, const Sides& sides, const Baseline& asked,
                                          ThreadPool& threads) {
  if (asked.method == Method::mi_svm) return std::make_unique<Imputed>(all, sides, asked, threads);
  return std::make_unique<Selected>(all, sides, asked, threads);
}

double changed_share(const Choice& before, const Choice& after) {
  const double changed =
      std::inner_product(before.begin(), before.end(), after.begin(), 0.0, std::plus(), std::not_equal_to());
  return changed / static_cast<double>(before.size());
}

}  // namespace

Learned instance_svm(Oracle& oracle, AllInstances& all, const Sides& sides, const Baseline& asked,
                     ThreadPool& threads, const Observer& observer) {
  std::unique_ptr<InstanceSvm> machine = make_machine(all, sides, asked, threads);
  Learned result;
  if (!machine->has_both_sides()) {
    result.learn_nothing(sides.y);
    return result;
  }
  Choice choice = machine->start();
  std::set<Choice> seen;
  Svm svm;
  while (true) {
    seen.insert(choice);
    RoundRecord record = result.next_round();
    {
      const ScopedTimer timer(record.master_seconds);
      try {
        const StopScope scope(observer.interrupted);
        svm = machine->train(choice);
      } catch (const Abandoned&) {
        if (is_abandoned(observer)) throw;
        result.stop = Stop::interrupted;
        break;
      }
      result.exact = result.exact && svm.exact;
    }
    Choice next;
    {
      const ScopedTimer timer(record.oracle_seconds);
      next = machine->choose(svm);
    }
    record.gap = changed_share(choice, next);
    record.columns = static_cast<int>(svm.support.size());
    result.keep(record, observer);
    if (next == choice) {
      result.stop = Stop::gap;
    } else if (seen.contains(next)) {
      result.stop = Stop::stalled;
    } else if (record.round >= asked.settings.max_rounds) {
      result.stop = Stop::rounds;
    } else if (is_interrupted(observer)) {
      result.stop = Stop::interrupted;
    } else {
      choice = std::move(next);
      continue;
    }
    break;
  }
  const std::vector<Term> terms = machine->terms(svm);
  if (terms.empty()) {
    result.learn_nothing(sides.y);
    return result;
  }
  machine.reset();  // what follows needs the memory
  const Response response = oracle.respond(terms);
  result.b = svm.b;
  result.g = mapped(response).array() + svm.b;
  result.hypotheses.push_back({0, +1, terms, 1.0});
  measure_margin(sides, result);
  return result;
}

std::string instance_svm_obstacle(Method method, const View& view) {
  const std::string name = "method: " + std::string(to_string(method));
  if (!libsvm_knows(view.kernel)) {
    return name + " compares by linear, polynomial or gaussian kernels, found " +
           std::string(to_string(view.kernel.kind()));
  }
  if (view.scaling != Scaling::plain || view.aspect != Aspect::whole) {
    return name + " takes instances plain and whole, found scaling " + std::string(to_string(view.scaling)) +
           ", aspect " + std::string(to_string(view.aspect));
  }
  if (view.tau != 0.0) return name + " knows no position term, found tau " + detail::number(view.tau);
  return "";
}

std::int64_t instance_svm_bytes(Method method, std::int64_t instances, std::int64_t bags,
                                std::int64_t numbers, bool parts) {
  // MI-SVM begins with the means of bags.
  return libsvm_bytes(instances + (method == Method::MI_svm ? bags : 0), numbers, parts);
}

}  // namespace shapeboost
