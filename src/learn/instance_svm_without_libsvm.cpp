// SPDX-License-Identifier: MIT
// Stands in for instance_svm.cpp where the library is built without libsvm.
#include <string>

#include "learn/baselines.hpp"
#include "shapeboost/base.hpp"
#include "view/instances.hpp"

namespace shapeboost {

std::string instance_svm_obstacle(Method method, const View& /*view*/) {
  return "method: " + std::string(to_string(method)) +
         " needs libsvm, which this build lacks: install it (Debian: libsvm-dev) and build again";
}

std::int64_t instance_svm_bytes(Method /*method*/, std::int64_t /*instances*/, std::int64_t /*bags*/,
                                std::int64_t /*numbers*/, bool /*parts*/) {
  return 0;
}

Learned instance_svm(Oracle& /*oracle*/, AllInstances& all, const Sides& /*sides*/, const Baseline& asked,
                     ThreadPool& /*threads*/, const Observer& /*observer*/) {
  throw InvalidInput(instance_svm_obstacle(asked.method, all.instances().view()));
}

}  // namespace shapeboost
