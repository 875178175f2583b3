// SPDX-License-Identifier: MIT
// The evidence of patterns about all examples, as columns of a regression.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/parallel.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/trainer.hpp"
#include "solve/short_columns.hpp"

namespace shapeboost::detail {

using Columns = Eigen::MatrixXf;  // examples x evidence

/// The hypotheses of each view, from number `first` on.
[[nodiscard]] std::vector<std::vector<std::int64_t>> by_view(const Model& model, std::int64_t first = 0);

/// What these patterns of a view say: column p kinds + k is the k-th kind of evidence of the p-th of them. NaN where an
/// example has no instance in the view.
[[nodiscard]] Columns read_evidence(const Dataset& data, const View& view,
                                    const std::vector<const Hypothesis*>& patterns,
                                    const std::vector<Evidence>& kinds);

/// To mean 0 and deviation 1 over the examples that have an instance in the view and that the pattern was not cut from; 0
/// for the others, and for all where it hardly varies.
Standard standardise(Eigen::Ref<Eigen::VectorXf> x, const Shapelet& pattern);

/// +1 for the example's class, -1 for others: a column a part.
[[nodiscard]] Eigen::MatrixXd targets_of(const Dataset& data, const std::vector<Part>& parts);

/// The class of each example.
[[nodiscard]] std::vector<int> labels_of(const Dataset& data);

/// At most so many rows, evenly.
template <typename M>
[[nodiscard]] M some_rows(const M& all, Eigen::Index most) {
  const Eigen::Index rows = std::min<Eigen::Index>(all.rows(), most);
  M some(rows, all.cols());
  for (Eigen::Index i = 0; i < rows; ++i) some.row(i) = all.row(i * all.rows() / rows);
  return some;
}

/// What the patterns of one member say of all examples, standardised.
struct MemberEvidence {
  ShortColumns X;                 ///< column p kinds + k as above
  std::vector<double> relevance;  ///< of every view, of every kind of evidence
};

/// Reads it, for members side by side.
class EvidenceReading {
 public:
  /// Of these kinds; all must outlive it. How relevant views are is asked of some examples.
  EvidenceReading(const Dataset& data, const std::vector<Evidence>& kinds, const ClassWeights& weights);

  /// About how many multiplications that takes.
  [[nodiscard]] double work(const std::vector<View>& views, const std::vector<Hypothesis>& hypotheses) const;
  /// `hypotheses` learn their standards.
  [[nodiscard]] MemberEvidence of(const std::vector<View>& views, std::vector<Hypothesis>& hypotheses,
                                  ThreadPool& threads) const;

 private:
  const Dataset& data_;
  const std::vector<Evidence>& kinds_;
  double numbers_ = 0.0;  // of the data
  Eigen::MatrixXd Y_;     // of those that are asked
  Vector v_;
};

}  // namespace shapeboost::detail
