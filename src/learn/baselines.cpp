// SPDX-License-Identifier: MIT
#include "learn/baselines.hpp"

#include <cmath>

#include "ground/names.hpp"
#include "ground/text.hpp"
#include "learn/baseline_methods.hpp"
#include "learn/booster.hpp"

namespace shapeboost {

namespace {

constexpr Names<Method, 4> kMethods{{{Method::boost, "boost"},
                                     {Method::mi_svm, "mi-svm"},
                                     {Method::MI_svm, "MI-svm"},
                                     {Method::l1_svm, "l1-svm"}}};

}  // namespace

std::string_view to_string(Method value) { return name_of(kMethods, value); }

template <>
Method parse<Method>(std::string_view text) {
  return choice_of(kMethods, "method", text);
}

std::string validate(const BaselineSettings& settings) {
  if (!(settings.C > 0.0) || !std::isfinite(settings.C)) {
    return "C: expected a number above 0, found " + detail::number(settings.C);
  }
  if (settings.max_rounds < 1) {
    return "rounds: expected at least 1, found " + std::to_string(settings.max_rounds);
  }
  return "";
}

Vector detail::costs(const Sides& sides, double C) {
  if (sides.v.size() == 0) return Vector::Constant(sides.y.size(), C);
  return C / sides.v.mean() * sides.v;
}

void detail::learn_nothing(const Sides& sides, Learned& result) {
  result.hypotheses.clear();
  result.b = sides.y.mean();
  result.rho = result.gamma = 0.0;
  result.nu = 1.0;
  result.g = Vector::Constant(sides.y.size(), result.b);
  if (result.stop != Stop::interrupted) result.stop = Stop::nothing;
}

Learned baseline(const std::vector<std::unique_ptr<Oracle>>& oracles, const Sides& sides,
                 const Baseline& asked, ThreadPool& threads, const Observer& observer) {
  if (const std::string fault = validate(asked.settings); !fault.empty()) throw InvalidInput(fault);
  if (asked.method == Method::l1_svm) return detail::l1_svm(oracles, sides, asked.settings, observer);
  if (!is_instance_svm(asked.method)) throw InvalidInput("method: boost is no baseline");
  if (oracles.size() != 1) {
    throw InvalidInput("method: " + std::string(to_string(asked.method)) + " looks at one view, found " +
                       std::to_string(oracles.size()));
  }
  AllInstances* all = oracles.front()->all_instances();
  if (all == nullptr) {
    throw InvalidInput("method: " + std::string(to_string(asked.method)) +
                       " needs all instances in one place, found an oracle that does not hold them");
  }
  const std::string obstacle = instance_svm_obstacle(asked.method, all->instances().view());
  if (!obstacle.empty()) throw InvalidInput(obstacle);
  return detail::instance_svm(*oracles.front(), *all, sides, asked, threads, observer);
}

}  // namespace shapeboost
