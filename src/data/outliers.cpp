// SPDX-License-Identifier: MIT
#include "data/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ground/matrix.hpp"
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

Usual usual_of(const Dataset& data, std::int64_t k) {
  std::int64_t all = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) each_of(data, i, k, [&](double) { ++all; });
  const std::int64_t step = 1 + all / kLooked;
  std::vector<double> some;
  std::int64_t number = 0;
  for (std::int64_t i = 0; i < data.size(); ++i) {
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

std::string outlier_note(const Dataset& data) {
  if (data.kind() == DataKind::sequences || data.is_sparse()) return "";
  std::vector<char> far(at(data.size()), 0);
  std::string first;
  for (std::int64_t k = 0; k < data.width(); ++k) {
    const Usual usual = usual_of(data, k);
    if (usual.reach == 0.0) continue;
    for (std::int64_t i = 0; i < data.size(); ++i) {
      each_of(data, i, k, [&](double x) {
        if (std::abs(x - usual.centre) <= usual.reach) return;
        if (first.empty()) {
          first = concat("example ", data.name(i), " holds ", number(x),
                         ", more than a million times what numbers usually differ by");
        }
        far[at(i)] = 1;
      });
    }
  }
  const auto others = std::ranges::count(far, 1) - 1;
  if (first.empty()) return "";
  if (others > 0) first += concat(" (and ", others, others == 1 ? " other does" : " others do", ")");
  return first + "; if that means a missing value, write NaN or ? for it";
}

}  // namespace shapeboost::detail
