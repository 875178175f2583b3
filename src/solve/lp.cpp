// SPDX-License-Identifier: MIT
// min c'x  s.t.  row_lower <= A x <= row_upper,  lower <= x <= upper, on COIN-OR Clp's simplex methods.
//
// An optimal basis stays feasible for one of the two problems when the other's data change:
//
//     new rows                 the basis stays dual feasible    -> dual simplex
//     new columns, new costs   the basis stays primal feasible  -> primal simplex
//
// so a solve needs a few pivots only. What is added waits in our own copy of A (by rows) and reaches Clp
// in one batch at the next solve. Each answer is certified from that copy; see certify().
#include "solve/lp.hpp"

#include <coin/ClpDualRowSteepest.hpp>
#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>
#include <exception>
#include <utility>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"

namespace shapeboost {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Clp's own tolerances lie this far below the certificate's, so that its answers pass, but not so low
/// that it chases rounding errors.
constexpr double kTighter = 0.1;
constexpr double kLoosest = 1e-9;
constexpr double kTightest = 1e-11;

void check_bounds(const char* what, double lower, double upper) {
  if (lower <= upper && lower < kInfinity && upper > -kInfinity) return;
  throw InvalidInput(concat(what, ": expected lower <= upper, not both the same infinity, got [",
                            std::to_string(lower), ", ", std::to_string(upper), "]"));
}

void check_finite(const char* what, double value) {
  if (!std::isfinite(value))
    throw InvalidInput(concat(what, ": expected a finite number, got ", std::to_string(value)));
}

void check_index(const char* what, int index, int size) {
  if (index < 0 || index >= size) {
    throw InvalidInput(concat(what, ": expected an index in [0, ", size, "), got ", index));
  }
}

/// Rows or columns in the form Clp takes them: entries of the k-th in [starts[k], starts[k + 1]).
struct Batch {
  std::vector<double> lower, upper, value;
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> index;

  void push(int i, double x) {
    index.push_back(i);
    value.push_back(x);
  }
  /// The entries pushed since the last call are a row or column with these bounds.
  void close(double low, double high) {
    lower.push_back(std::max(low, -COIN_DBL_MAX));
    upper.push_back(std::min(high, COIN_DBL_MAX));
    starts.push_back(static_cast<CoinBigIndex>(index.size()));
  }
};

/// After every pivot Clp asks here whether to go on. What check_stop() throws must not pass through Clp, and waits outside.
class PivotStop final : public ClpEventHandler {
 public:
  explicit PivotStop(std::exception_ptr& why) : why_(why) {}
  int event(Event /*which*/) override {
    constexpr int kGoOn = -1;
    constexpr int kStop = 0;
    try {
      check_stop();
    } catch (...) {
      why_ = std::current_exception();
    }
    return why_ ? kStop : kGoOn;
  }
  [[nodiscard]] ClpEventHandler* clone() const override { return new PivotStop(*this); }

 private:
  std::exception_ptr& why_;
};

}  // namespace

struct Lp::State {
  struct Row {
    double lower;
    double upper;
    std::vector<LpEntry> entries;
  };

  /// An entry of a new column in a row that Clp already holds.
  struct NewEntry {
    int column;
    int row;
    double value;
  };

  LpSettings settings;

  // Our copy of the problem, coefficients below settings.drop left out.
  std::vector<double> cost, lower, upper;
  std::vector<Row> rows;

  // Clp holds the first clp->numberRows() rows and clp->numberColumns() columns of it.
  std::unique_ptr<ClpSimplex> clp;
  std::vector<NewEntry> waiting;  // in the order of their columns

  std::exception_ptr stopped;    // why Clp was told to stop
  bool primal_feasible = false;  // what the last optimal basis still is
  bool dual_feasible = false;

  std::vector<int> stamp;  // the last list of entries that named this index: finds repetitions
  int stamps = 0;

  [[nodiscard]] int columns() const { return static_cast<int>(cost.size()); }
  [[nodiscard]] int row_count() const { return static_cast<int>(rows.size()); }

