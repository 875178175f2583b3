// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "ground/file.hpp"
#include "ground/matrix.hpp"
#include "shapeboost/files.hpp"
#include "support/data_checks.hpp"
#include "support/examples.hpp"

namespace shapeboost {
namespace {

using examples::label_of;
using examples::row;

const std::string kNames =
    "| about | more\n0,1.   | classes\n\nmolecule_name: MUSK-1,\n  NON-MUSK-2.\nconformation_name: 1_1+1, "
    "1_2+1.\n"
    "f1: continuous.\nf2:  Continuous.\n";
const std::string kData = "MUSK-1,1_1+1,42,-198,1.\nNON-MUSK-2,2_1,1,2,0.\nMUSK-1,1_2+1,0.5, 3 ,1.\n";

class C45Test : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    write_file(folder_ + "/" + name, text);
    return folder_ + "/" + name;
  }
  // The sentence, with the folder taken out.
  [[nodiscard]] std::string complaint(const std::string& names, const std::string& data) const {
    (void)write("m.names", names);
    const std::string path = write("m.data", data);
    std::string text = examples::sentence([&] { (void)read_dataset(path); });
    for (std::size_t at = text.find(folder_ + "/"); at != std::string::npos; at = text.find(folder_ + "/"))
      text.erase(at, folder_.size() + 1);
    return text;
  }

  std::string folder_ = testing::TempDir() + "/shapeboost_c45_" + std::to_string(::getpid());
};

void expect_musk(const Dataset& data) {
  ASSERT_EQ(data.size(), 2);
  EXPECT_EQ(data.kind(), DataKind::bags);
  EXPECT_EQ(data.name(0), "MUSK-1");
  EXPECT_EQ(label_of(data, 0), "1");
  EXPECT_EQ(label_of(data, 1), "0");
  Matrix expected(2, 2);
  expected << 42, -198, 0.5, 3;
  EXPECT_EQ(Matrix(mapped(data.values(0))), expected);
  EXPECT_EQ(Matrix(mapped(data.values(1))), row({1, 2}));
}

TEST_F(C45Test, ReadsBags_WhicheverFileIsNamed) {
  const std::string names = write("m.names", kNames);
  const std::string data = write("m.data", kData);
  expect_musk(read_dataset(data));
  expect_musk(read_dataset(names));
  expect_musk(read_dataset(data, Format::c45));
}

TEST_F(C45Test, ReadsBags_WhenEitherFileIsCompressed) {
  const std::string names = write("m.names.gz", gzip(kNames));
  const std::string data = write("m.data.gz", gzip(kData));
  expect_musk(read_dataset(data));
  expect_musk(read_dataset(names));
}

TEST_F(C45Test, ReadsUnlabelled_AndWordsWithDots) {
  (void)write("m.names", "musk,no.\nid: ignore.\nf1: continuous.\n");
  const Dataset data = read_dataset(write("m.data", "a,1.5,musk.\nb,2.5,?\nc,3,no\n"));
  EXPECT_EQ(label_of(data, 0), "musk");
  EXPECT_EQ(data.label(1), kUnlabelled);
  EXPECT_EQ(label_of(data, 2), "no");
  EXPECT_EQ(data.width(), 1);
}

TEST_F(C45Test, Complains_WhenOneFileIsMissing) {
  const std::string data = write("m.data", kData);
  EXPECT_EQ(examples::sentence([&] { (void)read_dataset(data); }),
            data + ": c45 data needs the file " + folder_ +
                "/m.names beside it, which does not exist; for data in another format, say which");
  EXPECT_EQ(read_dataset(write("series.data", "a 1 2\nb 3 4\n"), Format::ucr).size(), 2);
  const std::string names = write("n.names", kNames);
  EXPECT_EQ(examples::sentence([&] { (void)read_dataset(names); }),
            names + ": c45 data needs the file " + folder_ +
                "/n.data beside it, which does not exist; for data in another format, say which");
  EXPECT_EQ(examples::sentence([&] { (void)read_dataset(folder_ + "/none.data"); }),
            "cannot read " + folder_ + "/none.names: No such file or directory");
  EXPECT_EQ(examples::complaint(kData, Format::c45, "x"),
            "x: c45 data lies in two files, which one text cannot hold");
  EXPECT_EQ(examples::sentence([&] { (void)read_dataset("m.csv", Format::c45); }),
            "m.csv: c45 data lies in two files called something.data and something.names");
}

TEST_F(C45Test, Complains_WhenNamesAreWrong) {
  EXPECT_EQ(complaint("id: ignore.\nf: continuous.\n", kData),
            "m.names: expected the classes as '0,1.' before the columns, found none");
  EXPECT_EQ(complaint("0,1.\nf: continuous.\n", kData),
            "m.names: expected a column for the bag's id, found only continuous ones");
  EXPECT_EQ(complaint("0,1.\nid: ignore.\n", kData),
            "m.names: expected columns as 'f1: continuous.', found none");
  EXPECT_EQ(
      complaint("0,1.\nid: ignore.\nf: continuous.\ncolour: red,green.\n", kData),
      "m.names, line 4: column 'colour' is not continuous, but comes after a feature; expected the bag's "
      "id, perhaps the instance's name, then continuous features");
  EXPECT_EQ(
      complaint("0,1.\na: ignore.\nb: ignore.\nc: x,y.\nf: continuous.\n", kData),
      "m.names, line 4: column 'c' is the third that is not continuous; expected the bag's id, perhaps the "
      "instance's name, then continuous features");
  EXPECT_EQ(complaint("0,1.\nid: ignore.\nf\n", kData),
            "m.names, line 3: expected a column as 'f1: continuous.', found 'f'");
}

TEST_F(C45Test, Complains_WhenDataIsWrong) {
  EXPECT_EQ(complaint(kNames, "a,b,1,2,1.\na,b,1,1.\n"),
            "m.data, line 2: found 4 columns, m.names has 4 and the class");
  EXPECT_EQ(complaint(kNames, "a,b,1,x,1.\n"),
            "m.data, line 1, column 4: expected a finite number, found 'x'");
  EXPECT_EQ(complaint(kNames, "a,b,1,?,1.\n"),
            "m.data, line 1, column 4: expected a finite number, found '?'");
  EXPECT_EQ(complaint(kNames, "a,b,1,2,7.\n"),
            "m.data, line 1: the label '7' is not one of the classes of m.names: 0, 1");
  EXPECT_EQ(complaint(kNames, ",b,1,2,1.\n"), "m.data, line 1, column 1: the bag's id is empty");
  EXPECT_EQ(complaint(kNames, "a,b,1,2,1.\na,c,1,2,0.\n"),
            "m.data: bag 'a' has label '1' in line 1 and label '0' in line 2");
  EXPECT_EQ(complaint(kNames, ""), "m.data: the file is empty");
}

}  // namespace
}  // namespace shapeboost
