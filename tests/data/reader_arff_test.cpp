// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "ground/matrix.hpp"
#include "shapeboost/files.hpp"
#include "support/data_checks.hpp"

namespace shapeboost {
namespace {

using examples::kNaN;
using examples::label_of;
using examples::row;
using examples::same_values;
using Names = std::vector<std::string>;

std::string arff_complaint(const std::string& text) {
  return examples::complaint(text, Format::automatic, "x.arff");
}

const std::string kPlain =
    "% about\n@RELATION 'some name'\n@attribute t0 REAL\n@attribute \"t 1\" numeric\n@attribute t2 integer\n"
    "@attribute target {1,2}\n@DATA\n";
const std::string kBags =
    "@relation musk\n@attribute molecule {m1,'m 2'}\n@attribute bag relational\n  @attribute f1 numeric\n"
    "  @attribute f2 numeric\n@end bag\n@attribute class {0,1}\n@data\n";
const std::string kChannels =
    "@relation motions\n@attribute channels relational\n@attribute t0 numeric\n@attribute t1 numeric\n"
    "@attribute t2 numeric\n@end channels\n@attribute activity {walk,'sit still'}\n@data\n";

TEST(Arff, ReadsSeries_WhenAttributesAreNumbers) {
  const Dataset data =
      parse_dataset(kPlain + "1,2,3,1\n% between\n4 , '5',\"6\" , '2'\n\n7,8,9,?\n", "x.arff");
  ASSERT_EQ(data.size(), 3);
  EXPECT_EQ(data.kind(), DataKind::series);
  EXPECT_EQ(data.classes(), (Names{"1", "2"}));
  EXPECT_EQ(label_of(data, 1), "2");
  EXPECT_EQ(data.label(2), kUnlabelled);
  EXPECT_EQ(Matrix(mapped(data.values(0))), row({1, 2, 3}));
  EXPECT_EQ(Matrix(mapped(data.values(1))), row({4, 5, 6}));
  EXPECT_EQ(data.name(1), "2");
}

TEST(Arff, ReadsSparseRows_WithZerosAndTheFirstClass) {
  const Dataset data = parse_dataset(kPlain + "{0 1.5, 2 ?, 1 7, 3 2}\n{1 5}\n{}\n", "x.arff");
  EXPECT_TRUE(same_values(mapped(data.values(0)), row({1.5, 7}))) << "missing at the end fills up";
  EXPECT_EQ(label_of(data, 0), "2");
  EXPECT_TRUE(same_values(mapped(data.values(1)), row({0, 5, 0})));
  EXPECT_EQ(label_of(data, 1), "1") << "left out: the first of the attribute's values";
  EXPECT_TRUE(same_values(mapped(data.values(2)), row({0, 0, 0})));
}

TEST(Arff, ReadsMissing_AsNaNUnlessItFillsUp) {
  const Dataset data = parse_dataset(kPlain + "?,2,3,1\n1,NaN,3,1\n1,?,?,2\n", "x.arff");
  EXPECT_TRUE(same_values(mapped(data.values(0)), row({kNaN, 2, 3})));
  EXPECT_TRUE(same_values(mapped(data.values(1)), row({1, kNaN, 3})));
  EXPECT_TRUE(same_values(mapped(data.values(2)), row({1})));
}

TEST(Arff, FindsTheClass_ByNameThenByPlace) {
  const Dataset first =
      parse_dataset("@relation r\n@attribute Class {a,b}\n@attribute x real\n@data\nb,5\n", "x.arff");
  EXPECT_EQ(label_of(first, 0), "b");
  EXPECT_EQ(Matrix(mapped(first.values(0))), row({5}));
  const Dataset numbers =
      parse_dataset("@relation r\n@attribute label numeric\n@attribute x real\n@data\n3,5\n", "x.arff");
  EXPECT_EQ(label_of(numbers, 0), "3");
  const Dataset text =
      parse_dataset("@relation r\n@attribute x real\n@attribute kind string\n@data\n5,'it\\'s'\n", "x.arff");
  EXPECT_EQ(label_of(text, 0), "it's");
}

TEST(Arff, ReadsBags_WhenThereIsAnId) {
  const Dataset data =
      parse_dataset(kBags + "m1,'1,2\\n3,4\\n',1\n'm 2',\"5,6\",0\n'm 2','{1 7}\\n{}',?\n", "x.arff");
  ASSERT_EQ(data.size(), 3);
  EXPECT_EQ(data.kind(), DataKind::bags);
  EXPECT_EQ(data.name(1), "m 2");
  EXPECT_EQ(label_of(data, 0), "1");
  EXPECT_EQ(data.label(2), kUnlabelled);
  Matrix expected(2, 2);
  expected << 1, 2, 3, 4;
  EXPECT_EQ(Matrix(mapped(data.values(0))), expected);
  EXPECT_EQ(Matrix(mapped(data.values(1))), row({5, 6}));
  expected << 0, 7, 0, 0;
  EXPECT_EQ(Matrix(mapped(data.values(2))), expected);
}

TEST(Arff, ReadsChannels_WhenThereIsNoId) {
  const Dataset data =
      parse_dataset(kChannels + "'1,2,3\\n4,?,6','sit still'\n'1,2,?\\n?,4,?',walk\n", "x.arff");
  EXPECT_EQ(data.kind(), DataKind::series);
  EXPECT_EQ(data.width(), 2);
  EXPECT_EQ(data.classes(), (Names{"sit still", "walk"}));
  Matrix expected(2, 3);
  expected << 1, 2, 3, 4, kNaN, 6;
  EXPECT_TRUE(same_values(mapped(data.values(0)), expected));
  Matrix shorter(2, 2);
  shorter << 1, 2, kNaN, 4;
  EXPECT_TRUE(same_values(mapped(data.values(1)), shorter)) << "what is missing in every channel fills up";
}

TEST(Arff, Complains_WhenHeadIsWrong) {
  EXPECT_EQ(arff_complaint(
                "@relation r\n@attribute a {x,y}\n@attribute b real\n@attribute class {p}\n@data\nx,1,p\n"),
            "x.arff: the attribute 'a' is nominal; only numeric features are read (numeric, real, integer)");
  EXPECT_EQ(arff_complaint("@relation r\n@attribute a date\n@attribute class {p}\n@data\n"),
            "x.arff: the attribute 'a' is date; only numeric features are read (numeric, real, integer)");
  EXPECT_EQ(
      arff_complaint("@relation r\n@attribute a real\n@attribute b real\n@data\n1,2\n"),
      "x.arff: expected a class: a nominal attribute called class, label or target, or the last one; the "
      "last, 'b', is real");
  EXPECT_EQ(arff_complaint("@relation r\n@attribute a real\n@attribute class {p,q\n@data\n"),
            "x.arff, line 3: the values of 'class' do not end with '}'");
  EXPECT_EQ(arff_complaint("@relation r\n@attribute a\n"),
            "x.arff, line 2: expected a type behind the attribute 'a', found nothing");
  EXPECT_EQ(arff_complaint("@relation r\nsomething\n"),
            "x.arff, line 2: expected '@attribute' or '@data', found 'something'");
  EXPECT_EQ(arff_complaint("@relation r\n@attribute a real\n"),
            "x.arff: expected '@data', found the end of the file");
  EXPECT_EQ(arff_complaint("@relation r\n@data\n"), "x.arff: expected attributes before '@data', found none");
  EXPECT_EQ(arff_complaint("@relation r\n@attribute class {a}\n@data\na\n"),
            "x.arff: expected numeric attributes and a class, found only a class");
  EXPECT_EQ(arff_complaint(kPlain), "x.arff: no data after '@data'");
}

TEST(Arff, Complains_WhenTheRelationalPartIsWrong) {
  EXPECT_EQ(arff_complaint("@relation r\n@attribute b relational\n@attribute f real\n@data\n"),
            "x.arff, line 4: expected '@end b' before '@data'");
  EXPECT_EQ(arff_complaint("@relation r\n@attribute b relational\n@attribute c relational\n"),
            "x.arff, line 3: a relational attribute within another cannot be read");
  EXPECT_EQ(arff_complaint("@relation r\n@end b\n"),
            "x.arff, line 2: '@end' without a relational attribute that it ends");
  EXPECT_EQ(
      arff_complaint(
          "@relation r\n@attribute b relational\n@attribute f {x}\n@end b\n@attribute class {a}\n@data\n"),
      "x.arff: the attribute 'f' is nominal; only numeric features are read (numeric, real, integer)");
  EXPECT_EQ(arff_complaint("@relation r\n@attribute b relational\n@end b\n@attribute class {a}\n@data\n"),
            "x.arff: the relational attribute 'b' is empty");
  EXPECT_EQ(
      arff_complaint(
          "@relation r\n@attribute i {a}\n@attribute j {a}\n@attribute b relational\n@attribute f real\n"
          "@end b\n@attribute class {a}\n@data\n"),
      "x.arff: expected an id, a relational attribute and a class (bags), or a relational attribute and a "
      "class (series of several channels), found 4 attributes");
  EXPECT_EQ(arff_complaint(kBags + "m1,'1,2\\n3,x',1\n"),
            "x.arff, line 9, instance 2, column 2: expected a finite number, found 'x'");
  EXPECT_EQ(arff_complaint(kBags + "m1,'1,2\\n3,?',1\n"),
            "x.arff, line 9, instance 2, column 2: expected a finite number, found '?'")
      << "a bag has no missing values";
  EXPECT_EQ(arff_complaint(kBags + "m1,'1,2\\n3',1\n"),
            "x.arff, line 9, instance 2: found 1 values, expected 2");
  EXPECT_EQ(arff_complaint(kBags + "m1,'',1\n"), "x.arff, line 9: the relational value is empty");
  EXPECT_EQ(arff_complaint(kBags + "?,'1,2',1\n"), "x.arff, line 9: the bag's id is missing");
  EXPECT_EQ(arff_complaint(kChannels + "'1,2,3\\n4,5,6',walk\n'1,2,3',walk\n"),
            "x.arff, line 10: found 1 channels, the first series has 2");
  EXPECT_EQ(arff_complaint(kChannels + "'?,?,?\\n?,?,?',walk\n"),
            "x.arff, line 9: every value of the series is missing");
}

TEST(Arff, Complains_WhenAShortFileStandsForTooManyNumbers) {
  constexpr int kMany = 2600;
  std::string text = "@relation r\n";
  for (int k = 0; k < kMany; ++k) text += "@attribute a" + std::to_string(k) + " real\n";
  text += "@attribute class {x,y}\n@data\n";
  const std::string head = text;
  for (int k = 0; k < kMany; ++k) text += "{}\n";
  const std::string told = arff_complaint(text);
  EXPECT_TRUE(told.ends_with(" numbers, too many for a file of this size")) << told;
  EXPECT_EQ(parse_dataset(head + "{}\n{0 1, 2600 y}\n", "x.arff").size(), 2);
}

TEST(Arff, Complains_WhenARowIsWrong) {
  EXPECT_EQ(arff_complaint(kPlain + "1,2,1\n"), "x.arff, line 8: found 3 values, expected 4");
  EXPECT_EQ(arff_complaint(kPlain + "1,x,3,1\n"),
            "x.arff, line 8, column 2: expected a finite number, found 'x'");
  EXPECT_EQ(arff_complaint(kPlain + "1,inf,3,1\n"),
            "x.arff, line 8, column 2: expected a finite number, found 'inf'");
  EXPECT_EQ(arff_complaint(kPlain + "1,2,3,4\n"),
            "x.arff, line 8: the label '4' is not one of the attribute 'target': 1, 2");
  EXPECT_EQ(arff_complaint("@relation r\n@attribute a real\n@attribute class {'a\\nb'}\n@data\n1,c\n"),
            "x.arff, line 5: the label 'c' is not one of the attribute 'class': a.b")
      << "a sentence stays on its line";
  EXPECT_EQ(arff_complaint(kPlain + "1,2,3,'1\n"), "x.arff, line 8: a quote is opened but not closed");
  EXPECT_EQ(arff_complaint(kPlain + "1,2,'3'5,1\n"), "x.arff, line 8: expected a comma, found '5,1'");
  EXPECT_EQ(arff_complaint(kPlain + "{0 1, 4 2}\n"),
            "x.arff, line 8: expected an attribute's number from 0 to 3, found '4'");
  EXPECT_EQ(arff_complaint(kPlain + "{0 1\n"),
            "x.arff, line 8: a sparse row begins with '{' but does not end with '}'");
  EXPECT_EQ(arff_complaint(kPlain + "?,?,?,1\n"), "x.arff, line 8: every value of the series is missing");
}

}  // namespace
}  // namespace shapeboost
