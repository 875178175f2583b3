// SPDX-License-Identifier: MIT
// One pivot of the dual simplex method for bounded variables, after the textbooks: a bag outside its bounds
// or a violated row leaves, boxed bags may jump to their other bound on the way (long steps), and ties are
// broken towards large pivots within a tolerance (Harris). With the inverse K of the entries A[tight, basic],
//
//     x_basic = K (rhs - s_tight - A[tight, others] x_others),
//
// so the pivot row of basic column f is c' A with c = row f of K, and that of the slack of a row j that is
// not tight is a_j - r' A[tight], r = K' a_j[basic]: again a combination of rows, c = (-r, 1).
#include <algorithm>
#include <cmath>

#include "learn/master_simplex.hpp"

namespace shapeboost {
namespace {

constexpr double kBoxTolerance = 1e-11;   // of d_i's bounds
constexpr double kEdgeTolerance = 1e-10;  // of an edge above gamma
constexpr double kSmallestPivot = 1e-9;
constexpr double kDrift = 1e-7;  // of a pivot computed twice: by row and by column

}  // namespace

double MasterSimplex::excess(int column) const {
  const int bag = basic_[at(column)];
  if (bag == kGamma) return 0.0;
  return d_[bag] < 0.0 ? d_[bag] : std::max(0.0, d_[bag] - caps_[bag]);
}

/// The largest violation by the length of its row of the inverse (steepest edge): of a bag's bounds or of a
/// hypothesis that is not tight.
MasterSimplex::Leaving MasterSimplex::choose_leaving() {
  Leaving leaving;
  double steepest = 0.0;
  for (int c = 0; c < static_cast<int>(basic_.size()); ++c) {
    const double outside = excess(c);
    if (std::abs(outside) <= kBoxTolerance || outside * outside <= steepest * norms_[c]) continue;
    steepest = outside * outside / norms_[c];
    leaving = {c, -1, outside};
  }
  const auto look = [&] {
    for (const Loose& each : loose_) {
      if (each.norm == 0.0) continue;
      const double above = rows_[at(each.row)].dot(d_) - gamma_;
      if (above <= kEdgeTolerance || above * above <= steepest * each.norm) continue;
      steepest = above * above / each.norm;
      leaving = {-1, each.row, -above};
    }
  };
  look();
  if (steepest > 0.0) return leaving;
  watch_violated();
  look();
  return leaving;
}

/// Watches the rows violated now, and no others.
void MasterSimplex::watch_violated() {
  const auto k = inverse_.topLeftCorner(size(), size());
  for (Loose& each : loose_) {
    if (rows_[at(each.row)].dot(d_) - gamma_ <= kEdgeTolerance) {
      each.norm = 0.0;
    } else if (each.norm == 0.0) {
      each.norm = 1.0 + (k.transpose() * in_basis(each.row)).squaredNorm();
    }
  }
}

/// What may enter: bags at 0 whose entry of the pivot row has the sign, bags at the cap with the other, and
/// slacks of tight hypotheses.
std::vector<MasterSimplex::Candidate> MasterSimplex::candidates(const Vector& row, const Vector& slacks,
                                                                double sign) const {
  std::vector<Candidate> open;
  for (int i = 0; i < static_cast<int>(row.size()); ++i) {
    const double side = d_[i] > 0.0 ? -1.0 : 1.0;
    const double pivot = sign * side * row[i];
    if (pivot <= kSmallestPivot || column_[at(i)] >= 0) continue;
    open.push_back({i, -1, std::max(0.0, side * reduced_[i]), pivot});
  }
  for (int p = 0; p < static_cast<int>(slacks.size()); ++p) {
    const double pivot = sign * slacks[p];
    if (pivot <= kSmallestPivot || tight_[at(p)] < equations_) continue;
    open.push_back({-1, p, std::max(0.0, -multipliers_[p]), pivot});
  }
  return open;
}

/// Candidates block in the order of cost / pivot. A bag lets the step pass, and jumps to its other bound, as
/// long as the slope of the dual objective stays above 0 with it there. Of those that tie within the
/// tolerance the largest pivot enters. No candidate: its pivot is 0.
MasterSimplex::Candidate MasterSimplex::choose_entering(std::vector<Candidate>& open, double slope,
                                                        std::vector<int>& flips) const {
  while (!open.empty()) {
    double longest = kInfinity;
    for (const Candidate& each : open) longest = std::min(longest, (each.cost + kCostTolerance) / each.pivot);
    // As quotients, which rounding keeps in order: the one that gave `longest` passes for certain.
    const auto split = std::partition(open.begin(), open.end(),
                                      [&](const Candidate& c) { return c.cost / c.pivot > longest; });
    Candidate best;
    for (auto each = split; each != open.end(); ++each) {
      slope -= each->bag >= 0 ? each->pivot * caps_[each->bag] : kInfinity;
      if (each->pivot > best.pivot) best = *each;
    }
    if (slope < 0.0 || split == open.begin()) return best;
    for (auto each = split; each != open.end(); ++each) flips.push_back(each->bag);
    open.erase(split, open.end());
  }
  return {};
}

/// Bags jump to their other bounds, the basic ones make room.
void MasterSimplex::flip(const std::vector<int>& bags) {
  if (bags.empty()) return;
  const Eigen::Index n = size();
  Vector moved = Vector::Zero(n);
  for (const int i : bags) {
    const double jump = d_[i] > 0.0 ? -caps_[i] : caps_[i];
    d_[i] = d_[i] > 0.0 ? 0.0 : caps_[i];
    for (Eigen::Index p = 0; p < n; ++p) moved[p] += jump * entry(tight_[at(p)], i);
  }
  move_basic(-1.0, inverse_.topLeftCorner(n, n) * moved);
}

bool MasterSimplex::pivot(const Leaving& leaving) {
  const Eigen::Index n = size();
  const auto k = inverse_.topLeftCorner(n, n);
  const bool bag_leaves = leaving.column >= 0;
  const bool below = leaving.excess < 0.0;
  Vector basis_row;  // entries of a leaving row in the basic columns
  Vector slacks;     // the pivot row's entries for the slacks of tight rows
  Vector row;        // and for the bags
  if (bag_leaves) {
    slacks = k.row(leaving.column);
    row = combine(slacks);
  } else {
    basis_row = in_basis(leaving.row);
    slacks = -(k.transpose() * basis_row);
    row = combine(slacks) + rows_[at(leaving.row)];
  }
  std::vector<Candidate> open = candidates(row, slacks, below ? -1.0 : 1.0);
  std::vector<int> flips;
  const Candidate entering = choose_entering(open, std::abs(leaving.excess), flips);
  if (entering.pivot == 0.0) return false;

  const bool bag_enters = entering.bag >= 0;
  Vector column(n);  // of the entering variable, in terms of the basic ones
  if (bag_enters) {
    Vector entries(n);
    for (Eigen::Index p = 0; p < n; ++p) entries[p] = entry(tight_[at(p)], entering.bag);
    column = k * entries;
  } else {
    column = k.col(entering.place);
  }
  const double by_row = bag_enters ? row[entering.bag] : slacks[entering.place];
  const double check = bag_leaves
                           ? column[leaving.column]
                           : (bag_enters ? entry(leaving.row, entering.bag) : 0.0) - basis_row.dot(column);
  if (std::abs(by_row - check) > kDrift * (1.0 + std::abs(by_row))) return false;

  reweigh(leaving, entering, column, slacks, by_row);
  const int out = bag_leaves ? basic_[at(leaving.column)] : kGamma;
  const double dual_step = (bag_enters ? reduced_[entering.bag] : -multipliers_[entering.place]) / by_row;
  reduced_ -= dual_step * row;
  multipliers_ += dual_step * slacks;
  for (const int bag : basic_) {
    if (bag != kGamma) reduced_[bag] = 0.0;
  }
  if (bag_leaves) reduced_[out] = -dual_step;
  if (bag_enters) reduced_[entering.bag] = 0.0;

  flip(flips);
  const double bound = below || !bag_leaves ? 0.0 : caps_[out];  // at which the leaving bag stays
  const double outside = bag_leaves ? d_[out] - bound : gamma_ - rows_[at(leaving.row)].dot(d_);
  const double step = outside / by_row;
  move_basic(-step, column);
  if (bag_enters) d_[entering.bag] += step;
  if (bag_leaves) d_[out] = bound;
  exchange(leaving, entering, column, slacks, by_row, dual_step);
  return true;
}

/// Lengths of the inverse's rows after a pivot. Row i becomes rho_i - (v_i / v_r) rho_r, r the leaving one:
///
///     |rho_i|^2 becomes |rho_i|^2 - 2 (v_i / v_r) tau_i + (v_i / v_r)^2 |rho_r|^2,    tau_i = rho_i' rho_r.
///
/// For a row j that is not tight rho_j = (-K' a_j[basic], 1), hence v_j and tau_j are -a_j[basic]' times
/// those of the basic columns (and the entering column's entry in j on top of v_j).
void MasterSimplex::reweigh(const Leaving& leaving, const Candidate& entering, const Vector& v,
                            const Vector& slacks, double pivot) {
  std::erase_if(loose_, [&](const Loose& each) { return each.row == leaving.row; });
  const Eigen::Index n = size();
  const Vector tau = inverse_.topLeftCorner(n, n) * slacks;
  const double own_norm = slacks.squaredNorm() + (leaving.row >= 0 ? 1.0 : 0.0);
  const double smallest = 1.0 / static_cast<double>(n);
  const auto changed = [&](double norm, double v_i, double tau_i) {
    const double ratio = v_i / pivot;
    return norm - 2.0 * ratio * tau_i + ratio * ratio * own_norm;
  };
  for (Loose& each : loose_) {
    if (each.norm == 0.0) continue;
    const Vector a = in_basis(each.row);
    const double own = entering.bag >= 0 ? entry(each.row, entering.bag) : 0.0;
    each.norm = std::max(1.0, changed(each.norm, own - a.dot(v), -a.dot(tau)));
  }
  for (Eigen::Index c = 0; c < n; ++c) {
    if (c != leaving.column) norms_[c] = std::max(smallest, changed(norms_[c], v[c], tau[c]));
  }
  // What enters takes the leaving row's place.
  const double norm = own_norm / (pivot * pivot);
  if (leaving.column >= 0) {
    norms_[leaving.column] = norm;
  } else if (entering.bag >= 0) {
    norms_.conservativeResize(n + 1);
    norms_[n] = norm;
  }
  if (entering.bag < 0) loose_.push_back({tight_[at(entering.place)], norm});
}

void MasterSimplex::set_basic(Eigen::Index column, int bag) {
  basic_[at(column)] = bag;
  if (bag != kGamma) column_[at(bag)] = static_cast<int>(column);
}

void MasterSimplex::set_tight(Eigen::Index place, int row, double multiplier) {
  tight_[at(place)] = row;
  place_[at(row)] = static_cast<int>(place);
  multipliers_[place] = multiplier;
}

/// The basis and its inverse after a pivot: a row, a column, or both change, come or go. With v the entering
/// column, r the leaving row, both in terms of the basis, each is a rank-one change of K.
void MasterSimplex::exchange(const Leaving& leaving, const Candidate& entering, const Vector& v,
                             const Vector& slacks, double pivot, double dual_step) {
  const Eigen::Index n = size();
  const Eigen::Index f = leaving.column;
  const Eigen::Index p = entering.place;
  const bool bag_leaves = f >= 0;
  const bool bag_enters = entering.bag >= 0;
  auto k = inverse_.topLeftCorner(n, n);
  const Vector r = -slacks;
  ++updates_;
  if (bag_leaves) column_[at(basic_[at(f)])] = -1;
  if (!bag_enters) place_[at(tight_[at(p)])] = -1;
  if (bag_leaves) {
    const Eigen::RowVectorXd scaled = k.row(f) / v[f];
    k.noalias() -= v * scaled;
    if (bag_enters) {
      k.row(f) = scaled;
      set_basic(f, entering.bag);
      return;
    }
    // The last row and column take the places of those that go.
    k.row(f) = k.row(n - 1);
    k.col(p) = k.col(n - 1);
    norms_[f] = norms_[n - 1];
    if (f < n - 1) set_basic(f, basic_.back());
    if (p < n - 1) set_tight(p, tight_.back(), multipliers_[n - 1]);
    basic_.pop_back();
    tight_.pop_back();
    norms_.conservativeResize(n - 1);
    multipliers_.conservativeResize(n - 1);
  } else if (bag_enters) {
    if (inverse_.rows() <= n) inverse_.conservativeResize(2 * n + 14, 2 * n + 14);
    auto grown = inverse_.topLeftCorner(n + 1, n + 1);
    grown.topLeftCorner(n, n).noalias() += v * (r / pivot).transpose();
    grown.col(n).head(n) = -v / pivot;
    grown.row(n).head(n) = -r.transpose() / pivot;
    grown(n, n) = 1.0 / pivot;
    basic_.emplace_back();
    tight_.emplace_back();
    multipliers_.conservativeResize(n + 1);
    set_basic(n, entering.bag);
    set_tight(n, leaving.row, dual_step);
  } else {
    Vector u = r / r[p];
    u[p] = 1.0 - 1.0 / r[p];
    k.noalias() -= v * u.transpose();
    set_tight(p, leaving.row, dual_step);
  }
}

}  // namespace shapeboost
