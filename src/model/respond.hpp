// SPDX-License-Identifier: MIT
// What shapelets say of bags: h(B) = sign * max_{x in B} sum_z alpha_z K(z, x).
#pragma once

#include <cstdint>
#include <vector>

#include "ground/numbers.hpp"
#include "shapeboost/model.hpp"
#include "view/instances.hpp"

namespace shapeboost {

/// For each bag the largest score and the instance that attains it (the lowest number among equals). A bag
/// without instances says nothing: 0, and -1 for the instance.
struct Response {
  std::vector<double> value;
  std::vector<std::int64_t> argmax;

  void add(const Pooled& bag) {
    value.push_back(bag.value);
    argmax.push_back(bag.argmax);
  }
  void set(std::int64_t k, const Pooled& bag) {
    value[at(k)] = bag.value;
    argmax[at(k)] = bag.argmax;
  }
};

/// max_{x in B_i} sum_z alpha_z K(z, x) for every bag of `instances`, in one pass and without memory of
/// its own beyond one bag's scores.
[[nodiscard]] Response respond(const Instances& instances, const Shapelet& shapelet);

/// The same for many shapelets that share instances: each distinct one is compared once. The same bits, for
/// less where they are many, as with patterns of the ball.
class SharedInstances {
 public:
  /// Shapelets are known by their place in the list, which must outlive this.
  explicit SharedInstances(std::vector<const Shapelet*> shapelets);
  /// True where comparing each distinct instance once saves work, and its scores of the largest bag are few
  /// enough to be kept.
  [[nodiscard]] bool pays(const Instances& instances) const;
  /// For every shapelet what it says of every bag.
  [[nodiscard]] std::vector<Response> respond(const Instances& instances) const;

 private:
  std::vector<const Shapelet*> shapelets_;
  std::vector<const Instance*> distinct_;
  std::vector<std::vector<std::size_t>> terms_;  // of each shapelet: places in distinct_
  std::size_t all_ = 0;                          // terms of all shapelets
};

}  // namespace shapeboost
