// SPDX-License-Identifier: MIT
// The given instances of sparse bags under kernels of inner products. Zeros are never held: an instance is its non-zero
// numbers, mapped to x / scale, so memory is in proportion to these. A centre other than 0 would fill them all in.
#include <cmath>
#include <mutex>
#include <string>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"
#include "view/instances.hpp"
#include "view/kernel_makers.hpp"
#include "view/product_affinity.hpp"
#include "view/sparse_rows.hpp"

namespace shapeboost::detail {
namespace {

class SparseVectors final : public Instances {
 public:
  SparseVectors(const Dataset& data, const View& view)
      : Instances(view), source_(&data), places_(this->view()) {
    for (std::int64_t i = 0; i < data.size(); ++i) {
      const SparseView bag = data.sparse(i);
      for (std::int64_t r = 0; r < bag.rows(); ++r) {
        double norm2 = 0.0;
        each(bag.row(r), [&](std::int32_t f, double x) {
          if (!std::isfinite(x)) {
            throw InvalidInput("example " + data.name(i) + ": expected finite numbers, found " +
                               std::to_string(x));
          }
          const double mapped = x / scale(f);
          columns_.push_back(f);
          values_.push_back(mapped);
          norm2 += mapped * mapped;
        });
        starts_.push_back(std::ssize(values_));
        norm2_.push_back(norm2);
      }
      add_bag(bag.rows());
    }
  }

  [[nodiscard]] Instance instance(std::int64_t instance) const override {
    const std::int64_t bag = bag_of(instance);
    const std::int64_t position = instance - first(bag);
    Instance result{{}, bag, position, 0.0, std::vector<std::int32_t>()};
    each(source_->sparse(bag).row(position), [&](std::int32_t f, double value) {
      result.features->push_back(f);
      result.values.push_back(value);
    });
    return result;
  }

  [[nodiscard]] Probe probe(std::int64_t instance) const override {
    Probe probe{Vector::Zero(width()), norm2_[at(instance)]};
    for (std::int64_t k = begin(instance); k < end(instance); ++k)
      probe.values[columns_[at(k)]] = values_[at(k)];
    return probe;
  }

  [[nodiscard]] Probe probe(const Instance& instance) const override {
    const std::vector<double> values = instance.full(width());
    if (std::ssize(values) != width()) {
      throw InvalidInput("instance: expected " + std::to_string(width()) + " values, found " +
                         std::to_string(values.size()));
    }
    Probe probe{Vector(width()), 0.0};
    for (std::int64_t f = 0; f < width(); ++f) {
      probe.values[f] = values[at(f)] / scale(f);
      probe.norm2 += probe.values[f] * probe.values[f];
    }
    return probe;
  }

  void affinities(const Probe& z, const Run& run, double* out) const override {
    const ProductAffinity affinity(view().kernel);
    const std::int64_t from = first(run.bag) + run.first;
    const double* const values = z.values.data();
    for (std::int64_t j = 0; j < run.count; ++j) {
      double product = 0.0;
      for (std::int64_t k = begin(from + j); k < end(from + j); ++k)
        product += values_[at(k)] * values[columns_[at(k)]];
      out[j] = affinity(norm2_[at(from + j)], z.norm2, product);
    }
  }

  [[nodiscard]] double similarity(const Probe& z, const Probe& x) const override {
    const ProductAffinity affinity(view().kernel);
    return view().kernel.value(affinity(x.norm2, z.norm2, x.values.dot(z.values)));
  }

  [[nodiscard]] double distance(std::int64_t x, std::int64_t y) const override {
    double sum = 0.0;
    std::int64_t a = begin(x);
    std::int64_t b = begin(y);
    while (a < end(x) || b < end(y)) {
      const bool left = b == end(y) || (a < end(x) && columns_[at(a)] <= columns_[at(b)]);
      const bool right = a == end(x) || (b < end(y) && columns_[at(b)] <= columns_[at(a)]);
      const double difference = (left ? values_[at(a)] : 0.0) - (right ? values_[at(b)] : 0.0);
      sum += difference * difference;
      a += left ? 1 : 0;
      b += right ? 1 : 0;
    }
    return sum;
  }

