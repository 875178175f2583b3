// SPDX-License-Identifier: MIT
// A model file is a stranger's text until every field that is used has been looked at.
#include <algorithm>
#include <cmath>
#include <limits>

#include "json_detail.hpp"
#include "model_detail.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/model.hpp"
#include "text_detail.hpp"

namespace shapeboost {
namespace {

using detail::Json;

constexpr std::int64_t kAnySize = std::numeric_limits<std::int64_t>::max();
constexpr int kDeepest = 16;  // a model needs six; more would only strain the stack
constexpr double kSumTolerance = 1e-6;

std::string count(std::int64_t n, const std::string& what) {
  return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

std::string found(const Json& value) {
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  if (value.is_object()) return "an object";
  return value.is_string() ? detail::quote(value.get<std::string>()) : detail::compact(value);
}

/// A value in the file and the way that leads to it: "M.json: hypotheses[3].w: expected ..., found ...".
class Node {
 public:
  Node(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& sentence) const { throw InvalidInput(path_ + ": " + sentence); }
  [[noreturn]] void fail_expected(const std::string& expected) const {
    fail("expected " + expected + ", found " + found(*value_));
  }

  [[nodiscard]] Node operator[](const char* name) const {
    if (!value_->is_object()) fail_expected("an object");
    const auto member = value_->find(name);
    // The file's own fields follow a colon and a blank, deeper ones a dot.
    const std::string path = path_ + (top_ ? ": " : ".") + name;
    if (member == value_->end()) throw InvalidInput(path + ": the field is missing");
    return {*member, path, false};
  }
  [[nodiscard]] std::vector<Node> list(const char* what, std::int64_t least = 0) const {
    if (!value_->is_array()) fail_expected(std::string("a list of ") + what);
    if (static_cast<std::int64_t>(value_->size()) < least)
      fail("expected at least one of the " + std::string(what));
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < value_->size(); ++i) {
      nodes.push_back({(*value_)[i], path_ + '[' + std::to_string(i) + ']', false});
    }
    return nodes;
  }
  [[nodiscard]] std::string text() const {
    if (!value_->is_string()) fail_expected("text");
    return value_->get<std::string>();
  }
  [[nodiscard]] double number() const {
    if (!value_->is_number() || !std::isfinite(value_->get<double>())) fail_expected("a number");
    return value_->get<double>();
  }
  [[nodiscard]] double number_above_0() const {
    if (!value_->is_number() || !(number() > 0.0)) fail_expected("a number above 0");
    return number();
  }
  [[nodiscard]] std::int64_t whole(std::int64_t low, std::int64_t high = kAnySize) const {
    const bool fits = value_->is_number_integer() &&
                      !(value_->is_number_unsigned() &&
                        value_->get<std::uint64_t>() > static_cast<std::uint64_t>(kAnySize)) &&
                      value_->get<std::int64_t>() >= low && value_->get<std::int64_t>() <= high;
    if (!fits) {
      fail_expected("a whole number " + (high == kAnySize
                                             ? "of at least " + std::to_string(low)
                                             : std::to_string(low) + " to " + std::to_string(high)));
    }
    return value_->get<std::int64_t>();
  }
  [[nodiscard]] std::uint64_t unsigned_whole() const {
    if (!value_->is_number_unsigned()) fail_expected("a whole number of at least 0");
    return value_->get<std::uint64_t>();
  }
  [[nodiscard]] std::vector<double> numbers(std::int64_t size) const {
    if (!value_->is_array()) fail_expected("a list of " + count(size, "number"));
    if (static_cast<std::int64_t>(value_->size()) != size) {
      fail("expected " + count(size, "number") + ", found " + std::to_string(value_->size()));
    }
    std::vector<double> values;
    values.reserve(value_->size());
    for (std::size_t i = 0; i < value_->size(); ++i) {
      const Json& entry = (*value_)[i];
      if (!entry.is_number()) {
        fail("expected " + count(size, "number") + ", found " + found(entry) + " at " + std::to_string(i));
      }
      values.push_back(entry.get<double>());
    }
    return values;
  }
  /// The value that one of to_string's words stands for.
  template <typename Parse>
  [[nodiscard]] auto word(const Parse& parse) const {
    try {
      return parse(text());
    } catch (const InvalidInput& fault) {
      // "kernel: expected ..., found ...": the path says better where.
      const std::string sentence = fault.what();
      const std::size_t expected = sentence.find("expected");
      if (expected == std::string::npos || sentence.starts_with(path_)) throw;
      fail(sentence.substr(expected));
    }
  }

 private:
  Node(const Json& value, std::string path, bool top) : value_(&value), path_(std::move(path)), top_(top) {}

  const Json* value_;
  std::string path_;
  bool top_ = true;
};

Json parse(const std::string& text, const std::string& source) {
  if (detail::trim(text).empty())
    throw InvalidInput(source + ": the file is empty; expected a shapeboost model");
  const auto depth = [&](int level, Json::parse_event_t, Json&) {
    if (level > kDeepest) throw InvalidInput(source + ": not a shapeboost model: nested too deeply");
    return true;
  };
  try {
    return Json::parse(text, depth);
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

void check_envelope(Json& json, const Node& root, const std::string& source) {
  const auto format = json.is_object() ? json.find("format") : json.end();
  if (!json.is_object() || format == json.end() || *format != detail::kModelFormat) {
    throw InvalidInput(source + ": not a shapeboost model: it does not begin with \"format\": \"" +
                       std::string(detail::kModelFormat) + "\"");
  }
  const std::int64_t version = root["version"].whole(1);
  if (version > detail::kModelVersion) {
    throw InvalidInput(source + ": the file has version " + std::to_string(version) +
                       ", this program knows " + std::to_string(detail::kModelVersion) +
                       ": update shapeboost");
  }
  const std::string digest = root["digest"].text();
  json.erase("digest");
  if (digest != detail::fnv1a(detail::compact(json))) {
    throw InvalidInput(source + ": the content does not match the file's digest: it was altered or damaged");
  }
}

DataKind parse_kind(std::string_view text) {
  if (text == "bags") return DataKind::bags;
  if (text == "series") return DataKind::series;
  throw InvalidInput("expected bags or series, found " + detail::quote(text));
}

Kernel read_kernel(const Node& node) {
  Kernel kernel;
  kernel.kind = node["kind"].word(parse_kernel_kind);
  if (kernel.kind == KernelKind::gaussian) kernel.sigma = node["sigma"].number_above_0();
  if (kernel.kind == KernelKind::polynomial) {
    kernel.c = node["c"].number();
    if (kernel.c < 0.0) node["c"].fail_expected("a number of at least 0");
    kernel.p = static_cast<int>(node["p"].whole(1, 10));
  }
  return kernel;
}

View read_view(const Node& node, DataKind kind) {
  View view;
  view.kind = kind;
  view.length = node["length"].whole(1);
  view.normalisation = node["normalisation"].word(parse_normalisation);
  view.kernel = read_kernel(node["kernel"]);
  const std::int64_t width = kind == DataKind::series ? 1 : view.length;
  view.centre = node["centre"].numbers(width);
  view.scale = node["scale"].numbers(width);
  for (std::size_t f = 0; f < view.scale.size(); ++f) {
    if (!(view.scale[f] > 0.0)) node["scale"].list("numbers")[f].fail_expected("a number above 0");
  }
  return view;
}

Hypothesis read_hypothesis(const Node& node, const std::vector<View>& views) {
  Hypothesis hypothesis;
  hypothesis.view = static_cast<int>(node["view"].whole(0, static_cast<std::int64_t>(views.size()) - 1));
  hypothesis.sign = static_cast<int>(node["sign"].whole(-1, 1));
  if (hypothesis.sign == 0) node["sign"].fail_expected("1 or -1");
  const std::int64_t length = views[static_cast<std::size_t>(hypothesis.view)].length;
  for (const Node& part : node["shapelet"].list("instances", 1)) {
    hypothesis.shapelet.alpha.push_back(part["alpha"].number());
    Instance instance;
    instance.example = part["example"].whole(-1);
    instance.position = part["position"].whole(-1);
    if (part["length"].whole(1) != length) {
      part["length"].fail_expected(std::to_string(length) + " as in views[" +
                                   std::to_string(hypothesis.view) + "]");
    }
    instance.values = part["values"].numbers(length);
    hypothesis.shapelet.instances.push_back(std::move(instance));
  }
  return hypothesis;
}

Provenance read_provenance(const Node& node) {
  Provenance provenance;
  provenance.source = node["source"].text();
  provenance.bags = node["bags"].whole(0);
  provenance.instances = node["instances"].whole(0);
  provenance.seed = node["seed"].unsigned_whole();
  provenance.settings = node["settings"].text();
  provenance.stopped = node["stopped"].text();
  for (const Node& entry : node["history"].list("rounds")) {
    provenance.history.push_back(
        {entry["edge"].number(), entry["gamma"].number(), entry["gap"].number(),
         static_cast<int>(entry["columns"].whole(0, std::numeric_limits<int>::max()))});
  }
  return provenance;
}

}  // namespace

Model model_from_json(const std::string& text, const std::string& source) {
  Json json = parse(text, source);
  const Node root(json, source);
  check_envelope(json, root, source);

  Model model;
  model.kind = root["kind"].word(parse_kind);
  const std::vector<Node> classes = root["classes"].list("class names");
  if (classes.size() != 2) root["classes"].fail_expected("a list of 2 class names");
  for (std::size_t k = 0; k < 2; ++k) {
    model.classes[k] = classes[k].text();
    if (model.classes[k].empty()) classes[k].fail("expected a class name, found nothing");
  }
  if (model.classes[0] == model.classes[1]) classes[1].fail_expected("another name than classes[0]");
  model.nu = root["nu"].number_above_0();
  if (model.nu > 1.0) root["nu"].fail_expected("a number of at most 1");
  model.rho = root["rho"].number();
  model.gamma = root["gamma"].number();
  model.b = root["b"].number();
  for (const Node& node : root["views"].list("views", 1)) model.views.push_back(read_view(node, model.kind));
  double sum = 0.0;
  for (const Node& node : root["hypotheses"].list("hypotheses")) {
    model.hypotheses.push_back(read_hypothesis(node, model.views));
    model.w.push_back(node["w"].number_above_0());
    sum += model.w.back();
  }
  if (!model.w.empty() && !(std::abs(sum - 1.0) <= kSumTolerance)) {
    root["hypotheses"].fail("expected weights w that sum to 1, found " + detail::compact(sum));
  }
  model.provenance = read_provenance(root["training"]);
  return model;
}

}  // namespace shapeboost
