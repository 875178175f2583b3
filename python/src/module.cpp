// SPDX-License-Identifier: MIT
#include <nanobind/stl/string.h>

#include <exception>

#include "bindings.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/version.hpp"

NB_MODULE(_core, module) {
  using namespace shapeboost;
  module.doc() = "The library, as thin as it can be; the package shapeboost is made for people.";
  module.attr("__version__") = std::string(kVersion);
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
  python::bind_data(module);
  python::bind_settings(module);
  python::bind_model(module);
  python::bind_training(module);
#ifdef SHAPEBOOST_REFEREE
  python::bind_referee(module);
#endif
}
