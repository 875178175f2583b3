// SPDX-License-Identifier: MIT
// Bags on the unit circle or sphere, for the tests of the bound: R = 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/rng.hpp"
#include "shapeboost/base.hpp"
#include "tell/bound.hpp"

namespace shapeboost::examples {

/// A bag is a matrix with an instance in each row.
using Bags = std::vector<Eigen::MatrixXd>;

/// m bags of `size` random directions.
inline Bags sphere_bags(Rng& rng, std::int64_t m, std::int64_t size, std::int64_t dimension) {
  Bags bags;
  for (std::int64_t i = 0; i < m; ++i) {
    Eigen::MatrixXd bag(size, dimension);
    for (double& value : bag.reshaped()) value = rng.normal();
    bag.rowwise().normalize();
    bags.push_back(bag);
  }
  return bags;
}

/// What the bound needs to know of them.
inline BoundView view_of(const Bags& bags, Patterns patterns, std::int64_t dimension) {
  BoundView view;
  view.patterns = patterns;
  view.dimension = dimension;
  for (const Eigen::MatrixXd& bag : bags) {
    view.instances += bag.rows();
    view.largest_bag = std::max<std::int64_t>(view.largest_bag, bag.rows());
  }
  return view;
}

inline Eigen::VectorXd direction(double angle) { return Eigen::Vector2d(std::cos(angle), std::sin(angle)); }

}  // namespace shapeboost::examples
