// SPDX-License-Identifier: MIT
// The seam between learning and the instances. Everything that touches all N instances of a view is one of
// two questions:
//
//     respond   for a shapelet sum_z alpha_z Phi(z): each bag's largest score and the instance of it
//     price     for weights p_x on a few instances:  the candidate z with the largest |sum_x p_x K(x, z)|
//
// Weak learners, the master and the booster see the answers, m numbers, m handles and a few candidates, never
// N of anything: instances may lie in this process (LocalOracle), in several, or on other machines.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ground/matrix.hpp"
#include "model/respond.hpp"
#include "shapeboost/view.hpp"

namespace shapeboost {

class Instances;

/// Names an instance or candidate to the oracle that it came from; -1 is none. What leaves the oracle for
/// good travels by value: Oracle::instance().
using Handle = std::int64_t;

/// One summand of a shapelet, or of a field's weights.
struct Term {
  Handle z = 0;
  double alpha = 0.0;
};

/// The best hypothesis of a single instance, sign * max_x alpha K(z, x) with |alpha| = 1, or 1 / ||Phi(z)||
/// where shapelets have unit norm.
struct Single {
  Handle z = 0;
  double alpha = 1.0;
  int sign = +1;
  double edge = 0.0;
  std::int64_t row = 0;  ///< of the candidate in the pool
};

/// The candidate with the largest |score|.
struct Priced {
  Handle z = -1;
  double score = 0.0;
};

/// An instance and its score.
struct Peak {
  Handle x = -1;
  double value = 0.0;
};

/// What an oracle may offer beyond its questions where all instances of its bags lie in this process, for
/// methods that look at each of them. They are numbered 0 ... N-1, those of bag k from begin(k) on.
class AllInstances {
 public:
  virtual ~AllInstances() = default;
  [[nodiscard]] virtual const Instances& instances() const = 0;
  [[nodiscard]] virtual std::int64_t begin(std::int64_t k) const = 0;  ///< begin(bags()) = N
  [[nodiscard]] virtual std::vector<Handle> handles() const = 0;
  /// K(z, x) of each instance x, z any handle; valid until two others were asked for.
  [[nodiscard]] virtual const double* similarities(Handle z) = 0;
  /// K(x, x) of each.
  [[nodiscard]] virtual const Vector& self_similarities() = 0;
};

/// The values of a response, for computing with them.
[[nodiscard]] inline Eigen::Map<const Vector> mapped(const Response& response) {
  return {response.value.data(), std::ssize(response.value)};
}

/// One oracle serves one view and one caller at a time. Its bags are numbered k = 0 ... bags()-1, and answers
/// are in that order. The implementation decides which instances are candidates (the pool); its answers must
/// not depend on threads or memory.
class Oracle {
 public:
  virtual ~Oracle() = default;

  [[nodiscard]] virtual std::int64_t bags() const = 0;
  /// False where bag k has no instance in this view: every shapelet says 0 of it.
  [[nodiscard]] virtual bool has_instances(std::int64_t k) const = 0;
  /// Which of its bags an instance belongs to; -1: none, as of a cluster's centre.
  [[nodiscard]] virtual std::int64_t bag_of(Handle z) const = 0;
  /// By value, in the units of the data.
  [[nodiscard]] virtual Instance instance(Handle z) const = 0;

  /// max_{x in B_k} sum_z alpha_z K(z, x) for every bag.
  [[nodiscard]] virtual Response respond(std::span<const Term> shapelet) = 0;
  /// The `count` highest instances of every bag, the highest first and the lower handle first among equals;
  /// only the highest where finding the others is expensive.
  [[nodiscard]] virtual std::vector<std::vector<Peak>> peaks(std::span<const Term> shapelet,
                                                             std::int64_t count) = 0;
  /// out[i] = K(z, at[i]) for instances `at` of its bags; 0 for -1.
  virtual void similarities(Handle z, std::span<const Handle> at, double* out) = 0;

  /// The best candidate of the pool.
  [[nodiscard]] virtual Priced price(std::span<const Term> p) = 0;
  /// The best instance of all bags, which then joins the pool; the same as price() unless partial().
  [[nodiscard]] virtual Priced price_all(std::span<const Term> p) = 0;
  /// Every instance may be a candidate, but the pool holds a part of them.
  [[nodiscard]] virtual bool partial() const = 0;

  /// The best hypotheses of single candidates given dy_k = d_k y_k, `count` for each sign and sign of alpha,
  /// the largest edge first; `signs` is 1 (only +h) or 2. None where no bag has an instance. Edges and
  /// values() are exact to the precision of a float.
  [[nodiscard]] virtual std::vector<Single> best_singles(const Vector& dy, int signs, int count) = 0;
  /// max_{x in B_k} alpha K(z, x) of each bag, of one of these.
  [[nodiscard]] virtual Vector values(const Single& single) = 0;

  /// Time spent answering so far, for the record.
  [[nodiscard]] virtual double seconds() const = 0;

  /// nullptr where they do not lie in this process.
  [[nodiscard]] virtual AllInstances* all_instances() { return nullptr; }
};

/// One a view, all of the same bags.
using Oracles = std::vector<std::unique_ptr<Oracle>>;

}  // namespace shapeboost
