// SPDX-License-Identifier: MIT
#include "shapeboost/oracle.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "shapeboost/kmeans.hpp"

namespace shapeboost {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// A table of max and min similarities is made once for every candidate of the pool. These bound its size
// and the work of making it, by N and m alone: memory and threads must not change the answer.
constexpr std::int64_t kTableEntries = 2'000'000;    // pool x bags
constexpr std::int64_t kTablePairs = 1'000'000'000;  // pool x N
constexpr std::int64_t kSmallestPool = 512;
constexpr std::int64_t kRunLength = 32;  // sampled candidates come in runs: a run's table costs little more
                                         // than its first row
constexpr std::int64_t kMinCachedRows = 16;
constexpr std::int64_t kDouble = sizeof(double);
constexpr std::int64_t kFloat = sizeof(float);
constexpr std::int64_t kParallelWork =
    2'000'000;  // multiply-adds below which threads cost more than they save

void add_scaled(double alpha, const double* x, std::int64_t n, double* out) {
  for (std::int64_t j = 0; j < n; ++j) out[j] += alpha * x[j];
}

std::int64_t pool_limit(std::int64_t n, std::int64_t bags) {
  return std::max(kSmallestPool, std::min(kTableEntries / std::max<std::int64_t>(1, bags),
                                          kTablePairs / std::max<std::int64_t>(1, n)));
}

}  // namespace

Candidates Candidates::parse(std::string_view text) {
  const auto counted = [&](std::string_view prefix, Kind kind, Candidates& out) {
    if (!text.starts_with(prefix)) return false;
    const std::string_view digits = text.substr(prefix.size());
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || end != digits.data() + digits.size() || count < 1) return false;
    out = {kind, count};
    return true;
  };
  Candidates out;
  if (text == "all" || counted("sample:", Kind::sample, out) || counted("kmeans:", Kind::kmeans, out))
    return out;
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

std::int64_t Oracle::smallest_memory(const Dataset& data, const View& view, const Candidates& candidates) {
  const bool series = view.kind == DataKind::series;
  const std::int64_t m = data.size();
  std::int64_t numbers = 0;
  std::int64_t n = 0;
  for (std::int64_t i = 0; i < m; ++i) {
    numbers += data.values(i).size();
    n += series ? data.values(i).cols() - view.length + 1 : data.values(i).rows();
  }
  const std::int64_t pool = candidates.kind == Candidates::Kind::all      ? std::min(n, pool_limit(n, m))
                            : candidates.kind == Candidates::Kind::sample ? std::min(n, candidates.count)
                                                                          : 2 * std::min(n, candidates.count);
  return (numbers + 4 * n + kMinCachedRows * n) * kDouble + 2 * pool * m * kFloat;
}

Oracle::Oracle(const Dataset& data, const View& view, const std::vector<int>& labels,
               const OracleSettings& settings, ThreadPool& pool)
    : data_(&data), instances_(data, view), threads_(&pool), unit_norm_(settings.unit_norm) {
  if (settings.candidates.kind == Candidates::Kind::kmeans) {
    cluster(labels, settings);
  } else {
    choose_pool(settings);
  }
  if (const std::int64_t needed = smallest_memory(data, view, settings.candidates);
      settings.memory < needed) {
    throw InvalidInput("memory: a view of this data needs at least " + std::to_string(needed) +
                       " bytes, found " + std::to_string(settings.memory));
  }
  memory_ = settings.memory;
  build_table(0);
}

void Oracle::choose_pool(const OracleSettings& settings) {
  const std::int64_t n = instances_.size();
  const std::int64_t limit = settings.candidates.kind == Candidates::Kind::sample ? settings.candidates.count
                                                                                  : pool_limit(n, bags());
  if (n <= limit) {
    pool_is_all_ = true;
    for (std::int64_t bag = 0; bag < bags(); ++bag) runs_.push_back({bag, 0, instances_.count(bag)});
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
        for (std::int64_t i = bags() - 1; i > 0; --i) std::swap(order[at(i)], order[at(rng.below(i + 1))]);
      }
      const std::int64_t bag = order[at(turn % bags())];
      const std::int64_t length = std::min(kRunLength, limit - total);
      const std::int64_t blocks = (instances_.count(bag) + length - 1) / length;
      auto& used = taken[at(bag)];
      used.resize(at(instances_.count(bag)));
      const std::int64_t start = rng.below(blocks) * length;
      for (std::int64_t j = start; j < std::min(start + length, instances_.count(bag)); ++j) {
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
    for (std::int64_t j = 0; j < run.count; ++j) pool_.push_back(instances_.first(run.bag) + run.first + j);
  }
}

