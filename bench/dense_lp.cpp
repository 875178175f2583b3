// SPDX-License-Identifier: MIT
// How much faster is weak learning's own simplex method than a general one? OP 2's convex problem over
// drawn bags, as src/sparse_learner.cpp solves it: planes below F for each of 32 groups of negative bags,
// candidates by their price, ten linearisations one after the other. Once with DenseLp, once with the same
// program in Lp: Clp, warm from trial to trial. One thread.
//
// The answers are checked: both must find the same minima.
#include "solve/dense_lp.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "ground/rng.hpp"
#include "model/respond.hpp"
#include "sets.hpp"
#include "shapeboost/base.hpp"
#include "solve/status.hpp"
#include "ground/numbers.hpp"
#include "ground/matrix.hpp"

namespace {

using namespace shapeboost;

constexpr Eigen::Index kInstances = 7;  // of a bag
constexpr Eigen::Index kCandidates = 100;
constexpr Eigen::Index kGroups = 32;
constexpr int kLinearisations = 10;
constexpr double kTolerance = 1e-4;
constexpr double kSame = 1e-6;

/// K(x, z) of every instance of the negative bags, a row each, bags one after the other.
Matrix make_kernel(Eigen::Index bags, Rng& rng) {
  constexpr Eigen::Index kFeatures = 8;
  const auto draw = [&](Eigen::Index count) {
    Matrix points(count, kFeatures);
    for (Eigen::Index i = 0; i < points.size(); ++i) points.data()[i] = rng.normal();
    return points;
  };
  const Matrix x = draw(bags * kInstances);
  const Matrix z = draw(kCandidates);
  Matrix kernel(x.rows(), z.rows());
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    for (Eigen::Index k = 0; k < z.rows(); ++k) {
      kernel(i, k) = std::exp(-0.1 * (x.row(i) - z.row(k)).squaredNorm());
    }
  }
  return kernel;
}

/// The program behind a common face: rows a'x <= 0 but for the first, x >= 0 but for the taus.
class Clp {
 public:
  int add_column(double cost, const Vector& entries, bool free = false) {
    return lp_.add_column(cost, free ? -kInfinity : 0.0, kInfinity, sparse(entries));
  }
  int add_row(double b, const Vector& entries) { return lp_.add_row(-kInfinity, b, sparse(entries)); }
  void set_cost(int column, double cost) { lp_.set_cost(column, cost); }
  [[nodiscard]] LpSolution solve() { return lp_.solve(); }
  [[nodiscard]] int rows() const { return lp_.rows(); }
  [[nodiscard]] int columns() const { return lp_.columns(); }

 private:
  static std::vector<LpEntry> sparse(const Vector& entries) {
    std::vector<LpEntry> result;
    for (int i = 0; i < entries.size(); ++i) {
      if (entries[i] != 0.0) result.push_back({i, entries[i]});
    }
    return result;
  }
  Lp lp_;
};

struct Learning {
  std::vector<double> minima;
  double seconds = 0.0;  ///< in the program alone
  int solves = 0;
  int rows = 0;
  int columns = 0;
};

/// Planes a_t of group g: sums of rows of the kernel.
struct Plane {
  Eigen::Index group;
  Vector a;
};

