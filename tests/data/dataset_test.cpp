// SPDX-License-Identifier: MIT
#include "shapeboost/dataset.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "shapeboost/base.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "support/sparse_bags.hpp"

namespace shapeboost {
namespace {

Matrix filled(Eigen::Index rows, Eigen::Index cols, double value) {
  return Matrix::Constant(rows, cols, value);
}

Dataset with_labels(const std::vector<std::string>& labels) {
  Dataset data(DataKind::series);
  for (const std::string& label : labels) add(data, filled(1, 3, 0.0), label, label);
  return data;
}

std::vector<int> labels_of(const Dataset& data) {
  std::vector<int> labels;
  for (std::int64_t i = 0; i < data.size(); ++i) labels.push_back(data.label(i));
  return labels;
}

using Names = std::vector<std::string>;
using Labels = std::vector<int>;

TEST(CanonicalLabel, IsOneSpelling_WhenNumbersAreEqual) {
  for (const char* text : {"1", "1.0", "+1", "1.0000000e+00", " 1 ", "01"})
    EXPECT_EQ(canonical_label(text), "1") << text;
  EXPECT_EQ(canonical_label("-1.0"), "-1");
  EXPECT_EQ(canonical_label("-0.0"), "0");
  EXPECT_EQ(canonical_label("1e6"), "1000000");
  EXPECT_EQ(canonical_label("2.50"), "2.5");
}

TEST(CanonicalLabel, KeepsText_WhenNotAPlainNumber) {
  for (const char* text : {"walk", "1a", "nan", "inf", "+", "1e999", "--1", "0x10"})
    EXPECT_EQ(canonical_label(text), text);
  EXPECT_EQ(canonical_label("\t left arm "), "left arm");
}

TEST(CanonicalLabel, KeepsIdsApart_WhenBeyondDoubles) {
  EXPECT_NE(canonical_label("9007199254740993"), canonical_label("9007199254740992"));
}

TEST(Dataset, ClassesAreByValue_WhenAllAreNumbers) {
  EXPECT_EQ(with_labels({"10", "9", "-1", "1.0", "1"}).classes(), (Names{"-1", "1", "9", "10"}));
}

TEST(Dataset, ClassesAreByText_WhenOneIsNot) {
  EXPECT_EQ(with_labels({"10", "9", "a", "-1"}).classes(), (Names{"-1", "10", "9", "a"}));
}

TEST(Dataset, LabelsStayRight_WhenClassesMove) {
  const Dataset data = with_labels({"10", "9", "10", "a", "-1", "9", "B"});
  const Names expected = {"10", "9", "10", "a", "-1", "9", "B"};
  for (std::int64_t i = 0; i < data.size(); ++i) {
    EXPECT_EQ(data.classes()[static_cast<std::size_t>(data.label(i))], expected[static_cast<std::size_t>(i)]);
  }
}

TEST(Dataset, LabelsAreUnlabelled_WhenEmpty) {
  const Dataset data = with_labels({"b", "", "a", "  "});
  EXPECT_EQ(labels_of(data), (Labels{1, kUnlabelled, 0, kUnlabelled}));
  EXPECT_EQ(data.classes(), (Names{"a", "b"}));
}

TEST(Dataset, AddKeepsValuesAndNames_WhenSizesDiffer) {
  Dataset data(DataKind::bags, "some.csv");
  Matrix first(2, 3);
  first << 1, 2, 3, 4, 5, 6;
  add(data, first, "1", "one");
  add(data, filled(1, 3, 7.0), "0", "two");
  EXPECT_EQ(data.size(), 2);
  EXPECT_EQ(data.source(), "some.csv");
  EXPECT_EQ(Matrix(mapped(data.values(0))), first);
  EXPECT_EQ(Matrix(mapped(data.values(1))), filled(1, 3, 7.0));
  EXPECT_EQ(data.name(1), "two");
  EXPECT_EQ(data.width(), 3);
  EXPECT_EQ(data.min_length(), 1);
  EXPECT_EQ(data.max_length(), 2);
}

TEST(Dataset, WidthIsChannels_WhenSeries) {
  Dataset data(DataKind::series);
  add(data, filled(2, 5, 0.0), "", "a");
  add(data, filled(2, 9, 0.0), "", "b");
  EXPECT_EQ(data.width(), 2);
  EXPECT_EQ(data.min_length(), 5);
  EXPECT_EQ(data.max_length(), 9);
}

TEST(Dataset, SizesAreZero_WhenEmpty) {
  const Dataset data(DataKind::series);
  EXPECT_EQ(data.size() + data.width() + data.min_length() + data.max_length(), 0);
}

TEST(Dataset, AddThrows_WhenShapeIsWrong) {
  Dataset bags(DataKind::bags, "b.csv");
  EXPECT_THROW(add(bags, Matrix(0, 3), "1", "x"), InvalidInput);
  EXPECT_THROW(add(bags, Matrix(3, 0), "1", "x"), InvalidInput);
  add(bags, filled(4, 3, 0.0), "1", "x");
  try {
    add(bags, filled(4, 2, 0.0), "2", "y");
    ADD_FAILURE() << "accepted two features after three";
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "b.csv: example 'y' has 2 features, the first has 3");
  }
  EXPECT_EQ(bags.size(), 1);
  EXPECT_EQ(bags.classes(), Names{"1"}) << "a refused example must leave no class behind";

