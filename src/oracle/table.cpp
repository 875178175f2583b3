// SPDX-License-Identifier: MIT
#include "oracle/table.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "ground/numbers.hpp"
#include "ground/rng.hpp"
#include "ground/text.hpp"
#include "solve/kmeans.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

// These bound the size of a table and the work of making it, by N and m alone: memory and threads must not
// change the answer.
constexpr std::int64_t kTableEntries = 2'000'000;    // pool x bags
constexpr std::int64_t kTablePairs = 1'000'000'000;  // pool x N
constexpr std::int64_t kSmallestPool = 512;
constexpr std::int64_t kRunLength = 32;  // sampled candidates come in runs: a run's table costs little more
                                         // than its first row

std::int64_t pool_limit(std::int64_t n, std::int64_t bags) {
  return std::max(kSmallestPool, std::min(kTableEntries / std::max<std::int64_t>(1, bags),
                                          kTablePairs / std::max<std::int64_t>(1, n)));
}

}  // namespace

bool serves_every_sigma(const View& view) {
  return view.kernel.has_sigma() && view.kernel.kind() != KernelKind::gak && view.tau == 0.0;
}

const double* AffinityRows::find(Handle z) const {
  const std::shared_lock lock(mutex_);
  const auto found = rows_.find(z);
  return found == rows_.end() ? nullptr : found->second.data();
}

void AffinityRows::offer(Handle z, std::span<const double> row) {
  const std::unique_lock lock(mutex_);
  if (rows_.contains(z) || !take_(static_cast<std::int64_t>(row.size_bytes()))) return;
  rows_.emplace(z, std::vector<double>(row.begin(), row.end()));
}

std::int64_t AffinityRows::size() const {
  const std::shared_lock lock(mutex_);
  return static_cast<std::int64_t>(rows_.size());
}

Candidates Candidates::parse(std::string_view text) {
  if (text == "all") return {};
  if (const auto count = detail::count_after<std::int64_t>("sample:", text)) return {Kind::sample, *count};
  if (const auto count = detail::count_after<std::int64_t>("kmeans:", text)) return {Kind::kmeans, *count};
  throw InvalidInput("candidates: expected all, sample:N or kmeans:K with a whole number above 0, found '" +
                     std::string(text) + "'");
}

std::string Candidates::text() const {
  switch (kind) {
    case Kind::all: return "all";
    case Kind::sample: return "sample:" + std::to_string(count);
    case Kind::kmeans: return "kmeans:" + std::to_string(count);
  }
  return "unknown";
}

std::int64_t Table::bytes(const Dataset& data, const View& view, const Candidates& candidates) {
  const bool bags = view.kind == DataKind::bags;
  const std::int64_t m = data.size();
  std::int64_t numbers = 0;
  std::int64_t n = 0;
  for (std::int64_t i = 0; i < m; ++i) {
    numbers += view.rows() * (bags ? data.values(i).rows() : data.values(i).cols());
    n += bags ? data.values(i).rows() : windows_in(data.values(i).cols(), view);
  }
  std::int64_t pool = 0;
  switch (candidates.kind) {
    case Candidates::Kind::all: pool = pool_limit(n, m); break;
    case Candidates::Kind::sample: pool = candidates.count; break;
    case Candidates::Kind::kmeans:  // each class has its own
      pool = static_cast<std::int64_t>(data.classes().size()) * std::min(n, candidates.count);
      break;
  }
  pool = std::min(n, pool);
  return (numbers + (2 + 2 * view.rows()) * n) * kDouble + 2 * pool * m * kFloat;
}

Table::Table(const Dataset& data, const View& view, const std::vector<int>& labels,
             const TableSettings& settings, ThreadPool& threads)
    : instances_(make_instances(data, view)), unit_norm_(settings.unit_norm) {
  choose(labels, settings);
  fill(threads, nullptr, nullptr);
}

Table::Table(const Dataset& data, const View& view, const std::vector<int>& labels,
             const TableSettings& settings, ThreadPool& threads, TableExtremes& kept)
    : instances_(make_instances(data, view)), unit_norm_(settings.unit_norm) {
  choose(labels, settings);
  kept = {centres_, pool_, runs_, pool_is_all_, partial_, {}, {}};
  fill(threads, nullptr, &kept);
}

