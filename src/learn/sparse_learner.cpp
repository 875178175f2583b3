// SPDX-License-Identifier: MIT
// OP 2's convex problem over ||alpha||_1 <= 1, by a linear program whose rows and columns are generated.
//
// F(alpha) = sum_r d_r max_{x in B_r} K_x'alpha is convex, and every trial alpha_t gives a cutting plane
// below it: F(alpha) >= a_t'alpha with a_t(z) = sum_r d_r K(x_r^t, z), x_r^t the maximisers at alpha_t. The
// same holds for every part F_g of the sum. The negative bags are divided into groups g, and a trial gives a
// row for each:
//
//     min  sum_g tau_g - c'alpha    s.t.  tau_g >= a_gt'alpha  (t = 1, 2, ...),   ||alpha||_1 <= 1,
//
// c(z) = sum_k d_k K(x_k*, z). One group for all bags has the smallest program, but where many alphas matter
// it takes hundreds of trials; one for each bag takes the fewest trials, but its rows grow with m. The
// columns are generated too: with multipliers mu_gt of the cutting planes (sum_t mu_gt = 1) and lambda of the
// norm, z improves the program iff |sum_gt mu_gt a_gt(z) - c(z)| > lambda. That score is a field of the
// oracle, and -max_z |score(z)| is a lower bound on the optimum, which gives the duality gap.
//
// From one DC step to the next only c changes, that is, the cost: cutting planes and columns stay.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "ground/timer.hpp"
#include "learn/weak_learner.hpp"
#include "solve/dense_lp.hpp"

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
  WeightedBags bags;
  int tau = 0;
};

/// Most groups.
constexpr std::size_t kGroups = 32;

/// Rows times columns at which a program of so many bags has grown enough: cutting planes and candidates are never dropped.
std::int64_t most_entries(std::int64_t bags, const WeakLearnerSettings& settings) {
  constexpr std::int64_t kEach = 1000;
  constexpr std::int64_t kFewest = 100'000;
  return std::min(settings.entries, std::max(kFewest, kEach * bags));
}

class SparseProblem final : public ConvexProblem {
 public:
  SparseProblem(Oracle& oracle, const Vector& dy, int sign, const Start& start, bool full,
                const WeakLearnerSettings& settings)
      : oracle_(&oracle), full_(full), settings_(settings), sides_(two_sides(oracle, dy, sign)) {
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
    while (settings_.may_try(best.trials)) {
      ++best.trials;
      const LpSolution solution = timed_solve(best.solver_seconds);
      if (solution.status != Status::solved) return best;
      std::vector<Term> alpha = terms(solution.x);
      const Response response = oracle_->respond(alpha);
      const double value = objective(response, solution.x);
      if (value < best.optimum) {
        best.optimum = value;
        best.terms = std::move(alpha);
        best.response = response;
      }
      const double tolerance = goal.allowed(best.optimum);
      const std::size_t cuts_before = cuts_.size();
      if (value > solution.objective + 0.5 * tolerance)
        add_cuts(response, solution.x, value - solution.objective);
      bool grown = cuts_.size() > cuts_before;
      // A candidate's price is only worth asking for near the bottom of the cutting planes we have.
      if (value <= solution.objective + 4.0 * tolerance) {
        const Handle candidate = price(weights(solution.row_dual, cuts_before), goal, best);
        if (best.status == Status::solved) return best;
        if (!known_.contains(candidate)) {
          add_candidate(candidate);
          grown = true;
        }
      }
      if (!grown) return best.ended(Status::solved);  // what remains of the gap is rounding
      if (std::int64_t{lp_.rows()} * lp_.columns() > most_entries(oracle_->bags(), settings_)) break;
    }
    return best.ended(Status::iteration_limit);
  }

 private:
  struct Column {
    Handle z;
    int plus;
    int minus;
    double c = 0.0;  // in units
  };

  /// The candidate with the largest price under p, from which the duality gap follows. Where that is small
  /// enough, `best` is solved.
  Handle price(const std::vector<Term>& p, const Goal& goal, ConvexSolution& best) {
    Priced priced = oracle_->price(p);
    const auto ends = [&] {
      return best.optimum + std::abs(priced.score) <= goal.allowed(best.optimum) ||
             std::abs(priced.score) <= goal.target;
    };
    if (full_ && oracle_->partial()) {
      // Every instance is asked before the pool is believed.
      if (!known_.contains(priced.z) && !ends()) return priced.z;
      priced = oracle_->price_all(p);
    }
    best.duality_gap = std::min(best.duality_gap, best.optimum + std::abs(priced.score));
    if (ends()) best.status = Status::solved;
    return priced.z;
  }

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
  void look_at_size(Handle z, std::span<const Handle> x) {
    for (const double similarity : similarities(z, x)) {
      while (std::abs(similarity) > unit_ && std::isfinite(similarity)) unit_ *= 2.0;
    }
  }

