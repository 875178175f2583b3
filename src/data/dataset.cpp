// SPDX-License-Identifier: MIT
#include "shapeboost/dataset.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>

#include "ground/names.hpp"
#include "ground/numbers.hpp"

namespace shapeboost {
namespace {

// From here on neighbouring integers share a double, and two ids could become one class.
constexpr double kFirstInexact = 9007199254740992.0;  // 2^53

bool is_number(std::string_view label, double& value) {
  return detail::parse_number(label, value) == detail::NumberFault::none && std::abs(value) < kFirstInexact;
}

bool comes_before(const std::string& a, const std::string& b, bool numeric) {
  double x = 0.0;
  double y = 0.0;
  if (numeric && is_number(a, x) && is_number(b, y)) return x < y;
  return a < b;
}

std::string describe(const char* what, std::int64_t got, std::int64_t expected) {
  return concat(got, ' ', what, (got == 1 ? "" : "s"), ", the first has ", expected);
}

constexpr Names<DataKind, 3> kKinds{
    {{DataKind::bags, "bags"}, {DataKind::series, "series"}, {DataKind::sequences, "sequences"}}};

bool is_code(double value) { return value >= 0.0 && value <= 255.0 && value == std::floor(value); }

}  // namespace

std::string_view to_string(DataKind value) { return name_of(kKinds, value); }

template <>
DataKind parse<DataKind>(std::string_view text) {
  return choice_of(kKinds, "kind", text);
}

std::vector<double> sequence_values(std::string_view text) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  return {bytes, bytes + text.size()};
}

std::string sequence_text(std::span<const double> codes) {
  std::string text;
  for (const double code : codes) {
    assert(is_code(code));
    text += static_cast<char>(static_cast<unsigned char>(code));
  }
  return text;
}

std::string canonical_label(std::string_view text) {
  const std::string_view trimmed = detail::trim(text);
  double value = 0.0;
  if (!is_number(trimmed, value)) return std::string(trimmed);
  if (value == 0.0) return "0";  // "-0" too
  std::array<char, 32> buffer{};
  char* const begin = buffer.data();
  char* const end = begin + buffer.size();
  // Whole numbers as people write them: 1000000, not 1e+06.
  const auto written = value == std::floor(value) ? std::to_chars(begin, end, value, std::chars_format::fixed)
                                                  : std::to_chars(begin, end, value);
  return std::string(begin, written.ptr);
}

Dataset::Dataset(DataKind kind, std::string source) : kind_(kind), source_(std::move(source)) {}

std::string Dataset::about(const std::string& name) const {
  return (source_.empty() ? "" : source_ + ": ") + "example '" + name + "' has ";
}

void Dataset::enter(const double* values, std::int64_t rows, std::int64_t cols, const std::string& label,
                    std::string name) {
  if (rows == 0 || cols == 0) throw InvalidInput(about(name) + "no values");
  const bool bags = kind_ == DataKind::bags;
  const std::int64_t found = bags ? cols : rows;
  if (!examples_.empty() && found != width()) {
    throw InvalidInput(about(name) + describe(bags ? "feature" : "channel", found, width()));
  }
  if (!examples_.empty() && is_sparse() != (values == nullptr)) {
    throw InvalidInput(about(name) + (is_sparse() ? "its zeros, the first has none"
                                                  : "no zeros, the first has all of them"));
  }
  if (kind_ == DataKind::sequences) {
    if (rows != 1) throw InvalidInput(concat(about(name), rows, " rows, expected one"));
    const double* const last = values + cols;
    const double* const odd = std::find_if_not(values, last, is_code);
    if (odd != last) {
      throw InvalidInput(concat(about(name), detail::number(*odd), " at place ", odd - values + 1,
                                ", expected a code from 0 to 255"));
    }
  }
  const std::string known = canonical_label(label);
  const int position = known.empty() ? kUnlabelled : class_of(known);
  examples_.push_back({nullptr, values_.size(), rows, cols, position, std::move(name)});
}

void Dataset::add(const ArrayView& values, const std::string& label, std::string name) {
  enter(values.data(), values.rows(), values.cols(), label, std::move(name));
  values_.insert(values_.end(), values.data(), values.data() + values.size());
}

void Dataset::reserve(std::int64_t examples, std::int64_t numbers) {
  examples_.reserve(examples_.size() + at(examples));
  values_.reserve(values_.size() + at(numbers));
}

void Dataset::add(const SparseView& values, const std::string& label, std::string name) {
  if (kind_ != DataKind::bags)
    throw InvalidInput(about(name) + "no zeros, which only those of bags may lack");
  for (std::int64_t r = 0; r < values.rows(); ++r) {
    std::int64_t before = -1;
    for (const std::int32_t column : values.row(r).columns) {
      if (column <= before || column >= values.cols()) {
        throw InvalidInput(concat(about(name), "column ", column, " behind ", before, " in row ", r,
                                  ", expected rising columns below ", values.cols()));
      }
      before = column;
    }
  }
  enter(nullptr, values.rows(), values.cols(), label, std::move(name));
  if (row_starts_.empty()) row_starts_.push_back(0);
  examples_.back().offset = row_starts_.size() - 1;
  for (std::int64_t r = 0; r < values.rows(); ++r) {
    const SparseView::Row row = values.row(r);
    columns_.insert(columns_.end(), row.columns.begin(), row.columns.end());
    values_.insert(values_.end(), row.values.begin(), row.values.end());
    row_starts_.push_back(std::ssize(values_));
  }
}

