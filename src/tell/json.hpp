// SPDX-License-Identifier: MIT
// What several records and the report write alike.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "ground/json.hpp"
#include "ground/numbers.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost::detail {

/// A class's name; null where there is none: the rest, or no label.
[[nodiscard]] inline Json class_json(const Model& model, int k) {
  return k < 0 ? Json(nullptr) : Json(model.classes[at(k)]);
}

/// A number that counts from 0; null below.
[[nodiscard]] inline Json index_json(std::int64_t i) { return i < 0 ? Json(nullptr) : Json(i); }

/// The channels that windows of the view show, counted from 0.
[[nodiscard]] inline Json channels_json(const View& view) {
  Json channels = Json::array();
  for (std::int64_t row = 0; row < view.rows(); ++row) channels.push_back(view.channel(row));
  return channels;
}

/// What is known of a head besides its weights.
[[nodiscard]] inline Json head_json(const Head& head) {
  Json evidence = Json::array();
  for (const Evidence one : head.evidence) evidence.push_back(to_string(one));
  Json json{{"kind", "ridge"},
            {"evidence", evidence},
            {"alpha", head.alpha},
            {"left_out_accuracy", head.left_out_accuracy},
            {"left_out_error", head.left_out_error},
            {"residual", head.residual}};
  if (head.intervals) json["intervals"] = head.intervals->size();
  if (head.apart.empty()) return json;
  for (const HeadShare& one : head.apart)
    json["apart"].push_back({{"alpha", one.alpha}, {"share", one.share}});
  json["averaged"] = head.averaged;
  return json;
}

/// A list of what `make` says of each.
[[nodiscard]] Json list_of(const auto& all, const auto& make) {
  Json list = Json::array();
  for (const auto& one : all) list.push_back(make(one));
  return list;
}

/// One row of a matrix.
[[nodiscard]] Json row_json(const auto& matrix, std::int64_t i) {
  Json list = Json::array();
  for (std::int64_t j = 0; j < matrix.cols(); ++j) list.push_back(matrix(i, j));
  return list;
}

/// Row by row.
[[nodiscard]] Json matrix_json(const auto& matrix) {
  Json rows = Json::array();
  for (std::int64_t i = 0; i < matrix.rows(); ++i) rows.push_back(row_json(matrix, i));
  return rows;
}

/// The indices of numbers, the largest in size first.
[[nodiscard]] inline std::vector<std::int64_t> by_size(std::span<const double> numbers) {
  std::vector<std::int64_t> order(numbers.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::int64_t k) { return std::abs(numbers[at(k)]); });
  return order;
}

}  // namespace shapeboost::detail
