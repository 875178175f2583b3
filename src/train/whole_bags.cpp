// SPDX-License-Identifier: MIT
#include "train/whole_bags.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "solve/ridge.hpp"
#include "train/evidence.hpp"
#include "view/bag_distance.hpp"
#include "view/fit_view.hpp"

namespace shapeboost::detail {
namespace {

/// Eigenvalues below this share of the largest are taken for rounding, or for what no kernel has.
constexpr double kRank = 1e-5;
/// Distances between instances, of a view, that are not to be many more than this: fewer patterns of many instances.
constexpr std::int64_t kPairs = 400'000'000;
constexpr std::int64_t kFewestInstances = 200;
/// Numbers of bags by patterns that are kept for each view.
constexpr std::int64_t kEntries = 4'000'000;
constexpr std::int64_t kFewestBags = 50;

/// A bag that is a pattern, with the instances that stand for it, ascending.
struct Drawn {
  std::int64_t bag = 0;
  std::vector<std::int64_t> rows;
};

/// The number of instances that none of the bags may exceed, so that there are at most `most` in all.
std::int64_t fair_share(std::vector<std::int64_t> sizes, std::int64_t most) {
  std::ranges::sort(sizes);
  std::int64_t left = most;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const std::int64_t share = left / (std::ssize(sizes) - static_cast<std::int64_t>(k));
    if (sizes[k] > share) return std::max<std::int64_t>(1, share);
    left -= sizes[k];
  }
  return sizes.empty() ? 1 : sizes.back();
}

std::vector<Drawn> drawn_bags(const Dataset& data, std::uint64_t seed) {
  std::vector<std::int64_t> filled;
  std::int64_t instances = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (data.rows(i) > 0) filled.push_back(i);
    instances += data.rows(i);
  }
  const std::int64_t most_instances =
      std::clamp(kPairs / std::max<std::int64_t>(1, instances), kFewestInstances, kWholeInstances);
  const std::int64_t most_bags = std::min(
      {kWholeBags, most_instances, std::max(kFewestBags, kEntries / std::max<std::int64_t>(1, data.size()))});
  Rng rng(seed);
  if (std::ssize(filled) > most_bags) {
    rng.shuffle(filled);
    filled.resize(at(most_bags));
    std::ranges::sort(filled);
  }
  std::vector<std::int64_t> sizes;
  for (const std::int64_t bag : filled) sizes.push_back(data.rows(bag));
  const std::int64_t most = fair_share(sizes, most_instances);
  std::vector<Drawn> drawn;
  for (const std::int64_t bag : filled) {
    Drawn& one = drawn.emplace_back(Drawn{bag, std::vector<std::int64_t>(at(data.rows(bag)))});
    std::iota(one.rows.begin(), one.rows.end(), 0);
    if (std::ssize(one.rows) <= most) continue;
    rng.shuffle(one.rows);
    one.rows.resize(at(most));
    std::ranges::sort(one.rows);
  }
  return drawn;
}

/// All features, in every way that a view may see them; of ways that are given, these.
std::vector<View> seen_whole(const Dataset& data, const TrainSettings& settings) {
  std::vector<View> views;
  const auto add = [&](Scaling scaling, Aspect aspect, bool standardise) {
    View view;
    view.kind = data.kind();
    view.width = view.length = data.width();
    view.scaling = scaling;
    view.aspect = aspect;
    view.whole = 1;
    view.kernel = kernels::Gaussian{1.0};
    views.push_back(fit_all_but_sigma(std::move(view), data, standardise));
  };
  if (settings.scalings.empty() && settings.aspects.empty()) {
    add(Scaling::plain, Aspect::whole, false);
    if (settings.standardise) add(Scaling::plain, Aspect::whole, true);
    add(Scaling::plain, Aspect::direction, settings.standardise);
    add(Scaling::log, Aspect::whole, false);
    return views;
  }
  const std::vector<Scaling> plain{Scaling::plain};
  const std::vector<Aspect> whole{Aspect::whole};
  for (const Scaling scaling : settings.scalings.empty() ? plain : settings.scalings) {
    for (const Aspect aspect : settings.aspects.empty() ? whole : settings.aspects) {
      add(scaling, aspect, settings.standardise);
    }
  }
  return views;
}

