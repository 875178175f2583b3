// SPDX-License-Identifier: MIT
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "commands.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/version.hpp"

NB_MODULE(_core, module) {
  using namespace shapeboost;
  module.doc() = "The library, as thin as it can be; the package shapeboost is made for people.";
  module.attr("version") = std::string(kVersion);
  // Bad input is a ValueError; a fault of the library's own stays a RuntimeError, nanobind's default.
  nanobind::register_exception_translator([](const std::exception_ptr& fault, void*) {
    try {
      std::rethrow_exception(fault);
    } catch (const InvalidInput& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });
  // A model that compares by a function of the module it is kept in lives as long as the interpreter does:
  // nothing to tell users of at its end.
  nanobind::set_leak_warnings(false);
  module.def(
      "run_program",
      [](const std::vector<std::string>& words) {
        std::vector<const char*> given;
        for (const std::string& word : words) given.push_back(word.c_str());
        const nanobind::gil_scoped_release others_may_run;
        return cli::run_program(static_cast<int>(given.size()), given.data());
      },
      nanobind::arg("words"), "The command line program; returns its exit code.");
  python::bind_data(module);
  python::bind_settings(module);
  python::bind_model(module);
  python::bind_training(module);
  python::bind_shards(module);
#ifdef SHAPEBOOST_REFEREE
  python::bind_referee(module);
#endif
}
