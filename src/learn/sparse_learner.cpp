// SPDX-License-Identifier: MIT
// OP 2's convex problem over ||alpha||_1 <= 1, by a linear program whose rows and columns are generated.
//
// F(alpha) = sum_r d_r max_{x in B_r} K_x'alpha is convex, and every trial alpha_t gives a cutting plane below it:
// F(alpha) >= a_t'alpha with a_t(z) = sum_r d_r K(x_r^t, z), x_r^t the maximisers at alpha_t. So it is for
// every part F_g of the sum. The negative bags are divided into groups g, and a trial gives a row for each:
//
//     min  sum_g tau_g - c'alpha    s.t.  tau_g >= a_gt'alpha  (t = 1, 2, ...),   ||alpha||_1 <= 1,
//
// c(z) = sum_k d_k K(x_k*, z). One group for all bags has the smallest program, but where many alphas matter
// it takes hundreds of trials; one for each bag takes the fewest trials, but its rows grow with m. The
// alpha's are generated too: with multipliers mu_gt of the cutting planes (sum_t mu_gt = 1) and lambda of the norm, z
// improves the program iff |sum_gt mu_gt a_gt(z) - c(z)| > lambda. That score is a field of the oracle, and
// -max_z |score(z)| is a lower bound on the optimum: the gap.
//
// From one DC step to the next only c changes, that is, the cost: cutting planes and columns stay.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "ground/numbers.hpp"
#include "ground/timer.hpp"
#include "learn/weak_learner.hpp"
#include "model/respond.hpp"
#include "solve/dense_lp.hpp"
#include "solve/status.hpp"

namespace shapeboost {
namespace {

/// Below sum_{r in group} d_r max_{x in B_r} K_x'alpha.
struct Cut {
  std::size_t group;
  std::vector<Handle> x;  // maximiser of each bag of the group
  int row;
};

/// Negative bags that share cutting planes.
struct Group {
  std::vector<std::size_t> bags;
  std::vector<double> d;
  int tau = 0;
};

/// Most groups.
constexpr std::size_t kGroups = 32;

class SparseProblem final : public ConvexProblem {
 public:
  SparseProblem(Oracle& oracle, const Vector& dy, int sign, const Start& start, bool full,
                const WeakLearnerSettings& settings)
      : oracle_(&oracle), full_(full), settings_(settings) {
    for (Eigen::Index i = 0; i < dy.size(); ++i) {
      if (!oracle.has_instances(i)) continue;
      const double weight = sign * dy[i];
      if (weight > 0.0) {
        positive_.push_back(static_cast<std::size_t>(i));
        d_positive_.push_back(weight);
      } else if (weight < 0.0) {
        negative_.push_back(static_cast<std::size_t>(i));
        d_negative_.push_back(-weight);
      }
    }
    divide();
    for (const Term& term : start.terms) look_at_size(term.z, start.response.argmax);
    norm_row_ = lp_.add_row(1.0, Vector::Zero(lp_.columns()));
    for (const Term& term : start.terms) add_candidate(term.z);
    for (std::size_t g = 0; g < groups_.size(); ++g) add_cut(g, start.response);
  }