/// Distances of a view, in units of the median between two patterns.
struct Seen {
  Eigen::MatrixXf of_bags;   // a bag a row, a pattern a column; NaN where it has no instance
  Eigen::MatrixXd of_drawn;  // symmetric
  double unit = 0.0;         // 0: nothing can be told apart
};

double median_between(const Eigen::MatrixXd& distance) {
  std::vector<double> apart;
  for (Eigen::Index a = 0; a < distance.rows(); ++a) {
    for (Eigen::Index b = 0; b < a; ++b) apart.push_back(distance(a, b));
  }
  if (apart.empty()) return 0.0;
  const auto middle = apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2);
  std::nth_element(apart.begin(), middle, apart.end());
  if (*middle > 0.0) return *middle;
  return std::accumulate(apart.begin(), apart.end(), 0.0) / real(std::ssize(apart));
}

Seen seen(const View& view, const Dataset& data, const std::vector<Drawn>& drawn, ThreadPool& threads) {
  const auto count = std::ssize(drawn);
  std::vector<Matrix> own(at(count));
  std::vector<std::int64_t> sizes;
  std::int64_t rows = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    own[at(k)] = mapped_bag(view, data.values(drawn[at(k)].bag))(drawn[at(k)].rows, Eigen::all);
    sizes.push_back(own[at(k)].rows());
    rows += sizes.back();
  }
  Matrix all(rows, count > 0 ? own.front().cols() : 0);
  Eigen::Index row = 0;
  for (const Matrix& one : own) {
    all.middleRows(row, one.rows()) = one;
    row += one.rows();
  }
  const BagDistances distances(std::move(all), sizes);
  Seen result;
  result.of_bags = Eigen::MatrixXf::Constant(data.size(), count, std::numeric_limits<float>::quiet_NaN());
  result.of_drawn.resize(count, count);
  std::vector<std::int64_t> place(at(data.size()), -1);  // of the bags that are patterns
  for (std::int64_t k = 0; k < count; ++k) place[at(drawn[at(k)].bag)] = k;
  threads.run(data.size(), [&](std::int64_t i) {
    if (data.rows(i) == 0) return;
    std::vector<double> to(at(count));
    distances.of(mapped_bag(view, data.values(i)), to.data());
    for (std::int64_t k = 0; k < count; ++k) result.of_bags(i, k) = static_cast<float>(to[at(k)]);
    const std::int64_t p = place[at(i)];
    if (p < 0) return;
    if (own[at(p)].rows() < data.rows(i)) distances.of(own[at(p)], to.data());
    for (std::int64_t k = 0; k < count; ++k) result.of_drawn(k, p) = to[at(k)];
  });
  result.of_drawn = (0.5 * (result.of_drawn + result.of_drawn.transpose())).eval();
  result.unit = median_between(result.of_drawn);
  if (!std::isfinite(result.unit)) result.unit = 0.0;
  return result;
}

/// exp(-q (S / u)^q), as bag_similarity() has it of a view with sigma = (q^(1/q) / u)^2.
double sigma_of(double unit, int q) { return real(q) / (unit * unit); }

struct Solved {
  RidgeSolution ridge;
  Eigen::MatrixXd of_drawn;  // weights of K, a row a pattern
};

