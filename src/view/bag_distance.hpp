// SPDX-License-Identifier: MIT
// How far apart bags are as wholes, as a view maps their instances:
//
//     S(B, Z) = 1/2 mean_{x in B} min_{z in Z} |x - z| + 1/2 mean_{z in Z} min_{x in B} |x - z|.
//
// Symmetric, 0 between bags of the same instances, and no norm of anything: the triangle's inequality need not hold.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/matrix.hpp"
#include "shapeboost/view.hpp"

namespace shapeboost::detail {

/// The bags that others are compared with: their mapped instances, bag after bag.
class BagDistances {
 public:
  /// Numbers as map_instance() gives them, an instance a row; `sizes` says how many each bag has, at least 1.
  BagDistances(Matrix instances, const std::vector<std::int64_t>& sizes);

  [[nodiscard]] std::int64_t bags() const { return std::ssize(first_) - 1; }
  [[nodiscard]] std::int64_t instances() const { return instances_.rows(); }

  /// out[k] = S(bag, k-th of them), for a bag of at least one mapped instance; nearest[k], where it is asked for, the
  /// number of its instance that lies nearest to one of the k-th's, the lowest among equals.
  void of(const Matrix& bag, double* out, std::int32_t* nearest = nullptr) const;

 private:
  Matrix instances_;  // less origin_
  Vector origin_;     // their mean: what distances do not depend on, and inner products lose digits to
  Vector norm2_;
  std::vector<std::int64_t> first_{0};
};

/// The bag's instances, mapped, an instance a row.
[[nodiscard]] Matrix mapped_bag(const View& view, const ArrayView& values);

/// What a view of whole bags says of a distance: exp(-(sqrt(sigma) S)^view.whole).
[[nodiscard]] double bag_similarity(const View& view, double distance);

}  // namespace shapeboost::detail
