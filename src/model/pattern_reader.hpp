// SPDX-License-Identifier: MIT
// The evidence of all patterns of a view about one example: how well each is matched best, how much of the example
// matches, and where. A pure function of a view, a list of patterns and an example; training, prediction and
// explanation read the same numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shapeboost/dataset.hpp"
#include "shapeboost/model.hpp"
#include "view/sight.hpp"

namespace shapeboost::detail {

/// One entry a pattern, in the order in which they were given; entries beyond them mean nothing. Bags have no
/// places, and only they have a mean and a least score; of spectra, whose windows are bound to their frequencies, only the
/// best match tells something: 0.
struct Readings {
  std::vector<float> best;   ///< max_x sum_z alpha_z K(z, x)
  std::vector<float> share;  ///< of the instances x with a score of at least the threshold
  std::vector<float> place;  ///< middle of the maximiser as a share of the series
  std::vector<float> mean;   ///< of the scores
  std::vector<float> least;  ///< of the scores
  std::vector<float> bag;    ///< how alike the bags are as wholes; 0 where a view is not of whole bags
  std::vector<std::int32_t> instance;  ///< the maximiser's number, the lowest among equals
  std::vector<std::int64_t> position;  ///< its first time step; of bags, its row

  [[nodiscard]] const std::vector<float>& of(Evidence evidence) const {
    return const_cast<Readings*>(this)->of(evidence);
  }
  [[nodiscard]] std::vector<float>& of(Evidence evidence) {
    switch (evidence) {
      case Evidence::best: break;
      case Evidence::share: return share;
      case Evidence::place: return place;
      case Evidence::mean: return mean;
      case Evidence::least: return least;
      case Evidence::bag: return bag;
    }
    return best;
  }
};

class PatternReader {
 public:
  virtual ~PatternReader() = default;
  /// False where the example has no instance in the view. `name` is what errors call the example. Any number of
  /// threads may ask, each with its own `out`.
  [[nodiscard]] virtual bool read(const ArrayView& values, const std::string& name, Readings& out) const = 0;
  /// The same of example i of the data.
  [[nodiscard]] virtual bool read(const Dataset& data, std::int64_t i, Readings& out) const {
    return read(data.values(i), data.name(i), out);
  }
  /// The same of a series, with what views before this one have seen of it.
  [[nodiscard]] virtual bool read(Sight& sight, Readings& out) const {
    return read(sight.values(), sight.name(), out);
  }
};

/// The patterns' shapelets and thresholds are taken over; `view` must outlive the reader, and `patterns` too where the
/// kernel is not Gaussian or a pattern has several instances. Single instances under the Gaussian kernel are compared
/// with windows in single precision, by one matrix product an example: the best match is right to 1e-5; where large
/// numbers cancel it is computed again in double precision, of the window that single precision takes for the best.
[[nodiscard]] std::unique_ptr<PatternReader> make_reader(const View& view,
                                                         const std::vector<const Hypothesis*>& patterns);

}  // namespace shapeboost::detail
