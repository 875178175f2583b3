// SPDX-License-Identifier: MIT
// Instances of any kind under a caller's own similarity: one call for each pair of vectors.
#include <cmath>
#include <span>
#include <string>

#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "view/instances.hpp"
#include "view/kernel_makers.hpp"

namespace shapeboost::detail {
namespace {

View with_linear_kernel(View view) {
  view.kernel = kernels::Linear{};
  return view;
}

class CustomInstances final : public Instances {
 public:
  CustomInstances(const Dataset& data, const View& view) : Instances(view) {
    const View plain = with_linear_kernel(view);
    vectors_ = view.kind == DataKind::bags ? product_vectors(data, plain) : product_windows(data, plain);
    for (std::int64_t bag = 0; bag < vectors_->bags(); ++bag) add_bag(vectors_->count(bag));
  }

  [[nodiscard]] Instance instance(std::int64_t instance) const override {
    return vectors_->instance(instance);
  }
  [[nodiscard]] std::int64_t position(std::int64_t instance) const override {
    return vectors_->position(instance);
  }
  [[nodiscard]] Probe probe(std::int64_t instance) const override { return vectors_->probe(instance); }
  [[nodiscard]] Probe probe(const Instance& instance) const override { return vectors_->probe(instance); }

  void affinities(const Probe& z, const Run& run, double* out) const override {
    const std::int64_t begin = first(run.bag) + run.first;
    for (std::int64_t j = 0; j < run.count; ++j) out[j] = affinity(z, vectors_->probe(begin + j));
  }

  [[nodiscard]] double similarity(const Probe& z, const Probe& x) const override {
    return view().kernel.value(affinity(z, x));
  }

  [[nodiscard]] double distance(std::int64_t x, std::int64_t y) const override {
    const Probe a = vectors_->probe(x);
    const Probe b = vectors_->probe(y);
    return alone(a, a) + alone(b, b) - 2.0 * alone(a, b);
  }

  [[nodiscard]] std::int64_t bytes() const override { return vectors_->bytes(); }

 private:
  [[nodiscard]] double affinity(const Probe& z, const Probe& x) const {
    const double k = alone(z, x);
    if (view().kind == DataKind::bags || view().tau <= 0.0) return k;
    const double apart = x.place - z.place;
    return k * std::exp(-view().tau * apart * apart);
  }
  /// Without the position term.
  [[nodiscard]] double alone(const Probe& z, const Probe& x) const {
    const auto numbers = [](const Probe& probe) {
      return std::span<const double>(probe.values.data(), at(probe.values.size()));
    };
    const auto& custom = *view().kernel.as<kernels::Custom>();
    const double k = custom.similarity(numbers(x), numbers(z));
    if (!std::isfinite(k)) {
      throw InvalidInput("similarity '" + custom.name + "': expected a finite number, found " +
                         detail::number(k));
    }
    return k;
  }

  std::unique_ptr<Instances> vectors_;
};

}  // namespace

std::unique_ptr<Instances> custom_instances(const Dataset& data, const View& view) {
  return std::make_unique<CustomInstances>(data, view);
}

}  // namespace shapeboost::detail
