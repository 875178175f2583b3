// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "ground/file.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/files.hpp"
#include "shapeboost/synthetic.hpp"
#include "support/data_checks.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"

namespace shapeboost {
namespace {

using examples::expect_same;
using examples::kNaN;
using examples::row;

class WriterTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }

  // Written and read back the same, by its name alone, and compressed too; the text.
  std::string round_trip(const Dataset& data, const std::string& name) const {
    SCOPED_TRACE(name);
    write_dataset(data, path(name));
    expect_same(data, read_dataset(path(name)));
    const std::string text = read_file(path(name));
    write_dataset(data, path(name + ".gz"));
    expect_same(data, read_dataset(path(name + ".gz")));
    EXPECT_TRUE(is_gzip(read_file(path(name + ".gz"))));
    EXPECT_EQ(gunzip(read_file(path(name + ".gz")), name), text);
    write_dataset(read_dataset(path(name)), path(name));
    EXPECT_EQ(read_file(path(name)), text) << "what was read is written the same";
    return text;
  }

  void expect_refusal(const Dataset& data, Format format, const std::string& reason,
                      const std::string& name = "out.data") const {
    EXPECT_EQ(examples::sentence([&] { write_dataset(data, path(name), format); }),
              "cannot write " + path(name) + ": " + reason);
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
  }

  std::string folder_ = testing::TempDir() + "/shapeboost_writer_" + std::to_string(::getpid());
};

Dataset one_series(const std::string& label, double value = 1.0) {
  Dataset data(DataKind::series);
  add(data, Matrix::Constant(1, 2, value), label, "1");
  return data;
}

Dataset one_bag(const std::string& label, const std::string& name, double value = 1.0) {
  Dataset data(DataKind::bags);
  add(data, Matrix::Constant(2, 3, value), label, name);
  return data;
}

Dataset one_sequence(const std::string& label, const std::string& text, const std::string& name = "1") {
  Dataset data(DataKind::sequences);
  data.add(sequence_values(text), label, name);
  return data;
}

// Numbers that only the shortest exact text brings back.
Matrix odd_numbers() {
  return row({0.1, -5e-324, std::numeric_limits<double>::max(), 1.0 / 3.0, 1e22, -0.0, -123456789.0});
}

Dataset odd_series() {
  Dataset data(DataKind::series);
  add(data, odd_numbers(), "left", "1");
  add(data, -odd_numbers(), "", "2");
  add(data, row({kNaN, 1, kNaN, 2}), "right", "3");
  return data;
}

// Two channels, different lengths, values missing.
Dataset channels() {
  Dataset data(DataKind::series);
  Matrix first(2, 3);
  first << 1, kNaN, 3, 4, 5, kNaN;
  add(data, first, "b", "1");
  add(data, odd_numbers().replicate(2, 1), "a", "2");
  add(data, Matrix::Constant(2, 1, -1.5), "", "3");
  return data;
}

Dataset odd_bags(const std::string& first_name, const std::string& second_name) {
  Dataset data(DataKind::bags);
  add(data, odd_numbers().replicate(3, 1), "-1", first_name);
  add(data, Matrix::Zero(2, 7), "1", second_name);
  return data;
}

Dataset sequences() {
  Dataset data(DataKind::sequences);
  data.add(sequence_values("ACgt"), "positive", "1");
  data.add(sequence_values(std::string(150, 'A') + "*-.\xC3\xA9"), "left arm", "2");
  data.add(sequence_values("M"), "", "3");
  return data;
}

// ---- there and back

TEST_F(WriterTest, Ucr_ReadsBack_ToTheLastBit) {
  (void)round_trip(planted_series().data, "planted.tsv");
  (void)round_trip(odd_series(), "odd.tsv");
  (void)round_trip(odd_series(), "odd.csv");
  (void)round_trip(odd_series(), "odd.txt");
  EXPECT_EQ(round_trip(one_series("1", 0.1), "short.tsv"), "1\t0.1\t0.1\n");
  EXPECT_EQ(round_trip(one_series("left arm", 0.1), "short.csv"), "left arm,0.1,0.1\n");
}

TEST_F(WriterTest, Ucr_FillsUp_WhenLengthsDiffer) {
  Dataset data(DataKind::series);
  add(data, row({1}), "a", "1");
  add(data, row({2, kNaN, 3}), "b", "2");
  EXPECT_EQ(round_trip(data, "lengths.tsv"), "a\t1\tNaN\tNaN\nb\t2\tNaN\t3\n");
}

