// SPDX-License-Identifier: MIT
// Trained models: files, scores, and what is in them.
#include "shapeboost/model.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.hpp"
#include "ground/matrix.hpp"
#include "ground/parallel.hpp"
#include "interruptible.hpp"
#include "shapeboost/explanation.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/report.hpp"
#include "tell/record.hpp"

namespace shapeboost::python {
namespace {

/// So many examples a thread are answered between two looks at the keyboard.
constexpr std::int64_t kChunk = 64;

/// Calls work(chunk, its first example) for all of the data, with the interpreter free for others.
void by_chunks(const Dataset& data, int threads,
               const std::function<void(const Dataset&, std::int64_t)>& work) {
  run_interruptibly([&](const Interruption& interruption) {
    const std::int64_t size = kChunk * ThreadPool(threads).threads();
    for (std::int64_t first = 0; first < data.size() && !interruption.asked(); first += size) {
      std::vector<std::int64_t> members(static_cast<std::size_t>(std::min(size, data.size() - first)));
      for (std::size_t k = 0; k < members.size(); ++k) members[k] = first + static_cast<std::int64_t>(k);
      work(data.subset(members), first);
    }
  });
}

/// Puts the rows of a chunk in their place among all.
void place(const Array<double>& rows, std::int64_t first, Array<double>& all) {
  std::copy(rows.data(), rows.data() + rows.size(), all.data() + first * all.cols());
}

Scores all_scores(const Model& model, const Data& data, int threads) {
  const std::int64_t rows = data.dataset.size();
  Scores result{Array<double>(rows, model.parts.size()), std::vector<char>(static_cast<std::size_t>(rows))};
  const Predictor predictor = Predictor::borrow(model);
  by_chunks(data.dataset, threads, [&](const Dataset& chunk, std::int64_t first) {
    const Scores part = predictor.scores(chunk, threads);
    place(part.parts, first, result.parts);
    std::copy(part.covered.begin(), part.covered.end(), result.covered.begin() + first);
  });
  return result;
}

/// (scores of the parts, scores of the classes, indices of the predicted classes, those not covered).
nb::tuple answer(const Model& model, const Scores& found) {
  const std::vector<int> predicted = predictions(model, found);
  return nb::make_tuple(to_numpy(found.parts), to_numpy(class_scores(model, found)),
                        to_numpy(std::vector<std::int64_t>(predicted.begin(), predicted.end())),
                        to_numpy(uncovered(found)));
}

nb::tuple score_examples(const Model& model, const Data& data, int threads) {
  return answer(model, all_scores(model, data, threads));
}

nb::tuple score_instances(const Model& model, const Data& data, int threads) {
  Scores found;
  run_interruptibly(
      [&](const Interruption&) { found = Predictor::borrow(model).instance_scores(data.dataset, threads); });
  return answer(model, found);
}

nb::object probabilities_of(const Model& model, const Data& data, int threads) {
  return to_numpy(probabilities(model, all_scores(model, data, threads)));
}

std::string report_of(const Model& model, const Data& data, const std::string& remark, std::int64_t examples,
                      int threads) {
  ReportSettings settings;
  settings.remark = remark;
  settings.examples = examples;
  settings.threads = threads;
  std::string page;
  run_interruptibly([&](const Interruption&) { page = report_html(model, data.dataset, settings); });
  return page;
}

/// What a model weighs of each hypothesis.
std::vector<Evidence> evidence_of(const Model& model) {
  return model.head ? model.head->evidence : std::vector{Evidence::best};
}

std::size_t pattern_columns_of(const Model& model) {
  return model.hypotheses.size() * evidence_of(model).size();
}

/// Columns of transform(): hypothesis after hypothesis, each with its evidence, then the intervals'.
std::size_t columns_of(const Model& model) {
  return pattern_columns_of(model) +
         (model.head && model.head->intervals ? model.head->intervals->size() : 0);
}

nb::object respond_to(const Model& model, const Data& data, int threads) {
  Array<double> result(data.dataset.size(), columns_of(model));
  const Predictor predictor = Predictor::borrow(model);
  by_chunks(data.dataset, threads, [&](const Dataset& chunk, std::int64_t first) {
    place(predictor.transformed(chunk, threads), first, result);
  });
  return to_numpy(result);
}

std::string explanation_of(const Model& model, const Data& data, std::int64_t index, int threads) {
  std::string text;
  run_interruptibly(
      [&](const Interruption&) { text = explanation_json(model, data.dataset, index, threads); });
  return text;
}

std::string firings_of(const Model& model, const Data& data, int threads) {
  std::string text;
  run_interruptibly([&](const Interruption&) { text = firings_json(model, data.dataset, threads); });
  return text;
}

/// Where the evidence of a part lies in a series, less what is so on average over the data.
nb::object evidence_curve(const Model& model, const Data& data, std::int64_t index, int part, int threads) {
  Array<double> found;
  run_interruptibly([&](const Interruption&) {
    const Responses responses = Predictor::borrow(model).responses(data.dataset, threads);
    const std::vector<double> mean =
        data.dataset.size() > 1 ? mean_contributions(model, responses, part, {}) : std::vector<double>{};
    found = evidence(model, data.dataset, responses, index, part, mean);
  });
  return to_numpy(found);
}

nb::dict view_dict(const View& view) {
  nb::dict dict;
  dict["length"] = view.length;
  dict["kernel"] = std::string(to_string(view.kernel.kind()));
  if (view.kernel.has_sigma()) dict["sigma"] = view.kernel.sigma();
  if (view.kind == DataKind::series) {
    dict["dilation"] = view.dilation;
    dict["transform"] = std::string(to_string(view.transform));
    if (view.transform == Transform::spectrum) dict["period"] = view.period;
    if (view.rate > 0.0) dict["rate"] = view.rate;
    nb::list channels;
    for (std::int64_t row = 0; row < view.rows(); ++row) channels.append(view.channel(row));
    dict["channels"] = channels;
    dict["normalisation"] = std::string(to_string(view.normalisation));
  }
  if (view.kind == DataKind::bags) {
    dict["scaling"] = std::string(to_string(view.scaling));
    dict["aspect"] = std::string(to_string(view.aspect));
    if (view.whole != 0) dict["whole"] = view.whole;
    nb::list features;
    for (std::int64_t row = 0; row < view.rows(); ++row) {
      features.append(view.features.empty() ? static_cast<int>(row) : view.features[at(row)]);
    }
    dict["features"] = features;
  } else {
    dict["tau"] = view.tau;
  }
  return dict;
}

/// An instance as the data have it: several channels are rows of their own.
nb::object values_of(const View& view, const Instance& instance) {
  if (view.kind == DataKind::sequences) {
    const std::string text = sequence_text(instance.values);
    return nb::bytes(text.data(), text.size());
  }
  if (view.kind == DataKind::series && view.rows() > 1) {
    return to_numpy(ArrayView(instance.values.data(), view.rows(), view.length));
  }
  return to_numpy(instance.full(view.rows()));
}

/// Index into the classes; None for the rest.
nb::object class_or_none(int k) { return k == kRest ? nb::none() : nb::object(nb::cast(k)); }

/// Index into the classes, or kRest: where finding the main instance counts or, of the place, finding it late.
int side_of(const Model& model, const Weight& weight, std::size_t main, const Part& part) {
  const Hypothesis& hypothesis = model.hypotheses[at(weight.hypothesis)];
  const bool more = weight.w * hypothesis.sign > 0.0;
  const bool like = weight.evidence == Evidence::place || hypothesis.shapelet.alpha[main] > 0.0;
  return more == like ? part.positive : part.negative;
}

/// (part, w, class or None, evidence) of every weight of every hypothesis.
std::vector<nb::list> uses_of(const Model& model, const std::vector<HypothesisSummary>& summaries) {
  std::vector<nb::list> uses(model.hypotheses.size());
  for (int p = 0; p < static_cast<int>(model.parts.size()); ++p) {
    for (const Weight& weight : model.parts[at(p)].weights) {
      const std::size_t j = at(weight.hypothesis);
      const int side = side_of(model, weight, summaries[j].main, model.parts[at(p)]);
      uses[j].append(
          nb::make_tuple(p, weight.w, class_or_none(side), std::string(to_string(weight.evidence))));
    }
  }
  return uses;
}

/// {evidence: (centre, scale)} of a model with a head, else empty.
nb::dict standard_dict(const Model& model, const Hypothesis& hypothesis) {
  nb::dict dict;
  if (!model.head) return dict;
  for (const Evidence evidence : model.head->evidence) {
    const Standard& standard = hypothesis.standard[static_cast<std::size_t>(evidence)];
    dict[nb::str(std::string(to_string(evidence)).c_str())] = nb::make_tuple(standard.centre, standard.scale);
  }
  return dict;
}

nb::list hypotheses(const Model& model) {
  const std::vector<HypothesisSummary> summaries = summarise(model);
  const std::vector<nb::list> uses = uses_of(model, summaries);
  nb::list list;
  for (std::size_t j = 0; j < model.hypotheses.size(); ++j) {
    const Hypothesis& hypothesis = model.hypotheses[j];
    const View& view = model.views[static_cast<std::size_t>(hypothesis.view)];
    nb::list instances;
    for (std::size_t k = 0; k < hypothesis.shapelet.instances.size(); ++k) {
      const Instance& z = hypothesis.shapelet.instances[k];
      instances.append(
          nb::make_tuple(hypothesis.shapelet.alpha[k], z.example, z.position, values_of(view, z)));
    }
    nb::dict row;
    row["sign"] = hypothesis.sign;
    row["view"] = view_dict(view);
    row["instances"] = instances;
    row["uses"] = uses[j];
    row["threshold"] = model.head ? nb::cast(hypothesis.threshold) : nb::none();
    row["standard"] = standard_dict(model, hypothesis);
    list.append(row);
  }
  return list;
}

/// The regression of a model with a head, its arrays by the columns of transform(); else None.
nb::object head(const Model& model) {
  if (!model.head) return nb::none();
  const std::vector<Evidence>& kinds = model.head->evidence;
  Array<double> weights(model.parts.size(), columns_of(model));
  std::vector<double> intercept;
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    intercept.push_back(model.parts[p].b);
    for (const Weight& weight : model.parts[p].weights) {
      const auto k = std::ranges::find(kinds, weight.evidence) - kinds.begin();
      weights(p, at(weight.hypothesis) * kinds.size() + at(k)) = weight.w;
    }
    for (std::size_t k = 0; k < model.parts[p].intervals.size(); ++k) {
      weights(p, pattern_columns_of(model) + k) = model.parts[p].intervals[k];
    }
  }
  std::vector<double> centre;
  std::vector<double> scale;
  std::vector<double> factor;
  Array<double> mixing(model.head->mixing.size(), model.head->mixing.size());
  for (std::size_t k = 0; k < model.head->mixing.size(); ++k) {
    for (std::size_t l = 0; l < model.head->mixing[k].size(); ++l) mixing(k, l) = model.head->mixing[k][l];
  }
  for (const Hypothesis& hypothesis : model.hypotheses) {
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const Standard& standard = hypothesis.standard[static_cast<std::size_t>(kinds[k])];
      factor.push_back(model.head->factors.empty() ? 1.0 : model.head->factors[at(hypothesis.view)][k]);
      centre.push_back(hypothesis.sign * standard.centre);
      scale.push_back(standard.scale);
    }
  }
  nb::list intervals;
  for (std::size_t k = 0; model.head->intervals && k < model.head->intervals->size(); ++k) {
    const Interval interval = model.head->intervals->at(k);
    factor.push_back(model.head->intervals->factors[model.head->intervals->group(k)]);
    centre.push_back(model.head->intervals->standard[k].centre);
    scale.push_back(model.head->intervals->standard[k].scale);
    intervals.append(nb::make_tuple(std::string(to_string(interval.transform)), interval.channel,
                                    std::string(to_string(interval.moment)), interval.first, interval.last));
  }
  nb::list names;
  for (const Evidence evidence : kinds) names.append(std::string(to_string(evidence)));
  nb::dict dict;
  dict["evidence"] = nb::tuple(names);
  dict["intervals"] = nb::tuple(intervals);
  dict["alpha"] = model.head->alpha;
  dict["left_out_error"] = model.head->left_out_error;
  dict["left_out_accuracy"] = model.head->left_out_accuracy;
  dict["residual"] = model.head->residual;
  dict["weights"] = to_numpy(weights);
  dict["intercept"] = to_numpy(intercept);
  dict["centre"] = to_numpy(centre);
  dict["scale"] = to_numpy(scale);
  dict["factor"] = to_numpy(factor);
  dict["mixing"] = to_numpy(mixing);
  return dict;
}

