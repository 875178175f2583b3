// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "ground/matrix.hpp"
#include "shapeboost/files.hpp"
#include "support/data_checks.hpp"

namespace shapeboost {
namespace {

using examples::complaint;
using examples::kNaN;
using examples::label_of;
using examples::row;
using examples::same_values;
using Names = std::vector<std::string>;

const std::string kHead = "# about\n@problemName Demo\n@timeStamps false\n@classLabel true up down\n";

TEST(Ts, ReadsChannelsAndLengths_WhenTheyDiffer) {
  const Dataset data = parse_dataset(kHead + "@data\n1,2,3:4,5,6:up\n7,8:9,10:down\n1:2:?\n", "x.ts");
  ASSERT_EQ(data.size(), 3);
  EXPECT_EQ(data.kind(), DataKind::series);
  EXPECT_EQ(data.width(), 2);
  EXPECT_EQ(data.min_length(), 1);
  EXPECT_EQ(data.max_length(), 3);
  EXPECT_EQ(label_of(data, 0), "up");
  EXPECT_EQ(data.label(2), kUnlabelled);
  Matrix expected(2, 2);
  expected << 7, 8, 9, 10;
  EXPECT_EQ(Matrix(mapped(data.values(1))), expected);
}

TEST(Ts, ReadsHead_WhenSpelledFreely) {
  const Dataset data = parse_dataset(
      "@PROBLEMNAME a b\r\n@missing true\n@Univariate TRUE\n@equalLength true\n@seriesLength 2\n@frequency "
      "10\n"
      "@classLabel true 1 2\n@DATA\n# between\n1,2:1.0\n3,4:2\n",
      "x.ts");
  EXPECT_EQ(data.classes(), (Names{"1", "2"}));
}

TEST(Ts, ReadsUnlabelled_WhenClassLabelIsFalse) {
  const Dataset data = parse_dataset("@classLabel false\n@data\n1,2:3,4\n", "x.ts");
  EXPECT_EQ(data.width(), 2);
  EXPECT_EQ(data.label(0), kUnlabelled);
  EXPECT_TRUE(data.classes().empty());
}

TEST(Ts, ReadsNaN_WhenAValueIsMissing) {
  const Dataset data = parse_dataset(kHead + "@data\nNaN,2,?:3,,4:up\n1:?:down\n", "x.ts");
  Matrix expected(2, 3);
  expected << kNaN, 2, kNaN, 3, kNaN, 4;
  EXPECT_TRUE(same_values(mapped(data.values(0)), expected)) << "missing at the end stays";
  EXPECT_TRUE(same_values(mapped(data.values(1)), row({1, kNaN}).transpose()))
      << "one channel may be missing";
  EXPECT_EQ(complaint(kHead + "@data\n?,?:NaN,:up\n"), "x.csv, line 6: every value of the series is missing");
}

TEST(Ts, Complains_WhenNotSupportedYet) {
  EXPECT_EQ(complaint("@timeStamps true\n"), "x.csv, line 1: series with time stamps are not supported yet");
  EXPECT_EQ(complaint("@targetLabel true\n"),
            "x.csv, line 1: the labels are numbers to regress on, expected classes");
}

TEST(Ts, Complains_WhenHeadIsIncomplete) {
  EXPECT_EQ(complaint("# only\n# comments\n"), "x.csv: expected '@data', found the end of the file");
  EXPECT_EQ(complaint(kHead), "x.csv: expected '@data', found the end of the file");
  EXPECT_EQ(complaint(kHead + "@data\n"), "x.csv: no data after '@data'");
  EXPECT_EQ(complaint("@univariate true\n@data\n1:2\n"),
            "x.csv, line 2: expected '@classLabel' before '@data'");
  EXPECT_EQ(complaint("@classLabel true\n"), "x.csv, line 1: expected the classes after '@classLabel true'");
  EXPECT_EQ(complaint("@classLabel up down\n"),
            "x.csv, line 1: expected true or false after @classLabel, found 'up'");
  EXPECT_EQ(complaint("@dimensions many\n"),
            "x.csv, line 1: expected a positive whole number after @dimensions, found 'many'");
  EXPECT_EQ(complaint(kHead + "1,2:up\n"),
            "x.csv, line 5: expected a line with '@' before the data of a ts file, found '1,2:up'");
}

TEST(Ts, Complains_WhenDataIsWrong) {
  const auto data = [](const std::string& lines, const std::string& tag = "") {
    return complaint(kHead + tag + "@data\n" + lines);
  };
  EXPECT_EQ(data("1,2:left\n"), "x.csv, line 6: the label 'left' is not one of '@classLabel': up, down");
  EXPECT_EQ(data("1,2\n"), "x.csv, line 6: expected values, a colon and the label, found no colon");
  EXPECT_EQ(data("1,x:up\n"), "x.csv, line 6, channel 1, value 2: expected a finite number, found 'x'");
  EXPECT_EQ(data("1,2::up\n"), "x.csv, line 6: channel 2 has 1 values, channel 1 has 2");
  EXPECT_EQ(data("1,inf:up\n"), "x.csv, line 6, channel 1, value 2: expected a finite number, found 'inf'");
  EXPECT_EQ(data("1,2:3:up\n"), "x.csv, line 6: channel 2 has 1 values, channel 1 has 2");
  EXPECT_EQ(data("1:2:up\n1:up\n"), "x.csv: line 7 has 1 channels, line 6 has 2");
  EXPECT_EQ(data("1:2:up\n", "@univariate true\n"),
            "x.csv, line 7: found 2 channels, '@univariate true' means one");
  EXPECT_EQ(data("1:2:up\n", "@dimensions 3\n"), "x.csv, line 7: found 2 channels, '@dimensions' says 3");
  EXPECT_EQ(data("1,2:up\n", "@seriesLength 3\n"), "x.csv, line 7: found 2 values, '@seriesLength' says 3");
  EXPECT_EQ(data("1,2:up\n1:up\n", "@equalLength true\n"),
            "x.csv: line 8 has 1 values, line 7 has 2, but the file says '@equalLength true'");
}

TEST(Ts, Complains_WhenForcedOnAnotherFormat) {
  EXPECT_EQ(complaint("1\t2\n", Format::ts),
            "x.csv, line 1: expected a line with '@' before the data of a ts file, found '1.2'");
}

}  // namespace
}  // namespace shapeboost
