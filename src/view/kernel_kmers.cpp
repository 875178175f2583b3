// SPDX-License-Identifier: MIT
// Windows of symbols compared by their k-mers: spectrum and mismatch kernels.
//
// A window of l symbols holds q = l - k + 1 k-mers. The (k, m)-mismatch kernel (Leslie, Eskin, Cohen, Weston,
// Noble 2004) has a feature for each string g of k symbols: how many of x's k-mers differ from g in at most m
// places. How many g two k-mers a and b share depends on the number d(a, b) of places where they differ, and
// on nothing else:
//
//     <f(x), f(z)> = sum_{a in x} sum_{b in z} N(d(a, b)).
//
// The spectrum kernel is the case m = 0: N(0) = 1, N(d) = 0. So
//   - a fixed z gives each k-mer a the weight w(a) = sum_{b in z} N(d(a, b)), and the windows of a sequence the
//     sliding sums of w: O(1) a window once w is known, which is computed once for each different k-mer;
//   - all windows of one sequence against all of another are sums over q x q boxes of the table N(d(a_t, b_s)),
//     and neighbouring boxes differ by a column: O(1) a pair, whatever l.
// All sums are of whole numbers, hence exact below 2^53, in whatever order they are taken.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "ground/numbers.hpp"
#include "view/instances.hpp"
#include "view/kernel_makers.hpp"
#include "view/symbol_windows.hpp"

namespace shapeboost::detail {
namespace {

/// Bytes in which two words differ.
int places_apart(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a ^ b;
  x |= x >> 4U;  // gathers the bits of each byte in its lowest one
  x |= x >> 2U;
  x |= x >> 1U;
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  return static_cast<int>((x & kOnes) * kOnes >> 56U);  // the sum of the bytes
}

class KmerWindows final : public SymbolWindows {
 public:
  KmerWindows(const Dataset& data, const View& view)
      : SymbolWindows(data, view), k_(view.kernel.k()), kmers_(view.length - k_ + 1) {
    const auto* mismatch = view.kernel.as<kernels::Mismatch>();
    common_ = mismatch == nullptr ? common_neighbours(k_, 0, 2)
                                  : common_neighbours(k_, mismatch->mismatches, mismatch->alphabet);
    for (std::int64_t bag = 0; bag < bags(); ++bag) {
      for (const Segment& segment : segments(bag)) {
        // As many words as symbols, so that both are found at the same place; the last k - 1 are idle.
        words_.resize(segment.begin + at(segment.size), 0);
        pack(numbers(segment, 0), segment.size, words_.data() + segment.begin);
      }
    }
    number_words();
    measure();
  }

  void extremes(const Run& run, std::int64_t bag, double* largest, double* smallest) const override {
    std::call_once(tabled_, [this] { tabulate(); });
    pairwise_extremes(run, bag, largest, smallest, [&](const auto&... pair) { box_extremes(pair...); });
  }

  [[nodiscard]] std::int64_t bytes() const override {
    return SymbolWindows::bytes() +
           static_cast<std::int64_t>(sizeof(std::uint64_t) * (words_.size() + distinct_.size()) +
                                     sizeof(std::uint32_t) * numbers_.size() + apart_.size());
  }

 protected:
  /// The k-mers in order of size: only how often each occurs matters.
  void prepare(Probe& probe) const override {
    probe.words.resize(at(view().length));
    pack(probe.values.data(), view().length, probe.words.data());
    probe.words.resize(at(kmers_));
    std::sort(probe.words.begin(), probe.words.end());
  }

  [[nodiscard]] double product(const Probe& z, const Probe& x) const override {
    double sum = 0.0;
    for (const std::uint64_t word : x.words) sum += weight(z, word);
    return sum;
  }