  /// sum_i d_i K(z, x_i), in units.
  double weighted(Handle z, std::span<const Handle> x, const std::vector<double>& d) {
    const std::vector<double>& k = similarities(z, x);
    return std::inner_product(k.begin(), k.end(), d.begin(), 0.0) / unit_;
  }

  const std::vector<double>& similarities(Handle z, std::span<const Handle> x) {
    buffer_.resize(x.size());
    oracle_->similarities(z, x, buffer_.data());
    return buffer_;
  }

  void add_candidate(Handle z) {
    Column column{z, 0, 0};
    column.c = weighted(z, linearised_, sides_.positive.d);
    Vector entries(lp_.rows());
    for (const Cut& cut : cuts_) entries[cut.row] = weighted(z, cut.x, groups_[cut.group].bags.d);
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
    const auto& [bags, d] = sides_.negative;
    const std::size_t count = std::min(kGroups, bags.size());
    for (std::size_t g = 0; g < count; ++g) {
      Group group;
      const std::size_t end = (g + 1) * bags.size() / count;
      for (std::size_t r = g * bags.size() / count; r < end; ++r) group.bags.add(bags[r], d[r]);
      group.tau = lp_.add_column(1.0, Vector(), true);
      groups_.push_back(std::move(group));
    }
  }

  /// A cutting plane for each group that lies below its part of F by a fair share of all that is missing.
  void add_cuts(const Response& response, const Vector& x, double missing) {
    const double share = 0.25 * missing / static_cast<double>(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].bags.sum(response) > x[groups_[g].tau] + share) add_cut(g, response);
    }
  }

  void add_cut(std::size_t g, const Response& response) {
    const Group& group = groups_[g];
    Cut cut{g, {}, 0};
    for (const std::size_t r : group.bags.bag) cut.x.push_back(response.argmax[r]);
    Vector entries = Vector::Zero(lp_.columns());
    entries[group.tau] = -1.0;
    for (const Column& column : columns_) {
      entries[column.plus] = weighted(column.z, cut.x, group.bags.d);
      entries[column.minus] = -entries[column.plus];
    }
    cut.row = lp_.add_row(0.0, entries);
    cuts_.push_back(std::move(cut));
  }

  void linearise(std::span<const Handle> maximisers) {
    linearised_.clear();
    for (const std::size_t k : sides_.positive.bag) linearised_.push_back(maximisers[k]);
    for (Column& column : columns_) {
      column.c = weighted(column.z, linearised_, sides_.positive.d);
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
    double value = sides_.negative.sum(response);
    for (const Column& column : columns_) value -= unit_ * column.c * (x[column.plus] - x[column.minus]);
    return value;
  }

  /// The weights whose field is sum_t mu_t a_t - c. Only the first `priced` cutting planes have multipliers.
  std::vector<Term> weights(const Vector& row_dual, std::size_t priced) const {
    TermSum p;
    for (std::size_t t = 0; t < priced; ++t) {
      const double mu = -row_dual[cuts_[t].row];
      if (mu <= 1e-12) continue;
      const std::vector<double>& d = groups_[cuts_[t].group].bags.d;
      for (std::size_t r = 0; r < d.size(); ++r) p.add(cuts_[t].x[r], mu * d[r]);
    }
    for (std::size_t k = 0; k < linearised_.size(); ++k) p.add(linearised_[k], -sides_.positive.d[k]);
    return std::move(p).terms();
  }

  Oracle* oracle_;
  bool full_;
  WeakLearnerSettings settings_;
  TwoSides sides_;
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

std::int64_t SparseLearner::bytes(std::int64_t bags) { return DenseLp::bytes(most_entries(bags, {})); }

std::unique_ptr<ConvexProblem> SparseLearner::convex_problem(Oracle& oracle, const Vector& dy, int sign,
                                                             const Start& start, bool full) const {
  return std::make_unique<SparseProblem>(oracle, dy, sign, start, full, settings_);
}

}  // namespace shapeboost