  Dataset series(DataKind::series);
  add(series, filled(1, 5, 0.0), "1", "x");
  EXPECT_THROW(add(series, filled(2, 5, 0.0), "1", "y"), InvalidInput);
}

TEST(Dataset, SubsetKeepsClasses_WhenOneIsAbsent) {
  Dataset data = with_labels({"a", "b", "c", ""});
  const Dataset part = data.subset({2, 3, 2});
  EXPECT_EQ(part.classes(), data.classes());
  EXPECT_EQ(labels_of(part), (Labels{2, kUnlabelled, 2}));
  EXPECT_EQ(part.name(0), "c");
  EXPECT_EQ(data.subset({}).size(), 0);
}

TEST(Dataset, SubsetOwnsItsValues_WhenTheWholeGoesAway) {
  Dataset part(DataKind::bags);
  {
    Dataset data(DataKind::bags);
    add(data, filled(2, 2, 1.0), "a", "a");
    add(data, filled(3, 2, 2.0), "b", "b");
    part = data.subset({1, 0});
  }
  EXPECT_EQ(Matrix(mapped(part.values(0))), filled(3, 2, 2.0));
  EXPECT_EQ(Matrix(mapped(part.values(1))), filled(2, 2, 1.0));
}

TEST(Dataset, SubsetTakesNewExamples_WhenAddedTo) {
  Dataset part = with_labels({"2", "10"}).subset({1});
  add(part, filled(1, 3, 0.0), "5", "new");
  EXPECT_EQ(part.classes(), (Names{"2", "5", "10"}));
  EXPECT_EQ(labels_of(part), (Labels{2, 1}));

  Dataset words = with_labels({"a", "10", "9"}).subset({0});
  add(words, filled(1, 3, 0.0), "9", "known");
  add(words, filled(1, 3, 0.0), "10", "known");
  EXPECT_EQ(words.classes(), (Names{"10", "9", "a"})) << "the order by text must survive the cut";
}

TEST(Dataset, SubsetThrows_WhenIndexIsOutside) {
  const Dataset data = with_labels({"a", "b"});
  EXPECT_THROW((void)data.subset({0, 2}), InvalidInput);
  EXPECT_THROW((void)data.subset({-1}), InvalidInput);
}

TEST(DataKind, RoundTripsText) {
  for (const DataKind kind : {DataKind::bags, DataKind::series, DataKind::sequences})
    EXPECT_EQ(parse<DataKind>(to_string(kind)), kind);
  EXPECT_EQ(to_string(DataKind::sequences), "sequences");
  EXPECT_EQ(examples::sentence([] { (void)parse<DataKind>("bag"); }),
            "kind: expected bags, series or sequences, found 'bag'");
}

TEST(Sequence, IsItsBytes_WhenThereAndBack) {
  std::string all;
  for (int code = 0; code < 256; ++code) all += static_cast<char>(code);
  Dataset data(DataKind::sequences);
  data.add(sequence_values(all), "a", "all");
  data.add(sequence_values("Ac"), "b", "short");
  EXPECT_EQ(sequence_text(data.values(0).row(0)), all);
  EXPECT_EQ(data.values(0)(0, 255), 255.0) << "bytes are unsigned";
  EXPECT_EQ(data.values(1)(0, 0), 65.0);
  EXPECT_EQ(data.width(), 1);
  EXPECT_EQ(data.min_length(), 2);
  EXPECT_EQ(data.max_length(), 256);
}

TEST(Sequence, AddThrows_WhenValuesAreNoCodes) {
  const auto fault = [](const ArrayView& values) {
    return examples::sentence([&] { Dataset(DataKind::sequences, "s.tab").add(values, "a", "x"); });
  };
  std::vector<double> values = sequence_values("ACGT");
  values[2] = 256.0;
  EXPECT_EQ(fault(values), "s.tab: example 'x' has 256 at place 3, expected a code from 0 to 255");
  values[2] = 0.5;
  EXPECT_EQ(fault(values), "s.tab: example 'x' has 0.5 at place 3, expected a code from 0 to 255");
  values[2] = -1.0;
  EXPECT_EQ(fault(values), "s.tab: example 'x' has -1 at place 3, expected a code from 0 to 255");
  values[2] = std::nan("");
  EXPECT_EQ(fault(values), "s.tab: example 'x' has nan at place 3, expected a code from 0 to 255");
  EXPECT_EQ(fault(viewed(filled(2, 3, 65.0))), "s.tab: example 'x' has 2 rows, expected one");
}

TEST(Dataset, BorrowCopiesNothing_AndSubsetsBorrowToo) {
  const std::vector<double> memory{1.0, 2.0, 3.0, std::nan("")};
  Dataset data(DataKind::series);
  data.borrow(ArrayView(memory.data(), 1, 2), "a", "first");
  add(data, Matrix::Constant(1, 3, 7.0), "b", "own");
  data.borrow(ArrayView(memory.data() + 2, 1, 2), "a", "last");
  EXPECT_EQ(data.values(0).data(), memory.data());
  EXPECT_EQ(data.values(1)(0, 2), 7.0);
  EXPECT_TRUE(data.has_missing());
  const Dataset part = data.subset({1, 0});
  EXPECT_EQ(part.values(1).data(), memory.data());
  EXPECT_NE(part.values(0).data(), data.values(1).data());
  EXPECT_EQ(part.values(0)(0, 0), 7.0);
  EXPECT_FALSE(part.has_missing());
  EXPECT_THROW(data.borrow(ArrayView(memory.data(), 2, 2), "a", "wide"), InvalidInput);
}

TEST(Dataset, HasMissing_WhenAValueIsNaN) {
  Dataset data(DataKind::series);
  add(data, filled(1, 3, 0.0), "a", "1");
  EXPECT_FALSE(data.has_missing());
  Matrix gap = filled(1, 3, 0.0);
  gap(0, 1) = std::nan("");
  add(data, gap, "a", "2");
  EXPECT_TRUE(data.has_missing());
  EXPECT_FALSE(data.subset({0}).has_missing());
}

TEST(Dataset, HoldsBagsWithoutTheirZeros) {
  const Dataset full = examples::mostly_zeros(5, 7, 2);
  const Dataset data = examples::without_zeros(full);
  EXPECT_TRUE(data.is_sparse());
  EXPECT_FALSE(full.is_sparse());
  EXPECT_EQ(data.width(), 7);
  EXPECT_EQ(data.classes(), full.classes());
  EXPECT_FALSE(data.has_missing());
  const Dataset some = data.subset({3, 0, 3});
  for (std::int64_t i = 0; i < full.size(); ++i) {
    ASSERT_EQ(data.rows(i), full.rows(i));
    std::int64_t held = 0;
    for (std::int64_t r = 0; r < full.rows(i); ++r) {
      for (std::int64_t f = 0; f < 7; ++f) {
        EXPECT_EQ(data.number(i, r, f), full.number(i, r, f));
        held += full.number(i, r, f) != 0.0 ? 1 : 0;
        EXPECT_TRUE(i != 3 || some.number(2, r, f) == full.number(3, r, f));
      }
    }
    EXPECT_EQ(data.numbers(i), held);
  }
  for (const Dataset& both : {full, data}) {
    EXPECT_EQ(both.with_width(9).width(), 9);
    EXPECT_EQ(both.with_width(9).number(0, 0, 8), 0.0);
    EXPECT_EQ(both.with_width(9).number(0, 0, 0), 4.0);
    EXPECT_EQ(both.with_width(1).number(0, 0, 0), 4.0);
    EXPECT_EQ(both.with_width(1).label(1), full.label(1));
    const Dataset wide = both.with_width(16'777'216);  // 134 MB a row with its zeros
    EXPECT_TRUE(wide.is_sparse());
    EXPECT_EQ(wide.width(), 16'777'216);
    for (std::int64_t i = 0; i < full.size(); ++i) {
      ASSERT_EQ(wide.rows(i), full.rows(i));
      EXPECT_EQ(wide.label(i), full.label(i));
      for (std::int64_t r = 0; r < full.rows(i); ++r) {
        for (std::int64_t f = 0; f < 7; ++f) EXPECT_EQ(wide.number(i, r, f), full.number(i, r, f));
      }
    }
  }
}

TEST(Dataset, TakesOnTheClassesOfTheWhole) {
  Dataset part(DataKind::series, "part");
  for (const char* label : {"9", "", "10"}) add(part, Matrix::Ones(1, 2), label, label);
  part.set_weights({1, 2, 3});
  const Dataset same = part.with_classes({"2", "9", "10"});
  EXPECT_EQ(same.classes(), (std::vector<std::string>{"2", "9", "10"}));
  EXPECT_EQ(same.label(0), 1);
  EXPECT_EQ(same.label(1), kUnlabelled);
  EXPECT_EQ(same.label(2), 2);
  EXPECT_EQ(same.weight(2), 3.0);
  EXPECT_EQ(examples::sentence([&] {
              (void)part.with_classes({"2", "9"});
            }),
            "part: label '10' is none of the classes");
}

TEST(Dataset, Complains_WhenZerosAreLeftOutWrongly) {
  const std::vector<std::int64_t> starts{0, 2};
  const std::vector<double> values{1.0, 2.0};
  const auto adding = [&](DataKind kind, std::vector<std::int32_t> columns, bool first_is_full) {
    return examples::sentence([&] {
      Dataset data(kind);
      if (first_is_full) add(data, filled(1, 3, 1.0), "a", "0");
      data.add(SparseView(starts, columns.data(), values.data(), 3), "a", "1");
    });
  };
  EXPECT_EQ(adding(DataKind::bags, {0, 2}, false), "nothing was thrown");
  EXPECT_EQ(adding(DataKind::bags, {0, 3}, false),
            "example '1' has column 3 behind 0 in row 0, expected rising columns below 3");
  EXPECT_EQ(adding(DataKind::bags, {1, 1}, false),
            "example '1' has column 1 behind 1 in row 0, expected rising columns below 3");
  EXPECT_EQ(adding(DataKind::series, {0, 2}, false),
            "example '1' has no zeros, which only those of bags may lack");
  EXPECT_EQ(adding(DataKind::bags, {0, 2}, true), "example '1' has no zeros, the first has all of them");
  EXPECT_EQ(
      examples::sentence([] { (void)examples::without_zeros(examples::mostly_zeros(2, 3, 1)).values(0); }),
      "example '0' has no zeros, which are needed here: give it in another format");
}

}  // namespace
}  // namespace shapeboost