  void products(const Probe& z, const Stretch& stretch, double* out) const override {
    // w of each different k-mer met; kUnknown everywhere between calls.
    constexpr double kUnknown = -1.0;
    thread_local std::vector<double> weights;
    if (weights.size() < distinct_.size()) weights.resize(distinct_.size(), kUnknown);
    const std::uint32_t* number = numbers_.data() + stretch.segment->begin + stretch.offset;
    const auto w = [&](std::int64_t t) {
      double& known = weights[number[t]];
      if (known == kUnknown) known = weight(z, distinct_[number[t]]);
      return known;
    };
    double sum = 0.0;
    for (std::int64_t t = 0; t < kmers_; ++t) sum += w(t);
    out[0] = sum;
    for (std::int64_t j = 1; j < stretch.count; ++j) {
      sum += w(j + kmers_ - 1) - w(j - 1);
      out[j] = sum;
    }
    for (std::int64_t t = 0; t < stretch.count + kmers_ - 1; ++t) weights[number[t]] = kUnknown;
  }

 private:
  /// The k-mers that begin at each of n symbols, one byte a symbol; 0 for the last k - 1.
  void pack(const double* symbols, std::int64_t n, std::uint64_t* out) const {
    const int k = k_;
    const std::uint64_t mask = ~std::uint64_t{0} >> (64U - 8U * static_cast<unsigned>(k));
    std::uint64_t word = 0;
    for (std::int64_t t = 0; t < n; ++t) {
      word = (word << 8U | static_cast<std::uint64_t>(symbols[t])) & mask;
      if (t >= k - 1) out[t - k + 1] = word;
    }
    std::fill(out + n - k + 1, out + n, 0);
  }

  void number_words() {
    distinct_ = words_;
    std::sort(distinct_.begin(), distinct_.end());
    distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
    for (const std::uint64_t word : words_) {
      numbers_.push_back(static_cast<std::uint32_t>(
          std::lower_bound(distinct_.begin(), distinct_.end(), word) - distinct_.begin()));
    }
  }

  /// d of every two different k-mers, where they are few: training asks for each many times.
  void tabulate() const {
    constexpr std::size_t kFew = 2048;
    if (distinct_.size() > kFew) return;
    apart_.reserve(distinct_.size() * distinct_.size());
    for (const std::uint64_t a : distinct_) {
      for (const std::uint64_t b : distinct_) apart_.push_back(static_cast<std::uint8_t>(places_apart(a, b)));
    }
  }

  [[nodiscard]] double common(std::uint64_t a, std::uint64_t b) const {
    return common_[at(places_apart(a, b))];
  }

  /// w(a) = sum_{b in z} N(d(a, b)).
  [[nodiscard]] double weight(const Probe& z, std::uint64_t word) const {
    if (view().kernel.kind() == KernelKind::spectrum) {
      const auto [from, to] = std::equal_range(z.words.begin(), z.words.end(), word);
      return static_cast<double>(to - from);
    }
    double sum = 0.0;
    for (const std::uint64_t b : z.words) sum += common(word, b);
    return sum;
  }

  /// |f(x)|^2 of neighbouring windows: one k-mer leaves, another enters.
  void measure() {
    std::vector<double> norm2;
    for (std::int64_t bag = 0; bag < bags(); ++bag) {
      for (const Segment& segment : segments(bag)) {
        const std::uint64_t* word = words_.data() + segment.begin;
        // Twice the pairs of k-mer t with the others of a window, and once with itself.
        const auto share = [&](std::int64_t t, std::int64_t from, std::int64_t to) {
          double sum = common_[0];
          for (std::int64_t s = from; s < to; ++s) sum += 2.0 * common(word[t], word[s]);
          return sum;
        };
        double sum = 0.0;
        for (std::int64_t t = 0; t < kmers_; ++t) sum += share(t, 0, t);
        norm2.push_back(sum);
        for (std::int64_t j = 1; j < segment.windows; ++j) {
          sum -= share(j - 1, j, j + kmers_ - 1);
          sum += share(j + kmers_ - 1, j, j + kmers_ - 1);
          norm2.push_back(sum);
        }
      }
    }
    set_norms(std::move(norm2));
  }

