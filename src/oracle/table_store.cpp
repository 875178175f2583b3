// SPDX-License-Identifier: MIT
#include "oracle/table_store.hpp"

#include "ground/text.hpp"
#include "view/fit_view.hpp"

namespace shapeboost {
namespace {

/// Most instances whose rows of affinities are kept: all of them together take 0.5 GB.
constexpr std::int64_t kFewInstances = 8192;

void add(std::string& key, double value) {
  detail::append_number(key, value);
  key += ' ';
}
void add(std::string& key, std::integral auto value) { key += std::to_string(value) + ' '; }

std::string key_of(const Kernel& kernel) {
  std::string key;
  add(key, static_cast<int>(kernel.kind()));
  add(key, kernel.band());
  add(key, kernel.k());
  if (const auto* polynomial = kernel.as<kernels::Polynomial>()) {
    add(key, polynomial->c);
    add(key, polynomial->p);
  }
  if (const auto* mismatch = kernel.as<kernels::Mismatch>()) {
    add(key, mismatch->mismatches);
    add(key, mismatch->alphabet);
  }
  if (const auto* subsequence = kernel.as<kernels::Subsequence>()) add(key, subsequence->lambda);
  if (const auto* gram = kernel.as<kernels::Gram>()) {
    add(key, reinterpret_cast<std::intptr_t>(gram->matrix.get()));
  }
  return key;
}

/// Everything in which views of one data set can differ but sigma, numbers to the last bit.
std::string key_of(const View& view) {
  std::string key;
  for (const std::int64_t whole :
       {view.length, view.dilation, static_cast<std::int64_t>(view.transform), view.period,
        static_cast<std::int64_t>(view.missing), static_cast<std::int64_t>(view.normalisation),
        static_cast<std::int64_t>(view.scaling), static_cast<std::int64_t>(view.aspect)}) {
    add(key, whole);
  }
  add(key, view.tau);
  add(key, view.smallest);
  key += key_of(view.kernel);
  for (const std::vector<int>* list : {&view.features, &view.channels}) {
    key += ';';
    for (const int one : *list) add(key, one);
  }
  for (const std::vector<double>* list : {&view.centre, &view.scale, &view.quantiles}) {
    key += ';';
    for (const double number : *list) add(key, number);
  }
  return key;
}

/// The same for a view's candidates. Where every instance is one there is nothing to draw, but the pool may
/// be cut: the seed counts.
std::string key_of(const View& view, const TableSettings& settings) {
  return settings.candidates.text() + ' ' + std::to_string(settings.seed) + ' ' + key_of(view);
}

/// Functions cannot be compared, so what is made with them cannot be looked up.
bool has_key(const View& view) { return view.kernel.kind() != KernelKind::custom; }

}  // namespace

template <typename Key, typename Value>
std::shared_ptr<Value> TableStore::find_or_add(std::map<Key, std::shared_ptr<Value>>& map, const Key& key) {
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<Value>& place = map[key];
  if (!place) place = std::make_shared<Value>();
  return place;
}

View TableStore::fit(const View& view, bool standardise, double sigma_scale, Rng& rng) {
  if (!has_key(view) || !wants_sigma(view)) return fit_view(view, data_, standardise, sigma_scale, rng);
  const auto fit = find_or_add(fits_, {(standardise ? "standardised " : "") + key_of(view), rng});
  const std::scoped_lock lock(fit->mutex);
  if (!fit->ready) {
    fit->view = fit_all_but_sigma(view, data_, standardise);
    fit->unit = distance_unit(fit->view, data_, rng);
    fit->after = rng;
    fit->ready = true;
  }
  rng = fit->after;
  View fitted = fit->view;
  fitted.kernel.set_sigma(sigma_scale / fit->unit);
  return fitted;
}

std::shared_ptr<const Table> TableStore::table(const View& view, const std::vector<int>& labels,
                                               const TableSettings& settings, ThreadPool& threads) {
  if (!has_key(view)) return make(view, labels, settings, threads);
  std::string key = key_of(view, settings) + ' ';
  add(key, view.kernel.sigma());
  key += settings.unit_norm ? "unit" : "";
  const auto entry = find_or_add(tables_, key);
  const std::scoped_lock lock(entry->mutex);
  if (entry->table) return entry->table;
  std::shared_ptr<const Table> table = make(view, labels, settings, threads);
  if (take(table->bytes())) entry->table = table;
  return table;
}

std::shared_ptr<const Table> TableStore::make(const View& view, const std::vector<int>& labels,
                                              const TableSettings& settings, ThreadPool& threads) {
  const auto count = [&](std::int64_t Counts::*which) {
    const std::scoped_lock lock(mutex_);
    ++(counts_.*which);
  };
  if (!has_key(view) || !serves_every_sigma(view)) {
    count(&Counts::made);
    return std::make_shared<const Table>(data_, view, labels, settings, threads);
  }
  const auto extremes = find_or_add(extremes_, key_of(view, settings));
  std::unique_lock lock(extremes->mutex);
  if (!extremes->rows) {  // rows leave half of the memory to tables
    extremes->rows =
        std::make_shared<AffinityRows>([this](std::int64_t bytes) { return take(bytes, &memory_of_rows_); });
  }
  const std::shared_ptr<AffinityRows> rows = extremes->rows;
  std::shared_ptr<Table> table;
  if (const std::shared_ptr<const TableExtremes> kept = extremes->kept; kept) {
    lock.unlock();
    count(&Counts::remade);
    table = std::make_shared<Table>(data_, view, *kept, settings.unit_norm, threads);
  } else {
    count(&Counts::made);
    const auto made = std::make_shared<TableExtremes>();
    table = std::make_shared<Table>(data_, view, labels, settings, threads, made.get());
    if (take(made->bytes())) extremes->kept = made;
  }
  if (table->instances().size() <= kFewInstances) table->share(rows);
  return table;
}

bool TableStore::take(std::int64_t bytes, std::int64_t* part) {
  const std::scoped_lock lock(mutex_);
  if (bytes > memory_ || (part != nullptr && bytes > *part)) return false;
  memory_ -= bytes;
  if (part != nullptr) *part -= bytes;
  return true;
}

TableStore::Counts TableStore::counts() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

}  // namespace shapeboost
