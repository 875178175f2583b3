// SPDX-License-Identifier: MIT
// An oracle whose bags lie in several places, as if on as many machines: each shard is a LocalOracle over some of
// the bags, and an instance of another shard reaches it by value only. The candidates are known to all shards; what
// they say of each bag, two numbers, is gathered once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "ground/numbers.hpp"
#include "ground/parallel.hpp"
#include "oracle/local_oracle.hpp"

namespace shapeboost::examples {

/// Every instance of a data set as a view sees it, by value.
inline std::vector<Instance> all_instances_of(const Dataset& data, const View& view) {
  const std::unique_ptr<Instances> instances = make_instances(data, view);
  std::vector<Instance> all;
  for (std::int64_t x = 0; x < instances->size(); ++x) all.push_back(instances->instance(x));
  return all;
}

/// Handles are those of an oracle over all the data: instances by number, bag after bag.
class ShardedOracle final : public Oracle {
 public:
  /// Bag k lies in shard k % shards. Every instance is a candidate.
  ShardedOracle(const Dataset& data, const View& view, bool unit_norm, int shards, ThreadPool& threads)
      : candidates_(all_instances_of(data, view)), shards_(at(shards)) {
    for (int s = 0; s < shards; ++s) {
      Shard& shard = shards_[at(s)];
      for (std::int64_t k = s; k < data.size(); k += shards) shard.bags.push_back(k);
      shard.data = std::make_unique<Dataset>(data.subset(shard.bags));
      const auto table = std::make_shared<const Table>(*shard.data, view, candidates_, unit_norm, threads);
      shard.own = table->instances().size();
      shard.oracle = std::make_unique<LocalOracle>(table, std::vector<std::int64_t>{}, kMemory, threads);
    }
    largest_.resize(std::ssize(candidates_), data.size());
    smallest_.resize(std::ssize(candidates_), data.size());
    for (const Shard& shard : shards_) {
      for (std::size_t k = 0; k < shard.bags.size(); ++k) {
        largest_.col(shard.bags[k]) = shard.oracle->table().largest().col(static_cast<Eigen::Index>(k));
        smallest_.col(shard.bags[k]) = shard.oracle->table().smallest().col(static_cast<Eigen::Index>(k));
      }
    }
    for (std::int64_t k = 0; k < data.size(); ++k) {
      const Shard& shard = shards_[at(k % shards)];
      const Instances& there = shard.oracle->table().instances();
      first_.push_back(static_cast<Handle>(place_.size()));
      for (std::int64_t j = 0; j < there.count(k / shards); ++j) {
        place_.push_back({static_cast<int>(k % shards), there.first(k / shards) + j, k});
      }
    }
  }

  [[nodiscard]] std::int64_t bags() const override { return static_cast<std::int64_t>(first_.size()); }
  [[nodiscard]] bool has_instances(std::int64_t k) const override {
    const Shard& shard = shards_[at(k) % shards_.size()];
    return shard.oracle->has_instances(k / std::ssize(shards_));
  }
  [[nodiscard]] std::int64_t bag_of(Handle z) const override { return place_[at(z)].bag; }
  [[nodiscard]] Instance instance(Handle z) const override { return candidates_[at(z)]; }

  [[nodiscard]] Response respond(std::span<const Term> shapelet) override {
    Response response{std::vector<double>(first_.size()), std::vector<std::int64_t>(first_.size(), -1)};
    for (Shard& shard : shards_) {
      const Response part = shard.oracle->respond(translated(shard, shapelet));
      for (std::size_t k = 0; k < shard.bags.size(); ++k) {
        response.value[at(shard.bags[k])] = part.value[k];
        response.argmax[at(shard.bags[k])] = part.argmax[k] < 0 ? -1 : global(shard, k, part.argmax[k]);
      }
    }
    return response;
  }
  [[nodiscard]] std::vector<std::vector<Peak>> peaks(std::span<const Term> shapelet,
                                                     std::int64_t count) override {
    std::vector<std::vector<Peak>> result(first_.size());
    for (Shard& shard : shards_) {
      std::vector<std::vector<Peak>> part = shard.oracle->peaks(translated(shard, shapelet), count);
      for (std::size_t k = 0; k < shard.bags.size(); ++k) {
        for (Peak& peak : part[k]) peak.x = global(shard, k, peak.x);
        result[at(shard.bags[k])] = std::move(part[k]);
      }
    }
    return result;
  }
  void similarities(Handle z, std::span<const Handle> x, double* out) override {
    for (std::size_t i = 0; i < x.size(); ++i) {
      out[i] = 0.0;
      if (x[i] < 0) continue;
      const Place& place = place_[at(x[i])];
      Shard& shard = shards_[at(place.shard)];
      shard.oracle->similarities(local(shard, z), std::span(&place.x, 1), out + i);
    }
  }

