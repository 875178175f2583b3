// SPDX-License-Identifier: MIT
#include "model/hypothesis_reader.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "data/magnitude.hpp"
#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "model/model_text.hpp"
#include "view/bag_mapping.hpp"
#include "view/spectrum.hpp"

namespace shapeboost::detail {
namespace {

constexpr std::int64_t kLongestWindow = std::int64_t{1} << 31;

Kernel read_kernel(const Node& node) {
  const auto sigma = [&] { return node["sigma"].number_above_0(); };
  const auto band = [&] {
    const double share = node["band"].number();
    if (share < 0.0 || share > 1.0) node["band"].fail_expected("a number from 0 to 1");
    return share;
  };
  const auto whole = [&](const char* name, int low, int high) {
    return static_cast<int>(node[name].whole(low, high));
  };
  // Braces are read from left to right: the first fault in the file is the one that is told.
  switch (node["kind"].word<KernelKind>()) {
    case KernelKind::gaussian: return kernels::Gaussian{sigma()};
    case KernelKind::linear: return kernels::Linear{};
    case KernelKind::polynomial: {
      const double c = node["c"].number();
      if (c < 0.0) node["c"].fail_expected("a number of at least 0");
      return kernels::Polynomial{c, whole("p", 1, 10)};
    }
    case KernelKind::laplacian: return kernels::Laplacian{sigma()};
    case KernelKind::dtw: return kernels::Dtw{sigma(), band()};
    case KernelKind::gak: return kernels::Gak{sigma(), band()};
    case KernelKind::spectrum: return kernels::Spectrum{whole("k", 1, kLongestKmer)};
    case KernelKind::mismatch: {
      const int k = whole("k", 1, kLongestKmer);
      return kernels::Mismatch{k, whole("mismatches", 0, k - 1), whole("alphabet", 1, 256)};
    }
    case KernelKind::subsequence: {
      const int k = whole("k", 1, kLongestKmer);
      const double lambda = node["lambda"].number_above_0();
      if (lambda > 1.0) node["lambda"].fail_expected("a number of at most 1");
      return kernels::Subsequence{k, lambda};
    }
    case KernelKind::gram: return kernels::Gram{nullptr, node["matrix"].text()};
    case KernelKind::custom:
      return kernels::Custom{{}, node["name"].text(), node["positive_semidefinite"].boolean()};
  }
  return {};
}

/// Features of a bag or channels of a series that are used: some of width, ascending; none where all are.
std::vector<int> read_some(const Node& node, const char* name, std::int64_t width, std::int64_t fewest = 1) {
  std::vector<int> some;
  if (!node.has(name)) return some;
  for (const Node& entry : node[name].list(name, fewest)) {
    const auto one = static_cast<int>(entry.whole(0, width - 1));
    if (!some.empty() && one <= some.back()) entry.fail_expected("a number above the one before it");
    some.push_back(one);
  }
  return some;
}

/// Up to version 2, and in the first files of version 3, windows were of one channel or of "all".
std::vector<int> read_channels(const Node& node, std::int64_t width) {
  if (!node.has("channel")) return read_some(node, "channels", width);
  const Node channel = node["channel"];
  if (!channel.is_text()) return {static_cast<int>(channel.whole(0, width - 1))};
  if (channel.text() != "all") {
    channel.fail("expected a channel's number or \"all\", found " + quote(channel.text()));
  }
  return {};
}

/// Up to version 2, and in the first files of version 3, there were differences or none.
void read_transform(const Node& node, View& view) {
  if (node.has("differences")) {
    view.transform = node["differences"].boolean() ? Transform::differences : Transform::none;
    return;
  }
  view.transform = node["transform"].word<Transform>();
  if (view.transform == Transform::spectrum) {
    view.period = read_period(node);
    if (view.span() > view.period / 2) node["length"].fail_expected("a window within the spectrum");
  }
}

/// How the numbers of instances are seen; where nothing is said, plain and whole.
void read_mapping(const Node& node, View& view) {
  if (node.has("scaling")) view.scaling = node["scaling"].word<Scaling>();
  if (node.has("aspect")) view.aspect = node["aspect"].word<Aspect>();
  if (view.scaling == Scaling::rank) {
    view.quantiles = node["quantiles"].numbers(view.rows() * kQuantiles);
    for (std::size_t k = 1; k < view.quantiles.size(); ++k) {
      if (k % kQuantiles != 0 && view.quantiles[k] < view.quantiles[k - 1]) {
        node["quantiles"].list("numbers")[k].fail_expected("a number of at least the one before it");
      }
    }
  }
  if (view.aspect == Aspect::size) view.smallest = node["smallest"].number_above_0();
}

/// How a head reads a pattern.
void read_standard(const Node& node, const Head& head, Hypothesis& hypothesis) {
  hypothesis.threshold = node["threshold"].number();
  const auto size = static_cast<std::int64_t>(head.evidence.size());
  const std::vector<double> centre = node["centre"].numbers(size);
  const std::vector<double> scale = node["scale"].numbers(size);
  for (std::size_t k = 0; k < head.evidence.size(); ++k) {
    if (!(scale[k] > 0.0)) node["scale"].list("numbers")[k].fail_expected("a number above 0");
    hypothesis.standard[static_cast<std::size_t>(head.evidence[k])] = {centre[k], scale[k]};
  }
}

/// Some of the view's features, rising, and a value for each.
void read_sparse(const Node& node, std::int64_t numbers, Instance& instance) {
  const std::vector<int> features = read_some(node, "features", numbers, 0);
  instance.features.emplace(features.begin(), features.end());
  const std::int64_t count = std::ssize(*instance.features);
  if (node["length"].whole(0) != count) node["length"].fail_expected(std::to_string(count) + " as features");
  instance.values = node["values"].numbers(count);
}

/// An instance that stands where it is used; `number` is the view's.
Instance read_instance(const Node& node, const View& view, int number) {
  const std::int64_t length = view.numbers();
  Instance instance;
  instance.example = node["example"].whole(-1, kMostCounted);
  instance.position = node["position"].whole(-1, kMostCounted);
  instance.place = node["place"].number();
  if (node.has("features")) {
    if (view.kind != DataKind::bags) node["features"].fail("expected none, as in series and sequences");
    if (!view.kernel.compares_numbers()) node["features"].fail("expected none, as under a Gram matrix");
    read_sparse(node, length, instance);
    return instance;
  }
  if (node["length"].whole(1) != length) {
    node["length"].fail_expected(std::to_string(length) + " as in views[" + std::to_string(number) + "]");
  }
  const bool symbols = view.kind == DataKind::sequences;
  instance.values = symbols ? node["values"].symbols(length) : node["values"].numbers(length);
  return instance;
}

StoredInstance read_stored(const Node& node, std::int64_t width) {
  StoredInstance instance;
  instance.example = node["example"].whole(0, kMostCounted);
  instance.position = node["position"].whole(0, kMostCounted);
  instance.sparse = node.has("nonzero");
  if (instance.sparse && node.has("features")) node["features"].fail("expected none beside nonzero");
  if (instance.sparse || node.has("features")) {
    const std::vector<int> features =
        read_some(node, instance.sparse ? "nonzero" : "features", width, instance.sparse ? 0 : 1);
    instance.features.emplace(features.begin(), features.end());
  }
  instance.values = node["values"].numbers(instance.features ? std::ssize(*instance.features) : width);
  return instance;
}

}  // namespace

std::int64_t read_period(const Node& node) {
  const std::int64_t period = node["period"].whole(4, kLongestPeriod);
  if (quick_period(period) != period) {
    node["period"].fail_expected("an even product of twos, threes and fives");
  }
  return period;
}

View read_view(const Node& node, DataKind kind) {
  View view;
  view.kind = kind;
  view.width = node["width"].whole(1, kWidest);
  view.length = node["length"].whole(1, kLongestWindow);
  if (kind == DataKind::bags) {
    view.features = read_some(node, "features", view.width);
    if (view.length != view.rows()) node["length"].fail_expected(std::to_string(view.rows()));
    read_mapping(node, view);
  } else {
    view.dilation = node["dilation"].whole(1, std::numeric_limits<std::int32_t>::max());
    read_transform(node, view);
    if (view.transform == Transform::spectrum && node.has("rate")) view.rate = node["rate"].number_above_0();
    if (node.has("missing")) view.missing = node["missing"].word<Missing>();
    view.channels = read_channels(node, view.width);
    view.normalisation = node["normalisation"].word<Normalisation>();
    view.tau = node["tau"].number();
    if (view.tau < 0.0) node["tau"].fail_expected("a number of at least 0");
  }
  view.kernel = read_kernel(node["kernel"]);
  if (node.has("whole")) {
    if (kind != DataKind::bags || view.kernel.kind() != KernelKind::gaussian) {
      node["whole"].fail("expected none but of bags under the Gaussian kernel");
    }
    view.whole = static_cast<int>(node["whole"].whole(1, 2));
  }
  if (const Node kernel = node["kernel"]; kernel.has("unit"))
    view.kernel.set_unit(kernel["unit"].number_above_0());
  view.centre = node["centre"].numbers(view.rows());
  view.scale = node["scale"].numbers(view.rows());
  for (std::size_t f = 0; f < view.scale.size(); ++f) {
    if (!(view.scale[f] > 0.0)) node["scale"].list("numbers")[f].fail_expected("a number above 0");
  }
  return view;
}

void HypothesisReader::read(const Node& node) {
  Hypothesis hypothesis;
  if (model_.head) read_standard(node, *model_.head, hypothesis);
  hypothesis.view = static_cast<int>(node["view"].whole(0, std::ssize(model_.views) - 1));
  hypothesis.sign = static_cast<int>(node["sign"].whole(-1, 1));
  if (hypothesis.sign == 0) node["sign"].fail_expected("1 or -1");
  const View& view = model_.views[static_cast<std::size_t>(hypothesis.view)];
  const bool named = view.whole != 0 && node["shapelet"].is_number();
  hypothesis.shapelet =
      named ? named_by(node["shapelet"], view) : shapelet(node["shapelet"], view, hypothesis.view);
  written_.push_back(!named);
  times_.push_back(0);
  model_.hypotheses.push_back(std::move(hypothesis));
}

void HypothesisReader::read_instances(const Node& node) {
  if (model_.kind != DataKind::bags) node.fail("expected none, as in series and sequences");
  const std::int64_t width = model_.views.front().width;
  for (const Node& entry : node.list("instances")) instances_.push_back(read_stored(entry, width));
  made_.assign(instances_.size(), 0);
}

Shapelet HypothesisReader::shapelet(const Node& node, const View& view, int number) {
  Shapelet result;
  for (const Node& part : node.list("instances", 1)) {
    const bool is_stored = part.is_list() && !instances_.empty();
    const Node alpha = is_stored ? part.pair("an instance and its alpha")[1] : part["alpha"];
    result.alpha.push_back(alpha.number());
    result.instances.push_back(is_stored ? stored(part, view, number) : read_instance(part, view, number));
    // A head holds all features of all its patterns: few that are not 0 must not stand for many.
    if (model_.head && result.instances.back().features) {
      part.fail("expected an instance with all features of its view: there is no head for sparse bags");
    }
  }
  return result;
}

Instance HypothesisReader::stored(const Node& node, const View& view, int number) {
  const auto k = at(node.list("numbers")[0].whole(0, std::ssize(instances_) - 1));
  const StoredInstance& z = instances_[k];
  const std::string name = "instances[" + std::to_string(k) + "]";
  if (!view.kernel.compares_numbers()) node.fail("expected an instance of its own, as under a Gram matrix");
  if (const std::optional<std::int32_t> feature = lacking(z, view)) {
    node.fail(concat(name, " lacks feature ", *feature, ", which views[", number, "] looks at"));
  }
  Instance seen = seen_in(view, z);
  made_[k] += std::ssize(seen.values);
  if (made_[k] > kMostMade * std::ssize(z.values)) {
    node.fail(concat("more than ", kMostMade, " times the numbers of ", name, " are made of it"));
  }
  return seen;
}

Shapelet HypothesisReader::named_by(const Node& node, const View& view) {
  const std::int64_t before = std::ssize(model_.hypotheses);
  if (before == 0) node.fail_expected("a list of instances");
  const auto j = static_cast<std::size_t>(node.whole(0, before - 1));
  const Hypothesis& other = model_.hypotheses[j];
  const View& its = model_.views[static_cast<std::size_t>(other.view)];
  if (!written_[j] || its.whole == 0 || its.numbers() != view.numbers()) {
    node.fail_expected("the number of a hypothesis that is a whole bag of as many features, instances given");
  }
  if (++times_[j] > kMostNamed) {
    node.fail("hypotheses[" + std::to_string(j) + "] is named by more than " + std::to_string(kMostNamed));
  }
  return other.shapelet;
}

}  // namespace shapeboost::detail
