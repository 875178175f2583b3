// SPDX-License-Identifier: MIT
#include "model/respond.hpp"

#include <map>
#include <span>

namespace shapeboost {
namespace {

/// Of a sparse instance its zeros are written out when it is made ready, and a file of few numbers may name very many features:
/// instances of so many numbers in all are ready at a time.
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 22;

bool are_many(std::size_t instances, const View& view) {
  return static_cast<std::int64_t>(instances) > kMostNumbers / std::max<std::int64_t>(1, view.numbers());
}

/// One instance of the shapelet after the other; the same bits.
Response respond_one_by_one(const Instances& instances, const Shapelet& shapelet) {
  std::vector<double> score(at(instances.size()), 0.0);
  std::vector<double> similar;
  for (std::size_t t = 0; t < shapelet.instances.size(); ++t) {
    const Probe z = instances.probe(shapelet.instances[t]);
    for (std::int64_t bag = 0; bag < instances.bags(); ++bag) {
      const std::int64_t n = instances.count(bag);
      if (n == 0) continue;
      similar.resize(at(n));
      instances.affinities(z, {bag, 0, n}, similar.data());
      instances.view().kernel.values(similar.data(), n);
      double* const sum = score.data() + instances.first(bag);
      for (std::int64_t x = 0; x < n; ++x) sum[x] += shapelet.alpha[t] * similar[at(x)];
    }
  }
  Response response;
  for (std::int64_t bag = 0; bag < instances.bags(); ++bag) {
    const std::int64_t first = instances.first(bag);
    response.add(pooled(std::span(score).subspan(at(first), at(instances.count(bag))), first));
  }
  return response;
}

}  // namespace

Response respond(const Instances& instances, const Shapelet& shapelet) {
  if (are_many(shapelet.instances.size(), instances.view())) return respond_one_by_one(instances, shapelet);
  std::vector<Probe> probes;
  for (const Instance& z : shapelet.instances) probes.push_back(instances.probe(z));
  Response response;
  for (std::int64_t bag = 0; bag < instances.bags(); ++bag) {
    const bool any = instances.count(bag) > 0;
    response.add(any ? instances.best(probes, shapelet.alpha, bag) : Pooled{});
  }
  return response;
}

SharedInstances::SharedInstances(std::vector<const Shapelet*> shapelets) : shapelets_(std::move(shapelets)) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>> places;  // by where z came from
  for (const Shapelet* shapelet : shapelets_) {
    std::vector<std::size_t>& terms = terms_.emplace_back();
    for (const Instance& z : shapelet->instances) {
      std::vector<std::size_t>& same = places[{z.example, z.position}];
      const auto found = std::find_if(same.begin(), same.end(), [&](std::size_t place) {
        const Instance& other = *distinct_[place];
        return other.values == z.values && other.features == z.features && other.place == z.place;
      });
      terms.push_back(found != same.end() ? *found : distinct_.size());
      if (found != same.end()) continue;
      same.push_back(distinct_.size());
      distinct_.push_back(&z);
    }
    all_ += terms.size();
  }
}

bool SharedInstances::pays(const Instances& instances) const {
  constexpr std::size_t kMostScores = std::size_t{1} << 22;
  std::int64_t largest = 0;
  for (std::int64_t bag = 0; bag < instances.bags(); ++bag) largest = std::max(largest, instances.count(bag));
  return !instances.expensive() && 2 * distinct_.size() < all_ &&
         !are_many(distinct_.size(), instances.view()) &&
         distinct_.size() * static_cast<std::size_t>(largest) <= kMostScores;
}

std::vector<Response> SharedInstances::respond(const Instances& instances) const {
  std::vector<Probe> probes;
  for (const Instance* z : distinct_) probes.push_back(instances.probe(*z));
  std::vector<Response> responses(shapelets_.size());
  std::vector<double> similar;  // of each distinct instance, a row: K(z, x) of the bag's instances x
  std::vector<double> score;
  for (std::int64_t bag = 0; bag < instances.bags(); ++bag) {
    const std::int64_t n = instances.count(bag);
    const auto width = static_cast<std::size_t>(n);
    similar.resize(distinct_.size() * width);
    for (std::size_t z = 0; z < probes.size() && n > 0; ++z) {
      instances.affinities(probes[z], {bag, 0, n}, similar.data() + z * width);
      instances.view().kernel.values(similar.data() + z * width, n);
    }
    for (std::size_t j = 0; j < shapelets_.size(); ++j) {
      score.assign(width, 0.0);
      for (std::size_t t = 0; t < terms_[j].size(); ++t) {
        const double alpha = shapelets_[j]->alpha[t];
        const double* k = similar.data() + terms_[j][t] * width;
        for (std::size_t x = 0; x < width; ++x) score[x] += alpha * k[x];
      }
      responses[j].add(pooled(score, instances.first(bag)));
    }
  }
  return responses;
}

}  // namespace shapeboost