  /// Feature by feature: only the instances that share one with z are touched, the others' products are 0.
  void all_extremes(std::span<const Run> runs, Matrix& largest, Matrix& smallest) const override {
    std::call_once(turned_, [&] { turn(); });
    std::int64_t rows = 0;
    for (const Run& run : runs) rows += run.count;
    largest.setZero(rows, bags());
    smallest.setZero(rows, bags());
    const ProductAffinity affinity(view().kernel);
    std::vector<double> product(at(size()));
    std::int64_t row = 0;
    for (const Run& run : runs) {
      for (std::int64_t z = first(run.bag) + run.first; z < first(run.bag) + run.first + run.count;
           ++z, ++row) {
        check_stop();
        std::ranges::fill(product, 0.0);
        for (std::int64_t k = begin(z); k < end(z); ++k) {
          const auto f = at(columns_[at(k)]);
          for (std::int64_t entry = feature_starts_[f]; entry < feature_starts_[f + 1]; ++entry) {
            product[at(instances_[at(entry)])] += feature_values_[at(entry)] * values_[at(k)];
          }
        }
        for (std::int64_t bag = 0; bag < bags(); ++bag) {
          if (count(bag) == 0) continue;
          double high = -kInfinity;
          double low = kInfinity;
          for (std::int64_t x = first(bag); x < first(bag + 1); ++x) {
            const double v = affinity(norm2_[at(x)], norm2_[at(z)], product[at(x)]);
            high = std::max(high, v);
            low = std::min(low, v);
          }
          largest(row, bag) = high;
          smallest(row, bag) = low;
        }
      }
    }
  }
  [[nodiscard]] std::int64_t together() const override { return 32; }

  [[nodiscard]] std::int64_t bytes() const override {
    constexpr std::int64_t kEntry = sizeof(double) + sizeof(std::int32_t);
    return 2 * kEntry * std::ssize(values_) + 2 * static_cast<std::int64_t>(sizeof(double)) * size();
  }

 private:
  [[nodiscard]] std::int64_t width() const { return view().rows(); }
  [[nodiscard]] double scale(std::int64_t f) const { return view().scale[at(f)]; }
  [[nodiscard]] std::int64_t begin(std::int64_t x) const { return starts_[at(x)]; }
  [[nodiscard]] std::int64_t end(std::int64_t x) const { return starts_[at(x) + 1]; }

  /// visit(f, x) for the numbers of the view's features.
  template <typename Visit>
  void each(const SparseView::Row& row, const Visit& visit) const {
    for (std::size_t k = 0; k < row.columns.size(); ++k) {
      const std::int32_t f = places_[row.columns[k]];
      if (f >= 0) visit(f, row.values[k]);
    }
  }

  /// The same numbers by features.
  void turn() const {
    feature_starts_.assign(at(width()) + 1, 0);
    for (const std::int32_t f : columns_) ++feature_starts_[at(f) + 1];
    std::partial_sum(feature_starts_.begin(), feature_starts_.end(), feature_starts_.begin());
    std::vector<std::int64_t> next(feature_starts_.begin(), feature_starts_.end() - 1);
    instances_.resize(columns_.size());
    feature_values_.resize(columns_.size());
    for (std::int64_t x = 0; x < size(); ++x) {
      for (std::int64_t k = begin(x); k < end(x); ++k) {
        const std::int64_t entry = next[at(columns_[at(k)])]++;
        instances_[at(entry)] = static_cast<std::int32_t>(x);
        feature_values_[at(entry)] = values_[at(k)];
      }
    }
  }

  const Dataset* source_;
  FeaturePlaces places_;
  std::vector<std::int64_t> starts_{0};  // of each instance's numbers; then their number
  std::vector<std::int32_t> columns_;    // rising within an instance
  std::vector<double> values_;           // mapped
  std::vector<double> norm2_;            // of each instance
  // The same by features, made when first asked for.
  mutable std::once_flag turned_;
  mutable std::vector<std::int64_t> feature_starts_;
  mutable std::vector<std::int32_t> instances_;
  mutable std::vector<double> feature_values_;
};

}  // namespace

std::unique_ptr<Instances> sparse_vectors(const Dataset& data, const View& view) {
  return std::make_unique<SparseVectors>(data, view);
}

}  // namespace shapeboost::detail
