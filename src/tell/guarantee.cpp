// SPDX-License-Identifier: MIT
#include "shapeboost/guarantee.hpp"

#include <algorithm>
#include <map>

#include "ground/numbers.hpp"
#include "tell/bound.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

/// A view that compares instances as this one does, of as few numbers as they have: the data around them, and the
/// steps between their values, do not matter.
View smallest_view(View view) {
  view.width = view.rows();
  view.features.clear();
  view.channels.clear();
  view.dilation = 1;
  return view;
}

/// Any data that the view can see: it is the view's arithmetic that is wanted, not the data.
Dataset some_data(const View& view) {
  Dataset data(view.kind);
  if (view.kind == DataKind::bags) {
    data.add(Array<double>(1, view.width), "", "");
  } else {
    data.add(Array<double>(view.width, view.span()), "", "");
  }
  return data;
}

/// ||u||^2 = alpha' K alpha, at least 0.
double squared_norm(const Instances& view, const Shapelet& shapelet) {
  std::vector<Probe> z;
  for (const Instance& instance : shapelet.instances) z.push_back(view.probe(instance));
  double sum = 0.0;
  for (std::size_t a = 0; a < z.size(); ++a) {
    sum += shapelet.alpha[a] * shapelet.alpha[a] * view.similarity(z[a], z[a]);
    for (std::size_t b = 0; b < a; ++b) {
      sum += 2.0 * shapelet.alpha[a] * shapelet.alpha[b] * view.similarity(z[a], z[b]);
    }
  }
  return std::max(0.0, sum);
}

bool single_instances(const Model& model) {
  return std::ranges::all_of(model.hypotheses, [](const Hypothesis& hypothesis) {
    return hypothesis.shapelet.instances.size() == 1;
  });
}

/// Single Gaussian shapelets: the most similar instance is the nearest one, but for a position term.
bool falls_with_distance(const View& view) {
  return view.kernel.kind() == KernelKind::gaussian && view.tau == 0.0;
}

/// Where the patterns of a view can be counted, how.
void count_patterns(const View& view, bool single, BoundView& seen) {
  std::optional<std::int64_t> dimension;
  const auto* polynomial = view.kernel.as<kernels::Polynomial>();
  if (view.tau == 0.0 && view.kernel.kind() == KernelKind::linear) dimension = view.numbers();
  if (view.tau == 0.0 && polynomial != nullptr) {
    dimension = polynomial_dimension(view.numbers(), polynomial->p, polynomial->c);
  }
  if (dimension) {
    seen.patterns = Patterns::linear;
    seen.dimension = *dimension;
  } else if (single && falls_with_distance(view)) {
    seen.patterns = Patterns::nearest;
    seen.dimension = view.numbers();
  }
}

/// A bag without instances answers 0, as one would whose only instance has Phi(x) = 0. So many there may be:
/// the others hold `largest_bag` each at the most.
std::int64_t empty_bags(const ViewFacts& facts, std::int64_t bags) {
  const std::int64_t each = std::max<std::int64_t>(1, facts.largest_bag);
  return std::max<std::int64_t>(0, bags - (facts.instances + each - 1) / each);
}

/// Why no bound applies, as a sentence; or empty.
std::string obstacle(const Model& model, const Part& part) {
  if (model.head) {
    return "the weights of a ridge head are no convex combination, and share and place are not among the "
           "paper's hypotheses, so nothing is promised; --head average or --members 1 train a model with a "
           "bound";
  }
  for (const View& view : model.views) {
    const Kernel& kernel = view.kernel;
    const auto* gram = kernel.as<kernels::Gram>();
    if (gram != nullptr && !gram->matrix) {
      return "the Gram matrix '" + gram->file + "' is needed and not there";
    }
    const auto* custom = kernel.as<kernels::Custom>();
    if (custom != nullptr && !custom->similarity) {
      return "the similarity '" + custom->name + "' is needed and not there";
    }
    if (!kernel.positive_semidefinite()) {
      return "it holds for positive semi-definite kernels, and " +
             (gram != nullptr ? "the Gram matrix '" + gram->file + "'"
                              : std::string(to_string(kernel.kind()))) +
             " is none";
    }
  }
  if (part.shift != 0.0)
    return "the threshold was moved after training (--optimise), and the margins are of before";
  if (part.margins.empty()) return "the model does not hold the margins of its training bags";
  if (model.provenance.views.size() != model.views.size()) {
    return "the model does not hold what its views looked like in training";
  }
  if (part.weights.empty() && part.b == 0.0) return "nothing was learned";
  return "";
}

}  // namespace

double norm_of(const Model& model, const Part& part) {
  std::map<int, std::pair<Dataset, std::unique_ptr<Instances>>> views;
  double norm = 0.0;
  for (const Weight& weight : part.weights) {
    const Hypothesis& hypothesis = model.hypotheses[at(weight.hypothesis)];
    auto known = views.find(hypothesis.view);
    if (known == views.end()) {
      const View view = smallest_view(model.views[at(hypothesis.view)]);
      known = views.emplace(hypothesis.view, std::pair(some_data(view), nullptr)).first;
      known->second.second = make_instances(known->second.first, view);
    }
    norm += weight.w * std::sqrt(squared_norm(*known->second.second, hypothesis.shapelet));
  }
  return norm;
}

BoundInput bound_input(const Model& model, const Part& part, double delta) {
  if (const std::string reason = obstacle(model, part); !reason.empty()) {
    throw InvalidInput("bound: " + reason);
  }
  BoundInput input;
  input.margins = part.margins;
  input.norm = norm_of(model, part);
  input.delta = delta;
  // A class with an offset holds the one without: where it is not certain that there was none, there was one.
  const bool none = part.b == 0.0 && model.provenance.settings.find("--no-offset") != std::string::npos;
  if (!none) input.offset = part.b;

  const bool single = single_instances(model);
  bool could_be_single = false;
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    const View& view = model.views[v];
    const ViewFacts& facts = model.provenance.views[v];
    BoundView seen;
    seen.instances = facts.instances;
    if (view.kind != DataKind::bags) seen.instances += empty_bags(facts, model.provenance.bags);
    seen.largest_bag = std::max<std::int64_t>(1, facts.largest_bag);
    seen.radius = facts.radius;
    count_patterns(view, single, seen);
    could_be_single = could_be_single || falls_with_distance(view);
    input.views.push_back(seen);
    input.radius_known = input.radius_known && view.kernel.unit_diagonal();
  }
  // Whether all shapelets are single instances is seen after training, and either answer is one of two.
  input.choices = static_cast<int>(model.parts.size()) * (could_be_single ? 2 : 1);
  return input;
}

std::vector<Guarantee> guarantees(const Model& model, double delta) {
  std::vector<Guarantee> result;
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    Guarantee guarantee{static_cast<int>(p), {}, obstacle(model, model.parts[p])};
    if (guarantee.reason.empty()) {
      guarantee.bound = generalisation_bound(bound_input(model, model.parts[p], delta));
    }
    result.push_back(std::move(guarantee));
  }
  return result;
}

}  // namespace shapeboost