/// Every round: edge, gamma, gap, columns.
nb::dict history(const Model& model) {
  std::vector<double> edge;
  std::vector<double> gamma;
  std::vector<double> gap;
  std::vector<std::int64_t> columns;
  for (const HistoryEntry& entry : model.provenance.history) {
    edge.push_back(entry.edge);
    gamma.push_back(entry.gamma);
    gap.push_back(entry.gap);
    columns.push_back(entry.columns);
  }
  nb::dict dict;
  dict["edge"] = to_numpy(edge);
  dict["gamma"] = to_numpy(gamma);
  dict["gap"] = to_numpy(gap);
  dict["columns"] = to_numpy(columns);
  return dict;
}

nb::list parts(const Model& model) {
  nb::list list;
  for (const Part& part : model.parts) {
    nb::dict dict;
    dict["positive"] = part.positive;
    dict["negative"] = class_or_none(part.negative);
    dict["rho"] = part.rho;
    dict["gamma"] = part.gamma;
    dict["b"] = part.b;
    dict["nu"] = part.nu;
    list.append(dict);
  }
  return list;
}

/// What the model's file names and does not hold: ("gram", name), ("custom", name), or None.
nb::object wants(const Model& model) {
  for (const View& view : model.views) {
    if (const auto* gram = view.kernel.as<kernels::Gram>(); gram != nullptr && !gram->matrix) {
      return nb::make_tuple("gram", gram->file);
    }
    if (const auto* custom = view.kernel.as<kernels::Custom>(); custom != nullptr && !custom->similarity) {
      return nb::make_tuple("custom", custom->name);
    }
  }
  return nb::none();
}

}  // namespace

