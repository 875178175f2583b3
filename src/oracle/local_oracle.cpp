// SPDX-License-Identifier: MIT
#include "oracle/local_oracle.hpp"

#include "ground/timer.hpp"

namespace shapeboost {
namespace {

constexpr std::int64_t kMinCachedRows = 4;  // a pairwise step of the minimum-norm point looks at two
constexpr int kAsksForRow = 4;              // pruning leaves about a quarter of a row's alignments
constexpr std::int64_t kMany = 8;           // one row in so many is made one at a time
constexpr std::int64_t kParallelWork =
    2'000'000;  // multiply-adds: with fewer, threads cost more than they save

void add_scaled(double alpha, const double* x, std::int64_t n, double* out) {
  for (std::int64_t j = 0; j < n; ++j) out[j] += alpha * x[j];
}

}  // namespace

std::int64_t LocalOracle::smallest_memory(const Dataset& data, const View& view, bool rows) {
  return rows ? kMinCachedRows * instances_in(data, view) * kDouble : 0;
}

LocalOracle::LocalOracle(std::shared_ptr<const Table> table, std::vector<std::int64_t> bags,
                         std::int64_t memory, ThreadPool& threads)
    : table_(std::move(table)), threads_(&threads), bags_(std::move(bags)) {
  if (bags_.empty()) {
    bags_.resize(at(table_->bags()));
    std::iota(bags_.begin(), bags_.end(), 0);
  } else {
    place_.assign(at(table_->bags()), -1);
    for (std::int64_t k = 0; k < std::ssize(bags_); ++k) place_[at(bags_[at(k)])] = k;
    own_ = {table_->largest()(Eigen::all, bags_), table_->smallest()(Eigen::all, bags_)};
  }
  first_.push_back(0);
  for (const std::int64_t bag : bags_) first_.push_back(first_.back() + instances().count(bag));
  const std::int64_t rest = memory - own_.bytes() - (partial() ? own().bytes() : 0);  // room for extra_
  const std::int64_t of_columns = table_->runs().empty() ? rest / 4 : 0;
  cache_.set_capacity(
      std::max(kMinCachedRows, (rest - of_columns) / (std::max<std::int64_t>(1, size()) * kDouble)));
  most_columns_ = of_columns / (std::max<std::int64_t>(1, pool_size()) * kDouble);
}

std::int64_t LocalOracle::bag_of(Handle z) const {
  if (z < 0 || z >= instances().size()) return -1;
  const std::int64_t bag = instances().bag_of(z);
  return sees_all() ? bag : place_[at(bag)];
}

Handle LocalOracle::take_in(const Instance& instance) {
  guests_.push_back(instances().probe(instance));
  return table_->handles() + std::ssize(guests_) - 1;
}

Probe LocalOracle::probe(Handle z) const {
  return z < table_->handles() ? table_->probe(z) : guests_[at(z - table_->handles())];
}

Handle LocalOracle::pool(std::int64_t r) const {
  return r < own_size() ? table_->pool()[at(r)] : extra_[at(r - own_size())];
}

void LocalOracle::add_extra(Handle z) {
  const Table::Extremes extremes = table_->extremes(z);
  const auto add_row = [&](Table::Rows& rows, const Table::Rows& row) {
    rows.conservativeResize(std::ssize(extra_) + 1, bags());
    rows.bottomRows(1) = row(Eigen::all, bags_);
  };
  add_row(extra_extremes_.largest, extremes.largest);
  add_row(extra_extremes_.smallest, extremes.smallest);
  extra_.push_back(z);
}

const LocalOracle::Row& LocalOracle::row(Handle z) {
  if (const Row* found = cache_.find(z); found != nullptr) return *found;
  Made made{z, cache_.make_room()};
  made.row.resize(at(size()));
  make_rows({&made, 1});
  return cache_.keep(z, std::move(made.row));
}

/// Affinities first, of which some may be known, then what the kernel makes of them.
void LocalOracle::make_rows(std::span<Made> made) {
  AffinityRows* const shared = table_->shared();
  std::vector<const double*> known(made.size(), nullptr);
  std::vector<Probe> ready(made.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (shared != nullptr) known[i] = shared->find(made[i].z);
    if (known[i] == nullptr) ready[i] = probe(made[i].z);
  }
  const auto affinities = [&](std::int64_t k) {
    for (std::size_t i = 0; i < made.size(); ++i) {
      double* out = made[i].row.data() + begin(k);
      if (known[i] != nullptr) {
        std::copy_n(known[i] + first_handle(k), count(k), out);
      } else {
        instances().affinities(ready[i], whole_bag(k), out);
      }
    }
  };
  const auto values = [&](std::int64_t k) {
    for (Made& each : made) instances().view().kernel.values(each.row.data() + begin(k), count(k));
  };
  const std::int64_t work = std::ssize(made) * size() * instances().view().numbers();
  each_bag(work, affinities);
  if (shared != nullptr && sees_all()) {  // others may see other bags: only whole rows serve all
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (known[i] == nullptr) shared->offer(made[i].z, made[i].row);
    }
  }
  each_bag(work, values);
}

