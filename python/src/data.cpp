// SPDX-License-Identifier: MIT
// Arrays to data and back.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "bindings.hpp"
#include "data/gram.hpp"
#include "ground/matrix.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/files.hpp"
#include "shapeboost/synthetic.hpp"

namespace shapeboost::python {
namespace {

template <typename Number>
nb::object owned_copy(const Number* values, std::size_t rows, std::size_t cols, bool flat) {
  auto* const copy = new std::vector<Number>(values, values + rows * cols);
  const nb::capsule owner(copy, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  if (flat) return nb::cast(nb::ndarray<nb::numpy, Number>(copy->data(), {rows * cols}, owner));
  return nb::cast(nb::ndarray<nb::numpy, Number>(copy->data(), {rows, cols}, owner));
}

/// Infinity is a fault everywhere, a missing value only in bags.
void check_value(double value, bool gaps_are_fine, std::size_t example) {
  if (std::isfinite(value) || (gaps_are_fine && std::isnan(value))) return;
  const std::string where = "X[" + std::to_string(example) + "] contains ";
  if (std::isnan(value)) {
    throw InvalidInput(where + "NaN: bags have no missing values; fill it in or leave the instance out");
  }
  throw InvalidInput(where + "infinity: expected finite numbers; replace it or leave the example out");
}

void check_values(const Table2& values, DataKind kind, std::size_t example) {
  const std::size_t count = values.shape(0) * values.shape(1);
  for (std::size_t k = 0; k < count; ++k) check_value(values.data()[k], kind == DataKind::series, example);
}

Data make_data(const std::string& kind, const std::vector<Table2>& examples,
               const std::vector<std::string>& labels, const std::string& source) {
  Data result{Dataset(parse<DataKind>(kind), source), examples};
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const Table2& values = examples[i];
    check_values(values, result.dataset.kind(), i);
    result.dataset.borrow(view_of(values), labels.empty() ? "" : labels[i], "X[" + std::to_string(i) + "]");
  }
  return result;
}

/// SciPy does not look whether the parts of a matrix fit together, and what lies beyond them must not be read.
void check_rows(const Starts& starts, const Columns& columns, const Numbers& values,
                const std::vector<std::int64_t>& sizes) {
  const std::span<const std::int64_t> all(starts.data(), starts.size());
  const bool sound = !all.empty() && all.front() >= 0 && std::ranges::is_sorted(all) &&
                     at(all.back()) <= std::min(columns.size(), values.size());
  std::int64_t rows = 0;
  for (const std::int64_t size : sizes) rows += std::max<std::int64_t>(0, size);
  if (!sound || rows + 1 != std::ssize(all) ||
      std::ranges::any_of(sizes, [](auto size) { return size < 0; })) {
    throw InvalidInput(
        "X: the row pointers of the sparse matrix do not fit its values; expected a sound CSR matrix");
  }
}

/// Rows as scipy's CSR matrices have them, `sizes` of them to a bag, one bag after the other.
Data make_sparse(const Starts& starts, const Columns& columns, const Numbers& values, std::int64_t width,
                 const std::vector<std::int64_t>& sizes, const std::vector<std::string>& labels) {
  check_rows(starts, columns, values, sizes);
  Data result{Dataset(DataKind::bags), {}};
  std::size_t row = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::span<const std::int64_t> own(starts.data() + row, at(sizes[i]) + 1);
    for (std::int64_t k = own.front(); k < own.back(); ++k) check_value(values.data()[k], false, i);
    result.dataset.add(SparseView(own, columns.data(), values.data(), width), labels.empty() ? "" : labels[i],
                       "X[" + std::to_string(i) + "]");
    row += at(sizes[i]);
  }
  return result;
}

Data make_sequences(const std::vector<nb::bytes>& texts, const std::vector<std::string>& labels) {
  Data result{Dataset(DataKind::sequences), {}};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string_view text(texts[i].c_str(), texts[i].size());
    result.dataset.add(sequence_values(text), labels.empty() ? "" : labels[i],
                       "X[" + std::to_string(i) + "]");
  }
  return result;
}

/// (starts, columns, values, width), as scipy's CSR matrices have them.
nb::tuple sparse_to_numpy(const SparseView& bag) {
  std::vector<std::int64_t> starts{0};
  std::vector<std::int64_t> columns;
  std::vector<double> values;
  for (std::int64_t r = 0; r < bag.rows(); ++r) {
    const SparseView::Row row = bag.row(r);
    columns.insert(columns.end(), row.columns.begin(), row.columns.end());
    values.insert(values.end(), row.values.begin(), row.values.end());
    starts.push_back(std::ssize(values));
  }
  return nb::make_tuple(to_numpy(starts), to_numpy(columns), to_numpy(values), bag.cols());
}

