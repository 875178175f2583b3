// SPDX-License-Identifier: MIT
// The model as a file; reading it back, with all its checks, is in model_reader.cpp.
#include "shapeboost/model.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "ground/file.hpp"
#include "ground/json.hpp"
#include "ground/names.hpp"
#include "ground/numbers.hpp"
#include "ground/parallel.hpp"
#include "ground/text.hpp"
#include "model/instance_store.hpp"
#include "model/model_text.hpp"
#include "shapeboost/version.hpp"

namespace shapeboost {
namespace {

constexpr Names<Strategy, 2> kStrategies{{{Strategy::one_vs_rest, "ovr"}, {Strategy::one_vs_one, "ovo"}}};

constexpr Names<Evidence, kEvidences> kEvidence{{{Evidence::best, "best"},
                                                 {Evidence::share, "share"},
                                                 {Evidence::place, "place"},
                                                 {Evidence::mean, "mean"},
                                                 {Evidence::least, "least"},
                                                 {Evidence::bag, "bag"}}};

using detail::Json;

/// A number that is not finite is a fault of training, and JSON has no word for it.
double finite(double value, const char* what) {
  if (!std::isfinite(value)) throw Error(std::string("the model's ") + what + " is not finite");
  return value;
}

const std::vector<double>& finite(const std::vector<double>& values, const char* what) {
  for (const double value : values) (void)finite(value, what);
  return values;
}

/// Class names must read back byte for byte, or no label of the data would equal them.
std::string utf8(const std::string& name) {
  try {
    (void)Json(name).dump();
  } catch (const Json::exception&) {
    throw InvalidInput("the class name " + detail::quote(name) +
                       " is not UTF-8 text, which a model file needs");
  }
  return name;
}

Json to_json(const Kernel& kernel) {
  Json json{{"kind", to_string(kernel.kind())}};
  if (kernel.has_sigma()) json["sigma"] = finite(kernel.sigma(), "sigma");
  if (kernel.has_band()) json["band"] = finite(kernel.band(), "band");
  if (kernel.compares_strings()) json["k"] = kernel.k();
  if (const auto* polynomial = kernel.as<kernels::Polynomial>()) {
    json["c"] = finite(polynomial->c, "c");
    json["p"] = polynomial->p;
  }
  if (const auto* mismatch = kernel.as<kernels::Mismatch>()) {
    json["mismatches"] = mismatch->mismatches;
    json["alphabet"] = mismatch->alphabet;
  }
  if (const auto* subsequence = kernel.as<kernels::Subsequence>()) {
    json["lambda"] = finite(subsequence->lambda, "lambda");
  }
  if (const auto* gram = kernel.as<kernels::Gram>()) json["matrix"] = gram->file;
  if (const auto* custom = kernel.as<kernels::Custom>()) {
    json["name"] = custom->name;
    json["positive_semidefinite"] = custom->claims_psd;
  }
  if (kernel.unit() != 1.0) json["unit"] = finite(kernel.unit(), "unit");
  return json;
}

/// Symbols as people write them, where all can be printed.
Json instance_json(const std::vector<double>& values, DataKind kind) {
  const auto printable = [](double code) { return code >= 0x20 && code <= 0x7E; };
  if (kind != DataKind::sequences || !std::all_of(values.begin(), values.end(), printable)) {
    return finite(values, "instance");
  }
  return sequence_text(values);
}

Json to_json(const View& view) {
  Json json{{"width", view.width}, {"length", view.length}};
  if (view.kind == DataKind::bags) {
    if (!view.features.empty()) json["features"] = view.features;
    if (view.scaling != Scaling::plain) json["scaling"] = to_string(view.scaling);
    if (view.scaling == Scaling::rank) json["quantiles"] = finite(view.quantiles, "quantile");
    if (view.aspect != Aspect::whole) json["aspect"] = to_string(view.aspect);
    if (view.aspect == Aspect::size) json["smallest"] = finite(view.smallest, "smallest");
    if (view.whole != 0) json["whole"] = view.whole;
  } else {
    json["dilation"] = view.dilation;
    json["transform"] = to_string(view.transform);
    if (view.transform == Transform::spectrum) json["period"] = view.period;
    if (view.rate > 0.0) json["rate"] = finite(view.rate, "rate");
    if (view.missing != Missing::skip) json["missing"] = to_string(view.missing);
    if (!view.channels.empty()) json["channels"] = view.channels;
    json["normalisation"] = to_string(view.normalisation);
    json["tau"] = finite(view.tau, "tau");
  }
  json["kernel"] = to_json(view.kernel);
  json["centre"] = finite(view.centre, "centre");
  json["scale"] = finite(view.scale, "scale");
  return json;
}

/// Lists in the order of the head's evidence.
Json standards_json(const Hypothesis& hypothesis, const Head& head, double Standard::*field) {
  Json json = Json::array();
  for (const Evidence evidence : head.evidence) {
    json.push_back(finite(hypothesis.standard[static_cast<std::size_t>(evidence)].*field, "standard"));
  }
  return json;
}

Json to_json(const Instance& instance, double alpha, DataKind kind) {
  Json json{{"alpha", finite(alpha, "alpha")},  {"example", instance.example},
            {"position", instance.position},    {"place", finite(instance.place, "place")},
            {"length", instance.values.size()}, {"values", instance_json(instance.values, kind)}};
  if (instance.features) json["features"] = *instance.features;
  return json;
}

/// Whole numbers without a point: they read back to the same bits, but for a zero below zero.
Json short_json(const std::vector<double>& values) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  Json json = Json::array();
  for (const double value : finite(values, "instance")) {
    const bool whole = std::abs(value) < kExact && value == std::floor(value);
    if (whole && !(value == 0.0 && std::signbit(value))) {
      json.push_back(static_cast<std::int64_t>(value));
    } else {
      json.push_back(value);
    }
  }
  return json;
}

Json to_json(const detail::StoredInstance& instance) {
  Json json{{"example", instance.example}, {"position", instance.position}};
  if (instance.features) json[instance.sparse ? "nonzero" : "features"] = *instance.features;
  json["values"] = short_json(instance.values);
  return json;
}

Json shapelet_json(const Model& model, std::size_t j, const detail::InstanceStore& store) {
  const Shapelet& shapelet = model.hypotheses[j].shapelet;
  Json list = Json::array();
  for (std::size_t k = 0; k < shapelet.instances.size(); ++k) {
    const std::optional<std::size_t> stored = store.place(j, k);
    list.push_back(stored
                       ? Json::array({static_cast<std::int64_t>(*stored), finite(shapelet.alpha[k], "alpha")})
                       : to_json(shapelet.instances[k], shapelet.alpha[k], model.kind));
  }
  return list;
}

Json hypothesis_json(const Model& model, std::size_t j, const detail::InstanceStore& store) {
  const Hypothesis& hypothesis = model.hypotheses[j];
  Json json{
      {"view", hypothesis.view}, {"sign", hypothesis.sign}, {"shapelet", shapelet_json(model, j, store)}};
  if (model.head) {
    json["threshold"] = finite(hypothesis.threshold, "threshold");
    json["centre"] = standards_json(hypothesis, *model.head, &Standard::centre);
    json["scale"] = standards_json(hypothesis, *model.head, &Standard::scale);
  }
  return json;
}

Json to_json(const Intervals& intervals) {
  Json json{{"channels", intervals.channels}, {"depth", intervals.depth}};
  for (const Transform transform : intervals.transforms) json["transforms"].push_back(to_string(transform));
  if (intervals.period > 0) json["period"] = intervals.period;
  json["factors"] = finite(intervals.factors, "factors");
  for (const Standard& standard : intervals.standard) {
    json["centre"].push_back(finite(standard.centre, "centre"));
    json["scale"].push_back(finite(standard.scale, "scale"));
  }
  return json;
}

Json to_json(const Head& head) {
  Json evidence = Json::array();
  for (const Evidence one : head.evidence) evidence.push_back(to_string(one));
  Json json{{"kind", "ridge"},
            {"evidence", evidence},
            {"alpha", finite(head.alpha, "alpha")},
            {"left_out_error", finite(head.left_out_error, "left-out error")},
            {"left_out_accuracy", finite(head.left_out_accuracy, "left-out accuracy")},
            {"residual", finite(head.residual, "residual")}};
  for (const HeadShare& one : head.apart) {
    json["apart"].push_back({{"alpha", finite(one.alpha, "alpha")}, {"share", finite(one.share, "share")}});
  }
  if (head.averaged > 0.0) json["averaged"] = finite(head.averaged, "averaged");
  for (const std::vector<double>& of_class : head.mixing)
    json["mixing"].push_back(finite(of_class, "mixing"));
  for (const std::vector<double>& of_view : head.factors)
    json["factors"].push_back(finite(of_view, "factors"));
  if (head.intervals) json["intervals"] = to_json(*head.intervals);
  return json;
}

/// A number for every hypothesis and evidence, hypothesis after hypothesis.
Json dense_weights(const Part& part, const Model& model) {
  const std::vector<Evidence>& evidence = model.head->evidence;
  std::vector<double> weights(model.hypotheses.size() * evidence.size(), 0.0);
  for (const Weight& weight : part.weights) {
    const auto place = std::ranges::find(evidence, weight.evidence) - evidence.begin();
    weights[static_cast<std::size_t>(weight.hypothesis) * evidence.size() + static_cast<std::size_t>(place)] =
        finite(weight.w, "w");
  }
  return weights;
}

Json to_json(const Part& part, const Model& model) {
  const std::vector<std::string>& classes = model.classes;
  const auto name = [&](int k) {
    return k == kRest ? Json(nullptr) : Json(classes[static_cast<std::size_t>(k)]);
  };
  if (model.head) {
    Json json{{"positive", name(part.positive)},
              {"negative", name(part.negative)},
              {"b", finite(part.b, "b")},
              {"w", dense_weights(part, model)}};
    if (model.head->intervals) json["intervals"] = finite(part.intervals, "intervals");
    if (part.shift != 0.0) json["shift"] = finite(part.shift, "shift");
    return json;
  }
  Json weights = Json::array();
  for (const Weight& weight : part.weights) {
    weights.push_back(Json::array({weight.hypothesis, finite(weight.w, "w")}));
  }
  Json json{{"positive", name(part.positive)},
            {"negative", name(part.negative)},
            {"nu", finite(part.nu, "nu")},
            {"rho", finite(part.rho, "rho")},
            {"gamma", finite(part.gamma, "gamma")},
            {"b", finite(part.b, "b")},
            {"w", weights},
            {"margins", finite(part.margins, "margin")}};
  if (part.shift != 0.0) json["shift"] = finite(part.shift, "shift");
  return json;
}

Json to_json(const Calibration& calibration) {
  return {{"slope", finite(calibration.slope, "slope")},
          {"offsets", finite(calibration.offsets, "offset")},
          {"folds", calibration.folds},
          {"examples", calibration.examples}};
}

Json to_json(const Provenance& provenance) {
  Json history = Json::array();
  for (const HistoryEntry& entry : provenance.history) {
    history.push_back({{"edge", finite(entry.edge, "edge")},
                       {"gamma", finite(entry.gamma, "gamma")},
                       {"gap", finite(entry.gap, "gap")},
                       {"columns", entry.columns}});
  }
  Json views = Json::array();
  for (const ViewFacts& view : provenance.views) {
    views.push_back({{"instances", view.instances},
                     {"radius", finite(view.radius, "radius")},
                     {"largest_bag", view.largest_bag}});
  }
  Json json{{"source", provenance.source},       {"bags", provenance.bags},
            {"instances", provenance.instances}, {"seed", provenance.seed},
            {"settings", provenance.settings},   {"stopped", provenance.stopped}};
  if (provenance.length > 0) json["length"] = provenance.length;
  if (!provenance.labels.empty()) json["labels"] = provenance.labels;
  if (!provenance.tuning.empty()) json["tuning"] = provenance.tuning;
  json["views"] = views;
  json["history"] = history;
  if (provenance.method != Provenance{}.method) json["method"] = provenance.method;
  return json;
}

/// A piece of the file; ready as soon as nothing is added to it any more.
struct Piece {
  std::string text;
  std::string dense;  // without blanks, as the digest takes it
  std::atomic<bool> ready{false};

