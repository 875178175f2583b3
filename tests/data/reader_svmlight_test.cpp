// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "ground/matrix.hpp"
#include "shapeboost/files.hpp"
#include "support/data_checks.hpp"

namespace shapeboost {
namespace {

using examples::complaint;
using examples::label_of;
using examples::row;

TEST(Svmlight, ReadsBags_ByQid) {
  const Dataset data =
      parse_dataset("# about\n+1 qid:3 1:0.5 4:1.2 # a comment\n-1\tqid:7  2:-1\n1.0 qid:3\n", "x.svm");
  ASSERT_EQ(data.size(), 2);
  EXPECT_EQ(data.kind(), DataKind::bags);
  EXPECT_EQ(data.name(0), "3");
  EXPECT_EQ(data.name(1), "7");
  EXPECT_EQ(label_of(data, 0), "1");
  EXPECT_EQ(label_of(data, 1), "-1");
  Matrix expected(2, 4);
  expected << 0.5, 0, 0, 1.2, 0, 0, 0, 0;
  EXPECT_EQ(Matrix(mapped(data.values(0))), expected);
  EXPECT_EQ(Matrix(mapped(data.values(1))), row({0, -1, 0, 0}));
}

TEST(Svmlight, EveryLineIsABag_WithoutQid) {
  const Dataset data = parse_dataset("a 2:3\nb 1:1\n? 1:2\n", "x.svm");
  ASSERT_EQ(data.size(), 3);
  EXPECT_EQ(data.name(2), "3");
  EXPECT_EQ(data.label(2), kUnlabelled);
  EXPECT_EQ(Matrix(mapped(data.values(0))), row({0, 3}));
  EXPECT_EQ(Matrix(mapped(data.values(1))), row({1, 0}));
}

TEST(Svmlight, Complains_WhenALineIsWrong) {
  const auto second = [](const std::string& line) {
    return complaint("1 1:2\n" + line + "\n", Format::svmlight);
  };
  const std::string pair = "expected a feature's number, from 1 on, a colon and its value, found ";
  EXPECT_EQ(second("1 0:5"), "x.csv, line 2, column 2: " + pair + "'0:5'");
  EXPECT_EQ(second("1 1:5 2"), "x.csv, line 2, column 3: " + pair + "'2'");
  EXPECT_EQ(second("1 -1:5"), "x.csv, line 2, column 2: " + pair + "'-1:5'");
  EXPECT_EQ(second("1 1e3:5"), "x.csv, line 2, column 2: " + pair + "'1e3:5'");
  EXPECT_EQ(second("1 99999999999:5"), "x.csv, line 2, column 2: " + pair + "'99999999999:5'");
  EXPECT_EQ(second("1 :5"), "x.csv, line 2, column 2: " + pair + "':5'");
  EXPECT_EQ(second("1 3:1 2:5"),
            "x.csv, line 2, column 3: feature 2 comes after feature 3, expected rising numbers");
  EXPECT_EQ(second("1 2:5 2:5"),
            "x.csv, line 2, column 3: feature 2 comes after feature 2, expected rising numbers");
  EXPECT_EQ(second("1 1:x"), "x.csv, line 2, column 2: expected a finite number, found 'x'");
  EXPECT_EQ(second("1 1:nan"), "x.csv, line 2, column 2: expected a finite number, found 'nan'");
  EXPECT_EQ(second("1 1:"), "x.csv, line 2, column 2: expected a finite number, found an empty field");
  EXPECT_EQ(second("1 qid: 1:2"), "x.csv, line 2, column 2: expected a bag behind 'qid:', found nothing");
  EXPECT_EQ(second("1 qid:1 1:2"), "x.csv: line 2 has a qid, line 1 has none");
}

TEST(Svmlight, Complains_WhenLinesDisagree) {
  EXPECT_EQ(complaint("1 qid:1 1:2\n1 1:2\n"), "x.csv: line 2 has no qid, line 1 has one");
  EXPECT_EQ(complaint("1 qid:5 1:2\n0 qid:5 1:2\n"),
            "x.csv: bag '5' has label '1' in line 1 and label '0' in line 2");
  EXPECT_EQ(complaint("1 qid:1\n0 qid:2\n"), "x.csv: no line has a feature");
  EXPECT_EQ(complaint("# nothing\n", Format::svmlight), "x.csv: only comments and no data");
  EXPECT_EQ(complaint("1 2000000000:1\n"),
            "x.csv: expected at most 1048576 features, found number 2000000000");
}

TEST(Svmlight, LeavesZerosOut_WhereFeaturesAreMany) {
  const std::string text = "1 qid:2 1:0.5 100000:2\n0 qid:7 7:1 8:0\n1 qid:2 3:-1\n";
  const Dataset data = parse_dataset(text, "x.svm");
  ASSERT_TRUE(data.is_sparse());
  EXPECT_TRUE(data.open_width());
  EXPECT_EQ(data.width(), 100000);
  ASSERT_EQ(data.size(), 2);
  EXPECT_EQ(data.rows(0), 2);
  EXPECT_EQ(data.number(0, 0, 0), 0.5);
  EXPECT_EQ(data.number(0, 0, 99999), 2.0);
  EXPECT_EQ(data.number(0, 1, 2), -1.0);
  EXPECT_EQ(data.numbers(1), 1) << "a zero that is written is none";
  EXPECT_FALSE(parse_dataset("1 999:1\n", "x.svm").is_sparse());
  EXPECT_TRUE(parse_dataset("1 1000:1\n", "x.svm").is_sparse());
  EXPECT_TRUE(parse_dataset("1 2:1\n", "x.svm").open_width());
}

}  // namespace
}  // namespace shapeboost