template <typename Program>
Learning learn(const Matrix& kernel, const std::vector<Vector>& targets) {
  const Eigen::Index bags = kernel.rows() / kInstances;
  Program program;
  Learning run;
  std::vector<Plane> planes;
  std::vector<Eigen::Index> known;
  const auto timed = [&](const auto& work) {
    const double begin = bench::cpu_seconds();
    work();
    run.seconds += bench::cpu_seconds() - begin;
  };
  const auto add_plane = [&](Eigen::Index g, const Vector& a) {
    Vector entries = Vector::Zero(program.columns());
    entries[g] = -1.0;
    for (std::size_t k = 0; k < known.size(); ++k) {
      const auto column = kGroups + 2 * static_cast<Eigen::Index>(k);
      entries[column] = a[known[k]];
      entries[column + 1] = -a[known[k]];
    }
    planes.push_back({g, a});
    timed([&] { program.add_row(0.0, entries); });
  };
  const auto add_candidate = [&](Eigen::Index z, double c) {
    Vector entries(program.rows());
    for (std::size_t t = 0; t < planes.size(); ++t)
      entries[static_cast<Eigen::Index>(t) + 1] = planes[t].a[z];
    known.push_back(z);
    entries[0] = 1.0;
    timed([&] { program.add_column(-c, entries); });
    entries = -entries;
    entries[0] = 1.0;
    timed([&] { program.add_column(c, entries); });
  };
  /// The plane of each group at alpha, and their values.
  const auto respond = [&](const Vector& alpha) {
    const Vector field = kernel * alpha;
    std::vector<Vector> a(kGroups, Vector::Zero(kCandidates));
    for (Eigen::Index r = 0; r < bags; ++r) {
      Eigen::Index best = 0;
      field.segment(r * kInstances, kInstances).maxCoeff(&best);
      a[static_cast<std::size_t>(r * kGroups / bags)] +=
          kernel.row(r * kInstances + best).transpose() / static_cast<double>(bags);
    }
    return a;
  };

  for (Eigen::Index g = 0; g < kGroups; ++g) program.add_column(1.0, Vector(), true);
  program.add_row(1.0, Vector::Zero(kGroups));
  add_candidate(0, 0.0);
  const std::vector<Vector> first = respond(Vector::Unit(kCandidates, 0));
  for (Eigen::Index g = 0; g < kGroups; ++g) add_plane(g, first[static_cast<std::size_t>(g)]);
  for (const Vector& c : targets) {
    timed([&] {
      for (std::size_t k = 0; k < known.size(); ++k) {
        const auto column = static_cast<int>(kGroups + 2 * static_cast<Eigen::Index>(k));
        program.set_cost(column, -c[known[k]]);
        program.set_cost(column + 1, c[known[k]]);
      }
    });
    double best = 0.0;
    while (true) {
      LpSolution s;
      timed([&] { s = program.solve(); });
      if (s.status != Status::solved) throw Error("the program was not solved");
      ++run.solves;
      Vector alpha = Vector::Zero(kCandidates);
      for (std::size_t k = 0; k < known.size(); ++k) {
        const auto column = kGroups + 2 * static_cast<Eigen::Index>(k);
        alpha[known[k]] = s.x[column] - s.x[column + 1];
      }
      const std::vector<Vector> a = respond(alpha);
      double value = -c.dot(alpha);
      for (const Vector& each : a) value += each.dot(alpha);
      best = std::min(best, value);
      Vector score = -c;
      for (std::size_t t = 0; t < planes.size(); ++t) {
        score -= s.row_dual[static_cast<Eigen::Index>(t) + 1] * planes[t].a;
      }
      Eigen::Index z = 0;
      const double price = score.cwiseAbs().maxCoeff(&z);
      if (best + price <= kTolerance) break;
      for (Eigen::Index g = 0; g < kGroups; ++g) {
        const Vector& each = a[static_cast<std::size_t>(g)];
        if (each.dot(alpha) > s.x[g] + 0.1 * kTolerance / kGroups) add_plane(g, each);
      }
      if (std::find(known.begin(), known.end(), z) == known.end()) add_candidate(z, c[z]);
    }
    run.minima.push_back(best);
  }
  run.rows = program.rows();
  run.columns = program.columns();
  return run;
}

}  // namespace

int shapeboost::bench::run(int argc, char** argv) {
  nlohmann::json results = nlohmann::json::array();
  int faults = 0;
  std::printf("%6s %8s %8s %8s %12s %12s %8s\n", "bags", "rows", "columns", "solves", "dense us", "Clp us",
              "ratio");
  for (const Eigen::Index bags : {32, 64, 128, 256}) {
    Rng rng(static_cast<std::uint64_t>(bags));
    const Matrix kernel = make_kernel(bags, rng);
    std::vector<Vector> targets;  // c = sum_k d_k K(x_k*, .), from instances of positive bags
    const Matrix positive = make_kernel(bags, rng);
    for (int t = 0; t < kLinearisations; ++t) {
      Vector c = Vector::Zero(kCandidates);
      for (Eigen::Index k = 0; k < bags; ++k) {
        const auto x = k * kInstances + static_cast<Eigen::Index>(rng.below(kInstances));
        c += 1.3 * positive.row(x).transpose() / static_cast<double>(bags);
      }
      targets.push_back(c);
    }
    const Learning dense = learn<DenseLp>(kernel, targets);
    const Learning clp = learn<Clp>(kernel, targets);
    const double dense_us = 1e6 * dense.seconds / dense.solves;
    const double clp_us = 1e6 * clp.seconds / clp.solves;
    std::printf("%6d %8d %8d %8d %12.0f %12.0f %8.1f\n", static_cast<int>(bags), dense.rows, dense.columns,
                dense.solves, dense_us, clp_us, clp_us / dense_us);
    results.push_back({{"bags", bags}, {"dense_seconds", dense.seconds}, {"clp_seconds", clp.seconds}});
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (std::abs(dense.minima[t] - clp.minima[t]) <= kTolerance + kSame) continue;
      std::printf("WRONG: expected Clp's minimum of %.6f, got %.6f\n", clp.minima[t], dense.minima[t]);
      ++faults;
    }
  }
  bench::write_results(argc, argv, results);
  return faults == 0 ? 0 : 1;
}
