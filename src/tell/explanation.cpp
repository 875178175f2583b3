// SPDX-License-Identifier: MIT
#include "shapeboost/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "model/interval_reader.hpp"
#include "tell/figure.hpp"
#include "tell/record.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

void check_part(const Model& model, int part) {
  if (part < 0 || part >= static_cast<int>(model.parts.size())) {
    throw InvalidInput(concat("part: expected 0 to ", model.parts.size() - 1, ", found ", part));
  }
}

/// The share of feature f in what the kernel says of x beside a standard normal X, as views map the data:
/// E (z - X)^2 = z^2 + 1,  E |z - X| = z erf(z / sqrt 2) + sqrt(2 / pi) exp(-z^2 / 2).
double feature_share(const Kernel& kernel, double z, double x) {
  switch (kernel.kind()) {
    case KernelKind::gaussian: return kernel.sigma() * (z * z + 1.0 - (z - x) * (z - x));
    case KernelKind::laplacian:
      return kernel.sigma() *
             (z * std::erf(z / std::numbers::sqrt2) +
              std::sqrt(2.0 * std::numbers::inv_pi) * std::exp(-0.5 * z * z) - std::abs(z - x));
    case KernelKind::linear:
    case KernelKind::polynomial: return z * x;
    default: return 0.0;
  }
}

/// Every feature has the share in an instance's size that its square has in the squared length.
void credit_size(const View& view, const ArrayView& bag, std::int64_t instance, double credit,
                 std::vector<double>& credits) {
  const auto feature = [&](std::int64_t f) { return view.features.empty() ? f : view.features[at(f)]; };
  double squares = 0.0;
  for (std::int64_t f = 0; f < view.rows(); ++f) squares += std::pow(bag(instance, feature(f)), 2.0);
  for (std::int64_t f = 0; squares > 0.0 && f < view.rows(); ++f) {
    credits[at(feature(f))] += credit * std::pow(bag(instance, feature(f)), 2.0) / squares;
  }
}

/// Of a whole bag what x is nearest to: what it has in common with it.
std::size_t nearest_of(const Instances& instances, const Shapelet& bag, const Probe& x) {
  std::size_t nearest = 0;
  double most = -1.0;
  for (std::size_t k = 0; k < bag.instances.size(); ++k) {
    const double similar = instances.similarity(instances.probe(bag.instances[k]), x);
    if (similar <= most) continue;
    most = similar;
    nearest = k;
  }
  return nearest;
}

}  // namespace

void detail::check_example(std::int64_t examples, std::int64_t example) {
  if (example < 0 || example >= examples) {
    throw InvalidInput(concat("example: expected 0 to ", examples - 1, ", found ", example));
  }
}

Explanation detail::unsorted_explanation(const Model& model, const Responses& responses, std::int64_t example,
                                         int part) {
  check_part(model, part);
  detail::check_example(responses.value.rows(), example);
  const Part& of = model.parts[at(part)];
  Explanation result{example, part, of.b, of.b, {}, {}};
  result.contributions.reserve(of.weights.size());
  for (const Weight& weight : of.weights) {
    const Hypothesis& hypothesis = model.hypotheses[at(weight.hypothesis)];
    const std::int64_t instance = responses.instance(example, weight.hypothesis);
    const double response = responses.of(weight.evidence, example, weight.hypothesis);
    const double value = instance < 0 ? 0.0 : contribution(hypothesis, weight, response);
    result.contributions.push_back({weight.hypothesis, weight.w, hypothesis.sign, response, value, instance,
                                    responses.position(example, weight.hypothesis), weight.evidence});
    result.score += value;
  }
  for (std::size_t k = 0; k < of.intervals.size(); ++k) {
    if (of.intervals[k] == 0.0) continue;
    const double moment = responses.intervals(example, k);
    const double value = contribution(*model.head->intervals, of, k, moment);
    result.intervals.push_back({k, of.intervals[k], moment, value});
    result.score += value;
  }
  if (!std::isfinite(result.score)) {
    throw InvalidInput("the example's numbers are too large for the model, whose answer is not a finite one");
  }
  return result;
}

Explanation explain(const Model& model, const Responses& responses, std::int64_t example, int part) {
  Explanation result = detail::unsorted_explanation(model, responses, example, part);
  std::ranges::stable_sort(result.contributions, [](const Contribution& a, const Contribution& b) {
    return std::abs(a.value) > std::abs(b.value);
  });
  std::ranges::stable_sort(result.intervals,
                           [](const IntervalContribution& a, const IntervalContribution& b) {
                             return std::abs(a.value) > std::abs(b.value);
                           });
  return result;
}

double interval_sum(const Explanation& explanation) {
  double sum = 0.0;
  for (const IntervalContribution& one : explanation.intervals) sum += one.value;
  return sum;
}

Explanation explain(const Model& model, const Dataset& data, std::int64_t example, int part) {
  detail::check_example(data.size(), example);
  Explanation result = explain(model, responses(model, data.subset({example}), 1), 0, part);
  result.example = example;
  return result;
}

std::string describe_stretch(const View& view, std::int64_t position) {
  if (view.kind == DataKind::bags) return concat("instance ", position + 1);
  if (view.transform == Transform::spectrum && view.rate > 0.0) {
    const auto hertz = [&](std::int64_t frequency) {
      return detail::short_number(view.rate * real(frequency) / real(view.period));
    };
    return concat(hertz(position + 1), '-', hertz(position + view.span()), " Hz");
  }
  if (view.transform == Transform::spectrum) {
    const auto cycle = [&](std::int64_t frequency) {
      return detail::short_number(real(view.period) / real(frequency));
    };
    return concat("cycles of ", cycle(position + view.span()), '-', cycle(position + 1), " values");
  }
  return concat(view.kind == DataKind::series ? "values " : "symbols ", position + 1, '-',
                position + view.span());
}