void Oracle::cluster(const std::vector<int>& labels, const OracleSettings& settings) {
  std::vector<int> classes(labels);
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  Rng rng(settings.seed);
  for (const int label : classes) {
    std::vector<Handle> members;
    for (std::int64_t bag = 0; bag < bags(); ++bag) {
      if (labels[at(bag)] != label) continue;
      for (std::int64_t x = instances_.first(bag); x < instances_.first(bag + 1); ++x) members.push_back(x);
    }
    KMeansSettings kmeans_settings;
    kmeans_settings.k = static_cast<int>(settings.candidates.count);
    const std::int64_t length = instances_.view().length;
    const KMeansSolution solution = kmeans(
        static_cast<std::int64_t>(members.size()), length,
        [&](std::int64_t i, double* out) {
          Eigen::Map<Vector>(out, length) = instances_.probe(members[at(i)]).values;
        },
        kmeans_settings, rng);
    for (Eigen::Index k = 0; k < solution.centres.rows(); ++k) {
      // Through the units of the data and back: a centre means what a stored instance with its values means.
      const std::vector<double> values = instances_.unmapped(solution.centres.row(k).transpose());
      pool_.push_back(instances_.size() + static_cast<Handle>(centres_.size()));
      centres_.push_back(instances_.probe(values));
    }
  }
}

double Oracle::single_alpha(Handle z) const {
  if (!unit_norm_) return 1.0;
  const Probe ready = probe(z);
  const double norm2 = instances_.similarity(ready, ready);
  return norm2 > 1e-12 ? 1.0 / std::sqrt(norm2) : 0.0;
}

/// Rows `from` and up of the table. largest(z, i) = alpha_z max_{x in B_i} K(z, x), smallest the minimum.
void Oracle::build_table(std::int64_t from) {
  const std::int64_t m = bags();
  largest_.conservativeResize(pool_size(), m);
  smallest_.conservativeResize(pool_size(), m);
  const std::int64_t rest = memory_ - instances_.bytes() - 2 * pool_size() * m * kFloat;
  cache_rows_ = std::max(kMinCachedRows, rest / (instances_.size() * kDouble));
  const Kernel& kernel = instances_.view().kernel;
  if (!centres_.empty()) {
    threads_->run(pool_size() - from, [&](std::int64_t task) {
      const std::int64_t r = from + task;
      std::vector<double> affinity;
      for (std::int64_t bag = 0; bag < m; ++bag) {
        affinity.resize(at(instances_.count(bag)));
        instances_.affinities(probe(pool_[at(r)]), {bag, 0, instances_.count(bag)}, affinity.data());
        const auto [low, high] = std::minmax_element(affinity.begin(), affinity.end());
        const double alpha = single_alpha(pool_[at(r)]);
        largest_(r, bag) = static_cast<float>(alpha * kernel.value(*high));
        smallest_(r, bag) = static_cast<float>(alpha * kernel.value(*low));
      }
    });
    return;
  }
  std::vector<std::int64_t> begin;  // table row of each run
  std::int64_t rows = 0;
  for (const Run& run : runs_) {
    begin.push_back(rows);
    rows += run.count;
  }
  threads_->run(static_cast<std::int64_t>(runs_.size()), [&](std::int64_t r) {
    const Run& run = runs_[at(r)];
    if (begin[at(r)] < from) return;
    Eigen::ArrayXd high(run.count);
    Eigen::ArrayXd low(run.count);
    Eigen::ArrayXd alpha(run.count);
    for (std::int64_t j = 0; j < run.count; ++j) alpha[j] = single_alpha(pool_[at(begin[at(r)] + j)]);
    for (std::int64_t bag = 0; bag < m; ++bag) {
      instances_.extremes(run, bag, high.data(), low.data());
      kernel.values(high.data(), run.count);
      kernel.values(low.data(), run.count);
      largest_.col(bag).segment(begin[at(r)], run.count) = (alpha * high).cast<float>().matrix();
      smallest_.col(bag).segment(begin[at(r)], run.count) = (alpha * low).cast<float>().matrix();
    }
  });
}

Probe Oracle::probe(Handle z) const {
  return z < instances_.size() ? instances_.probe(z) : centres_[at(z - instances_.size())];
}