void Dataset::borrow(const ArrayView& values, const std::string& label, std::string name) {
  enter(values.data(), values.rows(), values.cols(), label, std::move(name));
  examples_.back().borrowed = values.data();
}

int Dataset::class_of(const std::string& label) {
  const auto before = [this](const std::string& a, const std::string& b) {
    return comes_before(a, b, numeric_classes_);
  };
  auto place = std::ranges::lower_bound(classes_, label, before);
  if (place != classes_.end() && *place == label) return static_cast<int>(place - classes_.begin());

  // A new class: sort again, then carry the labels given so far to the new positions.
  const std::vector<std::string> old = classes_;
  double value = 0.0;
  if (numeric_classes_ && !is_number(label, value)) {
    numeric_classes_ = false;
    std::ranges::sort(classes_);
    place = std::ranges::lower_bound(classes_, label);
  }
  place = classes_.insert(place, label);
  const auto result = static_cast<int>(place - classes_.begin());
  std::vector<int> moved(old.size());
  for (std::size_t k = 0; k < old.size(); ++k) {
    moved[k] = static_cast<int>(std::ranges::lower_bound(classes_, old[k], before) - classes_.begin());
  }
  for (Example& example : examples_) {
    if (example.label != kUnlabelled) example.label = moved[at(example.label)];
  }
  return result;
}

ArrayView Dataset::values(std::int64_t i) const {
  assert(i >= 0 && i < size());
  const Example& example = examples_[at(i)];
  if (is_sparse())
    throw InvalidInput(about(example.name) + "no zeros, which are needed here: give it in another format");
  return {values_of(example), example.rows, example.cols};
}

SparseView Dataset::sparse(std::int64_t i) const {
  assert(is_sparse() && i >= 0 && i < size());
  const Example& example = examples_[at(i)];
  return {{row_starts_.data() + example.offset, at(example.rows) + 1},
          columns_.data(),
          values_.data(),
          example.cols};
}

double Dataset::number(std::int64_t i, std::int64_t row, std::int64_t column) const {
  if (!is_sparse()) return values(i)(row, column);
  const SparseView::Row entries = sparse(i).row(row);
  const auto place = std::ranges::lower_bound(entries.columns, column);
  return place != entries.columns.end() && *place == column
             ? entries.values[at(place - entries.columns.begin())]
             : 0.0;
}

std::int64_t Dataset::rows(std::int64_t i) const {
  assert(i >= 0 && i < size());
  return examples_[at(i)].rows;
}

std::int64_t Dataset::numbers(std::int64_t i) const {
  return is_sparse() ? sparse(i).size() : examples_[at(i)].rows * examples_[at(i)].cols;
}

const std::string& Dataset::name(std::int64_t i) const {
  assert(i >= 0 && i < size());
  return examples_[at(i)].name;
}

int Dataset::label(std::int64_t i) const {
  assert(i >= 0 && i < size());
  return examples_[at(i)].label;
}

double Dataset::weight(std::int64_t i) const {
  assert(i >= 0 && i < size());
  return examples_[at(i)].weight;
}

bool Dataset::is_weighted() const {
  return std::ranges::adjacent_find(examples_, std::not_equal_to(), &Example::weight) != examples_.end();
}

void Dataset::set_weights(const std::vector<double>& weights) {
  constexpr double kSpan = 1e12;  // as of classes: ClassWeights
  if (std::ssize(weights) != size()) {
    throw InvalidInput(
        concat("weights: expected one for each of ", size(), " examples, found ", std::ssize(weights)));
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0.0 && std::isfinite(weights[i]))) {
      throw InvalidInput("weights: expected finite numbers of 0 or more, found " +
                         detail::number(weights[i]) + " for example '" + examples_[i].name + "'");
    }
    largest = std::max(largest, weights[i]);
  }
  if (size() > 0 && largest == 0.0)
    throw InvalidInput("weights: all are zero; expected at least one above 0");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0.0 && weights[i] < largest / kSpan) {
      throw InvalidInput("weights: expected numbers within a factor of 1e12, found " +
                         detail::number(weights[i]) + " for example '" + examples_[i].name + "' and " +
                         detail::number(largest));
    }
  }
  for (std::size_t i = 0; i < weights.size(); ++i) examples_[i].weight = weights[i];
}

std::int64_t Dataset::width_of(const Example& example) const {
  return kind_ == DataKind::bags ? example.cols : example.rows;
}

std::int64_t Dataset::length_of(const Example& example) const {
  return kind_ == DataKind::bags ? example.rows : example.cols;
}

std::int64_t Dataset::width() const { return examples_.empty() ? 0 : width_of(examples_.front()); }

