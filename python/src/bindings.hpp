// SPDX-License-Identifier: MIT
// What the parts of the module have in common.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "ground/matrix.hpp"
#include "ground/numbers.hpp"
#include "shapeboost/dataset.hpp"
#include "shapeboost/kernel.hpp"

namespace shapeboost::python {

namespace nb = nanobind;

/// Numbers as NumPy holds them when nothing is left to convert.
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Starts = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Columns = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Table2 = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Examples for the library, and the arrays whose memory they are.
struct Data {
  Dataset dataset;
  std::vector<Table2> arrays;
};

/// The numbers of an array of NumPy's, which must outlive what is returned.
[[nodiscard]] inline ArrayView view_of(const Table2& values) {
  return {values.data(), static_cast<std::int64_t>(values.shape(0)),
          static_cast<std::int64_t>(values.shape(1))};
}
/// A copy of a matrix of similarities. Throws InvalidInput where it is none.
[[nodiscard]] GramMatrix to_gram(const Table2& values);

/// An array of NumPy's that owns a copy of the numbers.
[[nodiscard]] nb::object to_numpy(const ArrayView& values);
[[nodiscard]] nb::object to_numpy(const std::vector<double>& values);
[[nodiscard]] nb::object to_numpy(const Vector& values);
[[nodiscard]] nb::object to_numpy(const std::vector<std::int64_t>& values);

/// A Python function of two vectors, which may be called, copied and dropped on any thread.
[[nodiscard]] Similarity to_similarity(const nb::callable& function);

void bind_data(nb::module_& module);
void bind_settings(nb::module_& module);
void bind_model(nb::module_& module);
void bind_training(nb::module_& module);
void bind_shards(nb::module_& module);
void bind_referee(nb::module_& module);  // of the developers' build: tests/referee.cpp

}  // namespace shapeboost::python
