// SPDX-License-Identifier: MIT
// Bags for the sanity tests of multiple-instance learners, after the idea of Raff and Holt (Reproducibility
// in Multiple Instance Learning: A Case For Algorithmic Unit Tests, NeurIPS 2023): a positive bag holds the
// concept, a negative one does not, and beside it runs a cue that is easier to see, breaks the assumption
// and, in the test set, is turned round. A learner that uses the cue orders the test bags the wrong way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ground/rng.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/dataset.hpp"
#include "support/matrices.hpp"

namespace shapeboost::mil_sanity {

/// The cue as the training set has it, or as the test set does.
enum class Cue { trained, reversed };

inline constexpr Eigen::Index kFeatures = 16;

/// Instances of one kind: normal around `centre` in every feature.
struct Kind {
  double centre;
  double deviation;
};

inline constexpr Kind kBackground{0.0, 1.0};
inline constexpr Kind kConcept{1.2, 1.0};        // near the background
inline constexpr Kind kOtherConcept{-1.2, 1.0};  // likewise
inline constexpr Kind kPoison{10.0, 0.1};        // far from everything: the easy cue
inline constexpr Kind kDecoy{-4.0, 2.0};         // in every bag, of no meaning; no two are alike
inline constexpr Kind kTightDecoy{-4.0, 0.1};    // likewise, but all nearly the same

/// Instances of several kinds, in random order.
class BagMaker {
 public:
  explicit BagMaker(std::uint64_t seed) : rng_(seed) {}
  void add(Kind kind, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) kinds_.push_back(kind);
  }
  [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + rng_.below(high - low + 1);
  }
  [[nodiscard]] Matrix bag() {
    Matrix rows(static_cast<Eigen::Index>(kinds_.size()), kFeatures);
    for (Eigen::Index r = 0; r < rows.rows(); ++r) {
      const auto last = static_cast<std::int64_t>(kinds_.size());
      const auto drawn = kinds_.begin() + rng_.below(last);
      for (Eigen::Index f = 0; f < kFeatures; ++f) {
        rows(r, f) = drawn->centre + drawn->deviation * rng_.normal();
      }
      kinds_.erase(drawn);
    }
    return rows;
  }

 private:
  Rng rng_;
  std::vector<Kind> kinds_;
};

/// `fill(maker, positive)` puts instances into the maker; labels "no" and "yes" in turn.
template <typename Fill>
Dataset make(std::int64_t bags, std::uint64_t seed, const Fill& fill) {
  Dataset data(DataKind::bags);
  BagMaker maker(seed);
  for (std::int64_t i = 0; i < bags; ++i) {
    const bool positive = i % 2 == 1;
    maker.add(kBackground, maker.between(4, 8));
    fill(maker, positive);
    add(data, maker.bag(), positive ? "yes" : "no", std::to_string(i));
  }
  return data;
}

/// Positive bags hold the concept. All negative bags of the training set hold a poison, an instance of a kind
/// of its own, and no positive bag does; in the reversed set all positive bags do, and no negative one. To
/// conclude "positive" from the absence of the poison is against the assumption.
inline Dataset single_concept(std::int64_t bags, Cue cue, std::uint64_t seed) {
  return make(bags, seed, [&](BagMaker& maker, bool positive) {
    if (positive) maker.add(kConcept, maker.between(1, 2));
    if (positive == (cue == Cue::reversed)) maker.add(kPoison, 1);
  });
}

/// Positive bags hold both of two concepts, negative bags at most one of them; poison as above.
inline Dataset two_concepts(std::int64_t bags, Cue cue, std::uint64_t seed) {
  return make(bags, seed, [&](BagMaker& maker, bool positive) {
    const std::int64_t missing = positive ? 3 : maker.between(0, 2);
    if (missing != 0 && missing != 2) maker.add(kConcept, maker.between(1, 2));
    if (missing != 1 && missing != 2) maker.add(kOtherConcept, maker.between(1, 2));
    if (positive == (cue == Cue::reversed)) maker.add(kPoison, 1);
  });
}

/// How decoys fall: one in each bag of one class, `many` or a quarter more in each of the other.
struct Decoys {
  Kind kind;
  std::int64_t many;
  bool often_in_positive;  ///< in the training set; in the reversed set it is the other class
};

/// Positive bags hold the concept. All bags hold decoys, some more than others.
inline Dataset false_frequency(std::int64_t bags, Cue cue, std::uint64_t seed, const Decoys& decoys) {
  return make(bags, seed, [&](BagMaker& maker, bool positive) {
    if (positive) maker.add(kConcept, maker.between(1, 2));
    const bool often = (positive == decoys.often_in_positive) == (cue == Cue::trained);
    maker.add(decoys.kind, often ? maker.between(decoys.many, decoys.many + decoys.many / 4) : 1);
  });
}

}  // namespace shapeboost::mil_sanity
