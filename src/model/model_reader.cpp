// SPDX-License-Identifier: MIT
// A model file is a stranger's text until every field that is used has been looked at.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "data/magnitude.hpp"
#include "ground/json.hpp"
#include "ground/text.hpp"
#include "model/head_reader.hpp"
#include "model/model_node.hpp"
#include "model/model_text.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/model.hpp"
#include "view/bag_mapping.hpp"
#include "view/spectrum.hpp"

namespace shapeboost {
namespace {

using detail::count;
using detail::Json;
using detail::Node;

constexpr int kDeepest = 16;  // a model needs six; more would only strain the stack
constexpr double kSumTolerance = 1e-6;
// Bounded, so that no sum or product of them overflows.
constexpr std::int64_t kMostCounted = std::int64_t{1} << 53;  // bags, instances, places: as JavaScript counts
constexpr std::int64_t kLongestWindow = std::int64_t{1} << 31;

/// The text without what JSON lets stand between its signs, and how deep it is nested. Looked at before it is parsed:
/// the parser could tell the depth, but takes time in the square of a list's length then.
struct Squeezed {
  std::string text;
  int deepest = 0;
};

Squeezed squeezed(std::string_view text) {
  Squeezed result;
  result.text.reserve(text.size());
  int depth = 0;
  std::size_t taken = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    switch (text[k]) {
      case '"':
        for (++k; k < text.size() && text[k] != '"'; ++k) k += text[k] == '\\' ? 1 : 0;
        break;
      case '[':
      case '{': result.deepest = std::max(result.deepest, ++depth); break;
      case ']':
      case '}': --depth; break;
      case ' ':
      case '\n':
      case '\t':
      case '\r':
        result.text += text.substr(taken, k - taken);
        taken = k + 1;
        break;
      default: break;
    }
  }
  if (taken < text.size()) result.text += text.substr(taken);
  return result;
}

Json parse(const std::string& text, int deepest, const std::string& source) {
  if (detail::trim(text).empty())
    throw InvalidInput(source + ": the file is empty; expected a shapeboost model");
  if (deepest > kDeepest) throw InvalidInput(source + ": not a shapeboost model: nested too deeply");
  if (std::optional<Json> value = detail::parse_json(text)) return std::move(*value);
  try {
    return Json::parse(text);  // slower, and knows what is wrong and where
  } catch (const Json::parse_error& fault) {
    const std::size_t byte = std::min<std::size_t>(fault.byte, text.size());
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
    const std::string where = source + ", line " + std::to_string(line) + ", byte " + std::to_string(byte);
    if (fault.byte > text.size()) throw InvalidInput(where + ": the file ends too early, as if cut short");
    throw InvalidInput(where + ": not a shapeboost model: the text is not JSON");
  } catch (const Json::out_of_range&) {
    throw InvalidInput(source + ": not a shapeboost model: a number is too large");
  }
}

void check_envelope(Json& json, const Node& root, const std::string& written, const std::string& source) {
  const auto format = json.is_object() ? json.find("format") : json.end();
  if (!json.is_object() || format == json.end() || *format != detail::kModelFormat) {
    throw InvalidInput(source + ": not a shapeboost model: it does not begin with \"format\": \"" +
                       std::string(detail::kModelFormat) + "\"");
  }
  const std::int64_t version = root["version"].whole(1);
  if (version < detail::kOldestModelVersion || version > detail::kModelVersion) {
    throw InvalidInput(source + ": the file has version " + std::to_string(version) +
                       ", this program knows " + std::to_string(detail::kOldestModelVersion) + " to " +
                       std::to_string(detail::kModelVersion) +
                       (version > detail::kModelVersion ? ": update shapeboost" : ": train the model again"));
  }
  const std::string digest = root["digest"].text();
  json.erase("digest");
  // As we wrote it the digest is the last field, and the others need not be written again to be compared.
  const std::string end = concat(",\"digest\":\"", digest, "\"}");
  const std::string_view whole = written;
  const bool as_written =
      whole.ends_with(end) && digest == detail::fnv1a(whole.substr(0, whole.size() - end.size()), "}");
  if (!as_written && digest != detail::fnv1a(detail::compact(json))) {
    throw InvalidInput(source + ": the content does not match the file's digest: it was altered or damaged");
  }
}

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
    channel.fail("expected a channel's number or \"all\", found " + detail::quote(channel.text()));
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
    view.period = node["period"].whole(4, detail::kLongestPeriod);
    if (detail::quick_period(view.period) != view.period) {
      node["period"].fail_expected("an even product of twos, threes and fives");
    }
    if (view.span() > view.period / 2) node["length"].fail_expected("a window within the spectrum");
  }
}

