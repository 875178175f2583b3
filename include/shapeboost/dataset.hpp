// SPDX-License-Identifier: MIT
// Labelled examples, bags of vectors, series or sequences, as they came: nothing here is scaled or cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shapeboost/array.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost {

/// What an example's matrix means.
enum class DataKind {
  bags,       ///< one row an instance, one column a feature
  series,     ///< one row a channel, one column a time step; NaN marks a missing value
  sequences,  ///< one row; each number is the code of a symbol (DNA, protein, text): a byte, 0 to 255
};

/// "bags", "series" or "sequences".
[[nodiscard]] std::string_view to_string(DataKind kind);
template <>
[[nodiscard]] DataKind parse<DataKind>(std::string_view text);

/// The symbols of a sequence, one byte each, as their codes.
[[nodiscard]] std::vector<double> sequence_values(std::string_view text);
/// Inverse of sequence_values. What is given must be codes, as those of a Dataset of sequences are.
[[nodiscard]] std::string sequence_text(std::span<const double> codes);

/// The label of an example of which none is known.
inline constexpr int kUnlabelled = -1;

/// The one spelling of a label: trimmed, and numbers in their shortest form, so that "1.0000000e+00", "+1"
/// and "1" are one class. Numbers too large to be told apart as doubles (from 2^53 on) stay text.
[[nodiscard]] std::string canonical_label(std::string_view text);

/// Examples of one kind. Sizes may differ from example to example, except that all bags have the same
/// number of features and all series the same number of channels.
class Dataset {
 public:
  explicit Dataset(DataKind kind, std::string source = {});

  /// Adds an example. `label` is any text, empty where none is known; `name` is what errors,
  /// predictions and provenance call the example. Throws InvalidInput where `values` has no rows, no
  /// columns, another number of features or channels than the first example, or, as a sequence, anything
  /// but one row of codes. A label not seen before enters classes() in its place, which moves the
  /// positions of later classes: look labels up afterwards.
  void add(const ArrayView& values, const std::string& label, std::string name);

  /// A bag whose zeros are left out, in memory as here. All bags of a data set are of this kind or none is. Throws as the
  /// first add() does, and where columns do not rise or lie outside 0 ... cols - 1.
  void add(const SparseView& values, const std::string& label, std::string name);

  /// The same without a copy: `values` must outlive the data set, its copies and its subsets.
  void borrow(const ArrayView& values, const std::string& label, std::string name);

  /// Makes room for so many more examples and numbers, where both are known before.
  void reserve(std::int64_t examples, std::int64_t numbers);

  [[nodiscard]] DataKind kind() const { return kind_; }
  /// The file the data came from, or empty.
  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(examples_.size()); }
  /// Valid until the next add(). Throws InvalidInput where the bags are sparse.
  [[nodiscard]] ArrayView values(std::int64_t i) const;
  /// Bags whose zeros are left out: sparse() has them in place of values().
  [[nodiscard]] bool is_sparse() const { return !row_starts_.empty(); }
  [[nodiscard]] SparseView sparse(std::int64_t i) const;
  /// One number of an example's matrix, whichever way it is held.
  [[nodiscard]] double number(std::int64_t i, std::int64_t row, std::int64_t column) const;
  /// Rows of an example's matrix.
  [[nodiscard]] std::int64_t rows(std::int64_t i) const;
  /// Numbers that are held of an example.
  [[nodiscard]] std::int64_t numbers(std::int64_t i) const;
  [[nodiscard]] const std::string& name(std::int64_t i) const;

  /// Position of example i's label in classes(), or kUnlabelled.
  [[nodiscard]] int label(std::int64_t i) const;
  /// The distinct labels in order: by value where all are numbers, else by text. "1" and "1.0" are one class.
  [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }

  /// How much example i counts in training, 1 unless it was said; only ratios matter, and 0 leaves it out.
  [[nodiscard]] double weight(std::int64_t i) const;
  /// Whether some examples weigh more than others.
  [[nodiscard]] bool is_weighted() const;
  /// One for each example, in order. Throws InvalidInput where one is negative, not finite, or 1e12 times smaller than
  /// another, and where all are 0.
  void set_weights(const std::vector<double>& weights);

  /// Features of a bag's instances, or channels of a series (1 for sequences); 0 while empty.
  [[nodiscard]] std::int64_t width() const;
  /// Whether features beyond width() are 0 rather than unknown, as in files that leave zeros out: such data may be asked
  /// of a model of more features, or of fewer.
  [[nodiscard]] bool open_width() const { return open_width_; }
  void set_open_width(bool open) { open_width_ = open; }
  /// The same bags with so many features: what lies beyond them is left out, what is new is 0.
  [[nodiscard]] Dataset with_width(std::int64_t width) const;
  /// The same examples as a part of data with these classes, in this order: classes() of a part are those that it has. Throws
  /// InvalidInput where a label is none of them.
  [[nodiscard]] Dataset with_classes(const std::vector<std::string>& classes) const;
  /// Shortest and longest series or sequence (or smallest and largest bag); 0 while empty.
  [[nodiscard]] std::int64_t min_length() const;
  [[nodiscard]] std::int64_t max_length() const;

  /// Whether any value is NaN; looks at all of them.
  [[nodiscard]] bool has_missing() const;

  /// The same examples in the given order (indices may repeat), with the same classes, so that labels
  /// keep their meaning when a subset lacks a class. Throws InvalidInput where an index is out of range.
  [[nodiscard]] Dataset subset(const std::vector<std::int64_t>& indices) const;

 private:
  struct Example {
    const double* borrowed;  // nullptr: the values are our own, from `offset`
    std::size_t offset;      // of sparse bags: of its first row in row_starts_
    std::int64_t rows;
    std::int64_t cols;
    int label;
    std::string name;
    double weight = 1.0;
  };
  /// All but where the values are; throws as add() does. `values` nullptr: they are sparse.
  void enter(const double* values, std::int64_t rows, std::int64_t cols, const std::string& label,
             std::string name);
  /// "FILE: example 'NAME' has ".
  [[nodiscard]] std::string about(const std::string& name) const;
  [[nodiscard]] const double* values_of(const Example& example) const {
    return example.borrowed != nullptr ? example.borrowed : values_.data() + example.offset;
  }
  [[nodiscard]] std::int64_t width_of(const Example& example) const;
  [[nodiscard]] std::int64_t length_of(const Example& example) const;
  int class_of(const std::string& label);

  DataKind kind_;
  std::string source_;
  std::vector<double> values_;
  // Of sparse bags, whose numbers are then values_: where each row begins, and behind the last; the numbers' columns.
  std::vector<std::int64_t> row_starts_;
  std::vector<std::int32_t> columns_;
  bool open_width_ = false;
  std::vector<Example> examples_;
  std::vector<std::string> classes_;
  bool numeric_classes_ = true;  // how classes_ is ordered
};

}  // namespace shapeboost