  void close() {
    dense = detail::without_blanks(text);
    ready = true;
  }
};

/// Pieces in their order, whatever the order in which threads make them: who has made one takes all that are next, unless another
/// thread is about it.
class InOrder {
 public:
  InOrder(std::deque<Piece>& pieces, std::function<void(Piece&)> take)
      : pieces_(pieces), take_(std::move(take)) {}

  void advance() {
    while (has_next()) {
      const std::unique_lock lock(mutex_, std::try_to_lock);
      if (!lock) return;
      for (; has_next(); ++next_) take_(pieces_[next_]);
    }
  }

 private:
  [[nodiscard]] bool has_next() const { return next_ < pieces_.size() && pieces_[next_].ready; }

  std::deque<Piece>& pieces_;
  std::function<void(Piece&)> take_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
};

/// The file as pretty() writes it, its lists in pieces that threads write side by side. What is done goes on its way and into the digest,
/// neither of which can be divided, while the rest is being written.
class ModelText {
 public:
  using Sink = std::function<void(std::string_view)>;

  ModelText(ThreadPool& threads, const Sink& sink)
      : threads_(threads),
        digesting_(pieces_,
                   [this](Piece& piece) {
                     digest_.add(piece.dense);
                     piece.dense = {};
                   }),
        sending_(pieces_, [sink](Piece& piece) {
          sink(piece.text);
          piece.text = {};
        }) {}

