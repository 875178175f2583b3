// SPDX-License-Identifier: MIT
#include "shapeboost/hypothesis.hpp"

namespace shapeboost {

Response respond(const Instances& instances, const Shapelet& shapelet) {
  std::vector<Probe> probes;
  for (const Instance& z : shapelet.instances) probes.push_back(instances.probe(z.values));
  const Kernel& kernel = instances.view().kernel;
  Response response;
  Eigen::ArrayXd scores;
  Eigen::ArrayXd term;
  for (std::int64_t bag = 0; bag < instances.bags(); ++bag) {
    const std::int64_t n = instances.count(bag);
    scores.setZero(n);
    term.resize(n);
    for (std::size_t t = 0; t < probes.size(); ++t) {
      instances.affinities(probes[t], {bag, 0, n}, term.data());
      kernel.values(term.data(), n);
      for (std::int64_t j = 0; j < n; ++j) scores[j] += shapelet.alpha[t] * term[j];
    }
    Eigen::Index best = 0;
    response.value.push_back(scores.maxCoeff(&best));
    response.argmax.push_back(instances.first(bag) + best);
  }
  return response;
}

}  // namespace shapeboost
