// SPDX-License-Identifier: MIT
// The given instances of bags, under the kernels of inner products and under the Laplacian kernel.
#include <algorithm>
#include <cmath>
#include <string>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"
#include "view/bag_mapping.hpp"
#include "view/instances.hpp"
#include "view/kernel_makers.hpp"
#include "view/product_affinity.hpp"
#include "view/sparse_rows.hpp"

namespace shapeboost::detail {
namespace {

/// What every kernel needs of them.
class Vectors : public Instances {
 public:
  Vectors(const Dataset& data, const View& view) : Instances(view), source_(&data), places_(this->view()) {
    std::int64_t n = 0;
    for (std::int64_t i = 0; i < data.size(); ++i) n += data.rows(i);
    data_.resize(n, mapped_size(view));
    std::vector<double> given(at(width()));
    std::int64_t row = 0;
    for (std::int64_t i = 0; i < data.size(); ++i) {
      for (std::int64_t j = 0; j < data.rows(i); ++j, ++row) {
        const std::vector<double> values = numbers(i, j);
        for (std::int64_t f = 0; f < width(); ++f) {
          const double x = values[at(f)];
          if (!std::isfinite(x)) {
            throw InvalidInput("example " + data.name(i) + ": expected finite numbers, found " +
                               std::to_string(x));
          }
          given[at(f)] = x;
        }
        map_instance(view, given.data(), data_.row(row).data());
      }
      add_bag(data.rows(i));
    }
    norm2_.resize(at(n));
    for (std::int64_t x = 0; x < n; ++x) norm2_[at(x)] = squared_norm(data_.row(x).data());
  }

  [[nodiscard]] Instance instance(std::int64_t instance) const override {
    const std::int64_t bag = bag_of(instance);
    const std::int64_t position = instance - first(bag);
    return {numbers(bag, position), bag, position};
  }

  [[nodiscard]] Probe probe(std::int64_t instance) const override {
    return {data_.row(instance).transpose(), norm2_[at(instance)]};
  }

  [[nodiscard]] Probe probe(const Instance& instance) const override {
    const std::vector<double> values = instance.full(width());
    if (std::ssize(values) != width()) {
      throw InvalidInput("instance: expected " + std::to_string(width()) + " values, found " +
                         std::to_string(values.size()));
    }
    std::vector<double> mapped(at(width()));
    map_instance(view(), values.data(), mapped.data());
    Probe probe{Eigen::Map<const Vector>(mapped.data(), data_.cols()), 0.0};
    probe.norm2 = squared_norm(probe.values.data());
    return probe;
  }

  [[nodiscard]] std::int64_t bytes() const override {
    return static_cast<std::int64_t>(sizeof(double)) *
           (data_.size() + static_cast<std::int64_t>(norm2_.size()));
  }

 protected:
  [[nodiscard]] std::int64_t width() const { return view().rows(); }
  /// Mapped, an instance a row.
  [[nodiscard]] const Matrix& data() const { return data_; }
  [[nodiscard]] double norm2(std::int64_t x) const { return norm2_[at(x)]; }

 private:
  /// Of the view's features, as they came.
  [[nodiscard]] std::vector<double> numbers(std::int64_t bag, std::int64_t position) const {
    std::vector<double> x(at(width()), 0.0);
    if (source_->is_sparse()) {
      const SparseView::Row row = source_->sparse(bag).row(position);
      for (std::size_t k = 0; k < row.columns.size(); ++k) {
        if (const std::int32_t f = places_[row.columns[k]]; f >= 0) x[at(f)] = row.values[k];
      }
      return x;
    }
    const std::span<const double> row = source_->values(bag).row(position);
    for (std::int64_t f = 0; f < width(); ++f) {
      x[at(f)] = row[at(view().features.empty() ? f : view().features[at(f)])];
    }
    return x;
  }
  /// In the order of the features, wherever they lie in memory.
  [[nodiscard]] double squared_norm(const double* x) const {
    double sum = 0.0;
    for (std::int64_t f = 0; f < data_.cols(); ++f) sum += x[f] * x[f];
    return sum;
  }

  const Dataset* source_;
  FeaturePlaces places_;
  Matrix data_;  // mapped, an instance a row
  std::vector<double> norm2_;
};

class ProductVectors final : public Vectors {
  static constexpr std::int64_t kColumns = 512;  // of a product: a large bag has several