/// (kind, list of arrays or texts, labels, '' where there is none).
nb::tuple to_python(const Dataset& data) {
  nb::list examples;
  nb::list labels;
  for (std::int64_t i = 0; i < data.size(); ++i) {
    if (data.kind() == DataKind::sequences) {
      const std::string text = sequence_text(data.values(i).row(0));
      examples.append(nb::bytes(text.data(), text.size()));
    } else if (data.is_sparse()) {
      examples.append(sparse_to_numpy(data.sparse(i)));
    } else {
      examples.append(to_numpy(data.values(i)));
    }
    const int label = data.label(i);
    labels.append(label == kUnlabelled ? std::string() : data.classes()[static_cast<std::size_t>(label)]);
  }
  return nb::make_tuple(std::string(to_string(data.kind())), examples, labels);
}

nb::tuple read(const std::string& path, const std::string& format) {
  return to_python(read_dataset(path, parse<Format>(format)));
}

nb::tuple planted(const std::string& kind, std::int64_t examples, std::int64_t length, std::int64_t features,
                  double noise, std::uint64_t seed) {
  SyntheticSettings settings;
  settings.examples = examples;
  settings.length = length;
  settings.features = features;
  settings.noise = noise;
  settings.seed = seed;
  const DataKind wanted = parse<DataKind>(kind);
  return to_python((wanted == DataKind::bags     ? planted_bags(settings)
                    : wanted == DataKind::series ? planted_series(settings)
                                                 : planted_sequences(settings))
                       .data);
}

}  // namespace

GramMatrix to_gram(const Table2& values) {
  return std::make_shared<const SymmetricMatrix>(symmetric_gram(array_of(mapped(view_of(values))), "gram"));
}

nb::object to_numpy(const ArrayView& values) {
  return owned_copy(values.data(), at(values.rows()), at(values.cols()), false);
}
nb::object to_numpy(const std::vector<double>& values) {
  return owned_copy(values.data(), values.size(), 1, true);
}
nb::object to_numpy(const Vector& values) { return owned_copy(values.data(), at(values.size()), 1, true); }
nb::object to_numpy(const std::vector<std::int64_t>& values) {
  return owned_copy(values.data(), values.size(), 1, true);
}

void bind_data(nb::module_& module) {
  nb::class_<Data>(module, "Data", "Examples, with or without labels, in the memory of their arrays.")
      .def_prop_ro("kind", [](const Data& data) { return std::string(to_string(data.dataset.kind())); })
      .def_prop_ro("classes", [](const Data& data) { return data.dataset.classes(); })
      .def_prop_ro("width", [](const Data& data) { return data.dataset.width(); })
      .def(
          "set_weights",
          [](Data& data, const Numbers& weights) {
            data.dataset.set_weights({weights.data(), weights.data() + weights.size()});
          },
          nb::arg("weights"), "How much each example counts in training.")
      .def("__len__", [](const Data& data) { return data.dataset.size(); });
  module.def("data", &make_data, nb::arg("kind"), nb::arg("examples"), nb::arg("labels"), nb::arg("source"),
             "Bags (instances x features) or series (channels x time steps); no labels: an empty list.");
  module.def("sparse", &make_sparse, nb::arg("starts"), nb::arg("columns"), nb::arg("values"),
             nb::arg("width"), nb::arg("sizes"), nb::arg("labels"),
             "Bags whose zeros are left out: the parts of a CSR matrix.");
  module.def("sequences", &make_sequences, nb::arg("texts"), nb::arg("labels"),
             "Sequences of symbols, a byte each.");
  module.def("canonical_label", &canonical_label, nb::arg("text"), "The one spelling of a label.");
  module.def("read", &read, nb::arg("path"), nb::arg("format"), "A data file: kind, examples, labels.",
             nb::sig("def read(path: str, format: str) -> tuple[str, list[typing.Any], list[str]]"));
  module.def(
      "planted", &planted, nb::arg("kind"), nb::arg("examples"), nb::arg("length"), nb::arg("features"),
      nb::arg("noise"), nb::arg("seed"),
      "Made-up data with patterns planted in noise: kind, examples, labels.",
      nb::sig("def planted(kind: str, examples: int, length: int, features: int, noise: float, seed: int) -> "
              "tuple[str, list[typing.Any], list[str]]"));
}

}  // namespace shapeboost::python
