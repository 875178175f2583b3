// SPDX-License-Identifier: MIT
// A model file is a stranger's text until every field that is used has been looked at.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "ground/json.hpp"
#include "ground/text.hpp"
#include "model/head_reader.hpp"
#include "model/hypothesis_reader.hpp"
#include "model/model_node.hpp"
#include "model/model_text.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/model.hpp"

namespace shapeboost {
namespace {

using detail::count;
using detail::Json;
using detail::Node;

constexpr int kDeepest = 16;  // a model needs six; more would only strain the stack
constexpr double kSumTolerance = 1e-6;
using detail::kMostCounted;

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
    if (model.head->intervals) {
      part.intervals = node["intervals"].numbers(std::ssize(model.head->intervals->standard));
    }
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
    model.views.push_back(detail::read_view(node, model.kind));
    const std::int64_t width = model.views.front().width;
    if (model.views.back().width != width) {
      node["width"].fail_expected(std::to_string(width) + " as in views[0]");
    }
  }
  if (root.has("head")) {
    if (root["version"].whole(1) < detail::kFirstVersionWithHeads) {
      root["version"].fail_expected("at least 3 with a head");
    }
    model.head = detail::read_head(root["head"], model.kind, model.classes.size(), model.views);
    if (model.strategy != Strategy::one_vs_rest) root["strategy"].fail_expected("\"ovr\" with a head");
  }
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    if (model.views[v].whole == 0 || model.head) continue;
    root["views"].list("views")[v]["whole"].fail("expected a head where bags are seen as wholes, found none");
  }
  detail::HypothesisReader hypotheses(model);
  if (root.has("instances")) hypotheses.read_instances(root["instances"]);
  for (const Node& node : root["hypotheses"].list("hypotheses")) hypotheses.read(node);
  model.parts = read_parts(root, model);
  if (root.has("calibration")) {
    model.calibration = read_calibration(root["calibration"], model.classes.size());
  }
  model.provenance = read_provenance(root["training"], model.views.size());
  return model;
}

}  // namespace shapeboost