  void check_entries(const char* what, const std::vector<LpEntry>& entries, int size);
  void make_clp();
  void set_tolerance(double tolerance);
  void flush();
  void start_from_slacks();
  void run_simplex(bool dual, int& iterations);
  [[nodiscard]] LpSolution solve_without_clp() const;
  [[nodiscard]] LpSolution answer(int iterations) const;
  void certify(LpSolution& s) const;
};

void Lp::State::check_entries(const char* what, const std::vector<LpEntry>& entries, int size) {
  ++stamps;
  stamp.resize(std::max(stamp.size(), at(size)), 0);
  for (const LpEntry& entry : entries) {
    check_index(what, entry.index, size);
    check_finite(what, entry.value);
    int& last = stamp[at(entry.index)];
    if (last == stamps) {
      throw InvalidInput(concat(what, ": expected distinct indices, got ", entry.index, " twice"));
    }
    last = stamps;
  }
}

// ---------------------------------------------------------------------------------------------- Clp

void Lp::State::make_clp() {
  clp = std::make_unique<ClpSimplex>();
  clp->setLogLevel(0);
  clp->scaling(0);  // scaled, with coefficients of 1e-20 about, Clp called wrong answers optimal
  set_tolerance(std::clamp(kTighter * settings.tolerance, kTightest, kLoosest));
  // Exact steepest edge weights: a fifth fewer dual pivots on LPBoost's programs than Clp's default,
  // which guesses them. Perturbation (off unless asked for) and keeping work areas did not pay.
  ClpDualRowSteepest steepest(1);
  clp->setDualRowPivotAlgorithm(steepest);
  const PivotStop stop(stopped);
  clp->passInEventHandler(&stop);
}

/// Hands Clp what was added since the last solve: columns first, with their entries in rows it holds,
/// then the new rows whole.
void Lp::State::flush() {
  if (!clp->statusExists()) clp->createStatus();  // Clp forgets it with the last row and column
  if (clp->numberColumns() < columns()) {
    const int first = clp->numberColumns();
    Batch batch;
    std::size_t e = 0;
    for (auto j = at(first); j < cost.size(); ++j) {
      for (; e < waiting.size() && waiting[e].column == static_cast<int>(j); ++e) {
        batch.push(waiting[e].row, waiting[e].value);
      }
      batch.close(lower[j], upper[j]);
    }
    waiting.clear();
    clp->addColumns(columns() - first, batch.lower.data(), batch.upper.data(), cost.data() + first,
                    batch.starts.data(), batch.index.data(), batch.value.data());
    // A column enters at a finite bound, the lower one if it has both.
    for (int j = first; j < columns(); ++j) {
      const auto k = at(j);
      clp->setColumnStatus(j, lower[k] > -kInfinity  ? ClpSimplex::atLowerBound
                              : upper[k] < kInfinity ? ClpSimplex::atUpperBound
                                                     : ClpSimplex::isFree);
    }
  }
  if (clp->numberRows() < row_count()) {
    const int first = clp->numberRows();
    Batch batch;
    for (auto i = at(first); i < rows.size(); ++i) {
      for (const LpEntry& entry : rows[i].entries) batch.push(entry.index, entry.value);
      batch.close(rows[i].lower, rows[i].upper);
    }
    clp->addRows(row_count() - first, batch.lower.data(), batch.upper.data(), batch.starts.data(),
                 batch.index.data(), batch.value.data());
    for (int i = first; i < row_count(); ++i) clp->setRowStatus(i, ClpSimplex::basic);
  }
}

void Lp::State::set_tolerance(double tolerance) {
  clp->setPrimalTolerance(tolerance);
  clp->setDualTolerance(tolerance);
}

/// A new Clp, built from our copy, every row's slack basic. What is asked twice is asked more exactly.
void Lp::State::start_from_slacks() {
  make_clp();
  set_tolerance(kTightest);
  waiting.clear();
  flush();
}

