// SPDX-License-Identifier: MIT
#include "data/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "ground/text.hpp"

namespace shapeboost::detail {
namespace {

constexpr double kFar = 1e6;
constexpr std::int64_t kLooked =
    20'000;  // numbers of a channel or feature, from all over the data, whose medians are taken

double median(std::vector<double>& numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

/// Beyond `centre` +- `reach` a number is far out; a reach of 0 says nothing.
struct Usual {
  double centre = 0.0;
  double reach = 0.0;
};

/// Visits the numbers of a channel or feature of an example.
template <typename Visit>
void each_of(const Dataset& data, std::int64_t i, std::int64_t k, const Visit& visit) {
  const ArrayView values = data.values(i);
  const bool bags = data.kind() == DataKind::bags;
  for (std::int64_t j = 0; j < (bags ? values.rows() : values.cols()); ++j) {
    const double x = bags ? values(j, k) : values(k, j);
    if (!std::isnan(x)) visit(x);
  }
}

/// act(i) for every example.
template <typename Act>
void each_example(const Dataset& data, ThreadPool& threads, const Act& act) {
  constexpr std::int64_t kBlock = 1024;
  threads.run((data.size() + kBlock - 1) / kBlock, [&](std::int64_t block) {
    for (std::int64_t i = kBlock * block; i < std::min(data.size(), kBlock * (block + 1)); ++i) act(i);
  });
}

Usual usual_of(const Dataset& data, std::int64_t k, ThreadPool& threads) {
  std::vector<std::int64_t> count(at(data.size()), 0);
  each_example(data, threads, [&](std::int64_t i) {
    std::int64_t own = 0;
    each_of(data, i, k, [&](double) { ++own; });
    count[at(i)] = own;
  });
  const std::int64_t all = std::accumulate(count.begin(), count.end(), std::int64_t{0});
  const std::int64_t step = 1 + all / kLooked;
  std::vector<double> some;
  std::int64_t number = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    // The first of this example that is taken, if it has as many.
    const std::int64_t next = (number + step - 1) / step * step;
    if (next >= number + count[at(i)]) {
      number += count[at(i)];
      continue;
    }
    each_of(data, i, k, [&](double x) {
      if (number++ % step == 0) some.push_back(x);
    });
  }
  if (some.empty()) return {};
  const double centre = median(some);
  for (double& x : some) x = std::abs(x - centre);
  return {centre, kFar * median(some)};
}

}  // namespace

std::string outlier_note(const Dataset& data, ThreadPool& threads) {
  if (data.kind() == DataKind::sequences || data.is_sparse()) return "";
  std::vector<char> far(at(data.size()), 0);
  std::string first;
  for (std::int64_t k = 0; k < data.width(); ++k) {
    const Usual usual = usual_of(data, k, threads);
    if (usual.reach == 0.0) continue;
    std::vector<char> here(far.size(), 0);
    const auto is_far = [&](double x) { return !(std::abs(x - usual.centre) <= usual.reach); };
    each_example(data, threads, [&](std::int64_t i) {
      bool some = false;
      each_of(data, i, k, [&](double x) { some = some || is_far(x); });
      here[at(i)] = some ? 1 : 0;
    });
    for (std::int64_t i = 0; i < data.size(); ++i) {
      if (here[at(i)] == 0) continue;
      far[at(i)] = 1;
      each_of(data, i, k, [&](double x) {
        if (!first.empty() || !is_far(x)) return;
        first = concat("example ", data.name(i), " holds ", number(x),
                       ", more than a million times what numbers usually differ by");
      });
    }
  }
  const auto others = std::ranges::count(far, 1) - 1;
  if (first.empty()) return "";
  if (others > 0) first += concat(" (and ", others, others == 1 ? " other does" : " others do", ")");
  return first + "; if that means a missing value, write NaN or ? for it";
}

}  // namespace shapeboost::detail
