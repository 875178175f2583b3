// SPDX-License-Identifier: MIT
// The table of settings, so that the parameters of the estimators can be held against it.
#include "train/settings.hpp"

#include <nanobind/stl/string.h>

#include <cmath>

#include "bindings.hpp"
#include "data/gram.hpp"
#include "ground/matrix.hpp"

namespace shapeboost::python {
namespace {

nb::list table() {
  const TrainSettings defaults;
  nb::list rows;
  for (const Setting& setting : settings_table()) {
    nb::dict row;
    row["name"] = setting.name;
    row["group"] = setting.group;
    row["help"] = setting.help;
    row["default"] = setting.show(defaults);
    row["is_switch"] = setting.value == nullptr;
    const Setting* const other = opposite(setting);
    row["opposite"] = other == nullptr ? nb::none() : nb::cast(std::string(other->name));
    nb::list kinds;
    for (const DataKind kind : {DataKind::series, DataKind::bags, DataKind::sequences}) {
      if (setting.is_for(kind)) kinds.append(std::string(to_string(kind)));
    }
    row["kinds"] = kinds;
    rows.append(row);
  }
  return rows;
}

void set(TrainSettings& settings, const std::string& name, const std::string& text) {
  const Setting* const setting = find_setting(name);
  if (setting == nullptr) throw InvalidInput("there is no setting '" + name + "'");
  setting->set(settings, text);
}

void set_function(TrainSettings& settings, const nb::callable& function, const std::string& name, bool psd) {
  settings.kernel.kind = KernelKind::custom;
  settings.kernel.similarity = to_similarity(function);
  settings.kernel.name = name;
  settings.kernel.claims_psd = psd;
}

void set_gram(TrainSettings& settings, const Table2& values, const std::string& name) {
  settings.kernel.kind = KernelKind::gram;
  settings.kernel.gram = to_gram(values);
  settings.kernel.gram_file = name;
}

}  // namespace

Similarity to_similarity(const nb::callable& function) {
  // The last copy may go on a thread that does not hold the interpreter.
  const std::shared_ptr<nb::callable> shared(new nb::callable(function), [](nb::callable* held) {
    const nb::gil_scoped_acquire gil;
    delete held;
  });
  return [shared](std::span<const double> x, std::span<const double> z) {
    const nb::gil_scoped_acquire gil;
    const nb::object answer = (*shared)(to_numpy(std::vector<double>(x.begin(), x.end())),
                                        to_numpy(std::vector<double>(z.begin(), z.end())));
    double value = NAN;
    if (!nb::try_cast(answer, value) || !std::isfinite(value)) {
      throw InvalidInput("kernel: expected a finite number from the function, found " +
                         std::string(nb::repr(answer).c_str()));
    }
    return value;
  };
}

void bind_settings(nb::module_& module) {
  nb::class_<TrainSettings>(module, "Settings", "How to train; set by the names of the command line.")
      .def("__init__",
           [](TrainSettings* self) {
             new (self) TrainSettings();
             self->memory = default_memory();
           })
      .def("set", &set, nb::arg("name"), nb::arg("text"))
      .def("set_function", &set_function, nb::arg("function"), nb::arg("name"),
           nb::arg("positive_semidefinite"),
           nb::sig("def set_function(self, function: collections.abc.Callable[..., float], name: str, "
                   "positive_semidefinite: bool) -> None"))
      .def("set_gram", &set_gram, nb::arg("matrix"), nb::arg("name"))
      .def(
          "read_gram",
          [](TrainSettings& settings, const std::string& path) {
            settings.kernel.kind = KernelKind::gram;
            settings.kernel.gram = std::make_shared<const SymmetricMatrix>(read_gram(path));
            settings.kernel.gram_file = path;
          },
          nb::arg("path"))
      .def(
          "validate", [](const TrainSettings& settings) { return validate(settings); },
          "The first fault as a sentence, or ''.")
      .def("text", &settings_text, "As options of the command line.");
  module.def(
      "read_gram", [](const std::string& path) { return to_numpy(read_gram(path)); }, nb::arg("path"),
      nb::sig("def read_gram(path: str) -> numpy.typing.NDArray[numpy.float64]"));
  module.def("settings_table", &table, "One row for each setting of the trainer.",
             nb::sig("def settings_table() -> list[dict[str, typing.Any]]"));
}

}  // namespace shapeboost::python
