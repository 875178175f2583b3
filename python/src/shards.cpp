// SPDX-License-Identifier: MIT
// The steps of a training where the examples lie. What travels between them can be pickled.
#include "shapeboost/shards.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <new>

#include "bindings.hpp"
#include "interruptible.hpp"
#include "train/settings.hpp"

namespace shapeboost::python {
namespace {

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }
std::string_view text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
std::span<const double> span_of(const std::optional<Numbers>& numbers) {
  return numbers ? std::span<const double>(numbers->data(), numbers->size()) : std::span<const double>();
}

/// Work that Ctrl-C ends.
void observed(const std::function<void(const Observer&)>& work) {
  run_interruptibly([&](const Interruption& interruption) {
    Observer observer;
    observer.abandoned = [&] { return interruption.asked(); };
    work(observer);
  });
}

/// (plan, weights or None); None where all examples are to be trained on together.
nb::object plan_of(const Roll& roll, const TrainSettings& settings) {
  std::optional<Sharding> sharding;
  run_interruptibly([&](const Interruption&) { sharding = plan_shards(roll, settings); });
  if (!sharding) return nb::none();
  nb::object weights = sharding->weights.empty() ? nb::none() : to_numpy(sharding->weights);
  return nb::make_tuple(std::move(sharding->plan), std::move(weights));
}

std::string find_patterns(const Data& sample, const ShardPlan& plan, const TrainSettings& settings,
                          std::int64_t member) {
  std::string found;
  observed([&](const Observer& observer) { found = find(sample.dataset, plan, settings, member, observer); });
  return found;
}

nb::tuple draft_of(const Data& sample, const ShardPlan& plan, const TrainSettings& settings,
                   const std::vector<std::string>& found) {
  TrainingResult result;
  observed([&](const Observer& observer) {
    result = weigh_sample(sample.dataset, plan, settings, found, observer);
    result.model.provenance.settings = settings_text(settings);
  });
  return nb::make_tuple(std::move(result.model), result.notes);
}

Model finish(const Model& draft, const ShardPlan& plan, const EvidenceSums& sums, const Data& sample,
             int threads) {
  Model model;
  run_interruptibly(
      [&](const Interruption&) { model = ShardWeigher(draft, plan, threads).finish(sums, sample.dataset); });
  return model;
}

}  // namespace

void bind_shards(nb::module_& module) {
  nb::class_<Roll>(module, "Roll", "Who is there: labels, weights and digests of examples.")
      .def(nb::init<>())
      .def(
          "append", [](Roll& roll, const Roll& next) { roll.append(next); }, nb::arg("next"),
          "The next shard's examples behind these.")
      .def_prop_ro("classes", [](const Roll& roll) { return roll.classes(); })
      .def("__len__", &Roll::size)
      .def("__getstate__", [](const Roll& roll) { return to_bytes(roll.bytes()); })
      .def("__setstate__",
           [](Roll& roll, const nb::bytes& state) { new (&roll) Roll(Roll::from_bytes(text_of(state))); });
  module.def(
      "roll",
      [](const Data& shard, const std::optional<Numbers>& weights) {
        return Roll(shard.dataset, span_of(weights));
      },
      nb::arg("shard"), nb::arg("weights").none(), "The roll of a shard.");
  nb::class_<ShardPlan>(module, "ShardPlan", "What the steps must know of all examples.")
      .def_prop_ro(
          "sample", [](const ShardPlan& plan) { return to_numpy(plan.sample); },
          nb::sig("def sample(self) -> numpy.typing.NDArray[numpy.int64]"))
      .def_prop_ro(
          "sample_weights", [](const ShardPlan& plan) { return to_numpy(plan.sample_weights); },
          nb::sig("def sample_weights(self) -> numpy.typing.NDArray[numpy.float64]"))
      .def("__getstate__", &ShardPlan::text)
      .def("__setstate__", [](ShardPlan& plan, const std::string& state) {
        new (&plan) ShardPlan(ShardPlan::from_text(state));
      });
  module.def("plan_shards", &plan_of, nb::arg("roll"), nb::arg("settings"),
             "(plan, what each example counts or None); None where all are to be trained on together.",
             nb::sig("def plan_shards(roll: Roll, settings: Settings) -> "
                     "tuple[ShardPlan, numpy.typing.NDArray[numpy.float64] | None] | None"));
  module.def(
      "finders",
      [](const Data& sample, const ShardPlan& plan, const TrainSettings& settings) {
        return finders(sample.dataset, plan, settings);
      },
      nb::arg("sample"), nb::arg("plan"), nb::arg("settings"), "Members that look for patterns.");
  module.def("find", &find_patterns, nb::arg("sample"), nb::arg("plan"), nb::arg("settings"),
             nb::arg("member"), "What a member finds, as text.");
  module.def("weigh_sample", &draft_of, nb::arg("sample"), nb::arg("plan"), nb::arg("settings"),
             nb::arg("found"), "(draft, notes): the model weighed by the sample alone.",
             nb::sig("def weigh_sample(sample: Data, plan: ShardPlan, settings: Settings, "
                     "found: collections.abc.Sequence[str]) -> tuple[Model, list[str]]"));
  nb::class_<EvidenceSums>(module, "EvidenceSums", "What shards say of a draft's patterns, added up.")
      .def(
          "add", [](EvidenceSums& sums, const EvidenceSums& other) { sums.add(other); }, nb::arg("other"))
      .def("copy", [](const EvidenceSums& sums) { return sums; })
      .def("__getstate__", [](const EvidenceSums& sums) { return to_bytes(sums.bytes()); })
      .def("__setstate__", [](EvidenceSums& sums, const nb::bytes& state) {
        new (&sums) EvidenceSums(EvidenceSums::from_bytes(text_of(state)));
      });
  nb::class_<ShardWeigher>(module, "ShardWeigher", "Reads the evidence of a draft's patterns.")
      .def(nb::init<const Model&, const ShardPlan&, int>(), nb::arg("draft"), nb::arg("plan"),
           nb::arg("threads"), nb::keep_alive<1, 2>())
      .def("none", &ShardWeigher::none, "Sums of no example.")
      .def(
          "add",
          [](const ShardWeigher& weigher, const Data& shard, std::int64_t first,
             const std::optional<Numbers>& weights, EvidenceSums& sums) {
            observed([&](const Observer& observer) {
              weigher.add(shard.dataset, first, span_of(weights), sums, observer);
            });
          },
          nb::arg("shard"), nb::arg("first"), nb::arg("weights").none(), nb::arg("sums"),
          "Adds a shard to the sums.");
  module.def("finish", &finish, nb::arg("draft"), nb::arg("plan"), nb::arg("sums"), nb::arg("sample"),
             nb::arg("threads"), "The draft with the weights that the sums ask for.");
}

}  // namespace shapeboost::python