void LocalOracle::each_bag(std::int64_t work, const std::function<void(std::int64_t)>& act) {
  if (work < kParallelWork) {
    for (std::int64_t k = 0; k < bags(); ++k) act(k);
  } else {
    threads_->run(bags(), act);
  }
}

/// Rows of all terms where the cache can hold them together, else none: the field is then computed afresh.
std::vector<const LocalOracle::Row*> LocalOracle::cached_rows(std::span<const Term> terms) {
  std::vector<const Row*> rows;
  if (std::ssize(terms) > cache_.capacity()) return rows;
  for (const Term& term : terms) rows.push_back(&row(term.z));
  return rows;
}

/// Where rows are expensive they are made for terms that come again and again, others are answered by
/// pruning: both give the same bits, and at worst a row costs once more what was spent before it was made.
bool LocalOracle::rows_pay(std::span<const Term> terms) {
  if (!instances().expensive()) return true;
  if (std::ssize(terms) > cache_.capacity()) return false;
  bool pay = true;
  for (const Term& term : terms) {
    if (!cache_.contains(term.z) && ++asked_[term.z] < kAsksForRow) pay = false;
  }
  if (pay) {
    for (const Term& term : terms) asked_.erase(term.z);
  }
  return pay;
}

std::vector<Probe> LocalOracle::probes(std::span<const Term> terms) const {
  std::vector<Probe> result;
  for (const Term& term : terms) result.push_back(probe(term.z));
  return result;
}

void LocalOracle::field(std::span<const Term> terms, std::span<const Row* const> rows,
                        std::span<const Probe> probes, const Run& run, std::int64_t begin,
                        double* out) const {
  const std::int64_t n = run.count;
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
    instances().affinities(probes[t], run, buffer.data());
    instances().view().kernel.values(buffer.data(), n);
    add_scaled(terms[t].alpha, buffer.data(), n, out);
  }
}

template <typename Visit>
void LocalOracle::each_field(std::span<const Term> terms, const Visit& visit) {
  const std::vector<const Row*> rows = cached_rows(terms);
  const std::vector<Probe> ready = rows.empty() ? probes(terms) : std::vector<Probe>();
  const std::int64_t each = rows.empty() ? instances().view().numbers() : 1;
  each_bag(std::ssize(terms) * size() * each, [&](std::int64_t k) {
    if (count(k) == 0) return;
    thread_local std::vector<double> s;
    s.resize(at(count(k)));
    field(terms, rows, ready, whole_bag(k), begin(k), s.data());
    visit(k, s.data(), count(k));
  });
}

Response LocalOracle::respond(std::span<const Term> shapelet) {
  const ScopedTimer timer(seconds_);
  Response response;
  response.value.resize(at(bags()), 0.0);
  response.argmax.resize(at(bags()), -1);
  if (!rows_pay(shapelet)) {
    const std::vector<Probe> ready = probes(shapelet);
    std::vector<double> alpha;
    for (const Term& term : shapelet) alpha.push_back(term.alpha);
    threads_->run(bags(), [&](std::int64_t k) {
      if (count(k) == 0) return;
      response.set(k, instances().best(ready, alpha, bags_[at(k)]));
    });
    return response;
  }
  each_field(shapelet, [&](std::int64_t k, const double* s, std::int64_t n) {
    response.set(k, pooled({s, at(n)}, first_handle(k)));
  });
  return response;
}

std::vector<std::vector<Peak>> LocalOracle::peaks(std::span<const Term> shapelet, std::int64_t count) {
  std::vector<std::vector<Peak>> result(at(bags()));
  if (instances().expensive()) {
    const Response response = respond(shapelet);
    for (std::size_t k = 0; k < result.size(); ++k) {
      if (response.argmax[k] >= 0) result[k] = {{response.argmax[k], response.value[k]}};
    }
    return result;
  }
  const ScopedTimer timer(seconds_);
  each_field(shapelet, [&](std::int64_t k, const double* s, std::int64_t n) {
    std::vector<Peak>& highest = result[at(k)];
    highest.reserve(at(n));
    const Handle first = first_handle(k);
    for (std::int64_t j = 0; j < n; ++j) highest.push_back({first + j, s[j]});
    const auto end = highest.begin() + std::min(n, count);
    std::partial_sort(highest.begin(), end, highest.end(), [](const Peak& a, const Peak& b) {
      return a.value != b.value ? a.value > b.value : a.x < b.x;
    });
    highest.erase(end, highest.end());
  });
  return result;
}