std::int64_t Dataset::min_length() const {
  if (examples_.empty()) return 0;
  std::int64_t result = length_of(examples_.front());
  for (const Example& example : examples_) result = std::min(result, length_of(example));
  return result;
}

std::int64_t Dataset::max_length() const {
  std::int64_t result = 0;
  for (const Example& example : examples_) result = std::max(result, length_of(example));
  return result;
}

Dataset Dataset::with_width(std::int64_t width) const {
  constexpr std::int64_t kThin = 1000;  // features
  constexpr std::int64_t kTimes = 10;
  Dataset result(kind_, source_);
  result.classes_ = classes_;
  result.numeric_classes_ = numeric_classes_;
  result.open_width_ = open_width_;
  // Zeros that would be most of the numbers are left out.
  const bool thin = kind_ == DataKind::bags && width >= kThin && width >= kTimes * this->width();
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> columns;
  std::vector<double> numbers;
  const auto keep = [&](std::int64_t column, double number) {
    columns.push_back(static_cast<std::int32_t>(column));
    numbers.push_back(number);
  };
  for (std::int64_t i = 0; i < size(); ++i) {
    const std::string label =
        examples_[at(i)].label == kUnlabelled ? "" : classes_[at(examples_[at(i)].label)];
    if (!is_sparse() && !thin) {
      Array<double> padded(rows(i), width);
      for (std::int64_t r = 0; r < rows(i); ++r) {
        const std::span<const double> row = values(i).row(r);
        std::copy_n(row.begin(), std::min(std::ssize(row), width), &padded(r, 0));
      }
      result.add(padded, label, name(i));
      result.examples_.back().weight = weight(i);
      continue;
    }
    starts.assign(1, 0);
    columns.clear();
    numbers.clear();
    for (std::int64_t r = 0; r < rows(i); ++r) {
      if (is_sparse()) {
        const SparseView::Row row = sparse(i).row(r);
        const auto kept = std::ranges::lower_bound(row.columns, width) - row.columns.begin();
        for (std::int64_t k = 0; k < kept; ++k) keep(row.columns[at(k)], row.values[at(k)]);
      } else {
        const std::span<const double> row = values(i).row(r);
        for (std::int64_t f = 0; f < std::ssize(row); ++f) {
          if (row[at(f)] != 0.0) keep(f, row[at(f)]);
        }
      }
      starts.push_back(std::ssize(numbers));
    }
    result.add(SparseView(starts, columns.data(), numbers.data(), width), label, name(i));
    result.examples_.back().weight = weight(i);
  }
  return result;
}

Dataset Dataset::with_classes(const std::vector<std::string>& classes) const {
  std::vector<int> place;
  for (const std::string& label : classes_) {
    const auto found = std::ranges::find(classes, label);
    if (found == classes.end()) {
      throw InvalidInput((source_.empty() ? "" : source_ + ": ") + "label " + detail::quote(label) +
                         " is none of the classes");
    }
    place.push_back(static_cast<int>(found - classes.begin()));
  }
  Dataset result = *this;
  result.classes_ = classes;
  result.numeric_classes_ = std::ranges::all_of(classes, [](const std::string& label) {
    double value = 0.0;
    return is_number(label, value);
  });
  for (Example& example : result.examples_) {
    if (example.label != kUnlabelled) example.label = place[at(example.label)];
  }
  return result;
}

bool Dataset::has_missing() const {
  if (is_sparse()) return std::ranges::any_of(values_, [](double value) { return std::isnan(value); });
  return std::ranges::any_of(examples_, [this](const Example& example) {
    const double* const first = values_of(example);
    return std::any_of(first, first + example.rows * example.cols,
                       [](double value) { return std::isnan(value); });
  });
}

Dataset Dataset::subset(const std::vector<std::int64_t>& indices) const {
  Dataset result(kind_, source_);
  result.classes_ = classes_;
  result.numeric_classes_ = numeric_classes_;
  result.open_width_ = open_width_;
  if (is_sparse()) result.row_starts_.push_back(0);
  result.examples_.reserve(indices.size());
  for (const std::int64_t i : indices) {
    if (i < 0 || i >= size()) {
      throw InvalidInput(concat("subset: index ", i, " is outside 0 ... ", size() - 1));
    }
    Example example = examples_[at(i)];
    if (is_sparse()) {
      const SparseView rows = sparse(i);
      example.offset = result.row_starts_.size() - 1;
      for (std::int64_t r = 0; r < rows.rows(); ++r) {
        const SparseView::Row row = rows.row(r);
        result.columns_.insert(result.columns_.end(), row.columns.begin(), row.columns.end());
        result.values_.insert(result.values_.end(), row.values.begin(), row.values.end());
        result.row_starts_.push_back(std::ssize(result.values_));
      }
    } else if (example.borrowed == nullptr) {
      const double* const first = values_of(example);
      example.offset = result.values_.size();
      result.values_.insert(result.values_.end(), first, first + example.rows * example.cols);
    }
    result.examples_.push_back(std::move(example));
  }
  return result;
}

}  // namespace shapeboost
