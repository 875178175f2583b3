// SPDX-License-Identifier: MIT
#include "oracle/table.hpp"

#include <mutex>
#include <set>

#include "ground/names.hpp"
#include "ground/rng.hpp"
#include "ground/text.hpp"
#include "solve/kmeans.hpp"

namespace shapeboost {
namespace {

// These bound the size of a table and the work of making it, by N and m alone: memory and threads must not
// change the answer.
constexpr std::int64_t kTableEntries = 2'000'000;    // pool x bags
constexpr std::int64_t kTablePairs = 1'000'000'000;  // pool x N
constexpr std::int64_t kSmallestPool = 512;
constexpr std::int64_t kRunLength = 32;  // sampled candidates come in runs: a run's table costs little more
                                         // than its first row

constexpr double kLargestSimilarity = 1e20;  // linear programs take what is larger for infinite

constexpr Names<Candidates::Kind, 3> kKinds{{{Candidates::Kind::all, "all"},
                                             {Candidates::Kind::sample, "sample"},
                                             {Candidates::Kind::kmeans, "kmeans"}}};

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
  return std::ssize(rows_);
}

Candidates Candidates::parse(std::string_view text) {
  if (text == "all") return {};
  if (const auto count = detail::count_after<std::int64_t>("sample:", text)) return {Kind::sample, *count};
  if (const auto count = detail::count_after<std::int64_t>("kmeans:", text)) return {Kind::kmeans, *count};
  throw InvalidInput("candidates: expected all, sample:N or kmeans:K with a whole number above 0, found '" +
                     std::string(text) + "'");
}

std::string Candidates::text() const {
  const std::string name(name_of(kKinds, kind));
  return kind == Kind::all ? name : name + ":" + std::to_string(count);
}

std::int64_t Table::bytes(const Dataset& data, const View& view, const Candidates& candidates) {
  const std::int64_t m = data.size();
  const std::int64_t n = instances_in(data, view);
  std::int64_t numbers = 0;
  for (std::int64_t i = 0; i < m; ++i) {
    const bool bags = view.kind == DataKind::bags;
    if (bags && data.is_sparse()) {
      numbers += 3 * data.numbers(i);  // by instances and by features, with where they belong
    } else {
      numbers += view.rows() * (bags ? data.rows(i) : data.values(i).cols());
    }
  }
  // Windows have a mean and a deviation in each channel.
  const std::int64_t each = view.kind == DataKind::bags ? 2 : 2 + 2 * view.rows();
  return (numbers + each * n) * kDouble + rows_bytes(data, view, candidates);
}

std::int64_t Table::rows_bytes(const Dataset& data, const View& view, const Candidates& candidates) {
  const std::int64_t m = data.size();
  const std::int64_t n = instances_in(data, view);
  std::int64_t pool = candidates.count;
  if (candidates.kind == Candidates::Kind::all) pool = pool_limit(n, m);
  if (candidates.kind == Candidates::Kind::kmeans) {  // each class has its own
    pool = std::ssize(data.classes()) * std::min(n, candidates.count);
  }
  return 2 * std::min(n, pool) * m * kFloat;
}

Table::Table(const Dataset& data, const View& view, bool unit_norm)
    : instances_(make_instances(data, view)), unit_norm_(unit_norm) {}

Table::Table(const Dataset& data, const View& view, const std::vector<int>& labels,
             const TableSettings& settings, ThreadPool& threads, TableExtremes* keep)
    : Table(make_instances(data, view), labels, settings, threads, keep) {}

Table::Table(std::unique_ptr<Instances> instances, const std::vector<int>& labels,
             const TableSettings& settings, ThreadPool& threads, TableExtremes* keep)
    : instances_(std::move(instances)), unit_norm_(settings.unit_norm) {
  choose(labels, settings);
  if (keep != nullptr) keep->pool = pool_;
  fill(threads, nullptr, keep);
}

Table::Table(const Dataset& data, const View& view, const TableExtremes& kept, bool unit_norm,
             ThreadPool& threads)
    : Table(data, view, unit_norm) {
  pool_ = kept.pool;
  fill(threads, &kept, nullptr);
}

Table::Table(const Dataset& data, const View& view, const std::vector<Instance>& candidates, bool unit_norm,
             ThreadPool& threads)
    : Table(data, view, unit_norm) {
  for (const Instance& candidate : candidates) add_centre(candidate);
  fill(threads, nullptr, nullptr);
}

ViewFacts Table::facts() const {
  ViewFacts facts{instances_->size(), instances_->radius(), 0};
  for (std::int64_t i = 0; i < bags(); ++i)
    facts.largest_bag = std::max(facts.largest_bag, instances_->count(i));
  return facts;
}

void Table::add_centre(const Instance& centre) {
  pool_.handles.push_back(handles());
  pool_.centres.push_back(instances_->probe(centre));
}

void Table::choose(const std::vector<int>& labels, const TableSettings& settings) {
  const auto [kind, count] = settings.candidates;
  if (kind == Candidates::Kind::kmeans) {
    cluster(labels, settings);
    return;
  }
  const std::int64_t n = instances_->size();
  const std::int64_t limit = kind == Candidates::Kind::sample ? count : pool_limit(n, bags());
  pool_.is_all = n <= limit;
  pool_.partial = !pool_.is_all && kind == Candidates::Kind::all;
  if (pool_.is_all) {
    for (std::int64_t bag = 0; bag < bags(); ++bag) {
      if (instances_->count(bag) > 0) pool_.runs.push_back({bag, 0, instances_->count(bag)});
    }
  } else {
    draw_runs(limit, settings.seed);
  }
  for (const Run& run : pool_.runs) {
    const Handle first = instances_->first(run.bag) + run.first;
    for (std::int64_t j = 0; j < run.count; ++j) pool_.handles.push_back(first + j);
  }
}

/// Runs at random places, spread over the bags in a random order, every bag before any comes twice.
void Table::draw_runs(std::int64_t count, std::uint64_t seed) {
  std::vector<Run>& runs = pool_.runs;
  Rng rng(seed);
  std::vector<std::int64_t> order(at(bags()));
  std::vector<std::vector<char>> taken(at(bags()));
  std::int64_t total = 0;
  for (std::int64_t turn = 0; total < count; ++turn) {
    if (turn % bags() == 0) {
      std::iota(order.begin(), order.end(), 0);
      rng.shuffle(order);
    }
    const std::int64_t bag = order[at(turn % bags())];
    const std::int64_t n = instances_->count(bag);
    if (n == 0) continue;
    const std::int64_t length = std::min(kRunLength, count - total);
    taken[at(bag)].resize(at(n));
    const std::int64_t start = rng.below((n + length - 1) / length) * length;
    for (std::int64_t j = start; j < std::min(start + length, n); ++j) {
      if (std::exchange(taken[at(bag)][at(j)], 1) != 0) continue;
      if (!runs.empty() && runs.back().bag == bag && runs.back().first + runs.back().count == j) {
        ++runs.back().count;
      } else {
        runs.push_back({bag, j, 1});
      }
      ++total;
    }
  }
}

void Table::cluster(const std::vector<int>& labels, const TableSettings& settings) {
  Rng rng(settings.seed);
  KMeansSettings kmeans_settings;
  kmeans_settings.k = static_cast<int>(settings.candidates.count);
  const std::int64_t length = instances_->view().numbers();
  for (const int label : std::set<int>(labels.begin(), labels.end())) {
    std::vector<Handle> members;
    for (std::int64_t bag = 0; bag < bags(); ++bag) {
      if (labels[at(bag)] != label) continue;
      for (std::int64_t x = instances_->first(bag); x < instances_->first(bag + 1); ++x) members.push_back(x);
    }
    if (members.empty()) continue;
    const KMeansSolution solution = kmeans(
        std::ssize(members), length,
        [&](std::int64_t i, double* out) {
          Eigen::Map<Vector>(out, length) = instances_->probe(members[at(i)]).values;
        },
        kmeans_settings, rng);
    for (Eigen::Index k = 0; k < solution.centres.rows(); ++k) {
      // Through the units of the data and back: a centre means what a stored instance with its values means.
      Instance centre;
      centre.values = instances_->unmapped(solution.centres.row(k).transpose());
      add_centre(centre);
    }
  }
}

double Table::alpha_of(Handle z) const {
  if (!unit_norm_) return 1.0;
  const Probe ready = probe(z);
  const double norm2 = instances_->similarity(ready, ready);
  return norm2 > 1e-12 ? 1.0 / std::sqrt(norm2) : 0.0;
}

std::vector<Table::Batch> Table::batches() const {
  std::vector<Batch> result;
  if (pool_.runs.empty()) {
    for (std::int64_t row = 0; row < std::ssize(pool_.handles); ++row) result.push_back({{}, row, 1});
  }
  for (const Run& run : pool_.runs) {
    if (result.empty()) {
      result.push_back({{&run, 0}});
    } else if (const Batch& last = result.back(); last.rows >= instances_->together()) {
      result.push_back({{&run, 0}, last.row + last.rows});
    }
    Batch& batch = result.back();
    batch.runs = {batch.runs.data(), batch.runs.size() + 1};
    batch.rows += run.count;
  }
  return result;
}

void Table::fill(ThreadPool& threads, const TableExtremes* from, TableExtremes* to) {
  const std::int64_t rows = std::ssize(pool_.handles);
  extremes_.largest.setZero(rows, bags());
  extremes_.smallest.setZero(rows, bags());
  if (to != nullptr) {
    to->largest.setZero(rows, bags());
    to->smallest.setZero(rows, bags());
  }
  const std::vector<Batch> all = batches();
  threads.run(std::ssize(all), [&](std::int64_t k) {
    const auto& [runs, first, count] = all[at(k)];
    Matrix high;
    Matrix low;
    if (from != nullptr) {
      high = from->largest.middleRows(first, count);
      low = from->smallest.middleRows(first, count);
    } else if (runs.empty()) {
      affinity_extremes(pool_.handles[at(first)], high, low);
    } else {
      instances_->all_extremes(runs, high, low);
    }
    if (to != nullptr) {
      to->largest.middleRows(first, count) = high;
      to->smallest.middleRows(first, count) = low;
    }
    for (std::int64_t j = 0; j < count; ++j) {
      const double alpha = alpha_of(pool_.handles[at(first + j)]);
      set_row(extremes_.largest, first + j, alpha, high.row(j).data(), !runs.empty());
      set_row(extremes_.smallest, first + j, alpha, low.row(j).data(), !runs.empty());
    }
  });
  check_size();
}

void Table::check_size() const {
  for (const Rows* rows : {&extremes_.largest, &extremes_.smallest}) {
    for (Eigen::Index k = 0; k < rows->size(); ++k) {
      const double value = static_cast<double>(rows->data()[k]);
      if (std::abs(value) <= kLargestSimilarity) continue;
      throw InvalidInput("kernel: expected similarities up to " + detail::number(kLargestSimilarity) +
                         " in size, found " + detail::number(value) + ": the " +
                         std::string(to_string(instances_->view().kernel.kind())) +
                         " kernel grows too fast for these data");
    }
  }
}

/// From affinities, which become kernel values: as a vector, or one by one, which rounds differently.
void Table::set_row(Rows& rows, std::int64_t row, double alpha, double* values, bool as_vector) const {
  const Kernel& kernel = instances_->view().kernel;
  if (as_vector) {
    kernel.values(values, bags());
  } else {
    std::transform(values, values + bags(), values, [&](double affinity) { return kernel.value(affinity); });
  }
  for (std::int64_t bag = 0; bag < bags(); ++bag) {
    if (instances_->count(bag) > 0) rows(row, bag) = static_cast<float>(alpha * values[bag]);
  }
}

void Table::affinity_extremes(Handle z, Matrix& largest, Matrix& smallest) const {
  const Probe ready = probe(z);
  std::vector<double> affinity;
  largest.setZero(1, bags());
  smallest.setZero(1, bags());
  for (std::int64_t bag = 0; bag < bags(); ++bag) {
    const std::int64_t n = instances_->count(bag);
    if (n == 0) continue;
    affinity.resize(at(n));
    instances_->affinities(ready, {bag, 0, n}, affinity.data());
    const auto [low, high] = std::ranges::minmax(affinity);
    largest(0, bag) = high;
    smallest(0, bag) = low;
  }
}

Table::Extremes Table::extremes(Handle z) const {
  Extremes result{Rows::Zero(1, bags()), Rows::Zero(1, bags())};
  Matrix high;
  Matrix low;
  affinity_extremes(z, high, low);
  set_row(result.largest, 0, alpha_of(z), high.data(), false);
  set_row(result.smallest, 0, alpha_of(z), low.data(), false);
  return result;
}

Probe Table::probe(Handle z) const {
  return z < instances_->size() ? instances_->probe(z) : pool_.centres[at(z - instances_->size())];
}

Instance Table::instance(Handle z) const {
  if (z < instances_->size()) return instances_->instance(z);
  Instance centre;
  centre.values = instances_->unmapped(probe(z).values);
  return centre;
}

}  // namespace shapeboost