  [[nodiscard]] ConvexSolution solve(std::span<const Handle> maximisers, const Goal& goal) override {
    linearise(maximisers);
    ConvexSolution best;
    best.optimum = kInfinity;
    best.duality_gap = kInfinity;
    while (best.trials < settings_.max_trials && !(settings_.interrupted && settings_.interrupted())) {
      ++best.trials;
      const LpSolution solution = timed_solve(best.solver_seconds);
      if (solution.status != Status::solved) return best;
      const std::vector<Term> alpha = terms(solution.x);
      const Response response = oracle_->respond(alpha);
      const double value = objective(response, solution.x);
      if (value < best.optimum) {
        best.optimum = value;
        best.terms = alpha;
        best.response = response;
      }
      const double tolerance = goal.allowed(best.optimum);
      const std::size_t cuts_before = cuts_.size();
      if (value > solution.objective + 0.5 * tolerance)
        add_cuts(response, solution.x, value - solution.objective);
      const bool cut = cuts_.size() > cuts_before;
      // A candidate's price is only worth asking for near the bottom of the cutting planes we have.
      bool candidate = false;
      if (value <= solution.objective + 4.0 * tolerance) {
        const std::vector<Term> p = weights(solution.row_dual, cuts_before);
        Priced priced = oracle_->price(p);
        const auto ends = [&] {
          return best.optimum + std::abs(priced.score) <= tolerance || std::abs(priced.score) <= goal.target;
        };
        bool final = !full_ || !oracle_->partial();
        if (!final &&
            (known_.contains(priced.z) || ends())) {  // ask every instance before believing the pool
          priced = oracle_->price_all(p);
          final = true;
        }
        if (final) best.duality_gap = std::min(best.duality_gap, best.optimum + std::abs(priced.score));
        if (final && ends()) {
          best.status = Status::solved;
          return best;
        }
        candidate = !known_.contains(priced.z);
        if (candidate) add_candidate(priced.z);
      }
      if (!cut && !candidate) {  // nothing left to add: what remains of the gap is rounding
        best.status = Status::solved;
        return best;
      }
    }
    best.status = Status::iteration_limit;
    return best;
  }

 private:
  struct Column {
    Handle z;
    int plus;
    int minus;
    double c = 0.0;  // in units
  };

  /// The program's answer, out of its units.
  LpSolution timed_solve(double& seconds) {
    const ScopedTimer timer(seconds);
    LpSolution solution = lp_.solve();
    if (solution.status != Status::solved) return solution;
    solution.objective *= unit_;
    for (const Group& group : groups_) solution.x[group.tau] *= unit_;
    return solution;
  }

  /// The program is in units of the kernel's size, so that its tolerances mean the same for every kernel: a
  /// power of 2, which rounds nothing, and 1 for all that are bounded by 1.
  void look_at_size(Handle z, std::span<const Handle> at) {
    buffer_.resize(at.size());
    oracle_->similarities(z, at, buffer_.data());
    for (const double similarity : buffer_) {
      while (std::abs(similarity) > unit_ && std::isfinite(similarity)) unit_ *= 2.0;
    }
  }

  /// sum_i weights_i K(z, x_i), in units.
  double weighted(Handle z, std::span<const Handle> at, const std::vector<double>& weights) {
    buffer_.resize(at.size());
    oracle_->similarities(z, at, buffer_.data());
    double sum = 0.0;
    for (std::size_t i = 0; i < at.size(); ++i) sum += weights[i] * buffer_[i];
    return sum / unit_;
  }

  void add_candidate(Handle z) {
    Column column{z, 0, 0};
    column.c = weighted(z, linearised_, d_positive_);
    Vector entries(lp_.rows());
    for (const Cut& cut : cuts_) entries[cut.row] = weighted(z, cut.x, groups_[cut.group].d);
    entries[norm_row_] = 1.0;
    column.plus = lp_.add_column(-column.c, entries);
    entries = -entries;
    entries[norm_row_] = 1.0;
    column.minus = lp_.add_column(column.c, entries);
    known_.insert(z);
    columns_.push_back(column);
  }

  /// Negative bags side by side in groups of one size.
  void divide() {
    const std::size_t count = std::min(kGroups, negative_.size());
    for (std::size_t g = 0; g < count; ++g) {
      Group group;
      for (std::size_t r = g * negative_.size() / count; r < (g + 1) * negative_.size() / count; ++r) {
        group.bags.push_back(negative_[r]);
        group.d.push_back(d_negative_[r]);
      }
      group.tau = lp_.add_column(1.0, Vector(), true);
      groups_.push_back(std::move(group));
    }
  }