/// How the numbers of instances are seen; where nothing is said, plain and whole.
void read_mapping(const Node& node, View& view) {
  if (node.has("scaling")) view.scaling = node["scaling"].word<Scaling>();
  if (node.has("aspect")) view.aspect = node["aspect"].word<Aspect>();
  if (view.scaling == Scaling::rank) {
    view.quantiles = node["quantiles"].numbers(view.rows() * detail::kQuantiles);
    for (std::size_t k = 1; k < view.quantiles.size(); ++k) {
      if (k % detail::kQuantiles != 0 && view.quantiles[k] < view.quantiles[k - 1]) {
        node["quantiles"].list("numbers")[k].fail_expected("a number of at least the one before it");
      }
    }
  }
  if (view.aspect == Aspect::size) view.smallest = node["smallest"].number_above_0();
}

View read_view(const Node& node, DataKind kind) {
  View view;
  view.kind = kind;
  view.width = node["width"].whole(1, detail::kWidest);
  view.length = node["length"].whole(1, kLongestWindow);
  if (kind == DataKind::bags) {
    view.features = read_some(node, "features", view.width);
    if (view.length != view.rows()) node["length"].fail_expected(std::to_string(view.rows()));
    read_mapping(node, view);
  } else {
    view.dilation = node["dilation"].whole(1, std::numeric_limits<std::int32_t>::max());
    read_transform(node, view);
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

Hypothesis read_hypothesis(const Node& node, const std::vector<View>& views,
                           const std::optional<Head>& head) {
  Hypothesis hypothesis;
  if (head) read_standard(node, *head, hypothesis);
  hypothesis.view = static_cast<int>(node["view"].whole(0, static_cast<std::int64_t>(views.size()) - 1));
  hypothesis.sign = static_cast<int>(node["sign"].whole(-1, 1));
  if (hypothesis.sign == 0) node["sign"].fail_expected("1 or -1");
  const std::int64_t length = views[static_cast<std::size_t>(hypothesis.view)].numbers();
  for (const Node& part : node["shapelet"].list("instances", 1)) {
    hypothesis.shapelet.alpha.push_back(part["alpha"].number());
    Instance instance;
    instance.example = part["example"].whole(-1, kMostCounted);
    instance.position = part["position"].whole(-1, kMostCounted);
    instance.place = part["place"].number();
    if (part.has("features")) {
      if (views.front().kind != DataKind::bags)
        part["features"].fail("expected none, as in series and sequences");
      read_sparse(part, length, instance);
      hypothesis.shapelet.instances.push_back(std::move(instance));
      continue;
    }
    if (part["length"].whole(1) != length) {
      part["length"].fail_expected(std::to_string(length) + " as in views[" +
                                   std::to_string(hypothesis.view) + "]");
    }
    const bool symbols = views.front().kind == DataKind::sequences;
    instance.values = symbols ? part["values"].symbols(length) : part["values"].numbers(length);
    hypothesis.shapelet.instances.push_back(std::move(instance));
  }
  return hypothesis;
}

std::vector<std::string> read_classes(const Node& node) {
  const std::vector<Node> nodes = node.list("class names");
  if (nodes.size() < 2) node.fail_expected("a list of at least 2 class names");
  std::vector<std::string> classes;
  std::map<std::string, std::size_t> seen;
  for (const Node& name : nodes) {
    classes.push_back(name.text());
    if (classes.back().empty()) name.fail("expected a class name, found nothing");
    const auto [same, is_new] = seen.try_emplace(classes.back(), classes.size() - 1);
    if (!is_new) name.fail_expected("another name than classes[" + std::to_string(same->second) + "]");
  }
  return classes;
}

/// The side of a part that the strategy wants there: a class, or null for the rest.
void check_side(const Node& node, int wanted, const std::vector<std::string>& classes) {
  if (wanted == kRest) {
    if (!node.is_null()) node.fail_expected("null for the rest");
    return;
  }
  const std::string& name = classes[static_cast<std::size_t>(wanted)];
  if (node.is_null() || node.text() != name) node.fail_expected(detail::quote(name));
}

std::vector<Weight> read_weights(const Node& node, std::int64_t hypotheses) {
  if (hypotheses == 0 && !node.list("weights").empty()) {
    node.fail("expected no weights where there are no hypotheses");
  }
  std::vector<Weight> weights;
  std::vector<bool> seen(static_cast<std::size_t>(hypotheses), false);
  double sum = 0.0;
  for (const Node& entry : node.list("weights")) {
    const std::vector<Node> pair = entry.pair("a hypothesis and its weight");
    weights.push_back({static_cast<int>(pair[0].whole(0, hypotheses - 1)), pair[1].number_above_0()});
    if (seen[static_cast<std::size_t>(weights.back().hypothesis)])
      pair[0].fail_expected("another hypothesis than those before it");
    seen[static_cast<std::size_t>(weights.back().hypothesis)] = true;
    sum += weights.back().w;
  }
  if (!weights.empty() && !(std::abs(sum - 1.0) <= kSumTolerance)) {
    node.fail("expected weights that sum to 1, found " + detail::compact(sum));
  }
  return weights;
}

/// A number for every hypothesis and evidence.
std::vector<Weight> read_dense_weights(const Node& node, const Model& model) {
  const std::vector<Evidence>& evidence = model.head->evidence;
  const std::size_t size = model.hypotheses.size() * evidence.size();
  const std::vector<double> numbers = node.numbers(static_cast<std::int64_t>(size));
  std::vector<Weight> weights;
  for (std::size_t k = 0; k < size; ++k) {
    if (numbers[k] == 0.0) continue;
    const auto& view = model.views[static_cast<std::size_t>(model.hypotheses[k / evidence.size()].view)];
    if ((view.whole != 0) != (evidence[k % evidence.size()] == Evidence::bag)) {
      node.list("weights")[k].fail_expected(
          "0: only views of whole bags have the evidence bag, and no other");
    }
    weights.push_back({static_cast<int>(k / evidence.size()), numbers[k], evidence[k % evidence.size()]});
  }
  return weights;
}

void read_part(const Node& node, const Model& model, Part& part) {
  check_side(node["positive"], part.positive, model.classes);
  check_side(node["negative"], part.negative, model.classes);
  if (node.has("shift")) part.shift = node["shift"].number();
  if (model.head) {
    part.b = node["b"].number();
    part.weights = read_dense_weights(node["w"], model);
    return;
  }
  part.nu = node["nu"].number_above_0();
  if (part.nu > 1.0) node["nu"].fail_expected("a number of at most 1");
  part.rho = node["rho"].number();
  part.gamma = node["gamma"].number();
  part.b = node["b"].number();
  part.weights = read_weights(node["w"], static_cast<std::int64_t>(model.hypotheses.size()));
  for (const Node& margin : node["margins"].list("margins")) part.margins.push_back(margin.number());
}

/// Exactly the parts that classes and strategy call for, in their order.
std::vector<Part> read_parts(const Node& root, const Model& model) {
  const std::vector<Node> nodes = root["parts"].list("parts");
  // Counted before they are made: a file of many names would call for their square.
  const std::size_t classes = model.classes.size();
  const bool against_rest = classes > 2 && model.strategy == Strategy::one_vs_rest;
  const std::size_t wanted = against_rest ? classes : classes * (classes - 1) / 2;
  if (nodes.size() != wanted) {
    root["parts"].fail("expected " + count(static_cast<std::int64_t>(wanted), "part") + " for " +
                       std::to_string(classes) + " classes by " + std::string(to_string(model.strategy)) +
                       ", found " + std::to_string(nodes.size()));
  }
  std::vector<Part> parts = parts_for(static_cast<int>(classes), model.strategy);
  std::vector<bool> used(model.hypotheses.size(), false);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    read_part(nodes[p], model, parts[p]);
    for (const Weight& weight : parts[p].weights) used[static_cast<std::size_t>(weight.hypothesis)] = true;
  }
  const auto idle = std::find(used.begin(), used.end(), false);
  if (idle != used.end() && !model.head) {
    root["hypotheses"].list("hypotheses")[static_cast<std::size_t>(idle - used.begin())].fail(
        "expected a part that gives it a weight, found none");
  }
  return parts;
}

Calibration read_calibration(const Node& node, std::size_t classes) {
  Calibration calibration;
  calibration.slope = node["slope"].number();
  if (calibration.slope < 0.0) node["slope"].fail_expected("a number of at least 0");
  for (const Node& offset : node["offsets"].list("offsets")) calibration.offsets.push_back(offset.number());
  if (calibration.offsets.size() != classes) {
    node["offsets"].fail_expected("one for each class: " + std::to_string(classes));
  }
  calibration.folds = static_cast<int>(node["folds"].whole(1, std::numeric_limits<int>::max()));
  calibration.examples = node["examples"].whole(0, kMostCounted);
  return calibration;
}

Provenance read_provenance(const Node& node, std::size_t views) {
  Provenance provenance;
  provenance.source = node["source"].text();
  provenance.bags = node["bags"].whole(0, kMostCounted);
  provenance.instances = node["instances"].whole(0, kMostCounted);
  provenance.seed = node["seed"].unsigned_whole();
  provenance.settings = node["settings"].text();
  provenance.stopped = node["stopped"].text();
  if (node.has("length")) provenance.length = node["length"].whole(1, kMostCounted);
  if (node.has("labels")) provenance.labels = node["labels"].text();
  if (node.has("tuning")) provenance.tuning = node["tuning"].text();
  if (node.has("method")) provenance.method = node["method"].text();
  const std::vector<Node> facts = node["views"].list("views");
  if (!facts.empty() && facts.size() != views) {
    node["views"].fail_expected("none, or as many as the model's views: " + std::to_string(views));
  }
  for (const Node& entry : facts) {
    provenance.views.push_back({entry["instances"].whole(0, kMostCounted), entry["radius"].number(),
                                entry["largest_bag"].whole(0, kMostCounted)});
    if (provenance.views.back().radius < 0.0) entry["radius"].fail_expected("a number of at least 0");
  }
  for (const Node& entry : node["history"].list("rounds")) {
    provenance.history.push_back(
        {entry["edge"].number(), entry["gamma"].number(), entry["gap"].number(),
         static_cast<int>(entry["columns"].whole(0, std::numeric_limits<int>::max()))});
  }
  return provenance;
}

}  // namespace

