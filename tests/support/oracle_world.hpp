// SPDX-License-Identifier: MIT
// An oracle beside its twin, for the tests of its questions and of its pools.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "ground/parallel.hpp"
#include "ground/rng.hpp"
#include "model/respond.hpp"
#include "oracle/local_oracle.hpp"
#include "oracle/table.hpp"
#include "support/examples.hpp"
#include "support/naive.hpp"

namespace shapeboost::examples {

inline std::vector<Term> random_terms(std::int64_t n, int count, Rng& rng) {
  std::vector<Term> terms;
  for (int t = 0; t < count; ++t) terms.push_back({rng.below(n), rng.normal()});
  return terms;
}

inline constexpr std::int64_t kRoomy = std::int64_t{1} << 30;

/// An oracle with its twin: all instances, prepared, one row each.
struct World {
  explicit World(const Case& example, const TableSettings& settings = {}, int threads = 1,
                 std::int64_t memory = kRoomy)
      : pool(threads),
        oracle(std::make_shared<const Table>(example.data, example.view, labels_of(example.data), settings,
                                             pool),
               {}, memory, pool),
        bags(naive::bags_of(example.data, example.view)),
        all(naive::stacked(bags)),
        kernel(example.view.kernel) {}

  ThreadPool pool;
  LocalOracle oracle;
  std::vector<Matrix> bags;
  Matrix all;
  Kernel kernel;

  [[nodiscard]] Matrix rows(std::span<const Term> terms) const {
    Matrix z(static_cast<Eigen::Index>(terms.size()), all.cols());
    for (std::size_t t = 0; t < terms.size(); ++t) z.row(static_cast<Eigen::Index>(t)) = all.row(terms[t].z);
    return z;
  }
  [[nodiscard]] static Vector alpha(std::span<const Term> terms) {
    Vector a(static_cast<Eigen::Index>(terms.size()));
    for (std::size_t t = 0; t < terms.size(); ++t) a[static_cast<Eigen::Index>(t)] = terms[t].alpha;
    return a;
  }
  /// sum_x p_x K(x, z) for every row z of `candidates`.
  [[nodiscard]] Vector prices(const Matrix& candidates, std::span<const Term> p) const {
    return naive::gram(kernel, candidates, rows(p)) * alpha(p);
  }
};

/// The best edge of sign * max_x alpha K(z, x) over the rows z of `candidates`; |alpha| = 1 or 1 /
/// ||Phi(z)||.
inline double best_single_edge(const World& world, const Matrix& candidates, const Vector& dy,
                               const Single& kind, bool unit_norm) {
  double best = -kInfinity;
  for (Eigen::Index k = 0; k < candidates.rows(); ++k) {
    const Vector z = candidates.row(k).transpose();
    const double norm = unit_norm ? std::sqrt(naive::kernel_value(world.kernel, z, z)) : 1.0;
    const double alpha = norm > 1e-9 ? (kind.alpha < 0.0 ? -1.0 : 1.0) / norm : 0.0;
    const Response response =
        naive::respond(world.kernel, world.bags, candidates.row(k), Vector::Constant(1, alpha));
    best = std::max(best, naive::edge(response, dy, kind.sign));
  }
  return best;
}

}  // namespace shapeboost::examples
