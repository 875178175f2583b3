// SPDX-License-Identifier: MIT
// What the instances of a bag add to its score.
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "ground/numbers.hpp"
#include "model/hypothesis_walk.hpp"
#include "model/pattern_reader.hpp"
#include "shapeboost/explanation.hpp"
#include "tell/record.hpp"

namespace shapeboost {
namespace {

/// Those of one view that are no single instance's, or not its maximiser's: means, shares and least matches.
class PooledContributions {
 public:
  PooledContributions(const Model& model, std::size_t view, const Explanation& explanation) {
    std::vector<std::int64_t> place(model.hypotheses.size(), -1);
    for (const Contribution& c : explanation.contributions) {
      const Hypothesis& hypothesis = model.hypotheses[at(c.hypothesis)];
      if (at(hypothesis.view) != view || c.instance < 0) continue;
      const bool pooled =
          c.evidence == Evidence::mean || c.evidence == Evidence::share || c.evidence == Evidence::least;
      if (!pooled) continue;
      std::int64_t& own = place[at(c.hypothesis)];
      if (own < 0) {
        own = std::ssize(patterns_);
        patterns_.push_back(&hypothesis);
      }
      asked_.push_back({&c, at(own), std::numeric_limits<float>::infinity(), 0});
    }
    if (!asked_.empty()) reader_ = detail::make_reader(model.views[view], patterns_);
  }

  void add(const Dataset& alone, std::vector<double>& sums) {
    detail::Readings readings;
    for (std::int64_t x = 0; x < alone.size() && reader_; ++x) {
      if (!reader_->read(alone, x, readings)) continue;
      for (Asked& one : asked_) {
        const Contribution& c = *one.contribution;
        if (c.evidence == Evidence::least) {
          const float score = readings.least[one.pattern];
          if (score < one.least) {
            one.least = score;
            one.minimiser = x;
          }
          continue;
        }
        const auto response = static_cast<double>(readings.of(c.evidence)[one.pattern]);
        const Weight weight{c.hypothesis, c.w, c.evidence};
        sums[at(x)] += contribution(*patterns_[one.pattern], weight, response) / real(alone.size());
      }
    }
    for (const Asked& one : asked_) {
      if (one.contribution->evidence == Evidence::least) sums[at(one.minimiser)] += one.contribution->value;
    }
  }

 private:
  struct Asked {
    const Contribution* contribution;
    std::size_t pattern;
    float least;  // of the instances seen so far
    std::int64_t minimiser;
  };

  std::vector<const Hypothesis*> patterns_;
  std::vector<Asked> asked_;
  std::unique_ptr<detail::PatternReader> reader_;
};

}  // namespace

std::array<double, kEvidences> evidence_sums(const Explanation& explanation) {
  std::array<double, kEvidences> sums{};
  for (const Contribution& c : explanation.contributions) {
    sums[static_cast<std::size_t>(c.evidence)] += c.value;
  }
  return sums;
}

std::vector<double> instance_contributions(const Model& model, const Dataset& data, std::int64_t example,
                                           const Explanation& explanation) {
  detail::check_example(data.size(), example);
  if (data.kind() != DataKind::bags) throw InvalidInput("data: only bags have instances of their own");
  const Dataset bag = data.subset({example});
  const detail::Fitted fitted(model, bag);
  std::vector<double> sums(at(bag.rows(0)), 0.0);
  for (const Contribution& c : explanation.contributions) {
    const bool at_maximiser = !model.head || c.evidence == Evidence::best || c.evidence == Evidence::bag;
    if (at_maximiser && c.instance >= 0) sums[at(c.instance)] += c.value;
  }
  if (!model.head) return sums;
  const Dataset alone = detail::single_instances(fitted.data());
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    PooledContributions(model, v, explanation).add(alone, sums);
  }
  return sums;
}

}  // namespace shapeboost