  void field(std::string_view key, const Json& value) { detail::append_pretty(begin(key), value, kIndent); }

  /// Of structured values.
  void list(std::string_view key, std::size_t count, const std::function<Json(std::size_t)>& make) {
    std::string& opening = begin(key);
    if (count == 0) {
      opening += "[]";
      return;
    }
    opening += '[';
    close();
    const std::size_t first = pieces_.size();
    // Some pieces for every thread, whatever the number of threads: what the values weigh differs.
    constexpr std::size_t kPieces = 128;
    const std::size_t each = (count + kPieces - 1) / kPieces;
    const std::size_t pieces = (count + each - 1) / each;
    for (std::size_t piece = 0; piece < pieces; ++piece) pieces_.emplace_back();
    threads_.run(static_cast<std::int64_t>(pieces), [&](std::int64_t piece) {
      const std::size_t begin = each * at(piece);
      Piece& own = pieces_[first + at(piece)];
      for (std::size_t k = begin; k < std::min(begin + each, count); ++k) {
        own.text += k > 0 ? ",\n    " : "\n    ";
        detail::append_pretty(own.text, make(k), 2 * kIndent);
      }
      own.close();
      advance();
    });
    pieces_.emplace_back().text = "\n  ]";
  }

  /// The digest of all before it.
  void sign() {
    close();
    digest_.add("}");
    begin("digest") += '"' + digest_.digits() + "\"\n}\n";
    close();
  }

