// SPDX-License-Identifier: MIT
#include "model/pattern_reader.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ground/numbers.hpp"
#include "model/gaussian_reader.hpp"
#include "model/whole_reader.hpp"
#include "view/instances.hpp"
#include "view/windows.hpp"

namespace shapeboost::detail {
namespace {

/// Any kernel, any shapelet: by the scores of all instances, in double precision.
class AnyReader final : public PatternReader {
 public:
  AnyReader(const View& view, std::vector<const Hypothesis*> patterns)
      : view_(view), patterns_(std::move(patterns)) {
    // What a bag's pattern looks like to the kernel does not depend on the bag.
    const bool known = view.kernel.compares_numbers() && view.kernel.kind() != KernelKind::custom;
    if (view.kind != DataKind::bags || !known) return;
    const Dataset nothing(view.kind);
    const std::unique_ptr<Instances> instances = make_instances(nothing, view);
    for (const Hypothesis* pattern : patterns_) {
      std::vector<Probe>& probes = probes_.emplace_back();
      for (const Instance& z : pattern->shapelet.instances) probes.push_back(instances->probe(z));
    }
  }

  [[nodiscard]] bool read(const ArrayView& values, const std::string& name, Readings& out) const override {
    Dataset alone(view_.kind);
    alone.borrow(values, "", name);
    return read_only(alone, values.cols(), out);
  }
  [[nodiscard]] bool read(const Dataset& data, std::int64_t i, Readings& out) const override {
    if (!data.is_sparse()) return read(data.values(i), data.name(i), out);
    return read_only(data.subset({i}), 1, out);
  }

 private:
  /// Of the only example of a data set, so many time steps long.
  [[nodiscard]] bool read_only(const Dataset& alone, std::int64_t steps, Readings& out) const {
    const std::unique_ptr<Instances> instances = make_instances(alone, view_);
    const std::int64_t n = instances->count(0);
    if (n == 0) return false;
    const std::size_t count = patterns_.size();
    out.best.resize(count);
    out.share.resize(count);
    out.place.assign(count, 0.0F);
    out.mean.assign(count, 0.0F);
    out.least.assign(count, 0.0F);
    out.bag.assign(count, 0.0F);
    out.instance.resize(count);
    out.position.resize(count);
    const bool bags = view_.kind == DataKind::bags;
    const bool spectral = view_.transform == Transform::spectrum;
    std::vector<double> score;
    std::vector<double> similar(at(n));
    for (std::size_t j = 0; j < count; ++j) {
      const Shapelet& shapelet = patterns_[j]->shapelet;
      score.assign(at(n), 0.0);
      for (std::size_t t = 0; t < shapelet.alpha.size(); ++t) {
        const bool anew = probes_.empty() || alone.is_sparse();  // sparse instances are compared otherwise
        const Probe z = anew ? instances->probe(shapelet.instances[t]) : probes_[j][t];
        instances->affinities(z, {0, 0, n}, similar.data());
        view_.kernel.values(similar.data(), n);
        for (std::size_t x = 0; x < score.size(); ++x) score[x] += shapelet.alpha[t] * similar[x];
      }
      const Pooled most = pooled(score, 0);
      const auto reached =
          std::ranges::count_if(score, [&](double s) { return s >= patterns_[j]->threshold; });
      const std::int64_t position = bags ? most.argmax : instances->instance(most.argmax).position;
      out.best[j] = static_cast<float>(most.value);
      out.share[j] = spectral ? 0.0F : static_cast<float>(real(reached) / real(n));
      out.instance[j] = static_cast<std::int32_t>(most.argmax);
      out.position[j] = position;
      if (bags) {
        out.mean[j] = static_cast<float>(std::accumulate(score.begin(), score.end(), 0.0) / real(n));
        out.least[j] = static_cast<float>(*std::ranges::min_element(score));
      } else if (!spectral) {
        const double middle = real(position) + 0.5 * real(view_.span());
        out.place[j] = static_cast<float>(middle / real(view_.extent(steps)));
      }
    }
    return true;
  }

  const View& view_;
  std::vector<const Hypothesis*> patterns_;
  std::vector<std::vector<Probe>> probes_;  // of bags: of each pattern, made once
};

}  // namespace

std::unique_ptr<PatternReader> make_reader(const View& view, const std::vector<const Hypothesis*>& patterns) {
  if (view.whole != 0) return make_whole_reader(view, patterns);
  const bool single = std::ranges::all_of(patterns, [](const Hypothesis* pattern) {
    return pattern->shapelet.alpha.size() == 1 && pattern->shapelet.alpha.front() == 1.0;
  });
  // Windows that differ by a millionth of their size are all the same to floats.
  const bool alike = view.normalisation == Normalisation::z &&
                     0x1p-22 * static_cast<double>(view.numbers()) * view.kernel.rate() > 1.0;
  if (view.kind == DataKind::series && view.kernel.kind() == KernelKind::gaussian && single && !alike) {
    return make_gaussian_reader(view, patterns);
  }
  return std::make_unique<AnyReader>(view, patterns);
}

}  // namespace shapeboost::detail
