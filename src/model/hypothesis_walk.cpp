// SPDX-License-Identifier: MIT
#include "model/hypothesis_walk.hpp"

#include "data/magnitude.hpp"
#include "ground/parallel.hpp"

namespace shapeboost::detail {

Walk::Walk(const Model& model) : model_(model), of_view_(model.views.size()) {
  for (std::size_t j = 0; j < model.hypotheses.size(); ++j)
    of_view_[at(model.hypotheses[j].view)].push_back(j);
  for (const std::vector<std::size_t>& hypotheses : of_view_) {
    std::vector<const Shapelet*> shapelets;
    for (const std::size_t j : hypotheses) shapelets.push_back(&model.hypotheses[j].shapelet);
    shared_.emplace_back(std::move(shapelets));
  }
}

void Walk::each(const Dataset& block, const Visit& visit) const {
  for (std::size_t v = 0; v < of_view_.size(); ++v) {
    if (of_view_[v].empty()) continue;
    const std::unique_ptr<Instances> instances = make_instances(block, model_.views[v]);
    const bool together = shared_[v].pays(*instances);
    const auto responses = together ? shared_[v].respond(*instances) : std::vector<Response>();
    for (std::size_t k = 0; k < of_view_[v].size(); ++k) {
      const std::size_t j = of_view_[v][k];
      visit(j, *instances, together ? responses[k] : respond(*instances, model_.hypotheses[j].shapelet));
    }
  }
}

Fitted::Fitted(const Model& model, const Dataset& data) : given_(&data) {
  const std::string source = data.source().empty() ? "" : data.source() + ": ";
  if (data.kind() != model.kind) {
    throw InvalidInput(source + "the model is for " + std::string(to_string(model.kind)) + ", the data are " +
                       std::string(to_string(data.kind())));
  }
  if (const std::string fault = too_large(data); !fault.empty()) throw InvalidInput(source + fault);
  const std::int64_t width = model.views.front().width;
  if (data.size() > 0 && data.width() != width) {
    if (data.open_width()) {
      copy_ = data.with_width(width);
      return;
    }
    throw InvalidInput(source + "the model is for " + std::to_string(width) +
                       (model.kind == DataKind::bags ? " feature" : " channel") + (width == 1 ? "" : "s") +
                       ", the data have " + std::to_string(data.width()));
  }
}

void for_each_block(const Dataset& data, int threads,
                    const std::function<void(std::int64_t, const Dataset&)>& task) {
  constexpr std::int64_t kBlock = 64;
  const std::int64_t blocks = (data.size() + kBlock - 1) / kBlock;
  ThreadPool pool(blocks > 1 ? threads : 1);
  pool.run(blocks, [&](std::int64_t block) {
    std::vector<std::int64_t> members(at(std::min(kBlock, data.size() - block * kBlock)));
    std::iota(members.begin(), members.end(), block * kBlock);
    task(block * kBlock, data.subset(members));
  });
}

}  // namespace shapeboost::detail
