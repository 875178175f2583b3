// SPDX-License-Identifier: MIT
#include "model/hypothesis_walk.hpp"

#include "data/magnitude.hpp"
#include "ground/parallel.hpp"
#include "ground/text.hpp"

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

namespace {

/// A spectrum is as long as the series of training, however short the series is. Throws InvalidInput where that would be
/// very much, and much more than the data.
void check_spectra(const Model& model, const Dataset& data, const std::string& source) {
  constexpr std::int64_t kMuch = std::int64_t{1} << 25;  // numbers
  constexpr std::int64_t kTimes = 64;
  for (const View& view : model.views) {
    if (view.transform != Transform::spectrum) continue;
    const std::int64_t numbers = view.rows() * (view.period / 2);
    if (numbers > kMuch && numbers / kTimes > data.width() * data.max_length()) {
      throw InvalidInput(concat(source, "the model looks at spectra of ", view.period,
                                " values, expected series that are not as much shorter, found at most ",
                                data.max_length()));
    }
  }
}

}  // namespace

Fitted::Fitted(const Model& model, const Dataset& data) : given_(&data) {
  const std::string source = data.source().empty() ? "" : data.source() + ": ";
  if (data.kind() != model.kind) {
    throw InvalidInput(source + "the model is for " + std::string(to_string(model.kind)) + ", the data are " +
                       std::string(to_string(data.kind())));
  }
  if (const std::string fault = too_large(data); !fault.empty()) throw InvalidInput(source + fault);
  check_spectra(model, data, source);
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

Dataset single_instances(const Dataset& bags) {
  Dataset alone(DataKind::bags);
  for (std::int64_t i = 0; i < bags.size(); ++i) {
    for (std::int64_t x = 0; x < bags.rows(i); ++x) {
      if (bags.is_sparse()) {
        const SparseView::Row row = bags.sparse(i).row(x);
        const std::int64_t starts[] = {0, std::ssize(row.values)};
        alone.add(SparseView(starts, row.columns.data(), row.values.data(), bags.width()), "", bags.name(i));
      } else {
        alone.borrow({bags.values(i).row(x).data(), 1, bags.width()}, "", bags.name(i));
      }
    }
  }
  return alone;
}

void for_each_block(const Model& model, const Dataset& data, int threads,
                    const std::function<void(std::int64_t, const Dataset&)>& task) {
  constexpr std::int64_t kMost = 64;
  constexpr std::int64_t kSteps = std::int64_t{1} << 22;  // of all, as a view sees them
  std::int64_t longest = 1;
  if (data.kind() != DataKind::bags) {
    for (const View& view : model.views)
      longest = std::max(longest, view.rows() * view.extent(data.max_length()));
  }
  const std::int64_t each = std::clamp<std::int64_t>(kSteps / longest, 1, kMost);
  const std::int64_t blocks = (data.size() + each - 1) / each;
  ThreadPool pool(blocks > 1 ? threads : 1);
  pool.run(blocks, [&](std::int64_t block) {
    std::vector<std::int64_t> members(at(std::min(each, data.size() - block * each)));
    std::iota(members.begin(), members.end(), block * each);
    task(block * each, data.subset(members));
  });
}

}  // namespace shapeboost::detail