Table::Table(const Dataset& data, const View& view, const TableExtremes& kept, bool unit_norm,
             ThreadPool& threads)
    : instances_(make_instances(data, view)),
      centres_(kept.centres),
      pool_(kept.pool),
      runs_(kept.runs),
      pool_is_all_(kept.pool_is_all),
      partial_(kept.partial),
      unit_norm_(unit_norm) {
  fill(threads, &kept, nullptr);
}

void Table::choose(const std::vector<int>& labels, const TableSettings& settings) {
  if (settings.candidates.kind == Candidates::Kind::kmeans) {
    cluster(labels, settings);
  } else {
    choose_pool(settings);
  }
}

void Table::choose_pool(const TableSettings& settings) {
  const std::int64_t n = instances_->size();
  const std::int64_t limit = settings.candidates.kind == Candidates::Kind::sample ? settings.candidates.count
                                                                                  : pool_limit(n, bags());
  if (n <= limit) {
    pool_is_all_ = true;
    for (std::int64_t bag = 0; bag < bags(); ++bag) {
      if (instances_->count(bag) > 0) runs_.push_back({bag, 0, instances_->count(bag)});
    }
  } else {
    partial_ = settings.candidates.kind == Candidates::Kind::all;
    // Runs at random places, spread over the bags in a random order, every bag before any comes twice.
    Rng rng(settings.seed);
    std::vector<std::int64_t> order(at(bags()));
    std::vector<std::vector<char>> taken(at(bags()));
    std::int64_t total = 0;
    for (std::int64_t turn = 0; total < limit; ++turn) {
      if (turn % bags() == 0) {
        for (std::int64_t i = 0; i < bags(); ++i) order[at(i)] = i;
        shuffle(order, rng);
      }
      const std::int64_t bag = order[at(turn % bags())];
      if (instances_->count(bag) == 0) continue;
      const std::int64_t length = std::min(kRunLength, limit - total);
      const std::int64_t blocks = (instances_->count(bag) + length - 1) / length;
      auto& used = taken[at(bag)];
      used.resize(at(instances_->count(bag)));
      const std::int64_t start = rng.below(blocks) * length;
      for (std::int64_t j = start; j < std::min(start + length, instances_->count(bag)); ++j) {
        if (used[at(j)] != 0) continue;
        used[at(j)] = 1;
        if (!runs_.empty() && runs_.back().bag == bag && runs_.back().first + runs_.back().count == j) {
          ++runs_.back().count;
        } else {
          runs_.push_back({bag, j, 1});
        }
        ++total;
      }
    }
  }
  for (const Run& run : runs_) {
    for (std::int64_t j = 0; j < run.count; ++j) pool_.push_back(instances_->first(run.bag) + run.first + j);
  }
}

void Table::cluster(const std::vector<int>& labels, const TableSettings& settings) {
  std::vector<int> classes(labels);
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  Rng rng(settings.seed);
  for (const int label : classes) {
    std::vector<Handle> members;
    for (std::int64_t bag = 0; bag < bags(); ++bag) {
      if (labels[at(bag)] != label) continue;
      for (std::int64_t x = instances_->first(bag); x < instances_->first(bag + 1); ++x) members.push_back(x);
    }
    KMeansSettings kmeans_settings;
    kmeans_settings.k = static_cast<int>(settings.candidates.count);
    if (members.empty()) continue;
    const std::int64_t length = instances_->view().numbers();
    const KMeansSolution solution = kmeans(
        static_cast<std::int64_t>(members.size()), length,
        [&](std::int64_t i, double* out) {
          Eigen::Map<Vector>(out, length) = instances_->probe(members[at(i)]).values;
        },
        kmeans_settings, rng);
    for (Eigen::Index k = 0; k < solution.centres.rows(); ++k) {
      // Through the units of the data and back: a centre means what a stored instance with its values means.
      Instance centre;
      centre.values = instances_->unmapped(solution.centres.row(k).transpose());
      pool_.push_back(instances_->size() + static_cast<Handle>(centres_.size()));
      centres_.push_back(instances_->probe(centre));
    }
  }
}

double Table::alpha_of(Handle z) const {
  if (!unit_norm_) return 1.0;
  const Probe ready = probe(z);
  const double norm2 = instances_->similarity(ready, ready);
  return norm2 > 1e-12 ? 1.0 / std::sqrt(norm2) : 0.0;
}

