// SPDX-License-Identifier: MIT
#include "learn/baselines.hpp"

#include "ground/names.hpp"
#include "ground/text.hpp"

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
  // Linear programs take what is far beyond for infinite, and quadratic ones find nothing there.
  constexpr double kLargestC = 1e15;
  if (!(settings.C > 0.0 && settings.C <= kLargestC)) {
    return "C: expected a number above 0 and at most " + detail::number(kLargestC) + ", found " +
           detail::number(settings.C);
  }
  if (settings.max_rounds < 1) {
    return "rounds: expected at least 1, found " + std::to_string(settings.max_rounds);
  }
  return "";
}

Learned baseline(const Oracles& oracles, const Sides& sides, const Baseline& asked, ThreadPool& threads,
                 const Observer& observer) {
  if (const std::string fault = validate(asked.settings); !fault.empty()) throw InvalidInput(fault);
  if (asked.method == Method::l1_svm) return l1_svm(oracles, sides, asked.settings, observer);
  if (!is_instance_svm(asked.method)) throw InvalidInput("method: boost is no baseline");
  const std::string name = "method: " + std::string(to_string(asked.method));
  if (oracles.size() != 1) {
    throw InvalidInput(name + " looks at one view, found " + std::to_string(oracles.size()));
  }
  AllInstances* all = oracles.front()->all_instances();
  if (all == nullptr) {
    throw InvalidInput(name + " needs all instances in one place, found an oracle that does not hold them");
  }
  if (const std::string obstacle = instance_svm_obstacle(asked.method, all->instances().view());
      !obstacle.empty()) {
    throw InvalidInput(obstacle);
  }
  return instance_svm(*oracles.front(), *all, sides, asked, threads, observer);
}

}  // namespace shapeboost
