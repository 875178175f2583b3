// SPDX-License-Identifier: MIT
#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost {

void attach_gram(Model& model, std::shared_ptr<const Array<double>> gram) {
  if (!gram || gram->rows() != gram->cols()) throw InvalidInput("Gram matrix: expected a square matrix");
  for (const Hypothesis& hypothesis : model.hypotheses) {
    const Kernel& kernel = model.views[at(hypothesis.view)].kernel;
    if (kernel.kind != KernelKind::gram) continue;
    for (const Instance& instance : hypothesis.shapelet.instances) {
      if (instance.values.front() >= static_cast<double>(gram->rows())) {
        throw InvalidInput("Gram matrix: the model names row " + detail::number(instance.values.front()) +
                           " (from 0) of '" + kernel.gram_file + "', found a matrix of " +
                           std::to_string(gram->rows()) + " rows");
      }
    }
  }
  bool wanted = false;
  for (View& view : model.views) {
    if (view.kernel.kind != KernelKind::gram) continue;
    view.kernel.gram = gram;
    wanted = true;
  }
  if (!wanted) throw InvalidInput("Gram matrix: the model was trained without one; leave it out");
}

void attach_similarity(Model& model, const std::string& name, const Similarity& similarity) {
  if (!similarity) throw InvalidInput("similarity " + detail::quote(name) + ": expected a function");
  bool found = false;
  std::string wanted;
  for (View& view : model.views) {
    if (view.kernel.kind != KernelKind::custom) continue;
    wanted = view.kernel.name;
    if (view.kernel.name != name) continue;
    view.kernel.similarity = similarity;
    found = true;
  }
  if (!found) {
    throw InvalidInput("similarity " + detail::quote(name) + ": the model wants " +
                       (wanted.empty() ? "none" : detail::quote(wanted)));
  }
}

}  // namespace shapeboost
