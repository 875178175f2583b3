// SPDX-License-Identifier: MIT
#include "tell/bound.hpp"

#include <algorithm>
#include <numbers>

#include "ground/numbers.hpp"
#include "ground/text.hpp"

namespace shapeboost {
namespace {

constexpr int kMostMargins = 64;     // rho down to 2^-32 of the largest one
constexpr int kMostDoublings = 40;   // of m, in search of a bound that says something
constexpr double kRounding = 1e-6;   // by which a margin may exceed what norm and radius allow
constexpr double kTooMany = 0x1p62;  // of a count: more than 64 bits hold safely

/// ln(exp(a) + exp(b))
double log_add(double a, double b) {
  const double larger = std::max(a, b);
  return larger + std::log1p(std::exp(std::min(a, b) - larger));
}

/// ln of sum_{k=0..last} binom(n, k); stops where it has passed `enough`. n is a whole number, perhaps one
/// too large for an integer.
double log_binomial_sum(double n, double last, double enough) {
  if (last >= n) return n * std::numbers::ln2;
  double term = 0.0;
  double sum = 0.0;
  for (double k = 1.0; k <= last && sum < enough; ++k) {
    term += std::log((n - k + 1.0) / k);
    sum = log_add(sum, term);
  }
  return sum;
}

[[noreturn]] void complain(const std::string& what, const std::string& expected, double found) {
  throw InvalidInput("bound: expected " + expected + " for " + what + ", found " + detail::number(found));
}

void check(const BoundView& view, std::size_t v, std::size_t m) {
  const std::string name = concat(" of view ", v);
  if (view.instances < static_cast<std::int64_t>(m))
    complain("the instances" + name, concat("at least ", m), real(view.instances));
  if (view.largest_bag < 1 || view.largest_bag > view.instances)
    complain("the largest bag" + name, concat("1 ... ", view.instances), real(view.largest_bag));
  if (!(view.radius > 0.0) || !std::isfinite(view.radius))
    complain("the radius" + name, "a positive number", view.radius);
  if (view.patterns != Patterns::unknown && view.dimension < 1)
    complain("the dimension" + name, "at least 1", real(view.dimension));
}

void check(const BoundInput& input) {
  if (input.margins.empty()) throw InvalidInput("bound: expected margins of training bags, found none");
  if (input.views.empty()) throw InvalidInput("bound: expected at least one view, found none");
  for (std::size_t v = 0; v < input.views.size(); ++v) check(input.views[v], v, input.margins.size());
  if (!(input.norm >= 0.0) || !std::isfinite(input.norm)) complain("the norm", "a number >= 0", input.norm);
  if (input.offset && !std::isfinite(*input.offset)) complain("the offset", "a finite number", *input.offset);
  if (input.norm == 0.0 && input.offset.value_or(0.0) == 0.0)
    complain("the norm where there is no offset", "more than 0", input.norm);
  if (input.choices < 1) complain("the choices", "at least 1", input.choices);
  if (!(input.delta > 0.0 && input.delta < 1.0)) complain("delta", "a number in (0, 1)", input.delta);
}

double largest_radius(const BoundInput& input) {
  double radius = 0.0;
  for (const BoundView& view : input.views) radius = std::max(radius, view.radius);
  return radius;
}

/// |g| <= A R + |b| on the training bags: a larger margin belongs to another norm, radius or offset.
void check_margins(const BoundInput& input, double radius) {
  const double most = input.norm * radius + std::abs(input.offset.value_or(0.0));
  for (std::size_t i = 0; i < input.margins.size(); ++i) {
    if (!(std::abs(input.margins[i]) <= most * (1.0 + kRounding)))
      complain(concat("margin ", i), "at most " + detail::number(most) + " in size", input.margins[i]);
  }
}

/// The size s of the constant hypothesis, fixed before the sample is seen, and its share p of delta.
struct Constant {
  double s = 1.0;
  double share = 1.0;
};

Constant constant_hypothesis(double radius, bool known) {
  if (known) return {radius, 1.0};
  const int k = std::ilogb(radius);
  const double size = std::abs(k);
  return {std::ldexp(1.0, k), 2.0 / (3.0 * (size + 1.0) * (size + 2.0))};
}

/// Bounds on the Rademacher complexity of F, were there `factor` times as many bags.
struct Complexity {
  std::optional<double> log_patterns;
  std::optional<double> patterns;
  double covering = 0.0;
};

Complexity complexity_of(const BoundInput& input, double radius, std::int64_t factor) {
  const std::int64_t m = std::ssize(input.margins) * factor;
  Complexity result;
  // The patterns of all views are counted together; the constants are one more.
  std::optional<double> sum;
  if (input.offset) sum = 0.0;
  bool counted = true;
  std::int64_t instances = 0;
  for (BoundView view : input.views) {
    view.instances *= factor;
    instances = std::max(instances, view.instances);
    const std::optional<double> logarithm = log_patterns(view, m);
    if (!logarithm) {
      counted = false;
    } else {
      sum = sum ? log_add(*sum, *logarithm) : *logarithm;
    }
  }
  if (counted) {
    result.log_patterns = sum;
    result.patterns = radius * pattern_complexity(*sum, m);
  }
  const auto classes = std::ssize(input.views) + (input.offset ? 1 : 0);
  result.covering = radius * covering_complexity(instances, classes, m);
  return result;
}

/// 3 sqrt(ln(2 / delta_k) / (2 m)), delta_k = share delta / ((k+1)(k+2)).
double confidence_of(double delta, double share, std::size_t k, double m) {
  const double row = real(k);
  return 3.0 * std::sqrt(std::log(2.0 * (row + 1.0) * (row + 2.0) / (delta * share)) / (2.0 * m));
}

/// Smallest number of bags m 2^j at which some total lies below 1, the losses being what they are.
std::optional<double> search_bags(const Bound& bound, const Constant& constant, double share) {
  const auto m = std::ssize(bound.input.margins);
  double largest = real(m);
  for (const BoundView& view : bound.input.views) largest = std::max(largest, real(view.instances));
  for (int j = 0; j <= kMostDoublings && std::ldexp(largest, j) < kTooMany; ++j) {
    const std::int64_t factor = std::int64_t{1} << j;
    const Complexity complexity = complexity_of(bound.input, bound.radius, factor);
    const double c = std::min(complexity.covering, complexity.patterns.value_or(complexity.covering));
    for (std::size_t k = 0; k < bound.at.size(); ++k) {
      const double relative = bound.at[k].rho / bound.scale * constant.s;  // rho / T
      const double total = bound.at[k].loss + 2.0 * c / relative +
                           confidence_of(bound.input.delta, share, k, real(m * factor));
      if (total < 1.0) return real(m * factor);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> log_patterns(const BoundView& view, std::int64_t m) {
  if (view.patterns == Patterns::unknown) return std::nullopt;
  if (view.largest_bag == 1) return 0.0;  // nothing to choose from
  const double n = real(view.largest_bag);
  const double pairs = std::floor(real(view.instances) * (n - 1.0) / 2.0);
  const double d = real(view.dimension);
  const double all = real(m) * std::log(n);  // any instance of each bag
  // Cells of `pairs` hyperplanes through 0 in R^d, or of affine ones in R^d: nearest and farthest instances.
  const double cells =
      std::numbers::ln2 + (view.patterns == Patterns::linear ? log_binomial_sum(pairs - 1.0, d - 1.0, all)
                                                             : log_binomial_sum(pairs, d, all));
  return std::min(cells, all);
}

double pattern_complexity(double log_patterns, std::int64_t m) {
  if (log_patterns <= 0.0) return std::sqrt(1.0 / real(m));
  const double q = 2.0 * log_patterns + 2.0 * std::sqrt(log_patterns);
  const double psi = 2.0 * (1.0 + q) / q * (log_patterns + 0.5 * std::log1p(q));
  return std::sqrt(psi / real(m));
}

double covering_complexity(std::int64_t instances, std::int64_t classes, std::int64_t m) {
  const double a = std::sqrt(
      (8.0 * std::log(2.0 * real(instances)) + 4.0 * std::numbers::ln2 + 2.0 * std::log(real(classes))) /
      real(m));
  double smallest = 1.0;  // |h| <= R
  for (double links = 1.0; links <= 64.0; ++links) {
    smallest = std::min(smallest, (links + 1.0) * std::pow(a, links / (links + 1.0)));
  }
  return smallest;
}

std::optional<std::int64_t> polynomial_dimension(std::int64_t length, int p, double c) {
  if (length < 1) complain("the length", "at least 1", real(length));
  if (p < 1) complain("p", "at least 1", p);
  if (!(c >= 0.0)) complain("c", "a number >= 0", c);
  // binom(length + p, p) monomials of degree <= p, the constant one the same for all instances;
  // binom(length + p - 1, p) of degree p.
  const std::int64_t n = c > 0.0 ? length + p : length + p - 1;
  double count = 1.0;
  for (int k = 1; k <= p; ++k) {
    count = std::round(count * real(n - p + k) / k);
    if (count > 0x1p52) return std::nullopt;
  }
  return static_cast<std::int64_t>(count) - (c > 0.0 ? 1 : 0);
}

Bound generalisation_bound(const BoundInput& input) {
  check(input);
  Bound bound;
  bound.input = input;
  bound.radius = largest_radius(input);
  check_margins(input, bound.radius);

  const Constant constant = constant_hypothesis(bound.radius, input.radius_known);
  const double share = constant.share / input.choices;
  bound.scale = input.norm * constant.s + std::abs(input.offset.value_or(0.0));  // T s
  const Complexity complexity = complexity_of(input, bound.radius, 1);
  bound.log_patterns = complexity.log_patterns;

  std::vector<double> sorted = input.margins;
  std::ranges::sort(sorted);
  const double m = real(sorted.size());
  const auto positive = std::ranges::upper_bound(sorted, 0.0);
  // Below the smallest positive margin the loss falls no further; without one the first row says it all.
  const double stop = positive == sorted.end() ? std::numeric_limits<double>::infinity() : *positive;
  for (std::size_t k = 0; k < kMostMargins; ++k) {
    const double t = std::exp2(-0.5 * real(k));
    const double per_c = 2.0 / (t * constant.s);  // 2 T / rho
    BoundAtRho row;
    row.rho = bound.scale * t;
    row.loss = real(std::ranges::lower_bound(sorted, row.rho) - sorted.begin()) / m;
    row.covering = per_c * complexity.covering;
    if (complexity.patterns) row.patterns = per_c * *complexity.patterns;
    row.complexity = std::min(row.covering, row.patterns.value_or(row.covering));
    row.confidence = confidence_of(input.delta, share, k, m);
    row.total = row.loss + row.complexity + row.confidence;
    bound.at.push_back(row);
    if (row.total < bound.at[bound.best].total) bound.best = k;
    if (row.rho <= stop) break;
  }
  bound.vacuous = bound.at[bound.best].total >= 1.0;
  bound.bags_needed = search_bags(bound, constant, share);
  return bound;
}

}  // namespace shapeboost