Model model_from_json(const std::string& text, const std::string& source) {
  const Squeezed given = squeezed(text);
  Json json = parse(text, given.deepest, source);
  const Node root(json, source);
  check_envelope(json, root, given.text, source);

  Model model;
  model.kind = root["kind"].word<DataKind>();
  model.classes = read_classes(root["classes"]);
  model.strategy = root["strategy"].word<Strategy>();
  for (const Node& node : root["views"].list("views", 1)) {
    model.views.push_back(read_view(node, model.kind));
    const std::int64_t width = model.views.front().width;
    if (model.views.back().width != width) {
      node["width"].fail_expected(std::to_string(width) + " as in views[0]");
    }
  }
  if (root.has("head")) {
    if (root["version"].whole(1) < detail::kModelVersion) root["version"].fail_expected("3 with a head");
    model.head = detail::read_head(root["head"], model.kind, model.classes.size(), model.views.size());
    if (model.strategy != Strategy::one_vs_rest) root["strategy"].fail_expected("\"ovr\" with a head");
  }
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    if (model.views[v].whole == 0 || model.head) continue;
    root["views"].list("views")[v]["whole"].fail("expected a head where bags are seen as wholes, found none");
  }
  for (const Node& node : root["hypotheses"].list("hypotheses")) {
    model.hypotheses.push_back(read_hypothesis(node, model.views, model.head));
  }
  model.parts = read_parts(root, model);
  if (root.has("calibration")) {
    model.calibration = read_calibration(root["calibration"], model.classes.size());
  }
  model.provenance = read_provenance(root["training"], model.views.size());
  return model;
}

}  // namespace shapeboost
