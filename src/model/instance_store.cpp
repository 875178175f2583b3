// SPDX-License-Identifier: MIT
#include "model/instance_store.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "ground/numbers.hpp"

namespace shapeboost::detail {
namespace {

/// The feature of the data that is the view's f-th.
std::int32_t feature_of(const View& view, std::int64_t f) {
  return static_cast<std::int32_t>(view.features.empty() ? f : view.features[at(f)]);
}

/// Where the view has a feature of the data among its own, or -1.
std::int32_t place_of(const View& view, std::int32_t feature) {
  if (view.features.empty()) return feature;
  const auto found = std::ranges::lower_bound(view.features, feature);
  return found != view.features.end() && *found == feature
             ? static_cast<std::int32_t>(found - view.features.begin())
             : -1;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(
      a, b, {}, [](double x) { return std::bit_cast<std::uint64_t>(x); },
      [](double x) { return std::bit_cast<std::uint64_t>(x); });
}

bool same_bits(const Instance& a, const Instance& b) {
  return a.example == b.example && a.position == b.position && same_bits({a.place}, {b.place}) &&
         a.features == b.features && same_bits(a.values, b.values);
}

/// Adds what a view sees of an instance. Features that are there already keep their values.
void join(StoredInstance& all, const View& view, const Instance& seen) {
  if (all.sparse != seen.features.has_value() || std::ssize(all.values) == view.width) return;
  std::vector<std::int32_t> features;
  std::vector<double> values;
  std::size_t known = 0;
  const auto keep_known_below = [&](std::int64_t feature) {
    for (; known < all.values.size() && (*all.features)[known] < feature; ++known) {
      features.push_back((*all.features)[known]);
      values.push_back(all.values[known]);
    }
  };
  for (std::size_t k = 0; k < seen.values.size(); ++k) {
    const std::int32_t feature =
        feature_of(view, all.sparse ? (*seen.features)[k] : static_cast<std::int64_t>(k));
    keep_known_below(feature);
    if (known < all.values.size() && (*all.features)[known] == feature) continue;
    features.push_back(feature);
    values.push_back(seen.values[k]);
  }
  keep_known_below(view.width);
  *all.features = std::move(features);
  all.values = std::move(values);
}

/// An instance of the training data, and what patterns make of it.
struct Entry {
  StoredInstance all{};
  std::vector<std::int64_t> made{};  // numbers, of each time that it is written
  std::size_t first = 0;             // place of the first time
};

/// Gram matrices have rows, clusters have centres, and what is no instance of the view is written as it is.
bool storable(const View& view, const Instance& z) {
  if (!view.kernel.compares_numbers() || z.example < 0 || z.position < 0) return false;
  if (!z.features) return std::ssize(z.values) == view.rows();
  return z.features->size() == z.values.size() && (z.values.empty() || z.features->back() < view.rows());
}

}  // namespace

std::optional<std::int32_t> lacking(const StoredInstance& z, const View& view) {
  if (z.sparse || !z.features) return std::nullopt;
  std::size_t known = 0;
  for (std::int64_t f = 0; f < view.rows(); ++f) {
    const std::int32_t feature = feature_of(view, f);
    while (known < z.features->size() && (*z.features)[known] < feature) ++known;
    if (known == z.features->size() || (*z.features)[known] != feature) return feature;
  }
  return std::nullopt;
}

Instance seen_in(const View& view, const StoredInstance& z) {
  Instance seen{{}, z.example, z.position};
  if (z.sparse) {
    seen.features.emplace();
    for (std::size_t k = 0; k < z.values.size(); ++k) {
      const std::int32_t place = place_of(view, (*z.features)[k]);
      if (place < 0) continue;
      seen.features->push_back(place);
      seen.values.push_back(z.values[k]);
    }
    return seen;
  }
  seen.values.reserve(at(view.rows()));
  std::size_t known = 0;
  for (std::int64_t f = 0; f < view.rows(); ++f) {
    const std::int32_t feature = feature_of(view, f);
    if (!z.features) {
      known = at(feature);
    } else {
      while ((*z.features)[known] < feature) ++known;
    }
    seen.values.push_back(z.values[known]);
  }
  return seen;
}

InstanceStore::InstanceStore(const Model& model) : places_(model.hypotheses.size()) {
  if (model.kind != DataKind::bags || model.views.empty()) return;
  std::map<std::pair<std::int64_t, std::int64_t>, Entry> entries;
  // Calls visit(view, z, entry, place) for all instances that may be stored.
  const auto each = [&](const auto& visit) {
    for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
      const View& view = model.views[at(model.hypotheses[j].view)];
      const std::vector<Instance>& instances = model.hypotheses[j].shapelet.instances;
      places_[j].resize(instances.size());
      for (std::size_t k = 0; k < instances.size(); ++k) {
        if (storable(view, instances[k])) {
          visit(view, instances[k], entries[{instances[k].example, instances[k].position}], places_[j][k]);
        }
      }
    }
  };
  each([](const View& view, const Instance& z, Entry& entry, const auto& /*place*/) {
    if (!entry.all.features) {
      entry.all = {z.example, z.position, std::vector<std::int32_t>(), z.features.has_value(), {}};
    }
    join(entry.all, view, z);
  });
  each([](const View& view, const Instance& z, Entry& entry, std::optional<std::size_t>& place) {
    if (lacking(entry.all, view) || !same_bits(seen_in(view, entry.all), z)) return;
    const std::int64_t most = kMostMade * std::ssize(entry.all.values);
    const std::int64_t more = std::ssize(z.values);
    if (entry.made.empty() || entry.made.back() + more > most) entry.made.push_back(0);
    entry.made.back() += more;
    place = entry.made.size() - 1;
  });
  const std::int64_t width = model.views.front().width;
  for (auto& [origin, entry] : entries) {
    entry.first = instances_.size();
    StoredInstance& all = entry.all;
    if (!all.sparse && std::ssize(all.values) == width) all.features.reset();
    instances_.insert(instances_.end(), entry.made.size(), all);
  }
  each(
      [](const View& /*view*/, const Instance& /*z*/, const Entry& entry, std::optional<std::size_t>& place) {
        if (place) *place += entry.first;
      });
}

std::optional<std::size_t> InstanceStore::place(std::size_t j, std::size_t k) const {
  return k < places_[j].size() ? places_[j][k] : std::nullopt;
}

}  // namespace shapeboost::detail
