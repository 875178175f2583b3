// SPDX-License-Identifier: MIT
#include "data/gram.hpp"
#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost {

void attach_gram(Model& model, GramMatrix gram) {
  if (!gram) throw InvalidInput("Gram matrix: expected a square matrix");
  if (const std::string fault = gram_fault(*gram); !fault.empty())
    throw InvalidInput("Gram matrix: " + fault);
  for (const Hypothesis& hypothesis : model.hypotheses) {
    const auto* kernel = model.views[at(hypothesis.view)].kernel.as<kernels::Gram>();
    if (kernel == nullptr) continue;
    for (const Instance& instance : hypothesis.shapelet.instances) {
      if (instance.values.front() >= static_cast<double>(gram->rows())) {
        throw InvalidInput("Gram matrix: the model names row " + detail::number(instance.values.front()) +
                           " (from 0) of '" + kernel->file + "', found a matrix of " +
                           std::to_string(gram->rows()) + " rows");
      }
    }
  }
  bool wanted = false;
  for (View& view : model.views) {
    auto* kernel = view.kernel.as<kernels::Gram>();
    if (kernel == nullptr) continue;
    kernel->matrix = gram;
    wanted = true;
  }
  if (!wanted) throw InvalidInput("Gram matrix: the model was trained without one; leave it out");
}

void attach_similarity(Model& model, const std::string& name, const Similarity& similarity) {
  if (!similarity) throw InvalidInput("similarity " + detail::quote(name) + ": expected a function");
  bool found = false;
  std::string wanted;
  for (View& view : model.views) {
    auto* kernel = view.kernel.as<kernels::Custom>();
    if (kernel == nullptr) continue;
    wanted = kernel->name;
    if (kernel->name != name) continue;
    kernel->similarity = similarity;
    found = true;
  }
  if (!found) {
    throw InvalidInput("similarity " + detail::quote(name) + ": the model wants " +
                       (wanted.empty() ? "none" : detail::quote(wanted)));
  }
}

}  // namespace shapeboost
