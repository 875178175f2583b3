// SPDX-License-Identifier: MIT
// Inner products of a few patterns with many windows of a series, in single precision, and the largest of what comes of
// them. Windows lie side by side in the compiler's vectors, which are as wide as the processor's registers; whatever they
// are, a product is summed in the order of its numbers.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "ground/numbers.hpp"

namespace shapeboost::detail {

#if defined(__AVX512F__)
inline constexpr int kFloatLanes = 16;
inline constexpr int kPatternsAtOnce = 12;  // times two vectors of windows: sums that fit into 32 registers
#elif defined(__AVX__)
inline constexpr int kFloatLanes = 8;
inline constexpr int kPatternsAtOnce = 6;
#elif defined(__aarch64__)
inline constexpr int kFloatLanes = 4;
inline constexpr int kPatternsAtOnce = 12;
#else
inline constexpr int kFloatLanes = 4;
inline constexpr int kPatternsAtOnce = 6;
#endif
/// Windows are taken so many at a time.
inline constexpr std::int64_t kTile = 2 * kFloatLanes;

template <int N>
struct Lanes {  // of an alias template GCC forgets the size
  typedef float floats __attribute__((vector_size(N * sizeof(float))));
  typedef std::int32_t ints __attribute__((vector_size(N * sizeof(std::int32_t))));
};
using Floats = Lanes<kFloatLanes>::floats;
using Ints = Lanes<kFloatLanes>::ints;

/// From and to memory that need not be aligned.
template <typename All, typename T>
[[nodiscard]] inline All loaded(const T* from) {
  All lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}
template <typename All, typename T>
inline void store(const All& lanes, T* to) {
  std::memcpy(to, &lanes, sizeof(lanes));
}

/// Windows side by side, one channel of them. Number k of window v is x[k stride + v] - shift[v].
struct WindowBlock {
  std::int64_t tiles = 0;  ///< of kTile windows
  std::int64_t length = 0;
  std::int64_t stride = 0;
  const float* x = nullptr;
  const float* shift = nullptr;
  const float* factor = nullptr;
  const float* minus = nullptr;  ///< nullptr: is added to what is there
};

/// out[q row + v] = factor[v] sum_k z[k Q + q] (x[k stride + v] - shift[v]) - minus[v] for q < Q and all windows v.
template <int Q>
void window_products(const WindowBlock& windows, const float* z, std::int64_t row, float* out) {
  for (std::int64_t v = 0; v < windows.tiles * kTile; v += kTile) {
    const auto low = loaded<Floats>(windows.shift + v);
    const auto high = loaded<Floats>(windows.shift + v + kFloatLanes);
    Floats sum[Q][2] = {};
    const float* x = windows.x + v;
    const float* zk = z;
    for (std::int64_t k = 0; k < windows.length; ++k, x += windows.stride, zk += Q) {
      const Floats first = loaded<Floats>(x) - low;
      const Floats second = loaded<Floats>(x + kFloatLanes) - high;
#pragma GCC unroll 16
      for (int q = 0; q < Q; ++q) {
        sum[q][0] += zk[q] * first;
        sum[q][1] += zk[q] * second;
      }
    }
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      const std::int64_t at = v + half * kFloatLanes;
      const auto factor = loaded<Floats>(windows.factor + at);
      if (windows.minus != nullptr) {
        const auto minus = loaded<Floats>(windows.minus + at);
#pragma GCC unroll 16
        for (int q = 0; q < Q; ++q) store(factor * sum[q][half] - minus, out + q * row + at);
      } else {
#pragma GCC unroll 16
        for (int q = 0; q < Q; ++q) {
          float* const to = out + q * row + at;
          store(loaded<Floats>(to) + factor * sum[q][half], to);
        }
      }
    }
  }
}

/// window_products() of so many patterns, 1 ... kPatternsAtOnce.
using WindowProducts = void (*)(const WindowBlock&, const float*, std::int64_t, float*);
[[nodiscard]] inline WindowProducts window_products_of(std::int64_t patterns) {
  static constexpr auto kOf = []<int... Q>(std::integer_sequence<int, Q...>) {
    return std::array<WindowProducts, sizeof...(Q)>{&window_products<Q + 1>...};
  }
  (std::make_integer_sequence<int, kPatternsAtOnce>());
  return kOf[at(patterns - 1)];
}

/// Lanes I... of two vectors one after the other.
template <typename All, std::size_t... I>
[[nodiscard]] inline All chosen(const All& a, const All& b, std::index_sequence<I...>) {
#ifdef __clang__
  return __builtin_shufflevector(a, b, static_cast<int>(I)...);
#else
  return __builtin_shuffle(a, b, Ints{static_cast<std::int32_t>(I)...});
#endif
}

/// Of every `Group` neighbours of a and then of b, the lower halves, or the upper ones: a's beside b's, group after group.
template <int Group, bool Upper, typename All>
[[nodiscard]] inline All halves(const All& a, const All& b) {
  const auto lanes = []<std::size_t... I>(std::index_sequence<I...>) {
    constexpr std::size_t half = Group / 2;
    return std::index_sequence<(I / Group * Group + I % half + (Upper ? half : 0) +
                                (I % Group < half ? 0 : std::size_t{kFloatLanes}))...>{};
  };
  return chosen(a, b, decltype(lanes(std::make_index_sequence<kFloatLanes>())){});
}

/// The largest number, where it was, and how many reached a bound.
struct Largest {
  Floats value;
  Ints where;
  Ints reached;
};

/// Of kFloatLanes vectors, one after the other: lane i of the result is the largest number in vector i, of equal ones that with
/// the lowest `where`. Pairs of vectors become one of half as many numbers each, until a number is left of each.
template <int First = 0, int Step = 1>
[[nodiscard]] inline Largest largest_of_lanes(const float* value, const std::int32_t* where,
                                              const std::int32_t* reached) {
  // Those from First on, Step apart: kFloatLanes / Step of them, in groups of Step lanes.
  if constexpr (Step == kFloatLanes) {
    return {loaded<Floats>(value + First * kFloatLanes), loaded<Ints>(where + First * kFloatLanes),
            loaded<Ints>(reached + First * kFloatLanes)};
  } else {
    const Largest a = largest_of_lanes<First, 2 * Step>(value, where, reached);
    const Largest b = largest_of_lanes<First + Step, 2 * Step>(value, where, reached);
    constexpr int kGroup = 2 * Step;
    const Floats x = halves<kGroup, false>(a.value, b.value);
    const Floats y = halves<kGroup, true>(a.value, b.value);
    const Ints i = halves<kGroup, false>(a.where, b.where);
    const Ints j = halves<kGroup, true>(a.where, b.where);
    const Ints other = (y > x) | ((y == x) & (j < i));
    return {other ? y : x, other ? j : i,
            halves<kGroup, false>(a.reached, b.reached) + halves<kGroup, true>(a.reached, b.reached)};
  }
}

}  // namespace shapeboost::detail