Priced LocalOracle::price_all(std::span<const Term> p) {
  if (!partial() && !table_->pool_is_all()) return price(p);
  const ScopedTimer timer(seconds_);
  std::vector<Priced> best(at(bags()));
  each_field(p, [&](std::int64_t k, const double* s, std::int64_t n) {
    Eigen::Index j = 0;
    Eigen::Map<const Eigen::ArrayXd>(s, n).abs().maxCoeff(&j);
    best[at(k)] = {first_handle(k) + j, s[j]};
  });
  const Priced winner =
      *std::ranges::max_element(best, {}, [](const Priced& of_bag) { return std::abs(of_bag.score); });
  const auto known = [&](const std::vector<Handle>& handles) {
    return std::ranges::find(handles, winner.z) != handles.end();
  };
  const bool room = std::ssize(extra_) < own_size();
  if (winner.z >= 0 && partial() && room && !known(table_->pool()) && !known(extra_)) add_extra(winner.z);
  return winner;
}

Priced LocalOracle::price(std::span<const Term> p) {
  if (table_->pool_is_all()) return price_all(p);
  const ScopedTimer timer(seconds_);
  const std::vector<double> score = pool_scores(p);
  const auto best = std::ranges::max_element(score, {}, [](double value) { return std::abs(value); });
  return {pool(best - score.begin()), *best};
}

/// K(z, x) for every candidate z of the pool, kept while there is room: x is a bag's maximiser, and the same
/// few are asked for again and again.
const std::vector<double>& LocalOracle::column(Handle x) {
  if (!columns_.contains(x) && std::ssize(columns_) >= most_columns_) columns_.clear();
  std::vector<double>& column = columns_[x];
  const std::int64_t known = std::ssize(column);  // the pool grows
  if (known == pool_size()) return column;
  column.resize(at(pool_size()));
  const Probe ready = probe(x);
  threads_->run(pool_size() - known, [&](std::int64_t task) {
    column[at(known + task)] = instances().similarity(probe(pool(known + task)), ready);
  });
  return column;
}

/// The field at the pool's candidates only: |p| * |pool| kernel values.
std::vector<double> LocalOracle::pool_scores(std::span<const Term> p) {
  std::vector<double> score(at(pool_size()));
  const std::vector<Run>& runs = table_->runs();
  if (runs.empty()) {
    for (const Term& term : p) add_scaled(term.alpha, column(term.z).data(), pool_size(), score.data());
    if (most_columns_ <= 0) columns_.clear();
  } else {
    const std::vector<Probe> ready = probes(p);
    std::vector<std::int64_t> begin{0};
    for (const Run& run : runs) begin.push_back(begin.back() + run.count);
    threads_->run(std::ssize(runs),
                  [&](std::int64_t r) { field(p, {}, ready, runs[at(r)], 0, score.data() + begin[at(r)]); });
    threads_->run(pool_size() - begin.back(), [&](std::int64_t task) {
      const Probe z = probe(pool(begin.back() + task));
      double sum = 0.0;
      for (std::size_t t = 0; t < p.size(); ++t) sum += p[t].alpha * instances().similarity(z, ready[t]);
      score[at(begin.back() + task)] = sum;
    });
  }
  return score;
}

std::vector<Single> best_rows(const Edges& edges, int signs, int count) {
  std::vector<Single> best;
  std::vector<Eigen::Index> order(at(edges.largest.size()));
  for (const int alpha : {+1, -1}) {
    const Eigen::VectorXf& of_alpha = alpha > 0 ? edges.largest : edges.smallest;
    for (int sign = 1; sign >= (signs == 2 ? -1 : 1); sign -= 2) {
      // h = sign * max alpha K = sign * alpha * (max K, or min K where alpha = -1).
      const auto side = static_cast<float>(sign * alpha);
      std::iota(order.begin(), order.end(), 0);
      const auto top = order.begin() + std::min<std::ptrdiff_t>(count, std::ssize(order));
      std::partial_sort(order.begin(), top, order.end(), [&](Eigen::Index a, Eigen::Index b) {
        return side * of_alpha[a] != side * of_alpha[b] ? side * of_alpha[a] > side * of_alpha[b] : a < b;
      });
      for (auto r = order.begin(); r != top; ++r) {
        best.push_back({.alpha = static_cast<double>(alpha),
                        .sign = sign,
                        .edge = static_cast<double>(side * of_alpha[*r]),
                        .row = *r});
      }
    }
  }
  return best;
}

