// SPDX-License-Identifier: MIT
// What of bags decides how their instances are looked at.
#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "train/plan_views.hpp"

namespace shapeboost {

detail::BagTraits detail::traits_of(const Dataset& data) {
  constexpr double kOutliers =
      4.0;  // in units of the squared variance; the fourth moment of a normal variable is 3
  BagTraits traits;
  if (data.kind() != DataKind::bags) return traits;
  if (data.is_sparse()) {
    traits.occurs.assign(at(data.width()), 0);
    for (std::int64_t i = 0; i < data.size(); ++i) {
      const SparseView bag = data.sparse(i);
      for (std::int64_t r = 0; r < bag.rows(); ++r) {
        for (const std::int32_t f : bag.row(r).columns) traits.occurs[at(f)] = 1;
      }
    }
    return traits;
  }
  Vector mean = Vector::Zero(data.width());
  double count = 0.0;
  double zeros = 0.0;
  const auto each = [&](const auto& visit) {
    for (std::int64_t i = 0; i < data.size(); ++i) {
      const MatrixView x = mapped(data.values(i));
      for (Eigen::Index j = 0; j < x.rows(); ++j) visit(x.row(j).transpose());
    }
  };
  each([&](const auto& x) {
    mean += x;
    count += 1.0;
    zeros += real((x.array() == 0.0).count());
  });
  mean /= std::max(1.0, count);
  Vector second = Vector::Zero(data.width());
  Vector fourth = Vector::Zero(data.width());
  each([&](const auto& x) {
    const Vector square = (x - mean).array().square();
    second += square / count;
    fourth += square.cwiseAbs2() / count;
  });
  std::int64_t varying = 0;
  std::int64_t heavy = 0;
  for (Eigen::Index f = 0; f < data.width(); ++f) {
    if (!(second[f] > 0.0)) continue;
    ++varying;
    if (fourth[f] > kOutliers * second[f] * second[f]) ++heavy;
  }
  traits.sparse = zeros > 0.5 * count * real(data.width());
  traits.heavy = 2 * heavy >= varying && varying > 0;
  return traits;
}

}  // namespace shapeboost