 public:
  using Vectors::Vectors;

  void affinities(const Probe& z, const Run& run, double* out) const override {
    const std::int64_t begin = first(run.bag) + run.first;
    Eigen::Map<Vector>(out, run.count).noalias() = data().middleRows(begin, run.count) * z.values;
    const ProductAffinity affinity(view().kernel);
    for (std::int64_t j = 0; j < run.count; ++j) out[j] = affinity(norm2(begin + j), z.norm2, out[j]);
  }

  [[nodiscard]] double similarity(const Probe& z, const Probe& x) const override {
    const ProductAffinity affinity(view().kernel);
    return view().kernel.value(affinity(x.norm2, z.norm2, x.values.dot(z.values)));
  }

  [[nodiscard]] double distance(std::int64_t x, std::int64_t y) const override {
    return (data().row(x) - data().row(y)).squaredNorm();
  }

  /// Many vectors of either side at once: products of a few bags' instances are mostly copying.
  void all_extremes(std::span<const Run> runs, Matrix& largest, Matrix& smallest) const override {
    std::vector<std::int64_t> z;
    for (const Run& run : runs) {
      for (std::int64_t j = 0; j < run.count; ++j) z.push_back(first(run.bag) + run.first + j);
    }
    const Matrix left = data()(z, Eigen::all);
    largest.setZero(left.rows(), bags());
    smallest.setZero(left.rows(), bags());
    for (std::int64_t b = 0; b < bags(); ++b) {
      if (count(b) == 0) continue;
      largest.col(b).setConstant(-kInfinity);
      smallest.col(b).setConstant(kInfinity);
    }
    Matrix products;
    const ProductAffinity affinity(view().kernel);
    for (std::int64_t bag = 0, x = 0; x < size();) {
      check_stop();
      // Whole bags as far as they fit; of a bag that alone is larger, one piece after the other.
      std::int64_t end = std::min(size(), x + kColumns);
      const std::int64_t last = bag_of(end - 1);
      if (end < first(last + 1) && first(last) > x) end = first(last);
      products.noalias() = left * data().middleRows(x, end - x).transpose();
      for (Eigen::Index r = 0; r < left.rows(); ++r) {
        const double own = norm2(z[at(r)]);
        std::int64_t b = bag;
        for (std::int64_t y = x; y < end; ++b) {
          double high = largest(r, b);
          double low = smallest(r, b);
          for (const std::int64_t stop = std::min(end, first(b + 1)); y < stop; ++y) {
            const double v = affinity(norm2(y), own, products(r, y - x));
            high = std::max(high, v);
            low = std::min(low, v);
          }
          largest(r, b) = high;
          smallest(r, b) = low;
        }
      }
      x = end;
      if (x < size()) bag = bag_of(x);
    }
  }
  [[nodiscard]] std::int64_t together() const override { return 128; }
};

class LaplacianVectors final : public Vectors {
 public:
  using Vectors::Vectors;

  void affinities(const Probe& z, const Run& run, double* out) const override {
    const std::int64_t begin = first(run.bag) + run.first;
    for (std::int64_t j = 0; j < run.count; ++j) {
      out[j] = -absolute_distance(data().row(begin + j).data(), z.values.data());
    }
  }

  [[nodiscard]] double similarity(const Probe& z, const Probe& x) const override {
    return view().kernel.value(-absolute_distance(x.values.data(), z.values.data()));
  }

  [[nodiscard]] double distance(std::int64_t x, std::int64_t y) const override {
    return absolute_distance(data().row(x).data(), data().row(y).data());
  }

 private:
  /// |x - z|_1, in the order of the features.
  [[nodiscard]] double absolute_distance(const double* x, const double* z) const {
    double sum = 0.0;
    for (std::int64_t f = 0; f < data().cols(); ++f) sum += std::abs(x[f] - z[f]);
    return sum;
  }
};

}  // namespace

std::unique_ptr<Instances> product_vectors(const Dataset& data, const View& view) {
  return std::make_unique<ProductVectors>(data, view);
}

std::unique_ptr<Instances> laplacian_vectors(const Dataset& data, const View& view) {
  return std::make_unique<LaplacianVectors>(data, view);
}

}  // namespace shapeboost::detail