std::string describe_evidence(const Model& model, const Contribution& c) {
  const View& view = model.views[at(model.hypotheses[at(c.hypothesis)].view)];
  if (c.position < 0) return "no window";
  const auto percent = std::lround(100.0 * c.response);
  if (view.kind == DataKind::bags) {
    const std::string instance = concat("instance ", c.instance + 1);
    switch (c.evidence) {
      case Evidence::share:
        return c.response > 0.0 && percent == 0 ? "in under 1 % of its instances"
                                                : concat("in ", percent, " % of its instances");
      case Evidence::mean: return "on average, most in " + instance;
      case Evidence::least: return "in the least alike of its instances";
      case Evidence::bag: return "as a whole, nearest in " + instance;
      case Evidence::best:
      case Evidence::place: break;
    }
    return model.head ? "best at " + instance : instance;
  }
  if (view.transform == Transform::spectrum) return describe_stretch(view, c.position);
  switch (c.evidence) {
    case Evidence::share:
      return c.response > 0.0 && percent == 0 ? "in under 1 % of its windows"
                                              : concat("in ", percent, " % of its windows");
    case Evidence::place:
      return concat(c.response < 1.0 / 3.0   ? "early"
                    : c.response < 2.0 / 3.0 ? "in the middle"
                                             : "late",
                    " (at ", percent, " %)");
    case Evidence::best:
    case Evidence::mean:
    case Evidence::least:
    case Evidence::bag: break;
  }
  return "best at " + describe_stretch(view, c.position);
}

std::string describe_interval(const Model& model, const Interval& interval, std::int64_t length) {
  View view;
  view.transform = interval.transform;
  std::int64_t values = length;
  if (interval.transform == Transform::differences) values = length - 1;
  if (interval.transform == Transform::spectrum) {
    view.period = model.head->intervals->period;
    for (const View& other : model.views) view.rate = std::max(view.rate, other.rate);
    values = view.period / 2;
  }
  const auto [first, last] = detail::interval_steps(interval, std::max<std::int64_t>(1, values));
  view.length = last - first;
  std::string text = concat(to_string(interval.moment), " of ",
                            interval.transform == Transform::differences ? "the differences of " : "",
                            describe_stretch(view, first));
  if (model.head->intervals->channels > 1) text += concat(" of channel ", interval.channel + 1);
  return text;
}

int part_of(const Model& model, int first, int second) {
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    const Part& part = model.parts[p];
    const bool pair = (part.positive == first && part.negative == second) ||
                      (part.positive == second && part.negative == first);
    if (pair || (part.positive == first && part.negative == kRest)) return static_cast<int>(p);
  }
  throw InvalidInput(concat("part: the model has none for the classes ", first, " and ", second));
}

std::vector<int> telling_parts(const Model& model, const Scores& scores) {
  const std::vector<int> predicted = predictions(model, scores);
  const Array<double> by_class = class_scores(model, scores);
  std::vector<int> result;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const int winner = predicted[i];
    int second = winner == 0 ? 1 : 0;
    for (int k = 0; k < static_cast<int>(model.classes.size()); ++k) {
      if (k != winner && by_class(i, k) > by_class(i, second)) second = k;
    }
    result.push_back(part_of(model, winner, second));
  }
  return result;
}

std::vector<double> feature_credits(const Model& model, const Dataset& data, std::int64_t example,
                                    const Contribution& contribution) {
  Explanation one;
  one.contributions = {contribution};
  return feature_credits(model, data, example, one, contribution.instance);
}

std::vector<double> feature_credits(const Model& model, const Dataset& data, std::int64_t example,
                                    const Explanation& explanation, std::int64_t instance) {
  detail::check_example(data.size(), example);
  if (data.kind() != DataKind::bags) throw InvalidInput("data: only the instances of bags have features");
  std::vector<double> credits(at(data.width()), 0.0);
  const Dataset alone = data.subset({example});
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    const View& view = model.views[v];
    std::unique_ptr<Instances> instances;
    Probe x;
    for (const Contribution& c : explanation.contributions) {
      const Hypothesis& hypothesis = model.hypotheses[at(c.hypothesis)];
      if (at(hypothesis.view) != v || c.instance < 0 || c.instance != instance) continue;
      if (!instances) {
        instances = make_instances(alone, view);
        x = instances->probe(instance);
      }
      const bool whole = view.whole != 0;
      const std::size_t nearest = whole ? nearest_of(*instances, hypothesis.shapelet, x) : 0;
      for (std::size_t k = 0; k < hypothesis.shapelet.alpha.size(); ++k) {
        if (whole && k != nearest) continue;
        const Probe z = instances->probe(hypothesis.shapelet.instances[k]);
        const double scale =
            c.w * c.sign * (whole ? c.response : hypothesis.shapelet.alpha[k] * instances->similarity(z, x));
        if (view.aspect == Aspect::size) {
          credit_size(view, alone.values(0), instance,
                      scale * feature_share(view.kernel, z.values[0], x.values[0]), credits);
          continue;
        }
        for (Eigen::Index f = 0; f < x.values.size(); ++f) {
          credits[at(view.features.empty() ? f : view.features[at(f)])] +=
              scale * feature_share(view.kernel, z.values[f], x.values[f]);
        }
      }
    }
  }
  return credits;
}

}  // namespace shapeboost