void Table::fill(ThreadPool& threads, const TableExtremes* from, TableExtremes* to) {
  const std::int64_t m = bags();
  const auto rows = static_cast<std::int64_t>(pool_.size());
  largest_.setZero(rows, m);
  smallest_.setZero(rows, m);
  if (to != nullptr) {
    to->largest.setZero(rows, m);
    to->smallest.setZero(rows, m);
  }
  const Kernel& kernel = instances_->view().kernel;
  if (runs_.empty()) {
    threads.run(rows, [&](std::int64_t r) {
      Vector high(m);
      Vector low(m);
      if (from != nullptr) {
        high = from->largest.row(r);
        low = from->smallest.row(r);
      } else {
        affinity_extremes(pool_[at(r)], high.data(), low.data());
      }
      if (to != nullptr) {
        to->largest.row(r) = high;
        to->smallest.row(r) = low;
      }
      const double alpha = alpha_of(pool_[at(r)]);
      for (std::int64_t bag = 0; bag < m; ++bag) {
        if (instances_->count(bag) == 0) continue;
        largest_(r, bag) = static_cast<float>(alpha * kernel.value(high[bag]));
        smallest_(r, bag) = static_cast<float>(alpha * kernel.value(low[bag]));
      }
    });
    return;
  }
  struct Batch {  // of runs that are asked for together

    std::size_t run = 0;
    std::int64_t row = 0;
    std::size_t runs = 0;
    std::int64_t rows = 0;
  };
  std::vector<Batch> batches;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (batches.empty()) {
      batches.push_back({});
    } else if (batches.back().rows >= instances_->together()) {
      batches.push_back({r, batches.back().row + batches.back().rows});
    }
    ++batches.back().runs;
    batches.back().rows += runs_[r].count;
  }
  threads.run(static_cast<std::int64_t>(batches.size()), [&](std::int64_t k) {
    const Batch& batch = batches[at(k)];
    const std::span<const Run> runs(runs_.data() + batch.run, batch.runs);
    Matrix high;
    Matrix low;
    if (from != nullptr) {
      high = from->largest.middleRows(batch.row, batch.rows);
      low = from->smallest.middleRows(batch.row, batch.rows);
    } else {
      instances_->all_extremes(
          runs, [&] { threads.check(); }, high, low);
    }
    if (to != nullptr) {
      to->largest.middleRows(batch.row, batch.rows) = high;
      to->smallest.middleRows(batch.row, batch.rows) = low;
    }
    for (std::int64_t j = 0; j < batch.rows; ++j) {
      const double alpha = alpha_of(pool_[at(batch.row + j)]);
      kernel.values(high.row(j).data(), m);
      kernel.values(low.row(j).data(), m);
      for (std::int64_t bag = 0; bag < m; ++bag) {
        if (instances_->count(bag) == 0) continue;
        largest_(batch.row + j, bag) = static_cast<float>(alpha * high(j, bag));
        smallest_(batch.row + j, bag) = static_cast<float>(alpha * low(j, bag));
      }
    }
  });
}

void Table::affinity_extremes(Handle z, double* largest, double* smallest) const {
  const Probe ready = probe(z);
  std::vector<double> affinity;
  for (std::int64_t bag = 0; bag < bags(); ++bag) {
    const std::int64_t n = instances_->count(bag);
    largest[bag] = smallest[bag] = 0.0;
    if (n == 0) continue;
    affinity.resize(at(n));
    instances_->affinities(ready, {bag, 0, n}, affinity.data());
    const auto [low, high] = std::minmax_element(affinity.begin(), affinity.end());
    largest[bag] = *high;
    smallest[bag] = *low;
  }
}

void Table::extremes(Handle z, float* largest, float* smallest) const {
  const double alpha = alpha_of(z);
  const Kernel& kernel = instances_->view().kernel;
  Vector high(bags());
  Vector low(bags());
  affinity_extremes(z, high.data(), low.data());
  for (std::int64_t bag = 0; bag < bags(); ++bag) {
    const bool any = instances_->count(bag) > 0;
    largest[bag] = any ? static_cast<float>(alpha * kernel.value(high[bag])) : 0.0F;
    smallest[bag] = any ? static_cast<float>(alpha * kernel.value(low[bag])) : 0.0F;
  }
}

Probe Table::probe(Handle z) const {
  return z < instances_->size() ? instances_->probe(z) : centres_[at(z - instances_->size())];
}

Instance Table::instance(Handle z) const {
  if (z < instances_->size()) return instances_->instance(z);
  Instance centre;
  centre.values = instances_->unmapped(probe(z).values);
  return centre;
}

std::int64_t Table::bytes() const {
  return instances_->bytes() + (largest_.size() + smallest_.size()) * kFloat;
}

}  // namespace shapeboost
