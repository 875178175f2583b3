// SPDX-License-Identifier: MIT
#include "model/whole_reader.hpp"

#include <cmath>

#include "ground/numbers.hpp"
#include "view/bag_distance.hpp"
#include "view/bag_mapping.hpp"

namespace shapeboost::detail {
namespace {

BagDistances bags_of(const View& view, const std::vector<const Hypothesis*>& patterns) {
  std::vector<std::int64_t> sizes;
  std::int64_t rows = 0;
  for (const Hypothesis* pattern : patterns) {
    sizes.push_back(std::ssize(pattern->shapelet.instances));
    rows += sizes.back();
  }
  Matrix instances(rows, mapped_size(view));
  Eigen::Index row = 0;
  for (const Hypothesis* pattern : patterns) {
    for (const Instance& z : pattern->shapelet.instances) {
      map_instance(view, z.full(view.rows()).data(), instances.row(row++).data());
    }
  }
  return {std::move(instances), sizes};
}

class WholeReader final : public PatternReader {
 public:
  WholeReader(const View& view, const std::vector<const Hypothesis*>& patterns)
      : view_(view), distances_(bags_of(view, patterns)) {}

  [[nodiscard]] bool read(const ArrayView& values, const std::string& name, Readings& out) const override {
    if (values.rows() == 0) return false;
    for (Eigen::Index j = 0; j < values.rows(); ++j) {
      for (const double x : values.row(j)) {
        if (std::isfinite(x)) continue;
        throw InvalidInput("example " + name + ": expected finite numbers, found " + std::to_string(x));
      }
    }
    const std::size_t count = at(distances_.bags());
    out.share.assign(count, 0.0F);
    out.place.assign(count, 0.0F);
    out.mean.assign(count, 0.0F);
    out.least.assign(count, 0.0F);
    out.instance.assign(count, 0);
    std::vector<double> distance(count);
    distances_.of(mapped_bag(view_, values), distance.data(), out.instance.data());
    out.bag.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      out.bag[k] = static_cast<float>(bag_similarity(view_, distance[k]));
    }
    out.best = out.bag;
    out.position.assign(out.instance.begin(), out.instance.end());
    return true;
  }

  [[nodiscard]] bool read(const Dataset& data, std::int64_t i, Readings& out) const override {
    if (!data.is_sparse()) return read(data.values(i), data.name(i), out);
    Matrix values = Matrix::Zero(data.rows(i), data.width());
    for (std::int64_t j = 0; j < data.rows(i); ++j) {
      const SparseView::Row row = data.sparse(i).row(j);
      for (std::size_t k = 0; k < row.columns.size(); ++k) values(j, row.columns[k]) = row.values[k];
    }
    return read(viewed(values), data.name(i), out);
  }

 private:
  const View& view_;
  BagDistances distances_;
};

}  // namespace

std::unique_ptr<PatternReader> make_whole_reader(const View& view,
                                                 const std::vector<const Hypothesis*>& patterns) {
  return std::make_unique<WholeReader>(view, patterns);
}

}  // namespace shapeboost::detail