TEST_F(WriterTest, Ts_ReadsBack_ToTheLastBit) {
  (void)round_trip(planted_series().data, "planted.ts");
  (void)round_trip(odd_series(), "odd.ts");
  (void)round_trip(channels(), "channels.ts");
  Dataset open(DataKind::series);
  add(open, row({1, 2, kNaN}), "", "1");
  EXPECT_EQ(round_trip(open, "open.ts"),
            "@problemName data\n@timeStamps false\n@missing true\n@univariate true\n@equalLength true\n"
            "@seriesLength 3\n@classLabel false\n@data\n1,2,?\n");
  Dataset two(DataKind::series);
  add(two, row({1, 2}).replicate(2, 1), "b", "1");
  add(two, row({3}).replicate(2, 1), "a", "2");
  EXPECT_EQ(round_trip(two, "two.ts"),
            "@problemName data\n@timeStamps false\n@missing false\n@univariate false\n@dimensions 2\n"
            "@equalLength false\n@classLabel true a b\n@data\n1,2:1,2:b\n3:3:a\n");
}

TEST_F(WriterTest, Mil_ReadsBack_ToTheLastBit) {
  (void)round_trip(planted_bags({.examples = 10, .length = 5}).data, "planted.csv");
  (void)round_trip(odd_bags("bag 7;x", "y"), "odd.csv");
  (void)round_trip(odd_bags("bag 7", "y"), "odd.tsv");
  EXPECT_EQ(round_trip(one_bag("", "b", 0.5), "short.csv"),
            "bag,label,f1,f2,f3\nb,,0.5,0.5,0.5\nb,,0.5,0.5,0.5\n");
}

TEST_F(WriterTest, Arff_ReadsBack_ToTheLastBit) {
  (void)round_trip(planted_series().data, "series.arff");
  (void)round_trip(odd_series(), "odd.arff");
  (void)round_trip(channels(), "channels.arff");
  (void)round_trip(planted_bags({.examples = 10, .length = 5}).data, "bags.arff");
  (void)round_trip(odd_bags("it's \"odd\", 50 %\\", "\tline\nline"), "names.arff");
  for (const char* const label : {"?", "a,b", "{x}", "% x", "it's", "\"q\"", "@data", "\\n"})
    (void)round_trip(one_series(label), "labels.arff");
  EXPECT_EQ(round_trip(one_bag("y", "b", 0.5), "short.arff"),
            "@relation data\n@attribute bag {b}\n@attribute instances relational\n@attribute f1 numeric\n"
            "@attribute f2 numeric\n@attribute f3 numeric\n@end instances\n@attribute class {y}\n@data\n"
            "b,'0.5,0.5,0.5\\n0.5,0.5,0.5',y\n");
  (void)round_trip(one_series(""), "unlabelled.arff");
}

TEST_F(WriterTest, C45_ReadsBack_ToTheLastBit) {
  (void)round_trip(planted_bags({.examples = 10, .length = 5}).data, "planted.data");
  (void)round_trip(odd_bags("bag 7", "v1.2"), "odd.data");
  Dataset data = one_bag("yes", "b", 0.5);
  add(data, Matrix::Ones(1, 3), "", "c");
  EXPECT_EQ(round_trip(data, "short.data"),
            "b,b_1,0.5,0.5,0.5,yes.\nb,b_2,0.5,0.5,0.5,yes.\nc,c_1,1,1,1,?.\n");
  EXPECT_EQ(read_file(path("short.names")),
            "yes.\nbag: ignore.\ninstance: ignore.\nf1: continuous.\nf2: continuous.\nf3: continuous.\n");
  write_dataset(data, path("named.names"));
  expect_same(data, read_dataset(path("named.data")));
}

TEST_F(WriterTest, Svmlight_ReadsBack_ToTheLastBit) {
  (void)round_trip(odd_bags("12", "7"), "odd.svm");
  (void)round_trip(odd_bags("1", "2"), "odd.libsvm");
  Dataset data(DataKind::bags);
  add(data, row({0, 0, 0}), "", "1");
  add(data, row({-0.0, 0, 0}), "x", "2");
  EXPECT_EQ(round_trip(data, "zeros.svmlight"), "? qid:1 3:0\nx qid:2 1:-0\n");
}

