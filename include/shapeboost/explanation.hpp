// SPDX-License-Identifier: MIT
// What decided a prediction. The score of a part is a sum, so it comes apart without a remainder:
//
//     g(B) - b = sum_j c_j(B),    c_j(B) = w_j sign_j max_{x in B} sum_z alpha_jz K(z, x),
//
// or, with a head, as many c_j as there is evidence, each w_je (evidence_je(B) - centre_je) / scale_je;
// and each c_j has a place, the instance that attains the maximum. Examples, instances and time steps
// are counted from 0.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "shapeboost/array.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"
#include "shapeboost/predictor.hpp"

namespace shapeboost {

/// What one hypothesis adds to one score.
struct Contribution {
  int hypothesis = 0;  ///< index into the model's hypotheses; its view tells channel, span and dilation
  double w = 0.0;
  int sign = +1;
  double response = 0.0;       ///< the evidence; of best, max_x sum_z alpha_z K(z, x)
  double value = 0.0;          ///< w * sign * (response - centre) / scale
  std::int64_t instance = -1;  ///< of the best match, as in Responses
  std::int64_t position = -1;  ///< of the best match, as in Responses
  Evidence evidence = Evidence::best;
};

/// What one moment of an interval adds to one score.
struct IntervalContribution {
  std::size_t number = 0;  ///< of the head's intervals
  double w = 0.0;
  double moment = 0.0;  ///< as it is; NaN where the series has none
  double value = 0.0;   ///< w * standardised moment
};

/// Why one part gives an example its score.
struct Explanation {
  std::int64_t example = 0;
  int part = 0;
  double b = 0.0;
  double score = 0.0;                             ///< b + the sum of all values
  std::vector<Contribution> contributions;        ///< all hypotheses of the part, the largest |value| first
  std::vector<IntervalContribution> intervals{};  ///< of a head with intervals, the largest |value| first
};

/// The sum of the values of the intervals.
[[nodiscard]] double interval_sum(const Explanation& explanation);

/// Throws InvalidInput where there is no such example or part.
[[nodiscard]] Explanation explain(const Model& model, const Responses& responses, std::int64_t example,
                                  int part);
/// The same, of the data itself.
[[nodiscard]] Explanation explain(const Model& model, const Dataset& data, std::int64_t example, int part);

/// The sum of the values of each kind of evidence, entry number k of Evidence k.
[[nodiscard]] std::array<double, kEvidences> evidence_sums(const Explanation& explanation);

/// What each instance of a bag adds to the score of an explanation of it; they add up to the score less b. A best match is its
/// maximiser's, a least match its minimiser's, how alike whole bags are the instance's that lies nearest. What a mean or
/// a share says of a bag B of n instances is the mean of what it says of each by itself,
///
///     c_j(B) = 1/n sum_{x in B} c_j({x}),
///
/// so there each instance adds c_j({x}) / n.
[[nodiscard]] std::vector<double> instance_contributions(const Model& model, const Dataset& data,
                                                         std::int64_t example,
                                                         const Explanation& explanation);

/// For each example the part that says most of its prediction. Two classes: the only one. One against the
/// rest: the predicted class' own. One against one: the predicted class and, of the others, the one with the
/// largest class score.
[[nodiscard]] std::vector<int> telling_parts(const Model& model, const Scores& scores);

/// The part of a pair of different classes; of one against the rest, that of `first`.
[[nodiscard]] int part_of(const Model& model, int first, int second);

/// Which features make the maximiser of a bag like the shapelet's instances: for each feature of the data,
///
///     t_f = w_j sign_j sum_z alpha_jz K(z, x) s_zf,
///
/// where s_zf is the share of feature f in log K(z, x) - E log K(z, X), how much closer to z the instance is
/// than instances X are on average, for the Gaussian and the Laplacian kernel, X being normal with the view's
/// centre and scale; for products, its share of <z, x>. Zero for features that the view leaves out, and where
/// a kernel knows no features.
[[nodiscard]] std::vector<double> feature_credits(const Model& model, const Dataset& data,
                                                  std::int64_t example, const Contribution& contribution);
/// Summed over the contributions of an explanation of `example` that its instance `instance` attains.
[[nodiscard]] std::vector<double> feature_credits(const Model& model, const Dataset& data,
                                                  std::int64_t example, const Explanation& explanation,
                                                  std::int64_t instance);

/// How often and where a hypothesis is found in a set. It fires in an example where its response lies above
/// the threshold that splits all responses into the two groups with the least variance within them.
struct Firing {
  double threshold = 0.0;
  double mean = 0.0;                    ///< response over all examples in which it was sought
  std::int64_t sought = 0;              ///< examples that have an instance in its view
  std::int64_t fired = 0;               ///< examples in which it fires
  std::vector<std::int64_t> sought_in;  ///< of each of the model's classes
  std::vector<std::int64_t> fired_in;   ///< of each of the model's classes
  std::vector<std::int64_t> places;     ///< where it fires: maximisers by the share of the series that lies
                                        ///< before their middle, in kPlaces bins; empty for bags
};
inline constexpr int kPlaces = 20;

/// Of each hypothesis. Labels are indices into the model's classes or kUnlabelled, one an example.
[[nodiscard]] std::vector<Firing> firings(const Model& model, const Dataset& data, const Responses& responses,
                                          const std::vector<int>& labels);

/// Where the evidence of a part lies in a series: row c, column t is the sum over hypotheses of
/// (c_j(B) - offset_j) spread evenly over the time steps of channel c from the maximiser's first to its last;
/// windows of all channels spread over these, too. Without gaps and windows left out, everything adds up to
/// the score less b less the sum of the offsets; moments of intervals spread over theirs. `offset` is as mean_contributions() gives it, or none for zeros; the
/// mean contributions of a set show what sets an example apart from the others.
[[nodiscard]] Array<double> evidence(const Model& model, const Dataset& data, const Responses& responses,
                                     std::int64_t example, int part, std::span<const double> offset = {});

/// The number of time steps that frequencies are counted in, the largest of the model's views; 0 where none is of spectra.
[[nodiscard]] std::int64_t spectral_period(const Model& model);

/// What a spectral view sees of a series: row c, column k is how much there is of k + 1 cycles in so many time steps, even
/// and at least 4, as Transform::spectrum has it.
[[nodiscard]] Array<double> spectrum_of(const Dataset& data, std::int64_t example, std::int64_t period);

/// Where in its spectrum the evidence of a series lies: row c, column k is what patterns of spectra add there, spread evenly
/// over the frequencies, k + 1 cycles in spectral_period() time steps, from their maximiser's first to its last, and over its
/// channels. evidence() has the same contributions spread over all time steps.
[[nodiscard]] Array<double> spectral_evidence(const Model& model, const Dataset& data,
                                              const Responses& responses, std::int64_t example, int part,
                                              std::span<const double> offset = {});

/// The mean contribution of every hypothesis and evidence, entry number j kEvidences + evidence, and behind them of every interval; 0 where the part does
/// not use it. `among`: a mark for each example, those that count; none: all count.
[[nodiscard]] std::vector<double> mean_contributions(const Model& model, const Responses& responses, int part,
                                                     const std::vector<char>& among = {});

/// For each example the `count` others (fewer where there are not so many) nearest to it, the nearest first,
/// by what the hypotheses say: the squared distance is sum_j w_j^2 (response_j - response_j')^2, w_j the sum
/// of the weights over the parts. O(n^2 J).
[[nodiscard]] std::vector<std::vector<std::int64_t>> neighbours(const Model& model,
                                                                const Responses& responses,
                                                                std::int64_t count, int threads = 0);

}  // namespace shapeboost