  /// The shard that holds x computes K(x, z) of all candidates z. Added up in the order of the terms, as one place
  /// does: learning goes on until tolerances are met, and would take another path from the last bit on.
  [[nodiscard]] Priced price(std::span<const Term> p) override {
    std::vector<double> score(candidates_.size(), 0.0);
    for (const Term& term : p) {
      const Place& place = place_[at(term.z)];
      const Term alone{place.x, 1.0};
      const std::vector<double> column = shards_[at(place.shard)].oracle->pool_scores({&alone, 1});
      for (std::size_t z = 0; z < score.size(); ++z) score[z] += term.alpha * column[z];
    }
    const auto best = std::max_element(score.begin(), score.end(),
                                       [](double a, double b) { return std::abs(a) < std::abs(b); });
    return {best - score.begin(), *best};
  }
  [[nodiscard]] Priced price_all(std::span<const Term> p) override { return price(p); }
  [[nodiscard]] bool partial() const override { return false; }

  [[nodiscard]] std::vector<Single> best_singles(const Vector& dy, int signs, int count) override {
    const Eigen::VectorXf weights = dy.cast<float>();
    std::vector<Single> best = best_rows({largest_ * weights, smallest_ * weights}, signs, count);
    for (Single& single : best) {
      single.z = single.row;
      single.alpha *= shards_.front().oracle->table().alpha_of(shards_.front().own + single.row);
    }
    return best;
  }
  [[nodiscard]] Vector values(const Single& single) override {
    const bool most = single.alpha > 0.0;
    return (most ? 1.0 : -1.0) * (most ? largest_ : smallest_).row(single.row).transpose().cast<double>();
  }
  [[nodiscard]] double seconds() const override { return 0.0; }

 private:
  static constexpr std::int64_t kMemory = std::int64_t{1} << 28;
  struct Shard {
    std::vector<std::int64_t> bags;
    std::unique_ptr<Dataset> data;
    std::unique_ptr<LocalOracle> oracle;
    std::int64_t own = 0;             // instances of its bags
    std::map<Handle, Handle> guests;  // by value from other shards
  };
  struct Place {
    int shard;
    Handle x;  // there
    std::int64_t bag;
  };

  [[nodiscard]] Handle local(Shard& shard, Handle z) const {
    const Place& place = place_[at(z)];
    if (&shards_[at(place.shard)] == &shard) return place.x;
    const auto [guest, fresh] = shard.guests.try_emplace(z, 0);
    if (fresh) guest->second = shard.oracle->take_in(candidates_[at(z)]);
    return guest->second;
  }
  [[nodiscard]] std::vector<Term> translated(Shard& shard, std::span<const Term> terms) const {
    std::vector<Term> result;
    for (const Term& term : terms) result.push_back({local(shard, term.z), term.alpha});
    return result;
  }
  [[nodiscard]] Handle global(const Shard& shard, std::size_t k, Handle x) const {
    return first_[at(shard.bags[k])] + x -
           shard.oracle->table().instances().first(static_cast<std::int64_t>(k));
  }

  std::vector<Instance> candidates_;
  Table::Rows largest_;  // of each candidate (row) and bag (column), gathered from the shards
  Table::Rows smallest_;
  std::vector<Shard> shards_;
  std::vector<Place> place_;   // of each instance
  std::vector<Handle> first_;  // instance of each bag
};

}  // namespace shapeboost::examples