Instance Oracle::instance(Handle z) const {
  if (z >= instances_.size()) return {instances_.unmapped(probe(z).values), -1, -1};
  const std::int64_t bag = instances_.bag_of(z);
  const std::int64_t position = z - instances_.first(bag);
  const bool series = instances_.view().kind == DataKind::series;
  const double* x = data_->values(bag).data() + (series ? position : position * instances_.view().length);
  return {std::vector<double>(x, x + instances_.view().length), bag, position};
}

const Oracle::Row* Oracle::row(Handle z) {
  if (const auto found = cached_.find(z); found != cached_.end()) {
    cache_.splice(cache_.begin(), cache_, found->second);
    return &cache_.front().row;
  }
  Row buffer;
  while (static_cast<std::int64_t>(cache_.size()) >= cache_rows_) {  // reuse the memory of the oldest
    cached_.erase(cache_.back().z);
    buffer = std::move(cache_.back().row);
    cache_.pop_back();
  }
  cache_.push_front({z, std::move(buffer)});
  cached_[z] = cache_.begin();
  Row& row = cache_.front().row;
  row.resize(at(instances_.size()));
  const Probe ready = probe(z);
  const auto one_bag = [&](std::int64_t bag) {
    double* out = row.data() + instances_.first(bag);
    instances_.affinities(ready, {bag, 0, instances_.count(bag)}, out);
    instances_.view().kernel.values(out, instances_.count(bag));
  };
  if (instances_.size() * instances_.view().length < kParallelWork) {
    for (std::int64_t bag = 0; bag < bags(); ++bag) one_bag(bag);
  } else {
    threads_->run(bags(), one_bag);
  }
  return &row;
}

/// Rows of all terms where the cache can hold them together, else none: the field is then computed afresh.
std::vector<const Oracle::Row*> Oracle::cached_rows(std::span<const Term> terms) {
  std::vector<const Row*> rows;
  if (static_cast<std::int64_t>(terms.size()) > cache_rows_) return rows;
  for (const Term& term : terms) rows.push_back(row(term.z));
  return rows;
}

std::vector<Probe> Oracle::probes(std::span<const Term> terms) const {
  std::vector<Probe> result;
  for (const Term& term : terms) result.push_back(probe(term.z));
  return result;
}

void Oracle::field(std::span<const Term> terms, std::span<const Row* const> rows,
                   std::span<const Probe> probes, const Run& run, double* out) const {
  const std::int64_t n = run.count;
  const std::int64_t begin = instances_.first(run.bag) + run.first;
  std::fill(out, out + n, 0.0);
  if (!rows.empty()) {
    // Four terms a pass, added one after the other: the same sums as one at a time, with a quarter of the
    // traffic.
    std::size_t t = 0;
    for (; t + 4 <= terms.size(); t += 4) {
      const double* k[4];
      double alpha[4];
      for (std::size_t i = 0; i < 4; ++i) {
        k[i] = rows[t + i]->data() + begin;
        alpha[i] = terms[t + i].alpha;
      }
      for (std::int64_t j = 0; j < n; ++j) {
        out[j] =
            (((out[j] + alpha[0] * k[0][j]) + alpha[1] * k[1][j]) + alpha[2] * k[2][j]) + alpha[3] * k[3][j];
      }
    }
    for (; t < terms.size(); ++t) add_scaled(terms[t].alpha, rows[t]->data() + begin, n, out);
    return;
  }
  thread_local std::vector<double> buffer;
  buffer.resize(at(n));
  for (std::size_t t = 0; t < terms.size(); ++t) {
    instances_.affinities(probes[t], run, buffer.data());
    instances_.view().kernel.values(buffer.data(), n);
    add_scaled(terms[t].alpha, buffer.data(), n, out);
  }
}

/// visit(bag, s, n) with the field over each bag, bags in parallel where the work is worth it.
template <typename Visit>
void Oracle::each_bag(std::span<const Term> terms, const Visit& visit) {
  const std::vector<const Row*> rows = cached_rows(terms);
  const std::vector<Probe> ready = rows.empty() ? probes(terms) : std::vector<Probe>();
  const auto one_bag = [&](std::int64_t bag) {
    thread_local std::vector<double> s;
    s.resize(at(instances_.count(bag)));
    field(terms, rows, ready, {bag, 0, instances_.count(bag)}, s.data());
    visit(bag, s.data(), instances_.count(bag));
  };
  const std::int64_t each = rows.empty() ? instances_.view().length : 1;
  if (static_cast<std::int64_t>(terms.size()) * instances_.size() * each < kParallelWork) {
    for (std::int64_t bag = 0; bag < bags(); ++bag) one_bag(bag);
  } else {
    threads_->run(bags(), one_bag);
  }
}

