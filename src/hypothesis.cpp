// SPDX-License-Identifier: MIT
#include "shapeboost/hypothesis.hpp"

namespace shapeboost {

Response respond(const Instances& instances, const Shapelet& shapelet) {
  std::vector<Probe> probes;
  for (const Instance& z : shapelet.instances) probes.push_back(instances.probe(z));
  Response response;
  for (std::int64_t bag = 0; bag < instances.bags(); ++bag) {
    double value = 0.0;
    std::int64_t argmax = -1;
    if (instances.count(bag) > 0) instances.best(probes, shapelet.alpha, bag, value, argmax);
    response.value.push_back(value);
    response.argmax.push_back(argmax);
  }
  return response;
}

}  // namespace shapeboost
