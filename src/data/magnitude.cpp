// SPDX-License-Identifier: MIT
#include "data/magnitude.hpp"

#include <algorithm>
#include <cmath>

#include "ground/numbers.hpp"
#include "ground/text.hpp"

namespace shapeboost::detail {
namespace {

/// The largest number of an example in size, missing ones left out.
double largest_of(const Dataset& data, std::int64_t i) {
  double largest = 0.0;
  const auto look_at = [&largest](std::span<const double> values) {
    for (const double value : values) {
      if (std::abs(value) > std::abs(largest)) largest = value;
    }
  };
  if (!data.is_sparse()) {
    const ArrayView values = data.values(i);
    look_at({values.data(), at(values.size())});
  } else {
    for (std::int64_t r = 0; r < data.rows(i); ++r) look_at(data.sparse(i).row(r).values);
  }
  return largest;
}

}  // namespace

std::string too_large(const Dataset& data) {
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const double largest = largest_of(data, i);
    if (std::abs(largest) <= kLargestValue) continue;
    return concat("example ", data.name(i), ": expected numbers up to ", number(kLargestValue),
                  " in size, found ", number(largest));
  }
  return "";
}

std::string too_small(const Dataset& data) {
  double largest = 0.0;
  for (std::int64_t i = 0; i < data.size(); ++i) largest = std::max(largest, std::abs(largest_of(data, i)));
  if (largest == 0.0 || largest >= kSmallestScale) return "";
  return concat("expected numbers of at least ", number(kSmallestScale), " in size, found none above ",
                number(largest));
}

}  // namespace shapeboost::detail