Response Oracle::respond(std::span<const Term> shapelet) {
  const ScopedTimer timer(seconds_);
  Response response;
  response.value.resize(at(bags()));
  response.argmax.resize(at(bags()));
  each_bag(shapelet, [&](std::int64_t bag, const double* s, std::int64_t n) {
    Eigen::Index best = 0;
    response.value[at(bag)] = Eigen::Map<const Eigen::ArrayXd>(s, n).maxCoeff(&best);
    response.argmax[at(bag)] = instances_.first(bag) + best;
  });
  return response;
}

Priced Oracle::price_all(std::span<const Term> p) {
  if (!partial_ && !pool_is_all_) return price(p);
  const ScopedTimer timer(seconds_);
  std::vector<Priced> best(at(bags()));
  each_bag(p, [&](std::int64_t bag, const double* s, std::int64_t n) {
    Eigen::Index k = 0;
    Eigen::Map<const Eigen::ArrayXd>(s, n).abs().maxCoeff(&k);
    best[at(bag)] = {instances_.first(bag) + k, s[k]};
  });
  const Priced winner = *std::max_element(best.begin(), best.end(), [](const Priced& a, const Priced& b) {
    return std::abs(a.score) < std::abs(b.score);
  });
  if (partial_ && std::find(pool_.begin(), pool_.end(), winner.z) == pool_.end()) {
    const std::int64_t bag = instances_.bag_of(winner.z);
    runs_.push_back({bag, winner.z - instances_.first(bag), 1});
    pool_.push_back(winner.z);
    build_table(pool_size() - 1);
  }
  return winner;
}

Priced Oracle::price(std::span<const Term> p) {
  if (pool_is_all_) return price_all(p);
  const ScopedTimer timer(seconds_);
  return price_pool(p);
}

/// The field at the pool's candidates only: |p| * |pool| kernel values.
Priced Oracle::price_pool(std::span<const Term> p) const {
  const std::vector<Probe> ready = probes(p);
  std::vector<double> score(pool_.size());
  if (centres_.empty()) {
    std::vector<std::int64_t> begin{0};
    for (const Run& run : runs_) begin.push_back(begin.back() + run.count);
    threads_->run(static_cast<std::int64_t>(runs_.size()),
                  [&](std::int64_t r) { field(p, {}, ready, runs_[at(r)], score.data() + begin[at(r)]); });
  } else {
    threads_->run(pool_size(), [&](std::int64_t r) {
      double sum = 0.0;
      for (std::size_t t = 0; t < p.size(); ++t) {
        sum += p[t].alpha * instances_.similarity(centres_[at(r)], ready[t]);
      }
      score[at(r)] = sum;
    });
  }
  const auto best = std::max_element(score.begin(), score.end(),
                                     [](double a, double b) { return std::abs(a) < std::abs(b); });
  return {pool_[at(best - score.begin())], *best};
}

std::vector<Single> Oracle::best_singles(const Vector& dy, int signs) {
  const ScopedTimer timer(seconds_);
  const Eigen::VectorXf weights = dy.cast<float>();
  std::vector<Single> best;
  const auto look = [&](const auto& table, int alpha) {
    const Eigen::VectorXf edges = table * weights;
    for (int sign = 1; sign >= (signs == 2 ? -1 : 1); sign -= 2) {
      // h = sign * max alpha K = sign * alpha * (max K, or min K where alpha = -1).
      Eigen::Index r = 0;
      const float edge = (static_cast<float>(sign * alpha) * edges).maxCoeff(&r);
      best.push_back({pool_[at(r)], alpha * single_alpha(pool_[at(r)]), sign, static_cast<double>(edge)});
    }
  };
  look(largest_, +1);
  look(smallest_, -1);
  return best;
}

void Oracle::similarities(Handle z, std::span<const Handle> at_handles, double* out) {
  const ScopedTimer timer(seconds_);
  const Row& values = *row(z);
  for (std::size_t i = 0; i < at_handles.size(); ++i) out[i] = values[at(at_handles[i])];
}

std::int64_t Oracle::bytes() const {
  return instances_.bytes() + (largest_.size() + smallest_.size()) * kFloat +
         static_cast<std::int64_t>(cache_.size()) * instances_.size() * kDouble;
}

}  // namespace shapeboost
