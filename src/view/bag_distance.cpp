// SPDX-License-Identifier: MIT
#include "view/bag_distance.hpp"

#include <algorithm>
#include <cmath>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"
#include "view/bag_mapping.hpp"

namespace shapeboost::detail {

BagDistances::BagDistances(Matrix instances, const std::vector<std::int64_t>& sizes)
    : instances_(std::move(instances)) {
  for (const std::int64_t size : sizes) first_.push_back(first_.back() + size);
  origin_ = Vector::Zero(instances_.cols());
  if (instances_.rows() > 0) origin_ = instances_.colwise().mean().transpose();
  instances_.rowwise() -= origin_.transpose();
  norm2_ = instances_.rowwise().squaredNorm();
}

void BagDistances::of(const Matrix& bag, double* out, std::int32_t* nearest) const {
  constexpr Eigen::Index kRows = 64;  // of the bag at a time
  const Eigen::Index n = bag.rows();
  const std::int64_t count = bags();
  Vector to_them = Vector::Zero(count);                           // sum over x of the distance to each bag
  Vector to_us = Vector::Constant(instances_.rows(), kInfinity);  // squared, of each z to the nearest x
  std::vector<double> least(at(nearest != nullptr ? count : 0), kInfinity);
  Matrix products;
  for (Eigen::Index begin = 0; begin < n; begin += kRows) {
    check_stop();
    const Eigen::Index rows = std::min(kRows, n - begin);
    const Matrix x = bag.middleRows(begin, rows).rowwise() - origin_.transpose();
    products.noalias() = x * instances_.transpose();
    for (Eigen::Index r = 0; r < rows; ++r) {
      const double norm2 = x.row(r).squaredNorm();
      double* const row = &products(r, 0);
      const double* const theirs = norm2_.data();
      double* const ours = to_us.data();
      for (Eigen::Index z = 0; z < products.cols(); ++z) {
        const double square = norm2 + theirs[z] - 2.0 * row[z];
        row[z] = square > 0.0    ? square
                 : square <= 0.0 ? 0.0
                                 : kInfinity;  // numbers so large that they cancel are far
        ours[z] = std::min(ours[z], row[z]);
      }
      for (std::int64_t k = 0; k < count; ++k) {
        const double square = *std::min_element(row + first_[at(k)], row + first_[at(k + 1)]);
        to_them[k] += std::sqrt(square);
        if (nearest != nullptr && square < least[at(k)]) {
          least[at(k)] = square;
          nearest[k] = static_cast<std::int32_t>(begin + r);
        }
      }
    }
  }
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t size = first_[at(k + 1)] - first_[at(k)];
    double sum = 0.0;
    for (std::int64_t z = first_[at(k)]; z < first_[at(k + 1)]; ++z) sum += std::sqrt(to_us[z]);
    out[k] = 0.5 * to_them[k] / real(n) + 0.5 * sum / real(size);
  }
}

Matrix mapped_bag(const View& view, const ArrayView& values) {
  Matrix bag(values.rows(), mapped_size(view));
  std::vector<double> given(at(view.rows()));
  for (Eigen::Index j = 0; j < bag.rows(); ++j) {
    for (std::int64_t f = 0; f < view.rows(); ++f) {
      given[at(f)] = values(j, view.features.empty() ? f : view.features[at(f)]);
    }
    map_instance(view, given.data(), bag.row(j).data());
  }
  return bag;
}

double bag_similarity(const View& view, double distance) {
  const double units = std::sqrt(view.kernel.sigma()) * distance;
  return std::exp(view.whole == 1 ? -units : -units * units);
}

}  // namespace shapeboost::detail
