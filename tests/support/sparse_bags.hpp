// SPDX-License-Identifier: MIT
// The same bags with their zeros and without, and made-up sparse ones.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "ground/rng.hpp"
#include "shapeboost/dataset.hpp"
#include "support/matrices.hpp"

namespace shapeboost::examples {

/// `data`, its zeros left out.
inline Dataset without_zeros(const Dataset& data) {
  Dataset result(DataKind::bags, data.source());
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const ArrayView bag = data.values(i);
    std::vector<std::int64_t> starts{0};
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    for (std::int64_t r = 0; r < bag.rows(); ++r) {
      for (std::int64_t f = 0; f < bag.cols(); ++f) {
        if (bag(r, f) == 0.0) continue;
        columns.push_back(static_cast<std::int32_t>(f));
        values.push_back(bag(r, f));
      }
      starts.push_back(static_cast<std::int64_t>(values.size()));
    }
    result.add(SparseView(starts, columns.data(), values.data(), bag.cols()),
               data.label(i) == kUnlabelled ? "" : data.classes()[static_cast<std::size_t>(data.label(i))],
               data.name(i));
  }
  return result;
}

/// Bags of counts, about one in five not 0; the first feature is larger in every second bag, the last is always 0.
inline Dataset mostly_zeros(std::int64_t bags, std::int64_t features, std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::bags);
  for (std::int64_t i = 0; i < bags; ++i) {
    Matrix bag = Matrix::Zero(1 + rng.below(5), features);
    for (Eigen::Index r = 0; r < bag.rows(); ++r) {
      for (Eigen::Index f = 0; f + 1 < features; ++f) {
        if (rng.below(5) == 0) bag(r, f) = static_cast<double>(1 + rng.below(3));
      }
      if (i % 2 == 0) bag(r, 0) = 4.0;
    }
    add(data, bag, i % 2 == 0 ? "a" : "b", std::to_string(i));
  }
  return data;
}

/// Bags of `instances` instances, each with `numbers` ones among very many features, the low ones more frequent as words
/// are; in class "about" some instance has a 5 among the features 100 to 104.
inline Dataset text_bags(std::int64_t bags, std::int64_t instances, std::int64_t numbers,
                         std::int64_t features, std::uint64_t seed) {
  Rng rng(seed);
  Dataset data(DataKind::bags);
  for (std::int64_t i = 0; i < bags; ++i) {
    std::vector<std::int64_t> starts{0};
    std::vector<std::int32_t> columns;
    const std::int64_t speaks = i % 2 == 0 ? rng.below(instances) : -1;
    for (std::int64_t r = 0; r < instances; ++r) {
      std::vector<std::int32_t> row;
      while (static_cast<std::int64_t>(row.size()) < numbers) {
        const double u = rng.uniform();
        auto f = static_cast<std::int32_t>(static_cast<double>(features) * u * u * u);
        if (f >= 100 && f < 105) f += 5;
        if (r == speaks && row.empty()) f = static_cast<std::int32_t>(100 + rng.below(5));
        if (std::find(row.begin(), row.end(), f) == row.end()) row.push_back(f);
      }
      std::sort(row.begin(), row.end());
      columns.insert(columns.end(), row.begin(), row.end());
      starts.push_back(static_cast<std::int64_t>(columns.size()));
    }
    std::vector<double> values;
    for (const std::int32_t f : columns) values.push_back(f >= 100 && f < 105 ? 5.0 : 1.0);
    data.add(SparseView(starts, columns.data(), values.data(), features), i % 2 == 0 ? "about" : "not",
             std::to_string(i));
  }
  return data;
}

}  // namespace shapeboost::examples
