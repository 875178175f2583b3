// SPDX-License-Identifier: MIT
// The given instances of bags, under the kernels of inner products and under the Laplacian kernel.
#include <algorithm>
#include <cmath>
#include <string>

#include "ground/numbers.hpp"
#include "view/bag_mapping.hpp"
#include "view/instances.hpp"
#include "view/kernel_makers.hpp"
#include "view/product_affinity.hpp"

namespace shapeboost::detail {
namespace {

/// What every kernel needs of them.
class Vectors : public Instances {
 public:
  Vectors(const Dataset& data, const View& view) : Instances(view), source_(&data) {
    std::int64_t n = 0;
    for (std::int64_t i = 0; i < data.size(); ++i) n += data.values(i).rows();
    data_.resize(n, mapped_size(view));
    std::vector<double> given(at(width()));
    std::int64_t row = 0;
    for (std::int64_t i = 0; i < data.size(); ++i) {
      const ArrayView values = data.values(i);
      for (Eigen::Index j = 0; j < values.rows(); ++j, ++row) {
        for (std::int64_t f = 0; f < width(); ++f) {
          const double x = values(j, feature(f));
          if (!std::isfinite(x)) {
            throw InvalidInput("example " + data.name(i) + ": expected finite numbers, found " +
                               std::to_string(x));
          }
          given[at(f)] = x;
        }
        map_instance(view, given.data(), data_.row(row).data());
      }
      add_bag(values.rows());
    }
    norm2_.resize(at(n));
    for (std::int64_t x = 0; x < n; ++x) norm2_[at(x)] = squared_norm(data_.row(x).data());
  }

  [[nodiscard]] Instance instance(std::int64_t instance) const override {
    const std::int64_t bag = bag_of(instance);
    const std::int64_t position = instance - first(bag);
    const ArrayView values = source_->values(bag);
    std::vector<double> x;
    for (std::int64_t f = 0; f < width(); ++f) x.push_back(values(position, feature(f)));
    return {std::move(x), bag, position};
  }

  [[nodiscard]] Probe probe(std::int64_t instance) const override {
    return {data_.row(instance).transpose(), norm2_[at(instance)]};
  }

  [[nodiscard]] Probe probe(const Instance& instance) const override {
    if (static_cast<std::int64_t>(instance.values.size()) != width()) {
      throw InvalidInput("instance: expected " + std::to_string(width()) + " values, found " +
                         std::to_string(instance.values.size()));
    }
    std::vector<double> mapped(at(width()));
    map_instance(view(), instance.values.data(), mapped.data());
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
  [[nodiscard]] Eigen::Index feature(std::int64_t f) const {
    return view().features.empty() ? f : view().features[at(f)];
  }
  /// In the order of the features, wherever they lie in memory.
  [[nodiscard]] double squared_norm(const double* x) const {
    double sum = 0.0;
    for (std::int64_t f = 0; f < data_.cols(); ++f) sum += x[f] * x[f];
    return sum;
  }

  const Dataset* source_;
  Matrix data_;  // mapped, an instance a row
  std::vector<double> norm2_;
};

class ProductVectors final : public Vectors {
  static constexpr std::int64_t kColumns = 512;  // of a product, unless one bag has more

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
  void all_extremes(std::span<const Run> runs, const std::function<void()>& check, Matrix& largest,
                    Matrix& smallest) const override {
    std::vector<std::int64_t> z;
    for (const Run& run : runs) {
      for (std::int64_t j = 0; j < run.count; ++j) z.push_back(first(run.bag) + run.first + j);
    }
    const Matrix left = data()(z, Eigen::all);
    largest.setZero(left.rows(), bags());
    smallest.setZero(left.rows(), bags());
    Matrix products;
    const ProductAffinity affinity(view().kernel);
    for (std::int64_t bag = 0, end = 0; bag < bags(); bag = end) {
      check();
      for (end = bag + 1; end < bags() && first(end + 1) - first(bag) <= kColumns;) ++end;
      products.noalias() = left * data().middleRows(first(bag), first(end) - first(bag)).transpose();
      for (Eigen::Index r = 0; r < left.rows(); ++r) {
        const double own = norm2(z[at(r)]);
        for (std::int64_t b = bag; b < end; ++b) {
          if (count(b) == 0) continue;
          double high = -kInfinity;
          double low = kInfinity;
          for (std::int64_t x = first(b); x < first(b + 1); ++x) {
            const double v = affinity(norm2(x), own, products(r, x - first(bag)));
            high = std::max(high, v);
            low = std::min(low, v);
          }
          largest(r, b) = high;
          smallest(r, b) = low;
        }
      }
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
