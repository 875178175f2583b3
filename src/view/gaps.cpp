// SPDX-License-Identifier: MIT
#include "view/gaps.hpp"

#include <algorithm>
#include <cmath>

namespace shapeboost::detail {
namespace {

bool is_known(double value) { return !std::isnan(value); }

}  // namespace

void fill_gaps(std::span<double> x) {
  auto known = std::find_if(x.begin(), x.end(), is_known);
  while (known != x.end()) {
    const auto next = std::find_if(known + 1, x.end(), is_known);
    if (next == x.end()) return;
    const auto steps = static_cast<double>(next - known);
    for (auto t = known + 1; t != next; ++t) {
      const double share = static_cast<double>(t - known) / steps;
      *t = (1.0 - share) * *known + share * *next;  // a difference of two large numbers could overflow
    }
    known = next;
  }
}

void fill_ends(std::span<double> x) {
  const auto first = std::find_if(x.begin(), x.end(), is_known);
  if (first == x.end()) return;
  std::fill(x.begin(), first, *first);
  const auto last = std::find_if(x.rbegin(), x.rend(), is_known);
  std::fill(x.rbegin(), last, *last);
}

}  // namespace shapeboost::detail
