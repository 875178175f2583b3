// SPDX-License-Identifier: MIT
// The basis, and the loop of the dual simplex method around the pivots of master_simplex_pivot.cpp.
#include "learn/master_simplex.hpp"

#include "ground/rng.hpp"
#include "ground/stop.hpp"

namespace shapeboost {
namespace {

constexpr double kPerturbation = 5e-9;
constexpr double kResidual = 1e-9;   // of an answer
constexpr int kUpdates = 500;        // of the inverse before it is computed anew
constexpr int kPivotsPerBag = 200;   // of one solve: many times what was ever seen
constexpr std::uint64_t kSeed = 17;  // of the perturbation

}  // namespace

MasterSimplex::MasterSimplex(const Vector& y, Vector caps, bool offset)
    : offset_(offset), equations_(offset ? 2 : 1), caps_(std::move(caps)), eps_(y.size()), d_(y.size()) {
  Rng rng(kSeed);
  for (double& eps : eps_) eps = -kPerturbation * rng.uniform();
  rows_.push_back(Vector::Ones(y.size()));
  if (offset) rows_.push_back(y);
  place_.assign(rows_.size(), -1);
}

void MasterSimplex::add(Vector a) {
  rows_.push_back(std::move(a));
  place_.push_back(-1);
  loose_.push_back({static_cast<int>(rows_.size()) - 1, 0.0});
}

void MasterSimplex::drop(int j) {
  const auto row = row_of(j);
  rows_[row].resize(0);
  std::erase_if(loose_, [&](const Loose& each) { return each.row == static_cast<int>(row); });
}

double MasterSimplex::w(int j) const {
  const int place = place_[row_of(j)];
  return place < 0 ? 0.0 : std::max(0.0, -multipliers_[place]);
}

double MasterSimplex::entry(int row, int column) const {
  if (column == kGamma) return row < equations_ ? 0.0 : -1.0;
  return rows_[at(row)][column];
}

/// sum_t c_t a_t over the tight rows, four at a time: the loop that a solve's time goes to.
Vector MasterSimplex::combine(const Vector& c) const {
  Vector sum = Vector::Zero(d_.size());
  const Eigen::Index m = sum.size();
  double* out = sum.data();
  const auto row = [&](Eigen::Index t) { return rows_[at(tight_[at(t)])].data(); };
  Eigen::Index t = 0;
  for (; t + 4 <= size(); t += 4) {
    const double* const a0 = row(t);
    const double* const a1 = row(t + 1);
    const double* const a2 = row(t + 2);
    const double* const a3 = row(t + 3);
    const double c0 = c[t];
    const double c1 = c[t + 1];
    const double c2 = c[t + 2];
    const double c3 = c[t + 3];
    for (Eigen::Index i = 0; i < m; ++i) out[i] += c0 * a0[i] + c1 * a1[i] + c2 * a2[i] + c3 * a3[i];
  }
  for (; t < size(); ++t) sum += c[t] * rows_[at(tight_[at(t)])];
  return sum;
}

// -------------------------------------------------------------------------------------- a basis

/// The optimum for one hypothesis: fill the bags with the smallest a_i up to their caps, in each class up to
/// 1/2 with an offset. The bag that is filled last, one a class, is basic.
void MasterSimplex::start() {
  int first = equations_;
  while (rows_[at(first)].size() == 0) ++first;
  const Vector cost = rows_[at(first)] + eps_;
  loose_.clear();
  for (int row = first + 1; row < static_cast<int>(rows_.size()); ++row) {
    if (rows_[at(row)].size() > 0) loose_.push_back({row, 0.0});
  }
  std::ranges::fill(place_, -1);
  column_.assign(at(d_.size()), -1);
  basic_ = {kGamma};
  d_.setZero();
  std::vector<int> order(at(d_.size()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int i) { return cost[i]; });
  for (int side = 1; side >= (offset_ ? -1 : 1); side -= 2) {
    double left = offset_ ? 0.5 : 1.0;
    int last = -1;
    for (const int i : order) {
      if (offset_ && rows_[1][i] * side < 0.0) continue;
      last = i;
      d_[i] = caps_[i];
      left -= caps_[i];
      if (left <= kResidual * caps_[i]) break;
    }
    basic_.push_back(last);
  }
  tight_ = offset_ ? std::vector{0, 1, first} : std::vector{0, first};
  for (std::size_t p = 0; p < tight_.size(); ++p) place_[at(tight_[p])] = static_cast<int>(p);
  for (std::size_t c = 1; c < basic_.size(); ++c) column_[at(basic_[c])] = static_cast<int>(c);
}

/// Entries of a row in the basic columns.
Vector MasterSimplex::in_basis(int row) const {
  return Vector::NullaryExpr(size(), [&](Eigen::Index c) { return entry(row, basic_[at(c)]); });
}

bool MasterSimplex::invert() {
  const Eigen::Index n = size();
  Eigen::MatrixXd entries(n, n);
  for (Eigen::Index p = 0; p < n; ++p) {
    for (Eigen::Index c = 0; c < n; ++c) entries(p, c) = entry(tight_[at(p)], basic_[at(c)]);
  }
  if (inverse_.rows() <= n) inverse_.resize(2 * n + 14, 2 * n + 14);
  inverse_.topLeftCorner(n, n) = entries.partialPivLu().inverse();
  updates_ = 0;
  norms_ = inverse_.topLeftCorner(n, n).rowwise().squaredNorm();
  return inverse_.topLeftCorner(n, n).allFinite();
}

/// Multipliers, reduced costs and values anew from the inverse and the data.
void MasterSimplex::refresh() {
  const Eigen::Index n = size();
  const auto k = inverse_.topLeftCorner(n, n);
  Vector costs(n);
  std::ranges::transform(basic_, costs.begin(), [&](int bag) { return bag == kGamma ? 1.0 : eps_[bag]; });
  multipliers_ = k.transpose() * costs;
  reduced_ = eps_ - combine(multipliers_);
  for (Eigen::Index i = 0; i < d_.size(); ++i) {
    if (column_[at(i)] >= 0) {
      d_[i] = reduced_[i] = 0.0;
    } else if (std::abs(reduced_[i]) > kCostTolerance) {
      d_[i] = reduced_[i] > 0.0 ? 0.0 : caps_[i];
    }
  }
  // Twice: the second time corrects the first's rounding.
  gamma_ = 0.0;
  for (int repeat = 0; repeat < 2; ++repeat) {
    Vector rest(n);
    for (Eigen::Index p = 0; p < n; ++p) {
      const int row = tight_[at(p)];
      rest[p] = (row == 0 ? 1.0 : 0.0) - rows_[at(row)].dot(d_) - entry(row, kGamma) * gamma_;
    }
    move_basic(1.0, k * rest);
  }
}

/// x_basic += step * change
void MasterSimplex::move_basic(double step, const Vector& change) {
  for (Eigen::Index c = 0; c < size(); ++c) {
    const int bag = basic_[at(c)];
    (bag == kGamma ? gamma_ : d_[bag]) += step * change[c];
  }
}

/// sum_j w_j = 1 and sum_i d_i = 1: what rounding in the inverse spoils first.
bool MasterSimplex::accurate() const {
  double sum = 0.0;
  for (Eigen::Index p = 0; p < size(); ++p) sum -= tight_[at(p)] < equations_ ? 0.0 : multipliers_[p];
  return std::abs(sum - 1.0) <= kResidual && std::abs(d_.sum() - 1.0) <= kResidual;
}

bool MasterSimplex::solve() {
  if (tight_.empty()) {
    start();
    if (!invert()) return false;
  }
  bool fresh = false;  // values are from the data, not from updates
  refresh();
  const std::int64_t limit = kPivotsPerBag * d_.size();
  StopMeter meter;
  for (std::int64_t pivots = 0; pivots < limit; ++pivots) {
    meter.add(size() * (size() + d_.size()));  // an exception leaves a basis to go on from
    if (updates_ >= kUpdates) {
      if (!invert()) break;
      refresh();
    }
    const Leaving leaving = choose_leaving();
    if (leaving.column < 0 && leaving.row < 0) {
      if (fresh && accurate()) return true;
      if (fresh && (updates_ == 0 || !invert())) break;
      refresh();
      fresh = true;
      continue;
    }
    fresh = false;
    if (pivot(leaving)) continue;
    if (updates_ == 0 || !invert()) break;
    refresh();
  }
  forget();
  return false;
}

}  // namespace shapeboost
