// SPDX-License-Identifier: MIT
// The 1-norm SVM by column generation:
//
//     min  sum_j w_j + sum_i C_i xi_i   s.t.   y_i (sum_j w_j h_j(B_i) + b) + xi_i >= 1,   w, xi >= 0.
//
// d_i >= 0 is the multiplier of row i: d_i <= C_i, sum_i y_i d_i = 0 where there is a b, and the optimum is
// S = sum_i d_i. A column not yet there helps where its edge sum_i d_i y_i h(B_i) exceeds 1. With e the
// largest edge of all candidates, d / max(1, e) is feasible for the dual of the whole program:
//
//     S / max(1, e) <= optimum <= S.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <tuple>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"
#include "ground/timer.hpp"
#include "learn/baselines.hpp"
#include "solve/lp.hpp"

namespace shapeboost {
namespace {

/// An edge exceeds 1 where it does so by more than this. Tables of floats are exact to about a tenth of it.
constexpr double kEdge = 1e-6;
/// Columns taken at once for each view and sign.
constexpr int kAtOnce = 8;

/// C_i = C v_i / mean v of each bag.
Vector costs(const Sides& sides, double C) {
  if (sides.v.size() == 0) return Vector::Constant(sides.y.size(), C);
  return C / sides.v.mean() * sides.v;
}

class OneNorm {
 public:
  OneNorm(const Oracles& oracles, const Sides& sides, const BaselineSettings& settings,
          const Observer& observer)
      : oracles_(oracles), sides_(sides), settings_(settings), observer_(observer) {
    const Vector cost = costs(sides, settings.C);
    for (const double c : cost) {
      const int xi = program_.add_column(c, 0.0, kInfinity);
      program_.add_row(1.0, kInfinity, {{xi, 1.0}});
    }
    if (settings.offset) offset_ = program_.add_column(0.0, -kInfinity, kInfinity, entries(sides.y));
  }

  Learned run() {
    while (true) {
      RoundRecord record = result_.next_round();
      if (!solve(record)) return finish(Stop::interrupted);
      std::vector<Column> better;
      {
        const ScopedTimer timer(record.oracle_seconds);
        better = price(record.edge);
      }
      record.gamma = 1.0 / solution_.objective;
      record.gap = std::max(0.0, record.edge - 1.0);
      record.edge *= record.gamma;
      record.columns = static_cast<int>(columns_.size());
      result_.keep(record, observer_);
      if (better.empty()) return finish(Stop::gap);
      if (record.round >= settings_.max_rounds) return finish(Stop::rounds);
      if (is_interrupted(observer_)) return finish(Stop::interrupted);
      for (Column& column : better) add(std::move(column));
    }
  }

 private:
  struct Column {
    int view;
    Handle z;
    int sign;
    Vector h{};     // sign max_x K(z, x) of each bag
    int place = 0;  // in the program

    [[nodiscard]] auto key() const { return std::tuple(view, z, sign); }
  };

  /// One for each row.
  static std::vector<LpEntry> entries(const Vector& values) {
    std::vector<LpEntry> result;
    for (const double value : values) result.push_back({static_cast<int>(result.size()), value});
    return result;
  }

  /// False where time ran out, which the first program, without any column, does not ask.
  bool solve(RoundRecord& record) {
    const ScopedTimer timer(record.master_seconds);
    try {
      const std::function<bool()> never;
      const StopScope scope(columns_.empty() ? never : observer_.interrupted);
      solution_ = program_.solve();
    } catch (const Abandoned&) {
      if (is_abandoned(observer_)) throw;
      return false;
    }
    if (solution_.status != Status::solved) {
      throw Error("the 1-norm SVM's linear program: " + std::string(to_string(solution_.status)));
    }
    result_.duality_gap = solution_.duality_gap * std::max(1.0, std::abs(solution_.objective));
    return true;
  }

  /// Columns whose edge exceeds 1; `best` is the largest edge there is.
  std::vector<Column> price(double& best) {
    const Vector dy = solution_.row_dual.cwiseProduct(sides_.y);
    std::vector<Column> better;
    best = 0.0;
    for (std::size_t v = 0; v < oracles_.size(); ++v) {
      for (const Single& single : oracles_[v]->best_singles(dy, settings_.one_sided ? 1 : 2, kAtOnce)) {
        if (single.alpha < 0.0) continue;  // -min K(z, x) is no feature of this machine
        best = std::max(best, single.edge);
        if (single.edge <= 1.0 + kEdge) continue;
        Column column{static_cast<int>(v), single.z, single.sign};
        // One that is there is as good as the program allows, but for the table's rounding.
        if (std::ranges::find(columns_, column.key(), &Column::key) != columns_.end()) continue;
        const Term term{single.z, 1.0};
        const Response response = oracles_[v]->respond({&term, 1});
        column.h = single.sign * mapped(response);
        if (dy.dot(column.h) > 1.0 + kEdge) better.push_back(std::move(column));
      }
    }
    return better;
  }

  void add(Column column) {
    column.place = program_.add_column(1.0, 0.0, kInfinity, entries(sides_.y.cwiseProduct(column.h)));
    columns_.push_back(std::move(column));
  }

  Learned finish(Stop stop) {
    result_.stop = stop;
    std::erase_if(columns_, [&](const Column& column) { return column.place >= solution_.x.size(); });
    double sum = 0.0;
    for (const Column& column : columns_) sum += solution_.x[column.place];
    std::erase_if(columns_,
                  [&](const Column& column) { return solution_.x[column.place] <= kNoWeight * sum; });
    double kept = 0.0;
    for (const Column& column : columns_) kept += solution_.x[column.place];
    if (kept <= 0.0) {
      result_.learn_nothing(sides_.y);
      return std::move(result_);
    }
    result_.b = offset_ < 0 ? 0.0 : solution_.x[offset_] / kept;
    result_.g = Vector::Constant(sides_.y.size(), result_.b);
    for (const Column& column : columns_) {
      const double w = solution_.x[column.place] / kept;
      result_.g += w * column.h;
      result_.hypotheses.push_back({column.view, column.sign, {{column.z, 1.0}}, w});
    }
    result_.sort_hypotheses();
    const double optimum = solution_.objective;
    result_.rho = 1.0 / kept;
    result_.gamma = 1.0 / optimum;
    result_.nu = std::min(1.0, optimum / (settings_.C * static_cast<double>(sides_.y.size())));
    return std::move(result_);
  }

  const Oracles& oracles_;
  const Sides& sides_;
  const BaselineSettings& settings_;
  const Observer& observer_;
  Lp program_;  // row i is bag i, column i its xi
  int offset_ = -1;
  LpSolution solution_;
  std::vector<Column> columns_;
  Learned result_;
};

}  // namespace

Learned l1_svm(const Oracles& oracles, const Sides& sides, const BaselineSettings& settings,
               const Observer& observer) {
  return OneNorm(oracles, sides, settings, observer).run();
}

}  // namespace shapeboost
