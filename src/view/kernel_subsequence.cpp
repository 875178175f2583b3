// SPDX-License-Identifier: MIT
// Windows of symbols compared by their common subsequences, gaps allowed but paid for (Lodhi, Saunders,
// Shawe-Taylor, Cristianini, Watkins 2002):
//
//     <f(x), f(z)> = sum_u sum_{i: x[i] = u} sum_{j: z[j] = u} lambda^(span(i) + span(j)),
//
// u over all strings of k symbols, i and j over the places where u is found in x and z,
// span(i) = last place - first place + 1. By dynamic programming: M_n(p, r), the sum over subsequences of n
// symbols that end in x_p and z_r, is
//
//     M_1(p, r) = lambda^2 [x_p = z_r],    M_n(p, r) = lambda^2 [x_p = z_r] S_{n-1}(p-1, r-1),
//     S_n(p, r) = V_n(p, r) + lambda S_n(p-1, r),    V_n(p, r) = M_n(p, r) + lambda V_n(p, r-1),
//
// and the product is sum_{p, r} M_k(p, r): O(k l^2) a pair, eight neighbouring windows side by side.
#include <algorithm>

#include "ground/numbers.hpp"
#include "view/instances.hpp"
#include "view/kernel_makers.hpp"
#include "view/sliding.hpp"
#include "view/symbol_windows.hpp"

namespace shapeboost::detail {
namespace {

constexpr int kLanes = 8;

/// Products of the windows that begin at x, x + 1, ... (`Lanes` of them) with one z, or, where `Moving`, with
/// those that begin at z, z + 1, ...: no sum mixes windows, so the answer is the same for any number of
/// lanes.
template <int Lanes, bool Moving>
void lane_products(const double* x, const double* z, std::int64_t length, int k, double lambda, double* out) {
  struct Lane {
    double v[Lanes] = {};
  };
  thread_local std::vector<Lane> s;  // S_n(p-1, r), level after level
  s.assign(at(k * length), Lane{});
  double total[Lanes] = {};
  Lane run[kLongestKmer];       // V_n(p, r-1)
  Lane diagonal[kLongestKmer];  // S_n(p-1, r-1)
  for (std::int64_t p = 0; p < length; ++p) {
    for (int n = 0; n < k; ++n) run[n] = diagonal[n] = Lane{};
    for (std::int64_t r = 0; r < length; ++r) {
      double match[Lanes];
      for (int w = 0; w < Lanes; ++w) {
        match[w] = x[p + w] == z[Moving ? r + w : r] ? lambda * lambda : 0.0;
      }
      for (int n = k - 1; n >= 0; --n) {  // downwards: level n needs level n-1 as it was
        Lane& above = s[at(n * length + r)];
        for (int w = 0; w < Lanes; ++w) {
          const double m = n == 0 ? match[w] : match[w] * diagonal[n - 1].v[w];
          if (n == k - 1) total[w] += m;
          run[n].v[w] = m + lambda * run[n].v[w];
          diagonal[n].v[w] = above.v[w];
          above.v[w] = run[n].v[w] + lambda * above.v[w];
        }
      }
    }
  }
  std::copy(total, total + Lanes, out);
}

class SubsequenceWindows final : public SymbolWindows {
 public:
  SubsequenceWindows(const Dataset& data, const View& view) : SymbolWindows(data, view) {
    std::vector<double> norm2(at(size()));
    for (std::int64_t bag = 0; bag < bags(); ++bag) {
      for (const Segment& segment : segments(bag)) {
        const double* x = numbers(segment, 0);
        each_block<true>(x, x, segment.windows, norm2.data() + segment.first);
      }
    }
    set_norms(std::move(norm2));
  }

 protected:
  void prepare(Probe& /*probe*/) const override {}

  [[nodiscard]] double product(const Probe& z, const Probe& x) const override {
    double result = 0.0;
    each_block<false>(x.values.data(), z.values.data(), 1, &result);
    return result;
  }

  void products(const Probe& z, const Stretch& stretch, double* out) const override {
    each_block<false>(numbers(*stretch.segment, 0) + stretch.offset, z.values.data(), stretch.count, out);
  }

 private:
  /// As many windows at once as there are lanes.
  template <bool Moving>
  void each_block(const double* x, const double* z, std::int64_t windows, double* out) const {
    const auto& kernel = *view().kernel.as<kernels::Subsequence>();
    const auto block = [&]<int Lanes>(std::int64_t j) {
      lane_products<Lanes, Moving>(x + j, Moving ? z + j : z, view().length, kernel.k, kernel.lambda,
                                   out + j);
    };
    if (windows < kLanes) return in_blocks<1>(windows, block);
    in_blocks<kLanes>(windows, block);
  }
};

}  // namespace

std::unique_ptr<Instances> subsequence_windows(const Dataset& data, const View& view) {
  return std::make_unique<SubsequenceWindows>(data, view);
}

}  // namespace shapeboost::detail