  /// A cutting plane for each group that lies below its part of F by a fair share of all that is missing.
  void add_cuts(const Response& response, const Vector& x, double missing) {
    const double share = 0.25 * missing / static_cast<double>(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      double value = 0.0;
      for (std::size_t r = 0; r < group.bags.size(); ++r) value += group.d[r] * response.value[group.bags[r]];
      if (value > x[group.tau] + share) add_cut(g, response);
    }
  }

  void add_cut(std::size_t g, const Response& response) {
    const Group& group = groups_[g];
    Cut cut{g, {}, 0};
    for (const std::size_t r : group.bags) cut.x.push_back(response.argmax[r]);
    Vector entries = Vector::Zero(lp_.columns());
    entries[group.tau] = -1.0;
    for (const Column& column : columns_) {
      entries[column.plus] = weighted(column.z, cut.x, group.d);
      entries[column.minus] = -entries[column.plus];
    }
    cut.row = lp_.add_row(0.0, entries);
    cuts_.push_back(std::move(cut));
  }

  void linearise(std::span<const Handle> maximisers) {
    linearised_.clear();
    for (const std::size_t k : positive_) linearised_.push_back(maximisers[k]);
    for (Column& column : columns_) {
      column.c = weighted(column.z, linearised_, d_positive_);
      lp_.set_cost(column.plus, -column.c);
      lp_.set_cost(column.minus, column.c);
    }
  }

  std::vector<Term> terms(const Vector& x) const {
    std::vector<Term> result;
    for (const Column& column : columns_) {
      const double alpha = x[column.plus] - x[column.minus];
      if (std::abs(alpha) > 1e-12) result.push_back({column.z, alpha});
    }
    if (result.empty()) result.push_back({columns_.front().z, 0.0});
    return result;
  }

  /// f(alpha) = F(alpha) - c'alpha.
  double objective(const Response& response, const Vector& x) const {
    double value = 0.0;
    for (std::size_t r = 0; r < negative_.size(); ++r) value += d_negative_[r] * response.value[negative_[r]];
    for (const Column& column : columns_) value -= unit_ * column.c * (x[column.plus] - x[column.minus]);
    return value;
  }

  /// The weights whose field is sum_t mu_t a_t - c. Only the first `priced` cutting planes have multipliers.
  std::vector<Term> weights(const Vector& row_dual, std::size_t priced) const {
    std::unordered_map<Handle, double> weight;
    std::vector<Handle> order;
    const auto add = [&](Handle x, double w) {
      if (weight.emplace(x, 0.0).second) order.push_back(x);
      weight[x] += w;
    };
    for (std::size_t t = 0; t < priced; ++t) {
      const double mu = -row_dual[cuts_[t].row];
      if (mu <= 1e-12) continue;
      const Group& group = groups_[cuts_[t].group];
      for (std::size_t r = 0; r < group.d.size(); ++r) add(cuts_[t].x[r], mu * group.d[r]);
    }
    for (std::size_t k = 0; k < positive_.size(); ++k) add(linearised_[k], -d_positive_[k]);
    std::vector<Term> p;
    p.reserve(order.size());
    for (const Handle x : order) p.push_back({x, weight[x]});
    return p;
  }

  Oracle* oracle_;
  bool full_;
  WeakLearnerSettings settings_;
  std::vector<std::size_t> positive_;
  std::vector<std::size_t> negative_;
  std::vector<double> d_positive_;
  std::vector<double> d_negative_;
  DenseLp lp_;
  std::vector<Group> groups_;
  int norm_row_ = 0;
  double unit_ = 1.0;
  std::vector<Column> columns_;
  std::unordered_set<Handle> known_;
  std::vector<Cut> cuts_;
  std::vector<Handle> linearised_;
  std::vector<double> buffer_;
};

}  // namespace

std::unique_ptr<ConvexProblem> SparseLearner::convex_problem(Oracle& oracle, const Vector& dy, int sign,
                                                             const Start& start, bool full) const {
  return std::make_unique<SparseProblem>(oracle, dy, sign, start, full, settings());
}

}  // namespace shapeboost
