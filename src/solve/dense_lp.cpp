// SPDX-License-Identifier: MIT
// The dictionary x_basic = beta - T x_nonbasic. A pivot on (p, q) exchanges basic variable p and nonbasic q:
//
//     T_p. /= T_pq,   T_i. -= T_iq T_p.   (i != p),   and column q becomes 1 / T_pq and -T_iq / T_pq.
//
// A new row is written down in terms of the nonbasic variables, a_N - a_B T; a new column x_new with entries
// a shifts every slack s by a_s x_new, so its column in the tableau is T_S a_S over the nonbasic slacks, and
// a_s in the rows of the basic ones.
//
// Where rows are violated and costs below 0 at the same time, the dual method runs with the latter raised to
// 0, and the primal one, with the true costs, begins where it ends.
#include "solve/dense_lp.hpp"

#include "ground/numbers.hpp"

namespace shapeboost {
namespace {

using Index = Eigen::Index;

constexpr double kRowTolerance = 1e-10;   // of a basic variable below 0
constexpr double kCostTolerance = 1e-11;  // of a reduced cost below 0
constexpr double kWay = 1e-7;             // that a row is given
constexpr double kSmallestPivot = 1e-9;
constexpr int kUpdates = 300;       // pivots after which the tableau is made anew
constexpr int kPivotsPerSize = 20;  // for each row and column, before the method is taken to be lost

void check_number(const char* what, double value) {
  if (!std::isfinite(value)) {
    throw InvalidInput(concat("dense_lp: ", what, ": expected a finite number, got ", std::to_string(value)));
  }
}

void check_entries(const Vector& entries, int size) {
  if (entries.size() != size) {
    throw InvalidInput(concat("dense_lp: entries: expected ", size, ", got ", entries.size()));
  }
  if (!entries.allFinite()) throw InvalidInput("dense_lp: entries: expected finite numbers");
}

/// Of k = 0 ... count-1 the first whose room, shrinking by its entry, is used up, and of those that tie within
/// the tolerance the one with the largest entry (Harris); -1: none.
template <typename Entry, typename Room>
Index ratio_test(Index count, double tolerance, const Entry& entry, const Room& room) {
  double longest = kInfinity;
  for (Index k = 0; k < count; ++k) {
    if (entry(k) > kSmallestPivot) longest = std::min(longest, (room(k) + tolerance) / entry(k));
  }
  Index best = -1;
  for (Index k = 0; k < count; ++k) {
    if (!(entry(k) > kSmallestPivot && room(k) / entry(k) <= longest)) continue;
    if (best < 0 || entry(k) > entry(best)) best = k;
  }
  return best;
}

}  // namespace

// ------------------------------------------------------------------------------------------- the program

/// Room for one row and one column more, in A and in the tableau.
void DenseLp::make_room() {
  const Index m = rows();
  const Index n = columns();
  if (a_.rows() > m && a_.cols() > n) return;
  const Index more_rows = a_.rows() > m ? a_.rows() : m + m / 2 + 16;
  const Index more_columns = a_.cols() > n ? a_.cols() : n + n / 2 + 16;
  a_.conservativeResize(more_rows, more_columns);
  t_.conservativeResize(more_rows, more_columns);
  beta_.conservativeResize(more_rows);
  relaxed_.conservativeResize(more_rows);
  reduced_.conservativeResize(more_columns);
  shifted_.conservativeResize(more_columns);
}

int DenseLp::add_column(double cost, const Vector& a, bool free) {
  check_number("cost", cost);
  check_entries(a, rows());
  make_room();
  const Index m = rows();
  const Index n = columns();
  a_.col(n).head(m) = a;
  t_.col(n).head(m).setZero();
  double reduced = cost;
  for (Index q = 0; q < n; ++q) {
    if (nonbasic_[at(q)] >= 0) continue;
    const double entry = a[-1 - nonbasic_[at(q)]];
    if (entry == 0.0) continue;
    t_.col(n).head(m) += entry * t_.col(q).head(m);
    reduced += entry * reduced_[q];
  }
  for (Index p = 0; p < m; ++p) {
    if (basic_[at(p)] < 0) t_(p, n) += a[-1 - basic_[at(p)]];
  }
  reduced_[n] = reduced;
  shifted_[n] = 0.0;
  place_.push_back(static_cast<int>(-1 - n));
  nonbasic_.push_back(static_cast<Variable>(n));
  cost_.push_back(cost);
  free_.push_back(free ? 1 : 0);
  return static_cast<int>(n);
}

int DenseLp::add_row(double b, const Vector& a) {
  check_number("b", b);
  check_entries(a, columns());
  if (b < 0.0) throw InvalidInput(concat("dense_lp: b: expected at least 0, got ", std::to_string(b)));
  make_room();
  const Index m = rows();
  const Index n = columns();
  a_.row(m).head(n) = a.transpose();
  auto row = t_.row(m).head(n);
  row.setZero();
  double beta = b;
  for (Index j = 0; j < n; ++j) {
    const int place = place_[at(j)];
    if (place < 0) {
      row[-1 - place] += a[j];
    } else if (a[j] != 0.0) {
      row -= a[j] * t_.row(place).head(n);
      beta -= a[j] * beta_[place];
    }
  }
  beta_[m] = beta;
  relaxed_[m] = 0.0;
  basic_.push_back(static_cast<Variable>(-1 - m));
  b_.push_back(b);
  return static_cast<int>(m);
}

void DenseLp::set_cost(int column, double cost) {
  if (column < 0 || column >= columns()) {
    throw InvalidInput(concat("dense_lp: column: expected 0 to ", columns() - 1, ", got ", column));
  }
  check_number("cost", cost);
  cost_[at(column)] = cost;
  costs_changed_ = true;
}

// ------------------------------------------------------------------------------------------- the tableau

/// Every slack basic.
void DenseLp::start() {
  const Index m = rows();
  const Index n = columns();
  t_.topLeftCorner(m, n) = a_.topLeftCorner(m, n);
  beta_.head(m) = Eigen::Map<const Vector>(b_.data(), m);
  for (Index i = 0; i < m; ++i) basic_[at(i)] = static_cast<Variable>(-1 - i);
  for (Index j = 0; j < n; ++j) {
    nonbasic_[at(j)] = static_cast<Variable>(j);
    place_[at(j)] = static_cast<int>(-1 - j);
  }
  restore_costs();
  updates_ = 0;
}

/// The same basis from the data, or where it is singular the slacks.
void DenseLp::rebuild() {
  std::vector<char> leaves(at(rows()), 0);
  std::vector<Index> enters;
  for (const Variable v : nonbasic_) {
    if (v < 0) leaves[at(-1 - v)] = 1;
  }
  for (const Variable v : basic_) {
    if (v >= 0) enters.push_back(v);
  }
  std::ranges::sort(enters);
  start();
  for (const Index q : enters) {  // column q of the tableau is variable q until it enters
    Index best = -1;
    for (Index p = 0; p < rows(); ++p) {
      if (basic_[at(p)] >= 0 || leaves[at(p)] == 0) continue;
      if (best < 0 || std::abs(t_(p, q)) > std::abs(t_(best, q))) best = p;
    }
    if (best < 0 || std::abs(t_(best, q)) < kSmallestPivot) {
      start();
      return;
    }
    pivot(best, q);
  }
  restore_costs();
  updates_ = 0;
}

/// Reduced costs from the costs.
void DenseLp::restore_costs() {
  const Index n = columns();
  for (Index q = 0; q < n; ++q) {
    const Variable v = nonbasic_[at(q)];
    reduced_[q] = v >= 0 ? cost_[at(v)] : 0.0;
  }
  for (Index p = 0; p < rows(); ++p) {
    const Variable v = basic_[at(p)];
    if (v >= 0 && cost_[at(v)] != 0.0) reduced_.head(n) -= cost_[at(v)] * t_.row(p).head(n).transpose();
  }
  costs_changed_ = false;
}

void DenseLp::pivot(Index p, Index q) {
  const Index m = rows();
  const Index n = columns();
  const double inverse = 1.0 / t_(p, q);
  auto row = t_.row(p).head(n);
  row *= inverse;
  row[q] = inverse;
  beta_[p] *= inverse;
  relaxed_[p] *= inverse;
  for (Index i = 0; i < m; ++i) {
    if (i == p) continue;
    const double factor = t_(i, q);
    if (factor == 0.0) continue;
    t_(i, q) = 0.0;
    t_.row(i).head(n).noalias() -= factor * row;
    beta_[i] -= factor * beta_[p];
    relaxed_[i] -= factor * relaxed_[p];
  }
  for (Vector* costs : {&reduced_, &shifted_}) {
    const double factor = (*costs)[q];
    (*costs)[q] = 0.0;
    costs->head(n).noalias() -= factor * row.transpose();
  }
  const Variable entering = nonbasic_[at(q)];
  const Variable leaving = basic_[at(p)];
  basic_[at(p)] = entering;
  nonbasic_[at(q)] = leaving;
  if (entering >= 0) place_[at(entering)] = static_cast<int>(p);
  if (leaving >= 0) place_[at(leaving)] = static_cast<int>(-1 - q);
  ++updates_;
}

// ------------------------------------------------------------------------------------------- choices

/// The violated row whose hyperplane is farthest away (dual steepest edge); -1: none.
Index DenseLp::leaving_row() const {
  Index best = -1;
  double farthest = 0.0;
  for (Index p = 0; p < rows(); ++p) {
    if (beta_[p] >= -kRowTolerance || is_free(basic_[at(p)])) continue;
    const double distance = beta_[p] * beta_[p] / (1.0 + t_.row(p).head(columns()).squaredNorm());
    if (distance > farthest) {
      farthest = distance;
      best = p;
    }
  }
  return best;
}

/// The first to reach cost 0 as row p's multiplier grows; -1: none.
Index DenseLp::dual_entering(Index p) const {
  return ratio_test(
      columns(), kCostTolerance, [&](Index q) { return -t_(p, q); }, [&](Index q) { return shifted_[q]; });
}

/// A free variable whose cost is not 0, else the one of the lowest cost below 0; -1: none.
Index DenseLp::primal_entering() const {
  Index best = -1;
  double lowest = -kCostTolerance;
  for (Index q = 0; q < columns(); ++q) {
    if (is_free(nonbasic_[at(q)])) {
      if (std::abs(reduced_[q]) > kCostTolerance) return q;
    } else if (reduced_[q] < lowest) {
      lowest = reduced_[q];
      best = q;
    }
  }
  return best;
}

/// The first to reach 0 as q moves in this direction; -1: none.
Index DenseLp::primal_leaving(Index q, double direction) const {
  return ratio_test(
      rows(), kRowTolerance, [&](Index p) { return is_free(basic_[at(p)]) ? 0.0 : direction * t_(p, q); },
      [&](Index p) { return relaxed_[p]; });
}

// ------------------------------------------------------------------------------------------- answers

/// Costs below 0 are raised to 0.
void DenseLp::begin_dual() { shifted_.head(columns()) = reduced_.head(columns()).cwiseMax(0.0); }

/// Rows are given way, each by another amount: where many basic variables are 0, steps of length 0 would lead
/// round in circles.
void DenseLp::begin_primal() {
  for (Index p = 0; p < rows(); ++p) {
    const double amount = kWay * (1.0 + std::fmod(0.618033988749895 * real(p), 1.0));
    relaxed_[p] = std::max(beta_[p], amount);
  }
}

DenseLp::Ended DenseLp::run() {
  const int limit = pivots_ + std::min(settings_.max_iterations, kPivotsPerSize * (rows() + columns()));
  while (true) {
    begin_dual();
    for (Index p = leaving_row(); p >= 0; p = leaving_row()) {
      const Index q = dual_entering(p);
      if (q < 0 || ++pivots_ > limit) return Ended::lost;  // 0 is feasible: it is rounding
      pivot(p, q);
    }
    begin_primal();
    for (Index q = primal_entering(); q >= 0; q = primal_entering()) {
      const Index p = primal_leaving(q, reduced_[q] > 0.0 ? -1.0 : 1.0);
      if (p < 0) return Ended::unbounded;
      if (++pivots_ > limit) return Ended::lost;
      pivot(p, q);
    }
    if (leaving_row() < 0) return Ended::optimal;
  }
}

/// x and y of the basis, and their certificate; see lp.cpp.
LpSolution DenseLp::answer() const {
  const Index m = rows();
  const Index n = columns();
  LpSolution s;
  s.iterations = pivots_;
  s.x = Vector::Zero(n);
  s.row_dual = Vector::Zero(m);
  for (Index p = 0; p < m; ++p) {
    const Variable v = basic_[at(p)];
    if (v >= 0) s.x[v] = is_free(v) ? beta_[p] : std::max(beta_[p], 0.0);
  }
  for (Index q = 0; q < n; ++q) {
    const Variable v = nonbasic_[at(q)];
    if (v < 0) s.row_dual[-1 - v] = std::min(-reduced_[q], 0.0);
  }
  const Eigen::Map<const Vector> c(cost_.data(), n);
  const Eigen::Map<const Vector> b(b_.data(), m);
  const auto a = a_.topLeftCorner(m, n);
  s.objective = c.dot(s.x);
  const Vector above = a * s.x - b;
  const Vector z = c - a.transpose() * s.row_dual;
  if (!above.allFinite() || !z.allFinite()) return s;
  s.primal_residual = std::max(0.0, above.maxCoeff());
  for (Index j = 0; j < n; ++j) {
    s.dual_residual = std::max(s.dual_residual, is_free(static_cast<Variable>(j)) ? std::abs(z[j]) : -z[j]);
  }
  s.duality_gap = std::abs(s.objective - b.dot(s.row_dual)) / std::max(1.0, std::abs(s.objective));
  const double worst = std::max({s.primal_residual, s.dual_residual, s.duality_gap});
  s.status = worst <= settings_.tolerance ? Status::solved : Status::failed;
  return s;
}

LpSolution DenseLp::by_clp() const {
  Lp lp(settings_);
  for (int j = 0; j < columns(); ++j) lp.add_column(cost_[at(j)], is_free(j) ? -kInfinity : 0.0, kInfinity);
  for (int i = 0; i < rows(); ++i) {
    std::vector<LpEntry> entries;
    entries.reserve(at(columns()));
    for (int j = 0; j < columns(); ++j) entries.push_back({j, a_(i, j)});
    lp.add_row(-kInfinity, b_[at(i)], entries);
  }
  LpSolution s = lp.solve();
  s.restarted = true;
  return s;
}

LpSolution DenseLp::solve() {
  pivots_ = 0;
  if (updates_ >= kUpdates) rebuild();
  if (rows() == 0 || columns() == 0) return by_clp();
  if (costs_changed_) restore_costs();
  // Twice: a wrong answer may come of rounding in the tableau, which is then made anew.
  for (int attempt = 0; attempt < 2; ++attempt) {
    const Ended ended = run();
    if (ended == Ended::unbounded && updates_ == 0) break;
    if (ended == Ended::optimal) {
      LpSolution s = answer();
      if (s.status == Status::solved) return s;
    }
    if (attempt == 0) rebuild();
  }
  LpSolution s = by_clp();
  start();
  return s;
}

}  // namespace shapeboost