  /// Rows are the windows of a stretch, columns those of a segment. column[s] = sum of N(d(a_t, b_s)) over
  /// the k-mers a_t of the row's window; a window pair's box is the sum of q neighbouring columns.
  void box_extremes(const Stretch& rows, std::int64_t row_bag, const Segment& right, std::int64_t bag,
                    double* largest, double* smallest) const {
    const std::uint64_t* a = words_.data() + rows.segment->begin + rows.offset;
    const std::uint64_t* b = words_.data() + right.begin;
    const std::int64_t width = right.windows + kmers_ - 1;
    const std::int64_t row = rows.segment->first + rows.offset;
    const double* a_inv_norm = inv_norms(row);
    const double* b_inv_norm = inv_norms(right.first);
    const bool placed = view().tau > 0.0;
    thread_local std::vector<double> column;
    thread_local std::vector<double> before;  // before[s] = column[0] + ... + column[s-1]
    column.assign(at(width), 0.0);
    before.assign(at(width) + 1, 0.0);
    // column[s] += sign N(d(a_t, b_s)) for every s.
    const auto add = [&](std::int64_t t, double sign) {
      if (apart_.empty()) {
        for (std::int64_t s = 0; s < width; ++s) column[at(s)] += sign * common(a[t], b[s]);
        return;
      }
      const std::size_t number = numbers_[rows.segment->begin + at(rows.offset + t)];
      const std::uint8_t* apart = apart_.data() + number * distinct_.size();
      const std::uint32_t* b_number = numbers_.data() + right.begin;
      for (std::int64_t s = 0; s < width; ++s) column[at(s)] += sign * common_[apart[b_number[s]]];
    };
    for (std::int64_t t = 0; t < kmers_; ++t) add(t, 1.0);
    for (std::int64_t r = 0; r < rows.count; ++r) {
      if (r > 0) {
        add(r - 1, -1.0);
        add(r + kmers_ - 1, 1.0);
      }
      std::partial_sum(column.begin(), column.end(), before.begin() + 1);
      const double row_place = placed ? place(*rows.segment, row_bag, rows.offset + r) : 0.0;
      double high = -kInfinity;
      double low = kInfinity;
      for (std::int64_t j = 0; j < right.windows; ++j) {
        double v = (before[at(j + kmers_)] - before[at(j)]) * b_inv_norm[j];
        if (placed) v *= nearness(place(right, bag, j) - row_place);
        high = std::max(high, v);
        low = std::min(low, v);
      }
      largest[r] = std::max(largest[r], high * a_inv_norm[r]);
      smallest[r] = std::min(smallest[r], low * a_inv_norm[r]);
    }
  }

  int k_;
  std::int64_t kmers_;                   // q, of a window
  std::vector<double> common_;           // N(d)
  std::vector<std::uint64_t> words_;     // the k-mer that begins at each symbol
  std::vector<std::uint64_t> distinct_;  // every different word once, in order
  std::vector<std::uint32_t> numbers_;   // of each word, its place among the different ones
  mutable std::once_flag tabled_;
  mutable std::vector<std::uint8_t> apart_;  // d of two of the different words; empty where they are many
};

double choose(int n, int r) {
  double result = 1.0;
  for (int i = 1; i <= r; ++i) result = result * (n - r + i) / i;
  return result;
}

}  // namespace

/// g agrees with both k-mers or differs from both (i times, |A| - 1 symbols) in the k - d places where they
/// agree; in the other d places it has a's symbol p times, b's q times and another one (|A| - 2 symbols)
/// d - p - q times. It differs from a in i + d - p places, from b in i + d - q:
///     N(d) = sum_{i, p, q} C(k-d, i) (|A|-1)^i  d! / (p! q! (d-p-q)!) (|A|-2)^(d-p-q),
/// over i + d - p <= m and i + d - q <= m.
std::vector<double> common_neighbours(int k, int mismatches, int alphabet) {
  std::vector<double> common(at(k) + 1, 0.0);
  for (int d = 0; d <= k; ++d) {
    for (int i = 0; i <= k - d; ++i) {
      for (int p = 0; p <= d; ++p) {
        for (int q = 0; p + q <= d; ++q) {
          if (i + d - p > mismatches || i + d - q > mismatches) continue;
          common[at(d)] += choose(k - d, i) * std::pow(alphabet - 1.0, i) * choose(d, p) * choose(d - p, q) *
                           std::pow(std::max(0.0, alphabet - 2.0), d - p - q);
        }
      }
    }
  }
  return common;
}

std::unique_ptr<Instances> kmer_windows(const Dataset& data, const View& view) {
  return std::make_unique<KmerWindows>(data, view);
}

}  // namespace shapeboost::detail
