// SPDX-License-Identifier: MIT
#include "train/distinct.hpp"

#include <algorithm>
#include <bit>
#include <compare>
#include <functional>
#include <numeric>
#include <span>

#include "ground/numbers.hpp"

namespace shapeboost::detail {
namespace {

std::strong_ordering by_bits(std::span<const double> a, std::span<const double> b) {
  return std::lexicographical_compare_three_way(
      a.begin(), a.end(), b.begin(), b.end(),
      [](double x, double y) { return std::bit_cast<std::uint64_t>(x) <=> std::bit_cast<std::uint64_t>(y); });
}

/// By label, shape and numbers.
std::strong_ordering compared(const Dataset& data, std::int64_t i, std::int64_t j) {
  if (const auto order = data.label(i) <=> data.label(j); order != 0) return order;
  if (const auto order = data.rows(i) <=> data.rows(j); order != 0) return order;
  if (const auto order = data.numbers(i) <=> data.numbers(j); order != 0) return order;
  if (!data.is_sparse()) {
    const ArrayView a = data.values(i);
    const ArrayView b = data.values(j);
    return by_bits({a.data(), at(a.size())}, {b.data(), at(b.size())});
  }
  const SparseView a = data.sparse(i);
  const SparseView b = data.sparse(j);
  for (std::int64_t r = 0; r < a.rows(); ++r) {
    const SparseView::Row x = a.row(r);
    const SparseView::Row y = b.row(r);
    const auto columns = std::lexicographical_compare_three_way(x.columns.begin(), x.columns.end(),
                                                                y.columns.begin(), y.columns.end());
    if (columns != 0) return columns;
    if (const auto values = by_bits(x.values, y.values); values != 0) return values;
  }
  return std::strong_ordering::equal;
}

/// Those that weigh something, copies beside each other, the first of them first.
std::vector<std::int64_t> sorted(const Dataset& data) {
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (data.weight(i) > 0.0) order.push_back(i);
  }
  std::ranges::stable_sort(order, [&](std::int64_t i, std::int64_t j) { return compared(data, i, j) < 0; });
  return order;
}

/// Of each row of `rows`, that of its example.
Array<double> rows_of_given(const Array<double>& rows, const Distinct& examples) {
  Array<double> given(examples.place.size(), rows.cols());
  for (std::size_t i = 0; i < examples.place.size(); ++i) {
    for (std::int64_t k = 0; k < rows.cols(); ++k) given(i, k) = rows(examples.place[i], k);
  }
  return given;
}

}  // namespace

std::optional<Distinct> distinct(const Dataset& data) {
  const std::vector<std::int64_t> order = sorted(data);
  std::vector<std::int64_t> first;
  std::vector<double> weights;
  std::vector<std::size_t> group(at(data.size()));
  for (const std::int64_t i : order) {
    if (first.empty() || compared(data, first.back(), i) != 0) {
      first.push_back(i);
      weights.push_back(0.0);
    }
    group[at(i)] = first.size() - 1;
    weights.back() += data.weight(i);
  }
  std::vector<std::size_t> turn(first.size());  // of the groups
  std::iota(turn.begin(), turn.end(), 0);
  const bool uniform = std::ranges::adjacent_find(weights, std::not_equal_to()) == weights.end();
  if (uniform) std::ranges::sort(turn, {}, [&](std::size_t g) { return first[g]; });
  Distinct result{Dataset(data.kind()), {}, std::vector<std::int64_t>(at(data.size()), -1)};
  std::vector<double> own;
  std::vector<std::int64_t> new_place(first.size());
  for (const std::size_t g : turn) {
    new_place[g] = std::ssize(result.first);
    result.first.push_back(first[g]);
    own.push_back(uniform ? 1.0 : weights[g]);
  }
  if (std::ssize(first) == data.size() && std::ranges::is_sorted(result.first)) return std::nullopt;
  for (const std::int64_t i : order) result.place[at(i)] = new_place[group[at(i)]];
  result.data = data.subset(result.first);
  result.data.set_weights(own);
  return result;
}

Dataset distinct_data(Dataset data) {
  std::optional<Distinct> found = distinct(data);
  return found ? std::move(found->data) : std::move(data);
}

void tell_of_given(const Distinct& examples, TrainingResult& result) {
  for (Hypothesis& hypothesis : result.model.hypotheses) {
    for (Instance& z : hypothesis.shapelet.instances) {
      if (z.example >= 0) z.example = examples.first[at(z.example)];
    }
  }
  const bool all = std::ranges::find(examples.place, -1) == examples.place.end();
  if (result.left_out.rows() > 0) {
    result.left_out = all ? rows_of_given(result.left_out, examples) : Array<double>{};
  }
}

}  // namespace shapeboost::detail
