// SPDX-License-Identifier: MIT
// Minimises sum_i min_c |x_i - c|^2 over k centres c: Lloyd (1982), seeded as k-means++ (Arthur and
// Vassilvitskii, 2007). One round costs points * k * dimension multiplications, done as a matrix product
// block by block: memory is O(points + k * dimension), never points * dimension.
#include "solve/kmeans.hpp"

#include "ground/numbers.hpp"
#include "ground/text.hpp"

namespace shapeboost {
namespace {

using Index = Eigen::Index;

constexpr Index kBlock = 512;  // points fetched at a time

/// The points, block by block.
class Points {
 public:
  Points(Index count, Index dimension, const std::function<void(std::int64_t, double*)>& fetch)
      : count_(count), fetch_(fetch), block_(std::min(kBlock, count), dimension) {}

  [[nodiscard]] Index count() const { return count_; }
  [[nodiscard]] Index dimension() const { return block_.cols(); }

  [[nodiscard]] Eigen::RowVectorXd operator[](Index i) const {
    Eigen::RowVectorXd x(dimension());
    fetch_(i, x.data());
    return x;
  }

  /// Calls visit(first, rows), rows being points first, first + 1, ... of one block.
  template <typename Visit>
  void for_each_block(const Visit& visit) {
    for (Index first = 0; first < count_; first += kBlock) {
      const Index size = std::min(kBlock, count_ - first);
      for (Index b = 0; b < size; ++b) fetch_(first + b, block_.row(b).data());
      visit(first, block_.topRows(size));
    }
  }

 private:
  Index count_;
  const std::function<void(std::int64_t, double*)>& fetch_;
  Matrix block_;
};

/// The first index at which the running sum of the weights passes u * total, u in [0, 1).
Index draw(const Vector& weights, double u) {
  double total = 0.0;
  for (const double weight : weights) total += weight;
  double sum = 0.0;
  Index last = 0;  // the last point with weight, should rounding leave the sum short of the total
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0.0) continue;
    sum += weights[i];
    last = i;
    if (sum > u * total) break;
  }
  return last;
}

/// k-means++: the first centre uniform, each next one point i with probability proportional to the
/// squared distance from x_i to the nearest centre so far; uniform again where all those are zero.
Matrix seed_centres(Points& points, Index k, Rng& rng) {
  Matrix centres(k, points.dimension());
  Vector distance = Vector::Constant(points.count(), std::numeric_limits<double>::infinity());
  for (Index c = 0; c < k; ++c) {
    const bool uniform = c == 0 || distance.maxCoeff() <= 0.0;
    const Index i = uniform ? rng.below(points.count()) : draw(distance, rng.uniform());
    centres.row(c) = points[i];
    if (c + 1 == k) break;
    points.for_each_block([&](Index first, const auto& rows) {
      auto near = distance.segment(first, rows.rows());
      near = near.cwiseMin((rows.rowwise() - centres.row(c)).rowwise().squaredNorm());
    });
  }
  return centres;
}

/// What one pass over the points finds.
struct Assignment {
  Vector distance;             // of each point to its centre, squared
  Matrix sums;                 // of each centre's points
  std::vector<Index> members;  // how many they are
};

/// The nearest centre by |x|^2 + |c|^2 - 2 x.c, where |x|^2 does not matter; the lower index on ties. The
/// distance to it is then taken anew by differences: the expansion loses all digits where x is near c.
void assign(Points& points, const Matrix& centres, Assignment& a) {
  const Index k = centres.rows();
  a.distance.resize(points.count());
  a.sums = Matrix::Zero(k, points.dimension());
  a.members.assign(at(k), 0);
  const Eigen::RowVectorXd half_norms = 0.5 * centres.rowwise().squaredNorm().transpose();
  Matrix score;
  points.for_each_block([&](Index first, const auto& rows) {
    score.noalias() = rows * centres.transpose();
    score.rowwise() -= half_norms;  // x.c - |c|^2 / 2: the nearest centre has the largest
    for (Index b = 0; b < rows.rows(); ++b) {
      const double* values = score.row(b).data();
      const Index c = std::max_element(values, values + k) - values;
      a.distance[first + b] = (rows.row(b) - centres.row(c)).squaredNorm();
      a.sums.row(c) += rows.row(b);
      ++a.members[at(c)];
    }
  });
}

/// Centres to the means of their points; those without points to the farthest points, one each.
void update(const Points& points, Assignment& a, Matrix& centres) {
  for (Index c = 0; c < centres.rows(); ++c) {
    const Index members = a.members[at(c)];
    if (members > 0) {
      centres.row(c) = a.sums.row(c) / real(members);
      continue;
    }
    Index farthest = 0;
    a.distance.maxCoeff(&farthest);
    centres.row(c) = points[farthest];
    a.distance[farthest] = 0.0;
  }
}

void check_positive(const char* what, std::int64_t value) {
  if (value < 1) throw InvalidInput(concat("kmeans: ", what, ": expected at least 1, got ", value));
}

}  // namespace

KMeansSolution kmeans(std::int64_t points, std::int64_t dimension,
                      const std::function<void(std::int64_t i, double* out)>& point,
                      const KMeansSettings& settings, Rng& rng) {
  check_positive("points", points);
  check_positive("dimension", dimension);
  check_positive("k", settings.k);
  KMeansSolution solution;
  Points data(points, dimension, point);
  if (settings.k >= points) {  // every point its own centre
    solution.centres.resize(points, dimension);
    for (Index i = 0; i < points; ++i) solution.centres.row(i) = data[i];
    return solution;
  }
  solution.centres = seed_centres(data, settings.k, rng);
  Assignment a;
  double last = std::numeric_limits<double>::infinity();
  while (true) {
    assign(data, solution.centres, a);
    solution.inertia = a.distance.sum();  // of the centres as they stand: the answer is consistent
    if (last - solution.inertia <= settings.tolerance * last && solution.iterations > 0) break;
    if (solution.iterations >= settings.max_iterations) break;
    last = solution.inertia;
    update(data, a, solution.centres);
    ++solution.iterations;
  }
  return solution;
}

}  // namespace shapeboost
