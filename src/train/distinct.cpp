// SPDX-License-Identifier: MIT
#include "train/distinct.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <span>
#include <tuple>

#include "ground/numbers.hpp"

namespace shapeboost::detail {
namespace {

/// Two hashes of 64 bits, each word mixed in as splitmix64 does, from different beginnings.
class Digest {
 public:
  void add(std::uint64_t word) {
    for (std::uint64_t& lane : lanes_) {
      lane ^= word;
      lane += 0x9E3779B97F4A7C15;
      lane = (lane ^ (lane >> 30)) * 0xBF58476D1CE4E5B9;
      lane = (lane ^ (lane >> 27)) * 0x94D049BB133111EB;
      lane ^= lane >> 31;
    }
  }
  void add(std::span<const double> values) {
    for (const double value : values) add(std::bit_cast<std::uint64_t>(value));
  }
  [[nodiscard]] const std::array<std::uint64_t, 2>& lanes() const { return lanes_; }

 private:
  std::array<std::uint64_t, 2> lanes_{0x243F6A8885A308D3, 0x13198A2E03707344};
};

/// Of each row of `rows`, that of its example.
Array<double> rows_of_given(const Array<double>& rows, const Distinct& examples) {
  Array<double> given(examples.place.size(), rows.cols());
  for (std::size_t i = 0; i < examples.place.size(); ++i) {
    for (std::int64_t k = 0; k < rows.cols(); ++k) given(i, k) = rows(examples.place[i], k);
  }
  return given;
}

}  // namespace

Identity identity(const Dataset& data, std::int64_t i) {
  Digest digest;
  if (!data.is_sparse()) {
    const ArrayView values = data.values(i);
    digest.add({values.data(), at(values.size())});
  } else {
    const SparseView values = data.sparse(i);
    for (std::int64_t r = 0; r < values.rows(); ++r) {
      const SparseView::Row row = values.row(r);
      digest.add(row.columns.size());
      for (const std::int32_t column : row.columns) digest.add(static_cast<std::uint64_t>(column));
      digest.add(row.values);
    }
  }
  return {data.label(i), data.rows(i), data.numbers(i), digest.lanes(), data.weight(i)};
}

std::optional<Grouping> grouped(const std::vector<Identity>& examples) {
  // Those that weigh something, copies beside each other, the first of them first.
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < std::ssize(examples); ++i) {
    if (examples[at(i)].weight > 0.0) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::int64_t i) {
    const Identity& one = examples[at(i)];
    return std::tie(one.label, one.rows, one.numbers, one.digest);
  });
  std::vector<std::int64_t> first;
  std::vector<double> weights;
  std::vector<std::size_t> group(examples.size());
  for (const std::int64_t i : order) {
    if (first.empty() || !examples[at(first.back())].same(examples[at(i)])) {
      first.push_back(i);
      weights.push_back(0.0);
    }
    group[at(i)] = first.size() - 1;
    weights.back() += examples[at(i)].weight;
  }
  std::vector<std::size_t> turn(first.size());  // of the groups
  std::iota(turn.begin(), turn.end(), 0);
  const bool uniform = std::ranges::adjacent_find(weights, std::not_equal_to()) == weights.end();
  if (uniform) std::ranges::sort(turn, {}, [&](std::size_t g) { return first[g]; });
  Grouping result{{}, {}, std::vector<std::int64_t>(examples.size(), -1)};
  std::vector<std::int64_t> new_place(first.size());
  for (const std::size_t g : turn) {
    new_place[g] = std::ssize(result.first);
    result.first.push_back(first[g]);
    result.weights.push_back(uniform ? 1.0 : weights[g]);
  }
  if (first.size() == examples.size() && std::ranges::is_sorted(result.first)) return std::nullopt;
  for (const std::int64_t i : order) result.place[at(i)] = new_place[group[at(i)]];
  return result;
}

std::optional<Distinct> distinct(const Dataset& data) {
  ThreadPool alone(1);
  return distinct(data, alone);
}

std::optional<Distinct> distinct(const Dataset& data, ThreadPool& threads) {
  constexpr std::int64_t kBlock = 1024;
  std::vector<Identity> examples(at(data.size()));
  threads.run((data.size() + kBlock - 1) / kBlock, [&](std::int64_t block) {
    for (std::int64_t i = kBlock * block; i < std::min(data.size(), kBlock * (block + 1)); ++i) {
      examples[at(i)] = identity(data, i);
    }
  });
  std::optional<Grouping> found = grouped(examples);
  if (!found) return std::nullopt;
  Distinct result{data.subset(found->first), std::move(found->first), std::move(found->place)};
  result.data.set_weights(found->weights);
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
