// SPDX-License-Identifier: MIT
// Bags whose instances are rows of a given matrix: K(x, z) = G(x, z).
#include <cmath>
#include <string>

#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "view/instances.hpp"
#include "view/kernel_makers.hpp"

namespace shapeboost::detail {
namespace {

class GramBags final : public Instances {
 public:
  GramBags(const Dataset& data, const View& view)
      : Instances(view), gram_(*view.kernel.as<kernels::Gram>()->matrix) {
    for (std::int64_t i = 0; i < data.size(); ++i) {
      const ArrayView values = data.values(i);
      for (Eigen::Index j = 0; j < values.rows(); ++j) {
        rows_.push_back(row_of(values(j, 0), "example " + data.name(i)));
      }
      add_bag(values.rows());
    }
  }

  [[nodiscard]] Instance instance(std::int64_t instance) const override {
    const std::int64_t bag = bag_of(instance);
    return {{static_cast<double>(rows_[at(instance)])}, bag, instance - first(bag)};
  }
  [[nodiscard]] Probe probe(std::int64_t instance) const override { return ready(rows_[at(instance)]); }
  [[nodiscard]] Probe probe(const Instance& instance) const override {
    if (instance.values.size() != 1) {
      throw InvalidInput("instance: expected the number of a row, found " +
                         std::to_string(instance.values.size()) + " values");
    }
    return ready(row_of(instance.values.front(), "instance"));
  }

  void affinities(const Probe& z, const Run& run, double* out) const override {
    const double* similar = gram_.row(number(z)).data();
    const Eigen::Index* row = rows_.data() + first(run.bag) + run.first;
    for (std::int64_t j = 0; j < run.count; ++j) out[j] = similar[row[j]];
  }
  [[nodiscard]] double similarity(const Probe& z, const Probe& x) const override {
    return view().kernel.value(gram_(number(z), number(x)));
  }
  [[nodiscard]] double distance(std::int64_t x, std::int64_t y) const override {
    const Eigen::Index a = rows_[at(x)];
    const Eigen::Index b = rows_[at(y)];
    return gram_(a, a) + gram_(b, b) - 2.0 * gram_(a, b);
  }
  [[nodiscard]] std::int64_t bytes() const override {
    return static_cast<std::int64_t>(sizeof(Eigen::Index) * rows_.size());
  }

 private:
  [[nodiscard]] static Eigen::Index number(const Probe& probe) {
    return static_cast<Eigen::Index>(probe.values[0]);
  }
  [[nodiscard]] Probe ready(Eigen::Index row) const {
    return {Vector::Constant(1, static_cast<double>(row)), gram_(row, row)};
  }
  [[nodiscard]] Eigen::Index row_of(double value, const std::string& where) const {
    if (!(value >= 0.0 && value < static_cast<double>(gram_.rows()) && value == std::floor(value))) {
      const std::string& file = view().kernel.as<kernels::Gram>()->file;
      throw InvalidInput(where + ": expected the number of a row of the Gram matrix" +
                         (file.empty() ? "" : " '" + file + "'") + ", a whole number 0 to " +
                         std::to_string(gram_.rows() - 1) + ", found " + detail::number(value));
    }
    return static_cast<Eigen::Index>(value);
  }

  const Array<double>& gram_;  // the view's kernel shares in it
  std::vector<Eigen::Index> rows_;
};

}  // namespace

std::unique_ptr<Instances> gram_bags(const Dataset& data, const View& view) {
  return std::make_unique<GramBags>(data, view);
}

}  // namespace shapeboost::detail