/// One simplex run from the basis at hand; adds to `iterations`, never past settings.max_iterations.
void Lp::State::run_simplex(bool dual, int& iterations) {
  clp->setMaximumIterations(std::max(0, settings.max_iterations - iterations));
  if (dual) {
    clp->dual();
  } else {
    clp->primal();
  }
  iterations += clp->numberIterations();
  if (stopped) {
    make_clp();  // the next solve begins anew
    waiting.clear();
    primal_feasible = dual_feasible = false;
    std::rethrow_exception(std::exchange(stopped, nullptr));
  }
}

// ------------------------------------------------------------------------------------------ answers

/// x and y as Clp left them, certified; solved, or the reason why not.
LpSolution Lp::State::answer(int iterations) const {
  LpSolution s;
  s.iterations = iterations;
  switch (clp->status()) {
    case 0: break;
    case 1: s.status = Status::infeasible; return s;
    case 2: s.status = Status::unbounded; return s;
    case 3:  // stopped: by the limit, or for reasons of its own
      if (iterations >= settings.max_iterations) s.status = Status::iteration_limit;
      return s;
    default: return s;
  }
  s.x = Eigen::Map<const Vector>(clp->primalColumnSolution(), columns());
  s.row_dual = Eigen::Map<const Vector>(clp->dualRowSolution(), row_count());
  certify(s);
  const double worst = std::max({s.primal_residual, s.dual_residual, s.duality_gap});
  s.status = worst <= settings.tolerance ? Status::solved : Status::failed;
  return s;
}

/// The certificate. With multipliers y of the rows and z = c - A'y of the bounds, weak duality says
///
///     c'x >= sum_i bound(y_i) y_i + sum_j bound(z_j) z_j,    bound(t) = lower for t > 0, upper for t < 0,
///
/// for every feasible x, as long as no y_i or z_j that is not zero meets an infinite bound. So x
/// feasible, all such y_i and z_j zero, and both sides equal prove x optimal. Before that x is clipped
/// to its bounds and y_i to the signs its row allows: the proof is of what the caller gets.
/// Costs one pass over A.
void Lp::State::certify(LpSolution& s) const {
  if (!s.x.allFinite() || !s.row_dual.allFinite()) {
    s.primal_residual = s.dual_residual = s.duality_gap = kInfinity;
    return;
  }
  const Eigen::Map<const Vector> c(cost.data(), columns());
  const Eigen::Map<const Vector> low(lower.data(), columns());
  const Eigen::Map<const Vector> high(upper.data(), columns());
  s.x = s.x.cwiseMax(low).cwiseMin(high);
  s.objective = c.dot(s.x);
  Vector z = c;
  double dual_objective = 0.0;
  for (Eigen::Index i = 0; i < s.row_dual.size(); ++i) {
    const Row& row = rows[at(i)];
    double& y = s.row_dual[i];
    if (!std::isfinite(y > 0.0 ? row.lower : row.upper)) y = 0.0;
    double activity = 0.0;  // (A x)_i
    for (const LpEntry& entry : row.entries) activity += entry.value * s.x[entry.index];
    s.primal_residual = std::max({s.primal_residual, row.lower - activity, activity - row.upper});
    if (y == 0.0) continue;
    for (const LpEntry& entry : row.entries) z[entry.index] -= y * entry.value;
    dual_objective += y * (y > 0.0 ? row.lower : row.upper);
  }
  for (Eigen::Index j = 0; j < z.size(); ++j) {
    const double bound = z[j] > 0.0 ? low[j] : high[j];
    if (std::isfinite(bound)) {
      dual_objective += z[j] * bound;
    } else {
      s.dual_residual = std::max(s.dual_residual, std::abs(z[j]));
    }
  }
  s.duality_gap = std::abs(s.objective - dual_objective) / std::max(1.0, std::abs(s.objective));
}

