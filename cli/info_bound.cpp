// SPDX-License-Identifier: MIT
// The guarantee as `info --bound` tells it.
#include "info.hpp"
#include "output.hpp"

namespace shapeboost::cli {

std::string describe_sides(const Model& model, const Part& part, const std::string& between) {
  return model.classes[static_cast<std::size_t>(part.positive)] + between +
         (part.negative == kRest ? "the rest" : model.classes[static_cast<std::size_t>(part.negative)]);
}

std::string describe_guarantees(const Model& model, const std::vector<Guarantee>& guarantees, double delta,
                                bool all) {
  const auto text_of = [](const Guarantee& guarantee) {
    return guarantee.bound ? to_text(*guarantee.bound) : "no guarantee: " + guarantee.reason + '\n';
  };
  if (guarantees.size() == 1 || model.head) return text_of(guarantees.front());

  std::string text = "With probability at least " + significant(1.0 - delta, 6) +
                     " over the drawing of the training bags, each part is wrong on at most the share\n"
                     "`total` of new bags" +
                     (model.strategy == Strategy::one_vs_one ? " of its two classes" : "") +
                     ", of all parts at once:\n\n";
  std::vector<std::vector<std::string>> rows{
      {"part", "tells", "bags", "rho", "loss", "complexity", "confidence", "total", ""}};
  bool any = false;
  for (const Guarantee& guarantee : guarantees) {
    const Part& part = model.parts[static_cast<std::size_t>(guarantee.part)];
    rows.push_back({std::to_string(guarantee.part + 1), describe_sides(model, part),
                    grouped(static_cast<std::int64_t>(part.margins.size()))});
    if (!guarantee.bound) {
      rows.back().insert(rows.back().end(), {"-", "-", "-", "-", "-", guarantee.reason});
      continue;
    }
    const BoundAtRho& best = guarantee.bound->at[guarantee.bound->best];
    any = any || !guarantee.bound->vacuous;
    for (const double value : {best.rho, best.loss, best.complexity, best.confidence, best.total}) {
      rows.back().push_back(significant(value, 4));
    }
    rows.back().emplace_back(guarantee.bound->vacuous ? "vacuous" : "");
  }
  text += aligned(rows, "rlrrrrrrl");
  if (!any)
    text += "\nNo total lies below 1: the guarantee promises nothing about this model, good or bad.\n";
  if (!all) return text + "--all shows each part in full\n";
  for (const Guarantee& guarantee : guarantees) {
    const Part& part = model.parts[static_cast<std::size_t>(guarantee.part)];
    text += "\nPart " + std::to_string(guarantee.part + 1) + ", " + describe_sides(model, part) + "\n\n" +
            text_of(guarantee);
  }
  return text;
}

}  // namespace shapeboost::cli