// Types of what is returned, for the stub.
#define SHAPEBOOST_NUMBERS "numpy.typing.NDArray[numpy.float64]"
#define SHAPEBOOST_ANSWER                             \
  "tuple[" SHAPEBOOST_NUMBERS ", " SHAPEBOOST_NUMBERS \
  ", numpy.typing.NDArray[numpy.int64], "             \
  "numpy.typing.NDArray[numpy.int64]]"

void bind_model(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A trained model.")
      .def_static("from_json", &model_from_json, nb::arg("text"), nb::arg("source"))
      .def("to_json", [](const Model& model) { return to_json(model); })
      .def_static("load", &load_model, nb::arg("path"))
      .def(
          "save", [](const Model& model, const std::string& path) { save_model(model, path); },
          nb::arg("path"))
      .def_prop_ro("kind", [](const Model& model) { return std::string(to_string(model.kind)); })
      .def_prop_ro("classes", [](const Model& model) { return model.classes; })
      .def_prop_ro("width", [](const Model& model) { return model.views.front().width; })
      .def_prop_ro("length", [](const Model& model) { return model.provenance.length; })
      .def_prop_rw(
          "labels", [](const Model& model) { return model.provenance.labels; },
          [](Model& model, const std::string& kind) { model.provenance.labels = kind; })
      .def_prop_ro("settings", [](const Model& model) { return model.provenance.settings; })
      .def_prop_ro("stopped", [](const Model& model) { return model.provenance.stopped; })
      .def_prop_ro("tuning", [](const Model& model) { return model.provenance.tuning; })
      .def_prop_ro("calibrated", [](const Model& model) { return model.calibration.has_value(); })
      .def_prop_ro("size", [](const Model& model) { return model.hypotheses.size(); })
      .def("hypotheses", &hypotheses, nb::sig("def hypotheses(self) -> list[dict[str, typing.Any]]"))
      .def("head", &head, nb::sig("def head(self) -> dict[str, typing.Any] | None"))
      .def("history", &history, nb::sig("def history(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"))
      .def("parts", &parts, nb::sig("def parts(self) -> list[dict[str, typing.Any]]"))
      .def("wants", &wants, nb::sig("def wants(self) -> tuple[str, str] | None"))
      .def(
          "attach_gram", [](Model& model, const Table2& values) { attach_gram(model, to_gram(values)); },
          nb::arg("matrix"))
      .def(
          "attach_function",
          [](Model& model, const std::string& name, const nb::callable& function) {
            attach_similarity(model, name, to_similarity(function));
          },
          nb::arg("name"), nb::arg("function"),
          nb::sig(
              "def attach_function(self, name: str, function: collections.abc.Callable[..., float]) -> None"))
      .def("scores", &score_examples, nb::arg("data"), nb::arg("threads"),
           nb::sig("def scores(self, data: Data, threads: int) -> " SHAPEBOOST_ANSWER))
      .def("probabilities", &probabilities_of, nb::arg("data"), nb::arg("threads"),
           nb::sig("def probabilities(self, data: Data, threads: int) -> " SHAPEBOOST_NUMBERS))
      .def("instance_scores", &score_instances, nb::arg("data"), nb::arg("threads"),
           nb::sig("def instance_scores(self, data: Data, threads: int) -> " SHAPEBOOST_ANSWER))
      .def("explanation", &explanation_of, nb::arg("data"), nb::arg("index"), nb::arg("threads"))
      .def("firings", &firings_of, nb::arg("data"), nb::arg("threads"))
      .def("evidence", &evidence_curve, nb::arg("data"), nb::arg("index"), nb::arg("part"),
           nb::arg("threads"),
           nb::sig(
               "def evidence(self, data: Data, index: int, part: int, threads: int) -> " SHAPEBOOST_NUMBERS))
      .def("report", &report_of, nb::arg("data"), nb::arg("remark"), nb::arg("examples"), nb::arg("threads"))
      .def("responses", &respond_to, nb::arg("data"), nb::arg("threads"),
           nb::sig("def responses(self, data: Data, threads: int) -> " SHAPEBOOST_NUMBERS));
}

#undef SHAPEBOOST_ANSWER
#undef SHAPEBOOST_NUMBERS

}  // namespace shapeboost::python