/// No rows: every x_j goes to the bound its cost points at. No columns: A x = 0 fits its rows or not.
LpSolution Lp::State::solve_without_clp() const {
  LpSolution s;
  s.x = Vector::Zero(columns());
  s.row_dual = Vector::Zero(row_count());
  s.status = Status::solved;
  for (Eigen::Index j = 0; j < s.x.size(); ++j) {
    const auto k = at(j);
    s.x[j] = cost[k] > 0.0 ? lower[k] : cost[k] < 0.0 ? upper[k] : std::clamp(0.0, lower[k], upper[k]);
    if (!std::isfinite(s.x[j])) s.status = Status::unbounded;
  }
  for (const Row& row : rows) {
    if (row.lower > settings.tolerance || row.upper < -settings.tolerance) s.status = Status::infeasible;
  }
  if (s.status == Status::solved) certify(s);
  return s;
}

// ------------------------------------------------------------------------------------ the class itself

Lp::Lp(LpSettings settings) : state_(std::make_unique<State>()) {
  state_->settings = settings;
  state_->make_clp();
}
Lp::~Lp() = default;
Lp::Lp(Lp&&) noexcept = default;
Lp& Lp::operator=(Lp&&) noexcept = default;

int Lp::rows() const { return state_->row_count(); }
int Lp::columns() const { return state_->columns(); }

int Lp::add_column(double cost, double lower, double upper, const std::vector<LpEntry>& entries) {
  State& s = *state_;
  check_finite("cost of a column", cost);
  check_bounds("bounds of a column", lower, upper);
  s.check_entries("entries of a column", entries, s.row_count());
  const int column = s.columns();
  s.cost.push_back(cost);
  s.lower.push_back(lower);
  s.upper.push_back(upper);
  for (const LpEntry& entry : entries) {
    if (std::abs(entry.value) < s.settings.drop) continue;
    s.rows[at(entry.index)].entries.push_back({column, entry.value});
    if (entry.index < s.clp->numberRows()) s.waiting.push_back({column, entry.index, entry.value});
  }
  s.dual_feasible = false;
  // A column that enters away from zero moves the rows it is in; see flush().
  if (lower > -kInfinity ? lower != 0.0 : upper < kInfinity && upper != 0.0) s.primal_feasible = false;
  return column;
}

int Lp::add_row(double lower, double upper, const std::vector<LpEntry>& entries) {
  State& s = *state_;
  check_bounds("bounds of a row", lower, upper);
  s.check_entries("entries of a row", entries, s.columns());
  State::Row& row = s.rows.emplace_back(State::Row{lower, upper, entries});
  std::erase_if(row.entries, [&](const LpEntry& entry) { return std::abs(entry.value) < s.settings.drop; });
  s.primal_feasible = false;
  return s.row_count() - 1;
}

void Lp::set_cost(int column, double cost) {
  State& s = *state_;
  check_index("column", column, s.columns());
  check_finite("cost of a column", cost);
  s.cost[at(column)] = cost;
  if (column < s.clp->numberColumns()) s.clp->setObjectiveCoefficient(column, cost);
  s.dual_feasible = false;
}

LpSolution Lp::solve() {
  State& s = *state_;
  LpSolution result;
  if (s.rows.empty() || s.cost.empty()) {
    result = s.solve_without_clp();
  } else {
    s.flush();
    int iterations = 0;
    // Neither feasible: Clp's dual method handles that by bounding what is free and cleaning up after.
    s.run_simplex(s.dual_feasible || !s.primal_feasible, iterations);
    result = s.answer(iterations);
    if (result.status != Status::solved && result.status != Status::iteration_limit) {
      s.start_from_slacks();
      for (const bool dual : {true, false}) {
        s.run_simplex(dual, iterations);
        result = s.answer(iterations);
        if (result.status == Status::solved || result.status == Status::iteration_limit) break;
      }
      result.restarted = true;
    }
  }
  s.primal_feasible = s.dual_feasible = result.status == Status::solved;
  if (result.status != Status::solved) {
    result.objective = kNan;
    result.x.resize(0);
    result.row_dual.resize(0);
  }
  return result;
}

}  // namespace shapeboost