 private:
  static constexpr std::size_t kIndent = 2;

  std::string& begin(std::string_view key) {
    close();
    const std::string_view before = pieces_.empty() ? "{\n  \"" : ",\n  \"";
    return pieces_.emplace_back().text = concat(before, key, "\": ");
  }

  void close() {
    if (!pieces_.empty() && !pieces_.back().ready) pieces_.back().close();
    advance();
  }

  void advance() {
    digesting_.advance();
    sending_.advance();
  }

  ThreadPool& threads_;
  std::deque<Piece> pieces_;
  detail::Fnv1a digest_;
  InOrder digesting_;
  InOrder sending_;
};

void write_json(const Model& model, int threads, const ModelText::Sink& sink) {
  ThreadPool pool(threads);
  ModelText text(pool, sink);
  text.field("format", detail::kModelFormat);
  text.field("version", detail::kModelVersion);
  text.field("shapeboost", kVersion);
  text.field("kind", to_string(model.kind));
  Json classes = Json::array();
  for (const std::string& name : model.classes) classes.push_back(utf8(name));
  text.field("classes", classes);
  text.field("strategy", to_string(model.strategy));
  text.list("views", model.views.size(), [&](std::size_t v) { return to_json(model.views[v]); });
  const detail::InstanceStore store(model);
  if (!store.instances().empty()) {
    text.list("instances", store.instances().size(),
              [&](std::size_t k) { return to_json(store.instances()[k]); });
  }
  text.list("hypotheses", model.hypotheses.size(),
            [&](std::size_t j) { return hypothesis_json(model, j, store); });
  text.list("parts", model.parts.size(), [&](std::size_t p) { return to_json(model.parts[p], model); });
  if (model.head) text.field("head", to_json(*model.head));
  if (model.calibration) text.field("calibration", to_json(*model.calibration));
  text.field("training", to_json(model.provenance));
  text.sign();
}

}  // namespace

std::string_view to_string(Strategy value) { return name_of(kStrategies, value); }

template <>
Strategy parse<Strategy>(std::string_view text) {
  return choice_of(kStrategies, "strategy", text);
}

std::string_view to_string(Evidence value) { return name_of(kEvidence, value); }

template <>
Evidence parse<Evidence>(std::string_view text) {
  return choice_of(kEvidence, "evidence", text);
}

std::vector<Evidence> evidence_of(DataKind kind) {
  if (kind == DataKind::bags) {
    return {Evidence::best, Evidence::share, Evidence::mean, Evidence::least, Evidence::bag};
  }
  return {Evidence::best, Evidence::share, Evidence::place};
}

std::vector<Part> parts_for(int classes, Strategy strategy) {
  std::vector<Part> parts;
  const auto add = [&](int positive, int negative) {
    parts.emplace_back();
    parts.back().positive = positive;
    parts.back().negative = negative;
  };
  if (classes > 2 && strategy == Strategy::one_vs_rest) {
    for (int c = 0; c < classes; ++c) add(c, kRest);
    return parts;
  }
  for (int a = 0; a < classes; ++a) {
    for (int b = a + 1; b < classes; ++b) add(b, a);
  }
  return parts;
}

std::string to_json(const Model& model, int threads) {
  std::string text;
  write_json(model, threads, [&](std::string_view piece) { text += piece; });
  return text;
}

void save_model(const Model& model, const std::string& path, int threads) {
  FileWriter file(path);
  write_json(model, threads, [&](std::string_view piece) { file.write(piece); });
  file.commit();
}

Model load_model(const std::string& path) { return model_from_json(read_file(path), path); }

}  // namespace shapeboost