/// What is said with the exponent q.
Solved solved(const std::vector<Seen>& views, std::vector<View>& planned, int q, const Eigen::MatrixXd& Y,
              const Vector& v, ThreadPool& threads) {
  const Eigen::Index m = views.front().of_bags.rows();
  const Eigen::Index count = views.front().of_bags.cols();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(m, count);
  Eigen::MatrixXd of_drawn = Eigen::MatrixXd::Zero(count, count);
  for (std::size_t k = 0; k < views.size(); ++k) {
    View& view = planned[k];
    view.whole = q;
    view.kernel.set_sigma(sigma_of(views[k].unit, q));
    const double share = 1.0 / real(std::ssize(views));
    threads.run(count, [&](std::int64_t z) {
      for (Eigen::Index i = 0; i < m; ++i) {
        K(i, z) += share * bag_similarity(view, static_cast<double>(views[k].of_bags(i, z)));
      }
      for (Eigen::Index i = 0; i < count; ++i) {
        of_drawn(i, z) += share * bag_similarity(view, views[k].of_drawn(i, z));
      }
    });
  }
  for (Eigen::Index z = 0; z < count; ++z) {  // a bag without instances is like the mean of the others
    double sum = 0.0;
    double filled = 0.0;
    for (Eigen::Index i = 0; i < m; ++i) {
      if (std::isnan(K(i, z))) continue;
      sum += K(i, z);
      filled += 1.0;
    }
    for (Eigen::Index i = 0; i < m; ++i) {
      if (std::isnan(K(i, z))) K(i, z) = sum / filled;
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(of_drawn);
  const Vector& lambda = eigen.eigenvalues();  // rising
  Eigen::Index first = 0;
  while (first + 1 < count && lambda[first] <= kRank * lambda[count - 1]) ++first;
  const Eigen::MatrixXd map = eigen.eigenvectors().rightCols(count - first) *
                              lambda.tail(count - first).cwiseSqrt().cwiseInverse().asDiagonal();
  const Columns X = (K * map).cast<float>();
  RidgeSettings settings;
  settings.smallest = 1e-5;
  settings.largest = 1e4;
  settings.start = 0.1;
  Solved result{ridge(X, Y, v, settings, threads), {}};
  result.of_drawn = map * result.ridge.weights;
  return result;
}

}  // namespace

WholeBags whole_bags(const Dataset& data, const TrainSettings& settings, const Eigen::MatrixXd& Y,
                     const Vector& v, ThreadPool& threads) {
  constexpr std::uint64_t kStream = 1U << 20;  // beyond those of the members
  WholeBags result;
  const std::vector<Drawn> drawn = drawn_bags(data, stream_seed(settings.seed, kStream));
  if (drawn.size() < 2) return result;
  std::vector<View> views;
  std::vector<Seen> distances;
  for (View& view : seen_whole(data, settings)) {
    Seen found = seen(view, data, drawn, threads);
    if (!(found.unit > 0.0)) continue;
    distances.push_back(std::move(found));
    views.push_back(std::move(view));
  }
  if (views.empty()) return result;
  std::vector<View> other = views;
  Solved best = solved(distances, views, 1, Y, v, threads);
  if (Solved second = solved(distances, other, 2, Y, v, threads);
      second.ridge.left_out_error < best.ridge.left_out_error) {
    best = std::move(second);
    views = std::move(other);
  }

  result.b = best.ridge.b;
  result.left_out = best.ridge.left_out;
  result.alpha = best.ridge.alpha;
  result.residual = best.ridge.residual;
  const auto count = std::ssize(drawn);
  result.weights.resize(count * std::ssize(views), Y.cols());
  std::int64_t instances = 0;
  std::int64_t largest = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    instances += data.rows(i);
    largest = std::max(largest, data.rows(i));
  }
  for (std::size_t k = 0; k < views.size(); ++k) {
    result.facts.push_back({instances, 1.0, largest});
    for (std::int64_t z = 0; z < count; ++z) {
      Hypothesis& hypothesis = result.hypotheses.emplace_back();
      hypothesis.view = static_cast<int>(k);
      const Drawn& one = drawn[at(z)];
      for (const std::int64_t row : one.rows) {
        const std::span<const double> values = data.values(one.bag).row(row);
        hypothesis.shapelet.instances.push_back({{values.begin(), values.end()}, one.bag, row});
      }
      hypothesis.shapelet.alpha.assign(one.rows.size(), 1.0 / real(std::ssize(one.rows)));
      Eigen::VectorXf said(data.size());
      for (std::int64_t i = 0; i < data.size(); ++i) {
        said[i] =
            static_cast<float>(bag_similarity(views[k], static_cast<double>(distances[k].of_bags(i, z))));
      }
      const Standard standard = standardise(said, {});
      hypothesis.standard[static_cast<std::size_t>(Evidence::bag)] = standard;
      const Eigen::RowVectorXd w = best.of_drawn.row(z) / real(std::ssize(views));
      result.weights.row(static_cast<std::int64_t>(k) * count + z) = w * standard.scale;
      result.b += standard.centre * w.transpose();
    }
  }
  result.views = std::move(views);
  return result;
}

}  // namespace shapeboost::detail