Edges LocalOracle::edges(const Vector& dy) const {
  const Eigen::VectorXf weights = dy.cast<float>();
  const auto look = [&](const Table::Rows& table, const Table::Rows& extra) {
    Eigen::VectorXf edges(pool_size());
    edges.head(table.rows()).noalias() = table * weights;
    if (extra.rows() > 0) edges.tail(extra.rows()).noalias() = extra * weights;
    return edges;
  };
  return {look(own().largest, extra_extremes_.largest), look(own().smallest, extra_extremes_.smallest)};
}

std::vector<Single> LocalOracle::best_singles(const Vector& dy, int signs, int count) {
  const ScopedTimer timer(seconds_);
  if (pool_size() == 0) return {};
  std::vector<Single> best = best_rows(edges(dy), signs, count);
  for (Single& single : best) {
    single.z = pool(single.row);
    single.alpha *= table_->alpha_of(single.z);
  }
  return best;
}

Vector LocalOracle::values(const Single& single) {
  const bool most = single.alpha > 0.0;
  const bool extra = single.row >= own_size();
  const auto row = (extra ? extra_extremes_ : own()).of(most).row(single.row - (extra ? own_size() : 0));
  return (most ? 1.0 : -1.0) * row.transpose().cast<double>();
}

void LocalOracle::similarities(Handle z, std::span<const Handle> at_handles, double* out) {
  std::fill_n(out, at_handles.size(), 0.0);
  if (!cache_.contains(z)) {
    const ScopedTimer timer(seconds_);
    if (instances().expensive()) {  // these few, not a row of all
      const Probe ready = probe(z);
      threads_->run(std::ssize(at_handles), [&](std::int64_t i) {
        const Handle x = at_handles[at(i)];
        if (x < 0) return;
        const std::int64_t bag = instances().bag_of(x);
        instances().affinities(ready, {bag, x - instances().first(bag), 1}, out + i);
        instances().view().kernel.values(out + i, 1);
      });
      return;
    }
    (void)row(z);
  }
  const Row& values = row(z);
  for (std::size_t i = 0; i < at_handles.size(); ++i) {
    if (at_handles[i] >= 0) out[i] = values[at(index_of(at_handles[i]))];
  }
}

std::int64_t LocalOracle::index_of(Handle x) const {
  if (sees_all()) return x;
  const std::int64_t k = bag_of(x);
  return begin(k) + x - first_handle(k);
}

const double* LocalOracle::similarities(Handle z) {
  if (cache_.contains(z)) return row(z).data();
  const ScopedTimer timer(seconds_);
  // Where many rows were needed, most of the others will be too.
  const std::int64_t bag = bag_of(z);
  if (bag >= 0 && kMany * cache_.size() > size()) make_bag_rows(bag);
  return row(z).data();
}

/// The rows of a bag's instances together: every bag is then read once for all of them.
void LocalOracle::make_bag_rows(std::int64_t k) {
  if (cache_.capacity() < size()) return;
  std::vector<Made> made;
  for (std::int64_t j = 0; j < count(k); ++j) {
    const Handle z = first_handle(k) + j;
    if (!cache_.contains(z)) made.push_back({z, Row(at(size()))});
  }
  make_rows(made);
  for (Made& each : made) {
    (void)cache_.make_room();
    cache_.keep(each.z, std::move(each.row));
  }
}

std::vector<Handle> LocalOracle::handles() const {
  std::vector<Handle> result;
  result.reserve(at(size()));
  for (std::int64_t k = 0; k < bags(); ++k) {
    for (std::int64_t j = 0; j < count(k); ++j) result.push_back(first_handle(k) + j);
  }
  return result;
}

const Vector& LocalOracle::self_similarities() {
  if (self_.size() == size()) return self_;
  Vector self(size());
  const std::vector<Handle> all = handles();
  threads_->run(size(), [&](std::int64_t i) {
    const Probe ready = probe(all[at(i)]);
    self[i] = instances().similarity(ready, ready);
  });
  self_ = std::move(self);
  return self_;
}

std::int64_t LocalOracle::bytes() const {
  return own_.bytes() + extra_extremes_.bytes() +
         (cache_.size() * size() + std::ssize(columns_) * pool_size()) * kDouble;
}

}  // namespace shapeboost