TEST_F(WriterTest, Svmlight_Counts_WhenNamesAreNoNumbers) {
  write_dataset(odd_bags("a", "12"), path("named.svm"));
  const Dataset back = read_dataset(path("named.svm"));
  EXPECT_EQ(back.name(0), "1");
  EXPECT_EQ(back.name(1), "2");
}

TEST_F(WriterTest, Sequences_ReadBack_SymbolForSymbol) {
  (void)round_trip(sequences(), "all.tab");
  (void)round_trip(sequences(), "all.tsv");
  (void)round_trip(sequences(), "all.fasta");
  (void)round_trip(sequences(), "all.fa");
  (void)round_trip(one_sequence("a", "0101"), "bits.tab");
  (void)round_trip(one_sequence("a", "to be, or \"not\""), "words.txt");
  EXPECT_EQ(round_trip(one_sequence("a", "ACGT"), "short.tab"), "a\tACGT\n");
  EXPECT_EQ(round_trip(one_sequence("b", std::string(61, 'A'), "s 1|x"), "short.fa"),
            ">s 1|x label=b\n" + std::string(60, 'A') + "\nA\n");
}

// ---- the name and the format

TEST_F(WriterTest, FormatFor_GoesByEndingAndKind) {
  EXPECT_EQ(format_for("a.tsv", DataKind::series), Format::ucr);
  EXPECT_EQ(format_for("a.CSV.GZ", DataKind::bags), Format::mil);
  EXPECT_EQ(format_for("a.txt", DataKind::sequences), Format::tab);
  EXPECT_EQ(format_for("a.ts.gz", DataKind::bags), Format::ts)
      << "which it cannot hold, as the writer will say";
  EXPECT_EQ(format_for("a.names", DataKind::bags), Format::c45);
  EXPECT_EQ(
      examples::sentence([] { (void)format_for("a.gz", DataKind::bags); }),
      "cannot write a.gz: the name does not tell the format; expected .tsv, .csv, .txt, .ts, .arff, .data, "
      ".names, .svm, .svmlight, .libsvm, .tab, .fasta, .fa (.gz behind it compresses), or a format");
}

TEST_F(WriterTest, Writes_TheFormatAskedFor_WhateverTheName) {
  write_dataset(one_series("a"), path("x.txt"), Format::ts);
  EXPECT_TRUE(read_file(path("x.txt")).starts_with("@problemName"));
}

// ---- what cannot be held

TEST_F(WriterTest, EveryFormat_Refuses_OtherKinds) {
  const std::vector<std::pair<Format, DataKind>> kinds{
      {Format::ucr, DataKind::series},     {Format::ts, DataKind::series},
      {Format::mil, DataKind::bags},       {Format::c45, DataKind::bags},
      {Format::svmlight, DataKind::bags},  {Format::tab, DataKind::sequences},
      {Format::fasta, DataKind::sequences}};
  for (const auto& [format, kind] : kinds) {
    for (const Dataset& data : {one_series("a"), one_bag("a", "b"), one_sequence("a", "AC")}) {
      if (data.kind() == kind) continue;
      const std::string name = format == Format::c45 ? "out.names" : "out.data";
      expect_refusal(data, format,
                     "the " + std::string(to_string(format)) + " format is for " +
                         std::string(to_string(kind)) + ", the data are " +
                         std::string(to_string(data.kind())),
                     name);
    }
  }
  expect_refusal(one_sequence("a", "AC"), Format::arff,
                 "the arff format is for series and bags, the data are sequences");
  for (const Format format : all_formats())
    expect_refusal(Dataset(DataKind::series), format, "there are no examples");
}

TEST_F(WriterTest, Series_Refuse_WhatTheFormatCannotHold) {
  expect_refusal(channels(), Format::ucr, "the ucr format is for one channel, the data have 2");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Format format : {Format::ucr, Format::ts, Format::arff}) {
    expect_refusal(one_series("1", infinity), format,
                   "series '1' has a value that is not finite, row 1, column 1");
  }
  Dataset open(DataKind::series);
  add(open, row({1, kNaN}), "a", "7");
  for (const Format format : {Format::ucr, Format::arff}) {
    expect_refusal(open, format,
                   "series '7' ends with a missing value, which the " + std::string(to_string(format)) +
                       " format takes for the end of the series; the ts format holds it");
  }
  Dataset header(DataKind::series);
  add(header, row({0, 1, 2}), "label", "1");
  expect_refusal(header, Format::ucr, "the first line, 'label.0.1.2', would be taken for a header");
}

