// SPDX-License-Identifier: MIT
// The windows of one series as products of single precision want them: in the order of time, whatever the dilation, so that
// neighbours lie side by side, some at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/numbers.hpp"
#include "model/window_products.hpp"
#include "shapeboost/view.hpp"
#include "view/sight.hpp"
#include "view/windows.hpp"

namespace shapeboost::detail {

/// For one thread, series after series: what it holds for one is room for the next.
class SeenWindows {
 public:
  /// Windows that are compared at once: their products with some patterns stay in the first cache.
  static constexpr std::int64_t kBlock = 256;

  /// At what `sight` shows the view, until either is used again. Windows are summarised in double precision.
  void look(Sight& sight, const View& view);

  /// How many windows there are.
  [[nodiscard]] std::int64_t count() const { return count_; }
  /// False where the order of time is also that of the windows' numbers.
  [[nodiscard]] bool is_numbered() const { return !number_.empty(); }
  /// The first time step of the window with a number, which Windows gives it.
  [[nodiscard]] std::int64_t step_of(std::int64_t number) const {
    return step_.empty() ? number : step_[at(number)];
  }
  /// The middle of the window that begins at a step as a share of the series.
  [[nodiscard]] double place_of(std::int64_t step) const { return (real(step) + half_span_) / extent_; }
  /// Of the window that begins at a step, |x'|^2, or a little more.
  [[nodiscard]] double norm2(std::int64_t step) const;
  /// Of a channel of it, in double precision; `x` are its numbers as they are mapped.
  [[nodiscard]] WindowSummary summary(std::int64_t channel, std::int64_t step, std::vector<double>& x) const;

  /// Makes windows first, first + 1, ... in the order of time, at most kBlock of them, ready for products with patterns,
  ///
  ///     2 z'.x' - |x'|^2 = sum_c factor_c sum_k z'_ck (x_ck - shift_c) - minus.
  ///
  /// Neighbours share their numbers, less a centre, rounded to floats; unless a window is so far from the centre that
  /// |shift| factor exceeds `farthest`: then each window's numbers are normalised in double precision before they are rounded.
  void take(std::int64_t first, float farthest);

  /// Of the block: windows beyond its last, to a multiple of kTile, compare as false.
  [[nodiscard]] std::int64_t tiles() const { return tiles_; }
  [[nodiscard]] const WindowBlock& block(std::int64_t channel) const { return blocks_[at(channel)]; }
  /// The windows' numbers.
  [[nodiscard]] const std::int32_t* order() const { return order_.data(); }
  /// Where the view has a position term: their places.
  [[nodiscard]] const float* place() const { return place_.data(); }
  /// Where windows are raw: the means, each the sum of two floats, of each channel kBlock.
  [[nodiscard]] const float* mean_high() const { return mean_high_.data(); }
  [[nodiscard]] const float* mean_low() const { return mean_low_.data(); }

 private:
  void number();
  [[nodiscard]] bool is_missing(std::int64_t step) const;
  void summarise(std::int64_t channel);
  [[nodiscard]] bool take_together(std::int64_t first, std::int64_t count, float farthest);
  void take_apart(std::int64_t first, std::int64_t count);
  void take_terms(std::int64_t first, std::int64_t count);
  void add_norms(std::int64_t channel, std::int64_t count);
  [[nodiscard]] std::int64_t start_of(std::int64_t window) const {
    return start_.empty() ? window : start_[at(window)];
  }

  const View* view_ = nullptr;
  bool z_normalised_ = false;
  std::int64_t channels_ = 0;
  double extent_ = 0.0;  // what places are shares of
  double half_span_ = 0.0;
  std::vector<SeenChannel*> seen_{};  // of each row of windows
  bool gaps_ = false;
  bool extreme_ = false;     // the |x'|^2 of a window is too large or too small for floats
  std::int64_t starts_ = 0;  // time steps at which a window without a gap would begin
  std::int64_t count_ = 0;
  std::vector<std::int64_t> start_{};   // of each window in the order of time; empty: its place in it
  std::vector<std::int32_t> number_{};  // the same
  std::vector<std::int64_t> step_{};    // of each number
  std::vector<double> mean_{};          // of each row, a number a time step, of the window that begins there
  std::vector<double> norm2_{};         // less the mean, not scaled; 0: constant

  // Of a block; of each row kBlock numbers.
  std::int64_t tiles_ = 0;
  std::vector<WindowBlock> blocks_{};
  std::vector<float> x_{};
  std::vector<float> shift_{};
  std::vector<float> factor_{};
  std::vector<float> own_{};  // |x'|^2 of a row
  std::vector<float> minus_{};
  std::vector<double> inv_sd_{};
  std::vector<float> mean_high_{};
  std::vector<float> mean_low_{};
  std::vector<float> place_{};
  std::vector<std::int32_t> order_{};
};

}  // namespace shapeboost::detail
