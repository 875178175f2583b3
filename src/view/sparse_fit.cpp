// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "ground/numbers.hpp"
#include "view/instances.hpp"
#include "view/sparse_rows.hpp"

namespace shapeboost::detail {
namespace {

/// Most features that a view of sparse bags takes: an instance of a pattern holds a number for each.
constexpr std::int64_t kMostSparseFeatures = 5000;

}  // namespace

void drop_rare_features(View& view, const Dataset& data) {
  std::vector<std::int64_t> bags(at(data.width()), 0);
  std::vector<std::int64_t> last(at(data.width()), -1);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const SparseView rows = data.sparse(i);
    for (std::int64_t r = 0; r < rows.rows(); ++r) {
      for (const std::int32_t f : rows.row(r).columns) {
        if (std::exchange(last[at(f)], i) != i) ++bags[at(f)];
      }
    }
  }
  std::vector<int> features = view.features;
  if (features.empty()) {
    features.resize(at(data.width()));
    std::iota(features.begin(), features.end(), 0);
  }
  const std::size_t all = features.size();
  const int first = features.front();
  std::erase_if(features, [&](int f) { return bags[at(f)] == 0; });
  if (features.empty()) features.push_back(first);  // a view has one
  if (std::ssize(features) > kMostSparseFeatures) {
    std::ranges::stable_sort(features, std::greater(), [&](int f) { return bags[at(f)]; });
    features.resize(at(kMostSparseFeatures));
    std::ranges::sort(features);
  }
  if (features.size() == all) return;
  view.features = std::move(features);
  view.length = std::ssize(view.features);
}

std::vector<double> sparse_deviations(const View& view, const Dataset& data) {
  const FeaturePlaces places(view);
  std::vector<double> sum(at(view.rows()), 0.0);
  std::vector<double> count(at(view.rows()), 0.0);
  std::vector<double> squares(at(view.rows()), 0.0);
  const auto each = [&](const auto& visit) {
    for (std::int64_t i = 0; i < data.size(); ++i) {
      const SparseView rows = data.sparse(i);
      for (std::int64_t r = 0; r < rows.rows(); ++r) {
        const SparseView::Row row = rows.row(r);
        for (std::size_t k = 0; k < row.columns.size(); ++k) {
          const std::int32_t f = places[row.columns[k]];
          if (f >= 0) visit(at(f), row.values[k]);
        }
      }
    }
  };
  each([&](std::size_t f, double x) {
    sum[f] += x;
    count[f] += 1.0;
  });
  const double n = real(instances_in(data, view));
  each([&](std::size_t f, double x) { squares[f] += (x - sum[f] / n) * (x - sum[f] / n); });
  std::vector<double> deviations;
  for (std::size_t f = 0; f < sum.size(); ++f) {
    const double mean = sum[f] / n;
    deviations.push_back(std::sqrt((squares[f] + (n - count[f]) * mean * mean) / n));
  }
  return deviations;
}

}  // namespace shapeboost::detail