TEST_F(WriterTest, Bags_Refuse_WhatTheFormatCannotHold) {
  for (const Format format : {Format::mil, Format::arff, Format::c45, Format::svmlight}) {
    expect_refusal(one_bag("1", "a", kNaN), format, "bag 'a' has a value that is missing, row 1, column 1");
  }
  Dataset twice = one_bag("1", "a");
  add(twice, Matrix::Zero(1, 3), "1", "a");
  for (const Format format : {Format::mil, Format::arff, Format::c45})
    expect_refusal(twice, format, "two bags are called 'a'");
  expect_refusal(one_bag("1", "a,b"), Format::mil,
                 "the bag name 'a,b' is empty or cannot be told from the format's own signs");
  expect_refusal(one_bag("1", "a:b"), Format::c45,
                 "the bag name 'a:b' is empty or cannot be told from the format's own signs");
  expect_refusal(one_bag("1", "b."), Format::c45, "'b.' ends with a dot, which the c45 format would drop");
  expect_refusal(one_bag("", "b"), Format::c45, "the c45 format lists the classes, the data have no labels",
                 "out.names");
  expect_refusal(one_bag("1", ""), Format::arff, "the name of a bag is empty");
}

TEST_F(WriterTest, Sequences_Refuse_WhatTheFormatCannotHold) {
  expect_refusal(one_sequence("a", "0101"), Format::tab,
                 "sequence '1', '0101', would be taken for a number; in a file that ends in .tab it is not");
  for (const std::string& text : std::vector<std::string>{" AC", "A\tC", "A\nC", {"A\0C", 3}}) {
    expect_refusal(
        one_sequence("a", text), Format::tab,
        "sequence '1' begins or ends with a blank, or has a tab, the end of a line or a zero byte in it");
  }
  expect_refusal(one_sequence("label", "sequence"), Format::tab,
                 "the first line, 'label.sequence', would be taken for a header");
  expect_refusal(one_sequence(">a", "AC"), Format::tab, "the label '>a' would be taken for fasta's");
  for (const std::string text : {"A C", "A>C", "A\nC"}) {
    expect_refusal(one_sequence("a", text), Format::fasta,
                   "sequence '1' has a blank, a control character or '>' in it");
  }
  for (const std::string name : {"", " x", "a label=b", "x|"}) {
    EXPECT_THROW(write_dataset(one_sequence("a", "AC", name), path("x.fa")), InvalidInput) << name;
  }
}

TEST_F(WriterTest, Refuses_LabelsThatWouldNotReadBack) {
  for (const std::string label : {"a\tb", "a\nb", "\"a\"", "?", "@data", "#1", "%1"}) {
    EXPECT_THROW(write_dataset(one_series(label), path("x.tsv")), InvalidInput) << label;
    EXPECT_THROW(write_dataset(one_series(label), path("x.ts")), InvalidInput) << label;
    EXPECT_THROW(write_dataset(one_bag(label, "b"), path("x.csv")), InvalidInput) << label;
    EXPECT_THROW(write_dataset(one_bag(label, "1"), path("x.svm")), InvalidInput) << label;
    EXPECT_THROW(write_dataset(one_bag(label, "b"), path("x.data")), InvalidInput) << label;
    EXPECT_THROW(write_dataset(one_sequence(label, "AC"), path("x.tab")), InvalidInput) << label;
    EXPECT_THROW(write_dataset(one_sequence(label, "AC"), path("x.fa")), InvalidInput) << label;
  }
  EXPECT_THROW(write_dataset(one_series("a b"), path("x.ts")), InvalidInput);
  EXPECT_THROW(write_dataset(one_series("a:b"), path("x.ts")), InvalidInput);
  EXPECT_THROW(write_dataset(one_series("a;b"), path("x.csv")), InvalidInput);
  EXPECT_THROW(write_dataset(one_bag("a b", "1"), path("x.svm")), InvalidInput);
  EXPECT_THROW(write_dataset(one_bag("a.", "1"), path("x.data")), InvalidInput);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(WriterTest, C45_WritesNeither_WhenOneCannotBe) {
  std::filesystem::create_directory(path("x.data"));
  EXPECT_THROW(write_dataset(one_bag("1", "b"), path("x.names")), InvalidInput);
  EXPECT_FALSE(std::filesystem::exists(path("x.names")));
}

}  // namespace
}  // namespace shapeboost
